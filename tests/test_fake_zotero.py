"""The fake Zotero on both interfaces: faults on purpose, the log, a state that outlives its process, and a client of others on it."""

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyzotero import errors, zotero

from fakes.zotero import FakeZotero, Fault
from fakes.zotero.asking import Caller
from fakes.zotero.state import State

PAPER = {"itemType": "journalArticle", "title": "T"}
TESTS = Path(__file__).parent


@pytest.fixture
def web() -> Iterator[FakeZotero]:
    with FakeZotero("web") as fake:
        fake.add_key("k3y")
        yield fake


@pytest.fixture
def local() -> Iterator[FakeZotero]:
    with FakeZotero("local10") as fake:
        fake.library("users/1")
        fake.add_local_key("l0cal")
        yield fake


@pytest.fixture
def call(web: FakeZotero) -> Caller:
    return Caller(web.url + "/users/1", {"Zotero-API-Key": "k3y"})


# Faults


def test_too_many_requests_come_with_retry_after_or_without(web: FakeZotero, call: Caller) -> None:
    web.faults.add(Fault(nth=1, status=429, headers={"Retry-After": "7"}), Fault(nth=2, status=429, body="Slow down"))
    first, second, third = (call.get("/items") for _ in range(3))
    assert (first.status, first.headers["retry-after"]) == (429, "7")
    assert (second.status, second.text, "retry-after" in second.headers) == (429, "Slow down", False)
    assert third.status == 200


def test_a_good_answer_may_ask_to_back_off(web: FakeZotero, call: Caller) -> None:
    key = web.library("users/1").put_item(title="T")
    web.faults.add(Fault(nth=1, headers={"Backoff": "5"}))
    answer = call.get("/items")
    assert (answer.status, answer.headers["backoff"], answer.keys) == (200, "5", [key])
    assert "backoff" not in call.get("/items").headers


def test_trouble_may_answer_with_a_page_of_html_and_do_nothing(web: FakeZotero, call: Caller) -> None:
    web.faults.add(Fault(method="POST", nth=1, status=503, body="<html><h1>Service Unavailable</h1></html>"))
    answer = call.post("/items", [PAPER])
    assert (answer.status, answer.headers["content-type"]) == (503, "text/html")
    assert answer.text.startswith("<html>")
    assert web.library("users/1").items == {}


def test_a_write_may_take_effect_and_its_answer_be_lost(web: FakeZotero, call: Caller) -> None:
    web.faults.add(Fault(method="POST", nth=1, drops=True, applies=True))
    new = {**PAPER, "key": "ABCD2345", "version": 0}
    with pytest.raises(ConnectionError):
        call.post("/items", [new], Zotero_Write_Token="t0ken")
    assert [*web.library("users/1").items] == ["ABCD2345"]
    assert call.post("/items", [new], Zotero_Write_Token="t0ken").text == "Write token already used"
    assert call.post("/items", [new]).json["failed"]["0"]["code"] == 412


def test_a_write_may_take_effect_and_be_answered_with_trouble(web: FakeZotero, call: Caller) -> None:
    web.faults.add(Fault(method="POST", nth=1, status=502, applies=True))
    assert call.post("/items", [PAPER]).status == 502
    assert len(web.library("users/1").items) == 1


def test_a_write_may_be_lost_before_it_takes_effect(web: FakeZotero, call: Caller) -> None:
    web.faults.add(Fault(method="POST", nth=1, drops=True))
    with pytest.raises(ConnectionError):
        call.post("/items", [PAPER])
    assert web.library("users/1").items == {}


def test_an_answer_may_be_cut_within_its_body(web: FakeZotero, call: Caller) -> None:
    web.library("users/1").put_item(title="T")
    web.faults.add(Fault(nth=1, cut_at=40))
    with pytest.raises(http.client.IncompleteRead) as cut:
        call.get("/items")
    assert len(cut.value.partial) == 40


