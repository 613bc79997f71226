"""What an evaluation says in plain words: whether the list can be trusted, and what would make it better."""

import shlex
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from paperrec.evaluate.evaluation import Evaluation, Found
from paperrec.paper import Paper

_MANY_OTHERS = 200  # that papers are hidden among; fewer flatter
_MANY_HIDDEN = 20
_LITTLE_LIBRARY = 20
_NOTICEABLE = 0.2  # share of papers without abstracts, or of difference in what is found, that is worth a word
_FEWEST_COMPARED = 4  # hidden papers of one kind
_MOST_COLLECTIONS = 3
_NEAR_TOP = 20

_BY = {"added": ", by date of adding", "year": ", by year", "none": ""}


def findings(evaluation: Evaluation) -> list[str]:
    """What was tested, what came out, whether the list can be trusted, and how other rankers do; or why nothing was measured."""
    if not evaluation.standings:
        return [f"Not measured: {evaluation.reason}."]
    return [_what_was_done(evaluation), _what_was_found(evaluation), _trust(evaluation), _others(evaluation)]


def advice(evaluation: Evaluation) -> list[str]:
    """What the figures suffer from, and what would help; the weightiest first."""
    return [*_on_the_test(evaluation), *_on_the_library(evaluation)]


# ------------------------------------------------------------------ findings


def _what_was_done(evaluation: Evaluation) -> str:
    n, others, hidden = evaluation.n_trials, len(evaluation.others), evaluation.n_hidden
    age = "newer " if evaluation.by_age else ""
    papers = f"one of your {age}papers was" if hidden == 1 else f"{hidden} of your {age}papers were"
    rest = f"the older ones{_BY[evaluation.order]}" if evaluation.by_age else "the rest of your papers"
    return f"{n} times, {papers} hidden among {others:,} that you do not have, and looked for by {rest}."


def _what_was_found(evaluation: Evaluation) -> str:
    ours, chance = evaluation.standings[0].estimates, evaluation.chance
    ten, twenty = ours["recall_at_10"], ours["recall_at_20"]
    return (
        f"{ten.mean:.0%} of the hidden papers came among the first 10 of the list (95 % interval {ten.low:.0%} to {ten.high:.0%}), "
        f"{twenty.mean:.0%} among the first 20; of a list in no order, {chance['recall_at_10']:.0%} and {chance['recall_at_20']:.0%}."
    )


def _trust(evaluation: Evaluation) -> str:
    """What can be relied on at the interval's lower end: the mean of a lucky draw promises too much."""
    if len(evaluation.found) < _MANY_HIDDEN or len(evaluation.others) < _MANY_OTHERS:
        return "These are too few papers to tell whether the list can be trusted."
    sure = evaluation.standings[0].estimates["recall_at_10"].low
    if sure <= evaluation.chance["recall_at_10"]:
        return "That cannot be told from chance: do not rely on the list yet."
    if sure >= 0.7:
        return "The top of the list can be trusted: most of what you would have added stands there."
    if sure >= 0.4:
        return "The top of the list holds about half of what you would have added, or more: read on to 20 or more."
    return "The top of the list may hold less than half of what you would have added: read far down, and see below what would help."


def _others(evaluation: Evaluation) -> str:
    differences = {s.name: s.differences["map"] for s in evaluation.standings if s.differences}
    if differences and len(evaluation.found) < _MANY_HIDDEN:
        return "These are too few papers to tell rankers apart."
    better = [name for name, d in differences.items() if d.low > 0]
    worse = [name for name, d in differences.items() if d.high < 0]
    level = [name for name in differences if name not in (*better, *worse)]
    parts = [
        f"{_listed(names)} {'does' if len(names) == 1 else 'do'} {how}"
        for names, how in ((better, "better"), (level, "as well, as far as can be told"), (worse, "worse"))
        if names
    ]
    return "Of other rankers on these texts, " + "; ".join(parts) + "." if parts else "No other ranker can read these texts."


