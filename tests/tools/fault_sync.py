#!/usr/bin/env python3
"""Disturb a sync at each of its requests in each way, run it again, and look at the end: fault_sync.py [N]

A script is one setting (a new user of the web, one who has synced before, one whose library is Zotero itself, a desktop Zotero), one
fault, and the request that it hits: that one alone, or that one and all tries after it. The disturbed sync must end with one of the exit
codes that scripts may rely on and without a traceback; the next one, undisturbed, must end with each wanted work once in the collection,
with its note, and with whatever others changed meanwhile kept; the one after it must write nothing. The key, which the faulty answers
repeat, may stand in no output (every second script runs with -vv --debug), no address, and no file: not plain, not in pieces of 8 signs,
not in base64, hex or per cent.

N scripts, spread evenly over all there are; 0 is all of them.
"""

import argparse
import base64
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from syncing import KEY, NEW, Desk, Fault, Request, quick

_CODES = frozenset({0, 2, 3, 69, 77})
_READ_SECONDS, _TOO_SLOW = 0.4, 0.6
_OF_ANOTHER = "Put there by another"
_TRIES = 10  # more than any request gets
_PAGE = f"<!DOCTYPE html><html><body>Log in to go on to <a href='/?key={KEY}'>{KEY}</a></body></html>"
_REFUSAL = f"Not with Zotero-API-Key: {KEY} and ?key={KEY}"


def _in(seconds: int) -> str:
    return format_datetime(datetime.now(UTC) + timedelta(seconds=seconds), usegmt=True)


KINDS: Mapping[str, Mapping[str, Any]] = {
    "429": {"status": 429, "body": _REFUSAL},
    "429 for seconds": {"status": 429, "headers": {"Retry-After": "7"}},
    "429 until a date": {"status": 429, "headers": {"Retry-After": _in(7)}},
    "Backoff": {"headers": {"Backoff": "7"}},
    "500": {"status": 500, "body": _REFUSAL},
    "502 page": {"status": 502, "body": _PAGE},
    "503 page": {"status": 503, "body": _PAGE, "headers": {"Retry-After": "7"}},
    "504": {"status": 504},
    "502 when done": {"status": 502, "body": _PAGE, "applies": True},
    "reset": {"drops": True},
    "reset when done": {"drops": True, "applies": True},
    "cut": {"cut_at": 7},
    "200 page": {"status": 200, "body": _PAGE},
    "200 page when done": {"status": 200, "body": _PAGE, "applies": True},
    "too slow": {"delay_seconds": _TOO_SLOW},
    "moved": {},
    "412 moved": {"status": 412, "body": "Library has been modified since specified version"},
    "403": {"status": 403, "body": _REFUSAL},
    "404": {"status": 404, "body": _REFUSAL},
}
SETTINGS = ("new", "again", "own", "desktop")
_FORMS = {
    "plain": [KEY[n : n + 8].encode() for n in range(len(KEY) - 7)],
    # Where it begins in a group of three decides how it looks; the signs at both ends depend on the neighbours
    "base64": [base64.b64encode(b"-" * n + KEY.encode())[4 * (n > 0) : -4] for n in range(3)],
    "hex": [KEY.encode().hex().encode(), KEY.encode().hex().upper().encode()],
    "per cent": ["".join(f"%{ord(sign):02{case}}" for sign in KEY).encode() for case in "xX"],
}


@dataclass(frozen=True, slots=True)
class Script:
    """What is disturbed, how, and when."""

    setting: str
    kind: str
    position: int  # of the request; the first is 1
    lasts: bool

    def __str__(self) -> str:
        return f"{self.setting}, {self.kind}, request {self.position}{' and after' if self.lasts else ''}"


@dataclass(frozen=True, slots=True)
class Meddling(Fault):
    """A fault at whose request another person changes the library."""

    meddle: Callable[[], None] = lambda: None

    def is_about(self, request: Request) -> bool:
        """Whether it is about a request; told of each one in turn."""
        self.meddle()
        return Fault.is_about(self, request)


def laid(setting: str, folder: Path) -> Any:
    """A desk in a setting."""
    return Desk.laid(folder, "local10" if setting == "desktop" else "web", own=setting == "own")


