"""Scores of candidates: what each is worth by itself, leaning on the candidates like it, on a scale of the library's own papers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paperrec.features import TextFeatures, text_features
from paperrec.paper import Paper
from paperrec.profile import Profile
from paperrec.ranker import votes
from paperrec.ranker.calibration import TYPICAL, Scale, calibrated
from paperrec.ranker.judgement import Judgement, judgement
from paperrec.ranker.votes import Values


@dataclass(frozen=True, slots=True)
class Relevance:
    """How relevant each candidate is, and what its relevance is made of."""

    profile: Profile
    candidates: Sequence[Paper]
    features: TextFeatures
    own: Judgement  # what each is worth by itself
    values: Values  # (n_candidates,), the order
    shares: Values  # (n_candidates,), of a candidate's own judgement in its value; the rest is of those like it
    scale: Scale

    @property
    def scores(self) -> Values:
        """The values on a scale from 0 to 100, in the same order."""
        return self.scale.scores(self.values)


def judge(profile: Profile, candidates: Sequence[Paper], *, to_scale: bool = True) -> Relevance:
    """Judge the candidates; at least one paper of the profile must have words, and there must be a candidate.

    Parameters
    ----------
    to_scale
        False leaves out the calibration, which costs about a third of the time: the order is the same, the scores mean nothing.
    """
    features = text_features(profile.papers, candidates, profile.disliked)
    own = judgement(profile, candidates, features)
    values, shares = votes.smoothed(own.values, features.whole)
    wordless = np.diff(features.whole.indptr) == 0
    values[wordless] = min(values.min(), own.nothing) - 1  # no words are no reason to be read
    return Relevance(profile, candidates, features, own, values, shares, calibrated(profile, candidates, features) if to_scale else TYPICAL)


def cosines_of(found: Relevance, rows: Sequence[int]) -> Values:
    """Cosines of candidates to each other in all their terms, shape (n_rows, n_rows)."""
    some = found.features.whole[list(rows)]
    cosines: Values = (some @ some.T.tocsr()).toarray().astype(np.float64)
    return cosines


def cosines_to_library(found: Relevance, rows: Sequence[int]) -> Values:
    """Cosines of candidates to the papers of the profile, shape (n_rows, n_papers)."""
    cosines: Values = (found.features.said.candidates[list(rows)] @ found.features.said.library.T.tocsr()).toarray().astype(np.float64)
    return cosines
