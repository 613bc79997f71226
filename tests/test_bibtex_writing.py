"""Adding to .bib files: the user's bytes stay, nothing is written twice, and nothing in a paper can break out of its field."""

import os
import re
from pathlib import Path

import bibtexparser
import pytest
from bibtexparser.bparser import BibTexParser
from hypothesis import given, settings
from hypothesis import strategies as st
from pybtex.database import parse_string

from paperrec.errors import SettingsError, WriteError
from paperrec.paper import Paper
from paperrec.ports import Context
from paperrec.recommendation import Recommendation
from paperrec.testing import SinkContract
from paperrec_adapters.bibtex import BibtexSink, BibtexSource
from paperrec_adapters.bibtex.source import parse
from paperrec_adapters.bibtex.writing import author_value, escape, fields_of, title_value
from paperrec_adapters.citation_keys import citation_key

USER = """% my file, do not sort
@preamble{ "\\newcommand{\\noop}[1]{}" }
@string( jx = "Journal of X" )

@Article{ keep1 ,
  Title    =  "Kept   spacing",   journal = jx # ", Series B",
  file = {:C$\\backslash$:/Users/someone/a.pdf:pdf}, x-my-field = {secret note}, groups = {thesis},
}
@misc{, title={No key here}}
@Comment{jabref-meta: grouping:
0 AllEntriesGroup:;
}
"""
PAPER = Paper(key="x", title="Sheep on slopes", abstract="They walk.", authors=("Doe, Ann", "Roe, Bo"), year=2021, doi="10.5555/s_1")
OTHER = Paper(key="y", title="Goats on slopes", authors=("Doe, Ann",), year=2021)


def recommended(*papers: Paper) -> list[Recommendation]:
    return [Recommendation(paper, 50.0, rank) for rank, paper in enumerate(papers, 1)]


def sink(path: Path) -> BibtexSink:
    return BibtexSink.open(str(path), Context())


def read_back(text: str) -> tuple[dict[str, dict[str, str]], dict[str, dict[str, str]]]:
    """Entries by key as two independent readers see them."""
    pybtex = {key: dict(entry.fields.items()) for key, entry in parse_string(text, "bibtex").entries.items()}
    for key, entry in parse_string(text, "bibtex").entries.items():
        pybtex[key] |= {role: " and ".join(map(str, people)) for role, people in entry.persons.items()}
    old = BibTexParser(common_strings=True, ignore_nonstandard_types=False)
    other = {e["ID"]: {k: v for k, v in e.items() if k not in ("ID", "ENTRYTYPE")} for e in bibtexparser.loads(text, old).entries}
    return {k: {n.lower(): v for n, v in f.items()} for k, f in pybtex.items()}, other


class TestBibtexSink(SinkContract):
    @pytest.fixture(autouse=True)
    def place(self, tmp_path: Path) -> None:
        self.path = tmp_path / "out.bib"

    def make_sink(self) -> BibtexSink:
        return sink(self.path)

    def contents(self) -> bytes:
        return self.path.read_bytes() if self.path.exists() else b""


def test_a_new_file_holds_one_block_of_plain_entries(tmp_path: Path) -> None:
    written = sink(tmp_path / "out.bib").write(recommended(PAPER))
    assert (written.added, written.present, written.problems) == (1, 0, ())
    assert (tmp_path / "out.bib").read_text(encoding="utf-8") == (
        "% >>> paperrec: recommended papers; new ones are added above the closing line, nothing else is touched\n"
        "\n"
        "@misc{doeSheepSlopes2021,\n"
        "  title = {Sheep on slopes},\n"
        "  author = {Doe, Ann and Roe, Bo},\n"
        "  year = {2021},\n"
        "  doi = {10.5555/s_1},\n"
        "  abstract = {They walk.},\n"
        "  keywords = {paperrec},\n"
        "}\n"
        "\n"
        "% <<< paperrec\n"
    )


def test_every_byte_of_the_user_s_file_stays(tmp_path: Path) -> None:
    path = tmp_path / "mine.bib"
    path.write_text(USER, encoding="utf-8")
    sink(path).write(recommended(PAPER))
    assert path.read_bytes().startswith(USER.encode())
    assert [p.title for p in BibtexSource.open(str(path), Context()).read().papers] == ["Kept spacing", "No key here", "Sheep on slopes"]


