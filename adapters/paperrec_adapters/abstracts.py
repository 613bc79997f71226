"""Papers from plain files of abstracts: one paragraph is one paper, headings are skipped, titles are derived where none is given."""

import codecs
import re
from collections.abc import Iterator
from itertools import groupby, takewhile
from pathlib import Path

from paperrec.errors import NoInputError
from paperrec.files import input_path, read_regular, standard_input
from paperrec.paper import Paper
from paperrec.ports import Batch, Located, Problem
from paperrec.text import derive_title, plain_text, printable
from paperrec.text.sentences import split_sentences

LARGEST_FILE = 50_000_000  # bytes
LONGEST_ABSTRACT = 64_000  # characters; more would only cost time
_UNLIKELY_ABSTRACT = 10_000  # characters; more is rather a file without blank lines
_SURE_ABSTRACT = 200  # characters; a longer paragraph is no heading
_SHORT_ABSTRACT = 80  # characters of a single sentence that are an abstract
_SUFFIXES = (".txt", ".md")
# What says something about its folder: in capitals with whatever is joined to it, README.Debian, LICENSE-BSD-3-Clause; else alone, or
# with a language, a number or a licence, readme.pt-br, changelog-1.2, License-MIT. Any other word after it is a paper's.
_WORDS = "readme|changelog|licen[cs]e|contributing"
_NOT_PAPERS = re.compile(
    rf"(?:{_WORDS.upper()})(?:[._-]\S*)?"
    rf"|(?i:{_WORDS})"
    r"(?i:[._-](?:[a-z]{2}(?:[_-](?:[a-z]{2}|hans|hant))?|v?\d[\d._-]*|(?:mit|bsd|isc|mpl|[al]?gpl|apache|cc0)(?:[._-]?v?[\d.]+)?))?"
)
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_RULE = re.compile(r"\s*[=*_~–—─═-][\s=*_~–—─═-]{2,}")
_UNDERLINE = re.compile(r"\s*(?:={3,}|-{3,})\s*")
_HEADING = re.compile(r" {0,3}#{1,6}[ \t]+\S")
_TITLE = re.compile(r"[ \t]*\**title\**[ \t]*:\**[ \t]*(.+)", re.IGNORECASE)
_LABEL = re.compile(r"^\s*\**abstract\**\s*[:.—-]+\**\s*", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*+•]\s+|\(?\d{1,4}[.)]\s+|\[\d{1,4}\]\s+)")
_CLOSED = re.compile(r"[.!?…。！？][\"”’'»)\]]{0,3}$")
_SPACED = re.compile(r"\S\s+\S+\s+\S")  # three words
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]{5}")  # scripts that set no blanks between words


class AbstractsSource(Located):
    """The abstracts of a file, of all .txt and .md files below a folder (but for README and its like), or of standard input (`-`)."""

    def read(self) -> Batch:
        """One paper a paragraph, in file order; the key is the file's name and the paper's number in it.

        Raises
        ------
        NoInputError
            There is no abstract, or nothing to read.
        """
        if self.rest == "-":
            return _filled(parse(standard_input(LARGEST_FILE), "stdin", self.context.encoding), "stdin")
        path, is_folder = input_path(self.rest)
        return _filled(self._folder(path) if is_folder else self._file(path, path.name), self.rest)

    def _file(self, path: Path, name: str) -> Batch:
        return parse(read_regular(path, LARGEST_FILE), name, self.context.encoding, place=str(path))

    def _folder(self, folder: Path) -> Batch:
        files = sorted(p for p in folder.rglob("*") if _may_hold_papers(p.relative_to(folder)) and not p.is_dir())
        if not files:
            raise NoInputError(f"{self.rest}: is a folder without a {' or '.join(_SUFFIXES)} file")
        papers: list[Paper] = []
        problems: list[Problem] = []
        for file in files:
            try:
                batch = self._file(file, file.relative_to(folder).as_posix())
            except NoInputError as error:
                why = printable(str(error).removeprefix(f"{file}: "))
                batch = Batch((), (Problem(printable(str(file)), why, "no-input", left_out=True),))
            papers += batch.papers
            problems += batch.problems
        return Batch(tuple(papers), tuple(problems))


def _filled(batch: Batch, place: str) -> Batch:
    if not batch.papers:
        first = batch.problems[0] if batch.problems else None
        why = f"{first.where}: {first.why}" if first else "one paragraph of a few sentences is one abstract"
        raise NoInputError(f"{place}: holds no abstract ({why})")
    return batch


