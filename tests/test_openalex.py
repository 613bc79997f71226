"""OpenAlex: what is asked, what becomes of odd works, and that its key is in no message."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from fakes.catalogues import CASES, asking, case, in_json, params_of
from fakes.scripted import Says, Scripted, scripted
from paperrec.errors import PaperrecError, ServiceError, SettingsError
from paperrec.paper import Paper
from paperrec.ports import Batch, Source, Window, open_source
from paperrec.testing import SourceContract
from paperrec_adapters.openalex import OpenAlexSource

KEY = "CANARYKEY0123456789abcdef"


def read(server: Scripted, rest: str = "lists", **services: str) -> Batch:
    return open_source(f"openalex:{rest}", asking("openalex", server, services)).read()


class TestContract(SourceContract):
    @pytest.fixture(autouse=True)
    def _serve(self) -> Any:
        with scripted(case("openalex.json")) as self.server:
            yield

    def make_source(self) -> Source:
        return OpenAlexSource.open("lists", asking("openalex", self.server))


def test_works_become_papers_and_one_without_text_is_told() -> None:
    with scripted(case("openalex.json")) as server:
        batch = read(server)
    assert batch.papers == (
        Paper(
            key="W9000000001",
            title="Calibrated lists for small libraries",
            abstract="Lists are calibrated; they are short.",
            authors=("Ada Alm",),
            year=2026,
            venue="Journal of Made-Up Studies",
            doi="10.5555/jrnl.1",
            url="https://example.org/1",
        ),
        Paper(
            key="W9000000003",
            title="Ranking with few labels at O(log n) cost",
            abstract="We",
            year=2026,
            doi="10.48550/arxiv.2611.90001",
            arxiv_id="2611.90001",
            url="https://doi.org/10.48550/arxiv.2611.90001",
        ),
    )
    assert [(p.where, p.code, p.left_out) for p in batch.problems] == [("https://openalex.org/W9000000002", "no-text", True)]
    (covered,) = batch.coverage
    assert (covered.source, covered.total, covered.received, covered.parsed) == ("openalex:lists", 3, 3, 2)


def test_words_are_looked_for_newest_first_and_nothing_from_a_far_future() -> None:
    with scripted(case("openalex.json")) as server:
        read(server, "graph kernels, fast", mailto="me@example.org")
    (asked,) = params_of(server)
    assert (asked["search"], asked["sort"], asked["cursor"]) == ("graph kernels, fast", "publication_date:desc", "*")
    assert (asked["filter"], asked["mailto"]) == ("to_publication_date:2027-12-08", "me@example.org")
    assert "api_key" not in asked


@pytest.mark.parametrize(
    ("rest", "filters", "words"),
    [
        ("venue=S12", "primary_location.source.id:S12", None),
        ("author=https://openalex.org/a5|A6", "authorships.author.id:A5|A6", None),
        ("cites=W7, venue=S1 few labels", "cites:W7,primary_location.source.id:S1", "few labels"),
    ],
)
def test_ids_are_filters(rest: str, filters: str, words: str | None) -> None:
    with scripted(case("openalex.json")) as server:
        read(server, rest)
    (asked,) = params_of(server)
    assert asked["filter"] == f"{filters},to_publication_date:2027-12-08"
    assert asked.get("search") == words


@pytest.mark.parametrize("rest", ["", "max=5", "venue=", "venue=Nature", "author=S1", "cites=W1,is_oa:true"])
def test_a_locator_that_asks_for_nothing_or_for_no_id_is_refused(rest: str) -> None:
    with scripted(Says()) as server, pytest.raises(SettingsError):
        read(server, rest)
    assert not server.asked


def test_a_window_reaches_back_for_what_becomes_known_late() -> None:
    window = Window(datetime(2026, 11, 27, tzinfo=UTC), datetime(2026, 11, 30, tzinfo=UTC))
    with scripted(case("openalex.json")) as server:
        batch = OpenAlexSource.open("lists", asking("openalex", server)).read_window(window)
    assert "from_publication_date:2026-11-13" in params_of(server)[0]["filter"]
    assert (batch.coverage[0].start, batch.coverage[0].end) == (window.start, window.end)


def works(*numbers: int, following: str | None, count: int = 3) -> Says:
    results = [{"id": f"https://openalex.org/W{n}", "title": f"Work {n}"} for n in numbers]
    return in_json({"meta": {"count": count, "per_page": 2, "next_cursor": following}, "results": results})


def test_cursors_lead_from_page_to_page() -> None:
    with scripted(works(1, 2, following="AoE+/="), works(3, following=None)) as server:
        batch = read(server)
    assert ([paper.key for paper in batch.papers], batch.problems) == (["W1", "W2", "W3"], ())
    assert [asked["cursor"] for asked in params_of(server)] == ["*", "AoE+/="]


def test_the_locator_says_how_many() -> None:
    with scripted(works(1, 2, following="b", count=5000)) as server:
        batch = read(server, "lists max=2")
    assert ([paper.key for paper in batch.papers], batch.problems, len(server.asked)) == (["W1", "W2"], (), 1)
    assert params_of(server)[0]["per_page"] == "2"


SPENT = in_json({"error": "Rate limit exceeded", "message": f"Insufficient budget for {KEY}"}, 429, Retry_After="50000")
REFUSED = in_json({"error": "Forbidden", "message": f"no more for {KEY}"}, 403)


@pytest.mark.parametrize("spent", [SPENT, REFUSED], ids=["429", "403"])
def test_a_spent_budget_is_one_clear_line_without_the_key(spent: Says) -> None:
    with scripted(spent) as server, pytest.raises(ServiceError) as error:
        read(server, openalex_api_key=KEY)
    assert len(server.asked) == 1
    assert KEY not in str(error.value)
    assert "\n" not in str(error.value)


def test_without_a_key_the_way_to_one_is_told() -> None:
    with scripted(REFUSED) as server, pytest.raises(ServiceError, match="set OPENALEX_API_KEY"):
        read(server)


@pytest.mark.parametrize("spent", [SPENT, REFUSED], ids=["429", "403"])
def test_a_budget_that_ends_between_pages_keeps_what_came(spent: Says) -> None:
    with scripted(works(1, 2, following="b"), spent) as server:
        batch = read(server, openalex_api_key=KEY)
    assert [paper.key for paper in batch.papers] == ["W1", "W2"]
    (problem,) = batch.problems
    assert problem.why.startswith("2 of 3 records came: 127.0.0.1: ")
    assert KEY not in problem.why


FAULTS = (
    Says(body=b"<html>log in</html>"),
    Says(body=b'{"results": ['),
    Says(body=b"[]"),
    Says(body=b'{"results": null}'),
    Says(204),
    Says(400, b'{"error": "Invalid query", "message": "no such filter"}'),
    Says(404, b"{}"),
    Says(500),
    Says(drops=True),
    Says(302, headers={"Location": "/elsewhere?api_key=" + KEY}),
)


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_it_answers_the_error_is_one_line_without_the_key(fault: Says) -> None:
    with scripted(fault) as server, pytest.raises(PaperrecError) as error:
        read(server, openalex_api_key=KEY)
    assert KEY not in str(error.value) + repr(error.value)
    assert "\n" not in str(error.value)


def test_the_key_goes_where_the_service_wants_it() -> None:
    with scripted(case("openalex.json")) as server:
        read(server, openalex_api_key=KEY)
    assert params_of(server)[0]["api_key"] == KEY


@pytest.mark.parametrize(
    "value", [None, 0, "x", [], {}, [None], {"a": None}, {"a": {"b": 1}}, [[1]], {"author": []}, {"source": 3}, {"w": [None, "1", 1e9]}]
)
@pytest.mark.parametrize(
    "name", ["id", "doi", "title", "authorships", "primary_location", "abstract_inverted_index", "keywords", "publication_date"]
)
def test_a_field_of_any_shape_costs_at_most_itself(name: str, value: Any) -> None:
    whole = json.loads((CASES / "openalex.json").read_bytes())["results"][0]
    answer = {"meta": {"count": 3}, "results": [{**whole, name: value}, value, whole]}
    with scripted(in_json(answer)) as server:
        batch = read(server)
    assert [paper.key for paper in batch.papers][-1] == "W9000000001"
    assert len(batch.papers) == 2


def test_offline_opens_no_socket() -> None:
    with scripted(Says()) as server:
        with pytest.raises(ServiceError, match="because of --offline"):
            open_source("openalex:lists", asking("openalex", server, offline=True)).read()
        assert not server.asked
