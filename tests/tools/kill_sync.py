#!/usr/bin/env python3
"""Kill a sync at random moments, run it again, and look whether anything is lost or doubled.

    python tests/tools/kill_sync.py          1,000 points; in every fifth the state and the cache are lost before the second run
    python tests/tools/kill_sync.py 200

The service is the fake Zotero of the tests over real HTTP, with its own process untouched by the kill; the sync is a fork that dies by
SIGKILL. After the second run each wanted work must be there once and in the collection, and a third run must write nothing.
"""

import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from fakes.papers import paper_on
from fakes.zotero import FakeZotero
from paperrec.history import History, only_run
from paperrec.ports import Context
from paperrec.recommendation import Recommendation
from paperrec_adapters.zotero import ZoteroSink

_KEY = "k3yk3yk3y"
_PAPERS = [paper_on("graphs", seed, key=f"new{seed}") for seed in range(8)]  # the first is in the library already
_WANTED = [Recommendation(paper, 90.0 - rank, rank) for rank, paper in enumerate(_PAPERS, 1)]


def sync(url: str, folder: Path) -> None:
    """One whole sync: lock, feedback, write, remember."""
    services = {"zotero_url": url, "zotero_api_key": _KEY, "today": "2026-03-01", "zotero_notes": "yes"}
    state = folder / "state"
    with only_run(state), History.opened(state, datetime.now(UTC), "sync") as history:
        sink = ZoteroSink.open("", Context(cache_dir=folder / "cache", services=services, journal=history))
        sink.check()
        history.hear(sink.feedback())
        sink.write(_WANTED)
        history.offer(_PAPERS)


def killed(url: str, folder: Path, seconds: float) -> None:
    """Start a sync in a process of its own, and kill it."""
    child = os.fork()
    if not child:
        try:
            sync(url, folder)
        finally:
            os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def remove(folder: Path) -> None:
    """Lose the state and the cache."""
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()


def point(seconds: float, *, loses_state: bool) -> Counter[str]:
    """What went wrong at one point."""
    wrong: Counter[str] = Counter()
    with FakeZotero("web") as zotero, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        zotero.add_key(_KEY)
        library = zotero.library("users/1")
        library.put_item(itemType="journalArticle", title=_PAPERS[0].title, abstractNote=_PAPERS[0].abstract, date="2020", collections=[])
        killed(zotero.url, folder, seconds)
        if loses_state:
            remove(folder)
        sync(zotero.url, folder)
        titles = Counter(i.data["title"] for i in library.items.values() if i.data.get("collections") and not i.data.get("deleted"))
        n_notes = Counter(i.data["parentItem"] for i in library.items.values() if i.data.get("itemType") == "note")
        works = Counter(i.data["title"] for i in library.items.values() if i.data.get("itemType") != "note")
        wrong["lost"] = sum(not titles[paper.title] for paper in _PAPERS)
        wrong["doubled"] = sum(works[paper.title] > 1 for paper in _PAPERS) + sum(n > 1 for n in n_notes.values())
        wrong["collections too many"] = len(library.collections) - 1
        wrong["left files"] = len(list(folder.rglob("*.tmp")))
        before = len(zotero.writes())
        sync(zotero.url, folder)
        wrong["writes of the third run"] = len(zotero.writes()) - before
    return wrong


def main() -> int:
    """Run the points and print what went wrong."""
    n_points = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    chance = random.Random(1)
    with FakeZotero("web") as zotero, tempfile.TemporaryDirectory() as name:
        zotero.add_key(_KEY)
        sync(zotero.url, Path(name))  # imports
        remove(Path(name))
        zotero.library("users/1").items.clear()
        begun = time.monotonic()
        sync(zotero.url, Path(name))
        whole = time.monotonic() - begun
    begun, wrong = time.monotonic(), Counter[str]()
    for number in range(n_points):
        wrong.update(point(chance.uniform(0, 1.1 * whole), loses_state=number % 5 == 0))
    took = time.monotonic() - begun
    told = ", ".join(f"{name} {n}" for name, n in sorted(wrong.items()))
    print(f"{n_points} points over {1000 * whole:.0f} ms of a sync, {-(-n_points // 5)} of them with the state lost; {told}; {took:.0f} s")
    return int(any(wrong.values()))


if __name__ == "__main__":
    sys.exit(main())
