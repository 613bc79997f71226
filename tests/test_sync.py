"""`paperrec sync` and `paperrec history` as scripts meet them; and no key in anything that is shown or kept."""

import json
import os
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from fakes.syncing import Meanwhile
from fakes.zotero import FakeZotero, Fault

KEY = "cAnArY0key0that0nobody0may0see"
MINE: dict[str, Any] = {"title": "Sheep on steep pastures", "abstractNote": "We follow sheep on steep pastures and count their steps."}
CANDIDATES = [
    {"id": "x:goats", "title": "Goats on mountain pastures", "abstract": "Steps and grazing of goats on steep pastures."},
    {"id": "arxiv:2601.00001", "title": "Wool of sheep in the Alps", "abstract": "Wool of sheep, pastures and steps."},
]
TITLES = sorted(str(candidate["title"]) for candidate in CANDIDATES)
BOTH = pytest.mark.parametrize("zotero", ["web", "local10"], indirect=True)
Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]


@pytest.fixture(params=["web"])
def zotero(request: pytest.FixtureRequest) -> Iterator[FakeZotero]:
    with FakeZotero(request.param) as zotero:
        zotero.add_key(KEY)
        zotero.add_local_key(KEY)
        zotero.library("users/1").put_item(**MINE)
        yield zotero


@pytest.fixture
def paperrec(tmp_path: Path, zotero: FakeZotero) -> Run:
    """Run the program in an empty home, with candidates beside it."""
    (tmp_path / "new.jsonl").write_text("".join(json.dumps(c) + "\n" for c in CANDIDATES), encoding="utf-8")
    home = {k: v for k, v in os.environ.items() if not k.startswith(("PAPERREC", "XDG", "ZOTERO")) and k not in ("NO_COLOR", "TERM")}
    folders = {"HOME": tmp_path / "home", "PAPERREC_STATE_DIR": tmp_path / "state", "XDG_CACHE_HOME": tmp_path / "cache"}
    home |= {name: str(folder) for name, folder in folders.items()} | {"PYTHONWARNINGS": "error"}
    home |= {"PAPERREC_ZOTERO_URL": zotero.url, "PAPERREC_ZOTERO_LOCAL_URL": zotero.url, "ZOTERO_API_KEY": KEY, "ZOTERO_LOCAL_KEY": KEY}

    def run(*arguments: str, **env: str) -> Done:
        command = [sys.executable, "-m", "paperrec", *arguments]
        return subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", env=home | env, check=False)

    return run


def filed(zotero: FakeZotero, library: str = "users/1") -> list[str]:
    items = zotero.library(library).items.values()
    return sorted(i.data["title"] for i in items if i.data.get("collections") and not i.data.get("deleted"))


def place_of(zotero: FakeZotero) -> str:
    return zotero.state.dialect.removesuffix("10")


def key_of(zotero: FakeZotero, title: str) -> str:
    return next(key for key, item in zotero.library("users/1").items.items() if item.data["title"] == title)


@BOTH
def test_a_sync_brings_what_fits_once(paperrec: Run, zotero: FakeZotero) -> None:
    first = paperrec("sync", "--zotero", place_of(zotero), "new.jsonl")
    n_writes = len(zotero.writes())
    second = paperrec("sync", "--zotero", place_of(zotero), "new.jsonl")
    assert (first.returncode, second.returncode, filed(zotero), len(zotero.writes())) == (0, 0, TITLES, n_writes)


@BOTH
def test_a_lost_history_makes_no_double(paperrec: Run, zotero: FakeZotero, tmp_path: Path) -> None:
    paperrec("sync", "--zotero", place_of(zotero), "new.jsonl")
    n_writes = len(zotero.writes())
    for folder in ("state", "cache"):
        shutil.rmtree(tmp_path / folder)
    run = paperrec("sync", "--zotero", place_of(zotero), "new.jsonl")
    assert (run.returncode, filed(zotero), len(zotero.writes())) == (0, TITLES, n_writes)


@BOTH
@pytest.mark.parametrize(("loses_state", "new"), [(False, "--new"), (False, "--all"), (True, "--new")])
def test_what_the_user_threw_out_never_returns(paperrec: Run, zotero: FakeZotero, tmp_path: Path, loses_state: bool, new: str) -> None:
    paperrec("sync", "--zotero", place_of(zotero), "new.jsonl")
    zotero.library("users/1").trash(key_of(zotero, TITLES[0]))
    if loses_state:
        shutil.rmtree(tmp_path / "state")
    n_writes = len(zotero.writes())
    run = paperrec("sync", "--zotero", place_of(zotero), "new.jsonl", new)
    assert (run.returncode, filed(zotero), len(zotero.writes())) == (0, TITLES[1:], n_writes)


