"""What goes over the wire, apart from HTTP: a request, a reply, and a refusal on the way to it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came in, and the status it got."""

    method: str
    path: str  # without the query, unquoted
    query: Mapping[str, list[str]] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)  # names in lower case
    body: bytes = b""
    status: int = 0  # 0: none was sent

    def param(self, name: str, default: str = "") -> str:
        """The last value of a query parameter."""
        return self.query.get(name, [default])[-1]

    def header(self, name: str) -> str | None:
        """A header; None if it was not sent."""
        return self.headers.get(name.lower())


@dataclass(frozen=True, slots=True)
class Reply:
    """What is sent back."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def json(cls, value: object, headers: Mapping[str, str] | None = None, status: int = 200) -> "Reply":
        """A reply of JSON."""
        text = json.dumps(value, ensure_ascii=False, indent=4).encode()
        return cls(status, text, {"Content-Type": "application/json", **(headers or {})})

    @classmethod
    def text(cls, text: str, headers: Mapping[str, str] | None = None, status: int = 200) -> "Reply":
        """A reply of plain text."""
        return cls(status, text.encode(), {"Content-Type": "text/plain; charset=UTF-8", **(headers or {})})


class Refusal(Exception):  # noqa: N818 - it is no error of the service's
    """A request, or one object of it, that is not granted."""

    def __init__(self, status: int, text: str = "", *, headers: Mapping[str, str] | None = None, about: Json | None = None) -> None:
        super().__init__(text)
        self.status, self.text, self.headers, self.about = status, text, dict(headers or {}), about

    def reply(self) -> Reply:
        """The refusal of a whole request."""
        return Reply.text(self.text, self.headers, self.status)


class Dropped(Exception):  # noqa: N818 - what a client sees as an error
    """The connection is closed without an answer."""


def number(text: str, what: str) -> int:
    """A version or a count that was sent as text."""
    if not (text.isascii() and text.isdecimal()):
        raise Refusal(400, f"{what} is not a number: '{text}'")
    return int(text)
