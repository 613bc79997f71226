"""An item of Zotero as a paper. Fields that are empty may be missing, and any value may be of any type."""

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import date
from typing import Any

from paperrec.paper import Paper, identifiers, normalize_arxiv_id, normalize_doi
from paperrec.text import plain_text
from paperrec_adapters.zotero_items.extra import CITATION_KEYS, DERIVED, PUBLISHED, arxiv_in, arxiv_lines, is_ours, labelled
from paperrec_adapters.zotero_items.names import authors_of, joined
from paperrec_adapters.zotero_items.wording import as_written, one_line

_NO_PAPERS = frozenset(("annotation", "attachment", "note"))
_LONGEST_TEXT = 64_000  # characters of one field; what is longer is no abstract, and would only cost time

# Fields in which one thing stands in the different types, the most telling first
_TITLES = ("title", "caseName", "nameOfAct", "subject")
_DATES = ("date", "issueDate", "dateDecided", "dateEnacted", "filingDate")
_CONTAINERS = (
    "publicationTitle", "proceedingsTitle", "conferenceName", "bookTitle", "encyclopediaTitle", "dictionaryTitle", "meetingName",
    "websiteTitle", "blogTitle", "forumTitle", "programTitle", "sessionTitle", "journalAbbreviation",
)  # fmt: skip
_PUBLISHERS = (
    "repository", "university", "institution", "publisher", "company", "label", "studio", "network", "distributor", "court",
    "legislativeBody", "organization", "issuingAuthority",
)  # fmt: skip
# All that a paper is made of besides creators, tags and collections
PAPER_FIELDS = frozenset((
    *_TITLES, *_DATES, *_CONTAINERS, *_PUBLISHERS,
    "abstractNote", "archive", "archiveID", "archiveLocation", "DOI", "extra", "reportNumber", "url",
))  # fmt: skip

_YEAR = re.compile(r"(?<![0-9])(1[0-9]{3}|2[01][0-9]{2})(?:[0-9]{4})?(?![0-9])")
_SHORT_DATE = re.compile(r"\s*[0-9]{1,2}([/.-])[0-9]{1,2}\1([0-9]{2})\s*")
_BARE_ARXIV_ID = re.compile(r"(?:\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[a-z]{2})?/\d{7})(?:v\d+)?", re.IGNORECASE)


def is_paper(data: Mapping[str, Any]) -> bool:
    """Whether an item is a work in the library: no note, file or mark, no part of another item, and not in the trash.

    Every other type counts, books, theses, reports and web pages too: they all say what their owner reads.
    """
    kind = data.get("itemType")
    return isinstance(kind, str) and bool(kind) and kind not in _NO_PAPERS and not data.get("deleted") and not data.get("parentItem")


def citation_keys_of(data: Mapping[str, Any]) -> frozenset[str]:
    """Every citation key that an item bears, in small letters: in its field, and in lines of Extra, where they stood before version 8.

    >>> sorted(citation_keys_of({"citationKey": "Doe2020", "extra": "Citation Key: roe2021\\nmy words"}))
    ['doe2020', 'roe2021']
    """
    lines = labelled(extra) if ":" in (extra := _extra(data)) else {}
    keys = (one_line(_text(data, "citationKey")), *(lines.get(label, "") for label in CITATION_KEYS))
    return frozenset(key.lower() for key in keys if key)


