"""Which collection is ours: by what was written down, by key, by name; anything doubtful is asked about before a byte is sent."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from paperrec.errors import SettingsError
from paperrec.text import printable
from paperrec_adapters.zotero.keys import object_key
from paperrec_adapters.zotero.places import is_key
from paperrec_adapters.zotero.service import Service
from paperrec_adapters.zotero.snapshot import Snapshot, collection_paths, is_trashed

_ATTEMPTS = 5


@dataclass(frozen=True, slots=True)
class Collection:
    """The collection to fill."""

    key: str  # "" if it does not exist yet
    name: str


def find_collection(wanted: str, known: str, snapshot: Snapshot, service: Service) -> Collection:
    """The collection that `wanted` names.

    Parameters
    ----------
    wanted
        A key, or a name at the top level of the library.
    known
        The key that stood for it in an earlier run; "" if there was none.
    snapshot, service
        The library.

    Raises
    ------
    SettingsError
        It lies in the trash, several have the name, or nothing has the key.
    """
    collections = snapshot.collections
    paths = collection_paths(collections)
    ours = _our_key(wanted, service)
    for key in (known, wanted if is_key(wanted) else ""):
        if key and (found := collections.get(key) or service.collection(key)):
            return _live(found, service, lies_open=key in paths or key not in collections)
    named = sorted(key for key, c in collections.items() if _name(c) == _nfc(wanted) and not c["data"].get("parentCollection"))
    living = [key for key in named if not is_trashed(collections[key])]
    if len(living) > 1:
        raise SettingsError(
            f"{service.name}: {len(living)} collections are called {_shown(wanted)}; name one by its key: {', '.join(living)}"
        )
    if living:
        return Collection(living[0], wanted)
    if ours in collections:
        return _live(collections[ours], service, lies_open=ours in paths)
    if named:
        return _live(collections[named[0]], service)
    if is_key(wanted):
        raise SettingsError(f"{service.name}: no collection has the key or the name {wanted}; make one in Zotero, or name another")
    return Collection("", wanted)


def erased_collection(wanted: str, snapshot: Snapshot, service: Service) -> Collection | None:
    """The collection of a key that nothing bears any more; None if `wanted` is no key, or something bears it, in the trash or not."""
    if not is_key(wanted) or wanted in snapshot.collections or service.collection(wanted):
        return None
    return Collection(wanted, wanted)


def make_collection(collection: Collection, service: Service) -> Collection:
    """Make the collection at the top level of the library.

    Raises
    ------
    SettingsError
        It was made before, and lies in the trash.
    ServiceError
        The service refuses it.
    """
    wish: dict[str, Any] = {"name": collection.name, "parentCollection": False}
    key = _our_key(collection.name, service)
    if key:
        wish |= {"key": key, "version": 0}
    for attempt in range(_ATTEMPTS):
        answer = service.post("collections", [wish], attempt)
        if answer.status == 200:
            told = answer.json()
            done = told.get("success", {}) if isinstance(told, dict) else {}
            if isinstance(done, dict) and isinstance(made := done.get("0"), str):
                return Collection(made, collection.name)
        # Made by a write whose answer was lost, or by another run at this moment
        for found in sorted(service.collections(0)[0], key=lambda c: (c["key"] != key, c["key"])):
            if found["key"] == key or (_name(found) == _nfc(collection.name) and not found["data"].get("parentCollection")):
                return _live(found, service)
        if answer.status != 412:  # the token of one that was made, and erased since
            break
    service.check(answer)
    said = service.quoted(answer.body.decode("utf-8", "replace"))
    raise service.nonsense(f"a refusal to make the collection {_shown(collection.name)} ({said})")


def _our_key(name: str, service: Service) -> str:
    return "" if service.local else object_key(service.library, f"collection:{name}")


def _live(found: Mapping[str, Any], service: Service, *, lies_open: bool = True) -> Collection:
    name = str(found["data"].get("name", ""))
    if is_trashed(found) or not lies_open:
        raise SettingsError(f"{service.name}: the collection {_shown(name)} is in the trash; restore it, or name another (--collection)")
    return Collection(str(found["key"]), name)


def _name(found: Mapping[str, Any]) -> str:
    return _nfc(str(found["data"].get("name", "")))


def _nfc(name: str) -> str:
    """A name in the form in which Zotero keeps it; some programs write it otherwise."""
    return unicodedata.normalize("NFC", name)


def _shown(name: str) -> str:
    return f'"{printable(name)}"'
