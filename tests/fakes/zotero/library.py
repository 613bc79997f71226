"""One library as Zotero holds it: items, collections, what was erased, and a version that every change moves on."""

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

from fakes.zotero.wire import Json

ALPHABET = "23456789ABCDEFGHIJKLMNPQRSTUVWXYZ"  # of keys: no 0, 1 and O, which look like other signs
CHILD_TYPES = ("note", "attachment", "annotation")


def is_key(text: object) -> bool:
    """Whether a text has the form of an object's key."""
    return isinstance(text, str) and len(text) == 8 and set(text) <= set(ALPHABET)


def timestamp(now: datetime) -> str:
    """A moment as Zotero writes it."""
    return now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(slots=True)
class Thing:
    """An item or a collection: its data without key and version, empty fields left out."""

    version: int
    data: Json


@dataclass(slots=True)
class Library:
    """The library of a user or a group.

    The methods change it directly, as a person at the desktop would: nothing is checked, and each change moves the version on by one.
    """

    name: str  # "users/1", "groups/7"
    now: Callable[[], datetime] = field(repr=False, compare=False)
    version: int = 0
    title: str = "My Library"
    public: bool = False  # whether it can be read without a key
    editable: bool = True  # for the members of a group, or in a local Zotero
    counts_all: bool = False  # whether what is not synced moves the version too, as in a desktop from version 10 on
    items: dict[str, Thing] = field(default_factory=dict)
    collections: dict[str, Thing] = field(default_factory=dict)
    deleted: dict[str, dict[str, int]] = field(default_factory=lambda: {"items": {}, "collections": {}})  # version of the erasure by key
    n_keys: int = 0  # that were chosen here

    def put_item(self, key: str = "", *, synced: bool = True, **data: Any) -> str:
        """Put an item there, instead of one of that key; its key.

        What is not synced leaves the version of the library as it is and has version 0, as the local interface shows it before version 10.
        """
        key = key or self.new_key()
        now = timestamp(self.now())
        data = {"itemType": "journalArticle", "dateAdded": now, "dateModified": now, **data}
        if data["itemType"] not in CHILD_TYPES or not data.get("parentItem"):
            data.setdefault("collections", [])
        self.items[key] = Thing(self.bump() if synced or self.counts_all else 0, data)
        return key

    def put_collection(self, name: str, key: str = "", *, parent: str = "", **data: Any) -> str:
        """Put a collection there, instead of one of that key; its key."""
        key = key or self.new_key()
        self.collections[key] = Thing(self.bump(), {"name": name, "parentCollection": parent or False, **data})
        return key

    def edit(self, key: str, *, synced: bool = True, **change: Any) -> None:
        """Change fields of an item or a collection; a field that is None is taken away. What is not synced moves no version."""
        thing = self.items.get(key) or self.collections[key]
        data = {**thing.data, "dateModified": timestamp(self.now()), **change}
        thing.data = {name: value for name, value in data.items() if value is not None}
        if synced or self.counts_all:
            thing.version = self.bump()

    def trash(self, key: str) -> None:
        """Move an item or a collection to the trash."""
        self.edit(key, deleted=1)

    def restore(self, key: str) -> None:
        """Bring an item or a collection back from the trash."""
        self.edit(key, deleted=None)

    def erase(self, key: str) -> None:
        """Erase an item, and what hangs on it, for good."""
        for child in list(self.children(key)):
            self.erase(child)
        del self.items[key]
        self.deleted["items"][key] = self.bump()

    def erase_collection(self, key: str) -> None:
        """Erase a collection and those below it for good; their items stay, with the versions that they had."""
        for below in [name for name, thing in self.collections.items() if thing.data.get("parentCollection") == key]:
            self.erase_collection(below)
        del self.collections[key]
        self.deleted["collections"][key] = self.bump()
        for thing in self.items.values():
            if key in thing.data.get("collections", ()):
                thing.data = {**thing.data, "collections": [name for name in thing.data["collections"] if name != key]}

    def children(self, key: str) -> Iterator[str]:
        """The keys of what hangs on an item."""
        return (name for name, thing in self.items.items() if thing.data.get("parentItem") == key)

    def bump(self) -> int:
        """Move the version on by one; the new one."""
        self.version += 1
        return self.version

    def new_key(self) -> str:
        """A key that is not taken."""
        while True:
            self.n_keys += 1
            number = int.from_bytes(hashlib.sha256(f"{self.name} {self.n_keys}".encode()).digest())
            key = "".join(ALPHABET[number // len(ALPHABET) ** place % len(ALPHABET)] for place in range(8))
            if key not in self.items and key not in self.collections:
                return key

    def state(self) -> Json:
        """All of it, fit for JSON."""
        return {name: value for name, value in asdict(self).items() if name != "now"}

    @classmethod
    def of_state(cls, state: Json, now: Callable[[], datetime]) -> "Library":
        """The library of such a state."""
        things = {kind: {key: Thing(**thing) for key, thing in state[kind].items()} for kind in ("items", "collections")}
        return cls(**{**state, **things, "now": now})
