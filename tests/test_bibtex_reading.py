"""Reading .bib files as people have them: every entry kept, every fault told and kept to itself."""

import json
import os
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paperrec.errors import NoInputError, SettingsError
from paperrec.paper import Paper, merge
from paperrec.ports import Context
from paperrec.testing import SourceContract
from paperrec_adapters.bibtex import BibtexSource
from paperrec_adapters.bibtex.source import MOST_ENTRIES, parse

DATA = Path(__file__).parent / "data"
CASES = sorted((DATA / "bib").glob("*.bib"))


def read(text: str) -> tuple[dict[str, Paper], list[str]]:
    """Papers by key, and the problems' codes."""
    batch = parse(text.encode(), "x.bib")
    return {paper.key: paper for paper in batch.papers}, [problem.code for problem in batch.problems]


def words(name: str) -> list[str]:
    return sorted(re.findall(r"\w+", name))


class TestBibtexSource(SourceContract):
    def make_source(self) -> BibtexSource:
        return BibtexSource.open(str(DATA / "bib" / "01-zotero-stock.bib"), Context())


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_the_files_of_every_exporter_are_read_as_they_were_meant(path: Path) -> None:
    want: dict[str, Any] = json.loads(path.with_suffix(".expect.json").read_text(encoding="utf-8"))
    batch = BibtexSource.open(str(path), Context()).read()
    papers = {paper.key or None: paper for paper in batch.papers}
    assert len(batch.papers) == want["entry_count"]
    assert set(want.get("keys", [])) <= set(papers)
    assert sorted(p.title for p in batch.papers) == sorted(want.get("titles", [p.title for p in batch.papers]))
    assert len(merge(batch.papers)) == want.get("distinct_works", len(merge(batch.papers)))
    codes = {problem.code for problem in batch.problems}
    assert not want.get("warnings") or codes
    for key, fields in want.get("entries", {}).items():
        check(papers[key], fields)


def check(paper: Paper, fields: dict[str, Any]) -> None:
    same = {"title": paper.title, "year": paper.year, "doi": paper.doi or None, "arxiv": paper.arxiv_id, "abstract": paper.abstract}
    same |= {"journal": paper.venue, "booktitle": paper.venue, "url": paper.url, "primary_class": paper.arxiv_class}
    for name, value in fields.items():
        if name == "doi":
            assert paper.doi == (value or "").lower()
        elif name in same:
            assert same[name] == value
        elif name in ("title_contains", "abstract_contains"):
            text = paper.title if name == "title_contains" else paper.abstract
            assert all(part in text for part in ([value] if isinstance(value, str) else value))
        elif name == "authors":
            assert [words(a) for a in paper.authors] == [words(a) for a in value]
        elif name == "author_count":
            assert len(paper.authors) == value
        elif name == "keywords":
            assert sorted(paper.keywords) == sorted(value)
        elif name == "groups":
            assert sorted(paper.collections) == sorted(value)
        elif name == "added":
            assert paper.added == date.fromisoformat(value)


def test_a_merged_work_keeps_what_only_its_second_record_says() -> None:
    merged = merge(BibtexSource.open(str(DATA / "bib" / "21-duplicates.bib"), Context()).read().papers)
    assert merged[0].title == "Same work"
    assert merged[0].doi == "10.5555/same"
    assert "must not be lost" in merged[0].abstract


@pytest.mark.parametrize(
    ("name", "titles", "told"),
    [
        ("a01-missing-key", 3, "line 6"),
        ("a03-bare-month", 3, "sept"),
        ("a05-duplicate-key", 3, "hull:20b"),
        ("a07-open-brace-swallows-rest", 4, "bad: a brace"),
        ("a09-free-text-between", 2, ""),
        ("a11-utf16-file", 2, "UTF-16"),
        ("a13-cyrillic-key", 2, ""),
        ("a15-at-sign-in-value", 2, ""),
    ],
)
def test_what_kills_other_readers_costs_at_most_itself(name: str, titles: int, told: str) -> None:
    batch = BibtexSource.open(str(DATA / "faults" / f"{name}.bib"), Context()).read()
    assert len(batch.papers) == titles
    assert any(told in problem.why for problem in batch.problems) or not told


def test_a_problem_names_file_line_and_key() -> None:
    batch = parse(b"\n\n@article{a, title={A}}\n@article{a, title={B}}\n", "my.bib")
    assert [(p.where, p.why) for p in batch.problems] == [("my.bib:4", "a: this key was used before for something else; both are read")]


