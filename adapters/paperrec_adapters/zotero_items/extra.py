"""The field Extra, in which Zotero and its users keep a line for whatever has no field of its own."""

import re

from paperrec.paper import normalize_arxiv_id

OURS = "paperrec:"  # begins the line that every item of ours bears
DERIVED = "The title was derived from the abstract."
PUBLISHED = "Published in"  # label of the venue of what has no field for one
CITATION_KEYS = ("citation key", "citekey", "bibtex")  # labels of the key, Zotero's own first and the plug-in's old one last

_LABELLED = re.compile(r"\s*([A-Za-z][\w .-]{0,40}?)\s*:\s*(\S.*)")
_ARXIV = re.compile(
    r"\barxiv(?:[\s_-]?id)?\s*[:=]\s*((?:\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[a-z]{2})?/\d{7})(?:v\d+)?)(?![\w.]*\w)"
    r"(?:\s*\[([A-Za-z-]{2,12}(?:\.[A-Za-z-]{2,12})?)\])?",
    re.IGNORECASE,
)
_ABOUT_ITSELF = re.compile(
    r"\s*(?:(?:archive[ _-]?id|archive location|eprint|tex\.eprint|number|report number)\s*:\s*)?arxiv\b", re.IGNORECASE
)
_CLASS = re.compile(r"[A-Za-z-]{2,12}(?:\.[A-Za-z-]{2,12})?")


def labelled(extra: str) -> dict[str, str]:
    """The first value of each "Label: value" line, by the label in small letters.

    >>> labelled("DOI: 10.5555/x\\nmy note\\nCitation Key: roe2020")
    {'doi': '10.5555/x', 'citation key': 'roe2020'}
    """
    found: dict[str, str] = {}
    for line in extra.splitlines():
        if parts := _LABELLED.fullmatch(line):
            found.setdefault(parts.group(1).lower(), parts.group(2).strip())
    return found


def arxiv_in(text: str) -> tuple[str, str]:
    """Id and class of the first "arXiv:ID [class]" in a text; each "" if it is not there.

    >>> arxiv_in("arXiv:2405.00001v2 [cs.LG]"), arxiv_in("arXiv: astro-ph/0603274"), arxiv_in("PMC:2405.00001")
    (('2405.00001', 'cs.LG'), ('astro-ph/0603274', ''), ('', ''))
    """
    if ":" not in text and "=" not in text:  # one of them must stand before an id
        return "", ""
    for found in _ARXIV.finditer(text):
        if arxiv_id := normalize_arxiv_id(found.group(1)):
            return arxiv_id, found.group(2) or ""
    return "", ""


def arxiv_lines(extra: str) -> str:
    """The lines that say which arXiv id the item itself has; another may be spoken of in the rest.

    >>> arxiv_lines("extends arXiv:2405.00001\\narXiv: 2405.00002")
    'arXiv: 2405.00002'
    """
    return "\n".join(filter(_ABOUT_ITSELF.match, extra.splitlines()))


def arxiv_line(arxiv_id: str, arxiv_class: str) -> str:
    """The line by which Zotero's own translators tell an arXiv id."""
    if not arxiv_id:
        return ""
    return f"arXiv:{arxiv_id} [{arxiv_class}]" if _CLASS.fullmatch(arxiv_class) else f"arXiv:{arxiv_id}"


def is_ours(extra: str) -> bool:
    """Whether we made the item: then its texts are plain already, and were never LaTeX or HTML."""
    return any(line.startswith(OURS) for line in extra.splitlines())
