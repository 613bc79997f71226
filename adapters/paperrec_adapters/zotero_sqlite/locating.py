"""What a locator names: a database and one library in it; and where Zotero keeps its database if none is named."""

import configparser
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from paperrec.errors import NoInputError, SettingsError
from paperrec.files import read_regular
from paperrec.text import printable

DATABASE = "zotero.sqlite"
_FORMS = "zotero-sqlite:PATH, zotero-sqlite:PATH?groups/ID or zotero-sqlite:auto?groups/ID"
_LIBRARY = re.compile(r"(users|groups)/(0|[1-9]\d{0,11})", re.ASCII)
_MEANT_AS_LIBRARY = re.compile("(user|group|feed|librar)", re.IGNORECASE)
_PROFILES = (Path(".zotero/zotero"), Path("Library/Application Support/Zotero/Profiles"))  # Linux, macOS; below the home
_LARGEST_PREFERENCES = 16_000_000  # bytes
_PREFERENCE = re.compile(
    r"""^[ \t]*user_pref\(\s*["']extensions\.zotero\.(dataDir|useDataDir)["']\s*,\s*
    (?: "((?:[^"\\\n]|\\.)*)" | '((?:[^'\\\n]|\\.)*)' | (\w+) )\s*\)""",
    re.MULTILINE | re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
_CONTROLS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "0": "\0"}


@dataclass(frozen=True, slots=True)
class Place:
    """A database, and the library that is read of it."""

    path: str  # of the database or of the folder that it is in; "" = to be found
    kind: str  # of the library: "users" or "groups"
    number: int  # of the group or the user; 0 = whose database it is

    @classmethod
    def parse(cls, rest: str) -> Self:
        """The place that stands behind "zotero-sqlite:".

        Raises
        ------
        SettingsError
            What stands behind the question mark is no library.
        """
        path, mark, library = rest.rpartition("?")
        named = _LIBRARY.fullmatch(library) if mark else None
        if mark and (not named or named[0] == "groups/0") and _MEANT_AS_LIBRARY.match(library):
            raise SettingsError(f"zotero-sqlite:{rest}: {library!r} is no library of Zotero; write {_FORMS}")
        if not named:
            path = rest  # a file may have a question mark in its name
        return cls("" if path == "auto" else path, named[1] if named else "users", int(named[2]) if named else 0)

    def database(self, given: str) -> Path:
        """The database's file, links in its path resolved, because SQLite keeps what belongs to it beside the real file.

        Parameters
        ----------
        given
            Where it is if the locator does not say; "" if that is not known either.

        Raises
        ------
        NoInputError
            No such place, or no Zotero was found.
        """
        if not self.path and not given:
            return _found(_home())
        typed = self.path or given
        try:
            path = Path(typed).expanduser()
            if is_folder := path.is_dir():
                path /= DATABASE
            path = Path(os.path.realpath(path))
            if is_folder and not os.path.lexists(path):
                raise NoInputError(f"{printable(typed)}: is a folder without a {DATABASE}")
            path.lstat()
        except (OSError, RuntimeError, ValueError) as error:  # no right to look, no such user behind "~", a zero byte
            raise NoInputError(f"{printable(typed)}: cannot be read: {getattr(error, 'strerror', error)}") from error
        return path


def _home() -> Path:
    try:
        return Path.home()
    except RuntimeError as error:
        raise NoInputError("no home folder is known in which to look for Zotero; name its database: zotero-sqlite:PATH") from error


def _found(home: Path) -> Path:
    by_profile = {profile: _data_folder(profile, home) for profile in _profiles(home)}
    looked = list(dict.fromkeys(by_profile.values())) or [home / "Zotero"]
    found = list(dict.fromkeys(real for folder in looked if _is_file(real := os.path.realpath(folder / DATABASE))))
    hint = "name it with zotero-sqlite:PATH or in ZOTERO_DB_PATH"
    if not found:
        places = ", ".join(printable(str(folder / DATABASE)) for folder in looked)
        raise NoInputError(f"no Zotero library was found; looked for {places}; {hint}")
    if len(found) > 1:
        usual = {os.path.realpath(by_profile[profile] / DATABASE) for profile in _usual_profiles(home) if profile in by_profile}
        chosen = [path for path in found if path in usual]
        if len(chosen) != 1:
            raise NoInputError(f"several Zotero libraries were found: {', '.join(map(printable, found))}; {hint}")
        found = chosen
    return Path(found[0])


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except OSError:  # no right to look, a name too long
        return False


def _profiles(home: Path) -> Iterator[Path]:
    for root in _PROFILES:
        try:
            yield from sorted(file.parent for file in (home / root).glob("*/prefs.js"))
        except OSError:  # no right to look
            continue


def _usual_profiles(home: Path) -> Iterator[Path]:
    """The profiles that Zotero starts with if nobody chooses."""
    for index in (home / _PROFILES[0] / "profiles.ini", home / _PROFILES[1].parent / "profiles.ini"):
        parser = configparser.ConfigParser(interpolation=None, strict=False)
        try:
            parser.read_string(os.fsdecode(read_regular(index, _LARGEST_PREFERENCES)))
        except (NoInputError, configparser.Error):
            continue
        for name in parser.sections():
            if name.startswith("Profile") and parser[name].get("Default") == "1":
                yield index.parent / parser[name].get("Path", "")


def _data_folder(profile: Path, home: Path) -> Path:
    """Where a profile keeps its database: the folder that the user chose, else the usual one."""
    try:
        text = os.fsdecode(read_regular(profile / "prefs.js", _LARGEST_PREFERENCES))
    except NoInputError:
        text = ""
    values = {}
    for name, double, single, bare in _PREFERENCE.findall(text):
        values[name] = _unescaped(double or single) or bare
    chosen = values.get("dataDir", "")
    return Path(chosen) if values.get("useDataDir") == "true" and chosen and "\0" not in chosen else home / "Zotero"


def _unescaped(literal: str) -> str:
    """What a string literal of JavaScript stands for."""

    def character(match: re.Match[str]) -> str:
        code = match[1] or match[2]
        return chr(int(code, 16)) if code else _CONTROLS.get(match[3], match[3])

    text = _ESCAPE.sub(character, literal)
    # Two escapes may be the halves of one character; bytes of the file that are no UTF-8 have become lone halves and stay
    return re.sub("[\ud800-\udbff][\udc00-\udfff]", lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
