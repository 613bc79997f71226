"""The note with the reasons on an item that we made: given once; one that a person threw away is not given again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from paperrec.ports import Mark
from paperrec_adapters.zotero.creating import Order, Verdict, batches, send
from paperrec_adapters.zotero.keys import object_key
from paperrec_adapters.zotero.ledger import Ledger, Trace
from paperrec_adapters.zotero.plan import NOTE_TAG, Action, Step, is_ours
from paperrec_adapters.zotero.service import MOST_KEYS, Service
from paperrec_adapters.zotero.snapshot import Thing, state_of, tags_of
from paperrec_adapters.zotero_items import reasons_note


def unexplained(steps: Iterable[Step], items: Mapping[str, Thing], marks: Iterable[Mark], service: Service) -> list[Step]:
    """The steps whose items stand in our collection, are ours, and never had a note of ours: a run ended before it gave it.

    Parameters
    ----------
    steps
        With the items as they stand.
    items
        The library, by key; a note that lies in the trash was given.
    marks
        What earlier runs did in this collection.
    service
        Asked which notes were erased, if anything is left to ask about.
    """
    given = {str(item["data"].get("parentItem")) for item in items.values() if NOTE_TAG in tags_of(item)}
    given |= {mark.key for mark in marks if Trace.read(mark.detail).children}
    found = [step for step in steps if step.action is Action.PRESENT and step.item and is_ours(step.item) and step.key not in given]
    if not found or service.local:  # which tells nothing of what was erased
        return found
    erased = service.erased(0)[0]
    return [step for step in found if _name(step.key, service) not in erased]


@dataclass(frozen=True, slots=True)
class Explaining:
    """Who gives the notes of one run."""

    service: Service
    ledger: Ledger

    def catch_up(self, steps: Sequence[Step]) -> None:
        """Give the notes that an earlier run could not give, and put that down."""
        given = self.explain([(step, step.item) for step in steps if step.item])
        self.ledger.explained([(step, given[step.key]) for step in steps if step.key in given])

    def explain(self, made: Sequence[tuple[Step, Thing]]) -> dict[str, frozenset[str]]:
        """Give items their notes; the states of the notes by the key of the item.

        Raises
        ------
        DeniedError, ServiceError
            The service gave up: the next run catches up.
        """
        orders = [self._order(step, str(item["key"])) for step, item in made]
        given: dict[str, frozenset[str]] = {}
        doubtful = []
        for batch in batches(orders, self.service):
            for outcome in send(batch, self.service, 0):
                if outcome.item:
                    given[outcome.order.step.key] = frozenset({state_of(outcome.item)})
                elif outcome.verdict is Verdict.EXISTS:
                    doubtful.append(outcome.order)
                else:
                    self.ledger.remark(outcome.order.step.recommendation.paper.title, f"its note was {outcome.why}", "note")
        return {**self._look_up(doubtful), **given}

    def _order(self, step: Step, parent: str) -> Order:
        data = {
            "itemType": "note",
            "parentItem": parent,
            "note": reasons_note(step.recommendation),
            "tags": [{"tag": NOTE_TAG, "type": 1}],
        }
        return Order(replace(step, key=parent), data if self.service.local else {**data, "key": _name(parent, self.service), "version": 0})

    def _look_up(self, orders: Sequence[Order]) -> dict[str, frozenset[str]]:
        """The states of notes that are there, by the key of the item: the answer to their making was lost."""
        if not orders:
            return {}
        if self.service.local:
            answer = self.service.all_items(0)
            notes = [item for item in (answer[0] if answer else ()) if NOTE_TAG in tags_of(item)]
        else:
            parts = (orders[start : start + MOST_KEYS] for start in range(0, len(orders), MOST_KEYS))
            notes = [item for part in parts for item in self.service.items([str(order.data["key"]) for order in part])[0]]
        found: dict[str, frozenset[str]] = {}
        for note in notes:
            parent = str(note["data"].get("parentItem"))
            found[parent] = found.get(parent, frozenset()) | {state_of(note)}
        return found


def _name(parent: str, service: Service) -> str:
    """The key of the note on an item of the web."""
    return object_key(service.library, f"note:{parent}")
