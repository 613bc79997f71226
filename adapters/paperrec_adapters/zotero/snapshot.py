"""A whole library as it was at one moment: items of every kind, the trash with them, and collections."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

Thing = Mapping[str, Any]  # an item or a collection: "key", "version" and "data", as the service gives them

_CHILDREN = frozenset({"annotation", "attachment", "note"})
_KEPT_OF_CHILDREN = ("itemType", "parentItem", "deleted", "dateModified", "tags")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a read of a library gave."""

    version: int  # everything up to this version of the library is in it
    items: dict[str, dict[str, Any]]  # by key, trashed ones too
    collections: dict[str, dict[str, Any]]  # by key; trashed ones too where the service tells them


def compact(thing: object) -> dict[str, Any] | None:
    """What is kept of an item or a collection, or None if it is none."""
    if not isinstance(thing, Mapping) or not isinstance(data := thing.get("data"), Mapping):
        return None
    key = thing.get("key", data.get("key"))
    version = thing.get("version", data.get("version"))
    if not isinstance(key, str) or not key or not isinstance(version, int):
        return None
    if str(data.get("itemType")) in _CHILDREN:  # what people wrote and marked there is none of our business
        data = {name: data[name] for name in _KEPT_OF_CHILDREN if name in data}
    return {"key": key, "version": version, "data": data}


def is_trashed(thing: Thing) -> bool:
    """Whether it lies in the trash itself; what lies in a trashed collection does not."""
    return bool(thing["data"].get("deleted"))


def collections_of(item: Thing) -> tuple[str, ...]:
    """The keys of the collections that an item is filed in, in the item's order."""
    return tuple(key for key in _list(item["data"].get("collections")) if isinstance(key, str))


def tags_of(item: Thing) -> tuple[str, ...]:
    """The names of an item's tags, in alphabetical order."""
    names = (tag.get("tag") for tag in _list(item["data"].get("tags")) if isinstance(tag, Mapping))
    return tuple(sorted(name for name in names if isinstance(name, str)))


class Children:
    """What hangs on the items of a library and is not trashed: notes, attachments, and what is marked in these."""

    def __init__(self, items: Mapping[str, Thing]) -> None:
        self._by_parent: dict[str, list[Thing]] = {}
        for item in items.values():
            if isinstance(parent := item["data"].get("parentItem"), str) and not is_trashed(item):
                self._by_parent.setdefault(parent, []).append(item)

    def below(self, key: str) -> tuple[Thing, ...]:
        """All that hangs on an item."""
        direct = self._by_parent.get(key, ())
        return (*direct, *(mark for child in direct for mark in self._by_parent.get(child["key"], ())))

    def states_below(self, key: str) -> frozenset[str]:
        """Key and version of all that hangs on an item."""
        return frozenset(map(state_of, self.below(key)))


def state_of(item: Thing) -> str:
    """Key and version of an item: as long as it stays the same, nobody has touched the item."""
    return f"{item['key']}:{item['version']}"


def collection_paths(collections: Mapping[str, Thing]) -> dict[str, str]:
    """Path of each collection, "PhD/Chapter 2", by key; without trashed ones and what lies in them."""
    paths: dict[str, str] = {}
    for key in collections:
        if line := tuple(_line(key, collections)):
            paths[key] = "/".join(str(collection["data"].get("name", "")) for collection in reversed(line))
    return paths


def _line(key: str, collections: Mapping[str, Thing]) -> Iterator[Thing]:
    """A collection and those around it, the innermost first; none of them if one is trashed or they go round in a circle."""
    line: list[Thing] = []
    seen: set[str] = set()
    inner: object = key
    while isinstance(inner, str) and inner:
        if inner in seen or (inner in collections and is_trashed(collections[inner])):
            return
        seen.add(inner)
        if inner not in collections:
            break  # what is around it was erased meanwhile: it stands at the top
        line.append(collections[inner])
        inner = collections[inner]["data"].get("parentCollection")
    yield from line


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
