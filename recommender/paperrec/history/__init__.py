"""What was recommended when and where, and what became of it."""

from paperrec.history.database import only_run
from paperrec.history.records import History, Run

__all__ = ["History", "Run", "only_run"]
