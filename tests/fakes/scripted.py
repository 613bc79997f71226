"""A real server on the loopback that answers as a script says."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True, slots=True)
class Says:
    """One answer; the defaults are a good one."""

    status: int = 200
    body: bytes = b"{}"
    headers: dict[str, str] = field(default_factory=dict)
    cut_at: int | None = None  # bytes of the body after which it hangs up
    drops: bool = False  # hangs up without a word
    drip_seconds: float = 0.0  # between two bytes of the body
    endless: bool = False  # the body is sent again and again


@dataclass(slots=True)
class Scripted:
    """What came in, and the address."""

    url: str
    asked: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)  # method, path, headers, body


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    seen: Scripted
    left: list[Says]

    def serve(self) -> None:
        """Note what is asked, and say what is next."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.seen.asked.append((self.command, self.path, {k.lower(): v for k, v in self.headers.items()}, body))
        says = self.left.pop(0) if len(self.left) > 1 else self.left[0]
        if says.drops:
            self._hang_up()
            return
        self._say_head(says)
        if says.status not in (204, 304):
            self._say_body(says)
        if says.cut_at is not None:
            self._hang_up()

    def _say_head(self, says: Says) -> None:
        self.send_response(says.status)
        for name, value in says.headers.items():
            self.send_header(name, value)
        if says.endless:
            self.send_header("Connection", "close")
        elif says.status not in (204, 304):
            self.send_header("Content-Length", str(len(says.body)))
        self.end_headers()

    def _say_body(self, says: Says) -> None:
        part = says.body if says.cut_at is None else says.body[: says.cut_at]
        for start in range(0, len(part), 1 if says.drip_seconds else len(part)):
            self.wfile.write(part[start : start + 1] if says.drip_seconds else part)
            time.sleep(says.drip_seconds)
        while says.endless:
            self.wfile.write(part)

    def _hang_up(self) -> None:
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the base class has
        """Write nothing to the terminal."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no news."""


@contextmanager
def scripted(*script: Says) -> Iterator[Scripted]:
    """Serve the answers in their order; the last one again and again."""
    handler = type("Handler", (_Handler,), {f"do_{method}": _Handler.serve for method in ("GET", "POST", "PATCH")})
    server = _Server(("127.0.0.1", 0), handler)
    handler.seen = seen = Scripted(f"http://127.0.0.1:{server.server_port}")  # type: ignore[attr-defined]
    handler.left = list(script)  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()
