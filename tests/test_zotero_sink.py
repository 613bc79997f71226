"""Recommendations into a collection: once, for ever, on the web and on this computer."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fakes.zotero import FakeZotero, Fault, Library
from paperrec.errors import DeniedError, SettingsError
from paperrec.history import History
from paperrec.paper import Paper, fingerprint
from paperrec.ports import Context, Written
from paperrec.testing import SAMPLE, SinkContract, recommendations
from paperrec_adapters.zotero import ZoteroSink, ZoteroSource

NOW = datetime(2026, 3, 1, 6, 30, tzinfo=UTC)
KEY = "k3yk3yk3y"
FIRST = Paper(key="a", title="Walks of sheep on steep slopes", abstract="We follow sheep.", authors=("Doe, Ann",), doi="10.5555/a")
SECOND = Paper(key="b", title="Goats in the mountains of Crete", abstract="We count goats.", authors=("Roe, Bo",), arxiv_id="2601.00002")


class Setting:
    """A fake, and a sink on it whose history and cache can be lost."""

    def __init__(self, zotero: FakeZotero, folder: Path) -> None:
        self.zotero, self.folder, self.n_lost = zotero, folder, 0
        self.web = zotero.state.dialect == "web"
        zotero.add_key(KEY)
        zotero.add_local_key(KEY)
        self.library: Library = zotero.library("users/1")

    @contextmanager
    def sink(self, what: str = "sync", collection: str = "To read", **wishes: str) -> Iterator[ZoteroSink]:
        services = {"zotero_url": self.zotero.url, "zotero_local_url": self.zotero.url, "web_pause_seconds": "0.001", "today": "2026-03-01"}
        keys = {"zotero_api_key": KEY, "zotero_local_key": KEY}
        state = self.folder / f"state{self.n_lost}"
        with History.opened(state, NOW, what) as history:
            context = Context(cache_dir=state / "cache", services={**services, **keys, **wishes}, journal=history)
            yield ZoteroSink.open(f"{'' if self.web else 'local'}/collections/{collection}", context)

    def write(self, *papers: Paper, **wishes: str) -> Written:
        with self.sink(**wishes) as sink:
            return sink.write(recommendations(papers))

    def lose_state(self) -> None:
        self.n_lost += 1

    def titles(self) -> list[str]:
        """Of the living items that are in a collection."""
        items = self.library.items.values()
        return sorted(i.data["title"] for i in items if i.data.get("collections") and not i.data.get("deleted"))

    def key_of(self, paper: Paper) -> str:
        return next(key for key, item in self.library.items.items() if item.data.get("title") == paper.title)


@pytest.fixture(params=["web", "local10"])
def setting(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Setting]:
    with FakeZotero(request.param) as zotero:
        yield Setting(zotero, tmp_path)


class TestContract(SinkContract):
    @pytest.fixture(autouse=True)
    def _setting(self, setting: Setting) -> None:
        self.setting = setting

    def make_sink(self) -> ZoteroSink:
        with self.setting.sink() as sink:
            services = sink.context.services
        return ZoteroSink.open("" if self.setting.web else "local", Context(services=services))

    def contents(self) -> bytes:
        return repr(sorted((key, item.data) for key, item in self.setting.library.items.items())).encode() * bool(
            self.setting.library.items
        )


def test_the_second_run_writes_nothing(setting: Setting) -> None:
    setting.write(FIRST, SECOND)
    before = len(setting.zotero.writes())
    assert setting.write(FIRST, SECOND).present == 2
    assert (len(setting.zotero.writes()), setting.titles()) == (before, sorted([FIRST.title, SECOND.title]))


def test_a_lost_history_makes_no_double(setting: Setting) -> None:
    setting.write(FIRST)
    setting.lose_state()
    setting.write(FIRST, SECOND)
    assert setting.titles() == sorted([FIRST.title, SECOND.title])


@pytest.mark.parametrize("loses_state", [False, True])
def test_what_was_trashed_never_returns(setting: Setting, loses_state: bool) -> None:
    setting.write(FIRST, SECOND)
    setting.library.trash(setting.key_of(FIRST))
    if loses_state:
        setting.lose_state()
    setting.write(FIRST, SECOND)
    assert setting.titles() == [SECOND.title]
    with setting.sink() as sink:
        assert [(word.fingerprint, word.relevant) for word in sink.feedback()] == [(fingerprint(FIRST), False)]


@pytest.mark.parametrize("loses_state", [False, True])
def test_what_was_taken_out_of_the_collection_never_returns(setting: Setting, loses_state: bool) -> None:
    setting.write(FIRST)
    setting.library.edit(setting.key_of(FIRST), collections=[])
    if loses_state:
        setting.lose_state()
    setting.write(FIRST)
    assert setting.titles() == []


def test_what_was_erased_never_returns(setting: Setting) -> None:
    setting.write(FIRST)
    setting.library.erase(setting.key_of(FIRST))
    setting.write(FIRST)
    assert setting.titles() == []


def test_what_was_filed_elsewhere_is_liked_and_what_lies_untouched_says_nothing(setting: Setting) -> None:
    setting.write(FIRST, SECOND)
    shelf = setting.library.put_collection("Mine")
    key = setting.key_of(FIRST)
    setting.library.edit(key, collections=[*setting.library.items[key].data["collections"], shelf])
    with setting.sink() as sink:
        assert [(word.fingerprint, word.relevant) for word in sink.feedback()] == [(fingerprint(FIRST), True)]


def test_an_answer_that_was_lost_after_the_write_makes_no_double(setting: Setting) -> None:
    setting.zotero.faults.add(Fault(method="POST", path="/items", nth=1, drops=True, applies=True))
    setting.write(FIRST, SECOND)
    assert setting.titles() == sorted([FIRST.title, SECOND.title])


@pytest.mark.parametrize(("owned", "filed"), [("file", [FIRST.title]), ("skip", [])])
def test_what_the_library_has_is_filed_or_passed_over_as_is_wished(setting: Setting, owned: str, filed: list[str]) -> None:
    setting.library.put_item(itemType="journalArticle", title=FIRST.title, DOI=FIRST.doi, collections=[])
    setting.write(FIRST, zotero_owned=owned)
    assert (setting.titles(), len(setting.library.items)) == (filed, 1)


def test_a_run_taken_back_leaves_what_was_there_and_what_was_touched(setting: Setting) -> None:
    setting.library.put_item(itemType="journalArticle", title="Mine", DOI="10.5555/mine", collections=[])
    with setting.sink() as sink:
        sink.write(recommendations([FIRST, SECOND, Paper(key="m", title="Mine", doi="10.5555/mine")]))
        assert sink.context.journal
        run = sink.context.journal.run
    key = setting.key_of(SECOND)
    setting.library.edit(key, tags=[{"tag": "good"}])
    with setting.sink("undo") as sink:
        assert sink.undo(run).added == 2
    living = {i.data["title"]: bool(i.data.get("collections")) for i in setting.library.items.values() if not i.data.get("deleted")}
    assert living == {"Mine": False, SECOND.title: True}


def test_a_collection_in_the_trash_and_two_of_one_name_are_told_before_anything_is_written(setting: Setting) -> None:
    setting.library.put_collection("Twice")
    setting.library.put_collection("Twice")
    with pytest.raises(SettingsError, match="2 collections are called"):
        setting.write(FIRST, collection="Twice")
    assert not setting.zotero.writes()


def test_a_key_without_the_right_to_write_is_told_before_anything_is_written(tmp_path: Path) -> None:
    with FakeZotero("web") as zotero:
        setting = Setting(zotero, tmp_path)
        zotero.add_key(KEY, write=False)
        with pytest.raises(DeniedError, match="read-only"):
            setting.write(FIRST)
        assert not zotero.writes()


def test_untouched_recommendations_are_no_library_papers(setting: Setting) -> None:
    setting.library.put_item(itemType="journalArticle", title="Mine", collections=[])
    setting.write(*SAMPLE)
    with setting.sink() as sink:
        batch = ZoteroSource.open("web" if setting.web else "local", sink.context).read()
    assert [paper.title for paper in batch.papers] == ["Mine"]
    assert [problem.code for problem in batch.problems] == ["untouched"]
