"""A private copy of a database at one moment, taken without a lock while its owner may be writing, and removed whatever happens."""

import contextlib
import errno
import fcntl
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from paperrec.errors import DiskError, NoInputError, WriteError
from paperrec.text import printable

LARGEST = 8_000_000_000  # bytes of a database and its log
_COMPANIONS = ("-wal", "-journal")  # never -shm: it is an index of the former, in the memory of the process that has it open
_MAGIC = b"SQLite format 3\0"
_PAUSES = (0.2, 0.6)  # seconds between the tries: most transactions are shorter
_TICK = 0.02  # seconds; two writes within a tick of the file system's clock, of 1 to 10 ms, have one time
_SETTLING = 0.05  # seconds
_CHUNK = 4_000_000  # bytes
_SPARE = 16_000_000  # bytes that are left for others
_FOLDERS = "paperrec-zotero-"
_DISK_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG, errno.EROFS})

_State = tuple[tuple[int, int, int] | None, ...]  # inode, size and time of the database and its companions


class _ChangedError(Exception):
    """A file was written, or came or went, while it was copied."""


@contextlib.contextmanager
def copied(database: Path) -> Iterator[Path]:
    """A copy of a database with what is in its log, in a folder that only its owner may enter.

    Raises
    ------
    NoInputError
        It cannot be read, is no database, is too large, or was written at every try.
    DiskError, WriteError
        There is no room for the copy.
    """
    with _private_folder() as folder:
        copy = folder / "zotero.sqlite"
        for pause in (*_PAUSES, None):
            try:
                _check_kind(database)
                _copy_all(database, copy)
                break
            except _ChangedError as error:
                if pause is None:
                    why = f"was being written at each of {len(_PAUSES) + 1} tries to read it; wait until Zotero is done, or close it"
                    raise NoInputError(f"{printable(str(database))}: {why}") from error
                time.sleep(pause)
        yield copy


def _check_kind(database: Path) -> None:
    with _opened(database) as handle:
        start = _read(handle, database, len(_MAGIC))
    if start != _MAGIC:
        raise NoInputError(f"{printable(str(database))}: {'is no database of Zotero' if start else 'is empty'}; zotero.sqlite is wanted")


def _copy_all(database: Path, copy: Path) -> None:
    before = _state(database)
    if _is_fresh(before):
        time.sleep(_SETTLING)
        before = _state(database)
        if _is_fresh(before):
            raise _ChangedError
    _check_room(database, before, copy.parent)
    for suffix, known in zip(("", *_COMPANIONS), before, strict=True):
        target = Path(f"{copy}{suffix}")
        target.unlink(missing_ok=True)
        if known:
            _copy(Path(f"{database}{suffix}"), target, known[1])
    if _state(database) != before:
        raise _ChangedError


def _state(database: Path) -> _State:
    found: list[tuple[int, int, int] | None] = []
    for suffix in ("", *_COMPANIONS):
        try:
            status = Path(f"{database}{suffix}").stat()
        except FileNotFoundError:
            found.append(None)
        except OSError as error:
            raise _unreadable(database, error) from error
        else:
            found.append((status.st_ino, status.st_size, status.st_mtime_ns))
    if found[0] is None:  # another one is put in its place at this moment
        raise _ChangedError
    return tuple(found)


def _is_fresh(state: _State) -> bool:
    """Whether a file was written so lately that a write after it need not show in its time."""
    newest = max(known[2] for known in state if known)
    return 0 <= time.time_ns() - newest < _TICK * 1e9  # in the future: the clock of another machine, which says nothing


def _check_room(database: Path, state: _State, folder: Path) -> None:
    sizes = [known[1] if known else 0 for known in state]
    if sum(sizes) > LARGEST:
        raise NoInputError(f"{printable(str(database))}: has {sum(sizes) / 1e9:,.1f} GB; at most {LARGEST / 1e9:,.0f} GB are read")
    needed = sum(sizes) + sum(sizes[1:]) + _SPARE  # what is in the log comes into the copy when it is opened
    if (free := shutil.disk_usage(folder).free) < needed:
        raise DiskError(
            f"{folder.parent}: has room for {free / 1e6:,.0f} MB, but a copy of {printable(str(database))} takes {needed / 1e6:,.0f} MB; "
            "name a larger folder in TMPDIR"
        )


def _copy(source: Path, target: Path, size: int) -> None:
    with _opened(source) as handle, contextlib.ExitStack() as stack:
        try:
            file = stack.enter_context(target.open("xb", buffering=0))
            while chunk := _read(handle, source, min(_CHUNK, size + 1)):
                size -= len(chunk)
                if size < 0:  # it grows while it is copied: do not run after it
                    raise _ChangedError
                view = memoryview(chunk)
                while view:
                    view = view[file.write(view) :]
        except OSError as error:
            raise _no_room(target.parent.parent, error) from error


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[int]:
    try:
        # Not blocking: opening a pipe without a writer would wait for ever
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except FileNotFoundError as error:
        raise _ChangedError from error
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from error
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            raise NoInputError(f"{printable(str(path))}: is {'a folder' if stat.S_ISDIR(mode) else 'no regular file'}")
        yield handle
    finally:
        os.close(handle)


def _read(handle: int, path: Path, size: int) -> bytes:
    try:
        return os.read(handle, size)
    except OSError as error:
        raise _unreadable(path, error) from error


def _unreadable(path: Path, error: Exception) -> NoInputError:
    return NoInputError(f"{printable(str(path))}: cannot be read: {getattr(error, 'strerror', error)}")


def _no_room(folder: Path, error: OSError) -> WriteError:
    kind = DiskError if error.errno in _DISK_ERRORS else WriteError
    return kind(f"{folder}: the copy of Zotero's database cannot be written: {error.strerror}; name another folder in TMPDIR")


@contextlib.contextmanager
def _private_folder() -> Iterator[Path]:
    try:
        root = Path(tempfile.gettempdir())
        _clean_up(root)
        folder, lock = _locked_folder(root)
    except OSError as error:
        raise _no_room(Path(os.environ.get("TMPDIR", "the temporary folder")), error) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _locked_folder(root: Path) -> tuple[Path, int]:
    """A new folder that is locked, so that the clean-up of another run lets it be."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=_FOLDERS, dir=root))  # its mode is 0700
        try:
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            continue  # cleaned away in the moment before it was locked
        with contextlib.suppress(OSError):  # a file system without locks has no clean-up either
            fcntl.flock(lock, fcntl.LOCK_EX)
        if folder.exists():
            return folder, lock
        os.close(lock)


def _clean_up(root: Path) -> None:
    """Remove the copies that killed runs of this user left; those of living runs are locked and stay."""
    for left in root.glob(f"{_FOLDERS}*"):
        with contextlib.suppress(OSError):
            lock = os.open(left, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                if os.fstat(lock).st_uid == os.geteuid():
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(left, ignore_errors=True)
            finally:
                os.close(lock)
