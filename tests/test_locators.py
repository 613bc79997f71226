"""What opens a bare file, a folder, or a locator."""

from pathlib import Path

import pytest

from paperrec.errors import NoInputError, SettingsError
from paperrec.locators import bundled_examples, candidate_locators
from paperrec.ports import Context, open_sink, open_source, schemes, split_locator


@pytest.mark.parametrize(
    ("locator", "parts"),
    [
        ("bib:mylib.bib", ("bib", "mylib.bib")),
        ("BIB:a:b.bib", ("bib", "a:b.bib")),
        ("mylib.bib", ("", "mylib.bib")),
        (r"C:\papers\a.bib", ("", r"C:\papers\a.bib")),
        ("./odd:name.txt", ("", "./odd:name.txt")),
    ],
)
def test_a_locator_splits_at_its_scheme(locator: str, parts: tuple[str, str]) -> None:
    assert split_locator(locator) == parts


@pytest.mark.parametrize(
    ("name", "text", "scheme"),
    [
        ("a.bib", "", "bib"),
        ("a.txt", "", "abstracts"),
        ("a.md", "", "abstracts"),
        ("a.JSONL", "", "jsonl"),
        ("a.json", "", "jsonl"),
        ("odd", '\ufeff\n {"title": "x"}', "jsonl"),
        ("odd", "% my list\n@article{a, title={x}}", "bib"),
        ("odd", "A paragraph.", "abstracts"),
        ("odd:name", "A paragraph.", "abstracts"),
    ],
)
def test_a_bare_file_is_opened_by_its_suffix_else_by_its_content(tmp_path: Path, name: str, text: str, scheme: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert candidate_locators([str(path)]) == (f"{scheme}:{path}",)


def test_a_folder_gives_every_kind_of_file_in_it(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt", "c.bib", "d.jsonl", "e.jsonl", ".hidden.bib", "f.pdf"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    expected = (f"abstracts:{tmp_path}", f"bib:{tmp_path}", f"jsonl:{tmp_path / 'd.jsonl'}", f"jsonl:{tmp_path / 'e.jsonl'}")
    assert candidate_locators([str(tmp_path)]) == expected


def test_a_folder_without_anything_to_read_says_what_it_looked_for(tmp_path: Path) -> None:
    with pytest.raises(NoInputError, match=r"holds no file that ends in \.bib"):
        candidate_locators([str(tmp_path)])


def test_an_unknown_scheme_is_told_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="no source is called 'nonsense'; there are: abstracts, bib, jsonl"):
        open_source("nonsense:x", Context())
    with pytest.raises(SettingsError, match="no sink is called 'nonsense'; there are: bib, html"):
        open_sink("nonsense:x", Context())


def test_our_own_adapters_come_in_by_the_public_door() -> None:
    assert {"abstracts", "bib", "jsonl"} <= set(schemes("paperrec.sources"))
    assert {"bib", "html"} <= set(schemes("paperrec.sinks"))


def test_the_examples_that_ship_are_found() -> None:
    assert {"mylib.bib", "candidates.txt", "more-candidates.jsonl"} <= {p.name for p in bundled_examples().iterdir()}
