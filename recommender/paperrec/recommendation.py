"""What comes out of the method, and what the user says to it."""

from dataclasses import dataclass
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
