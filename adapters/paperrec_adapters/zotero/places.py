"""What a Zotero locator names: the web or this computer's Zotero, a library of it, and for sinks a collection."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Self

from paperrec.errors import SettingsError

DEFAULT_COLLECTION = "paperrec"
_FORMS = "zotero:web, zotero:users/ID, zotero:groups/ID, zotero:local or zotero:local/groups/ID"
_LIBRARY = re.compile(r"(?:users|groups)/[1-9]\d{0,11}")
_KEY = re.compile("[23456789ABCDEFGHIJKLMNPQRSTUVWXYZ]{8}")
_JOINERS = dict.fromkeys((0x200C, 0x200D))  # stand inside Persian words and composed pictures
_LONGEST_NAME = 255  # characters of a collection's name, as the web service allows


@dataclass(frozen=True, slots=True)
class Place:
    """A library, and a collection in it."""

    local: bool  # Zotero on this computer, not the web service
    library: str  # "users/123", "groups/5", "users/0" (whose Zotero it is); "" = the library of the key's owner
    collection: str  # name or key; "" = none was named

    @classmethod
    def parse(cls, rest: str) -> Self:
        """The place that stands behind "zotero:".

        Raises
        ------
        SettingsError
            It has none of the known forms.
        """
        library, slash, collection = rest.partition("/collections/")
        if slash and not collection.strip():
            raise SettingsError(f"zotero:{rest}: names no collection; write /collections/NAME or /collections/KEY")
        collection = unicodedata.normalize("NFC", collection)  # as Zotero keeps names, whatever the keyboard makes
        if len(collection) > _LONGEST_NAME or not collection.translate(_JOINERS).isprintable():
            raise SettingsError(f"zotero:{library}: the name of a collection has at most {_LONGEST_NAME} characters, all of them visible")
        where, _, inner = library.partition("/")
        if where == "local" and (inner in ("", "users/0") or (inner.startswith("groups/") and _LIBRARY.fullmatch(inner))):
            return cls(True, inner or "users/0", collection.strip())
        if library in ("", "web") or _LIBRARY.fullmatch(library):
            return cls(False, "" if library == "web" else library, collection.strip())
        raise SettingsError(f"zotero:{rest}: is no library of Zotero; write {_FORMS}")


def is_key(text: str) -> bool:
    """Whether a text has the form of a key, as Zotero gives them to items and collections."""
    return bool(_KEY.fullmatch(text))
