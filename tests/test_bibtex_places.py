"""Where .bib files are read from: folders, names that are no files, standard input."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from paperrec.errors import NoInputError
from paperrec.ports import Context
from paperrec_adapters.bibtex import BibtexSource


def test_hidden_folders_are_skipped_and_the_suffix_may_be_in_capitals(tmp_path: Path) -> None:
    for name in ("z/EXPORT.BIB", ".git/x.bib", "a.bib", "not.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(f"@misc{{k, title={{{name}}}}}", encoding="utf-8")
    os.mkfifo(tmp_path / "pipe.bib")
    batch = BibtexSource.open(str(tmp_path), Context()).read()
    assert [p.title for p in batch.papers] == ["a.bib", "z/EXPORT.BIB"]
    assert [(p.where, p.why) for p in batch.problems] == [(str(tmp_path / "pipe.bib"), "is no regular file")]


@pytest.mark.parametrize("rest", ["~no-such-user-here/x.bib", "x" * 5_000, "a\0b.bib", ""])
def test_a_name_of_no_file_is_told_in_one_line(rest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NoInputError, match=r"^[^\n]+$"):
        BibtexSource.open(rest, Context()).read()


def from_standard_input(redirection: str, tmp_path: Path) -> str:
    code = """
from paperrec.errors import NoInputError
from paperrec.ports import Context
from paperrec_adapters.bibtex import BibtexSource
try:
    print([paper.title for paper in BibtexSource.open("-", Context()).read().papers])
except NoInputError as error:
    print(error)
"""
    (tmp_path / "code.py").write_text(code, encoding="utf-8")
    (tmp_path / "x.bib").write_text("@misc{a, title={A}}", encoding="utf-8")
    shell = f'"$0" code.py {redirection}'
    return subprocess.run(["sh", "-c", shell, sys.executable], cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize(
    ("redirection", "said"),
    [
        ("< x.bib", "['A']"),
        ("< /dev/null", "stdin: is empty"),
        ("<&-", "stdin: cannot be read: it is closed"),
        ("< /dev/zero", "stdin: has more than 40 MB; no more are read"),
    ],
)
def test_standard_input_is_read_or_said_to_be_unreadable(redirection: str, said: str, tmp_path: Path) -> None:
    assert from_standard_input(redirection, tmp_path) == said
