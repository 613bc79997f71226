"""What a run reads, so that nothing it writes takes the place of it."""

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Input:
    """A file or folder that a run reads: nothing that the run writes may take the place of what is in it."""

    path: Path
    suffixes: tuple[str, ...] = ()  # lower case, of the files that are read in a folder; none given: of all

    def holds(self, file: Path) -> bool:
        """Whether `file` is read, under this or another name (links and second names are seen through), or would be at the next run."""
        try:
            if not self.path.is_dir():
                return _is_same(self.path, file)
            folder, names = self.path.resolve(), (file.resolve(), file.parent.resolve() / file.name)
            if any(self._reads(name) and folder in name.parents for name in names):
                return True
            return file.exists() and any(self._reads(name) and _is_same(name, file) for name in self.path.rglob("*"))
        except (OSError, ValueError):  # no right to look, no name that a file can have: then it is neither read nor written
            return False

    def _reads(self, name: Path) -> bool:
        return not self.suffixes or str(name).lower().endswith(self.suffixes)


def _is_same(one: Path, other: Path) -> bool:
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    return one.exists() and other.exists() and one.samefile(other)
