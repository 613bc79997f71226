"""Plain files of abstracts: no abstract lost, no heading taken for one."""

import io
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paperrec.errors import NoInputError
from paperrec.paper import Paper
from paperrec.ports import Context
from paperrec.testing import SourceContract
from paperrec_adapters.abstracts import LONGEST_ABSTRACT, AbstractsSource, parse

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
        "by A. Doe and B. Roe, 2026",
        "Proc. 43rd Int. Conf. on Walks, Town",
        "Proceedings of the 43rd Int. Conference on Walks of Sheep and Goats, held in a Town in July 2026",
        "─────────",
        "## Is it a walk? A panel.",
    ],
)
def test_headings_and_rules_are_no_papers(heading: str) -> None:
    assert [p.abstract for p in papers(f"{heading}\n\n{SHEEP}\n\n{heading}\n\n{GOATS}\n\n{heading}")] == [SHEEP, GOATS]


@pytest.mark.parametrize("mark", ["- ", "* ", "1. ", "(12) ", "[3] ", "• ", "12) ", "Abstract: ", "**Abstract.** "])
def test_bullets_numbers_and_labels_are_no_part_of_an_abstract(mark: str) -> None:
    assert [p.abstract for p in papers(f"{mark}{SHEEP}")] == [SHEEP]


@pytest.mark.parametrize(
    "abstract",
    [
        "We follow sheep on steep pastures, and count the steps that they take over a whole summer.",
        "We follow sheep on steep pastures, and count the steps that they take over a whole summer. Code: example.org",
        "We follow sheep. They walk far.",
        "本文研究陡坡牧场上的绵羊。我们统计了它们一个夏天的步数。",
        "we follow sheep on steep pastures and count their steps " * 4,
    ],
    ids=["one sentence", "no end", "two sentences", "no blanks between words", "no sentence"],
)
def test_a_short_abstract_is_an_abstract(abstract: str) -> None:
    assert [p.abstract for p in papers(abstract)] == [abstract.strip()]


@pytest.mark.parametrize(
    "head",
    [
        "# Walks of *sheep*",
        "## Walks of sheep ##",
        "Walks of sheep\n======",
        "Title: Walks of sheep",
        "**Title:** Walks of sheep",
        "# Session 4\n## Walks of sheep",
    ],
)
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


def test_a_file_of_utf16_is_read() -> None:
    assert parse(SHEEP.encode("utf-16"), "a.txt").papers == papers(SHEEP)


def test_the_user_may_name_the_encoding() -> None:
    batch = parse("Ł walks and walks. ".encode("cp1250") + SHEEP.encode(), "a.txt", "cp1250")
    assert (batch.papers[0].abstract, batch.problems) == ("Ł walks and walks. " + SHEEP, ())
    assert [p.code for p in parse(SHEEP.encode(), "a.txt", "no-such").problems] == ["encoding-guessed"]


def test_a_paragraph_without_end_is_cut_and_told() -> None:
    batch = parse(("sheep walk. " * 20_000).encode(), "a.txt")
    assert len(batch.papers[0].abstract) == LONGEST_ABSTRACT
    assert [p.code for p in batch.problems] == ["long-abstract"]


def test_what_cannot_be_read_in_a_folder_costs_itself(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(SHEEP, encoding="utf-8")
    (tmp_path / "b.txt").write_bytes(b"\0\0\0")
    (tmp_path / "c.txt").symlink_to(tmp_path / "nowhere")
    (tmp_path / "d.txt").mkdir()
    os.mkfifo(tmp_path / "e.txt")
    batch = AbstractsSource.open(str(tmp_path), Context()).read()
    assert [p.key for p in batch.papers] == ["a.txt:1"]
    assert [(p.where, p.why, p.left_out) for p in batch.problems] == [
        (str(tmp_path / "b.txt"), "is not text", True),
        (str(tmp_path / "c.txt"), "cannot be read: No such file or directory", True),
        (str(tmp_path / "e.txt"), "is no regular file", True),
    ]


@pytest.mark.parametrize("rest", ["no such file", "~nobody-of-this-name/a.txt", "a" * 5000, "a\0b", "."])
def test_what_is_no_file_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rest: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NoInputError) as error:
        AbstractsSource.open(rest, Context()).read()
    assert "\n" not in str(error.value)


