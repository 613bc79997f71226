"""Maths in LaTeX as a line of text that a person can read."""

import re
import unicodedata
from functools import lru_cache

from paperrec.text.symbols import (
    BLANKS,
    FONTS,
    MATH,
    MATH_ACCENTS,
    OPERATORS,
    RELATIONS,
    SUBSCRIPTS,
    SUPERSCRIPTS,
    TEXT,
    UNREAD,
)

_TOKEN = re.compile(r"\\([a-zA-Z]+)\*?|\\(.)|([{}^_&~'])|(\s+)|([^\\{}^_&~'\s]+)", re.DOTALL)
_SKIPPED_ARGUMENT = re.compile(r"\s*(?:\[[^\]]{0,200}\])?\s*\{[^{}]{0,500}\}")
_DEGREE = re.compile(r"\[([^\[\]{}\\]{1,20})\]")
_TWO_ARGUMENTS = {"frac": "{}/{}", "dfrac": "{}/{}", "tfrac": "{}/{}", "nicefrac": "{}/{}", "sfrac": "{}/{}", "binom": "C({}, {})"}
_LONGEST_REMEMBERED = 30  # characters: an exponent, a Greek letter, and their like come again and again
_SPACES = {"!": "", "/": "", "-": "", "\\": " ", ",": " ", ";": " ", ":": " ", ">": " ", " ": " ", "\n": " "}


class _Group:
    """One level of braces: what is written so far, and the commands that still wait for an argument."""

    __slots__ = ("parts", "waiting")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.waiting: list[tuple[str, list[str]]] = []

    def write(self, text: str) -> None:
        """Put a finished piece down, through the commands that wait for it."""
        while self.waiting:
            command, arguments = self.waiting[-1]
            arguments.append(text)
            if command in _TWO_ARGUMENTS and len(arguments) < 2:
                return
            self.waiting.pop()
            text = _applied(command, arguments)
        self.parts.append(text)

    def text(self) -> str:
        for command, arguments in reversed(self.waiting):  # input cut in the middle of a command
            self.parts += arguments if command in _TWO_ARGUMENTS else []
        return "".join(self.parts)


def _in_parentheses(text: str) -> str:
    return text if len(text) < 2 or text.isalnum() or (text[0] == "(" and text.find(")") == len(text) - 1) else f"({text})"


def _applied(command: str, arguments: list[str]) -> str:
    argument = arguments[0].strip()
    if command in _TWO_ARGUMENTS:
        return _TWO_ARGUMENTS[command].format(_in_parentheses(argument), _in_parentheses(arguments[1].strip()))
    if command in "^_":
        small = SUPERSCRIPTS if command == "^" else SUBSCRIPTS
        if argument and all(c in small for c in argument):
            return "".join(small[c] for c in argument)
        return command + _in_parentheses(argument) if argument else ""
    if command == "sqrt":
        return "√" + (argument if len(argument) < 2 else f"({argument})")
    if command in MATH_ACCENTS:
        return unicodedata.normalize("NFC", argument + MATH_ACCENTS[command]) if len(argument) == 1 else argument
    return arguments[0]  # a font


def readable_maths(source: str) -> str:
    r"""Maths as text: Greek and signs in Unicode, small indices raised or lowered, fractions with a slash; unknown commands by name.

    >>> readable_maths(r"\tilde{\mathcal{O}}(\alpha^{-1}/\gamma^2) \leq x_i"), readable_maths(r"\frac{n+1}{2}")
    ('Õ(α⁻¹/γ²) ≤ x_i', '(n+1)/2')
    """
    return _short_readable(source) if len(source) <= _LONGEST_REMEMBERED else _readable(source)


def _readable(source: str) -> str:
    groups = [_Group()]
    position = 0
    while found := _TOKEN.match(source, position):
        position = found.end()
        command, sign, mark, blank, plain = found.groups()
        group = groups[-1]
        if command:
            position = _command(command, group, source, position)
        elif sign:
            group.write(_SPACES.get(sign, "‖" if sign == "|" else sign))
        elif mark:
            _mark(mark, groups)
        elif blank and not group.waiting:
            group.parts.append(" ")
        elif plain and group.waiting:  # a command without braces takes one sign
            group.write(plain[0])
            position = found.start() + 1
        elif plain:
            group.write(plain)
    while len(groups) > 1:
        _mark("}", groups)
    return " ".join(groups[0].text().split())


_short_readable = lru_cache(maxsize=2_000)(_readable)


def _mark(mark: str, groups: list[_Group]) -> None:
    """Take one of the signs that group or raise."""
    if mark == "{":
        groups.append(_Group())
    elif mark == "}":
        if len(groups) > 1:
            inner = groups.pop().text()
            groups[-1].write(inner)
    elif mark in "^_":
        groups[-1].waiting.append((mark, []))
    else:
        groups[-1].parts.append({"'": "′", "~": " "}.get(mark, ""))


def _command(name: str, group: _Group, source: str, position: int) -> int:
    """Take one command; returns where to read on."""
    if name in UNREAD:
        for _ in range(UNREAD[name]):
            if skipped := _SKIPPED_ARGUMENT.match(source, position):
                position = skipped.end()
    elif name in _TWO_ARGUMENTS or name in MATH_ACCENTS:
        group.waiting.append((name, []))
    elif name == "sqrt":
        group.waiting.append((name, []))
        if degree := _DEGREE.match(source, position):
            group.parts.append("".join(SUPERSCRIPTS.get(c, c) for c in degree.group(1)))
            position = degree.end()
    elif name in ("left", "right"):
        position += source[position : position + 1] == "."
    elif name in FONTS:
        if source[position : position + 1] in ("{", " ", "\\"):
            group.waiting.append((name, []))
    else:
        _sign(name, group, source[position : position + 1])
    return position


def _sign(name: str, group: _Group, following: str) -> None:
    if name in BLANKS:
        group.parts.append(" ")
    elif name in RELATIONS:
        group.write(RELATIONS[name] if group.waiting else f" {RELATIONS[name]} ")
    elif sign := MATH.get(name) or TEXT.get(name):
        group.write(sign)
    else:
        _upright(name, group, following)


def _upright(name: str, group: _Group, following: str) -> None:
    """A function's or an unknown command's name, one blank away from the letters beside it."""
    before = group.parts[-1][-1:] if group.parts else ""
    group.write((" " if before.isalnum() and not group.waiting else "") + name + (" " if name in OPERATORS and following.isalnum() else ""))
