"""Why a paper stands where it stands, told of the list that the user has seen."""

import json
from pathlib import Path

import pytest

from fakes.program import Run, program

LIST = ("--bib", "lib.bib", "new.jsonl")


@pytest.fixture
def paperrec(tmp_path: Path) -> Run:
    words = "graph kernel network spectrum vertex motif walk clique tree path".split()
    library = [" ".join(words[n:] + words[:n]) for n in range(12)]
    entries = (f"@article{{k{n}, title={{A {text} study {n}}}, abstract={{{text}}}}}\n" for n, text in enumerate(library))
    (tmp_path / "lib.bib").write_text("".join(entries), encoding="utf-8")
    titles = ["Graph kernels and the walk of a vertex", "A tree and a clique", "One network of sheep", "Harbour dues under old law"]
    (tmp_path / "new.jsonl").write_text("".join(json.dumps({"id": f"x:{n}", "title": t}) + "\n" for n, t in enumerate(titles)))
    return program(tmp_path)


def order(paperrec: Run) -> list[str]:
    return [r["paper"]["key"] for r in json.loads(paperrec("recommend", *LIST, "--json").stdout)["recommendations"]]


def test_a_paper_beyond_the_list_was_crowded_out_and_has_its_reasons(paperrec: Run) -> None:
    key = order(paperrec)[2]
    for asked in (key, "3"):
        lines = paperrec("why", asked, *LIST, "-n", "2").stdout.decode().splitlines()
        assert "not on the list: crowded out: place 3 of a list of 2" in lines
        assert any(line.startswith("score ") and line.endswith("which is the sum of:") for line in lines)
    document = json.loads(paperrec("why", key, *LIST, "-n", "2", "--json").stdout)
    assert (document["left_out"], document["rank"]) == ("crowded out: place 3 of a list of 2", 3)
    assert sum(reason["part"] for reason in document["reasons"]) == pytest.approx(document["score"])


def test_the_settings_of_the_list_hold_for_its_reasons(paperrec: Run, tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text("limit = 1\n", encoding="utf-8")
    keys = order(paperrec)
    assert b"crowded out: place 2 of a list of 1" in paperrec("why", keys[1], *LIST, "--config", "my.toml").stdout
    assert b"rank 1 of 4" in paperrec("why", keys[0], *LIST, "--config", "my.toml").stdout


def test_a_paper_below_the_least_score_has_its_reasons_too(paperrec: Run) -> None:
    key = order(paperrec)[-1]
    lines = paperrec("why", key, *LIST, "--min-score", "99.9").stdout.decode().splitlines()
    assert any(line.startswith("not on the list: below the line: it scores ") for line in lines)
    assert any(line.endswith("which is the sum of:") for line in lines)


def test_what_was_never_ranked_has_no_reasons(paperrec: Run) -> None:
    run = paperrec("why", "x:2", *LIST, "--mute", "sheep")
    assert run.stdout.decode() == "One network of sheep\nnot on the list: muted: term “sheep”\n"


def test_printed_parts_visibly_sum_and_none_of_them_is_nothing(paperrec: Run) -> None:
    for key in order(paperrec):
        document = json.loads(paperrec("why", key, *LIST, "--json").stdout)
        lines = paperrec("why", key, *LIST).stdout.decode().splitlines()
        parts = [float(line.split()[0]) for line in lines if line.startswith("  ")]
        assert 0 not in parts
        assert round(sum(parts), 2) == round(document["score"], 2)
        assert len(parts) <= len(document["reasons"])
