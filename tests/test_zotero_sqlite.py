"""A Zotero library from its database: whatever Zotero does meanwhile, what is read is whole, and its files are never touched."""

import contextlib
import hashlib
import os
import resource
import shutil
import sqlite3
import stat
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from fakes.zotero_database import SCHEMAS, ZoteroDatabase, held_by_zotero
from paperrec.errors import DiskError, NoInputError, SettingsError, WriteError
from paperrec.paper import Paper
from paperrec.ports import Batch, Context
from paperrec.testing import SourceContract
from paperrec_adapters.zotero_sqlite import ZoteroDatabaseSource
from paperrec_adapters.zotero_sqlite.items import collection_paths, read_items
from paperrec_adapters.zotero_sqlite.opening import opened


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for copies; at the end of each test nothing is left in it."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert [path.name for path in folder.glob("paperrec*")] == []


def read(rest: Path | str, **services: str) -> Batch:
    return ZoteroDatabaseSource.open(str(rest), Context(services=services)).read()


def titles(rest: Path | str) -> list[str]:
    return [paper.title for paper in read(rest).papers]


def told(rest: Path | str, **services: str) -> str:
    """The one line of the error that ends the reading."""
    with pytest.raises(NoInputError) as error:
        read(rest, **services)
    assert str(error.value).isprintable()
    return str(error.value)


def saved(folder: Path, schema: int = 129, *, seed: int = 1, **items: str) -> Path:
    """A database of articles: title by key."""
    folder.mkdir(parents=True, exist_ok=True)
    with ZoteroDatabase(folder, schema, seed=seed) as database:
        for key, title in items.items():
            database.item(key, title=title)
        return database.save()


def state(folder: Path) -> dict[str, tuple[int, str]]:
    """Time and content of all files, and which there are."""
    return {
        path.name: (path.stat().st_mtime_ns, hashlib.sha256(path.read_bytes()).hexdigest()) for path in folder.iterdir() if path.is_file()
    }


def items_of(path: Path) -> list[dict[str, Any]]:
    """What is read of the library of the user in the form of the web service."""
    with opened(path) as connection:
        library = connection.execute("SELECT libraryID FROM libraries WHERE type = 'user'").fetchone()[0]
        return read_items(connection, library, collection_paths(connection, library))


class TestZoteroDatabaseSource(SourceContract):
    @pytest.fixture(autouse=True)
    def place(self, tmp_path: Path) -> None:
        self.path = saved(tmp_path / "Zotero", AAAAAAAA="Walks of sheep", BBBBBBBB="On goats\x1b[31m")

    def make_source(self) -> ZoteroDatabaseSource:
        return ZoteroDatabaseSource.open(str(self.path), Context())


FULL: dict[str, Any] = {
    "title": "Walks of <i>sheep</i>",
    "abstractNote": "We follow sheep.",
    "date": "2024-05-00 May 2024",
    "publicationTitle": "Journal of Sheep",
    "DOI": "10.5555/Sheep.1",
    "url": "https://example.org/sheep",
    "extra": "arXiv:2405.00001 [cs.LG]",
    "accessDate": "2024-06-01 10:00:00",
}


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("schema", SCHEMAS)
def test_every_field_arrives_from_every_age_and_with_any_numbers(tmp_path: Path, schema: int, seed: int) -> None:
    with ZoteroDatabase(tmp_path, schema, seed=seed) as database:
        database.collection("CCCCCCC2", "PhD")
        database.collection("CCCCCCC3", "Ch 2", "CCCCCCC2")
        people = [("author", "Ann", "Doe"), ("editor", "Ed", "Itor"), ("author", None, "CERN"), ("author", "Bo", "Roe")]
        tags = ["sheep", ("cs.LG", 1)]
        database.item("KKKKKKK2", **FULL, creators=people, tags=tags, collections=["CCCCCCC3"], dateAdded="2024-06-02 23:59:59")
        path = database.save()
    paper = Paper(
        key="KKKKKKK2",
        title="Walks of sheep",
        abstract="We follow sheep.",
        authors=("Doe, Ann", "CERN", "Roe, Bo"),
        year=2024,
        venue="Journal of Sheep",
        doi="10.5555/sheep.1",
        arxiv_id="2405.00001",
        arxiv_class="cs.LG",
        url="https://example.org/sheep",
        keywords=("cs.LG", "sheep"),
        collections=("PhD/Ch 2",),
        added=date(2024, 6, 2),
    )
    assert read(path) == Batch((paper,))


