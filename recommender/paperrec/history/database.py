"""The file of the history: its tables, its lock, and what is done with one that cannot be used."""

import contextlib
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from paperrec.errors import BusyError, DiskError, PaperrecError, WriteError

_LOCK = "run.lock"
_VERSION = 2  # of the tables; raise it with a step in `_migrate`
_TABLES = """
CREATE TABLE runs (name TEXT PRIMARY KEY, started TEXT NOT NULL, what TEXT NOT NULL);
CREATE TABLE marks (id INTEGER PRIMARY KEY, run TEXT NOT NULL, place TEXT NOT NULL, fingerprint TEXT NOT NULL, key TEXT NOT NULL,
    did TEXT NOT NULL, detail TEXT NOT NULL);
CREATE INDEX marks_of_place ON marks (place, fingerprint, id);
CREATE TABLE facts (place TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY (place, name));
CREATE TABLE offered (place TEXT NOT NULL, fingerprint TEXT NOT NULL, paper BLOB NOT NULL, run TEXT NOT NULL,
    PRIMARY KEY (place, fingerprint));
CREATE TABLE feedback (fingerprint TEXT PRIMARY KEY, relevant INTEGER NOT NULL, at TEXT NOT NULL, paper BLOB);
"""
# What was offered when it was not put down where counts everywhere
_FROM_1 = """
ALTER TABLE offered RENAME TO offered_1;
CREATE TABLE offered (place TEXT NOT NULL, fingerprint TEXT NOT NULL, paper BLOB NOT NULL, run TEXT NOT NULL,
    PRIMARY KEY (place, fingerprint));
INSERT INTO offered SELECT '', fingerprint, paper, run FROM offered_1;
DROP TABLE offered_1;
"""
_PATIENCE = 10.0  # seconds for another program that looks into the file
_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
_FULL = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR})
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})


@contextlib.contextmanager
def only_run(folder: Path) -> Iterator[None]:
    """Keep a second run from starting while this one goes on; the kernel frees the lock however a run ends.

    Raises
    ------
    BusyError
        Another run is going on; said at once.
    """
    make_folder(folder)
    try:
        handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise WriteError(f"{folder / _LOCK}: cannot be written: {error.strerror}") from error
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise BusyError("another paperrec is writing at this moment; nothing was touched, run again later") from error
        except OSError:
            pass  # a file system without locks
        yield
    finally:
        os.close(handle)


def make_folder(folder: Path) -> None:
    """Make the folder of the history if need be, for its owner's eyes only."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(f"{folder}: cannot be made: {error.strerror}; name another folder with PAPERREC_STATE_DIR") from error


def connect(path: Path, now: datetime) -> tuple[sqlite3.Connection, str]:
    """The database with its tables, and what to tell of it; one that makes no sense gets another name first."""
    new = not path.exists()
    if new:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    db = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
    try:
        version = _migrate(db)
        if version == _VERSION:
            return db, ""
        why = f"is of a newer paperrec (version {version})" if version > _VERSION else "is not a history of paperrec"
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:  # the latter: even SQLite's word on the damage is damaged
        if isinstance(error, sqlite3.DatabaseError) and _code(error) not in _DAMAGE:
            db.close()
            raise
        why = "is damaged"
    db.close()
    aside = path.with_name(f"{path.name}.damaged-{now.astimezone(UTC).strftime('%Y%m%dT%H%M%SZ')}")
    for ending in ("", "-journal", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            Path(f"{path}{ending}").rename(f"{aside}{ending}")
    db, _ = connect(path, now)
    return db, f"{path}: {why}; it is kept as {aside.name}, and what can be told from the places is told anew"


def _migrate(db: sqlite3.Connection) -> int:
    """Bring the tables up to this version; the version found if they are of another kind."""
    db.execute("PRAGMA synchronous = FULL")
    if db.execute("PRAGMA quick_check").fetchone()[0] != "ok":
        raise _damaged()
    version = int(db.execute("PRAGMA user_version").fetchone()[0])
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if version == 0 and not tables:
        db.executescript(f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {_VERSION}; COMMIT;")
        return _VERSION
    if version > _VERSION:
        return version
    if not {"runs", "marks", "facts", "offered", "feedback"} <= tables:
        return 0
    if version == 1:
        db.executescript(f"BEGIN IMMEDIATE; {_FROM_1} PRAGMA user_version = {_VERSION}; COMMIT;")
        return _VERSION
    return version


def _damaged() -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError("damaged")
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF  # the kind, without its details


@contextlib.contextmanager
def told(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into ours."""
    try:
        yield
    except (sqlite3.Error, OSError, ValueError, msgspec.MsgspecError) as error:
        raise _error(path, error) from error


def _error(path: Path, error: Exception) -> PaperrecError:
    code = _code(error) if isinstance(error, sqlite3.Error) else 0
    if code in _BUSY:
        return BusyError(f"{path}: is in use by another program; run again later")
    if code in _FULL:
        return DiskError(f"{path}: cannot be written: the disk is full or failing")
    return WriteError(f"{path}: cannot be used: {getattr(error, 'strerror', None) or error}; move it away to begin anew")
