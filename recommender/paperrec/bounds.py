"""What a number of the user's may be, as an option, in the environment and in the settings alike; "not a number" never is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Bounds:
    """The least and the greatest that a number may be."""

    low: float
    high: float | None = None  # None: infinity, which may be given where a fraction may
    low_is_out: bool = False  # True: must be more than `low`


LIMIT = Bounds(0)  # papers; 0 is all
EXPLAIN = Bounds(0)  # reasons
MIN_SCORE = Bounds(0, 100)
DIVERSITY = Bounds(0, 1)
HALF_LIFE_DAYS = Bounds(0, low_is_out=True)
