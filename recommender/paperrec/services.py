"""The services that adapters ask: their addresses and keys, from settings and environment; never from the command line."""

import os
import shlex
import stat
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from paperrec.errors import DeniedError, SettingsError
from paperrec.files import replace_file
from paperrec.settings import Settings, ZoteroTable, state_dir

_ADDRESSES = {"zotero_url": "PAPERREC_ZOTERO_URL", "zotero_local_url": "PAPERREC_ZOTERO_LOCAL_URL"}
_CATALOGUES = ("openalex", "crossref", "biorxiv", "pubmed", "s2", "dblp", "openreview", "europepmc")
_ADDRESSES |= {f"{name}_url": f"PAPERREC_{name.upper()}_URL" for name in _CATALOGUES}
_SECRETS = {"zotero_api_key": "ZOTERO_API_KEY", "zotero_local_key": "ZOTERO_LOCAL_KEY"}
_SECRETS |= {"openalex_api_key": "OPENALEX_API_KEY", "ncbi_api_key": "NCBI_API_KEY", "s2_api_key": "S2_API_KEY"}
_OTHER = {"zotero_db_path": "ZOTERO_DB_PATH", "mailto": "PAPERREC_MAILTO"}
_OTHERS_NAMES = {"ZOTERO_API_KEY": "ZOTERO_KEY", "ZOTERO_LIBRARY_ID": "ZOTERO_ID"}  # as zotero-arxiv-daily calls them
_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_PATIENCE = 60.0  # seconds for a command that gives a key: it may ask a person for a password
_OWNER_ONLY = 0o077


def services_of(settings: Settings, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What the adapters may need, by name; what is not given is left out.

    Raises
    ------
    SettingsError
        An address is no address, or would send a key over an open line; a key lies in a file that others may read.
    DeniedError
        The command that is to give a key fails.
    """
    table = settings.values.zotero
    found: dict[str, str] = {}
    for name, variable in (_ADDRESSES | _SECRETS | _OTHER).items():
        if value := _variable(environment, variable).strip():
            found[name] = value
    for name in _ADDRESSES.keys() & found.keys():
        _refuse_open_line(_ADDRESSES[name], found[name])
    if "zotero_local_key" not in found and (kept := kept_local_key()):
        found["zotero_local_key"] = kept
    found.setdefault("zotero_api_key", _key(settings, table, environment))
    found |= {"zotero_owned": table.owned, "zotero_tag": table.tag, "zotero_notes": "yes" if table.notes else "no"}
    return {name: value for name, value in found.items() if value or name == "zotero_tag"}


def _local_key_file() -> Path | None:
    folder = state_dir()
    return folder / "zotero-local-key" if folder else None


def kept_local_key() -> str:
    """The key that the Zotero of this computer gave; "" if there is none, or others may read it."""
    file = _local_key_file()
    try:
        return file.read_text(encoding="ascii").strip() if file and not _others_may_read(file) else ""
    except (OSError, ValueError):
        return ""


def keep_local_key(key: str) -> Path:
    """Keep the key for later runs, in a file for its owner's eyes only.

    Raises
    ------
    SettingsError
        There is no home for it.
    """
    file = _local_key_file()
    if file is None:
        raise SettingsError("there is no home folder for the key: name one with PAPERREC_STATE_DIR")
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    file.touch(mode=0o600)
    file.chmod(0o600)  # before anything is in it; the mode stays when it is replaced
    replace_file(file, f"{key}\n".encode("ascii"))
    return file


def default_zotero(environment: Mapping[str, str] = os.environ) -> str:
    """The Zotero library that the environment names, as `--zotero` takes it; "" if it names none."""
    if environment.get("ZOTERO_LOCAL", "").strip().lower() in ("1", "true", "yes", "on"):
        return "local"
    if number := _variable(environment, "ZOTERO_LIBRARY_ID").strip():
        kind = environment.get("ZOTERO_LIBRARY_TYPE", "user").strip().lower().removesuffix("s") or "user"
        if kind not in ("user", "group"):
            raise SettingsError(f"ZOTERO_LIBRARY_TYPE={kind}: must be user or group")
        return f"{kind}s/{number}"
    return ""


def foreign_names(environment: Mapping[str, str] = os.environ) -> Iterator[str]:
    """A note on each variable that is taken under another program's name."""
    for ours, other in _OTHERS_NAMES.items():
        if environment.get(other, "").strip() and not environment.get(ours, "").strip():
            yield f"{other} is taken for {ours}"


def _variable(environment: Mapping[str, str], name: str) -> str:
    return environment.get(name, "") or environment.get(_OTHERS_NAMES.get(name, ""), "")


def _key(settings: Settings, table: ZoteroTable, environment: Mapping[str, str]) -> str:
    """The key for the web from what the settings name: a variable, a command, or itself."""
    if table.api_key_env and (key := environment.get(table.api_key_env, "").strip()):
        return key
    if table.api_key_command:
        return _told_by(table.api_key_command)
    if table.api_key and settings.path and _others_may_read(settings.path):
        raise SettingsError(f"{settings.path}: holds a key and may be read by others; run: chmod 600 {shlex.quote(str(settings.path))}")
    return table.api_key.strip()


def _others_may_read(path: Path) -> bool:
    try:
        return bool(stat.S_IMODE(path.stat().st_mode) & _OWNER_ONLY)
    except OSError:
        return True


def _told_by(command: str) -> str:
    try:
        words = shlex.split(command)
        # The user's own command, without a shell
        run = subprocess.run(words, capture_output=True, text=True, timeout=_PATIENCE, check=True)  # noqa: S603
    except (OSError, ValueError, IndexError, subprocess.SubprocessError) as error:
        # Not chained: what such a program prints may hold the key
        why = f"ended with {error.returncode}" if isinstance(error, subprocess.CalledProcessError) else "could not be run or took too long"
        raise DeniedError(f"zotero.api_key_command: {why}; try it in a terminal") from None
    return (run.stdout.splitlines() or [""])[0].strip()


def _refuse_open_line(variable: str, address: str) -> None:
    try:
        parts = urlsplit(address)
        host = parts.hostname or ""
    except ValueError:
        host = ""
    if not host or parts.scheme not in ("http", "https"):
        raise SettingsError(f"{variable}: is no address; write it as https://host")
    if parts.username or parts.password:
        raise SettingsError(f"{variable}: holds a name or password; give the address alone")
    if parts.scheme == "http" and host not in _LOOPBACK:
        raise SettingsError(f"{variable}: would send your key over an open line; only https, or this computer, is asked")
