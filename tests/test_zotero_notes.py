"""The note with the reasons that a new item gets: once, whenever a run ends, and not again when a person threw it away."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.syncing import FIRST, SECOND, Desk
from fakes.zotero import FakeZotero, Fault
from paperrec.errors import ServiceError
from paperrec.paper import Paper


@pytest.fixture(params=["web", "local10"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    with FakeZotero(request.param) as zotero:
        yield Desk(zotero, tmp_path)


def notes(desk: Desk, *papers: Paper) -> list[int]:
    """How many notes hang on the item of each paper, those in the trash too."""
    return [len([*desk.library.children(desk.key_of(paper))]) for paper in papers]


def die_before_the_notes(desk: Desk, *papers: Paper) -> None:
    """A run that brings papers and ends before it can give them their notes."""
    desk.zotero.faults.add(*(Fault(method="POST", path="/items", nth=nth, status=502) for nth in range(2, 10)))
    with pytest.raises(ServiceError):
        desk.write(*papers, zotero_notes="yes")
    desk.zotero.faults.clear()


def test_a_note_is_given_once(desk: Desk) -> None:
    desk.write(FIRST, zotero_notes="yes")
    desk.write(FIRST, zotero_notes="yes")
    assert notes(desk, FIRST) == [1]


def test_a_lost_answer_to_the_notes_makes_no_second_ones(desk: Desk) -> None:
    desk.zotero.faults.add(Fault(method="POST", path="/items", nth=2, drops=True, applies=True))
    desk.write(FIRST, SECOND, zotero_notes="yes")
    assert notes(desk, FIRST, SECOND) == [1, 1]


def test_our_own_note_whose_answer_was_lost_is_no_sign_that_the_user_liked_the_paper(desk: Desk) -> None:
    desk.zotero.faults.add(Fault(method="POST", path="/items", nth=2, drops=True, applies=True))
    desk.write(FIRST, zotero_notes="yes")
    assert desk.feedback() == {}


# ------------------------------------------------------------------ a run that ends between item and note


@pytest.mark.parametrize("loses_state", [False, True])
def test_the_next_run_gives_it(desk: Desk, loses_state: bool) -> None:
    die_before_the_notes(desk, FIRST, SECOND)
    if loses_state:
        desk.lose_state()
    desk.write(FIRST, SECOND, zotero_notes="yes")
    assert notes(desk, FIRST, SECOND) == [1, 1]


def test_a_dry_run_shows_it(desk: Desk) -> None:
    die_before_the_notes(desk, FIRST)
    before = desk.n_writes()
    written = desk.write(FIRST, zotero_notes="yes", dry_run=True)
    assert (written.diff.splitlines()[-1], desk.n_writes()) == (f"note     {FIRST.title}", before)


def test_it_is_not_given_to_who_does_not_want_notes_any_more(desk: Desk) -> None:
    die_before_the_notes(desk, FIRST)
    desk.write(FIRST)
    assert notes(desk, FIRST) == [0]


def test_an_item_of_the_users_that_stands_in_the_collection_gets_none(desk: Desk) -> None:
    desk.write(SECOND)
    shelf = desk.collection()
    desk.library.put_item(title=FIRST.title, DOI=FIRST.doi, collections=[shelf])
    desk.write(FIRST, zotero_notes="yes")
    assert notes(desk, FIRST) == [0]


def test_a_note_that_comes_later_is_no_sign_that_the_user_liked_the_paper(desk: Desk) -> None:
    desk.write(FIRST)
    desk.write(FIRST, zotero_notes="yes")
    assert (notes(desk, FIRST), desk.feedback()) == ([1], {})


@pytest.mark.parametrize("dies", [False, True])
def test_a_note_that_comes_later_does_not_keep_a_run_from_being_taken_back(desk: Desk, dies: bool) -> None:
    if dies:
        die_before_the_notes(desk, FIRST)
    else:
        desk.write(FIRST)
    run = desk.last_run
    desk.write(FIRST, zotero_notes="yes")
    assert (desk.undo(run).added, desk.titles()) == (1, [])


def test_a_run_that_only_gave_a_note_takes_nothing_back(desk: Desk) -> None:
    desk.write(FIRST)
    desk.write(FIRST, zotero_notes="yes")
    assert (desk.undo(desk.last_run).added, desk.titles()) == (0, [FIRST.title])


# ------------------------------------------------------------------ thrown away


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("loss", ["trash", "erase"])
def test_one_that_was_thrown_away_is_not_given_again(desk: Desk, loss: str, later: bool) -> None:
    if later:
        die_before_the_notes(desk, FIRST)
    desk.write(FIRST, zotero_notes="yes")
    (note,) = desk.library.children(desk.key_of(FIRST))
    getattr(desk.library, loss)(note)
    before = desk.n_writes()
    desk.write(FIRST, zotero_notes="yes")
    assert desk.n_writes() == before


@pytest.mark.parametrize("loss", ["trash", "erase"])
def test_one_that_was_thrown_away_is_not_given_again_when_the_history_is_lost(tmp_path: Path, loss: str) -> None:
    with FakeZotero("web") as zotero:
        desk = Desk(zotero, tmp_path)
        desk.write(FIRST, zotero_notes="yes")
        (note,) = desk.library.children(desk.key_of(FIRST))
        getattr(desk.library, loss)(note)
        desk.lose_state()
        before = desk.n_writes()
        desk.write(FIRST, zotero_notes="yes")
        assert desk.n_writes() == before