def prepared(desk: Desk, setting: str) -> None:
    """What has happened before the disturbed sync."""
    if setting == "again":
        desk.offer(len(NEW) // 2)
        if code := desk.sync():
            raise AssertionError(f"the first sync ends with {code}: {desk.said.decode()}")
        desk.offer(len(NEW))
    desk.zotero.requests.clear()


def disturb(desk: Desk, script: Script) -> None:
    """Let go wrong what the script says."""
    given, last = KINDS[script.kind], script.position + (_TRIES if script.lasts else 1)
    desk.zotero.faults.add(*(Fault(nth=n, **given) for n in range(script.position, last)))
    if "moved" in script.kind:
        library, met = desk.zotero.library("users/1"), [0]

        def meddle() -> None:
            met[0] += 1
            if script.position <= met[0] < last:
                library.edit(desk.owned, tags=[{"tag": "theirs"}], callNumber=str(met[0] - script.position + 1))
                library.put_item(title=f"{_OF_ANOTHER} {met[0]}")

        desk.zotero.faults.add(Meddling(nth=-1, meddle=meddle))


def others_stand(desk: Desk) -> bool:
    """Whether what another person did during the sync, if anybody did, is as he left it."""
    items = [item.data for item in desk.zotero.library("users/1").items.values()]
    n_changes = sum(item.get("title", "").startswith(_OF_ANOTHER) for item in items)
    owned = desk.zotero.library("users/1").items[desk.owned].data
    return n_changes == int(owned.get("callNumber", 0)) and (not n_changes or owned.get("tags") == [{"tag": "theirs"}])


def leaks(desk: Desk, said: bytes) -> list[str]:
    """Where the key can be read, and how it is written there."""
    places = {"output": said, "address": "\n".join(f"{r.path}?{r.query}" for r in desk.zotero.requests).encode()}
    for path in desk.folder.rglob("*"):
        places[f"file {path.name}"] = path.name.encode() + (path.read_bytes() if path.is_file() else b"")
    return [f"{form} in {place}" for place, data in places.items() for form, texts in _FORMS.items() if any(text in data for text in texts)]


def played(script: Script, *, debug: bool) -> tuple[Counter[str], int, list[str]]:
    """What went wrong in a script, the exit code of the disturbed sync, and words on what went wrong."""
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as name, laid(script.setting, Path(name)) as desk:
        prepared(desk, script.setting)
        disturb(desk, script)
        code = desk.sync(*(["-vv", "--debug"] if debug else []))
        said = desk.said
        desk.zotero.faults.clear()
        ends = [(code, _CODES), (desk.sync(), {0})]
        words = [] if not ends[1][0] else [desk.said.decode()[-300:]]
        time.sleep(_TOO_SLOW if script.kind == "too slow" else 0)  # what came late has come now
        n_before = len(desk.zotero.writes())
        ends.append((desk.sync(), {0}))
        found["wrong ends"] += sum(ended not in allowed for ended, allowed in ends) + len(desk.zotero.writes()) - n_before
        found["tracebacks"] = (b"Traceback" in said and not debug) or b"a bug in paperrec" in said or b"Exception in" in said
        found["changes of others lost"] = not others_stand(desk)
        found.update(desk.wrong())
        where = [*leaks(desk, said), *leaks(desk, desk.said)]
        found["leaks"], found["left files"] = len(where), len(desk.left())
        if found["wrong ends"] or found["tracebacks"]:
            words.append(
                f"codes {[ended for ended, _ in ends]}, {len(desk.zotero.writes()) - n_before} late writes: {said.decode()[-300:]}"
            )
        return found, code, [*words, *where, *desk.left()]


def scripts() -> Iterator[Script]:
    """All scripts, the positions counted in a sync that nobody disturbs."""
    for setting in SETTINGS:
        with tempfile.TemporaryDirectory() as name, laid(setting, Path(name)) as desk:
            prepared(desk, setting)
            code, n_requests = desk.sync(), len(desk.zotero.requests)
            if code or any(desk.wrong().values()):
                raise AssertionError(f"{setting}: the sync that nobody disturbs ends with {code}: {+desk.wrong()} {desk.said.decode()}")
        for kind in KINDS:
            if setting == "desktop" and kind == "too slow":
                continue  # it is given two minutes for an answer
            for lasts in (False, True):
                yield from (Script(setting, kind, position, lasts) for position in range(1, n_requests + 1))


def main() -> int:
    """Play the scripts and print what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scripts", type=int, nargs="?", default=200)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, laid("new", Path(name)) as desk:
        desk.warm_up()
    quick(_READ_SECONDS)
    every = list(scripts())
    n_played = min(asked.scripts or len(every), len(every))
    begun, found, codes = time.perf_counter(), Counter[str](), Counter[int]()
    for number in range(n_played):
        script = every[number * len(every) // n_played]
        wrong, code, words = played(script, debug=number % 2 == 0)
        found.update(wrong)
        codes[code] += 1
        if any(wrong.values()):
            print(f"{script}: {dict(+wrong)}", *words, sep="\n    ")
    print(f"{n_played} of {len(every)} scripts: {', '.join(f'{name} {n}' for name, n in found.items())}; ", end="")
    print(f"exit codes {dict(sorted(codes.items()))}; {time.perf_counter() - begun:.0f} s")
    return int(any(found.values()))


if __name__ == "__main__":
    sys.exit(main())