def test_a_second_run_does_not_even_touch_the_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.bib"
    path.write_text(USER, encoding="utf-8")
    sink(path).write(recommended(PAPER, OTHER))
    before = path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino
    written = sink(path).write(recommended(OTHER, PAPER))
    assert (written.added, written.present) == (0, 2)
    assert (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ino) == before


def test_new_papers_come_behind_the_old_ones_and_keys_stay(tmp_path: Path) -> None:
    path = tmp_path / "mine.bib"
    sink(path).write(recommended(PAPER))
    first = path.read_bytes()
    sink(path).write(recommended(OTHER))
    end = first.rindex(b"% <<<")
    assert path.read_bytes().startswith(first[:end])
    assert path.read_bytes().endswith(first[end:])
    assert b"doeGoatsSlopes2021" in path.read_bytes()


def test_text_that_the_user_wrote_behind_our_block_stays_behind_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.bib"
    sink(path).write(recommended(PAPER))
    path.write_bytes(path.read_bytes() + b"\n@misc{mine, title={Mine}}\n")
    sink(path).write(recommended(OTHER))
    assert path.read_bytes().endswith(b"% <<< paperrec\n\n@misc{mine, title={Mine}}\n")
    assert [p.key for p in parse(path.read_bytes(), "x").papers] == ["doeSheepSlopes2021", "doeGoatsSlopes2021", "mine"]


@pytest.mark.parametrize("same", ["@misc{a, title={X}, doi={https://doi.org/10.5555/S_1}}", "@misc{a, title={SHEEP on slopes}}"])
def test_a_paper_that_the_file_holds_in_other_words_is_not_added(tmp_path: Path, same: str) -> None:
    path = tmp_path / "mine.bib"
    path.write_text(same, encoding="utf-8")
    written = sink(path).write(recommended(PAPER))
    assert (written.added, written.present) == (0, 1)
    assert path.read_text(encoding="utf-8") == same


def test_windows_line_ends_stay_windows_line_ends(tmp_path: Path) -> None:
    path = tmp_path / "mine.bib"
    path.write_bytes(b"@misc{a, title={A}}\r\n")
    sink(path).write(recommended(PAPER))
    assert b"\n" not in path.read_bytes().replace(b"\r\n", b"")


def test_a_file_that_is_not_utf8_gets_ascii_and_keeps_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "mine.bib"
    old = "@misc{a, title={Über größere Fälle}, author={Müller, Jörg}}\n".encode("cp1252")
    path.write_bytes(old)
    han = Paper(key="z", title="分子")
    written = sink(path).write(recommended(Paper(key="x", title="Größe – Ärger α"), han))
    assert (written.added, [p.code for p in written.problems]) == (1, ["unwritable"])
    assert path.read_bytes().startswith(old)
    assert path.read_bytes()[len(old) :].isascii()
    assert parse(path.read_bytes(), "x").papers[1].title == "Größe – Ärger α"


def test_a_utf16_file_is_refused_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "mine.bib"
    path.write_bytes("@misc{a, title={A}}".encode("utf-16"))
    old = path.read_bytes()
    with pytest.raises(WriteError, match="UTF-16"):
        sink(path).write(recommended(PAPER))
    assert path.read_bytes() == old


@pytest.mark.parametrize("text", ["<html><p>hello</p></html>", "%PDF-1.7\0", '{"a": 1}'])
def test_what_is_no_bib_file_is_never_written_to(tmp_path: Path, text: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WriteError, match="nothing was written"):
        sink(path).write(recommended(PAPER))
    assert path.read_text(encoding="utf-8") == text


def test_a_file_whose_last_entry_is_open_is_refused_for_it_would_swallow_what_is_added(tmp_path: Path) -> None:
    path = tmp_path / "mine.bib"
    path.write_text("@misc{a, title={A}}\n@misc{b, title={Open", encoding="utf-8")
    with pytest.raises(WriteError, match="its last entry is broken"):
        sink(path).write(recommended(PAPER))
    assert path.read_text(encoding="utf-8") == "@misc{a, title={A}}\n@misc{b, title={Open"


def test_nothing_to_add_makes_no_file(tmp_path: Path) -> None:
    sink(tmp_path / "out.bib").write([])
    assert not (tmp_path / "out.bib").exists()


