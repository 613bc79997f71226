"""The doors between the method and the world: what an adapter is, and how one is opened by its locator."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

from paperrec.errors import SettingsError
from paperrec.inputs import Input
from paperrec.paper import Paper
from paperrec.recommendation import Feedback, Recommendation

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

SOURCES = "paperrec.sources"
SINKS = "paperrec.sinks"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in the input that needed care: where it is, and why; never an exception."""

    where: str  # "mylib.bib:12", "results.jsonl:3"; a place that a person can open
    why: str  # one line, names the entry's key
    code: str = ""  # a short stable word for scripts: "duplicate-key", "missing-comma", ...
    left_out: bool = False  # True: the entry is not among the papers; False: it was repaired or guessed


@dataclass(frozen=True, slots=True)
class Window:
    """When papers came to a source, in UTC; None is open. Where a source knows days only, both ends' days belong to it."""

    start: datetime | None = None
    end: datetime | None = None

    @property
    def is_open(self) -> bool:
        """Whether nothing is said."""
        return self.start is None and self.end is None

    def days(self, form: str = "%Y-%m-%d") -> tuple[str, str]:
        """First and last day as text; "" where it is open."""
        return (self.start.strftime(form) if self.start else "", self.end.strftime(form) if self.end else "")


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a source was asked for and what it gave: for finding out whether something is missing."""

    source: str  # locator
    total: int | None  # what the service says there is in the window; None: it does not say
    received: int  # records that came
    parsed: int  # papers made of them
    start: datetime | None = None  # window asked for, UTC; None: open
    end: datetime | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """What a source gave: papers in the source's order, and what went wrong on the way."""

    papers: tuple[Paper, ...]
    problems: tuple[Problem, ...] = ()
    coverage: tuple[Coverage, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """What a sink did, or would do in a dry run."""

    place: str  # the file or collection, for people
    added: int  # papers that were not there
    present: int  # papers that were there already
    problems: tuple[Problem, ...] = ()
    diff: str = ""  # dry run: the change as a unified diff or as a list of lines
    missing: tuple[str, ...] = ()  # fingerprints of papers that could not be written: they are to be offered again


@dataclass(frozen=True, slots=True)
class Mark:
    """What a run means to do, or did, with one paper in one place."""

    fingerprint: str
    key: str  # the paper's name in the place, such as a Zotero item key; "" while it is not known
    did: str  # "planned", "added", "filed", "present" or "undone"
    detail: str = ""  # what the adapter needs to take it back; its own business


class Journal(Protocol):
    """What the runs meant to write and have written: on the disk when a call returns, so that a kill at any moment leaves the truth."""

    @property
    def run(self) -> str:
        """Name of the run that is going on."""

    def note(self, place: str, marks: Sequence[Mark]) -> None:
        """Put marks of this run down, all of them or none."""

    def marks(self, place: str, run: str = "") -> Sequence[Mark]:
        """The last mark of each paper in a place, by fingerprint; of one run only, if it is named."""

    def fact(self, place: str, name: str) -> str:
        """A small thing to know at the next run, such as the key of a collection; "" if it is not known."""

    def set_fact(self, place: str, name: str, value: str) -> None:
        """Keep a small thing for the next run; "" forgets it."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a run gives its adapters; None and "" mean "not given"."""

    cache_dir: Path | None = None  # may be deleted at any time
    offline: bool = False  # True: open no socket
    encoding: str = ""  # the user's word on the encoding of his files
    inputs: tuple[Input, ...] = ()  # what the run reads: a sink may append to these files, never replace them
    services: Mapping[str, str] = field(default_factory=dict, repr=False)  # addresses and keys by name, such as "zotero_api_key": secrets
    journal: Journal | None = None  # a sink that needs one says so with `journaled = True`, and names its place with `memory`


@dataclass(frozen=True, slots=True)
class Located:
    """What an adapter is made of that needs no more than its locator: a base to inherit, for those who like."""

    rest: str  # what stands behind the scheme's colon
    context: Context

    @classmethod
    def open(cls, rest: str, context: Context) -> Self:
        """The adapter behind `scheme:rest`; touches nothing yet."""
        return cls(rest, context)


class Source(Protocol):
    """Reads papers from one place."""

    @classmethod
    def open(cls, rest: str, context: Context) -> Self:
        """The source behind `scheme:rest`; reads nothing yet."""

    def read(self) -> Batch:
        """All papers of the place.

        Raises
        ------
        PaperrecError
            Only if nothing at all can be had; a bad entry is a Problem in the Batch.
        """


class WindowedSource(Source, Protocol):
    """A source that can be asked for what came to it since the last time."""

    def read_window(self, window: Window) -> Batch:
        """What came to the source within a window, and rather more than less: it widens the window by what it may learn late.

        The Batch has a Coverage. Where the source says that there is more than it gave, a Problem with the code "incomplete"
        is among the problems: then the same window is asked for again at the next run.
        """


class Sink(Protocol):
    """Writes recommendations to one place; writing the same again changes nothing."""

    @classmethod
    def open(cls, rest: str, context: Context) -> Self:
        """The sink behind `scheme:rest`; writes nothing yet."""

    def write(self, recommendations: Sequence[Recommendation], *, dry_run: bool = False) -> Written:
        """Add what is not there yet and touch nothing else; in a dry run only say what would be done."""

    def feedback(self) -> Sequence[Feedback]:
        """What became of earlier recommendations: kept, moved, thrown out."""


def is_journaled(locator: str) -> bool:
    """Whether the sink behind a locator needs a journal to keep its promises; an unknown scheme does not."""
    scheme, _ = split_locator(locator)
    point = schemes(SINKS).get(scheme)
    return bool(point and getattr(point.load(), "journaled", False))


def schemes(group: str) -> "dict[str, EntryPoint]":
    """The installed adapters of a group (`SOURCES` or `SINKS`) by scheme, in alphabetical order."""
    from importlib.metadata import entry_points  # 20 ms that --help need not pay

    found = {point.name: point for point in entry_points(group=group)}
    return dict(sorted(found.items()))


def split_locator(locator: str) -> tuple[str, str]:
    """`bib:mylib.bib` -> ("bib", "mylib.bib"); no scheme (or a drive letter) -> ("", locator)."""
    scheme, colon, rest = locator.partition(":")
    if not colon or len(scheme) < 2 or not scheme.replace("-", "").isalnum():
        return "", locator
    return scheme.lower(), rest


def _adapter(group: str, locator: str, scheme: str) -> type:
    known = schemes(group)
    if scheme not in known:
        what = "source" if group == SOURCES else "sink"
        raise SettingsError(f"{locator}: no {what} is called {scheme!r}; there are: {', '.join(known) or 'none'}")
    loaded: type = known[scheme].load()
    return loaded


def open_source(locator: str, context: Context) -> Source:
    """The source that `scheme:rest` names; an unknown scheme is an error that lists the known ones."""
    scheme, rest = split_locator(locator)
    source: Source = _adapter(SOURCES, locator, scheme).open(rest, context)  # type: ignore[attr-defined]
    return source


def open_sink(locator: str, context: Context) -> Sink:
    """The sink that `scheme:rest` names; an unknown scheme is an error that lists the known ones."""
    scheme, rest = split_locator(locator)
    sink: Sink = _adapter(SINKS, locator, scheme).open(rest, context)  # type: ignore[attr-defined]
    return sink
