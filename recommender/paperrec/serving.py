"""Which interest of the library a candidate serves, and what a list for one interest alone is made by."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from paperrec.errors import SettingsError
from paperrec.features import text_features
from paperrec.interests import Interests, cosines_among, groups_of, interests_by, interests_of
from paperrec.paper import Paper

Values = NDArray[np.float64]

_N_NEAREST = 3  # papers of an interest that a candidate is compared with
_MOST_TOLD = 12  # names in an error
_ENOUGH, _WORTH = 0.5, 0.25  # of the nearness of an interest's own papers to each other: share of the median, and quantile
_MOST_COMPARED = 300  # papers of an interest that tell how near they are


@dataclass(frozen=True, slots=True)
class Serving:
    """What candidates are to the interests of a library."""

    interests: NDArray[np.int64]  # (n_candidates,), the number of the one that a candidate serves; -1 for none
    worth: NDArray[np.bool_]  # (n_candidates,), whether it is as near to that one as most of its own papers are to each other


def served(interests: Interests, cosines: Values, library: csr_array) -> Serving:
    """The interest that each candidate is nearest to, if it is near enough to serve it.

    Near to an interest is the mean cosine to its three nearest papers. Its own papers, each by the others, say what is near: half of their
    median is enough to serve it, a quarter of them are less near than what is worth a place.

    Parameters
    ----------
    cosines
        To the library papers and perhaps some more, shape (n_candidates, n_library or more).
    library
        Rows of unit length of the same papers, shape (n_library or more, n_terms).
    """
    if not interests.names or not len(cosines):
        return Serving(np.full(len(cosines), -1), np.zeros(len(cosines), np.bool_))
    near = np.zeros((len(cosines), len(interests.names)))
    enough, worth = np.zeros(len(interests.names)), np.zeros(len(interests.names))
    for number in range(len(interests.names)):
        members = np.flatnonzero(interests.of_papers == number)
        near[:, number] = _nearest(cosines[:, members], _N_NEAREST)
        own = _nearness_of(library[members[:: -(-len(members) // _MOST_COMPARED)]])
        enough[number], worth[number] = np.median(own) * _ENOUGH, np.quantile(own, _WORTH)
    best = near.argmax(axis=1)
    found = near[np.arange(len(near)), best]
    serves = (found > 0) & (found >= enough[best])
    return Serving(np.where(serves, best, -1), serves & (found >= worth[best]))


def _nearness_of(papers: csr_array) -> Values:
    """How near each paper of an interest is to the others of it, shape (n_papers,)."""
    cosines = cosines_among(papers)
    np.fill_diagonal(cosines, 0)
    return _nearest(cosines, min(_N_NEAREST, max(len(cosines) - 1, 1)))


def _nearest(cosines: Values, k: int) -> Values:
    """Mean of the k greatest of each row, shape (n_rows,); of fewer columns, of those."""
    mean: Values = np.sort(cosines, axis=1)[:, -k:].mean(axis=1)
    return mean


def interests_in(papers: Sequence[Paper], what: str) -> Interests:
    """The interests of a library: found in its "texts", or the user's own "collections" or "keywords"."""
    return interests_of(papers) if what == "texts" else interests_by(papers, what)


def alone(asked: str, library: Sequence[Paper], liked: Sequence[Paper], what: str) -> tuple[list[Paper], list[Paper], Interests]:
    """The library papers of the one interest that is asked for, the liked ones that serve it, and the interest itself.

    Parameters
    ----------
    asked
        Its name, or a part that only one has; of the user's own groups any, with the sub-collections of a collection.

    Raises
    ------
    SettingsError
        No interest has this name, or more than one.
    """
    if what == "texts":
        found = interests_of(library)
        name = _named(asked, found.names)
        is_mine = found.of_papers == found.names.index(name)
    else:
        groups = [[group.casefold() for group in groups_of(paper, what)] for paper in library]
        name = _named(asked, sorted({group for names in groups for group in names}))
        is_mine = np.array([any(group == name or group.startswith(f"{name}/") for group in names) for names in groups], np.bool_)
    mine = [paper for paper, wanted in zip(library, is_mine.tolist(), strict=True) if wanted]
    return mine, _joining(library, is_mine, liked), Interests((name,), np.zeros(len(mine), np.int64))


def _named(asked: str, names: Sequence[str]) -> str:
    wanted = asked.casefold()
    exact = [name for name in names if name.casefold() == wanted]
    near = exact or [name for name in names if wanted in name.casefold()]
    if len(near) == 1:
        return near[0]
    what = "no interest is" if not near else f"{len(near)} interests are"
    known = [f"“{name}”" for name in near or names]
    more = f"; and {len(known) - _MOST_TOLD} more" if len(known) > _MOST_TOLD else ""
    raise SettingsError(f"--interest {asked}: {what} called this; there are: {'; '.join(known[:_MOST_TOLD]) or 'none'}{more}")


def _joining(library: Sequence[Paper], is_mine: NDArray[np.bool_], others: Sequence[Paper]) -> list[Paper]:
    """The other papers that are nearer to these of the library than to the rest of it, and near enough."""
    if not others:
        return []
    features = text_features(library, others).said
    sides = Interests(("these", "rest")[: 1 if is_mine.all() else 2], np.where(is_mine, 0, 1))
    cosines = (features.candidates @ features.library.T.tocsr()).toarray().astype(np.float64)
    return [paper for paper, side in zip(others, served(sides, cosines, features.library).interests.tolist(), strict=True) if side == 0]