def test_an_item_has_the_form_that_the_web_service_gives_it(tmp_path: Path) -> None:
    with ZoteroDatabase(tmp_path) as database:
        database.collection("CCCCCCC2", "PhD")
        people = [("author", "Ann", "Doe"), ("author", None, "CERN")]
        database.item("KKKKKKK2", **FULL, creators=people, tags=["b", ("a", 1)], collections=["CCCCCCC2"], version=12)
        path = database.save()
    (item,) = items_of(path)
    fields = FULL | {"date": "May 2024", "accessDate": "2024-06-01T10:00:00Z"}
    assert item == {
        "key": "KKKKKKK2",
        "version": 12,
        "meta": {"parsedDate": "2024-05"},
        "data": {
            "key": "KKKKKKK2",
            "version": 12,
            "itemType": "journalArticle",
            **fields,
            "creators": [
                {"creatorType": "author", "firstName": "Ann", "lastName": "Doe"},
                {"creatorType": "author", "name": "CERN"},
            ],
            "tags": [{"tag": "a", "type": 1}, {"tag": "b"}],
            "collections": ["CCCCCCC2"],
            "dateAdded": "2024-01-02T03:04:05Z",
            "dateModified": "2024-01-02T03:04:05Z",
        },
    }


def test_only_the_fields_that_are_wanted_are_read_by_whatever_name_a_type_calls_them(tmp_path: Path) -> None:
    with ZoteroDatabase(tmp_path) as database:
        database.item("KKKKKKK2", title="T", date="2024-05-00 May 2024", pages="1-9")
        database.item("KKKKKKK3", "case", caseName="C", dateDecided="1999-00-00 1999", court="High")
        path = database.save()
    with opened(path) as connection:
        article, case = read_items(connection, 1, {}, {"title", "date"})
    unfilled = {"version", "key", "itemType", "creators", "tags", "collections", "dateAdded", "dateModified"}
    assert {field: value for field, value in article["data"].items() if field not in unfilled} == {"title": "T", "date": "May 2024"}
    assert {field: value for field, value in case["data"].items() if field not in unfilled} == {
        "caseName": "C",
        "title": "C",
        "dateDecided": "1999",
        "date": "1999",
    }
    assert (article["meta"], case["meta"]) == ({"parsedDate": "2024-05"}, {"parsedDate": "1999"})


@pytest.mark.parametrize(
    ("stored", "text", "parsed"),
    [
        ("2024-05-07 7 May 2024", "7 May 2024", "2024-05-07"),
        ("2024-05-00 May 2024", "May 2024", "2024-05"),
        ("2024-00-00 2024", "2024", "2024"),
        ("0000-00-00 n.d.", "n.d.", ""),
        ("0000-05-00 May", "May", ""),
        ("2024-05-07 ", "2024-05-07", "2024-05-07"),
        ("2024-05-07", "2024-05-07", ""),
        ("2024-05-07 10:30", "2024-05-07 10:30", ""),
        ("in press", "in press", ""),
        ("2024-13-01 x", "2024-13-01 x", ""),
        (2024, "2024", ""),
    ],
)
def test_a_date_is_the_text_that_its_owner_wrote(tmp_path: Path, stored: object, text: str, parsed: str) -> None:
    with ZoteroDatabase(tmp_path) as database:
        database.item("KKKKKKK2", title="T", date=stored)
        database.item("KKKKKKK3", "patent", title="T", issueDate=stored, filingDate=stored)
        path = database.save()
    article, patent = items_of(path)
    meta = {"parsedDate": parsed} if parsed else {}
    assert (article["data"]["date"], article["meta"]) == (text, meta)
    assert (patent["data"]["issueDate"], patent["data"]["filingDate"], patent["meta"]) == (text, text, meta)


