"""A library or candidates from BibTeX and biblatex files."""

import os
from collections.abc import Iterator
from pathlib import Path

from paperrec.errors import NoInputError
from paperrec.files import input_path, read_regular, standard_input
from paperrec.paper import Paper
from paperrec.ports import Batch, Located, Problem
from paperrec.text import printable
from paperrec_adapters.bibtex.cache import LibraryCache
from paperrec_adapters.bibtex.limits import LARGEST_FILE, MOST_ENTRIES
from paperrec_adapters.bibtex.parsing import parse

__all__ = ["LARGEST_FILE", "MOST_ENTRIES", "BibtexSource", "parse"]


class BibtexSource(Located):
    """The entries of a .bib file, of all .bib files below a folder, or of standard input (`-`)."""

    def read(self) -> Batch:
        """Every entry that is a work, in file order; an exact repeat counts once.

        Raises
        ------
        NoInputError
            Nothing could be read, or what was read is no bibliography.
        """
        if self.rest == "-":
            return self._parsed("stdin", standard_input(LARGEST_FILE))
        path, is_folder = input_path(self.rest)
        return self._folder(path) if is_folder else self._parsed(self.rest, read_regular(path, LARGEST_FILE))

    def _folder(self, folder: Path) -> Batch:
        files = sorted(_bib_files(folder))
        if not files:
            raise NoInputError(f"{self.rest}: is a folder without a .bib file")
        papers: list[Paper] = []
        problems: list[Problem] = []
        failures: list[NoInputError] = []
        for file in files:
            try:
                batch = self._parsed(str(file), read_regular(file, LARGEST_FILE))
            except NoInputError as error:
                failures.append(error)
                why = printable(str(error)).removeprefix(f"{printable(str(file))}: ")
                problems.append(Problem(printable(str(file)), why, "no-input", left_out=True))
            else:
                papers += batch.papers
                problems += batch.problems
        if len(failures) == len(files):
            raise failures[0]
        return Batch(tuple(papers), tuple(problems))

    def _parsed(self, name: str, data: bytes) -> Batch:
        cache = LibraryCache(self.context.cache_dir)
        if (kept := cache.load(name, self.context.encoding, data)) is not None:
            return kept
        batch = parse(data, printable(name), self.context.encoding)
        cache.keep(name, self.context.encoding, data, batch)
        return batch


def _bib_files(folder: Path) -> Iterator[Path]:
    """All .bib files below a folder; hidden files and folders are skipped, and links to folders not followed."""
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if name.lower().endswith(".bib") and not name.startswith("."):
                yield Path(place, name)
