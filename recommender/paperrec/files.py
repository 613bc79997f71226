"""The one place where files are read in bounds and replaced whole: the old bytes or the new ones, at any moment."""

import contextlib
import errno
import fcntl
import os
import secrets
import stat
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from paperrec.errors import BusyError, DiskError, NoInputError, SettingsError, WriteError

_TEMPORARY = ".paperrec-"  # our unfinished files begin with this, and end in ".tmp"
_DISK_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG})
_LOCKED = frozenset({errno.EAGAIN, errno.EACCES})
_NO_FOLDER_SYNC = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EPERM})  # a file system without it, a folder we may not open


class ChangedError(WriteError):
    """The file is not what the new content was made from: somebody else wrote it meanwhile."""


def expanded(name: str) -> Path:
    """The path that a user typed, with `~` and `~user` resolved.

    Raises
    ------
    SettingsError
        It is empty, or there is no such user.
    """
    if not name.strip():
        raise SettingsError("a file is named by an empty text; give its name")
    try:
        return Path(name).expanduser()
    except RuntimeError as error:
        raise SettingsError(f"{name}: there is no such user, or no home for it") from error


def input_path(typed: str) -> tuple[Path, bool]:
    """The path from which a user wants something read, with `~` resolved, and whether it is a folder.

    Raises
    ------
    NoInputError
        The name is too long, there is no right to look, or no such user.
    """
    try:
        path = Path(typed).expanduser()
        return path, path.is_dir()
    except (OSError, RuntimeError) as error:
        raise NoInputError(f"{typed}: cannot be read: {getattr(error, 'strerror', error)}") from error


def standard_input(limit: int) -> bytes:
    """All of standard input, at most `limit` bytes.

    Raises
    ------
    NoInputError
        It is closed, fails, or has more.
    """
    try:
        data: bytes = sys.stdin.buffer.read(limit + 1)
    except (AttributeError, OSError, ValueError) as error:  # None when it is closed
        raise NoInputError(f"stdin: cannot be read: {getattr(error, 'strerror', 'it is closed')}") from error
    if len(data) > limit:
        raise NoInputError(f"stdin: has more than {limit / 1e6:.0f} MB; no more are read")
    return data


def read_regular(path: Path, limit: int) -> bytes:
    """The bytes of a regular file of at most `limit` bytes; links are followed, devices, pipes and folders refused.

    Raises
    ------
    NoInputError
        With the file and the reason in one line.
    """
    try:
        # Not blocking: opening a pipe without a writer would wait for ever
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        raise NoInputError(f"{path}: cannot be read: {getattr(error, 'strerror', error)}") from error
    kind = os.fstat(handle)
    if not stat.S_ISREG(kind.st_mode):
        os.close(handle)
        raise NoInputError(f"{path}: is {'a folder' if stat.S_ISDIR(kind.st_mode) else 'no regular file'}")
    with os.fdopen(handle, "rb") as file:
        if kind.st_size > limit:
            raise NoInputError(f"{path}: has {kind.st_size / 1e6:,.0f} MB; at most {limit / 1e6:,.0f} MB are read")
        try:
            data = file.read(limit + 1)
        except OSError as error:
            raise NoInputError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > limit:  # it grew, or it is one of those that claim to be empty
        raise NoInputError(f"{path}: has more than {limit / 1e6:,.0f} MB; no more are read")
    return data


def replace_file(path: Path, data: bytes, *, expected: bytes | None = None) -> None:
    """Give a file new content, whole or not at all: a neighbour is written and synced, then takes the name, then the folder is synced.

    A link stays a link; mode stays, and owner where the system lets it; a new file gets the mode that the umask gives. A file with a second
    name (hard link) is refused, because the other name would keep the old content.

    Parameters
    ----------
    path
        The file; its folder must exist.
    data
        The whole new content.
    expected
        What the file must still hold; None replaces whatever is there, b"" also stands for no file.

    Raises
    ------
    ChangedError
        The file does not hold `expected` any more.
    DiskError, WriteError
        The disk is full or failing, or the folder cannot be written; the old content stands. Only if the disk fails after the new
        content took the name, that one stands; the error says so.
    """
    target = _target(path)
    try:
        before = _status(target)
        _replace(target, data, before, expected)
    except OSError as error:
        kind = DiskError if error.errno in _DISK_ERRORS else WriteError
        reason = "its folder does not exist" if error.errno == errno.ENOENT else error.strerror
        raise kind(f"{path}: cannot be written: {reason}; nothing was changed") from error