@pytest.mark.parametrize(
    ("kind", "fields", "title", "venue", "year"),
    [
        ("case", {"caseName": "Sheep v. Goat", "dateDecided": "1999-00-00 1999"}, "Sheep v. Goat", "", 1999),
        ("statute", {"nameOfAct": "Sheep Act", "dateEnacted": "1998-01-02 2.1.98"}, "Sheep Act", "", 1998),
        ("email", {"subject": "On sheep"}, "On sheep", "", None),
        ("conferencePaper", {"title": "T", "proceedingsTitle": "Proc. of Sheep"}, "T", "Proc. of Sheep", None),
        ("bookSection", {"title": "T", "bookTitle": "Book of Sheep"}, "T", "Book of Sheep", None),
        ("preprint", {"title": "T", "repository": "arXiv", "archiveID": "arXiv:2405.00001"}, "T", "arXiv", None),
    ],
)
def test_types_with_names_of_their_own_give_title_venue_and_year(
    tmp_path: Path, kind: str, fields: dict[str, Any], title: str, venue: str, year: int | None
) -> None:
    with ZoteroDatabase(tmp_path) as database:
        database.item("KKKKKKK2", kind, **fields)
        path = database.save()
    (paper,) = read(path).papers
    assert (paper.title, paper.venue, paper.year) == (title, venue, year)
    assert paper.arxiv_id == ("2405.00001" if kind == "preprint" else "")


def test_values_that_are_no_text_are_read_as_text(tmp_path: Path) -> None:
    with ZoteroDatabase(tmp_path) as database:
        database.item("KKKKKKK2", title=1984, abstractNote=b"Gr\xc3\xb6\xc3\x9fe of sheep", volume=2.5, pages=b"\xff\xfe\x00")
        database.item("KKKKKKK3", title="Both share", volume=2.5, abstractNote="a\0b")
        database.run("INSERT INTO itemData SELECT itemID, 1, NULL FROM items")
        path = database.save()
    first, second = items_of(path)
    assert (first["data"]["title"], first["data"]["abstractNote"], first["data"]["volume"]) == ("1984", "Größe of sheep", "2.5")
    assert (second["data"]["volume"], [paper.title for paper in read(path).papers]) == ("2.5", ["1984", "Both share"])


def test_what_points_to_nothing_costs_only_itself(tmp_path: Path) -> None:
    with ZoteroDatabase(tmp_path) as database:
        database.item("KKKKKKK2", title="T", creators=[("author", "Ann", "Doe")], tags=["x"])
        database.run("INSERT INTO itemData SELECT itemID, 9999, valueID FROM itemData")
        database.run("INSERT INTO itemCreators SELECT itemID, 77, 1, 5 FROM items")
        database.run("INSERT INTO itemTags SELECT itemID, 77, 0 FROM items")
        database.run("INSERT INTO collectionItems SELECT 77, itemID, 0 FROM items")
        database.run(
            "INSERT INTO items (itemID, itemTypeID, dateAdded, dateModified, libraryID, key) VALUES (5, 999, '', '', 1, 'KKKKKKK3')"
        )
        path = database.save()
    (paper,) = read(path).papers
    assert (paper.title, paper.authors, paper.keywords, paper.collections) == ("T", ("Doe, Ann",), ("x",), ())


def test_trash_notes_files_and_marks_are_no_papers(tmp_path: Path) -> None:
    with ZoteroDatabase(tmp_path) as database:
        database.item("KKKKKKK2", title="Kept")
        database.item("KKKKKKK3", title="Thrown away", trashed=True)
        for end, parent in (("2", "KKKKKKK2"), ("3", "KKKKKKK3"), ("4", "")):
            database.item(f"FFFFFFF{end}", "attachment", parent=parent, title="Full Text PDF")
            database.item(f"NNNNNNN{end}", "note", parent=parent)
        database.item("MMMMMMM2", "annotation", parent="FFFFFFF2")
        database.item("MMMMMMM3", "annotation", parent="FFFFFFF3")
        path = database.save()
    assert (titles(path), [item["key"] for item in items_of(path)]) == (["Kept"], ["KKKKKKK2"])


