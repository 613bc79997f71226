"""The rules for what is written to an item or a collection over the web: which fields, how long, what they may name."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from fakes.zotero.item_types import TYPES, creators_of, fields_of, properties_of
from fakes.zotero.library import CHILD_TYPES, Library, is_key
from fakes.zotero.wire import Json, Refusal

_FIELD_BYTES, _NOTE_LETTERS, _NAME_LETTERS = 65_535, 500_000, 255
_DEEPEST = 20
_PREDICATES = ("dc:relation", "owl:sameAs", "dc:replaces")
_TEXTS_OF_CHILDREN = ("linkMode", "contentType", "charset", "filename", "note")


def check_depth(value: object, depth: int = 1) -> None:
    """Refuse JSON that is nested deeper than the service reads."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if depth > _DEEPEST:
        raise Refusal(400, "The JSON is nested too deep")
    for part in inside:
        check_depth(part, depth + 1)


def check_item(library: Library, change: Json, whole: Json) -> Json:
    """The change, cleaned. `whole` is the item as it would be with the change.

    Raises
    ------
    Refusal
        400 for what has not the form of an item, 409 for what names a thing that is not there, 413 for what is too long.
    """
    item_type = whole.get("itemType")
    if not item_type:
        raise Refusal(400, "'itemType' property not provided")
    if item_type not in TYPES:
        raise Refusal(400, f"'{item_type}' is not a valid item type")
    for name in change:
        if name not in properties_of(item_type):
            raise Refusal(400, f"'{name}' is not a valid field for type '{item_type}'")
    cleaned = {name: _check_property(library, item_type, name, value) for name, value in change.items()}
    if whole.get("parentItem") and whole.get("collections"):
        raise Refusal(400, "Child items cannot be assigned to collections")
    return cleaned


def _check_property(library: Library, item_type: str, name: str, value: Any) -> Any:
    checks: Mapping[str, Callable[[Any], Any]] = {
        "creators": lambda creators: _creators(item_type, creators),
        "tags": _tags,
        "collections": lambda keys: _collections(library, keys),
        "relations": _relations,
        "parentItem": lambda key: _parent(library, item_type, key),
        "deleted": _flag,
        "inPublications": _flag,
        "dateAdded": _moment,
        "dateModified": _moment,
        "accessDate": _access_date,
        "note": _note,
    }
    if name in checks:
        return checks[name](value)
    return _text(name, value) if name in fields_of(item_type) or name in _TEXTS_OF_CHILDREN else value


def check_collection(library: Library, change: Json, whole: Json, key: str, *, local: bool) -> Json:
    """The change of a collection, cleaned; it raises as `check_item` does. A local Zotero minds no length and says 400 to all else."""
    for name in change:
        if name not in ("key", "version", "name", "parentCollection", "relations", "deleted"):
            raise Refusal(400, f"Invalid property '{name}'")
    title = whole.get("name")
    if not isinstance(title, str) or not title.strip():
        raise Refusal(400, "A collection needs a name")
    if not local and len(title) > _NAME_LETTERS:
        raise Refusal(413, f"Collection name '{title[:50]}…' too long")
    parent = change.get("parentCollection", False)
    if parent and not is_key(parent):
        raise Refusal(400, f"'{parent}' is not a valid collection key")
    if parent and (parent not in library.collections or parent == key):
        raise Refusal(400 if local else 409, f"Parent collection {parent} not found", about={"collection": parent})
    if "deleted" in change:
        change = {**change, "deleted": _flag(change["deleted"])}
    return change


def _text(name: str, value: object) -> str:
    if not isinstance(value, str):
        raise Refusal(400, f"'{name}' must be a text")
    if len(value.encode("utf-8", "surrogatepass")) > _FIELD_BYTES:
        raise Refusal(413, f"{name[:1].upper()}{name[1:]} field value '{value[:50]}…' too long", about={"field": name})
    return value


