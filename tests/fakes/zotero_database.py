"""Databases in the shape of zotero.sqlite, of three ages; only the tables that are read, with the numbers of types and fields shuffled."""

import contextlib
import os
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self

from fakes.zotero.item_types import TYPES, creators_of, fields_of, label

SCHEMAS = (123, 125, 129)  # of the user's data: Zotero 7 and 8, 9, 10
USER = 1  # the number that the user's library always has
_FIRST_WITH_LOG = 129
_LAST_WRITTEN = 1_700_000_000  # seconds since 1970: not just now, when it might be written still
_COMPATIBILITY = {123: 7, 125: 7, 129: 9}
_CHILDREN = {"attachment": "itemAttachments", "note": "itemNotes", "annotation": "itemAnnotations"}
_BASES = {  # names that some types have for a field that others share
    ("case", "caseName"): "title",
    ("statute", "nameOfAct"): "title",
    ("email", "subject"): "title",
    ("case", "dateDecided"): "date",
    ("statute", "dateEnacted"): "date",
    ("patent", "issueDate"): "date",
    ("conferencePaper", "proceedingsTitle"): "publicationTitle",
    ("bookSection", "bookTitle"): "publicationTitle",
    ("preprint", "archiveID"): "number",
    ("preprint", "repository"): "publisher",
    ("preprint", "genre"): "type",
    ("thesis", "university"): "publisher",
}
_TABLES = """
    CREATE TABLE version (schema TEXT PRIMARY KEY, version INT NOT NULL);
    CREATE TABLE settings (setting TEXT, key TEXT, value, PRIMARY KEY (setting, key));
    CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, type TEXT NOT NULL, editable INT NOT NULL, version INT NOT NULL DEFAULT 0);
    CREATE TABLE groups (groupID INTEGER PRIMARY KEY, libraryID INT NOT NULL UNIQUE REFERENCES libraries, name TEXT NOT NULL);
    CREATE TABLE feeds (libraryID INTEGER PRIMARY KEY REFERENCES libraries, name TEXT NOT NULL, url TEXT NOT NULL UNIQUE);
    CREATE TABLE itemTypesCombined (itemTypeID INT NOT NULL PRIMARY KEY, typeName TEXT NOT NULL, display INT, custom INT);
    CREATE TABLE fieldsCombined (fieldID INT NOT NULL PRIMARY KEY, fieldName TEXT NOT NULL, label TEXT, fieldFormatID INT, custom INT);
    CREATE TABLE baseFieldMappingsCombined (itemTypeID INT, baseFieldID INT, fieldID INT, PRIMARY KEY (itemTypeID, baseFieldID, fieldID));
    CREATE TABLE creatorTypes (creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT);
    CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL, dateAdded TIMESTAMP NOT NULL, dateModified TIMESTAMP NOT NULL,
        libraryID INT NOT NULL REFERENCES libraries, key TEXT NOT NULL, version INT NOT NULL DEFAULT 0, {newer}
        synced INT NOT NULL DEFAULT 0, UNIQUE (libraryID, key));
    CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
    CREATE TABLE itemData (itemID INT REFERENCES items, fieldID INT REFERENCES fieldsCombined, valueID REFERENCES itemDataValues,
        PRIMARY KEY (itemID, fieldID));
    CREATE TABLE itemAttachments (itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT, contentType TEXT, path TEXT);
    CREATE TABLE itemNotes (itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT, title TEXT);
    CREATE TABLE itemAnnotations (itemID INTEGER PRIMARY KEY, parentItemID INT NOT NULL, type INTEGER, text TEXT, comment TEXT);
    CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT,
        UNIQUE (lastName, firstName, fieldMode));
    CREATE TABLE itemCreators (itemID INT NOT NULL, creatorID INT NOT NULL, creatorTypeID INT NOT NULL, orderIndex INT NOT NULL DEFAULT 0,
        PRIMARY KEY (itemID, creatorID, creatorTypeID, orderIndex), UNIQUE (itemID, orderIndex));
    CREATE TABLE tags (tagID INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE itemTags (itemID INT NOT NULL, tagID INT NOT NULL, type INT NOT NULL, PRIMARY KEY (itemID, tagID));
    CREATE TABLE collections (collectionID INTEGER PRIMARY KEY, collectionName TEXT NOT NULL, parentCollectionID INT DEFAULT NULL,
        libraryID INT NOT NULL, key TEXT NOT NULL, version INT NOT NULL DEFAULT 0, UNIQUE (libraryID, key));
    CREATE TABLE collectionItems (collectionID INT NOT NULL, itemID INT NOT NULL, orderIndex INT NOT NULL DEFAULT 0,
        PRIMARY KEY (collectionID, itemID));
    CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY, dateDeleted DEFAULT CURRENT_TIMESTAMP);
    CREATE TABLE deletedCollections (collectionID INTEGER PRIMARY KEY, dateDeleted DEFAULT CURRENT_TIMESTAMP);
    CREATE TABLE feedItems (itemID INTEGER PRIMARY KEY, guid TEXT NOT NULL UNIQUE, readTime TIMESTAMP);
"""