def test_trashed_collections_and_those_in_them_are_gone_but_their_papers_are_not(tmp_path: Path) -> None:
    with ZoteroDatabase(tmp_path) as database:
        database.collection("CCCCCCC2", "Kept")
        database.collection("CCCCCCC3", "Thrown away", trashed=True)
        database.collection("CCCCCCC4", "Inside", "CCCCCCC3")
        database.collection("CCCCCCC5", "Deep inside", "CCCCCCC4")
        database.collection("CCCCCCC6", "Loop")
        database.run("UPDATE collections SET parentCollectionID = collectionID WHERE key = 'CCCCCCC6'")
        database.collection("CCCCCCC7", "Orphan")
        database.run("UPDATE collections SET parentCollectionID = 77 WHERE key = 'CCCCCCC7'")
        database.item("KKKKKKK2", title="A", collections=[f"CCCCCCC{end}" for end in range(2, 8)])
        database.item("KKKKKKK3", title="B", collections=["CCCCCCC5"])
        path = database.save()
    assert [(paper.title, paper.collections) for paper in read(path).papers] == [("A", ("Kept", "Orphan")), ("B", ())]
    assert [item["data"]["collections"] for item in items_of(path)] == [["CCCCCCC2", "CCCCCCC7"], []]


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    """A database with the library of a user, of a group and of a feed, all with the same keys."""
    with ZoteroDatabase(tmp_path) as database:
        group, feed = database.group(555, "Lab of\x1b[31m sheep"), database.feed("News")
        database.collection("CCCCCCC2", "Of the group", library=group)
        database.item("KKKKKKK2", title="Mine")
        database.item("KKKKKKK2", title="The group's", library=group, collections=["CCCCCCC2"])
        database.item("KKKKKKK2", title="News", library=feed)
        database.run("INSERT INTO feedItems SELECT itemID, 'x', NULL FROM items JOIN libraries USING (libraryID) WHERE type = 'feed'")
        database.run("INSERT INTO settings VALUES ('account', 'userID', 4711)")
        return database.save()


def test_the_user_s_library_is_read_unless_a_group_is_named_and_feeds_never(shared: Path) -> None:
    assert (titles(shared), titles(f"{shared}?users/4711"), titles(f"{shared}?users/0")) == (["Mine"], ["Mine"], ["Mine"])
    (paper,) = read(f"{shared.parent}?groups/555").papers
    assert (paper.title, paper.collections) == ("The group's", ("Of the group",))


def test_a_library_that_is_not_there_is_told_with_those_that_are(shared: Path) -> None:
    assert "there are: groups/555 (Lab of sheep)" in told(f"{shared}?groups/5")
    assert "is of users/4711, not of users/5" in told(f"{shared}?users/5")


def test_a_user_cannot_be_named_in_what_was_never_synced(tmp_path: Path) -> None:
    path = saved(tmp_path, KKKKKKK2="T")
    assert "never synced" in told(f"{path}?users/5")
    assert "there are no groups" in told(f"{path}?groups/5")


@pytest.mark.parametrize("library", ["group/5", "groups/x", "groups/0", "groups/", "users", "feeds/1", "groups/٣", "library"])
def test_what_is_no_library_is_a_mistake_of_the_locator(library: str) -> None:
    with pytest.raises(SettingsError, match="is no library of Zotero"):
        ZoteroDatabaseSource.open(f"/x/zotero.sqlite?{library}", Context())


def test_a_question_mark_may_be_in_a_path(tmp_path: Path) -> None:
    path = saved(tmp_path / "Zotero? yes" / "users?", KKKKKKK2="T")
    assert titles(path) == titles(path.parent) == titles(f"{path.parent}?users/0") == ["T"]


def test_papers_come_in_the_order_of_keys_and_those_without_text_are_told(tmp_path: Path) -> None:
    with ZoteroDatabase(tmp_path) as database:
        for key in ("ZZZZZZZZ", "BBBBBBBB", "MMMMMMMM", "22222222"):
            database.item(key, title=f"T {key}")
        database.item("KKKKKKK2", url="https://example.org")
        database.item("KKKKKKK3", title=" \n")
        path = database.save()
    batch = read(path)
    assert [paper.key for paper in batch.papers] == ["22222222", "BBBBBBBB", "MMMMMMMM", "ZZZZZZZZ"]
    assert [(p.where, p.code, p.left_out) for p in batch.problems] == [
        ("zotero://select/library/items/KKKKKKK2", "no-text", True),
        ("zotero://select/library/items/KKKKKKK3", "no-text", True),
    ]


