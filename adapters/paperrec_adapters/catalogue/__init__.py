"""What the sources that ask a catalogue of papers share: the connection, the pages, and values of JSON and XML as plain text."""

from paperrec_adapters.catalogue.connecting import Catalogue, Line, Service
from paperrec_adapters.catalogue.fields import made, plain, rows, table, text, web_address, whole, year_of
from paperrec_adapters.catalogue.paging import MOST, Page, Parse, gather, most_of, skipped

__all__ = [
    "MOST",
    "Catalogue",
    "Line",
    "Page",
    "Parse",
    "Service",
    "gather",
    "made",
    "most_of",
    "plain",
    "rows",
    "skipped",
    "table",
    "text",
    "web_address",
    "whole",
    "year_of",
]
