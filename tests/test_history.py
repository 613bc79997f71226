"""What was recommended when and where, kept through kills, damage and newer versions."""

import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from paperrec.errors import BusyError, WriteError
from paperrec.history import History, only_run
from paperrec.paper import Paper, fingerprint
from paperrec.ports import Mark
from paperrec.recommendation import Feedback

NOW = datetime(2026, 3, 1, 6, 30, tzinfo=UTC)
SHEEP = Paper(key="s", title="Walks of sheep on slopes", abstract="We follow sheep.", authors=("Doe, Ann",), year=2021, doi="10.5555/s")
GOATS = Paper(key="g", title="Goats in the mountains of Crete", abstract="We count goats.")
PLACE = "zotero:users/1/collections/AAAA2222"
LIBRARY, OTHER = "zotero:users/1", "zotero:users/11"


def marks(folder: Path, run: str = "") -> list[Mark]:
    with History.opened(folder, NOW) as history:
        return list(history.marks(PLACE, run))


def test_marks_stand_after_the_run_and_the_last_one_of_each_paper_counts(tmp_path: Path) -> None:
    with History.opened(tmp_path, NOW, "sync") as history:
        history.note(PLACE, [Mark("a", "", "planned"), Mark("b", "KEY2", "planned")])
        history.note(PLACE, [Mark("a", "KEY1", "added", "{}")])
    assert marks(tmp_path) == [Mark("a", "KEY1", "added", "{}"), Mark("b", "KEY2", "planned")]


def test_marks_of_one_run_are_told_apart_from_later_ones(tmp_path: Path) -> None:
    with History.opened(tmp_path, NOW, "sync") as history:
        first = history.run
        history.note(PLACE, [Mark("a", "KEY1", "added")])
    with History.opened(tmp_path, NOW, "undo") as history:
        history.note(PLACE, [Mark("a", "KEY1", "undone")])
    assert marks(tmp_path, first) == [Mark("a", "KEY1", "added")]
    assert marks(tmp_path) == [Mark("a", "KEY1", "undone")]


def test_two_runs_of_one_second_have_two_names(tmp_path: Path) -> None:
    names = []
    for _ in range(3):
        with History.opened(tmp_path, NOW, "sync") as history:
            names.append(history.run)
    assert names == ["20260301-063000", "20260301-063000-2", "20260301-063000-3"]


def test_a_fact_is_kept_until_it_is_forgotten(tmp_path: Path) -> None:
    with History.opened(tmp_path, NOW, "sync") as history:
        history.set_fact("zotero:users/1", "collection:paperrec", "AAAA2222")
    with History.opened(tmp_path, NOW, "sync") as history:
        known = history.fact("zotero:users/1", "collection:paperrec")
        history.set_fact("zotero:users/1", "collection:paperrec", "")
        assert (known, history.fact("zotero:users/1", "collection:paperrec")) == ("AAAA2222", "")


def test_an_offered_paper_is_known_by_everything_but_its_abstract(tmp_path: Path) -> None:
    with History.opened(tmp_path, NOW, "sync") as history:
        history.offer([SHEEP, GOATS, SHEEP], LIBRARY)
    with History.opened(tmp_path, NOW) as history:
        offered = history.offered([LIBRARY])
    assert {fingerprint(p) for p in offered} == {fingerprint(SHEEP), fingerprint(GOATS)}
    assert {p.abstract for p in offered} == {""}


def test_an_offered_paper_without_a_title_of_its_own_is_known_by_its_abstract(tmp_path: Path) -> None:
    derived = replace(GOATS, title_derived=True)
    with History.opened(tmp_path, NOW, "sync") as history:
        history.offer([derived], LIBRARY)
        assert history.offered([LIBRARY]) == (derived,)


def test_what_a_run_took_back_may_be_offered_again(tmp_path: Path) -> None:
    with History.opened(tmp_path, NOW, "sync") as history:
        history.note(PLACE, [Mark(fingerprint(SHEEP), "KEY1", "added"), Mark(fingerprint(GOATS), "KEY2", "added")])
        history.offer([SHEEP, GOATS], LIBRARY)
    with History.opened(tmp_path, NOW, "undo") as history:
        history.note(PLACE, [Mark(fingerprint(SHEEP), "KEY1", "undone")])
        history.withdraw()
        assert [p.key for p in history.offered([LIBRARY])] == ["g"]