def test_a_group_gets_a_collection_of_its_own(paperrec: Run, zotero: FakeZotero) -> None:
    zotero.add_key(KEY, groups={"7": {"library": True, "write": True}})
    zotero.library("groups/7").put_item(**MINE)
    codes = [paperrec("sync", "--zotero", "groups/7", "--collection", "To read", "new.jsonl").returncode for _ in range(2)]
    names = [collection.data["name"] for collection in zotero.library("groups/7").collections.values()]
    assert (codes, names, filed(zotero, "groups/7"), filed(zotero)) == ([0, 0], ["To read"], TITLES, [])


@pytest.mark.parametrize("zotero", ["local10"], indirect=True)
def test_a_group_of_the_desktop_gets_a_collection_of_its_own(paperrec: Run, zotero: FakeZotero) -> None:
    zotero.library("groups/7").put_item(**MINE)
    codes = [paperrec("sync", "--zotero", "local/groups/7", "new.jsonl").returncode for _ in range(2)]
    assert (codes, filed(zotero, "groups/7"), filed(zotero)) == ([0, 0], TITLES, [])


def test_a_group_that_may_only_be_read_ends_with_77(paperrec: Run, zotero: FakeZotero) -> None:
    zotero.add_key(KEY, groups={"7": {"library": True}})
    zotero.library("groups/7").put_item(**MINE)
    assert (paperrec("sync", "--zotero", "groups/7", "new.jsonl").returncode, zotero.writes()) == (77, [])


def test_what_one_account_was_given_another_is_given_too(paperrec: Run, zotero: FakeZotero) -> None:
    zotero.add_key("another0key0of0another0account", user=2)
    zotero.library("users/2").put_item(**MINE)
    paperrec("sync", "--zotero", "web", "new.jsonl")
    paperrec("sync", "--zotero", "web", "new.jsonl", ZOTERO_API_KEY="another0key0of0another0account")
    assert (filed(zotero), filed(zotero, "users/2")) == (TITLES, TITLES)


def test_what_was_thrown_out_does_not_return_with_an_account_that_was_left_for_a_while(paperrec: Run, zotero: FakeZotero) -> None:
    zotero.add_key("another0key0of0another0account", user=2)
    zotero.library("users/2").put_item(**MINE)
    paperrec("sync", "--zotero", "web", "new.jsonl")
    zotero.library("users/1").trash(key_of(zotero, TITLES[0]))
    paperrec("sync", "--zotero", "web", "new.jsonl", ZOTERO_API_KEY="another0key0of0another0account")
    paperrec("sync", "--zotero", "web", "new.jsonl")
    assert filed(zotero) == TITLES[1:]


def test_a_dry_run_shows_the_plan_and_writes_nothing(paperrec: Run, zotero: FakeZotero) -> None:
    run = paperrec("sync", "--zotero", "web", "new.jsonl", "--dry-run")
    assert (TITLES[0] in run.stdout + run.stderr, zotero.writes()) == (True, [])


def test_what_could_not_be_written_ends_with_3_and_is_offered_again(paperrec: Run, zotero: FakeZotero) -> None:
    told = {"successful": {}, "success": {}, "unchanged": {}, "failed": {"0": {"code": 400, "message": "No"}}}
    zotero.faults.add(Fault("POST", "/items", 1, 200, {"Content-Type": "application/json"}, json.dumps(told)))
    first = paperrec("sync", "--zotero", "web", "new.jsonl")
    second = paperrec("sync", "--zotero", "web", "new.jsonl")
    assert (first.returncode, second.returncode, filed(zotero)) == (3, 0, TITLES)


def test_a_doubled_collection_ends_with_2_and_a_line_of_keys(paperrec: Run, zotero: FakeZotero) -> None:
    keys = sorted(zotero.library("users/1").put_collection("Twice") for _ in range(2))
    run = paperrec("sync", "--zotero", "web", "--collection", "Twice", "new.jsonl")
    assert (run.returncode, ", ".join(keys) in run.stderr, zotero.writes()) == (2, True, [])


def test_a_key_that_only_reads_ends_with_77(paperrec: Run, zotero: FakeZotero) -> None:
    zotero.add_key(KEY, write=False)
    assert (paperrec("sync", "--zotero", "web", "new.jsonl").returncode, zotero.writes()) == (77, [])


