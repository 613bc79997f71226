"""Asks a service over HTTP with nothing between a test and the wire, and a clock that a test moves on."""

import http.client
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import quote, urlsplit


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back; the names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def json(self) -> Any:
        """The body, read as JSON."""
        return json.loads(self.text)

    @property
    def keys(self) -> list[str]:
        """The keys of the objects in a list."""
        return [thing["key"] for thing in self.json]

    @property
    def version(self) -> int:
        """What Last-Modified-Version says."""
        return int(self.headers["last-modified-version"])

    @property
    def links(self) -> dict[str, str]:
        """The address of each relation in the Link header."""
        return {rel: url for url, rel in re.findall(r'<([^>]*)>; rel="(\w+)"', self.headers.get("link", ""))}


@dataclass(frozen=True, slots=True)
class Caller:
    """One client: its service, and the headers that go with each request."""

    url: str
    headers: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, method: str, path: str, body: object = None, **headers: object) -> Answer:
        """Send one request. A header is named with underscores; one that is None is not sent; a body that is no text is sent as JSON."""
        place = urlsplit(self.url)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {name: str(value) for name, value in {**self.headers, **named}.items() if value is not None}
        content = body.encode() if isinstance(body, str) else None if body is None else json.dumps(body).encode()
        line = http.client.HTTPConnection(place.hostname or "", place.port, timeout=10)
        try:
            line.request(method, quote(place.path + path, safe="/?=&,:%"), content, sent)
            reply = line.getresponse()
            text = reply.read().decode()
            return Answer(reply.status, {name.lower(): value for name, value in reply.getheaders()}, text)
        finally:
            line.close()

    def get(self, path: str, **headers: object) -> Answer:
        """Read."""
        return self("GET", path, **headers)

    def post(self, path: str, body: object, **headers: object) -> Answer:
        """Write many, or ask for something to be done."""
        return self("POST", path, body, **headers)

    def patch(self, path: str, body: object, **headers: object) -> Answer:
        """Change one."""
        return self("PATCH", path, body, **headers)


class Clock:
    """A clock that stands until it is moved on."""

    def __init__(self) -> None:
        self.at = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        """What time it is."""
        return self.at

    def wait(self, **passed: float) -> None:
        """Let some time pass: `seconds=1`."""
        self.at += timedelta(**passed)
