"""The fake of Zotero on the web, written to: conditions, the report of a write of many, and what an item may hold."""

from collections.abc import Iterator
from typing import Any

import pytest

from fakes.zotero import FakeZotero, Library
from fakes.zotero.asking import Answer, Caller, Clock

PAPER = {"itemType": "journalArticle", "title": "T"}
WHOLE = {**PAPER, "tags": [], "collections": [], "relations": {}}


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def zotero(clock: Clock) -> Iterator[FakeZotero]:
    with FakeZotero("web", now=clock) as fake:
        fake.add_key("k3y")
        yield fake


@pytest.fixture
def library(zotero: FakeZotero) -> Library:
    return zotero.library("users/1")


@pytest.fixture
def call(zotero: FakeZotero) -> Caller:
    return Caller(zotero.url + "/users/1", {"Zotero-API-Key": "k3y", "Zotero-API-Version": "3"})


def failure(answer: Answer) -> tuple[int, str]:
    """Code and message of the one object that was written, and refused."""
    assert answer.status == 200
    assert {name for name, told in answer.json.items() if told} == {"failed"}
    told = answer.json["failed"]["0"]
    return told["code"], told["message"]


def code_of(call: Caller, item: dict[str, Any]) -> int:
    """The code that one item is refused with; 0 if it is taken."""
    answer = call.post("/items", [{**PAPER, **item}])
    assert answer.status == 200
    return int(answer.json["failed"].get("0", {"code": 0})["code"])


# Many at a time


def test_a_write_of_many_reports_each_by_its_place(call: Caller, library: Library) -> None:
    old = library.put_item(title="Old")
    sent = [PAPER, {**PAPER, "color": "red"}, {"key": old, "version": 1, "title": "Old"}]
    answer = call.post("/items", sent)
    told = answer.json
    assert {name: [*places] for name, places in told.items()} == {
        "successful": ["0"],
        "success": ["0"],
        "unchanged": ["2"],
        "failed": ["1"],
    }
    assert told["success"]["0"] == told["successful"]["0"]["key"]
    assert told["successful"]["0"]["data"]["title"] == "T"
    assert told["unchanged"]["2"] == old
    assert told["failed"]["1"]["code"] == 400
    assert len(library.items) == 2


def test_the_status_is_200_even_if_every_object_is_refused_and_nothing_of_them_stays(call: Caller, library: Library) -> None:
    answer = call.post("/items", [{"title": "no type"}, {"itemType": "scroll"}])
    assert answer.status == 200
    assert [answer.json["failed"][place]["code"] for place in ("0", "1")] == [400, 400]
    assert (answer.json["successful"], library.items, library.version) == ({}, {}, 0)


def test_messages_are_escaped_for_html(call: Caller) -> None:
    code, message = failure(call.post("/items", [{"itemType": "<b>"}]))
    assert code == 400
    assert "&lt;b&gt;" in message
    assert "<b>" not in message


@pytest.mark.parametrize("kind", ["items", "collections"])
def test_more_than_50_objects_are_refused_as_a_whole_with_413(call: Caller, library: Library, kind: str) -> None:
    thing = PAPER if kind == "items" else {"name": "C"}
    answer = call.post(f"/{kind}", [thing] * 51)
    assert (answer.status, library.version) == (413, 0)
    assert answer.text.startswith("Cannot add more than 50")
    assert len(call.post(f"/{kind}", [thing] * 50).json["success"]) == 50


def test_each_object_of_a_write_moves_the_version_of_the_library_by_one(call: Caller, library: Library) -> None:
    answer = call.post("/items", [PAPER] * 50)
    assert sorted(thing["version"] for thing in answer.json["successful"].values()) == [*range(1, 51)]
    assert (answer.version, library.version) == (50, 50)


@pytest.mark.parametrize("body", ["{", '{"itemType": "book"}', "[" * 30 + "]" * 30])
def test_a_body_that_is_no_array_of_json_or_too_deep_is_refused_with_400(call: Caller, body: str) -> None:
    assert call.post("/items", body).status == 400


def test_version_0_means_that_there_must_be_no_such_object(call: Caller, library: Library) -> None:
    new = {**PAPER, "key": "ABCD2345", "version": 0}
    assert call.post("/items", [new]).json["success"] == {"0": "ABCD2345"}
    again = call.post("/items", [new])
    assert failure(again) == (412, "Item has been modified since specified version (expected 0, found 1)")
    assert again.json["failed"]["0"]["key"] == "ABCD2345"
    assert call.post("/collections", [{"key": "CCCC2345", "version": 0, "name": "C"}]).json["success"] == {"0": "CCCC2345"}
    assert failure(call.post("/collections", [{"key": "CCCC2345", "version": 0, "name": "C"}]))[0] == 412
    assert library.version == 2


