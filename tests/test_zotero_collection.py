"""The collection that is filled: made, found again, lost, and told apart from others."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.syncing import COLLECTION, FIRST, KEY, SECOND, Desk, Meanwhile
from fakes.zotero import FakeZotero
from paperrec.errors import SettingsError


@pytest.fixture(params=["web", "local10"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    with FakeZotero(request.param) as zotero:
        yield Desk(zotero, tmp_path)


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Desk]:
    with FakeZotero("web") as zotero:
        yield Desk(zotero, tmp_path)


def test_it_is_made_at_the_top_of_the_library(desk: Desk) -> None:
    desk.write(FIRST)
    assert [(c.data["name"], bool(c.data["parentCollection"])) for c in desk.library.collections.values()] == [(COLLECTION, False)]


def test_it_is_not_made_for_nothing(desk: Desk) -> None:
    desk.write()
    assert desk.n_writes() == 0


def test_it_is_found_by_its_name(desk: Desk) -> None:
    key = desk.library.put_collection(COLLECTION)
    desk.write(FIRST)
    assert desk.item(FIRST)["collections"] == [key]


def test_it_is_found_by_its_key_wherever_it_lies(desk: Desk) -> None:
    inner = desk.library.put_collection("Inner", parent=desk.library.put_collection("Outer"))
    desk.write(FIRST, collection=inner)
    assert desk.item(FIRST)["collections"] == [inner]


def test_one_of_its_name_that_lies_deeper_is_another(desk: Desk) -> None:
    inner = desk.library.put_collection(COLLECTION, parent=desk.library.put_collection("Outer"))
    desk.write(FIRST)
    assert inner not in desk.item(FIRST)["collections"]


_NAMES = ("'To' \"read\"", "a/b\\c", "a/collections/b", "📚 neu", "\N{WOMAN}\u200d\N{MICROSCOPE}", "%2F&?=#", "حوزه\u200cها")


@pytest.mark.parametrize("name", _NAMES)
def test_it_may_be_called_anything_visible(desk: Desk, name: str) -> None:
    desk.write(FIRST, collection=name)
    desk.lose_state()
    desk.write(FIRST, SECOND, collection=name)
    assert [c.data["name"] for c in desk.library.collections.values()] == [name]


def test_a_letter_with_its_accent_apart_is_the_same_name(desk: Desk) -> None:
    key = desk.library.put_collection("Gro\u0308\u00dfe")
    desk.write(FIRST, collection="Größe")
    assert desk.item(FIRST)["collections"] == [key]


@pytest.mark.parametrize("name", ["a\nb", "a\x1b[2J", "x" * 256, " "])
def test_an_invisible_or_endless_name_is_refused(desk: Desk, name: str) -> None:
    with pytest.raises(SettingsError):
        desk.write(FIRST, collection=name)


def test_one_renamed_after_we_knew_it_is_still_it(desk: Desk) -> None:
    desk.write(FIRST)
    desk.library.edit(desk.collection(), name="Renamed")
    desk.write(FIRST, SECOND)
    assert [c.data["name"] for c in desk.library.collections.values()] == ["Renamed"]


def test_one_that_we_made_on_the_web_and_that_was_renamed_is_known_without_the_history(web: Desk) -> None:
    web.write(FIRST)
    web.library.edit(web.collection(), name="Renamed")
    web.lose_state()
    web.write(FIRST, SECOND)
    assert [c.data["name"] for c in web.library.collections.values()] == ["Renamed"]


def test_two_of_one_name_are_told_with_their_keys(desk: Desk) -> None:
    keys = [desk.library.put_collection("Twice"), desk.library.put_collection("Twice")]
    with pytest.raises(SettingsError, match=", ".join(sorted(keys))):
        desk.write(FIRST, collection="Twice")


def test_one_of_two_of_a_name_that_lies_in_the_trash_does_not_count(desk: Desk) -> None:
    desk.library.put_collection("Twice", deleted=True)
    key = desk.library.put_collection("Twice")
    desk.write(FIRST, collection="Twice")
    assert desk.item(FIRST)["collections"] == [key]


def test_one_that_we_know_and_that_lies_in_the_trash_is_told_before_anything_is_written(desk: Desk) -> None:
    desk.write(FIRST)
    before = desk.n_writes()
    desk.library.trash(desk.collection())
    with pytest.raises(SettingsError, match="in the trash"):
        desk.write(FIRST, SECOND)
    assert desk.n_writes() == before


def test_one_inside_a_trashed_one_is_told_as_trashed(web: Desk) -> None:
    outer = web.library.put_collection("Outer")
    inner = web.library.put_collection("Inner", parent=outer)
    web.library.trash(outer)
    with pytest.raises(SettingsError, match="in the trash"):
        web.write(FIRST, collection=inner)


def test_an_unknown_key_makes_no_collection(desk: Desk) -> None:
    with pytest.raises(SettingsError, match="no collection has the key"):
        desk.write(FIRST, collection="ABCD2345")
    assert desk.n_writes() == 0


def test_an_item_is_never_filed_where_nobody_asked_for_it(desk: Desk) -> None:
    other = desk.library.put_collection("Other")
    desk.write(FIRST)
    assert other not in desk.item(FIRST)["collections"]


def test_one_that_was_erased_is_made_anew_the_same_day(desk: Desk) -> None:
    desk.write(FIRST)
    desk.library.erase_collection(desk.collection())
    desk.write(SECOND)
    assert desk.item(SECOND)["collections"] == [desk.collection()]


def test_what_lay_in_one_that_was_erased_is_not_offered_again(desk: Desk) -> None:
    desk.write(FIRST)
    desk.library.erase_collection(desk.collection())
    desk.write(FIRST, SECOND)
    assert desk.titles() == [SECOND.title]


def test_one_that_is_erased_while_we_write_is_made_anew(desk: Desk) -> None:
    desk.write(FIRST)
    key = desk.collection()
    desk.zotero.faults.add(Meanwhile("POST", "/items", nth=1, does=lambda: desk.library.erase_collection(key)))
    written = desk.write(SECOND)
    assert (written.problems, desk.item(SECOND)["collections"]) == ((), [desk.collection()])


def test_one_made_anew_is_the_one_that_the_next_run_knows(desk: Desk) -> None:
    desk.write(FIRST)
    key = desk.collection()
    desk.zotero.faults.add(Meanwhile("POST", "/items", nth=1, does=lambda: desk.library.erase_collection(key)))
    desk.write(SECOND)
    desk.write(FIRST, SECOND)
    assert len(desk.library.collections) == 1


def test_one_that_another_run_makes_at_the_same_moment_is_made_once(web: Desk) -> None:
    web.write(FIRST)
    key = web.collection()
    web.library.erase_collection(key)
    web.zotero.faults.add(Meanwhile("POST", "/collections", nth=1, does=lambda: web.library.put_collection(COLLECTION, key)))
    web.write(SECOND)
    assert [*web.library.collections] == [key]


def test_the_history_of_one_account_says_nothing_of_anothers(web: Desk) -> None:
    web.write(FIRST)
    web.zotero.add_key("otherkey", user=2)
    web.write(FIRST, zotero_api_key="otherkey")
    there = web.zotero.library("users/2")
    assert [item.data["collections"] for item in there.items.values()] == [[*there.collections]]


def test_an_account_that_was_left_for_a_while_is_known_again(web: Desk) -> None:
    web.write(FIRST)
    web.library.erase(web.key_of(FIRST))
    web.zotero.add_key("otherkey", user=2)
    web.write(FIRST, zotero_api_key="otherkey")
    web.write(FIRST, zotero_api_key=KEY)
    assert web.titles() == []


def test_a_group_has_a_collection_of_its_own(web: Desk) -> None:
    group = web.zotero.library("groups/7")
    web.zotero.add_key(KEY, groups={"7": {"library": True, "write": True}})
    web.place = "groups/7"
    web.write(FIRST)
    assert ([c.data["name"] for c in group.collections.values()], len(web.library.collections)) == ([COLLECTION], 0)
