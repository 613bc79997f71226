"""Cuts the text of a .bib file into blocks, so that a fault in one cannot cost another."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from paperrec_adapters.bibtex.fields import MOST_BRACES

WORKS = frozenset(
    """
    article artwork audio bibnote book bookinbook booklet collection commentary conference data dataset electronic image inbook incollection
    inproceedings inreference jurisdiction legal legislation letter manual mastersthesis misc movie music mvbook mvcollection mvproceedings
    mvreference online patent performance periodical phdthesis preprint proceedings reference report review software standard suppbook
    suppcollection suppperiodical techreport thesis thesis unpublished video webpage www
    """.split()
)
NO_WORKS = frozenset(("comment", "control", "ieeetranbstctl", "preamble", "set", "string", "xdata"))
_KNOWN = "|".join(sorted(WORKS | NO_WORKS, key=len, reverse=True))
_KEY = r"[^\s,={}()\"\\]{1,200}"
# Where a block may start. At a line's start a known type is enough, another type needs a key and a field behind it, a lost
# "@" needs a key. Glued
# to the block before, or behind stray signs, it needs a known type and a key.
_START = re.compile(
    rf"^[ \t]*@(?:{_KNOWN})(?=\s*[{{(](?!\\)|[ \t])"
    rf"|^[ \t]*@[^\W\d]\w{{0,40}}(?=\s{{0,20}}[{{(]\s{{0,20}}{_KEY}\s{{0,20}},\s{{0,80}}[\w-]{{1,40}}\s{{0,20}}=)"
    rf"|(?:(?<=[}})])[ \t]{{0,8}}|^[^\w\s%#@{{}}()]{{1,3}}[ \t]?)@(?:{_KNOWN})(?=\s{{0,20}}[{{(]\s{{0,20}}{_KEY}\s{{0,20}},)"
    rf"|^[ \t]*(?:{'|'.join(sorted(WORKS, key=len, reverse=True))})(?=\{{{_KEY},[ \t]*$)",
    re.MULTILINE | re.IGNORECASE,
)
_BRACE = re.compile(r"[{}]")
_BRACE_OR_PAREN = re.compile(r"[{})]")
_FIELD_LINE = re.compile(r"^[ \t]*,?[ \t]*[A-Za-z][\w-]{0,40}\s*=\s*[\"{\w]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """One `@type{...}` of a file."""

    kind: str  # its type in lower case
    text: str  # what stands behind the opening brace, without the closing one
    line: int  # in the file, from 1
    closed: bool  # its braces balance
    headless: bool = False  # the "@" is missing
    left_over: str = ""  # field lines that stand behind its end


def split(text: str) -> Iterator[Block]:
    """The blocks of a file, in order; what stands between them is a comment."""
    starts = [(found.start(), found.end(), found.group()) for found in _START.finditer(text)]
    line, counted, position = 1, 0, 0
    for number, (start, end, head) in enumerate(starts):
        if start < position:
            continue  # inside a comment that was skipped whole
        limit = starts[number + 1][0] if number + 1 < len(starts) else len(text)
        at = start + len(head) - len(head.lstrip())
        line += text.count("\n", counted, at)
        counted = at
        kind = head.strip().lstrip("<>|*-+=~^\"'`´.:;!?$&/\\()[]{}").lstrip("@").lower()
        if kind == "comment":
            block, position = _comment(text, end, line)
            yield block
            continue
        opened = re.compile(r"\s*").match(text, end).end()  # type: ignore[union-attr]
        if text[opened : opened + 1] not in ("{", "("):
            continue
        closed_at = _closing(text, opened, limit)
        stop = limit if closed_at is None else closed_at
        behind = text[stop + 1 : limit] if closed_at is not None else ""
        left_over = behind if _FIELD_LINE.search(behind) else ""
        yield Block(kind, text[opened + 1 : stop], line, closed_at is not None, "@" not in head, left_over)


def _closing(text: str, opened: int, limit: int) -> int | None:
    """Where the brace or parenthesis at `opened` closes before `limit`; None if it does not."""
    round_ = text[opened] == "("
    depth = 0
    for count, found in enumerate((_BRACE_OR_PAREN if round_ else _BRACE).finditer(text, opened, limit)):
        sign = found.group()
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth -= 1
            if not depth and not round_:
                return found.start()
        elif not depth:
            return found.start()
        if count > MOST_BRACES:
            return None
    return None


def _comment(text: str, end: int, line: int) -> tuple[Block, int]:
    """A comment and where to read on: behind its closing brace, or where it has none, at the end of its line."""
    newline = text.find("\n", end)
    newline = len(text) if newline < 0 else newline
    opened = len(text[end:newline]) - len(text[end:newline].lstrip()) + end
    if text[opened : opened + 1] == "{" and (closed_at := _closing(text, opened, len(text))) is not None:
        return Block("comment", text[opened + 1 : closed_at], line, closed=True), closed_at + 1
    return Block("comment", text[end:newline], line, closed=True), newline


def entries_in(comment: str) -> int:
    """How many entries a comment holds."""
    return sum(found.group().strip().lstrip("@").lower() in WORKS for found in _START.finditer(comment))
