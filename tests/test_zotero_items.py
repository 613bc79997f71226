"""Zotero's items as papers and papers as new items: what goes in comes out, nothing is refused, and nothing crashes."""

import json
import urllib.request
from dataclasses import replace
from datetime import UTC, date, datetime
from html.parser import HTMLParser
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.zotero import FakeZotero, Library
from fakes.zotero.adapting import adapt_item
from fakes.zotero.checking import check_item
from paperrec.paper import Paper, fingerprint, identifiers, normalize_arxiv_id
from paperrec.recommendation import Reason, Recommendation
from paperrec.testing import SAMPLE
from paperrec_adapters.zotero_items import PAPER_FIELDS, is_paper, new_item, paper_of, reasons_note
from paperrec_adapters.zotero_items.extra import _ARXIV, arxiv_in
from paperrec_adapters.zotero_items.wording import one_line

EXTRA = "paperrec: 57.3 (2026-12-01)"
COLLECTION = "ABCD2345"


def item(item_type: str = "journalArticle", **data: Any) -> dict[str, Any]:
    return {"key": "KEYKEY23", "version": 1, "data": {"itemType": item_type, **data}}


def read(item_type: str = "journalArticle", **data: Any) -> Paper:
    return paper_of(item(item_type, **data), {})


def make(paper: Paper, *, tag: str = "to read", citation_key: str = "") -> dict[str, Any]:
    return new_item(paper, collections=[COLLECTION], tag=tag, extra=EXTRA, citation_key=citation_key)[0]


def again(paper: Paper) -> Paper:
    """The paper that is read from the item that it becomes."""
    return paper_of({"key": paper.key, "version": 1, "data": make(paper)}, {})


def library() -> Library:
    made = Library("users/1", lambda: datetime(2026, 12, 1, tzinfo=UTC))
    made.put_collection("Recommended", COLLECTION)
    return made


# Which items are papers


@pytest.mark.parametrize("item_type", ["journalArticle", "preprint", "book", "thesis", "report", "webpage", "case", "a type of next year"])
def test_every_type_of_work_is_a_paper(item_type: str) -> None:
    assert is_paper({"itemType": item_type})


@pytest.mark.parametrize(
    "data",
    [
        {"itemType": "note"},
        {"itemType": "attachment"},
        {"itemType": "annotation"},
        {"itemType": "book", "deleted": True},
        {"itemType": "book", "deleted": 1},
        {"itemType": "book", "parentItem": "KEYKEY23"},
        {"itemType": ["book"]},
        {},
    ],
)
def test_notes_files_parts_and_trash_are_no_papers(data: dict[str, Any]) -> None:
    assert not is_paper(data)


@pytest.mark.parametrize("no", [False, 0])
def test_what_is_said_not_to_be_trashed_is_a_paper(no: object) -> None:
    assert is_paper({"itemType": "book", "deleted": no, "parentItem": False})


# Reading


def test_every_field_of_an_article_is_read() -> None:
    told = item(
        title="Growth of <i>E. coli</i> in H<sub>2</sub>O",
        abstractNote="We  grow\nit.",
        creators=[
            {"creatorType": "editor", "firstName": "Ed", "lastName": "Itor"},
            {"creatorType": "author", "firstName": "Ada", "lastName": "Lovelace"},
            {"creatorType": "author", "name": "CERN"},
        ],
        date="June 5, 2026",
        publicationTitle="Journal of Growth",
        publisher="Somebody",
        DOI="https://doi.org/10.5555/ABC",
        url="https://example.org/x",
        tags=[{"tag": "growth"}, {"tag": "water", "type": 1}, {"tag": "growth"}],
        collections=["AAAA2222", "GONE2222"],
        dateAdded="2026-11-30T23:59:59Z",
    )
    assert paper_of(told, {"AAAA2222": "PhD/Chapter 2"}) == Paper(
        key="KEYKEY23",
        title="Growth of E. coli in H2O",
        abstract="We grow it.",
        authors=("Lovelace, Ada", "CERN"),
        year=2026,
        venue="Journal of Growth",
        doi="10.5555/abc",
        url="https://example.org/x",
        keywords=("growth", "water"),
        collections=("PhD/Chapter 2",),
        added=date(2026, 11, 30),
    )


def test_an_item_with_nothing_in_it_is_a_paper_without_text() -> None:
    assert read() == Paper(key="KEYKEY23")


