"""The JSON document of an evaluation; fields are only ever added."""

from collections.abc import Mapping
from typing import Any

from paperrec.evaluate.evaluation import Evaluation
from paperrec.evaluate.measures import Estimate
from paperrec.evaluate.words import advice, findings
from paperrec.paper import fingerprint

EVALUATION = "paperrec.evaluation/1"


def evaluation_document(evaluation: Evaluation) -> dict[str, Any]:
    """What `paperrec evaluate --json` prints; an empty list of rankers means that nothing was measured, `reason` says why."""
    return {
        "schema": EVALUATION,
        "reason": evaluation.reason,
        "library": _papers(evaluation.library),
        "others": _papers(evaluation.others),
        "order": evaluation.order,
        "trials": evaluation.n_trials,
        "hidden": evaluation.n_hidden,
        "rankers": [
            {"name": s.name, "measures": _estimates(s.estimates), "differences": _estimates(s.differences), "reason": s.reason}
            for s in evaluation.standings
        ],
        "chance": dict(evaluation.chance),
        "found": [
            {"trial": f.trial, "block": f.block, "rank": f.rank, "key": f.paper.key or None, "title": f.paper.title}
            | {"fingerprint": fingerprint(f.paper)}
            for f in evaluation.found
        ],
        "findings": findings(evaluation),
        "advice": advice(evaluation),
    }


def _papers(papers: tuple[Any, ...]) -> dict[str, int]:
    return {"papers": len(papers), "without_abstract": sum(not paper.abstract for paper in papers)}


def _estimates(estimates: Mapping[str, Estimate]) -> dict[str, dict[str, float]]:
    return {name: {"mean": e.mean, "low": e.low, "high": e.high} for name, e in estimates.items()}
