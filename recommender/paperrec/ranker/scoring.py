"""Scores of candidates: three judgements of their words and one of their authors, leaning on the candidates like them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paperrec.features import TextFeatures, papers_by_author, shared_authors, text_features
from paperrec.paper import Paper
from paperrec.ranker import votes
from paperrec.ranker.votes import Values

_AUTHORS_WEIGHT = 1.8  # for authors with many papers in the library, in standard scores
_MIDDLE, _WIDTH = 3.0, 2.0  # relevance that scores 50, and how far above it 85 lies; in standard scores


NOTHING = 1.0  # score of a paper that has nothing in common with the library


@dataclass(frozen=True, slots=True)
class Relevance:
    """How relevant each candidate is, and what its relevance is made of."""

    library: Sequence[Paper]
    candidates: Sequence[Paper]
    features: TextFeatures
    values: Values  # (n_candidates,), the order
    shares: Values  # (n_candidates,), of a candidate's own words and authors in its value; the rest is of those like it
    term_weights: Values  # (n_terms,)
    nearest_weight: float  # of the mean cosine to the nearest library papers
    author_parts: Values  # (n_candidates,)
    papers_by_author: Mapping[str, int]
    nothing: float  # value of a candidate that has nothing in common with the library

    @property
    def scores(self) -> Values:
        """The values on a scale from 0 to 100, both excluded, in the same order."""
        return self.score_of(self.values)

    def score_of(self, values: Values) -> Values:
        """Map relevance to 0 to 100, strictly increasing: `NOTHING` is what a paper scores that has nothing in common with the library."""
        low, found = float(_steep(np.array([self.nothing]))[0]), _steep(values)
        scores: Values = np.where(found < low, NOTHING * found / low, NOTHING + (100 - NOTHING) * (found - low) / (100 - low))
        return scores


def _steep(values: Values) -> Values:
    """0 to 100, algebraic so that no two values far up or down become one."""
    steps = (values - _MIDDLE) / _WIDTH
    steep: Values = 50 * (1 + steps / np.sqrt(1 + steps**2))
    return steep


def authors_part(papers_shared: NDArray[np.int64]) -> Values:
    """The relevance that shared authors give: half of the most at two library papers of theirs."""
    part: Values = _AUTHORS_WEIGHT * papers_shared / (papers_shared + 2)
    return part


def judge(library: Sequence[Paper], candidates: Sequence[Paper]) -> Relevance:
    """Judge the candidates; at least one paper of the library must have words, and there must be a candidate."""
    features = text_features(library, candidates)
    ours, theirs = features.library, features.candidates
    svm, bayes = votes.svm_weights(ours, theirs), votes.bayes_weights(ours, theirs)
    by_svm, by_bayes, nearest = theirs @ svm, theirs @ bayes, votes.nearest_cosines(ours, theirs)
    scales = votes.vote(by_svm, votes.SVM), votes.vote(by_bayes, votes.BAYES), votes.vote(nearest, votes.NEAREST)
    nothing = sum(scale.zero for scale in scales) / 3
    term_weights = (svm * scales[0].unit + bayes * scales[1].unit) / 3
    nearest_weight = scales[2].unit / 3
    authors = papers_by_author(library)
    of_authors = authors_part(shared_authors(authors, candidates))
    own = nothing + theirs @ term_weights + nearest_weight * nearest + of_authors
    values, shares = votes.smoothed(own, features.whole)
    wordless = np.diff(features.whole.indptr) == 0
    values[wordless] = min(values.min(), nothing) - 1  # no words are no reason to be read
    return Relevance(library, candidates, features, values, shares, term_weights, nearest_weight, of_authors, authors, nothing)
