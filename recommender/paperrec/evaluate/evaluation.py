"""A test of the ranking on the user's own library: papers of it are hidden among others, and looked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from paperrec.evaluate.baselines import BASELINES, Baseline
from paperrec.evaluate.holdout import Trial, draw, is_by_age, order_of, trials
from paperrec.evaluate.measures import Counts, Estimate, Values, by_chance, differences, estimates
from paperrec.paper import Paper, Works, merge, normalize_title
from paperrec.pipeline import rank

OURS = "paperrec"
_FEWEST_PAPERS = 2
_FEWEST_OTHERS = 20  # among fewer, the first twenty of a list hold everything
_MOST_OTHERS = 1_000  # more cost time and tell little more


@dataclass(frozen=True, slots=True)
class Standing:
    """How well one ranker did; `estimates` is empty, and `reason` says why, if it cannot rank these texts."""

    name: str
    estimates: Mapping[str, Estimate]  # by name of the measure
    differences: Mapping[str, Estimate]  # what is more than paperrec's, on the same trials; empty for paperrec itself
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """A hidden paper, and its place in paperrec's list."""

    paper: Paper
    trial: int  # 0 and 1 are of the newest papers, if there are so many
    block: int  # 0 is the newest
    rank: int


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What a test was made of, and what came out; without `standings` there was none, and `reason` says why."""

    library: tuple[Paper, ...]  # one record of each work
    others: tuple[Paper, ...]  # at most 1,000 of the candidates that are not in the library, one record of each work
    order: str  # what tells new from old: "added", "year" or "none"
    by_age: bool  # whether newer papers are looked for by older ones; else any by all others
    n_trials: int = 0
    n_hidden: int = 0  # in each trial
    standings: tuple[Standing, ...] = ()  # paperrec's first, the others' the best first
    chance: Mapping[str, float] = field(default_factory=dict)  # each measure of lists in no order
    found: tuple[Found, ...] = ()
    reason: str = ""


def evaluate_ranking(library: Sequence[Paper], candidates: Sequence[Paper]) -> Evaluation:
    """Hide papers of the library among the candidates, find them by the rest, and compare with other rankers on the same texts.

    Deterministic, whatever the order of the arguments. A candidate that is in the library, hidden or not, is left out.
    """
    ours = merge(sorted(library, key=repr))
    worded = [paper for paper in ours if _has_words(paper)]
    works = Works(ours)
    others = _drawn(merge(sorted((p for p in candidates if _has_words(p) and works.find(p) is None), key=repr)))
    order, by_age = order_of(worded), is_by_age(worded)
    if reason := _obstacle(len(worded), len(others)):
        return Evaluation(ours, others, order, by_age, reason=reason)
    made = trials(worded)
    above = _above([_our_scores(trial, others) for trial in made], made, others)
    theirs = sorted((_standing(name, made, others, above) for name in BASELINES), key=_worth)
    standings = (Standing(OURS, estimates(above), {}), *theirs)
    n_hidden = above.shape[1]
    chance = by_chance(n_hidden, len(others))
    return Evaluation(ours, others, order, by_age, len(made), n_hidden, standings, chance, _found(made, above))


def _drawn(papers: Sequence[Paper]) -> tuple[Paper, ...]:
    return tuple(sorted(papers, key=draw)[:_MOST_OTHERS])


def _has_words(paper: Paper) -> bool:
    return bool(normalize_title(f"{paper.title} {paper.abstract}"))


def _obstacle(n_papers: int, n_others: int) -> str:
    """Why nothing can be measured, or ""."""
    if n_papers < _FEWEST_PAPERS:
        return f"of {'one paper' if n_papers else 'no paper'} with words, none is left to find a hidden one by"
    if n_others < _FEWEST_OTHERS:
        return f"yours are to be hidden among papers that you do not have: {n_others} are given, {_FEWEST_OTHERS} are the least"
    return ""


def _our_scores(trial: Trial, others: Sequence[Paper]) -> Values:
    offered = (*map(_as_new, trial.hidden), *others)
    row = {id(paper): place for place, paper in enumerate(offered)}
    scores = np.zeros(len(offered))
    for recommendation in rank(trial.library, offered):
        scores[row[id(recommendation.paper)]] = recommendation.score
    return scores


def _as_new(paper: Paper) -> Paper:
    """The paper as a stranger's, without what it got in the library, which would give it away."""
    return replace(paper, keywords=(), collections=(), added=None)


def _found(made: Sequence[Trial], above: Counts) -> tuple[Found, ...]:
    ranks = above + above.argsort(axis=1, kind="stable").argsort(axis=1) + 1
    return tuple(
        Found(paper, number, trial.block, int(ranks[number, place]))
        for number, trial in enumerate(made)
        for place, paper in enumerate(trial.hidden)
    )


def _standing(name: str, made: Sequence[Trial], others: Sequence[Paper], reference: Counts) -> Standing:
    try:
        scores = [_scores(BASELINES[name], trial, others) for trial in made]
    except ValueError:
        return Standing(name, {}, {}, "its settings leave no words of these texts")
    above = _above(scores, made, others)
    return Standing(name, estimates(above), differences(above, reference))


def _scores(baseline: Baseline, trial: Trial, others: Sequence[Paper]) -> Values:
    return baseline([_text(p) for p in trial.library], [_text(p) for p in (*trial.hidden, *others)])


def _text(paper: Paper) -> str:
    return paper.abstract if paper.title_derived else f"{paper.title} {paper.abstract}"


def _above(scores: Sequence[Values], made: Sequence[Trial], others: Sequence[Paper]) -> Counts:
    """How many others stand above each hidden paper, (n_trials, n_hidden); papers of equal score in an order that is nobody's."""
    their_draws = [draw(paper) for paper in others]
    rows = []
    for values, trial in zip(scores, made, strict=True):
        draws = np.array([draw(paper) for paper in trial.hidden] + their_draws)
        n_hidden = len(trial.hidden)
        place = np.empty(len(draws), np.int64)
        place[np.lexsort((draws, -values))] = np.arange(len(draws))
        rows.append((place[:n_hidden, None] > place[None, n_hidden:]).sum(axis=1))
    return np.array(rows)


def _worth(standing: Standing) -> tuple[float, str]:
    return (-standing.estimates["map"].mean if standing.estimates else 1.0, standing.name)
