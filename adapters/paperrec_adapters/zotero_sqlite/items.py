"""Items of one library out of the tables, in the form that the web service gives them; one pass over each table."""

import re
import sqlite3
from collections import defaultdict
from collections.abc import Container, Mapping
from typing import Any

_MULTIPART = re.compile(r"(\d{4})-(0\d|1[0-2])-([0-2]\d|3[01]) (?!\d\d:\d\d)", re.ASCII)  # not a moment: "2024-05-01 10:00"
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)", re.ASCII)
# What a paper is made of and some types call by a name of their own, such as caseName or proceedingsTitle
_BASES = ("title", "date", "publicationTitle")
_LONGEST = 100_000  # characters of a field; what is longer is no abstract

Data = dict[int, dict[str, Any]]  # what the service calls "data", by the number that an item has in this database


def read_items(
    connection: sqlite3.Connection, library: int, paths: Mapping[str, str], wanted: Container[str] | None = None
) -> list[dict[str, Any]]:
    """The items of a library that are neither in the trash nor notes, attachments or annotations, in the order of keys.

    Parameters
    ----------
    library
        Its number in this database.
    paths
        Of the library's collections, by key; items are filed in no other.
    wanted
        Names of the fields to read; half of a library's values are volumes, pages and their like. None stands for all.
    """
    data = _bare_items(connection, library)
    parsed = _fill_fields(connection, data, wanted)
    _fill_creators(connection, data)
    _fill_tags(connection, data)
    _fill_collections(connection, data, paths)
    items = []
    for number, of_item in data.items():
        meta = {"parsedDate": parsed[number]} if number in parsed else {}
        items.append({"key": of_item["key"], "version": of_item["version"], "meta": meta, "data": of_item})
    return sorted(items, key=lambda item: str(item["key"]))


def collection_paths(connection: sqlite3.Connection, library: int) -> dict[str, str]:
    """Path of each collection, "PhD/Chapter 2", by key; without trashed ones and what lies in them."""
    known: dict[int, tuple[str, str, int | None]] = {
        number: (key, name or "", around)
        for number, key, name, around in connection.execute(
            """
            SELECT collectionID, CAST(key AS TEXT), CAST(collectionName AS TEXT), parentCollectionID
            FROM collections WHERE libraryID = ? AND key IS NOT NULL
            """,
            (library,),
        )
    }
    trashed = {number for (number,) in connection.execute("SELECT collectionID FROM deletedCollections")}
    paths: dict[str, str] = {}
    for number, (key, _, _) in known.items():
        names: list[str] = []
        line: set[int] = set()
        inner: int | None = number
        while inner in known and inner not in trashed and inner not in line:
            line.add(inner)
            _, name, around = known[inner]
            names.append(name)
            inner = around
        if inner not in trashed and inner not in line:  # else in the trash, or round in a circle
            paths[key] = "/".join(reversed(names))
    return paths


def _bare_items(connection: sqlite3.Connection, library: int) -> Data:
    connection.execute("CREATE TEMP TABLE wanted (itemID INTEGER PRIMARY KEY, itemTypeID INTEGER)")
    # The numbers of types differ between databases: all is joined by name
    connection.execute(
        """
        INSERT INTO temp.wanted
        SELECT itemID, itemTypeID FROM main.items
        WHERE libraryID = ? AND key IS NOT NULL
            AND itemTypeID IN (SELECT itemTypeID FROM itemTypesCombined WHERE typeName NOT IN ('annotation', 'attachment', 'note'))
            AND itemID NOT IN (SELECT itemID FROM deletedItems)
        """,
        (library,),
    )
    types = dict(connection.execute("SELECT itemTypeID, CAST(typeName AS TEXT) FROM itemTypesCombined"))
    rows = connection.execute(
        """
        SELECT itemID, itemTypeID, CAST(key AS TEXT), CAST(version AS INTEGER), CAST(dateAdded AS TEXT), CAST(dateModified AS TEXT)
        FROM temp.wanted JOIN main.items USING (itemID, itemTypeID)
        """
    )
    return {
        number: {
            "key": key,
            "version": version or 0,
            "itemType": types[kind],
            "dateAdded": _moment(added or ""),
            "dateModified": _moment(modified or ""),
            "creators": [],
            "tags": [],
            "collections": [],
        }
        for number, kind, key, version, added, modified in rows
    }


