"""The single judgements that make up a candidate's relevance; each is linear in the candidate's terms or its likeness to papers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from paperrec.features import TextFeatures, View, columns_of, within

Values = NDArray[np.float64]

N_NEIGHBORS = 5  # library papers; more would drown an interest of few papers, fewer follow single odd ones
WEIGHTS = np.array([1.0, 1.0, 0.5]) / 2.5  # of SVM, naive Bayes and nearest papers ...
WEIGHTS_OF_LITTLE_TEXT = np.array([1.0, 0.5, 0.7]) / 2.2  # ... where the words of a few titles cannot be counted on
_SVM_C = 0.3  # 0.1 to 1 do the same
_MANNER_WEIGHT = 0.5  # of a text's manner beside what it says
_NB_SMOOTHING = 1.0  # 0.1 to 3 do the same
_CELLS = 2_000_000  # cosines that are held at a time
_MOST_COMMON = 500  # candidates that may have a term by which papers are compared; in smaller sets every term counts


@dataclass(frozen=True, slots=True)
class Vote:
    """How one judgement's values are made comparable: `unit` multiplies a value, `zero` is what nothing in common comes to."""

    unit: float
    zero: float


_BLAND_PAPERS = 20
# Mean and spread of each judgement over candidates that have little to do with the library, as seen in libraries of 40 to 1,400 papers.
BLAND = ((0.05, 0.12), (0.30, 0.60), (0.0175, 0.010))


def vote(values: Values, bland: tuple[float, float]) -> Vote:
    """Standardise over the candidates together with twenty bland papers, so that a few candidates do not make up the scale.

    By the median and the spread below it: the relevant ones stand above, and neither move nor stretch the scale, however many they are.
    """
    n = len(values) + _BLAND_PAPERS
    median = float(np.median(values))
    below = float(((values[values <= median] - median) ** 2).mean())
    mean = (len(values) * median + _BLAND_PAPERS * bland[0]) / n
    variance = (len(values) * (below + (median - mean) ** 2) + _BLAND_PAPERS * (bland[1] ** 2 + (bland[0] - mean) ** 2)) / n
    spread = variance**0.5
    return Vote(1 / spread, -mean / spread)


def svm_weights(features: TextFeatures, tolerance: float = 1e-3) -> tuple[Values, Values]:
    """Weights of the terms of `said` and of `manner` that tell library from candidates: a linear SVM, both sides of equal weight."""
    from scipy.sparse import hstack, vstack
    from sklearn.svm import LinearSVC

    sides = [hstack([said, _MANNER_WEIGHT * manner], format="csr") for said, manner in zip(*_sides(features), strict=True)]
    both = vstack(sides, format="csr")
    both.indices, both.indptr = both.indices.astype(np.int32), both.indptr.astype(np.int32)
    is_ours = np.repeat([1, 0], [side.shape[0] for side in sides])
    model = LinearSVC(C=_SVM_C, class_weight="balanced", tol=tolerance, random_state=0).fit(both, is_ours)
    weights: Values = model.coef_.ravel()
    n_said = features.said.library.shape[1]
    return weights[:n_said], _MANNER_WEIGHT * weights[n_said:]


def _sides(features: TextFeatures) -> tuple[tuple[csr_array, csr_array], tuple[csr_array, csr_array]]:
    said, manner = features.said, features.manner
    return (said.library, said.candidates), (manner.library, manner.candidates)


def bayes_weights(present: View, votes: Values) -> Values:
    """Log ratios of the frequency of terms, shape (n_terms,), in the library and in the candidates: naive Bayes.

    Parameters
    ----------
    votes
        What each library paper counts, shape (n_library,), with a mean of 1.
    """
    library, candidates = present.library, present.candidates
    n = library.shape[0] + candidates.shape[0]
    ours = np.asarray(library.T @ votes, np.float64) * (n / (2 * library.shape[0]))
    theirs = np.asarray(candidates.sum(axis=0), np.float64).ravel() * (n / (2 * candidates.shape[0]))
    ratios: Values = np.log((ours + _NB_SMOOTHING) / (theirs + _NB_SMOOTHING))
    return ratios


