"""Plain files of abstracts: no abstract lost, no heading taken for one."""

import os
from pathlib import Path

import pytest

from paperrec.errors import NoInputError
from paperrec.paper import Paper
from paperrec.ports import Context
from paperrec.testing import SourceContract
from paperrec_adapters.abstracts import AbstractsSource, parse

SHEEP = "We follow sheep on steep pastures and count their steps over one summer. They walk farther after rain."
GOATS = "Goats climb where sheep do not. We ask why, and find that their hooves are softer and their courage is greater."
SHARED = Path(os.environ.get("PAPERREC_SHARED", Path(__file__).parents[2] / "shared"))


def papers(text: str) -> tuple[Paper, ...]:
    return parse(text.encode(), "a.txt").papers


class TestAbstractsSource(SourceContract):
    @pytest.fixture(autouse=True)
    def place(self, tmp_path: Path) -> None:
        self.path = tmp_path / "a.txt"
        self.path.write_text(f"Heading\n\n{SHEEP}\n\n{GOATS}\n", encoding="utf-8")

    def make_source(self) -> AbstractsSource:
        return AbstractsSource.open(str(self.path), Context())


def test_a_paragraph_is_a_paper_named_by_file_and_number_with_a_derived_title() -> None:
    first, second = papers(f"Meeting 2026 Papers\n\n{SHEEP}\n\n{GOATS}")
    assert (first.key, second.key) == ("a.txt:1", "a.txt:2")
    assert (first.abstract, second.abstract) == (SHEEP, GOATS)
    assert first.title
    assert first.title_derived
    assert second.title_derived


@pytest.mark.parametrize(
    "heading",
    [
        "Meeting 2026 Papers",
        "# Meeting",
        "Meeting\n=======",
        "Day one\n---",
        "---",
        "* * *",
        "**Session: Animals on slopes**",
        "SESSION 4: ORALS",
        "by Ann Doe and Bo Roe, 2026",
    ],
)
def test_headings_and_rules_are_no_papers(heading: str) -> None:
    assert [p.abstract for p in papers(f"{heading}\n\n{SHEEP}\n\n{heading}\n\n{GOATS}\n\n{heading}")] == [SHEEP, GOATS]


@pytest.mark.parametrize("mark", ["- ", "* ", "1. ", "(12) ", "[3] ", "• ", "12) ", "Abstract: ", "**Abstract.** "])
def test_bullets_numbers_and_labels_are_no_part_of_an_abstract(mark: str) -> None:
    assert [p.abstract for p in papers(f"{mark}{SHEEP}")] == [SHEEP]


@pytest.mark.parametrize("head", ["# Walks of *sheep*", "Title: Walks of sheep", "**Title:** Walks of sheep"])
def test_a_title_right_above_an_abstract_is_its_title(head: str) -> None:
    (paper,) = papers(f"{head}\n{SHEEP}")
    assert (paper.title, paper.title_derived, paper.abstract) == ("Walks of sheep", False, SHEEP)


def test_lines_of_a_paragraph_are_joined_whatever_their_ends() -> None:
    wrapped = SHEEP.replace(" steps ", "\r\nsteps ") + "\r\n\r\n" + GOATS.replace(" We ", "\rWe ")
    assert [p.abstract for p in papers("\ufeff" + wrapped)] == [SHEEP, GOATS]


def test_markup_becomes_words() -> None:
    (paper,) = papers(r"We show a bound of $O(n^2)$ for *sheep* that walk **uphill**, with \emph{few} stops and 40\% less hay.")
    assert paper.abstract == "We show a bound of O(n²) for sheep that walk uphill, with few stops and 40% less hay."


def test_a_short_sentence_is_left_out_and_told() -> None:
    batch = parse(f"Too short.\n\n{SHEEP}".encode(), "a.txt")
    assert len(batch.papers) == 1
    assert [(p.where, p.code, p.left_out) for p in batch.problems] == [("a.txt:1", "too-short", True)]


def test_an_encoding_that_was_guessed_is_told() -> None:
    batch = parse(SHEEP.replace("rain", "Schnee für Schafe").encode("cp1252"), "a.txt")
    assert batch.papers[0].abstract.endswith("Schnee für Schafe.")
    assert [p.code for p in batch.problems] == ["encoding-guessed"]


def test_a_folder_gives_its_texts_in_order_and_leaves_out_what_is_none(tmp_path: Path) -> None:
    for name in ("b.txt", "a.md", "sub/c.txt", ".hidden.txt", "README.md", "notes.pdf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(SHEEP, encoding="utf-8")
    assert [p.key for p in AbstractsSource.open(str(tmp_path), Context()).read().papers] == ["a.md:1", "b.txt:1", "sub/c.txt:1"]


@pytest.mark.parametrize("data", [b"", b"Only a heading", b"\x00\x01\x02" * 100])
def test_a_file_without_an_abstract_is_told(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    with pytest.raises(NoInputError, match=r"a\.txt"):
        AbstractsSource.open(str(tmp_path / "a.txt"), Context()).read()


@pytest.mark.parametrize("text", ["a\n" * 200_000, "\n" * 500_000, "x" * 1_000_000, "# a\n" * 100_000, "word. " * 200_000])
def test_any_shape_of_file_ends(text: str) -> None:
    parse(text.encode(), "a.txt")


@pytest.mark.skipif(not (SHARED / "seeds").is_dir(), reason="the seed abstracts are not here")
def test_every_seed_abstract_comes_out_whole() -> None:
    batch = AbstractsSource.open(str(SHARED / "seeds"), Context()).read()
    assert (len(batch.papers), batch.problems) == (57, ())
    for paper in batch.papers:
        assert not [sign for sign in ("$", "\\", "**", "``") if sign in paper.title + paper.abstract]
