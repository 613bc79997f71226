"""Recommendations into a .bib file: only ever added, inside one block between two comment lines; every other byte stays."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from paperrec.errors import SettingsError
from paperrec.files import ChangedError, exclusive, replace_file
from paperrec.paper import Paper, Works
from paperrec.ports import Context, Problem, Written
from paperrec.recommendation import Feedback, Recommendation
from paperrec.text import printable
from paperrec_adapters.bibtex.blocks import split
from paperrec_adapters.bibtex.fields import MONTHS, read_fields, split_key
from paperrec_adapters.bibtex.target import Target, papers_in
from paperrec_adapters.bibtex.writing import entry, entry_type, fields_of, in_ascii
from paperrec_adapters.citation_keys import citation_key

_ROUNDS = 5  # tries when another program writes the file at the same time


@dataclass(frozen=True, slots=True)
class BibtexSink:
    """A .bib file, new or the user's own."""

    path: Path
    encoding: str = ""

    @classmethod
    def open(cls, rest: str, context: Context) -> Self:
        if not rest:
            raise SettingsError("bib: names no file; write bib:FILE")
        try:
            return cls(Path(rest).expanduser(), context.encoding)
        except RuntimeError as error:
            raise SettingsError(f"bib:{rest}: there is no home folder of this name") from error

    def write(self, recommendations: Sequence[Recommendation], *, dry_run: bool = False) -> Written:
        """Add the papers that the file does not hold yet; with none to add it is not touched, nor made.

        Raises
        ------
        WriteError
            The file cannot be written, or is no .bib file; it is as it was.
        BusyError
            Another run is writing there.
        """
        papers = [recommendation.paper for recommendation in recommendations]
        with exclusive(self.path):
            for left in reversed(range(_ROUNDS)):
                before = Target.read(self.path, self.encoding)
                data, written = _extended(before, papers)
                if dry_run or data == before.data:
                    break
                try:
                    replace_file(self.path, data, expected=before.data)
                    break
                except ChangedError:
                    if not left:
                        raise
        return written if dry_run else Written(written.place, written.added, written.present, written.problems)

    def feedback(self) -> Sequence[Feedback]:
        """Nothing: a .bib file does not tell what its owner thought of an entry."""
        return ()


def _extended(before: Target, papers: Sequence[Paper]) -> tuple[bytes, Written]:
    works, taken = Works(before.papers), set(before.keys)
    entries: list[str] = []
    problems: list[Problem] = []
    present = 0
    for paper in papers:
        if works.find(paper) is not None:
            present += 1
            continue
        key = citation_key(paper, taken)
        text, why = _written_out(paper, key, before.ascii_only)
        as_read = papers_in(text.encode())
        if as_read and works.find(as_read[0]) is not None:
            present += 1  # odd signs in it kept it from being recognised at once
            continue
        if as_read:
            works.add(as_read[0])
            entries.append(text)
        if why:
            name = printable(paper.key or paper.title[:60]) or key
            problems.append(Problem(str(before.path), f"{name}: {why}", "unwritable", left_out=not as_read))
    data = before.extended(entries) if entries else before.data
    return data, Written(str(before.path), len(entries), present, tuple(problems), _difference(before.path, before.data, data))


def _written_out(paper: Paper, key: str, ascii_only: bool) -> tuple[str, str]:
    """The entry of a paper and what is missing in it, or "" and what speaks against writing it."""
    fields = fields_of(paper)
    lost: tuple[str, ...] = ()
    if ascii_only:
        fields, lost = in_ascii(fields)
    if "title" in lost or "author" in lost:
        return "", "left out: the encoding of this file does not have all its letters (save the file as UTF-8)"
    if not fields.keys() & {"title", "abstract", "doi", "eprint"}:
        return "", "left out: it has neither title nor abstract"
    text = entry(entry_type(paper), key, fields)
    if not _survives(text, key, fields):
        return "", "left out: its text does not survive being read back"
    return text, f"without {' and '.join(lost)}: the encoding of this file does not have all the letters" if lost else ""


def _survives(text: str, key: str, fields: dict[str, str]) -> bool:
    """Whether our reader and pybtex find in an entry just what was put in."""
    return _by_our_scanner(text) == _by_pybtex(text) == [(key, fields)] and len(papers_in(text.encode())) == 1


def _by_our_scanner(text: str) -> list[tuple[str, dict[str, str]]]:
    found = []
    for block in split(text):
        key, start, _ = split_key(block.text)
        found.append((key, read_fields(block.text, start, block.closed, MONTHS, lambda code, why: None)))
    return found


def _by_pybtex(text: str) -> list[tuple[str, dict[str, str]]]:
    from pybtex.database.input.bibtex import LowLevelParser  # 70 ms that reading need not pay
    from pybtex.exceptions import PybtexError

    errors: list[Exception] = []
    try:  # the low level keeps no state for others and knows nothing of strictness
        found = [
            (key, {name: "".join(pieces) for name, pieces in fields})
            for _, (key, fields) in LowLevelParser(text, handle_error=errors.append, macros={})
        ]
    except PybtexError:
        return []
    return [] if errors else found


def _difference(path: Path, old: bytes, new: bytes) -> str:
    before, after = (data.decode("utf-8", "replace").splitlines() for data in (old, new))
    return "\n".join(difflib.unified_diff(before, after, str(path), str(path), lineterm="", n=1))
