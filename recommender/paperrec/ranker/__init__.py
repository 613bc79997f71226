"""The relevance of candidates to a library, and the reasons for it."""

from paperrec.ranker.relevance import Relevance as Relevance
from paperrec.ranker.relevance import relevance as relevance
