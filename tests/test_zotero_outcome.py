"""What became of recommendations in a collection, and runs taken back."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fakes.syncing import FIRST, SECOND, Desk, Meanwhile
from fakes.zotero import FakeZotero, Fault
from paperrec.errors import ServiceError, SettingsError
from paperrec.paper import Paper, fingerprint


@pytest.fixture(params=["web", "local10"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    with FakeZotero(request.param) as zotero:
        yield Desk(zotero, tmp_path)


# ------------------------------------------------------------------ feedback


def test_nothing_written_is_nothing_heard(desk: Desk) -> None:
    assert desk.feedback() == {}


@pytest.mark.parametrize("notes", ["no", "yes"])
@pytest.mark.parametrize("loses_state", [False, True])
def test_what_lies_untouched_says_nothing(desk: Desk, notes: str, loses_state: bool) -> None:
    desk.write(FIRST, SECOND, zotero_notes=notes)
    if loses_state:
        desk.lose_state()
    assert desk.feedback() == {}


@pytest.mark.parametrize("loses_state", [False, True])
def test_what_was_filed_elsewhere_too_is_liked(desk: Desk, loses_state: bool) -> None:
    desk.write(FIRST, SECOND)
    desk.file_elsewhere(FIRST)
    if loses_state:
        desk.lose_state()
    assert desk.feedback() == {FIRST.title: True}


def test_what_was_moved_elsewhere_is_liked(desk: Desk) -> None:
    desk.write(FIRST)
    desk.library.edit(desk.key_of(FIRST), collections=[desk.library.put_collection("Mine")])
    assert desk.feedback() == {FIRST.title: True}


def test_what_was_tagged_is_liked(desk: Desk) -> None:
    desk.write(FIRST)
    desk.library.edit(desk.key_of(FIRST), tags=[{"tag": "paperrec"}, {"tag": "good"}])
    assert desk.feedback() == {FIRST.title: True}


@pytest.mark.parametrize("kind", ["note", "attachment"])
def test_what_got_a_note_or_a_file_is_liked(desk: Desk, kind: str) -> None:
    desk.write(FIRST, zotero_notes="yes")
    desk.library.put_item(itemType=kind, parentItem=desk.key_of(FIRST))
    assert desk.feedback() == {FIRST.title: True}


def test_what_was_annotated_is_liked(desk: Desk) -> None:
    desk.write(FIRST)
    file = desk.library.put_item(itemType="attachment", parentItem=desk.key_of(FIRST))
    desk.library.put_item(itemType="annotation", parentItem=file)
    assert desk.feedback() == {FIRST.title: True}


def test_a_note_in_the_trash_says_nothing(desk: Desk) -> None:
    desk.write(FIRST)
    desk.library.put_item(itemType="note", parentItem=desk.key_of(FIRST), deleted=1)
    assert desk.feedback() == {}


@pytest.mark.parametrize("loses_state", [False, True])
def test_what_was_trashed_is_not_liked(desk: Desk, loses_state: bool) -> None:
    desk.write(FIRST)
    desk.library.trash(desk.key_of(FIRST))
    if loses_state:
        desk.lose_state()
    assert desk.feedback() == {FIRST.title: False}


def test_what_was_taken_out_is_not_liked(desk: Desk) -> None:
    desk.write(FIRST)
    desk.library.edit(desk.key_of(FIRST), collections=[])
    assert desk.feedback() == {FIRST.title: False}


def test_what_was_moved_into_a_trashed_collection_is_not_liked(desk: Desk) -> None:
    desk.write(FIRST)
    desk.library.edit(desk.key_of(FIRST), collections=[desk.library.put_collection("Old", deleted=True)])
    assert desk.feedback() == {FIRST.title: False}


def test_what_was_merged_into_the_users_item_is_not_disliked(desk: Desk) -> None:
    desk.write(FIRST)
    desk.library.put_item(title=FIRST.title, DOI=FIRST.doi)
    desk.library.trash(desk.key_of(FIRST))
    assert desk.feedback() == {}


def test_what_a_run_found_there_when_the_history_was_lost_is_heard_of_later(desk: Desk) -> None:
    desk.write(FIRST, SECOND)
    desk.lose_state()
    desk.write(FIRST, SECOND)
    desk.library.edit(desk.key_of(FIRST), collections=[desk.library.put_collection("Mine")])
    desk.library.edit(desk.key_of(SECOND), collections=[])
    assert desk.feedback() == {FIRST.title: True, SECOND.title: False}


def test_one_collection_says_nothing_of_what_was_brought_into_another(desk: Desk) -> None:
    desk.write(FIRST, collection="One")
    first = desk.last_run
    desk.write(SECOND, collection="Two")
    untouched = desk.feedback("One") | desk.feedback("Two")
    desk.undo(first, collection="One")
    assert (untouched, desk.feedback("One") | desk.feedback("Two")) == ({}, {})


def test_a_word_bears_the_name_of_the_work(desk: Desk) -> None:
    desk.write(SECOND)
    desk.library.trash(desk.key_of(SECOND))
    assert [word.fingerprint for word in desk.words()] == [fingerprint(SECOND)]


def test_what_we_filed_for_the_user_says_nothing_by_his_old_tags(desk: Desk) -> None:
    desk.library.put_item(title=FIRST.title, DOI=FIRST.doi, tags=[{"tag": "mine"}])
    desk.write(FIRST)
    assert desk.feedback() == {}


def test_what_we_took_back_ourselves_is_not_disliked(desk: Desk) -> None:
    desk.write(FIRST)
    desk.undo(desk.last_run)
    assert desk.feedback() == {}


def test_odd_dates_and_tags_do_not_stop_the_hearing(desk: Desk) -> None:
    desk.write(FIRST, SECOND)
    desk.library.edit(desk.key_of(FIRST), dateModified="yesterday", tags=[{"tag": "a"}, {"tag": "b"}])
    desk.library.trash(desk.key_of(SECOND))
    assert desk.feedback() == {SECOND.title: False}


# ------------------------------------------------------------------ undo


def test_what_we_made_goes_to_the_trash(desk: Desk) -> None:
    desk.write(FIRST, SECOND, zotero_notes="yes")
    assert (desk.undo(desk.last_run).added, desk.titles()) == (2, [])


def test_nothing_is_erased(desk: Desk) -> None:
    desk.write(FIRST)
    desk.undo(desk.last_run)
    assert not [request for request in desk.zotero.writes() if request.method == "DELETE"]


def test_the_users_own_item_only_leaves_our_collection(desk: Desk) -> None:
    shelf = desk.library.put_collection("Mine")
    desk.library.put_item(title=FIRST.title, DOI=FIRST.doi, collections=[shelf])
    desk.write(FIRST)
    desk.undo(desk.last_run)
    assert (desk.item(FIRST)["collections"], desk.item(FIRST).get("deleted")) == ([shelf], None)


@pytest.mark.parametrize(
    "touch", [{"tags": [{"tag": "good"}]}, {"volume": "7"}, {"collections": []}, {"title": FIRST.title, "abstractNote": "mine"}]
)
def test_what_a_person_touched_stays(desk: Desk, touch: dict[str, Any]) -> None:
    desk.write(FIRST)
    desk.library.edit(desk.key_of(FIRST), **touch)
    assert (desk.undo(desk.last_run).added, desk.item(FIRST).get("deleted")) == (0, None)


def test_what_got_a_note_stays(desk: Desk) -> None:
    desk.write(FIRST)
    desk.library.put_item(itemType="note", parentItem=desk.key_of(FIRST))
    assert (desk.undo(desk.last_run).added, desk.item(FIRST).get("deleted")) == (0, None)


def test_what_is_touched_at_the_very_moment_stays(desk: Desk) -> None:
    desk.write(FIRST)
    key = desk.key_of(FIRST)
    desk.zotero.faults.add(Meanwhile("PATCH", nth=1, does=lambda: desk.library.edit(key, volume="7")))
    run = desk.last_run
    assert (desk.undo(run).added, desk.item(FIRST).get("deleted")) == (0, None)


def test_taking_back_twice_changes_nothing_more(desk: Desk) -> None:
    desk.library.put_item(title=SECOND.title, itemType="preprint", archiveID="arXiv:2601.00002")
    desk.write(FIRST, SECOND)
    run = desk.last_run
    desk.undo(run)
    before = desk.n_writes()
    assert (desk.undo(run).added, desk.n_writes()) == (0, before)


def test_a_lost_answer_to_taking_back_counts_as_taken_back(desk: Desk) -> None:
    desk.write(FIRST)
    desk.zotero.faults.add(Fault("PATCH", nth=1, drops=True, applies=True))
    assert desk.undo(desk.last_run).added == 1


def test_a_dry_run_of_taking_back_shows_it_and_writes_nothing(desk: Desk) -> None:
    desk.write(FIRST)
    before = desk.n_writes()
    assert (desk.undo(desk.last_run, dry_run=True).diff, desk.n_writes()) == (f"trash    {FIRST.title}", before)


def test_only_the_named_run_is_taken_back(desk: Desk) -> None:
    desk.write(FIRST)
    run = desk.last_run
    desk.write(FIRST, SECOND)
    desk.undo(run)
    assert desk.titles() == [SECOND.title]


def test_what_was_taken_back_comes_back_when_it_is_recommended_again(desk: Desk) -> None:
    desk.write(FIRST)
    desk.undo(desk.last_run)
    desk.write(FIRST)
    assert (desk.titles(), len(desk.library.items)) == ([FIRST.title], 1)


def test_what_came_back_can_be_taken_back_again(desk: Desk) -> None:
    desk.write(FIRST)
    desk.undo(desk.last_run)
    desk.write(FIRST)
    assert (desk.undo(desk.last_run).added, desk.titles()) == (1, [])


def test_what_was_taken_back_is_forgotten_with_the_history_and_stays_in_the_trash(desk: Desk) -> None:
    desk.write(FIRST)
    desk.undo(desk.last_run)
    desk.lose_state()
    desk.write(FIRST)
    assert desk.titles() == []


def test_a_run_that_died_after_its_write_is_taken_back(desk: Desk) -> None:
    desk.zotero.faults.add(Fault(method="POST", path="/items", drops=True, applies=True))
    with pytest.raises(ServiceError):
        desk.write(FIRST)
    desk.zotero.faults.clear()
    assert (desk.undo(desk.last_run).added, desk.titles()) == (1, [])


def test_a_run_of_another_collection_is_left_alone(desk: Desk) -> None:
    desk.write(FIRST, collection="Other")
    run = desk.last_run
    desk.write(SECOND)
    assert (desk.undo(run).added, desk.titles()) == (0, sorted([FIRST.title, SECOND.title]))


def test_what_another_run_found_there_is_not_its_to_take_back(desk: Desk) -> None:
    desk.write(FIRST)
    desk.lose_state()
    desk.write(FIRST, Paper(key="n", title="A new one on sheep", doi="10.5555/new"))
    desk.undo(desk.last_run)
    assert desk.titles() == [FIRST.title]


def test_what_was_made_in_a_collection_that_is_erased_goes_to_the_trash_all_the_same(desk: Desk) -> None:
    desk.library.put_item(title=SECOND.title)
    desk.write(FIRST, SECOND)
    key = desk.collection()
    desk.library.erase_collection(key)
    undone = desk.undo(desk.last_run, collection=key)
    assert (undone.added, desk.item(FIRST).get("deleted"), desk.item(SECOND).get("deleted")) == (1, 1, None)


def test_what_was_filed_elsewhere_before_the_collection_was_erased_stays(desk: Desk) -> None:
    desk.write(FIRST)
    key = desk.collection()
    desk.file_elsewhere(FIRST)
    desk.library.erase_collection(key)
    assert (desk.undo(desk.last_run, collection=key).added, desk.titles()) == (0, [FIRST.title])


def test_a_collection_in_the_trash_is_told_before_anything_is_taken_back(desk: Desk) -> None:
    desk.write(FIRST)
    key = desk.collection()
    desk.library.trash(key)
    with pytest.raises(SettingsError, match="restore it"):
        desk.undo(desk.last_run, collection=key)