def _fill_fields(connection: sqlite3.Connection, data: Data, wanted: Container[str] | None) -> dict[int, str]:
    """Put the fields into the items; the dates that Zotero has read out of their texts, by item."""
    fields: dict[int, str] = dict(
        connection.execute("SELECT fieldID, CAST(fieldName AS TEXT) FROM fieldsCombined WHERE fieldName IS NOT NULL")
    )
    bases = _bases(connection, fields)
    dated = {number for number, name in fields.items() if "date" in name.lower()}
    parsed: dict[int, str] = {}
    if wanted is not None:  # under its own name or the one that other types call it by
        told = {number for (_, number), base in bases.items() if base in wanted}
        fields = {number: name for number, name in fields.items() if name in wanted or number in told}
    connection.execute("CREATE TEMP TABLE told (fieldID)")
    connection.executemany("INSERT INTO temp.told VALUES (?)", [(number,) for number in fields])
    rows = connection.execute(
        """
        SELECT itemID, itemTypeID, fieldID, CAST(substr(value, 1, ?) AS TEXT)
        FROM temp.wanted JOIN main.itemData USING (itemID) JOIN main.itemDataValues USING (valueID)
        WHERE value IS NOT NULL AND +fieldID IN (SELECT fieldID FROM temp.told)
        """,
        (_LONGEST,),
    )
    for item, kind, field, value in rows:
        if not (name := fields.get(field)):
            continue
        base = bases.get((kind, field), name)
        if field in dated:
            text, day = _date(value)
            if base == "date" and day:
                parsed[item] = day
            value = text
        of_item = data[item]
        of_item[name] = value
        if base != name:
            of_item[base] = value
    return parsed


def _bases(connection: sqlite3.Connection, fields: Mapping[int, str]) -> dict[tuple[int, int], str]:
    mappings = connection.execute("SELECT itemTypeID, fieldID, baseFieldID FROM baseFieldMappingsCombined")
    return {(kind, field): fields[base] for kind, field, base in mappings if fields.get(base) in _BASES}


def _fill_creators(connection: sqlite3.Connection, data: Data) -> None:
    """Put the creators into the items; items that share one share what it is read as."""
    roles = dict(connection.execute("SELECT creatorTypeID, CAST(creatorType AS TEXT) FROM creatorTypes"))
    names = {
        # A mode of 1: one name that is not to be parted
        number: {"name": last or ""} if mode == 1 else {"firstName": first or "", "lastName": last or ""}
        for number, first, last, mode in connection.execute(
            "SELECT creatorID, CAST(firstName AS TEXT), CAST(lastName AS TEXT), fieldMode FROM creators"
        )
    }
    creators: dict[tuple[int, int], dict[str, str]] = {}
    rows = connection.execute(
        """
        SELECT itemID, creatorID, creatorTypeID FROM temp.wanted JOIN main.itemCreators USING (itemID)
        ORDER BY itemID, orderIndex
        """
    )
    for item, number, role in rows:
        creator = creators.get((number, role))
        if not creator:
            if number not in names:
                continue
            creator = creators[number, role] = {"creatorType": roles.get(role) or "author"} | names[number]
        data[item]["creators"].append(creator)


def _fill_tags(connection: sqlite3.Connection, data: Data) -> None:
    rows = connection.execute(
        """
        SELECT itemID, CAST(name AS TEXT), itemTags.type FROM temp.wanted JOIN main.itemTags USING (itemID) JOIN main.tags USING (tagID)
        WHERE name IS NOT NULL ORDER BY itemID, name
        """
    )
    for item, name, kind in rows:
        data[item]["tags"].append({"tag": name, "type": 1} if kind == 1 else {"tag": name})


def _fill_collections(connection: sqlite3.Connection, data: Data, paths: Mapping[str, str]) -> None:
    keys: defaultdict[int, list[str]] = defaultdict(list)
    rows = connection.execute(
        """
        SELECT itemID, CAST(key AS TEXT)
        FROM temp.wanted JOIN main.collectionItems USING (itemID) JOIN main.collections USING (collectionID)
        ORDER BY itemID, key
        """
    )
    for item, key in rows:
        if key in paths:
            keys[item].append(key)
    for item, of_item in keys.items():
        data[item]["collections"] = of_item


def _date(value: str) -> tuple[str, str]:
    """A date's text as its owner wrote it, and what Zotero has read out of it: "2024-05-00 May 2024" -> ("May 2024", "2024-05")."""
    if not (parts := _MULTIPART.match(value)):
        return _moment(value), ""
    year, month, day = parts.groups()
    known = [year] if year != "0000" else []
    if known and month != "00":
        known += [month] if day == "00" else [month, day]
    day_known = "-".join(known)
    return value[parts.end() :] or day_known, day_known


def _moment(value: str) -> str:
    """ "2024-05-01 10:00:00" as the web service writes it."""
    return f"{parts[1]}T{parts[2]}Z" if (parts := _MOMENT.fullmatch(value)) else value
