"""Kill runs that add to a .bib file at random moments, and look at what is left: kill_writer.py [N]

Each time: a file of the user's, a run that is killed with SIGKILL, a look (old bytes or new ones, never a mix), a run that is left alone,
and a look again (every entry once, no unfinished file left).
"""

import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

from paperrec.paper import Paper
from paperrec.ports import Context
from paperrec.recommendation import Recommendation
from paperrec_adapters.bibtex.sink import BibtexSink

USER = "% mine\n@article{a, title={Kept}, note={odd   spacing}}\n@string{x = {y}}\n" * 40
PAPERS = [Recommendation(Paper(key=str(n), title=f"Paper number {n} of {n * n}", abstract="Words. " * 60), 1.0, n) for n in range(1, 21)]


def run(path: Path) -> None:
    BibtexSink.open(str(path), Context()).write(PAPERS)


def forked(path: Path) -> int:
    """The process that does one run."""
    child = os.fork()
    if not child:
        run(path)
        os._exit(0)
    return child


def main(count: int) -> int:
    folder = Path(tempfile.mkdtemp())
    path = folder / "mine.bib"
    path.write_text(USER, encoding="utf-8")
    run(path)
    new = path.read_bytes()
    old = USER.encode()
    start = time.perf_counter()
    for _ in range(10):
        path.write_bytes(old)
        os.waitpid(forked(path), 0)
    whole = (time.perf_counter() - start) / 10
    chance = random.Random(1)
    torn = doubled = left = landed_old = 0
    for _ in range(count):
        path.write_bytes(old)
        child = forked(path)
        time.sleep(chance.uniform(0, 1.1 * whole))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        found = path.read_bytes()
        landed_old += found == old
        torn += found not in (old, new)
        run(path)
        doubled += path.read_bytes() != new
        left += len(list(folder.iterdir())) - 1
    print(f"{count} kills in a run of {whole * 1000:.0f} ms ({landed_old} left the old file, {count - landed_old - torn} the new one):")
    print(f"torn files {torn}, lost or doubled entries {doubled}, unfinished files left {left}")
    return 1 if torn or doubled or left else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))
