"""Recommendations into a .bib file: only ever added, inside one block between two comment lines; every other byte stays."""

import difflib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from paperrec.errors import NoInputError, WriteError
from paperrec.files import ChangedError, exclusive, read_regular, replace_file
from paperrec.paper import Paper, Works
from paperrec.ports import Context, Problem, Written
from paperrec.recommendation import Feedback, Recommendation
from paperrec_adapters.bibtex.blocks import split
from paperrec_adapters.bibtex.decoding import decode
from paperrec_adapters.bibtex.fields import MONTHS, read_fields, split_key
from paperrec_adapters.bibtex.source import LARGEST_FILE, parse
from paperrec_adapters.bibtex.writing import citation_key, entry, entry_type, fields_of, without_accents

BEGIN = "% >>> paperrec: recommended papers; new ones are added above the closing line, nothing else is touched"
END = "% <<< paperrec"
_END_LINE = re.compile(rb"^% <<< paperrec[^\r\n]*\r?$", re.MULTILINE)
_BEGIN_LINE = re.compile(rb"^% >>> paperrec", re.MULTILINE)
_FOREIGN = re.compile(r"\s*(?:<[!?a-z]|%PDF|[\[{]\s*[\"{\[])", re.IGNORECASE)
_ROUNDS = 5  # tries when another program writes the file at the same time


@dataclass(frozen=True, slots=True)
class _File:
    """The target as it is before a write."""

    data: bytes
    papers: tuple[Paper, ...]
    keys: frozenset[str]  # lower case
    ascii_only: bool  # not UTF-8: what is added must be valid in it all the same
    newline: str


@dataclass(frozen=True, slots=True)
class BibtexSink:
    """A .bib file, new or the user's own."""

    path: Path

    @classmethod
    def open(cls, rest: str, context: Context) -> Self:
        return cls(Path(rest).expanduser())

    def write(self, recommendations: Sequence[Recommendation], *, dry_run: bool = False) -> Written:
        """Add the papers that the file does not hold yet.

        Raises
        ------
        WriteError
            The file cannot be written, or is no .bib file; it is as it was.
        """
        with exclusive(self.path):
            for left in reversed(range(_ROUNDS)):
                before = self._read()
                data, written = self._extended(before, recommendations)
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

    def _read(self) -> _File:
        if not self.path.exists() and not self.path.is_symlink():
            return _File(b"", (), frozenset(), ascii_only=False, newline="\n")
        try:
            data = read_regular(self.path, LARGEST_FILE) if self.path.exists() else b""
        except NoInputError as error:
            raise WriteError(f"{error}; nothing was written") from error
        decoded = decode(data, "")
        if b"\0" in data or _FOREIGN.match(decoded.text):
            what = "is UTF-16" if decoded.text.count("@") and b"\0" in data else "is no .bib file"
            raise WriteError(f"{self.path}: {what}; nothing was written (name another file, or save it as UTF-8)")
        try:
            papers = parse(data, self.path.name).papers
        except NoInputError:
            papers = ()  # comments, macros, or nothing yet
        keys = frozenset(split_key(block.text)[0].lower() for block in split(decoded.text) if block.kind != "comment")
        newline = "\r\n" if b"\r\n" in data else "\n"
        return _File(data, papers, keys, bool(decoded.code) or "encoding" in decoded.why or _declares_other(data), newline)

    def _extended(self, before: _File, recommendations: Sequence[Recommendation]) -> tuple[bytes, Written]:
        works, taken = Works(before.papers), set(before.keys)
        entries: list[str] = []
        problems: list[Problem] = []
        present = 0
        for paper in (recommendation.paper for recommendation in recommendations):
            if works.find(paper) is not None:
                present += 1
                continue
            text, as_read, why = _checked(paper, citation_key(paper, taken), before.ascii_only)
            if as_read is None:
                problems.append(Problem(str(self.path), f"{paper.key or paper.title[:60]}: {why}; left out", "unwritable", left_out=True))
            elif works.find(as_read) is not None:
                present += 1  # odd signs in it kept it from being recognised at once
            else:
                works.add(as_read)
                entries.append(text)
        data = _inserted(before, entries) if entries else before.data
        written = Written(str(self.path), len(entries), present, tuple(problems), _difference(self.path, before.data, data))
        if entries and (why := _lost(before, data, len(entries))):
            raise WriteError(f"{self.path}: {why}; nothing was written (name another file)")
        return data, written


