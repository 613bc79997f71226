"""Texts of a library and of candidates -> weighted term matrices."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from paperrec.features.hashing import N_BUCKETS, count_terms
from paperrec.paper import Paper

_BLOCK_WEIGHTS = (1.0, 0.6, 0.5)  # words, pairs, n-grams; any from 0.35 to 1 does for the pairs, 0.25 to 1 for the n-grams
_IDF_POWER = 1.5  # the plain logarithm lets words of every paper's prose weigh too much; 2 gains nothing more
_LITTLE_TEXT = 25_000  # characters, about 20 abstracts; a library of less needs n-grams to bridge "retriever" and "retrieval"
_LEAST_NORM = 0.5  # of the median candidate's: a shorter text is not scaled up to the weight of a whole abstract


@dataclass(frozen=True, slots=True)
class TextFeatures:
    """Rows of unit length for each text (shorter for very short candidates)."""

    library: csr_array  # (n_library, n_terms)
    candidates: csr_array  # (n_candidates, n_terms), only the terms that the library has
    columns: NDArray[np.int32]  # (n_terms,) of `hashing.count_terms`, ascending
    whole: csr_array  # (n_candidates, all columns): the candidates in all their terms


def text_of(paper: Paper) -> str:
    """Title and abstract as one text, the title twice: it says the subject in few words."""
    return paper.abstract if paper.title_derived else f"{paper.title}\n{paper.title}\n{paper.abstract}"


def text_features(library: Sequence[Paper], candidates: Sequence[Paper]) -> TextFeatures:
    """TF-IDF with 1 + log counts and stronger idf, fitted on library and candidates together."""
    ours, theirs = [text_of(p) for p in library], [text_of(p) for p in candidates]
    n_grams = sum(map(len, ours)) < _LITTLE_TEXT
    counts = vstack([count_terms(texts, n_grams=n_grams) for texts in (ours, theirs)], format="csr")
    weighted = csr_array(((1 + np.log(counts.data)) * _term_weights(counts)[counts.indices], counts.indices, counts.indptr), counts.shape)
    norms = np.sqrt(np.bincount(_row_of_each(weighted), weighted.data**2, weighted.shape[0]))
    of_candidates = norms[len(ours) :]
    if (of_candidates > 0).any():
        np.maximum(of_candidates, _LEAST_NORM * np.median(of_candidates[of_candidates > 0]), out=of_candidates)
    norms[norms == 0] = 1
    weighted.data /= np.repeat(norms, np.diff(weighted.indptr))
    known, whole = weighted[: len(ours)], weighted[len(ours) :]
    columns = np.unique(known.indices[known.data > 0])
    return TextFeatures(within(known, columns), within(whole, columns), columns, whole)


def within(matrix: csr_array, columns: NDArray[np.integer[Any]]) -> csr_array:
    """The matrix cut to `columns`, ascending, which become its columns 0, 1, 2 ..."""
    place = np.full(matrix.shape[1], -1, np.int32)
    place[columns] = np.arange(len(columns), dtype=np.int32)
    indices = place[matrix.indices]
    kept = indices >= 0
    indptr = np.concatenate([[0], np.cumsum(kept)])[matrix.indptr].astype(np.int32)
    return csr_array((matrix.data[kept], indices[kept], indptr), (matrix.shape[0], len(columns)))


def _term_weights(counts: csr_array) -> NDArray[np.float32]:
    """The weight of each column: inverse document frequency to its power, times that of its block."""
    found = np.bincount(counts.indices, minlength=counts.shape[1])
    present = np.flatnonzero(found)
    weights = np.zeros(counts.shape[1], np.float32)
    idf = np.log((1 + counts.shape[0]) / (1 + found[present])) + 1
    weights[present] = idf**_IDF_POWER * np.array(_BLOCK_WEIGHTS)[present // N_BUCKETS]
    return weights


def _row_of_each(matrix: csr_array) -> NDArray[np.int64]:
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
