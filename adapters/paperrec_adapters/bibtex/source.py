"""A library or candidates from BibTeX and biblatex files."""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from paperrec.errors import NoInputError
from paperrec.files import read_regular
from paperrec.paper import Paper
from paperrec.ports import Batch, Context, Problem
from paperrec.text import printable
from paperrec_adapters.bibtex.blocks import NO_WORKS, Block, entries_in, split
from paperrec_adapters.bibtex.cache import LibraryCache
from paperrec_adapters.bibtex.decoding import decode
from paperrec_adapters.bibtex.entries import inherited, paper_of
from paperrec_adapters.bibtex.fields import MONTHS, RawEntry, read_fields, split_key

LARGEST_FILE = 50_000_000  # bytes
MOST_ENTRIES = 100_000
MOST_PROBLEMS = 10_000


@dataclass(frozen=True, slots=True)
class BibtexSource:
    """The entries of a .bib file, of all .bib files below a folder, or of standard input (`-`)."""

    rest: str
    context: Context

    @classmethod
    def open(cls, rest: str, context: Context) -> Self:
        return cls(rest, context)

    def read(self) -> Batch:
        """Every entry that is a work, in file order; an exact repeat counts once.

        Raises
        ------
        NoInputError
            Nothing could be read, or what was read is no bibliography.
        """
        if self.rest == "-":
            return self._parsed("stdin", sys.stdin.buffer.read(LARGEST_FILE + 1))
        path = Path(self.rest).expanduser()
        if not path.is_dir():
            return self._file(path, self.rest)
        files = sorted(p for p in path.rglob("*.bib") if not any(part.startswith(".") for part in p.relative_to(path).parts))
        if not files:
            raise NoInputError(f"{self.rest}: is a folder without a .bib file")
        papers: list[Paper] = []
        problems: list[Problem] = []
        failures: list[NoInputError] = []
        for file in files:
            try:
                batch = self._file(file, str(file))
            except NoInputError as error:
                failures.append(error)
                problems.append(Problem(str(file), str(error).removeprefix(f"{file}: "), "no-input", left_out=True))
            else:
                papers += batch.papers
                problems += batch.problems
        if len(failures) == len(files):
            raise failures[0]
        return Batch(tuple(papers), tuple(problems))

    def _file(self, path: Path, name: str) -> Batch:
        return self._parsed(name, read_regular(path, LARGEST_FILE))

    def _parsed(self, name: str, data: bytes) -> Batch:
        if len(data) > LARGEST_FILE:
            raise NoInputError(f"{name}: has more than {LARGEST_FILE / 1e6:.0f} MB; no more are read")
        cache = LibraryCache(self.context.cache_dir)
        if (kept := cache.load(name, self.context.encoding, data)) is not None:
            return kept
        batch = parse(data, printable(name), self.context.encoding)
        cache.keep(name, self.context.encoding, data, batch)
        return batch


def parse(data: bytes, name: str, encoding: str = "") -> Batch:
    """The papers in the bytes of a .bib file; `name` stands in the problems' places.

    Raises
    ------
    NoInputError
        There is no entry in it that could be a paper.
    """
    decoded = decode(data, encoding)
    reading = _Reading(name)
    if decoded.code:
        reading.tell(int(found.group(1)) if (found := re.match(r"line (\d+)", decoded.why)) else 1, decoded.code, decoded.why)
    blocks = list(split(decoded.text))
    macros = _macros(blocks, reading)
    entries = list(_entries(blocks, macros, reading))
    groups = _static_groups(blocks)
    parents = {entry.key.lower(): entry for entry in reversed(entries) if entry.key}
    papers = _papers(entries, parents, groups, reading)
    if not papers:
        raise NoInputError(f"{name}: {_looks_like(data, decoded.text, len(entries))}")
    return Batch(tuple(papers), tuple(reading.problems))


