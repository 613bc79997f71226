"""A catalogue's address, key and pauses, and the line over which it is asked."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlencode

from paperrec.errors import ServiceError, SettingsError
from paperrec.ports import Batch, Context, Located, Window
from paperrec_adapters.web import Answer, Policy, Web

_TOTAL_SECONDS = 300.0  # for all requests of one source, waits among them
_MOST_WAIT_SECONDS = 60.0
_TRIES = 4
_FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class Service:
    """What is to be known of a catalogue before it is asked."""

    name: str  # "openalex": so its address is called among the run's services
    address: str
    spacing_seconds: float  # between two requests
    key: str = ""  # what its key is called among the run's services
    read_seconds: float = 60.0  # without a byte


class Catalogue(Located):
    """A source that asks a catalogue: the newest papers, or those that came to it within a window."""

    def read(self) -> Batch:
        """The newest papers.

        Raises
        ------
        SettingsError
            The locator cannot be understood.
        ServiceError
            Nothing could be had.
        """
        return self.read_window(Window())

    def read_window(self, window: Window) -> Batch:
        """The papers that came to the catalogue within a window; an open one asks for the newest."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class Line:
    """A line to one catalogue: what is asked over it comes back as data, or is a ServiceError."""

    web: Web
    base: str
    key: str = field(repr=False)
    mailto: str  # "": not given
    today: date  # UTC

    @classmethod
    def to(cls, service: Service, context: Context) -> "Line":
        """A line that asks nothing yet."""
        given = context.services
        key = given.get(service.key, "") if service.key else ""
        if key and not (key.isascii() and key.isprintable() and " " not in key):
            raise SettingsError(f"the key for {service.name} holds signs that no key has; copy it again")
        pause = given.get("web_pause_seconds", "")
        policy = Policy(
            read_seconds=service.read_seconds,
            total_seconds=_TOTAL_SECONDS,
            most_wait_seconds=_MOST_WAIT_SECONDS,
            give_up_seconds=_MOST_WAIT_SECONDS,
            tries=_TRIES,
            pause_seconds=float(pause) if pause else 1.0,
            spacing_seconds=float(pause) if pause else service.spacing_seconds,
        )
        base = given.get(f"{service.name}_url", "").rstrip("/") or service.address
        today = given.get("today", "")
        return cls(
            Web(policy, secrets=(key,) if key else (), offline=context.offline),
            base,
            key,
            given.get("mailto", ""),
            date.fromisoformat(today) if today else datetime.now(UTC).date(),
        )

    def ask(self, path: str, params: Mapping[str, str], headers: Mapping[str, str] | None = None) -> Any:
        """What JSON stands at a path; None where the service knows no such thing (404)."""
        answer = self.web.get(self.base + path, params=_given(params), headers=headers)
        return None if answer.status == 404 else self._good(answer).json()

    def post(self, path: str, form: Mapping[str, str]) -> Answer:
        """What a service answers to a form: here a key stands in no address. Reading twice does no harm, so trouble is tried again."""
        body = urlencode(_given(form)).encode()
        return self._good(self.web.send("POST", self.base + path, headers={"Content-Type": _FORM}, body=body, retry=True))

    def post_json(self, path: str, value: Any, headers: Mapping[str, str]) -> Any:
        """What JSON a service answers to JSON."""
        body, kind = json.dumps(value).encode(), {"Content-Type": "application/json"}
        return self._good(self.web.send("POST", self.base + path, headers={**headers, **kind}, body=body, retry=True)).json()

    def _good(self, answer: Answer) -> Answer:
        if answer.status != 200:
            raise ServiceError(f"{answer.host}: answers {answer.status} ({self.web.said(answer)})")
        return answer


def _given(params: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in params.items() if value}
