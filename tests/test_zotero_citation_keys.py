"""Citation keys of new items: by the rule of .bib files, of their own in the whole library, and no sign of a person's hand."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fakes.syncing import FIRST, SECOND, Desk
from fakes.zotero import FakeZotero, Fault
from paperrec.testing import recommendations
from paperrec_adapters.bibtex import BibtexSink

DATED = replace(FIRST, year=2021)
KEY = "doeWalksSheepSteep2021"


@pytest.fixture(params=["web", "local10"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    with FakeZotero(request.param) as zotero:
        yield Desk(zotero, tmp_path)


def test_a_new_item_has_the_key_that_it_would_have_in_a_bib_file(desk: Desk, tmp_path: Path) -> None:
    desk.write(DATED, SECOND)
    BibtexSink(tmp_path / "mine.bib").write(recommendations((DATED, SECOND)))
    keys = [desk.item(paper)["citationKey"] for paper in (DATED, SECOND)]
    assert [KEY in keys, *(f"{{{key}," in (tmp_path / "mine.bib").read_text(encoding="utf-8") for key in keys)] == [True] * 3


@pytest.mark.parametrize(
    "data",
    [
        {"citationKey": KEY.upper()},
        {"citationKey": KEY, "deleted": 1},
        {"citationKey": "other", "extra": f"my words\nCitation Key: {KEY}"},
        {"extra": f"citekey: {KEY}"},
        {"extra": f"bibtex: {KEY.upper()}"},
        {"citationKey": KEY, "itemType": "book"},
    ],
)
def test_a_key_that_the_library_has_is_not_given_again(desk: Desk, data: dict[str, Any]) -> None:
    desk.library.put_item(title="Mine", **data)
    desk.write(DATED)
    assert desk.item(DATED)["citationKey"] == f"{KEY}a"


def test_two_new_items_of_one_run_have_two_keys(desk: Desk) -> None:
    other = replace(DATED, title="Walks, sheep: steep", doi="10.5555/other")
    desk.write(DATED, other)
    assert [desk.item(paper)["citationKey"] for paper in (DATED, other)] == [KEY, f"{KEY}a"]


def test_a_key_stays_though_another_item_comes_to_bear_it(desk: Desk) -> None:
    desk.write(DATED)
    desk.library.put_item(title="Mine", citationKey=KEY)
    before = desk.n_writes()
    desk.write(DATED)
    assert (desk.item(DATED)["citationKey"], desk.n_writes()) == (KEY, before)


def test_a_write_whose_answer_was_lost_takes_no_second_key(desk: Desk) -> None:
    desk.zotero.faults.add(Fault(method="POST", path="/items", nth=1, drops=True, applies=True))
    desk.write(DATED)
    assert [item.data["citationKey"] for item in desk.library.items.values()] == [KEY]


def test_a_key_of_ours_is_no_word_of_the_users(desk: Desk) -> None:
    desk.write(DATED)
    desk.undo(desk.last_run)
    desk.write(SECOND)
    assert (desk.titles(), desk.feedback()) == ([SECOND.title], {})


def test_a_key_that_the_user_changed_is_his_and_so_is_the_item(desk: Desk) -> None:
    desk.write(DATED)
    run = desk.last_run
    desk.library.edit(desk.key_of(DATED), citationKey="mine")
    desk.write(DATED)
    assert [problem.code for problem in desk.undo(run).problems] == ["touched"]
    assert (desk.item(DATED)["citationKey"], desk.titles()) == ("mine", [DATED.title])


def test_an_item_of_the_users_that_is_filed_gets_no_key(desk: Desk) -> None:
    desk.library.put_item(title=DATED.title, DOI=DATED.doi)
    desk.write(DATED)
    assert not desk.item(DATED).get("citationKey")