def nearest_cosines(said: View) -> Values:
    """The mean cosine of each candidate to its nearest library papers, shape (n_candidates,)."""
    library, candidates = said.library, said.candidates
    k = min(N_NEIGHBORS, library.shape[0])
    telling = _telling(candidates)
    candidates, transposed = within(candidates, telling), within(library, telling).T.tocsr()
    sums = np.zeros(candidates.shape[0])
    n_block = max(1, _CELLS // library.shape[0])
    for start in range(0, candidates.shape[0], n_block):
        cosines = (candidates[start : start + n_block] @ transposed).toarray()  # (n_block, n_library)
        rows = np.arange(len(cosines))
        for _ in range(k):  # for a small k several times faster than np.partition
            best = cosines.argmax(axis=1)
            sums[start : start + n_block] += cosines[rows, best]
            cosines[rows, best] = -1
    return sums / k


def greatest_cosines(candidates: csr_array, others: csr_array) -> Values:
    """The cosine of each candidate to the nearest of a few other papers, shape (n_candidates,); 0 if there are none."""
    if not others.shape[0]:
        return np.zeros(candidates.shape[0])
    columns = columns_of(others)
    cosines: Values = (within(candidates, columns) @ within(others, columns).T.tocsr()).toarray().max(axis=1).astype(np.float64)
    return cosines


def _telling(candidates: csr_array) -> NDArray[np.int64]:
    """The columns but those that very many candidates have: most of a product's time would go into them, and little of its sum."""
    found = np.bincount(candidates.indices, minlength=candidates.shape[1])
    return np.flatnonzero((found > 0) & (found <= _MOST_COMMON))


_N_LIKE = 20  # neighbours of a candidate among the candidates ...
_LIKE_SHARE = 30  # ... and at most one candidate in so many: of fifty, twenty are not like anything
_MOST_SMOOTHED = 300  # candidates that lean on others; further down the list nobody looks ...
_MOST_LIKE = 1000  # ... and that are leant on
_LIKE_WEIGHT = 20.0  # of a neighbour of cosine 1, against the candidate's own weight of 1 ...
_MOST_LIKE_WEIGHT = 0.5  # ... and at most this, lest two twins trade their relevance


def smoothed(own: Values, whole: csr_array) -> tuple[Values, Values]:
    """Let each of the best candidates lean on the candidates most like it; (relevance, share of its own judgement in it).

    The cluster hypothesis (van Rijsbergen 1979; score regularisation, Diaz 2005): papers on one subject are relevant together. Only mutual
    neighbours count, lest a bland paper that is near to everything pass relevance on; they weigh as the square of their cosine, so that a
    paper without close ones keeps its own relevance.
    """
    order = np.argsort(-own, kind="stable")
    pool = np.sort(order[:_MOST_LIKE])
    cosines = _cosines_among(whole[pool])
    k = min(_N_LIKE, -(-len(own) // _LIKE_SHARE))
    near = cosines >= np.partition(cosines, -k, axis=1)[:, -k][:, None]  # (n_pool, n_pool)
    weights = np.where(near & near.T, np.minimum(_LIKE_WEIGHT * cosines**2, _MOST_LIKE_WEIGHT), 0.0)
    shares, found = np.ones(len(own)), own.copy()
    shares[pool] = 1 / (1 + weights.sum(axis=1))
    found[pool] = shares[pool] * (own[pool] + weights @ own[pool])
    best, rest = order[:_MOST_SMOOTHED], order[_MOST_SMOOTHED:]
    found[rest], shares[rest] = own[rest], 1.0
    if len(rest):
        found[rest] -= max(0.0, own[rest].max() - found[best].min())  # they stay behind the best
    return found, shares


def _cosines_among(rows: csr_array) -> Values:
    """Cosines of rows to each other, by their telling terms; 0 to themselves."""
    cut = within(rows, columns_of(rows))
    cut = within(cut, _telling(cut))
    cosines: Values = (cut @ cut.T.tocsr()).toarray().astype(np.float64)
    np.fill_diagonal(cosines, 0)
    return cosines
