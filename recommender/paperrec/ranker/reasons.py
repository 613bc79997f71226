"""Why a candidate has its score: parts that sum to it."""

import numpy as np
from scipy.sparse import csr_array

from paperrec.features import author_key, spellings, text_of
from paperrec.paper import Paper
from paperrec.ranker.scoring import NOTHING, Relevance
from paperrec.ranker.votes import N_NEIGHBORS, Values
from paperrec.recommendation import Reason

_N_TERMS = 4  # words named in one reason


def reasons_for(found: Relevance, candidate: int, n_reasons: int) -> tuple[Reason, ...]:
    """At most `n_reasons` named reasons for one candidate, the strongest first, and one for the rest of its score.

    A value is a sum: of terms, of cosines to library papers, of shared authors. The score is not linear in it, so each part is scaled
    by the slope of the chord from a paper with nothing in common to this one; then the parts sum to the score.
    """
    score = float(found.scores[candidate])
    named = sorted(_named(found, candidate, _slope(found, candidate)), key=lambda r: -abs(r.part))[:n_reasons]
    rest = Reason("other", "smaller parts", score - sum(r.part for r in named))
    return (*named, rest)


def _slope(found: Relevance, candidate: int) -> float:
    """Points of score for one unit of value, times the share of the candidate's own judgement."""
    rise = float(found.values[candidate]) - found.nothing
    low, high = found.score_of(np.array([found.nothing, found.nothing + (rise if abs(rise) > 1e-6 else 1e-6)]))
    return float(found.shares[candidate] * (high - low) / (rise if abs(rise) > 1e-6 else 1e-6))


def _named(found: Relevance, candidate: int, slope: float) -> list[Reason]:
    paper = found.candidates[candidate]
    row = found.features.candidates[[candidate]]
    terms = np.zeros(len(found.term_weights))
    terms[row.indices] = row.data * found.term_weights[row.indices]
    spelled = spellings(text_of(paper))
    words = _terms(found, terms, spelled)
    named: list[Reason] = []
    if words and terms.sum() > 0:
        named.append(Reason("terms", f"words of your library: {', '.join(words)}", slope * float(terms.sum()), terms=words))
    if found.author_parts[candidate] > 0:
        named.append(Reason("authors", _authors(found, paper), slope * float(found.author_parts[candidate])))
    cosines = (found.features.library @ row.T).toarray().ravel().astype(np.float64)  # (n_library,)
    k = min(N_NEIGHBORS, len(cosines))
    nearest = found.nearest_weight * float(np.sort(cosines)[-k:].mean())
    of_its_own = slope * (float(terms.sum()) + nearest + float(found.author_parts[candidate]))
    of_like_ones = float(found.scores[candidate]) - NOTHING - of_its_own
    named.append(Reason("candidates", f"other candidates that are like it fit {'too' if of_like_ones > 0 else 'less'}", of_like_ones))
    for near in np.argsort(-cosines, kind="stable")[:k]:
        if cosines[near] > 0:
            named.append(_near(found, int(near), row, spelled, slope * found.nearest_weight * float(cosines[near]) / k))
    return named


def _near(found: Relevance, near: int, row: csr_array, spelled: dict[int, str], part: float) -> Reason:
    like = found.library[near]
    both = found.features.library[[near]].multiply(row).tocsr()
    shared = np.zeros(len(found.term_weights))
    shared[both.indices] = both.data
    words = _terms(found, shared, spelled)
    text = f"close to “{like.title or like.key}”" + (f": {', '.join(words)}" if words else "")
    return Reason("paper", text, part, like.key, like.title, words)


def _terms(found: Relevance, weights: Values, spelled: dict[int, str]) -> tuple[str, ...]:
    """The words of greatest weight; a word inside a pair that is named already is not repeated."""
    words: list[str] = []
    for place in np.argsort(-weights, kind="stable")[: 10 * _N_TERMS]:
        word = spelled.get(int(found.features.columns[place]), "")
        if weights[place] <= 0 or len(words) == _N_TERMS:
            break
        if word and not any(word.lower() in other.lower() or other.lower() in word.lower() for other in words):
            words.append(word)
    return tuple(words)


def _authors(found: Relevance, paper: Paper) -> str:
    known = [name for name in paper.authors if author_key(name) in found.papers_by_author]
    return f"by {', '.join(known[:3])}, whom your library has"
