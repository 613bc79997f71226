"""Creators of an item and authors of a paper: people in two fields, organisations and names of other orders in one."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from paperrec_adapters.zotero_items.wording import LONGEST_NAME, cut_characters, one_line

_MOST_CREATORS = 500

# The main creator of each type of item; then those who stand for it where there is none
_AUTHORS = frozenset(
    """
    artist author cartographer composer creator director interviewee inventor performer podcaster presenter programmer sponsor
    """.split()
)
_EDITORS = frozenset(("editor", "bookAuthor", "organizer", "chair", "producer"))

_SUFFIX = re.compile(r"(?:jr|sr|ii|iii|iv)\.?", re.IGNORECASE)
_ORGANISATION = re.compile(
    r"\b(?:academy|agency|alliance|association|authority|board|bureau|cent(?:er|re)|clinic|collaborations?|college|commission|committee"
    r"|community|company|consorti(?:um|a)|corporation|council|department|faculty|federation|foundation|group|hospital|inc|initiative"
    r"|institut(?:e|ion|o)?|investigators|labs?|laborator(?:y|ies)|llc|ltd|gmbh|ministry|network|observatory|office|organi[sz]ation"
    r"|program(?:me)?|project|research|school|service|society|study|survey|team|trust|union|universit(?:y|ies|ät|é|à|at)"
    r"|universi(?:dad|dade|tas|teit)|working)\b|\d|[&@/]",
    re.IGNORECASE,
)
_SMALL_WORD = re.compile(r"^[Tt]he\b|\b(?:of|for|and|on)\b")
# Han, kana, hangul: the family name stands first, and nothing but a dictionary tells where it ends
_FAMILY_FIRST = re.compile(
    "[\u1100-\u11ff\u2e80-\u2fdf\u3005-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff]|[\U00020000-\U0003ffff]"
)


def authors_of(creators: object) -> tuple[tuple[str, str], ...]:
    """(family, given) of each author in their order, of each editor where there are no authors, else of all; ("CERN", "") for one field.

    What has not the form of a creator is passed over.
    """
    groups: tuple[list[tuple[str, str]], ...] = ([], [], [])
    for creator in creators if isinstance(creators, list) else ():
        if isinstance(creator, Mapping) and (name := _name(creator)):
            role = str(creator.get("creatorType", "author"))
            groups[0 if role in _AUTHORS else 1 if role in _EDITORS else 2].append(name)
    return tuple(next(filter(None, groups), ()))


def _name(creator: Mapping[str, Any]) -> tuple[str, str] | None:
    whole, family, given = _part(creator, "name"), _part(creator, "lastName"), _part(creator, "firstName")
    if whole or not (family and given):
        name = whole or family or given
        return (name, "") if name else None
    return family, given


def _part(creator: Mapping[str, Any], field: str) -> str:
    value = creator.get(field)
    return value.strip() if isinstance(value, str) else ""


def joined(family: str, given: str) -> str:
    """A name as a paper has it.

    >>> joined("King", "Martin Luther, Jr."), joined("CERN", "")
    ('King, Jr., Martin Luther', 'CERN')
    """
    before, _, last = given.rpartition(", ")
    if before and _SUFFIX.fullmatch(last):
        return f"{family}, {last}, {before}"
    return f"{family}, {given}" if given else family


def creators_of(authors: Iterable[str]) -> tuple[list[dict[str, str]], list[str]]:
    """The authors as creators, and a note on each thing that did not fit."""
    names = [name for author in authors if (name := one_line(author).strip(", "))]
    creators = [_creator(name) for name in names[:_MOST_CREATORS]]
    notes = [f"authors cut to the first {_MOST_CREATORS} of {len(names):,}"] if len(names) > _MOST_CREATORS else []
    kept = [{field: cut_characters(name) for field, name in creator.items()} for creator in creators]
    if n_cut := sum(a != b for a, b in zip(creators, kept, strict=True)):
        notes.append(
            f"{n_cut:,} names of authors cut to {LONGEST_NAME} characters"
            if n_cut > 1
            else f"name of an author cut to {LONGEST_NAME} characters"
        )
    return kept, notes


def _creator(name: str) -> dict[str, str]:
    family, given = split_name(name)
    names = {"firstName": given, "lastName": family} if given else {"name": family}
    return {"creatorType": "author", **names}


def split_name(name: str) -> tuple[str, str]:
    """Family and given name; an organisation's, or one whose parts cannot be told, whole and "".

    >>> split_name("Ada Lovelace"), split_name("Joost van der Velde"), split_name("King, Jr., Martin Luther")
    (('Lovelace', 'Ada'), ('van der Velde', 'Joost'), ('King', 'Martin Luther, Jr.'))
    >>> split_name("CERN Collaboration"), split_name("University of X, Y"), split_name("王 小明")
    (('CERN Collaboration', ''), ('University of X, Y', ''), ('王 小明', ''))
    """
    family, comma, given = (part.strip() for part in name.partition(","))
    if comma:
        if not (family and given) or (" " in family and _is_organisation(family)):
            return name, ""
        suffix, second, rest = (part.strip() for part in given.partition(","))
        return (family, f"{rest}, {suffix}") if second and rest and _SUFFIX.fullmatch(suffix) else (family, given)
    words = name.split()
    if len(words) < 2 or _is_organisation(name) or _FAMILY_FIRST.search(name):
        return name, ""
    suffix = f", {words.pop()}" if len(words) > 2 and _SUFFIX.fullmatch(words[-1]) else ""
    first = next((at for at, word in enumerate(words[1:-1], 1) if word[0].islower()), len(words) - 1)
    return " ".join(words[first:]), " ".join(words[:first]) + suffix


def _is_organisation(name: str) -> bool:
    return bool(_ORGANISATION.search(name) or _SMALL_WORD.search(name))