def test_an_answer_may_come_late(web: FakeZotero, call: Caller) -> None:
    web.faults.add(Fault(nth=1, delay_seconds=0.3))
    began = time.monotonic()
    assert call.get("/items").status == 200
    assert time.monotonic() - began >= 0.3


def test_a_fault_is_about_a_method_a_place_and_a_turn(web: FakeZotero, call: Caller) -> None:
    web.faults.add(Fault(method="GET", path=r"/collections\?", nth=2, status=500))
    paths = ["/items", "/collections", "/collections", "/collections"]
    assert [call.get(path).status for path in paths] == [200, 200, 500, 200]
    web.faults.add(Fault(status=500))
    assert [call.get("/items").status for _ in range(2)] == [500, 500]
    web.faults.clear()
    assert call.get("/items").status == 200


def test_each_request_is_noted_with_its_status(web: FakeZotero, call: Caller) -> None:
    web.faults.add(Fault(method="DELETE", drops=True))
    call.get("/items?limit=3")
    call.post("/items", [PAPER])
    with pytest.raises(ConnectionError):
        call("DELETE", "/items/ABCD2345")
    noted = [(request.method, request.path, request.status) for request in web.requests]
    assert noted == [("GET", "/users/1/items", 200), ("POST", "/users/1/items", 200), ("DELETE", "/users/1/items/ABCD2345", 0)]
    assert web.requests[0].query == {"limit": ["3"]}
    assert json.loads(web.requests[1].body) == [PAPER]


# A state that outlives its process


class Process:
    """A fake in a process of its own, on one state file."""

    def __init__(self, state: Path, *options: str) -> None:
        command = [sys.executable, "-m", "fakes.zotero", "--state", str(state), *options]
        self._process = subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(TESTS)}, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()

    def kill(self) -> None:
        """End it as a power cut would."""
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()


def state_with_keys(path: Path, dialect: str = "web") -> Path:
    """A state file with an empty library and the keys of both interfaces."""
    with FakeZotero(dialect, state_file=path) as fake:
        fake.add_key("k3y")
        fake.add_local_key("l0cal")
        fake.save()
    return path


def test_what_was_answered_outlives_a_kill(tmp_path: Path) -> None:
    state = state_with_keys(tmp_path / "state.json")
    first = Process(state)
    try:
        call = Caller(first.url + "/users/1", {"Zotero-API-Key": "k3y"})
        (collection,) = call.post("/collections", [{"name": "C"}]).json["success"].values()
        told = call.post("/items", [{**PAPER, "collections": [collection]}] * 2, Zotero_Write_Token="t0ken").json["success"]
        assert call("DELETE", f"/items/{told['1']}", If_Unmodified_Since_Version=3).status == 204
        before = call.get("/items").json
    finally:
        first.kill()
    second = Process(state)
    try:
        call = Caller(second.url + "/users/1", {"Zotero-API-Key": "k3y"})
        answer = call.get("/items")
        assert (answer.version, answer.keys) == (4, [told["0"]])
        assert answer.json[0]["data"] == before[0]["data"]
        assert call.get("/collections").keys == [collection]
        assert call.get("/deleted?since=3").json["items"] == [told["1"]]
        assert call.post("/items", [PAPER], Zotero_Write_Token="t0ken").text == "Write token already used"
    finally:
        second.kill()


def test_a_desktop_keeps_its_database_and_its_keys_but_not_its_write_tokens(tmp_path: Path) -> None:
    state = state_with_keys(tmp_path / "state.json", "local10")
    for _ in range(2):
        process = Process(state)
        try:
            server = Caller(process.url).get("/").headers["zotero-server-id"]
            call = Caller(process.url, {"Zotero-Server-ID": server, "Zotero-API-Key": "l0cal"})
            assert call.post("/users/0/items", [PAPER], Zotero_Write_Token="t0ken").status == 200
        finally:
            process.kill()
    assert len(State.load(state, lambda: pytest.fail("no clock")).library("users/1").items) == 2


