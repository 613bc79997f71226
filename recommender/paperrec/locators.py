"""From what the user typed to locators: which source opens a bare file, a folder or standard input."""

import sys
from collections.abc import Sequence
from pathlib import Path

from paperrec.errors import NoInputError, SettingsError
from paperrec.files import expanded
from paperrec.inputs import Input
from paperrec.ports import SOURCES, schemes, split_locator

_BY_SUFFIX = {
    ".bib": "bib",
    ".bibtex": "bib",
    ".json": "jsonl",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".md": "abstracts",
    ".txt": "abstracts",
}
_SNIFFED = 4096  # bytes looked at where the name tells nothing


def candidate_locators(given: Sequence[str]) -> tuple[str, ...]:
    """A locator for each argument; a folder gives one for every kind of file in it.

    Raises
    ------
    NoInputError
        A file or folder is missing, or holds nothing that a source can open.
    """
    return tuple(locator for argument in given for locator in _locators(argument))


def inputs_of(given: Sequence[str]) -> tuple[Input, ...]:
    """The files and folders that arguments or locators name; nothing for standard input and for what is found without a name.

    Raises
    ------
    SettingsError
        A file is named by an empty text, or lies in the home of no user.
    """
    found = []
    for argument in given:
        scheme, rest = split_locator(argument)
        if not scheme or (scheme not in schemes(SOURCES) and expanded(argument).exists()):
            scheme, rest = "", argument  # a file with a colon in its name
        if rest != "-" and (rest or not scheme or scheme in _BY_SUFFIX.values()):
            suffixes = tuple(suffix for suffix, opened_by in _BY_SUFFIX.items() if scheme in ("", opened_by))
            found.append(Input(expanded(rest), suffixes))
    return tuple(found)


def library_locator(bib: str) -> str:
    """The locator behind `--bib FILE`."""
    return f"bib:{bib}"


def zotero_locator(zotero: str) -> str:
    """The locator behind `--zotero`: web, local, users/ID, groups/ID, local/groups/ID, sqlite, or the path of a database.

    >>> zotero_locator("groups/5"), zotero_locator("~/Zotero")
    ('zotero:groups/5', 'zotero-sqlite:~/Zotero')
    """
    if zotero == "sqlite":
        return "zotero-sqlite:"
    if zotero in ("web", "local") or zotero.startswith(("users/", "groups/", "local/")):
        return f"zotero:{zotero}"
    return f"zotero-sqlite:{zotero}"


def bundled_examples() -> Path:
    """The folder of examples that ships with the program."""
    installed = Path(__file__).parent / "examples"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "examples"


def _locators(argument: str) -> list[str]:
    if argument == "-":
        return [f"{_sniff(_peek_stdin())}:-"]
    scheme, _ = split_locator(argument)
    path = expanded(argument)
    if scheme and (scheme in schemes(SOURCES) or not path.exists()):
        return [argument]  # an unknown scheme gets its error, with the known ones, where it is opened
    if path.is_dir():
        return _in_folder(path)
    if not path.exists():
        raise NoInputError(f"{argument}: there is no such file or folder")
    return [f"{_BY_SUFFIX.get(path.suffix.lower()) or _sniff(_head(path))}:{path}"]


def _in_folder(folder: Path) -> list[str]:
    files = sorted(p for p in folder.rglob("*") if p.is_file() and not any(part.startswith(".") for part in p.relative_to(folder).parts))
    found = {scheme for p in files if (scheme := _BY_SUFFIX.get(p.suffix.lower()))}
    one_by_one = [f"jsonl:{p}" for p in files if _BY_SUFFIX.get(p.suffix.lower()) == "jsonl"]
    whole = [f"{scheme}:{folder}" for scheme in sorted(found - {"jsonl"})]
    if not found:
        raise NoInputError(f"{folder}: holds no file that ends in {', '.join(_BY_SUFFIX)}")
    return whole + one_by_one


def _head(path: Path) -> bytes:
    if not path.is_file():
        raise NoInputError(f"{path}: is no regular file")
    try:
        with path.open("rb") as file:
            return file.read(_SNIFFED)
    except OSError as error:
        raise NoInputError(f"{path}: cannot be read: {error.strerror}") from error


def _peek_stdin() -> bytes:
    if sys.stdin is None or sys.stdin.closed:
        raise SettingsError("-: standard input is closed")
    head: bytes = sys.stdin.buffer.peek(_SNIFFED)  # type: ignore[union-attr]
    return head


def _sniff(head: bytes) -> str:
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start[:1] in (b"{", b"["):
        return "jsonl"
    if start[:1] == b"@" or b"\n@" in start:
        return "bib"
    return "abstracts"
