"""From the bytes of a .bib file to text: by mark, by declaration, by what is valid; a guess is named, never silent."""

import codecs
import re
from dataclasses import dataclass, replace

from paperrec.errors import SettingsError

_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"%[^\n]{0,80}?(?:[Ee]ncoding|coding)\s*[:=]?\s*(?:[\w ]{0,30}\()?([A-Za-z][\w-]{2,30})")
_HIGH = re.compile(rb"[\x80-\xff]+")
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_UNREAD = re.compile(r"[\udc80-\udcff]")
_MOST_ODD_LINES = 100_000
# cp1252, and for its five undefined bytes latin-1
_WESTERN = "".join(chr(b) if b in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else bytes((b,)).decode("cp1252") for b in range(256))
_OF_NO_FILE = re.compile(r"idna|punycode|undefined|.*escape")  # codecs that nobody writes a file in
_WIDE = re.compile(r"utf-(?:7|16|32).*")  # cannot be declared in a line that was read as ASCII
_SAMPLE = 200_000  # bytes
# Encodings, the letters that tell them, and the least share of these among all that are not ASCII: Latin text decodes to Han too
_EAST_ASIAN = (
    ("euc_kr", re.compile("[\uac00-\ud7a3]"), 0.95),
    ("shift_jis", re.compile("[\u3041-\u30ff]"), 0.3),
    ("gb18030", re.compile("[\u3041-\u30ff\u4e00-\u9fff]"), 0.8),
)
_BIBDESK_NAMES = {"iso latin 1": "latin-1", "mac os roman": "mac_roman", "windows latin 1": "cp1252"}


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text with one kind of newline, and what had to be guessed: a code and words, or "" and ""."""

    text: str
    code: str = ""
    why: str = ""
    line: int = 1  # where the trouble begins


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
    if b"\0" not in data:  # not UTF-16; bytes take less memory than letters
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    found = _as_told(data, encoding) if encoding else _by_mark(data) or _by_zeros(data) or _as_utf8(data) or _guessed(data)
    text = found.text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return replace(found, text=text.removeprefix("\ufeff"))


def _as_told(data: bytes, encoding: str) -> Decoded:
    try:
        if not _OF_NO_FILE.fullmatch(codecs.lookup(encoding).name):
            return _as(data, encoding)
    except (LookupError, ValueError):  # ValueError: a name with a NUL or a lone surrogate
        pass
    raise SettingsError(f"--encoding {encoding}: there is no encoding of this name; common ones are utf-8, cp1252, latin-1")


def _as(data: bytes, encoding: str) -> Decoded:
    try:
        return Decoded(data.decode(encoding))
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        why = f"line {line} is not {encoding}; what could not be read stands as \ufffd"
        return Decoded(data.decode(encoding, "replace"), "encoding-mixed", why, line)


def _by_mark(data: bytes) -> Decoded | None:
    if data.startswith(codecs.BOM_UTF8):
        marked = data[len(codecs.BOM_UTF8) :]
        return _as_utf8(marked) or _guessed(marked)
    for mark, encoding in _WIDE_MARKS:
        if data.startswith(mark):
            return _wide(data[len(mark) :], encoding, "as its first bytes say")
    return None


def _wide(data: bytes, encoding: str, because: str) -> Decoded:
    text = data.decode(encoding, "replace")
    lost = "; what could not be read stands as \ufffd" if "\ufffd" in text else ""
    return Decoded(text, "encoding-guessed", f"read as {encoding[:6].upper()}, {because}{lost}")


def _by_zeros(data: bytes) -> Decoded | None:
    head = data[:4000]
    for start, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
        if len(head) > 7 and head[start::2].count(0) > 0.8 * len(head[start::2]):
            return _wide(data, encoding, "by its zero bytes")
    return None


def _as_utf8(data: bytes) -> Decoded | None:
    try:
        return Decoded(data.decode("utf-8"))
    except UnicodeDecodeError:
        return None


def _guessed(data: bytes) -> Decoded:
    if (name := _declared(data)) and (text := _decoded(data, name)) is not None:
        return Decoded(text, "encoding-guessed", f"read as {name}, as it says itself")
    if (mixed := _mostly_utf8(data)) is not None:
        return mixed
    if (asian := _east_asian(data)) is not None:
        return asian
    return Decoded(_western(data), "encoding-guessed", "not UTF-8; read as cp1252 (--encoding says it better)")


def _mostly_utf8(data: bytes) -> Decoded | None:
    """The text, if of its first lines with foreign letters most are UTF-8; the other lines are read as cp1252."""
    text = data.decode("utf-8", "surrogateescape")
    n_foreign = n_odd = position = 0
    while n_foreign < _MOST_ODD_LINES and (found := _FOREIGN.search(text, position)):
        position = _end_of_line(text, found.start())
        n_foreign += 1
        n_odd += _UNREAD.search(text, found.start(), position) is not None
    if n_odd * 2 > n_foreign:
        return None
    parts: list[str] = []
    first = n_odd = done = 0
    while found := _UNREAD.search(text, done):
        start, end = text.rfind("\n", 0, found.start()) + 1, _end_of_line(text, found.start())
        parts += (text[done:start], _western(text[start:end].encode("utf-8", "surrogateescape")))
        first = first or text.count("\n", 0, start) + 1
        done = end
        n_odd += 1
        if n_odd > _MOST_ODD_LINES:
            return None
    why = f"line {first}: not UTF-8 as the rest; {n_odd:,} such lines were read as cp1252"
    return Decoded("".join((*parts, text[done:])), "encoding-mixed", why, first)


def _end_of_line(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end


def _decoded(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (LookupError, ValueError):
        return None


def _western(data: bytes) -> str:
    return codecs.charmap_decode(data, "strict", _WESTERN)[0]


def _declared(data: bytes) -> str:
    found = _DECLARED.search(data[:4000]) or _DECLARED.search(data[-2000:])
    if not found:
        return ""
    line = data[found.start() : found.end() + 40].partition(b"\n")[0].decode("ascii", "replace").lower()
    for words, name in _BIBDESK_NAMES.items():
        if words in line:
            return name
    name = found.group(1).decode("ascii").lower().replace("iso8859_", "iso8859-")
    try:
        name = codecs.lookup(name).name
    except LookupError:
        return ""
    return "" if _OF_NO_FILE.fullmatch(name) or _WIDE.fullmatch(name) else name


def _east_asian(data: bytes) -> Decoded | None:
    """The text, if it decodes almost throughout to the letters of one script; runs of high bytes come in pairs there."""
    sample = data[:_SAMPLE]
    runs = _HIGH.findall(sample)
    paired = sum(len(run) % 2 == 0 for run in runs) >= 0.9 * len(runs)
    for encoding, letters, share in _EAST_ASIAN:
        if not paired and encoding != "shift_jis":  # its second byte may be ASCII
            continue
        try:
            text = codecs.getincrementaldecoder(encoding)().decode(sample)
        except UnicodeDecodeError:
            continue
        if len(letters.findall(text)) >= share * max(1, len(_FOREIGN.findall(text))) and (whole := _decoded(data, encoding)) is not None:
            return Decoded(whole, "encoding-guessed", f"not UTF-8; read as {encoding} (--encoding says it better)")
    return None