def test_an_object_with_a_key_but_no_condition_fails_with_428(call: Caller, library: Library) -> None:
    key = library.put_item(title="Old")
    assert failure(call.post("/items", [{"key": key, "title": "New"}]))[0] == 428
    assert failure(call.post("/items", [{**PAPER, "key": "ABCD2345"}]))[0] == 428
    assert call.post("/items", [{"key": key, "title": "New"}], If_Unmodified_Since_Version=1).json["success"] == {"0": key}


def test_an_object_that_is_not_there_fails_with_404_if_a_version_of_it_is_known(call: Caller) -> None:
    assert failure(call.post("/items", [{**PAPER, "key": "ABCD2345", "version": 3}]))[0] == 404


def test_an_older_version_of_an_object_fails_with_412_and_a_newer_is_taken(call: Caller, library: Library) -> None:
    key = library.put_item(title="Old")
    library.edit(key, volume="1")
    assert failure(call.post("/items", [{"key": key, "version": 1, "title": "New"}]))[0] == 412
    assert call.post("/items", [{"key": key, "version": 9, "title": "New"}]).json["success"] == {"0": key}


def test_what_is_posted_to_an_object_that_is_there_changes_the_named_fields_only(call: Caller, library: Library) -> None:
    key = library.put_item(title="Old", volume="1", tags=[{"tag": "t"}])
    (told,) = call.post("/items", [{"key": key, "version": 1, "title": "New"}]).json["successful"].values()
    assert (told["data"]["title"], told["data"]["volume"], told["data"]["tags"]) == ("New", "1", [{"tag": "t"}])


def test_a_library_that_moved_on_refuses_the_whole_write_with_412_and_its_version(call: Caller, library: Library) -> None:
    library.put_item(title="Another's")
    library.put_item(title="Another's")
    answer = call.post("/items", [PAPER], If_Unmodified_Since_Version=1)
    assert (answer.status, answer.version, len(library.items)) == (412, 2, 2)
    assert call.post("/items", [PAPER], If_Unmodified_Since_Version=2).status == 200


def test_the_same_again_is_unchanged_and_moves_no_version(call: Caller, library: Library) -> None:
    key = library.put_item(title="T", tags=[{"tag": "t"}])
    answer = call.post("/items", [{"key": key, "version": 1, **PAPER, "tags": [{"tag": "t"}], "volume": ""}])
    assert (answer.json["unchanged"], answer.json["success"], answer.version) == ({"0": key}, {}, 1)


@pytest.mark.parametrize("key", ["abcd2345", "ABCD234", "ABCD23456", "ABCD2340", "ABCD2341", "ABCDO345", "ABCD-345"])
def test_a_key_is_8_of_33_signs_without_0_1_and_the_letter_o(call: Caller, key: str) -> None:
    assert failure(call.post("/items", [{**PAPER, "key": key, "version": 0}]))[0] == 400
    assert call.post("/items", [{**PAPER, "key": "2345ILXZ", "version": 0}]).json["success"] == {"0": "2345ILXZ"}


# One at a time


@pytest.mark.parametrize("method", ["PATCH", "PUT", "DELETE"])
def test_a_write_to_one_object_is_told_by_204_and_its_new_version(call: Caller, library: Library, method: str) -> None:
    key = library.put_item(title="Old")
    answer = call(method, f"/items/{key}", None if method == "DELETE" else WHOLE, If_Unmodified_Since_Version=1)
    assert (answer.status, answer.text, answer.version) == (204, "", 2)
    assert call.get(f"/items/{key}").status == (404 if method == "DELETE" else 200)


@pytest.mark.parametrize("method", ["PATCH", "PUT", "DELETE"])
def test_a_write_to_one_object_without_a_condition_is_428(call: Caller, library: Library, method: str) -> None:
    key = library.put_item(title="Old")
    assert call(method, f"/items/{key}", None if method == "DELETE" else WHOLE).status == 428
    assert library.version == 1


