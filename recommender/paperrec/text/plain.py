"""LaTeX, HTML, JATS, MathML and Markdown as plain Unicode words."""

import re
import unicodedata
from functools import lru_cache

from paperrec.text.latex import latex_to_text
from paperrec.text.markup import decode_entities, strip_links, strip_markdown, strip_tags
from paperrec.text.maths import readable_maths
from paperrec.text.printing import visible
from paperrec.text.spacing import tidy_line
from paperrec.text.symbols import GREEK, RELATIONS, SIGNS, TEXT

# Each alternative of the patterns below begins with a plain character: `re` then skips what cannot match eight times as fast
_MARKED = re.compile(r"\\|\{|\}|\$|<|&|~|`|--|''|\]\]>")
_LIGATURES = {c: unicodedata.normalize("NFKC", chr(c)) for c in range(0xFB00, 0xFB07)}
_LIGATURE = re.compile("[ﬀ-ﬆ]")
_HOLD, _HELD = "\ue000", re.compile("\ue000(\\d+)\ue001")
_OURS = re.compile("[\ue000\ue001]")
_ENVIRONMENTS = "equation|align|alignat|gather|multline|eqnarray|displaymath|math"
_ADDRESS = r"://[^\s<>{}\"|^`\\$]{1,2000}"
_FORMULA = (
    r"\$\$((?:[^$\\]|\\.){1,4000}?)\$\$|\\\(((?:[^\\]|\\[^()\[\]]){1,4000}?)\\\)|\\\[((?:[^\\]|\\[^()\[\]]){1,4000}?)\\\]"
    rf"|\\begin\{{({_ENVIRONMENTS})\*?\}}((?:[^\\]|\\(?!end|begin)){{1,4000}})\\end\{{(?:{_ENVIRONMENTS})\*?\}}"
    r"|\$(?<!\\\$)((?:[^$\\]|\\.){1,1000}?)\$(?=(\d?))"
    r"|\\ensuremath\s*\{((?:[^{}]|\{[^{}]{0,200}\}){0,1000})\}"
    rf"|\\(?:url|path|nolinkurl)\s*\{{((?:[^{{}}\\]|\\.){{0,2000}})\}}"
)
_MATHS = re.compile(rf"{_FORMULA}|https?{_ADDRESS}|ftp{_ADDRESS}", re.DOTALL)
_MATHS_ALONE = re.compile(_FORMULA, re.DOTALL)  # does not stop at each h and f
_SURELY_MATHS = re.compile(r"[\\^_{}=]")
_LONGEST_REMEMBERED = 60  # characters of a name, a venue, a keyword
_ONE_COMMAND = re.compile(r"\s*\{?\\([A-Za-z]+)\}?\s*")


def plain_text(raw: str, *, markdown: bool = False) -> str:
    r"""LaTeX, HTML, JATS, MathML and, where asked for, Markdown as plain Unicode words on one line.

    Nothing is lost but marks: `%` is no comment, a lone `$` is money, unknown commands keep their arguments, maths stays readable.
    Never raises; the time grows with the length alone.

    Parameters
    ----------
    raw
        Any text.
    markdown
        Whether `*`, `_`, backquotes and brackets may be Markdown.

    Examples
    --------
    >>> plain_text(r"Effects of <i>E.~coli</i> on CO$_2$ at 5\% -- {\v{C}}apek's ``test''")
    "Effects of E. coli on CO₂ at 5% – Čapek's “test”"
    """
    return _short_plain_text(raw, markdown) if len(raw) <= _LONGEST_REMEMBERED else _plain_text(raw, markdown)


def _plain_text(raw: str, markdown: bool) -> str:
    text = visible(raw)
    if not text.isascii() and _LIGATURE.search(text):
        text = text.translate(_LIGATURES)
    if markdown or _MARKED.search(text):
        text = _unmarked(text, markdown)
    return tidy_line(text)


# Names, venues and keywords come again and again in a library; at most about 3 MB are kept
_short_plain_text = lru_cache(maxsize=10_000)(_plain_text)


def _unmarked(text: str, markdown: bool) -> str:
    if (alone := _ONE_COMMAND.fullmatch(text)) and not any(alone.group(1) in t for t in (TEXT, GREEK, SIGNS, RELATIONS)):
        return alone.group(1)  # a journal's macro, \apj
    if "&" in text:
        text = visible(decode_entities(text))
    if not text.isascii():
        text = _OURS.sub("", text)
    text = strip_tags(text)
    if markdown:
        text = strip_links(text)
    text, held = _with_maths_held(text)
    if markdown:
        text = strip_markdown(text)
    text = latex_to_text(text)
    if "<" in text:  # tags that were written as {\textless}i{\textgreater}
        text = strip_tags(text)
    return _HELD.sub(lambda found: held[int(found.group(1))], text) if held else text


def _with_maths_held(text: str) -> tuple[str, list[str]]:
    """The text with a placeholder for each formula and address, and what stands in their places: no rule for running text may touch it."""
    parts: list[str] = []
    held: list[str] = []
    position = done = 0
    pattern = _MATHS if "://" in text else _MATHS_ALONE
    while found := pattern.search(text, position):
        piece = _piece(found)
        if piece is None:
            position = found.start() + 1
            continue
        parts += (text[done : found.start()], f"{_HOLD}{len(held)}\ue001")
        held.append(piece)
        position = done = found.end()
    return "".join((*parts, text[done:])), held


def _piece(found: re.Match[str]) -> str | None:
    """A formula or an address as it is to be read; None for what stands between two prices."""
    double, round_, square, _, environment, single, digit, ensured, url = found.groups()
    if single is not None:
        # "$5 and $6": a formula begins and ends without a blank and is not followed by a digit, unless it shows in other ways
        money = not _SURELY_MATHS.search(single) and (digit or single[0].isspace() or single[-1].isspace())
        return None if money else readable_maths(single)
    if ensured is not None:
        return readable_maths(ensured)
    if url is not None:
        return re.sub(r"\\(.)", r"\1", url)
    displayed = double or round_ or square or environment
    return f" {readable_maths(displayed)} " if displayed else found.group()
