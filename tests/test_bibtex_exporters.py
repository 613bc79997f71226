"""Forms that exporters write: crossref parents of several dialects, dblp's ids, entries in parentheses."""

import pytest

from paperrec.paper import Paper
from paperrec_adapters.bibtex.source import parse


def paper(text: str) -> Paper:
    """The first paper of a file."""
    return parse(text.encode(), "x.bib").papers[0]


@pytest.mark.parametrize(
    ("child", "parent", "whole"),
    [
        ("date = {2005}", "year = 2001", Paper(key="c", title="C", year=2005, venue="P")),
        ("year = 2005", "date = {2001-02}", Paper(key="c", title="C", year=2005, venue="P")),
        ("year = {}", "year = 2001", Paper(key="c", title="C", year=2001, venue="P")),
        ("booktitle = {Own}", "journaltitle = {J}", Paper(key="c", title="C", venue="Own")),
        ("booktitle = {}", "year = 2001", Paper(key="c", title="C", year=2001, venue="P")),
    ],
)
def test_what_a_child_says_itself_counts_whatever_its_parent_calls_it(child: str, parent: str, whole: Paper) -> None:
    assert paper(f"@inproceedings{{c, title = {{C}}, {child}, crossref = {{p}}}}\n@proceedings{{p, title = {{P}}, {parent}}}") == whole


@pytest.mark.parametrize(
    "field",
    [
        "number = {arXiv:2601.00001}",
        "howpublished = {https://example.org/p}",
        "link = {https://example.org/p}",
        "added-at = {2020-01-01}",
        "creationdate = {2020-01-01}",
        "author_keywords = {sheep}",
        "mendeley-tags = {sheep}",
        "tags = {sheep}",
        "shorttitle = {Short}",
    ],
)
def test_identifiers_tags_and_dates_of_a_volume_are_not_those_of_its_chapters(field: str) -> None:
    child = "@inproceedings{c, title = {C}, crossref = {p}}\n"
    assert paper(f"{child}@proceedings{{p, title = {{P}}, {field}}}") == Paper(key="c", title="C", venue="P")


def test_dblp_writes_the_arxiv_id_where_a_volume_number_stands() -> None:
    assert paper("@article{a, title={A}, journal={CoRR}, volume={abs/2601.00051}}").arxiv_id == "2601.00051"
    assert paper("@article{a, title={A}, volume={2601.00051}}").arxiv_id == ""


def test_a_parenthesis_inside_quotes_does_not_end_an_entry_in_parentheses() -> None:
    batch = parse(b'@article(a, title = "On walks (and rests) and ) goats", year = 2000)\n@misc(b, title = {B})\n', "x.bib")
    assert batch.papers == (Paper(key="a", title="On walks (and rests) and ) goats", year=2000), Paper(key="b", title="B"))
    assert batch.problems == ()