def test_a_link_stays_a_link_and_the_mode_stays(tmp_path: Path) -> None:
    real, link = tmp_path / "real.bib", tmp_path / "link.bib"
    real.write_text("@misc{a, title={A}}\n", encoding="utf-8")
    real.chmod(0o640)
    link.symlink_to(real)
    sink(link).write(recommended(PAPER))
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert "Sheep" in real.read_text(encoding="utf-8")


def test_a_dry_run_tells_the_change(tmp_path: Path) -> None:
    written = sink(tmp_path / "out.bib").write(recommended(PAPER), dry_run=True)
    assert "+@misc{doeSheepSlopes2021," in written.diff
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("paper", "key"),
    [
        (PAPER, "doeSheepSlopes2021"),
        (Paper(title="The Étude of Ærø, in three parts", authors=("Løvås, Åse",), year=1999), "lovasEtudeAeroThree1999"),
        (Paper(title="Über 2D-Karten", authors=("van der Velde, Joost",), year=2020), "veldeUber2DKarten2020"),
        (Paper(title="No author", year=2020), "paper"),
        (Paper(title="No year", authors=("Doe, A.",)), "paper"),
        (Paper(title="一种方法", authors=("王小明",), year=2015), "paper"),
    ],
)
def test_keys_are_made_as_better_bibtex_makes_them(paper: Paper, key: str) -> None:
    made = citation_key(paper, set())
    assert re.sub(r"^paper[0-9a-f]{8}$", "paper", made) == key


def test_keys_are_unique_whatever_their_case() -> None:
    taken = {"doesheepslopes2021"}
    assert [citation_key(PAPER, taken) for _ in range(28)][:2] == ["doeSheepSlopes2021a", "doeSheepSlopes2021b"]
    assert "doesheepslopes2021ab" in taken


def test_a_key_of_a_broken_entry_is_not_given_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.bib"
    path.write_text("@misc{DoeSheepSlopes2021, year={2000}}\n", encoding="utf-8")
    sink(path).write(recommended(PAPER))
    assert "doeSheepSlopes2021a" in path.read_text(encoding="utf-8")


def test_links_and_identifiers_are_written_as_they_are_and_bad_ones_not_at_all() -> None:
    good = Paper(title="T", url="https://example.org/al/S_Dbw?x=1%202#p~q", doi="10.5555/a_b_c", arxiv_id="2601.00001", arxiv_class="cs.LG")
    assert fields_of(good) == {
        "title": "T",
        "eprint": "2601.00001",
        "archiveprefix": "arXiv",
        "primaryclass": "cs.LG",
        "eprinttype": "arxiv",
        "doi": "10.5555/a_b_c",
        "url": "https://example.org/al/S_Dbw?x=1%202#p~q",
        "keywords": "paperrec",
    }
    bad = Paper(title="T", url="javascript:alert(1)", doi="10.5555/a} , evil={x")
    assert fields_of(bad) == {"title": "T", "keywords": "paperrec"}


def test_a_derived_title_says_so_in_the_entry() -> None:
    assert fields_of(Paper(title="T", title_derived=True))["annote"] == "The title was derived from the abstract."


def test_capitals_inside_words_are_kept_and_the_rest_left_to_the_style() -> None:
    assert title_value("A BERT for mRNA and Sheep in 3D, with C#") == r"A {BERT} for {mRNA} and Sheep in {3D,} with C\#"


