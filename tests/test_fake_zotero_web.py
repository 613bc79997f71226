"""The fake of Zotero on the web, read: keys and rights, pages and links, what a list holds, and what is new since."""

from collections.abc import Iterator

import pytest

from fakes.zotero import FakeZotero, Library
from fakes.zotero.asking import Caller, Clock


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
    return Caller(zotero.url, {"Zotero-API-Key": "k3y", "Zotero-API-Version": "3"})


def fill(library: Library, n_items: int) -> list[str]:
    """Keys of as many new items, the first put there first."""
    return [library.put_item(title=f"Paper {number:03}") for number in range(n_items)]


# Keys and rights


def test_an_invalid_key_is_refused_with_403(call: Caller) -> None:
    answer = call.get("/users/1/items", Zotero_API_Key="wr0ng")
    assert (answer.status, answer.text) == (403, "Invalid key")


def test_after_five_bad_keys_in_300_seconds_comes_429_without_retry_after(call: Caller, clock: Clock) -> None:
    assert [call.get("/users/1/items", Zotero_API_Key="wr0ng").status for _ in range(5)] == [403] * 5
    sixth = call.get("/users/1/items", Zotero_API_Key="wr0ng")
    assert sixth.status == 429
    assert "retry-after" not in sixth.headers
    clock.wait(seconds=301)
    assert call.get("/users/1/items", Zotero_API_Key="wr0ng").status == 403


def test_a_key_may_come_as_a_bearer_of_letters_and_digits_only(call: Caller) -> None:
    assert call.get("/users/1/items", Zotero_API_Key=None, Authorization="Bearer k3y").status == 200
    for bad in ("Bearer k3 y", "Bearer k-3", "Basic k3y"):
        answer = call.get("/users/1/items", Zotero_API_Key=None, Authorization=bad)
        assert (answer.status, answer.text) == (400, "Invalid Authorization header format")


def test_a_key_in_the_header_that_is_not_the_one_in_the_address_is_refused_with_400(call: Caller) -> None:
    assert call.get("/users/1/items?key=0ther").status == 400
    assert call.get("/users/1/items?key=k3y").status == 200


def test_a_version_in_the_header_that_is_not_the_one_in_the_address_is_refused_with_400(call: Caller) -> None:
    assert call.get("/users/1/items?v=2").status == 400
    assert call.get("/users/1/items?v=3").status == 200


def test_a_library_of_somebody_else_is_refused_with_403(call: Caller, zotero: FakeZotero) -> None:
    zotero.add_key("0ther", user=2)
    assert call.get("/users/2/items").status == 403
    assert call.get("/users/1/items", Zotero_API_Key=None).status == 403


def test_a_write_without_any_key_is_refused_with_403(call: Caller) -> None:
    answer = call.post("/users/1/items", [], Zotero_API_Key=None)
    assert (answer.status, answer.text) == (403, "An API key is required for write requests")


def test_a_write_with_a_key_that_may_only_read_is_refused_with_403(call: Caller, zotero: FakeZotero, library: Library) -> None:
    zotero.add_key("reader", write=False)
    (key,) = fill(library, 1)
    assert call.get("/users/1/items", Zotero_API_Key="reader").status == 200
    for method, path in (("POST", ""), ("PATCH", f"/{key}"), ("PUT", f"/{key}"), ("DELETE", f"/{key}"), ("DELETE", f"?itemKey={key}")):
        answer = call(method, f"/users/1/items{path}", [], Zotero_API_Key="reader")
        assert (answer.status, answer.text) == (403, "Write access denied")
    assert [*library.items] == [key]


@pytest.mark.parametrize(
    ("path", "status"), [("/users/99/items", 404), ("/groups/99/items", 404), ("/users/0/items", 400), ("/users/me/items", 400)]
)
def test_an_unknown_library_is_404_and_one_without_a_number_400(call: Caller, path: str, status: int) -> None:
    assert call.get(path).status == status


