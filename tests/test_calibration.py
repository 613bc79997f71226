"""What a score means: the same from night to night, by the library's own papers."""

from dataclasses import replace

import numpy as np
import pytest

from fakes.papers import library_of, paper_on
from paperrec.listing import level
from paperrec.paper import Paper
from paperrec.pipeline import Options, choose, rank

LIBRARY = library_of("graphs", 60)


def night(seed: int, n_near: int) -> list[Paper]:
    others = [paper_on(subject, seed + n) for subject in ("law", "oceans") for n in range(60)]
    return [*others, *(paper_on("graphs", 5000 + seed + n) for n in range(n_near))]


@pytest.mark.parametrize("n_near", [1, 5, 20])
def test_papers_like_the_library_score_above_the_middle_of_its_own_however_many_come(n_near: int) -> None:
    near = [r.score for r in rank(LIBRARY, night(1000, n_near)) if r.paper.key.startswith("graphs")]
    assert float(np.median(near)) > 50


def test_one_paper_scores_much_the_same_on_different_nights() -> None:
    same = paper_on("graphs", 9999, share=0.3, key="same")
    found = [{r.paper.key: r.score for r in rank(LIBRARY, [same, *night(seed, 6)])}["same"] for seed in (1000, 2000, 3000, 4000)]
    assert max(found) - min(found) < 15


def test_one_paper_scores_much_the_same_however_many_good_ones_come_with_it() -> None:
    same = paper_on("graphs", 9999, share=0.5, key="same")
    found = [{r.paper.key: r.score for r in rank(LIBRARY, [same, *night(1000, n)])}["same"] for n in (0, 1, 5, 20, 40)]
    assert max(found) - min(found) < 15


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("half_life", [1e-9, 1.0, 1e300, float("inf")])
def test_any_half_life_gives_finite_scores(half_life: float) -> None:
    library = [replace(paper, year=1900 + 2 * n) for n, paper in enumerate(LIBRARY)]
    choice = choose(library, night(1000, 3), Options(half_life_days=half_life, limit=0))
    assert all(0 <= r.score <= 100 for r in choice.recommendations)
    assert choice.recommendations[0].paper.key.startswith("graphs")


def test_papers_with_nothing_in_common_score_low() -> None:
    assert max(r.score for r in rank(LIBRARY, night(1000, 8)) if not r.paper.key.startswith("graphs")) < 30


def test_levels_have_words_only_where_the_library_supports_them() -> None:
    assert [level(score, 60) for score in (70, 69.9, 40, 39.9)] == ["strong", "fair", "fair", "weak"]
    assert level(99, 9) == ""


def test_near_twins_are_folded_into_the_better_one_and_owned_twins_are_named() -> None:
    first = paper_on("graphs", 901, n_words=300, key="first")
    twin = Paper(key="twin", title="Another title altogether", abstract=first.title + " " + first.abstract)
    mine = paper_on("graphs", 3, n_words=60)
    like_mine = Paper(key="mine", title="Yet another title", abstract=mine.title + " " + mine.abstract)
    choice = choose(LIBRARY, [*night(1000, 3), first, twin, like_mine], Options(limit=0))
    assert choice.funnel.twins == 1
    (left,) = (left for left in choice.left_out if "nearly the same" in left.why)
    assert {left.paper.key} < {"first", "twin"}
    notes = {r.paper.key: r.note for r in choice.recommendations}
    assert notes["mine"] == f"you have a near twin: “{mine.title}”"
    funnel = choice.funnel
    assert funnel.read == funnel.duplicate + funnel.twins + funnel.ranked
