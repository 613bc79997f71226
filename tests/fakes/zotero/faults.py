"""What goes wrong on purpose: at which request, and how."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from fakes.zotero.wire import Request


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong; the defaults change nothing.

    Attributes
    ----------
    method, path
        Which requests it is about: the method, and a regular expression that is looked for in the path and query; "" = all.
    nth
        Which of those: 1 is the first, 0 is each.
    status, body
        What is answered instead, if a status is given; `headers` come with it.
    headers
        Without a status: sent besides those of the true answer.
    applies
        Whether the request takes effect all the same, when there is a status or the connection is dropped.
    drops
        Whether the connection is closed without an answer.
    cut_at
        After how many bytes of the body the connection is closed.
    delay_seconds
        Waited before all else.
    """

    method: str = ""
    path: str = ""
    nth: int = 0
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""
    applies: bool = False
    drops: bool = False
    cut_at: int | None = None
    delay_seconds: float = 0.0

    def is_about(self, request: Request) -> bool:
        """Whether it is about a request, its place in the row aside."""
        query = "&".join(f"{name}={value}" for name, values in request.query.items() for value in values)
        return self.method in ("", request.method) and re.search(self.path, f"{request.path}?{query}") is not None


class Faults:
    """The faults that wait for their requests; each counts from when it was added."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Fault, list[Request]]] = []

    def add(self, *faults: Fault) -> None:
        """Let some more things go wrong."""
        self._waiting += [(fault, []) for fault in faults]

    def clear(self) -> None:
        """Let nothing go wrong any more."""
        self._waiting.clear()

    def meets(self, request: Request) -> Fault:
        """The fault of a request: the first whose turn it is, else one that changes nothing."""
        found = Fault()
        for fault, seen in reversed(self._waiting):
            if fault.is_about(request):
                seen.append(request)
                if fault.nth in (0, len(seen)):
                    found = fault
        return found
