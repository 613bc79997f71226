"""From scores to a list: near twins folded, places kept for the interests, as varied as the user likes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paperrec.choice import InterestShare, LeftOut, Options
from paperrec.paper import Paper, fingerprint, normalize_title
from paperrec.recommendation import Recommendation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from paperrec.interests import Interests
    from paperrec.ranker import Relevance

    Values = NDArray[np.float64]

Ranked = list[tuple[int, float]]  # rows of candidates and their scores

_TWIN = 0.7  # cosine from which two candidates say nearly the same
_MOST_VARIED = 500  # candidates that are compared with each other; further down the list nobody looks
_SHORTEST_ABSTRACT = 200  # characters; titles alone are alike too easily
_ENOUGH_PAPERS = 10  # in the library, for words about its scores
_NONE = ("", False)  # no interest is served, and no place kept
STRONG, FAIR = 70.0, 40.0  # of 42 people's candidates from 70 up 4 of 5 were papers that they added later, 1 in 3 from 40 to 70


@dataclass(frozen=True, slots=True)
class Listed:
    """The list, and why the other candidates are not in it."""

    recommendations: tuple[Recommendation, ...] = ()
    twins: tuple[LeftOut, ...] = ()
    beyond: tuple[LeftOut, ...] = ()
    below: tuple[LeftOut, ...] = ()
    note: str = ""
    interests: tuple[InterestShare, ...] = ()


def level(score: float, n_library: int) -> str:
    """ "strong", "fair" or "weak"; "" for a library that is too small to tell."""
    if n_library < _ENOUGH_PAPERS:
        return ""
    return "strong" if score >= STRONG else "fair" if score >= FAIR else "weak"


def ranked(
    library: Sequence[Paper], candidates: Sequence[Paper], disliked: Sequence[Paper] = (), options: Options | None = None
) -> tuple["Relevance | None", Ranked]:
    """Rows and scores of the candidates, best first; equal scores by fingerprint. None: there is nothing to rank, or by."""
    if not candidates:
        return None, []
    if not any(normalize_title(f"{p.title} {p.abstract}") for p in library):
        rows = sorted(range(len(candidates)), key=lambda row: (-(candidates[row].year or 0), *_tie(candidates[row])))
        return None, [(row, 0.0) for row in rows]
    from paperrec.profile import build_profile
    from paperrec.ranker import judge

    options = options or Options()
    profile = build_profile(library, disliked, half_life_days=options.half_life_days, steering=options.steering)
    found = judge(profile, candidates)
    values, scores = found.values.tolist(), found.scores.tolist()
    equal = {value for value, n in Counter(values).items() if n > 1}
    rows = sorted(range(len(candidates)), key=lambda row: (-values[row], *(_tie(candidates[row]) if values[row] in equal else ())))
    return found, [(row, scores[row]) for row in rows]


def _tie(paper: Paper) -> tuple[str, str]:
    return fingerprint(paper), repr(paper)


def listed(
    library: Sequence[Paper], liked: Sequence[Paper], disliked: Sequence[Paper], candidates: Sequence[Paper], options: Options
) -> Listed:
    """The list of the best candidates.

    Parameters
    ----------
    library, liked
        What the user has, and what else he said yes to; the interests are those of the library alone, so that their names do not change
        with what is liked or asked for.

    Raises
    ------
    SettingsError
        `Options.interest` names no interest of the library, or more than one.
    """
    interests = None
    if options.interest:
        from paperrec.serving import alone

        library, liked, interests = alone(options.interest, library, liked, options.interests_from)
    found, order = ranked([*library, *liked], candidates, disliked, options)
    good = [(row, score) for row, score in order if score >= options.min_score]
    below = tuple(LeftOut(candidates[row], f"below the line: it scores {score:.1f}") for row, score in order[len(good) :])
    note = ""
    kept, shown, served = good, good[: options.limit or None], dict[int, tuple[str, bool]]()
    twins: tuple[LeftOut, ...] = ()
    shares: tuple[InterestShare, ...] = ()
    if found is None:
        note = "the library has no words to compare with: newest first" if candidates else ""
    else:
        from paperrec.serving import interests_in

        kept, twins, cosines = _folded(found, good)
        interests = interests or interests_in(library, options.interests_from)
        served = _served(found, [row for row, _ in kept], interests)
        shown = _chosen(kept, cosines, served, interests, options)
        shares = _shares(interests, [served.get(row, _NONE)[0] for row, _ in shown])
    in_list = {row for row, _ in shown}
    beyond = tuple(
        LeftOut(
            candidates[row],
            f"below the line: rank {place} of {len(kept)}{' (its place was kept for another interest)' if place <= len(shown) else ''}",
        )
        for place, (row, _) in enumerate(kept, 1)
        if row not in in_list
    )
    recommendations = tuple(
        _recommendation(found, candidates[row], row, score, place, options, served.get(row, _NONE)[0])
        for place, (row, score) in enumerate(shown, 1)
    )
    return Listed(recommendations, twins, beyond, below, note, shares)


def _folded(found: "Relevance", good: Ranked) -> tuple[Ranked, tuple[LeftOut, ...], "Values"]:
    """The candidates less those that say nearly the same as a better one; and the cosines of the first of them to each other."""
    from paperrec.ranker import cosines_of

    rows = [row for row, _ in good[:_MOST_VARIED]]
    cosines = cosines_of(found, rows)
    has_text = [len(found.candidates[row].abstract) >= _SHORTEST_ABSTRACT for row in rows]
    kept: list[int] = []
    twins: list[LeftOut] = []
    for place, row in enumerate(rows):
        twin = next((other for other in kept if cosines[place, other] >= _TWIN and has_text[place] and has_text[other]), None)
        if twin is None:
            kept.append(place)
        else:
            like = found.candidates[rows[twin]]
            twins.append(
                LeftOut(found.candidates[row], f"says nearly the same as {like.key or like.title}, which is in the list or stands above it")
            )
    return [good[place] for place in kept] + good[_MOST_VARIED:], tuple(twins), cosines[kept][:, kept]


def _chosen(kept: Ranked, cosines: "Values", served: Mapping[int, tuple[str, bool]], interests: "Interests", options: Options) -> Ranked:
    import numpy as np

    from paperrec.diversity import balanced, varied_order

    first = varied_order(np.array([score for _, score in kept[: len(cosines)]]), cosines, options.diversity)
    order = [kept[place] for place in first] + kept[len(cosines) :]
    if not options.limit or len(order) <= options.limit:
        return order
    if len(interests.names) < 2:
        return order[: options.limit]
    numbers = {name: number for number, name in enumerate(interests.names)}
    wanted = [numbers[name] if worth else -1 for name, worth in (served.get(row, _NONE) for row, _ in order)]
    return [order[place] for place in balanced(wanted, interests.sizes, options.limit)]


def _shares(interests: "Interests", served: Sequence[str]) -> tuple[InterestShare, ...]:
    return tuple(InterestShare(name, size, served.count(name)) for name, size in zip(interests.names, interests.sizes, strict=True))


def _recommendation(
    found: "Relevance | None", paper: Paper, row: int, score: float, place: int, options: Options, interest: str
) -> Recommendation:
    if found is None:
        return Recommendation(paper, score, place)
    from paperrec.ranker import reasons_for, twin_of

    twin = twin_of(found, row)
    return Recommendation(
        paper,
        score,
        place,
        reasons_for(found, row, options.n_reasons),
        level(score, len(found.profile.papers)),
        interest,
        f"you have a near twin: “{twin.title or twin.key}”" if twin else "",
    )


def _served(found: "Relevance", rows: Sequence[int], interests: "Interests") -> dict[int, tuple[str, bool]]:
    """Row -> name of the interest that the candidate serves, and whether it is worth a place for it."""
    from paperrec.ranker import cosines_to_library
    from paperrec.serving import served

    first = list(rows[:_MOST_VARIED])
    serving = served(interests, cosines_to_library(found, first), found.features.said.library)
    numbers, worth = serving.interests.tolist(), serving.worth.tolist()
    return {row: (interests.names[number], good) for row, number, good in zip(first, numbers, worth, strict=True) if number >= 0}
