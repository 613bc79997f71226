"""Why a paper stands where it stands, as a person reads it."""

import json
import sys
from collections.abc import Iterator

from paperrec.cli.render import byline, link
from paperrec.documents import paper_document, recommendation_document
from paperrec.errors import NoInputError
from paperrec.paper import Paper, fingerprint, identifiers
from paperrec.recommendation import Recommendation
from paperrec.text import printable
from paperrec.workflow import Report


def explain(report: Report, asked: str, form: str) -> None:
    """The full reasons for one paper, or why it is not on the list.

    Raises
    ------
    NoInputError
        No candidate bears that name.
    """
    for recommendation in report.choice.recommendations:
        if asked in _names(recommendation.paper, recommendation.rank):
            if form == "json":
                _write_json(recommendation_document(recommendation))
            else:
                sys.stdout.write("".join(_explanation(recommendation, report.choice.funnel.ranked)))
            return
    for left in report.choice.left_out:
        if asked in _names(left.paper, None):
            if form == "json":
                _write_json({"paper": paper_document(left.paper), "left_out": left.why})
            else:
                sys.stdout.write(f"{printable(left.paper.title)}\nnot on the list: {printable(left.why)}\n")
            return
    raise NoInputError(f"{asked}: no candidate has this key, rank, DOI, arXiv id, address or fingerprint; -n 0 lists all with their keys")


def _names(paper: Paper, rank: int | None) -> set[str]:
    named = identifiers(paper)
    bare = {name.partition(":")[2] for name in named}
    return {paper.key, fingerprint(paper), paper.url, *named, *bare, *([str(rank)] if rank else [])} - {""}


def _explanation(recommendation: Recommendation, ranked: int) -> Iterator[str]:
    paper = recommendation.paper
    yield f"{printable(paper.title)}{' (title derived)' if paper.title_derived else ''}\n"
    for line in (byline(paper), link(paper)):
        if line:
            yield f"{line}\n"
    if recommendation.interest:
        yield f"for your interest “{printable(recommendation.interest)}”\n"
    if recommendation.note:
        yield f"{printable(recommendation.note)}\n"
    score = f"score {recommendation.score:.2f} of 100{f' ({recommendation.level})' if recommendation.level else ''}"
    yield f"rank {recommendation.rank} of {ranked}, {score}, which is the sum of:\n"
    for reason in recommendation.reasons:
        yield f"  {reason.part:+7.2f}  {printable(reason.text)}\n"


def _write_json(document: object) -> None:
    sys.stdout.write(json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n")