def paper_of(item: Mapping[str, Any], paths: Mapping[str, str]) -> Paper:
    """The paper that an item describes; what is not there, or of a type that it cannot be, is unknown.

    Parameters
    ----------
    item
        "key" and "data", and "meta" if the service told it.
    paths
        Path of each collection by its key; a key that is not among them is passed over.
    """
    data = data if isinstance(data := item.get("data"), Mapping) else {}
    extra = _extra(data)
    lines = labelled(extra)
    ours = is_ours(extra)
    plain: Callable[[str], str] = (lambda text: as_written(one_line(text))) if ours else plain_text
    url = _web(data)
    doi, arxiv_id, arxiv_class = _identity(data, extra, lines, url)
    abstract = _text(data, "abstractNote")
    return Paper(
        key=one_line(_text(item, "key")),
        title=plain(_text(data, *_TITLES)),
        abstract=one_line(abstract) if ours else plain_text(abstract),
        authors=tuple(
            filter(None, (joined(_name(family, ours), _name(given, ours)) for family, given in authors_of(data.get("creators"))))
        ),
        year=_year(item.get("meta"), data),
        venue=plain(_text(data, *_CONTAINERS) or lines.get(PUBLISHED.lower(), "") or _text(data, *_PUBLISHERS)),
        doi=doi,
        arxiv_id=arxiv_id,
        arxiv_class=arxiv_class,
        url=url,
        keywords=_unique(plain_text(_text(tag, "tag")) for tag in _list(data.get("tags")) if isinstance(tag, Mapping)),
        collections=_unique(paths.get(key, "") for key in _list(data.get("collections")) if isinstance(key, str)),
        added=_day(_text(data, "dateAdded")),
        title_derived=DERIVED in extra.splitlines(),
    )


def _identity(data: Mapping[str, Any], extra: str, lines: Mapping[str, str], url: str) -> tuple[str, str, str]:
    """DOI, a publisher's rather than arXiv's; arXiv id and class."""
    dois = [doi for text in (_text(data, "DOI"), lines.get("doi", "")) if (doi := one_line(normalize_doi(text)))]
    of_url = identifiers(Paper(url=url)) if url else ()
    dois += [name.removeprefix("doi:") for name in of_url if name.startswith("doi:")]
    doi = next((doi for doi in dois if not _arxiv_doi(doi)), dois[0] if dois else "")
    archive_id = _text(data, "archiveID")
    # In the name of the journal: so Zotero itself wrote it for years, and so Google Scholar does
    told = [arxiv_in(text) for text in (archive_id, arxiv_lines(extra), _text(data, "publicationTitle"), _text(data, "reportNumber"))]
    named = [arxiv_id for arxiv_id, _ in told]
    for archive, field in (("repository", "archiveID"), ("archive", "archiveLocation")):
        if "arxiv" in _text(data, archive).lower() and _BARE_ARXIV_ID.fullmatch(bare := _text(data, field).strip()):
            named.append(normalize_arxiv_id(bare))
    named += [_arxiv_doi(doi) for doi in dois]
    named += [name.removeprefix("arxiv:") for name in of_url if name.startswith("arxiv:")]
    arxiv_id = next(filter(None, named), "")
    return doi, arxiv_id, next((kind for of, kind in told if kind and of == arxiv_id), "")


def _arxiv_doi(doi: str) -> str:
    """The arXiv id that a DOI of arXiv's names, or ""."""
    return normalize_arxiv_id(doi) if doi.startswith("10.48550/arxiv.") else ""


def _year(meta: object, data: Mapping[str, Any]) -> int | None:
    """The first year in a date that a person wrote, "5/6/99" among them."""
    parsed = _text(meta, "parsedDate") if isinstance(meta, Mapping) else ""
    for text in (parsed, *(_text(data, field) for field in _DATES)):
        if found := _YEAR.search(text):
            return int(found.group(1))
        if short := _SHORT_DATE.fullmatch(text):
            year = int(short.group(2))
            return year + (1900 if year >= 50 else 2000)
    return None


def _web(data: Mapping[str, Any]) -> str:
    address = one_line(_text(data, "url"))
    return address if address.lower().startswith(("http://", "https://")) and " " not in address else ""


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def _extra(data: Mapping[str, Any]) -> str:
    return "\n".join(one_line(line) for line in _text(data, "extra").splitlines())


def _name(name: str, ours: bool) -> str:
    return one_line(name) if ours else plain_text(name)


def _text(values: Mapping[str, Any], *fields: str) -> str:
    """The first of some fields that holds text; a small number is text too."""
    for field in fields:
        value = values.get(field)
        if not isinstance(value, str):
            is_number = isinstance(value, int) and not isinstance(value, bool) and value.bit_length() < 64
            value = str(value) if is_number else ""
        if value and not value.isspace():
            return value[:_LONGEST_TEXT]
    return ""


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _unique(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(None, words)))
