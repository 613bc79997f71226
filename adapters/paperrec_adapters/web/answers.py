"""What bounds a conversation with a service, and what comes of a request."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from paperrec.errors import ServiceError


@dataclass(frozen=True, slots=True)
class Policy:
    """The bounds of all requests of one `Web`."""

    connect_seconds: float = 10.0
    read_seconds: float = 30.0  # without a byte
    total_seconds: float = 900.0  # of network time and waits together
    most_wait_seconds: float = 300.0  # that a service can make us wait at a time
    give_up_seconds: float = math.inf  # a service that names a longer wait is not waited for: its budget for the day is spent
    spacing_seconds: float = 0.0  # between two requests to one host, whoever makes them
    tries: int = 5
    pause_seconds: float = 1.0  # before the second try; it doubles with each
    most_bytes: int = 20_000_000  # of a body, unpacked
    most_hops: int = 5  # redirects


@dataclass(frozen=True, slots=True)
class Answer:
    """What a service said, read to its end and unpacked."""

    host: str
    status: int
    headers: Mapping[str, str]  # whatever case their names are asked for in
    body: bytes

    def json(self) -> Any:
        """The body as JSON.

        Raises
        ------
        ServiceError
            It is none: the page of a network that wants a login, or an answer that was cut.
        """
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            is_page = self.body.lstrip()[:1] == b"<"
            what = "a web page (does this network want a login?)" if is_page else "no JSON"
            raise ServiceError(f"{self.host}: bad answer ({self.status}): {what} where data should be; try again later") from None
