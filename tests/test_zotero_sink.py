"""Recommendations into a collection: once, for ever, on the web and on this computer."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.syncing import COLLECTION, FIRST, KEY, SECOND, Desk, Meanwhile
from fakes.zotero import FakeZotero, Fault
from paperrec.errors import ServiceError, SettingsError
from paperrec.paper import Paper
from paperrec.ports import Context
from paperrec.testing import SinkContract
from paperrec_adapters.zotero import ZoteroSink

BOTH = sorted([FIRST.title, SECOND.title])


@pytest.fixture(params=["web", "local10"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    with FakeZotero(request.param) as zotero:
        yield Desk(zotero, tmp_path)


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Desk]:
    with FakeZotero("web") as zotero:
        yield Desk(zotero, tmp_path)


class TestContract(SinkContract):
    @pytest.fixture(autouse=True)
    def _desk(self, desk: Desk) -> None:
        self.desk = desk

    def make_sink(self) -> ZoteroSink:
        with self.desk.context() as context:
            return ZoteroSink.open(self.desk.place, Context(services=context.services))

    def contents(self) -> bytes:
        items = self.desk.library.items
        return repr(sorted((key, item.data) for key, item in items.items())).encode() if items else b""


# ------------------------------------------------------------------ once


def test_the_second_run_writes_nothing(desk: Desk) -> None:
    desk.write(FIRST, SECOND)
    before = desk.n_writes()
    desk.write(FIRST, SECOND)
    assert desk.n_writes() == before


def test_the_second_run_counts_what_is_there(desk: Desk) -> None:
    desk.write(FIRST, SECOND)
    written = desk.write(FIRST, SECOND)
    assert (written.added, written.present, written.problems) == (0, 2, ())


def test_one_work_under_two_names_is_one_item(desk: Desk) -> None:
    desk.write(SECOND, Paper(key="c", title=SECOND.title, arxiv_id="2601.00002v3"))
    assert desk.titles() == [SECOND.title]


def test_a_lost_history_makes_no_double(desk: Desk) -> None:
    desk.write(FIRST)
    desk.lose_state()
    desk.write(FIRST, SECOND)
    assert desk.titles() == BOTH


def test_an_answer_that_was_lost_after_the_write_makes_no_double(desk: Desk) -> None:
    desk.zotero.faults.add(Fault(method="POST", path="/items", nth=1, drops=True, applies=True))
    desk.write(FIRST, SECOND)
    assert desk.titles() == BOTH


@pytest.mark.parametrize("loses_state", [False, True])
def test_a_run_that_died_between_the_write_and_the_journal_is_gone_on_with(desk: Desk, loses_state: bool) -> None:
    desk.zotero.faults.add(Fault(method="POST", path="/items", drops=True, applies=True))
    with pytest.raises(ServiceError):
        desk.write(FIRST, SECOND)
    desk.zotero.faults.clear()
    if loses_state:
        desk.lose_state()
    desk.write(FIRST, SECOND)
    assert desk.titles() == BOTH


def test_what_a_dead_run_brought_is_present_to_the_next(desk: Desk) -> None:
    desk.zotero.faults.add(Fault(method="POST", path="/items", drops=True, applies=True))
    with pytest.raises(ServiceError):
        desk.write(FIRST)
    desk.zotero.faults.clear()
    assert (desk.write(FIRST).present, desk.titles()) == (1, [FIRST.title])


def test_a_lost_answer_to_a_new_collection_makes_no_second_one(desk: Desk) -> None:
    desk.zotero.faults.add(Fault(method="POST", path="/collections", nth=1, drops=True, applies=True))
    desk.write(FIRST)
    assert (len(desk.library.collections), desk.titles()) == (1, [FIRST.title])


def test_a_thousand_go_in_batches_that_the_service_takes(desk: Desk) -> None:
    n = 1_000 if desk.web else 60
    desk.write(*(Paper(key=str(i), title=f"Paper {i} on sheep number {i}", doi=f"10.5555/{i}") for i in range(n)))
    posts = [request for request in desk.zotero.writes() if request.path.endswith("/items")]
    assert (len(desk.titles()), len(posts)) == (n, 20 if desk.web else 3)


# ------------------------------------------------------------------ for ever


@pytest.mark.parametrize("loses_state", [False, True])
def test_what_was_trashed_never_returns(desk: Desk, loses_state: bool) -> None:
    desk.write(FIRST, SECOND)
    desk.library.trash(desk.key_of(FIRST))
    if loses_state:
        desk.lose_state()
    desk.write(FIRST, SECOND)
    assert desk.titles() == [SECOND.title]


@pytest.mark.parametrize("loses_state", [False, True])
def test_what_was_taken_out_of_the_collection_never_returns(desk: Desk, loses_state: bool) -> None:
    desk.write(FIRST)
    desk.library.edit(desk.key_of(FIRST), collections=[])
    if loses_state:
        desk.lose_state()
    desk.write(FIRST)
    assert desk.titles() == []


def test_what_was_erased_never_returns(desk: Desk) -> None:
    desk.write(FIRST)
    desk.library.erase(desk.key_of(FIRST))
    desk.write(FIRST)
    assert desk.titles() == []


def test_what_was_erased_never_returns_to_the_web_when_the_history_is_lost_too(web: Desk) -> None:
    web.write(FIRST)
    web.library.erase(web.key_of(FIRST))
    web.lose_state()
    web.write(FIRST)
    assert web.titles() == []


def test_what_was_merged_into_the_users_item_and_taken_out_never_returns(desk: Desk) -> None:
    desk.write(FIRST)
    desk.library.put_item(title=FIRST.title, DOI=FIRST.doi)  # without our line: the user's is the one that stays
    desk.library.trash(desk.key_of(FIRST))
    desk.write(FIRST)
    assert desk.titles() == []


def test_what_the_user_moved_to_another_collection_is_not_brought_back(desk: Desk) -> None:
    desk.write(FIRST)
    shelf = desk.library.put_collection("Mine")
    desk.library.edit(desk.key_of(FIRST), collections=[shelf])
    desk.write(FIRST)
    assert desk.item(FIRST)["collections"] == [shelf]


def test_what_lies_in_the_users_own_trash_is_not_brought(desk: Desk) -> None:
    desk.library.put_item(title=FIRST.title, DOI=FIRST.doi, deleted=1)
    written = desk.write(FIRST)
    assert (written.added, written.present, desk.titles()) == (0, 1, [])


# ------------------------------------------------------------------ what the library has


@pytest.mark.parametrize(("owned", "filed"), [("file", [FIRST.title]), ("skip", [])])
def test_what_the_library_has_is_filed_or_passed_over_as_is_wished(desk: Desk, owned: str, filed: list[str]) -> None:
    desk.library.put_item(title=FIRST.title, DOI=FIRST.doi)
    desk.write(FIRST, zotero_owned=owned)
    assert (desk.titles(), len(desk.library.items)) == (filed, 1)


def test_filing_changes_nothing_of_an_item_but_its_collections(desk: Desk) -> None:
    desk.library.put_item(title=FIRST.title, DOI=FIRST.doi, tags=[{"tag": "mine"}], extra="my words", rights="mine")
    before = dict(desk.item(FIRST))
    desk.write(FIRST)
    changed = {name for name, value in desk.item(FIRST).items() if before.get(name) != value} - {"dateModified"}
    assert changed == {"collections"}


def test_what_another_wrote_between_our_reading_and_writing_is_kept(desk: Desk) -> None:
    key = desk.library.put_item(title=FIRST.title, DOI=FIRST.doi)
    shelf = desk.library.put_collection("Mine")
    desk.zotero.faults.add(Meanwhile("PATCH", nth=1, does=lambda: desk.library.edit(key, collections=[shelf], volume="7")))
    desk.write(FIRST)
    assert (desk.item(FIRST)["volume"], set(desk.item(FIRST)["collections"])) == ("7", {shelf, desk.collection()})


def test_an_item_that_is_trashed_between_our_reading_and_writing_stays_there(desk: Desk) -> None:
    key = desk.library.put_item(title=FIRST.title, DOI=FIRST.doi)
    desk.zotero.faults.add(Meanwhile("PATCH", nth=1, does=lambda: desk.library.trash(key)))
    written = desk.write(FIRST)
    assert (written.added, desk.item(FIRST)["collections"]) == (0, [])


def test_an_item_that_is_erased_between_our_reading_and_writing_is_told(desk: Desk) -> None:
    key = desk.library.put_item(title=FIRST.title, DOI=FIRST.doi)
    desk.zotero.faults.add(Meanwhile("PATCH", nth=1, does=lambda: desk.library.erase(key)))
    assert [problem.code for problem in desk.write(FIRST).problems] == ["not-filed"]


def test_an_item_that_is_changed_at_every_try_is_told_and_left(desk: Desk) -> None:
    key = desk.library.put_item(title=FIRST.title, DOI=FIRST.doi)
    desk.zotero.faults.add(Meanwhile("PATCH", does=lambda: desk.library.edit(key, volume="7")))
    written = desk.write(FIRST)
    assert (len(written.missing), desk.item(FIRST)["collections"]) == (1, [])


def test_a_lost_answer_to_filing_counts_as_filed(desk: Desk) -> None:
    desk.library.put_item(title=FIRST.title, DOI=FIRST.doi)
    desk.zotero.faults.add(Fault(method="PATCH", nth=1, drops=True, applies=True))
    written = desk.write(FIRST)
    assert (written.added, written.problems, desk.titles()) == (1, (), [FIRST.title])


# ------------------------------------------------------------------ what is shown


def test_a_dry_run_shows_what_a_run_would_do_and_writes_nothing(desk: Desk) -> None:
    desk.library.put_item(title=SECOND.title, archiveID="arXiv:2601.00002", itemType="preprint")
    written = desk.write(FIRST, SECOND, dry_run=True)
    plan = [f'create   the collection "{COLLECTION}"', f"create   {FIRST.title}", f"file     {SECOND.title}"]
    assert (written.diff.splitlines(), written.added, desk.n_writes()) == (plan, 2, 0)


def test_a_dry_run_needs_no_right_to_write(web: Desk) -> None:
    web.zotero.add_key(KEY, write=False)
    assert web.write(FIRST, dry_run=True).added == 1


def test_a_library_of_odd_items_takes_recommendations(desk: Desk) -> None:
    desk.library.put_item(title=7, DOI=["x"], tags="x", extra={}, creators=[], deleted=[], year=10**40)
    desk.write(FIRST)
    assert desk.collection() in desk.item(FIRST)["collections"]


def test_a_settings_error_comes_before_any_write(desk: Desk) -> None:
    desk.library.put_collection("Twice")
    desk.library.put_collection("Twice")
    with pytest.raises(SettingsError):
        desk.write(FIRST, collection="Twice")
    assert desk.n_writes() == 0