# What Zotero does meanwhile


def test_what_is_only_in_the_log_is_read(tmp_path: Path) -> None:
    with ZoteroDatabase(tmp_path, 129) as database:
        database.item("KKKKKKK2", title="T")
        path = database.save(merged=False)
    assert path.stat().st_size < 8192  # no tables at all are in the main file
    before = state(tmp_path)
    assert (titles(path), state(tmp_path)) == (["T"], before)


def test_a_change_that_is_not_complete_is_not_seen(tmp_path: Path) -> None:
    with ZoteroDatabase(tmp_path, 123) as database:
        for number in range(2000):
            database.item(f"K{number:07}", title=f"T {number}", abstractNote="sheep " * 20)
        path = database.save_in_transaction("UPDATE itemDataValues SET value = 'half ' || value")
    assert b"half T" in path.read_bytes()
    before = state(tmp_path)
    assert not [title for title in titles(path) if "half" in title]
    assert state(tmp_path) == before


@pytest.mark.parametrize("schema", SCHEMAS)
def test_a_database_that_zotero_holds_is_read_and_left_as_it_is(tmp_path: Path, schema: int) -> None:
    path = saved(tmp_path, schema, KKKKKKK2="Old")
    with held_by_zotero(path, ["UPDATE itemDataValues SET value = 'New'"]):
        before = state(tmp_path)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            sqlite3.connect(path, timeout=0).execute("SELECT count(*) FROM items")
        assert titles(path) == ["New"]
        assert state(tmp_path) == before
    assert not (tmp_path / "zotero.sqlite-shm").exists()


def test_a_stale_index_of_the_log_is_not_copied(tmp_path: Path) -> None:
    with ZoteroDatabase(tmp_path, 129) as database:
        database.item("KKKKKKK2", title="T")
        path = database.save(merged=False)
    Path(f"{path}-shm").write_bytes(b"\xff" * 32768)
    assert titles(path) == ["T"]


class Writer(threading.Thread):
    """Writes to a file again and again until it is told to stop, as often as it is told."""

    def __init__(self, path: Path, write: Callable[[Path], None], seconds: float) -> None:
        super().__init__()
        self._path, self._write, self._seconds = path, write, seconds
        self._done = threading.Event()

    def run(self) -> None:
        end = time.monotonic() + self._seconds
        while time.monotonic() < end and not self._done.wait(0.005):
            self._write(self._path)

    def __enter__(self) -> None:
        self.start()

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self.join()


def told_at_last(path: Path) -> str:
    """The error of one of some tries; on a busy machine a writer may pause, and then the reading is right."""
    for _ in range(20):
        try:
            assert titles(path) == ["T"]
        except NoInputError as error:
            return str(error)
    return ""


def test_a_file_that_changes_during_a_try_is_read_again_when_it_is_quiet(tmp_path: Path) -> None:
    path = saved(tmp_path, KKKKKKK2="T")
    with Writer(path, os.utime, 0.15):
        assert titles(path) == ["T"]


@pytest.mark.parametrize("suffix", ["", "-wal", "-journal"])
def test_a_file_that_never_stands_still_is_told(tmp_path: Path, suffix: str) -> None:
    path = saved(tmp_path, 123, KKKKKKK2="T")
    changing = Path(f"{path}{suffix}")
    changing.touch()
    with Writer(changing, os.utime, 30):
        assert "was being written at each of 3 tries" in told_at_last(path)


def test_a_log_that_comes_and_goes_is_told(tmp_path: Path) -> None:
    path = saved(tmp_path, 123, KKKKKKK2="T")

    def flicker(journal: Path) -> None:
        journal.unlink(missing_ok=True)
        journal.write_bytes(b"\0" * 512)

    with Writer(Path(f"{path}-journal"), flicker, 30):
        assert "was being written" in told_at_last(path)


def test_the_copy_is_private_and_gone_even_if_reading_fails(tmp_path: Path, temporary: Path) -> None:
    path = saved(tmp_path, KKKKKKK2="T")
    with opened(path):
        (folder,) = temporary.iterdir()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    with pytest.raises(KeyboardInterrupt), opened(path):
        raise KeyboardInterrupt
    assert list(temporary.iterdir()) == []


