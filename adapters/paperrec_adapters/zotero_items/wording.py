"""Text as it goes into Zotero and comes back: clean, within the limits, and never taken for the few marks that Zotero renders."""

import re
import unicodedata

from paperrec.text import printable
from paperrec.text.spacing import tidy_line

LONGEST_FIELD = 64_000  # bytes of UTF-8: the service takes 65,535, and refuses the whole item for one more
LONGEST_NAME = 255  # characters of a creator's name, or of a tag
_MOST_JOINED = 50  # characters that belong to the letter before them, beyond which a letter is none

# What Zotero and its citations render in a title or in the name of a journal; every other tag is shown as it is written
_MARKS = r"/?(?:i|b|sub|sup|sc|span)(?:\s[^<>]*)?"
_LIVE = re.compile(rf"<({_MARKS})>", re.IGNORECASE)
_INERT = re.compile(rf"< ({_MARKS})>", re.IGNORECASE)


def one_line(text: str) -> str:
    """The text as Zotero keeps it: composed letters, one line, nothing that is unseen or turns the reading direction.

    >>> one_line(" a\\u202e \\x1b[31mred\\n line ")
    'a red line'
    """
    return tidy_line(printable(text))


def inert(text: str) -> str:
    """A title whose letters people see as they are: a blank keeps Zotero from taking `<i>` for italics.

    >>> inert("The <b> tag, a<b and <script>")
    'The < b> tag, a<b and <script>'
    """
    return _LIVE.sub(r"< \1>", text)


def as_written(text: str) -> str:
    """What `inert` was given; marks that a person added since are taken off.

    >>> as_written("The < b> tag of <i>E. coli</i>")
    'The <b> tag of E. coli'
    """
    return _INERT.sub(r"<\1>", _LIVE.sub("", text))


def cut_bytes(text: str, limit: int = LONGEST_FIELD) -> str:
    """The beginning of a text, at most `limit` bytes of UTF-8, without half a letter at its end.

    >>> cut_bytes("naïve", 3), cut_bytes("x é y", 4)
    ('na', 'x é')
    """
    data = text.encode()
    if len(data) <= limit:
        return text
    return _without_half_a_letter(text, len(data[:limit].decode(errors="ignore")))


def cut_characters(text: str, limit: int = LONGEST_NAME) -> str:
    """The beginning of a text, at most `limit` characters, without half a letter at its end."""
    return text if len(text) <= limit else _without_half_a_letter(text, limit)


def _without_half_a_letter(text: str, end: int) -> str:
    """The text up to `end`, or to the beginning of the letter whose accents, joiners or modifiers stand there."""
    for at in range(end, max(end - _MOST_JOINED, 0), -1):
        if not _joins(text[at]) and text[at - 1] != "\u200d":
            return text[:at].rstrip()
    return text[:end].rstrip()


def _joins(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Mc", "Me") or character in "\u200c\u200d" or "\U0001f3fb" <= character <= "\U0001f3ff"
