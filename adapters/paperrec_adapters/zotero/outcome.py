"""What became of earlier recommendations, read off a snapshot: what people do with a paper says what they think of it. Pure."""

from collections.abc import Iterable
from datetime import UTC, datetime

from paperrec.paper import fingerprint
from paperrec.ports import Mark
from paperrec.recommendation import Feedback
from paperrec_adapters.zotero.index import Index
from paperrec_adapters.zotero.ledger import Trace
from paperrec_adapters.zotero.plan import NOTE_TAG, TAG, is_ours
from paperrec_adapters.zotero.snapshot import Children, Snapshot, Thing, collection_paths, collections_of, is_trashed, state_of, tags_of
from paperrec_adapters.zotero_items import paper_of


def feedback_of(snapshot: Snapshot, collection: str, marks: Iterable[Mark], tag: str) -> tuple[Feedback, ...]:
    """The user's word on each work that we brought into a collection, by fingerprint; none on what lies there untouched.

    Parameters
    ----------
    snapshot
        The library, the trash with it.
    collection
        The key of the collection.
    marks
        What earlier runs did there; what they did not bring is recognised by its line in Extra, if it is filed there or they met it there.
    tag
        The tag that new items were given.
    """
    children = Children(snapshot.items)
    brought = {mark.key: (mark.fingerprint, Trace.read(mark.detail)) for mark in marks if mark.key and mark.did in ("added", "filed")}
    undone = {mark.key for mark in marks if mark.did == "undone"}
    met = {mark.key for mark in marks if mark.did in ("planned", "present")}
    for key, ours in snapshot.items.items():
        # Neither in it nor met in it, it may just as well be one that we brought into another collection
        if key not in brought and key not in undone and is_ours(ours) and (key in met or collection in collections_of(ours)):
            notes = tuple(state_of(child) for child in children.below(key) if NOTE_TAG in tags_of(child))
            brought[key] = (fingerprint(paper_of(ours, {})), Trace(0, (collection,), (tag,), notes))
    living = set(collection_paths(snapshot.collections))
    index = Index(item for item in snapshot.items.values() if not is_trashed(item))
    found = []
    for key, (name, trace) in brought.items():
        if (item := snapshot.items.get(key)) is None:
            continue  # erased: when, nobody knows, and the journal keeps it from coming back
        if is_trashed(item) and index.find(paper_of({**item, "data": {**item["data"], "deleted": 0}}, {})):
            continue  # merged into another item of the work
        at = [thing["data"].get("dateModified") for thing in (item, *children.below(key))]
        relevant = _relevant(item, trace, collection, living, children.below(key))
        if relevant is not None and (when := max(filter(None, map(_time, at)), default=None)):
            found.append(Feedback(name, relevant, when, paper_of({**item, "data": {**item["data"], "deleted": 0}}, {})))
    return tuple(sorted(found, key=lambda word: word.fingerprint))


def is_untouched(item: Thing, children: Children, tag: str) -> bool:
    """Whether an item is one that we made and nobody has filed elsewhere, tagged, or hung something on.

    One tag is ours, whatever the settings called it then; but not where new items get none, `tag` "", unless it is the usual one.
    """
    tags = tags_of(item)
    if not is_ours(item) or len(collections_of(item)) > 1 or len(tags) > 1 or (not tag and set(tags) - {TAG}):
        return False
    return all(NOTE_TAG in tags_of(child) for child in children.below(item["key"]))


def _relevant(item: Thing, trace: Trace, collection: str, living: set[str], children: Iterable[Thing]) -> bool | None:
    """Whether the user liked it; None if nothing says so."""
    if is_trashed(item):
        return False
    filed = set(collections_of(item))
    if (filed & living) - set(trace.collections) - {collection}:
        return True
    if collection not in filed:
        return False
    return True if set(tags_of(item)) - set(trace.tags) or trace.strange(children) else None


def _time(text: object) -> datetime | None:
    try:
        at = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