@pytest.mark.parametrize(
    ("rights", "may_read", "may_write"),
    [
        (None, False, False),
        ({"8": {"library": True, "write": True}}, False, False),
        ({"7": {"library": True, "write": False}}, True, False),
        ({"7": {"library": True, "write": True}}, True, True),
        ({"all": {"library": True, "write": False}}, True, False),
        ({"all": {"library": True, "write": True}}, True, True),
    ],
)
def test_a_group_is_open_to_a_key_that_names_it_or_all(
    call: Caller, zotero: FakeZotero, rights: dict[str, dict[str, bool]] | None, may_read: bool, may_write: bool
) -> None:
    zotero.library("groups/7")
    zotero.add_key("member", groups=rights)
    assert call.get("/groups/7/items", Zotero_API_Key="member").status == (200 if may_read else 403)
    assert call.post("/groups/7/items", [], Zotero_API_Key="member").status == (200 if may_write else 403)


def test_a_right_to_write_all_groups_gives_way_to_the_rule_of_the_group_for_its_members(call: Caller, zotero: FakeZotero) -> None:
    zotero.library("groups/7").editable = False
    zotero.add_key("member", groups={"all": {"library": True, "write": True}})
    zotero.add_key("named", groups={"7": {"library": True, "write": True}})
    assert call.post("/groups/7/items", [], Zotero_API_Key="member").text == "Write access denied"
    assert call.post("/groups/7/items", [], Zotero_API_Key="named").status == 200


def test_the_groups_of_a_user_are_those_that_the_key_may_read(call: Caller, zotero: FakeZotero) -> None:
    zotero.library("groups/7").title = "Readers"
    zotero.library("groups/8")
    zotero.add_key("member", groups={"7": {"library": True}})
    (group,) = call.get("/users/1/groups", Zotero_API_Key="member").json
    assert (group["id"], group["data"]["name"]) == (7, "Readers")


def test_the_current_key_tells_whose_it_is_and_what_it_may(call: Caller, zotero: FakeZotero) -> None:
    zotero.add_key("member", user=42, write=False, notes=False, groups={"7": {"library": True, "write": True}})
    assert call.get("/keys/current", Zotero_API_Key="member").json == {
        "key": "member",
        "userID": 42,
        "username": "user42",
        "displayName": "user42",
        "access": {"user": {"library": True, "files": True}, "groups": {"7": {"library": True, "write": True}}},
    }
    assert call.get("/keys/member", Zotero_API_Key=None).json["userID"] == 42


def test_the_current_key_of_a_bad_key_or_of_none_is_403(call: Caller) -> None:
    assert call.get("/keys/current", Zotero_API_Key="wr0ng").status == 403
    assert call.get("/keys/current", Zotero_API_Key=None).status == 403


def test_notes_are_left_out_for_a_key_that_may_not_see_them(call: Caller, zotero: FakeZotero, library: Library) -> None:
    zotero.add_key("n0notes", notes=False)
    paper = library.put_item(title="Paper")
    note = library.put_item(itemType="note", parentItem=paper, note="<p>mine</p>")
    assert call.get(f"/users/1/items/{paper}").json["meta"]["numChildren"] == 1
    assert call.get("/users/1/items", Zotero_API_Key="n0notes").keys == [paper]
    assert call.get(f"/users/1/items/{paper}", Zotero_API_Key="n0notes").json["meta"]["numChildren"] == 0
    assert call.get(f"/users/1/items/{note}", Zotero_API_Key="n0notes").status == 404


def test_a_request_that_asks_to_be_let_in_first_is_417(call: Caller) -> None:
    assert call.post("/users/1/items", [], Expect="100-continue").status == 417


# Pages


@pytest.mark.parametrize(
    ("query", "n_shown"), [("", 25), ("?limit=30", 30), ("?limit=500", 100), ("?limit=0", 25), ("?limit=-1", 25), ("?limit=x", 25)]
)
def test_a_page_holds_25_things_or_as_many_as_are_asked_for_up_to_100(call: Caller, library: Library, query: str, n_shown: int) -> None:
    fill(library, 120)
    answer = call.get(f"/users/1/items{query}")
    assert (answer.status, len(answer.json), answer.headers["total-results"]) == (200, n_shown, "120")


def test_keys_and_versions_come_without_a_limit_unless_one_is_given(call: Caller, library: Library) -> None:
    keys = fill(library, 120)
    assert sorted(call.get("/users/1/items?format=keys").text.split()) == sorted(keys)
    assert call.get("/users/1/items?format=versions").json == {key: library.items[key].version for key in keys}
    assert len(call.get("/users/1/items?format=versions&limit=5").json) == 5


