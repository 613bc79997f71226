"""Settings: a TOML file, the environment and the options of one call, in that order of growing weight."""

import difflib
import math
import os
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from paperrec.bounds import DIVERSITY, EXPLAIN, HALF_LIFE_DAYS, LIMIT, MIN_SCORE, Bounds
from paperrec.errors import SettingsError

APP = "paperrec"
T = TypeVar("T")


def _within(bounds: Bounds) -> msgspec.Meta:
    return msgspec.Meta(gt=bounds.low, le=bounds.high) if bounds.low_is_out else msgspec.Meta(ge=bounds.low, le=bounds.high)


class RankerTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `[ranker]` may hold."""

    half_life_days: Annotated[float, _within(HALF_LIFE_DAYS)] | None = None
    diversity: Annotated[float, _within(DIVERSITY)] | None = None
    interests: Literal["texts", "collections", "keywords"] | None = None


class LeversTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `steer.boost` and `steer.mute` may hold."""

    terms: list[str] = []
    authors: list[str] = []
    venues: list[str] = []


class SteerTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `[steer]` may hold."""

    boost: LeversTable = LeversTable()
    mute: LeversTable = LeversTable()


class ZoteroTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `[zotero]` may hold."""

    api_key_env: str = ""  # name of an environment variable
    api_key_command: str = ""
    api_key: str = ""  # only in a file that nobody else may read
    owned: Literal["file", "skip"] = "file"  # what is done with a paper that the library has
    tag: str = "paperrec"
    notes: bool = False  # whether a new item gets a note with the reasons


class SettingsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What `config.toml` may hold at its top level and in each `[profiles.NAME]`."""

    library: list[str] = []
    candidates: list[str] = []
    sinks: list[str] = []
    liked: list[str] = []
    disliked: list[str] = []
    collections: dict[str, list[str]] = {}
    limit: Annotated[int, _within(LIMIT)] | None = None
    min_score: Annotated[float, _within(MIN_SCORE)] | None = None
    explain: Annotated[int, _within(EXPLAIN)] | None = None
    encoding: str = ""
    ranker: RankerTable = RankerTable()
    steer: SteerTable = SteerTable()
    zotero: ZoteroTable = ZoteroTable()
    profiles: dict[str, "SettingsFile"] = {}


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings file that is in force, and its path (None: there is none)."""

    values: SettingsFile
    path: Path | None

    def choose(self, given: T | None, name: str, default: T) -> T:
        """The value of an option: as given on the command line or in the environment, else from the file, else `default`."""
        if given is not None:
            return given
        found: T | None = getattr(self.values, name)
        return default if found is None else found


def _place(kind: str) -> Path | None:
    import platformdirs  # 30 ms that --help need not pay

    try:
        return Path(getattr(platformdirs, f"user_{kind}_path")(APP, appauthor=False))
    except (RuntimeError, KeyError, OSError):  # no HOME and no entry for this user
        return None


def config_path() -> Path | None:
    """Where the settings file is looked for; None where the user has no home."""
    folder = _place("config")
    return folder / "config.toml" if folder else None


def cache_dir() -> Path | None:
    """Where caches go; None (no caching) where the user has no home."""
    return _place("cache")


def state_dir() -> Path | None:
    """Where the history stands; None where the user has no home and names no folder."""
    if named := os.environ.get("PAPERREC_STATE_DIR", "").strip():
        return Path(named).expanduser()
    return _place("state")


def load_settings(path: Path | None, profile: str | None) -> Settings:
    """Read the settings file.

    Parameters
    ----------
    path
        The file the user named, which must exist; None looks in the usual place, where it may be missing.
    profile
        Name of a `[profiles.NAME]` table; its values stand in front of the top level's.

    Raises
    ------
    SettingsError
        With the file, the value's path in it and what is allowed there.
    """
    named = path is not None
    path = path or config_path()
    if path is None or not (named or path.is_file()):
        if profile:
            raise SettingsError(f"there is no profile {profile!r}: there is no settings file{f' {path}' if path else ''}")
        return Settings(SettingsFile(), None)
    table = _read(path)
    values = _parsed(path, table)
    if profile:
        if profile not in values.profiles:
            raise SettingsError(f"{path}: there is no profile {profile!r}; there are: {', '.join(sorted(values.profiles)) or 'none'}")
        values = _parsed(path, _overlaid(table, table["profiles"][profile]))
    return Settings(values, path)


