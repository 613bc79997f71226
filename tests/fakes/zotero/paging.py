"""Long lists in pages: how much a page holds, the links between pages, the forms of an answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from fakes.zotero.item_types import SCHEMA
from fakes.zotero.rendering import SITE
from fakes.zotero.selecting import usual_direction
from fakes.zotero.wire import Json, Refusal, Reply, Request

_FORMS = ("json", "keys", "versions")
_DEFAULTS = {"start": "0", "format": "json", "sort": "dateModified", "v": "3", "includeTrashed": "0"}
_USUAL, _MOST = 25, 100  # things on a page of the web's
ALWAYS = {"Zotero-API-Version": "3", "Zotero-Schema-Version": str(SCHEMA)}


@dataclass(frozen=True, slots=True)
class Listing:
    """What a list is made of: keys in order, the version of each, and how one is shown."""

    keys: Sequence[str]
    version_of: Callable[[str], int]
    show: Callable[[str], Json]


def listed(listing: Listing, request: Request, version: int, base: str, *, local: bool) -> Reply:
    """The page of a list that a request asks for, in the form that it asks for.

    Parameters
    ----------
    version
        Of the library.
    base
        The address before "/users".
    local
        Whether a page holds everything, if nothing else is said.
    """
    form = request.param("format", "json")
    if form not in _FORMS:
        raise Refusal(501 if local and form == "atom" else 400, f"Invalid 'format' value '{form}'")
    limit = _limit(request, form, local=local)
    start = _positive(request.param("start")) or 0
    page = listing.keys[start : start + limit] if limit else listing.keys[start:]
    headers = {**ALWAYS, "Total-Results": str(len(listing.keys)), "Last-Modified-Version": str(version)}
    usual = 0 if local or form != "json" else _USUAL
    if links := _links(request, range(start, start + limit), len(listing.keys), base, usual):
        headers["Link"] = links
    if form == "keys":
        return Reply.text("".join(f"{key}\n" for key in page), headers)
    if form == "versions":
        return Reply.json({key: listing.version_of(key) for key in page}, headers)
    return Reply.json([listing.show(key) for key in page], headers)


def _limit(request: Request, form: str, *, local: bool) -> int:
    """Things on a page; 0 = all."""
    asked = _positive(request.param("limit")) or 0
    if local:
        return asked
    if request.param("itemKey") and form == "json":
        return _MOST
    if form != "json":
        return asked
    return min(asked, _MOST) or _USUAL


def _positive(text: str) -> int | None:
    """A number that was sent; what is none counts as not sent."""
    return int(text) if text.isascii() and text.isdecimal() else None


def _links(request: Request, page: range, total: int, base: str, usual: int) -> str:
    """The Link header: only to other pages, and only with what differs from the usual; `usual` is how much a page holds, 0 = all."""
    links = []
    start, limit = page.start, len(page)
    if limit:
        last = max(0, (total - 1) // limit * limit)
        targets = {"first": 0, "prev": max(0, start - limit), "next": start + limit, "last": last}
        if start == 0:
            targets = {rel: at for rel, at in targets.items() if rel in ("next", "last")}
        if start + limit >= total:
            targets = {rel: at for rel, at in targets.items() if rel in ("first", "prev")}
        links = [f'<{_address(request, at, limit if limit != usual else 0, base)}>; rel="{rel}"' for rel, at in targets.items()]
    return ", ".join([*links, f'<{SITE}{request.path}>; rel="alternate"'])


def _address(request: Request, start: int, limit: int, base: str) -> str:
    """Of a page; a limit of 0 is not told."""
    given = {name: values for name, values in request.query.items() if name not in ("start", "limit", "key")}
    asked = {**given, "start": [str(start)], "limit": [str(limit)] if limit and request.param("limit") else []}
    usual = {**_DEFAULTS, "direction": usual_direction(request.param("sort", "dateModified"))}
    pairs = [(name, value) for name in sorted(asked) for value in asked[name] if value != usual.get(name)]
    return f"{base}{request.path}" + (f"?{urlencode(pairs)}" if pairs else "")
