"""The identity of papers: one work under many names is one, different works with alike titles are two."""

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paperrec.paper import Paper, Works, family_name, fingerprint, identifiers, merge, normalize_arxiv_id, normalize_doi, normalize_title

ABSTRACT = "We measure how far sheep walk in a day on steep pastures and how the weather changes that. " * 3


@pytest.mark.parametrize(
    "text",
    [
        "10.5555/JRNL.51",
        "doi:10.5555/jrnl.51",
        "DOI: 10.5555/jrnl.51",
        "https://doi.org/10.5555/jrnl.51",
        "http://dx.doi.org/10.5555/JRNL.51",
        " 10.5555/jrnl.51. ",
        "https://doi.org/10.5555%2Fjrnl.51",
    ],
)
def test_every_form_of_a_doi_has_one_normal_form(text: str) -> None:
    assert normalize_doi(text) == "10.5555/jrnl.51"


def test_latex_escapes_and_percent_codes_in_a_doi_are_undone() -> None:
    assert normalize_doi(r"10.5555/(SICI)1-2(2014)3:4{\%}3C5::AID{\_}X{\%}3E6") == "10.5555/(sici)1-2(2014)3:4<5::aid_x>6"


@pytest.mark.parametrize("text", ["", "none", "10.5", "11.5555/x", "https://example.org/10/x"])
def test_what_is_no_doi_gives_none(text: str) -> None:
    assert normalize_doi(text) == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2601.00051", "2601.00051"),
        ("arXiv:2601.00051v3", "2601.00051"),
        ("http://arxiv.org/abs/2601.00051v1", "2601.00051"),
        ("https://export.arxiv.org/pdf/2601.00051v2.pdf", "2601.00051"),
        ("https://arxiv.org/html/0704.0001", "0704.0001"),
        ("10.48550/arXiv.2601.00051", "2601.00051"),
        ("arXiv preprint arXiv:1801.00002", "1801.00002"),
        ("hep-th/9901001v2", "hep-th/9901001"),
        ("math.AG/0601001", "math/0601001"),
        ("https://arxiv.org/abs/cond-mat/0001001", "cond-mat/0001001"),
        ("10.48550/arXiv.hep-ph/9801234", "hep-ph/9801234"),
        ("2613.00051", ""),
        ("10.5555/2601.000511234", ""),
        ("volume 12/9901001", ""),
        ("", ""),
    ],
)
def test_arxiv_ids_are_found_in_all_their_forms(text: str, expected: str) -> None:
    assert normalize_arxiv_id(text) == expected


def test_titles_are_compared_without_case_accents_and_signs() -> None:
    assert normalize_title("Über—das “Étude”: 2nd  Ed.") == normalize_title("uber das etude 2ND ed")


def test_other_scripts_keep_their_letters() -> None:
    assert normalize_title("一种虚构的排序方法") == "一种虚构的排序方法"


@pytest.mark.parametrize("author", ["Müller, Jörg", "Jörg Müller", "J. MULLER Jr.", "von Müller, J."])
def test_a_family_name_is_found_in_either_order(author: str) -> None:
    assert family_name(author) == "muller"


def test_versions_and_addresses_of_one_preprint_have_one_fingerprint() -> None:
    records = [
        Paper(arxiv_id="2601.00051v1"),
        Paper(arxiv_id="arXiv:2601.00051"),
        Paper(doi="10.48550/ARXIV.2601.00051"),
        Paper(url="https://arxiv.org/pdf/2601.00051v2.pdf"),
    ]
    assert {fingerprint(r) for r in records} == {"arxiv:2601.00051"}


def test_a_derived_title_does_not_name_the_work() -> None:
    named = Paper(title="Sheep", title_derived=True, abstract=ABSTRACT)
    renamed = replace(named, title="How far sheep walk")
    assert fingerprint(named) == fingerprint(renamed)


