"""A plan carried out: what is meant is written down first, then done, then what became of it is written down."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from paperrec_adapters.citation_keys import citation_key
from paperrec_adapters.zotero.changing import change_item
from paperrec_adapters.zotero.collection import Collection, make_collection
from paperrec_adapters.zotero.creating import MOST_ATTEMPTS, Order, Outcome, Verdict, batches, send, shortened
from paperrec_adapters.zotero.explaining import Explaining
from paperrec_adapters.zotero.index import Index
from paperrec_adapters.zotero.ledger import Ledger
from paperrec_adapters.zotero.plan import EXTRA, Action, Step
from paperrec_adapters.zotero.service import Service
from paperrec_adapters.zotero.snapshot import Children, Snapshot, Thing, collections_of, is_trashed
from paperrec_adapters.zotero_items import citation_keys_of, new_item


@dataclass(frozen=True, slots=True)
class Wishes:
    """How new items are to look."""

    tag: str
    day: str  # "2026-12-01", told in Extra
    notes: bool  # whether each gets a child note with the reasons


@dataclass(slots=True)
class Writing:
    """The writes of one run to one collection."""

    service: Service
    collection: Collection
    wishes: Wishes
    ledger: Ledger
    snapshot: Snapshot  # the library as the plan found it
    children: Children = field(init=False)
    _remade: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.children = Children(self.snapshot.items)

    def carry_out(self, steps: Sequence[Step], noteless: Sequence[Step]) -> None:
        """Do every step, then give the notes that are missing; what cannot be done is a problem in the ledger.

        Raises
        ------
        DeniedError, ServiceError
            The service gave up; what was done until then is in the journal.
        """
        self.ledger.stands([(step, self.children.states_below(step.key)) for step in steps if step.action is Action.PRESENT])
        self.ledger.left([step for step in steps if step.action is Action.LEAVE])
        self._create([step for step in steps if step.action is Action.CREATE])
        for step in steps:
            if step.action in (Action.FILE, Action.RESTORE):
                self._change(step)
        Explaining(self.service, self.ledger).catch_up(noteless)

    def _change(self, step: Step) -> None:
        """File an item into our collection, or bring one of ours back from the trash."""

        def wish(item: Thing) -> dict[str, Any] | None:
            filed = collections_of(item)
            if step.action is Action.RESTORE:
                return {"deleted": 0, "collections": [*dict.fromkeys((*filed, self.collection.key))]}
            if is_trashed(item) or self.collection.key in filed:
                return None
            return {"collections": [*filed, self.collection.key]}

        if step.item is None:
            return
        self.ledger.planned([step])
        item, why = change_item(step.item, wish, self.service)
        if item:
            self.ledger.done([(step, item, self.children.states_below(step.key))])
        elif why:
            self.ledger.failed(step, why, "not-filed")
        else:
            self.ledger.left([step])

    def _create(self, steps: Sequence[Step]) -> None:
        orders = []
        # Of what lies in the trash too: it may be brought back
        taken = {key for item in self.snapshot.items.values() for key in citation_keys_of(item["data"])} if steps else set[str]()
        for step in steps:
            extra = f"{EXTRA}{step.recommendation.score:.1f} ({self.wishes.day})"
            paper = step.recommendation.paper
            name = citation_key(paper, taken)
            data, notes = new_item(paper, collections=[self.collection.key], tag=self.wishes.tag, extra=extra, citation_key=name)
            for note in notes:
                self.ledger.remark(paper.title, note, "shortened")
            orders.append(Order(step, {**data, "key": step.key, "version": 0} if step.key else data))
        for batch in batches(orders, self.service):
            self.ledger.planned([order.step for order in batch])
            self._settle(send(batch, self.service, 0), 0)

    def _settle(self, outcomes: Sequence[Outcome], attempt: int) -> None:
        """Put down what was made, look up what is doubtful, and send again what can be mended."""
        again: list[Order] = []
        made = [(o.order.step, o.item) for o in outcomes if o.verdict is Verdict.MADE and o.item]
        doubtful = [o for o in outcomes if o.verdict is Verdict.EXISTS]
        there = self._look_up([o.order for o in doubtful])
        for outcome, item in zip(doubtful, there, strict=True):
            step = outcome.order.step
            if item is None and attempt == MOST_ATTEMPTS:
                self.ledger.failed(step, outcome.why or "the service does not say what became of it", "lost")
            elif item is None:
                again.append(outcome.order)
            elif not is_trashed(item) and self.collection.key in collections_of(item):
                made.append((step, item))
            else:
                self.ledger.left([step])
        self._put_down(made)
        again += [order for outcome in outcomes if (order := self._mended(outcome))]
        if again:
            self._settle(send(again, self.service, attempt + 1), attempt + 1)

    def _mended(self, outcome: Outcome) -> Order | None:
        """The order in a form that may be taken; None, and a problem told, if there is none."""
        title = outcome.order.step.recommendation.paper.title
        if outcome.verdict is Verdict.TOO_LONG and not outcome.order.mended:
            self.ledger.remark(title, "a field was refused as too long, and is shortened", "shortened")
            return shortened(outcome)
        if outcome.verdict is Verdict.HOMELESS and not outcome.order.mended:
            self._find_home()
            return replace(outcome.order, data={**outcome.order.data, "collections": [self.collection.key]}, mended=True)
        if outcome.verdict in (Verdict.TOO_LONG, Verdict.HOMELESS, Verdict.REFUSED):
            self.ledger.failed(outcome.order.step, outcome.why, "refused")
        return None

    def _find_home(self) -> None:
        """Make our collection anew, once a run, if somebody erased it at this moment."""
        if self._remade:
            return
        self._remade = True
        if self.service.collection(self.collection.key) is None:
            self.collection = make_collection(Collection("", self.collection.name), self.service)
            self.ledger.stands_at(self.collection.key)

    def _look_up(self, orders: Sequence[Order]) -> list[Thing | None]:
        """The items that there are for some orders, in their order."""
        if not orders:
            return []
        if not self.service.local:
            found = {item["key"]: item for item in self.service.items([order.step.key for order in orders])[0]}
            return [found.get(order.step.key) for order in orders]
        answer = self.service.all_items(0)
        index = Index(answer[0] if answer else ())

        def best(items: Sequence[Thing]) -> Thing | None:
            return min(items, key=lambda item: (is_trashed(item), self.collection.key not in collections_of(item)), default=None)

        return [best(index.find(order.step.recommendation.paper)) for order in orders]

    def _put_down(self, made: Sequence[tuple[Step, Thing]]) -> None:
        notes = Explaining(self.service, self.ledger).explain(made) if self.wishes.notes else {}
        self.ledger.done([(step, item, notes.get(str(item["key"]), frozenset())) for step, item in made])
