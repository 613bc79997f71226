"""The one place where files are read in bounds and replaced whole: the old bytes or the new ones, at any moment."""

import contextlib
import errno
import fcntl
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from paperrec.errors import DiskError, NoInputError, WriteError

_TEMPORARY = ".paperrec-"  # our unfinished files begin with this, and end in ".tmp"
_DISK_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG})


class ChangedError(WriteError):
    """The file is not what the new content was made from: somebody else wrote it meanwhile."""


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
    with os.fdopen(handle, "rb") as file:
        kind = os.fstat(handle)
        if not stat.S_ISREG(kind.st_mode):
            raise NoInputError(f"{path}: is {'a folder' if stat.S_ISDIR(kind.st_mode) else 'no regular file'}")
        if kind.st_size > limit:
            raise NoInputError(f"{path}: has {kind.st_size / 1e6:,.0f} MB; at most {limit / 1e6:,.0f} MB are read")
        try:
            return file.read(limit)
        except OSError as error:
            raise NoInputError(f"{path}: cannot be read: {error.strerror}") from error


def replace_file(path: Path, data: bytes, *, expected: bytes | None = None) -> None:
    """Give a file new content, whole or not at all: a neighbour is written and synced, then takes the name, then the folder is synced.

    A link stays a link, mode and owner stay, a new file gets the mode that the umask gives.

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
        The disk is full or failing, or the folder cannot be written; the old content stands.
    """
    target = Path(os.path.realpath(path))
    try:
        before = _status(target)
        _replace(target, data, before, expected)
    except OSError as error:
        kind = DiskError if error.errno in _DISK_ERRORS else WriteError
        reason = "its folder does not exist" if error.errno == errno.ENOENT else error.strerror
        raise kind(f"{path}: cannot be written: {reason}; nothing was changed") from error


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
    handle, name = _temporary(target.parent)
    try:
        _write_all(handle, data)
        if before:
            os.fchmod(handle, stat.S_IMODE(before.st_mode))
            if (before.st_uid, before.st_gid) != (os.geteuid(), os.getegid()):
                with contextlib.suppress(PermissionError):
                    os.fchown(handle, before.st_uid, before.st_gid)
        else:
            os.fchmod(handle, 0o666 & ~_umask())
        os.fsync(handle)
        if expected is not None:
            _check(target, expected)
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    finally:
        os.close(handle)
    _sync_folder(target.parent)


def _temporary(folder: Path) -> tuple[int, str]:
    """A new file that is locked, so that the clean-up of another run lets it be."""
    while True:
        handle, name = tempfile.mkstemp(prefix=_TEMPORARY, suffix=".tmp", dir=folder)
        fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:  # not cleaned away in the moment before it was locked
            return handle, name
        os.close(handle)


def _check(target: Path, expected: bytes) -> None:
    try:
        found = target.read_bytes()
    except FileNotFoundError:
        found = b""
    if found != expected:
        raise ChangedError(f"{target}: was changed by another program at this moment; run again")


def _write_all(handle: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(handle, view) :]


def _umask() -> int:
    mask = os.umask(0o077)  # there is no call that only looks
    os.umask(mask)
    return mask


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
            handle = os.open(left, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                left.unlink()
            finally:
                os.close(handle)


@contextlib.contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Keep other runs from working on the same file.

    The lock lies outside the user's folder, and the kernel frees it however a run ends.
    """
    name = hashlib.sha256(os.path.realpath(path).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    lock = Path(tempfile.gettempdir()) / f"paperrec-{os.geteuid()}-{name}.lock"
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise WriteError(f"{lock}: cannot be made, so that two runs could write {path} at once: {error.strerror}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
