"""One library behind one of Zotero's two interfaces, asked through one HTTP policy; what is wrong ends in one line."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from paperrec.errors import DeniedError, ServiceError
from paperrec.text import printable
from paperrec_adapters.zotero.keys import write_token
from paperrec_adapters.zotero.snapshot import compact

if TYPE_CHECKING:
    from pyzotero.zotero import Zotero

    from paperrec_adapters.web import Answer, Web

MOST_KEYS = 50  # that one request may name
PAGE = 100  # things on a page: the most that the web service gives
_MOST_PAGES = 1_000
_QUOTED = 200  # characters of what the service says


@dataclass(frozen=True, slots=True)
class Service:
    """The requests that paperrec makes to one library, and no others.

    Plain reads go through pyzotero. Conditional reads and writes do not: it takes "not modified" for an error, makes a new write token for
    each call, and reads the text of a refusal as JSON.
    """

    web: Web
    zotero: Zotero = field(repr=False)
    base: str  # address, without a slash at its end
    library: str  # "users/1"
    headers: Mapping[str, str] = field(repr=False)  # with the key
    local: bool
    owner: str = field(repr=False)  # what a cache of this library is only good for; "" = nothing may be kept
    server: str = ""  # which local Zotero it is; "" on the web, and before version 10
    refusal: str = ""  # why nothing can be written; "" = it can

    @property
    def name(self) -> str:
        """The library, for people."""
        return f"zotero:{'local/' if self.local else ''}{self.library}"

    def versions(self, since: int) -> tuple[dict[str, int], int] | None:
        """Version by key of the items newer than a version of the library (0: of all), and its version now; None if nothing is newer."""
        answer = self._get("items", {"format": "versions", "since": str(since), "includeTrashed": "1"}, since)
        if answer is None:
            return None
        found = answer.json()
        if not isinstance(found, dict) or not all(isinstance(version, int) for version in found.values()):
            raise self.nonsense("no list of versions")
        total = answer.headers.get("Total-Results", "")
        if total.isdecimal() and int(total) > len(found):
            raise self.nonsense(f"{len(found):,} of {int(total):,} items")
        return found, _version(answer.headers)

    def all_items(self, since: int) -> tuple[list[dict[str, Any]], int] | None:
        """Every item in one answer, as only a local Zotero gives them, and the library's version; None if nothing is newer than `since`."""
        answer = self._get("items", {"includeTrashed": "1"}, since)
        if answer is None:
            return None
        return self._things(answer.json()), _version(answer.headers)

    def items(self, keys: Sequence[str]) -> tuple[list[dict[str, Any]], int]:
        """The items of these names that there are, at most `MOST_KEYS`, and the library's version."""
        found = self._ask(lambda: self.zotero.items(itemKey=",".join(keys), includeTrashed=1, limit=PAGE))
        return [thing for thing in self._things(found) if thing["key"] in keys], self._version_of_last()

    def page(self, since: int, number: int) -> tuple[list[dict[str, Any]], int]:
        """A page, of `PAGE` but for the last, of the items newer than a version; and the library's version.

        In the order in which they were added: what changes meanwhile moves no other item to another page.
        """
        at = {"start": number * PAGE, "limit": PAGE, "sort": "dateAdded", "direction": "asc"}
        found = self._ask(lambda: self.zotero.items(since=since, includeTrashed=1, **at))
        return self._things(found), self._version_of_last()

    def item(self, key: str) -> dict[str, Any] | None:
        """One item, trashed or not; None if there is none."""
        return self._one(f"items/{key}")

    def collection(self, key: str) -> dict[str, Any] | None:
        """One collection, trashed or not; None if there is none."""
        return self._one(f"collections/{key}")

    def collections(self, since: int) -> tuple[list[dict[str, Any]], int]:
        """The collections newer than a version, and the lowest version of the library at any of the pages."""
        found: dict[str, dict[str, Any]] = {}
        versions: list[int] = []
        for page in range(_MOST_PAGES):
            things = self._things(self._ask(functools.partial(self.zotero.collections, since=since, start=page * PAGE, limit=PAGE)))
            versions.append(self._version_of_last())
            before = len(found)
            found.update((thing["key"], thing) for thing in things)
            if len(things) < PAGE or len(found) == before:
                break
        return list(found.values()), min(versions)

    def erased(self, since: int) -> tuple[set[str], set[str], int]:
        """Keys of the items and of the collections that were erased for good after a version; and the library's version."""
        found = self._ask(lambda: self.zotero.deleted(since=since))
        if not isinstance(found, dict):
            raise self.nonsense("no list of what was deleted")
        return _keys(found.get("items")), _keys(found.get("collections")), self._version_of_last()

    def post(self, kind: str, things: Sequence[Mapping[str, Any]], attempt: int) -> Answer:
        """Send new items or collections, all in one request; with an equal `attempt` an equal wish is granted once, whoever asks."""
        body = _json(things)
        headers = {"Content-Type": "application/json", "Zotero-Write-Token": write_token(body, attempt)}
        return self._write("POST", kind, headers, body)

    def patch(self, key: str, version: int, change: Mapping[str, Any]) -> Answer:
        """Change some fields of an item that still has this version."""
        headers = {"Content-Type": "application/json", "If-Unmodified-Since-Version": str(version)}
        return self._write("PATCH", f"items/{key}", headers, _json(change))

    def _write(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
        try:
            return self.web.send(method, f"{self.base}/{self.library}/{path}", headers={**self.headers, **headers}, body=body, retry=True)
        except DeniedError as error:
            if self.library.startswith("groups/") and "refused with 403" in str(error):
                raise DeniedError(f"{self.name}: {error}; if the key is good, ask an admin of the group who may edit it") from error
            if not self.local:
                raise
            raise DeniedError(f"{self.name}: Zotero refuses the local key: it must be one that was given by Always Allow") from error

    def quoted(self, text: str) -> str:
        """What the service said, fit to be shown: short, on one line, without the key."""
        key = self.headers.get("Zotero-API-Key")
        shown = printable(text.replace(key, "***") if key else text)
        return shown[:_QUOTED] + ("..." if len(shown) > _QUOTED else "")

    def nonsense(self, what: str) -> ServiceError:
        """The error of an answer that cannot be right."""
        return ServiceError(f"{self.name}: the answer was {what}; run again, and if it stays so, look for a proxy or a changed address")

    def _get(self, path: str, params: Mapping[str, str], since: int) -> Answer | None:
        condition = {"If-Modified-Since-Version": str(since)} if since else {}
        url = f"{self.base}/{self.library}/{path}"
        answer = self.web.get(url, params=params, headers={**self.headers, **condition})
        if answer.status == 304:
            now = answer.headers.get("Last-Modified-Version", "")
            if not (now.isdecimal() and int(now) < since):
                return None
            answer = self.web.get(url, params=params, headers=self.headers)  # not the library that was read: an older state was put back
        self.check(answer)
        return answer

    def check(self, answer: Answer) -> None:
        """Raise the error of an answer that is no success."""
        if answer.status == 404:
            raise ServiceError(f"{self.name}: there is no such library; look at the number and at whether it is a user's or a group's")
        if not 200 <= answer.status < 300:
            raise ServiceError(f"{self.name}: refused with {answer.status}: {self.quoted(answer.body.decode('utf-8', 'replace'))}")

    def _one(self, path: str) -> dict[str, Any] | None:
        answer = self.web.get(f"{self.base}/{self.library}/{path}", headers=self.headers)
        if answer.status == 404:
            return None
        self.check(answer)
        if (thing := compact(answer.json())) is None:
            raise self.nonsense("neither an item nor a collection")
        return thing

    def _ask(self, call: Callable[[], object]) -> object:
        """What pyzotero gives, with its errors as ours."""
        import httpx2
        from pyzotero.errors import PyZoteroError

        try:
            return call()
        except (PyZoteroError, httpx2.HTTPError, LookupError, TypeError, ValueError) as error:
            status = getattr(self.zotero.request, "status_code", None)
            raise self.nonsense(f"not to be understood ({status or type(error).__name__})") from error

    def _things(self, found: object) -> list[dict[str, Any]]:
        if not isinstance(found, list):
            raise self.nonsense("no list")
        return [thing for thing in map(compact, found) if thing is not None]

    def _version_of_last(self) -> int:
        last = self.zotero.request
        return _version(last.headers) if last is not None else 0


def _version(headers: Mapping[str, str]) -> int:
    given = headers.get("Last-Modified-Version", "")
    return int(given) if given.isdecimal() else 0


def _keys(value: object) -> set[str]:
    return {key for key in value if isinstance(key, str)} if isinstance(value, list) else set()


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
