"""The fake of Zotero on the desktop: what is other than on the web, as it is read from version 7 and written to from version 10."""

import socket
import time
from collections.abc import Iterator
from threading import Thread
from urllib.parse import urlsplit

import pytest

from fakes.zotero import FakeZotero, Library
from fakes.zotero.asking import Answer, Caller, Clock

PAPER = {"itemType": "journalArticle", "title": "T"}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def zotero(clock: Clock) -> Iterator[FakeZotero]:
    with FakeZotero("local10", now=clock) as fake:
        fake.library("users/1")
        fake.add_local_key("l0cal")
        yield fake


@pytest.fixture
def library(zotero: FakeZotero) -> Library:
    return zotero.library("users/1")


@pytest.fixture
def call(zotero: FakeZotero) -> Caller:
    return Caller(zotero.url, {"Zotero-Server-ID": zotero.state.server_id, "Zotero-API-Key": "l0cal"})


@pytest.fixture
def old(clock: Clock) -> Iterator[FakeZotero]:
    """A desktop of version 7."""
    with FakeZotero("local7", now=clock) as fake:
        fake.library("users/1")
        yield fake


def failure(answer: Answer) -> tuple[int, str]:
    """Code and message of the one object that was written, and refused."""
    assert answer.status == 200
    told = answer.json["failed"]["0"]
    return told["code"], told["message"]


# Which program and which database it is


def test_every_answer_names_the_database(zotero: FakeZotero) -> None:
    stranger = Caller(zotero.url)
    for answer in (stranger.get("/"), stranger.get("/users/0/items"), stranger.get("/nowhere"), stranger.post("/users/0/items", [])):
        assert answer.headers["zotero-server-id"] == zotero.state.server_id
    assert len(zotero.state.server_id) == 12


def test_the_bare_address_is_404_and_that_with_a_slash_200(zotero: FakeZotero) -> None:
    assert [Caller(zotero.url).get(path).status for path in ("", "/")] == [404, 200]


def test_a_write_must_name_the_database_else_428_and_name_it_right_else_412(call: Caller, library: Library) -> None:
    nameless = call.post("/users/0/items", [PAPER], Zotero_Server_ID=None)
    assert (nameless.status, nameless.text) == (428, "Zotero-Server-ID not provided")
    wrong = call.post("/users/0/items", [PAPER], Zotero_Server_ID="an0therOne00")
    assert (wrong.status, wrong.text) == (412, "Zotero-Server-ID does not match")
    assert library.items == {}


def test_a_read_may_name_the_database_but_then_right_else_412(call: Caller) -> None:
    statuses = [call.get("/users/0/items", Zotero_Server_ID=named).status for named in (None, "fAkEzOtErO10", "an0therOne00")]
    assert statuses == [200, 200, 412]


def test_what_looks_like_a_browser_is_dropped_without_an_answer(call: Caller) -> None:
    for headers in ({"User_Agent": "Mozilla/5.0 (X11)"}, {"Origin": "https://example.org"}):
        with pytest.raises(ConnectionError):
            call.get("/users/0/items", **headers)


def test_a_host_that_is_not_this_machine_is_400(call: Caller) -> None:
    statuses = [call.get("/users/0/items", Host=host).status for host in ("localhost:23119", "127.0.0.1", "[::1]:23119", "[::1]")]
    assert statuses == [200] * 4
    assert call.get("/users/0/items", Host="zotero.example.org").status == 400


def test_a_program_that_lets_no_other_in_says_403(call: Caller, zotero: FakeZotero) -> None:
    zotero.local.enabled = False
    answer = call.get("/users/0/items")
    assert (answer.status, answer.text) == (403, "Local API is not enabled")


def test_the_user_is_0_or_that_of_the_account_and_any_other_400(call: Caller) -> None:
    assert [call.get(f"/users/{number}/items").status for number in (0, 1, 2)] == [200, 200, 400]


