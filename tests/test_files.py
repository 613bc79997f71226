"""Files are replaced whole or not at all, and read in bounds."""

import io
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from paperrec.errors import BusyError, DiskError, NoInputError, WriteError
from paperrec.files import ChangedError, clean_up, exclusive, input_path, read_regular, replace_file, standard_input


def test_new_content_takes_the_place_of_the_old(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    replace_file(path, b"one")
    replace_file(path, b"two")
    assert path.read_bytes() == b"two"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_a_new_file_gets_the_mode_of_the_umask_and_an_old_one_keeps_its_own(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    old_mask = os.umask(0o027)
    try:
        replace_file(path, b"one")
        assert path.stat().st_mode & 0o777 == 0o640
        path.chmod(0o604)
        replace_file(path, b"two")
        assert path.stat().st_mode & 0o777 == 0o604
    finally:
        os.umask(old_mask)


def test_a_link_to_a_file_and_a_link_to_nothing_are_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    for content in (b"one", b"two"):
        replace_file(tmp_path / "link", content)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "real").read_bytes() == content


def test_a_name_of_255_bytes_works(tmp_path: Path) -> None:
    path = tmp_path / ("x" * 255)
    replace_file(path, b"one")
    assert path.read_bytes() == b"one"


def test_a_file_with_two_names_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"one")
    (tmp_path / "b").hardlink_to(tmp_path / "a")
    with pytest.raises(WriteError, match="hard links"):
        replace_file(tmp_path / "a", b"two")
    assert (tmp_path / "b").read_bytes() == b"one"


@pytest.mark.parametrize(
    ("place", "told"), [("", "is a folder"), ("no/such/place", "its folder does not exist"), ("file/below", "Not a directory")]
)
def test_places_that_cannot_be_written_are_told(tmp_path: Path, place: str, told: str) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(WriteError, match=told):
        replace_file(tmp_path / place, b"x")


def test_a_file_that_changed_meanwhile_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"theirs")
    with pytest.raises(ChangedError):
        replace_file(path, b"ours", expected=b"old")
    assert path.read_bytes() == b"theirs"
    replace_file(path, b"ours", expected=b"theirs")
    assert path.read_bytes() == b"ours"


