"""The fields of one block: by our own scanner, where it stumbles by pybtex, and where that does too by what looks like a field."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

MOST_PIECES = 10_000  # joined with # in one value
LONGEST_VALUE = 1_000_000  # characters
MOST_BRACES = 200_000  # in one block; more is a bomb
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december")
MONTHS = {name: str(n) for n, month in enumerate(_MONTHS, 1) for name in (month, month[:3])}
_JOINED = frozenset(("keywords", "keyword", "file", "note", "annote", "groups"))

Tell = Callable[[str, str], None]  # code, why


@dataclass(slots=True)
class RawEntry:
    """An entry as it stands: field names in lower case, values with macros expanded, LaTeX untouched."""

    kind: str
    key: str
    line: int
    fields: dict[str, str] = field(default_factory=dict)


class _StumbledError(Exception):
    """The scanner met what it does not know; `why` is the kind of fault."""


_STUMBLES = {"quote-inside": "a quote stands inside a quoted value", "unbalanced": "a brace or quote is not closed"}
_NAME = re.compile(r"[^\s=,{}\"#%()\\;]{1,100}")
_BLANK = re.compile(r"(?:\s+|%[^\n]*(?:\n|$))*")
_GAP = re.compile(r"(?:[\s,;]+|%[^\n]*(?:\n|$))*")
_BARE = re.compile(r"[^\s,{}\"#;=]+")
_BRACE = re.compile(r"[{}]")
_QUOTE_OR_BRACE = re.compile(r"[{}\"]")
_COMMA = re.compile(r"[,;]")
_FIELD_FIRST = re.compile(r"\s*[A-Za-z][\w-]{0,60}\s{0,80}=")
_HEAD = re.compile(
    r"\s*((?:[^,={}\n]|\{[^{}\n]{0,40}(?:\{[^{}\n]{0,40}\}[^{}\n]{0,40}){0,9}\}){0,400}?)\s{0,80}"
    r"(?:,|$|(?=\n\s{0,80}[A-Za-z][\w-]{0,60}\s{0,80}=))"
)


def split_key(text: str) -> tuple[str, int, str]:
    """The key of an entry, where its fields begin, and the kind of fault in it: "", "missing-key", "missing-comma", "key-with-space"."""
    found = _HEAD.match(text)
    if not found or _FIELD_FIRST.match(text):
        return "", 0, "missing-key"
    key = " ".join(found.group(1).split())
    if not key:
        return "", found.end(), "missing-key"
    fault = (
        "key-with-space"
        if " " in key
        else ""
        if text[found.end() - 1 : found.end()] == "," or found.end() == len(text)
        else "missing-comma"
    )
    return key, found.end(), fault


def read_fields(text: str, start: int, closed: bool, macros: Mapping[str, str], tell: Tell) -> dict[str, str]:
    """The fields that stand in `text` from `start` on.

    Parameters
    ----------
    text
        The inside of a block.
    closed
        Whether the block's braces balance; in one that does not, a value ends where the next field begins.
    macros
        What bare words stand for, by lower-case name.
    tell
        Called with a code and words for everything that was repaired.
    """
    if text.count("#", start) > MOST_PIECES:
        tell("value-too-long", f"a value is joined from more than {MOST_PIECES:,} pieces with #; it is left out")
        return _lenient(text, start, macros, lambda code, why: None, joined=False)
    if closed:
        try:
            return _collected(_scan(text, start, macros, tell), tell)
        except _StumbledError as error:
            if (pairs := _by_pybtex(text[start:], macros)) is not None:
                return _collected(pairs, tell)
            tell(str(error), _STUMBLES[str(error)] + "; its fields were read one by one")
    elif text.count("{") > MOST_BRACES:
        tell("unbalanced", f"it has more than {MOST_BRACES:,} braces; its fields were read one by one")
    else:
        tell("unbalanced", _STUMBLES["unbalanced"] + "; its fields were read one by one")
    return _lenient(text, start, macros, tell)


def _collected(pairs: list[tuple[str, str]], tell: Tell) -> dict[str, str]:
    """Fields by name: the first that is not empty wins, lists are joined."""
    fields: dict[str, str] = {}
    for name, value in pairs:
        name = name.lower()
        if len(value) > LONGEST_VALUE:
            tell("value-too-long", f"{name} has {len(value):,} characters; the first {LONGEST_VALUE:,} are read")
            value = value[:LONGEST_VALUE]
        if fields.get(name):
            tell("duplicate-field", f"{name} stands twice; " + ("both are read" if name in _JOINED else "the first is read"))
            fields[name] = f"{fields[name]}, {value}" if name in _JOINED else fields[name]
        else:
            fields[name] = value
    return fields


def _scan(text: str, start: int, macros: Mapping[str, str], tell: Tell) -> list[tuple[str, str]]:
    """Fields of a block that is right but for commas."""
    pairs: list[tuple[str, str]] = []
    position = _GAP.match(text, start).end()  # type: ignore[union-attr]
    while position < len(text):
        name = _NAME.match(text, position)
        equals = _BLANK.match(text, name.end()).end() if name else 0  # type: ignore[union-attr]
        if not name or text[equals : equals + 1] != "=":
            raise _StumbledError("quote-inside" if '"' in text[position - 20 : position + 200] else "unbalanced")
        value, position = _value(text, equals + 1, macros, tell)
        pairs.append((name.group(), value))
        gap = _GAP.match(text, position)
        following = gap.end() if gap else position
        between = text[position:following]
        if following < len(text) and "," not in between:
            tell("missing-comma", f"no comma behind {name.group().lower()}")
        position = following
    return pairs


def _value(text: str, start: int, macros: Mapping[str, str], tell: Tell) -> tuple[str, int]:
    """A value of pieces joined with #, and where it ends."""
    pieces: list[str] = []
    length = 0
    position = start
    while True:
        position = _BLANK.match(text, position).end()  # type: ignore[union-attr]
        piece, position = _piece(text, position, macros, tell)
        length += len(piece)
        if length <= LONGEST_VALUE:
            pieces.append(piece)
        behind = _BLANK.match(text, position).end()  # type: ignore[union-attr]
        if text[behind : behind + 1] != "#":
            if length > LONGEST_VALUE:
                tell("value-too-long", f"a value has {length:,} characters with its macros; the first {LONGEST_VALUE:,} are read")
            return "".join(pieces), position
        position = behind + 1


