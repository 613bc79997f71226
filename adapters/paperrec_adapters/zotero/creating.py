"""New items in batches: each index of each answer is looked at, and whatever is doubtful is looked up before it is sent again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from paperrec_adapters.zotero.plan import Step
from paperrec_adapters.zotero.service import Service
from paperrec_adapters.zotero.snapshot import Thing, compact

_WEB_BATCH = 50  # items a request: the most that the service takes
_LOCAL_BATCH = 20  # a local Zotero needs some 10 s for 50, and stands still meanwhile
MOST_ATTEMPTS = 5  # times that a wish whose token was used in vain, in this run or an earlier one, is sent again with a new one
_SHORTENED = 10_000  # characters of a field that was refused as too long


@dataclass(frozen=True, slots=True)
class Order:
    """An item to be made."""

    step: Step
    data: Mapping[str, Any]
    mended: bool = False  # whether it was changed after a refusal: that is done once


class Verdict(Enum):
    """What became of an order."""

    MADE = "made"
    EXISTS = "exists"  # or may exist: it has to be looked up
    HOMELESS = "homeless"  # its collection is gone
    TOO_LONG = "too long"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Outcome:
    """An order with its verdict."""

    order: Order
    verdict: Verdict
    item: Thing | None = None
    why: str = ""


def batches(orders: Sequence[Order], service: Service) -> Iterator[Sequence[Order]]:
    """The orders in the portions that a service takes."""
    size = _LOCAL_BATCH if service.local else _WEB_BATCH
    for start in range(0, len(orders), size):
        yield orders[start : start + size]


def send(orders: Sequence[Order], service: Service, attempt: int) -> list[Outcome]:
    """Send one batch.

    Returns
    -------
    list of Outcome
        One for each order, in their order.

    Raises
    ------
    DeniedError, ServiceError
        Nothing of it can be done; what was done of it the next run finds.
    """
    answer = service.post("items", [order.data for order in orders], attempt)
    said = answer.body.decode("utf-8", "replace")
    if answer.status == 412 and "token" in said.lower():  # it was done before, and the answer was lost
        return [Outcome(order, Verdict.EXISTS) for order in orders]
    if answer.status == 413 and len(orders) > 1:
        half = len(orders) // 2
        return [*send(orders[:half], service, attempt), *send(orders[half:], service, attempt)]
    if answer.status == 413:
        return [Outcome(orders[0], Verdict.TOO_LONG, why=f"refused with 413: {service.quoted(said)}")]
    service.check(answer)
    told = answer.json()
    if not isinstance(told, dict):
        raise service.nonsense("no report on the items sent")
    return [_outcome(order, str(index), told, service) for index, order in enumerate(orders)]


def _outcome(order: Order, index: str, told: Mapping[str, Any], service: Service) -> Outcome:
    parts = {name: part if isinstance(part := told.get(name), dict) else {} for name in ("successful", "success", "unchanged", "failed")}
    if index in parts["successful"] or index in parts["success"]:
        made = compact(parts["successful"].get(index))
        if made is None and isinstance(key := parts["success"].get(index), str):
            made = {"key": key, "version": 0, "data": order.data}
        return Outcome(order, Verdict.MADE if made else Verdict.EXISTS, made)
    failure = parts["failed"].get(index)
    if not isinstance(failure, dict):
        return Outcome(order, Verdict.EXISTS)  # unchanged, or not a word on it
    code, why = failure.get("code"), service.quoted(str(failure.get("message", "")))
    return Outcome(order, _verdict(code, why), why=f"refused with {code}: {why}")


def _verdict(code: object, why: str) -> Verdict:
    if code == 412:
        return Verdict.EXISTS
    if code == 409 or (code == 400 and "collection" in why.lower()):  # 400: a local Zotero
        return Verdict.HOMELESS
    return Verdict.TOO_LONG if code == 413 else Verdict.REFUSED


def shortened(outcome: Outcome) -> Order:
    """The order with the field cut that was refused as too long: the one that the refusal names, else the longest."""
    data = outcome.order.data
    texts = {name: text for name, text in data.items() if isinstance(text, str)}
    said = outcome.why.lower().replace(" ", "")
    named = {name: place for name in texts if (place := said.find(name.lower().removesuffix("note"))) >= 0}
    field = min(named, key=lambda name: named[name]) if named else max(texts, key=lambda name: len(texts[name]))
    return replace(outcome.order, data={**data, field: texts[field][:_SHORTENED]}, mended=True)
