"""Terms as a person writes them, looked for in text: whole words, in any case, and the signs that belong to them."""

import functools
import re
import unicodedata
from collections.abc import Sequence

_ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")
# Scripts that put no gap between words, and Hangul, whose words grow at their ends: Thai to Burmese, Khmer, kana, ideographs, syllables
_GAPLESS = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_LETTER = rf"[^\W_{_GAPLESS}]"  # of a word that has a gap on either side
_SIGNS = "+#*&@%$"  # "C++" is not "C", nor "A*" a letter; all other signs stand for a gap between words
_SIGN = f"[{re.escape(_SIGNS)}]"
_TOKEN = re.compile(rf"(?P<word>[^\W_]+)|(?P<sign>{_SIGN}+|(?<!\S)\.(?=[^\W_]))|(?P<gap>(?:(?!{_SIGN})[\W_])+)")


def fold(text: str) -> str:
    """Text in one case and width, without accents; signs stay, syllables and kana stay whole.

    >>> fold("Étude of Ｃ＋＋"), fold("ガ")
    ('etude of c++', 'ガ')
    """
    if text.isascii():
        return text.casefold()
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text))).casefold()


def has_words(term: str) -> bool:
    """Whether there is anything in a term to look for."""
    return any(found.lastgroup == "word" for found in _TOKEN.finditer(fold(term)))


def stands_in(term: str, folded: str) -> bool:
    """Whether a term stands in a text that `fold` gave.

    >>> stands_in("C++", fold("Vitamin C")), stands_in("C", fold("in C++")), stands_in("message passing", fold("Message-passing"))
    (False, False, True)
    """
    pattern = _pattern(term)
    return pattern is not None and pattern.search(folded) is not None


@functools.lru_cache(maxsize=1_000)
def _pattern(term: str) -> re.Pattern[str] | None:
    tokens = [(found.lastgroup or "", found.group()) for found in _TOKEN.finditer(fold(term).strip())]
    while tokens and tokens[0][0] == "gap":
        del tokens[0]
    while tokens and tokens[-1][0] == "gap":
        del tokens[-1]
    if not any(kind == "word" for kind, _ in tokens):
        return None
    parts = [_part(kind, text, tokens[place - 1 : place + 2]) for place, (kind, text) in enumerate(tokens)]
    first, last = tokens[0], tokens[-1]
    if first[0] == "word" and re.match(_LETTER, first[1]):
        parts.insert(0, f"(?<!{_LETTER})")
    if last[0] == "word" and re.match(_LETTER, last[1][-1]):
        parts.append(rf"(?!{_LETTER}|\+\+|#)")
    return re.compile("".join(parts))


def _part(kind: str, text: str, around: Sequence[tuple[str, str]]) -> str:
    """The pattern of one token; a gap, which stands between two others, is none where scripts have none, or beside "&"."""
    if kind == "gap":
        before, after = around[0][1][-1], around[-1][1][0]
        may_be_none = "&" in (before, after) or re.fullmatch(f"[{_GAPLESS}]{{2}}", before + after)
        return r"[\W_]*" if may_be_none else r"[\W_]+"
    return rf"\s*{re.escape(text)}\s*" if text == "&" else re.escape(text)
