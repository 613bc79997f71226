"""From the fields of an entry to a paper: heads, values, names, links, lists, dates."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paperrec.paper import Paper
from paperrec_adapters.bibtex.names import authors
from paperrec_adapters.bibtex.source import parse


def read(text: str) -> tuple[list[Paper], list[str]]:
    """Papers, and the problems' codes."""
    batch = parse(text.encode("utf-8", "surrogatepass"), "x.bib")
    return list(batch.papers), [problem.code for problem in batch.problems]


def only(fields: str) -> Paper:
    (paper,) = read(f"@misc{{a, title={{A}}, {fields}}}")[0]
    return paper


@pytest.mark.parametrize(
    ("text", "key", "codes"),
    [
        ("@misc{k, title={T}}", "k", []),
        ("@MISC {k,title={T}}", "k", []),
        ("@ misc{k, title={T}}", "k", []),
        ("@misc(k, title={T})", "k", []),
        ("@misc{\n  k\n,\n title={T}}", "k", []),
        ("@dataset{k, title={T}}", "k", []),
        ("@madeup{k, title={T}}", "k", []),
        ("misc{k,\n title={T}}", "k", ["orphan-fields"]),
        ("@misc{De Vries2019, title={T}}", "De Vries2019", ["key-with-space"]),
        ('@misc{M{\\"u}ller20, title={T}}', 'M{\\"u}ller20', []),
        ("@misc{a/b:c'd+e.f, title={T}}", "a/b:c'd+e.f", []),
        ("@misc{k title={T}}", "k", ["missing-comma"]),
        ("@misc{k\n title={T}}", "k", ["missing-comma"]),
        ("@misc{, title={T}}", "", ["missing-key"]),
        ("@misc{title={T}}", "", ["missing-key"]),
        ("@misc{\n title={T}}", "", ["missing-key"]),
        ("@misc{k,, title={T},,}", "k", []),
        ("@misc{k, title={T}; year=2000}", "k", ["missing-comma"]),
        ("@misc{k, title={T} year=2000}", "k", ["missing-comma"]),
        ("@misc{k, % why\n title={T} % year = {1}\n}", "k", []),
        ("@misc{k, title={T}", "k", ["unbalanced"]),
        ("@misc{k, title={T}}}", "k", []),
        ('@misc{k, title="T}', "k", ["unbalanced"]),
    ],
)
def test_heads_and_ends_come_in_many_forms(text: str, key: str, codes: list[str]) -> None:
    papers, told = read(text + "\n@misc{next, title={N}}\n")
    assert [(p.key, p.title) for p in papers] == [(key, "T"), ("next", "N")]
    assert told == codes


@pytest.mark.parametrize(
    ("value", "title"),
    [
        ("{A {B} c}", "A B c"),
        ('"A {"}B{"} c"', 'A "B" c'),
        ('"A " # {B} # " c"', "A B c"),
        ("2001", "2001"),
        ("oxford", "University of Oxford"),
        ("OXFORD # { Press}", "University of Oxford Press"),
        ("unknown", "unknown"),
        ('"A "quoted" word"', 'A "quoted" word'),
        ("{100\\% of {\\'E}tudes, {$x_1$}}", "100% of Études, x₁"),
        ("{Mail me@example.org}", "Mail me@example.org"),
        ("{A\n  long\n  line}", "A long line"),
    ],
)
def test_values_are_read_as_they_are_meant(value: str, title: str) -> None:
    papers, _ = read(f'@string{{Oxford = "University of Oxford"}}\n@misc{{a, title = {value}, year = 1999}}')
    assert [(p.title, p.year) for p in papers] == [(title, 1999)]


def test_the_first_of_two_equal_fields_wins_and_lists_are_joined() -> None:
    papers, codes = read("@misc{a, title={}, title={A}, year=2000, year=2001, keywords={x}, keywords={y; z}}")
    assert (papers[0], codes) == (Paper(key="a", title="A", year=2000, keywords=("x", "y", "z")), ["duplicate-field"] * 2)


def test_an_undefined_macro_is_told_once_a_file() -> None:
    batch = parse(b"@misc{a, title={A}, journal=jacm}\n@misc{b, title={B}, journal=jacm}\n", "x.bib")
    assert [p.venue for p in batch.papers] == ["jacm", "jacm"]
    assert [(p.where, p.code, p.why) for p in batch.problems] == [
        ("x.bib:1", "undefined-macro", "a: jacm is not defined; its name is read")
    ]


def test_an_entry_that_closes_early_keeps_its_fields() -> None:
    papers, codes = read("@misc{a,\n title={A}},\n year={2000},\n note={n}\n}\n@misc{b, title={B}}")
    assert ([(p.key, p.year) for p in papers], codes) == ([("a", 2000), ("b", None)], ["unbalanced"])


