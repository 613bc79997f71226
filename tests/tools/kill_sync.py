#!/usr/bin/env python3
"""Kill syncs at random moments, run them again, and look whether anything is lost or doubled: kill_sync.py [N] [--dialect D]

The service is the fake Zotero of the tests over real HTTP, in a process that the kill does not touch; the sync is the command line in a
fork that dies by SIGKILL: at half of the points after U(0, 1.1) times what it takes, at the other half within 10 ms of the answer to one of
its requests, because the writes are short beside the ranking. Then it is run again to its end, at every fifth point without its state
and cache, and once more. Each wanted work must be in the library once and in the collection, with its note; nothing torn or unfinished
may lie in state and cache; and the last run must write nothing. With TMPDIR=/dev/shm it does not wait for the disk: a kill loses nothing
that the system was given.

A quarter of the points meets the desktop Zotero, which takes no keys of ours, the others the service on the web; `--dialect` lets
all meet the one or the other.
"""

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from syncing import Desk, quick

_DIALECTS = ("web", "local10", "web", "web")  # of the points in turn
_N_TIMED = 4  # syncs whose mean length is taken
_AIMED_PART = 0.5  # of the points
_AIMED_SECONDS = 0.01  # after an answer


@dataclass(frozen=True, slots=True)
class Moment:
    """When a sync is killed: so long after so many answers."""

    seconds: float
    n_answers: int

    def __str__(self) -> str:
        return f"{1000 * self.seconds:.1f} ms after {f'answer {self.n_answers}' if self.n_answers else 'the start'}"


def point(dialect: str, moment: Moment, *, loses_state: bool) -> Counter[str]:
    """What went wrong at one point; "half" counts the points at which the killed sync had written something, but not all."""
    with tempfile.TemporaryDirectory() as name, Desk.laid(Path(name), dialect) as desk:
        desk.kill(moment.seconds, moment.n_answers)
        half = bool(desk.zotero.writes()) and any(desk.wrong().values())
        if loses_state:
            for folder in ("state", "cache"):
                shutil.rmtree(Path(name) / folder, ignore_errors=True)
        codes = [desk.sync()]
        found = desk.wrong()
        found["left files"] = len(desk.left())
        n_before = len(desk.zotero.writes())
        codes.append(desk.sync())
        found["writes too many"] = len(desk.zotero.writes()) - n_before
        found["failed runs"] = sum(code != 0 for code in codes)
        found.update(desk.wrong() - found)  # the third run may not spoil it either
        if any(found.values()):
            print(f"{dialect}, {moment}{', state lost' if loses_state else ''}: {+found} {desk.left()}")
        found["half"] = half
        return found


def length_of_a_sync(dialect: str) -> tuple[float, int]:
    """Seconds that a sync takes from fork to end, the first one of a library, and its requests."""
    spent, n_requests = 0.0, 0
    for _ in range(_N_TIMED):
        with tempfile.TemporaryDirectory() as name, Desk.laid(Path(name), dialect) as desk:
            begun = time.perf_counter()
            code = desk.sync()
            spent, n_requests = spent + time.perf_counter() - begun, len(desk.zotero.requests)
            if code or any(desk.wrong().values()) or desk.left():
                raise AssertionError(f"a sync that nobody kills ends with {code}: {+desk.wrong()} {desk.said.decode()}")
    return spent / _N_TIMED, n_requests


def main() -> int:
    """Run the points and print what went wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("points", type=int, nargs="?", default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dialect", choices=sorted({*_DIALECTS}), help="which Zotero all points meet")
    asked = parser.parse_args()
    quick()
    dialects = (asked.dialect,) if asked.dialect else _DIALECTS
    lengths = {}
    for dialect in dict.fromkeys(dialects):
        with tempfile.TemporaryDirectory() as name, Desk.laid(Path(name), dialect) as desk:
            desk.warm_up()
        lengths[dialect] = length_of_a_sync(dialect)
    chance, found, begun = random.Random(asked.seed), Counter[str](), time.perf_counter()
    for number in range(asked.points):
        dialect = dialects[number % len(dialects)]
        whole, n_requests = lengths[dialect]
        aimed = Moment(chance.uniform(0, _AIMED_SECONDS), chance.randint(1, n_requests))
        moment = aimed if chance.random() < _AIMED_PART else Moment(chance.uniform(0, 1.1 * whole), 0)
        found.update(point(dialect, moment, loses_state=number % 5 == 4))
    seconds, half = time.perf_counter() - begun, found.pop("half", 0)
    spent = " and ".join(f"{1000 * whole:.0f} ms ({dialect})" for dialect, (whole, _) in lengths.items())
    print(f"{asked.points} kills in syncs of {spent}, {half} of them in the middle of the writes: ", end="")
    print(", ".join(f"{name} {n}" for name, n in found.items()), end="")
    print(f"; {seconds:.0f} s, {1000 * seconds / asked.points:.0f} ms a point")
    return int(any(found.values()))


if __name__ == "__main__":
    sys.exit(main())
