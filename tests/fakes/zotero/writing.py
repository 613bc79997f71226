"""Writes to one library: many objects at a time or one, each under the condition that nobody changed it meanwhile."""

import html
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from fakes.zotero.adapting import adapt_item
from fakes.zotero.checking import check_collection, check_depth, check_item
from fakes.zotero.item_types import properties_of
from fakes.zotero.library import Thing, is_key, timestamp
from fakes.zotero.paging import ALWAYS
from fakes.zotero.reading import View
from fakes.zotero.wire import Json, Refusal, Reply, Request, number

_MOST_OBJECTS = 50
_CONDITION = "If-Unmodified-Since-Version"
_WHOLE = {"items": ("itemType", "tags", "collections", "relations"), "collections": ("name",)}  # what a PUT must hold


@dataclass(frozen=True, slots=True)
class Editor:
    """One client that writes to one library."""

    view: View
    now: datetime
    keyed_creates: bool  # whether a client may choose the keys of new objects

    def things(self, kind: str) -> dict[str, Thing]:
        """The items or the collections, by key."""
        return self.view.library.items if kind == "items" else self.view.library.collections

    def post(self, kind: str, request: Request) -> Reply:
        """Write up to 50 objects; one that is refused costs no other."""
        sent = _body(request, local=self.view.local)
        if not isinstance(sent, list):
            raise Refusal(400, "Uploaded data must be a JSON array")
        if len(sent) > _MOST_OBJECTS:
            raise Refusal(413, f"Cannot add more than {_MOST_OBJECTS} {kind} at a time")
        guarded = self._library_unchanged(request)
        told: dict[str, Json] = {"successful": {}, "success": {}, "unchanged": {}, "failed": {}}
        for index, data in enumerate(sent):
            try:
                key, changed = self._one_of_many(kind, data, guarded=guarded)
            except Refusal as refusal:
                told["failed"][str(index)] = self._failed(data, refusal)
                continue
            if changed:
                told["success"][str(index)] = key
                told["successful"][str(index)] = self.view.item(key) if kind == "items" else self.view.collection(key)
            else:
                told["unchanged"][str(index)] = key
        return Reply.json(told, {**ALWAYS, "Last-Modified-Version": str(self.view.library.version)})

    def put_or_patch(self, kind: str, key: str, request: Request) -> Reply:
        """Write one object: all of it, or some fields."""
        sent = _body(request, local=self.view.local)
        if not isinstance(sent, dict):
            raise Refusal(400, "Uploaded data must be a JSON object")
        if sent.get("key", key) != key:
            raise Refusal(400, "The key of the object is not that of the address")
        there = self.things(kind).get(key)
        replace = request.method == "PUT"
        if there is None and not (replace and is_key(key)):
            raise Refusal(404, f"{kind[:-1].capitalize()} does not exist")
        version = self._condition(sent, request)
        if there is None and not self.keyed_creates:
            raise Refusal(500)
        if version is None:
            raise Refusal(428, f"{_CONDITION} or a version in the object is needed")
        self._check_version(there, version, missing=412)
        if absent := [
            name for name in _WHOLE[kind] if replace and name not in sent and not (name == "collections" and "parentItem" in sent)
        ]:
            raise Refusal(400, f"'{absent[0]}' property not provided")
        self._save(kind, key, sent, replace=replace)
        return Reply(204, headers={**ALWAYS, "Last-Modified-Version": str(self.things(kind)[key].version)})

    def delete_one(self, kind: str, key: str, request: Request) -> Reply:
        """Erase one object for good."""
        if (there := self.things(kind).get(key)) is None:
            raise Refusal(404, f"{kind[:-1].capitalize()} does not exist")
        if (condition := request.header(_CONDITION)) is None:
            raise Refusal(428, f"{_CONDITION} not provided")
        self._check_version(there, number(condition, _CONDITION), missing=404)
        return self._erase(kind, [key])

    def delete_many(self, kind: str, request: Request) -> Reply:
        """Erase up to 50 objects for good."""
        keys = [key for key in request.param(f"{kind[:-1]}Key").split(",") if key]
        if not keys:
            raise Refusal(400, f"'{kind[:-1]}Key' not provided")
        if len(keys) > _MOST_OBJECTS:
            raise Refusal(413, f"Cannot delete more than {_MOST_OBJECTS} {kind} at a time")
        self._library_unchanged(request)
        return self._erase(kind, [key for key in keys if key in self.things(kind)])

    def _erase(self, kind: str, keys: list[str]) -> Reply:
        library = self.view.library
        for key in keys:
            if key in self.things(kind):  # and not gone with its parent
                (library.erase if kind == "items" else library.erase_collection)(key)
        return Reply(204, headers={**ALWAYS, "Last-Modified-Version": str(library.version)})

    def _one_of_many(self, kind: str, data: object, *, guarded: bool) -> tuple[str, bool]:
        """The key of the object, and whether anything changed."""
        if not isinstance(data, dict):
            raise Refusal(400, "Uploaded data must be JSON objects")
        version = _whole_number(data.get("version"))
        if (key := data.get("key")) is None:
            if version:
                raise Refusal(400, "'version' is valid only with 'key'")
            return self._save(kind, self.view.library.new_key(), data)
        if not is_key(key):
            raise Refusal(400, f"'{key}' is not a valid {kind[:-1]} key")
        if version is None and not guarded:
            raise Refusal(428, f"{_CONDITION} or a version in the object is needed")
        there = self.things(kind).get(key)
        if there is None and not version and not self.keyed_creates:
            raise Refusal(400, f"'primaryData' not loaded for {kind[:-1]} (null/1/{key})")
        if version is not None:
            self._check_version(there, version, missing=404)
        return self._save(kind, key, data)

    def _check_version(self, there: Thing | None, version: int, *, missing: int) -> None:
        """Refuse what knows not the last change: the web takes any version that is not older, the desktop only the same."""
        if there is None:
            if version:
                raise Refusal(missing, f"Item does not exist (expected version {version})", headers=self._told(self.view.library.version))
            return
        if version < there.version or (self.view.local and version > there.version):
            text = f"Item has been modified since specified version (expected {version}, found {there.version})"
            raise Refusal(412, text, headers=self._told(there.version))

    def _condition(self, sent: Json, request: Request) -> int | None:
        """The version that a client knows of an object: the web wants the same in both places, the desktop looks at the JSON first."""
        header = request.header(_CONDITION)
        in_header = None if header is None else number(header, _CONDITION)
        in_json = _whole_number(sent.get("version"))
        if not self.view.local and None not in (in_header, in_json) and in_header != in_json:
            raise Refusal(400, f"{_CONDITION} and the version in the object differ ({in_header}, {in_json})")
        return in_header if in_json is None else in_json

    def _library_unchanged(self, request: Request) -> bool:
        """Whether a condition on the whole library was given; it holds, or the request is refused."""
        if (condition := request.header(_CONDITION)) is None:
            return False
        found = self.view.library.version
        if found > number(condition, _CONDITION):
            text = f"Library has been modified since specified version (expected {condition}, found {found})"
            raise Refusal(412, text, headers=self._told(found))
        return True

    def _told(self, version: int) -> Mapping[str, str]:
        return {"Last-Modified-Version": str(version)}

    def _failed(self, data: object, refusal: Refusal) -> Json:
        key = {"key": data["key"]} if isinstance(data, dict) and isinstance(data.get("key"), str) else {}
        about = {"data": refusal.about} if refusal.about else {}
        return {**key, "code": refusal.status, "message": html.escape(refusal.text, quote=not self.view.local), **about}

    def _save(self, kind: str, key: str, sent: Json, *, replace: bool = False) -> tuple[str, bool]:
        """Put an object there, or change it; its key, and whether anything changed."""
        there = self.things(kind).get(key)
        old = there.data if there else {}
        change = {name: value for name, value in sent.items() if name not in ("key", "version")}
        base: Json = {name: old[name] for name in ("dateAdded", "dateModified") if name in old} if replace else old
        new = self._item(base, change) if kind == "items" else self._collection(base, change, key)
        if there and _without_time(new) == _without_time(_full(kind, old)):
            return key, False
        if kind == "items":
            new = {**new, **self._times(old, new, change)}
        library = self.view.library
        self.things(kind)[key] = Thing(library.bump(), new)
        library.deleted[kind].pop(key, None)
        return key, True

    def _item(self, base: Json, change: Json) -> Json:
        for name in ("notes", "attachments"):
            if name in change:
                raise Refusal(400, f"'{name}' property is no longer supported")
        check = adapt_item if self.view.local else check_item
        new = {**base, **check(self.view.library, change, {**base, **change})}
        if new.get("accessDate") == "CURRENT_TIMESTAMP":
            new["accessDate"] = timestamp(self.now)
        allowed = properties_of(new["itemType"])
        return _full("items", {name: value for name, value in new.items() if name in allowed})

    def _collection(self, base: Json, change: Json, key: str) -> Json:
        whole = {**base, **change}
        return _full("collections", {**base, **check_collection(self.view.library, change, whole, key, local=self.view.local)})

    def _times(self, old: Json, new: Json, change: Json) -> Json:
        """When an item was added and changed. On the web, to be put into other collections is no change."""
        now = timestamp(self.now)
        times = {"dateAdded": new.get("dateAdded") or now, "dateModified": now}
        given = change.get("dateModified")
        if given and given != old.get("dateModified"):
            times["dateModified"] = given
        elif old and not self.view.local and _without_time(old, "collections") == _without_time(new, "collections"):
            times["dateModified"] = old.get("dateModified", now)
        return times


def _body(request: Request, *, local: bool) -> Any:
    try:
        sent = json.loads(request.body)
    except (ValueError, RecursionError):
        raise Refusal(400, "Uploaded data must be JSON") from None
    if not local:
        check_depth(sent)
    return sent


def _whole_number(value: object) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise Refusal(400, f"'{value}' is not a valid version")
    return value


def _full(kind: str, data: Json) -> Json:
    """The data in one form, whatever was sent: what is empty left out, what always stands there put in."""
    kept = {name: value for name, value in data.items() if value not in ("", None, False, 0) and value not in ([], {})}
    if kind == "collections":
        return {"name": data["name"], "parentCollection": data.get("parentCollection") or False, **kept}
    return kept if kept.get("parentItem") else {"collections": [], **kept}


def _without_time(data: Json, *others: str) -> Json:
    kept = {name: value for name, value in data.items() if name not in ("dateAdded", "dateModified", *others)}
    return {name: set(value) if name == "collections" else value for name, value in kept.items()}
