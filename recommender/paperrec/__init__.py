"""paperrec: reading-list recommendations from the papers you already keep.

Every public name is loaded on first use, so that importing the package costs nothing.
"""

TYPE_CHECKING = False  # what type checkers take for true; importing typing would cost --version a third of its time
if TYPE_CHECKING:
    from typing import Any

    from paperrec.choice import Choice as Choice
    from paperrec.choice import Judged as Judged
    from paperrec.choice import Options as Options
    from paperrec.errors import PaperrecError as PaperrecError
    from paperrec.paper import Paper as Paper
    from paperrec.paper import fingerprint as fingerprint
    from paperrec.paper import merge as merge
    from paperrec.paper import normalize_arxiv_id as normalize_arxiv_id
    from paperrec.paper import normalize_doi as normalize_doi
    from paperrec.pipeline import choose as choose
    from paperrec.pipeline import rank as rank
    from paperrec.pipeline import recommend as recommend
    from paperrec.ports import Batch as Batch
    from paperrec.ports import Problem as Problem
    from paperrec.ports import Written as Written
    from paperrec.ports import open_sink as open_sink
    from paperrec.ports import open_source as open_source
    from paperrec.recommendation import Feedback as Feedback
    from paperrec.recommendation import Reason as Reason
    from paperrec.recommendation import Recommendation as Recommendation
    from paperrec.steering import Levers as Levers
    from paperrec.steering import Steering as Steering

__version__ = "0.3.0"

_HOMES = {
    "Batch": "ports",
    "Choice": "choice",
    "Feedback": "recommendation",
    "Judged": "choice",
    "Levers": "steering",
    "Options": "choice",
    "Paper": "paper",
    "PaperrecError": "errors",
    "Problem": "ports",
    "Reason": "recommendation",
    "Recommendation": "recommendation",
    "Steering": "steering",
    "Written": "ports",
    "choose": "pipeline",
    "fingerprint": "paper",
    "merge": "paper",
    "normalize_arxiv_id": "paper",
    "normalize_doi": "paper",
    "open_sink": "ports",
    "open_source": "ports",
    "rank": "pipeline",
    "recommend": "pipeline",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> "Any":
    if name not in _HOMES:
        raise AttributeError(f"module 'paperrec' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"paperrec.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