def test_what_a_killed_run_left_is_removed_and_what_a_living_one_uses_is_not(tmp_path: Path, temporary: Path) -> None:
    path = saved(tmp_path, KKKKKKK2="T")
    left, other = temporary / "paperrec-zotero-left", tmp_path / "other"
    for folder in (left, other):
        folder.mkdir()
        (folder / "zotero.sqlite").touch()
    link = temporary / "paperrec-zotero-link"
    link.symlink_to(other)
    with opened(path) as connection:
        assert not left.exists()
        assert titles(path) == ["T"]
        assert connection.execute("SELECT count(*) FROM items").fetchone() == (1,)
    assert (other / "zotero.sqlite").exists()
    link.unlink()


def test_a_temporary_folder_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = saved(tmp_path, KKKKKKK2="T")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
    with pytest.raises(WriteError, match="TMPDIR"):
        read(path)


def test_a_disk_that_fills_up_while_the_copy_is_written_is_told(tmp_path: Path) -> None:
    path = saved(tmp_path, KKKKKKK2="T")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        with pytest.raises(DiskError, match="TMPDIR"):
            read(path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_database_that_goes_away_and_comes_back_is_read(tmp_path: Path) -> None:
    path = saved(tmp_path, KKKKKKK2="T")
    aside = tmp_path / "aside"
    source = ZoteroDatabaseSource.open(str(path), Context())

    def swap(real: Path) -> None:
        real.rename(aside)
        time.sleep(0.02)
        aside.rename(real)

    with Writer(path, swap, 0.2):
        for _ in range(20):
            with contextlib.suppress(NoInputError):
                source.read()
    assert titles(path) == ["T"]


def test_a_database_without_room_for_its_copy_is_told_and_not_copied(tmp_path: Path, temporary: Path) -> None:
    path = saved(tmp_path, KKKKKKK2="T")
    room = shutil.disk_usage(temporary).free
    if room > 7_500_000_000:
        pytest.skip("this disk has room for the largest database that is read")
    os.truncate(path, room)
    with pytest.raises(DiskError, match="TMPDIR"):
        read(path)


def test_a_database_beyond_all_measure_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, KKKKKKK2="T")
    os.truncate(path, 8_000_000_001)
    assert "at most 8 GB" in told(path)


# What is no database of Zotero's


@pytest.mark.parametrize("data", [b"<!doctype html><title>Sign in</title>", b"\x89PNG", b"SQLite format 2", b"@article{a}"])
def test_a_file_of_another_kind_is_told(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "zotero.sqlite").write_bytes(data)
    assert "is no database of Zotero" in told(tmp_path)


def test_an_empty_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "zotero.sqlite").touch()
    assert "is empty" in told(tmp_path)


@pytest.mark.parametrize("rest", ["no such file", "~nobody-of-this-name/x", "a" * 5000, "a\0b", "a\x1b[31m", "\ud800"])
def test_what_is_no_file_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rest: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert "cannot be read" in told(rest)


def test_folders_and_pipes_are_told(tmp_path: Path) -> None:
    assert "is a folder without a zotero.sqlite" in told(tmp_path)
    os.mkfifo(tmp_path / "zotero.sqlite")
    assert "is no regular file" in told(tmp_path)
    (tmp_path / "zotero.sqlite").unlink()
    (tmp_path / "zotero.sqlite").mkdir()
    assert "is a folder" in told(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_rights_is_told(tmp_path: Path) -> None:
    path = saved(tmp_path, KKKKKKK2="T")
    path.chmod(0)
    assert "Permission denied" in told(path)


@pytest.mark.parametrize("cut", [100, 512, 4096, 20_000, -5000])
def test_a_database_that_was_cut_off_is_damaged_and_an_older_copy_named(tmp_path: Path, cut: int) -> None:
    path = saved(tmp_path, 123, KKKKKKK2="T")
    shutil.copyfile(path, f"{path}.bak")
    os.truncate(path, cut if cut > 0 else path.stat().st_size + cut)
    line = told(path)
    assert "is damaged" in line
    assert "zotero-sqlite:" + f"{path}.bak" in line
    assert titles(f"{path}.bak") == ["T"]


def test_a_database_with_garbage_in_it_is_damaged_or_read(tmp_path: Path) -> None:
    good = saved(tmp_path, 123, KKKKKKK2="T").read_bytes()
    path = tmp_path / "zotero.sqlite"
    n_damaged = 0
    for place in [16, *range(4096, len(good), 4096)]:  # where pages begin
        path.write_bytes(good[:place] + b"\xa5" * 400 + good[place + 400 :])
        os.utime(path, (1, 1))
        try:
            read(path)
        except NoInputError as error:
            n_damaged += "is damaged" in str(error)
    assert n_damaged  # and where nobody reads, garbage does no harm


def test_an_empty_library_is_told(tmp_path: Path) -> None:
    assert "holds no paper" in told(saved(tmp_path))


def test_another_program_s_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "zotero.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE places (x)")
    connection.close()
    assert "not Zotero's" in told(path)


