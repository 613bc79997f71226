"""The one rule by which a paper gets a citation key, wherever it is written to. Pure."""

import hashlib
import re
import unicodedata

from paperrec.paper import Paper, family_name, fingerprint

_TRANSLITERATED = str.maketrans(
    {"ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "ı": "i"}
)
_LONGEST_WORD = 40  # characters of a word in a key
_STOP_WORDS = frozenset(
    """
    a an and are as at be by do does for from how in into is it its of on or over that the their this to towards toward under via what when
    where which who why with without
    """.split()
)


def citation_key(paper: Paper, taken: set[str]) -> str:
    """A key of its own among `taken` (lower-case keys), which gets it: the `base_key`, if need be with a, b, c ... behind it."""
    base = chosen = base_key(paper)
    number = 0
    while chosen.lower() in taken:
        number += 1
        chosen = base + _letters(number)
    taken.add(chosen.lower())
    return chosen


def base_key(paper: Paper) -> str:
    """Better BibTeX's auth.lower + shorttitle(3,3) + year; without author or year the `fingerprint_key`."""
    author = _ascii(family_name(paper.authors[0])).lower()[:_LONGEST_WORD] if paper.authors else ""
    if not (author and author[0].isalpha() and paper.year):
        return fingerprint_key(paper)
    words = [w for w in _ascii_words(paper.title) if w.lower() not in _STOP_WORDS][:3]
    return f"{author}{''.join(w[0].upper() + w[1:] for w in words)}{paper.year}"


def fingerprint_key(paper: Paper) -> str:
    """`paper` and eight hexadecimal digits: the same for every record with this fingerprint."""
    return f"paper{hashlib.sha256(fingerprint(paper).encode()).hexdigest()[:8]}"


def _letters(number: int) -> str:
    """1 -> a, 26 -> z, 27 -> aa."""
    letters = ""
    while number:
        number, last = divmod(number - 1, 26)
        letters = chr(ord("a") + last) + letters
    return letters


def _ascii(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text.translate(_TRANSLITERATED)) if c.isascii() and c.isalnum())


def _ascii_words(title: str) -> list[str]:
    whole_words = "".join(c for c in unicodedata.normalize("NFKD", title) if not unicodedata.combining(c) and c not in "'’")
    return [word for part in re.split(r"[\W_]+", whole_words) if (word := _ascii(part)[:_LONGEST_WORD])]