def test_a_list_tells_the_version_of_the_library_and_an_object_its_own(call: Caller, library: Library) -> None:
    first, *_ = fill(library, 3)
    assert call.get("/users/1/items").version == 3
    answer = call.get(f"/users/1/items/{first}")
    assert (answer.version, answer.json["version"], answer.json["data"]["version"]) == (1, 1, 1)
    assert (answer.headers["zotero-api-version"], int(answer.headers["zotero-schema-version"])) == ("3", 41)


def test_an_error_tells_no_version(call: Caller) -> None:
    assert "last-modified-version" not in call.get("/users/1/items/AAAAAAAA").headers


def test_links_lead_to_other_pages_only(call: Caller, zotero: FakeZotero, library: Library) -> None:
    fill(library, 60)
    items = f"{zotero.url}/users/1/items"
    assert {*call.get("/users/1/items").links} == {"next", "last", "alternate"}
    middle = {rel: url for rel, url in call.get("/users/1/items?start=25").links.items() if rel != "alternate"}
    assert middle == {"first": items, "prev": items, "next": f"{items}?start=50", "last": f"{items}?start=50"}
    assert {*call.get("/users/1/items?start=50").links} == {"first", "prev", "alternate"}
    assert {*call.get("/users/1/items?limit=60").links} == {"alternate"}


def test_links_say_only_what_is_not_the_default(call: Caller, zotero: FakeZotero, library: Library) -> None:
    fill(library, 60)
    usual = call.get("/users/1/items?start=0&limit=25&format=json&sort=dateModified&direction=desc&v=3&key=k3y")
    assert usual.links["next"] == f"{zotero.url}/users/1/items?start=25"
    unusual = call.get("/users/1/items?limit=40&sort=dateAdded&direction=asc&includeTrashed=1")
    assert unusual.links["next"] == f"{zotero.url}/users/1/items?direction=asc&includeTrashed=1&limit=40&sort=dateAdded&start=40"


def test_links_say_the_limit_that_was_clipped(call: Caller, zotero: FakeZotero, library: Library) -> None:
    fill(library, 120)
    assert call.get("/users/1/items?limit=500").links["next"] == f"{zotero.url}/users/1/items?limit=100&start=100"


def test_a_limit_of_25_stays_in_the_links_of_a_form_that_has_no_limit(call: Caller, zotero: FakeZotero, library: Library) -> None:
    fill(library, 60)
    linked = call.get("/users/1/items?format=versions&limit=25").links["next"]
    assert linked == f"{zotero.url}/users/1/items?format=versions&limit=25&start=25"


def test_whoever_follows_the_links_sees_each_thing_once(call: Caller, zotero: FakeZotero, library: Library) -> None:
    keys = fill(library, 60)
    seen: list[str] = []
    path = "/users/1/items?sort=dateAdded&direction=asc"
    while path:
        answer = call.get(path)
        seen += answer.keys
        path = answer.links.get("next", "").removeprefix(zotero.url)
    assert seen == keys


def test_the_last_modified_come_first_unless_something_else_is_asked(call: Caller, library: Library, clock: Clock) -> None:
    keys = []
    for title in ("Beta", "Alpha", "Gamma"):
        clock.wait(minutes=1)
        keys.append(library.put_item(title=title))
    clock.wait(minutes=1)
    library.edit(keys[0], volume="2")
    beta, alpha, gamma = keys
    assert call.get("/users/1/items").keys == [beta, gamma, alpha]
    assert call.get("/users/1/items?sort=dateAdded&direction=asc").keys == [beta, alpha, gamma]
    assert call.get("/users/1/items?sort=title").keys == [alpha, beta, gamma]
    assert call.get("/users/1/items?sort=mood").status == 400


# What a list holds


