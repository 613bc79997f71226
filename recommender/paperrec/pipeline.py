"""The whole method: library and candidates in, recommendations out. Pure: no clock, no files, no chance."""

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from operator import attrgetter

from paperrec.choice import Choice as Choice
from paperrec.choice import Funnel as Funnel
from paperrec.choice import InterestShare as InterestShare
from paperrec.choice import Judged as Judged
from paperrec.choice import LeftOut as LeftOut
from paperrec.choice import Options as Options
from paperrec.listing import listed, ranked
from paperrec.paper import Paper, Works, combine, merge
from paperrec.recommendation import Recommendation
from paperrec.steering import matches

_VALUES = attrgetter("title", "abstract", *(f.name for f in fields(Paper) if f.name not in {"title", "abstract", "year", "added"}))
_OWNED, _JUDGED, _SEEN = range(3)  # how a candidate may be known


def rank(library: Sequence[Paper], candidates: Sequence[Paper]) -> list[Recommendation]:
    """Every candidate once, the best first, without reasons; none is left out and no duplicates are folded.

    The order does not depend on the order of either argument. Scores are finite, 0 to 100.
    """
    ours, theirs = _sorted(library), _sorted(candidates)
    _, order = ranked(ours, theirs)
    return [Recommendation(theirs[row], score, place) for place, (row, score) in enumerate(order, 1)]


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


def choose(library: Sequence[Paper], candidates: Sequence[Paper], options: Options | None = None, judged: Judged | None = None) -> Choice:
    """The best candidates that the user neither has nor has judged, with reasons, and what became of the others.

    Raises
    ------
    SettingsError
        `Options.interest` names no interest of the library, or more than one.
    """
    options, judged = options or Options(), judged or Judged()
    ours = canonical_papers(library)
    liked, disliked = canonical_papers(judged.liked), canonical_papers(judged.disliked)
    known = [
        *((paper, _OWNED, f"you have it already as {_name(paper)}") for paper in ours),
        *((replace(paper), _JUDGED, "you said yes to it") for paper in liked),
        *((replace(paper), _JUDGED, "you turned it down") for paper in disliked),
        *((replace(paper), _SEEN, "it was recommended before") for paper in canonical_papers(judged.seen)),
    ]
    offered, (owned, heard, seen), duplicate = _offered(known, _sorted(candidates))
    muted = [LeftOut(p, f"muted: {', '.join(met)}") for p in offered if (met := matches(options.steering.mute, p))]
    silent = {id(left.paper) for left in muted}
    theirs = [p for p in offered if id(p) not in silent]
    found = listed(ours, _new_to(ours, liked), disliked, theirs, options)
    funnel = Funnel(
        read=len(candidates),
        owned=len(owned),
        duplicate=len(duplicate),
        filtered=len(found.below),
        ranked=len(theirs) - len(found.below) - len(found.twins),
        judged=len(heard),
        seen=len(seen),
        muted=len(muted),
        twins=len(found.twins),
    )
    left_out = (*owned, *heard, *seen, *muted, *duplicate, *found.twins, *found.beyond, *found.below)
    return Choice(found.recommendations, funnel, left_out, found.note, found.interests)


def canonical_papers(papers: Iterable[Paper]) -> list[Paper]:
    """One record of each work, in the one order of papers that the method works in."""
    return _sorted(merge(_sorted(papers)))


def _new_to(library: Sequence[Paper], papers: Sequence[Paper]) -> list[Paper]:
    """The papers whose works are not in the library."""
    have = {id(paper) for paper in library}
    papers = [replace(paper) for paper in papers]  # one of them may be the very object that stands in the library
    groups = Works((*library, *papers)).groups if papers else ()
    return _sorted(combine(group) for group in groups if not any(id(paper) in have for paper in group))


def _sorted(papers: Iterable[Paper]) -> list[Paper]:
    """The one order of papers that the method works in, whatever order they came in."""
    return sorted(papers, key=_canonical)


def _canonical(paper: Paper) -> tuple[object, ...]:
    """The fuller record first, whose values win where records of one work are folded; then every value; None as a value that compares."""
    values = _VALUES(paper)
    return (-sum(map(bool, values)), *values, str(paper.year), str(paper.added))


def _offered(
    known: Sequence[tuple[Paper, int, str]], candidates: Sequence[Paper]
) -> tuple[list[Paper], tuple[list[LeftOut], ...], list[LeftOut]]:
    """One record of each work that is not known; the candidates that are known, by how; and the further records.

    Parameters
    ----------
    known
        Papers that the user has, has judged or was offered; how he knows each, and what to say of a candidate that is the same work.
    """
    told = {id(paper): (how, why) for paper, how, why in known}
    candidates = [replace(paper) for paper in candidates]  # one of them may be the very object that stands in the library
    offered: list[Paper] = []
    by_how: tuple[list[LeftOut], ...] = ([], [], [])
    duplicate: list[LeftOut] = []
    for group in Works((*(paper for paper, _, _ in known), *candidates)).groups:
        records = [p for p in group if id(p) not in told]
        if have := [told[id(p)] for p in group if id(p) in told]:
            how, why = min(have)
            by_how[how].extend(LeftOut(p, why) for p in records)
        elif records:
            offered.append(combine(records))
            duplicate += [LeftOut(p, f"same work as {_name(records[0])}") for p in records[1:]]
    return _sorted(offered), by_how, duplicate


def _name(paper: Paper) -> str:
    return paper.key or paper.title or "a paper without a name"
