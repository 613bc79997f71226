"""The user's levers: what to bring up, what to keep out."""

from paperrec.steering.levers import Levers as Levers
from paperrec.steering.levers import Steering as Steering
from paperrec.steering.levers import levers_of as levers_of
from paperrec.steering.levers import matches as matches
from paperrec.steering.levers import unmet as unmet
from paperrec.steering.terms import has_words as has_words