@BOTH
def test_a_run_is_shown_and_taken_back(paperrec: Run, zotero: FakeZotero) -> None:
    paperrec("sync", "--zotero", place_of(zotero), "new.jsonl")
    (run,) = json.loads(paperrec("history", "--json").stdout)["runs"]
    assert (paperrec("history", "--undo", run["run"]).returncode, filed(zotero)) == (0, [])


@BOTH
def test_a_run_is_taken_back_though_its_collection_was_erased(paperrec: Run, zotero: FakeZotero) -> None:
    paperrec("sync", "--zotero", place_of(zotero), "new.jsonl")
    library = zotero.library("users/1")
    library.erase_collection(*library.collections)
    run = paperrec("history", "--undo", "last")
    living = [item.data["title"] for item in library.items.values() if not item.data.get("deleted")]
    assert (run.returncode, "2 taken back" in run.stderr, living) == (0, True, [MINE["title"]])


def test_a_run_that_was_taken_back_may_be_made_again(paperrec: Run, zotero: FakeZotero) -> None:
    paperrec("sync", "--zotero", "web", "new.jsonl")
    paperrec("history", "--undo", "last")
    paperrec("sync", "--zotero", "web", "new.jsonl")
    assert filed(zotero) == TITLES


# ------------------------------------------------------------------ the canary

ECHO = f"The key {KEY} is no good"
FAULTS = {
    "nothing": Fault(),
    "key refused": Fault("GET", "keys/current", status=403, body=ECHO),
    "no JSON": Fault("GET", "keys/current", status=200, body=ECHO),
    "library refused": Fault("GET", "/items", status=403, body=ECHO),
    "bad request": Fault("GET", "/items", status=400, body=ECHO),
    "collections nonsense": Fault("GET", "/collections", status=200, body=ECHO),
    "collections gone": Fault("GET", "/collections", status=404, body=ECHO),
    "collection not made": Fault("POST", "/collections", status=400, body=ECHO),
    "write refused": Fault("POST", "/items", status=403, body=ECHO),
    "write bad": Fault("POST", "/items", status=400, body=ECHO),
    "write conflict": Fault("POST", "/items", status=412, body=ECHO),
    "write too large": Fault("POST", "/items", status=413, body=ECHO),
    "items bad": Fault("POST", "/items", 0, 200, {}, json.dumps({"failed": {"0": {"code": 400, "message": ECHO}}})),
    "sent elsewhere": Fault("GET", "/items", status=302, headers={"Location": f"http://127.0.0.1:9/?key={KEY}"}),
}


@pytest.mark.parametrize("name", FAULTS)
def test_no_key_is_shown_or_kept_whatever_goes_wrong(paperrec: Run, zotero: FakeZotero, tmp_path: Path, name: str) -> None:
    zotero.faults.add(FAULTS[name])
    run = paperrec("sync", "--zotero", "web", "new.jsonl", "-vv", "--debug", "--notes")
    kept = [file.read_bytes() for folder in ("state", "cache", "home") for file in (tmp_path / folder).rglob("*") if file.is_file()]
    addresses = [f"{request.path} {request.query} {request.body!r}" for request in zotero.requests]
    assert KEY not in "\n".join((run.stdout, run.stderr, *addresses)) + b"\n".join(kept).decode("latin-1")


def test_a_refused_batch_ends_with_69_and_no_traceback(paperrec: Run, zotero: FakeZotero) -> None:
    zotero.faults.add(FAULTS["write bad"])
    run = paperrec("sync", "--zotero", "web", "new.jsonl")
    assert (run.returncode, "Traceback" in run.stderr) == (69, False)


def test_what_is_kept_is_for_its_owner_alone(paperrec: Run, tmp_path: Path) -> None:
    paperrec("sync", "--zotero", "web", "new.jsonl")
    kept = [path for folder in ("state", "cache") for path in (tmp_path / folder).rglob("*") if path.is_file()]
    assert kept
    assert not [path for path in kept if stat.S_IMODE(path.stat().st_mode) & 0o077]


def test_a_second_run_at_the_same_time_is_told(paperrec: Run, zotero: FakeZotero) -> None:
    seconds: list[Done] = []
    zotero.faults.add(Meanwhile("GET", "keys/current", 1, does=lambda: seconds.append(paperrec("history", "--undo", "last"))))
    paperrec("sync", "--zotero", "web", "new.jsonl")
    assert seconds[0].returncode == 75
