"""Recommendations into a Zotero collection, what became of them there, and the way back."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import ClassVar, Self

from paperrec.errors import DeniedError
from paperrec.ports import Context, Mark, Written
from paperrec.recommendation import Feedback, Recommendation
from paperrec.text import printable
from paperrec_adapters.zotero.authorizing import authorize
from paperrec_adapters.zotero.collection import Collection, erased_collection, find_collection, make_collection
from paperrec_adapters.zotero.connecting import cache_of, connect
from paperrec_adapters.zotero.explaining import unexplained
from paperrec_adapters.zotero.ledger import Ledger, fact_of, place_of
from paperrec_adapters.zotero.outcome import feedback_of
from paperrec_adapters.zotero.places import DEFAULT_COLLECTION, Place
from paperrec_adapters.zotero.plan import TAG, Action, Step, Target, plan
from paperrec_adapters.zotero.reading import read_library
from paperrec_adapters.zotero.service import Service
from paperrec_adapters.zotero.snapshot import Snapshot
from paperrec_adapters.zotero.undoing import take_back
from paperrec_adapters.zotero.writing import Wishes, Writing


@dataclass(slots=True)
class ZoteroSink:
    """A collection of a Zotero library, on the web or on this computer."""

    place: Place
    context: Context
    journaled: ClassVar[bool] = True  # what was thrown out and erased is known from the journal alone
    _connected: Service | None = field(default=None, init=False, repr=False)

    @classmethod
    def open(cls, rest: str, context: Context) -> Self:
        """The sink behind `zotero:rest`; asks nobody yet."""
        return cls(Place.parse(rest), context)

    def check(self) -> None:
        """Ask, in one request, whether the library can be written.

        Raises
        ------
        PaperrecError
            It cannot; says why.
        """
        self._service(writes=True)

    def authorize(self) -> str:
        """A key for this Zotero, given by the person at its screen.

        Raises
        ------
        DeniedError, ServiceError
            There is none.
        """
        return authorize(self._service(writes=False))

    def write(self, recommendations: Sequence[Recommendation], *, dry_run: bool = False) -> Written:
        """Bring what is new into the collection, which is made if need be.

        A work that the library has is filed or passed over, as the user wishes; one that was thrown out is never brought back.

        Raises
        ------
        SettingsError
            The collection is not to be told: it lies in the trash, or several have its name.
        DeniedError, ServiceError
            Nothing could be written, or not all; running again goes on from there.
        """
        service = self._service(writes=not dry_run)
        snapshot = read_library(service, cache_of(service, self.context))
        collection = self._collection(service, snapshot)
        steps = self._plan(recommendations, service, snapshot, collection)
        label = f'{service.name}, collection "{printable(collection.name)}"'
        new = [step for step in steps if step.action not in (Action.PRESENT, Action.LEAVE)]
        wishes = self._wishes()
        noteless = unexplained(steps, snapshot.items, self._marks(service, collection), service) if wishes.notes else []
        if dry_run:
            return Written(label, len(new), len(steps) - len(new), diff=_told(steps, collection, noteless))
        if new and not collection.key:
            collection = make_collection(collection, service)
        ledger = Ledger(_library(service), self._wanted, collection.key, self.context.journal)
        if collection.key:
            ledger.stands_at(collection.key)
        Writing(service, collection, wishes, ledger, snapshot).carry_out(steps, noteless)
        return Written(label, ledger.added, ledger.present, tuple(ledger.problems), missing=tuple(ledger.missing))

    def feedback(self) -> Sequence[Feedback]:
        """What became of what we brought: moved on, tagged, annotated, read is relevant; thrown out is not; untouched says nothing.

        Raises
        ------
        SettingsError, DeniedError, ServiceError
            As in `write`.
        """
        service = self._service(writes=False)
        snapshot = read_library(service, cache_of(service, self.context))
        collection = self._collection(service, snapshot)
        return feedback_of(snapshot, collection.key, self._marks(service, collection), self._wishes().tag) if collection.key else ()

    def undo(self, run: str, *, dry_run: bool = False) -> Written:
        """Take back what a run brought, but for what a person has touched since; `added` counts what was taken back.

        What was made in a collection that is erased goes to the trash all the same.

        Raises
        ------
        SettingsError, DeniedError, ServiceError
            As in `write`.
        """
        service = self._service(writes=not dry_run)
        snapshot = read_library(service, cache_of(service, self.context))
        collection = erased_collection(self._wanted, snapshot, service) or self._collection(service, snapshot)
        ledger = Ledger(_library(service), self._wanted, collection.key, self.context.journal)
        last = {mark.fingerprint: mark.did for mark in self._marks(service, collection)}
        # What a killed run only planned and a later one did is the later one's to take back
        marks = [m for m in self._marks(service, collection, run) if m.did != "planned" or last[m.fingerprint] in ("planned", "present")]
        lines = take_back(marks, snapshot, service, ledger, dry_run=dry_run)
        label = f'{service.name}, collection "{printable(collection.name)}"'
        return Written(label, ledger.added, ledger.present, tuple(ledger.problems), "\n".join(lines))

    @property
    def memory(self) -> str:
        """The library, by which the history remembers what was offered: another account has not seen it. Asks for it if need be."""
        return _library(self._service(writes=False))

    @property
    def _wanted(self) -> str:
        return self.place.collection or DEFAULT_COLLECTION

    def _service(self, *, writes: bool) -> Service:
        service = self._connected = self._connected or connect(self.place, self.context)
        if writes and service.refusal:
            raise DeniedError(f"{service.name}: cannot be written: {service.refusal}")
        return service

    def _collection(self, service: Service, snapshot: Snapshot) -> Collection:
        journal = self.context.journal
        known = journal.fact(_library(service), fact_of(self._wanted)) if journal else ""
        return find_collection(self._wanted, known, snapshot, service)

    def _marks(self, service: Service, collection: Collection, run: str = "") -> Sequence[Mark]:
        journal = self.context.journal
        return journal.marks(place_of(_library(service), collection.key), run) if journal and collection.key else ()

    def _plan(
        self, recommendations: Sequence[Recommendation], service: Service, snapshot: Snapshot, collection: Collection
    ) -> tuple[Step, ...]:
        target = Target(service.library, collection.key, not service.local, self.context.services.get("zotero_owned") != "skip")
        marks = self._marks(service, collection)
        steps = plan(recommendations, snapshot, target, marks)
        if service.local or all(step.action not in (Action.CREATE, Action.FILE) for step in steps):
            return steps
        return plan(recommendations, snapshot, target, marks, service.erased(0)[0])

    def _wishes(self) -> Wishes:
        services = self.context.services
        day = services.get("today", "") or datetime.now(UTC).date().isoformat()
        return Wishes(services.get("zotero_tag", TAG), day, services.get("zotero_notes") == "yes")


def _library(service: Service) -> str:
    """The library's name in the journal: versions and keys of one Zotero mean nothing in another."""
    return f"{service.name}@{service.server}" if service.server else service.name


def _told(steps: Sequence[Step], collection: Collection, noteless: Sequence[Step]) -> str:
    """A plan, one line a step, and one for each note that is given later than its item."""
    lines = [] if collection.key else [f'create   the collection "{printable(collection.name)}"']
    for step in steps:
        title = printable(step.recommendation.paper.title) or step.fingerprint
        lines.append(f"{step.action:<8} {title}{f': {step.why}' if step.why else ''}")
    lines += [f"note     {printable(step.recommendation.paper.title) or step.fingerprint}" for step in noteless]
    return "\n".join(lines)
