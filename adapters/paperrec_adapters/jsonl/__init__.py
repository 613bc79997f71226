"""Papers from JSON Lines, from a JSON array, and from paperrec's own documents; whatever a field holds, it costs at most itself."""

import codecs
from pathlib import Path

from paperrec.errors import NoInputError
from paperrec.files import input_path, read_regular, standard_input
from paperrec.paper import Paper
from paperrec.ports import Batch, Located, Problem
from paperrec.text import printable
from paperrec_adapters.jsonl.fields import LONGEST_TEXT, Record
from paperrec_adapters.jsonl.records import Unread, in_utf8, records

__all__ = ["LARGEST_FILE", "LONGEST_TEXT", "MOST_RECORDS", "JsonlSource", "parse"]

LARGEST_FILE = 256_000_000  # bytes
MOST_RECORDS = 1_000_000


class JsonlSource(Located):
    """One paper a line of a file, or of standard input (`-`)."""

    def read(self) -> Batch:
        """Every record that has a title or an abstract, in file order.

        Raises
        ------
        NoInputError
            There is none, or nothing to read.
        """
        name = "stdin" if self.rest == "-" else printable(self.rest)
        data = standard_input(LARGEST_FILE) if self.rest == "-" else read_regular(input_path(self.rest)[0], LARGEST_FILE)
        batch = parse(data, name)
        if not batch.papers:
            raise NoInputError(f"{name}: {_why_empty(data, batch)}")
        return batch


def _why_empty(data: bytes, batch: Batch) -> str:
    start = data.removeprefix(codecs.BOM_UTF8).lstrip()[:1]
    if not start:
        return "is empty"
    if start not in (b"{", b"["):
        return 'is not JSON: one object a line is wanted, such as {"title": "...", "abstract": "..."}'
    if batch.problems:
        return f"holds no paper ({len(batch.problems):,} problems; the first: {batch.problems[0].where}: {batch.problems[0].why})"
    return "holds no paper"


def parse(data: bytes, name: str) -> Batch:
    """The papers in the bytes of a file; `name` stands in keys and places."""
    papers: list[Paper] = []
    problems: list[Problem] = []
    data = in_utf8(data, name, problems)
    file = Path(name).name
    for count, (place, said, record) in enumerate(records(data), 1):
        where = f"{name}:{place}"
        if count > MOST_RECORDS:
            problems.append(Problem(where, f"has more than {MOST_RECORDS:,} records; no more are read", "too-many", left_out=True))
            break
        if not isinstance(record, dict):
            why = record if isinstance(record, Unread) else "not a JSON object"
            problems.append(Problem(where, f"{said}: {why}; skipped", "bad-json", left_out=True))
            continue
        reader = Record(record, where, said, problems)
        paper = reader.paper(f"{file}:{place}")
        if paper is None:
            problems.append(Problem(where, f"{said}: neither title nor abstract; skipped", "no-text", left_out=True))
        else:
            papers.append(paper)
    return Batch(tuple(papers), tuple(problems))