def _piece(text: str, position: int, macros: Mapping[str, str], tell: Tell) -> tuple[str, int]:
    opening = text[position : position + 1]
    if opening == "{":
        end = _end_of_braces(text, position)
        return text[position + 1 : end], end + 1
    if opening == '"':
        end = _end_of_quotes(text, position)
        return text[position + 1 : end], end + 1
    bare = _BARE.match(text, position)
    if not bare:
        return "", position  # no value at all
    return _resolved(bare.group(), macros, tell), bare.end()


def _end_of_braces(text: str, position: int) -> int:
    depth = 0
    for found in _BRACE.finditer(text, position):
        depth += 1 if found.group() == "{" else -1
        if not depth:
            return found.start()
    raise _StumbledError("unbalanced")


def _end_of_quotes(text: str, position: int) -> int:
    depth = 0
    for found in _QUOTE_OR_BRACE.finditer(text, position + 1):
        sign = found.group()
        if sign == '"' and not depth:
            return found.start()
        depth += (sign == "{") - (sign == "}")
    raise _StumbledError("unbalanced")


def _resolved(word: str, macros: Mapping[str, str], tell: Tell) -> str:
    if word[0].isdigit():
        return word
    name = word.lower()
    if (value := macros.get(name)) is not None:
        return value
    if name == "sept":
        tell("undefined-macro", f"{word} is no month of BibTeX's; read as September")
        return "9"
    tell("undefined-macro", f"{word} is not defined; its name is read")
    return word


def _by_pybtex(text: str, macros: Mapping[str, str]) -> list[tuple[str, str]] | None:
    """What pybtex reads in a block, if it finds no fault in it."""
    from pybtex.database.input.bibtex import LowLevelParser  # 70 ms that a good file need not pay

    errors: list[Exception] = []
    parser = LowLevelParser("@article{key," + text + "}", handle_error=errors.append, macros=dict(macros))
    try:
        entries = list(parser)
    except Exception:  # noqa: BLE001 - whatever it raises on hostile input, the lenient reader is next
        return None
    if errors or len(entries) != 1:
        return None
    _, (_, fields) = entries[0]
    return [(name, "".join(pieces)) for name, pieces in fields]


_FIELD_START = re.compile(r"(?:^|(?<=[,}\"\n;]))[ \t]*([A-Za-z][\w:+.-]{0,60})[ \t]*=\s*(?=[\"{\w(#])", re.MULTILINE)


def _lenient(text: str, start: int, macros: Mapping[str, str], tell: Tell, *, joined: bool = True) -> dict[str, str]:
    """Everything that looks like a field, each value up to the next; unmatched braces are dropped."""
    found = list(_FIELD_START.finditer(text, start))
    pairs: list[tuple[str, str]] = []
    for number, here in enumerate(found):
        stop = found[number + 1].start() if number + 1 < len(found) else len(text)
        raw = text[here.end() : stop].strip().rstrip(",;").strip()
        if not joined and raw.count("#") > MOST_PIECES:
            continue
        pairs.append((here.group(1), _undelimited(raw, macros, tell)))
    return _collected(pairs, tell)


def _undelimited(raw: str, macros: Mapping[str, str], tell: Tell) -> str:
    if raw[:1] not in ("{", '"') and _BARE.fullmatch(raw):
        return _resolved(raw, macros, tell)
    if raw.count("#") and raw[:1] in ('"', "{"):
        try:
            value, end = _value(raw, 0, macros, lambda code, why: None)
        except _StumbledError:
            pass
        else:
            if end == len(raw):
                return value
    quoted = raw[:1] == '"'
    value = raw[1:] if raw[:1] in ("{", '"') else raw
    if quoted:
        return _balanced(value.rstrip("} \t\n").removesuffix('"'))
    return _balanced(value)


def _balanced(text: str) -> str:
    """The text without the braces that have no partner; without any, if there are too many to look at."""
    if text.count("{") + text.count("}") > MOST_BRACES:
        return text.replace("{", "").replace("}", "")
    open_at: list[int] = []
    lone: set[int] = set()
    for found in _BRACE.finditer(text):
        if found.group() == "{":
            open_at.append(found.start())
        elif open_at:
            open_at.pop()
        else:
            lone.add(found.start())
    lone.update(open_at)
    return "".join(c for at, c in enumerate(text) if at not in lone) if lone else text
