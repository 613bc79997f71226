"""Items and collections as each of the two interfaces shows them."""

import re
from collections.abc import Sequence

from fakes.zotero.item_types import creators_of, fields_of
from fakes.zotero.library import CHILD_TYPES, Library, Thing
from fakes.zotero.wire import Json

SITE = "https://www.zotero.org"


def library_json(library: Library) -> Json:
    """What tells of the library in each object of it."""
    kind, _, number = library.name.partition("/")
    links = {"alternate": {"href": f"{SITE}/{library.name}", "type": "text/html"}}
    return {"type": kind.removesuffix("s"), "id": int(number), "name": library.title, "links": links}


def item_json(library: Library, key: str, base: str, children: Sequence[Json], *, local: bool, notes: bool = True) -> Json:
    """An item with all around it.

    Parameters
    ----------
    base
        The address before "/users".
    children
        The data of what hangs on it.
    notes
        False: the notes among them are not counted.
    """
    thing = library.items[key]
    data = _item_data(key, thing, local=local)
    meta: Json = {}
    if summary := _creator_summary(data, local=local):
        meta["creatorSummary"] = summary
    if parsed := _parsed_date(str(thing.data.get("date", ""))):
        meta["parsedDate"] = parsed
    if data["itemType"] not in ("note", "annotation"):
        meta["numChildren"] = sum(not child.get("deleted") and (notes or child["itemType"] != "note") for child in children)
    return _envelope(library, "items", key, base, {"meta": meta, "data": data})


def collection_json(library: Library, key: str, base: str) -> Json:
    """A collection with all around it."""
    thing = library.collections[key]
    inside = [t.data for t in library.items.values() if key in t.data.get("collections", ()) and not t.data.get("deleted")]
    below = [t for t in library.collections.values() if t.data.get("parentCollection") == key]
    known = {name: value for name, value in thing.data.items() if name in ("name", "parentCollection", "relations")}
    data = {"key": key, "version": thing.version, "relations": {}, **known}
    if thing.data.get("deleted"):
        data["deleted"] = True
    meta = {"numCollections": len(below), "numItems": len(inside)}
    return _envelope(library, "collections", key, base, {"meta": meta, "data": data})


def _envelope(library: Library, kind: str, key: str, base: str, rest: Json) -> Json:
    links = {
        "self": {"href": f"{base}/{library.name}/{kind}/{key}", "type": "application/json"},
        "alternate": {"href": f"{SITE}/{library.name}/{kind}/{key}", "type": "text/html"},
    }
    return {"key": key, "version": rest["data"]["version"], "library": library_json(library), "links": links, **rest}


def _item_data(key: str, thing: Thing, *, local: bool) -> Json:
    """The data of an item: on the web with every empty field of its type, in a local Zotero without."""
    given = thing.data
    item_type = given["itemType"]
    data: Json = {"key": key, "version": thing.version}
    if given.get("parentItem"):
        data["parentItem"] = given["parentItem"]
    data["itemType"] = item_type
    for name in fields_of(item_type):
        if not local or given.get(name):
            data[name] = given.get(name, "")
    if creators_of(item_type):
        data["creators"] = given.get("creators", [])
    shown = {"deleted", "collections", "tags", "relations", "dateAdded", "dateModified", "parentItem"}
    data.update({name: value for name, value in given.items() if name not in data and name not in shown and (value or not local)})
    data["tags"] = given.get("tags", [])
    if not given.get("parentItem"):
        data["collections"] = given.get("collections", [])
    data["relations"] = given.get("relations", {})
    data.update({name: given[name] for name in ("dateAdded", "dateModified") if name in given})
    if given.get("deleted"):
        data["deleted"] = True if local else 1
    return data


def _creator_summary(data: Json, *, local: bool) -> str:
    """The names of the first creators; the desktop puts each between marks that isolate its direction."""
    names = [creator.get("name") or creator.get("lastName", "") for creator in data.get("creators", ())]
    if local and len(names) > 1:
        names = [f"\u2068{name}\u2069" for name in names]
    if len(names) > 2:
        return f"{names[0]} et al."
    return " and ".join(names)


def _parsed_date(text: str) -> str:
    found = re.search(r"\b(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?\b", text)
    return "-".join(filter(None, found.groups())) if found else ""


def is_child(data: Json) -> bool:
    """Whether an item hangs on another."""
    return data["itemType"] in CHILD_TYPES and bool(data.get("parentItem"))
