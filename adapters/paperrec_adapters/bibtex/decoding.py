"""From the bytes of a .bib file to text: by mark, by declaration, by what is valid; a guess is named, never silent."""

import codecs
import re
from dataclasses import dataclass

from paperrec.errors import SettingsError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"%[^\n]{0,80}?(?:[Ee]ncoding|coding)\s*[:=]?\s*(?:[\w ]{0,30}\()?([A-Za-z][\w-]{2,30})")
_HIGH = re.compile(rb"[\x80-\xff]+")
_UNDEFINED = {0xDC00 + b: b for b in (0x81, 0x8D, 0x8F, 0x90, 0x9D)}  # what surrogateescape makes of them
_EAST_ASIAN = ("gb18030", "shift_jis", "euc_kr")
_BIBDESK_NAMES = {"iso latin 1": "latin-1", "mac os roman": "mac_roman", "windows latin 1": "cp1252"}


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text with one kind of newline, and what had to be guessed: a code and words, or "" and ""."""

    text: str
    code: str = ""
    why: str = ""


def decode(data: bytes, encoding: str) -> Decoded:
    """The text of a .bib file.

    Parameters
    ----------
    data
        The whole file.
    encoding
        The user's word on it; "" lets the file tell.

    Raises
    ------
    SettingsError
        There is no encoding of the name that the user gave.
    """
    found = _as_told(data, encoding) if encoding else _by_mark(data) or _by_zeros(data) or _as_utf8(data) or _guessed(data)
    text = found.text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return Decoded(text.removeprefix("\ufeff"), found.code, found.why)


def _as_told(data: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(data.decode(encoding))
    except LookupError as error:
        raise SettingsError(f"--encoding {encoding}: there is no encoding of this name; common ones are utf-8, cp1252, latin-1") from error
    except UnicodeDecodeError as error:
        why = f"byte {error.start:,} is not {encoding}; what could not be read stands as \ufffd"
        return Decoded(data.decode(encoding, "replace"), "encoding-mixed", why)


def _by_mark(data: bytes) -> Decoded | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            wide = encoding != "utf-8"
            text = data[len(mark) :].decode(encoding, "replace")
            return Decoded(
                text, "encoding-guessed" if wide else "", f"read as {encoding[:6].upper()}, as its first bytes say" if wide else ""
            )
    return None


def _by_zeros(data: bytes) -> Decoded | None:
    head = data[:4000]
    for start, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if len(head) > 7 and head[start::2].count(0) > 0.8 * len(head[start::2]):
            return Decoded(data.decode(encoding, "replace"), "encoding-guessed", "read as UTF-16, by its zero bytes")
    return None


def _as_utf8(data: bytes) -> Decoded | None:
    try:
        return Decoded(data.decode("utf-8"))
    except UnicodeDecodeError:
        return None


def _guessed(data: bytes) -> Decoded:
    if (name := _declared(data)) and (text := _decoded(data, name)) is not None:
        return Decoded(text, "encoding-guessed", f"read as {name}, as it says itself")
    lines = data.split(b"\n")
    foreign = [number for number, line in enumerate(lines, 1) if not line.isascii()]
    wrong = [number for number in foreign if _decoded(lines[number - 1], "utf-8") is None]
    if len(wrong) * 2 <= len(foreign):
        odd = frozenset(wrong)
        whole = "\n".join(_western(line) if number in odd else line.decode("utf-8") for number, line in enumerate(lines, 1))
        return Decoded(whole, "encoding-mixed", f"line {wrong[0]}: not UTF-8 as the rest; {len(wrong)} such lines were read as cp1252")
    if (asian := _east_asian(data)) is not None:
        return asian
    return Decoded(_western(data), "encoding-guessed", "not UTF-8; read as cp1252 (--encoding says it better)")


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeDecodeError, LookupError):
        return None


def _western(data: bytes) -> str:
    """cp1252, and for its five undefined bytes latin-1."""
    return data.decode("cp1252", "surrogateescape").translate(_UNDEFINED)


def _declared(data: bytes) -> str:
    found = _DECLARED.search(data[:4000]) or _DECLARED.search(data[-2000:])
    if not found:
        return ""
    line = found.group().decode("ascii", "replace").lower()
    for words, name in _BIBDESK_NAMES.items():
        if words in line:
            return name
    name = found.group(1).decode("ascii").lower().replace("iso8859_", "iso8859-")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return ""


def _east_asian(data: bytes) -> Decoded | None:
    """Runs of high bytes come in pairs there, and decode to Han, kana or hangul almost throughout."""
    runs = [run for run in _HIGH.findall(data[:200_000]) if run]
    if not runs or sum(len(run) % 2 == 0 for run in runs) < 0.9 * len(runs):
        return None
    best, chosen = 0.8, None
    for encoding in _EAST_ASIAN:
        if (text := _decoded(data, encoding)) is not None:
            letters = [c for c in text if ord(c) > 127]
            share = sum("\u3040" <= c <= "\u30ff" or "\u4e00" <= c <= "\u9fff" or "\uac00" <= c <= "\ud7a3" for c in letters) / max(
                1, len(letters)
            )
            if share > best:
                best, chosen = share, Decoded(text, "encoding-guessed", f"not UTF-8; read as {encoding} (--encoding says it better)")
    return chosen
