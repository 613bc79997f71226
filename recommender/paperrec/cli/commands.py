"""The commands: each parses, calls and prints."""

from dataclasses import replace
from typing import Any

import click

from paperrec.bounds import DIVERSITY, EXPLAIN, LIMIT, MIN_SCORE
from paperrec.cli.options import count, number, shared, shared_options
from paperrec.cli.plans import (
    choosing_options,
    collection_options,
    context_of,
    interests_from,
    interests_option,
    output_of,
    plan_of,
    refuse_input,
    steering_options,
)
from paperrec.cli.remembering import remembering
from paperrec.errors import PaperrecError

_DONE, _IN_PART, _NOTHING = 0, 3, 4
_ALL_REASONS = 20  # more than a score has that are worth a line


def shaping_options(command: Any) -> Any:
    """Give a command the options that say which candidates are in the list."""
    for option in reversed(
        (
            click.option("--diversity", type=number(DIVERSITY), metavar="X", help="0 goes by score alone, 1 by difference alone.  [0]"),
            click.option("-n", "--limit", type=count(LIMIT), metavar="N", envvar="PAPERREC_LIMIT", help="How many; 0 is all.  [20]"),
            click.option(
                "--min-score",
                type=number(MIN_SCORE),
                metavar="X",
                envvar="PAPERREC_MIN_SCORE",
                help="None that scores lower, 0 to 100.  [0]",
            ),
        )
    ):
        command = option(command)
    return command


def listing_options(command: Any) -> Any:
    """Give a command the options of the list that it makes."""
    for option in reversed(
        (
            shaping_options,
            click.option("--explain", type=count(EXPLAIN), envvar="PAPERREC_EXPLAIN", metavar="N", help="Reasons for each paper.  [3]"),
            click.option(
                "-f", "--format", "form", type=click.Choice(["text", "json", "jsonl"]), help="What to print.  [text, or by the name of -o]"
            ),
            click.option("--json", "form", flag_value="json", help="The same as -f json."),
            click.option("-o", "--output", type=click.Path(), metavar="FILE", default="-", help="Print to a file."),
            click.option(
                "--to", "sinks", multiple=True, metavar="SINK", help="Write to bib:FILE, html:FILE or zotero:... as well (repeat)."
            ),
            click.option("--dry-run", is_flag=True, help="Show what --to would write, and write nothing."),
            click.option("--exit-code", is_flag=True, help="Exit with 4 if nothing was recommended."),
        )
    ):
        command = option(command)
    return command


@click.command(
    epilog="""\b
Examples:
  paperrec recommend --bib mylib.bib abstracts.txt
  paperrec recommend --bib mylib.bib seeds/ -n 5 --to bib:to-read.bib --dry-run
"""
)
@choosing_options
@steering_options
@listing_options
@shared_options
def recommend(**given: Any) -> int:
    """Rank CANDIDATES against the library.

    CANDIDATES are files, folders, - for standard input, or locators such as abstracts:notes.txt.
    With none given, the examples that come with paperrec are ranked.
    """
    from paperrec.cli import render
    from paperrec.cli.telling import tell
    from paperrec.workflow import run_once

    session = shared()
    output, form = output_of(given["output"], given["form"])
    plan, context = plan_of(session, given)
    if output:
        refuse_input(output, context.inputs)
    with session.terminal.busy("reading and ranking"), remembering(plan, context, session.terminal, "recommend") as (context, history):
        report = run_once(plan, context, history)
    tell(report, session.terminal)
    render.show(report, form, output, session.terminal)
    return exit_code(report, given["exit_code"])


@click.command(
    short_help="Show what a source gives, and what was wrong with it.",
    epilog="""\b
Examples:
  paperrec read mylib.bib --interests --in 'PhD/**'
  paperrec read abstracts:notes.txt --json
""",
)
@click.argument("locators", nargs=-1, required=True, metavar="LOCATOR...")
@click.option("--interests", is_flag=True, help="The interests found in the papers, and what each is made of.")
@interests_option
@collection_options
@click.option("-f", "--format", "form", type=click.Choice(["text", "json", "jsonl"]), help="What to print.  [text, or by the name of -o]")
@click.option("--json", "form", flag_value="json", help="The same as -f json.")
@click.option("-o", "--output", type=click.Path(), metavar="FILE", default="-", help="Print to a file.")
@click.option("--encoding", metavar="NAME", envvar="PAPERREC_ENCODING", help="Encoding of the files, where the guess is wrong.")
@click.option("--offline", is_flag=True, help="Open no socket.")
@shared_options
def read(**given: Any) -> int:
    """Show what a source gives: its papers, and what was wrong with the rest.

    LOCATOR is a file, a folder, - for standard input, or bib:FILE, abstracts:FILE, jsonl:FILE.
    """
    from paperrec.cli import render
    from paperrec.collection_globs import in_collections
    from paperrec.locators import candidate_locators, inputs_of
    from paperrec.reading import read_all
    from paperrec.services import services_of
    from paperrec.settings import load_settings

    session = shared()
    output, form = output_of(given["output"], given["form"])
    locators = candidate_locators(given["locators"])
    settings = load_settings(session.config, session.profile)
    context = context_of(given, inputs_of(given["locators"]), services_of(settings))
    if output:
        refuse_input(output, context.inputs)
    with session.terminal.busy("reading"):
        reading = read_all(locators, context)
        batch = replace(reading.batch, papers=in_collections(reading.batch.papers, given["include"], given["exclude"]))
    session.terminal.problems(batch.problems)
    for failure in reading.failures:
        session.terminal.warn(str(failure.error))
    if given["interests"]:
        render.show_interests(batch, interests_from(given, settings), form, output, session.terminal)
    else:
        render.show_papers(batch, form, output, session.terminal)
    return _IN_PART if reading.failures else _DONE


@click.command(
    short_help="Tell why a paper stands where it stands.",
    epilog="""\b
Examples:
  paperrec why notes.txt:3 --bib mylib.bib notes.txt
  paperrec why arxiv:2601.00001 --bib mylib.bib results.jsonl -n 50 --json
""",
)
@click.argument("paper_id", metavar="ID")
@choosing_options
@steering_options
@shaping_options
@click.option("--json", "form", flag_value="json", default="text", help="The reasons as JSON.")
@shared_options
def why(**given: Any) -> int:
    """Tell why one of the CANDIDATES stands where it stands, or why it is not on the list.

    ID is its key, rank, DOI, arXiv id, address or fingerprint. Give the options that the list was made with.
    """
    from paperrec.cli.explaining import explanation, show
    from paperrec.workflow import run_once

    session = shared()
    plan, context = plan_of(session, given | {"explain": _ALL_REASONS})
    with session.terminal.busy("reading and ranking"):
        report = run_once(plan, context)
    for failure in report.failures:
        session.terminal.warn(str(failure.error))
    with session.terminal.busy("ranking"):
        told = explanation(report, plan.options, given["paper_id"])
    show(told, given["form"])
    return _IN_PART if report.failures else _DONE


def exit_code(report: Any, wanted: bool) -> int:
    """What a run ends with; `wanted`: whether an empty list is to be told by it."""
    if report.unwritten and not report.written and not report.unread:
        error: PaperrecError = report.unwritten[0].error
        return error.exit_code
    if report.failures or any(written.missing for written in report.written):
        return _IN_PART
    return _NOTHING if wanted and not report.choice.recommendations else _DONE