@pytest.fixture
def family(library: Library) -> dict[str, str]:
    """A paper with a file, its mark and a note, a note of its own, and a paper in the trash; the key of each."""
    paper = library.put_item(title="Paper")
    file = library.put_item(itemType="attachment", parentItem=paper, title="PDF", linkMode="linked_url", tags=[{"tag": "file"}])
    mark = library.put_item(itemType="annotation", parentItem=file, annotationType="highlight")
    note = library.put_item(itemType="note", parentItem=paper, note="<p>read on the train</p>")
    loose = library.put_item(itemType="note", note="<p>loose</p>")
    gone = library.put_item(title="Gone", deleted=1)
    return {"paper": paper, "file": file, "mark": mark, "note": note, "loose": loose, "gone": gone}


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("items", "paper file mark note loose"),
        ("items/top", "paper loose"),
        ("items/trash", "gone"),
        ("items?includeTrashed=1", "paper file mark note loose gone"),
        ("items/top?includeTrashed=1", "paper loose gone"),
        ("items?itemType=-attachment", "paper note loose"),
        ("items?tag=-file", "paper note loose"),
        ("items?itemType=journalArticle", "paper"),
        ("items?itemType=attachment || annotation", "file mark"),
        ("items/top?itemType=attachment", "paper"),
        ("items/top?tag=file", "paper"),
        ("items/top?q=train", "paper"),
    ],
)
def test_lists_hold_every_kind_of_item_that_is_not_in_the_trash_and_top_what_hangs_on_nothing(
    call: Caller, family: dict[str, str], path: str, names: str
) -> None:
    assert sorted(call.get(f"/users/1/{path}").keys) == sorted(family[name] for name in names.split())


def test_top_finds_the_parent_of_a_child_that_is_asked_for_by_key(call: Caller, family: dict[str, str]) -> None:
    assert call.get(f"/users/1/items/top?itemKey={family['mark']}").keys == [family["paper"]]


def test_the_children_of_an_item_are_its_own(call: Caller, family: dict[str, str]) -> None:
    assert sorted(call.get(f"/users/1/items/{family['paper']}/children").keys) == sorted([family["file"], family["note"]])
    assert call.get("/users/1/items/AAAAAAAA/children").status == 404


def test_an_item_in_the_trash_is_read_by_its_key_and_says_1(call: Caller, family: dict[str, str]) -> None:
    assert call.get(f"/users/1/items/{family['gone']}").json["data"]["deleted"] == 1
    assert "deleted" not in call.get(f"/users/1/items/{family['paper']}").json["data"]


def test_an_item_holds_every_field_of_its_type_even_empty(call: Caller, library: Library) -> None:
    key = library.put_item(title="T")
    data = call.get(f"/users/1/items/{key}").json["data"]
    assert (data["DOI"], data["extra"], data["citationKey"], data["creators"], data["tags"], data["collections"]) == (
        "",
        "",
        "",
        [],
        [],
        [],
    )


def test_collections_in_the_trash_are_listed_and_say_so(call: Caller, library: Library) -> None:
    kept, gone = library.put_collection("Kept"), library.put_collection("Gone")
    library.trash(gone)
    shown = {thing["key"]: thing["data"].get("deleted") for thing in call.get("/users/1/collections").json}
    assert shown == {kept: None, gone: True}
    assert call.get("/users/1/collections/trash").status == 404


def test_items_keep_the_key_of_a_collection_in_the_trash(call: Caller, library: Library) -> None:
    gone = library.put_collection("Gone")
    key = library.put_item(title="T", collections=[gone])
    library.trash(gone)
    assert call.get(f"/users/1/items/{key}").json["data"]["collections"] == [gone]
    assert call.get(f"/users/1/collections/{gone}/items").keys == [key]


def test_collections_are_found_below_each_other_and_at_the_top(call: Caller, library: Library) -> None:
    above = library.put_collection("Above")
    below = library.put_collection("Below", parent=above)
    assert call.get("/users/1/collections/top").keys == [above]
    assert call.get(f"/users/1/collections/{above}/collections").keys == [below]
    assert call.get(f"/users/1/collections/{below}").json["data"]["parentCollection"] == above


def test_the_items_of_a_collection_that_is_not_there_are_404(call: Caller, library: Library) -> None:
    fill(library, 1)
    answer = call.get("/users/1/collections/AAAAAAAA/items")
    assert (answer.status, answer.text) == (404, "Collection not found")


def test_items_by_key_come_up_to_100_at_a_time_and_what_is_no_key_is_dropped(call: Caller, library: Library) -> None:
    keys = fill(library, 130)
    assert len(call.get(f"/users/1/items?itemKey={','.join(keys[:50])}").json) == 50
    assert sorted(call.get(f"/users/1/items?limit=10&itemKey={','.join(keys)}").keys) == sorted(keys[:100])
    answer = call.get(f"/users/1/items?itemKey={keys[0]},nonsense,aaaaaaaa,{keys[1]},AAAAAAAA")
    assert sorted(answer.keys) == sorted(keys[:2])


