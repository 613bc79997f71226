"""The single judgements that make up a candidate's relevance; each is linear in the candidate's terms or its likeness to papers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from paperrec.features import within

Values = NDArray[np.float64]

N_NEIGHBORS = 5  # library papers; more would drown an interest of few papers, fewer follow single odd ones
_SVM_C = 0.3  # 0.1 to 1 do the same
_NB_SMOOTHING = 1.0  # 0.03 to 3 do the same
_CELLS = 2_000_000  # cosines that are held at a time
_MOST_COMMON = 500  # candidates that may have a term by which papers are compared; in smaller sets every term counts


@dataclass(frozen=True, slots=True)
class Vote:
    """How one judgement's values are made comparable: `unit` multiplies a value, `zero` is what nothing in common comes to."""

    unit: float
    zero: float


_BLAND_PAPERS = 20
# Mean and spread of each judgement over candidates that have little to do with the library, as seen in libraries of 40 to 1,400 papers.
SVM, BAYES, NEAREST = (0.05, 0.10), (0.60, 0.65), (0.0175, 0.010)


def vote(values: Values, bland: tuple[float, float]) -> Vote:
    """Standardise over the candidates together with twenty bland papers, so that a few candidates do not make up the scale."""
    n = len(values) + _BLAND_PAPERS
    mean = (values.sum() + _BLAND_PAPERS * bland[0]) / n
    spread = np.sqrt((((values - mean) ** 2).sum() + _BLAND_PAPERS * (bland[1] ** 2 + (bland[0] - mean) ** 2)) / n)
    return Vote(float(1 / spread), float(-mean / spread))


def svm_weights(library: csr_array, candidates: csr_array) -> Values:
    """Weights of terms, shape (n_terms,), that tell the library from the candidates: a linear SVM, both sides of equal weight."""
    from scipy.sparse import vstack
    from sklearn.svm import LinearSVC

    both = vstack([library, candidates], format="csr")
    both.indices, both.indptr = both.indices.astype(np.int32), both.indptr.astype(np.int32)
    is_ours = np.repeat([1, 0], [library.shape[0], candidates.shape[0]])
    model = LinearSVC(C=_SVM_C, class_weight="balanced", tol=1e-3, random_state=0).fit(both, is_ours)
    weights: Values = model.coef_.ravel()
    return weights


def bayes_weights(library: csr_array, candidates: csr_array) -> Values:
    """Log ratios of the frequency of terms, shape (n_terms,), in the library and in the candidates: complement naive Bayes."""
    n = library.shape[0] + candidates.shape[0]
    ours = np.asarray(library.sum(axis=0), np.float64).ravel() * (n / (2 * library.shape[0]))
    theirs = np.asarray(candidates.sum(axis=0), np.float64).ravel() * (n / (2 * candidates.shape[0]))
    ratios: Values = np.log((ours + _NB_SMOOTHING) / (theirs + _NB_SMOOTHING))
    return ratios


def nearest_cosines(library: csr_array, candidates: csr_array) -> Values:
    """The mean cosine of each candidate to its nearest library papers, shape (n_candidates,)."""
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


def _telling(candidates: csr_array) -> NDArray[np.int64]:
    """The columns but those that very many candidates have: most of a product's time would go into them, and little of its sum."""
    found = np.bincount(candidates.indices, minlength=candidates.shape[1])
    return np.flatnonzero((found > 0) & (found <= _MOST_COMMON))


_N_LIKE = 20  # neighbours of a candidate among the candidates
_MOST_SMOOTHED = 300  # candidates; further down the list nobody looks
_LIKE_WEIGHT = 15.0  # of a neighbour of cosine 1, against the candidate's own weight of 1 ...
_MOST_LIKE_WEIGHT = 0.5  # ... and at most this, lest two twins trade their relevance


def smoothed(own: Values, whole: csr_array) -> tuple[Values, Values]:
    """Let each of the best candidates lean on the candidates most like it; (relevance, share of its own judgement in it).

    The cluster hypothesis (van Rijsbergen 1979; score regularisation, Diaz 2005): papers on one subject are relevant together. Neighbours
    weigh as the square of their cosine, so that a paper without close ones keeps its own relevance.
    """
    order = np.argsort(-own, kind="stable")
    best, rest = np.sort(order[:_MOST_SMOOTHED]), order[_MOST_SMOOTHED:]
    cut = within(whole, np.unique(whole[best].indices))
    cut = within(cut, _telling(cut))
    cosines = (cut[best] @ cut.T.tocsr()).toarray().astype(np.float64)  # (n_best, n_candidates)
    cosines[np.arange(len(best)), best] = 0
    k = min(_N_LIKE, len(own))
    like = np.argsort(-cosines, axis=1, kind="stable")[:, :k] if k == len(own) else _largest(cosines, k)
    weights = np.minimum(_LIKE_WEIGHT * np.take_along_axis(cosines, like, 1) ** 2, _MOST_LIKE_WEIGHT)  # (n_best, k)
    shares = np.ones(len(own))
    shares[best] = 1 / (1 + weights.sum(axis=1))
    found = own.copy()
    found[best] = shares[best] * (own[best] + (weights * own[like]).sum(axis=1))
    if len(rest):
        found[rest] -= max(0.0, own[rest].max() - found[best].min())  # they stay behind the best
    return found, shares


def _largest(values: Values, k: int) -> NDArray[np.int64]:
    """Columns of the k largest values of each row; of equal ones the first."""
    least = -np.partition(-values, k - 1, axis=1)[:, k - 1 : k]
    return np.argsort(np.where(values >= least, -values, np.inf), axis=1, kind="stable")[:, :k]
