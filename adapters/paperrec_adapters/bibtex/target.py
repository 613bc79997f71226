"""The .bib file that is written to: what it holds, and where in it our block goes."""

import codecs
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from paperrec.errors import NoInputError, WriteError
from paperrec.files import read_regular
from paperrec.paper import Paper
from paperrec_adapters.bibtex.blocks import split
from paperrec_adapters.bibtex.decoding import decode
from paperrec_adapters.bibtex.fields import split_key
from paperrec_adapters.bibtex.source import LARGEST_FILE, parse

# No "@" and no brace: BibTeX and others read them even in a comment
BEGIN = "% >>> paperrec: recommended papers; new ones are added above the closing line, nothing else is touched"
END = "% <<< paperrec"
_BEGIN_LINE = re.compile(rb"(?:^|(?<=[\r\n]))% >>> paperrec")
_END_LINE = re.compile(rb"(?:^|(?<=[\r\n]))% <<< paperrec[^\r\n]*")
_KEY = re.compile(r"@\s*\w+\s*[{(]\s*([^\s,{}()=\"]+)\s*,")
_FOREIGN = re.compile(r"\s*(?:<[!?a-z]|%PDF|[\[{]\s*[\"{\[])", re.IGNORECASE)
_NOTE = re.compile(r"^[ \t]*[^\s%]", re.MULTILINE)  # a line that is neither blank nor a comment
_DECLARED = re.compile(rb"%[^\n]{0,40}[Ee]ncoding\s*:\s*([\w-]+)")
_WIDE_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True)
class Target:
    """A file as it is before a write; one that does not exist is empty."""

    path: Path
    encoding: str  # the user's word on it, or ""
    data: bytes
    papers: tuple[Paper, ...]
    keys: frozenset[str]  # lower case; also those of entries that cannot be read
    ascii_only: bool  # not UTF-8: what is added must be valid in it all the same
    newline: str

    @classmethod
    def read(cls, path: Path, encoding: str) -> Self:
        """The file at `path`, if our block can stand in it.

        Raises
        ------
        WriteError
            It cannot be read, or is no .bib file.
        """
        data = _bytes_of(path)
        decoded = decode(data, encoding)
        if why := _unfit(data, decoded.text):
            raise WriteError(f"{path}: {why}; nothing was written")
        blocks = [block for block in split(decoded.text) if block.kind != "comment"]
        keys = {split_key(block.text)[0].lower() for block in blocks} | {key.lower() for key in _KEY.findall(decoded.text)}
        newline = "\r\n" if b"\r\n" in data else "\r" if b"\r" in data and b"\n" not in data else "\n"
        ascii_only = bool(decoded.code) or _is_other(encoding) or _is_other(_declared(data))
        return cls(path, encoding, data, papers_in(data, encoding), frozenset(keys), ascii_only, newline)

    def extended(self, entries: Sequence[str]) -> bytes:
        """The file with entries at the end of our block, or where that cannot be read, with a block of their own behind all else.

        Raises
        ------
        WriteError
            Nowhere in it could they be read back.
        """
        added = "".join(entry.replace("\n", self.newline) + self.newline * 2 for entry in entries).encode()
        wanted = Counter(self.papers) + Counter(paper for entry in entries for paper in papers_in(entry.encode()))
        for data in self._with_block(added):
            if len(data) > LARGEST_FILE:
                raise WriteError(f"{self.path}: would have more than {LARGEST_FILE / 1e6:.0f} MB; nothing was written (name another file)")
            if Counter(papers_in(data, self.encoding)) == wanted:
                return data
        raise WriteError(f"{self.path}: its last entry is broken, so that what is added could not be read back; nothing was written")

    def _with_block(self, added: bytes) -> list[bytes]:
        begins = [found.start() for found in _BEGIN_LINE.finditer(self.data)]
        ends = [found.start() for found in _END_LINE.finditer(self.data)]
        gap = self.newline * (0 if not self.data else 1 if self.data.endswith((b"\n", b"\r")) else 2)
        behind = self.data + f"{gap}{BEGIN}{self.newline * 2}".encode() + added + f"{END}{self.newline}".encode()
        if begins and ends and begins[0] < ends[-1]:
            return [self.data[: ends[-1]] + added + self.data[ends[-1] :], behind]
        return [behind]


def papers_in(data: bytes, encoding: str = "") -> tuple[Paper, ...]:
    """What our reader finds; nothing, if there is nothing."""
    try:
        return parse(data, "", encoding).papers
    except NoInputError:
        return ()


def _bytes_of(path: Path) -> bytes:
    try:
        path.stat()
    except FileNotFoundError:
        return b""
    except (OSError, ValueError) as error:
        raise WriteError(f"{path}: cannot be written: {getattr(error, 'strerror', error)}") from error
    try:
        return read_regular(path, LARGEST_FILE)
    except NoInputError as error:
        raise WriteError(f"{error}; nothing was written") from error


def _unfit(data: bytes, text: str) -> str:
    """Why our block cannot stand in a file, or ""."""
    if data.startswith(_WIDE_MARKS) or data[:4000].count(0) * 4 > len(data[:4000]):
        return "is UTF-16 (save it as UTF-8, or name another file)" if "@" in text else "is no .bib file"
    if _FOREIGN.match(text) or ("@" not in text and _NOTE.search(text)):
        return "is no .bib file"
    return ""


def _declared(data: bytes) -> str:
    found = _DECLARED.search(data[:2000])
    return found.group(1).decode() if found else ""


def _is_other(encoding: str) -> bool:
    return encoding.lower().replace("_", "-") not in ("", "utf-8", "utf8", "utf-8-sig", "ascii", "us-ascii")