@pytest.mark.parametrize(("item_type", "field"), [("case", "caseName"), ("statute", "nameOfAct"), ("email", "subject"), ("book", "title")])
def test_a_title_is_found_in_the_field_of_its_type(item_type: str, field: str) -> None:
    assert read(item_type, **{field: "A v. B"}).title == "A v. B"


@pytest.mark.parametrize(
    ("item_type", "fields", "venue"),
    [
        ("conferencePaper", {"proceedingsTitle": "Proc. X", "conferenceName": "X", "publisher": "P"}, "Proc. X"),
        ("conferencePaper", {"proceedingsTitle": "", "conferenceName": "X", "publisher": "P"}, "X"),
        ("bookSection", {"bookTitle": "Handbook", "publisher": "P"}, "Handbook"),
        ("preprint", {"repository": "arXiv"}, "arXiv"),
        ("thesis", {"university": "ETH"}, "ETH"),
        ("report", {"institution": "NIST"}, "NIST"),
        ("book", {"publisher": "MIT Press"}, "MIT Press"),
        ("presentation", {"meetingName": "FOSDEM"}, "FOSDEM"),
    ],
)
def test_the_venue_is_what_the_type_has_for_it(item_type: str, fields: dict[str, str], venue: str) -> None:
    assert read(item_type, **fields).venue == venue


@pytest.mark.parametrize(
    ("text", "year"),
    [
        ("June 5, 2026", 2026),
        ("2024-05", 2024),
        ("2024-05-00 May 2024", 2024),
        ("20240501", 2024),
        ("1998/1999", 1998),
        ("5/6/99", 1999),
        ("5.6.21", 2021),
        ("c1987", 1987),
        ("in press", None),
        ("n.d.", None),
        ("0000-00-00 n.d.", None),
        ("", None),
        (2019, 2019),
        (["2019"], None),
        ("٢٠٢٤", None),
    ],
)
def test_a_year_is_found_in_what_people_write(text: object, year: int | None) -> None:
    assert read(date=text).year == year


def test_the_date_that_the_service_understood_goes_first_and_other_types_have_other_fields() -> None:
    assert paper_of({**item(date="spring of the second year"), "meta": {"parsedDate": "2025-03"}}, {}).year == 2025
    assert [read("patent", issueDate="1 May 2001").year, read("case", dateDecided="1954").year] == [2001, 1954]


@pytest.mark.parametrize(
    ("creators", "authors"),
    [
        ([{"creatorType": "inventor", "lastName": "Tesla", "firstName": "Nikola"}], ("Tesla, Nikola",)),
        ([{"creatorType": "editor", "lastName": "Itor", "firstName": ""}], ("Itor",)),
        ([{"creatorType": "recipient", "name": "Somebody"}], ("Somebody",)),
        ([{"creatorType": "author", "lastName": "", "firstName": "Plato"}], ("Plato",)),
        ([{"creatorType": "author", "lastName": "King", "firstName": "Martin Luther, Jr."}], ("King, Jr., Martin Luther",)),
        ([{"lastName": "Doe", "firstName": "Ann"}], ("Doe, Ann",)),
        ([None, 3, "Doe", {}, {"creatorType": "author"}, {"creatorType": ["author"], "name": 3}], ()),
        ({"name": "Doe"}, ()),
        ("Doe", ()),
    ],
)
def test_authors_go_before_editors_and_what_is_no_creator_is_passed_over(creators: object, authors: tuple[str, ...]) -> None:
    assert read(creators=creators).authors == authors


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"DOI": "doi:10.5555/X"}, ("doi:10.5555/x",)),
        ({"extra": "a note\nDOI: 10.5555/X"}, ("doi:10.5555/x",)),
        ({"url": "https://doi.org/10.5555/x"}, ("doi:10.5555/x",)),
        ({"DOI": "10.48550/arXiv.2405.00001"}, ("arxiv:2405.00001",)),
        ({"DOI": "10.48550/arXiv.2405.00001", "extra": "DOI: 10.5555/x"}, ("arxiv:2405.00001", "doi:10.5555/x")),
        ({"archiveID": "arXiv:2405.00001v3"}, ("arxiv:2405.00001",)),
        ({"archiveID": "arXiv:astro-ph/0603274"}, ("arxiv:astro-ph/0603274",)),
        ({"archiveID": "2405.00001", "repository": "arXiv"}, ("arxiv:2405.00001",)),
        ({"archive": "arXiv.org", "archiveLocation": "math/0601001"}, ("arxiv:math/0601001",)),
        ({"archiveID": "2405.00001", "repository": "Zenodo"}, ()),
        ({"archiveID": "PMC:2405.00001"}, ()),
        ({"archiveID": "arXiv:9999.00001"}, ()),
        ({"extra": "arXiv:2405.00001 [cs.LG]"}, ("arxiv:2405.00001",)),
        ({"extra": "Archive ID: arXiv:2405.00001"}, ("arxiv:2405.00001",)),
        ({"extra": "arXiv: arXiv:2405.00001"}, ("arxiv:2405.00001",)),
        ({"extra": "Comment: extends arXiv:2405.00001"}, ()),
        ({"url": "https://arxiv.org/pdf/2405.00001v2"}, ("arxiv:2405.00001",)),
        ({"url": "https://example.org/2405.00001"}, ()),
        ({"publicationTitle": "arXiv:2405.00001 [cs]"}, ("arxiv:2405.00001",)),
        ({"publicationTitle": "arXiv preprint arXiv:2405.00001"}, ("arxiv:2405.00001",)),
    ],
)
def test_identifiers_are_found_wherever_zotero_and_its_users_keep_them(fields: dict[str, str], named: tuple[str, ...]) -> None:
    assert identifiers(read("preprint", **fields)) == named