def _listed(names: Sequence[str]) -> str:
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


# ------------------------------------------------------------------ advice


def _on_the_test(evaluation: Evaluation) -> Iterator[str]:
    if (n := len(evaluation.others)) < _MANY_OTHERS:
        yield (
            f"Only {n} other papers: that is too easy, and the figures flatter. Give some hundred new papers of your field, the more like "
            "yours the better: paperrec evaluate --bib LIBRARY CANDIDATES"
        )
    if not evaluation.standings:
        return
    if (n := len(evaluation.found)) < _MANY_HIDDEN:
        yield f"Only {n} papers were looked for: take the figures as rough."
    if evaluation.order == "none":
        yield "When your papers were added is not known, nor most of their years: new papers could not be told from old ones."
    hidden = _bare(f.paper for f in evaluation.found) / len(evaluation.found)
    others = _bare(evaluation.others) / len(evaluation.others)
    if abs(hidden - others) > 2 * _NOTICEABLE:
        yield (
            f"{hidden:.0%} of the hidden papers lack an abstract, and {others:.0%} of the others: the difference alone tells them apart, "
            "for good or ill."
        )


def _on_the_library(evaluation: Evaluation) -> Iterator[str]:
    n = len(evaluation.library)
    if n < _LITTLE_LIBRARY:
        yield f"A library of {n} {'paper' if n == 1 else 'papers'} says little: with {_LITTLE_LIBRARY} or more the list gets better."
    if (bare := _bare(evaluation.library)) >= _NOTICEABLE * n > 0:
        yield f"{bare / n:.0%} of your papers have no abstract: add abstracts.{_without_abstracts(evaluation.found)}"
    newest, older = _near_top(f for f in evaluation.found if not f.block), _near_top(f for f in evaluation.found if f.block)
    if evaluation.by_age and _is_worse(newest, older):
        yield (
            f"Your newest papers are found less well ({_told(newest)} among the first {_NEAR_TOP}) than earlier ones ({_told(older)}): "
            "your interests may be moving. Add a few more papers on what is new."
        )
    for name, places in _badly_found(evaluation.found):
        yield f"Badly found: {name} ({_told(places)} among the first {_NEAR_TOP}). Try a list of its own with --in {shlex.quote(name)}"


def _bare(papers: Iterable[Paper]) -> int:
    return sum(not paper.abstract for paper in papers)


def _near_top(found: Iterable[Found]) -> list[bool]:
    return [f.rank <= _NEAR_TOP for f in found]


def _is_worse(some: Sequence[bool], rest: Sequence[bool]) -> bool:
    enough = min(len(some), len(rest)) >= _FEWEST_COMPARED
    return enough and sum(some) / len(some) < sum(rest) / len(rest) - _NOTICEABLE


def _told(near_top: Sequence[bool]) -> str:
    return f"{sum(near_top)} of {len(near_top)}"


def _without_abstracts(found: Sequence[Found]) -> str:
    bare, full = (_near_top(f for f in found if bool(f.paper.abstract) == has) for has in (False, True))
    if not _is_worse(bare, full):
        return ""
    return f" Hidden papers without one came among the first {_NEAR_TOP} in {_told(bare)} cases, with one in {_told(full)}."


def _badly_found(found: Sequence[Found]) -> list[tuple[str, list[bool]]]:
    """The collections whose papers are found less well than the others, the worst first."""
    members: dict[str, list[bool]] = defaultdict(list)
    for f in found:
        for name in f.paper.collections:
            members[name].append(f.rank <= _NEAR_TOP)
    everywhere = _near_top(found)
    bad = [(name, places) for name, places in members.items() if _is_worse(places, everywhere)]
    return sorted(bad, key=lambda entry: (sum(entry[1]) / len(entry[1]), entry[0]))[:_MOST_COLLECTIONS]