def _may_hold_papers(path: Path) -> bool:
    is_hidden = any(part.startswith(".") for part in path.parts)
    return path.suffix.lower() in _SUFFIXES and not is_hidden and not _NOT_PAPERS.fullmatch(path.stem)


def parse(data: bytes, name: str, encoding: str = "", *, place: str = "") -> Batch:
    """The abstracts in the bytes of a file.

    Parameters
    ----------
    data
        The file; UTF-8 or UTF-16 with a mark unless `encoding` tells otherwise, cp1252 if it is not (a problem tells).
    name
        What keys begin with.
    encoding
        The user's word on it.
    place
        Where the file is, for problems; the name if not given.

    Raises
    ------
    NoInputError
        The bytes are no text.
    """
    name, place = printable(name), printable(place or name)
    text, problems = _decoded(data, place, encoding)
    papers: list[Paper] = []
    for line, lines in _paragraphs(text):
        title, raw = _parts(lines)
        abstract = plain_text(raw, markdown=True)
        if not _is_abstract(abstract, titled=bool(title)):
            if _CLOSED.search(abstract):
                problems.append(Problem(f"{place}:{line}", "a paragraph too short for an abstract; left out", "too-short", left_out=True))
            continue
        if len(abstract) > _UNLIKELY_ABSTRACT:
            why = f"one paragraph of {len(abstract):,} characters is read as one abstract; is a blank line missing?"
            problems.append(Problem(f"{place}:{line}", why, "long-abstract"))
            abstract = abstract[:LONGEST_ABSTRACT]
        key = f"{name}:{len(papers) + 1}"
        papers.append(Paper(key=key, title=title or derive_title(abstract), abstract=abstract, title_derived=not title))
    return Batch(tuple(papers), tuple(problems))


def _decoded(data: bytes, place: str, encoding: str) -> tuple[str, list[Problem]]:
    usual = "utf-16" if data.startswith(_UTF16_MARKS) else "utf-8"
    problems: list[Problem] = []
    try:
        text = data.decode(encoding or usual)
    except (ValueError, LookupError):
        text = data.decode("cp1252", "replace")
        problems.append(Problem(f"{place}:1", f"not {encoding or 'UTF-8'}; read as cp1252", "encoding-guessed"))
    if "\0" in text[:4000]:
        raise NoInputError(f"{place}: is not text")
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n"), problems


def _paragraphs(text: str) -> Iterator[tuple[int, list[str]]]:
    """(number of its first line, its lines) of each run of lines that are not blank."""
    for has_text, run in groupby(enumerate(text.split("\n"), 1), lambda numbered: bool(numbered[1].strip())):
        if has_text:
            numbers, lines = zip(*run, strict=True)
            yield numbers[0], list(lines)


def _parts(lines: list[str]) -> tuple[str, str]:
    """The title that stands right above an abstract ("" if none does), and the abstract, both as they are written."""
    title = ""
    if len(lines) > 2 and _UNDERLINE.fullmatch(lines[1]):
        title, lines = plain_text(lines[0], markdown=True), lines[1:]
    lines = [line for line in lines if not _RULE.fullmatch(line)]
    heads = list(takewhile(bool, map(_head, lines)))
    if heads:  # the last one is nearest: a session's may stand above it
        title = plain_text(heads[-1], markdown=True)
    return title, _LABEL.sub("", _BULLET.sub("", "\n".join(lines[len(heads) :])))


def _head(line: str) -> str:
    """The heading that a line is, or ""."""
    if len(line) > _SURE_ABSTRACT:
        return ""
    if titled := _TITLE.fullmatch(line):
        return titled.group(1)
    if not _HEADING.match(line):
        return ""
    line = line.rstrip()
    bare = line.rstrip("#")  # Markdown lets a heading be closed as it is opened; the one of "C#" has no blank before it
    return bare if bare.endswith((" ", "\t")) else line


def _is_abstract(text: str, *, titled: bool) -> bool:
    if len(text) >= _SURE_ABSTRACT:
        return _says_something(text)
    # A closed piece of one or two words is an abbreviation, such as those in the names of meetings
    said = [sentence for sentence in split_sentences(text) if _CLOSED.search(sentence) and _says_something(sentence)]
    return len(said) > 1 or (len(said) == 1 and (titled or len(said[0]) >= _SHORT_ABSTRACT))


def _says_something(text: str) -> bool:
    return bool(_SPACED.search(text) or _UNSPACED.search(text))
