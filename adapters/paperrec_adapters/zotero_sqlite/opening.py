"""A copy of a database, opened and looked over: is it whole, is it Zotero's, has it all that is read of it."""

import contextlib
import sqlite3
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from paperrec.errors import DiskError, NoInputError
from paperrec.text import printable
from paperrec_adapters.zotero_sqlite.copying import copied

_OLDEST_SCHEMA = 120  # of the user's data, as Zotero counts; 123 is Zotero 7
_NEWEST_KNOWN = 129  # Zotero 10
_DISK_FAULTS = frozenset({"SQLITE_FULL", "SQLITE_IOERR"})
# All that is ever asked for; a table may have more
_READ = {
    "libraries": ("libraryID", "type"),
    "groups": ("groupID", "libraryID", "name"),
    "items": ("itemID", "itemTypeID", "libraryID", "key", "version", "dateAdded", "dateModified"),
    "deletedItems": ("itemID",),
    "itemTypesCombined": ("itemTypeID", "typeName"),
    "fieldsCombined": ("fieldID", "fieldName"),
    "baseFieldMappingsCombined": ("itemTypeID", "baseFieldID", "fieldID"),
    "itemData": ("itemID", "fieldID", "valueID"),
    "itemDataValues": ("valueID", "value"),
    "itemCreators": ("itemID", "creatorID", "creatorTypeID", "orderIndex"),
    "creators": ("creatorID", "firstName", "lastName", "fieldMode"),
    "creatorTypes": ("creatorTypeID", "creatorType"),
    "itemTags": ("itemID", "tagID", "type"),
    "tags": ("tagID", "name"),
    "collections": ("collectionID", "collectionName", "parentCollectionID", "libraryID", "key"),
    "collectionItems": ("collectionID", "itemID"),
    "deletedCollections": ("collectionID",),
}


@contextlib.contextmanager
def opened(database: Path) -> Iterator[sqlite3.Connection]:
    """A connection to a copy of a database; both are gone when the block ends.

    Raises
    ------
    NoInputError
        It cannot be read, is damaged, or is not a database of Zotero that can be understood.
    DiskError, WriteError
        There is no room for the copy.
    """
    with copied(database) as copy:
        try:
            # Opened to write: what is in the log is taken in, which a connection that may only read cannot do everywhere
            with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as connection:
                _set_up(connection)
                _check_whole(connection, database)
                _check_schema(connection, database)
                yield connection
        except sqlite3.Error as error:
            if any(getattr(error, "sqlite_errorname", "").startswith(fault) for fault in _DISK_FAULTS):
                why = f"the copy of {printable(str(database))} cannot be opened: {error}; name a larger folder in TMPDIR"
                raise DiskError(f"{copy.parent.parent}: {why}") from error
            raise _damaged(database, str(error)) from error


def _set_up(connection: sqlite3.Connection) -> None:
    connection.text_factory = partial(str, encoding="utf-8", errors="replace")
    for pragma in (
        "locking_mode = EXCLUSIVE",  # nobody else has the copy
        "synchronous = OFF",  # nobody needs it after a power failure
        "temp_store = MEMORY",
        "trusted_schema = OFF",  # it may come from anywhere
        "ignore_check_constraints = ON",  # a rule that its owner broke does not make it unreadable
    ):
        connection.execute(f"PRAGMA {pragma}").fetchall()


def _check_whole(connection: sqlite3.Connection, database: Path) -> None:
    for (found,) in connection.execute("PRAGMA quick_check(100)"):
        if found != "ok" and " value in " not in found:  # the latter: a type or a NULL that the schema does not foresee
            raise _damaged(database, found.splitlines()[-1])


def _damaged(database: Path, why: str) -> NoInputError:
    """The error for a database that SQLite cannot read; an older copy is only named, because its papers may be out of date."""
    backup = database.with_name(f"{database.name}.bak")
    hint = "if Zotero still opens it, close Zotero and run again"
    if backup.is_file():
        hint = f"an older copy of Zotero's is beside it: zotero-sqlite:{printable(str(backup))}"
    return NoInputError(f"{printable(str(database))}: is damaged ({printable(why)}); {hint}")


def _check_schema(connection: sqlite3.Connection, database: Path) -> None:
    name = printable(str(database))
    # Tables only: a view could make a query of ours run anything
    tables = {table for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"version", "items"} <= tables:
        raise NoInputError(f"{name}: is a database, but not Zotero's: it has no table {'items' if 'version' in tables else 'version'}")
    if not {"schema", "version"} <= _columns(connection, "version"):
        raise NoInputError(f"{name}: is a database, but not Zotero's: its table version is another")
    row = connection.execute("SELECT version FROM version WHERE schema = 'userdata'").fetchone()
    schema = row[0] if row else None
    if not isinstance(schema, int) or schema < _OLDEST_SCHEMA:
        raise NoInputError(f"{name}: was made by an old Zotero (schema {schema}); open it once with Zotero 7 or later")
    for table, wanted in _READ.items():
        missing = [f"{table}.{column}" for column in wanted if column not in _columns(connection, table)] if table in tables else [table]
        if missing:
            what = "was made by a newer Zotero" if schema > _NEWEST_KNOWN else "is incomplete"
            hint = "this version of paperrec cannot read it; use zotero:web or zotero:local"
            raise NoInputError(f"{name}: {what} (schema {schema} without {missing[0]}); {hint}")


def _columns(connection: sqlite3.Connection, table: str) -> set[str]:
    return {column for (column,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))}
