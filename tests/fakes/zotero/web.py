"""The web interface: whose key it is, what it may, and what lies outside of libraries."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from fakes.zotero.item_types import TYPES, creators_of, fields_of, label, template
from fakes.zotero.library import Library
from fakes.zotero.paging import ALWAYS
from fakes.zotero.reading import View, read
from fakes.zotero.state import State
from fakes.zotero.wire import Json, Refusal, Reply, Request
from fakes.zotero.writing import Editor

_BAD_TRIES, _BAD_SECONDS = 5, 300  # wrong keys that one address may try in a while


@dataclass(frozen=True, slots=True)
class Rights:
    """What a key may in one library."""

    read: bool
    notes: bool
    write: bool


class WebService:
    """Zotero on the web."""

    def __init__(self, state: State) -> None:
        self.state = state
        self._bad_tries: list[datetime] = []

    def answer(self, request: Request, base: str) -> Reply:
        """Answer one request; `base` is the address of the service."""
        if request.header("Expect"):
            raise Refusal(417)
        versions = {v for v in (request.header("Zotero-API-Version"), request.param("v") or None) if v}
        if len(versions) > 1 or not versions <= {"3"}:
            raise Refusal(400, "The version of the interface is not clear" if len(versions) > 1 else "Invalid API version")
        key = self._key(request)
        match [part for part in request.path.split("/") if part]:
            case ["users" | "groups" as kind, number, *rest]:
                return self._of_library(kind, number, rest, request, key, base)
            case ["keys", name] if request.method == "GET":
                return self._key_told(name, key)
            case parts if request.method == "GET":
                return Reply.json(schema_part(parts, request), ALWAYS)
        raise Refusal(405, "Method not allowed")

    def _key(self, request: Request) -> str:
        """The key that was sent, "" if none was."""
        bearer = request.header("Authorization")
        if bearer is not None and not (bearer.startswith("Bearer ") and bearer[7:].isascii() and bearer[7:].isalnum()):
            raise Refusal(400, "Invalid Authorization header format")
        sent = {key for key in (request.header("Zotero-API-Key"), bearer and bearer[7:], request.param("key")) if key}
        if len(sent) > 1:
            raise Refusal(400, "The key in the header and the key in the address differ")
        if not sent:
            return ""
        if (key := sent.pop()) not in self.state.keys:
            now = self.state.now()
            self._bad_tries = [at for at in self._bad_tries if now - at < timedelta(seconds=_BAD_SECONDS)] + [now]
            raise Refusal(429, "Too many invalid keys") if len(self._bad_tries) > _BAD_TRIES else Refusal(403, "Invalid key")
        return key

    def _key_told(self, name: str, key: str) -> Reply:
        if name == "current" and not key:
            raise Refusal(403, "Forbidden")
        if (known := self.state.keys.get(key if name == "current" else name)) is None:
            raise Refusal(404, "Key not found")
        return Reply.json(known, ALWAYS)

    def _of_library(self, kind: str, number: str, path: Sequence[str], request: Request, key: str, base: str) -> Reply:
        if not number.isdecimal() or int(number) == 0:
            raise Refusal(400, f"'{number}' is not the number of a library")
        if kind == "users" and list(path) == ["groups"]:
            return self._groups(key, base)
        if (library := self.state.libraries.get(f"{kind}/{number}")) is None:
            raise Refusal(404, "User not found" if kind == "users" else "Group not found")
        rights = self.rights(library, key)
        writes = request.method not in ("GET", "HEAD")
        if writes and not key:
            raise Refusal(403, "An API key is required for write requests")
        if not rights.read:
            raise Refusal(403, "Forbidden")
        if writes and not rights.write:
            raise Refusal(403, "Write access denied")
        view = View(library, base, local=False, notes=rights.notes)
        if not writes:
            return read(view, path, request)
        return write(self.state, Editor(view, self.state.now(), keyed_creates=True), path, request, key)

    def rights(self, library: Library, key: str) -> Rights:
        """What a key, or "" for nobody's, may in a library."""
        known = self.state.keys.get(key, {})
        access: Json = known.get("access", {})
        kind, _, number = library.name.partition("/")
        if kind == "users":
            own = access.get("user", {}) if str(known.get("userID")) == number else {}
            return Rights(bool(own.get("library")) or library.public, bool(own.get("notes")) or library.public, bool(own.get("write")))
        groups: Mapping[str, Any] = access.get("groups", {})
        named, everywhere = groups.get(number, {}), groups.get("all", {})
        may_read = bool(named.get("library") or everywhere.get("library")) or library.public
        return Rights(may_read, True, bool(named.get("write") or (everywhere.get("write") and library.editable)))

    def _groups(self, key: str, base: str) -> Reply:
        shown = []
        for library in self.state.libraries.values():
            kind, _, number = library.name.partition("/")
            if kind == "groups" and self.rights(library, key).read:
                data = {"id": int(number), "version": library.version, "name": library.title}
                link = {"self": {"href": f"{base}/{library.name}", "type": "application/json"}}
                shown.append({"id": int(number), "version": library.version, "links": link, "meta": {}, "data": data})
        return Reply.json(shown, {**ALWAYS, "Total-Results": str(len(shown))})


def write(state: State, editor: Editor, path: Sequence[str], request: Request, holder: str) -> Reply:
    """Answer a request that writes to a library. `path` is what follows the library, `holder` the key."""
    if not path or path[0] not in ("items", "collections"):
        raise Refusal(405, "Method not allowed")
    kind = path[0]
    match request.method, list(path[1:]):
        case "POST", []:
            return state.once(holder, request, lambda: editor.post(kind, request))
        case "DELETE", []:
            return editor.delete_many(kind, request)
        case "PUT" | "PATCH", [key]:
            return state.once(holder, request, lambda: editor.put_or_patch(kind, key, request))
        case "DELETE", [key]:
            return editor.delete_one(kind, key, request)
        case _:
            raise Refusal(405, "Method not allowed")


def schema_part(parts: Sequence[str], request: Request) -> object:
    """What there is to know of types of items and their fields."""
    item_type = request.param("itemType")
    if list(parts) in (["items", "new"], ["itemTypeFields"], ["itemTypeCreatorTypes"]) and item_type not in TYPES:
        raise Refusal(400, f"Invalid item type '{item_type}'")

    def named(word: str, names: Sequence[str]) -> list[Json]:
        return [{word: name, "localized": label(name)} for name in names]

    match list(parts):
        case ["items", "new"]:
            return template(item_type)
        case ["itemTypes"]:
            return named("itemType", TYPES)
        case ["itemFields"]:
            return named("field", [*dict.fromkeys(field for one in TYPES for field in fields_of(one))])
        case ["itemTypeFields"]:
            return named("field", fields_of(item_type))
        case ["itemTypeCreatorTypes"]:
            return named("creatorType", creators_of(item_type))
        case ["creatorFields"]:
            return named("field", ["firstName", "lastName", "name"])
        case _:
            raise Refusal(404, "Not found")
