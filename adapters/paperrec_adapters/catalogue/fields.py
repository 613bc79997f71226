"""Values of JSON whatever they are: as text, list, table, number, year; what is of another type is as if it were not there."""

import re
from collections.abc import Sequence
from typing import Any

from paperrec.paper import Paper, normalize_arxiv_id, normalize_doi
from paperrec.text import derive_title, plain_text, printable

_LONGEST = 64_000  # characters of one text; what is longer is no abstract, and would only cost time
_YEAR = re.compile(r"(?<!\d)(1[0-9]{3}|2[01][0-9]{2})(?!\d)")
_ARXIV_DOI = "10.48550/arxiv."


def text(value: Any) -> str:
    """A text, or the first of a list of texts (so Crossref gives titles), or ""; a number is text too."""
    if isinstance(value, list):
        value = next((one for one in value if isinstance(one, str) and one.strip()), "")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value[:_LONGEST] if isinstance(value, str) else ""


def plain(value: Any) -> str:
    """A text without LaTeX, HTML and JATS, on one line."""
    return plain_text(text(value))


def rows(value: Any) -> list[Any]:
    """A list, or an empty one; a table stands for a list of it alone (so DBLP gives a single author)."""
    if isinstance(value, dict):
        return [value]
    return value if isinstance(value, list) else []


def table(value: Any) -> dict[str, Any]:
    """A table, or an empty one."""
    return value if isinstance(value, dict) else {}


def whole(value: Any) -> int | None:
    """A count that is a number or the text of one; None for anything else.

    >>> whole("2"), whole(2), whole("two"), whole(None), whole(True)
    (2, 2, None, None, None)
    """
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() and len(value) < 19:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def year_of(*values: Any) -> int | None:
    """The first year in the values: numbers, dates with or without zeros, "2026 Nov-Dec", "Winter 2026".

    >>> year_of(None, "2026-1-5"), year_of("2026 Nov-Dec"), year_of([[None]], 2026), year_of("n.d.")
    (2026, 2026, 2026, None)
    """
    for value in values:
        if found := _YEAR.search(text(value)):
            return int(found.group())
    return None


def web_address(*values: Any) -> str:
    """The first value that is an address of the web, else ""."""
    for value in values:
        address = printable(text(value)).strip()
        if address.lower().startswith(("http://", "https://")) and " " not in address:
            return address
    return ""


def made(
    *,
    key: str,
    title: str,
    abstract: str = "",
    authors: Sequence[str] = (),
    year: int | None = None,
    venue: str = "",
    doi: str = "",
    arxiv_id: str = "",
    url: str = "",
    pdf: str = "",
    keywords: Sequence[str] = (),
) -> Paper | None:
    """A paper of values that are plain by now, or None if there is neither title nor abstract; identifiers get their one form here."""
    if not title and not abstract:
        return None
    named = normalize_doi(doi)
    of_doi = named if named.startswith(_ARXIV_DOI) else ""
    return Paper(
        key=printable(key).strip(),
        title=title or derive_title(abstract),
        abstract=abstract,
        authors=tuple(author for author in authors if author),
        year=year,
        venue=venue,
        doi=named,
        arxiv_id=normalize_arxiv_id(arxiv_id or of_doi),
        url=url or (f"https://doi.org/{named}" if named else ""),
        pdf=pdf,
        keywords=tuple(dict.fromkeys(word for word in keywords if word)),
        title_derived=not title,
    )
