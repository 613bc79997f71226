"""The interests that a library is made of: groups of papers on one subject, named by their terms."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from paperrec.features import spellings, text_features, text_of
from paperrec.paper import Paper

Values = NDArray[np.float64]

_N_TOPICS = 40  # dimensions in which papers are grouped ...
_PAPERS_A_TOPIC = 8  # ... and at most one for so many papers: of forty dimensions for eighty papers, most tell one paper from all others
_MOST_INTERESTS = 12
FEWEST_PAPERS = 3  # in an interest
_MOST_GROUPED = 2_000  # papers; the others join the nearest group
_MOST_TESTED = 500  # papers by which a grouping is told from chance
_LEAST_SILHOUETTE = 0.08  # of a grouping in these dimensions ...
_CHANCE = (
    0.15  # ... and, divided by the root of the number of papers, in all terms: papers of one subject that are grouped by chance get less
)
_N_NAMES = 3  # terms in a name
_N_READ = 12  # papers of an interest that its terms' spelling is looked up in


@dataclass(frozen=True, slots=True)
class Interests:
    """Names of interests, the largest first, and which of them each library paper belongs to."""

    names: tuple[str, ...]
    of_papers: NDArray[np.int64]  # (n_library,), numbers of names; -1 for none

    @property
    def sizes(self) -> tuple[int, ...]:
        return tuple(int((self.of_papers == number).sum()) for number in range(len(self.names)))


def interests_of(papers: Sequence[Paper]) -> Interests:
    """The groups of papers that say like things.

    Papers are seen in the 40 directions that tell most of them apart (latent semantic analysis, Deerwester and others 1990), grouped by
    Ward's method (1963), in as many groups as have the best mean silhouette (Rousseeuw 1987).
    """
    if not papers:
        return Interests((), np.zeros(0, np.int64))
    features = text_features(papers, papers[:1])
    said, labels = features.said.library, np.full(len(papers), -1)
    has_words = np.flatnonzero(np.diff(said.indptr) > 0)
    if len(has_words):
        labels[has_words] = _grouped(said[has_words])
    return _named(papers, said, features.columns, labels)


def interests_by(papers: Sequence[Paper], what: str) -> Interests:
    """The user's own groups as interests: "collections" or "keywords", case aside; at most 12, the largest.

    A paper in several of them is taken as of the smallest, and a group that is left fewer than three papers so is none: where one holds
    others, as a collection its sub-collections, they are the interests.
    """
    groups = [{name.casefold(): name for name in sorted(groups_of(paper, what), reverse=True)} for paper in papers]
    spelled: dict[str, Counter[str]] = {}
    for names in groups:
        for folded, name in names.items():
            spelled.setdefault(folded, Counter())[name] += 1
    largest = sorted((name for name in spelled if spelled[name].total() >= FEWEST_PAPERS), key=lambda name: (-spelled[name].total(), name))
    kept = largest[:_MOST_INTERESTS]
    while True:
        numbers = {name: number for number, name in enumerate(kept)}
        of_papers = np.array([max((numbers[name] for name in names if name in numbers), default=-1) for names in groups], np.int64)
        left = np.bincount(of_papers[of_papers >= 0], minlength=len(kept))
        if not kept or left.min() >= FEWEST_PAPERS:
            return Interests(tuple(min(spelled[name], key=lambda n: (-spelled[name][n], n)) for name in kept), of_papers)
        del kept[int(left.argmin())]


def groups_of(paper: Paper, what: str) -> tuple[str, ...]:
    """The groups that the user has put a paper in: its "collections" or its "keywords"."""
    return paper.collections if what == "collections" else paper.keywords


def cosines_among(rows: csr_array) -> Values:
    """Cosines of rows of unit length to each other, shape (n_rows, n_rows)."""
    cosines: Values = (rows @ rows.T.tocsr()).toarray().astype(np.float64)
    return cosines


def _grouped(said: csr_array) -> NDArray[np.int64]:
    """Numbers of groups, shape (n_papers,)."""
    from scipy.cluster.hierarchy import fcluster, ward
    from scipy.sparse.linalg import LinearOperator, eigsh

    n = said.shape[0]
    k = min(_N_TOPICS, max(FEWEST_PAPERS, n // _PAPERS_A_TOPIC), n - 1, said.shape[1] - 1)
    if n < 2 * FEWEST_PAPERS or k < 2:
        return np.zeros(n, np.int64)
    both = said.astype(np.float64)
    # The left singular vectors alone, from the product with the transpose: a whole decomposition takes several times as long
    product = LinearOperator((n, n), matvec=lambda x: both @ (both.T @ x), dtype=np.float64)
    squares, left = eigsh(product, k=k, v0=np.ones(n))
    points = left * np.sqrt(np.maximum(squares, 0))  # (n, k)
    lengths = np.linalg.norm(points, axis=1, keepdims=True)
    points = points / np.where(lengths > 0, lengths, 1)
    rows = np.arange(0, n, -(-n // _MOST_GROUPED))
    tree, cosines = ward(points[rows]), points[rows] @ points[rows].T
    best, most = np.zeros(len(rows), np.int64), _LEAST_SILHOUETTE
    for n_groups in range(2, min(_MOST_INTERESTS, len(rows) // FEWEST_PAPERS) + 1):
        labels = _without_scraps(fcluster(tree, n_groups, "maxclust").astype(np.int64) - 1, points[rows])
        silhouette = _silhouette(cosines, labels)
        if silhouette > most + 1e-9:
            best, most = labels, silhouette
    some = slice(None, None, -(-len(rows) // _MOST_TESTED))
    if _silhouette(cosines_among(said[rows[some]]), best[some]) < _CHANCE / len(rows[some]) ** 0.5:
        best = np.zeros(len(rows), np.int64)
    centres = np.array([points[rows][best == number].mean(axis=0) for number in range(best.max() + 1)])
    nearest: NDArray[np.int64] = (points @ centres.T).argmax(axis=1)
    nearest[rows] = best
    return nearest


def _without_scraps(labels: NDArray[np.int64], points: Values) -> NDArray[np.int64]:
    """Groups of fewer than three papers join the nearest large one; numbers without gaps."""
    counts = np.bincount(labels)
    large = np.flatnonzero(counts >= FEWEST_PAPERS)
    if not len(large):
        return np.zeros(len(labels), np.int64)
    centres = np.array([points[labels == number].mean(axis=0) for number in large])
    scraps = counts[labels] < FEWEST_PAPERS
    found = np.searchsorted(large, labels)
    found[scraps] = (points[scraps] @ centres.T).argmax(axis=1)
    return found


def _silhouette(cosines: Values, labels: NDArray[np.int64]) -> float:
    """Mean over the groups of the mean silhouette of their papers, by cosine distance: a small group counts as much as a large one."""
    labels = np.unique(labels, return_inverse=True)[1]  # a sample may have no paper of some group
    n_groups = int(labels.max()) + 1
    if n_groups < 2:
        return 0.0
    members = np.eye(n_groups)[labels]  # (n, n_groups)
    counts = members.sum(axis=0)
    totals = (1 - cosines) @ members  # (n, n_groups)
    own = totals[np.arange(len(labels)), labels] / np.maximum(counts[labels] - 1, 1)
    others = np.where(members > 0, np.inf, totals / counts).min(axis=1)
    values = (others - own) / np.maximum(np.maximum(others, own), 1e-12)
    return float(np.mean([values[labels == number].mean() for number in range(n_groups)]))


def _named(papers: Sequence[Paper], said: csr_array, columns: NDArray[np.int64], labels: NDArray[np.int64]) -> Interests:
    """Groups by their telling terms, the largest group first; of equal size, by name."""
    found: list[tuple[int, str, int]] = []
    mean_of_all = np.asarray(said.mean(axis=0)).ravel()
    for number in range(labels.max() + 1):
        rows = np.flatnonzero(labels == number)
        mean = np.asarray(said[rows].mean(axis=0)).ravel()
        telling = mean * np.where(mean_of_all > 0, mean / np.maximum(mean_of_all, 1e-12), 0) ** 0.5
        central = rows[np.argsort(-(said[rows] @ mean), kind="stable")[:_N_READ]]
        found.append((-len(rows), _name(telling, columns, [papers[row] for row in central]), number))
    found.sort()
    names: list[str] = []
    for _, name, _ in found:
        names.append(name if name not in names else f"{name} ({names.count(name) + 1})")
    place = {number: new for new, (_, _, number) in enumerate(found)}
    return Interests(tuple(names), np.array([place.get(int(label), -1) for label in labels], np.int64))


def _name(weights: Values, columns: NDArray[np.int64], papers: Sequence[Paper]) -> str:
    spelled: dict[int, Counter[str]] = {}
    for paper in papers:
        for column, word in spellings(text_of(paper)).items():
            spelled.setdefault(column, Counter())[word] += 1
    words: list[str] = []
    for place in np.argsort(-weights, kind="stable")[:200]:
        counts = spelled.get(int(columns[place]), Counter())
        if counts.total() < min(2, len(papers)):
            continue
        word = min(counts, key=lambda w: (w != w.lower(), -counts[w], w))  # titles are capitalised, terms are not
        if not any(word.lower() in other.lower() or other.lower() in word.lower() for other in words):
            words.append(word)
        if len(words) == _N_NAMES:
            break
    return ", ".join(words) or papers[0].title or papers[0].key
