"""The user's levers as he writes them: what they meet, and what is said of one that is odd or meets nothing."""

import json
from pathlib import Path

import pytest

from fakes.program import Run, program

NEW = [
    {"id": "x:fruit", "title": "Vitamin C in mountain fruit", "authors": ["van der Berg, Jan"]},
    {"id": "x:code", "title": "Fast C++ code for grazing", "authors": ["Zhang, Wei"]},
    {"id": "x:sheep", "title": "关于羊群放牧的研究", "authors": ["Lima, Ana"]},
]
ASKED = ("recommend", "--bib", "lib.bib", "new.jsonl", "--json")


@pytest.fixture
def paperrec(tmp_path: Path) -> Run:
    (tmp_path / "lib.bib").write_text("@article{a, title={Grazing on mountain pastures}}", encoding="utf-8")
    (tmp_path / "new.jsonl").write_text("".join(json.dumps(paper) + "\n" for paper in NEW), encoding="utf-8")
    return program(tmp_path)


def muted(paperrec: Run, *words: str) -> set[str]:
    run = paperrec(*ASKED, *(part for word in words for part in ("--mute", word)))
    assert run.returncode == 0, run.stderr
    return {str(paper["id"]) for paper in NEW} - {r["paper"]["key"] for r in json.loads(run.stdout)["recommendations"]}


def test_levers_meet_what_they_name_and_nothing_else(paperrec: Run) -> None:
    assert muted(paperrec, "C++") == {"x:code"}
    assert muted(paperrec, "羊群", "author:van der Berg") == {"x:sheep", "x:fruit"}
    assert muted(paperrec, "author:Zhang W", "author:Lima, Bo") == {"x:code"}


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("", "'': names nothing to look for"),
        ("...", "'...': names nothing to look for"),
        ("author:", "'author:': names nothing to look for"),
        ("autor:Lima", "'autor:Lima': there is no lever 'autor'"),
        ("authors:Lima", "'authors:Lima': there is no lever 'authors'"),
    ],
)
def test_an_odd_lever_is_one_line_that_names_the_kinds(paperrec: Run, tmp_path: Path, word: str, message: str) -> None:
    (tmp_path / "my.toml").write_text(f"[steer]\nmute = [{word!r}]\n", encoding="utf-8")
    for arguments in (("--boost", word), ("--mute", word), ("--config", "my.toml")):
        run = paperrec(*ASKED, *arguments)
        assert (run.returncode, run.stdout, len(run.stderr.splitlines())) == (2, b"", 1)
        assert f"{message}{'' if 'lever' in message else ';'}" in run.stderr.decode()
        assert b"author:NAME or venue:NAME" in run.stderr


def test_an_empty_name_in_a_table_of_the_settings_is_told_with_its_place(paperrec: Run, tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text('[profiles.side.steer.mute]\nauthors = [""]\n', encoding="utf-8")
    run = paperrec(*ASKED, "--config", "my.toml")
    assert run.returncode == 2
    assert run.stderr.decode() == "paperrec: my.toml: profiles.side.steer.mute.authors: '' names nothing to look for\n"


def test_a_lever_that_meets_nothing_is_told_in_one_line(paperrec: Run) -> None:
    run = paperrec(*ASKED, "--mute", "phage", "--boost", "author:Lima", "--mute", "venue:Cell")
    assert [line for line in run.stderr.decode().splitlines() if "met none" in line] == [
        "mute 'phage' met none of the 3 candidates",
        "mute 'venue:Cell' met none of the 3 candidates",
    ]


def test_levers_in_the_settings_are_written_as_options_are_and_a_profile_clears_them(paperrec: Run, tmp_path: Path) -> None:
    text = '[steer]\nmute = ["C++", "author:Lima"]\n[profiles.all]\nsteer = { mute = [] }\n'
    (tmp_path / "my.toml").write_text(text, encoding="utf-8")
    some, everything = (
        json.loads(paperrec(*ASKED, "--config", "my.toml", *more).stdout)["candidates"]["muted"] for more in ((), ("--profile", "all"))
    )
    assert (some, everything) == (2, 0)
