"""The user's yes and no from files: what was wrong with them is told, and which word counts."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fakes.program import Run, program
from paperrec.history import History
from paperrec.paper import Paper, fingerprint
from paperrec.ports import Context
from paperrec.reading import read_words
from paperrec.recommendation import Feedback

LIBRARY = "@article{a, title={Graphs and kernels}}\n@article{b, title={Message passing on graphs}}\n"
NEW = [{"id": f"x:{n}", "title": title} for n, title in enumerate(("Kernels for graphs", "Passing of messages", "Wool and sheep"))]


@pytest.fixture
def paperrec(tmp_path: Path) -> Run:
    (tmp_path / "lib.bib").write_text(LIBRARY, encoding="utf-8")
    (tmp_path / "new.jsonl").write_text("".join(json.dumps(paper) + "\n" for paper in NEW), encoding="utf-8")
    (tmp_path / "no.jsonl").write_text(json.dumps(NEW[0]) + "\nnot a paper\n", encoding="utf-8")
    (tmp_path / "empty.bib").write_text("", encoding="utf-8")
    return program(tmp_path)


ASKED = ("recommend", "--bib", "lib.bib", "new.jsonl", "--json")


def test_what_is_wrong_with_a_list_of_turned_down_papers_is_told_with_its_place(paperrec: Run) -> None:
    run = paperrec(*ASKED, "--dislike", "no.jsonl")
    assert run.returncode == 0
    assert [problem["where"] for problem in json.loads(run.stdout)["problems"]] == ["no.jsonl:2"]
    assert b"no.jsonl:2: " in run.stderr
    assert b"turned down: 1 of 2 entries read\n" in run.stderr


def test_a_list_that_cannot_be_read_is_named_and_costs_exit_code_3(paperrec: Run) -> None:
    for more in (("--dislike", "bib:gone.bib"), ("--like", "bib:gone.bib", "--like", "no.jsonl")):
        run = paperrec(*ASKED, *more)
        assert run.returncode == 3
        assert b"paperrec: gone.bib: cannot be read: No such file or directory\n" in run.stderr
        assert json.loads(run.stdout)["recommendations"]


def test_an_empty_list_is_no_reason_to_end_the_run(paperrec: Run) -> None:
    run = paperrec(*ASKED, "--dislike", "empty.bib")
    assert run.returncode == 0
    assert b"empty.bib: is empty: nothing was said there\n" in run.stderr
    assert len(json.loads(run.stdout)["recommendations"]) == 3


def test_a_yes_and_a_no_to_one_paper_is_told_and_the_no_counts(paperrec: Run, tmp_path: Path) -> None:
    (tmp_path / "yes.jsonl").write_text(json.dumps(NEW[0] | {"id": "mine", "title": "KERNELS for graphs"}), encoding="utf-8")
    run = paperrec(*ASKED, "--dislike", "no.jsonl", "--like", "yes.jsonl")
    assert b"mine: you said both yes and no to it (--like, --dislike); the no counts\n" in run.stderr
    alone = paperrec(*ASKED, "--dislike", "no.jsonl")
    assert json.loads(run.stdout)["recommendations"] == json.loads(alone.stdout)["recommendations"]


def test_what_is_said_now_stands_before_what_was_said_earlier(tmp_path: Path) -> None:
    papers = [Paper(key=f"k{n}", title=f"A paper on subject number {n}") for n in range(3)]
    now = datetime(2026, 1, 2, tzinfo=UTC)
    with History.opened(tmp_path / "state", now, "sync") as history:
        history.hear([Feedback(fingerprint(p), relevant, now, p) for p, relevant in zip(papers, (True, False, True), strict=True)])
        for name, paper in (("no", papers[0]), ("yes", papers[1])):
            (tmp_path / f"{name}.jsonl").write_text(json.dumps({"id": name, "title": paper.title}), encoding="utf-8")
        words = read_words((f"jsonl:{tmp_path / 'yes.jsonl'}",), (f"jsonl:{tmp_path / 'no.jsonl'}",), Context(), history, seen_in=())
    assert [[p.key for p in side] for side in (words.judged.liked, words.judged.disliked)] == [["yes", "k2"], ["no"]]
    assert words.problems == ()


@pytest.mark.parametrize("more", [("--bib", "-", "new.jsonl", "--like", "-"), ("--bib", "lib.bib", "-", "--dislike", "jsonl:-")])
def test_standard_input_has_one_reader(paperrec: Run, more: tuple[str, ...]) -> None:
    run = paperrec("recommend", *more, stdin=LIBRARY.encode())
    assert (run.returncode, run.stdout) == (2, b"")
    assert run.stderr.startswith(b"paperrec: -: standard input can be read only once")
