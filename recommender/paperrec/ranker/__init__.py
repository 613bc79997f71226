"""The relevance of candidates to a profile, and the reasons for it."""

from paperrec.ranker.reasons import reasons_for as reasons_for
from paperrec.ranker.reasons import twin_of as twin_of
from paperrec.ranker.scoring import Relevance as Relevance
from paperrec.ranker.scoring import cosines_of as cosines_of
from paperrec.ranker.scoring import cosines_to_library as cosines_to_library
from paperrec.ranker.scoring import judge as judge