def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        with pytest.raises(DiskError, match="nothing was changed"):
            replace_file(path, b"x" * 5000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_what_a_killed_run_left_is_cleaned_and_what_a_living_one_writes_is_not(tmp_path: Path) -> None:
    code = (
        "import fcntl, os, sys, tempfile, time\n"
        "handle, name = tempfile.mkstemp(prefix='.paperrec-', suffix='.tmp', dir=sys.argv[1])\n"
        "fcntl.flock(handle, fcntl.LOCK_EX)\nprint(name, flush=True)\ntime.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout
        name = Path(run.stdout.readline().strip())
        clean_up(tmp_path)
        assert name.exists()
        run.kill()
        run.wait()
        clean_up(tmp_path)
        assert not name.exists()


APPENDING = """
import sys
from pathlib import Path
from paperrec.files import exclusive, replace_file
path = Path(sys.argv[1])
for _ in range(25):
    with exclusive(path):
        old = path.read_bytes() if path.exists() else b""
        replace_file(path, old + sys.argv[2].encode() + b" ", expected=old)
"""


def test_two_runs_at_once_lose_nothing_of_each_other(tmp_path: Path) -> None:
    path = tmp_path / "a"
    runs = [subprocess.Popen([sys.executable, "-c", APPENDING, str(path), word]) for word in "ab"]
    assert [run.wait() for run in runs] == [0, 0]
    assert sorted(path.read_bytes().split()) == [b"a"] * 25 + [b"b"] * 25


def test_reading_is_bounded_and_never_waits(tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(b"x" * 100)
    os.mkfifo(tmp_path / "pipe")
    assert read_regular(tmp_path / "big", 100) == b"x" * 100
    for place, told in (
        ("big", "at most"),
        ("pipe", "no regular file"),
        ("", "a folder"),
        ("gone", "No such file"),
        ("a\0b", "cannot be read"),
    ):
        with pytest.raises(NoInputError, match=told):
            read_regular(tmp_path / place, 99)


def test_a_link_is_followed_when_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    (tmp_path / "link").symlink_to("a")
    assert read_regular(tmp_path / "link", 5) == b"12345"


@pytest.mark.parametrize("path", ["/dev/zero", "/dev/null", "/", "x" * 300])
def test_what_is_no_file_is_refused_in_one_line(path: str) -> None:
    with pytest.raises(NoInputError) as refused:
        read_regular(Path(path), 100)
    assert "\n" not in str(refused.value)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
def test_a_file_that_claims_to_be_empty_is_read_in_bounds_too() -> None:
    with pytest.raises(NoInputError, match="has more than"):
        read_regular(Path("/proc/self/status"), 10)


@pytest.mark.parametrize("path", ["/dev/null", "a\0b", "x" * 256])
def test_names_that_no_file_of_ours_can_have_are_told(tmp_path: Path, path: str) -> None:
    with pytest.raises(WriteError) as refused:
        replace_file(tmp_path / path, b"new")
    assert "\n" not in str(refused.value)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_an_old_file_keeps_its_owner(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    os.chown(tmp_path / "a", 12345, 12346)
    replace_file(tmp_path / "a", b"new")
    assert ((tmp_path / "a").stat().st_uid, (tmp_path / "a").stat().st_gid) == (12345, 12346)


@pytest.mark.parametrize(("found", "expected"), [(b"theirs", b""), (None, b"old")])
def test_a_file_that_came_or_went_meanwhile_is_not_replaced(tmp_path: Path, found: bytes | None, expected: bytes) -> None:
    path = tmp_path / "a"
    if found is not None:
        path.write_bytes(found)
    with pytest.raises(ChangedError):
        replace_file(path, b"new", expected=expected)
    assert (path.read_bytes() if path.exists() else None) == found
    assert [p for p in tmp_path.iterdir() if p != path] == []


def test_a_pipe_that_bears_the_name_of_an_unfinished_file_holds_nobody_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".paperrec-pipe.tmp")
    replace_file(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"


def test_a_lock_that_is_never_freed_ends_as_busy(tmp_path: Path) -> None:
    with exclusive(tmp_path / "a"):
        with pytest.raises(BusyError, match="another run"), exclusive(tmp_path / "a", patience=0.1):
            pass
        with pytest.raises(WriteError, match="does not exist"), exclusive(tmp_path / "no" / "a"):
            replace_file(tmp_path / "no" / "a", b"new")
    with exclusive(tmp_path / "a", patience=0.1):
        assert list(tmp_path.iterdir()) == []


def test_a_path_to_read_is_told_from_a_folder_and_its_home_resolved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "a.txt").touch()
    assert input_path("~") == (tmp_path, True)
    assert input_path("~/a.txt") == (tmp_path / "a.txt", False)
    assert input_path("none") == (Path("none"), False)


@pytest.mark.parametrize("typed", ["~nobody-of-this-name/a.txt", "a" * 5000])
def test_a_path_that_cannot_be_looked_at_is_told(typed: str) -> None:
    with pytest.raises(NoInputError, match=r"^[^\n]+: cannot be read: [^\n]+$"):
        input_path(typed)


def test_standard_input_is_read_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x" * 2_000_000)))
    assert standard_input(2_000_000) == b"x" * 2_000_000
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"x" * 2_000_001)))
    with pytest.raises(NoInputError, match="stdin: has more than 2 MB; no more are read"):
        standard_input(2_000_000)


def test_standard_input_that_is_closed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = io.TextIOWrapper(io.BytesIO())
    closed.close()
    for stream in (None, closed):
        monkeypatch.setattr("sys.stdin", stream)
        with pytest.raises(NoInputError, match="stdin: cannot be read: it is closed"):
            standard_input(10)
