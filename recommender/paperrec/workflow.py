"""One run from locators to results: read, choose, write; what failed on the way stands beside what worked."""

from dataclasses import dataclass

from paperrec.collection_globs import in_collections
from paperrec.errors import NoInputError, PaperrecError
from paperrec.history import History
from paperrec.paper import fingerprint
from paperrec.pipeline import Choice, Options, choose
from paperrec.ports import Batch, Context, Problem, Sink, Written, open_sink
from paperrec.reading import Failure, Reading, Words, read_all, read_words
from paperrec.steering import unmet


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is to do; sources and sinks by locator."""

    library: tuple[str, ...]
    candidates: tuple[str, ...]
    options: Options
    sinks: tuple[str, ...] = ()
    include: tuple[str, ...] = ()  # globs on the library's collections
    exclude: tuple[str, ...] = ()
    liked: tuple[str, ...] = ()  # sources of papers that the user said yes to ...
    disliked: tuple[str, ...] = ()  # ... and no
    dry_run: bool = False
    only_new: bool = False  # leave out what was offered before


@dataclass(frozen=True, slots=True)
class Report:
    """What a run read, chose and wrote."""

    library: Reading
    candidates: Reading
    words: Words
    choice: Choice
    unmet: tuple[str, ...]  # levers that no candidate meets
    written: tuple[Written, ...]
    unwritten: tuple[Failure, ...]

    @property
    def failures(self) -> tuple[Failure, ...]:
        return (*self.unread, *self.unwritten)

    @property
    def unread(self) -> tuple[Failure, ...]:
        return tuple(failure for reading in self._readings for failure in reading.failures)

    @property
    def problems(self) -> tuple[Problem, ...]:
        return (*(problem for reading in self._readings for problem in reading.batch.problems), *self.words.problems)

    @property
    def _readings(self) -> tuple[Reading, ...]:
        return (self.library, self.candidates, self.words.liked, self.words.disliked)


def run_once(plan: Plan, context: Context, history: History | None = None) -> Report:
    """Read the library and the candidates, choose, and write to every sink; a failing sink does not keep the others from writing.

    Parameters
    ----------
    history
        Remembers what was offered and what the user said to it; None forgets. It is told only of what has been written.

    Raises
    ------
    PaperrecError
        Nothing of the library or nothing of the candidates could be read, or no sink of a plan with sinks can be written.
    """
    sinks, unwritten = _ready(plan, context, history)
    library = read_all(plan.library, context)
    mine = in_collections(library.batch.papers, plan.include, plan.exclude)
    if not mine and library.batch.papers:
        raise NoInputError("no paper of the library is left by --in and --not-in")
    candidates = read_all(plan.candidates, context)
    seen_in = [place for _, sink in sinks if (place := _memory(sink))] if plan.only_new else []
    words = read_words(plan.liked, plan.disliked, context, history, seen_in=seen_in)
    choice = choose(mine, candidates.batch.papers, plan.options, words.judged)
    written: list[Written] = []
    for locator, sink in sinks:
        try:
            written.append(sink.write(choice.recommendations, dry_run=plan.dry_run))
        except PaperrecError as error:
            unwritten.append(Failure(locator, error))
            continue
        if history and not plan.dry_run and (place := _memory(sink)):
            history.offer([r.paper for r in choice.recommendations if fingerprint(r.paper) not in written[-1].missing], place)
    library = Reading(Batch(mine, library.batch.problems), library.failures)
    idle = tuple(unmet(plan.options.steering, candidates.batch.papers))
    return Report(library, candidates, words, choice, idle, tuple(written), tuple(unwritten))


def _ready(plan: Plan, context: Context, history: History | None) -> tuple[list[tuple[str, Sink]], list[Failure]]:
    """The sinks that can be written, asked before any work is done, and what is wrong with the others.

    The history hears what became of what the ready ones were given before.
    """
    sinks = [(locator, open_sink(locator, context)) for locator in plan.sinks]  # a mistake in one ends the run
    ready: list[tuple[str, Sink]] = []
    failures: list[Failure] = []
    for locator, sink in sinks:
        try:
            if not plan.dry_run and (check := getattr(sink, "check", None)):
                check()
            if history:
                history.hear(sink.feedback())
            ready.append((locator, sink))
        except PaperrecError as error:
            failures.append(Failure(locator, error))
    if failures and not ready:
        raise failures[0].error
    return ready, failures


def _memory(sink: Sink) -> str:
    """The name under which the history remembers what a sink was given; "" if it is not remembered."""
    return str(getattr(sink, "memory", ""))
