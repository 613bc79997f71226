"""From locators to papers: what several sources gave together, and the user's word on papers."""

from collections.abc import Sequence
from dataclasses import dataclass

from paperrec.choice import Judged
from paperrec.errors import NoInputError, PaperrecError
from paperrec.history import History
from paperrec.locators import inputs_of
from paperrec.paper import Paper, Works
from paperrec.ports import Batch, Context, Problem, open_source


@dataclass(frozen=True, slots=True)
class Failure:
    """A source or sink that gave nothing, while others worked."""

    locator: str
    error: PaperrecError


@dataclass(frozen=True, slots=True)
class Reading:
    """What a set of sources gave together."""

    batch: Batch
    failures: tuple[Failure, ...] = ()


@dataclass(frozen=True, slots=True)
class Words:
    """What the user said to papers: as it counts, and as the sources of this run gave it."""

    judged: Judged
    liked: Reading
    disliked: Reading
    problems: tuple[Problem, ...]  # with what he said, not with what was read


def read_all(locators: Sequence[str], context: Context) -> Reading:
    """Read several sources into one batch.

    Raises
    ------
    PaperrecError
        The first source's error, if no source could be read.
    """
    reading = _read_each(locators, context)
    if len(reading.failures) == len(locators) and reading.failures:
        raise reading.failures[0].error
    return reading


def read_words(
    liked: Sequence[str], disliked: Sequence[str], context: Context, history: History | None, *, seen_in: Sequence[str]
) -> Words:
    """What the user said yes or no to, in sources that this run is given and in the places that earlier ones wrote to.

    The later word on a work counts: one that this run is given stands before the history's. Of a yes and a no in one run, the no counts,
    and that there are both is a problem. A source that cannot be read is a failure and never an exception: the list is made without it.

    Parameters
    ----------
    seen_in
        Places in the history: papers that were offered in all of them before count as seen.
    """
    yes, no = _read_each(liked, context, may_be_empty=True), _read_each(disliked, context, may_be_empty=True)
    turned_down = Works(no.batch.papers)
    both = [paper for paper in yes.batch.papers if turned_down.find(paper) is not None]
    why = "you said both yes and no to it (--like, --dislike); the no counts"
    problems = tuple(Problem(paper.key or paper.title, why, "yes-and-no") for paper in both)
    wanted = [paper for paper in yes.batch.papers if turned_down.find(paper) is None]
    unwanted = list(no.batch.papers)
    said_now = Works((*wanted, *unwanted))
    for word in history.feedback() if history else ():
        if word.paper and said_now.find(word.paper) is None:
            (wanted if word.relevant else unwanted).append(word.paper)
    seen: tuple[Paper, ...] = history.offered(seen_in) if history else ()
    return Words(Judged(tuple(wanted), tuple(unwanted), seen), yes, no, problems)


def _read_each(locators: Sequence[str], context: Context, *, may_be_empty: bool = False) -> Reading:
    """Read several sources; `may_be_empty`: a file without a byte in it is a problem and not a failure."""
    batches: list[Batch] = []
    failures: list[Failure] = []
    for locator in locators:
        try:
            batches.append(open_source(locator, context).read())
        except NoInputError as error:
            if may_be_empty and _is_empty_file(locator):
                batches.append(Batch((), (Problem(locator.partition(":")[2], "is empty: nothing was said there", "empty"),)))
            else:
                failures.append(Failure(locator, error))
        except PaperrecError as error:
            failures.append(Failure(locator, error))
    papers = tuple(paper for batch in batches for paper in batch.papers)
    problems = tuple(problem for batch in batches for problem in batch.problems)
    coverage = tuple(covered for batch in batches for covered in batch.coverage)
    return Reading(Batch(papers, problems, coverage), tuple(failures))


def _is_empty_file(locator: str) -> bool:
    return any(read.path.is_file() and not read.path.stat().st_size for read in inputs_of((locator,)))