def test_commands_in_a_text_are_inert(tmp_path: Path) -> None:
    path = tmp_path / "out.bib"
    evil = Paper(
        title=r"\input{/etc/passwd} \write18{x} ^^5cinput \csname x\endcsname", abstract="} , @misc{evil, title={injected}} \\catcode"
    )
    sink(path).write(recommended(evil))
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\\(?!textbackslash\}|textbraceleft\}|textbraceright\}|textasciitilde\}|\^\{\}|[%&#_${}])", text)
    assert len(read_back(text)[0]) == len(read_back(text)[1]) == 1


HOSTILE = st.text(st.one_of(st.sampled_from("{}\\%&#_$~^\"'`@,=-<>\n\t \x1b\0\u202e"), st.characters()), max_size=80)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.builds(Paper, title=HOSTILE, abstract=HOSTILE, authors=st.lists(HOSTILE, max_size=3).map(tuple), venue=HOSTILE), max_size=5)
)
def test_whatever_a_paper_holds_three_readers_find_the_same(tmp_path_factory: pytest.TempPathFactory, papers: list[Paper]) -> None:
    path = tmp_path_factory.mktemp("w") / "out.bib"
    path.write_text(USER.replace("@misc{, title={No key here}}\n", ""), encoding="utf-8")
    written = sink(path).write(recommended(*papers))
    text = path.read_text(encoding="utf-8")
    assert text.startswith("% my file, do not sort")
    ours, theirs = read_back(text)
    assert set(ours) == set(theirs)
    assert len(ours) == 1 + written.added
    for key in set(ours) - {"keep1"}:
        assert set(ours[key]) == set(theirs[key]) <= {"title", "author", "year", "journal", "booktitle", "abstract", "keywords"}
    again = sink(path).write(recommended(*papers))
    assert path.read_text(encoding="utf-8") == text
    assert again.added == 0


@given(st.text(st.sampled_from("{}\\%#_$~^\"@,=-' abcéß分"), max_size=60))
def test_escaped_text_is_read_back_as_it_was(text: str) -> None:
    escaped = escape(text)
    assert escaped.count("{") == escaped.count("}")
    (paper,) = parse(f"@misc{{a, title={{Fixed}}, abstract={{{escaped}}}}}".encode(), "x").papers
    assert paper.abstract == " ".join(text.split())


LINES = ["@misc{aN, title={A N}}\n", "free text N\nN\n", "% comment N\n", "@string{sN = {N}}\n", "\r\n", "@misc{bN, title={Open N\n"]


@settings(max_examples=50, deadline=None)
@given(st.lists(st.sampled_from(LINES), max_size=8))
def test_any_file_of_the_user_s_keeps_its_bytes(tmp_path_factory: pytest.TempPathFactory, lines: list[str]) -> None:
    path = tmp_path_factory.mktemp("w") / "mine.bib"
    old = "".join(line.replace("N", str(n)) for n, line in enumerate(lines)).encode()
    path.write_bytes(old)
    try:
        sink(path).write(recommended(PAPER))
    except WriteError:
        assert path.read_bytes() == old
        return
    assert path.read_bytes().startswith(old)
    grown = path.read_bytes()
    sink(path).write(recommended(PAPER))
    assert path.read_bytes() == grown


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_rights_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(WriteError, match="cannot be written"):
        sink(tmp_path / "out.bib").write(recommended(PAPER))


def test_a_user_named_encoding_rules_what_is_added(tmp_path: Path) -> None:
    path = tmp_path / "mine.bib"
    path.write_bytes(b"@misc{a, title={A}}\n")
    BibtexSink.open(str(path), Context(encoding="cp1252")).write(recommended(Paper(title="Größe")))
    assert path.read_bytes().isascii()


def test_in_a_file_that_is_not_utf8_an_abstract_with_foreign_letters_is_left_out_not_the_paper(tmp_path: Path) -> None:
    path = tmp_path / "mine.bib"
    path.write_bytes("@misc{a, title={Ä}}\n".encode("cp1252"))
    paper = Paper(title="Größe", abstract="Mit 分子.", doi="10.5555/größe", url="https://example.org/ä")
    written = sink(path).write(recommended(paper))
    assert (written.added, [(p.code, p.left_out) for p in written.problems]) == (1, [("unwritable", False)])
    _, read = parse(path.read_bytes(), "x").papers
    assert (read.title, read.abstract, read.doi, read.url) == ("Größe", "", "", "")


def test_old_mac_line_ends_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "mine.bib"
    path.write_bytes(b"@misc{a, title={A}}\r@misc{b, title={B}}\r")
    sink(path).write(recommended(PAPER))
    sink(path).write(recommended(OTHER))
    assert b"\n" not in path.read_bytes()
    assert path.read_bytes().count(b"% >>> paperrec") == 1


def test_a_stray_zero_byte_does_not_make_a_file_utf16(tmp_path: Path) -> None:
    path = tmp_path / "mine.bib"
    path.write_bytes(b"@misc{a, title={A\0b}}\n")
    sink(path).write(recommended(PAPER))
    assert path.read_bytes().startswith(b"@misc{a, title={A\0b}}\n")


