"""One paper as one BibTeX entry that BibTeX, biber, Zotero and JabRef read alike, whatever its text holds."""

import re
import unicodedata
from collections.abc import Iterable

from paperrec.paper import Paper, normalize_arxiv_id
from paperrec.text import accent_commands, printable
from paperrec_adapters.bibtex.entries import DERIVED

MARK = "paperrec"  # our keyword
VERBATIM = frozenset(("doi", "eprint", "url"))  # fields in which nothing is escaped

_ESCAPED = {sign: f"\\{sign}" for sign in "%&#_$"} | {
    "\\": r"{\textbackslash}",
    "{": r"{\textbraceleft}",
    "}": r"{\textbraceright}",
    "~": r"{\textasciitilde}",
    "^": r"\^{}",
}
# A pair of braces is read by all in its short form; a lone one must not be counted by those that count escaped braces
_SPECIAL = re.compile(r"\{([^{}]*)\}|[%&#_$\\{}~^]")
# Signs that TeX would join to others: parted, so that they are read back as they were
_JOINED = re.compile(r"(?<=-)-|(?<=`)`|(?<=')'")
_INNER_CAPITAL = re.compile(r"\w[^\W\d_]*[A-ZÀ-ÖØ-Þ]|\d[A-Z]|[A-Z](?:#|\+\+)")
_WEB = re.compile(r"https?://[^\s{}\\\"<>^`|\x00-\x1f\x7f]+", re.IGNORECASE)
_DOI = re.compile(r"10\.[^\s{}\\\"]+")
_PROCEEDINGS = re.compile(r"\b(?:proceedings|conference|workshop|symposium)\b", re.IGNORECASE)


def escape(text: str) -> str:
    r"""Plain text as the inside of a braced BibTeX value: nothing in it is a command, and braces balance for every way of counting.

    >>> escape(r"50% of {a_1} in \input{x}, and a lone }")
    '50\\% of \\{a\\_1\\} in {\\textbackslash}input\\{x\\}, and a lone {\\textbraceright}'
    """
    return _JOINED.sub(lambda found: "{}" + found.group(), _SPECIAL.sub(_escaped, printable(text)))


def _escaped(found: re.Match[str]) -> str:
    inside = found.group(1)
    return _ESCAPED[found.group()] if inside is None else f"\\{{{_SPECIAL.sub(_escaped, inside)}\\}}"


def title_value(title: str) -> str:
    """A title in which words with capitals inside keep them: `{BERT}`; never the whole title, never a single letter."""
    escaped = escape(title).split()
    if len(escaped) > 1 and title.isupper():
        return " ".join(escaped)
    return " ".join(f"{{{word}}}" if _INNER_CAPITAL.search(word) else word for word in escaped)


def author_value(authors: Iterable[str]) -> str:
    """Names joined by "and"; what BibTeX or biblatex would take apart stands in braces."""
    names = []
    for author in authors:
        name = " ".join(escape(author).split())
        if not name.strip(", "):
            continue
        words = [word.lower() for word in name.split()]
        whole = "and" in words or words == ["others"] or "=" in name or name.count(",") > 2 or name.strip(", ") != name
        names.append(f"{{{name}}}" if whole else name)
    return " and ".join(names)


def fields_of(paper: Paper) -> dict[str, str]:
    """The fields of an entry as they are written, in their order; what is unknown is left out."""
    in_proceedings = bool(_PROCEEDINGS.search(paper.venue))
    arxiv_id = normalize_arxiv_id(paper.arxiv_id)
    values = {
        "title": title_value(paper.title),
        "author": author_value(paper.authors),
        "year": str(paper.year or ""),
        "booktitle" if in_proceedings else "journal": escape(paper.venue),
        "eprint": arxiv_id,
        "archiveprefix": "arXiv" if arxiv_id else "",
        "primaryclass": escape(paper.arxiv_class) if arxiv_id else "",
        "eprinttype": "arxiv" if arxiv_id else "",
        "doi": _verbatim(_DOI, paper.doi) or (f"10.48550/arXiv.{arxiv_id}" if arxiv_id else ""),
        "url": _verbatim(_WEB, paper.url) or (f"https://arxiv.org/abs/{arxiv_id}" if arxiv_id else ""),
        "abstract": escape(paper.abstract),
        "annote": DERIVED if paper.title_derived else "",
        "keywords": MARK,
    }
    return {name: value for name, value in values.items() if value.strip()}


def _verbatim(form: re.Pattern[str], text: str) -> str:
    return text if form.fullmatch(text) and printable(text) == text else ""


def entry_type(paper: Paper) -> str:
    """`article`, `inproceedings` or `misc`: types that every reader knows."""
    if not paper.venue:
        return "misc"
    return "inproceedings" if _PROCEEDINGS.search(paper.venue) else "article"


def entry(kind: str, key: str, fields: dict[str, str]) -> str:
    """One entry, one field a line, without a last newline."""
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join((f"@{kind}{{{key},", *lines, "}"))


def in_ascii(fields: dict[str, str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """Fields for a file that is not UTF-8: accents as LaTeX, and the names of those that hold letters without such a form."""
    found = {name: _in_ascii(value, verbatim=name in VERBATIM) for name, value in fields.items()}
    return {name: value for name, value in found.items() if value}, tuple(name for name, value in found.items() if value is None)


def _in_ascii(text: str, *, verbatim: bool) -> str | None:
    if text.isascii() or verbatim:
        return text if text.isascii() else None
    commands = accent_commands()
    out: list[str] = []
    for c in unicodedata.normalize("NFC", text):
        written = c if c.isascii() else commands.get(c) or unicodedata.normalize("NFKC", c)
        if not written.isascii():
            return None
        out.append(written)
    return "".join(out)
