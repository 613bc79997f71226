"""How long a large database of Zotero takes to read: python tests/tools/zotero_scale.py [ITEMS]

Makes a database of made-up papers, the same at every run, each with a file, the last change still in the -wal, reads it,
and prints papers, CPU seconds and the peak of memory of a process that does only this.
"""

import random
import subprocess
import sys
import tempfile
from pathlib import Path

_READER = """
import resource, sys, time
from paperrec.ports import Context
from paperrec_adapters.zotero_sqlite import ZoteroDatabaseSource
from paperrec_adapters.zotero_sqlite.items import collection_paths, read_items
from paperrec_adapters.zotero_sqlite.opening import opened
from pathlib import Path

def shown(what, begun):
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what}: {time.process_time() - begun:.2f} CPU s, peak {peak:.0f} MB", flush=True)

begun = time.process_time()
with opened(Path(sys.argv[1])) as connection:
    shown("copied, opened and checked", begun)
    begun = time.process_time()
    items = read_items(connection, 1, collection_paths(connection, 1))
shown(f"{len(items):,} items of JSON", begun)
del items
begun = time.process_time()
batch = ZoteroDatabaseSource.open(sys.argv[1], Context()).read()
shown(f"all in all: {len(batch.papers):,} papers", begun)
"""


def main() -> None:
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from bib_scale import FAMILY, GIVEN, JOURNALS, sentence

    from fakes.zotero.library import ALPHABET
    from fakes.zotero_database import ZoteroDatabase

    n_items = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    chance = random.Random(1)
    keys = ["".join(chance.choices(ALPHABET, k=8)) for _ in range(2 * n_items)]
    with tempfile.TemporaryDirectory() as folder, ZoteroDatabase(Path(folder)) as database:
        shelves = keys[:60]
        for at, key in enumerate(shelves):
            database.collection(key, f"Shelf {at}", shelves[at // 3] if at else "")
        for number, key in enumerate(keys[:n_items]):
            year = chance.randint(1980, 2026)
            database.item(
                key,
                title=sentence(chance, chance.randint(5, 14)),
                abstractNote=". ".join(sentence(chance, chance.randint(14, 26)) for _ in range(8)),
                date=f"{year}-05-00 May {year}",
                publicationTitle=chance.choice(JOURNALS),
                volume=str(chance.randint(1, 90)),
                issue=str(chance.randint(1, 12)),
                pages=f"{chance.randint(1, 400)}-{chance.randint(401, 800)}",
                DOI=f"10.5555/made.up.{number}",
                url=f"https://example.org/papers/{number}",
                accessDate="2024-06-01 10:00:00",
                libraryCatalog="Made up",
                language="en",
                ISSN=f"{chance.randint(1000, 9999)}-{chance.randint(1000, 9999)}",
                creators=[("author", chance.choice(GIVEN), chance.choice(FAMILY)) for _ in range(chance.randint(1, 6))],
                tags=list({sentence(chance, 1) for _ in range(chance.randint(0, 5))}),
                collections=[chance.choice(shelves)],
            )
            database.item(keys[n_items + number], "attachment", parent=key, title="Full Text PDF")
        database.save()
        database.run("UPDATE items SET version = version + 1")
        path = database.save(merged=False)
        n_bytes = sum(file.stat().st_size for file in path.parent.glob(f"{path.name}*"))
        print(f"{n_items:,} papers and as many files, {n_bytes / 1e6:.0f} MB", flush=True)
        subprocess.run([sys.executable, "-c", _READER, str(path)], check=True)


if __name__ == "__main__":
    main()
