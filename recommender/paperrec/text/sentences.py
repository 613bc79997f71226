"""Where a sentence ends, and a text cut at a word."""

import re

# The signs come first: `re` then looks only at them
_END = re.compile(r"[.!?][\"”’'»)\]]{0,3}\s+(?=[\"“‘«(\[]?[A-Z0-9À-ÖØ-ÞΑ-ΩА-Я])|[。！？]")
_ABBREVIATED = (
    "e.g i.e al etc cf vs resp approx ca viz Fig Figs Eq Eqs Sec Secs Tab Ref Refs Alg Thm No Nos Vol Ch pp Dr Prof Mr Mrs Ms St Jr Sr Inc"
    " Ltd Co Corp Univ U.S w.r.t a.k.a i.i.d"
)
_NO_END = re.compile(rf"(?:\b(?:{'|'.join(map(re.escape, _ABBREVIATED.split()))})|(?:^|[\s(\"“.-])[A-ZÀ-ÞА-Я])\.$")
_LAST_WORD = 12  # characters before a full stop that are read for an abbreviation
_OFTEN_LAST = re.compile(r"\b(?:al|etc|Inc|Ltd|Co|Corp|U\.S|i\.i\.d)\.$")
_BEGINS = re.compile(r"(?:We|Our|This|These|The|In|It|However|Here|To|Moreover|Furthermore|Finally)\b")


def split_sentences(text: str) -> list[str]:
    """The sentences of a text on one line; "et al.", "e.g.", "Fig. 3", decimals and initials end none.

    >>> split_sentences("Fig. 3 by J. Doe et al. shows 2.5 sheep. They run! They rest.")
    ['Fig. 3 by J. Doe et al. shows 2.5 sheep.', 'They run!', 'They rest.']
    """
    found: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if _is_abbreviation(text, max(start, end.start() - _LAST_WORD), end):
            continue
        found.append(text[start : end.start()] + end.group().rstrip())
        start = end.end()
    found.append(text[start:])
    return [sentence for piece in found if (sentence := piece.strip())]


def _is_abbreviation(text: str, since: int, end: re.Match[str]) -> bool:
    word = text[since : end.start() + 1]
    if not _NO_END.search(word):
        return False
    return not (_OFTEN_LAST.search(word) and _BEGINS.match(text, end.end()))


def cut(text: str, limit: int) -> str:
    """The text up to a word's end within `limit` characters, "…" included; the whole text if it is no longer.

    >>> cut("sheep walk over hills", 12)
    'sheep walk…'
    """
    if len(text) <= limit:
        return text
    head = text[: max(limit - 1, 0)]
    if not text[len(head)].isspace() and " " in head[limit // 2 :]:
        head = head[: head.rindex(" ")]
    return head.rstrip(" ,;:.–—-(") + "…"


def first_sentence(text: str, limit: int = 200) -> str:
    """The first sentence of a plain text, cut at a word with "…" where it is longer than `limit` characters.

    >>> first_sentence("As Doe et al. show, e.g. in Fig. 3, sheep walk. They also run.")
    'As Doe et al. show, e.g. in Fig. 3, sheep walk.'
    """
    sentences = split_sentences(" ".join(text.split()))
    return cut(sentences[0], limit) if sentences else ""
