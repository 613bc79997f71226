"""Parsed files kept by the hash of their content: reading the same library again costs a tenth."""

import contextlib
import hashlib
from dataclasses import dataclass
from pathlib import Path

import msgspec

from paperrec.errors import PaperrecError
from paperrec.files import replace_file
from paperrec.ports import Batch

_VERSION = b"paperrec bib 3"  # another reader gives another result: raise it with every change of what a file is read as
_KEPT = 20  # files
_CHECK = 32  # bytes of checksum in front


@dataclass(frozen=True, slots=True)
class LibraryCache:
    """A folder of parsed files; None keeps nothing. Whatever is wrong with it, it is as if it were empty."""

    folder: Path | None

    def load(self, name: str, encoding: str, data: bytes) -> Batch | None:
        """What was kept for these bytes, or None."""
        if (file := self._file(name, encoding, data)) is None:
            return None
        try:
            kept = file.read_bytes()
            if hashlib.sha256(kept[_CHECK:]).digest() != kept[:_CHECK]:
                return None
            return msgspec.msgpack.decode(kept[_CHECK:], type=Batch)
        except (OSError, msgspec.MsgspecError, ValueError):
            return None

    def keep(self, name: str, encoding: str, data: bytes, batch: Batch) -> None:
        """Keep what these bytes were read as, and drop the oldest of what was kept."""
        if (file := self._file(name, encoding, data)) is None:
            return
        packed = msgspec.msgpack.encode(batch)
        with contextlib.suppress(OSError, PaperrecError):
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(file, hashlib.sha256(packed).digest() + packed)
            oldest_first = sorted(file.parent.glob("*.bin"), key=lambda f: f.stat().st_mtime)
            for old in oldest_first[:-_KEPT]:
                old.unlink(missing_ok=True)

    def _file(self, name: str, encoding: str, data: bytes) -> Path | None:
        if self.folder is None:
            return None
        digest = hashlib.sha256(
            b"\0".join((_VERSION, name.encode("utf-8", "surrogateescape"), encoding.encode("utf-8", "surrogateescape"), data))
        )
        return self.folder / "bib" / f"{digest.hexdigest()}.bin"
