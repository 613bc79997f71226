"""What comes out of the method, and what the user says to it."""

from dataclasses import dataclass, replace
from datetime import datetime

from paperrec.paper import Paper


@dataclass(frozen=True, slots=True)
class Reason:
    """One part of a score, in words; the parts of a recommendation's reasons sum to its score."""

    kind: str  # "paper": a library paper it resembles; "terms": words it shares with the library; others may be added
    text: str  # the whole reason as a person reads it
    part: float  # share of the score, in the score's own unit; may be negative
    key: str = ""  # kind "paper": the library paper's key ...
    title: str = ""  # ... and title
    terms: tuple[str, ...] = ()  # the words behind it, in the spelling of the texts


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A candidate in its place: rank 1 is the best; a higher score is better."""

    paper: Paper
    score: float
    rank: int
    reasons: tuple[Reason, ...] = ()
    level: str = ""  # "strong", "fair" or "weak"; "" where the library is too small to tell
    interest: str = ""  # name of the library's interest that it serves
    note: str = ""  # one line, such as that the library has a near twin


@dataclass(frozen=True, slots=True)
class Feedback:
    """The user's word on one work: relevant, or not."""

    fingerprint: str
    relevant: bool
    at: datetime
    paper: Paper | None = None  # as the place describes it; None if it does not


def shown_reasons(recommendation: Recommendation, n_decimals: int) -> tuple[Reason, ...]:
    """Reasons as they can be printed: parts rounded so that they visibly sum to the rounded score, without those that would print as 0.

    What the others' rounding leaves over goes to the part of kind "other", which stands last.
    """
    rounded = [replace(r, part=round(r.part, n_decimals)) for r in recommendation.reasons if r.kind != "other"]
    named = tuple(r for r in rounded if r.part)
    left = round(round(recommendation.score, n_decimals) - sum(r.part for r in named), n_decimals)
    rest = next((r for r in recommendation.reasons if r.kind == "other"), Reason("other", "smaller parts", left))
    return (*named, replace(rest, part=left)) if left else named
