"""Libraries as they were read last, one file each; whatever is wrong with a file, it is as if there were none."""

import contextlib
import hashlib
from dataclasses import dataclass
from pathlib import Path

import msgspec

from paperrec.errors import PaperrecError
from paperrec.files import replace_file
from paperrec_adapters.zotero.snapshot import Snapshot

_VERSION = "paperrec zotero 1"  # raise it when what a Snapshot holds changes
_CHECK = 32  # bytes of checksum in front


@dataclass(frozen=True, slots=True)
class SnapshotCache:
    """The file of one library in a folder; None keeps nothing."""

    folder: Path | None
    name: str  # what the file is only good for: host, library, whose key with which rights, or whose Zotero

    def load(self) -> Snapshot | None:
        """What was kept, or None."""
        if self.folder is None:
            return None
        try:
            kept = self._file(self.folder).read_bytes()
            if hashlib.sha256(kept[_CHECK:]).digest() != kept[:_CHECK]:
                return None
            return msgspec.msgpack.decode(kept[_CHECK:], type=Snapshot)
        except (OSError, msgspec.MsgspecError, ValueError):
            return None

    def keep(self, snapshot: Snapshot) -> None:
        """Keep a library; one that cannot be kept is read whole the next time."""
        if self.folder is None:
            return
        file = self._file(self.folder)
        with contextlib.suppress(OSError, PaperrecError, ValueError, OverflowError):  # half a letter in a text, a number of 30 digits
            packed = msgspec.msgpack.encode(snapshot)
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(file, hashlib.sha256(packed).digest() + packed)
            file.chmod(0o600)

    def _file(self, folder: Path) -> Path:
        digest = hashlib.sha256(f"{_VERSION}\n{self.name}".encode()).hexdigest()
        return folder / "zotero" / f"{digest[:32]}.bin"
