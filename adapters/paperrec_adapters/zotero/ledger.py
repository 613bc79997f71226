"""What a run meant to do and did in one collection: counted, told, and put into the journal before and after each request."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from paperrec.ports import Journal, Mark, Problem
from paperrec.text import printable
from paperrec_adapters.zotero.plan import NOTE_TAG, Action, Step
from paperrec_adapters.zotero.snapshot import Thing, collections_of, state_of, tags_of

_DID = {Action.CREATE: "added", Action.RESTORE: "added", Action.FILE: "filed"}


@dataclass(frozen=True, slots=True)
class Trace:
    """How we left an item: whoever finds it otherwise knows that a person has touched it."""

    version: int = 0
    collections: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    children: tuple[str, ...] = ()  # key and version of its notes and attachments

    @classmethod
    def of(cls, item: Thing, children: Iterable[str] = ()) -> "Trace":
        return cls(item["version"], tuple(sorted(collections_of(item))), tags_of(item), tuple(sorted(children)))

    @classmethod
    def read(cls, detail: str) -> "Trace":
        """The trace that a mark holds; an unreadable one fits no item."""
        try:
            told = json.loads(detail)
            lists = [tuple(str(name) for name in told[of]) for of in ("collections", "tags", "children")]
            return cls(int(told["version"]), *lists)
        except (ValueError, TypeError, LookupError):
            return cls()

    def strange(self, children: Iterable[Thing]) -> frozenset[str]:
        """Key and version of what a person hung on the item or changed there; a note that a later run of ours gave is no such thing."""
        known = {state.partition(":")[0] for state in self.children}
        others = (child for child in children if child["key"] in known or NOTE_TAG not in tags_of(child))
        return frozenset(map(state_of, others)) - set(self.children)

    def written(self) -> str:
        """The trace as a mark holds it."""
        return json.dumps({"version": self.version, "collections": self.collections, "tags": self.tags, "children": self.children})


def place_of(library: str, collection: str) -> str:
    """The name of a collection in the journal."""
    return f"{library}/collections/{collection}"


def fact_of(wanted: str) -> str:
    """The name in the journal under which the key of the collection `wanted` stands."""
    return f"collection:{wanted}"


@dataclass(slots=True)
class Ledger:
    """The course of one write."""

    library: str  # its name in the journal
    wanted: str  # the collection as it was asked for
    collection: str  # its key
    journal: Journal | None
    added: int = 0
    present: int = 0
    problems: list[Problem] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)  # fingerprints of what could not be brought

    @property
    def place(self) -> str:
        """The collection's name in the journal, and for people."""
        return place_of(self.library, self.collection)

    def stands_at(self, key: str) -> None:
        """Put down which collection stands for the one that was asked for."""
        self.collection = key
        if self.journal and self.journal.fact(self.library, fact_of(self.wanted)) != key:
            self.journal.set_fact(self.library, fact_of(self.wanted), key)

    def planned(self, steps: Sequence[Step]) -> None:
        """Put down what the next request is meant to do."""
        self._note([Mark(step.fingerprint, step.key, "planned", _before(step)) for step in steps])

    def done(self, done: Sequence[tuple[Step, Thing, frozenset[str]]]) -> None:
        """Put down what a request did: the steps, the items as they stand now, and what hangs on them."""
        self.added += len(done)
        self._note(
            [
                Mark(step.fingerprint, str(item["key"]), _DID[step.action], Trace.of(item, children).written())
                for step, item, children in done
            ]
        )

    def stands(self, steps: Sequence[tuple[Step, frozenset[str]]]) -> None:
        """Put down what was in the collection before, and what hung on it: a killed run that could not say so brought it, or the user."""
        self.present += len(steps)
        known = {mark.key: mark.did for mark in self.journal.marks(self.place)} if self.journal else {}
        self._present([(step, children) for step, children in steps if known.get(step.key, "planned") in ("planned", "undone")])

    def explained(self, steps: Sequence[tuple[Step, frozenset[str]]]) -> None:
        """Put down what was in the collection before and got its note only now."""
        self._present(steps)

    def _present(self, steps: Sequence[tuple[Step, frozenset[str]]]) -> None:
        self._note([Mark(step.fingerprint, step.key, "present", Trace.of(step.item, hung).written()) for step, hung in steps if step.item])

    def left(self, steps: Sequence[Step]) -> None:
        """Count what is to stay as it is."""
        self.present += len(steps)

    def undone(self, marks: Sequence[Mark]) -> None:
        """Put down what was taken back."""
        self.added += len(marks)
        self._note([Mark(mark.fingerprint, mark.key, "undone", mark.detail) for mark in marks])

    def failed(self, step: Step, why: str, code: str) -> None:
        """Tell that a step could not be done: it is to be offered again."""
        self.missing.append(step.fingerprint)
        self.problems.append(Problem(self.place, f"{_title(step.recommendation.paper.title)}: {why}", code, left_out=True))

    def remark(self, title: str, why: str, code: str) -> None:
        """Tell what was done otherwise than it was meant."""
        self.problems.append(Problem(self.place, f"{_title(title)}: {why}", code))

    def _note(self, marks: Sequence[Mark]) -> None:
        if marks and self.journal:
            self.journal.note(self.place, marks)


def _title(text: str) -> str:
    return printable(text)[:80]


def _before(step: Step) -> str:
    return Trace.of(step.item).written() if step.item else ""