def test_a_paper_is_known_where_it_was_offered_and_where_it_was_offered_in_all_places(tmp_path: Path) -> None:
    with History.opened(tmp_path, NOW, "sync") as history:
        history.offer([SHEEP, GOATS], LIBRARY)
        history.offer([GOATS], OTHER)
        known = [[p.key for p in history.offered(places)] for places in ([LIBRARY], [OTHER], [LIBRARY, OTHER], [])]
    assert [sorted(keys) for keys in known] == [["g", "s"], ["g"], ["g"], []]


def test_what_was_taken_back_in_one_place_stays_known_in_another(tmp_path: Path) -> None:
    with History.opened(tmp_path, NOW, "undo") as history:
        history.offer([SHEEP], LIBRARY)
        history.offer([SHEEP], OTHER)
        history.note(PLACE, [Mark(fingerprint(SHEEP), "KEY1", "undone")])
        history.withdraw()
        assert (history.offered([LIBRARY]), [p.key for p in history.offered([OTHER])]) == ((), ["s"])


def test_what_the_first_form_of_the_file_knows_of_offers_counts_everywhere(tmp_path: Path) -> None:
    with History.opened(tmp_path, NOW, "sync") as history:
        history.note(PLACE, [Mark("a", "KEY1", "added")])
        history.offer([SHEEP], "")
    with sqlite3.connect(tmp_path / "history.sqlite") as db:
        db.executescript(
            "ALTER TABLE offered RENAME TO new;"
            " CREATE TABLE offered (fingerprint TEXT PRIMARY KEY, paper BLOB NOT NULL, run TEXT NOT NULL);"
            " INSERT INTO offered SELECT fingerprint, paper, run FROM new; DROP TABLE new; PRAGMA user_version = 1;"
        )
    db.close()
    with History.opened(tmp_path, NOW) as history:
        told = (history.note_on_opening, [p.key for p in history.offered([LIBRARY])], [p.key for p in history.offered([OTHER])])
    assert (told, marks(tmp_path)) == (("", ["s"], ["s"]), [Mark("a", "KEY1", "added")])


def test_the_last_word_on_a_paper_counts_whatever_order_the_words_come_in(tmp_path: Path) -> None:
    early = Feedback("a", relevant=False, at=NOW, paper=SHEEP)
    late = Feedback("a", relevant=True, at=NOW + timedelta(days=1), paper=SHEEP)
    for order in ([early, late], [late, early]):
        with History.opened(tmp_path, NOW, "sync") as history:
            for word in order:
                history.hear([word])
            assert history.feedback() == (late,)


def test_runs_are_told_with_what_still_stands_of_them(tmp_path: Path) -> None:
    with History.opened(tmp_path, NOW, "sync") as history:
        history.note(PLACE, [Mark("a", "KEY1", "added"), Mark("b", "KEY2", "filed")])
    with History.opened(tmp_path, NOW + timedelta(days=1), "undo") as history:
        history.note(PLACE, [Mark("a", "KEY1", "undone")])
        told = [(run.name, run.what, run.places) for run in history.runs()]
    assert told == [("20260302-063000", "undo", ()), ("20260301-063000", "sync", ((PLACE, 1),))]


def test_a_run_that_noted_nothing_is_not_told_of(tmp_path: Path) -> None:
    with History.opened(tmp_path, NOW, "sync") as history:
        assert history.runs() == ()


def test_old_marks_go_when_later_ones_have_replaced_them(tmp_path: Path) -> None:
    with History.opened(tmp_path, NOW, "sync") as history:
        history.note(PLACE, [Mark("a", "KEY1", "planned")])
        history.note(PLACE, [Mark("a", "KEY1", "added")])
    with History.opened(tmp_path, NOW + timedelta(days=500), "sync") as history:
        pass
    with sqlite3.connect(tmp_path / "history.sqlite") as db:
        assert db.execute("SELECT did FROM marks").fetchall() == [("added",)]
    db.close()


