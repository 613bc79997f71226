"""What is to be done with each recommendation, decided from a snapshot and the journal alone. Pure: nothing is sent from here."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from paperrec.paper import Works, fingerprint
from paperrec.ports import Mark
from paperrec.recommendation import Recommendation
from paperrec_adapters.zotero.index import Index
from paperrec_adapters.zotero.keys import object_key
from paperrec_adapters.zotero.snapshot import Snapshot, Thing, collections_of, is_trashed

EXTRA = "paperrec: "  # begins the line in Extra by which an item of ours is known
TAG = "paperrec"  # that a new item of ours gets, if the settings do not say otherwise
NOTE_TAG = "paperrec"  # by which a note of ours is known
_STOOD = frozenset({"added", "filed", "present"})


class Action(StrEnum):
    """What a step does."""

    CREATE = "create"
    FILE = "file"  # an item of the user's into our collection
    RESTORE = "restore"  # an item of ours that an undo put into the trash
    PRESENT = "present"
    LEAVE = "leave"


@dataclass(frozen=True, slots=True)
class Step:
    """One recommendation and what is to be done with it."""

    action: Action
    recommendation: Recommendation
    fingerprint: str
    key: str  # of the item; "" if the service is to choose it
    item: Thing | None = None  # as it stands there; None if there is none
    why: str = ""  # for LEAVE, in words that follow a colon


@dataclass(frozen=True, slots=True)
class Target:
    """Where a plan leads."""

    library: str  # "users/1"
    collection: str  # key; "" if it does not exist yet
    chosen_keys: bool  # whether the service lets us name new items
    files_owned: bool  # whether what the user has already goes into our collection


def plan(
    recommendations: Sequence[Recommendation], snapshot: Snapshot, target: Target, marks: Iterable[Mark], erased: Collection[str] = ()
) -> tuple[Step, ...]:
    """One step for each recommendation, in their order.

    Parameters
    ----------
    recommendations
        Two of one work give one item.
    snapshot
        The library, the trash with it.
    target
        The collection to fill.
    marks
        What earlier runs did in this collection.
    erased
        Keys of items that were in the library once and are erased for good.
    """
    index = Index(snapshot.items.values())
    journal = _Journal.of(marks)
    planned = Works()
    steps = []
    for recommendation in recommendations:
        if planned.find(recommendation.paper) is not None:
            steps.append(Step(Action.LEAVE, recommendation, fingerprint(recommendation.paper), "", why="the same work is in this list"))
            continue
        planned.add(recommendation.paper)
        name = fingerprint(recommendation.paper)
        key = object_key(target.library, name) if target.chosen_keys else ""
        items = index.find(recommendation.paper, key)
        steps.append(_step(recommendation, name, key, items, target, journal, erased))
    return tuple(steps)


@dataclass(frozen=True, slots=True)
class _Journal:
    """Marks by the two names of what they speak of."""

    by_key: Mapping[str, Mark]
    by_fingerprint: Mapping[str, Mark]

    @classmethod
    def of(cls, marks: Iterable[Mark]) -> "_Journal":
        kept = tuple(marks)
        return cls({mark.key: mark for mark in kept if mark.key}, {mark.fingerprint: mark for mark in kept})

    def did(self, item: Thing) -> str:
        """What we last did with an item; "" if nothing."""
        return self.by_key[item["key"]].did if item["key"] in self.by_key else ""

    def brought(self, name: str) -> bool:
        """Whether the work of a fingerprint came to stand in our collection."""
        return name in self.by_fingerprint and self.by_fingerprint[name].did in _STOOD

    def stood(self, item: Thing, our_key: str) -> bool:
        """Whether a living item that is not in our collection was in it once."""
        did = self.did(item)
        return did in _STOOD or (did != "undone" and (item["key"] == our_key or is_ours(item)))


def _step(
    recommendation: Recommendation,
    name: str,
    key: str,
    items: Sequence[Thing],
    target: Target,
    journal: _Journal,
    erased: Collection[str],
) -> Step:
    def step(action: Action, item: Thing | None = None, why: str = "") -> Step:
        return Step(action, recommendation, name, str(item["key"]) if item else key, item, why)

    living = [item for item in items if not is_trashed(item)]
    if there := next((item for item in living if target.collection in collections_of(item)), None):
        return step(Action.PRESENT, there)
    # In the trash or erased: merged into an item of the user's, which bears no sign of ours, it was offered all the same
    gone = key in erased or journal.brought(name)
    if living and (taken_out := next((item for item in (*living, *items) if gone or journal.stood(item, key)), None)):
        return step(Action.LEAVE, taken_out, "it was offered before and is not in the collection any more")
    if living and not target.files_owned:
        return step(Action.LEAVE, living[0], "it is in the library already")
    if living:
        return step(Action.FILE, living[0])
    if undone := next((item for item in items if journal.did(item) == "undone" and is_ours(item)), None):
        return step(Action.RESTORE, undone)
    if items:
        return step(Action.LEAVE, items[0], "it lies in the trash")
    if gone:
        return step(Action.LEAVE, why="it was there and is erased")
    return step(Action.CREATE)


def is_ours(item: Thing) -> bool:
    """Whether we made an item: it bears our line in Extra."""
    extra = item["data"].get("extra")
    return isinstance(extra, str) and any(line.startswith(EXTRA) for line in extra.splitlines())
