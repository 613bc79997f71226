#!/usr/bin/env python3
"""How many requests a large library behind Zotero's interfaces takes to read: zotero_requests.py [ITEMS] [DIALECT ...]

Fills the fake Zotero of the tests, as the service on the web and as the desktop, with made-up items, the same at every run, every third
of them the file of the one before. Each is read thrice, in a process that does only this: for the first time, again with nothing
changed, and again with one item changed. Printed are the requests, CPU seconds and peak of memory of the reader, and the papers.
"""

import random
import subprocess
import sys
import tempfile
from pathlib import Path

_READER = """
import re, sys, time
from pathlib import Path
from paperrec.ports import Context
from paperrec_adapters.zotero import ZoteroSource

place, url, cache = sys.argv[1:]
services = {"zotero_url": url, "zotero_local_url": url, "zotero_api_key": "k3yk3yk3y"}
begun = time.process_time()
batch = ZoteroSource.open(place, Context(cache_dir=Path(cache), services=services)).read()
spent = time.process_time() - begun
peak = int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024  # getrusage would tell that of who started it
print(f"{spent:.2f} CPU s, peak {peak:.0f} MB, {len(batch.papers):,} papers")
"""


def filled(dialect: str, n_items: int) -> "tuple[FakeZotero, str]":
    """A Zotero with so many items, not yet served, and the key of one of them."""
    chance = random.Random(1)
    zotero = FakeZotero(dialect)
    zotero.add_key("k3yk3yk3y")
    library = zotero.library("users/1")
    shelves = [library.put_collection(f"Shelf {number}") for number in range(60)]
    key = ""
    for number in range(n_items):
        if number % 3 == 2:
            library.put_item(itemType="attachment", parentItem=key, title="Full Text PDF", linkMode="imported_url")
            continue
        key = library.put_item(
            title=sentence(chance, chance.randint(5, 14)),
            abstractNote=". ".join(sentence(chance, chance.randint(14, 26)) for _ in range(8)),
            date=f"May {chance.randint(1980, 2026)}",
            publicationTitle=chance.choice(JOURNALS),
            DOI=f"10.5555/made.up.{number}",
            url=f"https://example.org/papers/{number}",
            creators=[{"creatorType": "author", "firstName": chance.choice(GIVEN), "lastName": chance.choice(FAMILY)} for _ in range(3)],
            tags=[{"tag": sentence(chance, 1)}],
            collections=[chance.choice(shelves)],
        )
    return zotero, key


def measured(dialect: str, n_items: int) -> None:
    """Read a library thrice, and print what it took."""
    zotero, key = filled(dialect, n_items)
    with tempfile.TemporaryDirectory() as cache, zotero:
        for what in ("for the first time", "nothing changed", "one item changed"):
            if what == "one item changed":
                zotero.library("users/1").edit(key, title="Another title")
            zotero.requests.clear()
            reader = [sys.executable, "-W", "ignore", "-c", _READER, "web" if dialect == "web" else "local", zotero.url, cache]
            told = subprocess.run(reader, check=True, capture_output=True, text=True).stdout.strip()
            print(f"{dialect}, {n_items:,} items, {what}: {len(zotero.requests):,} requests, {told}", flush=True)


def main() -> None:
    """Measure both interfaces, or those that are named."""
    n_items = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    for dialect in sys.argv[2:] or ("web", "local10"):
        measured(dialect, n_items)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from bib_scale import FAMILY, GIVEN, JOURNALS, sentence

    from fakes.zotero import FakeZotero

    main()