@pytest.mark.parametrize("method", ["PATCH", "PUT", "DELETE"])
def test_a_write_to_one_object_that_changed_meanwhile_is_412_with_its_version(call: Caller, library: Library, method: str) -> None:
    key = library.put_item(title="Old")
    library.edit(key, volume="1")
    answer = call(method, f"/items/{key}", None if method == "DELETE" else WHOLE, If_Unmodified_Since_Version=1)
    assert (answer.status, answer.version, library.version) == (412, 2, 2)
    assert answer.text == "Item has been modified since specified version (expected 1, found 2)"


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
def test_the_condition_may_stand_in_the_object_but_two_that_differ_are_400(call: Caller, library: Library, method: str) -> None:
    key = library.put_item(title="Old")
    assert call(method, f"/items/{key}", {**WHOLE, "version": 1}, If_Unmodified_Since_Version=2).status == 400
    assert call(method, f"/items/{key}", {**WHOLE, "version": 1}, If_Unmodified_Since_Version=1).status == 204
    assert call(method, f"/items/{key}", {**WHOLE, "title": "N", "version": 1}).status == 412
    assert call(method, f"/items/{key}", {**WHOLE, "title": "N", "version": 2}).status == 204


def test_a_change_of_one_object_that_is_not_there_is_404(call: Caller) -> None:
    assert call.patch("/items/ABCD2345", {"title": "N"}).status == 404
    assert call("DELETE", "/items/ABCD2345", If_Unmodified_Since_Version=1).status == 404


def test_a_whole_object_may_be_put_where_none_is_with_version_0_only(call: Caller) -> None:
    assert call("PUT", "/items/ABCD2345", {**WHOLE, "version": 3}).status == 412
    assert call("PUT", "/items/ABCD2345", {**WHOLE, "version": 0}).status == 204
    assert call("PUT", "/items/ABCD2345", {**WHOLE, "version": 0}).status == 412


@pytest.mark.parametrize("absent", ["itemType", "tags", "collections", "relations"])
def test_a_whole_object_must_hold_type_tags_collections_and_relations(call: Caller, library: Library, absent: str) -> None:
    key = library.put_item(title="Old")
    body = {name: value for name, value in WHOLE.items() if name != absent}
    assert call("PUT", f"/items/{key}", {**body, "version": 1}).status == 400
    assert library.version == 1


def test_a_whole_object_clears_what_it_does_not_hold_and_a_change_leaves_it(call: Caller, library: Library) -> None:
    key = library.put_item(title="Old", volume="1")
    call.patch(f"/items/{key}", {"title": "New", "version": 1})
    assert call.get(f"/items/{key}").json["data"]["volume"] == "1"
    call("PUT", f"/items/{key}", {**WHOLE, "version": 2})
    assert call.get(f"/items/{key}").json["data"]["volume"] == ""


def test_many_may_be_erased_at_once_under_a_condition_that_need_not_be_there(call: Caller, library: Library) -> None:
    first, second, third = (library.put_item(title="T") for _ in range(3))
    assert call("DELETE", f"/items?itemKey={first},{second}", If_Unmodified_Since_Version=2).status == 412
    assert call("DELETE", f"/items?itemKey={first},{second}", If_Unmodified_Since_Version=3).status == 204
    assert [*library.items] == [third]
    assert call("DELETE", f"/items?itemKey={third}").status == 204
    assert call("DELETE", "/items?itemKey=" + ",".join(["AAAAAAAA"] * 51)).status == 413


def test_to_erase_a_collection_erases_those_below_and_leaves_items_with_their_versions(call: Caller, library: Library) -> None:
    above = library.put_collection("Above")
    below = library.put_collection("Below", parent=above)
    key = library.put_item(title="T", collections=[above, below])
    assert call("DELETE", f"/collections/{above}", If_Unmodified_Since_Version=1).status == 204
    assert call.get("/collections").json == []
    item = call.get(f"/items/{key}").json
    assert (item["version"], item["data"]["collections"]) == (3, [])
    assert sorted(call.get("/deleted?since=3").json["collections"]) == sorted([above, below])
    assert call.get("/items?since=3").json == []


# Write tokens


def test_a_write_token_that_was_used_is_refused_with_412_and_its_own_text(call: Caller, library: Library, clock: Clock) -> None:
    assert call.post("/items", [PAPER], Zotero_Write_Token="t0ken").status == 200
    again = call.post("/items", [PAPER], Zotero_Write_Token="t0ken")
    assert (again.status, again.text, len(library.items)) == (412, "Write token already used", 1)
    clock.wait(hours=12, seconds=1)
    assert call.post("/items", [PAPER], Zotero_Write_Token="t0ken").status == 200


def test_a_write_token_is_used_up_by_a_write_that_reports_failures_but_not_by_one_refused(call: Caller, library: Library) -> None:
    assert call.post("/items", [{}], Zotero_Write_Token="failures").status == 200
    assert call.post("/items", [PAPER], Zotero_Write_Token="failures").status == 412
    assert call.post("/items", [PAPER] * 51, Zotero_Write_Token="refused").status == 413
    assert call.post("/items", [PAPER], Zotero_Write_Token="refused").status == 200
    assert len(library.items) == 1


