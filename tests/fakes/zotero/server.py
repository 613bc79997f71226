"""A fake Zotero on the loopback: HTTP around a service, a log of what came in, and what goes wrong on the way."""

import json
import socket
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, unquote, urlsplit

from fakes.zotero.faults import Fault, Faults
from fakes.zotero.library import Library
from fakes.zotero.local import LocalService
from fakes.zotero.state import State
from fakes.zotero.web import WebService
from fakes.zotero.wire import Dropped, Refusal, Reply, Request

_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class FakeZotero:
    """A Zotero that tests can ask over HTTP, and look into and change from the side.

    Parameters
    ----------
    dialect
        "web", "local7" (a desktop that is only read) or "local10" (one that is written to).
    state_file
        Read if it is there, and written before each answer to a write, so that it outlives this process.
    log_file
        Gets a line of JSON for each request: method, path, status.
    now
        The clock.

    Attributes
    ----------
    url
        The address of the service, without a slash at its end; one of the desktop ends in "/api".
    requests
        What came in, in order.
    faults
        What goes wrong.
    state
        All that it knows.
    crashes
        Errors of the fake itself; leaving the `with` block raises them.
    """

    def __init__(
        self,
        dialect: str = "web",
        *,
        port: int = 0,
        state_file: Path | None = None,
        log_file: Path | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.state = State.load(state_file, now) if state_file and state_file.exists() else State(dialect, now)
        self.web = WebService(self.state)
        self.local = LocalService(self.state)
        self.requests: list[Request] = []
        self.faults = Faults()
        self.crashes: list[str] = []
        self._state_file, self._log_file = state_file, log_file
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", port), self._handler())
        root = f"http://127.0.0.1:{self._server.server_port}"
        self.url = root if self.state.dialect == "web" else f"{root}/api"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()
        if self.crashes and kind is None:
            raise AssertionError("\n".join(self.crashes))

    def serve_forever(self) -> None:
        """Serve in this thread until the process ends."""
        self._server.serve_forever()

    def library(self, name: str) -> Library:
        """The library "users/1" or "groups/7"; made, empty, if there is none. A desktop's own is that of its account: "users/1"."""
        return self.state.library(name)

    def add_key(
        self,
        key: str,
        *,
        user: int = 1,
        write: bool = True,
        notes: bool = True,
        library: bool = True,
        groups: Mapping[str, Mapping[str, bool]] | None = None,
    ) -> None:
        """Give a key of the web its rights: in the library of its user, and in groups by number or "all"."""
        self.library(f"users/{user}")
        own = {"library": True, "files": True, "notes": notes, "write": write}
        access: dict[str, Any] = {"user": {name: True for name, given in own.items() if given}} if library else {}
        if groups:
            access["groups"] = {number: dict(rights) for number, rights in groups.items()}
        name = f"user{user}"
        self.state.keys[key] = {"key": key, "userID": user, "username": name, "displayName": name, "access": access}

    def add_local_key(self, key: str, *, always: bool = True) -> None:
        """Let a desktop know a key that is good for always, or for one request."""
        self.state.local_keys[key] = always

    def save(self) -> None:
        """Write the state to its file now."""
        if self._state_file:
            self.state.save(self._state_file)

    def writes(self) -> list[Request]:
        """The requests that were no reads."""
        return [request for request in self.requests if request.method not in ("GET", "HEAD")]

    def answer(self, request: Request) -> tuple[Reply | None, Fault]:
        """The answer to a request and what goes wrong on its way; without an answer the connection is dropped."""
        with self._lock:
            fault = self.faults.meets(request)
        time.sleep(fault.delay_seconds)
        reply: Reply | None = None
        if not (fault.status or fault.drops) or fault.applies:
            reply = self._answer(request)
        if fault.status:
            reply = Reply(fault.status, fault.body.encode(), {"Content-Type": "text/html", **fault.headers})
        elif reply:
            reply = replace(reply, headers={**reply.headers, **fault.headers})
        if fault.drops:
            reply = None
        self._note(replace(request, status=reply.status if reply else 0))
        return reply, fault

    def _answer(self, request: Request) -> Reply | None:
        if request.path.endswith("/local/authorize"):  # a person who thinks holds up nobody
            reply = self._reply(request)
            with self._lock:
                self.save()
            return reply
        with self._lock:
            reply = self._reply(request)
            if request.method not in ("GET", "HEAD"):
                self.save()
            return reply

    def _reply(self, request: Request) -> Reply | None:
        service = self.web if self.state.dialect == "web" else self.local
        try:
            return service.answer(request, self.url)
        except Refusal as refusal:
            return refusal.reply()
        except Dropped:
            return None
        except Exception:  # noqa: BLE001 - a fault of the fake is to be seen in the test, not in the thread
            self.crashes.append(traceback.format_exc())
            return Reply.text("", status=500)

    def _note(self, request: Request) -> None:
        with self._lock:
            self.requests.append(request)
            if self._log_file:
                line = {name: value for name, value in asdict(request).items() if name in ("method", "path", "query", "status")}
                with self._log_file.open("a", encoding="utf-8") as log:
                    log.write(json.dumps(line) + "\n")

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        handler = type("Handler", (_Handler,), {"zotero": self, **{f"do_{method}": _Handler.serve for method in _METHODS}})
        if self.state.dialect == "web":
            handler.protocol_version = "HTTP/1.1"  # type: ignore[attr-defined] # the desktop closes after each answer
        return handler


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is no news."""


class _Handler(BaseHTTPRequestHandler):
    zotero: FakeZotero
    disable_nagle_algorithm = True  # head and body of an answer leave in two pieces, and the second would wait 40 ms for word of the first

    def serve(self) -> None:
        """Read a request, send its answer."""
        target = urlsplit(self.path)
        headers = {name.lower(): value for name, value in self.headers.items()}
        length = self.headers.get("Content-Length", "")
        body = self.rfile.read(int(length)) if length.isdecimal() else b""
        request = Request(self.command, unquote(target.path), parse_qs(target.query, keep_blank_values=True), headers, body)
        reply, fault = self.zotero.answer(request)
        if reply is None:
            self._hang_up()
            return
        self.send_response(reply.status)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if reply.status not in (204, 304):
            self.send_header("Content-Length", str(len(reply.body)))
        self.end_headers()
        if self.command == "HEAD" or reply.status in (204, 304):
            return
        self.wfile.write(reply.body if fault.cut_at is None else reply.body[: fault.cut_at])
        if fault.cut_at is not None:
            self._hang_up()

    def handle_expect_100(self) -> bool:
        """Let the service refuse what asks to be let in first."""
        self.serve()
        self.close_connection = True
        return False

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the base class has
        """Write nothing to the terminal."""

    def _hang_up(self) -> None:
        self.close_connection = True
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
