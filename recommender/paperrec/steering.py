"""The user's levers: what to bring up, what to keep out."""

from dataclasses import dataclass

from paperrec.paper import Paper, family_name, normalize_title


@dataclass(frozen=True, slots=True)
class Levers:
    """Terms, authors and venues; terms are whole words or phrases, authors a family name and perhaps an initial."""

    terms: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    venues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Steering:
    """What to bring up and what to keep out."""

    boost: Levers = Levers()
    mute: Levers = Levers()


def matches(levers: Levers, paper: Paper) -> tuple[str, ...]:
    """The levers that a paper meets, in words: 'term “causal”', 'author “Lima, A.”', 'venue “NeurIPS”'.

    Case, accents and punctuation do not matter. A term matches where it stands as whole words in title, abstract or keywords, a venue where
    its words stand in the paper's venue, an author by family name and, if the lever has one, first initial.
    """
    found: list[str] = []
    if levers.terms:
        said = normalize_title(f"{paper.title} {paper.abstract} {' '.join(paper.keywords)}")
        found += [f"term “{term}”" for term in levers.terms if _stands_in(term, said)]
    found += [f"author “{name}”" for name in levers.authors if any(_is_author(name, author) for author in paper.authors)]
    if levers.venues and paper.venue:
        venue = normalize_title(paper.venue)
        found += [f"venue “{name}”" for name in levers.venues if _stands_in(name, venue)]
    return tuple(found)


def _stands_in(words: str, text: str) -> bool:
    wanted = normalize_title(words)
    return bool(wanted) and f" {wanted} " in f" {text} "


def _is_author(lever: str, author: str) -> bool:
    family, initial = family_name(lever), _initial(lever)
    return bool(family) and family == family_name(author) and (not initial or initial == _initial(author))


def _initial(name: str) -> str:
    """The first letter of the given name; "" if there is none."""
    family, comma, given = name.partition(",")
    words = normalize_title(given if comma else family).split()
    return words[0][0] if words and (comma or len(words) > 1) else ""
