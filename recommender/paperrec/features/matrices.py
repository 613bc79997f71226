"""Texts of a library and of candidates -> weighted term matrices."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from paperrec.features.hashing import MANNER, N_BUCKETS, count_terms
from paperrec.paper import Paper

_BLOCK_WEIGHTS = (1.0, 0.6, 0.5)  # words, pairs, n-grams; any from 0.35 to 1 does for the pairs, 0.25 to 1 for the n-grams
_IDF_POWER = 1.5  # the plain logarithm lets words of every paper's prose weigh too much
_LIKENESS_POWER = 2.0  # where papers are compared as wholes, rare words tell more
_LITTLE_TEXT = 10_000  # characters, about 8 abstracts; a library of less needs n-grams to bridge "retriever" and "retrieval"
_LEAST_NORM = 0.5  # of the median candidate's: a shorter text is not scaled up to the weight of a whole abstract

Weights = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class View:
    """One way to see texts as rows of unit length (shorter for very short candidates)."""

    library: csr_array  # (n_library, n_terms)
    candidates: csr_array  # (n_candidates, n_terms)


@dataclass(frozen=True, slots=True)
class TextFeatures:
    """What library and candidates say, and how they say it, in the terms that the library has."""

    said: View  # by how often a term stands in a text
    present: View  # the same places, whether a term stands in a text
    manner: View  # stop words and pairs of them
    columns: NDArray[np.int64]  # (n_terms,) of `hashing.count_terms`, ascending: the columns of `said` and `present`
    whole_library: csr_array  # (n_library, all columns): what the papers say, in all their terms, for comparing them as wholes ...
    whole: csr_array  # ... the same of the candidates, (n_candidates, all columns) ...
    little_text: bool  # the library is a few abstracts, or some titles
    disliked: csr_array  # ... and of papers that the user turned down, (n_disliked, all columns)


def text_of(paper: Paper) -> str:
    """Title and abstract as one text, the title twice: it says the subject in few words."""
    return paper.abstract if paper.title_derived else f"{paper.title}\n{paper.title}\n{paper.abstract}"


def text_features(library: Sequence[Paper], candidates: Sequence[Paper], disliked: Sequence[Paper] = ()) -> TextFeatures:
    """The features of papers, fitted on library and candidates together."""
    ours, theirs, others = ([text_of(p) for p in papers] for papers in (library, candidates, disliked))
    n_grams = sum(map(len, ours)) < _LITTLE_TEXT
    counts = [count_terms(texts, n_grams=n_grams) for texts in (ours, theirs, others) if texts]
    return weigh(vstack(counts, format="csr"), len(ours), n_disliked=len(others), little_text=n_grams)


def weigh(counts: csr_array, n_library: int, *, n_disliked: int = 0, little_text: bool = False) -> TextFeatures:
    """TF-IDF of counts of terms, with 1 + log counts and a strong idf; of the manner with a plain one.

    Parameters
    ----------
    counts
        As `hashing.count_terms` gives them: of the library's texts first, then of the candidates', then of those turned down.
    """
    rows = slice(n_library, counts.shape[0] - n_disliked)
    found = columns_of(counts)
    counts, block = within(counts, found), found // N_BUCKETS
    idf = _inverse_frequencies(counts[: rows.stop])
    is_manner = (block == MANNER)[counts.indices]
    terms, manner = _cells(counts, ~is_manner), _cells(counts, is_manner)
    counted, scarce = 1 + np.log(terms.data), idf[terms.indices]
    of_block = np.array((*_BLOCK_WEIGHTS, 1.0), np.float32)[block]
    weights = (idf**_IDF_POWER * of_block)[terms.indices]
    said, present = _unit_rows(terms, counted * weights, rows), _unit_rows(terms, weights, rows)
    whole = _unit_rows(terms, counted * scarce**_LIKENESS_POWER * of_block[terms.indices], rows)
    manner = _unit_rows(manner, (1 + np.log(manner.data)) * idf[manner.indices], rows)
    ours, our_manner = columns_of(terms[:n_library]), columns_of(manner[:n_library])
    return TextFeatures(
        _view(within(said, ours), rows),
        _view(within(present, ours), rows),
        _view(within(manner, our_manner), rows),
        found[ours],
        whole[: rows.start],
        whole[rows],
        little_text,
        whole[rows.stop :],
    )


def columns_of(matrix: csr_array) -> NDArray[np.int64]:
    """The columns that have a cell, ascending; faster than to sort the cells."""
    has_cell = np.zeros(matrix.shape[1], np.bool_)
    has_cell[matrix.indices] = True
    return np.flatnonzero(has_cell)


def _cells(matrix: csr_array, wanted: NDArray[np.bool_]) -> csr_array:
    """The matrix without the cells that are not wanted."""
    indptr = np.concatenate([[0], np.cumsum(wanted)])[matrix.indptr].astype(np.int32)
    return csr_array((matrix.data[wanted], matrix.indices[wanted], indptr), matrix.shape)


def _unit_rows(pattern: csr_array, data: Weights, candidates: slice) -> csr_array:
    of_each = np.repeat(np.arange(pattern.shape[0]), np.diff(pattern.indptr))
    norms = np.sqrt(np.bincount(of_each, data.astype(np.float64) ** 2, pattern.shape[0]))
    theirs = norms[candidates]
    if (theirs > 0).any():
        np.maximum(theirs, _LEAST_NORM * np.median(theirs[theirs > 0]), out=theirs)
    norms[norms == 0] = 1
    return csr_array(((data / norms[of_each]).astype(np.float32), pattern.indices, pattern.indptr), pattern.shape)


def _view(matrix: csr_array, candidates: slice) -> View:
    return View(matrix[: candidates.start], matrix[candidates])


def within(matrix: csr_array, columns: NDArray[np.integer[Any]]) -> csr_array:
    """The matrix cut to `columns`, ascending, which become its columns 0, 1, 2 ..."""
    place = np.full(matrix.shape[1], -1, np.int32)
    place[columns] = np.arange(len(columns), dtype=np.int32)
    indices = place[matrix.indices]
    kept = indices >= 0
    indptr = np.concatenate([[0], np.cumsum(kept)])[matrix.indptr].astype(np.int32)
    return csr_array((matrix.data[kept], indices[kept], indptr), (matrix.shape[0], len(columns)))


def _inverse_frequencies(counts: csr_array) -> Weights:
    """log((1 + n) / (1 + df)) + 1 of each column, shape (n_columns,)."""
    found = np.bincount(counts.indices, minlength=counts.shape[1])
    return (np.log((1 + counts.shape[0]) / (1 + found)) + 1).astype(np.float32)
