"""Which fields and creators each type of item has, of Zotero's schema 41, and what a label of a field looks like."""

import json
import re
from pathlib import Path

from fakes.zotero.wire import Json

SCHEMA = 41
_TYPES: dict[str, dict[str, list[str]]] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
_COMMON = ("key", "version", "itemType", "tags", "relations", "dateAdded", "dateModified", "deleted", "inPublications", "collections")
_OF_FILES = ("linkMode", "contentType", "charset", "filename", "md5", "mtime", "path", "note")
_OF_ANNOTATIONS = (
    "annotationType", "annotationAuthorName", "annotationText", "annotationComment", "annotationColor",
    "annotationPageLabel", "annotationSortIndex", "annotationPosition",
)  # fmt: skip
_OF_CHILDREN = {"note": ("parentItem", "note"), "attachment": ("parentItem", *_OF_FILES), "annotation": ("parentItem", *_OF_ANNOTATIONS)}
_TITLES = {"case": "caseName", "statute": "nameOfAct", "email": "subject"}
TYPES = tuple(_TYPES)


def fields_of(item_type: str) -> list[str]:
    """The fields of text that a type has, in the order of the schema."""
    return _TYPES[item_type]["fields"]


def creators_of(item_type: str) -> list[str]:
    """The kinds of creators that a type has; the first is its main one."""
    return _TYPES[item_type]["creators"]


def properties_of(item_type: str) -> set[str]:
    """All names that the data of an item of this type may hold."""
    return {*_COMMON, *fields_of(item_type), *_OF_CHILDREN.get(item_type, ("creators",))}


def title_field(item_type: str) -> str:
    """The field that holds the title."""
    return _TITLES.get(item_type, "title")


def label(field: str) -> str:
    """How people see the name of a field: "Proceedings Title"."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", field)
    return words[:1].upper() + words[1:]


def template(item_type: str) -> Json:
    """An empty item of a type."""
    empty: Json = {"itemType": item_type, **dict.fromkeys(fields_of(item_type), "")}
    if creators_of(item_type):
        empty["creators"] = [{"creatorType": creators_of(item_type)[0], "firstName": "", "lastName": ""}]
    return {**empty, "tags": [], "collections": [], "relations": {}}