def test_fields_whose_head_is_lost_are_an_entry_of_their_own() -> None:
    papers, codes = read("@misc{a,\n title={A}, year=1999\n}\n title={B},\n year={2000},\n}\n@misc{c, title={C}}")
    assert ([(p.key, p.title, p.year) for p in papers], codes) == ([("a", "A", 1999), ("", "B", 2000), ("c", "C", None)], ["orphan-fields"])


def test_fields_that_belong_to_nothing_are_told_and_change_nothing() -> None:
    papers, codes = read("@misc{a,\n title={A}\n}\n year = {2000},\n@misc{c, title={C}}")
    assert ([(p.key, p.year) for p in papers], codes) == ([("a", None), ("c", None)], ["orphan-fields"])


@pytest.mark.parametrize(
    ("field", "names"),
    [
        ("Doe, Ann and Roe, Bo", ["Doe, Ann", "Roe, Bo"]),
        ("Ann Doe and Bo C. Roe", ["Doe, Ann", "Roe, Bo C."]),
        ("Joost van der Velde", ["van der Velde, Joost"]),
        ("van der Velde, Joost", ["van der Velde, Joost"]),
        ("de la Cruz, Jr, Ana", ["de la Cruz, Jr, Ana"]),
        ("Al Smith Jr.", ["Smith, Jr., Al"]),
        ("{World Health Organization}", ["World Health Organization"]),
        ("{Barnes and Noble} and Doe, Ann", ["Barnes and Noble", "Doe, Ann"]),
        ("Doe, Ann and others", ["Doe, Ann"]),
        ("others", []),
        ("M{\\\"u}ller, J{\\'o}n and {\\AA}gren, Bo", ["Müller, Jón", "Ågren, Bo"]),
        ("family=Velde, given=Joost, prefix=van der, useprefix=true", ["van der Velde, Joost"]),
        ("Plato", ["Plato"]),
        ("王小明 and 李, 四", ["王小明", "李, 四"]),
        ("Doe, A; Roe, B", ["Doe, A", "Roe, B"]),
        ("Doe,  Ann\n  AND Roe, Bo", ["Doe, Ann", "Roe, Bo"]),
        ("", []),
        (" and and ", []),
    ],
)
def test_names_are_family_then_given(field: str, names: list[str]) -> None:
    told: list[str] = []
    assert list(authors(field, 100, lambda code, why: told.append(code))) == names
    assert told == []


@pytest.mark.parametrize(
    ("field", "names"),
    [
        ("Ann Doe, Bo Roe, Cy Poe", ["Doe, Ann", "Roe, Bo", "Poe, Cy"]),
        ("Doe, A., Roe, B.", ["Doe, A.", "Roe, B."]),
        ("Doe, Ann, B, C, D", ["Doe, Ann, B, C, D"]),
    ],
)
def test_too_many_commas_are_told_and_cost_no_entry(field: str, names: list[str]) -> None:
    papers, codes = read(f"@misc{{a, title={{A}}, author={{{field}}}}}")
    assert (list(papers[0].authors), codes) == (names, ["name-commas"])


@given(st.text(alphabet="aA .,;{}=\"\\'~-\n", max_size=60) | st.text(max_size=60))
def test_no_name_raises_or_is_empty(field: str) -> None:
    assert all(name.strip() for name in authors(field, 100, lambda code, why: None))


@pytest.mark.parametrize(
    ("fields", "arxiv_id"),
    [
        ("eprint={2601.00051v2}, archiveprefix={arXiv}", "2601.00051"),
        ("eprint={hep-ph/9801234}", "hep-ph/9801234"),
        ("eprint={12345678}, eprinttype={pubmed}", ""),
        ("arxivid={2601.00051}", "2601.00051"),
        ("doi={10.48550/arXiv.2601.00051}", "2601.00051"),
        ("url={https://arxiv.org/abs/2601.00051}", "2601.00051"),
        ("journal={arXiv preprint arXiv:2601.00051}", "2601.00051"),
        ("note={arXiv: 2601.00051}", "2601.00051"),
        ("journal={Physica}, note={see 2601.00051}", ""),
    ],
)
def test_arxiv_ids_stand_in_many_fields(fields: str, arxiv_id: str) -> None:
    assert only(fields).arxiv_id == arxiv_id


@pytest.mark.parametrize(
    ("fields", "url"),
    [
        ("url={https://example.org/a\\_b?c=1\\&d=\\%20\\#e}", "https://example.org/a_b?c=1&d=%20#e"),
        ("url={\\url{https://example.org/~me}}", "https://example.org/~me"),
        ("howpublished={Online: \\url{https://example.org/x}.}", "https://example.org/x"),
        ("bdsk-url-1={https://example.org/y}", "https://example.org/y"),
        ("url={file:///home/me/x.pdf}", ""),
        ("url={javascript:alert(1)}", ""),
        ("url={https://example.org/\u202ex\x1b[31m}", "https://example.org/x"),
    ],
)
def test_addresses_are_whole_and_of_the_web(fields: str, url: str) -> None:
    assert only(fields).url == url