def test_a_write_token_belongs_to_its_key(call: Caller, zotero: FakeZotero) -> None:
    zotero.add_key("an0ther")
    assert call.post("/items", [PAPER], Zotero_Write_Token="t0ken").status == 200
    assert call.post("/items", [PAPER], Zotero_Write_Token="t0ken", Zotero_API_Key="an0ther").status == 200


@pytest.mark.parametrize(("token", "status"), [("abcd", 400), ("abcde", 200), ("a" * 32, 200), ("a" * 33, 400)])
def test_a_write_token_has_5_to_32_characters(call: Caller, token: str, status: int) -> None:
    assert call.post("/items", [PAPER], Zotero_Write_Token=token).status == status


# Times


def test_to_be_put_into_other_collections_is_no_modification_but_a_new_version(call: Caller, library: Library, clock: Clock) -> None:
    collection = library.put_collection("C")
    key = library.put_item(title="T")
    clock.wait(hours=1)
    assert call.patch(f"/items/{key}", {"collections": [collection], "version": 2}).version == 3
    data = call.get(f"/items/{key}").json["data"]
    assert (data["collections"], data["dateModified"]) == ([collection], "2026-05-04T03:02:01Z")
    call.patch(f"/items/{key}", {"title": "New", "version": 3})
    data = call.get(f"/items/{key}").json["data"]
    assert (data["dateAdded"], data["dateModified"]) == ("2026-05-04T03:02:01Z", "2026-05-04T04:02:01Z")


def test_access_date_may_be_now_and_dates_must_be_dates(call: Caller) -> None:
    (told,) = call.post("/items", [{**PAPER, "accessDate": "CURRENT_TIMESTAMP"}]).json["successful"].values()
    assert told["data"]["accessDate"] == "2026-05-04T03:02:01Z"
    assert code_of(call, {"accessDate": "2026-05-04"}) == 0
    assert code_of(call, {"accessDate": "last week"}) == 400
    assert code_of(call, {"dateAdded": "2026-05-04 03:02:01"}) == 0
    assert code_of(call, {"dateAdded": "last week"}) == 400


# What an item may hold


@pytest.mark.parametrize(
    ("item", "code"),
    [
        ({"itemType": "journalArticle", "publicationTitle": "J"}, 0),
        ({"itemType": "conferencePaper", "publicationTitle": "J"}, 400),
        ({"itemType": "conferencePaper", "proceedingsTitle": "P", "DOI": "10.5555/1", "citationKey": "k"}, 0),
        ({"itemType": "preprint", "repository": "arXiv", "archiveID": "arXiv:2405.00001", "DOI": "10.5555/1"}, 0),
        ({"itemType": "preprint", "publicationTitle": "J"}, 400),
        ({"itemType": "case"}, 400),  # whose title is called caseName
        ({"itemType": "book", "numPages": "7"}, 0),
        ({"itemType": "scroll"}, 400),
        ({"itemType": ""}, 400),
        ({"mood": "good"}, 400),
        ({"notes": []}, 400),
        ({"attachments": []}, 400),
        ({"volume": 7}, 400),
        ({"collections": ["AAAAAAAA"]}, 409),
        ({"collections": ["a"]}, 400),
        ({"relations": {"dc:relation": "http://zotero.org/users/1/items/AAAAAAAA"}}, 0),
        ({"relations": {"dc:creator": "x"}}, 400),
        ({"deleted": 1}, 0),
        ({"deleted": 0}, 0),
        ({"deleted": True}, 0),
        ({"deleted": False}, 0),
        ({"deleted": 2}, 400),
        ({"deleted": "yes"}, 400),
    ],
)
def test_fields_must_be_of_the_type_and_name_what_is_there(call: Caller, item: dict[str, Any], code: int) -> None:
    assert code_of(call, item) == code


def test_a_collection_that_is_not_there_is_named_in_the_failure(call: Caller) -> None:
    told = call.post("/items", [{**PAPER, "collections": ["AAAAAAAA"]}]).json["failed"]["0"]
    assert (told["code"], told["data"]) == (409, {"collection": "AAAAAAAA"})


def test_an_item_may_go_into_a_collection_that_is_in_the_trash(call: Caller, library: Library) -> None:
    gone = library.put_collection("Gone")
    library.trash(gone)
    assert code_of(call, {"collections": [gone]}) == 0


