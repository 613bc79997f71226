"""Which items of a library are the work that a paper describes: asked here, because the service's own search knows no identifiers."""

from collections.abc import Iterable

from paperrec.paper import Paper, Works
from paperrec_adapters.zotero.snapshot import Thing
from paperrec_adapters.zotero_items import is_paper, paper_of


class Index:
    """The items of a library by work, trashed ones too.

    Parameters
    ----------
    items
        Of every kind; notes, attachments and annotations are passed over.
    """

    def __init__(self, items: Iterable[Thing]) -> None:
        self._items = {str(item["key"]): item for item in items if is_paper({**item["data"], "deleted": 0})}
        self._works = Works(paper_of(item, {}) for item in self._items.values())

    def find(self, paper: Paper, key: str = "") -> tuple[Thing, ...]:
        """Every item of the work, in the order of keys, and the item of the name `key` in any case."""
        group = self._works.find(paper)
        keys = {p.key for p in self._works.groups[group]} if group is not None else set()
        return tuple(self._items[k] for k in sorted(keys | {key}) if k in self._items)