def test_groups_are_those_of_the_program(call: Caller, zotero: FakeZotero) -> None:
    zotero.library("groups/7").title = "Readers"
    assert [group["data"]["name"] for group in call.get("/users/0/groups").json] == ["Readers"]
    assert call.post("/groups/7/items", [PAPER]).json["success"]["0"] in zotero.library("groups/7").items
    assert call.get("/groups/8/items").status == 404
    zotero.library("groups/7").editable = False
    assert call.post("/groups/7/items", [PAPER]).status == 403


@pytest.mark.parametrize("path", ["/keys/current", "/users/0/deleted?since=0", "/items/new?itemType=book", "/users/0/items/new"])
def test_there_is_no_current_key_no_list_of_what_was_erased_and_no_template(call: Caller, path: str) -> None:
    answer = call.get(path)
    assert answer.status == 404
    assert path.endswith("items/new") or answer.text == "No endpoint found"


def test_there_is_no_atom_and_settings_are_empty(call: Caller) -> None:
    assert call.get("/users/0/items?format=atom").status == 501
    assert call.get("/users/0/settings").json == {}


def test_types_and_their_fields_are_told_as_on_the_web(call: Caller) -> None:
    assert {"field": "DOI", "localized": "DOI"} in call.get("/itemFields").json
    assert "preprint" in [kind["itemType"] for kind in call.get("/itemTypes").json]
    assert call.get("/itemTypeFields?itemType=preprint").status == 200


# Read


def test_a_list_holds_everything_unless_a_limit_is_given(call: Caller, library: Library) -> None:
    for number in range(130):
        library.put_item(title=f"Paper {number}")
    answer = call.get("/users/0/items")
    assert (len(answer.json), answer.headers["total-results"], {*answer.links}) == (130, "130", {"alternate"})
    assert len(call.get("/users/0/items?limit=120").json) == 120
    assert "limit=25" in call.get("/users/0/items?limit=25").links["next"]


def test_empty_fields_are_left_out_and_the_trash_says_true(call: Caller, library: Library) -> None:
    key = library.put_item(title="T", DOI="", deleted=1)
    data = call.get(f"/users/0/items/{key}").json["data"]
    assert data["deleted"] is True
    assert not {"DOI", "extra", "abstractNote"} & {*data}


def test_names_in_the_summary_are_isolated(call: Caller, library: Library) -> None:
    people = [{"creatorType": "author", "lastName": "Bee", "firstName": ""}, {"creatorType": "author", "name": "CERN"}]
    key = library.put_item(title="T", creators=people)
    assert call.get(f"/users/0/items/{key}").json["meta"]["creatorSummary"] == "\u2068Bee\u2069 and \u2068CERN\u2069"


def test_the_items_of_an_unknown_collection_are_all_items(call: Caller, library: Library) -> None:
    keys = {library.put_item(title="T") for _ in range(3)}
    assert {*call.get("/users/0/collections/AAAAAAAA/items").keys} == keys
    assert {*call.get("/users/0/collections/AAAAAAAA/items/top").keys} == keys


def test_the_items_of_a_collection_come_with_their_children(call: Caller, library: Library) -> None:
    collection = library.put_collection("C")
    paper = library.put_item(title="T", collections=[collection])
    note = library.put_item(itemType="note", note="n", parentItem=paper)
    library.put_item(title="Elsewhere")
    assert {*call.get(f"/users/0/collections/{collection}/items").keys} == {paper, note}


def test_collections_in_the_trash_are_hidden(call: Caller, library: Library) -> None:
    kept, gone = library.put_collection("Kept"), library.put_collection("Gone")
    library.trash(gone)
    assert call.get("/users/0/collections").keys == [kept]


def test_items_by_key_come_without_what_is_in_the_trash_whatever_is_asked(call: Caller, library: Library) -> None:
    kept, gone = library.put_item(title="T"), library.put_item(title="T", deleted=1)
    assert call.get(f"/users/0/items?itemKey={kept},{gone}&includeTrashed=1").keys == [kept]
    assert {*call.get("/users/0/items?includeTrashed=1").keys} == {kept, gone}


