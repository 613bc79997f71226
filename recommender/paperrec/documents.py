"""The JSON documents that scripts rely on; fields are only ever added."""

from collections.abc import Iterable
from typing import Any

from paperrec.paper import Paper, fingerprint
from paperrec.ports import Batch, Coverage, Problem
from paperrec.recommendation import Recommendation

PAPERS = "paperrec.papers/1"
RECOMMENDATIONS = "paperrec.recommendations/1"
INTERESTS = "paperrec.interests/1"


def paper_document(paper: Paper) -> dict[str, Any]:
    """A PAPER: every field, unknown ones as "", [] or null, and its fingerprint."""
    return {
        "key": paper.key or None,
        "title": paper.title,
        "abstract": paper.abstract,
        "authors": list(paper.authors),
        "year": paper.year,
        "venue": paper.venue,
        "doi": paper.doi,
        "arxiv_id": paper.arxiv_id,
        "url": paper.url,
        "pdf": paper.pdf,
        "keywords": list(paper.keywords),
        "collections": list(paper.collections),
        "added": paper.added.isoformat() if paper.added else None,
        "fingerprint": fingerprint(paper),
        "title_derived": paper.title_derived,
    }


def recommendation_document(recommendation: Recommendation) -> dict[str, Any]:
    """One recommendation; the reasons' parts sum to the score."""
    return {
        "rank": recommendation.rank,
        "score": recommendation.score,
        "level": recommendation.level,
        "interest": recommendation.interest,
        "note": recommendation.note,
        "paper": paper_document(recommendation.paper),
        "reasons": [
            {"kind": r.kind, "text": r.text, "key": r.key, "title": r.title, "terms": list(r.terms), "part": r.part}
            for r in recommendation.reasons
        ],
    }


def problem_documents(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Problems in the order they were met."""
    return [{"where": p.where, "why": p.why, "code": p.code, "left_out": p.left_out} for p in problems]


def papers_document(batch: Batch) -> dict[str, Any]:
    """What `paperrec read --json` prints."""
    return {
        "schema": PAPERS,
        "papers": [paper_document(p) for p in batch.papers],
        "problems": problem_documents(batch.problems),
        "coverage": [coverage_document(c) for c in batch.coverage],
    }


def coverage_document(covered: Coverage) -> dict[str, Any]:
    """What a source was asked for, and how much it gave; times in UTC, null where the window is open."""
    return {
        "source": covered.source,
        "total": covered.total,
        "received": covered.received,
        "parsed": covered.parsed,
        "start": covered.start.isoformat() if covered.start else None,
        "end": covered.end.isoformat() if covered.end else None,
    }
