"""A library read whole, or brought up to date from what was kept of it; the versions of all answers must fit together."""

from typing import Any

from paperrec_adapters.zotero.cache import SnapshotCache
from paperrec_adapters.zotero.service import MOST_KEYS, PAGE, Service
from paperrec_adapters.zotero.snapshot import Snapshot, collections_of

_ROUNDS = 3  # reads of a library that changes while it is read


def read_library(service: Service, cache: SnapshotCache) -> Snapshot:
    """The library as it is now, the trash with it.

    Raises
    ------
    ServiceError
        It cannot be had, or the answers make no sense.
    """
    kept = cache.load()
    found = _read_local(service, kept) if service.local else _read_web(service, kept)
    if found != kept:
        cache.keep(found)
    return found


def _read_local(service: Service, kept: Snapshot | None) -> Snapshot:
    """All in one answer: pages one after the other would stop the user's Zotero, and it cannot tell what was erased."""
    answer = service.all_items(kept.version if kept else 0)
    if answer is None:
        if kept is None:
            raise service.nonsense("that nothing changed, where nothing was known")
        return kept
    items, version = answer
    collections, _ = service.collections(0)
    return Snapshot(version, {item["key"]: item for item in items}, {c["key"]: c for c in collections})


def _read_web(service: Service, kept: Snapshot | None) -> Snapshot:
    since, items, collections = (kept.version, dict(kept.items), dict(kept.collections)) if kept else (0, {}, {})
    for left in reversed(range(_ROUNDS)):
        listed = service.versions(since)
        if listed is None:
            if kept is None:
                raise service.nonsense("that nothing changed, where nothing was known")
            return kept
        newer, version = listed
        if version < since:  # another library under this number, or one that was put back: what was kept is worth nothing
            return _read_web(service, None)
        seen = {version}
        _update(items, since, newer, service, seen)
        found, at = service.collections(since)
        seen.add(at)
        collections = {**(collections if since else {}), **{collection["key"]: collection for collection in found}}
        if since:
            erased_items, erased_collections, at = service.erased(since)
            seen.add(at)
            _drop(items, erased_items - newer.keys())
            _drop(collections, erased_collections - {collection["key"] for collection in found})
            _unfile(items, erased_collections)
        else:
            items = {key: item for key, item in items.items() if key in newer}
            # Of one moment: what is not among the collections was erased, and that gave its items no newer version
            if len(seen) == 1:
                _unfile(items, {key for item in items.values() for key in collections_of(item)} - collections.keys())
        if len(seen) == 1 or not left:  # what changed meanwhile is newer than `version`: the next read will ask for it
            break
    return Snapshot(version, items, collections)


def _update(items: dict[str, dict[str, Any]], since: int, newer: dict[str, int], service: Service, seen: set[int]) -> None:
    """Fetch the items whose version is not the one that we have; note the library's version at each answer.

    Where most of `newer` is wanted, pages take half as many requests as names do; what they do not show is asked for by name.
    """
    if len(wanted := _stale(items, newer)) > MOST_KEYS and 2 * len(wanted) > len(newer):
        for number in range(-(-len(newer) // PAGE)):
            given, at = service.page(since, number)
            items.update((item["key"], item) for item in given)
            seen.add(at)
        wanted = _stale(items, newer)
    for start in range(0, len(wanted), MOST_KEYS):
        given, at = service.items(wanted[start : start + MOST_KEYS])
        items.update((item["key"], item) for item in given)
        seen.add(at)


def _stale(items: dict[str, dict[str, Any]], newer: dict[str, int]) -> list[str]:
    return sorted(key for key, version in newer.items() if key not in items or items[key]["version"] != version)


def _drop(things: dict[str, dict[str, Any]], keys: set[str]) -> None:
    for key in keys:
        things.pop(key, None)


def _unfile(items: dict[str, dict[str, Any]], collections: set[str]) -> None:
    """Take erased collections out of the items that were in them: that gives the items no newer version."""
    for key, item in items.items():
        if collections & set(filed := collections_of(item)):
            items[key] = {**item, "data": {**item["data"], "collections": [c for c in filed if c not in collections]}}
