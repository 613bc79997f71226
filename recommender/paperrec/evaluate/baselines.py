"""Other ways to rank, to measure against: other tools' rankers rebuilt from their published settings, and two plain ones."""

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
Baseline = Callable[[Sequence[str], Sequence[str]], Scores]


def arxiv_sanity(library: Sequence[str], candidates: Sequence[str]) -> Scores:
    """arxiv-sanity-lite: a weak linear SVM on at most 20,000 words and pairs, all candidates against the library."""
    pattern = r"(?u)\b[a-zA-Z_][a-zA-Z0-9_]+\b"
    x = _tfidf(
        library, candidates, strip_accents="unicode", stop_words="english", token_pattern=pattern, ngram_range=(1, 2), max_features=20_000,
        sublinear_tf=True, max_df=0.1, min_df=5,
    )  # fmt: skip
    return _svm(x, len(library), None, class_weight="balanced", max_iter=10_000, tol=1e-6, C=0.01)


def asreview_u4(library: Sequence[str], candidates: Sequence[str]) -> Scores:
    """ASReview ELAS u4: a linear SVM on words and pairs, with ASReview's balance of the two classes."""
    x = _tfidf(library, candidates, ngram_range=(1, 2), sublinear_tf=True, min_df=1, max_df=0.95)
    return _svm(x, len(library), _balance(len(library), len(candidates), 9.8), loss="squared_hinge", C=0.11, max_iter=5_000)


def asreview_u3(library: Sequence[str], candidates: Sequence[str]) -> Scores:
    """ASReview ELAS u3: naive Bayes on words, with ASReview's balance of the two classes."""
    from sklearn.naive_bayes import MultinomialNB

    x = _tfidf(library, candidates, stop_words="english")
    balance = _balance(len(library), len(candidates), 1.2)
    likely = MultinomialNB(alpha=3.822).fit(x, _is_ours(x, len(library)), sample_weight=balance).predict_log_proba(x[len(library) :])
    odds: Scores = likely[:, 1] - likely[:, 0]
    return odds


def centroid(library: Sequence[str], candidates: Sequence[str]) -> Scores:
    """Likeness to the mean of the library."""
    x = _tfidf(library, candidates, stop_words="english", sublinear_tf=True)
    return np.asarray(x[len(library) :] @ np.asarray(x[: len(library)].mean(axis=0)).ravel(), np.float64)


def nearest(library: Sequence[str], candidates: Sequence[str]) -> Scores:
    """Likeness to the one library paper that is most like the candidate."""
    x = _tfidf(library, candidates, stop_words="english", sublinear_tf=True)
    return np.asarray((x[len(library) :] @ x[: len(library)].T).max(axis=1).toarray(), np.float64).ravel()


BASELINES: dict[str, Baseline] = {
    "arxiv-sanity-lite": arxiv_sanity,
    "ASReview ELAS u4": asreview_u4,
    "ASReview ELAS u3": asreview_u3,
    "mean of the library": centroid,
    "nearest paper": nearest,
}


def _tfidf(library: Sequence[str], candidates: Sequence[str], **settings: Any) -> Any:
    """The texts of both as rows, the library's first.

    Raises
    ------
    ValueError
        No term is left: the texts are too few, too short or in a script that the ranker does not read.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    return TfidfVectorizer(**settings).fit_transform([*library, *candidates])


def _is_ours(x: Any, n_library: int) -> NDArray[np.int64]:
    return np.repeat([1, 0], [n_library, x.shape[0] - n_library])


def _svm(x: Any, n_library: int, sample_weight: Scores | None, **settings: Any) -> Scores:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.svm import LinearSVC

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # how far it comes in its own number of steps is how good it is
        model = LinearSVC(random_state=0, **settings).fit(x, _is_ours(x, n_library), sample_weight=sample_weight)
    scores: Scores = model.decision_function(x[n_library:])
    return scores


def _balance(n_library: int, n_candidates: int, ratio: float) -> Scores:
    """Weights of the texts that give the classes the ratio which ASReview gives them."""
    weights = np.repeat([1.0, n_library / (ratio * n_candidates)], [n_library, n_candidates])
    balanced: Scores = weights * len(weights) / weights.sum()
    return balanced
