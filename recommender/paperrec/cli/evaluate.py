"""The command `evaluate`: how well the list would have found the user's own papers."""

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from paperrec.cli.options import shared, shared_options
from paperrec.cli.plans import choosing_options, output_of, plan_of, refuse_input
from paperrec.errors import NoInputError

if TYPE_CHECKING:
    from paperrec.evaluate import Evaluation
    from paperrec.evaluate.evaluation import Standing

_WIDTH = 80
_DONE, _IN_PART = 0, 3


@click.command(
    short_help="Test the ranking on your own library.",
    epilog="""\b
Examples:
  paperrec evaluate --bib mylib.bib new-papers.jsonl
  paperrec evaluate --bib mylib.bib --in 'PhD/**' new-papers.jsonl --json
""",
)
@choosing_options
@click.option("-f", "--format", "form", type=click.Choice(["text", "json"]), help="What to print.  [text, or by the name of -o]")
@click.option("--json", "form", flag_value="json", help="The same as -f json.")
@click.option("-o", "--output", type=click.Path(), metavar="FILE", default="-", help="Print to a file.")
@shared_options
def evaluate(**given: Any) -> int:
    """Test the ranking on your own library: newer papers of it are hidden among CANDIDATES and looked for.

    Tells whether the list can be trusted, how other rankers do on the same texts, and what would help.
    Good CANDIDATES are some hundred new papers of your field, the more like yours the better; of more than 1,000 so many are drawn.
    It tests the ranking by your library alone: levers, --like and --dislike, also those of the settings, play no part.
    """
    from paperrec.cli.render import emit
    from paperrec.collection_globs import in_collections
    from paperrec.evaluate import evaluate_ranking
    from paperrec.reading import read_all

    session = shared()
    output, form = output_of(given["output"], given["form"])
    plan, context = plan_of(session, given)
    if output:
        refuse_input(output, context.inputs)
    with session.terminal.busy("reading and testing, a minute for a thousand papers"):
        library, candidates = read_all(plan.library, context), read_all(plan.candidates, context)
        mine = in_collections(library.batch.papers, plan.include, plan.exclude)
        if not mine and library.batch.papers:
            raise NoInputError("no paper of the library is left by --in and --not-in")
        evaluation = evaluate_ranking(mine, candidates.batch.papers)
    failures = (*library.failures, *candidates.failures)
    for failure in failures:
        session.terminal.warn(str(failure.error))
    session.terminal.problems((*library.batch.problems, *candidates.batch.problems))
    emit("".join(f"{line}\n" for line in _text(evaluation)) if form == "text" else _json(evaluation), output)
    return _IN_PART if failures else _DONE


def _json(evaluation: "Evaluation") -> str:
    from paperrec.evaluate import evaluation_document

    return json.dumps(evaluation_document(evaluation), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def _text(evaluation: "Evaluation") -> Iterator[str]:
    from paperrec.evaluate import advice, findings

    for sentence in findings(evaluation):
        yield from _wrapped(sentence)
    if evaluation.standings:
        yield ""
        yield from _table(evaluation.standings, evaluation.chance)
    for number, sentence in enumerate(advice(evaluation)):
        if not number:
            yield ""
        yield from _wrapped(sentence, "- ")


def _wrapped(sentence: str, bullet: str = "") -> list[str]:
    from paperrec.text import printable

    indent = " " * len(bullet)
    return textwrap.wrap(printable(sentence), _WIDTH, initial_indent=bullet, subsequent_indent=indent, break_on_hyphens=False)


def _table(standings: "Sequence[Standing]", chance: Mapping[str, float]) -> Iterator[str]:
    """One ranker a line, in 80 columns of ASCII."""
    few = ("recall_at_10", "recall_at_20", "mrr", "map")
    yield f"{'ranker':20}{'nDCG@10':18}{'R@10':6}{'R@20':6}{'MRR':6}{'MAP':6}MAP vs paperrec"
    for standing in standings:
        if not standing.estimates:
            yield f"{standing.name:20}{standing.reason}"
            continue
        first = standing.estimates["ndcg_at_10"]
        cells = "".join(f"{standing.estimates[name].mean:<6.2f}" for name in few)
        more = standing.differences.get("map")
        difference = f"{more.mean:+.2f} {more.low:+.2f}:{more.high:+.2f}" if more else ""
        yield f"{standing.name:20}{first.mean:.2f} {f'({first.low:.2f}-{first.high:.2f})':13}{cells}{difference}".rstrip()
    yield f"{'no order':20}{chance['ndcg_at_10']:<18.2f}{''.join(f'{chance[name]:<6.2f}' for name in few)}".rstrip()
    yield "R@10: share of the hidden papers among the first 10. (low-high): 95 % interval."
    yield "MAP vs paperrec: the difference on the same texts, and its 95 % interval."
