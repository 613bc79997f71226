"""One request at a time to a service, and the pause that it asks for between two, for all conversations of this process together."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Turn:
    lock: threading.Lock = field(default_factory=threading.Lock)
    ended: float | None = None  # when the last answer had been read, on the monotonic clock


_TURNS: dict[str, _Turn] = {}  # by what an address begins with: "https://host:port"
_TURNS_LOCK = threading.Lock()


@contextmanager
def turn(url: str, spacing_seconds: float, wait: Callable[[float], None]) -> Iterator[None]:
    """Hold the line to a service for one request, `spacing_seconds` after the last one ended; `wait` is told how long that still is."""
    with _TURNS_LOCK:
        mine = _TURNS.setdefault("/".join(url.split("/", 3)[:3]), _Turn())
    with mine.lock:
        if mine.ended is not None:
            wait(mine.ended + spacing_seconds - time.monotonic())
        try:
            yield
        finally:
            mine.ended = time.monotonic()
