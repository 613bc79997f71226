"""What the sources that ask a catalogue share: pages, windows, pauses, and one clear line when nothing can be had."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from fakes.scripted import Says, scripted
from paperrec.errors import ServiceError, SettingsError
from paperrec.paper import Paper
from paperrec.ports import Batch, Coverage, Window
from paperrec_adapters.catalogue import Page, gather, made, most_of, rows, skipped, text, web_address
from paperrec_adapters.web import Policy, Web

WINDOW = Window(datetime(2026, 11, 27, tzinfo=UTC), datetime(2026, 11, 30, tzinfo=UTC))


class Pages:
    """Answers by cursor, each given in its turn and the last one again and again; an error is raised."""

    def __init__(self, **pages: Page | ServiceError | Sequence[Page | ServiceError]) -> None:
        self.pages = {name: [said] if isinstance(said, Page | ServiceError) else list(said) for name, said in pages.items()}
        self.asked: list[str] = []

    def __call__(self, cursor: str) -> Page:
        self.asked.append(cursor)
        said = self.pages[cursor]
        now = said.pop(0) if len(said) > 1 else said[0]
        if isinstance(now, ServiceError):
            raise now
        return now


def titled(record: Any) -> Paper:
    return Paper(title=str(record))


def read(pages: Pages, most: int = 1000) -> Batch:
    return gather("x:", pages, titled, most=most, window=WINDOW, first="a")


def titles(batch: Batch) -> list[str]:
    return [paper.title for paper in batch.papers]


def test_pages_are_read_to_the_end_and_told() -> None:
    batch = read(Pages(a=Page("12", 3, "b", 2), b=Page("3", 3, "", 2)))
    assert titles(batch) == ["1", "2", "3"]
    assert batch.problems == ()
    assert batch.coverage == (Coverage("x:", 3, 3, 3, WINDOW.start, WINDOW.end),)


def test_no_more_than_most_are_asked_for() -> None:
    pages = Pages(a=Page("12", 99, "b", 2), b=Page("34", 99, "c", 2))
    batch = read(pages, most=3)
    assert (titles(batch), pages.asked, batch.problems) == (["1", "2", "3"], ["a", "b"], ())
    assert (batch.coverage[0].total, batch.coverage[0].received) == (99, 3)


@pytest.mark.parametrize("short", [Page("1", 4, "b", 2), Page("", 4, "b", 2), Page("", 4, "", 2), Page("12", 4, "", 2)])
def test_a_page_that_is_too_short_is_asked_for_again(short: Page) -> None:
    pages = Pages(a=[short, Page("12", 4, "b", 2)], b=Page("34", 4, "", 2))
    batch = read(pages)
    assert (titles(batch), batch.problems) == (["1", "2", "3", "4"], ())
    assert pages.asked == ["a", "a", "b"]


def test_a_cursor_that_moves_on_when_it_is_asked_again_loses_nothing() -> None:
    assert titles(read(Pages(a=[Page("1", 3, "a", 2), Page("23", 3, "a", 2)]))) == ["1", "2", "3"]


def test_what_is_missing_in_the_end_is_named() -> None:
    pages = Pages(a=Page("12", 4, "b", 2), b=Page("", 4, "", 2))
    batch = read(pages)
    assert titles(batch) == ["1", "2"]
    assert [(p.where, p.code, p.why[:24]) for p in batch.problems] == [("x:", "incomplete", "2 of 4 records came: the")]
    assert pages.asked == ["a", "b", "b", "b"]


def test_a_service_whose_pages_are_always_short_is_not_asked_thrice_for_each() -> None:
    pages = Pages(a=Page("1", 4, "b", 2), b=Page("2", 4, "c", 2), c=Page("3", 4, "d", 2), d=Page("4", 4, "", 2))
    assert titles(read(pages)) == ["1", "2", "3", "4"]
    assert pages.asked == ["a", "a", "a", "b", "c", "d"]


def test_a_catalogue_that_says_the_same_for_ever_is_left() -> None:
    pages = Pages(a=Page("12", None, "a", 2))
    assert titles(read(pages)) == ["1", "2", "1", "2"]
    assert pages.asked == ["a", "a"]


def test_two_equal_records_are_two_where_the_service_counts_two() -> None:
    assert read(Pages(a=Page("11", 2, "", 2))).problems == ()


def test_what_breaks_off_in_the_middle_keeps_what_came() -> None:
    batch = read(Pages(a=Page("12", 4, "b", 2), b=ServiceError("host: hung up, asked 4 times")))
    assert titles(batch) == ["1", "2"]
    assert [p.why for p in batch.problems] == ["2 of 4 records came: host: hung up, asked 4 times"]


def test_nothing_at_all_is_an_error() -> None:
    with pytest.raises(ServiceError, match="hung up"):
        read(Pages(a=ServiceError("host: hung up")))


def test_an_empty_window_is_a_quiet_day() -> None:
    batch = read(Pages(a=Page("", 0, "", 2)))
    assert (batch.papers, batch.problems, batch.coverage[0].total) == ((), (), 0)


def test_a_record_without_text_is_told_and_counted() -> None:
    batch = gather("x:", Pages(a=Page("12", 2, "")), lambda r: titled(r) if r == "1" else skipped("x:2"), most=9, window=WINDOW, first="a")
    assert [(p.where, p.left_out) for p in batch.problems] == [("x:2", True)]
    assert (batch.coverage[0].received, batch.coverage[0].parsed) == (2, 1)


@pytest.mark.parametrize("rest", ["x max=0", "x max=10001"])
def test_a_number_out_of_bounds_is_refused(rest: str) -> None:
    with pytest.raises(SettingsError, match="must be 1 to 10,000"):
        most_of(rest)


@pytest.mark.parametrize("value", [None, True, 1.5, {}, [], [None, 3], [[]], {"a": 1}])
def test_what_is_no_text_is_as_if_it_were_not_there(value: Any) -> None:
    assert text(value) == ""
    assert web_address(value) == ""


def test_a_single_table_is_a_list_of_one() -> None:
    assert (rows({"a": 1}), rows([1]), rows("ab"), rows(None)) == ([{"a": 1}], [1], [], [])


def test_a_paper_of_an_arxiv_doi_knows_its_arxiv_id() -> None:
    paper = made(key="k", title="T", doi="https://doi.org/10.48550/arXiv.2611.90001")
    assert paper
    assert (paper.arxiv_id, paper.doi, paper.url) == (
        "2611.90001",
        "10.48550/arxiv.2611.90001",
        "https://doi.org/10.48550/arxiv.2611.90001",
    )


def test_a_title_that_was_made_of_the_abstract_is_marked() -> None:
    paper = made(key="k", title="", abstract="Sheep wander. We present FlockNet, a planner for shepherds that saves steps.")
    assert paper
    assert (paper.title, paper.title_derived) == ("FlockNet: a planner for shepherds that saves steps", True)


# The pause that a service asks for


def test_two_conversations_with_one_service_keep_its_pause_between_them() -> None:
    waits: list[float] = []
    with scripted(Says()) as server, scripted(Says()) as other:
        for url in (server.url, server.url, other.url):
            Web(Policy(spacing_seconds=30.0), sleep=waits.append).get(url)
    assert waits == [pytest.approx(30, abs=2)]


def test_a_service_that_names_a_very_long_wait_is_not_waited_for() -> None:
    waits: list[float] = []
    with scripted(Says(429, b"budget spent", {"Retry-After": "36000"})) as server:
        with pytest.raises(ServiceError) as error:
            Web(Policy(give_up_seconds=60), sleep=waits.append).get(server.url)
        assert len(server.asked) == 1
    assert str(error.value) == "127.0.0.1: answers 429 (budget spent), and asks to come back in 10.0 h"
    assert waits == []
