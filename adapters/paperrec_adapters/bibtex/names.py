"""Authors' names from a BibTeX or biblatex field; a name never decides the fate of an entry."""

import re
from collections.abc import Callable

from paperrec.text import plain_text

_AND = re.compile(r"\s+and(?=\s)", re.IGNORECASE)
_BRACE_OR_AND = re.compile(r"[{}]|(?<=\s)and(?=\s)", re.IGNORECASE)
_EXTENDED = re.compile(r"\b(family|given|prefix|suffix|useprefix)(?:-i)?\s*=\s*(\{[^{}]*\}|\"[^\"]*\"|[^,]*)", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z]++(?:[ -][A-Za-z]++)*+, [A-Za-z]++\.?+(?:[ -][A-Za-z]++\.?+)*+")  # most names
_PLAIN_TURNED = re.compile(r"(?:[A-Z][A-Za-z]*+\.?+[ -])++[A-Z][a-z]++(?:-[A-Z][a-z]++)?+(?<! Jr)(?<! Sr)")
_SUFFIX = re.compile(r"(?:jr|sr|i{1,3}|iv|v)\.?", re.IGNORECASE)
_OTHERS = frozenset(("others", "et al", "et al.", "others."))


def authors(field: str, n_most: int, tell: Callable[[str, str], None]) -> tuple[str, ...]:
    """The names of a field as "Family, Given", organisations whole; "and others" is dropped.

    Parameters
    ----------
    field
        The raw field, LaTeX and all.
    n_most
        Names beyond these are not read.
    tell
        Called with a code and words where the names had to be guessed.
    """
    if not field.strip():
        return ()
    raw = _at_and(field)
    if len(raw) == 1 and ";" in raw[0] and not _whole(raw[0]):
        raw = raw[0].split(";")
    names: list[str] = []
    if len(raw) > n_most:
        tell("value-too-long", f"it has {len(raw):,} authors; the first {n_most:,} are read")
    for part in raw[:n_most]:
        names += _names(part.strip(), tell)
    return tuple(name for name in names[:n_most] if name and name.lower() not in _OTHERS)


def _at_and(field: str) -> list[str]:
    """Cut at each "and" outside braces."""
    if "{" not in field:
        return _AND.split(" " + field + " ")
    parts: list[str] = []
    depth = start = 0
    for found in _BRACE_OR_AND.finditer(f" {field} "):
        sign = found.group()
        if sign == "{":
            depth += 1
        elif sign == "}":
            depth = max(0, depth - 1)
        elif not depth:
            parts.append(f" {field} "[start : found.start()])
            start = found.end()
    return [*parts, f" {field} "[start:]]


def _whole(name: str) -> bool:
    """Whether a name stands in one pair of braces: an organisation."""
    if not (name.startswith("{") and name.endswith("}")):
        return False
    depth = 0
    for at, sign in enumerate(name):
        depth += (sign == "{") - (sign == "}")
        if not depth:
            return at == len(name) - 1
    return False


def _names(raw: str, tell: Callable[[str, str], None]) -> list[str]:
    """What stands between two "and": one name, or where commas say so, several."""
    if _PLAIN.fullmatch(raw):
        return [raw]
    if _PLAIN_TURNED.fullmatch(raw):
        given, _, family = raw.rpartition(" ")
        return [f"{family}, {given}"]
    if not raw or _whole(raw):
        return [plain_text(raw)]
    if "=" in raw and (extended := _extended(raw)):
        return [extended]
    parts = [plain_text(part) for part in _at_commas(raw)]
    if len(parts) == 1:
        return [_turned(raw)]
    parts = [part for part in parts if part]
    if len(parts) <= 2 or (len(parts) == 3 and any(_SUFFIX.fullmatch(part) for part in parts[1:])):
        return [", ".join(parts)]
    if all(" " in part for part in parts):
        tell("name-commas", f"too many commas in a name; read as {len(parts)} names")
        return [_turned(part) for part in parts]
    if len(parts) % 2 == 0:
        tell("name-commas", f"too many commas in a name; read as {len(parts) // 2} names")
        return [", ".join(parts[at : at + 2]) for at in range(0, len(parts), 2)]
    if len(parts) > 3:
        tell("name-commas", "too many commas in a name; read as one name")
    return [", ".join(parts)]


def _at_commas(raw: str) -> list[str]:
    if "{" not in raw:
        return raw.split(",")
    parts, depth, start = list[str](), 0, 0
    for at, sign in enumerate(raw):
        depth += (sign == "{") - (sign == "}")
        if sign == "," and depth <= 0:
            parts.append(raw[start:at])
            start = at + 1
    return [*parts, raw[start:]]


def _extended(raw: str) -> str:
    found = {name.lower(): plain_text(value.strip().strip('"')) for name, value in _EXTENDED.findall(raw)}
    if not found.get("family"):
        return ""
    family = f"{found['prefix']} {found['family']}" if found.get("prefix") else found["family"]
    return ", ".join(part for part in (family, found.get("suffix", ""), found.get("given", "")) if part)


_TOKEN = re.compile(r"(?:\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}|\\.|[^\s{}\\~])+")


def _turned(raw: str) -> str:
    """`Given von Family` as "von Family, Given"; a single word as it is."""
    tokens = [plain_text(token) for token in _TOKEN.findall(raw)]
    tokens = [token for token in tokens if token]
    if len(tokens) < 2:
        return plain_text(raw)
    suffix = [tokens.pop()] if len(tokens) > 2 and _SUFFIX.fullmatch(tokens[-1]) and tokens[-1].lower() not in ("i", "v") else []
    first_small = next((at for at, token in enumerate(tokens[1:-1], 1) if token[0].islower()), len(tokens) - 1)
    return ", ".join((" ".join(tokens[first_small:]), *suffix, " ".join(tokens[:first_small])))
