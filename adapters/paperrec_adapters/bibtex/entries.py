"""From the raw fields of an entry to a paper."""

import re
from collections.abc import Callable, Mapping
from datetime import date
from itertools import chain

from paperrec.paper import Paper, normalize_arxiv_id, normalize_doi
from paperrec.text import derive_title, plain_text, printable
from paperrec_adapters.bibtex.fields import RawEntry
from paperrec_adapters.bibtex.macros import MONTHS, Allowance
from paperrec_adapters.bibtex.names import authors

DERIVED = "The title was derived from the abstract."  # the note that marks such a title in what we write
_OWN = frozenset(
    """
    abstract added-at annotation annote archiveprefix arxiv arxivid author author_keywords bdsk-url-1 biburl creationdate crossref
    date-added date_added dateadded doi editor eprint eprintclass eprinttype file groups howpublished ids keyword keywords label link
    mendeley-groups mendeley-tags note number options pages pagetotal primaryclass relatedtype shorttitle sortkey subtitle tags timestamp
    title titleaddon translator url urldate xdata
    """.split()
)  # what a child never takes from its crossref parent
_SAME = (frozenset(("date", "year")), frozenset(("booktitle", "journal", "journaltitle")))  # one thing under several names
_FURTHEST = 5  # links of a chain of crossref or xdata
_SEPARATOR = re.compile(r"[,;，；、\n]|\\sep\b")
_YEAR = re.compile(r"(?<!\d)(1[4-9]\d\d|20\d\d)(?!\d)")
_URL_LATEX = re.compile(r"\{?\\([_%&#~$])\}?|\\url\s*|\{\\textasciitilde\}")
_NO_BRACES, _BLANK_BRACES = str.maketrans("", "", "{}"), str.maketrans("{}", "  ")
_WEB = re.compile(r"https?://[^\s{}<>\"\\]+", re.IGNORECASE)
_DATES = (
    re.compile(r"(?<!\d)(?P<year>\d{4})[-./](?P<month>\d{1,2})[-./](?P<day>\d{1,2})"),
    re.compile(r"(?<!\d)(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4})"),
    re.compile(r"(?<!\d)(?P<day>\d{1,2}) (?P<month>[A-Za-z]{3})[a-z]* (?P<year>\d{4})"),
)
_VENUES = ("journaltitle", "journal", "booktitle", "maintitle", "eventtitle", "institution", "school")


def inherited(entry: RawEntry, parents: Mapping[str, RawEntry], allowance: Allowance, tell: Callable[[str, str], None]) -> dict[str, str]:
    """An entry's fields with those that it takes from its crossref and xdata parents; its own win.

    A child takes year, venue, publisher and the like, never title, doi, url, abstract or people; from xdata it takes everything.
    """
    if "crossref" not in entry.fields and "xdata" not in entry.fields:
        return entry.fields
    fields = dict(entry.fields)
    for link in ("xdata", "crossref"):
        here, seen = entry, {entry.key.lower()}
        for _ in range(_FURTHEST):
            named = here.fields.get(link, "").strip()
            if not named:
                break
            followed = [key for key in (part.strip().lower() for part in named.split(",")) if key]
            found = [parents[key] for key in followed if key in parents and key not in seen]
            if not found:
                if not seen.intersection(followed):
                    tell("missing-crossref", f"its {link} {named[:100]} is not in the file")
                break
            for parent in found:
                # Nothing is left: not even looked at, for a parent may have thousands of fields
                if not allowance.spend(0) or not allowance.spend(sum(map(len, chain(*parent.fields.items())))):
                    return fields
                _take(fields, parent.fields, everything=link == "xdata")
            here = found[0]
            seen.add(here.key.lower())
    return fields


def _take(fields: dict[str, str], given: Mapping[str, str], *, everything: bool) -> None:
    said = {name for names in _SAME if any(fields.get(name) for name in names) for name in names}
    for name, value in given.items():
        if name not in said and (everything or name not in _OWN) and not fields.get(name):
            fields[name] = value
    if not everything and given.get("title"):  # a volume's title is where its chapters stand
        fields["booktitle"] = fields.get("booktitle") or given["title"]


