"""A Zotero library as papers: read whole, brought up to date, and never half."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fakes.syncing import FIRST, KEY, SECOND, Desk
from fakes.zotero import FakeZotero, Fault
from paperrec.errors import NoInputError, ServiceError, SettingsError
from paperrec.ports import Context
from paperrec.testing import SourceContract
from paperrec_adapters.zotero import ZoteroSource


@pytest.fixture(params=["web", "local7", "local10"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    with FakeZotero(request.param) as zotero:
        yield Desk(zotero, tmp_path)


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Desk]:
    with FakeZotero("web") as zotero:
        yield Desk(zotero, tmp_path)


def put(desk: Desk, *titles: str) -> list[str]:
    return [desk.library.put_item(title=title) for title in titles]


def titles(desk: Desk) -> list[str]:
    return sorted(paper.title for paper in desk.read().papers)


def collections(desk: Desk) -> list[tuple[str, ...]]:
    return [paper.collections for paper in desk.read().papers]


class TestContract(SourceContract):
    @pytest.fixture(autouse=True)
    def _desk(self, desk: Desk) -> None:
        self.desk = desk

    def make_source(self) -> ZoteroSource:
        put(self.desk, "Sheep\x1b[2J on\u0085 slopes", "Goats")
        with self.desk.context() as context:
            return ZoteroSource.open(self.desk.place, Context(services=context.services))


# ------------------------------------------------------------------ what is a paper


def test_only_papers_outside_the_trash_are_given(desk: Desk) -> None:
    (key, _) = put(desk, "Mine", "Other")
    desk.library.put_item(title="Trashed", deleted=1)
    desk.library.put_item(itemType="note", parentItem=key, note="x")
    desk.library.put_item(itemType="attachment", title="A file")
    assert titles(desk) == ["Mine", "Other"]


def test_an_item_without_text_is_told_and_left_out(desk: Desk) -> None:
    put(desk, "Mine", "")
    assert [(p.code, p.left_out) for p in desk.read().problems] == [("no-text", True)]


def test_an_empty_library_is_told(desk: Desk) -> None:
    with pytest.raises(NoInputError, match="holds no paper"):
        desk.read()


def test_a_paper_knows_the_paths_of_its_collections(desk: Desk) -> None:
    inner = desk.library.put_collection("Chapter 2", parent=desk.library.put_collection("PhD"))
    desk.library.put_item(title="Mine", collections=[inner])
    assert collections(desk) == [("PhD/Chapter 2",)]


def test_a_paper_in_a_trashed_collection_is_given_without_it(web: Desk) -> None:
    web.library.put_item(title="Mine", collections=[web.library.put_collection("Old", deleted=True)])
    assert collections(web) == [()]


def test_a_collection_in_a_circle_or_of_no_library_does_no_harm(desk: Desk) -> None:
    one, two = desk.library.put_collection("One"), desk.library.put_collection("Two")
    desk.library.edit(one, parentCollection=two)
    desk.library.edit(two, parentCollection=one)
    desk.library.put_item(title="Mine", collections=[one, "ABCD2345"])
    assert titles(desk) == ["Mine"]


_ODD: tuple[Any, ...] = (None, 7, 10**40, 0.5, True, "x", "\ud800", [], ["x"], [[]], [None], {}, {"a": 1}, [{"tag": 3}], [{"name": []}])


@pytest.mark.parametrize("value", _ODD)
def test_a_field_of_any_kind_never_stops_the_reading(web: Desk, value: Any) -> None:
    put(web, "Mine", "Odd")
    names = ("itemType", "title", "creators", "abstractNote", "date", "DOI", "url", "extra", "tags", "collections", "deleted", "dateAdded")
    good = {"key": "AAAA2222", "version": 1, "data": {"itemType": "journalArticle", "title": "Mine"}}
    odd = [{"key": f"BBBB22{i:02d}", "version": 2, "data": {**good["data"], name: value}} for i, name in enumerate(names)]  # type: ignore[dict-item]
    things = [good, *odd, value, {"data": value}, {**good, "key": value}, {**good, "version": value}]
    listing = {thing["key"]: 1 for thing in (good, *odd)}
    headers = {"Content-Type": "application/json", "Last-Modified-Version": "2"}
    web.zotero.faults.add(
        Fault("GET", "itemKey=", status=200, headers=headers, body=json.dumps(things)),
        Fault("GET", "format=versions", status=200, headers=headers, body=json.dumps(listing)),
    )
    assert "Mine" in titles(web)


@pytest.mark.parametrize("body", ["", "null", "7", '"x"', "[1]", "<html>", '{"A": "x"}', "[" * 100_000])
def test_a_list_that_makes_no_sense_ends_in_one_line(web: Desk, body: str) -> None:
    put(web, "Mine")
    web.zotero.faults.add(Fault("GET", "users/1", status=200, headers={"Content-Type": "application/json"}, body=body))
    with pytest.raises(ServiceError, match=r"^[^\n]+$"):
        web.read()


# ------------------------------------------------------------------ what was recommended


@pytest.mark.parametrize("dialect", ["web", "local10"])
@pytest.mark.parametrize("notes", ["no", "yes"])
def test_untouched_recommendations_are_no_papers_of_the_library(tmp_path: Path, dialect: str, notes: str) -> None:
    with FakeZotero(dialect) as zotero:
        desk = Desk(zotero, tmp_path)
        put(desk, "Mine")
        desk.write(FIRST, SECOND, zotero_notes=notes)
        assert titles(desk) == ["Mine"]


def test_recommendations_that_were_filed_elsewhere_are_papers_of_the_library(web: Desk) -> None:
    put(web, "Mine")
    web.write(FIRST, SECOND)
    web.file_elsewhere(FIRST)
    assert titles(web) == sorted(["Mine", FIRST.title])


def test_where_new_items_get_no_tag_the_first_one_is_the_users(web: Desk) -> None:
    put(web, "Mine")
    web.write(FIRST, SECOND, zotero_tag="")
    web.library.edit(web.key_of(FIRST), tags=[{"tag": "sheep"}])
    papers = web.read(zotero_tag="").papers
    assert (sorted(paper.title for paper in papers), web.feedback(zotero_tag="")) == (sorted(["Mine", FIRST.title]), {FIRST.title: True})


def test_what_got_the_usual_tag_before_it_was_given_up_stays_untouched(web: Desk) -> None:
    put(web, "Mine")
    web.write(FIRST)
    assert [paper.title for paper in web.read(zotero_tag="").papers] == ["Mine"]


# ------------------------------------------------------------------ where


@pytest.mark.parametrize("rest", ["users/x", "users/0", "groups/", "local/users/7", "sqlite", "users/1/items", "web/", "http://x"])
def test_a_library_of_another_form_is_refused(rest: str) -> None:
    with pytest.raises(SettingsError, match="no library of Zotero"):
        ZoteroSource.open(rest, Context())


def test_a_source_takes_no_collection() -> None:
    with pytest.raises(SettingsError, match="--in"):
        ZoteroSource.open("web/collections/x", Context())


def test_a_public_library_needs_no_key(web: Desk) -> None:
    web.library.public = True
    put(web, "One")
    web.place = "users/1"
    assert [paper.title for paper in web.read(zotero_api_key="").papers] == ["One"]


def test_a_desktop_is_read_without_a_key(tmp_path: Path) -> None:
    with FakeZotero("local10") as zotero:
        desk = Desk(zotero, tmp_path)
        put(desk, "One")
        assert [paper.title for paper in desk.read(zotero_local_key="").papers] == ["One"]


def test_a_desktop_that_does_not_run_is_told(desk: Desk) -> None:
    with pytest.raises(ServiceError):
        desk.read(zotero_url="http://127.0.0.1:9", zotero_local_url="http://127.0.0.1:9/api")


def test_the_key_stands_in_no_address(web: Desk) -> None:
    put(web, "One")
    web.read()
    assert not [request for request in web.zotero.requests if KEY in f"{request.path}{request.query}"]
