"""What the user may choose about a list, and what comes of it."""

from dataclasses import dataclass, field

from paperrec.paper import Paper
from paperrec.recommendation import Recommendation
from paperrec.steering import Steering


@dataclass(frozen=True, slots=True)
class Options:
    """What the user may choose about a list."""

    limit: int = 20  # 0: all
    min_score: float = 0.0  # 0 to 100; 0 drops nothing
    n_reasons: int = 3  # named reasons a recommendation; what is left of the score is one more, "other"
    diversity: float = 0.0  # 0: by score alone; 1: each place to the paper least like those before it
    half_life_days: float = 365.0  # of a library paper's vote on which words matter
    interest: str = ""  # only papers for this one: its name or a part of it
    interests_from: str = "texts"  # what interests are: "texts", "collections" or "keywords"
    steering: Steering = field(default_factory=Steering)


@dataclass(frozen=True, slots=True)
class Funnel:
    """Where the candidates went: read = owned + judged + seen + muted + duplicate + twins + filtered + ranked."""

    read: int
    owned: int  # records of works that are in the library
    duplicate: int  # further records of one work among the candidates
    filtered: int  # below `Options.min_score`
    ranked: int  # the rest; the list is cut at `Options.limit`
    judged: int = 0  # records of works that the user has said yes or no to
    seen: int = 0  # records of works that were recommended before
    muted: int = 0
    twins: int = 0  # other works that say nearly the same as one in the list


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A candidate that is not in the list, and why, in words that follow "left out: "."""

    paper: Paper
    why: str


@dataclass(frozen=True, slots=True)
class Judged:
    """Papers that the user said yes or no to, or was offered before."""

    liked: tuple[Paper, ...] = ()
    disliked: tuple[Paper, ...] = ()
    seen: tuple[Paper, ...] = ()  # not offered again; they say nothing of his taste


@dataclass(frozen=True, slots=True)
class InterestShare:
    """An interest of the library, and its part in the list."""

    name: str
    papers: int  # of the library
    shown: int  # of the list


@dataclass(frozen=True, slots=True)
class Choice:
    """The list, and what became of every other candidate."""

    recommendations: tuple[Recommendation, ...]
    funnel: Funnel
    left_out: tuple[LeftOut, ...]
    note: str = ""  # set if there was nothing to rank by: says what the order is instead
    interests: tuple[InterestShare, ...] = ()  # the largest first
