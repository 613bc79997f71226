"""Requests and their repetition: what is tried again, how long is waited, and what is told in the end."""

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from paperrec.errors import DeniedError, ServiceError
from paperrec.text import printable
from paperrec_adapters.web.answers import Answer, Policy
from paperrec_adapters.web.pacing import turn
from paperrec_adapters.web.places import check_hop, host_of, origin_of
from paperrec_adapters.web.secrets import hidden

if TYPE_CHECKING:
    import requests

Params = Mapping[str, str] | Sequence[tuple[str, str]]

_REPEATED = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 527})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_RATE_LIMIT_FACTOR = 30.0  # pauses that a service gets which says "too many" without saying how long
_QUOTED = 200  # characters of what a service says


@dataclass(slots=True)
class Web:
    """One conversation with services, under one policy.

    Attributes
    ----------
    secrets
        Keys: they are never in an error, and no header that holds one goes to another origin.
    offline
        True: no socket is opened.
    sleep
        How it waits.
    """

    policy: Policy = field(default_factory=Policy)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    offline: bool = False
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    _session: "requests.Session | None" = field(default=None, init=False, repr=False)
    _ends: float | None = field(default=None, init=False, repr=False)  # on the monotonic clock
    _quiet_until: float = field(default=0.0, init=False, repr=False)

    def get(self, url: str, *, params: Params | None = None, headers: Mapping[str, str] | None = None) -> Answer:
        """Ask for what stands at an address; redirects are followed, but not with keys to other hosts.

        Raises
        ------
        DeniedError
            401 or 403.
        ServiceError
            Nothing came, or trouble, after all tries.
        """
        headers = dict(headers or {})
        for _ in range(self.policy.most_hops + 1):
            answer = self._patiently("GET", url, params, headers, None, self.policy.tries)
            where = answer.headers.get("Location", "")
            if answer.status not in _REDIRECTS or not where:
                return answer
            target = check_hop(url, where)
            if origin_of(target) != origin_of(url):
                headers = {name: value for name, value in headers.items() if not self._is_secret(name, value)}
            url, params = target, None
        raise ServiceError(f"{host_of(url)}: sends from one address to the next without end; look for a proxy or a changed address")

    def send(self, method: str, url: str, *, headers: Mapping[str, str], body: bytes, retry: bool) -> Answer:
        """Send a body; with `retry` the very same request again after trouble, which must then do no harm.

        Raises
        ------
        DeniedError
            401 or 403.
        ServiceError
            Nothing came, trouble after all tries, or a redirect: what is written is not carried elsewhere.
        """
        answer = self._patiently(method, url, None, headers, body, self.policy.tries if retry else 1)
        if answer.status in _REDIRECTS:
            raise ServiceError(f"{answer.host}: wants the data sent to another address; look for a proxy or a changed address")
        return answer

    def _is_secret(self, name: str, value: str) -> bool:
        return name.lower() in ("authorization", "zotero-api-key", "cookie") or any(secret in value for secret in self.secrets)

    def _patiently(
        self, method: str, url: str, params: Params | None, headers: Mapping[str, str], body: bytes | None, tries: int
    ) -> Answer:
        host = host_of(url)
        if self.offline:
            raise ServiceError(f"{host}: not asked, because of --offline")
        why = ""
        for number in range(tries):
            self._wait(self._quiet_until - time.monotonic(), host, why)
            try:
                with turn(url, self.policy.spacing_seconds, lambda seconds: self._wait(seconds, host, "")):
                    answer = self._once(method, url, params, headers, body)
            except _TroubleError as trouble:
                why, wait = str(trouble), self._pause(number)
            else:
                self._quiet_until = time.monotonic() + min(self._told(answer, "Backoff", 0.0), self.policy.most_wait_seconds)
                if answer.status in (401, 403):
                    raise DeniedError(f"{host}: refused with {answer.status}: {self.said(answer)}")
                if answer.status not in _REPEATED:
                    return answer
                why = f"answers {answer.status} ({self.said(answer)})"
                factor = _RATE_LIMIT_FACTOR if answer.status == 429 else 1.0
                told = self._told(answer, "Retry-After", math.nan)
                if told > self.policy.give_up_seconds:
                    raise ServiceError(f"{host}: {why}, and asks to come back in {told / 3600:,.1f} h")
                wait = self._pause(number) * factor if math.isnan(told) else min(told, self.policy.most_wait_seconds)
            if number + 1 < tries:
                self._wait(wait, host, why)
        times = "once" if tries == 1 else f"{tries} times"
        raise ServiceError(f"{host}: {why}, asked {times}; try again later")

    def _once(self, method: str, url: str, params: Params | None, headers: Mapping[str, str], body: bytes | None) -> Answer:
        """One request, its answer read to the end.

        Raises
        ------
        _TroubleError
            What may be over at the next try.
        ServiceError
            What will not.
        """
        from paperrec_adapters.web.carrying import FINAL, carry, session

        host = host_of(url)
        if self._ends is None:
            self._ends = time.monotonic() + self.policy.total_seconds
        if self._session is None:
            self._session = session()
        if any(control in value for value in headers.values() for control in "\r\n\0"):
            raise ServiceError(f"{host}: not asked: a header holds a line break; copy the key again")
        status, received, data, trouble = carry(
            self._session, self.policy, self._ends, (method, url, params, headers, body), {"Accept-Encoding": "gzip, deflate"}
        )
        if trouble == "too large":
            raise ServiceError(f"{host}: the answer has more than {self.policy.most_bytes / 1e6:,.0f} MB; no more are read")
        if trouble == "no time":
            raise ServiceError(f"{host}: took longer than {self.policy.total_seconds:,.0f} s in all; try again later")
        if trouble in FINAL:
            raise ServiceError(f"{host}: {trouble}")
        if trouble:
            raise _TroubleError(trouble)
        return Answer(host, status, received, data)

    def said(self, answer: Answer) -> str:
        """What a service said, fit to be shown: cleaned, short, on one line, without keys."""
        said = hidden(answer.body[: 20 * _QUOTED].decode("utf-8", "replace"), self.secrets)
        if said.lstrip()[:1] == "<":
            return "with a web page"
        said = " ".join(printable(said).split())
        return (said[:_QUOTED] + "..." if len(said) > _QUOTED else said) or "without a word"

    def _told(self, answer: Answer, name: str, otherwise: float) -> float:
        """How long a header says to wait, in seconds or until a date; nonsense is as if it were not there."""
        text = answer.headers.get(name, "").strip()
        try:
            seconds = float(text)
        except ValueError:
            try:
                until = parsedate_to_datetime(text)
            except (ValueError, TypeError, IndexError, OverflowError):
                return otherwise
            seconds = (until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)).total_seconds()
        return otherwise if math.isnan(seconds) else max(seconds, 0.0)

    def _pause(self, number: int) -> float:
        """Before the next try: twice as long each time, and not the same for all who were turned away at one moment."""
        return float(self.policy.pause_seconds * 2**number * random.uniform(0.75, 1.25))  # noqa: S311 - no secret is made

    def _wait(self, seconds: float, host: str, why: str) -> None:
        if seconds <= 0:
            return
        if self._ends is not None and time.monotonic() + seconds > self._ends:
            raise ServiceError(f"{host}: {why or 'asks to wait'}, and would be waited for too long; try again later")
        self.sleep(seconds)


class _TroubleError(Exception):
    """What went wrong in words that follow the host's name; it may be over at the next try."""
