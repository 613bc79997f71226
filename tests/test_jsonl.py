"""JSON Lines from anywhere: a field that is wrong costs itself, a line that is wrong costs itself."""

import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paperrec.documents import paper_document
from paperrec.errors import NoInputError
from paperrec.paper import Paper
from paperrec.ports import Batch, Context
from paperrec.testing import SAMPLE, SourceContract
from paperrec_adapters.jsonl import LONGEST_TEXT, JsonlSource, parse


def read(*records: Any) -> Batch:
    return parse("\n".join(json.dumps(r) for r in records).encode(), "x.jsonl")


def one(record: dict[str, Any]) -> Paper:
    (paper,) = read(record).papers
    return paper


class TestJsonlSource(SourceContract):
    @pytest.fixture(autouse=True)
    def place(self, tmp_path: Path) -> None:
        self.path = tmp_path / "x.jsonl"
        self.path.write_text("".join(json.dumps(paper_document(p)) + "\n" for p in SAMPLE), encoding="utf-8")

    def make_source(self) -> JsonlSource:
        return JsonlSource.open(str(self.path), Context())


def test_every_field_arrives() -> None:
    paper = Paper(
        key="k",
        title="Sheep",
        abstract="They walk.",
        authors=("Doe, Ann",),
        year=2021,
        venue="J",
        doi="10.5555/x",
        arxiv_id="2601.00001",
        url="https://example.org/a",
        pdf="https://example.org/a.pdf",
        keywords=("a", "b"),
        collections=("PhD/Ch 2",),
        added=date(2020, 1, 31),
    )
    assert read(paper_document(paper)) == Batch((paper,))


@pytest.mark.parametrize(
    ("name", "arxiv_id", "doi", "url"),
    [
        ("arxiv:2601.00001v2", "2601.00001", "", ""),
        ("2601.00001", "2601.00001", "", ""),
        ("arxiv:hep-th/9901001v2", "hep-th/9901001", "", ""),
        ("doi:10.5555/JRNL.51", "", "10.5555/jrnl.51", ""),
        ("10.5555/x", "", "10.5555/x", ""),
        ("doi:10.48550/arXiv.2601.00051", "2601.00051", "10.48550/arxiv.2601.00051", ""),
        ("https://example.org/a", "", "", "https://example.org/a"),
        ("http://arxiv.org/abs/2601.00051v1", "2601.00051", "", "http://arxiv.org/abs/2601.00051v1"),
        ("x:1", "", "", ""),
        ("report 2601.00001 of us", "", "", ""),
    ],
)
def test_an_id_that_names_the_work_fills_its_field(name: str, arxiv_id: str, doi: str, url: str) -> None:
    paper = one({"id": name, "title": "T"})
    assert (paper.key, paper.arxiv_id, paper.doi, paper.url) == (name, arxiv_id, doi, url)


@pytest.mark.parametrize(
    ("field", "value", "attribute", "expected", "told"),
    [
        ("year", "2021", "year", 2021, False),
        ("year", 2021.0, "year", 2021, False),
        ("year", "NaN", "year", None, False),
        ("year", None, "year", None, False),
        ("year", "2021-05-01", "year", 2021, False),
        ("year", "soon", "year", None, True),
        ("year", 10**30, "year", None, True),
        ("year", True, "year", None, True),
        ("authors", "Doe, Ann and Roe, Bo", "authors", ("Doe, Ann", "Roe, Bo"), False),
        ("authors", "Ann Doe; Bo Roe", "authors", ("Ann Doe", "Bo Roe"), False),
        ("authors", "A. Doe, B. Roe", "authors", ("A. Doe", "B. Roe"), False),
        ("authors", "Ann Doe, Bo Roe and Cy Poe", "authors", ("Ann Doe", "Bo Roe", "Cy Poe"), False),
        ("authors", "van der Doe, Ann Bea", "authors", ("van der Doe, Ann Bea",), False),
        ("authors", "Doe, A. and Roe, B.", "authors", ("Doe, A.", "Roe, B."), False),
        ("authors", "Ann Doe" + " " * 300_000 + "and Bo Roe", "authors", ("Ann Doe", "Bo Roe"), False),
        ("authors", "", "authors", (), False),
        ("authors", [{"family": "Doe", "given": "Ann"}, {"name": "The Group"}], "authors", ("Doe, Ann", "The Group"), False),
        ("authors", ["Ann", None, 3], "authors", ("Ann",), True),
        ("authors", 5, "authors", (), True),
        ("authors", None, "authors", (), False),
        ("venue", "null", "venue", "", False),
        ("venue", ["J"], "venue", "J", False),
        ("venue", {"a": 1}, "venue", "", True),
        ("abstract", None, "abstract", "", False),
        ("url", "javascript:alert(1)", "url", "", True),
        ("url", "https://example.org/a b", "url", "", True),
        ("keywords", "a, b; a", "keywords", ("a", "b"), False),
        ("keywords", 3, "keywords", (), True),
        ("added", "2020-01-31T10:00:00Z", "added", date(2020, 1, 31), False),
        ("added", "yesterday", "added", None, True),
    ],
)
def test_a_field_of_another_type_is_read_or_left_out_and_told(field: str, value: Any, attribute: str, expected: Any, told: bool) -> None:
    batch = read({"id": "x", "title": "T", field: value})
    assert getattr(batch.papers[0], attribute) == expected
    assert bool(batch.problems) == told
    assert "javascript" not in repr(batch.problems)


