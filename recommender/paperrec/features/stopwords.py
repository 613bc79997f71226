"""English words that say nothing about a paper's subject; other languages' are left to the inverse document frequency."""

STOP_WORDS = frozenset(
    """
    a about above after again against all also am among an and any are as at be because been before being below between both but by can
    cannot could did do does doing down during each either et al few for from further had has have having he her here hers herself him
    himself his how however i if in into is it its itself just may me might more most must my myself no nor not now of off on once only or
    other our ours ourselves out over own per rather same shall she should since so some such than that the their theirs them themselves
    then there therefore these they this those through thus to too toward towards under until up upon us very via was we were what when
    where whether which while who whom whose why will with within without would yet you your yours yourself
    """.split()
)
