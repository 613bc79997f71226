"""What can be read of one library, address by address."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from fakes.zotero.library import Library
from fakes.zotero.paging import ALWAYS, Listing, listed
from fakes.zotero.rendering import collection_json, item_json
from fakes.zotero.selecting import select_items
from fakes.zotero.wire import Json, Refusal, Reply, Request, number

_CONDITIONAL = ("items", "collections", "searches", "settings", "tags")


@dataclass(frozen=True, slots=True)
class View:
    """One library as one client sees it."""

    library: Library
    base: str  # the address before "/users"
    local: bool
    notes: bool = True  # whether the client may see notes

    def item(self, key: str) -> Json:
        """An item with all around it."""
        return self._item(key, [self.library.items[child].data for child in self.library.children(key)])

    def items(self) -> Callable[[str], Json]:
        """What gives an item with all around it; for many of them, as long as the library rests."""
        below: dict[str, list[Json]] = {}
        for thing in self.library.items.values():
            below.setdefault(thing.data.get("parentItem") or "", []).append(thing.data)
        return lambda key: self._item(key, below.get(key, ()))

    def _item(self, key: str, children: Sequence[Json]) -> Json:
        return item_json(self.library, key, self.base, children, local=self.local, notes=self.notes)

    def collection(self, key: str) -> Json:
        """A collection with all around it."""
        return collection_json(self.library, key, self.base)

    def visible(self) -> list[str]:
        """The keys of all items that the client may see, in the trash too."""
        return [key for key, thing in self.library.items.items() if self.notes or thing.data["itemType"] != "note"]


def read(view: View, path: Sequence[str], request: Request) -> Reply:
    """Answer a GET. `path` is what follows the library: ("items", "top")."""
    if _nothing_new(view.library, path, request):
        return Reply(304, headers={**ALWAYS, "Last-Modified-Version": str(view.library.version)})
    rooms = {"items": _read_items, "collections": _read_collections}
    return rooms.get(path[0] if path else "", _read_rest)(view, path, request)


def _nothing_new(library: Library, path: Sequence[str], request: Request) -> bool:
    """Whether a list is not newer than what the client says that it has."""
    known = request.header("If-Modified-Since-Version")
    conditional = bool(path) and path[0] in _CONDITIONAL and (len(path) != 2 or path[1] in ("top", "trash"))
    return conditional and known is not None and library.version <= number(known, "If-Modified-Since-Version")


def _read_items(view: View, path: Sequence[str], request: Request) -> Reply:
    match list(path[1:]):
        case []:
            return _items(view, view.visible(), request)
        case ["top" | "trash" as level]:
            return _items(view, view.visible(), request, level)
        case [key]:
            return _one(view, "items", key)
        case [key, "children"]:
            _one(view, "items", key)
            seen = set(view.visible())
            return _items(view, [child for child in view.library.children(key) if child in seen], request)
        case _:
            raise _nowhere(view)


def _read_collections(view: View, path: Sequence[str], request: Request) -> Reply:
    known = view.library.collections
    match list(path[1:]):
        case []:
            return _collections(view, _shown_collections(view), request)
        case ["top"]:
            top = [key for key in _shown_collections(view) if not known[key].data.get("parentCollection")]
            return _collections(view, top, request)
        case [key]:
            return _one(view, "collections", key)
        case [key, "collections"]:
            _one(view, "collections", key)
            below = [name for name in _shown_collections(view) if known[name].data.get("parentCollection") == key]
            return _collections(view, below, request)
        case [key, "items"]:
            return _items(view, _inside(view, key), request)
        case [key, "items", "top"]:
            return _items(view, _inside(view, key), request, "top")
        case _:
            raise _nowhere(view)


def _read_rest(view: View, path: Sequence[str], request: Request) -> Reply:
    """What is neither an item nor a collection."""
    library = view.library
    version = {**ALWAYS, "Last-Modified-Version": str(library.version)}
    match list(path):
        case ["tags"]:
            return _tags(view, request)
        case ["searches"]:
            return listed(Listing([], lambda _: 0, lambda _: {}), request, library.version, view.base, local=view.local)
        case ["settings"]:
            return Reply.json({}, version)
        case ["deleted"] if not view.local:
            if not request.param("since"):
                raise Refusal(400, "'since' must be given")
            since = number(request.param("since"), "since")
            erased = {kind: sorted(key for key, at in gone.items() if at > since) for kind, gone in library.deleted.items()}
            return Reply.json({**erased, "searches": [], "tags": [], "settings": []}, version)
        case _:
            raise _nowhere(view)


def _nowhere(view: View) -> Refusal:
    return Refusal(404, "No endpoint found" if view.local else "Not found")


def _items(view: View, within: Iterable[str], request: Request, level: str = "all") -> Reply:
    items = view.library.items
    keys = select_items(view.library, within, request, level=level, local=view.local)
    listing = Listing(keys, lambda key: items[key].version, view.items())
    return listed(listing, request, view.library.version, view.base, local=view.local)


def _shown_collections(view: View) -> list[str]:
    """A local Zotero hides those in the trash; the web shows them, and says so."""
    return [key for key, thing in view.library.collections.items() if not (view.local and thing.data.get("deleted"))]


def _collections(view: View, keys: Iterable[str], request: Request) -> Reply:
    known = view.library.collections
    after = number(request.param("since", "0"), "since")
    wanted = request.param("collectionKey").split(",") if request.param("collectionKey") else None
    found = [key for key in keys if known[key].version > after or "since" not in request.query]
    found = [key for key in found if wanted is None or key in wanted]
    found.sort(key=lambda key: (known[key].version, key), reverse=True)
    listing = Listing(found, lambda key: known[key].version, view.collection)
    return listed(listing, request, view.library.version, view.base, local=view.local)


def _inside(view: View, key: str) -> list[str]:
    """What lies in a collection, and what hangs on it. To a local Zotero a collection that is not there is no condition at all."""
    library = view.library
    if key not in library.collections:
        if view.local:
            return view.visible()
        raise Refusal(404, "Collection not found")

    def lies_there(name: str) -> bool:
        data = library.items[name].data
        parent = data.get("parentItem")
        return key in data.get("collections", ()) or (parent in library.items and lies_there(str(parent)))

    return [name for name in view.visible() if lies_there(name)]


def _one(view: View, kind: str, key: str) -> Reply:
    """A single object, in the trash or not; the version told is its own."""
    things = view.library.items if kind == "items" else view.library.collections
    if key not in things or (kind == "items" and key not in view.visible()):
        raise Refusal(404, "Item does not exist" if kind == "items" else "Collection not found")
    shown = view.item(key) if kind == "items" else view.collection(key)
    return Reply.json(shown, {**ALWAYS, "Last-Modified-Version": str(things[key].version)})


def _tags(view: View, request: Request) -> Reply:
    counts: dict[tuple[str, int], int] = {}
    for key in view.visible():
        data = view.library.items[key].data
        for tag in () if data.get("deleted") else data.get("tags", ()):
            name = (tag["tag"], tag.get("type", 0))
            counts[name] = counts.get(name, 0) + 1
    shown = {name: {"tag": name, "meta": {"type": kind, "numItems": n}} for (name, kind), n in sorted(counts.items())}
    return listed(Listing([*shown], lambda _: 0, shown.__getitem__), request, view.library.version, view.base, local=view.local)
