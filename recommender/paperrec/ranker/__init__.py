"""The relevance of candidates to a profile, and the reasons for it."""

from paperrec.ranker.reasons import reasons_for as reasons_for
from paperrec.ranker.reasons import twin_of as twin_of
from paperrec.ranker.scoring import Relevance as Relevance
from paperrec.ranker.scoring import judge as judge
