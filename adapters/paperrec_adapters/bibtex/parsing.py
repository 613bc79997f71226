"""From the bytes of a .bib file to papers and problems."""

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from paperrec.errors import NoInputError
from paperrec.paper import Paper
from paperrec.ports import Batch, Problem
from paperrec.text import plain_text, printable
from paperrec_adapters.bibtex.blocks import NO_WORKS, Block, entries_in, split
from paperrec_adapters.bibtex.decoding import decode
from paperrec_adapters.bibtex.entries import inherited, paper_of
from paperrec_adapters.bibtex.fields import RawEntry, Tell, read_fields, split_key
from paperrec_adapters.bibtex.limits import MOST_ADDED, MOST_ENTRIES, MOST_PROBLEMS
from paperrec_adapters.bibtex.macros import Allowance, Macros

_LINKED = re.compile(r"crossref|xdata", re.IGNORECASE)
_ONCE = frozenset(("undefined-macro",))  # told once a file for each of its words
_LONGEST_WHY = 500  # characters


def parse(data: bytes, name: str, encoding: str = "") -> Batch:
    """The papers in the bytes of a .bib file, in their order, and its problems by line; `name` stands in the problems' places.

    Raises
    ------
    NoInputError
        There is no entry in it that could be a paper.
    SettingsError
        There is no encoding of the name that the user gave.
    """
    decoded = decode(data, encoding)
    reading = _Reading(name)
    if decoded.code:
        reading.tell(decoded.line, decoded.code, decoded.why)
    blocks = list(islice(split(decoded.text), MOST_ENTRIES + 1))
    if len(blocks) > MOST_ENTRIES:
        reading.tell(blocks.pop().line, "too-many", f"more than {MOST_ENTRIES:,} entries; the rest is not read", left_out=True)
    entries: Iterable[RawEntry] = _entries(blocks, _macros(blocks, reading), reading)
    parents: dict[str, RawEntry] = {}
    if _LINKED.search(decoded.text):  # a parent may come later; without any, no entry is kept longer than its turn
        entries = list(entries)
        parents = {entry.key.lower(): entry for entry in reversed(entries) if entry.key}
    papers = _papers(entries, parents, _static_groups(blocks), reading)
    if not papers:
        raise NoInputError(f"{name}: {_looks_like(data, decoded.text, sum(block.kind not in NO_WORKS for block in blocks))}")
    return Batch(tuple(papers), reading.problems())


class _Reading:
    """What is told about one file, and what it may still grow by."""

    def __init__(self, name: str) -> None:
        self.allowance = Allowance()
        self._name = name
        self._told: list[tuple[int, Problem]] = []
        self._once: set[str] = set()
        self._unsaid = 0

    def tell(self, line: int, code: str, why: str, *, left_out: bool = False) -> None:
        if len(self._told) >= MOST_PROBLEMS:
            self._unsaid += 1
            return
        self._told.append((line, Problem(f"{self._name}:{line}", printable(why)[:_LONGEST_WHY], code, left_out)))

    def about(self, line: int, key: str) -> Tell:
        """A teller for one entry."""

        def tell(code: str, why: str) -> None:
            if code in _ONCE:
                if why in self._once:
                    return
                self._once.add(why)
            self.tell(line, code, f"{named(key, line)}: {why}")

        return tell

    def check_growth(self, line: int) -> None:
        """Say once that the allowance is used up."""
        if self.allowance.left <= 0 and "growth" not in self._once:
            self._once.add("growth")
            why = f"macros and parents add more than {MOST_ADDED:,} characters to the file; from here on macros are read by name"
            self.tell(line, "value-too-long", why)

    def problems(self) -> tuple[Problem, ...]:
        """All of them by line; what there was no room for is counted."""
        told = [problem for _, problem in sorted(self._told, key=lambda entry: entry[0])]
        if self._unsaid:
            told.append(Problem(self._name, f"{self._unsaid:,} more problems like these", "too-many"))
        return tuple(told)


def named(key: str, line: int) -> str:
    """How a problem calls an entry."""
    return key or f"the entry on line {line}"


def _macros(blocks: list[Block], reading: _Reading) -> Macros:
    macros = Macros(reading.allowance)
    for block in blocks:
        if block.kind == "string":
            for name, value in read_fields(block.text, 0, block.closed, macros, reading.about(block.line, "@string")).items():
                macros.define(name, value)
            reading.check_growth(block.line)
    return macros


def _entries(blocks: list[Block], macros: Macros, reading: _Reading) -> Iterator[RawEntry]:
    for block in blocks:
        if block.kind == "comment":
            if held := entries_in(block.text):
                reading.tell(block.line, "comment-holds-entries", f"a comment holds {held} entries; they are not read")
        elif block.kind == "xdata" or block.kind not in NO_WORKS:
            yield from _entry(block, macros, reading)
            reading.check_growth(block.line)


