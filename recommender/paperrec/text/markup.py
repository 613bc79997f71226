"""HTML, JATS and MathML tags, entities, and Markdown as plain words."""

import html
import re

_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_INLINE = (
    "a abbr acronym b bdi bdo big cite code dfn em font i ins kbd mark nobr q s samp small span strike strong sub sup tt u var wbr"
    " bold italic monospace roman sans-serif sc underline overline styled-content ext-link xref uri email named-content math"
    " maction menclose merror mfenced mfrac mglyph mi mlabeledtr mmultiscripts mn mo mover mpadded mphantom mprescripts none mroot"
    " mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover semantics annotation annotation-xml"
    " inline-formula inline-graphic tex-math alternatives"
)
_BLOCK = (
    "article aside blockquote body br caption center col dd del details div dl dt fieldset figure figcaption footer form h1 h2 h3"
    " h4 h5 h6 head header hr html img input li link main meta nav ol p pre script section style svg table tbody td textarea tfoot"
    " th thead title tr ul iframe object embed abstract sec list list-item disp-formula disp-quote label break"
)
_BLOCKS, _TAGS = frozenset(_BLOCK.split()), frozenset((_BLOCK + " " + _INLINE).split())
_TAG = re.compile(
    r"</?(?:(?:jats|mml|m|xhtml):)?([a-z][a-z0-9-]{0,20})"
    r"(?:\s{1,8}[\w:.-]{1,40}\s{0,8}=\s{0,8}(?:\"[^\"<]{0,2000}\"|'[^'<]{0,2000}'|[^\s\"'<>]{1,500})){0,12}\s{0,8}/?>",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"<(?:jats:)?(title|h[1-6]|b|strong|bold)>\s{0,20}(?:abstract|summary|zusammenfassung|résumé|resumen)\s{0,20}[:.]?\s{0,20}"
    r"</(?:jats:)?\1>",
    re.IGNORECASE,
)
_DECLARATION = re.compile(r"<!\[CDATA\[|\]\]>|<\?xml[^<>]{0,200}\?>|<!DOCTYPE[^<>]{0,500}>", re.IGNORECASE)
_UNSEEN = (("<!--", "-->"), ("<annotation", "</annotation>"), ("<mml:annotation", "</mml:annotation>"))  # formulas' sources among them


def decode_entities(text: str) -> str:
    """Entities as their signs, also those that were escaped twice; `R&D` and `AT&T;` stay.

    >>> decode_entities("x &amp;lt; y &copy; R&D &nonsense;")
    'x < y © R&D &nonsense;'
    """
    for _ in range(2):
        if "&" not in text:
            break
        text = _ENTITY.sub(lambda found: html.unescape(found.group()), text)
    return text


def strip_tags(text: str) -> str:
    """The text without the tags of HTML, JATS and MathML; `p < 0.05` and `a<b and c>d` are no tags.

    >>> strip_tags('<jats:title>Abstract</jats:title><p class="x">H<sub>2</sub>O if a<b</p><p>and c>d</p>').split()
    ['H2O', 'if', 'a<b', 'and', 'c>d']
    """
    if "<" not in text and "]]>" not in text:
        return text
    for start, end in _UNSEEN:
        text = _without_spans(text, start, end)
    text = _DECLARATION.sub("", _HEADING.sub(" ", text))
    return _TAG.sub(_without_tag, text)


def _without_tag(found: re.Match[str]) -> str:
    name = found.group(1).lower()
    if name not in _TAGS:
        return found.group()
    if name in ("math", "inline-formula") and found.group()[1] != "/" and found.string[found.start() - 1 : found.start()].isalnum():
        return " "  # publishers leave out the blank before a formula
    return " " if name in _BLOCKS else ""


def _without_spans(text: str, start: str, end: str) -> str:
    """Drop everything from each `start` to the `end` behind it; a start without an end stays."""
    kept: list[str] = []
    position = 0
    while (opened := text.find(start, position)) >= 0 and (closed := text.find(end, opened)) >= 0:
        kept.append(text[position:opened])
        position = closed + len(end)
    return "".join((*kept, text[position:]))


_LINK = re.compile(r"\[([^\[\]\n]{0,300})\]\(((?:https?://|mailto:|#|/)[^()\s]{0,500})\)")
_TITLE_LINE = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+", re.MULTILINE)
_CODE = re.compile(r"`(?<!``)([^`\n]{1,200})`(?!`)")
_BOLD = re.compile(r"\*\*(?=[^\s*])(.{1,200}?)(?<=[^\s*])\*\*|__(?<!\w__)(?=[^\s_])(.{1,400}?)(?<=[^\s_])__(?!\w)", re.DOTALL)
_ITALIC = re.compile(
    r"\*(?<![\w*\\]\*)(?=[^\s*])([^*]{1,400}?)(?<=[^\s*\\])\*(?![\w*])|_(?<![\w\\]_)(?=[^\s_])([^_]{1,400}?)(?<=[^\s_\\])_(?!\w)"
)
_ESCAPED = re.compile(r"\\([*\[\]()#+.!>|-])(?!\w)")


def strip_links(text: str) -> str:
    """The text with the words of Markdown's links alone, or the address where a link has no words.

    >>> strip_links("[a page](https://example.org), [](https://example.org), f[x](y)")
    'a page, https://example.org, f[x](y)'
    """
    return _LINK.sub(lambda found: found.group(1) or found.group(2), text) if "](" in text else text


def strip_markdown(text: str) -> str:
    """The text without the other marks of Markdown; `2*3*4`, a lone `*` and `snake_case` stay.

    >>> strip_markdown("**S**calable *and* kno**W**ledge, `x`, 2*3*4")
    'Scalable and knoWledge, x, 2*3*4'
    """
    if "#" in text:
        text = _TITLE_LINE.sub("", text)
    if "*" in text or "_" in text:
        text = _BOLD.sub(lambda found: found.group(1) or found.group(2), text)
        text = _ITALIC.sub(lambda found: found.group(1) or found.group(2), text)
    return _CODE.sub(r"\1", _ESCAPED.sub(r"\1", text))