class _Reading:
    """What is told about one file."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.problems: list[Problem] = []
        self._macros_told: set[str] = set()

    def tell(self, line: int, code: str, why: str, *, left_out: bool = False) -> None:
        if len(self.problems) >= MOST_PROBLEMS or (code == "undefined-macro" and why in self._macros_told):
            return
        self._macros_told.add(why)
        self.problems.append(Problem(f"{self.name}:{line}", printable(why)[:500], code, left_out))

    def about(self, line: int, key: str) -> Callable[[str, str], None]:
        """A teller for one entry; an undefined macro is told once a file."""
        named = key or f"the entry on line {line}"

        def tell(code: str, why: str) -> None:
            if code == "undefined-macro":
                if why in self._macros_told:
                    return
                self._macros_told.add(why)
            self.tell(line, code, f"{named}: {why}")

        return tell


def _macros(blocks: list[Block], reading: _Reading) -> dict[str, str]:
    macros = dict(MONTHS)
    for block in blocks:
        if block.kind == "string":
            for name, value in read_fields(block.text, 0, block.closed, macros, reading.about(block.line, "@string")).items():
                macros[name] = value
    return macros


def _entries(blocks: list[Block], macros: dict[str, str], reading: _Reading) -> Iterator[RawEntry]:
    count = 0
    for block in blocks:
        if block.kind == "comment":
            if held := entries_in(block.text):
                reading.tell(block.line, "comment-holds-entries", f"a comment holds {held} entries; they are not read")
            continue
        if block.kind in NO_WORKS - {"xdata"}:
            continue
        count += 1
        if count > MOST_ENTRIES:
            reading.tell(block.line, "too-many", f"more than {MOST_ENTRIES:,} entries; the rest is not read", left_out=True)
            return
        yield _entry(block, macros, reading)


def _entry(block: Block, macros: dict[str, str], reading: _Reading) -> RawEntry:
    key, start, fault = split_key(block.text)
    tell = reading.about(block.line, key)
    if fault == "missing-key" and "=" in block.text:
        reading.tell(block.line, "missing-key", f"the entry on line {block.line} has no key; it is read without one")
    elif fault == "key-with-space":
        tell(fault, "the key holds a blank; it is kept")
    elif fault == "missing-comma":
        tell(fault, "no comma behind the key")
    if block.headless:
        tell("orphan-fields", 'the "@" is missing before its type; it is read all the same')
    fields = read_fields(block.text, start, block.closed, macros, tell)
    if block.left_over:
        _take_left_over(fields, block, macros, tell)
    return RawEntry(block.kind, key, block.line, fields)


def _take_left_over(fields: dict[str, str], block: Block, macros: dict[str, str], tell: Callable[[str, str], None]) -> None:
    """Fields behind an entry that closed early are its own, unless they say again what it says."""
    more = read_fields(block.left_over, 0, False, macros, lambda code, why: None)
    if not more:
        return
    if any(name in fields for name in ("title", "author", "year") if name in more):
        tell("orphan-fields", "fields of another entry stand behind it; they are not read")
        return
    tell("unbalanced", "it closes before its last fields (a brace too many); they are read")
    for name, value in more.items():
        fields.setdefault(name, value)


def _papers(entries: list[RawEntry], parents: dict[str, RawEntry], groups: dict[str, tuple[str, ...]], reading: _Reading) -> list[Paper]:
    papers: list[Paper] = []
    seen: dict[str, list[Paper]] = {}
    for entry in entries:
        if entry.kind == "xdata":
            continue
        tell = reading.about(entry.line, entry.key)
        paper = paper_of(entry, inherited(entry, parents, tell), groups.get(entry.key, ()), tell)
        named = entry.key or f"the entry on line {entry.line}"
        if paper is None:
            code = "no-text" if entry.fields else "empty-entry"
            reading.tell(entry.line, code, f"{named}: without title and abstract; left out", left_out=True)
            continue
        if entry.key:
            same = seen.setdefault(entry.key, [])
            if paper in same:
                reading.tell(entry.line, "duplicate-key", f"{named}: stands twice; counted once")
                continue
            if same:
                reading.tell(entry.line, "duplicate-key", f"{named}: this key was used before for something else; both are read")
            same.append(paper)
        papers.append(paper)
    return papers


_GROUP = re.compile(r"<key>group name</key>\s*<string>([^<]*)</string>\s*<key>keys</key>\s*<string>([^<]*)</string>")


def _static_groups(blocks: list[Block]) -> dict[str, tuple[str, ...]]:
    """The static groups that BibDesk keeps in a comment, by entry key."""
    found: dict[str, tuple[str, ...]] = {}
    for block in blocks:
        if block.kind == "comment" and block.text.startswith("BibDesk Static Groups"):
            for group, keys in _GROUP.findall(block.text):
                for key in keys.split(","):
                    found[key.strip()] = (*found.get(key.strip(), ()), printable(group))
    return found


def _looks_like(data: bytes, text: str, n_entries: int) -> str:
    """Why nothing came of a file, and what to do."""
    if not text.strip():
        return "is empty"
    if n_entries:
        return f"none of its {n_entries:,} entries has a title, an abstract or an identifier"
    if data.startswith(b"%PDF"):
        return "is a PDF, not a .bib file"
    if b"\0" in data[:4000] and "@" not in text[:4000]:
        return "is not text; a .bib file is wanted"
    if text.lstrip()[:1] == "<":
        return "looks like a web page, not a .bib file: save the BibTeX itself"
    if text.lstrip()[:1] in "{[":
        return "looks like JSON: open it as jsonl:FILE"
    return "holds no BibTeX entry (such as @article{key, title = {...}})"
