"""Papers from JSON Lines, from a JSON array, and from paperrec's own documents; whatever a field holds, it costs at most itself."""

import json
import re
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from paperrec.errors import NoInputError
from paperrec.files import read_regular
from paperrec.paper import Paper, normalize_arxiv_id, normalize_doi
from paperrec.ports import Batch, Located, Problem
from paperrec.text import derive_title, plain_text, printable

LARGEST_FILE = 256_000_000  # bytes
MOST_RECORDS = 1_000_000
LONGEST_ABSTRACT = 64_000  # characters; what is longer is no abstract, and would only cost time
_NOTHING = frozenset(("nan", "none", "null", "n/a"))
_BARE_ID = re.compile(r"(?:arxiv:|https?://|doi:)?\S+", re.IGNORECASE)
_ARXIV = re.compile(r"(?:arxiv:)?(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?|https?://(?:\w+\.)?arxiv\.org/\S+", re.IGNORECASE)
_DOI = re.compile(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?10\.\d{4,9}\S*/\S+", re.IGNORECASE)
_LISTS = ("papers", "recommendations", "items")  # where a document keeps its records
_AND = re.compile(r"\s+and\s+|\s*;\s*")


class JsonlSource(Located):
    """One paper a line of a file, or of standard input (`-`)."""

    def read(self) -> Batch:
        """Every record that has a title or an abstract, in file order.

        Raises
        ------
        NoInputError
            There is none, or nothing to read.
        """
        from_stdin = self.rest == "-"
        data = sys.stdin.buffer.read(LARGEST_FILE) if from_stdin else read_regular(Path(self.rest).expanduser(), LARGEST_FILE)
        name = "stdin" if from_stdin else printable(self.rest)
        batch = parse(data, name)
        if not batch.papers:
            raise NoInputError(f"{name}: {_why_empty(data, batch)}")
        return batch


def _why_empty(data: bytes, batch: Batch) -> str:
    if not data.strip():
        return "is empty"
    if data.lstrip()[:1] not in (b"{", b"["):
        return 'is not JSON: one object a line is wanted, such as {"title": "...", "abstract": "..."}'
    if batch.problems:
        return f"holds no paper ({len(batch.problems):,} problems; the first: {batch.problems[0].where}: {batch.problems[0].why})"
    return "holds no paper"


def parse(data: bytes, name: str) -> Batch:
    """The papers in the bytes of a file; `name` stands in keys and places."""
    papers: list[Paper] = []
    problems: list[Problem] = []
    for place, said, record in _records(data):
        where = f"{name}:{place}"
        if not isinstance(record, dict):
            problems.append(
                Problem(
                    where, f"{said}: {record if isinstance(record, _Unread) else 'not a JSON object'}; skipped", "bad-json", left_out=True
                )
            )
            continue
        reader = _Record(record, where, said, problems)
        paper = reader.paper(f"{Path(name).name}:{place}")
        if paper is None:
            problems.append(Problem(where, f"{said}: neither title nor abstract; skipped", "no-text", left_out=True))
        else:
            papers.append(paper)
    return Batch(tuple(papers), tuple(problems))


class _Unread(str):
    """Why a piece of JSON could not be read."""

    __slots__ = ()


def _records(data: bytes) -> Iterator[tuple[int, str, Any]]:
    """(place, how to say it, record or _Unread) of each record."""
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
    lines = text.split("\n")
    first = next((line for line in lines if line.strip()), "")
    head = _loaded(first)
    is_document = isinstance(head, dict) and any(isinstance(head.get(name), list) for name in _LISTS)
    whole = head if is_document else _loaded(text) if not isinstance(head, dict) else None
    if isinstance(whole, dict):
        listed = next((whole[name] for name in _LISTS if isinstance(whole.get(name), list)), [whole])
        whole = [entry.get("paper", entry) if isinstance(entry, dict) else entry for entry in listed]
    if isinstance(whole, list):
        yield from ((n, f"record {n}", record) for n, record in enumerate(whole[:MOST_RECORDS], 1))
        return
    for n, line in enumerate(lines[:MOST_RECORDS], 1):
        if line.strip():
            yield n, f"line {n}", _loaded(line)


def _loaded(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=lambda name: None)
    except RecursionError:
        return _Unread("nested too deep")
    except ValueError:
        return _Unread("not valid JSON")


class _Record:
    """Takes the fields of one record, and tells of each that is not what it should be."""

    def __init__(self, record: dict[str, Any], where: str, said: str, problems: list[Problem]) -> None:
        self.record, self.where, self.said, self.problems = record, where, said, problems

    def paper(self, place: str) -> Paper | None:
        """The paper, or None if there is neither title nor abstract."""
        key = self._text("key") or self._text("id")
        names = [n for n in (key, self._text("id")) if _BARE_ID.fullmatch(n)]
        title = plain_text(self._text("title", keep_nothing=True))
        abstract = self._abstract()
        if not (title or abstract):
            return None
        arxiv_id = normalize_arxiv_id(self._text("arxiv_id")) or next((normalize_arxiv_id(n) for n in names if _ARXIV.fullmatch(n)), "")
        doi = normalize_doi(self._text("doi")) or next((normalize_doi(n) for n in names if _DOI.fullmatch(n)), "")
        return Paper(
            key=printable(key)[:500] or place,
            title=title or derive_title(abstract),
            abstract=abstract,
            authors=self._names(),
            year=self._year(),
            venue=plain_text(self._text("venue")),
            doi=doi,
            arxiv_id=arxiv_id or (normalize_arxiv_id(doi) if "arxiv" in doi else ""),
            url=self._web("url") or next((printable(n) for n in names if n.lower().startswith(("http://", "https://"))), ""),
            pdf=self._web("pdf"),
            keywords=self._list("keywords"),
            collections=self._list("collections"),
            added=self._added(),
            title_derived=not title or self.record.get("title_derived") is True,
        )

    def _tell(self, field: str, why: str) -> None:
        self.problems.append(Problem(self.where, f"{self.said}: {field} {why}", "bad-field"))

    def _text(self, field: str, *, keep_nothing: bool = False) -> str:
        value = self.record.get(field)
        if isinstance(value, list) and value and isinstance(value[0], str):  # Crossref's titles
            value = value[0]
        if isinstance(value, str):
            return "" if not keep_nothing and value.strip().lower() in _NOTHING else value
        if isinstance(value, int | float) and not isinstance(value, bool) and value == value:
            return str(value)
        if value:
            self._tell(field, "is no text; left out")
        return ""

    def _abstract(self) -> str:
        abstract = plain_text(self._text("abstract"), markdown=True)
        if len(abstract) > LONGEST_ABSTRACT:
            self._tell("abstract", f"has {len(abstract):,} characters; the first {LONGEST_ABSTRACT:,} are read")
            return abstract[:LONGEST_ABSTRACT]
        return abstract

    def _names(self) -> tuple[str, ...]:
        value = self.record.get("authors")
        if isinstance(value, str):
            value = [] if value.strip().lower() in _NOTHING else _AND.split(value)
        if not isinstance(value, list):
            if value:
                self._tell("authors", "is no list; left out")
            return ()
        names = [plain_text(name) if isinstance(name, str) else _structured(name) for name in value]
        if unread := sum(not name for name in names):
            self._tell("authors", f"holds {unread} that are no names; left out")
        return tuple(name for name in names if name)

    def _year(self) -> int | None:
        value = self.record.get("year")
        if value is None or value == "" or (isinstance(value, str) and value.strip().lower() in _NOTHING):
            return None
        try:
            year = int(float(value)) if isinstance(value, str | int | float) and not isinstance(value, bool) else 0
        except (ValueError, OverflowError):
            year = 0
        if not 1000 <= year <= 2200:
            self._tell("year", "is no year; left out")
            return None
        return year

    def _web(self, field: str) -> str:
        address = printable(self._text(field)).strip()
        if not address:
            return ""
        if not address.lower().startswith(("http://", "https://")) or " " in address:
            self._tell(field, "is no web address; left out")
            return ""
        return address

    def _list(self, field: str) -> tuple[str, ...]:
        value = self.record.get(field)
        if isinstance(value, str):
            value = re.split(r"[,;]", value)
        if not isinstance(value, list):
            if value:
                self._tell(field, "is no list; left out")
            return ()
        return tuple(dict.fromkeys(word for item in value if isinstance(item, str) and (word := plain_text(item))))

    def _added(self) -> date | None:
        value = self.record.get("added")
        if not value:
            return None
        try:
            return date.fromisoformat(str(value)[:10])
        except ValueError:
            self._tell("added", "is no date such as 2026-01-31; left out")
            return None


def _structured(name: Any) -> str:
    """{"family", "given"} or {"name"} as a name."""
    if not isinstance(name, dict):
        return ""
    if isinstance(whole := name.get("name") or name.get("literal"), str):
        return plain_text(whole)
    parts = (name.get("family") or name.get("lastName"), name.get("given") or name.get("firstName"))
    return ", ".join(plain_text(part) for part in parts if isinstance(part, str) and part)
