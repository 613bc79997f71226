"""The whole method: library and candidates in, recommendations out. Pure: no clock, no files, no chance."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from operator import attrgetter
from typing import TYPE_CHECKING

from paperrec.paper import Paper, Works, combine, fingerprint, merge, normalize_title
from paperrec.recommendation import Reason, Recommendation

if TYPE_CHECKING:
    from paperrec.ranker import Relevance

_VALUES = attrgetter("title", "abstract", *(f.name for f in fields(Paper) if f.name not in {"title", "abstract", "year", "added"}))


@dataclass(frozen=True, slots=True)
class Options:
    """What the user may choose about a list."""

    limit: int = 20  # 0: all
    min_score: float = 0.0  # 0 to 100; 0 drops nothing
    n_reasons: int = 3  # named reasons a recommendation; what is left of the score is one more, "other"


@dataclass(frozen=True, slots=True)
class Funnel:
    """Where the candidates went: read = owned + duplicate + filtered + ranked."""

    read: int
    owned: int  # records of works that are in the library
    duplicate: int  # further records of one work among the candidates
    filtered: int  # below `Options.min_score`
    ranked: int  # the rest; the list is cut at `Options.limit`


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A candidate that is not in the list, and why, in words that follow "left out: "."""

    paper: Paper
    why: str


@dataclass(frozen=True, slots=True)
class Choice:
    """The list, and what became of every other candidate."""

    recommendations: tuple[Recommendation, ...]
    funnel: Funnel
    left_out: tuple[LeftOut, ...]
    note: str = ""  # set if there was nothing to rank by: says what the order is instead


def rank(library: Sequence[Paper], candidates: Sequence[Paper]) -> list[Recommendation]:
    """Every candidate once, the best first, without reasons; none is left out and no duplicates are folded.

    The order does not depend on the order of either argument. Scores are finite, 0 to 100.
    """
    ours, theirs = _sorted(library), _sorted(candidates)
    _, ranked = _ranked(ours, theirs)
    return [Recommendation(theirs[row], score, place) for place, (row, score) in enumerate(ranked, 1)]


def recommend(
    library: Sequence[Paper], candidates: Sequence[Paper], *, limit: int = 20, min_score: float = 0.0, n_reasons: int = 3
) -> list[Recommendation]:
    """The best candidates that the user does not have yet, with reasons; `choose` tells more.

    Parameters
    ----------
    library, candidates
        In any order; records of one work are folded, candidates that are in the library are left out.
    limit
        Longest list; 0 gives all.
    min_score
        0 to 100; 0 drops nothing.
    n_reasons
        Reasons named for each recommendation; the parts of all its reasons sum to its score.
    """
    return list(choose(library, candidates, Options(limit=limit, min_score=min_score, n_reasons=n_reasons)).recommendations)


def choose(library: Sequence[Paper], candidates: Sequence[Paper], options: Options | None = None) -> Choice:
    """The best candidates that the user does not have yet, with reasons, and what became of the others."""
    options = options or Options()
    ours = _sorted(merge(_sorted(library)))
    theirs, owned, duplicate = _offered(ours, _sorted(candidates))
    relevance, ranked = _ranked(ours, theirs)
    good = [(row, score) for row, score in ranked if score >= options.min_score]
    shown = good[: options.limit or None]
    recommendations = tuple(
        Recommendation(theirs[row], score, place, _reasons(relevance, row, options.n_reasons))
        for place, (row, score) in enumerate(shown, 1)
    )
    below = [LeftOut(theirs[row], f"below the line: it scores {score:.1f}") for row, score in ranked[len(good) :]]
    beyond = [
        LeftOut(theirs[row], f"below the line: rank {place} of {len(good)}")
        for place, (row, _) in enumerate(good[len(shown) :], len(shown) + 1)
    ]
    funnel = Funnel(len(candidates), len(owned), len(duplicate), len(below), len(good))
    note = "" if relevance or not theirs else "the library has no words to compare with: newest first"
    return Choice(recommendations, funnel, (*owned, *duplicate, *beyond, *below), note)


def _sorted(papers: Iterable[Paper]) -> list[Paper]:
    """The one order of papers that the method works in, whatever order they came in."""
    return sorted(papers, key=_canonical)


def _canonical(paper: Paper) -> tuple[object, ...]:
    """The fuller record first, whose values win where records of one work are folded; then every value; None as a value that compares."""
    values = _VALUES(paper)
    return (-sum(map(bool, values)), *values, str(paper.year), str(paper.added))


def _offered(library: Sequence[Paper], candidates: Sequence[Paper]) -> tuple[list[Paper], list[LeftOut], list[LeftOut]]:
    """One record of each work that is not in the library; and the owned ones; and the further records."""
    mine = {id(paper) for paper in library}
    candidates = [replace(paper) for paper in candidates]  # one of them may be the very object that stands in the library
    offered: list[Paper] = []
    owned: list[LeftOut] = []
    duplicate: list[LeftOut] = []
    for group in Works((*library, *candidates)).groups:
        records = [p for p in group if id(p) not in mine]
        have = next((p for p in group if id(p) in mine), None)
        if have:
            owned += [LeftOut(p, f"you have it already as {_name(have)}") for p in records]
        elif records:
            offered.append(combine(records))
            duplicate += [LeftOut(p, f"same work as {_name(records[0])}") for p in records[1:]]
    return _sorted(offered), owned, duplicate


def _name(paper: Paper) -> str:
    return paper.key or paper.title or "a paper without a name"


def _ranked(library: Sequence[Paper], candidates: Sequence[Paper]) -> tuple["Relevance | None", list[tuple[int, float]]]:
    """Rows and scores of the candidates, best first; equal scores by fingerprint. None: there is nothing to rank, or by."""
    if not candidates:
        return None, []
    if not any(normalize_title(f"{p.title} {p.abstract}") for p in library):
        rows = sorted(range(len(candidates)), key=lambda row: (-(candidates[row].year or 0), *_tie(candidates[row])))
        return None, [(row, 0.0) for row in rows]
    from paperrec.profile import build_profile
    from paperrec.ranker import judge

    found = judge(build_profile(library), candidates)
    values, scores = found.values.tolist(), found.scores.tolist()
    equal = {value for value, n in Counter(values).items() if n > 1}
    rows = sorted(range(len(candidates)), key=lambda row: (-values[row], *(_tie(candidates[row]) if values[row] in equal else ())))
    return found, [(row, scores[row]) for row in rows]


def _tie(paper: Paper) -> tuple[str, str]:
    return fingerprint(paper), repr(paper)


def _reasons(relevance: "Relevance | None", row: int, n_reasons: int) -> tuple[Reason, ...]:
    if relevance is None:
        return ()
    from paperrec.ranker import reasons_for

    return reasons_for(relevance, row, n_reasons)