def test_a_title_may_be_called_null_and_a_missing_one_is_derived() -> None:
    assert one({"title": "None"}).title == "None"
    derived = one({"abstract": "Sheep walk far on pastures. They rest."})
    assert (bool(derived.title), derived.title_derived) == (True, True)


def test_a_line_that_cannot_be_read_is_skipped_and_named() -> None:
    batch = parse(b'{"title": "A"}\n{"title": "B\n[1]\n"x"\n{}\n{"title": "C"}\n', "x.jsonl")
    assert [p.title for p in batch.papers] == ["A", "C"]
    assert [(p.where, p.code, p.left_out) for p in batch.problems] == [
        ("x.jsonl:2", "bad-json", True),
        ("x.jsonl:3", "bad-json", True),
        ("x.jsonl:4", "bad-json", True),
        ("x.jsonl:5", "no-text", True),
    ]
    assert "line 2" in batch.problems[0].why


@pytest.mark.parametrize(
    "text",
    [
        '[{"title": "A"}, {"title": "B"}]',
        '[\n{"title": "A"},\n{"title": "B"}\n]\n',
        '{"schema": "paperrec.papers/1", "papers": [{"title": "A"}, {"title": "B"}]}',
        '{\n"recommendations": [{"rank": 1, "paper": {"title": "A"}}, {"paper": {"title": "B"}}]}',
        '{"rank": 1, "paper": {"title": "A"}, "reasons": []}\n{"rank": 2, "paper": {"title": "B"}}',
        '{"papers": [{"title": "A"}]}\n{"papers": [{"title": "B"}]}',
        '{"items": [{"title": "A"}, {"title": "B"}]}',
        '{"title": "A", "items": [], "papers": [1]}\n{"title": "B"}',
        '\ufeff{"title": "A"}\r\n\r\n{"title": "B"}',
    ],
)
def test_lines_arrays_and_documents_are_read_whole(text: str) -> None:
    batch = parse(text.encode(), "x.json")
    assert ([p.title for p in batch.papers], batch.problems) == (["A", "B"], ())


@pytest.mark.parametrize("between", [",", ",\n", ",\n  "])
def test_an_array_that_was_cut_off_gives_what_came_before_the_cut(between: str) -> None:
    batch = parse(f'[{{"title": "A"}}{between}{{"title": "B", "authors": [{{"name": "Ann"}}]}}{between}{{"title": "C"'.encode(), "x.json")
    assert [p.title for p in batch.papers] == ["A", "B"]
    assert [(p.where, p.code, p.left_out) for p in batch.problems] == [("x.json:3", "bad-json", True)]


def test_a_bad_record_in_an_array_costs_itself() -> None:
    good = json.dumps([{"title": "A", "authors": [{"name": "Ann"}]}, {"title": "B"}, {"title": "C", "authors": [{"name": "Cy"}]}], indent=2)
    batch = parse(good.replace('"B"', '"B"oops').encode(), "x.json")
    assert [p.title for p in batch.papers] == ["A", "C"]
    assert [p.where for p in batch.problems] == ["x.json:2"]