def _entry(block: Block, macros: Macros, reading: _Reading) -> Iterator[RawEntry]:
    """The entry of a block, and if the head of the next one is lost, that one too."""
    text = block.text
    key, start, fault = split_key(text)
    tell = reading.about(block.line, key)
    if fault == "missing-key" and "=" in text:
        reading.tell(block.line, fault, f"the entry on line {block.line} has no key; it is read without one")
    elif fault == "key-with-space":
        tell(fault, "the key holds a blank; it is kept")
    elif fault == "missing-comma":
        tell(fault, "no comma behind the key")
    if block.headless:
        tell("orphan-fields", 'the "@" is missing before its type; it is read all the same')
    fields = read_fields(text, start, block.closed, macros, tell)
    orphans = _take_left_over(fields, block, macros, tell) if block.left_over else {}
    yield RawEntry(block.kind, key, block.line, fields)
    if orphans:
        yield RawEntry("misc", "", block.line + text.count("\n"), orphans)


def _take_left_over(fields: dict[str, str], block: Block, macros: Macros, tell: Callable[[str, str], None]) -> dict[str, str]:
    """Take the fields behind an entry that closed early; those that say again what it says are given back, as those of another entry."""
    more = read_fields(block.left_over, 0, False, macros, lambda code, why: None)
    if not more:
        return {}
    if block.left_over.count("}") <= block.left_over.count("{"):  # the brace that was meant to close it is not there
        tell("orphan-fields", "fields without an entry stand behind it; they are not read")
        return {}
    if not any(name in fields for name in ("title", "author", "year") if name in more):
        tell("unbalanced", "it closes before its last fields (a brace too many); they are read")
        for name, value in more.items():
            fields.setdefault(name, value)
        return {}
    as_entry = "title" in more
    tell(
        "orphan-fields", f"fields of another entry stand behind it; they are {'read as an entry without a key' if as_entry else 'not read'}"
    )
    return more if as_entry else {}


def _papers(
    entries: Iterable[RawEntry], parents: dict[str, RawEntry], groups: dict[str, dict[str, None]], reading: _Reading
) -> list[Paper]:
    papers: list[Paper] = []
    seen: dict[str, set[Paper]] = {}
    for entry in entries:
        if entry.kind == "xdata":
            continue
        tell = reading.about(entry.line, entry.key)
        fields = inherited(entry, parents, reading.allowance, tell)
        paper = paper_of(entry, fields, tuple(groups.get(entry.key, ())), reading.allowance.n_names(), tell)
        reading.check_growth(entry.line)
        if paper is None:
            why = f"{named(entry.key, entry.line)}: no title and no abstract; left out"
            reading.tell(entry.line, "no-text" if entry.fields else "empty-entry", why, left_out=True)
            continue
        reading.allowance.names_left -= len(paper.authors)
        if entry.key:
            same = seen.setdefault(entry.key, set())
            if paper in same:
                tell("duplicate-key", "stands twice; counted once")
                continue
            if same:
                tell("duplicate-key", "this key was used before for something else; both are read")
            same.add(paper)
        papers.append(paper)
    return papers


_GROUP = re.compile(r"<key>group name</key>\s*<string>([^<]*)</string>\s*<key>keys</key>\s*<string>([^<]*)</string>")


def _static_groups(blocks: list[Block]) -> dict[str, dict[str, None]]:
    """The static groups that BibDesk keeps in a comment, by entry key, in their order."""
    found: dict[str, dict[str, None]] = {}
    for block in blocks:
        if block.kind == "comment" and block.source.startswith("BibDesk Static Groups", block.start):
            for group, keys in _GROUP.findall(block.text):
                for key in keys.split(","):
                    found.setdefault(key.strip(), {})[plain_text(group)] = None
    return found


def _looks_like(data: bytes, text: str, n_entries: int) -> str:
    """Why nothing came of a file, and what to do."""
    start = text.lstrip()[:4]
    if not start:
        return "is empty"
    if n_entries:
        return f"none of its {n_entries:,} entries has a title, an abstract or an identifier"
    if data.startswith(b"%PDF"):
        return "is a PDF, not a .bib file"
    if b"\0" in data[:4000] and "@" not in text[:4000]:
        return "is not text; a .bib file is wanted"
    if start[0] == "<":
        return "looks like a web page, not a .bib file: save the BibTeX itself"
    if start[0] in "{[":
        return "looks like JSON: open it as jsonl:FILE"
    if start == "TY  ":
        return "looks like RIS: export it as BibTeX"
    return "holds no BibTeX entry (such as @article{key, title = {...}})"
