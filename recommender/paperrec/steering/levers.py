"""Levers: terms, authors and venues, as the user names them and as papers meet them."""

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from paperrec.errors import SettingsError
from paperrec.paper import Paper
from paperrec.steering.people import is_author
from paperrec.steering.terms import fold, has_words, stands_in

_KINDS = {"term": "terms", "author": "authors", "venue": "venues"}
_KNOWN = "write WORDS, author:NAME or venue:NAME (term:WORDS for words that look like one of these)"
_PREFIX = re.compile(r"([^\W\d_]+):(\s*)(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Levers:
    """Terms, authors and venues; terms are whole words or phrases, authors a family name and perhaps given names or initials."""

    terms: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Steering:
    """What to bring up and what to keep out."""

    boost: Levers = Levers()
    mute: Levers = Levers()


def levers_of(words: Sequence[str]) -> Levers:
    """The levers that a user writes as "causal inference", "author:Lima, A." or "venue:NeurIPS".

    Raises
    ------
    SettingsError
        One names nothing, or begins like a kind of lever that there is not.
    """
    found: dict[str, list[str]] = {kind: [] for kind in _KINDS}
    for word in words:
        kind, name = _kind_of(word)
        name = name.strip().strip('"“”').strip()
        if not has_words(name):
            raise SettingsError(f"{word!r}: names nothing to look for; {_KNOWN}")
        found[kind].append(name)
    return Levers(*(tuple(names) for names in found.values()))


def _kind_of(word: str) -> tuple[str, str]:
    prefixed = _PREFIX.match(word.strip())
    if not prefixed:
        return "term", word
    said, gap, name = prefixed.groups()
    if said.lower() in _KINDS:
        return said.lower(), name
    if not gap and difflib.get_close_matches(said.lower(), _KINDS):  # with a gap it is a title, such as "Revenue: a study"
        raise SettingsError(f"{word!r}: there is no lever {said!r}; {_KNOWN}")
    return "term", word


def matches(levers: Levers, paper: Paper) -> tuple[str, ...]:
    """The levers that a paper meets, in words: 'term “causal”', 'author “Lima, A.”', 'venue “NeurIPS”'.

    Case, accents and punctuation do not matter, but the signs of "C++", "C#" and "A*" do. A term matches where it stands as whole words in
    title, abstract or keywords (in scripts without gaps between words: anywhere), a venue where its words stand in the paper's venue, an
    author by family name and by as much of the given names as the lever has.
    """
    found: list[str] = []
    if levers.terms:
        said = fold("\n".join((paper.title, paper.abstract, *paper.keywords)))
        found += [f"term “{term}”" for term in levers.terms if stands_in(term, said)]
    found += [f"author “{name}”" for name in levers.authors if any(is_author(name, author) for author in paper.authors)]
    if levers.venues and paper.venue:
        venue = fold(paper.venue)
        found += [f"venue “{name}”" for name in levers.venues if stands_in(name, venue)]
    return tuple(found)


def unmet(steering: Steering, papers: Sequence[Paper]) -> Iterator[str]:
    """The levers that none of the papers meets, as the user writes them: "mute 'author:Lima'"."""
    for what, levers in (("boost", steering.boost), ("mute", steering.mute)):
        met = {lever for paper in papers for lever in matches(levers, paper)}
        for kind, field in _KINDS.items():
            for name in getattr(levers, field):
                if f"{kind} “{name}”" not in met:
                    yield f"{what} {name if kind == 'term' else f'{kind}:{name}'!r}"
