"""What a candidate is worth by itself: three judgements of its words, one of its authors, and the user's own word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paperrec.features import TextFeatures, papers_by_author, shared_authors
from paperrec.paper import Paper
from paperrec.profile import Profile
from paperrec.ranker import votes
from paperrec.ranker.votes import Values
from paperrec.steering import matches

# All in standard scores: what a whole spread of the candidates' relevance is.
_AUTHORS_WEIGHT = 1.8  # for authors with many papers in the library
_DISLIKED_WEIGHT = 4.0  # for a twin of a paper that was turned down, by the square: the same subject has cosines of .1 to .3
_BOOST_WEIGHT = 1.5  # for each lever that a candidate meets


@dataclass(frozen=True, slots=True)
class Judgement:
    """Values of candidates, and what they are sums of."""

    values: Values  # (n_candidates,)
    said_weights: Values  # (n_terms,) of `features.said`
    present_weights: Values  # (n_terms,) of `features.present`
    nearest_weight: float  # of the mean cosine to the nearest library papers
    parts: Mapping[str, Values]  # the other parts, by name, each (n_candidates,)
    papers_by_author: Mapping[str, int]
    nothing: float  # value of a candidate that has nothing in common with the library


def judgement(profile: Profile, candidates: Sequence[Paper], features: TextFeatures, tolerance: float = 1e-3) -> Judgement:
    """Judge candidates by themselves; their features must be of the same profile and candidates; `tolerance` is the SVM's."""
    said, manner = votes.svm_weights(features, tolerance)
    present = votes.bayes_weights(features.present, profile.votes)
    manners = features.manner.candidates @ manner
    nearest = votes.nearest_cosines(features.said)
    judged = (features.said.candidates @ said + manners, features.present.candidates @ present, nearest)
    fits = [votes.vote(values, bland) for values, bland in zip(judged, votes.BLAND, strict=True)]
    weights = votes.WEIGHTS_OF_LITTLE_TEXT if features.little_text else votes.WEIGHTS
    by_svm, by_bayes, by_nearest = (float(weight * fit.unit) for weight, fit in zip(weights, fits, strict=True))
    nothing = float(sum(weight * fit.zero for weight, fit in zip(weights, fits, strict=True)))
    authors = papers_by_author(profile.papers)
    parts = {
        "manner": by_svm * manners,
        "authors": authors_part(shared_authors(authors, candidates)),
        "disliked": -_DISLIKED_WEIGHT * votes.greatest_cosines(features.whole, features.disliked) ** 2,
        "boost": _boosts(profile, candidates),
    }
    said, present = by_svm * said, by_bayes * present
    of_words = features.said.candidates @ said + features.present.candidates @ present + by_nearest * nearest
    return Judgement(nothing + of_words + sum(parts.values()), said, present, by_nearest, parts, authors, nothing)


def authors_part(papers_shared: NDArray[np.int64]) -> Values:
    """The relevance that shared authors give: half of the most at two library papers of theirs."""
    part: Values = _AUTHORS_WEIGHT * papers_shared / (papers_shared + 2)
    return part


def _boosts(profile: Profile, candidates: Sequence[Paper]) -> Values:
    return _BOOST_WEIGHT * np.array([len(matches(profile.steering.boost, paper)) for paper in candidates], np.float64)
