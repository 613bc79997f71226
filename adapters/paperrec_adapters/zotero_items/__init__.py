"""Zotero's item JSON as papers, and papers as new items: the one place that knows the fields. Pure: no network, no clock, no files."""

from paperrec_adapters.zotero_items.note import reasons_note
from paperrec_adapters.zotero_items.reading import PAPER_FIELDS, citation_keys_of, is_paper, paper_of
from paperrec_adapters.zotero_items.writing import new_item

__all__ = ["PAPER_FIELDS", "citation_keys_of", "is_paper", "new_item", "paper_of", "reasons_note"]
