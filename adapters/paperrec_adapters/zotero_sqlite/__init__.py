"""A Zotero library from its database, whether Zotero runs or not; the database itself is only ever copied, never opened."""

from paperrec_adapters.zotero_sqlite.source import ZoteroDatabaseSource

__all__ = ["ZoteroDatabaseSource"]