def test_the_connection_is_closed_after_each_answer(zotero: FakeZotero) -> None:
    place = urlsplit(zotero.url)
    with socket.create_connection((place.hostname, place.port), timeout=5) as line:
        line.sendall(f"GET /api/ HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
        answer = b"".join(iter(lambda: line.recv(4096), b""))
    assert answer.startswith(b"HTTP/1.0 200 ")


# The leave to write


def test_a_write_without_a_key_or_with_a_bad_one_is_401(call: Caller) -> None:
    without = call.post("/users/0/items", [PAPER], Zotero_API_Key=None)
    assert (without.status, without.text) == (401, "API key required")
    bad = call.post("/users/0/items", [PAPER], Zotero_API_Key="wr0ng")
    assert (bad.status, bad.text) == (401, "Invalid or expired API key")


def test_a_key_for_one_request_is_used_up_even_by_one_that_fails(call: Caller, zotero: FakeZotero) -> None:
    zotero.add_local_key("0nce", always=False)
    assert call.get("/users/0/items", Zotero_API_Key="0nce").status == 200
    assert call.post("/users/0/items", "{", Zotero_API_Key="0nce").status == 400
    assert call.post("/users/0/items", [PAPER], Zotero_API_Key="0nce").status == 401


def test_the_person_may_allow_once_or_always_or_deny(call: Caller, zotero: FakeZotero) -> None:
    zotero.local.choices.extend(["once", "always", "deny"])
    once, always, denied = (call.post("/local/authorize", {"appName": "test"}) for _ in range(3))
    assert (once.status, once.json["remember"], always.json["remember"]) == (200, False, True)
    assert (denied.status, denied.json) == (403, {"denied": True})
    for told, second in ((once, 401), (always, 200)):
        statuses = [call.post("/users/0/items", [PAPER], Zotero_API_Key=told.json["key"]).status for _ in range(2)]
        assert statuses == [200, second]


def test_nobody_there_is_a_denial(call: Caller) -> None:
    assert call.post("/local/authorize", {"appName": "test"}).status == 403


def test_who_asks_must_name_the_database_and_itself(call: Caller) -> None:
    assert call.post("/local/authorize", {"appName": "test"}, Zotero_Server_ID=None).status == 428
    assert call.post("/local/authorize", {}).status == 400
    assert call.post("/local/authorize", "nonsense").status == 400


def test_after_five_questions_in_a_minute_comes_429_with_retry_after(call: Caller, clock: Clock) -> None:
    assert [call.post("/local/authorize", {"appName": "test"}).status for _ in range(5)] == [403] * 5
    sixth = call.post("/local/authorize", {"appName": "test"})
    assert sixth.status == 429
    assert int(sixth.headers["retry-after"]) > 0
    clock.wait(seconds=61)
    assert call.post("/local/authorize", {"appName": "test"}).status == 403


def test_reads_are_answered_while_the_person_thinks(call: Caller, zotero: FakeZotero) -> None:
    zotero.local.choices.append("always")
    zotero.local.choice_seconds = 0.5
    answers: list[Answer] = []
    question = Thread(target=lambda: answers.append(call.post("/local/authorize", {"appName": "test"})))
    began = time.monotonic()
    question.start()
    assert call.get("/users/0/items").status == 200
    assert answers == []
    question.join()
    assert answers[0].status == 200
    assert time.monotonic() - began >= 0.5


# Write


@pytest.mark.parametrize(("kind", "thing"), [("items", PAPER), ("collections", {"name": "C"})])
def test_an_object_with_a_key_of_the_clients_fails_with_400(call: Caller, zotero: FakeZotero, kind: str, thing: dict[str, str]) -> None:
    keyed = {**thing, "key": "ABCD2345", "version": 0}
    told = failure(call.post(f"/users/0/{kind}", [keyed]))
    assert told == (400, f"'primaryData' not loaded for {kind[:-1]} (null/1/ABCD2345)")
    whole = call(
        "PUT", f"/users/0/{kind}/ABCD2345", {**keyed, "tags": [], "collections": [], "relations": {}} if kind == "items" else keyed
    )
    assert (whole.status, whole.text) == (500, "")
    assert call.post(f"/users/0/{kind}", [thing]).json["success"].keys() == {"0"}
    zotero.local.keyed_creates = True
    assert call.post(f"/users/0/{kind}", [keyed]).json["success"] == {"0": "ABCD2345"}


def test_a_version_must_be_the_same_and_not_only_not_older(call: Caller, library: Library) -> None:
    key = library.put_item(title="Old")
    for version, status in ((0, 412), (2, 412), (1, 204)):
        assert call.patch(f"/users/0/items/{key}", {"title": "New", "version": version}).status == status
    assert failure(call.post("/users/0/items", [{"key": key, "version": 3, "title": "Newer"}]))[0] == 412
    assert call("DELETE", f"/users/0/items/{key}", If_Unmodified_Since_Version=3).status == 412


def test_a_condition_in_the_header_is_not_looked_at_if_the_object_holds_one(call: Caller, library: Library) -> None:
    key = library.put_item(title="Old")
    assert call.patch(f"/users/0/items/{key}", {"title": "New", "version": 1}, If_Unmodified_Since_Version=0).status == 204
    assert call.patch(f"/users/0/items/{key}", {"title": "Newer"}, If_Unmodified_Since_Version=1).status == 412
    assert call.patch(f"/users/0/items/{key}", {"title": "Newer"}).status == 428


def test_the_program_counts_versions_of_its_own_with_every_change(call: Caller, library: Library) -> None:
    key = library.put_item(title="Typed at the desktop", synced=False)
    assert call.get(f"/users/0/items/{key}").version == 1
    library.edit(key, synced=False, title="Typed again")
    assert call.get("/users/0/items?since=1", If_Modified_Since_Version=1).keys == [key]
    assert call.post("/users/0/items", [PAPER] * 3).version == 5


def test_fields_that_are_unknown_or_of_another_type_go_into_extra(call: Caller) -> None:
    sent = {**PAPER, "proceedingsTitle": "ICML", "foo": "x", "conferenceName": "", "extra": "kept"}
    (told,) = call.post("/users/0/items", [sent]).json["successful"].values()
    assert told["data"]["extra"].split("\n") == ["kept", "Proceedings Title: ICML", "Foo: x"]
    assert "proceedingsTitle" not in told["data"]


def test_a_citation_key_moves_out_of_extra(call: Caller) -> None:
    (told,) = call.post("/users/0/items", [{**PAPER, "extra": "one\nCitation Key: doe2024\ntwo"}]).json["successful"].values()
    assert (told["data"]["citationKey"], told["data"]["extra"]) == ("doe2024", "one\ntwo")


def test_a_kind_of_creator_that_is_not_of_the_type_becomes_an_author(call: Caller) -> None:
    creator = {"creatorType": "castMember", "name": "Doe"}
    (told,) = call.post("/users/0/items", [{**PAPER, "creators": [creator]}]).json["successful"].values()
    assert told["data"]["creators"] == [{"creatorType": "author", "name": "Doe"}]


def test_nothing_is_too_long_or_too_deep(call: Caller) -> None:
    long = "é" * 70_000
    item = {**PAPER, "title": long, "tags": [{"tag": long}], "creators": [{"creatorType": "author", "name": long}]}
    (told,) = call.post("/users/0/items", [item]).json["successful"].values()
    assert told["data"]["title"] == long
    assert call.post("/users/0/collections", [{"name": "é" * 300}]).json["failed"] == {}
    assert call.post("/users/0/items", "[" * 30 + "]" * 30).status == 200


def test_what_is_wrong_is_400_even_an_unknown_collection(call: Caller, library: Library) -> None:
    collection, parent = library.put_collection("C"), library.put_item(title="T")
    child = {"itemType": "note", "note": "n", "parentItem": parent, "collections": [collection]}
    wrong = [
        {**PAPER, "collections": ["AAAAAAAA"]},
        {"title": "T"},
        {"itemType": "scroll"},
        child,
        {**child, "collections": [], "parentItem": "AAAAAAAA"},
    ]
    told = call.post("/users/0/items", wrong).json["failed"]
    assert [told[str(place)]["code"] for place in range(5)] == [400] * 5
    assert "constraint failed" in told["3"]["message"]


def test_more_than_50_objects_are_413_and_a_used_write_token_412(call: Caller, library: Library) -> None:
    assert call.post("/users/0/items", [PAPER] * 51).status == 413
    assert call.post("/users/0/items", [PAPER], Zotero_Write_Token="t0ken").status == 200
    again = call.post("/users/0/items", [PAPER], Zotero_Write_Token="t0ken")
    assert (again.status, again.text, len(library.items)) == (412, "Write token already used", 1)


def test_to_be_put_into_other_collections_is_a_modification_and_the_same_again_none(call: Caller, library: Library, clock: Clock) -> None:
    collection = library.put_collection("C")
    key = library.put_item(title="T")
    clock.wait(hours=1)
    change = {"key": key, "version": 2, "collections": [collection]}
    (told,) = call.post("/users/0/items", [change]).json["successful"].values()
    assert told["data"]["dateModified"] == "2026-05-04T04:02:01Z"
    assert call.post("/users/0/items", [{**change, "version": 3}]).json["unchanged"] == {"0": key}


def test_an_erased_item_is_gone_and_not_in_the_trash(call: Caller, library: Library) -> None:
    erased, trashed = library.put_item(title="T"), library.put_item(title="T")
    assert call("DELETE", f"/users/0/items/{erased}", If_Unmodified_Since_Version=1).status == 204
    assert call.patch(f"/users/0/items/{trashed}", {"deleted": 1, "version": 2}).status == 204
    assert call.get("/users/0/items/trash").keys == [trashed]


def test_an_erased_collection_takes_those_below_with_it_and_leaves_the_versions_of_items(call: Caller, library: Library) -> None:
    above = library.put_collection("Above")
    below = library.put_collection("Below", parent=above)
    key = library.put_item(title="T", collections=[below])
    assert call("DELETE", f"/users/0/collections/{above}", If_Unmodified_Since_Version=1).status == 204
    assert call.get("/users/0/collections").keys == []
    assert call.get(f"/users/0/items/{key}").version == 3


def test_items_may_go_into_a_collection_that_is_in_the_trash(call: Caller, library: Library) -> None:
    gone = library.put_collection("Gone")
    library.trash(gone)
    assert call.post("/users/0/items", [{**PAPER, "collections": [gone]}]).json["failed"] == {}


# Version 7


def test_version_7_is_only_read(old: FakeZotero) -> None:
    key = old.library("users/1").put_item(title="T")
    call = Caller(old.url, {"Zotero-API-Key": "l0cal"})
    assert call.get("/users/0/items").keys == [key]
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        answer = call(method, "/users/0/items", [])
        assert (answer.status, answer.text) == (400, "Endpoint does not support method")


def test_version_7_names_no_database(old: FakeZotero) -> None:
    assert "zotero-server-id" not in Caller(old.url).get("/").headers


def test_version_7_tells_the_versions_of_the_last_sync(old: FakeZotero) -> None:
    library, call = old.library("users/1"), Caller(old.url)
    synced = library.put_item(title="Synced")
    new = library.put_item(title="Not synced", synced=False)
    library.edit(synced, synced=False, title="Edited here")
    assert call.get("/users/0/items?format=versions").json == {synced: 1, new: 0}
    assert call.get(f"/users/0/items/{synced}").json["data"]["title"] == "Edited here"
    assert call.get("/users/0/items?since=1").keys == []
    assert call.get("/users/0/items", If_Modified_Since_Version=1).status == 304
    assert call.get("/users/0/items").version == 1
