"""Why a candidate has its score: parts that sum to it."""

import numpy as np
from scipy.sparse import csr_array

from paperrec.features import author_key, spellings, text_of
from paperrec.paper import Paper
from paperrec.ranker.scoring import Relevance
from paperrec.ranker.votes import N_NEIGHBORS, Values
from paperrec.recommendation import Reason
from paperrec.steering import matches

_N_TERMS = 4  # words named in one reason
_TWIN = 0.6  # cosine from which a library paper says nearly the same


def reasons_for(found: Relevance, candidate: int, n_reasons: int) -> tuple[Reason, ...]:
    """At most `n_reasons` named reasons for one candidate, the strongest first, and one for the rest of its score.

    A value is a sum: of terms, of cosines to library papers, of shared authors. The score is not linear in it, so each part is scaled
    by the slope of the chord from a paper with nothing in common to this one; then the parts sum to the score, and what is left when all
    are named is the score of a paper with nothing in common.
    """
    score = float(found.scores[candidate])
    named = sorted(_named(found, candidate, _slope(found, candidate)), key=lambda r: -abs(r.part))[:n_reasons]
    rest = Reason("other", "smaller parts", score - sum(r.part for r in named))
    return (*named, rest)


def _slope(found: Relevance, candidate: int) -> float:
    """Points of score for one unit of value, times the share of the candidate's own judgement."""
    rise = float(found.values[candidate]) - found.own.nothing
    rise = rise if abs(rise) > 1e-6 else 1e-6
    low, high = found.scale.scores(np.array([found.own.nothing, found.own.nothing + rise]))
    return float(found.shares[candidate] * (high - low) / rise)


def _named(found: Relevance, candidate: int, slope: float) -> list[Reason]:
    paper, own = found.candidates[candidate], found.own
    base = float(found.scale.scores(np.array([own.nothing]))[0])
    if not found.features.whole[[candidate]].nnz:
        return [Reason("words", "it has no words to compare", float(found.scores[candidate]) - base)]
    spelled = spellings(text_of(paper))
    row = found.features.said.candidates[[candidate]]
    terms = _contributions(row, own.said_weights) + _contributions(found.features.present.candidates[[candidate]], own.present_weights)
    words = _terms(found, terms, spelled)
    named: list[Reason] = []
    if terms.any():
        text = (
            f"words of your library: {', '.join(words)}"
            if words and terms.sum() > 0
            else "its words are more of others than of your library"
        )
        named.append(Reason("terms", text, slope * float(terms.sum()), terms=words if terms.sum() > 0 else ()))
    named += [
        Reason(kind, text, slope * float(own.parts[kind][candidate]))
        for kind, text in (
            ("manner", f"is {'' if own.parts['manner'][candidate] > 0 else 'not '}written the way your papers are"),
            ("authors", _authors(found, paper)),
            ("disliked", "is like a paper that you turned down"),
            ("boost", f"you asked for more of {', '.join(matches(found.profile.steering.boost, paper))}"),
        )
        if abs(own.parts[kind][candidate]) > 0
    ]
    cosines = (found.features.said.library @ row.T).toarray().ravel().astype(np.float64)  # (n_library,)
    k = min(N_NEIGHBORS, len(cosines))
    of_like_ones = float(found.scores[candidate]) - base - slope * float(own.values[candidate] - own.nothing)
    if found.shares[candidate] < 1:
        named.append(Reason("candidates", f"other candidates that are like it fit {'too' if of_like_ones > 0 else 'less'}", of_like_ones))
    for near in np.argsort(-cosines, kind="stable")[:k]:
        if cosines[near] > 0:
            named.append(_near(found, int(near), row, spelled, slope * own.nearest_weight * float(cosines[near]) / k))
    return named


def twin_of(found: Relevance, candidate: int) -> Paper | None:
    """The library paper that says nearly the same as a candidate; None if there is none."""
    cosines = (found.features.said.library @ found.features.said.candidates[[candidate]].T).toarray().ravel()
    nearest = int(cosines.argmax())
    return found.profile.papers[nearest] if cosines[nearest] >= _TWIN else None


def _contributions(row: csr_array, weights: Values) -> Values:
    found = np.zeros(len(weights))
    found[row.indices] = row.data * weights[row.indices]
    return found


def _near(found: Relevance, near: int, row: csr_array, spelled: dict[int, str], part: float) -> Reason:
    like = found.profile.papers[near]
    both = found.features.said.library[[near]].multiply(row).tocsr()
    words = _terms(found, _contributions(both, np.ones(both.shape[1])), spelled)
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
    known = [name for name in paper.authors if author_key(name) in found.own.papers_by_author]
    return f"by {', '.join(known[:3])}, whom your library has"
