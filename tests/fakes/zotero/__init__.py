"""A faithful Zotero for tests: the web interface and that of the desktop, with state, faults and a log."""

from fakes.zotero.faults import Fault
from fakes.zotero.library import Library
from fakes.zotero.server import FakeZotero
from fakes.zotero.wire import Request

__all__ = ["FakeZotero", "Fault", "Library", "Request"]
