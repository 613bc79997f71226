"""What was recommended when and where, and what became of it: one SQLite file that can be lost without harm."""

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from paperrec.history.database import connect, make_folder, told
from paperrec.paper import Paper, fingerprint
from paperrec.ports import Mark
from paperrec.recommendation import Feedback

_FILE = "history.sqlite"
_KEPT = timedelta(days=400)  # that marks which later ones replaced are kept, for the sake of undoing


@dataclass(frozen=True, slots=True)
class Run:
    """A run that wrote, or meant to."""

    name: str
    started: datetime
    what: str  # the command, "sync"
    places: tuple[tuple[str, int], ...] = ()  # place, and how many papers it brought there that were not taken back


@dataclass(slots=True)
class History:
    """The history, open; a `Journal` for the run that is going on.

    Attributes
    ----------
    run
        Name of the run that is going on; "" if this is only to look.
    note_on_opening
        What the user should know of the file's state; "" if nothing.
    """

    path: Path
    run: str
    note_on_opening: str = ""
    _db: sqlite3.Connection = field(default_factory=lambda: sqlite3.connect(":memory:"), repr=False)

    @classmethod
    @contextlib.contextmanager
    def opened(cls, folder: Path, now: datetime, what: str = "") -> "Iterator[History]":
        """The history in a folder; a damaged one, or one of a newer paperrec, is set aside and a new one begun.

        Parameters
        ----------
        what
            The command that writes; "" only looks.

        Raises
        ------
        WriteError, DiskError, BusyError
            It cannot be opened or made.
        """
        make_folder(folder)
        path = folder / _FILE
        with told(path):
            db, note = connect(path, now)
        try:
            history = cls(path, "", note, db)
            if what:
                history._begin(now, what)
            yield history
        finally:
            db.close()

    def _begin(self, now: datetime, what: str) -> None:
        with self._writing() as db:
            stem = now.astimezone(UTC).strftime("%Y%m%d-%H%M%S")
            taken = {name for (name,) in db.execute("SELECT name FROM runs WHERE name LIKE ?", (stem + "%",))}
            self.run = next(name for n in range(len(taken) + 1) if (name := f"{stem}-{n + 1}" if n else stem) not in taken)
            db.execute("INSERT INTO runs VALUES (?, ?, ?)", (self.run, now.astimezone(UTC).isoformat(), what))
            old = (now.astimezone(UTC) - _KEPT).isoformat()
            db.execute(
                "DELETE FROM marks WHERE run IN (SELECT name FROM runs WHERE started < ?)"
                " AND id NOT IN (SELECT max(id) FROM marks GROUP BY place, fingerprint)",
                (old,),
            )
            db.execute("DELETE FROM runs WHERE started < ? AND name NOT IN (SELECT run FROM marks)", (old,))

    # ------------------------------------------------------------------ as a journal

    def note(self, place: str, marks: Sequence[Mark]) -> None:
        """Put marks of this run down, all of them or none."""
        with self._writing() as db:
            db.executemany(
                "INSERT INTO marks (run, place, fingerprint, key, did, detail) VALUES (?, ?, ?, ?, ?, ?)",
                [(self.run, place, mark.fingerprint, mark.key, mark.did, mark.detail) for mark in marks],
            )

    def marks(self, place: str, run: str = "") -> Sequence[Mark]:
        """The last mark of each paper in a place, by fingerprint; of one run only, if it is named."""
        with told(self.path):
            rows = self._db.execute(
                "SELECT fingerprint, key, did, detail FROM marks WHERE id IN"
                " (SELECT max(id) FROM marks WHERE place = ? AND ? IN ('', run) GROUP BY fingerprint) ORDER BY fingerprint",
                (place, run),
            ).fetchall()
        return [Mark(*row) for row in rows]

    def fact(self, place: str, name: str) -> str:
        """A small thing to know at the next run; "" if it is not known."""
        with told(self.path):
            row = self._db.execute("SELECT value FROM facts WHERE place = ? AND name = ?", (place, name)).fetchone()
        return str(row[0]) if row else ""

    def set_fact(self, place: str, name: str, value: str) -> None:
        """Keep a small thing for the next run; "" forgets it."""
        with self._writing() as db:
            if value:
                db.execute("INSERT OR REPLACE INTO facts VALUES (?, ?, ?)", (place, name, value))
            else:
                db.execute("DELETE FROM facts WHERE place = ? AND name = ?", (place, name))

    # ------------------------------------------------------------------ what was offered, and what was said to it

    def offer(self, papers: Sequence[Paper], place: str) -> None:
        """Remember papers that stand in a place for the user to read; abstracts only of those that have no title of their own.

        The names of places begin as they do in marks, and may be shorter: a library may stand for all its collections.
        """
        rows = [(place, fingerprint(p), msgspec.json.encode(p if p.title_derived else replace(p, abstract="")), self.run) for p in papers]
        with self._writing() as db:
            db.executemany("INSERT OR IGNORE INTO offered VALUES (?, ?, ?, ?)", rows)

    def withdraw(self) -> None:
        """Forget the offers that this run took back: they may be made again."""
        with self._writing() as db:
            db.execute(
                "DELETE FROM offered WHERE EXISTS (SELECT 1 FROM marks WHERE run = ? AND did = 'undone' AND marks.fingerprint ="
                " offered.fingerprint AND (offered.place = '' OR marks.place = offered.place"
                " OR substr(marks.place, 1, length(offered.place) + 1) = offered.place || '/'))",
                (self.run,),
            )

    def offered(self, places: Sequence[str]) -> tuple[Paper, ...]:
        """Every paper that was offered in all of these places, in the order of fingerprints; none if there is no place."""
        with told(self.path):
            rows = self._db.execute("SELECT fingerprint, place, paper FROM offered ORDER BY fingerprint").fetchall()
            known: dict[str, dict[str, bytes]] = {}
            for name, place, paper in rows:
                known.setdefault(name, {})[place] = paper
            everywhere = (seen for seen in known.values() if places and all(place in seen or "" in seen for place in places))
            return tuple(msgspec.json.decode(next(iter(seen.values())), type=Paper) for seen in everywhere)

    def hear(self, feedback: Sequence[Feedback]) -> None:
        """Remember what the user said to papers; the last word on each counts."""
        rows = [
            (word.fingerprint, int(word.relevant), word.at.astimezone(UTC).isoformat(), msgspec.json.encode(word.paper))
            for word in feedback
        ]
        with self._writing() as db:
            db.executemany(
                "INSERT INTO feedback VALUES (?, ?, ?, ?) ON CONFLICT (fingerprint) DO UPDATE SET"
                " relevant = excluded.relevant, at = excluded.at, paper = excluded.paper WHERE excluded.at >= at",
                rows,
            )

    def feedback(self) -> tuple[Feedback, ...]:
        """The user's last word on each paper, in the order of fingerprints."""
        with told(self.path):
            rows = self._db.execute("SELECT fingerprint, relevant, at, paper FROM feedback ORDER BY fingerprint").fetchall()
            return tuple(
                Feedback(name, bool(relevant), datetime.fromisoformat(at), msgspec.json.decode(paper, type=Paper | None))
                for name, relevant, at, paper in rows
            )

    # ------------------------------------------------------------------ for people

    def runs(self) -> tuple[Run, ...]:
        """The runs that put something somewhere, the last first."""
        with told(self.path):
            rows = self._db.execute("SELECT name, started, what FROM runs ORDER BY started DESC, name DESC").fetchall()
            counts = self._db.execute(
                "SELECT run, place, count(*) FROM marks AS mark WHERE did IN ('added', 'filed') AND NOT EXISTS"
                " (SELECT 1 FROM marks AS later WHERE later.place = mark.place AND later.fingerprint = mark.fingerprint"
                " AND later.id > mark.id AND later.did = 'undone') GROUP BY run, place ORDER BY place"
            ).fetchall()
            planned = {run for (run,) in self._db.execute("SELECT DISTINCT run FROM marks")}
            return tuple(
                Run(name, datetime.fromisoformat(started), what, tuple((place, n) for run, place, n in counts if run == name))
                for name, started, what in rows
                if name in planned
            )

    def places(self, run: str) -> tuple[str, ...]:
        """The places that a run put marks on."""
        with told(self.path):
            rows = self._db.execute("SELECT DISTINCT place FROM marks WHERE run = ? ORDER BY place", (run,)).fetchall()
        return tuple(place for (place,) in rows)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: on the disk when the block ends, or not at all."""
        with told(self.path):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
