"""A list between relevance and variety: what the setting means exactly, and who is kept a place."""

import numpy as np
import pytest

from paperrec.diversity import balanced, varied_order

SCORES = np.array([90.0, 80.0, 70.0, 60.0])
COSINES = np.array([[1.0, 0.9, 0.1, 0.0], [0.9, 1.0, 0.2, 0.0], [0.1, 0.2, 1.0, 0.3], [0.0, 0.0, 0.3, 1.0]])


@pytest.mark.parametrize(
    ("diversity", "order"),
    [(0.0, [0, 1, 2, 3]), (0.5, [0, 2, 3, 1]), (1.0, [0, 3, 2, 1]), (0.1, [0, 1, 2, 3])],
)
def test_each_place_goes_to_the_best_of_relevance_less_likeness(diversity: float, order: list[int]) -> None:
    assert varied_order(SCORES, COSINES, diversity) == order


def test_the_best_is_first_whatever_the_diversity() -> None:
    assert [varied_order(SCORES, COSINES, d / 10)[0] for d in range(11)] == [0] * 11


def test_of_equal_gain_the_better_score_is_first() -> None:
    assert varied_order(np.array([50.0, 50.0, 50.0]), np.eye(3), 0.5) == [0, 1, 2]


def test_an_empty_list_stays_empty() -> None:
    assert varied_order(np.zeros(0), np.zeros((0, 0)), 0.5) == []


def test_half_of_the_list_is_kept_by_the_square_roots_of_the_interests() -> None:
    rows = [0] * 30 + [1] * 5  # the interest of 10 papers comes late; roots 13.8 and 3.2: of 5 places 4.1 and 0.9 ...
    assert balanced(rows, (190, 10), 10) == [*range(9), 30]
    assert balanced(rows, (190, 10), 20) == [*range(18), 30, 31]  # ... of 10 it is 8.1 and 1.9
    assert balanced(rows, (190, 10), 3) == [0, 1, 2]


def test_places_that_nobody_is_good_enough_for_go_to_the_best() -> None:
    assert balanced([0, 0, -1, -1, 0, -1], (50, 50), 4) == [0, 1, 2, 3]


def test_without_interests_the_best_are_chosen() -> None:
    assert balanced([-1] * 5, (), 3) == [0, 1, 2]
