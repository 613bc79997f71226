"""What a local Zotero makes of the items that it is sent: nothing is too long, and what has no place goes into Extra."""

from typing import Any

from fakes.zotero.item_types import TYPES, creators_of, fields_of, label, properties_of
from fakes.zotero.library import Library, is_key
from fakes.zotero.wire import Json, Refusal

_CITATION_KEY = "citation key:"


def adapt_item(library: Library, change: Json, whole: Json) -> Json:
    """The change as Zotero takes it. `whole` is the item as it would be with the change.

    Raises
    ------
    Refusal
        400, whatever is wrong.
    """
    item_type = whole.get("itemType")
    if item_type not in TYPES:
        raise Refusal(400, f"'{item_type}' is not a valid item type" if item_type else "'itemType' property not provided")
    for key in change.get("collections", ()):
        if not is_key(key) or key not in library.collections:
            raise Refusal(400, f"Collection {key} not found")
    if whole.get("parentItem") and whole.get("collections"):
        raise Refusal(400, "Error: INSERT INTO collectionItems VALUES (?, ?, ?) [constraint failed]")
    if (parent := change.get("parentItem")) and parent not in library.items:
        raise Refusal(400, f"Parent item {parent} not found")
    return _in_place(item_type, change, whole)


def _in_place(item_type: str, change: Json, whole: Json) -> Json:
    kept = {name: value for name, value in change.items() if name in properties_of(item_type)}
    homeless = [f"{label(name)}: {value}" for name, value in change.items() if name not in kept and value]
    if "creators" in kept:
        kept["creators"] = [_creator(item_type, creator) for creator in kept["creators"]]
    if "tags" in kept:
        kept["tags"] = [_tag(tag) for tag in kept["tags"] if tag.get("tag", "").strip()]
    if "deleted" in kept:
        kept["deleted"] = int(bool(kept["deleted"]))
    if not homeless and "extra" not in kept:
        return kept
    lines = [line for line in str(whole.get("extra", "")).split("\n") if line] + homeless
    if "citationKey" in fields_of(item_type) and not whole.get("citationKey"):
        keys = [line for line in lines if line.lower().startswith(_CITATION_KEY)]
        if keys:
            kept["citationKey"] = keys[0][len(_CITATION_KEY) :].strip()
            lines = [line for line in lines if line not in keys]
    return {**kept, "extra": "\n".join(lines)}


def _creator(item_type: str, creator: Json) -> Json:
    known = creator.get("creatorType") in creators_of(item_type)
    return creator if known else {**creator, "creatorType": "author"}


def _tag(tag: Json) -> dict[str, Any]:
    name = tag["tag"].strip()
    return {"tag": name, "type": 1} if tag.get("type") else {"tag": name}
