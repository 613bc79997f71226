"""Whether a name that the user gives is one of a paper's authors: by family name, and by as much of the given names as both tell."""

import functools
import re
from dataclasses import dataclass

from paperrec.steering.terms import fold

_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})
# Words that a family name may begin with; from the first of them on, a name without a comma is family name
_PARTICLES = frozenset(
    "af al av da das de dei del della den der di do dos du el la las le les lo los ten ter van vom von zu zum zur".split()
)
_INITIALS = re.compile(r"[A-Z]{1,3}|(?:[^\W\d_]\.-?)+[^\W\d_]?")  # "W", "WJ", "W.", "W.-J."
_WORD = re.compile(r"[^\W\d_]+(?:['’ʼ][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class _Name:
    family: tuple[str, ...]  # folded words, particles among them
    given: tuple[str, ...]  # folded words or single letters


def is_author(asked: str, author: str) -> bool:
    """Whether `asked` names `author`; either may be "Family", "Family, Given", "Given Family", "G. Family" or "Family GH".

    Particles count only where both have some, given names only as far as `asked` tells them, and an initial stands for any name that begins
    with it.

    >>> is_author("van der Berg", "Berg, Jan van der"), is_author("Zhang W", "Zhang, Wei"), is_author("W. Zhang", "Zhang, Bo")
    (True, True, False)
    """
    theirs = _name(author)
    wanted = _words(asked)
    if not wanted or not theirs.family:
        return False
    if "," not in asked and _is_spelt_out(wanted, theirs):
        return True
    ours = _name(asked)
    return _is_family(ours.family, theirs.family) and _is_given(ours.given, theirs.given)


def _is_spelt_out(wanted: tuple[str, ...], theirs: _Name) -> bool:
    """Whether words are a whole name in either order, a family name of several words, or a name that is written without a gap."""
    whole = theirs.given + theirs.family
    ends_so = min(map(len, wanted)) > 1 and whole[-len(wanted) :] == wanted  # "García Márquez", however the author's name is cut
    return ends_so or wanted in (theirs.family, whole, theirs.family + theirs.given) or wanted == ("".join(theirs.family + theirs.given),)


def _is_family(ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    our_particles, their_particles = (tuple(w for w in words[:-1] if w in _PARTICLES) for words in (ours, theirs))
    if our_particles and their_particles and our_particles != their_particles:
        return False
    our_words, their_words = (tuple(w for w in words[:-1] if w not in _PARTICLES) + words[-1:] for words in (ours, theirs))
    shorter = min(len(our_words), len(their_words))
    return shorter > 0 and our_words[-shorter:] == their_words[-shorter:]


def _is_given(ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
    if not ours:
        return True
    if not theirs:
        return False
    if "".join(ours) == "".join(theirs):  # "Wei-Ming" and "Weiming"
        return True
    return all(a == b or (min(len(a), len(b)) == 1 and a[0] == b[0]) for a, b in zip(ours, theirs, strict=False))


@functools.lru_cache(maxsize=100_000)  # a name is met again with each lever
def _name(name: str) -> _Name:
    family, *rest = [part for part in name.split(",") if fold(part.strip(" .")) not in _SUFFIXES] or [""]
    if rest:
        given = _given(" ".join(rest), name)
        particles = _trailing_particles(given)
        return _Name(particles + _words(family), given[: len(given) - len(particles)])
    parts = [part for part in family.split() if fold(part.strip(".")) not in _SUFFIXES]
    particle = next((n for n, part in enumerate(parts[:-1]) if fold(part) in _PARTICLES and (n or part.islower())), None)
    if particle is not None:
        return _Name(_words(" ".join(parts[particle:])), _given(" ".join(parts[:particle]), name))
    n_initials = next((n for n, part in enumerate(reversed(parts)) if not _is_initials(part, name)), 0)
    if n_initials:
        return _Name(_words(" ".join(parts[:-n_initials])), _given(" ".join(parts[-n_initials:]), name))
    return _Name(_words(" ".join(parts[-1:])), _given(" ".join(parts[:-1]), name))


def _trailing_particles(given: tuple[str, ...]) -> tuple[str, ...]:
    """The particles that BibTeX and some services put behind the given names: "Berg, Jan van der"."""
    start = len(given)
    while start > 1 and given[start - 1] in _PARTICLES:
        start -= 1
    return given[start:]


def _is_initials(part: str, name: str) -> bool:
    """Whether a part of a name is initials; of a name in capitals, only what has a point or is a letter."""
    return bool(_INITIALS.fullmatch(part)) and (len(part) == 1 or "." in part or not name.isupper())


def _given(text: str, name: str) -> tuple[str, ...]:
    words: list[str] = []
    for part in text.split():
        words += [letter for word in _words(part) for letter in word] if _is_initials(part, name) else _words(part)
    return tuple(words)


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.sub("['’ʼ]", "", word) for word in _WORD.findall(fold(text)))
