"""What the scripts share that kill and disturb syncs: a library to write to, a sync in a fork, and a look at what came of it."""

import contextlib
import hashlib
import io
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

# Before numpy: a fork of a process that has run threads of its own may wait for them for ever
os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
sys.path.insert(0, str(Path(__file__).parents[1]))

from fakes.papers import paper_on
from fakes.zotero import FakeZotero, Fault, Request
from paperrec.cli.app import run
from paperrec.history import History
from paperrec_adapters.web import Policy

__all__ = ["KEY", "NEW", "Desk", "Fault", "Request", "quick"]

KEY = "c4n4ryK3yOfTh3Sync9Zq7Wx"
NEW = [paper_on("graphs", seed, key=f"arxiv:2601.0000{seed}v1") for seed in range(1, 7)]
OWNED = paper_on("graphs", 7, key="x:owned")
OTHERS = [paper_on("graphs", 100 + seed) for seed in range(8)]
_PATIENCE = 2.0  # seconds for requests that a sync may not make
_TIMES = Policy.__init__.__defaults__ or ()


@dataclass(frozen=True, slots=True)
class Desk:
    """One user's folder and Zotero.

    Parameters
    ----------
    folder
        Empty: gets a library, candidates and, by and by, state and cache.
    own
        Whether Zotero is the library too; else a .bib is.
    """

    folder: Path
    zotero: FakeZotero
    own: bool = False

    @classmethod
    @contextlib.contextmanager
    def laid(cls, folder: Path, dialect: str = "web", *, own: bool = False) -> "Iterator[Desk]":
        """A desk before the first sync, its Zotero served as long as the block runs."""
        with FakeZotero(dialect) as zotero:
            zotero.add_key(KEY)
            zotero.add_local_key(KEY)
            desk = cls(folder, zotero, own)
            library = zotero.library("users/1")
            for paper in (OWNED, *OTHERS):
                library.put_item(title=paper.title, abstractNote=paper.abstract, date="2020")
            entries = (f"@article{{o{n}, title={{{p.title}}}, abstract={{{p.abstract}}}, year=2020}}" for n, p in enumerate(OTHERS))
            (folder / "mine.bib").write_text("\n".join(entries), encoding="utf-8")
            desk.offer(len(NEW))
            yield desk

    def offer(self, n_new: int) -> None:
        """Let there be this many new works among the candidates, the first of them in two records."""
        papers = [*NEW[:n_new], OWNED]
        records = [{"id": p.key, "title": p.title, "abstract": p.abstract} for p in papers]
        records.append({**records[0], "id": records[0]["id"].replace("v1", "v2"), "title": records[0]["title"].upper()})
        (self.folder / "new.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")

    @property
    def owned(self) -> str:
        """The key of the candidate that the library has had from the beginning."""
        return next(key for key, item in self.zotero.library("users/1").items.items() if item.data.get("title") == OWNED.title)

    @property
    def said(self) -> bytes:
        """What the last sync wrote to stdout and stderr."""
        return (self.folder / "said").read_bytes()

    def start(self, *options: str) -> int:
        """Start a sync in a process of its own; its number."""
        sys.stdout.flush()
        if child := os.fork():
            return child
        code = 99
        try:
            said = os.open(self.folder / "said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(said, 1)
            os.dup2(said, 2)
            code = self._run(options)
        finally:
            os._exit(code)

    def sync(self, *options: str) -> int:
        """A whole sync; its exit code, negative if a signal ended it."""
        return os.waitstatus_to_exitcode(os.waitpid(self.start(*options), 0)[1])

    def kill(self, seconds: float, n_answers: int = 0) -> None:
        """Start a sync, and kill it a time after so many of its requests were answered."""
        child = self.start()
        patience = time.perf_counter() + _PATIENCE
        while len(self.zotero.requests) < n_answers and time.perf_counter() < patience:
            time.sleep(0.0005)
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)

    def warm_up(self) -> None:
        """Run one sync in this process, so that no fork has to import anything."""
        handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
        with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(out):
            code = self._run(("--debug",))
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if code:
            raise AssertionError(f"the first sync ends with {code}: {out.getvalue()}")

    def _run(self, options: Sequence[str]) -> int:
        for name in [name for name in os.environ if name.startswith(("PAPERREC", "XDG", "ZOTERO"))]:
            del os.environ[name]
        local = self.zotero.state.dialect != "web"
        os.environ |= {
            "HOME": str(self.folder),
            "PAPERREC_STATE_DIR": str(self.folder / "state"),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "PAPERREC_ZOTERO_LOCAL_URL" if local else "PAPERREC_ZOTERO_URL": self.zotero.url,
            "ZOTERO_LOCAL_KEY" if local else "ZOTERO_API_KEY": KEY,
        }
        library = [] if self.own else ["--bib", str(self.folder / "mine.bib")]
        return run(["sync", *library, "--zotero", "local" if local else "web", str(self.folder / "new.jsonl"), "--notes", *options])

    def wrong(self) -> Counter[str]:
        """What is wrong with the library: works lost, works or notes or collections doubled, the changes of others lost."""
        library = self.zotero.library("users/1")
        items = {key: item.data for key, item in library.items.items()}
        n_notes = Counter(item["parentItem"] for item in items.values() if item["itemType"] == "note")
        found: Counter[str] = Counter(lost=0, doubled=max(0, len(library.collections) - 1))
        found["doubled"] += sum(n > 1 for n in n_notes.values())
        for paper in (*NEW, OWNED):
            same = [key for key, item in items.items() if item.get("title", "").casefold() == paper.title.casefold()]
            filed = [key for key in same if items[key]["collections"] and not items[key].get("deleted")]
            found["doubled"] += len(same) > 1
            found["lost"] += not filed and not (self.own and paper is OWNED)
            found["without note"] += paper is not OWNED and bool(filed) and not n_notes[filed[0]]
        return found

    def left(self) -> list[str]:
        """Files in state and cache that have no business there, or are torn."""
        found = []
        for path in [p for name in ("state", "cache") for p in (self.folder / name).rglob("*") if p.is_file()]:
            if path.suffix == ".bin":
                data = path.read_bytes()
                if hashlib.sha256(data[32:]).digest() != data[:32]:
                    found.append(f"torn {path.name}")
            elif path.name not in ("history.sqlite", "run.lock"):
                found.append(path.name)
        with History.opened(self.folder / "state", datetime.now(UTC)) as history:
            return [*found, *([history.note_on_opening] if history.note_on_opening else [])]


def quick(read_seconds: float = _TIMES[1]) -> None:
    """Let no sync of this process and its forks wait for long."""
    connect_seconds, _, total_seconds, _, tries, _, *sizes = _TIMES
    most_wait_seconds, pause_seconds = 0.005, 0.001
    Policy.__init__.__defaults__ = (connect_seconds, read_seconds, total_seconds, most_wait_seconds, tries, pause_seconds, *sizes)
