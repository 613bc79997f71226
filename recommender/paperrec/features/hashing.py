"""Texts -> counts of hashed words, pairs of words and character n-grams, without a Python step per word.

All texts become one array of code points; the hash of a token is the difference of two prefix sums over it (Karp and Rabin 1987), so that
every token is hashed in a few array operations. Hashes are folded into `N_BUCKETS` columns.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from paperrec.features.stopwords import STOP_WORDS

_BITS = 21
N_BUCKETS = 1 << _BITS  # a block; 2^20 buckets merge 2.2 % of the words of 10,000 abstracts, 2^22 merge 0.6 %
WORDS, PAIRS, N_GRAMS, MANNER = range(4)  # blocks of columns
_N_COLUMNS = 4 * N_BUCKETS
_ROW_SHIFT = _BITS + 2  # bits of a column in a cell of the table; four blocks need two bits more
LONGEST_TEXT = 20_000  # characters; what is longer is a whole paper, and its head says what it is about
_CHUNK = 1 << 18  # characters hashed at a time: the arrays of a chunk stay in the processor's cache
_N_GRAM = 4  # characters; 3 to 5 gain nothing over 4 alone
_BASE = np.uint64(0x9E3779B97F4A7C15)  # any odd number will do; this is 2^64 / golden ratio
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)  # splitmix64 (Steele and others 2014)
_ACCENTS = re.compile("[\u0300-\u036f]+")
_BLANK, _LETTER, _SIGN = 0, 1, 2  # a sign is a token of its own: in scripts that put no blanks between words
_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # radicals
    (0x3005, 0x3007),
    (0x3040, 0x30FF),  # kana
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)

Codes = NDArray[np.uint32]
Hashes = NDArray[np.uint64]
Indices = NDArray[np.int64]


def fold(text: str) -> str:
    """Case and accents folded, compatibility forms resolved, cut to the longest text that counts.

    >>> fold("Élan ﬁnal")
    'elan final'
    """
    text = text[:LONGEST_TEXT].lower()
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text)))[:LONGEST_TEXT]


def count_terms(texts: Sequence[str], *, n_grams: bool = False) -> csr_array:
    """Counts of telling words, of pairs of neighbouring words with at least one such, and of character n-grams or of manner.

    A telling word is neither a stop word nor a bare number. The manner of a text is its stop words and the pairs of two of them; where
    n-grams are wanted, there is too little text to have one.

    Returns
    -------
    csr_array, shape (n_texts, 4 * N_BUCKETS), float32
        Columns of words first, then of pairs, of n-grams, of manner; indices sorted.
    """
    counts = []
    for chunk in _chunks(texts):
        codes, begins = _code_points(chunk)
        starts, ends = tokens(codes)
        hashes = hash_spans(codes, starts, ends)
        rows = _rows(starts, begins)
        words, pairs = bucket(hashes, WORDS), bucket(pair_hashes(hashes), PAIRS)
        stop = _stop_table()[words]
        telling = ~(stop | _are_numbers(codes, starts, ends))
        together = rows[1:] == rows[:-1]
        paired, stopped = together & (telling[1:] | telling[:-1]), together & stop[1:] & stop[:-1]
        columns, places = [words[telling], pairs[paired]], [rows[telling], rows[1:][paired]]
        if n_grams:
            starts, hashes = _n_grams(codes)
            columns.append(bucket(hashes, N_GRAMS))
            places.append(_rows(starts, begins))
        else:
            columns += [words[stop] + MANNER * N_BUCKETS, pairs[stopped] + (MANNER - PAIRS) * N_BUCKETS]
            places += [rows[stop], rows[1:][stopped]]
        counts.append(_counts(np.concatenate(columns), np.concatenate(places), len(chunk)))
    stacked: csr_array = vstack(counts, format="csr")
    return stacked


def _are_numbers(codes: Codes, starts: Indices, ends: Indices) -> NDArray[np.bool_]:
    digits = np.concatenate([[0], np.cumsum((codes >= ord("0")) & (codes <= ord("9")))])
    numbers: NDArray[np.bool_] = digits[ends] - digits[starts] == ends - starts
    return numbers


@cache
def _stop_table() -> NDArray[np.bool_]:
    """True for the columns of stop words, shape (N_BUCKETS,)."""
    table = np.zeros(N_BUCKETS, np.bool_)
    codes = code_points("\n".join(sorted(STOP_WORDS)))
    table[bucket(hash_spans(codes, *tokens(codes)), WORDS)] = True
    return table


def _n_grams(codes: Codes) -> tuple[Indices, Hashes]:
    """Starts and hashes of the runs of four characters that have no gap between words inside, though one may be at either end."""
    blank = _kinds(codes) == _BLANK
    gaps = np.concatenate([[0], np.cumsum(blank)])
    starts = np.arange(max(0, len(codes) - _N_GRAM + 1))
    starts = starts[gaps[starts + _N_GRAM - 1] == gaps[starts + 1]]
    return starts, hash_spans(np.where(blank, np.uint32(32), codes), starts, starts + _N_GRAM)


def _chunks(texts: Sequence[str]) -> Iterator[list[str]]:
    """The folded texts in groups of at most `_CHUNK` characters; one empty group if there are none."""
    chunk: list[str] = []
    size = 0
    for text in map(fold, texts):
        if size + len(text) + 2 > _CHUNK:
            yield chunk
            chunk, size = [], 0
        chunk.append(text)
        size += len(text) + 2
    yield chunk


def _code_points(texts: Sequence[str]) -> tuple[Codes, Indices]:
    """The code points of all texts, a line end before and after each, and where each text begins."""
    lengths = np.fromiter((len(text) + 2 for text in texts), np.int64, len(texts))
    return code_points("".join(f"\n{text}\n" for text in texts)), np.cumsum(lengths) - lengths


def code_points(text: str) -> Codes:
    """The code points of a text; a lone surrogate counts as one."""
    if text.isascii():
        return np.frombuffer(text.encode("ascii"), np.uint8).astype(np.uint32)
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.dtype("<u4")).astype(np.uint32)


def _rows(starts: Indices, begins: Indices) -> Indices:
    """The row of the text that each (ascending) start lies in."""
    return np.repeat(np.arange(len(begins)), np.diff(np.searchsorted(starts, np.append(begins, np.iinfo(np.int64).max))))


@cache
def _kind(code: int) -> int:
    if any(low <= code <= high for low, high in _UNSPACED):
        return _SIGN
    sign = chr(code)
    return _LETTER if sign.isalnum() or unicodedata.category(sign)[0] == "M" else _BLANK


@cache
def _ascii_kinds() -> NDArray[np.uint8]:
    return np.array([_kind(code) for code in range(128)], np.uint8)


def _kinds(codes: Codes) -> NDArray[np.uint8]:
    kinds = _ascii_kinds().take(codes, mode="clip")
    odd = np.flatnonzero(codes > 127)
    if len(odd):
        found, place = np.unique(codes[odd], return_inverse=True)
        kinds[odd] = np.array([_kind(code) for code in found.tolist()], np.uint8)[place]
    return kinds


def tokens(codes: Codes) -> tuple[Indices, Indices]:
    """Starts and ends of the tokens: runs of two or more letters and digits, and single signs of unspaced scripts."""
    kinds = _kinds(codes)
    letters = np.zeros(len(codes) + 2, np.bool_)
    letters[1:-1] = kinds == _LETTER
    signs = kinds == _SIGN
    starts = np.flatnonzero((letters[1:-1] & ~letters[:-2]) | signs)
    ends = np.flatnonzero((letters[1:-1] & ~letters[2:]) | signs) + 1
    kept = (ends - starts > 1) | signs[starts]
    return starts[kept], ends[kept]


def _mix(hashes: Hashes) -> Hashes:
    hashes = (hashes ^ (hashes >> np.uint64(30))) * _MIX_1
    hashes = (hashes ^ (hashes >> np.uint64(27))) * _MIX_2
    return hashes ^ (hashes >> np.uint64(31))


@cache
def _powers() -> Hashes:
    return np.cumprod(np.full(_CHUNK + 1, _BASE), dtype=np.uint64)


def hash_spans(codes: Codes, starts: Indices, ends: Indices) -> Hashes:
    """A 64-bit hash of each span of code points, the same wherever the span stands."""
    sums = np.zeros(len(codes) + 1, np.uint64)
    np.cumsum((codes + _BASE) * _MIX_1 * _powers()[: len(codes)], out=sums[1:])
    return _mix((sums[ends] - sums[starts]) * _powers()[_CHUNK - starts])


def pair_hashes(hashes: Hashes) -> Hashes:
    """Hashes of each token together with the next, shape (n_tokens - 1,)."""
    return _mix(hashes[:-1] * _BASE + hashes[1:])


def bucket(hashes: Hashes, block: int) -> Indices:
    """The columns of hashes of one block: WORDS, PAIRS or N_GRAMS."""
    return (hashes >> np.uint64(64 - _BITS)).astype(np.int64) + block * N_BUCKETS


def _counts(columns: Indices, rows: Indices, n_rows: int) -> csr_array:
    cells = (rows << _ROW_SHIFT) | columns
    cells = np.sort(cells.astype(np.uint32) if n_rows << _ROW_SHIFT < 1 << 32 else cells)  # the narrow ones sort in half the time
    first = np.flatnonzero(np.concatenate([[True], cells[1:] != cells[:-1]])) if len(cells) else np.zeros(0, np.int64)
    counts = np.diff(first, append=len(cells)).astype(np.float32)
    cells = cells[first].astype(np.int64)
    indptr = np.searchsorted(cells, np.arange(n_rows + 1) << _ROW_SHIFT).astype(np.int32)
    return csr_array((counts, (cells & ((1 << _ROW_SHIFT) - 1)).astype(np.int32), indptr), shape=(n_rows, _N_COLUMNS))