def test_a_child_takes_year_and_venue_from_its_parent_and_not_its_title() -> None:
    papers, _ = read(
        "@inproceedings{c, title={Child}, crossref={p}}\n@proceedings{p, title={Volume}, year=2020, doi={10.5555/p}, editor={Ed Itor}}"
    )
    assert papers["c"] == Paper(key="c", title="Child", year=2020, venue="Volume")


def test_a_ring_of_crossrefs_ends() -> None:
    papers, _ = read("@misc{a, title={A}, crossref={b}}\n@misc{b, title={B}, crossref={a}, year=2000}")
    assert papers["a"].year == 2000


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("year={2024}", 2024),
        ("date={2019~}", 2019),
        ("date={1999/2001}", 1999),
        ("year={in press}", None),
        ("year={c. 1850}", 1850),
        ("", None),
    ],
)
def test_years_come_in_many_forms(text: str, year: int | None) -> None:
    assert read(f"@misc{{a, title={{A}}, {text}}}")[0]["a"].year == year


@pytest.mark.parametrize(
    "field", ["date-added={2016-05-05 12:00:00 +0000}", "timestamp={2016.05.05}", "date-added={Thu, 5 May 2016 10:00}"]
)
def test_the_day_that_a_paper_was_added_is_found(field: str) -> None:
    assert read(f"@misc{{a, title={{A}}, {field}}}")[0]["a"].added == date(2016, 5, 5)


def test_an_impossible_date_is_no_date() -> None:
    assert read("@misc{a, title={A}, date-added={2016-13-45}}")[0]["a"].added is None


def test_an_entry_without_text_is_left_out_and_told_and_one_with_an_identifier_stays() -> None:
    papers, codes = read("@misc{a, title={A}}\n@misc{b, year=2000}\n@misc{c}\n@misc{d, doi={10.5555/d}}")
    assert (list(papers), codes) == (["a", "d"], ["no-text", "empty-entry"])


def test_an_abstract_without_a_title_gets_one_that_is_marked() -> None:
    paper = read("@misc{a, abstract={Sheep walk far. They also rest.}}")[0]["a"]
    assert (paper.title, paper.title_derived) == ("Sheep walk far", True)


def test_local_paths_and_notes_stay_out_of_a_paper() -> None:
    paper = read("@misc{a, title={A}, file={:C:/Users/me/secret.pdf:PDF}, note={secret}, annote={secret}}")[0]["a"]
    assert "secret" not in repr(paper)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "is empty"),
        (b"  \n\n", "is empty"),
        (b"<!doctype html><p>hello", "looks like a web page"),
        (b"%PDF-1.7\n\x00\x01", "is a PDF"),
        (b"\x00\x01\x02\x03" * 50, "is not text"),
        (b'{"title": "x"}', "looks like JSON"),
        (b"just words", "holds no BibTeX entry"),
        (b"% @article{a, title={A}}\n", "holds no BibTeX entry"),
        (b"@article{a, year=2000}", "none of its 1 entries has a title"),
    ],
)
def test_what_is_no_bibliography_is_said_to_be_what_it_looks_like(data: bytes, told: str) -> None:
    with pytest.raises(NoInputError, match=rf"^x\.bib: .*{told}"):
        parse(data, "x.bib")


def test_places_that_are_no_files_are_told_and_never_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.bib")
    (tmp_path / "empty").mkdir()
    for place in ("pipe.bib", "gone.bib", "empty"):
        with pytest.raises(NoInputError, match=place):
            BibtexSource.open(str(tmp_path / place), Context()).read()
    with pytest.raises(NoInputError, match="no regular file"):
        BibtexSource.open("/dev/zero", Context()).read()


def test_a_folder_is_read_file_by_file_and_a_bad_one_costs_only_itself(tmp_path: Path) -> None:
    (tmp_path / "b.bib").write_text("@misc{b, title={B}}", encoding="utf-8")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.bib").write_text("@misc{a, title={A}}", encoding="utf-8")
    (tmp_path / "bad.bib").write_text("<html>", encoding="utf-8")
    (tmp_path / ".hidden.bib").write_text("@misc{h, title={H}}", encoding="utf-8")
    batch = BibtexSource.open(str(tmp_path), Context()).read()
    assert [p.key for p in batch.papers] == ["b", "a"]
    assert [(p.code, p.left_out) for p in batch.problems] == [("no-input", True)]