def test_closed_standard_input_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(NoInputError, match="stdin"):
        AbstractsSource.open("-", Context()).read()


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(SHEEP.encode())))
    assert [p.key for p in AbstractsSource.open("-", Context()).read().papers] == ["stdin:1"]


def test_a_folder_gives_its_texts_in_order_and_leaves_out_what_is_none(tmp_path: Path) -> None:
    for name in ("b.txt", "a.md", "sub/c.txt", ".hidden.txt", "README.md", "notes.pdf"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(SHEEP, encoding="utf-8")
    assert [p.key for p in AbstractsSource.open(str(tmp_path), Context()).read().papers] == ["a.md:1", "b.txt:1", "sub/c.txt:1"]


@pytest.mark.parametrize(
    "name",
    """
    README.md readme.txt README.de.md readme.pt-br.md README-zh_Hans.md README.Debian.txt Readme_fr.md LICENSE.txt LICENSE.TXT
    LICENSE-MIT.txt License-MIT.txt license-apache-2.0.txt licence.md LICENSE-BSD-3-Clause.txt LICENSE-2.0.txt CHANGELOG-1.2.md
    changelog.v2.md CONTRIBUTING.md Contributing.it.md
    """.split(),
)
def test_what_is_about_a_folder_is_no_paper_in_it(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(SHEEP, encoding="utf-8")
    (tmp_path / "a.txt").write_text(GOATS, encoding="utf-8")
    assert [p.key for p in AbstractsSource.open(str(tmp_path), Context()).read().papers] == ["a.txt:1"]


@pytest.mark.parametrize(
    "name",
    """license plate recognition.txt,license-plate-recognition.txt,License_plates.md,LICENSE PLATES.txt,licensed.txt,license-to-kill.txt,\
license-mitigation.txt,readme-generation.md,Readme files.txt,README files of packages.txt,contributing-factors.txt,changelogs.txt,\
Contributing to science.md""".split(","),
)
def test_a_paper_s_name_may_begin_like_theirs(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(SHEEP, encoding="utf-8")
    assert [p.key for p in AbstractsSource.open(str(tmp_path), Context()).read().papers] == [f"{name}:1"]


@pytest.mark.parametrize("data", [b"", b"Only a heading", b"\x00\x01\x02" * 100])
def test_a_file_without_an_abstract_is_told(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.txt").write_bytes(data)
    with pytest.raises(NoInputError, match=r"a\.txt"):
        AbstractsSource.open(str(tmp_path / "a.txt"), Context()).read()


@pytest.mark.parametrize(
    "text",
    [
        "a\n" * 200_000,
        "\n" * 500_000,
        " " * 1_000_000,
        "x" * 1_000_000,
        "# a\n" * 100_000,
        "# " + "#" * 1_000_000 + "x",
        "\t" * 1_000_000 + "title:",
        "*" * 1_000_000,
        "a\n---\n" * 100_000,
        "word. " * 200_000,
    ],
    ids=lambda text: repr(text[:4]),
)
def test_any_shape_of_file_ends(text: str) -> None:
    parse(text.encode(), "a.txt")


@given(st.lists(st.sampled_from([SHEEP, GOATS, GOATS[:70], "Meeting 2026", "# Day", "---", "  ", "\x0c", "* * *"]), max_size=12))
def test_every_abstract_comes_out_once_and_in_order(paragraphs: list[str]) -> None:
    found = papers("\n\n".join(paragraphs))
    assert [p.abstract for p in found] == [p for p in paragraphs if p in (SHEEP, GOATS)]
    assert [p.key for p in found] == [f"a.txt:{n}" for n in range(1, len(found) + 1)]


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        batch = parse(data, "a.txt")
    except NoInputError:
        return
    for paper in batch.papers:
        assert paper.title
        assert paper.abstract


@pytest.mark.skipif(not (SHARED / "seeds").is_dir(), reason="the seed abstracts are not here")
def test_every_seed_abstract_comes_out_whole() -> None:
    batch = AbstractsSource.open(str(SHARED / "seeds"), Context()).read()
    assert (len(batch.papers), batch.problems) == (57, ())
    for paper in batch.papers:
        assert not [sign for sign in ("$", "\\", "**", "``") if sign in paper.title + paper.abstract]
