"""Reads damaged .bib files: python tests/tools/bib_mutations.py [INPUTS] [SEED]

Each input is one of the files in tests/data/bib with a few random changes of its bytes. Counted are inputs that raise anything but the
one-line error, and inputs that take more than two seconds; the exit code is 1 if there are any.
"""

import random
import resource
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from paperrec.errors import PaperrecError
from paperrec_adapters.bibtex.source import parse

FILES = sorted((Path(__file__).parents[1] / "data" / "bib").glob("*.bib"))
TOKENS = [b"{", b"}", b'"', b"@", b"#", b",", b"=", b"%", b"(", b")", b"\\", b"\n", b"\r", b"\0", b" and ", b"$", b"<", b"&", b"\xff\xfe"]
TOKENS += [b"@article{", b"@comment{", b"@string{", b"crossref = {", b"title = {", b"\xef\xbb\xbf", b"\x1b[31m", b"https://", b"10.5555/"]
SLOW = 2.0  # seconds


def insert(chance: random.Random, data: bytearray, at: int) -> None:
    data[at:at] = chance.choice(TOKENS) * chance.choice((1, 1, 1, 1, 1, 50))


def flip(chance: random.Random, data: bytearray, at: int) -> None:
    if at < len(data):
        data[at] = chance.randrange(256)


def drop(chance: random.Random, data: bytearray, at: int) -> None:
    del data[at : at + chance.randrange(1, 40)]


def double(chance: random.Random, data: bytearray, at: int) -> None:
    data[at:at] = data[at : at + chance.randrange(1, 400)]


def move(chance: random.Random, data: bytearray, at: int) -> None:
    piece = data[at : at + chance.randrange(1, 200)]
    del data[at : at + len(piece)]
    to = chance.randrange(len(data) + 1)
    data[to:to] = piece


def mutated(chance: random.Random, originals: list[bytes]) -> bytes:
    data = bytearray(chance.choice(originals))
    changes: list[Callable[[random.Random, bytearray, int], None]] = [insert, insert, insert, flip, drop, double, move]
    for _ in range(chance.choice((1, 1, 2, 3, 8))):
        chance.choice(changes)(chance, data, chance.randrange(len(data) + 1))
    return bytes(data)


def main() -> int:
    n_inputs = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    originals = [path.read_bytes() for path in FILES]
    outcomes: Counter[str] = Counter()
    slowest = 0.0
    started = time.process_time()
    for _ in range(n_inputs):
        data = mutated(chance, originals)
        before = time.process_time()
        try:
            outcomes["papers"] += len(parse(data, "x.bib").papers)
            outcomes["read"] += 1
        except PaperrecError:
            outcomes["nothing to read"] += 1
        except Exception:  # noqa: BLE001 - to be counted is whatever should not happen
            outcomes["TRACEBACKS"] += 1
            if outcomes["TRACEBACKS"] <= 3:
                traceback.print_exc()
                print(repr(data[:3000]))
        seconds = time.process_time() - before
        slowest = max(slowest, seconds)
        outcomes["SLOW"] += seconds > SLOW
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{n_inputs:,} inputs in {time.process_time() - started:.0f} CPU s: {dict(outcomes)}; slowest {slowest:.2f} s, peak {peak:.0f} MB"
    )
    return 1 if outcomes["TRACEBACKS"] or outcomes["SLOW"] else 0


if __name__ == "__main__":
    sys.exit(main())
