"""The words behind hashed columns, in the spelling of a text."""

from collections.abc import Container

from paperrec.features.hashing import LONGEST_TEXT, PAIRS, WORDS, bucket, code_points, fold, hash_spans, pair_hashes, tokens
from paperrec.features.stopwords import STOP_WORDS


def spellings(text: str) -> dict[int, str]:
    """Column -> the word or pair of words that it stands for in `text`, as it is first spelled there.

    Pairs that a sign divides, and pairs with a stop word or a bare number, are left out: they do not read as a term.
    """
    folded = fold(text)
    shown = text[:LONGEST_TEXT] if len(folded) == len(text[:LONGEST_TEXT]) else folded
    codes = code_points(folded)
    starts, ends = tokens(codes)
    hashes = hash_spans(codes, starts, ends)
    found: dict[int, str] = {}
    for column, start, end in zip(bucket(hashes, WORDS).tolist(), starts.tolist(), ends.tolist(), strict=True):
        found.setdefault(column, shown[start:end])
    for column, start, gap, next_start, end in zip(
        bucket(pair_hashes(hashes), PAIRS).tolist(),
        starts[:-1].tolist(),
        ends[:-1].tolist(),
        starts[1:].tolist(),
        ends[1:].tolist(),
        strict=True,
    ):
        if (
            folded[gap:next_start] in _JOINS
            and _reads_well(folded[start:gap], STOP_WORDS)
            and _reads_well(folded[next_start:end], STOP_WORDS)
        ):
            found.setdefault(column, shown[start:end])
    return found


_JOINS = frozenset({" ", "-", "\u2010", "\u2011", ""})


def _reads_well(word: str, stop_words: Container[str]) -> bool:
    return word not in stop_words and not word.isdigit()