def paper_of(
    entry: RawEntry, fields: Mapping[str, str], groups: tuple[str, ...], n_names: int, tell: Callable[[str, str], None]
) -> Paper | None:
    """The paper that an entry describes; None if it has neither title, abstract nor an identifier.

    Parameters
    ----------
    entry
        Its own type and key ...
    fields
        ... and its fields with those that it inherits.
    groups
        Collections that are not told in its fields.
    n_names
        The authors beyond these are not read.
    tell
        Called with a code and words for what had to be guessed.
    """
    title = _title(entry.kind, fields)
    abstract = plain_text(fields.get("abstract", ""))
    url = _url(fields)
    doi = normalize_doi(printable(fields.get("doi", ""))) or normalize_doi(url if "doi.org/10." in url else "")
    arxiv_id = _arxiv_id(fields, doi, url)
    if not (title or abstract or doi or arxiv_id):
        return None
    collections = (*_listed(fields.get("groups", "")), *_listed(fields.get("mendeley-groups", "")), *groups)
    keywords = chain.from_iterable(_listed(fields.get(n, "")) for n in ("keywords", "keyword", "author_keywords", "mendeley-tags", "tags"))
    return Paper(
        key=plain_key(entry.key),
        title=title or derive_title(abstract),
        abstract=abstract,
        authors=authors(fields.get("author", ""), n_names, tell),
        year=_year(fields),
        venue=next((venue for name in _VENUES if (venue := plain_text(fields.get(name, "")))), ""),
        doi=doi,
        arxiv_id=arxiv_id,
        arxiv_class=plain_text(fields.get("primaryclass", "") or fields.get("eprintclass", "")) if arxiv_id else "",
        url=url,
        keywords=tuple(dict.fromkeys(keywords)),
        collections=tuple(dict.fromkeys(collections)),
        added=_added(fields),
        title_derived=bool(abstract) and (not title or fields.get("annote") == DERIVED),
    )


def plain_key(key: str) -> str:
    """A key without what may not be shown; LaTeX in it stays."""
    return "".join(c for c in key if c.isprintable())


def _title(kind: str, fields: Mapping[str, str]) -> str:
    title = plain_text(fields.get("title", ""))
    if not title and kind in ("proceedings", "collection", "periodical", "mvproceedings", "mvcollection"):
        title = plain_text(fields.get("booktitle", "") or fields.get("journaltitle", ""))
    title = title or plain_text(fields.get("shorttitle", ""))
    subtitle = plain_text(fields.get("subtitle", ""))
    return f"{title}{' ' if title.endswith(('?', '!', ':')) else ': '}{subtitle}" if title and subtitle else title


def _year(fields: Mapping[str, str]) -> int | None:
    for name in ("year", "date", "origdate", "eventdate"):
        if found := _YEAR.search(fields.get(name, "")):
            return int(found.group())
    return None


def _url(fields: Mapping[str, str]) -> str:
    for name in ("url", "howpublished", "link", "bdsk-url-1"):
        raw = fields.get(name, "")
        if "\\" in raw:
            raw = _URL_LATEX.sub(lambda found: found.group(1) or ("~" if "tilde" in found.group() else ""), raw)
        # In running text a brace ends an address, in an address it is LaTeX
        if found := _WEB.search(raw.translate(_BLANK_BRACES if name == "howpublished" else _NO_BRACES)):
            return printable(found.group()).rstrip(".,;")
    return ""


def _arxiv_id(fields: Mapping[str, str], doi: str, url: str) -> str:
    prefix = (fields.get("archiveprefix", "") or fields.get("eprinttype", "")).strip("{} ").lower()
    if prefix in ("", "arxiv") and (found := normalize_arxiv_id(fields.get("eprint", ""))):
        return found
    for text in (fields.get("arxivid", ""), fields.get("arxiv", ""), doi if "arxiv" in doi else "", url if "arxiv.org/" in url else ""):
        if text and (found := normalize_arxiv_id(text)):
            return found
    for name in ("journal", "journaltitle", "note", "howpublished", "number", "publisher", "volume"):
        text = fields.get(name, "")
        # dblp writes journal = {CoRR}, volume = {abs/2601.00051}
        if ("arxiv" in text.lower() or text.startswith("abs/")) and (found := normalize_arxiv_id(text)):
            return found
    return ""


def _listed(field: str) -> tuple[str, ...]:
    """The words of a list field; commas, semicolons and their full-width kin part them."""
    if not field:
        return ()
    whole = field[1:-1] if field.startswith("{") and field.endswith("}") else field
    return tuple(word for part in _SEPARATOR.split(whole) if (word := plain_text(part)))


def _added(fields: Mapping[str, str]) -> date | None:
    if "dblp.org" in fields.get("biburl", ""):
        return None  # its timestamp is the day of dblp's last change
    for name in ("date-added", "dateadded", "date_added", "added-at", "creationdate", "timestamp"):
        text = fields.get(name, "")
        if text and (found := next((found for form in _DATES if (found := form.search(text))), None)):
            year, month, day = found.group("year", "month", "day")
            try:
                return date(int(year), int(MONTHS.get(month.lower(), month)), int(day))
            except ValueError:
                continue
    return None
