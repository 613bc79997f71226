"""LaTeX in running text as plain words. One pass, no recursion: the time grows with the length alone."""

import re
import unicodedata

from paperrec.text.symbols import ACCENTS, BLANKS, MATH, RELATIONS, SUBSCRIPTS, SUPERSCRIPTS, TEXT, UNREAD

_ACCENT = re.compile(
    r"\\(?:([`'^\"~=.])|([cvHudkrb])(?![a-zA-Z]))\s*(?:\{\s*(\\[ij](?![a-zA-Z])|[^\W\d_])?\s*([^\W_]{0,3})\s*\}|(\\[ij](?![a-zA-Z])|[^\W\d_]))"
)
# Each alternative begins with a plain character: `re` then skips what cannot match eight times as fast
_TOKEN = re.compile(r"\\([a-zA-Z@]+)\*?|\\(.)|\{|\}|~|---(?!-)|--(?!-)|``|''|`(?=\w)", re.DOTALL)
_OPTION = re.compile(r"\s*\[[^\]\n]{0,200}\]")
_BRACE = re.compile(r"[{}]")
_LONGEST_ARGUMENT = 1000  # characters that are read for the brace that closes an argument
_DEEPEST_ARGUMENT = 20
_SPACED = re.compile(r"\s*")
_MARKS = {"{": "", "}": "", "~": " ", "--": "–", "---": "—", "``": "“", "''": "”", "`": "‘"}
_SIGNS = {
    "\\": " ",
    " ": " ",
    "\n": " ",
    "\t": " ",
    ",": " ",
    ";": " ",
    ":": " ",
    ">": " ",
    "!": "",
    "-": "",
    "/": "",
    "@": "",
    "(": "(",
    ")": ")",
}
_SMALL = {"textsuperscript": SUPERSCRIPTS, "textsubscript": SUBSCRIPTS}
_SMALL_ARGUMENT = re.compile(r"\s*\{([\w+()=−-]{1,20})\}")


def _accented(found: re.Match[str]) -> str:
    accent = found.group(1) or found.group(2)
    letter, rest = found.group(3) or found.group(5), found.group(4) or ""
    if not letter:  # \~{} and \^{} are the bare signs
        return {"~": r"{\textasciitilde}", "^": r"{\textasciicircum}"}.get(accent, "") + rest
    composed = unicodedata.normalize("NFC", letter.removeprefix("\\") + ACCENTS[accent])
    if len(composed) > 1 and accent in "\"'`":  # no such letter: the backslash escaped a quote
        composed = accent + letter
    return composed + rest


def latex_to_text(source: str) -> str:
    r"""Running text without its commands: accents composed, signs by their letter, arguments kept, citations gone; `%` is no comment.

    >>> latex_to_text(r"{\L}\'od\'z \emph{and} K{\v o}ln 100\%")
    'Łódź and Kǒln 100%'
    """
    if "\\" in source:
        source = _ACCENT.sub(_accented, source)
    out: list[str] = []
    position = 0
    while found := _TOKEN.search(source, position):
        out.append(source[position : found.start()])
        position = found.end()
        command, sign = found.groups()
        if command:
            position = _command(command, out, source, position)
        elif sign is not None:
            out.append(_SIGNS.get(sign, sign))
        else:
            out.append(_MARKS[found.group()])
    out.append(source[position:])
    return "".join(out)


def _command(name: str, out: list[str], source: str, position: int) -> int:
    """Write what a command stands for; returns where to read on."""
    if name in UNREAD:
        if name.endswith(("cite", "citep", "citet")) and out and out[-1].endswith(" "):
            out[-1] = out[-1][:-1]
        for _ in range(UNREAD[name]):
            position = _past_argument(source, position)
        return position
    if name in _SMALL and (small := _SMALL_ARGUMENT.match(source, position)):
        out.append("".join(_SMALL[name].get(c, c) for c in small.group(1)))
        return small.end()
    if name in BLANKS:
        out.append(" ")
    else:
        out.append(TEXT.get(name) or MATH.get(name) or (f" {RELATIONS[name]} " if name in RELATIONS else ""))
    if option := _OPTION.match(source, position):
        position = option.end() if source[option.end() : option.end() + 1] == "{" else position
    return _SPACED.match(source, position).end()  # type: ignore[union-attr]


def _past_argument(source: str, position: int) -> int:
    """Where the braced argument (and an option before it) ends; an unclosed one is text, not an argument."""
    while option := _OPTION.match(source, position):
        position = option.end()
    start = _SPACED.match(source, position).end()  # type: ignore[union-attr]
    if source[start : start + 1] != "{":
        return position
    depth = 0
    for brace in _BRACE.finditer(source, start, start + _LONGEST_ARGUMENT):
        depth += 1 if brace.group() == "{" else -1
        if not depth:
            return brace.end()
        if depth > _DEEPEST_ARGUMENT:
            break
    return position