def test_the_class_is_that_of_the_id() -> None:
    assert read(extra="arXiv:2405.00001 [cs.LG]").arxiv_class == "cs.LG"
    assert read(archiveID="arXiv:2405.00002", extra="arXiv:2405.00001 [cs.LG]").arxiv_class == ""


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd", "example.org", "https://a b"])
def test_only_web_addresses_are_addresses(url: str) -> None:
    assert read(url=url).url == ""


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=20)
    | st.sampled_from(["arXiv:2405.00001", "10.5/x", "2020"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = (
    "itemType", "title", "caseName", "abstractNote", "date", "creators", "tags", "collections", "DOI", "url", "extra", "archiveID",
    "repository", "publicationTitle", "dateAdded", "deleted", "parentItem",
)  # fmt: skip
CREATORS = st.lists(ANYTHING | st.dictionaries(st.sampled_from(["creatorType", "name", "firstName", "lastName"]), ANYTHING), max_size=4)
TAGS = st.lists(ANYTHING | st.fixed_dictionaries({"tag": ANYTHING}), max_size=3)


@given(st.dictionaries(st.sampled_from(FIELDS), ANYTHING), CREATORS | ANYTHING, TAGS | ANYTHING, ANYTHING)
def test_any_json_anywhere_is_read(data: dict[str, Any], creators: object, tags: object, rest: object) -> None:
    data = {"creators": creators, "tags": tags, **data}
    is_paper(data)
    for told in ({"key": rest, "data": data, "meta": rest}, {"key": "K", "data": rest}, {"meta": {"parsedDate": rest}}):
        paper = paper_of(told, {"A": "B"})
        assert fingerprint(paper)
        for text in (paper.title, paper.abstract, paper.venue, paper.doi, paper.url, *paper.authors, *paper.keywords):
            assert one_line(text) == text


# Writing


def test_an_arxiv_paper_is_what_zotero_s_translator_makes_of_it() -> None:
    paper = Paper(
        title="Sheep",
        abstract="We follow\nsheep.",
        authors=("Doe, Ann", "CERN Collaboration"),
        year=2024,
        arxiv_id="2405.00001",
        arxiv_class="cs.LG",
        url="https://arxiv.org/abs/2405.00001v2",
        keywords=("sheep",),
    )
    assert new_item(paper, collections=[COLLECTION], tag="to read", extra=EXTRA) == (
        {
            "itemType": "preprint",
            "title": "Sheep",
            "abstractNote": "We follow sheep.",
            "repository": "arXiv",
            "archiveID": "arXiv:2405.00001",
            "date": "2024",
            "DOI": "10.48550/arXiv.2405.00001",
            "url": "http://arxiv.org/abs/2405.00001",
            "extra": f"arXiv:2405.00001 [cs.LG]\n{EXTRA}",
            "creators": [
                {"creatorType": "author", "firstName": "Ann", "lastName": "Doe"},
                {"creatorType": "author", "name": "CERN Collaboration"},
            ],
            "tags": [{"tag": "to read"}],
            "collections": [COLLECTION],
        },
        [],
    )


def test_an_arxiv_paper_with_a_publisher_s_doi_is_published() -> None:
    made = make(Paper(title="Sheep", arxiv_id="math/0601001", doi="10.5555/x", venue="Journal of Sheep"))
    assert made == {
        "itemType": "journalArticle",
        "title": "Sheep",
        "publicationTitle": "Journal of Sheep",
        "DOI": "10.5555/x",
        "url": "http://arxiv.org/abs/math/0601001",
        "extra": f"arXiv:math/0601001\n{EXTRA}",
        "tags": [{"tag": "to read"}],
        "collections": [COLLECTION],
    }


@pytest.mark.parametrize(
    ("paper", "item_type", "field", "venue"),
    [
        (Paper(venue="Proceedings of the 5th Workshop on Sheep"), "conferencePaper", "proceedingsTitle", None),
        (Paper(venue="IEEE Conference on Sheep", doi="10.1109/x"), "conferencePaper", "proceedingsTitle", None),
        (Paper(venue="NeurIPS 2024"), "conferencePaper", "proceedingsTitle", None),
        (Paper(venue="Advances in Neural Information Processing Systems 37"), "conferencePaper", "proceedingsTitle", None),
        (Paper(venue="Annual Meeting of the Sheep Society"), "conferencePaper", "proceedingsTitle", None),
        (Paper(venue="Proceedings of the IEEE"), "journalArticle", "publicationTitle", None),
        (Paper(venue="Proceedings of the National Academy of Sciences"), "journalArticle", "publicationTitle", None),
        (Paper(venue="Proceedings of the ACM on Programming Languages"), "journalArticle", "publicationTitle", None),
        (Paper(venue="Proc. Natl. Acad. Sci. U.S.A."), "journalArticle", "publicationTitle", None),
        (Paper(venue="Nature"), "journalArticle", "publicationTitle", None),
        (Paper(doi="10.1101/2024.01.02.123456", venue="bioRxiv"), "preprint", "repository", "bioRxiv"),
        (Paper(doi="10.1101/2024.01.02.123456", venue="medRxiv (CSHL)"), "preprint", "repository", "medRxiv"),
        (Paper(doi="10.1101/2024.01.02.123456", url="https://www.medrxiv.org/content/x"), "preprint", "repository", "medRxiv"),
        (Paper(doi="10.64898/2025.12.01.123456"), "preprint", "repository", "openRxiv"),
        (Paper(doi="10.1101/gr.123456.111", venue="Genome Research"), "journalArticle", "publicationTitle", None),
        (Paper(doi="10.2139/ssrn.123", venue="SSRN Electronic Journal"), "preprint", "repository", "SSRN"),
        (Paper(doi="10.31234/osf.io/abc"), "preprint", "repository", "PsyArXiv"),
        (Paper(venue="CoRR"), "preprint", "repository", "arXiv"),
        (Paper(venue="arXiv (Cornell University)", arxiv_id="2405.00001"), "preprint", "repository", "arXiv"),
        (Paper(venue="ChemRxiv"), "preprint", "repository", "ChemRxiv"),
    ],
)
def test_a_paper_gets_the_type_that_its_venue_and_doi_tell(paper: Paper, item_type: str, field: str, venue: str | None) -> None:
    made = make(replace(paper, title="Sheep"))
    assert (made["itemType"], made[field]) == (item_type, venue or paper.venue)


def test_what_is_published_nobody_knows_where_is_an_article_and_what_has_nothing_is_a_document() -> None:
    assert make(Paper(title="T", doi="10.5555/x"))["itemType"] == "journalArticle"
    assert make(Paper(title="T", doi="10.5555/x", venue="arXiv.org")).keys() & {"repository", "publicationTitle"} == set()
    assert make(Paper(title="T"), tag="") == {"itemType": "document", "title": "T", "extra": EXTRA, "collections": [COLLECTION]}


def test_the_venue_of_a_preprint_is_told_in_extra() -> None:
    paper = Paper(title="T", arxiv_id="2405.00001", venue="NeurIPS 2024")
    assert make(paper)["extra"] == f"arXiv:2405.00001\n{EXTRA}\nPublished in: NeurIPS 2024"
    assert again(paper).venue == "NeurIPS 2024"


@pytest.mark.parametrize("title", ["A system for goats", ""])
def test_a_title_that_we_made_says_so(title: str) -> None:
    paper = Paper(title=title, title_derived=bool(title), abstract="We present a system for goats on hills that are steep.")
    assert make(paper)["extra"] == f"The title was derived from the abstract.\n{EXTRA}"
    assert make(paper)["title"]
    assert again(paper).title_derived
    assert fingerprint(again(paper)) == fingerprint(paper)


@pytest.mark.parametrize(
    ("author", "names"),
    [
        ("Lovelace, Ada", ("Ada", "Lovelace")),
        ("Ada Lovelace", ("Ada", "Lovelace")),
        ("Joost van der Velde", ("Joost", "van der Velde")),
        ("King, Jr., Martin Luther", ("Martin Luther, Jr.", "King")),
        ("Martin Luther King Jr.", ("Martin Luther, Jr.", "King")),
        ("王, 小明", ("小明", "王")),
        ("王 小明", None),
        ("王小明", None),
        ("김 철수", None),
        ("CERN Collaboration", None),
        ("The ATLAS Collaboration", None),
        ("World Health Organization", None),
        ("Ministry of Silly Walks", None),
        ("University of California, Berkeley", None),
        ("Plato", None),
    ],
)
def test_people_have_two_names_and_the_rest_one(author: str, names: tuple[str, str] | None) -> None:
    told = {"firstName": names[0], "lastName": names[1]} if names else {"name": author}
    assert make(Paper(title="T", authors=(author,)))["creators"] == [{"creatorType": "author", **told}]


@pytest.mark.parametrize("url", ["javascript:alert(1)", "ftp://example.org/x", "https://a b", "https://example.org/\x00"])
def test_only_web_addresses_are_written(url: str) -> None:
    assert "url" not in make(Paper(title="T", url=url, pdf=url))


def test_where_there_is_no_page_the_pdf_is_linked_unless_it_would_name_another_work() -> None:
    assert make(Paper(title="T", pdf="https://example.org/x.pdf"))["url"] == "https://example.org/x.pdf"
    assert "url" not in make(Paper(title="T", pdf="https://arxiv.org/pdf/2405.00001"))


def test_a_title_is_shown_with_the_letters_that_it_has() -> None:
    paper = Paper(title="Why <b>bold</b> & a<b and <script>alert(1)</script> &amp; <SPAN class='nocase'>")
    assert make(paper)["title"] == "Why < b>bold< /b> & a<b and <script>alert(1)</script> &amp; < SPAN class='nocase'>"
    assert again(paper).title == paper.title


def test_marks_that_a_person_gives_a_title_of_ours_are_taken_off() -> None:
    data = {**make(Paper(title="Growth of E. coli, 5\\% a_b")), "title": "Growth of <i>E. coli</i>, 5\\% a_b"}
    assert paper_of({"key": "K", "data": data}, {}).title == "Growth of E. coli, 5\\% a_b"


def test_nothing_unseen_gets_in() -> None:
    nasty = "a\x00b\x1b[31mc\ud800d\u202ee\u200bf\r\ng"
    made = make(Paper(title=nasty, abstract=nasty, authors=(nasty,), venue=nasty, arxiv_class=nasty, doi="10.5555/\x1b[31mx"), tag=nasty)
    clean = "abcdef g"
    assert [made["title"], made["abstractNote"], made["publicationTitle"], made["tags"][0]["tag"]] == [clean] * 4
    assert made["creators"] == [{"creatorType": "author", "firstName": "abcdef", "lastName": "g"}]
    assert made["DOI"] == "10.5555/x"


def test_what_is_too_long_is_cut_at_a_letter_and_told() -> None:
    paper = Paper(
        title="ä" * 40_000,
        abstract="👩\u200d🔬" * 10_000,
        venue="J" * 70_000,
        authors=("a" * 300, "Doe, " + "e\u0301x" * 200, *("Roe, Bo",) * 600),
        url="https://example.org/" + "x" * 70_000,
    )
    made, notes = new_item(paper, collections=[], tag="t" * 256, extra=EXTRA)
    assert notes == [
        "title cut to 64,000 bytes",
        "abstract cut to 64,000 bytes",
        "venue cut to 64,000 bytes",
        "url left out: longer than 64,000 bytes",
        "tag cut to 255 characters",
        "authors cut to the first 500 of 602",
        "2 names of authors cut to 255 characters",
    ]
    assert made["title"] == "ä" * 32_000
    assert made["abstractNote"] == "👩\u200d🔬" * (64_000 // 11)
    assert len(made["creators"]) == 500
    assert [len(made["creators"][0]["name"]), len(made["tags"][0]["tag"])] == [255, 255]
    check_item(library(), made, made)


def test_our_line_in_extra_is_kept_however_long_the_venue_is() -> None:
    made = make(Paper(title="T", arxiv_id="2405.00001", venue="J" * 70_000))
    assert made["extra"].startswith(f"arXiv:2405.00001\n{EXTRA}\nPublished in: J")
    check_item(library(), made, made)


MANY = (
    *SAMPLE,
    Paper(title="T", abstract="A" * 70_000, arxiv_id="hep-th/9901001", authors=("The Sheep Group",), year=1999),
    Paper(title="T<i>x</i>", venue="Proceedings of the 5th Conference", doi="10.5555/y", year=2001, url="https://example.org/"),
    Paper(title="", abstract="We study sheep on steep hills, using bells.", title_derived=False),
    Paper(title="T", doi="10.1101/2024.01.02.123456", year=99999),
    Paper(title="T", authors=("",), venue="Nature"),
)


def test_the_web_takes_every_new_item_and_keeps_it_as_it_is() -> None:
    sent = [make(paper, citation_key=f"doe{at}") for at, paper in enumerate(MANY)]
    with FakeZotero("web") as zotero:
        zotero.add_key("k3y")
        zotero.library("users/1").put_collection("Recommended", COLLECTION)
        request = urllib.request.Request(  # noqa: S310 - our own server
            f"{zotero.url}/users/1/items", json.dumps(sent).encode(), {"Zotero-API-Key": "k3y", "Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as reply:  # noqa: S310
            told = json.load(reply)
    assert told["failed"] == {}
    for at, data in enumerate(sent):
        kept = told["successful"][str(at)]["data"]
        assert {name: kept[name] for name in data} == data


def test_the_desktop_finds_a_place_for_everything() -> None:
    for paper in MANY:
        made = make(paper, citation_key="doe2020")
        assert adapt_item(library(), made, made) == made


LETTERS = st.characters(exclude_categories=("Cs", "Co", "Cn"))
TEXTS = st.text(LETTERS, max_size=40) | st.lists(
    st.sampled_from(
        ["sheep", "<i>", "</i>", "<script>", "a<b", "&amp;", "$5", "\\alpha", "{x}", "--", "10.5/x", "arXiv:2001.00001", "DOI:", "é"]
    )
).map(" ".join)
LINES = TEXTS.map(one_line)
WORDS = st.from_regex(r"[A-Z][a-z]{1,8}", fullmatch=True)
AUTHORS = st.builds("{}, {}".format, WORDS.filter(lambda word: word.lower() not in ("jr", "sr", "ii", "iii", "iv")), WORDS) | WORDS
PAPERS = st.builds(
    Paper,
    key=st.just("K"),
    title=LINES,
    abstract=LINES,
    authors=st.lists(AUTHORS, max_size=3).map(tuple),
    year=st.none() | st.integers(1000, 2199),
    venue=LINES | st.sampled_from(["NeurIPS 2024", "Nature", "arXiv", "bioRxiv"]),
    doi=st.sampled_from(["", "10.5555/x_<1>", "10.48550/arxiv.2405.00001", "10.1101/2024.01.02.123456", "10.2139/ssrn.1"]),
    arxiv_id=st.sampled_from(["", "2405.00001", "math/0601001"]),
    arxiv_class=st.sampled_from(["", "cs.LG", "math", "x y"]),
    url=st.sampled_from(["", "https://example.org/a", "https://arxiv.org/abs/2405.00002", "https://doi.org/10.5555/z", "mailto:x"]),
    pdf=st.sampled_from(["", "https://example.org/a.pdf", "https://arxiv.org/pdf/2405.00003"]),
    title_derived=st.booleans(),
)


@given(PAPERS)
def test_a_paper_comes_back_as_it_was(paper: Paper) -> None:
    back = again(paper)
    assert identifiers(back) == identifiers(paper)
    assert (back.abstract, back.authors, back.year) == (paper.abstract, paper.authors, paper.year)
    if paper.title:
        assert (back.title, back.title_derived) == (paper.title, paper.title_derived)
    if paper.title or paper.abstract:
        assert fingerprint(back) == fingerprint(paper)


@given(
    st.builds(
        Paper,
        title=st.text(max_size=30),
        abstract=st.text(max_size=30),
        authors=st.lists(st.text(max_size=20), max_size=3).map(tuple),
        year=st.none() | st.integers(),
        venue=st.text(max_size=20),
        doi=st.text(max_size=20).map("10.5/".__add__) | st.text(max_size=20),
        arxiv_id=st.text(max_size=12),
        arxiv_class=st.text(max_size=6),
        url=st.text(max_size=20) | st.text(max_size=20).map("https://".__add__),
    ),
    st.text(max_size=20),
)
def test_whatever_a_paper_holds_its_item_is_taken_and_has_no_empty_field(paper: Paper, tag: str) -> None:
    made = make(paper, tag=tag)
    assert check_item(library(), made, made) == made
    assert adapt_item(library(), made, made) == made
    assert all(made.values())
    assert json.dumps(made, ensure_ascii=False).encode()  # no lone surrogate anywhere


# The note


class Outline(HTMLParser):
    """The tags and the text of a piece of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.words: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.words.append(data.strip())


def test_a_note_says_why() -> None:
    reasons = (Reason("paper", "resembles “A & B”", 40.04), Reason("terms", "shares: sheep", -2.5))
    told = Recommendation(Paper(title="T"), 57.3, 1, reasons, level="strong", interest="herding", note="its twin is in the library")
    assert reasons_note(told) == (
        "<h1>Why paperrec recommends this</h1>\n"
        "<p>Score 57.3 (strong), for your interest in herding</p>\n"
        "<p>its twin is in the library</p>\n"
        "<ul>\n<li>+40.0 resembles “A &amp; B”</li>\n<li>−2.5 shares: sheep</li>\n</ul>"
    )


def test_a_note_without_reasons_is_short() -> None:
    assert reasons_note(Recommendation(Paper(title="T"), 1.0, 1)) == "<h1>Why paperrec recommends this</h1>\n<p>Score 1.0</p>"


@given(st.lists(st.text(), min_size=4, max_size=6))
def test_no_text_is_html_in_a_note(texts: list[str]) -> None:
    level, interest, note, *rest = ("<script>" + text for text in texts)
    told = Recommendation(Paper(), 1.0, 1, tuple(Reason("other", text, 0.0) for text in rest), level, interest, note)
    assert Outline(reasons_note(told)).tags == ["h1", "p", "p", "ul", *["li"] * len(rest)]


def test_a_note_is_never_too_long_and_says_what_it_leaves_out() -> None:
    long = "'" * 100_000
    told = Recommendation(Paper(), 1.0, 1, (Reason("other", long, 1.0),) * 1000, long, long, long)
    note = reasons_note(told)
    assert len(note) < 500_000
    assert note.endswith("<li>and 989 more</li>\n</ul>")


class Asked(dict[str, Any]):
    """Remembers what it was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: set[str] = set()

    def get(self, field: str, default: Any = None) -> Any:
        self.fields.add(field)
        return {"itemType": "case", "archive": "arXiv"}.get(field, default)  # the rest is empty: each way on is tried


def test_a_paper_is_made_of_no_other_field_than_those_that_are_named() -> None:
    data = Asked()
    assert is_paper(data)
    paper_of({"data": data}, {})
    beside = {"collections", "creators", "dateAdded", "deleted", "itemType", "parentItem", "tags"}
    assert data.fields == PAPER_FIELDS | beside


@given(st.lists(st.sampled_from(("arXiv", "arxıv", ":", "=", " ", "id", "2405.00001", "math/0601001", "[cs.LG]", "x", "\n"))).map("".join))
def test_an_arxiv_id_is_told_wherever_the_rule_finds_one(text: str) -> None:
    told = ((normalize_arxiv_id(found[1]), found[2] or "") for found in _ARXIV.finditer(text))
    assert arxiv_in(text) == next((one for one in told if one[0]), ("", ""))
