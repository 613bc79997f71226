"""The fields of one block: by our own scanner, where it stumbles by pybtex, and where that does too by what looks like a field."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice, pairwise

from paperrec_adapters.bibtex.limits import LONGEST_VALUE, MOST_BRACES, MOST_FIELDS, MOST_PIECES
from paperrec_adapters.bibtex.macros import MONTHS as MONTHS

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
_TOO_MANY_FIELDS = f"it has more than {MOST_FIELDS:,} fields; the rest is not read"
_NAME = re.compile(r"[^\s=,{}\"#%()\\;]{1,100}")
_SPACE = re.compile(r"\s*")
_BLANK = re.compile(r"(?:\s+|%[^\n]*(?:\n|$))*")
_GAP = re.compile(r"(?:[\s,;]+|%[^\n]*(?:\n|$))*")
# Most fields of most files: at most two braces deep, nothing joined, a comma behind
_PLAIN_FIELD = re.compile(
    r"([^\s=,{}\"#%()\\;]{1,100})\s*+=\s*+"
    r"(?:\{((?:[^{}]++|\{(?:[^{}]++|\{[^{}]*+\})*+\})*+)\}|\"([^{}\"]*+)\"|(\d++))\s*+(?:,\s*+|\Z)"
)
_BARE = re.compile(r"[^\s,{}\"#;=]+")
_BRACE = re.compile(r"[{}]")
_QUOTE_OR_BRACE = re.compile(r"[{}\"]")
_FIELD_FIRST = re.compile(r"\s*[A-Za-z][\w-]{0,60}\s{0,80}=")
_KEY_AND_FIELD = re.compile(r"\s*([^\s,={}\"]{1,200})[ \t]+(?=[A-Za-z][\w-]{1,60}[ \t]{0,80}=)")  # on one line
_HEAD_END = re.compile(r"[,=]|\n(?=\s{0,80}[A-Za-z][\w-]{0,60}\s{0,80}=)")
_LONGEST_HEAD = 2_000  # characters


def split_key(text: str) -> tuple[str, int, str]:
    """The key of an entry, where its fields begin, and the kind of fault in it: "", "missing-key", "missing-comma", "key-with-space"."""
    if _FIELD_FIRST.match(text):
        return "", 0, "missing-key"
    if found := _KEY_AND_FIELD.match(text):
        return found.group(1), found.end(), "missing-comma"
    begin = _SPACE.match(text).end()  # type: ignore[union-attr]
    stop = _HEAD_END.search(text, begin, begin + _LONGEST_HEAD)
    end = stop.start() if stop else min(len(text), begin + _LONGEST_HEAD)
    head = text[begin:end].strip()
    if not head and stop and stop.group() == ",":
        return "", stop.end(), "missing-key"
    if not head or "\n" in head or head.count("{") != head.count("}") or (stop and stop.group() == "="):
        return "", 0, "missing-key"
    key = " ".join(head.split())
    return key, stop.end() if stop else end, "key-with-space" if " " in key else "missing-comma" if stop and stop.group() == "\n" else ""


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
        told: list[tuple[str, str]] = []
        try:
            pairs = _scan(text, start, macros, lambda code, why: told.append((code, why)))
        except _StumbledError as error:
            if (by_pybtex := _by_pybtex(text[start:], macros)) is not None:
                return _collected(by_pybtex, tell)
            tell(str(error), _STUMBLES[str(error)] + "; its fields were read one by one")
        else:
            for code, why in told:
                tell(code, why)
            return _collected(pairs, tell)
    elif text.count("{") > MOST_BRACES:
        tell("unbalanced", f"it has more than {MOST_BRACES:,} braces; its fields were read one by one")
    else:
        tell("unbalanced", _STUMBLES["unbalanced"] + "; its fields were read one by one")
    return _lenient(text, start, macros, tell)


def _collected(pairs: list[tuple[str, str]], tell: Tell) -> dict[str, str]:
    """Fields by name: the first that is not empty wins, lists are joined."""
    fields: dict[str, str] = {}
    more: dict[str, list[str]] = {}
    for name, value in pairs:
        name = name.lower()
        if fields.get(name):
            more.setdefault(name, []).append(value)
        else:
            fields[name] = value
    for name, values in more.items():
        joined = name in _JOINED
        tell("duplicate-field", f"{name} stands {'twice' if len(values) == 1 else 'often'}; {'all are' if joined else 'the first is'} read")
        if joined:
            fields[name] = ", ".join((fields[name], *values))
    for name, value in fields.items():
        if len(value) > LONGEST_VALUE:
            tell("value-too-long", f"{name} has {len(value):,} characters; the first {LONGEST_VALUE:,} are read")
            fields[name] = value[:LONGEST_VALUE]
    return fields


def _scan(text: str, start: int, macros: Mapping[str, str], tell: Tell) -> list[tuple[str, str]]:
    """Fields of a block that is right but for commas."""
    pairs: list[tuple[str, str]] = []
    position = _GAP.match(text, start).end()  # type: ignore[union-attr]
    while position < len(text):
        if len(pairs) == MOST_FIELDS:
            tell("too-many", _TOO_MANY_FIELDS)
            break
        if plain := _PLAIN_FIELD.match(text, position):
            name, braced, quoted, number = plain.groups()
            pairs.append((name, braced or quoted or number or ""))
            position = plain.end()
            if text[position : position + 1] in ("%", ",", ";"):
                position = _GAP.match(text, position).end()  # type: ignore[union-attr]
            continue
        named = _NAME.match(text, position)
        equals = _BLANK.match(text, named.end()).end() if named else 0  # type: ignore[union-attr]
        if not named or text[equals : equals + 1] != "=":
            raise _StumbledError("quote-inside" if '"' in text[max(0, position - 20) : position + 200] else "unbalanced")
        value, behind = _value(text, equals + 1, macros, tell)
        pairs.append((named.group(), value))
        position = _GAP.match(text, behind).end()  # type: ignore[union-attr]
        if position < len(text) and "," not in text[behind:position]:
            tell("missing-comma", f"no comma behind {named.group().lower()}")
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


class _CaseBlind:
    """Macros as pybtex looks them up: it asks by the name as it is written, and writes into what it is given."""

    def __init__(self, macros: Mapping[str, str]) -> None:
        self._macros = macros

    def __getitem__(self, name: str) -> str:
        return self._macros[name.lower()]


def _by_pybtex(text: str, macros: Mapping[str, str]) -> list[tuple[str, str]] | None:
    """What pybtex reads in a block, if it finds no fault in it."""
    if len(text) > LONGEST_VALUE:
        return None
    from pybtex.database.input.bibtex import LowLevelParser  # 70 ms that a good file need not pay

    errors: list[Exception] = []
    parser = LowLevelParser("@article{key," + text + "}", handle_error=errors.append, macros=_CaseBlind(macros))
    try:
        entries = list(parser)
    except Exception:  # noqa: BLE001 - whatever it raises on hostile input, the lenient reader is next
        return None
    if errors or len(entries) != 1:
        return None
    _, (_, fields) = entries[0]
    return [(name, "".join(pieces)) for name, pieces in fields]


_FIELD_START = re.compile(r"(?:^|(?<=[,}\"\n;]))[ \t]*([A-Za-z][\w:+.-]{1,60})[ \t]*=\s*(?=[\"{\w(#])", re.MULTILINE)


def _lenient(text: str, start: int, macros: Mapping[str, str], tell: Tell, *, joined: bool = True) -> dict[str, str]:
    """Everything that looks like a field, each value up to the next; unmatched braces are dropped."""
    found = list(islice(_FIELD_START.finditer(text, start), MOST_FIELDS + 1))
    if len(found) > MOST_FIELDS:
        tell("too-many", _TOO_MANY_FIELDS)
    pairs: list[tuple[str, str]] = []
    for number, here in enumerate(found[:MOST_FIELDS]):
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
    lone: list[int] = []
    for found in _BRACE.finditer(text):
        if found.group() == "{":
            open_at.append(found.start())
        elif open_at:
            open_at.pop()
        else:
            lone.append(found.start())
    cuts = sorted((-1, *lone, *open_at, len(text)))
    return "".join(text[cut + 1 : following] for cut, following in pairwise(cuts))