@pytest.mark.parametrize(("schema", "line"), [(119, "old Zotero"), (76, "old Zotero")])
def test_an_old_schema_is_told(tmp_path: Path, schema: int, line: str) -> None:
    assert line in told(saved(tmp_path, schema, KKKKKKK2="T"))


@pytest.mark.parametrize("schema", [120, 124, 130, 999])
def test_an_unknown_schema_is_read_if_all_is_there(tmp_path: Path, schema: int) -> None:
    assert titles(saved(tmp_path, schema, KKKKKKK2="T")) == ["T"]


@pytest.mark.parametrize(
    ("change", "missing"),
    [
        ("ALTER TABLE items RENAME COLUMN libraryID TO shelfID", "items.libraryID"),
        ("ALTER TABLE itemData RENAME TO itemFacts", "itemData"),
        ("DROP TABLE deletedCollections", "deletedCollections"),
        ("ALTER TABLE tags RENAME COLUMN name TO label", "tags.name"),
    ],
)
def test_a_schema_that_lacks_what_is_read_is_told(tmp_path: Path, change: str, missing: str) -> None:
    for schema, what in ((130, "was made by a newer Zotero"), (129, "is incomplete")):
        with ZoteroDatabase(tmp_path / str(schema), schema) as database:
            database.run(change)
            path = database.save()
        line = told(path)
        assert what in line
        assert f"(schema {schema} without {missing})" in line


def test_a_view_in_the_place_of_a_table_is_not_run(tmp_path: Path) -> None:
    with ZoteroDatabase(tmp_path) as database:
        database.run("ALTER TABLE tags RENAME TO realTags")
        database.run("CREATE VIEW tags AS SELECT 1 AS tagID, hex(randomblob(900000000)) AS name")
        path = database.save()
    assert "without tags" in told(path)


# Where it is