def _read(path: Path) -> dict[str, Any]:
    """The file as tables, with no name in it that is not known."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {os.strerror(error.errno or 0)}") from error
    try:
        table = tomllib.loads(raw.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: is not TOML: {error}") from error
    for where, inner in (("", table), *((f"profiles.{name}.", inner) for name, inner in _tables(table.get("profiles")))):
        for name, levers in [*_tables(inner.get("steer"), list)]:
            inner["steer"][name] = _levers(path, f"{where}steer.{name}", levers)
    _refuse_unknown(path, table, "")
    return table


def _tables(table: object, kind: type = dict) -> Iterator[tuple[str, Any]]:
    """The members of a table that are of a kind; nothing, if it is no table."""
    yield from ((name, inner) for name, inner in (table.items() if isinstance(table, dict) else ()) if isinstance(inner, kind))


def _levers(path: Path, where: str, words: Sequence[Any]) -> dict[str, list[str]]:
    """The table behind `mute = ["quantum", "author:Lima"]`, written as the options are; `mute = []` is a table that clears all."""
    from paperrec.steering import levers_of

    try:
        return {name: list(values) for name, values in asdict(levers_of([str(word) for word in words])).items()}
    except SettingsError as error:
        raise SettingsError(f"{path}: {where}: {error}") from error


def _parsed(path: Path, table: dict[str, Any]) -> SettingsFile:
    _refuse_no_number(path, table, "")
    _refuse_empty_levers(path, table, "")
    try:
        return msgspec.convert(table, SettingsFile)
    except msgspec.ValidationError as error:
        raise SettingsError(f"{path}: {error}") from error


def _refuse_no_number(path: Path, value: object, where: str) -> None:
    """Refuse TOML's `nan`, which is below no bound and above none."""
    if isinstance(value, float) and math.isnan(value):
        raise SettingsError(f"{path}: {where}: nan is no number")
    for name, inner in value.items() if isinstance(value, dict) else ():
        _refuse_no_number(path, inner, f"{where}.{name}".strip("."))


def _refuse_empty_levers(path: Path, table: dict[str, Any], where: str) -> None:
    from paperrec.steering import has_words

    for lever, kinds in _tables(table.get("steer")):
        for kind, words in _tables(kinds, list):
            for word in words:
                if isinstance(word, str) and not has_words(word):
                    raise SettingsError(f"{path}: {where}steer.{lever}.{kind}: {word!r} names nothing to look for")
    for name, profile in _tables(table.get("profiles")):
        _refuse_empty_levers(path, profile, f"{where}profiles.{name}.")


def _refuse_unknown(path: Path, table: dict[str, Any], where: str) -> None:
    _refuse_unknown_in(path, table, SettingsFile.__struct_fields__, where)
    for name, kind in (("ranker", RankerTable), ("steer", SteerTable), ("zotero", ZoteroTable)):
        if isinstance(inner := table.get(name), dict):
            _refuse_unknown_in(path, inner, kind.__struct_fields__, f"{where}{name}.")
        for lever, words in inner.items() if name == "steer" and isinstance(inner, dict) else ():
            if isinstance(words, dict):
                _refuse_unknown_in(path, words, LeversTable.__struct_fields__, f"{where}steer.{lever}.")
    _refuse_unknown_choice(path, table.get("collections"), where)
    if isinstance(profiles := table.get("profiles"), dict):
        for name, profile in profiles.items():
            if isinstance(profile, dict):
                _refuse_unknown(path, profile, f"{where}profiles.{name}.")


def _refuse_unknown_choice(path: Path, chosen: object, where: str) -> None:
    for wrong in sorted(chosen.keys() - {"in", "not_in"}) if isinstance(chosen, dict) else ():
        raise SettingsError(f"{path}: unknown setting {where}collections.{wrong}; known are: in, not_in")


def _refuse_unknown_in(path: Path, table: dict[str, Any], known: tuple[str, ...], where: str) -> None:
    for key in table:
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are: {', '.join(known)}"
            raise SettingsError(f"{path}: unknown setting {where + key!r}; {hint}")


def _overlaid(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """The tables of the top level with a profile's in front of them, field by field; a list replaces a list, so that `[]` clears it."""
    merged = base | over
    for name in base.keys() & over.keys():
        if isinstance(base[name], dict) and isinstance(over[name], dict):
            merged[name] = _overlaid(base[name], over[name])
    return merged