def _declares_other(data: bytes) -> bool:
    found = re.search(rb"%[^\n]{0,40}[Ee]ncoding\s*:\s*([\w-]+)", data[:2000])
    return bool(found and found.group(1).lower() not in (b"utf-8", b"utf8", b"ascii", b"us-ascii"))


def _checked(paper: Paper, key: str, ascii_only: bool) -> tuple[str, Paper | None, str]:
    """An entry and the paper that is read from it, or None and what speaks against writing it.

    Two readers must find in it just what was put in.
    """
    kind, fields = entry_type(paper), fields_of(paper)
    if ascii_only:
        in_ascii = {name: without_accents(value) for name, value in fields.items()}
        if missing := [name for name, value in in_ascii.items() if value is None]:
            return "", None, f"its {missing[0]} holds letters that this file's encoding cannot (save the file as UTF-8)"
        fields = {name: value or "" for name, value in in_ascii.items()}
    text = entry(kind, key, fields)
    blocks = list(split(text))
    ours = read_fields(blocks[0].text, split_key(blocks[0].text)[1], blocks[0].closed, MONTHS, lambda code, why: None) if blocks else {}
    if len(blocks) != 1 or ours != fields or _by_pybtex(text) != [(key, fields)]:
        return "", None, "its text does not survive being read back"
    try:
        return text, parse(text.encode(), "new").papers[0], ""
    except NoInputError:
        return "", None, "it has neither title nor abstract"


def _by_pybtex(text: str) -> list[tuple[str, dict[str, str]]]:
    from pybtex.database.input.bibtex import LowLevelParser  # 70 ms that reading need not pay

    errors: list[Exception] = []
    found = [
        (key, {name: "".join(pieces) for name, pieces in fields})
        for _, (key, fields) in LowLevelParser(text, handle_error=errors.append, macros={})
    ]
    return [] if errors else found


def _inserted(before: _File, entries: list[str]) -> bytes:
    """The file with the entries in front of our closing line, or with our block behind its end."""
    newline = before.newline
    added = "".join(text.replace("\n", newline) + newline + newline for text in entries).encode()
    closing = [found.start() for found in _END_LINE.finditer(before.data)]
    begins = [found.start() for found in _BEGIN_LINE.finditer(before.data)]
    if closing and begins and begins[0] < closing[-1]:
        return before.data[: closing[-1]] + added + before.data[closing[-1] :]
    gap = "" if not before.data else newline if before.data.endswith(b"\n") else newline * 2
    return before.data + f"{gap}{BEGIN}{newline}{newline}".encode() + added + f"{END}{newline}".encode()


def _lost(before: _File, data: bytes, n_added: int) -> str:
    """What is wrong with the new content as a whole, or ""."""
    papers = parse(data, "new").papers
    if papers[: len(before.papers)] == before.papers and len(papers) == len(before.papers) + n_added:
        return ""
    kept = [paper for paper in papers if paper in before.papers]
    if len(kept) == len(before.papers) and len(papers) == len(before.papers) + n_added:
        return ""  # our block stands in the middle
    return "its last entry is broken, so that what is added could not be read back"


def _difference(path: Path, old: bytes, new: bytes) -> str:
    before, after = (data.decode("utf-8", "replace").splitlines() for data in (old, new))
    return "\n".join(difflib.unified_diff(before, after, str(path), str(path), lineterm="", n=1))
