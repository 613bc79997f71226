"""How well hidden papers were found, as numbers with their uncertainty."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MEASURES = ("ndcg_at_10", "recall_at_10", "recall_at_20", "mrr", "map")
_N_RESAMPLED = 2_000
_N_SHUFFLED = 400
_SEED = 1

Counts = NDArray[np.int64]
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over trials and its 95 % interval."""

    mean: float
    low: float
    high: float


def measured(above: Counts) -> dict[str, Values]:
    """Each of `MEASURES`, 0 to 1, of lists with hidden papers.

    Parameters
    ----------
    above : array, shape (..., n_hidden)
        How many papers that are not hidden stand above each hidden one.

    Returns
    -------
    dict of arrays, shape (...)
    """
    n_hidden = above.shape[-1]
    place = np.arange(1, n_hidden + 1)
    ranks = np.sort(above, axis=-1) + place
    gains = 1 / np.log2(1 + ranks)
    best = (1 / np.log2(1 + place[:10])).sum()
    return {
        "ndcg_at_10": np.where(ranks <= 10, gains, 0).sum(-1) / best,
        "recall_at_10": (ranks <= 10).sum(-1) / min(n_hidden, 10),
        "recall_at_20": (ranks <= 20).sum(-1) / min(n_hidden, 20),
        "mrr": 1 / ranks[..., 0],
        "map": (place / ranks).mean(-1),
    }


def resampled(above: Counts) -> dict[str, Values]:
    """Each of `MEASURES`, averaged over trials, in 2,000 resamples of the trials and of the papers hidden in each; (n_resampled,).

    The resamples are the same for equal shapes, so that two rankers on the same trials can be compared in pairs.
    """
    n_trials, n_hidden = above.shape
    chance = np.random.default_rng(_SEED)
    trial = chance.integers(0, n_trials, (_N_RESAMPLED, n_trials, 1))
    paper = chance.integers(0, n_hidden, (_N_RESAMPLED, n_trials, n_hidden))
    return {name: values.mean(-1) for name, values in measured(above[trial, paper]).items()}


def estimates(above: Counts) -> dict[str, Estimate]:
    """Each of `MEASURES` over trials; `above` has the shape (n_trials, n_hidden).

    An interval is no narrower than Wilson's of as many hits and misses: where all were found, or few looked for, resamples know no doubt.
    """
    found = _estimates(measured(above), resampled(above))
    return {name: _widened(estimate, above.size) for name, estimate in found.items()}


def differences(above: Counts, reference: Counts) -> dict[str, Estimate]:
    """How much more than the reference's each of `MEASURES` is, on the same trials."""
    ours, theirs, again, theirs_again = measured(above), measured(reference), resampled(above), resampled(reference)
    return _estimates({m: ours[m] - theirs[m] for m in MEASURES}, {m: again[m] - theirs_again[m] for m in MEASURES})


def _estimates(values: Mapping[str, Values], again: Mapping[str, Values]) -> dict[str, Estimate]:
    return {name: _estimate(float(values[name].mean()), again[name]) for name in MEASURES}


def _estimate(mean: float, again: Values) -> Estimate:
    """The interval of the resampled values, moved to lie around the mean: a resample lacks some of the papers, and often the first."""
    low, high = np.percentile(again, [2.5, 97.5]) - again.mean() + mean
    return Estimate(mean, float(min(max(low, -1.0), mean)), float(max(min(high, 1.0), mean)))


def _widened(estimate: Estimate, n: int) -> Estimate:
    """The interval together with Wilson's (1927, JASA 22:209) for a share of `n`, whose spread no measure from 0 to 1 exceeds."""
    share, z = estimate.mean, 1.96
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * (share * (1 - share) / n + z**2 / (4 * n**2)) ** 0.5
    low, high = max(0.0, min(estimate.low, middle - half)), min(1.0, max(estimate.high, middle + half))
    return Estimate(share, min(low, share), max(high, share))


def by_chance(n_hidden: int, n_others: int) -> dict[str, float]:
    """Each of `MEASURES` of lists in no order, the mean of 400."""
    shuffled = np.random.default_rng(_SEED).random((_N_SHUFFLED, n_hidden + n_others)).argsort(axis=1)
    above = np.sort(shuffled[:, :n_hidden], axis=1) - np.arange(n_hidden)
    return {name: float(values.mean()) for name, values in measured(above).items()}