def test_files_are_for_the_owner_s_eyes_only(tmp_path: Path) -> None:
    folder = tmp_path / "state" / "paperrec"
    before = os.umask(0)
    try:
        with only_run(folder), History.opened(folder, NOW, "sync"):
            pass
    finally:
        os.umask(before)
    assert folder.stat().st_mode & 0o777 == 0o700
    assert {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()} == {"history.sqlite": 0o600, "run.lock": 0o600}


@pytest.mark.parametrize("damage", [b"", b"SQLite format 3\0 and then rubbish" * 50, b"<html>", b"\0" * 4096])
def test_a_damaged_history_is_set_aside_and_a_new_one_begun(tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "history.sqlite").write_bytes(damage)
    with History.opened(tmp_path, NOW, "sync") as history:
        note = history.note_on_opening
        history.note(PLACE, [Mark("a", "KEY1", "added")])
    kept = [path.name for path in tmp_path.iterdir() if "damaged" in path.name]
    assert kept == (["history.sqlite.damaged-20260301T063000Z"] if damage else [])
    assert ("is damaged" in note) == bool(damage)
    assert marks(tmp_path) == [Mark("a", "KEY1", "added")]


def test_each_flipped_byte_of_the_first_pages_ends_in_a_history_that_works(tmp_path: Path) -> None:
    with History.opened(tmp_path, NOW, "sync") as history:
        history.note(PLACE, [Mark("a", "KEY1", "added")])
    whole = (tmp_path / "history.sqlite").read_bytes()
    for place in range(0, len(whole), 61):
        (tmp_path / "history.sqlite").write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            with History.opened(tmp_path, NOW + timedelta(seconds=place), "sync") as history:
                history.note(PLACE, [Mark("b", "KEY2", "added")])
                assert Mark("b", "KEY2", "added") in history.marks(PLACE)
        except WriteError as error:
            assert "move it away" in str(error)  # noqa: PT017 - either of the two is right


def test_a_history_of_a_newer_paperrec_is_set_aside(tmp_path: Path) -> None:
    with History.opened(tmp_path, NOW, "sync"):
        pass
    with sqlite3.connect(tmp_path / "history.sqlite") as db:
        db.execute("PRAGMA user_version = 99")
    db.close()
    with History.opened(tmp_path, NOW) as history:
        assert "newer paperrec (version 99)" in history.note_on_opening


def test_a_database_of_another_program_is_set_aside_unharmed(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "history.sqlite") as db:
        db.execute("CREATE TABLE mine (x)")
    db.close()
    foreign = (tmp_path / "history.sqlite").read_bytes()
    with History.opened(tmp_path, NOW) as history:
        assert "is not a history of paperrec" in history.note_on_opening
    assert (tmp_path / "history.sqlite.damaged-20260301T063000Z").read_bytes() == foreign


def test_a_second_run_ends_at_once(tmp_path: Path) -> None:
    with only_run(tmp_path), pytest.raises(BusyError), only_run(tmp_path):
        pass
    with only_run(tmp_path):
        pass


def test_a_killed_run_leaves_the_lock_free_and_its_last_mark_written(tmp_path: Path) -> None:
    code = f"""
from datetime import UTC, datetime
from pathlib import Path
from paperrec.history import History, only_run
from paperrec.ports import Mark
folder = Path({str(tmp_path)!r})
with only_run(folder), History.opened(folder, datetime(2026, 3, 1, 6, 30, tzinfo=UTC), "sync") as history:
    history.note({PLACE!r}, [Mark("a", "KEY1", "planned")])
    print("noted", flush=True)
    input()
"""
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        assert run.stdout
        assert run.stdout.readline() == b"noted\n"
        run.send_signal(signal.SIGKILL)
        run.wait()
    with only_run(tmp_path):
        assert marks(tmp_path) == [Mark("a", "KEY1", "planned")]


def test_a_folder_that_cannot_be_made_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(WriteError, match="PAPERREC_STATE_DIR"), only_run(tmp_path / "file" / "state"):
        pass
