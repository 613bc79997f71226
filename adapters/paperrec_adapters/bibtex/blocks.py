"""Cuts the text of a .bib file into blocks, so that a fault in one cannot cost another."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from paperrec_adapters.bibtex.limits import MOST_BRACES

WORKS = frozenset(
    """
    article artwork audio bibnote book bookinbook booklet collection commentary conference data dataset electronic image inbook incollection
    inproceedings inreference jurisdiction legal legislation letter manual mastersthesis misc movie music mvbook mvcollection mvproceedings
    mvreference online patent performance periodical phdthesis preprint proceedings reference report review software standard suppbook
    suppcollection suppperiodical techreport thesis thesis unpublished video webpage www
    """.split()
)
NO_WORKS = frozenset(("comment", "control", "ieeetranbstctl", "preamble", "set", "string", "xdata"))
_KEY = r"[^\s,={}()\"\\]{1,200}"
# What may start a block: a type (1) that opens, perhaps with a key (2) and a field (3) behind it; a comment without braces; or a key
# alone at the end of a line, its "@" lost. All begin with one of two characters: `re` skips the others ten times as fast.
_START = re.compile(
    rf"@[ \t]{{0,8}}([^\W\d]\w{{0,40}})(?:(?=\s{{0,20}}[{{(]\s{{0,20}}({_KEY})\s{{0,20}},(\s{{0,80}}[\w-]{{1,40}}\s{{0,20}}=)?)"
    r"|(?=\s*[{(](?!\\)))"
    rf"|@(comment)(?=[ \t])|\{{{_KEY},[ \t]*$",
    re.MULTILINE | re.IGNORECASE,
)
_FURTHEST_IN = 60  # characters; a block starts so near to the start of its line, or is glued to the one before
_GLUED = re.compile(r"\}[ \t]{0,8}$")
_STRAY = re.compile(r"[^\w\s%#@{}()]{1,3}[ \t]?")
_BLANK = re.compile(r"\s*")
# Most blocks of most files: three braces deep
_FLAT = re.compile(r"\{(?:[^{}]++|\{(?:[^{}]++|\{(?:[^{}]++|\{[^{}]*+\})*+\})*+\})*+\}")
_BRACE = re.compile(r"[{}]")
_BRACE_PAREN_OR_QUOTE = re.compile(r"[{})\"]")
_FIELD_LINE = re.compile(r"^[ \t]*(?:,[ \t]*)?[A-Za-z][\w-]{0,40}\s*=\s*[\"{\w]", re.MULTILINE)
_MOST_SEARCHES = 10  # for the end of a comment that has none; each may go through the whole file


@dataclass(frozen=True, slots=True)
class Block:
    """One `@type{...}` of a file."""

    kind: str  # its type in lower case
    source: str = field(repr=False)  # the whole file
    start: int  # what stands between its braces is source[start:stop]
    stop: int
    line: int  # in the file, from 1
    closed: bool = True  # its braces balance
    headless: bool = False  # the "@" is missing
    left_over: str = ""  # what stands behind its end, if there are fields in it

    @property
    def text(self) -> str:
        """What stands between its braces."""
        return self.source[self.start : self.stop]


@dataclass(frozen=True, slots=True)
class _Start:
    """Where a block begins."""

    at: int  # its first character
    end: int  # behind its type
    kind: str
    headless: bool = False


def _starts(text: str) -> Iterator[_Start]:
    """Where blocks begin: at the start of a line, there an unknown type needs a key and a field; a known type with a key also right
    behind another block or stray signs."""
    for found in _START.finditer(text):
        kind = (found.group(1) or found.group(4) or "").lower()
        known = kind in WORKS or kind in NO_WORKS
        if kind and not known and not found.group(3):
            continue
        at = found.start()
        before = text[max(0, at - _FURTHEST_IN) : at]
        newline = before.rfind("\n")
        line = before[newline + 1 :].lstrip(" \t") if newline >= 0 or at <= _FURTHEST_IN else None
        if not kind:
            if line and line.lower() in WORKS:
                yield _Start(at - len(line), at, line.lower(), headless=True)
        elif line == "" or (known and found.group(2) and (_GLUED.search(before) or (line and _STRAY.fullmatch(line)))):
            yield _Start(at, found.end(), kind)


def split(text: str) -> Iterator[Block]:
    """The blocks of a file, in order; what stands between them is a comment."""
    line, counted, position, searches = 1, 0, 0, 0
    starts = _starts(text)
    following = next(starts, None)
    while following:
        here, following = following, next(starts, None)
        if here.at < position:
            continue  # inside a comment that was skipped whole
        line += text.count("\n", counted, here.at)
        counted = here.at
        opened = _BLANK.match(text, here.end).end()  # type: ignore[union-attr]
        if here.kind == "comment":
            block = _comment(text, here.end, opened, line, whole=searches < _MOST_SEARCHES)
            searches += text[opened : opened + 1] == "{" and text[block.stop : block.stop + 1] != "}"
            position = block.stop
            yield block
        elif text[opened : opened + 1] in ("{", "("):
            yield _block(text, here, opened, following.at if following else len(text), line)


def _block(text: str, here: _Start, opened: int, limit: int, line: int) -> Block:
    closed_at = _closing(text, opened, limit)
    if closed_at is None:
        return Block(here.kind, text, opened + 1, limit, line, False, here.headless)
    behind = text[closed_at + 1 : limit]
    return Block(here.kind, text, opened + 1, closed_at, line, True, here.headless, behind if _FIELD_LINE.search(behind) else "")


def _closing(text: str, opened: int, limit: int) -> int | None:
    """Where the brace or parenthesis at `opened` closes before `limit`; None if it does not."""
    if flat := _FLAT.match(text, opened, limit):
        return flat.end() - 1
    round_ = text[opened] == "("
    depth, quoted = 0, False
    for count, found in enumerate((_BRACE_PAREN_OR_QUOTE if round_ else _BRACE).finditer(text, opened, limit)):
        sign = found.group()
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if not depth and not round_:
                return found.start()
        elif not depth and sign == '"':
            quoted = not quoted
        elif not depth and not quoted:
            return found.start()
        if count > MOST_BRACES:
            return None
    return None


def _comment(text: str, end: int, opened: int, line: int, *, whole: bool) -> Block:
    """A comment up to its closing brace, or where it has none (or is not searched for one, `whole`), up to the end of its line."""
    newline = text.find("\n", end)
    newline = len(text) if newline < 0 else newline
    if opened < newline and text[opened] == "{":
        closed_at = _closing(text, opened, len(text)) if whole else None
        if closed_at is not None:
            return Block("comment", text, opened + 1, closed_at, line)
    return Block("comment", text, end, newline, line)


def entries_in(comment: str) -> int:
    """How many entries a comment holds."""
    return sum(start.kind in WORKS for start in _starts(comment))