def test_a_child_must_have_a_parent_that_is_there_and_no_collections(call: Caller, library: Library) -> None:
    collection, parent = library.put_collection("C"), library.put_item(title="T")
    child = {"itemType": "note", "note": "<p>n</p>", "parentItem": parent}
    told = call.post(
        "/items", [child, {**child, "parentItem": "AAAAAAAA"}, {**child, "collections": [collection]}, {**PAPER, "parentItem": parent}]
    )
    assert {place: failed["code"] for place, failed in told.json["failed"].items()} == {"1": 409, "2": 400, "3": 400}


@pytest.mark.parametrize("flag", [1, True])
def test_what_is_put_into_the_trash_comes_back_with_0(call: Caller, library: Library, flag: int) -> None:
    key = library.put_item(title="T")
    call.patch(f"/items/{key}", {"deleted": flag, "version": 1})
    assert call.get("/items/trash").keys == [key]
    assert call.get(f"/items/{key}").json["data"]["deleted"] == 1
    call.patch(f"/items/{key}", {"deleted": 0, "version": 2})
    assert call.get("/items").keys == [key]


@pytest.mark.parametrize(
    ("creator", "code"),
    [
        ({"creatorType": "author", "firstName": "Ann", "lastName": "Doe"}, 0),
        ({"creatorType": "author", "firstName": "", "lastName": "Doe"}, 0),
        ({"creatorType": "author", "name": "CERN"}, 0),
        ({"creatorType": "author", "lastName": "Doe"}, 400),
        ({"creatorType": "author", "name": "CERN", "lastName": "Doe"}, 400),
        ({"creatorType": "author"}, 400),
        ({"firstName": "Ann", "lastName": "Doe"}, 400),
        ({"creatorType": "castMember", "name": "Doe"}, 400),
        ({"creatorType": "author", "name": "é" * 255}, 0),
        ({"creatorType": "author", "name": "é" * 256}, 413),
    ],
)
def test_a_creator_has_one_name_or_both_and_a_kind_of_the_type(call: Caller, creator: dict[str, str], code: int) -> None:
    assert code_of(call, {"creators": [creator]}) == code


def test_an_author_is_taken_for_every_type_that_has_creators(call: Caller) -> None:
    author = {"creatorType": "author", "name": "Doe"}
    assert code_of(call, {"itemType": "film", "creators": [author]}) == 0
    assert code_of(call, {"itemType": "film", "creators": [{**author, "creatorType": "director"}]}) == 0


@pytest.mark.parametrize(
    ("item", "code"),
    [
        ({"abstractNote": "a" * 65_535}, 0),
        ({"abstractNote": "a" * 65_536}, 413),
        ({"abstractNote": "é" * 32_767}, 0),
        ({"abstractNote": "é" * 32_768}, 413),
        ({"tags": [{"tag": "é" * 255}]}, 0),
        ({"tags": [{"tag": "é" * 256}]}, 413),
        ({"itemType": "note", "title": None, "note": "é" * 500_000}, 0),
        ({"itemType": "note", "title": None, "note": "é" * 500_001}, 413),
    ],
)
def test_fields_are_measured_in_bytes_but_tags_and_notes_in_characters(call: Caller, item: dict[str, Any], code: int) -> None:
    sent = {name: value for name, value in {**PAPER, **item}.items() if value is not None}
    told = call.post("/items", [sent]).json["failed"]
    assert told.get("0", {"code": 0})["code"] == code
    assert not told or "too long" in told["0"]["message"]


def test_tags_are_trimmed_blank_ones_dropped_and_the_automatic_keep_their_type(call: Caller) -> None:
    tags = [{"tag": " a "}, {"tag": "  "}, {"tag": "b", "type": 1}, {"tag": "c", "type": 0}]
    (told,) = call.post("/items", [{**PAPER, "tags": tags}]).json["successful"].values()
    assert told["data"]["tags"] == [{"tag": "a"}, {"tag": "b", "type": 1}, {"tag": "c"}]


@pytest.mark.parametrize(
    ("collection", "code"),
    [
        ({"name": "é" * 255}, 0),
        ({"name": "é" * 256}, 413),
        ({"name": ""}, 400),
        ({}, 400),
        ({"name": "C", "color": "red"}, 400),
        ({"name": "C", "parentCollection": False}, 0),
        ({"name": "C", "parentCollection": "AAAAAAAA"}, 409),
        ({"name": "C", "deleted": True}, 0),
    ],
)
def test_a_collection_has_a_name_of_up_to_255_characters(call: Caller, collection: dict[str, Any], code: int) -> None:
    assert call.post("/collections", [collection]).json["failed"].get("0", {"code": 0})["code"] == code
