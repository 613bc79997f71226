"""Why a paper stands where it stands, as a person reads it."""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace

from paperrec.cli.render import byline, link
from paperrec.documents import paper_document, recommendation_document
from paperrec.errors import NoInputError
from paperrec.paper import Paper, fingerprint, identifiers
from paperrec.pipeline import Choice, Options, choose
from paperrec.recommendation import Recommendation, shown_reasons
from paperrec.text import printable
from paperrec.workflow import Report


@dataclass(frozen=True, slots=True)
class Explanation:
    """What is to be told of one candidate: its place and reasons, why it is not on the list, or both."""

    paper: Paper
    n_ranked: int
    recommendation: Recommendation | None = None  # None: it was never ranked
    left_out: str = ""  # "" for a paper on the list


def explanation(report: Report, options: Options, asked: str) -> Explanation:
    """What became of one candidate in a run with these options.

    Raises
    ------
    NoInputError
        No candidate bears that name.
    """
    choice = report.choice
    n_ranked, n_shown = choice.funnel.ranked, len(choice.recommendations)
    if found := _find(choice, asked):
        return Explanation(found.paper, n_ranked, found)
    left = next((left for left in choice.left_out if asked in _names(left.paper)), None)
    if (found := _find(_chosen(report, replace(options, limit=0)), asked)) and (left or found.rank > n_shown):
        kept = ", where places are kept for other interests" if found.rank <= n_shown else ""
        return Explanation(found.paper, n_ranked, found, f"crowded out: place {found.rank} of a list of {n_shown}{kept}")
    if not left:
        what = "no candidate has this key, rank, DOI, arXiv id, address or fingerprint"
        raise NoInputError(f"{asked}: {what}; recommend -n 0 lists all with their keys")
    below = _find(_chosen(report, replace(options, limit=0, min_score=0.0)), asked) if options.min_score else None
    return Explanation(left.paper, n_ranked, below if below and below.score < options.min_score else None, left.why)


def show(told: Explanation, form: str) -> None:
    """Print what there is to tell, as text or as JSON."""
    if form == "json":
        document = recommendation_document(told.recommendation) if told.recommendation else {"paper": paper_document(told.paper)}
        _write_json(document | ({"left_out": told.left_out} if told.left_out else {}))
    else:
        sys.stdout.write("".join(_lines(told)))


def _chosen(report: Report, options: Options) -> Choice:
    """What other options would have made of the same papers."""
    return choose(report.library.batch.papers, report.candidates.batch.papers, options, report.words.judged)


def _find(choice: Choice, asked: str) -> Recommendation | None:
    return next((r for r in choice.recommendations if asked in _names(r.paper, r.rank)), None)


def _names(paper: Paper, rank: int | None = None) -> set[str]:
    named = identifiers(paper)
    bare = {name.partition(":")[2] for name in named}
    return {paper.key, fingerprint(paper), paper.url, *named, *bare, *([str(rank)] if rank else [])} - {""}


def _lines(told: Explanation) -> Iterator[str]:
    paper, recommendation = told.paper, told.recommendation
    yield f"{printable(paper.title)}{' (title derived)' if paper.title_derived else ''}\n"
    if recommendation:
        yield from (f"{line}\n" for line in (byline(paper), link(paper)) if line)
        if recommendation.interest:
            yield f"for your interest “{printable(recommendation.interest)}”\n"
        if recommendation.note:
            yield f"{printable(recommendation.note)}\n"
    if told.left_out:
        yield f"not on the list: {printable(told.left_out)}\n"
    if recommendation:
        score = f"score {recommendation.score:.2f} of 100{f' ({recommendation.level})' if recommendation.level else ''}"
        place = "" if told.left_out else f"rank {recommendation.rank} of {told.n_ranked}, "
        yield f"{place}{score}, which is the sum of:\n"
        for reason in shown_reasons(recommendation, 2):
            yield f"  {reason.part:+7.2f}  {printable(reason.text)}\n"


def _write_json(document: object) -> None:
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n")