def profile(home: Path, name: str, *lines: str, root: str = ".zotero/zotero") -> Path:
    folder = home / root / name
    folder.mkdir(parents=True)
    (folder / "prefs.js").write_text("// Mozilla User Preferences\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return folder


def chosen(folder: Path | str) -> tuple[str, str]:
    return 'user_pref("extensions.zotero.useDataDir", true);', f'user_pref("extensions.zotero.dataDir", "{folder}");'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.mark.parametrize("rest", ["", "auto", "?users/0", "auto?users/0"])
@pytest.mark.parametrize("root", [None, ".zotero/zotero", "Library/Application Support/Zotero/Profiles"])
def test_the_usual_folder_is_found(home: Path, rest: str, root: str | None) -> None:
    saved(home / "Zotero", KKKKKKK2="Usual")
    if root:
        profile(home, "x.default", 'user_pref("extensions.zotero.dataDir", "/nowhere");', root=root)  # useDataDir is off
    assert titles(rest) == ["Usual"]


@pytest.mark.parametrize("root", [".zotero/zotero", "Library/Application Support/Zotero/Profiles"])
def test_the_folder_that_the_user_chose_is_found_and_the_usual_one_left(home: Path, tmp_path: Path, root: str) -> None:
    saved(home / "Zotero", KKKKKKK2="Left behind")
    saved(tmp_path / "mine", KKKKKKK2="Chosen")
    profile(home, "x.default", *chosen(tmp_path / "mine"), root=root)
    assert titles("") == ["Chosen"]


@pytest.mark.parametrize(
    ("name", "literal"),
    [
        ('My "Zotero"', r'"{0}/My \"Zotero\""'),
        (r"back\slash", r'"{0}/back\\slash"'),
        ("Größe", '"{0}/Größe"'),
        ("Größe", r'"{0}/Gr\u00f6\xdfe"'),
        ("🐑", r'"{0}/\ud83d\udc11"'),
        ("tab\there", r'"{0}/tab\there"'),
        ("o'clock", r"'{0}/o\'clock'"),
        ("semi;colon); //", '"{0}/semi;colon); //"'),
    ],
)
def test_a_chosen_folder_is_unescaped(home: Path, tmp_path: Path, name: str, literal: str) -> None:
    saved(tmp_path / name, KKKKKKK2="Chosen")
    old = 'user_pref("extensions.zotero.dataDir", "/of/before");'
    profile(home, "x", old, chosen("")[0], f"user_pref('extensions.zotero.dataDir',  {literal.format(tmp_path)} );")
    assert titles("auto") == ["Chosen"]


def test_a_chosen_folder_that_is_gone_is_told_and_no_other_read(home: Path, tmp_path: Path) -> None:
    saved(home / "Zotero", KKKKKKK2="Left behind")
    profile(home, "x", *chosen(tmp_path / "unplugged"))
    line = told("")
    assert f"looked for {tmp_path}/unplugged/zotero.sqlite" in line
    assert "ZOTERO_DB_PATH" in line


def test_no_zotero_at_all_is_told_with_where_was_looked(home: Path) -> None:
    assert f"no Zotero library was found; looked for {home}/Zotero/zotero.sqlite" in told("auto")


def test_several_libraries_are_told_unless_one_is_zotero_s_own_choice(home: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        saved(tmp_path / name, KKKKKKK2=name)
        profile(home, f"x.{name}", *chosen(tmp_path / name))
    line = told("")
    assert "several Zotero libraries were found" in line
    assert f"{tmp_path}/two/zotero.sqlite" in line
    index = home / ".zotero/zotero/profiles.ini"
    index.write_text("[General]\nStartWithLastProfile=1\n[Profile0]\nPath=x.one\n[Profile1]\nPath=x.two\nDefault=1\n", encoding="utf-8")
    assert titles("") == ["two"]
    index.write_text("Path=%(x", encoding="utf-8")
    assert "several" in told("")


def test_profiles_with_the_same_folder_are_one_library(home: Path, tmp_path: Path) -> None:
    saved(tmp_path / "mine", KKKKKKK2="Mine")
    (tmp_path / "link").symlink_to("mine")
    profile(home, "x", *chosen(tmp_path / "mine"))
    profile(home, "y", *chosen(tmp_path / "link"))
    assert titles("") == ["Mine"]


def test_preferences_that_are_no_text_are_passed_over(home: Path) -> None:
    saved(home / "Zotero", KKKKKKK2="Usual")
    (profile(home, "x") / "prefs.js").write_bytes(b"\xff\xfe\x00" * 1000 + b'\nuser_pref("extensions.zotero.dataDir", "\\')
    assert titles("") == ["Usual"]


def test_a_path_that_was_set_comes_before_what_is_found_and_after_what_is_named(home: Path, tmp_path: Path) -> None:
    saved(home / "Zotero", KKKKKKK2="Found")
    for name in ("set", "named"):
        saved(tmp_path / name, KKKKKKK2=name)
    path = str(tmp_path / "set")
    assert [paper.title for paper in read("auto", zotero_db_path=path).papers] == ["set"]
    assert [paper.title for paper in read(tmp_path / "named", zotero_db_path=path).papers] == ["named"]
    assert "cannot be read" in told("", zotero_db_path=str(tmp_path / "nowhere"))


def test_the_log_lies_beside_the_file_that_a_link_leads_to(tmp_path: Path) -> None:
    with ZoteroDatabase(tmp_path / "real", 129) as database:
        database.item("KKKKKKK2", title="T")
        path = database.save(merged=False)
    (tmp_path / "link.sqlite").symlink_to(path)
    assert titles(tmp_path / "link.sqlite") == ["T"]
