"""What a run reads is never replaced by what it writes, by whatever name the file is called."""

import json
import os
from pathlib import Path

import pytest

from fakes.program import Run, program

LIBRARY = "@article{a, title={Graphs and kernels}}\n@article{b, title={Message passing on graphs}}\n"
CANDIDATE = json.dumps({"id": "x:1", "title": "Kernels for graphs", "abstract": "Graphs."}) + "\n"
PAGE = "<!-- made by paperrec -->\n\nWe count sheep on steep pastures and compare their steps with those of goats over many summers.\n"


@pytest.fixture
def paperrec(tmp_path: Path) -> Run:
    """Run the program in a folder where every kind of input stands."""
    (tmp_path / "lib.bib").write_text(LIBRARY, encoding="utf-8")
    (tmp_path / "new.jsonl").write_text(CANDIDATE, encoding="utf-8")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "new.jsonl").write_text(CANDIDATE, encoding="utf-8")
    for name in ("yes.jsonl", "no.jsonl"):
        (tmp_path / name).write_text(CANDIDATE.replace("x:1", name).replace("Kernels", name), encoding="utf-8")
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    (tmp_path / "link.json").symlink_to("new.jsonl")
    os.link(tmp_path / "new.jsonl", tmp_path / "second.json")
    return program(tmp_path)


BIB = ("--bib", "lib.bib")


@pytest.mark.parametrize(
    "arguments",
    [
        ("recommend", *BIB, "new.jsonl", "-o", "new.jsonl"),
        ("recommend", *BIB, "new.jsonl", "-o", "./folder/../new.jsonl"),
        ("recommend", *BIB, "new.jsonl", "-o", "link.json"),
        ("recommend", *BIB, "new.jsonl", "-o", "second.json"),
        ("recommend", *BIB, "jsonl:new.jsonl", "-o", "new.jsonl"),
        ("recommend", *BIB, "folder", "-o", "folder/new.jsonl"),
        ("recommend", *BIB, "folder", "-o", "folder/later.jsonl"),
        ("recommend", *BIB, "new.jsonl", "--like", "yes.jsonl", "-o", "yes.jsonl"),
        ("recommend", *BIB, "new.jsonl", "--dislike", "no.jsonl", "-o", "no.jsonl"),
        ("recommend", "--bib", ".", "new.jsonl", "-f", "text", "-o", "lib.bib"),
        ("recommend", *BIB, "new.jsonl", "abstracts:page.html", "--to", "html:page.html"),
        ("recommend", "--config", "my.toml", *BIB, "new.jsonl", "-o", "my.toml"),
        ("evaluate", *BIB, "new.jsonl", "-o", "new.jsonl"),
        ("read", "new.jsonl", "-o", "new.jsonl"),
        ("read", "folder", "-o", "folder/new.jsonl"),
        ("sync", *BIB, "--zotero", "users/1", "new.jsonl", "--dry-run", "-o", "new.jsonl"),
    ],
    ids=" ".join,
)
def test_no_output_takes_the_place_of_an_input(paperrec: Run, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    (tmp_path / "my.toml").write_text("limit = 5\n", encoding="utf-8")
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    run = paperrec(*arguments)
    assert (run.returncode, run.stdout, len(run.stderr.splitlines())) == (2, b"", 1), run.stderr
    assert b"that is read" in run.stderr
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file() and "home" not in path.parts} == before


def test_a_list_may_stand_beside_what_is_read(paperrec: Run, tmp_path: Path) -> None:
    for _ in range(2):  # the second time it replaces its own list
        run = paperrec("recommend", "--bib", ".", "folder", "-o", "list.json", "--to", "html:list.html")
        assert run.returncode == 0, run.stderr
    assert len(json.loads((tmp_path / "list.json").read_bytes())["recommendations"]) == 1


def test_a_bib_file_of_candidates_is_added_to_and_loses_nothing(paperrec: Run, tmp_path: Path) -> None:
    (tmp_path / "new.bib").write_text("% mine\n@article{n, title={Graphs in a file}}\n", encoding="utf-8")
    run = paperrec("recommend", *BIB, "new.bib", "new.jsonl", "--to", "bib:new.bib")
    assert run.returncode == 0, run.stderr
    grown = (tmp_path / "new.bib").read_text(encoding="utf-8")
    assert grown.startswith("% mine\n@article{n, title={Graphs in a file}}\n")
    assert "Kernels for graphs" in grown


def test_zotero_s_own_database_needs_no_name(paperrec: Run) -> None:
    run = paperrec("recommend", "--zotero", "sqlite", "new.jsonl")
    assert run.returncode == 65
    assert b"empty text" not in run.stderr
    assert b"zotero.sqlite" in run.stderr