def test_preprint_and_journal_version_are_one_work() -> None:
    preprint = Paper(key="a", title="Walks of sheep on slopes", authors=("Doe, Ann",), year=2020, arxiv_id="2001.00001")
    published = Paper(
        key="b", title="Walks of Sheep on Slopes", authors=("Ann Doe", "Bo Roe"), year=2022, doi="10.5555/s.1", abstract=ABSTRACT
    )
    assert merge([preprint, published]) == (replace(preprint, doi="10.5555/s.1", abstract=ABSTRACT),)


@pytest.mark.parametrize(
    "other",
    [
        Paper(title="Attention is all you need in speech separation", authors=("Doe, Ann",), year=2020),
        Paper(title="Attention is all you need", authors=("Roe, Bo",), year=2020),
        Paper(title="Attention is all you need", authors=("Doe, Ann",), year=2012),
        Paper(title="Attention is all you need", authors=("Doe, Ann",), year=2020, doi="10.5555/other"),
    ],
)
def test_different_works_with_alike_titles_stay_apart(other: Paper) -> None:
    mine = Paper(title="Attention is all you need", authors=("Doe, Ann",), year=2020, doi="10.5555/mine")
    assert len(merge([mine, other])) == 2


def test_editorials_are_one_work_only_with_equal_authors_and_year() -> None:
    first = Paper(title="Editorial", authors=("Doe, Ann",), year=2020)
    assert [len(merge([first, other])) for other in (first, replace(first, year=2021), replace(first, authors=()))] == [1, 2, 2]


def test_a_record_that_bears_both_names_ties_two_groups_together() -> None:
    records = [Paper(arxiv_id="2001.00001"), Paper(doi="10.5555/s.1"), Paper(arxiv_id="2001.00001", doi="10.5555/s.1", title="Walks")]
    assert merge(records) == (Paper(arxiv_id="2001.00001", doi="10.5555/s.1", title="Walks"),)


def test_the_same_abstract_under_a_real_title_is_found() -> None:
    works = Works([Paper(key="mine", title="Walks of sheep", abstract=ABSTRACT)])
    assert works.find(Paper(title="sheep walk", title_derived=True, abstract=ABSTRACT.upper())) == 0


def test_merging_keeps_the_first_words_and_fills_the_gaps() -> None:
    first = Paper(key="doe01", title="Same work", authors=("Doe, A.",), year=2001, keywords=("a",), added=date(2020, 5, 1))
    second = Paper(key="doe01", title="Same Work", doi="10.5555/same", abstract="Only here.", keywords=("b", "a"), added=date(2019, 1, 1))
    merged = replace(first, doi="10.5555/same", abstract="Only here.", keywords=("a", "b"), added=date(2019, 1, 1))
    assert merge([first, second]) == (merged,)


def test_a_real_title_wins_over_a_derived_one() -> None:
    derived = Paper(title="sheep walk", title_derived=True, doi="10.5555/s.1")
    real = Paper(title="Walks of sheep", doi="10.5555/s.1")
    assert merge([derived, real]) == (real,)


@given(st.text(max_size=60))
def test_no_text_breaks_the_identity_rules(text: str) -> None:
    paper = Paper(key="k", title=text, abstract=text, authors=(text,), doi=text, arxiv_id=text, url=text)
    assert merge([paper, paper]) == (paper,)
    assert fingerprint(paper).partition(":")[0] in {"arxiv", "doi", "title", "text"}
    assert all(name.partition(":")[2] for name in identifiers(paper))


@given(st.permutations([Paper(key=str(i), title="Walks of sheep on slopes", authors=a, doi=d) for i, (a, d) in enumerate(
    [(("Doe, A.",), "10.5555/1"), (("Doe, A.",), ""), (("Roe, B.",), "10.5555/2"), (("Roe, B.",), "")])]))  # fmt: skip
def test_two_works_of_one_title_are_told_apart_in_any_order(records: list[Paper]) -> None:
    assert sorted(sorted(p.key for p in group) for group in Works(records).groups if group) == [["0", "1"], ["2", "3"]]
