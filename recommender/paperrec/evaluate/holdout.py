"""Which papers of a library are hidden, and what is left to find them by."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from paperrec.paper import Paper, fingerprint

_MOST_HIDDEN = 10  # in one trial: about what is of interest among the new papers of a week
_N_BLOCKS = 5
_FEWEST_FOR_BLOCKS = 10  # papers; of fewer, each is looked for alone by all others
_TRIALS_A_BLOCK = 2  # where a block holds enough; more cost time and narrow the intervals little

_ORDERS: dict[str, Callable[[Paper], int]] = {
    "added": lambda paper: paper.added.toordinal() if paper.added else 0,
    "year": lambda paper: paper.year or 0,
}


@dataclass(frozen=True, slots=True)
class Trial:
    """Papers that are hidden among others, and the library by which they are to be found."""

    library: tuple[Paper, ...]
    hidden: tuple[Paper, ...]  # as many in every trial of a library
    block: int  # of the library that the hidden papers are of; 0 is the newest


def order_of(library: Sequence[Paper]) -> str:
    """What tells new papers from old ones: "added", "year", or "none" where too few papers are dated or all are of one date."""
    for name, value in _ORDERS.items():
        values = [value(paper) for paper in library if value(paper)]
        if 2 * len(values) > len(library) and len(set(values)) > 1:
            return name
    return "none"


def is_by_age(library: Sequence[Paper]) -> bool:
    """Whether newer papers are looked for by older ones; else any by all others."""
    return len(library) >= _FEWEST_FOR_BLOCKS and order_of(library) != "none"


def draw(paper: Paper) -> str:
    """A place for a paper that depends on nothing that could be of use to a ranker."""
    return hashlib.sha256(f"{fingerprint(paper)} {paper!r}".encode("utf-8", "surrogatepass")).hexdigest()


def trials(library: Sequence[Paper]) -> tuple[Trial, ...]:
    """The trials of a library of two or more papers, those of the newest papers first.

    The newest half of the library is cut by age into five blocks. A trial looks for up to ten papers of one block by all that are older:
    as it was when they came, and without those that came with them. Where nothing tells the age, a block is looked for by all that are
    not of it, and of fewer than ten papers each by all the others.
    """
    newest_first = sorted(library, key=_newness(order_of(library)))
    n = len(newest_first)
    n_blocks, n_parts = (_N_BLOCKS, 2 * _N_BLOCKS) if n >= _FEWEST_FOR_BLOCKS else (n, n)
    n_hidden = min(_MOST_HIDDEN, n // n_parts)
    found = []
    for block in range(n_blocks):
        start, stop = n * block // n_parts, n * (block + 1) // n_parts
        newer = [] if is_by_age(library) else newest_first[:start]
        n_trials = min(_TRIALS_A_BLOCK, (stop - start) // _MOST_HIDDEN) or 1
        n_drawn = n_trials * n_hidden
        drawn = [newest_first[start + (stop - start) * place // n_drawn] for place in range(n_drawn)]
        found += [Trial((*newer, *newest_first[stop:]), tuple(drawn[first::n_trials]), block) for first in range(n_trials)]
    return tuple(found)


def _newness(order: str) -> Callable[[Paper], tuple[int | str, ...]]:
    """A key that sorts the newest first; papers of one date of adding by year, of one year as drawn."""
    names = list(_ORDERS)
    values = [_ORDERS[name] for name in names[names.index(order) :]] if order in names else []
    return lambda paper: (*(-value(paper) for value in values), draw(paper))