class ZoteroDatabase:
    """A database that is being filled; `save` puts it where Zotero would have it."""

    def __init__(self, folder: Path, schema: int = _FIRST_WITH_LOG, *, seed: int = 1) -> None:
        self.path = folder / "zotero.sqlite"
        self._work = folder / f"work-{seed}"
        self._work.mkdir(parents=True)
        self.connection = sqlite3.connect(self._work / "zotero.sqlite")
        self._chance = random.Random(seed)
        self.connection.execute("PRAGMA synchronous = OFF").fetchall()
        if schema >= _FIRST_WITH_LOG:
            self.connection.execute("PRAGMA journal_mode = WAL").fetchall()
        self.connection.execute("PRAGMA wal_autocheckpoint = 0").fetchall()
        self.connection.executescript(_TABLES.format(newer="clientVersion INT NOT NULL DEFAULT 0," if schema >= _FIRST_WITH_LOG else ""))
        versions = {"system": 32, "userdata": schema, "triggers": 18, "globalSchema": 41, "compatibility": _COMPATIBILITY.get(schema, 9)}
        self._insert_all("version", versions.items())
        self._insert_all("libraries", [(USER, "user", 1, 0)])
        self.types = self._numbered(TYPES)
        self.fields = self._numbered([*(field for kind in TYPES for field in fields_of(kind)), *_BASES.values()])
        self.roles = self._numbered([role for kind in TYPES for role in creators_of(kind)])
        self._insert_all("itemTypesCombined", [(number, name, 1, 0) for name, number in self.types.items()])
        self._insert_all("fieldsCombined", [(number, name, label(name), None, 0) for name, number in self.fields.items()])
        self._insert_all("creatorTypes", [(number, name) for name, number in self.roles.items()])
        bases = [(self.types[kind], self.fields[base], self.fields[field]) for (kind, field), base in _BASES.items()]
        self._insert_all("baseFieldMappingsCombined", bases)
        self._items: dict[tuple[int, str], int] = {}
        self._collections: dict[tuple[int, str], int] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()
        shutil.rmtree(self._work)

    def item(self, key: str, kind: str = "journalArticle", /, *, library: int = USER, trashed: bool = False, **parts: Any) -> None:
        """Put an item there.

        Parameters
        ----------
        parts
            Fields by their names, dates as Zotero stores them ("2024-05-00 May 2024"); besides these `creators` as (role, first name, last
            name), a first name of None for one that is not parted; `tags` as texts, or as (text, 1) if a program gave them; `collections`
            by key; `dateAdded`, `dateModified`, `version`; `parent` of a child.
        """
        number = self._number()
        self._items[library, key] = number
        added = parts.pop("dateAdded", "2024-01-02 03:04:05")
        columns = (number, self.types[kind], added, parts.pop("dateModified", added), library, key, parts.pop("version", 7))
        self.connection.execute(
            "INSERT INTO items (itemID, itemTypeID, dateAdded, dateModified, libraryID, key, version) VALUES (?, ?, ?, ?, ?, ?, ?)", columns
        )
        if trashed:
            self.connection.execute("INSERT INTO deletedItems (itemID) VALUES (?)", (number,))
        if kind in _CHILDREN:
            parent = self._items[library, parts["parent"]] if parts.get("parent") else None
            self.connection.execute(f"INSERT INTO {_CHILDREN[kind]} (itemID, parentItemID) VALUES (?, ?)", (number, parent))  # noqa: S608
        parts.pop("parent", None)
        for order, (role, first, last) in enumerate(parts.pop("creators", ())):
            self._creator(number, order, role, first, last)
        for tag in parts.pop("tags", ()):
            name, automatic = tag if isinstance(tag, tuple) else (tag, 0)
            self._insert_all("itemTags", [(number, self._shared("tags", "tagID", "name", name), automatic)])
        for collection in parts.pop("collections", ()):
            self._insert_all("collectionItems", [(self._collections[library, collection], number, 0)])
        for field, value in parts.items():
            self._insert_all("itemData", [(number, self.fields[field], self._shared("itemDataValues", "valueID", "value", value))])

    def collection(self, key: str, name: str, /, parent: str = "", *, library: int = USER, trashed: bool = False) -> None:
        """Put a collection there, in another one if that is named."""
        number = self._number()
        self._collections[library, key] = number
        around = self._collections[library, parent] if parent else None
        self._insert_all("collections", [(number, name, around, library, key, 3)])
        if trashed:
            self.connection.execute("INSERT INTO deletedCollections (collectionID) VALUES (?)", (number,))

    def group(self, number: int, name: str) -> int:
        """Put a group's library there; the number that it has in this database."""
        library = self._number()
        self._insert_all("libraries", [(library, "group", 1, 0)])
        self._insert_all("groups", [(number, library, name)])
        return library

    def feed(self, name: str) -> int:
        """Put a feed there; the number that its library has in this database."""
        library = self._number()
        self._insert_all("libraries", [(library, "feed", 0, 0)])
        self._insert_all("feeds", [(library, name, f"https://example.org/{name}")])
        return library

    def run(self, statement: str) -> None:
        """Do anything else with it."""
        self.connection.execute(statement)

    def save(self, *, merged: bool = True) -> Path:
        """Put the files in their place; with `merged=False` most of it is still in the -wal, as while Zotero 10 runs."""
        self.connection.commit()
        if merged:
            self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        for suffix in ("", "-wal") if not merged else ("",):
            self._put(suffix)
        return self.path

    def save_in_transaction(self, statement: str) -> Path:
        """Put the files in their place as they are in the middle of a change that spills over into the main file (-journal beside it)."""
        self.connection.commit()
        for pragma in ("cache_size = 1", "cache_spill = 1"):
            self.connection.execute(f"PRAGMA {pragma}").fetchall()
        self.connection.execute(statement)
        for suffix in ("", "-journal"):
            self._put(suffix)
        self.connection.rollback()
        return self.path

    def _put(self, suffix: str) -> None:
        shutil.copyfile(self._work / f"zotero.sqlite{suffix}", f"{self.path}{suffix}")
        os.utime(f"{self.path}{suffix}", (_LAST_WRITTEN, _LAST_WRITTEN))

    def _creator(self, item: int, order: int, role: str, first: str | None, last: str) -> None:
        name = (first or "", last, int(first is None))
        self.connection.execute("INSERT OR IGNORE INTO creators (firstName, lastName, fieldMode) VALUES (?, ?, ?)", name)
        found = self.connection.execute("SELECT creatorID FROM creators WHERE firstName = ? AND lastName = ? AND fieldMode = ?", name)
        self._insert_all("itemCreators", [(item, found.fetchone()[0], self.roles[role], order)])

    def _shared(self, table: str, number: str, column: str, value: object) -> int:
        self.connection.execute(f"INSERT OR IGNORE INTO {table} ({column}) VALUES (?)", (value,))  # noqa: S608
        found = self.connection.execute(f"SELECT {number} FROM {table} WHERE {column} IS ?", (value,))  # noqa: S608
        return int(found.fetchone()[0])

    def _insert_all(self, table: str, rows: Any) -> None:
        rows = list(rows)
        if rows:
            marks = ", ".join("?" * len(rows[0]))
            columns = self.connection.execute("SELECT name FROM pragma_table_info(?)", (table,)).fetchmany(len(rows[0]))
            names = ", ".join(name for (name,) in columns)
            self.connection.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)  # noqa: S608

    def _number(self) -> int:
        return self._chance.randrange(2, 2**40)

    def _numbered(self, names: Sequence[str]) -> dict[str, int]:
        distinct = list(dict.fromkeys(names))
        numbers = list(range(1, len(distinct) + 1))
        self._chance.shuffle(numbers)
        return dict(zip(distinct, numbers, strict=True))


_HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
connection.execute("PRAGMA wal_autocheckpoint = 0").fetchall()
connection.execute("BEGIN EXCLUSIVE")
connection.execute("UPDATE libraries SET version = version + 1")
for statement in sys.argv[2:]:
    connection.execute(statement)
connection.execute("COMMIT")
print("ready", flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def held_by_zotero(path: Path, statements: Sequence[str] = ()) -> Iterator[None]:
    """Hold a database as a running Zotero does, with a lock that keeps everybody out; what the statements change is not merged."""
    command = [sys.executable, "-c", _HOLDER, str(path), *statements]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "ready\n"
        try:
            yield
        finally:
            holder.kill()