def test_an_odd_first_line_does_not_cost_the_rest() -> None:
    for first in ("[1]", "[section]", "# comment", '{"title": "X', "null"):
        batch = parse(f'{first}\n{{"title": "A"}}\n{{"title": "B"}}\n'.encode(), "x.jsonl")
        assert ([p.title for p in batch.papers][-2:], len(batch.problems)) == (["A", "B"], 1), first


def test_what_is_not_utf8_is_read_and_told() -> None:
    batch = parse('{"title": "Größe"}\n'.encode() + '{"title": "Weiß"}\n'.encode("latin-1"), "x.jsonl")
    assert [p.title for p in batch.papers] == ["Größe", "Weiß"]
    assert [(p.where, p.code, p.left_out) for p in batch.problems] == [("x.jsonl:2", "encoding-guessed", False)]
    assert parse('{"title": "Größe"}\n'.encode("utf-16"), "x.jsonl").papers == (Paper(key="x.jsonl:1", title="Größe"),)


def test_a_whole_object_over_many_lines_is_one_paper() -> None:
    assert [p.title for p in parse(b'{\n "title": "A"\n}\n', "x.json").papers] == ["A"]


@pytest.mark.parametrize("field", ["title", "abstract", "venue"])
def test_a_boundless_text_is_cut_and_told(field: str) -> None:
    batch = read({"title": "T", field: "sheep " * 20_000})
    assert len(getattr(batch.papers[0], field)) <= LONGEST_TEXT
    assert [p.code for p in batch.problems] == ["bad-field"]


def test_control_characters_and_half_letters_are_gone() -> None:
    text = r'{"id": "a\u001b[31m", "title": "T\ud800\u0000\u202ex", "authors": ["E\u001b[1A"], "doi": "10.5555/a\ud800b", "url": "http://e.org/\ud800"}'
    (paper,) = parse(text.encode(), "x").papers
    assert (paper.key, paper.title, paper.authors, paper.doi, paper.url) == ("a", "Tx", ("E",), "10.5555/ab", "http://e.org/")


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"a":' * 50_000,
        "[\n" + '{"a":\n' * 50_000,
        "[" + '{"a"' * 50_000,
        '{"title": ' + "1" * 10_000 + "}",
        '{"title": NaN}',
        '{"title": 1e999, "abstract": "x"}',
    ],
)
def test_odd_json_never_raises(text: str) -> None:
    parse(text.encode(), "x")


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=9),
        lambda x: st.lists(x, max_size=3) | st.dictionaries(st.text(max_size=4), x, max_size=3),
        max_leaves=8,
    ),
    st.sampled_from("id key title abstract authors year venue doi arxiv_id url pdf keywords collections added title_derived".split()),
)
def test_any_value_in_any_field_is_taken_or_told(value: Any, field: str) -> None:
    batch = read({"title": "T", "abstract": "A.", field: value})
    assert len(batch.papers) == 1
    json.dumps(paper_document(batch.papers[0]), allow_nan=False)


@pytest.mark.parametrize(
    ("data", "told"), [(b"", "is empty"), (b"<html>", "is not JSON"), (b"@article{a}", "is not JSON"), (b"{}\n{}", "holds no paper")]
)
def test_a_file_without_a_paper_says_what_it_is(tmp_path: Path, data: bytes, told: str) -> None:
    (tmp_path / "x.jsonl").write_bytes(data)
    with pytest.raises(NoInputError, match=told):
        JsonlSource.open(str(tmp_path / "x.jsonl"), Context()).read()


@pytest.mark.parametrize("rest", ["no such file", "~nobody-of-this-name/x.jsonl", "a" * 5000, "a\0b", ".", ""])
def test_what_is_no_file_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rest: str) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NoInputError) as error:
        JsonlSource.open(rest, Context()).read()
    assert "\n" not in str(error.value)


def test_standard_input_is_read_and_a_closed_one_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"title": "A"}')))
    assert [p.key for p in JsonlSource.open("-", Context()).read().papers] == ["stdin:1"]
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(NoInputError, match="stdin"):
        JsonlSource.open("-", Context()).read()


@given(st.binary(max_size=200) | st.text(alphabet='[]{}",:\n\\title paers01', max_size=80).map(str.encode))
def test_any_bytes_are_read(data: bytes) -> None:
    parse(data, "x")