@pytest.mark.parametrize(
    ("fields", "venue"),
    [
        ("journaltitle={J}, booktitle={B}", "J"),
        ("journal={}, booktitle={B}", "B"),
        ("school={University of {X}}", "University of X"),
        ("publisher={P}", ""),
    ],
)
def test_the_venue_is_where_it_was_published(fields: str, venue: str) -> None:
    assert only(fields).venue == venue


def test_words_of_a_list_are_parted_at_every_kind_of_comma() -> None:
    paper = only("keywords={a, b; c，d；e}, author_keywords={f}, mendeley-tags={a,g}, groups={G 1, H}, mendeley-groups={M/N}")
    assert (paper.keywords, paper.collections) == (("a", "b", "c", "d", "e", "f", "g"), ("G 1", "H", "M/N"))


def test_static_groups_are_collections_in_their_order() -> None:
    groups = "".join(
        f"<key>group name</key><string>{g}</string><key>keys</key><string>{k}</string>" for g, k in (("Z &amp; Y", "a,b"), ("A", "a"))
    )
    papers, _ = read("@misc{a, title={A}}\n@misc{b, title={B}}\n@comment{BibDesk Static Groups{\n" + groups + "}}")
    assert [p.collections for p in papers] == [("Z & Y", "A"), ("Z & Y",)]


@pytest.mark.parametrize(
    "field", ["timestamp={05.05.2016}", "date-added={2016-5-5T10:00:00Z}", "dateadded={2016/05/05}", "added-at={5 May 2016}"]
)
def test_days_come_in_many_forms(field: str) -> None:
    assert only(field).added == date(2016, 5, 5)


@pytest.mark.parametrize(
    "field", ["timestamp={Thu Apr 1}", "timestamp={1234567890}", "timestamp={2016.05.05}, biburl={https://dblp.org/rec/x}"]
)
def test_what_is_no_day_of_adding_is_none(field: str) -> None:
    assert only(field).added is None


def test_subtitle_and_short_title_make_the_title() -> None:
    papers, _ = read("@book{a, title={Why?}, subtitle={Because}}\n@book{b, title={On}, subtitle={Off}}\n@book{c, shorttitle={Short}}")
    assert [p.title for p in papers] == ["Why? Because", "On: Off", "Short"]


def test_links_are_followed_over_several_entries_and_xdata_gives_everything() -> None:
    papers, codes = read(
        "@inbook{a, title={A}, crossref={b}}\n@book{b, title={B}, crossref={c}}\n@mvbook{c, title={C}, year=1999}\n"
        "@misc{d, xdata={x, y}}\n@xdata{x, abstract={Text of x}}\n@xdata{y, title={From y}}\n@misc{e, title={E}, crossref={gone}}"
    )
    assert [(p.key, p.title, p.venue, p.year, p.abstract) for p in papers] == [
        ("a", "A", "B", 1999, ""),
        ("b", "B", "C", 1999, ""),
        ("c", "C", "", 1999, ""),
        ("d", "From y", "", None, "Text of x"),
        ("e", "E", "", None, ""),
    ]
    assert codes == ["missing-crossref"]


def test_what_is_no_work_is_no_paper() -> None:
    papers, codes = read(
        '@preamble{"x"}\n@string{s="x"}\n@set{s1, entryset={a}}\n@control{c, title={C}}\n@xdata{x, title={X}}\n@misc{a, title={A}}'
    )
    assert ([p.key for p in papers], codes) == (["a"], [])


def test_problems_are_one_printable_line_each() -> None:
    batch = parse("@misc{k\x1b[31m\u202ee y, title={T}, a=\x1b]0;x\x07mac}\n@misc{a, title={A}}".encode(), "x.bib")
    assert batch.problems
    assert all(problem.why.isprintable() and problem.where.isprintable() for problem in batch.problems)


@given(st.lists(st.sampled_from(["{", "}", '"', "#", ",", "=", "%\n", "\\", "a", " ", "title", "@misc{k,", "\n", "x = {y},"]), max_size=40))
def test_one_run_of_signs_leaves_the_entries_around_it(signs: list[str]) -> None:
    text = "@misc{before, title={B}, year=1999}\n@misc{bad, title={" + "".join(signs) + "\n@misc{after, title={A}, year=2000}\n"
    papers = {(p.key, p.title, p.year) for p in read(text)[0]}
    assert ("after", "A", 2000) in papers
    assert ("before", "B", 1999) in papers
