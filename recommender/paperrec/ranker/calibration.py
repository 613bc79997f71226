"""The scale of scores: where a candidate would stand among the library's own papers, had they been candidates."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from paperrec.features import TextFeatures, View, columns_of, within
from paperrec.paper import Paper
from paperrec.profile import Profile
from paperrec.ranker.judgement import judgement
from paperrec.ranker.votes import Values, smoothed

_ENOUGH_HELD_OUT = 60  # papers; more do not move the scale
_MOST_FOLDS = 12
_SHARE_HELD_OUT = 0.03  # of the candidates: about as many good ones as a day has; more would pass as what the library is not
_MOST_CANDIDATES = 600  # among which held-out papers are judged
_PRIOR_PAPERS = 4  # that the typical scale counts as, so that few papers do not make a scale alone
_LEAST_SPREAD = 0.3
_TOLERANCE = 0.1  # of the SVM: the scale of 60 papers moves by less than a hundredth, and the time by a fifth


@dataclass(frozen=True, slots=True)
class Scale:
    """Values of the library's own papers, each judged as a candidate by the others."""

    median: float
    spread: float  # half the distance from the 16th to the 84th percentile

    def scores(self, values: Values) -> Values:
        """Percentages of the library's papers that would have a lower value; 0 to 100, strictly increasing.

        By a Student distribution of two degrees of freedom, whose tails never end: two values far up do not become one score.
        """
        steps = (values - self.median) / self.spread
        scores: Values = 50 * (1 + steps / np.sqrt(2 + steps**2))
        return scores


TYPICAL = Scale(4.5, 2.0)  # between that of people whose candidates are of all fields (8, 3.2) and of their own (3.3, 1.7)


def calibrated(profile: Profile, candidates: Sequence[Paper], features: TextFeatures) -> Scale:
    """The scale of a profile among the candidates of the day: library papers are held out and judged as candidates by the rest."""
    sample = np.arange(0, len(candidates), -(-len(candidates) // _MOST_CANDIDATES))
    held: list[float] = []
    for held_out in _folds(len(profile.papers), len(sample)):
        held += _held_out_values(profile, candidates, features, held_out, sample)
    n = len(held) + _PRIOR_PAPERS
    low, median, high = np.percentile(held, [16, 50, 84]) if held else (0.0, 0.0, 0.0)
    middle = (len(held) * float(median) + _PRIOR_PAPERS * TYPICAL.median) / n
    spread = (len(held) * float(high - low) / 2 + _PRIOR_PAPERS * TYPICAL.spread) / n
    return Scale(middle, max(spread, _LEAST_SPREAD))


def _folds(n_papers: int, n_candidates: int) -> list[NDArray[np.int64]]:
    """Rows of library papers to hold out together; a library of one has none."""
    size = int(np.clip(_SHARE_HELD_OUT * n_candidates, 1, max(1, n_papers // 4)))
    n_folds = min(_MOST_FOLDS, -(-_ENOUGH_HELD_OUT // size), n_papers // size) if n_papers > 1 else 0
    rows = np.linspace(0, n_papers, size * n_folds, endpoint=False).astype(np.int64)
    return [rows[fold::n_folds] for fold in range(n_folds)]


def _held_out_values(
    profile: Profile, candidates: Sequence[Paper], features: TextFeatures, held_out: NDArray[np.int64], sample: NDArray[np.int64]
) -> list[float]:
    """The values of library papers with words, judged among a sample of the candidates by the library without them."""
    kept = np.setdiff1d(np.arange(len(profile.papers)), held_out)
    votes = profile.votes[kept]
    rest = Profile(tuple(profile.papers[row] for row in kept), votes / votes.mean())  # without what else the user says
    said, present, manner = (_moved(view, kept, held_out, sample) for view in (features.said, features.present, features.manner))
    whole = vstack([features.whole_library[held_out], features.whole[sample]], format="csr")
    if not said.library.shape[1]:
        return []
    fold = TextFeatures(
        said, present, manner, features.columns, features.whole_library[kept], whole, features.little_text, features.disliked[:0]
    )
    papers = [*(profile.papers[row] for row in held_out), *(candidates[row] for row in sample)]
    values, _ = smoothed(judgement(rest, papers, fold, _TOLERANCE).values, whole)
    has_words = np.diff(whole.indptr[: len(held_out) + 1]) > 0
    return [float(value) for value in values[: len(held_out)][has_words]]


def _moved(view: View, kept: NDArray[np.int64], held_out: NDArray[np.int64], sample: NDArray[np.int64]) -> View:
    """The view with some library papers among the candidates, in the terms of the others."""
    library = view.library[kept]
    columns = columns_of(library)
    theirs: csr_array = vstack([view.library[held_out], view.candidates[sample]], format="csr")
    return View(within(library, columns), within(theirs, columns))
