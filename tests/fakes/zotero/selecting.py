"""Which items a list holds, and in what order: trash, levels, search words, tags, types, versions."""

from collections.abc import Callable, Iterable

from fakes.zotero.item_types import title_field
from fakes.zotero.library import Library, is_key
from fakes.zotero.rendering import is_child
from fakes.zotero.wire import Json, Refusal, Request, number

SORTS = (
    "dateAdded", "dateModified", "title", "creator", "itemType", "date", "publisher", "publicationTitle", "journalAbbreviation",
    "language", "accessDate", "libraryCatalog", "callNumber", "rights", "addedBy", "numItems",
)  # fmt: skip
_MOST_KEYS = 100  # that one request may name; more are not looked at


def select_items(library: Library, within: Iterable[str], request: Request, *, level: str, local: bool) -> list[str]:
    """The keys of those items of `within` that a request asks for, sorted.

    Parameters
    ----------
    level
        "all", "top" (what hangs on nothing) or "trash".
    """
    keys = _of_level(library, within, "trash" if level == "trash" else _trash(request, local=local))
    tests = [*_tests(library, request)]
    found = [key for key in keys if all(test(key) for test in tests)]
    if level == "top":
        top = [key for key in keys if not is_child(library.items[key].data)]
        # A search among what is at the top finds the parents of what matches
        found = [key for key in top if key in set(_roots(library, found))] if tests else top
    if since := request.param("since"):
        after = number(since, "since")
        found = [key for key in found if library.items[key].version > after]
    return sort_items(library, found, request)


def sort_items(library: Library, keys: Iterable[str], request: Request) -> list[str]:
    """The keys in the order that is asked for; the last modified come first if none is."""
    sort, direction = order_of(request)

    def place(key: str) -> tuple[str, int, str]:
        thing = library.items[key]
        return _sort_value(sort, thing.data), thing.version, key

    return sorted(keys, key=place, reverse=direction == "desc")


def order_of(request: Request) -> tuple[str, str]:
    """What is sorted by, and in which direction."""
    sort = request.param("sort", "dateModified")
    if sort not in SORTS:
        raise Refusal(400, f"Invalid 'sort' value '{sort}'")
    direction = request.param("direction") or usual_direction(sort)
    if direction not in ("asc", "desc"):
        raise Refusal(400, f"Invalid 'direction' value '{direction}'")
    return sort, direction


def usual_direction(sort: str) -> str:
    """How things are sorted if only by what is said: the newest first, words from a to z."""
    return "desc" if sort in ("dateAdded", "dateModified", "date", "accessDate") else "asc"


def _sort_value(sort: str, data: Json) -> str:
    if sort == "title":
        return str(data.get(title_field(data["itemType"]), "")).casefold()
    if sort == "creator":
        return " ".join(_names(data)).casefold()
    return str(data.get(sort, "")).casefold()


def _trash(request: Request, *, local: bool) -> str:
    if request.param("includeTrashed") not in ("", "0", "false"):
        # The desktop searches by keys without what is in the trash, whatever is asked
        return "living" if local and request.param("itemKey") else "both"
    return "living"


def _of_level(library: Library, within: Iterable[str], which: str) -> list[str]:
    if which == "both":
        return list(within)
    if which == "trash":
        return [key for key in within if library.items[key].data.get("deleted")]
    return [key for key in within if not any(library.items[above].data.get("deleted") for above in _line(library, key))]


def _line(library: Library, key: str) -> list[str]:
    """An item, what it hangs on, and what that hangs on."""
    line = [key]
    while (parent := library.items[line[-1]].data.get("parentItem")) in library.items and parent not in line:
        line.append(str(parent))
    return line


def _roots(library: Library, keys: Iterable[str]) -> list[str]:
    return [_line(library, key)[-1] for key in keys]


def _tests(library: Library, request: Request) -> Iterable[Callable[[str], bool]]:
    """One test for each thing that is searched for."""
    items = library.items
    if text := request.param("itemKey"):
        wanted = {key for key in text.split(",")[:_MOST_KEYS] if is_key(key)}
        yield lambda key: key in wanted
    for given in request.query.get("tag", ()):
        yield _tag_test(given, lambda key: {tag["tag"] for tag in items[key].data.get("tags", ())}, library)
    for given in request.query.get("itemType", ()):
        yield _tag_test(given, lambda key: {items[key].data["itemType"]}, library)
    if words := request.param("q").casefold().split():
        yield lambda key: all(word in _quick_text(items[key].data) for word in words)


def _tag_test(given: str, names: Callable[[str], set[str]], library: Library) -> Callable[[str], bool]:
    """A search by names: "a || b" is either, "-a" is all without it, "\\-a" is one that begins with a dash."""
    if given.startswith("-"):
        return lambda key: given[1:] not in names(key) and library.items[key].data["itemType"] != "annotation"
    wanted = {name.strip() for name in given.removeprefix("\\").split(" || ")}
    return lambda key: bool(wanted & names(key))


def _quick_text(data: Json) -> str:
    """What a quick search looks at: title, names, year; neither a DOI nor Extra."""
    title = data.get("note") if data["itemType"] == "note" else data.get(title_field(data["itemType"]))
    return " ".join((str(title or ""), *_names(data), str(data.get("date", ""))[:4])).casefold()


def _names(data: Json) -> list[str]:
    return [creator.get("name") or f"{creator.get('firstName', '')} {creator.get('lastName', '')}" for creator in data.get("creators", ())]
