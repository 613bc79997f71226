"""The order of a list that is to be varied as well as relevant; no papers here, only arrays."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]


def varied_order(scores: Values, cosines: Values, diversity: float) -> list[int]:
    """Rows in the order of a list by maximal marginal relevance (Carbonell and Goldstein 1998).

    Each place goes to the row of greatest (1 - diversity) * score / 100 - diversity * cosine to the most similar row placed before it.

    Parameters
    ----------
    scores
        Shape (n,), 0 to 100, descending.
    cosines
        Shape (n, n).
    diversity
        0: the order of the scores; 1: each place to the row least like those before it, the best score first.
    """
    n = len(scores)
    if diversity == 0 or not n:
        return list(range(n))
    placed, most_like, free = [0], cosines[0].copy(), np.ones(n, np.bool_)
    free[0] = False
    while len(placed) < n:
        gain = (1 - diversity) * scores / 100 - diversity * most_like
        best = int(np.where(free, gain, -np.inf).argmax())
        placed.append(best)
        free[best] = False
        most_like = np.maximum(most_like, cosines[best])
    return placed


def balanced(interests: Sequence[int], sizes: Sequence[int], limit: int) -> list[int]:
    """The places of a list of `limit` rows: half of it is kept for the interests, by the square roots of their sizes.

    Whole places first, those that are left to the largest remainders (Hamilton's method).

    Parameters
    ----------
    interests
        Of each row, best first, the interest it serves; -1 for none, or if it is not good enough to be kept a place.
    sizes
        Library papers of each interest.

    Returns
    -------
    list
        Row numbers, ascending.
    """
    roots = np.sqrt(np.asarray(sizes, np.float64))
    shares = (limit // 2) * roots / max(roots.sum(), 1)
    places = np.floor(shares).astype(int)
    largest_first = np.argsort(-(shares - places), kind="stable")
    places[largest_first[: limit // 2 - places.sum()]] += 1
    kept: list[int] = []
    for row, interest in enumerate(interests):
        if interest >= 0 and places[interest] > 0:
            places[interest] -= 1
            kept.append(row)
    others = sorted(set(range(len(interests))) - set(kept))
    return sorted([*kept, *others[: limit - len(kept)]])
