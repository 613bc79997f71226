"""A run taken back: items that it made go to the trash, items of the user's leave our collection; what a person touched since stays."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from paperrec.paper import fingerprint
from paperrec.ports import Mark
from paperrec.text import printable
from paperrec_adapters.zotero.changing import change_item
from paperrec_adapters.zotero.ledger import Ledger, Trace
from paperrec_adapters.zotero.plan import is_ours
from paperrec_adapters.zotero.service import Service
from paperrec_adapters.zotero.snapshot import Children, Snapshot, Thing, collections_of, is_trashed, state_of, tags_of
from paperrec_adapters.zotero_items import paper_of


def take_back(marks: Sequence[Mark], snapshot: Snapshot, service: Service, ledger: Ledger, *, dry_run: bool) -> list[str]:
    """Take back what the marks of one run tell, and put that down.

    Returns
    -------
    list of str
        What was done, or would be in a dry run: one line a paper.

    Raises
    ------
    DeniedError, ServiceError
        The service gave up; what was taken back until then is in the journal.
    """
    children = Children(snapshot.items)
    erased = ledger.collection not in snapshot.collections  # which gave its items no newer version
    lines = []
    for mark in sorted(marks, key=lambda mark: mark.fingerprint):
        item = snapshot.items.get(mark.key) if mark.key else _unnamed(mark.fingerprint, snapshot, ledger.collection)
        if mark.did not in ("added", "filed", "planned") or item is None or is_trashed(item):
            continue
        if mark.did == "planned" and ledger.collection not in collections_of(item):
            continue  # the run ended before it did it
        made = mark.did == "added" or (mark.did == "planned" and is_ours(item))
        title = printable(str(item["data"].get("title", ""))) or mark.key
        if erased and not made:
            continue  # it left the collection when that was erased
        taken_out = not erased and ledger.collection not in collections_of(item)
        touched = _touched(item, children.below(str(item["key"])), mark, ledger.collection, made=made)
        if why := "it was taken out of the collection" if taken_out else touched:
            lines.append(f"leave    {title}: {why}")
            ledger.remark(title, f"{why}; it stays", "touched")
            continue
        lines.append(f"{'trash' if made else 'unfile':<8} {title}")
        if dry_run:
            continue
        _take_back(item, mark, service, ledger, made=made)
    return lines


def _unnamed(name: str, snapshot: Snapshot, collection: str) -> Thing | None:
    """The item that a killed run made of a work and could not learn the key of."""
    ours = (item for item in snapshot.items.values() if is_ours(item) and collection in collections_of(item))
    return next((item for item in ours if fingerprint(paper_of(item, {})) == name), None)


def _touched(item: Thing, children: Sequence[Thing], mark: Mark, collection: str, *, made: bool) -> str:
    """What a person did with an item since we left it, but for taking it out of our collection; "" if nothing is seen."""
    trace = Trace.read(mark.detail)
    if mark.did == "planned":  # a killed run did not come to see how it left the item
        return "" if not trace.strange(children) else "it has notes or attachments"
    if {*collections_of(item)} - {collection} != {*trace.collections} - {collection}:
        return "it was filed elsewhere"
    if tags_of(item) != trace.tags:
        return "its tags were changed"
    if trace.strange(children) or set(trace.children) - set(map(state_of, children)):
        return "it has notes or attachments"
    return "it was changed" if made and item["version"] != trace.version else ""


def _take_back(item: Thing, mark: Mark, service: Service, ledger: Ledger, *, made: bool) -> None:
    def wish(now: Thing) -> Mapping[str, Any] | None:
        if made:
            return {"deleted": 1} if now["version"] == item["version"] else None
        filed = collections_of(now)
        return {"collections": [key for key in filed if key != ledger.collection]} if ledger.collection in filed else None

    changed, why = change_item(item, wish, service)
    if changed:
        ledger.undone([replace(mark, key=str(item["key"]))])
    else:
        ledger.remark(str(item["data"].get("title", "")), why or "it was changed at this moment; it stays", "touched")