def test_a_quick_search_looks_at_title_names_and_year_but_not_at_a_doi_or_extra(call: Caller, library: Library) -> None:
    author = {"creatorType": "author", "firstName": "Ann", "lastName": "Doe"}
    key = library.put_item(
        title="Random walks",
        creators=[author],
        date="2024-05",
        DOI="10.5555/xyzzy",
        url="https://arxiv.org/abs/2405.00001",
        extra="arXiv:2405.00001",
    )
    for found in ("random", "doe", "2024", "walks doe"):
        assert call.get(f"/users/1/items?q={found}").keys == [key]
    for missed in ("10.5555/xyzzy", "xyzzy", "2405.00001", "arXiv", "walks smith"):
        assert call.get(f"/users/1/items?q={missed}").keys == []


def test_tags_are_asked_for_together_or_by_turns(call: Caller, library: Library) -> None:
    both = library.put_item(title="Both", tags=[{"tag": "a"}, {"tag": "b"}])
    one = library.put_item(title="One", tags=[{"tag": "a"}])
    dashed = library.put_item(title="Dashed", tags=[{"tag": "-x"}])
    assert call.get("/users/1/items?tag=a&tag=b").keys == [both]
    assert sorted(call.get("/users/1/items?tag=a || b").keys) == sorted([both, one])
    assert call.get("/users/1/items?tag=%5C-x").keys == [dashed]


# What is new


def test_since_is_what_has_a_greater_version(call: Caller, library: Library) -> None:
    first, second, third = fill(library, 3)
    assert sorted(call.get("/users/1/items?since=1").keys) == sorted([second, third])
    assert call.get("/users/1/items?since=3").keys == []
    library.edit(first, title="New")
    assert call.get("/users/1/items?format=versions&since=3").json == {first: 4}
    assert call.get("/users/1/items?since=yesterday").status == 400
    collection = library.put_collection("C")
    assert call.get("/users/1/collections?since=4").keys == [collection]
    assert call.get("/users/1/collections?since=5").keys == []


@pytest.mark.parametrize("path", ["items", "items/top", "items/trash", "collections", "tags", "searches", "settings"])
def test_a_list_of_a_library_that_is_not_newer_is_304_without_a_body(call: Caller, library: Library, path: str) -> None:
    fill(library, 2)
    for known, status in ((1, 200), (2, 304), (3, 304)):
        assert call.get(f"/users/1/{path}", If_Modified_Since_Version=known).status == status
    assert call.get(f"/users/1/{path}", If_Modified_Since_Version=2).text == ""


def test_to_be_put_into_the_trash_is_a_change_that_is_seen_only_with_what_is_trashed(call: Caller, library: Library) -> None:
    (key,) = fill(library, 1)
    library.trash(key)
    assert call.get("/users/1/items?since=1").keys == []
    assert call.get("/users/1/items?since=1&includeTrashed=1").keys == [key]
    assert call.get("/users/1/deleted?since=0").json["items"] == []


def test_what_was_erased_is_told_since_a_version(call: Caller, library: Library) -> None:
    first, second = fill(library, 2)
    collection = library.put_collection("C")
    library.erase(first)
    library.erase_collection(collection)
    answer = call.get("/users/1/deleted?since=3")
    assert answer.json == {"collections": [collection], "items": [first], "searches": [], "tags": [], "settings": []}
    assert answer.version == 5
    assert call.get("/users/1/deleted?since=4").json["items"] == []
    assert call.get("/users/1/deleted").status == 400
    assert call.get("/users/1/items").keys == [second]


def test_types_and_their_fields_are_told(call: Caller) -> None:
    fields = {field["field"] for field in call.get("/itemTypeFields?itemType=preprint").json}
    assert {"title", "abstractNote", "repository", "archiveID", "DOI", "citationKey", "url", "extra"} <= fields
    assert call.get("/items/new?itemType=conferencePaper").json["proceedingsTitle"] == ""
    assert call.get("/items/new?itemType=scroll").status == 400
