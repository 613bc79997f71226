"""From one JSON object to a paper: a field of another type is understood, or left out and told."""

import re
from collections.abc import Callable
from datetime import date
from typing import Any

from paperrec.paper import Paper, normalize_arxiv_id, normalize_doi
from paperrec.ports import Problem
from paperrec.text import derive_title, plain_text, printable

LONGEST_TEXT = 64_000  # characters of one field; what is longer is no abstract, and would only cost time
_NOTHING = frozenset(("nan", "none", "null", "n/a"))
_ARXIV = re.compile(r"(?:arxiv:)?(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?/\d{7})(?:v\d+)?|https?://(?:\w+\.)?arxiv\.org/\S+", re.IGNORECASE)
_DOI = re.compile(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)?10\.\d{1,9}\S*/\S+", re.IGNORECASE)
_AND = re.compile(r" and |;")
_INITIAL = re.compile(r"[^\W\d_][.-]")
_DATE = re.compile(r"\s*(\d{4})[-/]\d{1,2}\b")


class Record:
    """Takes the fields of one record, and tells of each that is not what it should be."""

    def __init__(self, record: dict[str, Any], where: str, said: str, problems: list[Problem]) -> None:
        self.record, self.where, self.said, self.problems = record, where, said, problems

    def paper(self, place: str) -> Paper | None:
        """The paper, or None if there is neither title nor abstract."""
        given = [name for name in (self._line("key"), self._line("id")) if name]
        names = [name for name in given if " " not in name]
        title = plain_text(self._text("title", keep_nothing=True))
        abstract = plain_text(self._text("abstract"), markdown=True)
        if not (title or abstract):
            return None
        doi = _first(normalize_doi, self._line("doi"), *filter(_DOI.fullmatch, names))
        of_doi = doi if "arxiv" in doi else ""
        return Paper(
            key=given[0][:500] if given else place,
            title=title or derive_title(abstract),
            abstract=abstract,
            authors=self._names(),
            year=self._year(),
            venue=plain_text(self._text("venue")),
            doi=doi,
            arxiv_id=_first(normalize_arxiv_id, self._line("arxiv_id"), *filter(_ARXIV.fullmatch, names), of_doi),
            url=self._web("url") or next((n for n in names if n.lower().startswith(("http://", "https://"))), ""),
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
            if not keep_nothing and value.strip().lower() in _NOTHING:
                return ""
            if len(value) > LONGEST_TEXT:
                self._tell(field, f"has {len(value):,} characters; the first {LONGEST_TEXT:,} are read")
            return value[:LONGEST_TEXT]
        if isinstance(value, int | float) and not isinstance(value, bool) and value == value:
            return str(value)
        if value:
            self._tell(field, "is no text; left out")
        return ""

    def _line(self, field: str) -> str:
        return printable(self._text(field)).strip()

    def _names(self) -> tuple[str, ...]:
        value = self.record.get("authors")
        if isinstance(value, str):
            value = [] if value.strip().lower() in _NOTHING else _names_in(value)
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
        if isinstance(value, str) and (dated := _DATE.match(value)):
            value = dated.group(1)
        try:
            year = int(float(value)) if isinstance(value, str | int | float) and not isinstance(value, bool) else 0
        except (ValueError, OverflowError):
            year = 0
        if not 1000 <= year <= 2200:
            self._tell("year", "is no year; left out")
            return None
        return year

    def _web(self, field: str) -> str:
        address = self._line(field)
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


def _first(normalize: Callable[[str], str], *texts: str) -> str:
    return next(filter(None, map(normalize, texts)), "")


def _names_in(text: str) -> list[str]:
    """The names in one text: "Doe, Ann and Roe, Bo", "Ann Doe; Bo Roe", or "Ann Doe, Bo Roe, Cy Poe"."""
    names = [name for part in _AND.split(" ".join(text.split())) if (name := part.strip(" ,"))]
    parts = [part.strip() for name in names for part in name.split(",")]
    # A comma parts names, not a name, where whole names stand on both its sides
    are_whole = ";" not in text and len(names) <= 2 and all(" " in part for part in parts)
    return parts if are_whole and (len(parts) > 2 or all(map(_INITIAL.match, parts))) else names


def _structured(name: Any) -> str:
    """{"family", "given"} or {"name"} as a name."""
    if not isinstance(name, dict):
        return ""
    if isinstance(whole := name.get("name") or name.get("literal"), str):
        return plain_text(whole)
    parts = (name.get("family") or name.get("lastName"), name.get("given") or name.get("firstName"))
    return ", ".join(plain_text(part) for part in parts if isinstance(part, str) and part)
