"""One item changed at a time, only in what is ours to change, and only if nobody changed it meanwhile without our looking again."""

from collections.abc import Callable, Mapping
from typing import Any

from paperrec_adapters.zotero.service import Service
from paperrec_adapters.zotero.snapshot import Thing

_ROUNDS = 5  # tries when somebody changes an item at the same moment

Change = Callable[[Thing], Mapping[str, Any] | None]  # the fields to set in an item as it stands; None: leave it


def change_item(item: Thing, change: Change, service: Service) -> tuple[Thing | None, str]:
    """Set some fields of an item.

    Parameters
    ----------
    item
        As it was last seen.
    change
        Asked anew each time that somebody else was faster.
    service
        Where it is.

    Returns
    -------
    item
        As it stands now; None if it is gone or was not changed.
    why
        Why not; "" if `change` wanted nothing.
    """
    for _ in range(_ROUNDS):
        if (wish := change(item)) is None:
            return None, ""
        answer = service.patch(str(item["key"]), int(item["version"]), wish)
        if answer.status == 204:
            version = answer.headers.get("Last-Modified-Version", "")
            changed = {**item, "version": int(version) if version.isdecimal() else item["version"], "data": {**item["data"], **wish}}
            return changed, ""
        if answer.status not in (200, 404, 412):  # 200: the word of somebody between us and Zotero
            return None, f"refused with {answer.status}: {service.quoted(answer.body.decode('utf-8', 'replace'))}"
        if (now := service.item(str(item["key"]))) is None:
            return None, "it was erased at this moment"
        if all(_same(now["data"].get(name), value) for name, value in wish.items()):
            return now, ""  # our own change, whose answer was lost
        item = now
    return None, f"it was changed {_ROUNDS} times at this moment"


def _same(now: object, wished: object) -> bool:
    if isinstance(now, list) and isinstance(wished, list):
        return sorted(map(str, now)) == sorted(map(str, wished))
    return now == wished or (not now and not wished)
