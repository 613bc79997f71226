"""One paper as one BibTeX entry that BibTeX, biber, Zotero and JabRef read alike, whatever its text holds."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable

from paperrec.paper import Paper, family_name, fingerprint
from paperrec.text import accent_commands, printable
from paperrec_adapters.bibtex.entries import DERIVED

MARK = "paperrec"  # our keyword

_ESCAPED = {sign: f"\\{sign}" for sign in "%&#_$"} | {
    "\\": r"{\textbackslash}",
    "{": r"{\textbraceleft}",
    "}": r"{\textbraceright}",
    "~": r"{\textasciitilde}",
    "^": r"{\textasciicircum}",
}
_SPECIAL = re.compile(r"[%&#_$\\{}~^]")
# Signs that TeX would join to others: parted, so that they are read back as they were
_JOINED = re.compile(r"(?<=-)-|(?<=`)`|(?<=')'")
_INNER_CAPITAL = re.compile(r"\w[^\W\d_]*[A-ZÀ-ÖØ-Þ]|\d[A-Z]")
_WEB = re.compile(r"https?://[^\s{}\\\"<>^`|\x00-\x1f\x7f]+", re.IGNORECASE)
_DOI = re.compile(r"10\.[^\s{}\\\"]+")
_PROCEEDINGS = re.compile(r"\b(?:proceedings|conference|workshop|symposium)\b", re.IGNORECASE)
_TRANSLITERATED = str.maketrans(
    {"ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ı": "i"}
)
_STOP_WORDS = frozenset(
    """
    a an and are as at be by do does for from how in into is it its of on or over that the their this to towards toward under via what when
    where which who why with without
    """.split()
)


def escape(text: str) -> str:
    """Plain text as the inside of a braced BibTeX value: nothing in it is a command, and braces balance for every way of counting."""
    escaped = _SPECIAL.sub(lambda found: _ESCAPED[found.group()], printable(text))
    return _JOINED.sub(lambda found: "{}" + found.group(), escaped)


def title_value(title: str) -> str:
    """A title in which words with capitals inside keep them: `{BERT}`; never the whole title, never a single letter."""
    return " ".join(f"{{{escape(word)}}}" if _INNER_CAPITAL.search(word) else escape(word) for word in title.split())


def author_value(authors: Iterable[str]) -> str:
    """Names joined by "and"; what BibTeX would take apart stands in braces."""
    names = []
    for author in authors:
        name = escape(author).strip()
        if not name:
            continue
        words = [word.lower() for word in name.split()]
        whole = "and" in words or words == ["others"] or author.count(",") > 2 or name.strip(", ") != name
        names.append(f"{{{name}}}" if whole else name)
    return " and ".join(names)


def citation_key(paper: Paper, taken: set[str]) -> str:
    """Better BibTeX's auth.lower + shorttitle(3,3) + year, then a, b, c ...; unique in `taken` (lower-case keys), which gets this one.

    No author or no year: `paper` and eight hexadecimal digits of the fingerprint.
    """
    author = _ascii(family_name(paper.authors[0])).lower() if paper.authors else ""
    words = [w for w in _ascii_words(paper.title) if w.lower() not in _STOP_WORDS][:3]
    key = f"{author}{''.join(w[0].upper() + w[1:] for w in words)}{paper.year}"
    if not (author and author[0].isalpha() and paper.year):
        key = f"paper{hashlib.sha256(fingerprint(paper).encode()).hexdigest()[:8]}"
    chosen, number = key, 0
    while chosen.lower() in taken:
        number += 1
        chosen = key + _letters(number)
    taken.add(chosen.lower())
    return chosen


def _letters(number: int) -> str:
    """1 -> a, 26 -> z, 27 -> aa."""
    letters = ""
    while number:
        number, last = divmod(number - 1, 26)
        letters = chr(ord("a") + last) + letters
    return letters


def _ascii(text: str) -> str:
    plain = text.translate(_TRANSLITERATED)
    return "".join(c for c in unicodedata.normalize("NFKD", plain) if c.isascii() and c.isalnum())


def _ascii_words(title: str) -> list[str]:
    parts = re.split(r"[\W_]+", unicodedata.normalize("NFC", printable(title)))
    return [word for part in parts if (word := _ascii(part)[:40])]


def fields_of(paper: Paper) -> dict[str, str]:
    """The fields of an entry as they are written, in their order; what is unknown is left out."""
    in_proceedings = bool(_PROCEEDINGS.search(paper.venue))
    doi = paper.doi or (f"10.48550/arXiv.{paper.arxiv_id}" if paper.arxiv_id else "")
    url = paper.url if _WEB.fullmatch(paper.url) else f"https://arxiv.org/abs/{paper.arxiv_id}" if paper.arxiv_id else ""
    values = {
        "title": title_value(paper.title),
        "author": author_value(paper.authors),
        "year": str(paper.year or ""),
        "booktitle" if in_proceedings else "journal": escape(paper.venue),
        "eprint": paper.arxiv_id,
        "archiveprefix": "arXiv" if paper.arxiv_id else "",
        "primaryclass": escape(paper.arxiv_class) if paper.arxiv_id else "",
        "eprinttype": "arxiv" if paper.arxiv_id else "",
        "doi": doi if _DOI.fullmatch(doi) else "",
        "url": url,
        "abstract": escape(paper.abstract),
        "annote": DERIVED if paper.title_derived else "",
        "keywords": MARK,
    }
    return {name: value for name, value in values.items() if value}


def entry_type(paper: Paper) -> str:
    """`article`, `inproceedings` or `misc`: types that every reader knows."""
    if not paper.venue:
        return "misc"
    return "inproceedings" if _PROCEEDINGS.search(paper.venue) else "article"


def entry(kind: str, key: str, fields: dict[str, str]) -> str:
    """One entry, one field a line, without a last newline."""
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join((f"@{kind}{{{key},", *lines, "}"))


def without_accents(text: str) -> str | None:
    """Escaped text in ASCII, accents as LaTeX; None if it holds a letter that has no such form."""
    commands = accent_commands()
    out: list[str] = []
    for c in unicodedata.normalize("NFC", text):
        command = c if c.isascii() else commands.get(c)
        if command is None:
            return None
        out.append(command)
    return "".join(out)
