"""What the user's papers and words say of his interests: the profile that candidates are judged by."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from paperrec.paper import Paper
from paperrec.steering import Steering

HALF_LIFE_DAYS = 365.0
_NEWEST = 0.95  # quantile of the library's dates that counts as today
_MOST_HALVINGS = 30  # of a vote; with less left, papers that are judged without the newest would count as nothing at all
_DAYS = 365.25


@dataclass(frozen=True, slots=True)
class Profile:
    """Papers that candidates should be like, and what each counts."""

    papers: tuple[Paper, ...]  # of the library, and liked ones
    votes: NDArray[np.float64]  # (n_papers,), mean 1: more for what came in late
    disliked: tuple[Paper, ...] = ()
    steering: Steering = field(default_factory=Steering)


def build_profile(
    papers: Sequence[Paper],
    disliked: Sequence[Paper] = (),
    *,
    half_life_days: float = HALF_LIFE_DAYS,
    steering: Steering | None = None,
) -> Profile:
    """The profile of papers that the user has or liked, of those he turned down, and of his levers.

    Parameters
    ----------
    half_life_days
        A paper's vote on which words matter halves with each of these; its own likeness to candidates does not age. Infinity: none ages.
    """
    return Profile(tuple(papers), recency_votes(papers, half_life_days), tuple(disliked), steering or Steering())


def recency_votes(papers: Sequence[Paper], half_life_days: float) -> NDArray[np.float64]:
    """What each paper's vote counts by its age, shape (n_papers,), mean 1.

    Age is counted from the newest papers, by the date of adding where most papers have one, else by the year; what has none counts as
    of the middle.
    """
    added = np.array([p.added.toordinal() / _DAYS if p.added else np.nan for p in papers])
    years = np.array([float(p.year) if p.year else np.nan for p in papers])
    dates = added if np.isfinite(added).sum() * 2 > len(papers) else years
    known = np.isfinite(dates)
    if not known.any():
        return np.ones(len(papers))
    dates[~known] = np.median(dates[known])
    ages = np.maximum(_today(dates) - dates, 0)
    votes = 2.0 ** -np.minimum(ages * _DAYS / half_life_days, _MOST_HALVINGS)
    scaled: NDArray[np.float64] = votes / votes.mean()
    return scaled


def _today(dates: NDArray[np.float64]) -> float:
    """The date that ages are counted from; one date far in the future does not age all others, be they few."""
    second = np.sort(dates)[-2:][0]
    return float(min(np.quantile(dates, _NEWEST), second + 1))
