"""Zotero libraries, on the web or on this computer: papers out of them, recommendations into a collection of them."""

from paperrec_adapters.zotero.sink import ZoteroSink
from paperrec_adapters.zotero.source import ZoteroSource

__all__ = ["ZoteroSink", "ZoteroSource"]