def _note(value: object) -> str:
    if not isinstance(value, str):
        raise Refusal(400, "'note' must be a text")
    if len(value) > _NOTE_LETTERS:
        raise Refusal(413, f"Note '{value[:50]}…' too long")
    return value


def _creators(item_type: str, creators: object) -> list[Json]:
    if not isinstance(creators, list):
        raise Refusal(400, "'creators' must be an array")
    kept = []
    for creator in creators:
        if not isinstance(creator, dict) or "creatorType" not in creator:
            raise Refusal(400, "A creator must be an object with a 'creatorType'")
        names = {name: value for name, value in creator.items() if name != "creatorType"}
        if set(names) not in ({"name"}, {"firstName", "lastName"}):
            raise Refusal(400, "A creator has either 'name' or both 'firstName' and 'lastName'")
        if creator["creatorType"] not in (*creators_of(item_type), "author"):
            raise Refusal(400, f"'{creator['creatorType']}' is not a valid creator type for item type '{item_type}'")
        for name in names.values():
            if not isinstance(name, str):
                raise Refusal(400, "The name of a creator must be a text")
            if len(name) > _NAME_LETTERS:
                raise Refusal(413, f"Creator name '{name[:50]}…' too long")
        if any(name.strip() for name in names.values()):
            kept.append(creator)
    return kept


def _tags(tags: object) -> list[Json]:
    if not isinstance(tags, list) or not all(isinstance(tag, dict) and isinstance(tag.get("tag"), str) for tag in tags):
        raise Refusal(400, "'tags' must be an array of objects with a 'tag'")
    kept: dict[str, Json] = {}
    for tag in tags:
        name = tag["tag"].strip()
        if tag.get("type", 0) not in (0, 1) or set(tag) - {"tag", "type"}:
            raise Refusal(400, f"Tag '{name[:50]}' is not valid")
        if len(name) > _NAME_LETTERS:
            raise Refusal(413, f"Tag '{name[:50]}…' too long", about={"tag": name})
        if name:
            kept[name] = {"tag": name, "type": 1} if tag.get("type") else {"tag": name}
    return [*kept.values()]


def _collections(library: Library, keys: object) -> list[str]:
    if not isinstance(keys, list):
        raise Refusal(400, "'collections' must be an array")
    for key in keys:
        if not is_key(key):
            raise Refusal(400, f"'{key}' is not a valid collection key")
        if key not in library.collections:
            raise Refusal(409, f"Collection {key} not found", about={"collection": key})
    return [*dict.fromkeys(keys)]


def _relations(relations: object) -> Json:
    if isinstance(relations, list) and not relations:
        return {}
    if not isinstance(relations, dict):
        raise Refusal(400, "'relations' must be an object")
    for predicate in relations:
        if predicate not in _PREDICATES and not predicate.startswith("mendeleyDB:"):
            raise Refusal(400, f"Unsupported predicate '{predicate}'")
    return relations


def _parent(library: Library, item_type: str, key: object) -> str | bool:
    if key is False:
        return False
    if item_type not in CHILD_TYPES:
        raise Refusal(400, f"An item of type '{item_type}' cannot have a parent")
    if not is_key(key):
        raise Refusal(400, f"'{key}' is not a valid item key")
    if key not in library.items:
        raise Refusal(409, f"Parent item {key} not found", about={"parentItem": key})
    return str(key)


def _flag(value: object) -> int:
    if value not in (True, False, 0, 1):
        raise Refusal(400, "A flag must be true or false, 1 or 0")
    return int(bool(value))


def _moment(value: object) -> str:
    try:
        datetime.fromisoformat(str(value))
    except ValueError:
        raise Refusal(400, f"'{value}' is not an ISO 8601 or UTC date") from None
    return str(value)


def _access_date(value: object) -> str:
    if value in ("", "CURRENT_TIMESTAMP"):
        return str(value)
    return _moment(value)
