"""The interface of the desktop program: read by anybody on the machine, and from version 10 on written to with its leave."""

import json
import re
import secrets
import time
from collections import deque
from collections.abc import Sequence
from datetime import datetime, timedelta

from fakes.zotero.library import Library
from fakes.zotero.paging import ALWAYS
from fakes.zotero.reading import View, read
from fakes.zotero.state import State
from fakes.zotero.web import schema_part, write
from fakes.zotero.wire import Dropped, Json, Refusal, Reply, Request
from fakes.zotero.writing import Editor

_HOSTS = ("localhost", "127.0.0.1", "[::1]")
_SCHEMA_PARTS = ("itemTypes", "itemFields", "itemTypeFields", "itemTypeCreatorTypes", "creatorFields")
_PROMPTS, _PROMPT_SECONDS = 5, 60  # questions that one minute may bring


class LocalService:
    """Zotero on the desktop; `state.dialect` says of which version.

    Attributes
    ----------
    enabled
        Whether other programs may ask it anything.
    keyed_creates
        Whether clients may choose the keys of new objects, as they should.
    choices
        What the person at the desktop says to the next questions: "once", "always" or "deny"; to one without a choice, "deny".
    choice_seconds
        How long the person thinks.
    """

    def __init__(self, state: State) -> None:
        self.state = state
        self.enabled = True
        self.keyed_creates = False
        self.choices: deque[str] = deque()
        self.choice_seconds = 0.0
        self._prompts: list[datetime] = []

    @property
    def writable(self) -> bool:
        """Whether it is a version that can be written to."""
        return self.state.dialect == "local10"

    def answer(self, request: Request, base: str) -> Reply:
        """Answer one request; `base` is the address of the service, "/api" with it."""
        if (request.header("User-Agent") or "").startswith("Mozilla/") or request.header("Origin") is not None:
            raise Dropped
        if re.sub(r":\d+$", "", request.header("Host") or "") not in _HOSTS:
            raise Refusal(400, "Invalid Host header")
        try:
            reply = self._checked(request, base)
        except Refusal as refusal:
            refusal.headers = {**refusal.headers, **self._signature()}
            raise
        return Reply(reply.status, reply.body, {**reply.headers, **self._signature()})

    def _signature(self) -> dict[str, str]:
        return {"Zotero-Server-ID": self.state.server_id} if self.writable else {}

    def _checked(self, request: Request, base: str) -> Reply:
        if not self.enabled:
            raise Refusal(403, "Local API is not enabled")
        writes = request.method not in ("GET", "HEAD")
        if writes and not self.writable:
            raise Refusal(400, "Endpoint does not support method")
        self._check_server(request, writes=writes)
        inside = request.path.removeprefix("/api")
        if inside == request.path or inside == "":
            raise Refusal(404, "No endpoint found")
        match [part for part in inside.split("/") if part]:
            case []:
                return Reply.text("Nothing to see here.", ALWAYS)
            case ["local", "authorize"] if request.method == "POST":
                return self._authorize(request)
            case ["users", number, "groups"]:
                self._library("users", number)
                return self._groups(base)
            case ["users" | "groups" as kind, number, *rest]:
                return self._of_library(self._library(kind, number), rest, request, base)
            case [part] if part in _SCHEMA_PARTS and not writes:
                return Reply.json(schema_part([part], request), ALWAYS)
        raise Refusal(404, "No endpoint found")

    def _check_server(self, request: Request, *, writes: bool) -> None:
        """A client says which database it means: it must when it writes, it may when it reads."""
        meant = request.header("Zotero-Server-ID")
        if not self.writable or (meant is None and not writes):
            return
        if meant is None:
            raise Refusal(428, "Zotero-Server-ID not provided")
        if meant != self.state.server_id:
            raise Refusal(412, "Zotero-Server-ID does not match")

    def _library(self, kind: str, number: str) -> Library:
        if kind == "users" and number not in ("0", str(self.state.account)):
            raise Refusal(400, "Only data for the logged-in user is available locally -- use userID 0")
        name = f"users/{self.state.account}" if kind == "users" else f"{kind}/{number}"
        if name not in self.state.libraries:
            raise Refusal(404, "Library not found")
        return self.state.libraries[name]

    def _of_library(self, library: Library, path: Sequence[str], request: Request, base: str) -> Reply:
        # Addresses of a library are told with the number that it was asked by
        view = View(library, base, local=True)
        if request.method in ("GET", "HEAD"):
            return read(view, path, Request("GET", request.path.removeprefix("/api"), request.query, request.headers))
        key = self._take_key(request)
        if not library.editable:
            raise Refusal(403, "Library is not editable")
        editor = Editor(view, self.state.now(), self.keyed_creates)
        return write(self.state, editor, path, request, key)

    def _take_key(self, request: Request) -> str:
        """The key of a write; one that is good for one request is gone by now, whatever becomes of the request."""
        key = request.header("Zotero-API-Key")
        if key is None:
            raise Refusal(401, "API key required")
        if key not in self.state.local_keys:
            raise Refusal(401, "Invalid or expired API key")
        if not self.state.local_keys[key]:
            del self.state.local_keys[key]
        return key

    def _authorize(self, request: Request) -> Reply:
        """Ask the person at the desktop."""
        try:
            asked = json.loads(request.body)
        except ValueError:
            raise Refusal(400, "Uploaded data must be JSON") from None
        if not isinstance(asked, dict) or not asked.get("appName"):
            raise Refusal(400, "'appName' not provided")
        now = self.state.now()
        self._prompts = [at for at in self._prompts if now - at < timedelta(seconds=_PROMPT_SECONDS)] + [now]
        if len(self._prompts) > _PROMPTS:
            raise Refusal(429, "Too many requests", headers={"Retry-After": str(_PROMPT_SECONDS)})
        choice = self.choices.popleft() if self.choices else "deny"
        time.sleep(self.choice_seconds)
        if choice == "deny":
            return Reply.json({"denied": True}, ALWAYS, 403)
        key = secrets.token_hex(12)
        self.state.local_keys[key] = choice == "always"
        return Reply.json({"key": key, "remember": choice == "always"}, ALWAYS)

    def _groups(self, base: str) -> Reply:
        shown: list[Json] = []
        for name, library in self.state.libraries.items():
            kind, _, number = name.partition("/")
            if kind == "groups":
                about = {"id": int(number), "version": library.version}
                link = {"self": {"href": f"{base}/{name}", "type": "application/json"}}
                shown.append({**about, "links": link, "meta": {}, "data": {**about, "name": library.title}})
        return Reply.json(shown, {**ALWAYS, "Total-Results": str(len(shown))})
