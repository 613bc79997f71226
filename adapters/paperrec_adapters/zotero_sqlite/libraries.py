"""The libraries in one database: the user's own and those of groups; feeds are none."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from paperrec.errors import NoInputError
from paperrec.text import printable
from paperrec_adapters.zotero_sqlite.locating import Place


@dataclass(frozen=True, slots=True)
class Library:
    """One library of a database."""

    number: int  # in this database
    link: str  # where Zotero opens an item of it, but for the item's key


def chosen_library(connection: sqlite3.Connection, place: Place, name: str) -> Library:
    """The library that a place names.

    Raises
    ------
    NoInputError
        It is not in this database.
    """
    if place.kind == "groups":
        return _group(connection, place.number, name)
    if place.number and (account := _account(connection)) != place.number:
        whose = f"of users/{account}" if account else "of a user without an account: it was never synced"
        raise NoInputError(f"{name}: is {whose}, not of users/{place.number}")
    row = connection.execute("SELECT libraryID FROM libraries WHERE type = 'user' ORDER BY libraryID").fetchone()
    if row is None:
        raise NoInputError(f"{name}: holds no library of a user{_offer(_groups(connection))}")
    return Library(row[0], "zotero://select/library/items/")


def _group(connection: sqlite3.Connection, number: int, name: str) -> Library:
    groups = _groups(connection)
    for group, library, _ in groups:
        if group == number:
            return Library(library, f"zotero://select/groups/{number}/items/")
    raise NoInputError(f"{name}: holds no library groups/{number}{_offer(groups) or '; there are no groups'}")


def _groups(connection: sqlite3.Connection) -> Sequence[tuple[int, int, str]]:
    return connection.execute(
        """
        SELECT groupID, groups.libraryID, CAST(name AS TEXT) FROM groups JOIN libraries USING (libraryID)
        WHERE libraries.type = 'group' ORDER BY groupID
        """
    ).fetchall()


def _offer(groups: Sequence[tuple[int, int, str]]) -> str:
    names = ", ".join(f"groups/{number} ({printable(title or '')})" for number, _, title in groups[:20])
    return f"; there are: {names}" if names else ""


def _account(connection: sqlite3.Connection) -> int | None:
    """The user's number on the web; None as long as nothing was synced."""
    columns = {column for (column,) in connection.execute("SELECT name FROM pragma_table_info('settings')")}
    if not {"setting", "key", "value"} <= columns:
        return None
    row = connection.execute("SELECT CAST(value AS INTEGER) FROM settings WHERE setting = 'account' AND key = 'userID'").fetchone()
    return row[0] or None if row else None
