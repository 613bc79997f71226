"""The relevance of candidates to a library: a linear model of its words, and its nearest papers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from paperrec.features import count_words
from paperrec.paper import Paper
from paperrec.recommendation import Reason

Scores = NDArray[np.float64]
_N_NEIGHBORS = 5


@dataclass(frozen=True, slots=True)
class Relevance:
    """How much each candidate resembles the library, and why."""

    library: Sequence[Paper]
    scores: Scores  # (n_candidates,), 0 to 100
    cosines: csr_array  # (n_candidates, n_library)
    margins: Scores  # (n_candidates,)

    def reasons(self, candidate: int, n_reasons: int) -> tuple[Reason, ...]:
        """The parts of one candidate's score, the strongest first; at most `n_reasons` and one for the rest."""
        score = float(self.scores[candidate])
        row = self.cosines[[candidate]]
        near = np.argsort(-row.data, kind="stable")[:n_reasons]
        total = float(row.data.sum()) or 1.0
        found = [
            Reason(
                "paper",
                f"resembles {self.library[j].title!r}",
                score * float(row.data[k]) / total / 2,
                self.library[j].key,
                self.library[j].title,
            )
            for k in near
            for j in [int(row.indices[k])]
        ]
        return (*found, Reason("other", "words it shares with the library", score - sum(r.part for r in found)))


def relevance(library: Sequence[Paper], candidates: Sequence[Paper]) -> Relevance:
    """Score each candidate; at least one library paper must have text."""
    from sklearn.svm import LinearSVC

    counts = count_words([f"{p.title} {p.title}\n{p.abstract}" for p in (*library, *candidates)])
    columns = np.unique(counts[: len(library)].indices)
    place = np.full(counts.shape[1], -1, np.int32)
    place[columns] = np.arange(len(columns), dtype=np.int32)
    df = np.bincount(counts.indices, minlength=counts.shape[1])
    idf = (np.log((1 + counts.shape[0]) / (1 + df)) + 1) ** 1.5
    weights = (1 + np.log(counts.data)) * idf[counts.indices]
    norms = np.sqrt(np.bincount(np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr)), weights**2, counts.shape[0]))
    norms[norms == 0] = 1
    x = csr_array((weights, place[counts.indices], counts.indptr), shape=counts.shape)
    keep = x.indices >= 0
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))[keep]
    x = csr_array((weights[keep] / norms[rows], (rows, x.indices[keep])), shape=(counts.shape[0], len(columns)))
    x.indices, x.indptr = x.indices.astype(np.int32), x.indptr.astype(np.int32)
    ours, theirs = x[: len(library)], x[len(library) :]
    y = np.r_[np.ones(len(library)), np.zeros(len(candidates))]
    model = LinearSVC(C=0.1, class_weight="balanced", tol=1e-3, random_state=0).fit(x, y)
    margins = theirs @ model.coef_.ravel()
    cosines = csr_array(theirs @ ours.T)
    k = min(_N_NEIGHBORS, len(library))
    near = np.sort(cosines.toarray(), axis=1)[:, -k:].mean(1)
    raw = _standard(margins) + 0.5 * _standard(near)
    return Relevance(library, 100 / (1 + np.exp(-raw)), cosines, margins)


def _standard(scores: Scores) -> Scores:
    spread = scores.std()
    centred: Scores = scores - scores.mean()
    return centred / spread if spread > 0 else centred