@pytest.mark.parametrize("text", ["export PATH=/bin\n", "Dear diary,\n", "  x = 1"])
def test_text_without_any_entry_is_no_bib_file(tmp_path: Path, text: str) -> None:
    path = tmp_path / "notes"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(WriteError, match=r"is no \.bib file"):
        sink(path).write(recommended(PAPER))
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("text", ["", "\n", "% comments\n  % alone", "@string{a = {b}}\n"])
def test_a_file_with_nothing_in_it_yet_is_one(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.bib"
    path.write_text(text, encoding="utf-8")
    assert sink(path).write(recommended(PAPER)).added == 1
    assert path.read_text(encoding="utf-8").startswith(text)


def test_a_block_that_was_commented_out_stays_so_and_a_new_one_is_begun(tmp_path: Path) -> None:
    path = tmp_path / "mine.bib"
    sink(path).write(recommended(PAPER))
    commented = b"@comment{\n" + path.read_bytes() + b"}\n"
    path.write_bytes(commented)
    sink(path).write(recommended(OTHER))
    assert path.read_bytes().startswith(commented)
    assert [p.title for p in parse(path.read_bytes(), "x").papers] == ["Goats on slopes"]


def test_a_key_inside_a_comment_is_not_given_again_because_bibtex_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "mine.bib"
    path.write_text("@comment{@misc{doeSheepSlopes2021, title={Other}}}\n", encoding="utf-8")
    sink(path).write(recommended(PAPER))
    assert "@misc{doeSheepSlopes2021a," in path.read_text(encoding="utf-8")


def test_an_entry_that_was_moved_out_of_the_block_is_not_added_again(tmp_path: Path) -> None:
    path = tmp_path / "mine.bib"
    sink(path).write(recommended(PAPER, OTHER))
    begin, first, second, end = path.read_text(encoding="utf-8").split("\n\n")
    path.write_text("\n\n".join((first, begin, second, end)), encoding="utf-8")
    assert sink(path).write(recommended(PAPER, OTHER)).added == 0


def test_an_entry_that_was_deleted_comes_again_behind_the_others(tmp_path: Path) -> None:
    path = tmp_path / "mine.bib"
    sink(path).write(recommended(PAPER, OTHER))
    begin, _, second, end = path.read_text(encoding="utf-8").split("\n\n")
    path.write_text("\n\n".join((begin, second, end)), encoding="utf-8")
    assert sink(path).write(recommended(PAPER, OTHER)).added == 1
    assert [p.title for p in parse(path.read_bytes(), "x").papers] == ["Goats on slopes", "Sheep on slopes"]


def test_a_paper_without_any_text_is_left_out_and_told_and_costs_no_other(tmp_path: Path) -> None:
    written = sink(tmp_path / "out.bib").write(recommended(Paper(key="k", title="\x1b[0m"), PAPER))
    assert (written.added, [(p.why, p.left_out) for p in written.problems]) == (
        1,
        [("k: left out: it has neither title nor abstract", True)],
    )


@pytest.mark.parametrize("name", ["x" * 300, "no/such/folder/out.bib", "", "/dev/null", "a\0b"])
def test_places_that_cannot_be_written_are_told_in_one_line(tmp_path: Path, name: str) -> None:
    with pytest.raises(WriteError) as refused:
        sink(tmp_path / name).write(recommended(PAPER))
    assert "\n" not in str(refused.value)


def test_a_home_that_nobody_has_and_no_name_at_all_are_told() -> None:
    for rest in ("~nobody-of-this-name/x.bib", ""):
        with pytest.raises(SettingsError):
            BibtexSink.open(rest, Context())


def test_names_that_bibtex_or_biblatex_would_take_apart_stand_in_braces() -> None:
    names = ("Doe, Ann", "Sheep and Goats Ltd", "others", "family=Evil, given=x", "a, b, c, d", " , ", "王小明")
    assert author_value(names) == "Doe, Ann and {Sheep and Goats Ltd} and {others} and {family=Evil, given=x} and {a, b, c, d} and 王小明"


def test_a_title_in_capitals_is_left_to_the_style() -> None:
    assert title_value("SHEEP ON SLOPES") == "SHEEP ON SLOPES"
    assert title_value("BERT") == "{BERT}"
