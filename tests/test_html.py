"""The page: whole, inert, and the same bytes for the same list."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from paperrec.errors import SettingsError, WriteError
from paperrec.paper import Paper
from paperrec.ports import Context
from paperrec.recommendation import Reason, Recommendation
from paperrec.testing import SinkContract, recommendations
from paperrec_adapters.html import HtmlSink, render

EVIL = "<script>alert(1)</script></title></style>\"'><img src=x onerror=alert(2)>{{ 7*7 }}\x1b]8;;x\x07\u202e"


class Walk(HTMLParser):
    """Collects what a browser would act on."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.acting: list[tuple[str, str | None]] = []
        self.links: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.acting += [(name, value) for name, value in attrs if name.startswith("on") or name in ("src", "srcset", "action", "data")]
        self.links += [value or "" for name, value in attrs if name == "href"]


class TestHtmlSink(SinkContract):
    @pytest.fixture(autouse=True)
    def place(self, tmp_path: Path) -> None:
        self.path = tmp_path / "list.html"

    def make_sink(self) -> HtmlSink:
        return HtmlSink.open(str(self.path), Context())

    def contents(self) -> bytes:
        return self.path.read_bytes() if self.path.exists() else b""


def test_what_papers_hold_is_text_and_nothing_else() -> None:
    paper = Paper(
        key=EVIL,
        title=EVIL,
        abstract=EVIL,
        authors=(EVIL,),
        venue=EVIL,
        url=f"https://example.org/?q={EVIL}",
        doi='10.5555/x"onclick=y',
        pdf="javascript:alert(3)",
    )
    page = render([Recommendation(paper, 5.0, 1, (Reason("paper", EVIL, 5.0),))])
    walk = Walk(page)
    assert "script" not in walk.tags
    assert "img" not in walk.tags
    assert walk.acting == []
    assert all(link.startswith("https://") for link in walk.links)
    assert "7*7" in page
    assert not [c for c in page if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 or c == "\u202e"]


def test_the_page_loads_nothing_and_forbids_it() -> None:
    page = render(recommendations())
    assert "default-src 'none'" in page
    assert not {"script", "link", "img", "iframe"} & set(Walk(page).tags)


def test_the_page_shows_title_people_reasons_score_and_links() -> None:
    paper = Paper(
        key="k",
        title="Sheep & goats",
        abstract="They walk.",
        authors=("Doe, Ann",),
        year=2021,
        venue="J",
        arxiv_id="2601.00001",
        title_derived=True,
    )
    page = render([Recommendation(paper, 41.26, 1, (Reason("paper", "close to “Goats”", 41.26),))])
    for part in (
        "Sheep &amp; goats",
        "title derived",
        "Doe, Ann · 2021 · J",
        "41.3",
        "close to “Goats”",
        "https://arxiv.org/abs/2601.00001",
        "They walk.",
    ):
        assert part in page


def test_an_address_is_whole_and_stands_there_once() -> None:
    paper = Paper(title="T", doi="10.5555/(sici)1097<1::aid>3.0.co;2-#", arxiv_id="2601.00001", url="http://arxiv.org/abs/2601.00001v2")
    assert Walk(render([Recommendation(paper, 5.0, 1)])).links == [
        "https://arxiv.org/abs/2601.00001",
        "https://doi.org/10.5555/(sici)1097%3C1::aid%3E3.0.co;2-%23",
    ]
    other = Paper(title="T", arxiv_id="2601.00001", url="HTTPS://example.org/a")
    assert Walk(render([Recommendation(other, 5.0, 1)])).links == ["https://arxiv.org/abs/2601.00001", "HTTPS://example.org/a"]


def test_half_letters_and_odd_scores_give_a_page() -> None:
    papers = [Paper(title="a\ud800", doi="10.5555/\ud800", url="https://example.org/\ud800"), Paper(title="b")]
    reasons = (Reason("terms", "words", -0.01), Reason("other", "less", -0.99))
    page = render([Recommendation(papers[0], 2.0, 1), Recommendation(papers[1], -1.0, 2, reasons)])
    page.encode()
    assert [part for part in ("+0.0", "−0.0", "−1.0") if part in page] == ["−1.0"]
    assert "width: -" not in page
    assert "width: 0%" in page


def test_the_parts_that_a_page_shows_sum_to_the_score_that_it_shows_and_none_is_nothing() -> None:
    parts = (10.04, 10.04, 10.04, 0.04, -0.03)
    reasons = (*(Reason("paper", f"p{n}", part) for n, part in enumerate(parts)), Reason("other", "the rest", 0.05))
    page = render([Recommendation(Paper(title="T"), sum(r.part for r in reasons), 1, reasons)])
    assert re.findall(r'<strong>([\d.]+)|class="part">(.*?)</span><span>(.*?)<', page) == [
        ("30.2", "", ""),
        *(("", "+10.0", name) for name in ("p0", "p1", "p2")),
        ("", "+0.2", "the rest"),
    ]


def test_a_paper_without_reasons_shows_none() -> None:
    assert '<ul class="reasons">' not in render([Recommendation(Paper(title="T"), 30.0, 1)])


@pytest.mark.parametrize("name", ["a" * 300, "a\0b", "file/below", "no/such/folder.html", "."])
def test_what_cannot_be_written_is_told_in_one_line(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(WriteError) as error:
        HtmlSink.open(str(tmp_path / name), Context()).write(recommendations())
    assert "\n" not in str(error.value)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("rest", ["", "~nobody-of-this-name/list.html"])
def test_a_place_that_names_no_file_is_a_mistake_in_the_call(rest: str) -> None:
    with pytest.raises(SettingsError, match="html:"):
        HtmlSink.open(rest, Context())


def test_a_file_that_is_no_page_of_ours_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "thesis.html"
    path.write_text("<html>my thesis</html>", encoding="utf-8")
    with pytest.raises(WriteError, match="was not made by paperrec"):
        HtmlSink.open(str(path), Context()).write(recommendations())
    assert path.read_text(encoding="utf-8") == "<html>my thesis</html>"


def test_an_empty_list_is_a_page_too() -> None:
    assert "0 papers" in render([])