def test_the_user_s_word_on_the_encoding_counts(tmp_path: Path) -> None:
    path = tmp_path / "x.bib"
    path.write_bytes("@misc{a, title={Привет}}".encode("koi8-r"))
    assert BibtexSource.open(str(path), Context(encoding="koi8-r")).read().papers[0].title == "Привет"
    with pytest.raises(SettingsError, match="no encoding of this name"):
        BibtexSource.open(str(path), Context(encoding="nonsense")).read()


@pytest.mark.parametrize(
    "bomb",
    [
        '@string{a0="xxxxxxxxxx"}\n'
        + "".join(f"@string{{a{i}={'#'.join([f'a{i - 1}'] * 10)}}}\n" for i in range(1, 9))
        + "@misc{b, title=a8}",
        "@misc{h, title=" + "#".join(['"a"'] * 100_000) + "}",
        "@misc{d, title={" + "{" * 300_000 + "}" * 300_000 + "}}",
        "@misc{d, title={" + "{" * 300_000,
        "@\n" * 300_000,
        "@article{" * 100_000,
        "@article{k,\n" * 50_000,
        "@misc{x,\n" + "x = {\n" * 100_000,
        "@misc{x" + "\n" * 100_000 + "y title={T}}",
        "@comment{" * 50_000,
        "@misc{x, title={T}, author={" + "," * 100_000 + "}}",
    ],
    ids=lambda b: b[:16],
)
def test_a_bomb_ends_and_leaves_the_next_entry_whole(bomb: str) -> None:
    papers, _ = read(bomb + "\n@article{good, title={Good one}, year=2001}\n")
    assert papers["good"] == Paper(key="good", title="Good one", year=2001)


def test_a_limit_that_was_reached_is_named() -> None:
    batch = parse(b"@misc{k, title={T}}\n" * (MOST_ENTRIES + 1), "x.bib")
    assert any(f"more than {MOST_ENTRIES:,} entries" in p.why for p in batch.problems)


def test_a_cached_library_is_the_same_and_a_damaged_cache_is_rebuilt(tmp_path: Path) -> None:
    path, cache = tmp_path / "x.bib", tmp_path / "cache"
    path.write_text("@misc{a, title={A}, date-added={2016-05-05}}\n@misc{a, title={B}}", encoding="utf-8")
    source = BibtexSource.open(str(path), Context(cache_dir=cache))
    first = source.read()
    (kept,) = cache.rglob("*.bin")
    assert source.read() == first
    for damage in (b"", kept.read_bytes()[:-3], b"\0" * 100):
        kept.write_bytes(damage)
        assert source.read() == first
    assert kept.read_bytes() != damage


def test_a_changed_file_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "x.bib"
    source = BibtexSource.open(str(path), Context(cache_dir=tmp_path / "cache"))
    for title in ("A", "B"):
        path.write_text(f"@misc{{a, title={{{title}}}}}", encoding="utf-8")
        assert source.read().papers[0].title == title


GOOD = [
    f"@article{{good{n},\n  title = {{Title number {n}}},\n  author = {{Doe, Ann and Roe, Bo}},\n  year = {{20{n:02}}}\n}}\n"
    for n in range(6)
]
BAD = [
    "@article{bad,\n  title = {Open {brace},\n  year = {2000}\n}\n",
    '@article{bad, title = "Open quote, year = 2000}\n',
    "@article{bad, title = {A} year = {2000}}\n",
    "@article{, title = {No key}}\n",
    "@article{bad title = {x}}\n",
    "@article{bad}\n",
    "@article\n",
    "@comment{ open\n",
    "@string{x = }\n",
    "@string{broken\n",
    "}}}\n",
    "free text, mail me@example.org\n",
    "<<<<<<< HEAD\n",
    "@preamble{ open\n",
    "@unknown{key, title = {x}}\n",
    "\0\0\x1b[31m\n",
]


@given(st.sampled_from(BAD), st.integers(0, len(GOOD)))
def test_one_bad_block_anywhere_changes_no_other_entry(bad: str, place: int) -> None:
    whole, _ = read("".join(GOOD))
    papers, _ = read("".join((*GOOD[:place], bad, *GOOD[place:])))
    assert {key: papers[key] for key in whole} == whole


@given(st.binary(max_size=300))
def test_no_bytes_raise_anything_but_the_one_line(data: bytes) -> None:
    try:
        parse(b"@article{a, title={A}, " + data, "x.bib")
    except NoInputError as error:
        assert "\n" not in str(error)  # noqa: PT017 - both ends are right
