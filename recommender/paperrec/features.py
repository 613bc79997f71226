"""Texts -> sparse counts of words, pairs of words and character n-grams, without a Python step per word.

A text becomes an array of code points; a token's hash is a difference of two prefix sums over it (Karp and Rabin 1987), so that tokens of
all texts are hashed in a few array operations. Terms are folded into `N_BUCKETS` columns; their spelling is only looked up where a reason
is shown (`spellings`).
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

_BITS = 22
N_BUCKETS = 1 << _BITS  # 2^20 buckets would merge 2.2 % of the words of 10,000 abstracts, 2^22 merge 0.6 %
_LONGEST_TEXT = 20_000  # characters; what is longer is a whole paper, and its head says what it is about
_CHUNK = 1 << 20  # characters hashed at a time: bounds the memory to about 100 MB
_BASE = np.uint64(0x9E3779B97F4A7C15)  # any odd number; this one is 2^64 / golden ratio
_MIX_1, _MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)  # splitmix64 (Steele and others 2014)
_ACCENTS = re.compile("[\u0300-\u036f]+")
_BLANK, _LETTER, _SIGN = 0, 1, 2  # a sign is a token of its own: scripts that put no blanks between words
_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),
    (0x3005, 0x3007),
    (0x3040, 0x30FF),  # Kana
    (0x31F0, 0x31FF),
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)

Hashes = NDArray[np.uint64]
Indices = NDArray[np.int64]


def fold(text: str) -> str:
    """Case and accents folded, compatibility forms resolved, cut to the longest text that counts."""
    text = text[:_LONGEST_TEXT].lower()
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text)))[:_LONGEST_TEXT]


def count_words(texts: Sequence[str]) -> csr_array:
    """Counts of words and of pairs of neighbours, shape (n_texts, N_BUCKETS), float32, indices sorted."""
    rows = []
    for chunk in _chunks(texts):
        codes, begins = _code_points(chunk)
        starts, ends = _tokens(codes)
        words = _hashes(codes, starts, ends)
        text_of = np.searchsorted(begins, starts, side="right") - 1
        paired = text_of[1:] == text_of[:-1]
        pairs = _mix(words[:-1] * _BASE + words[1:])[paired]
        rows.append(_counts(np.concatenate([words, pairs]), np.concatenate([text_of, text_of[1:][paired]]), len(chunk)))
    return _stack(rows)


def _chunks(texts: Sequence[str]) -> Iterator[list[str]]:
    chunk: list[str] = []
    size = 0
    for text in map(fold, texts):
        if size + len(text) + 1 > _CHUNK:
            yield chunk
            chunk, size = [], 0
        chunk.append(text)
        size += len(text) + 1
    yield chunk


def _code_points(texts: Sequence[str]) -> tuple[NDArray[np.uint32], Indices]:
    """The code points of all texts, a line end after each, and where each text begins."""
    lengths = np.fromiter((len(text) + 1 for text in texts), np.int64, len(texts))
    joined = "".join(f"{text}\n" for text in texts)
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.dtype("<u4"))
    return codes, np.cumsum(lengths) - lengths


def _kind(code: int) -> int:
    if any(low <= code <= high for low, high in _UNSPACED):
        return _SIGN
    sign = chr(code)
    return _LETTER if sign.isalnum() or unicodedata.category(sign)[0] == "M" else _BLANK


def _tokens(codes: NDArray[np.uint32]) -> tuple[Indices, Indices]:
    """Starts and ends of the tokens: runs of two or more letters and digits, and single signs of unspaced scripts."""
    kind_of = np.zeros(0x110000, np.uint8)
    for code in (*range(128), *np.unique(codes[codes > 127]).tolist()):
        kind_of[code] = _kind(code)
    kinds = np.concatenate([[_BLANK], kind_of[codes], [_BLANK]])
    letters = kinds == _LETTER
    signs = kinds[1:-1] == _SIGN
    starts = np.flatnonzero(signs | (letters[1:-1] & ~letters[:-2]))
    ends = np.flatnonzero(signs | (letters[1:-1] & ~letters[2:])) + 1
    kept = (ends - starts > 1) | signs[starts]
    return starts[kept], ends[kept]


def _mix(hashes: Hashes) -> Hashes:
    hashes = (hashes ^ (hashes >> np.uint64(30))) * _MIX_1
    hashes = (hashes ^ (hashes >> np.uint64(27))) * _MIX_2
    return hashes ^ (hashes >> np.uint64(31))


_POWERS = np.cumprod(np.full(_CHUNK + 1, _BASE))


def _hashes(codes: NDArray[np.uint32], starts: Indices, ends: Indices) -> Hashes:
    """A 64-bit hash of each span of code points, the same wherever the span stands."""
    sums = np.zeros(len(codes) + 1, np.uint64)
    np.cumsum(_mix(codes.astype(np.uint64) + _BASE) * _POWERS[: len(codes)], out=sums[1:])
    return _mix((sums[ends] - sums[starts]) * _POWERS[_CHUNK - starts])


def _counts(hashes: Hashes, text_of: Indices, n_texts: int) -> csr_array:
    cells = np.sort((text_of << _BITS) | (hashes >> np.uint64(64 - _BITS)).astype(np.int64))
    first = np.flatnonzero(np.diff(cells, prepend=-1))
    counts = np.diff(first, append=len(cells)).astype(np.float32)
    cells = cells[first]
    indptr = np.searchsorted(cells, np.arange(n_texts + 1) << _BITS)
    return csr_array((counts, (cells & (N_BUCKETS - 1)).astype(np.int32), indptr.astype(np.int32)), shape=(n_texts, N_BUCKETS))


def _stack(rows: Iterable[csr_array]) -> csr_array:
    from scipy.sparse import vstack

    return vstack(list(rows), format="csr")
