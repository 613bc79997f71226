"""A Zotero library brought up to date from what was kept of it, and read while it changes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.syncing import Desk, Meanwhile
from fakes.zotero import FakeZotero, Fault
from paperrec.errors import DeniedError, ServiceError


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


def asked(desk: Desk, path: str) -> int:
    return len([request for request in desk.zotero.requests if request.path.endswith(path)])


# ------------------------------------------------------------------ brought up to date


def test_a_library_that_did_not_change_costs_no_items(web: Desk) -> None:
    put(web, "Mine")
    web.read()
    before = asked(web, "/items")
    web.read()
    assert (asked(web, "/items") - before, web.zotero.requests[-1].status) == (1, 304)


def test_what_changed_is_fetched_alone(web: Desk) -> None:
    (key, *_) = put(web, "One", "Two", "Three")
    web.read()
    web.library.edit(key, title="Uno")
    web.read()
    keys = [request.param("itemKey") for request in web.zotero.requests if request.param("itemKey")]
    assert (keys[-1], titles(web)) == (key, ["Three", "Two", "Uno"])


@pytest.mark.parametrize("loss", ["erase", "trash"])
def test_what_is_gone_is_gone(desk: Desk, loss: str) -> None:
    (key, _) = put(desk, "One", "Two")
    desk.read()
    getattr(desk.library, loss)(key)
    assert titles(desk) == ["Two"]


def test_what_came_back_from_the_trash_is_back(desk: Desk) -> None:
    (key, _) = put(desk, "One", "Two")
    desk.library.trash(key)
    desk.read()
    desk.library.restore(key)
    assert titles(desk) == ["One", "Two"]


def test_an_erased_collection_is_gone_from_its_papers(desk: Desk) -> None:
    shelf = desk.library.put_collection("Mine")
    desk.library.put_item(title="One", collections=[shelf])
    desk.read()
    desk.library.erase_collection(shelf)
    assert collections(desk) == [()]


def test_a_renamed_collection_is_renamed_in_its_papers(desk: Desk) -> None:
    shelf = desk.library.put_collection("Mine")
    desk.library.put_item(title="One", collections=[shelf])
    desk.read()
    desk.library.edit(shelf, name="Yours")
    assert collections(desk) == [("Yours",)]


def test_an_edit_that_is_not_synced_yet_is_seen_on_an_old_desktop(tmp_path: Path) -> None:
    with FakeZotero("local7") as zotero:
        desk = Desk(zotero, tmp_path)
        (key,) = put(desk, "One")
        desk.read()
        desk.library.edit(key, synced=False, title="Uno")
        assert titles(desk) == ["Uno"]


@pytest.mark.parametrize("dialect", ["web", "local10"])
def test_a_library_that_was_put_back_to_an_older_state_is_read_whole(tmp_path: Path, dialect: str) -> None:
    with FakeZotero(dialect) as zotero:
        desk = Desk(zotero, tmp_path)
        put(desk, "One", "Two", "Three")
        desk.read()
        desk.library.items.clear()
        desk.library.version = 0
        put(desk, "Old")
        assert titles(desk) == ["Old"]


@pytest.mark.parametrize("damage", [b"", b"x", b"\x00" * 500])
def test_a_damaged_cache_is_as_if_there_were_none(desk: Desk, damage: bytes) -> None:
    put(desk, "One")
    desk.read()
    for file in (desk.state / "cache").rglob("*.bin"):
        file.write_bytes(damage)
    assert titles(desk) == ["One"]


def test_a_cache_that_cannot_be_kept_does_no_harm(desk: Desk) -> None:
    put(desk, "One")
    desk.state.mkdir()
    (desk.state / "cache").write_bytes(b"a file where a folder should be")
    assert titles(desk) == ["One"]


def test_what_another_key_may_read_is_not_taken_from_the_cache(web: Desk) -> None:
    put(web, "One")
    web.read()
    web.zotero.add_key("otherkey", user=2)
    web.place = "users/1"
    with pytest.raises((DeniedError, ServiceError)):
        web.read(zotero_api_key="otherkey")


# ------------------------------------------------------------------ large, and changed while it is read


def test_every_page_is_read(desk: Desk) -> None:
    put(desk, *(f"Paper {i:03d}" for i in range(250)))
    shelves = [desk.library.put_collection(f"Shelf {i:03d}") for i in range(250)]
    desk.library.edit(desk.library.put_item(title="Last"), collections=shelves)
    assert (len(titles(desk)), len(desk.read().papers[0].collections + max(collections(desk), key=len))) == (251, 250)


def test_a_library_costs_a_request_for_every_hundred_items_the_first_time(web: Desk) -> None:
    put(web, *(f"Paper {i:03d}" for i in range(1_001)))
    web.read()
    assert asked(web, "/items") == 1 + 11  # the list of all versions, and the pages


def test_many_changes_cost_a_request_for_every_hundred(web: Desk) -> None:
    keys = put(web, *(f"Paper {i:03d}" for i in range(400)))
    web.read()
    before = asked(web, "/items")
    for key in keys[:150]:
        web.library.edit(key, volume="7")
    web.read()
    assert asked(web, "/items") - before == 1 + 2


@pytest.mark.parametrize("nth", [1, 2, 3])
def test_a_change_while_the_library_is_read_is_in_it(web: Desk, nth: int) -> None:
    keys = put(web, *(f"Paper {i:03d}" for i in range(250)))
    web.zotero.faults.add(Meanwhile("GET", "sort=dateAdded", nth, does=lambda: web.library.edit(keys[0], title="Changed")))
    assert "Changed" in titles(web)


def test_an_item_erased_while_the_library_is_read_is_not_in_it(web: Desk) -> None:
    keys = put(web, *(f"Paper {i:03d}" for i in range(120)))
    web.zotero.faults.add(Meanwhile("GET", "sort=dateAdded", 2, does=lambda: web.library.erase(keys[0])))  # moves one to page 1
    assert len(titles(web)) == 119


def test_a_collection_erased_while_the_library_is_read_is_not_in_its_papers(web: Desk) -> None:
    shelf = web.library.put_collection("Mine")
    key = web.library.put_item(title="One", collections=[shelf])
    web.library.edit(key, volume="7")
    web.zotero.faults.add(
        Meanwhile("GET", "/collections", 1, does=lambda: put(web, "Two")),
        Meanwhile("GET", "format=versions", 2, does=lambda: web.library.erase_collection(shelf)),
    )
    web.read()
    assert [*collections(web)] == [(), ()]


def test_a_library_that_never_rests_is_read_all_the_same(web: Desk) -> None:
    keys = put(web, *(f"Paper {i:03d}" for i in range(120)))
    web.zotero.faults.add(Meanwhile("GET", "sort=dateAdded|itemKey=", does=lambda: web.library.edit(keys[0], volume="7")))
    assert len(titles(web)) == 120


@pytest.mark.parametrize("fault", [Fault(status=503), Fault(status=429, headers={"Retry-After": "0"}), Fault(drops=True), Fault(cut_at=30)])
def test_trouble_at_any_one_request_is_sat_out(desk: Desk, fault: Fault) -> None:
    put(desk, "One")
    for nth in range(1, 5):
        desk.lose_state()
        desk.zotero.faults.clear()
        faults = {name: getattr(fault, name) for name in ("status", "headers", "drops", "cut_at")}
        desk.zotero.faults.add(Fault(nth=nth, **faults))
        assert titles(desk) == ["One"]
