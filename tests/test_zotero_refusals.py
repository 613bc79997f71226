"""What the service refuses, of a batch or as a whole: told in one line, and offered again."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fakes.syncing import FIRST, KEY, SECOND, Desk, Meanwhile
from fakes.zotero import FakeZotero, Fault
from paperrec.errors import DeniedError, PaperrecError, ServiceError, SettingsError
from paperrec.paper import Paper, fingerprint

LONG = Paper(key="l", title="Long walks of sheep " + "Größe " * 12_000, abstract="We follow sheep.", doi="10.5555/long")


@pytest.fixture(params=["web", "local10"])
def desk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Desk]:
    with FakeZotero(request.param) as zotero:
        yield Desk(zotero, tmp_path)


@pytest.fixture
def web(tmp_path: Path) -> Iterator[Desk]:
    with FakeZotero("web") as zotero:
        yield Desk(zotero, tmp_path)


@pytest.fixture
def local(tmp_path: Path) -> Iterator[Desk]:
    with FakeZotero("local10") as zotero:
        yield Desk(zotero, tmp_path)


def refusal(code: int, message: str = "No", nth: int = 1) -> Fault:
    """The first object of a POST of items is refused; of the others not a word is said."""
    told: dict[str, Any] = {"successful": {}, "success": {}, "unchanged": {}, "failed": {"0": {"code": code, "message": message}}}
    return Fault("POST", "/items", nth, 200, {"Content-Type": "application/json"}, json.dumps(told))


# ------------------------------------------------------------------ one of a batch


def test_a_refused_item_costs_no_other(web: Desk) -> None:
    web.zotero.faults.add(refusal(400))
    written = web.write(FIRST, SECOND)
    assert (written.added, web.titles()) == (1, [SECOND.title])


def test_a_refused_item_is_told_and_missing(desk: Desk) -> None:
    desk.zotero.faults.add(refusal(400, "Bad &quot;x&quot;"))
    written = desk.write(FIRST)
    assert (written.missing, [p.code for p in written.problems]) == ((fingerprint(FIRST),), ["refused"])


def test_a_refused_item_is_written_by_the_next_run(desk: Desk) -> None:
    desk.zotero.faults.add(refusal(400))
    desk.write(FIRST)
    assert (desk.write(FIRST).added, desk.titles()) == (1, [FIRST.title])


def test_an_equal_wish_is_granted_again_when_its_token_was_used_in_vain(local: Desk) -> None:
    for _ in range(4):
        local.write(FIRST)
        local.library.erase(local.key_of(FIRST))
        local.lose_state()
    assert local.write(FIRST).added == 1


def test_a_field_refused_as_too_long_is_shortened_once(web: Desk) -> None:
    web.zotero.faults.add(refusal(413, "Abstract field value 'We' too long"))
    written = web.write(FIRST)
    assert (written.added, [p.code for p in written.problems]) == (1, ["shortened"])


def test_a_field_refused_as_too_long_twice_is_told_and_missing(web: Desk) -> None:
    web.zotero.faults.add(refusal(413, "too long"), refusal(413, "too long", nth=2))
    assert web.write(FIRST).missing == (fingerprint(FIRST),)


def test_a_title_too_long_in_bytes_is_cut_before_it_is_sent(desk: Desk) -> None:
    desk.write(LONG)
    (item,) = desk.library.items.values()
    assert 60_000 < len(item.data["title"].encode()) <= 65_535


def test_a_title_that_was_cut_is_told(desk: Desk) -> None:
    assert [problem.code for problem in desk.write(LONG).problems] == ["shortened"]


def test_a_title_that_was_cut_makes_no_double(desk: Desk) -> None:
    desk.write(LONG)
    desk.lose_state()
    desk.write(LONG)
    assert len(desk.library.items) == 1


def test_an_item_that_is_said_to_exist_and_does_not_is_sent_again(web: Desk) -> None:
    web.zotero.faults.add(refusal(412, "Item has been modified"))
    web.write(FIRST)
    assert web.titles() == [FIRST.title]


def test_an_item_that_another_run_made_meanwhile_is_made_once(web: Desk) -> None:
    web.write(FIRST)
    key, item = next(iter(web.library.items.items()))
    web.library.items.clear()
    web.lose_state()
    web.zotero.faults.add(Meanwhile("POST", "/items", nth=1, does=lambda: web.library.items.update({key: item})))
    assert (web.write(FIRST).problems, web.titles()) == ((), [FIRST.title])


def test_an_answer_without_a_word_on_any_item_ends_in_telling_it(web: Desk) -> None:
    web.zotero.faults.add(Fault("POST", "/items", status=200, headers={"Content-Type": "application/json"}, body="{}"))
    assert [problem.code for problem in web.write(FIRST).problems] == ["lost"]


@pytest.mark.parametrize("body", ["", "<html>", "[]", "null", '{"failed": 3}', '{"failed": {"0": []}}', '{"successful": {"0": 7}}'])
def test_an_answer_that_makes_no_sense_never_counts_as_written(web: Desk, body: str) -> None:
    web.zotero.faults.add(Fault("POST", "/items", status=200, headers={"Content-Type": "application/json"}, body=body))
    try:
        added = web.write(FIRST).added
    except PaperrecError:
        added = 0
    assert added == 0


def test_a_batch_that_is_too_large_as_a_whole_is_sent_in_halves(web: Desk) -> None:
    web.zotero.faults.add(Fault("POST", "/items", 1, 413, body="Too large"))
    assert web.write(FIRST, SECOND).added == 2


def test_a_collection_that_stays_unknown_is_told(web: Desk) -> None:
    web.zotero.faults.add(refusal(409, "Collection X not found"), refusal(409, "Collection X not found", nth=2))
    assert web.write(FIRST).missing == (fingerprint(FIRST),)


# ------------------------------------------------------------------ the whole


@pytest.mark.parametrize("status", [500, 502, 503, 504, 429])
def test_trouble_that_passes_is_sat_out(desk: Desk, status: int) -> None:
    desk.zotero.faults.add(Fault("POST", "/items", 1, status), Fault("GET", "/items", 1, status))
    desk.write(FIRST, SECOND)
    assert len(desk.titles()) == 2


def test_trouble_that_stays_ends_in_one_line(desk: Desk) -> None:
    desk.zotero.faults.add(Fault("POST", "/items", status=503))
    with pytest.raises(ServiceError, match=r"^[^\n]+$"):
        desk.write(FIRST)


def test_an_answer_that_breaks_off_makes_no_double(desk: Desk) -> None:
    desk.zotero.faults.add(Fault("POST", "/items", 1, cut_at=20))
    desk.write(FIRST, SECOND)
    assert len(desk.titles()) == 2


def test_what_an_earlier_batch_brought_is_kept_when_a_later_one_fails(web: Desk) -> None:
    papers = [Paper(key=str(i), title=f"Paper {i} on sheep number {i}", doi=f"10.5555/{i}") for i in range(60)]
    web.zotero.faults.add(Fault("POST", "/items", 2, 403, body="Write access denied"))
    with pytest.raises(DeniedError):
        web.write(*papers)
    assert (web.write(*papers).present, len(web.titles())) == (50, 60)


# ------------------------------------------------------------------ keys and rights


def refused(desk: Desk, **wishes: Any) -> str:
    """The word on a run that may not write, which then has written nothing."""
    before = len(desk.library.items)
    with pytest.raises((DeniedError, SettingsError)) as caught:
        desk.write(FIRST, **wishes)
    assert len(desk.library.items) == before
    return str(caught.value)


def test_a_key_that_only_reads_is_told(web: Desk) -> None:
    web.zotero.add_key(KEY, write=False)
    assert "no write permission" in refused(web)


def test_a_revoked_key_is_told(web: Desk) -> None:
    assert "403" in refused(web, zotero_api_key="gone")


def test_a_key_that_is_revoked_between_reading_and_writing_is_told(web: Desk) -> None:
    web.zotero.faults.add(Meanwhile("POST", nth=1, does=web.zotero.state.keys.clear))
    assert "403" in refused(web)


def test_a_missing_key_is_told(web: Desk) -> None:
    assert "ZOTERO_API_KEY" in refused(web, zotero_api_key="")


@pytest.mark.parametrize("key", ["with blank", "größe", "a/b", "a\nb", "a\x00b"])
def test_a_key_of_other_signs_is_refused_without_being_shown(web: Desk, key: str) -> None:
    assert key not in refused(web, zotero_api_key=key)


def test_blanks_around_a_key_do_not_matter(web: Desk) -> None:
    assert web.write(FIRST, zotero_api_key=f" {KEY}\n").added == 1


def test_the_library_of_another_user_is_told(web: Desk) -> None:
    web.zotero.library("users/2")
    web.place = "users/2"
    assert "users/2" in refused(web)


def test_a_library_that_is_not_there_is_told(web: Desk) -> None:
    web.zotero.add_key(KEY, groups={"all": {"library": True, "write": True}})
    web.place = "groups/99"
    with pytest.raises(ServiceError, match="groups/99"):
        web.write(FIRST)


def test_a_group_without_the_right_to_write_is_told_before_anything_is_sent(web: Desk) -> None:
    web.zotero.library("groups/7")
    web.zotero.add_key(KEY, groups={"7": {"library": True}})
    web.place = "groups/7"
    assert ("groups/7" in refused(web), web.n_writes()) == (True, 0)


def test_a_group_that_only_its_admins_edit_is_told(web: Desk) -> None:
    web.zotero.library("groups/7").editable = False
    web.zotero.add_key(KEY, groups={"all": {"library": True, "write": True}})
    web.place = "groups/7"
    assert "admin" in refused(web)


def test_a_desktop_that_is_only_read_is_told(tmp_path: Path) -> None:
    with FakeZotero("local7") as zotero:
        desk = Desk(zotero, tmp_path)
        assert ("version 10" in refused(desk), desk.n_writes()) == (True, 0)


def test_a_desktop_without_a_key_is_told(local: Desk) -> None:
    assert ("paperrec authorize" in refused(local, zotero_local_key=""), local.n_writes()) == (True, 0)


def test_a_key_for_one_request_is_told(local: Desk) -> None:
    local.zotero.add_local_key(KEY, always=False)
    assert "Always Allow" in refused(local)


def test_a_desktop_that_was_exchanged_while_we_ran_is_not_written(local: Desk) -> None:
    local.zotero.faults.add(Meanwhile("POST", nth=1, does=lambda: setattr(local.zotero.state, "server_id", "another")))
    with pytest.raises(ServiceError, match="412"):
        local.write(FIRST)
    assert not local.library.items


def test_a_desktop_is_sent_no_keys_of_ours(local: Desk) -> None:
    local.write(FIRST, zotero_notes="yes")
    assert not [thing for request in local.zotero.writes() for thing in json.loads(request.body) if "key" in thing]


def test_a_desktop_that_answers_nobody_is_told(local: Desk) -> None:
    local.zotero.local.enabled = False
    assert "local API is off" in refused(local)