def test_a_key_that_the_person_allowed_is_kept_before_it_is_told(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    with FakeZotero("local10", state_file=state) as fake:
        fake.local.choices.append("always")
        told = Caller(fake.url, {"Zotero-Server-ID": fake.state.server_id}).post("/local/authorize", {"appName": "test"}).json
        assert State.load(state, fake.state.now).local_keys == {told["key"]: True}


def test_a_process_logs_a_line_for_each_request(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    process = Process(state_with_keys(tmp_path / "state.json"), "--log", str(log))
    try:
        Caller(process.url).get("/users/1/items?limit=2")
    finally:
        process.kill()
    assert json.loads(log.read_text(encoding="utf-8")) == {
        "method": "GET",
        "path": "/users/1/items",
        "query": {"limit": ["2"]},
        "status": 403,
    }


# A client of others on it


def client_of(fake: FakeZotero) -> zotero.Zotero:
    """pyzotero, pointed at a fake."""
    if fake.state.dialect == "web":
        client = zotero.Zotero("1", "user", "k3y")
    else:
        client = zotero.Zotero("0", "user", local=True, local_api_key="l0cal")
    client.endpoint = fake.url
    return client


@pytest.fixture(params=["web", "local"])
def fake(request: pytest.FixtureRequest) -> FakeZotero:
    """A fake of each interface."""
    found: FakeZotero = request.getfixturevalue(request.param)
    return found


def test_pyzotero_creates_and_reads(fake: FakeZotero) -> None:
    client = client_of(fake)
    collection = client.create_collections([{"name": "C"}])["success"]["0"]
    told = client.create_items([{**PAPER, "collections": [collection]}, {"itemType": "preprint", "title": "P"}])
    assert told["failed"] == {}
    key = told["success"]["0"]
    assert client.item(key)["data"]["title"] == "T"
    assert [item["key"] for item in client.collection_items(collection)] == [key]
    assert [thing["data"]["name"] for thing in client.collections()] == ["C"]
    assert client.num_items() == 2
    assert client.last_modified_version() == 3


def test_pyzotero_reads_everything_page_by_page(fake: FakeZotero) -> None:
    keys = [fake.library("users/1").put_item(title=f"Paper {number}") for number in range(130)]
    client = client_of(fake)
    found = client.everything(client.items(limit=40, sort="dateAdded", direction="asc"))
    assert [item["key"] for item in found] == keys
    assert len(fake.requests) == 4


def test_pyzotero_is_told_of_a_conflict(fake: FakeZotero) -> None:
    client = client_of(fake)
    key = fake.library("users/1").put_item(title="T")
    stale = client.item(key)
    fake.library("users/1").edit(key, title="Edited elsewhere")
    with pytest.raises(errors.PreConditionFailedError):
        client.update_item({**stale["data"], "title": "Edited here"})
    assert client.item(key)["data"]["title"] == "Edited elsewhere"
    assert client.update_item({**client.item(key)["data"], "title": "Edited here"})
    assert client.item(key)["data"]["title"] == "Edited here"


def test_pyzotero_knows_the_refusals_of_the_desktop_by_their_texts(local: FakeZotero) -> None:
    client = client_of(local)
    client.local_api_key = None
    with pytest.raises(errors.LocalAPIKeyRequiredError):
        client.create_items([PAPER])
    with pytest.raises(errors.LocalAPIDeniedError):
        client.authorize_local("test")
    local.local.choices.append("always")
    assert client.authorize_local("test")["remember"] is True
    assert client.create_items([PAPER])["failed"] == {}
    local.state.server_id = "an0therOne00"
    with pytest.raises(errors.ServerIDMismatchError):
        client.create_items([PAPER])


def test_pyzotero_waits_for_nothing_and_gives_up_at_429_without_a_time(web: FakeZotero) -> None:
    web.faults.add(Fault(status=429))
    with pytest.raises(errors.TooManyRetriesError):
        client_of(web).items()
    assert len(web.requests) == 1