def _target(path: Path) -> Path:
    try:
        return Path(os.path.realpath(path))
    except ValueError as error:  # a zero byte, half a letter
        raise WriteError(f"{str(path)!r}: no file can have this name") from error


def _status(target: Path) -> os.stat_result | None:
    try:
        before = target.stat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(before.st_mode):
        raise WriteError(f"{target}: is a folder, not a file")
    if not stat.S_ISREG(before.st_mode):
        raise WriteError(f"{target}: is no regular file")
    if before.st_nlink > 1:
        raise WriteError(f"{target}: has {before.st_nlink} names (hard links), and replacing it would part them; name a file of its own")
    return before


def _replace(target: Path, data: bytes, before: os.stat_result | None, expected: bytes | None) -> None:
    clean_up(target.parent)
    handle, name = _temporary(target.parent, 0o600 if before else 0o666)
    try:
        _write_all(handle, data)
        if before:
            _take_over(handle, before)
        os.fsync(handle)
        if expected is not None:
            _check(target, expected)
        name.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            name.unlink()
        raise
    finally:
        _close(handle)
    try:
        _sync_folder(target.parent)
    except OSError as error:
        if error.errno not in _NO_FOLDER_SYNC:
            raise DiskError(f"{target}: was written, but the disk did not confirm it: {error.strerror}") from error


def _temporary(folder: Path, mode: int) -> tuple[int, Path]:
    """A new file that is locked, so that the clean-up of another run lets it be."""
    while True:
        name = folder / f"{_TEMPORARY}{secrets.token_hex(8)}.tmp"
        handle = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        try:
            with contextlib.suppress(OSError):  # a file system without locks has no clean-up either
                fcntl.flock(handle, fcntl.LOCK_EX)
            kept = os.fstat(handle).st_nlink > 0  # not cleaned away in the moment before it was locked
        except BaseException:
            name.unlink(missing_ok=True)
            _close(handle)
            raise
        if kept:
            return handle, name
        _close(handle)


def _close(handle: int) -> None:
    with contextlib.suppress(OSError):  # what was to be kept is synced before; nothing can be lost here
        os.close(handle)


def _take_over(handle: int, before: os.stat_result) -> None:
    """Give the new file the mode and owner of the old one, as far as the system lets us."""
    with contextlib.suppress(OSError):
        if (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
            os.fchown(handle, before.st_uid, before.st_gid)
    with contextlib.suppress(PermissionError):  # vfat and its kin have no modes
        os.fchmod(handle, stat.S_IMODE(before.st_mode))


def _check(target: Path, expected: bytes) -> None:
    try:
        with target.open("rb") as file:
            opened = os.fstat(file.fileno())
            same = file.read() == expected
        now = target.stat()  # the comparison takes time, in which it may have been rewritten
        same &= (opened.st_ino, opened.st_size, opened.st_mtime_ns) == (now.st_ino, now.st_size, now.st_mtime_ns)
    except FileNotFoundError:
        same = expected == b""
    if not same:
        raise ChangedError(f"{target}: was changed by another program at this moment; run again")


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def clean_up(folder: Path) -> None:
    """Remove the unfinished files that killed runs left in a folder; those of living runs are locked and stay."""
    for left in folder.glob(f"{_TEMPORARY}*.tmp"):
        with contextlib.suppress(OSError):
            handle = os.open(left, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                left.unlink()
            finally:
                os.close(handle)


@contextlib.contextmanager
def exclusive(path: Path, *, patience: float = 30.0) -> Iterator[None]:
    """Keep other runs from working on the same file, or on another of its folder; wait for them at most `patience` seconds.

    The lock is on the folder itself: nothing is left there, and the kernel frees it however a run ends. Where a file system has no locks,
    `replace_file` with `expected` still keeps two runs from undoing each other.

    Raises
    ------
    BusyError
        Another run held the lock all that time.
    """
    try:
        handle = os.open(_target(path).parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        yield  # what is wrong with the folder is told by the write
        return
    try:
        _lock(handle, path, time.monotonic() + patience)
        yield
    finally:
        _close(handle)


def _lock(handle: int, path: Path, until: float) -> None:
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno not in _LOCKED:
                return
            if time.monotonic() > until:
                raise BusyError(f"{path}: another run is writing in its folder; nothing was written") from error
            time.sleep(0.02)
        else:
            return
