"""A paper, and the rules by which two records are the same work."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from urllib.parse import unquote


@dataclass(frozen=True, slots=True)
class Paper:
    """One work as one source describes it; what is unknown is "", () or None. All text is plain, never LaTeX or HTML."""

    key: str = ""  # its name inside its source: citation key, item key, "seeds.txt:3"
    title: str = ""
    abstract: str = ""
    authors: tuple[str, ...] = ()  # "Family, Given" where the source tells the two apart
    year: int | None = None
    venue: str = ""
    doi: str = ""  # as `normalize_doi` gives it
    arxiv_id: str = ""  # as `normalize_arxiv_id` gives it
    arxiv_class: str = ""  # primary class, "cs.LG"
    url: str = ""
    pdf: str = ""
    keywords: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()  # paths, "PhD/Chapter 2"
    added: date | None = None  # when it came into the user's library
    title_derived: bool = False  # the title was made from the abstract by us


_DOI = re.compile(r"10\.\d{1,9}(?:\.\d+)*/\S+")
_DOI_RESOLVER = re.compile(r"\s*(?:(?:https?://)?(?:dx\.|www\.)?doi\.org/|doi\s*[:=]?\s*)", re.IGNORECASE)
_LATEX_ESCAPE = re.compile(r"\{?\\([_%#&~{}<>])\}?")
_ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)", re.IGNORECASE)
_ARXIV_NEW = re.compile(r"(?<![\d.])(\d{2}(?:0[1-9]|1[0-2])\.\d{4,5})(?:v\d+)?(?![\d])")
_ARXIV_OLD = re.compile(
    r"(?<![a-z-])([a-z][a-z-]{1,8}?(?:-[a-z]{2,6})?)(?:\.[a-z]{2})?/(\d{2}(?:0[1-9]|1[0-2])\d{3})(?:v\d+)?(?!\d)",
    re.IGNORECASE,
)
# The archives that gave ids of the old form, https://arxiv.org/archive
_ARCHIVES = frozenset(
    """
    acc-phys adap-org alg-geom ao-sci astro-ph atom-ph bayes-an chao-dyn chem-ph cmp-lg comp-gas cond-mat cs dg-ga
    funct-an gr-qc hep-ex hep-lat hep-ph hep-th math math-ph mtrl-th nlin nucl-ex nucl-th patt-sol physics plasm-ph
    q-alg q-bio quant-ph solv-int supr-con
    """.split()
)


def normalize_doi(text: str) -> str:
    """The DOI in `text` in its one form, or "" if there is none.

    Resolver addresses, a leading "doi:", LaTeX escapes and percent codes are undone; the letters are lower-case (DOI Handbook 2.4: ASCII
    case has no meaning).

    >>> normalize_doi(r"https://doi.org/10.5555/JRNL{\\_}5%3C1")
    '10.5555/jrnl_5<1'
    """
    bare = text.lstrip("{")
    if resolver := _DOI_RESOLVER.match(bare):
        bare = bare[resolver.end() :]
    if "\\" in bare:
        bare = _LATEX_ESCAPE.sub(r"\1", bare)
    bare = bare.replace("{", "").replace("}", "")
    found = _DOI.search(unquote(bare))
    return found.group().rstrip(".,;'\"").lower() if found else ""


def normalize_arxiv_id(text: str) -> str:
    """The arXiv id in `text` without its version, or "" if there is none.

    Ids, addresses, "arXiv:" forms and 10.48550/arXiv DOIs are understood; the class inside an old id is dropped, as arXiv does.

    >>> normalize_arxiv_id("https://export.arxiv.org/pdf/2601.00051v2.pdf"), normalize_arxiv_id("math.AG/0601001v1")
    ('2601.00051', 'math/0601001')
    """
    if found := _ARXIV_DOI.search(text):
        text = found.group(1)
    if found := _ARXIV_NEW.search(text):
        return found.group(1)
    for found in _ARXIV_OLD.finditer(text):
        if (archive := found.group(1).lower()) in _ARCHIVES:
            return f"{archive}/{found.group(2)}"
    return ""


_ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")
_NO_LETTERS = re.compile(r"[\W_]+")


def normalize_title(title: str) -> str:
    """Letters and digits of a title, case and accents folded, words one blank apart.

    >>> normalize_title("  Deep—Graphs: the 2nd Étude. ")
    'deep graphs the 2nd etude'
    """
    if not title.isascii():
        title = _ACCENTS.sub("", unicodedata.normalize("NFKD", title))
    return _NO_LETTERS.sub(" ", title.casefold()).strip()


_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})


def family_name(author: str) -> str:
    """The folded last word of an author's family name, from "Family, Given" or "Given Family".

    >>> family_name("van der Velde, Joost"), family_name("Joost van der Velde"), family_name("J. Müller Jr.")
    ('velde', 'velde', 'muller')
    """
    family, comma, _ = author.partition(",")
    words = [w for w in normalize_title(family if comma else author).split() if w not in _SUFFIXES]
    return words[-1] if words else ""


def identifiers(paper: Paper) -> tuple[str, ...]:
    """Names that the world gave the work, strongest first: "arxiv:2601.00051", "doi:10.5555/x"."""
    web = paper.url if "arxiv.org/" in paper.url or "doi.org/10." in paper.url else ""
    told = paper.doi or (web if "doi.org/" in web else "")
    doi = normalize_doi(told) if told else ""
    told = paper.arxiv_id or (doi if _ARXIV_DOI.match(doi) else "") or (web if "arxiv.org/" in web else "")
    arxiv = normalize_arxiv_id(told) if told else ""
    named = [f"arxiv:{arxiv}"] if arxiv else []
    if doi and not _ARXIV_DOI.match(doi):
        named.append(f"doi:{doi}")
    return tuple(named)


_SHORT_TITLE = 4  # words; a shorter title names its work only together with the year
_SHORTEST_ABSTRACT = 200  # characters; equal shorter ones may be boilerplate


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]


def fingerprint(paper: Paper) -> str:
    """The name of the work: the strongest identifier, else a digest of title and first author, else of the abstract.

    Two records of one work that share no identifier can still differ here; `merge` and `Works` compare all of them.
    """
    if named := identifiers(paper):
        return named[0]
    title = "" if paper.title_derived else normalize_title(paper.title)
    if title:
        family = family_name(paper.authors[0]) if paper.authors else ""
        year = str(paper.year or "") if title.count(" ") + 1 < _SHORT_TITLE else ""
        return "title:" + _digest("|".join((title, family, year)))
    return "text:" + _digest(normalize_title(paper.abstract) or paper.abstract or paper.title or paper.key)


# Titles that thousands of works share; for them only equal authors and an equal year speak.
_GENERIC_TITLES = frozenset(
    """
    abstract|acknowledgements|annual report|book review|book reviews|comment|conclusion|conclusions|correction|corrigendum|discussion
    |editorial|erratum|foreword|guest editorial|index|introduction|letter to the editor|obituary|preface|proceedings|reply|response|review
    |summary|table of contents|untitled
    """.replace("\n    ", "").split("|")
)
# DOI prefixes of preprint servers: such a DOI may name the same work as a journal's.
_PREPRINT_DOIS = (
    "10.1101/",
    "10.2139/",
    "10.5281/",
    "10.20944/",
    "10.21203/",
    "10.26434/",
    "10.31219/",
    "10.31234/",
    "10.36227/",
    "10.48550/",
)
_LONGEST_LAG = 3  # years between a preprint and its publication


def _ids_conflict(a: Paper, b: Paper) -> bool:
    ours, theirs = dict(n.split(":", 1) for n in identifiers(a)), dict(n.split(":", 1) for n in identifiers(b))
    if ours.get("arxiv") and theirs.get("arxiv"):
        return ours["arxiv"] != theirs["arxiv"]
    dois = [d for d in (ours.get("doi"), theirs.get("doi")) if d]
    return len(set(dois)) == 2 and not any(d.startswith(_PREPRINT_DOIS) for d in dois)


def _may_be_same(a: Paper, b: Paper, title: str) -> bool:
    """Whether nothing speaks against two records with the equal normalised `title` being one work."""
    if _ids_conflict(a, b):
        return False
    lag = abs(a.year - b.year) if a.year and b.year else None
    families_a, families_b = {family_name(x) for x in a.authors} - {""}, {family_name(x) for x in b.authors} - {""}
    if title in _GENERIC_TITLES or len(title) < 8:
        return bool(families_a) and families_a == families_b and lag == 0
    if lag is not None and lag > (_LONGEST_LAG if " " in title else 0):
        return False
    return not families_a or not families_b or bool(families_a & families_b)


class Works:
    """Groups records by work: by identifiers, then by equal title or abstract where authors, years and ids do not contradict.

    Parameters
    ----------
    papers
        Records in any order; a record joins the first group that it fits.
    """

    def __init__(self, papers: Iterable[Paper] = ()) -> None:
        self.groups: list[list[Paper]] = []  # an emptied group was joined to another
        self._by_name: dict[str, int] = {}
        self._by_text: dict[str, list[int]] = {}
        for paper in papers:
            self.add(paper)

    @staticmethod
    def _names(paper: Paper) -> tuple[str, ...]:
        """What a record is recognised by at once: its identifiers, or having none, every word of it."""
        return identifiers(paper) or ("record:" + _digest(repr((paper.title, paper.abstract, paper.authors, paper.year, paper.venue))),)

    @staticmethod
    def _texts(paper: Paper) -> list[tuple[str, str]]:
        """What a record may be recognised by besides identifiers: (look-up name, title to guard with)."""
        found = []
        title = "" if paper.title_derived else normalize_title(paper.title)
        if title:
            found.append(("title:" + title, title))
        if paper.abstract and (not title or len(paper.abstract) >= _SHORTEST_ABSTRACT):
            found.append(("abstract:" + _digest(normalize_title(paper.abstract) or paper.abstract), "equal abstracts"))
        return found

    def find(self, paper: Paper) -> int | None:
        """The group of the work that `paper` describes, or None if no record of it was added."""
        return self._find(paper, self._names(paper), self._texts(paper))

    def _find(self, paper: Paper, names: Sequence[str], texts: Sequence[tuple[str, str]]) -> int | None:
        for name in names:
            if (group := self._by_name.get(name)) is not None:
                return group
        for name, title in texts:
            for group in self._by_text.get(name, ()):
                if all(_may_be_same(paper, other, title) for other in self.groups[group]):
                    return group
        return None

    def add(self, paper: Paper) -> int:
        """Add a record and return its group."""
        names, texts = self._names(paper), self._texts(paper)
        group = self._find(paper, names, texts)
        if group is None:
            group = len(self.groups)
            self.groups.append([])
        self.groups[group].append(paper)
        for name in names:
            other = self._by_name.setdefault(name, group)
            if other != group:  # this record ties two groups together
                self._join(group, other)
                group = other
        for name, _ in texts:
            if group not in (groups := self._by_text.setdefault(name, [])):
                groups.append(group)
        return group

    def _join(self, emptied: int, kept: int) -> None:
        self.groups[kept].extend(self.groups[emptied])
        self.groups[emptied] = []
        for name, group in self._by_name.items():
            if group == emptied:
                self._by_name[name] = kept
        for groups in self._by_text.values():
            groups[:] = dict.fromkeys(kept if g == emptied else g for g in groups)


def merge(papers: Sequence[Paper]) -> tuple[Paper, ...]:
    """One record a work, in order of first appearance; the first record's values win, the others fill its gaps."""
    return tuple(combine(group) for group in Works(papers).groups if group)


def combine(records: Sequence[Paper]) -> Paper:
    """One record of records that are one work: the first one's values win, the others fill its gaps; lists are joined."""
    if len(records) == 1:
        return records[0]
    values: dict[str, object] = {}
    for field in fields(Paper):
        given = [getattr(r, field.name) for r in records]
        values[field.name] = next((v for v in given if v), given[0])
    titled = [r for r in records if r.title and not r.title_derived] or [r for r in records if r.title] or list(records)
    values["title"], values["title_derived"] = titled[0].title, titled[0].title_derived
    values["keywords"] = tuple(dict.fromkeys(k for r in records for k in r.keywords))
    values["collections"] = tuple(dict.fromkeys(c for r in records for c in r.collections))
    values["added"] = min((r.added for r in records if r.added), default=None)
    return replace(records[0], **values)  # type: ignore[arg-type]
