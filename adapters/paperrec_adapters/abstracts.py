"""Papers from plain files of abstracts: one paragraph is one paper, headings are skipped, titles are derived where none is given."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from paperrec.errors import NoInputError
from paperrec.files import read_regular
from paperrec.paper import Paper
from paperrec.ports import Batch, Located, Problem
from paperrec.text import derive_title, plain_text, printable

LARGEST_FILE = 50_000_000  # bytes
_SURE_ABSTRACT = 200  # characters; a longer paragraph is no heading
_SHORT_ABSTRACT = 80  # characters; a shorter paragraph is an abstract only with several sentences
_SUFFIXES = (".txt", ".md")
_NOT_PAPERS = ("readme", "changelog", "license", "contributing")
_PARAGRAPH = re.compile(r"(?:[^\n]*\S[^\n]*(?:\n|$))+")
_RULE = re.compile(r"[\s=*_~-]*")
_HEADING_LINE = re.compile(r"[ \t]{0,3}#{1,6}[ \t]+(.*?)[ \t#]*")
_TITLE_LINE = re.compile(r"[ \t]*\**title\**[ \t]*:\**[ \t]*(.+)", re.IGNORECASE)
_LABEL = re.compile(r"^\s*\**abstract\**\s*[:.—-]+\**\s*", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*+•]\s+|\(?\d{1,4}[.)]\s+|\[\d{1,4}\]\s+)")
_SENTENCE_END = re.compile(r"[.!?…。！？][\"”’')\]]{0,3}(?=\s|$)")


class AbstractsSource(Located):
    """The abstracts of a file, of all .txt and .md files below a folder, or of standard input (`-`)."""

    def read(self) -> Batch:
        """One paper a paragraph, in file order; the key is the file's name and the paper's number in it.

        Raises
        ------
        NoInputError
            There is no abstract, or nothing to read.
        """
        papers: list[Paper] = []
        problems: list[Problem] = []
        for name, data in self._files():
            batch = parse(data, name, self.context.encoding)
            papers += batch.papers
            problems += batch.problems
        if not papers:
            why = f"{problems[0].where}: {problems[0].why}" if problems else "one paragraph of a few sentences is one abstract"
            raise NoInputError(f"{self.rest}: holds no abstract ({why})")
        return Batch(tuple(papers), tuple(problems))

    def _files(self) -> Iterator[tuple[str, bytes]]:
        if self.rest == "-":
            yield "stdin", sys.stdin.buffer.read(LARGEST_FILE)
            return
        path = Path(self.rest).expanduser()
        if not path.is_dir():
            yield path.name, read_regular(path, LARGEST_FILE)
            return
        files = sorted(p for p in path.rglob("*") if p.suffix.lower() in _SUFFIXES and _may_hold_papers(p.relative_to(path)))
        if not files:
            raise NoInputError(f"{self.rest}: is a folder without a {' or '.join(_SUFFIXES)} file")
        for file in files:
            yield file.relative_to(path).as_posix(), read_regular(file, LARGEST_FILE)


def _may_hold_papers(path: Path) -> bool:
    return not any(part.startswith(".") for part in path.parts) and path.stem.lower() not in _NOT_PAPERS


def parse(data: bytes, name: str, encoding: str = "") -> Batch:
    """The abstracts in the bytes of a file; `name` stands in keys and places."""
    name = printable(name)
    text, problems = _decoded(data, name, encoding)
    papers: list[Paper] = []
    line = counted = 0
    for found in _PARAGRAPH.finditer(text):
        line += text.count("\n", counted, found.start())
        counted = found.start()
        title, raw = _parts(found.group())
        abstract = plain_text(raw, markdown=True)
        if not abstract or not _is_abstract(abstract, bool(title)):
            if abstract and _SENTENCE_END.search(abstract):
                problems.append(
                    Problem(f"{name}:{line + 1}", "a paragraph too short for an abstract; left out", "too-short", left_out=True)
                )
            continue
        key = f"{name}:{len(papers) + 1}"
        papers.append(Paper(key=key, title=title or derive_title(abstract), abstract=abstract, title_derived=not title))
    return Batch(tuple(papers), tuple(problems))


def _decoded(data: bytes, name: str, encoding: str) -> tuple[str, list[Problem]]:
    try:
        text, problems = data.decode(encoding or "utf-8-sig"), list[Problem]()
    except (UnicodeDecodeError, LookupError):
        text = data.decode("cp1252", "replace")
        problems = [Problem(f"{name}:1", f"not {encoding or 'UTF-8'}; read as cp1252", "encoding-guessed")]
    if "\0" in text[:4000]:
        raise NoInputError(f"{name}: is not text")
    return text.replace("\r\n", "\n").replace("\r", "\n"), problems


def _parts(paragraph: str) -> tuple[str, str]:
    """The title that stands right above an abstract ("" if none does), and the abstract."""
    lines = [line for line in paragraph.split("\n") if line.strip() and not (_RULE.fullmatch(line) and len(line.strip()) > 2)]
    if not lines:
        return "", ""
    head = _HEADING_LINE.fullmatch(lines[0]) or _TITLE_LINE.fullmatch(lines[0])
    if head:
        return plain_text(head.group(1), markdown=True), _LABEL.sub("", "\n".join(lines[1:]))
    return "", _LABEL.sub("", _BULLET.sub("", "\n".join(lines)))


def _is_abstract(text: str, titled: bool) -> bool:
    if len(text) >= _SURE_ABSTRACT:
        return True
    ends = len(_SENTENCE_END.findall(text))
    return ends > 1 or (ends == 1 and (titled or len(text) >= _SHORT_ABSTRACT))
