"""Authors that candidates share with the library."""

import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from paperrec.features.hashing import fold
from paperrec.paper import Paper

_SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})
_MOST_AUTHORS = 500  # a longer list is a collaboration, whose members say little about the paper


@functools.lru_cache(maxsize=100_000)  # a name is met again in each round of the calibration
def author_key(name: str) -> str:
    """Family name and first initial, from "Family, Given" or "Given Family"; "" if there is no name.

    >>> author_key("van der Velde, Joost"), author_key("J. van der Velde"), author_key("Kim, S.-Y. Jr.")
    ('velde j', 'velde j', 'kim s')
    """
    family, comma, given = (name.lower() if name.isascii() else fold(name)).partition(",")
    words = family.replace(".", " ").split()
    while len(words) > 1 and words[-1] in _SUFFIXES:
        words.pop()
    if not words:
        return ""
    first = given.lstrip() if comma else (words[0] if len(words) > 1 else "")
    return f"{words[-1]} {first[:1]}"


def _keys(paper: Paper) -> set[str]:
    return {author_key(name) for name in paper.authors[:_MOST_AUTHORS]} - {""}


def papers_by_author(library: Iterable[Paper]) -> Mapping[str, int]:
    """How many library papers each author has, by `author_key`."""
    return Counter(key for paper in library for key in _keys(paper))


def shared_authors(papers_of: Mapping[str, int], candidates: Sequence[Paper]) -> NDArray[np.int64]:
    """For each candidate, how many times its authors are authors of library papers, shape (n_candidates,)."""
    if not papers_of:
        return np.zeros(len(candidates), np.int64)
    return np.array([sum(papers_of[key] for key in _keys(paper) if key in papers_of) for paper in candidates], np.int64)
