"""The commands: each parses, calls and prints."""

from pathlib import Path
from typing import Any

import click

from paperrec.cli.options import Shared, shared, shared_options
from paperrec.errors import PaperrecError, SettingsError

_DONE, _IN_PART, _NOTHING = 0, 3, 4

# ------------------------------------------------------------------ options that recommend and why share


def _choosing_options(command: Any) -> Any:
    many: dict[str, Any] = {"multiple": True}
    for option in reversed(
        (
            click.argument("candidates", nargs=-1),
            click.option("--bib", metavar="FILE", help="Library from BibTeX or BibLaTeX: a file, a folder, or - (repeat).", **many),
            click.option("--library", metavar="LOCATOR", help="Library from any source, such as bib:FILE (repeat).", **many),
            click.option("--in", "include", metavar="GLOB", help="Only these collections of the library: 'PhD/**' (repeat).", **many),
            click.option("--not-in", "exclude", metavar="GLOB", help="Not these collections of the library (repeat).", **many),
            click.option("--encoding", metavar="NAME", envvar="PAPERREC_ENCODING", help="Encoding of the files, where the guess is wrong."),
            click.option("--offline", is_flag=True, help="Open no socket."),
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
@_choosing_options
@click.option("-n", "--limit", type=click.IntRange(min=0), metavar="N", envvar="PAPERREC_LIMIT", help="How many; 0 is all.  [20]")
@click.option(
    "--min-score", type=click.FloatRange(0, 100), metavar="X", envvar="PAPERREC_MIN_SCORE", help="None that scores lower, 0 to 100.  [0]"
)
@click.option("--explain", type=click.IntRange(min=0), envvar="PAPERREC_EXPLAIN", metavar="N", help="Reasons for each paper.  [3]")
@click.option("-f", "--format", "form", type=click.Choice(["text", "json", "jsonl"]), help="What to print.  [text, or by the name of -o]")
@click.option("--json", "form", flag_value="json", help="The same as -f json.")
@click.option("-o", "--output", type=click.Path(), metavar="FILE", default="-", help="Print to a file.")
@click.option("--to", "sinks", multiple=True, metavar="SINK", help="Write to bib:FILE or html:FILE as well (repeat).")
@click.option("--dry-run", is_flag=True, help="Show what --to would write, and write nothing.")
@click.option("--exit-code", is_flag=True, help="Exit with 4 if nothing was recommended.")
@shared_options
def recommend(**given: Any) -> int:
    """Rank CANDIDATES against the library.

    CANDIDATES are files, folders, - for standard input, or locators such as abstracts:notes.txt.
    With none given, the examples that come with paperrec are ranked.
    """
    from paperrec.cli import render
    from paperrec.workflow import run_once

    session = shared()
    output, form = _output(given["output"], given["form"])
    plan, context = _plan(session, given)
    if output:
        _refuse_library_file(output, context.library_files)
    with session.terminal.busy("reading and ranking"):
        report = run_once(plan, context)
    render.tell(report, session.terminal)
    render.show(report, form, output, session.terminal)
    return _exit_code(report, given["exit_code"])


@click.command(
    short_help="Show what a source gives, and what was wrong with it.",
    epilog="""\b
Examples:
  paperrec read mylib.bib
  paperrec read abstracts:notes.txt --json
""",
)
@click.argument("locators", nargs=-1, required=True, metavar="LOCATOR...")
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
    from paperrec.locators import candidate_locators
    from paperrec.workflow import file_of, read_all

    session = shared()
    output, form = _output(given["output"], given["form"])
    locators = candidate_locators(given["locators"])
    context = _context(given, tuple(f for f in map(file_of, locators) if f))
    if output:
        _refuse_library_file(output, context.library_files)
    with session.terminal.busy("reading"):
        reading = read_all(locators, context)
    session.terminal.problems(reading.batch.problems)
    for failure in reading.failures:
        session.terminal.warn(str(failure.error))
    render.show_papers(reading.batch, form, output, session.terminal)
    return _IN_PART if reading.failures else _DONE


@click.command(
    short_help="Tell why a paper stands where it stands.",
    epilog="""\b
Examples:
  paperrec why notes.txt:3 --bib mylib.bib notes.txt
  paperrec why arxiv:2601.00001 --bib mylib.bib results.jsonl --json
""",
)
@click.argument("paper_id", metavar="ID")
@_choosing_options
@click.option("--json", "form", flag_value="json", default="text", help="The reasons as JSON.")
@shared_options
def why(**given: Any) -> int:
    """Tell why one of the CANDIDATES stands where it stands, or why it is not on the list.

    ID is its key, rank, DOI, arXiv id, address or fingerprint.
    """
    from paperrec.cli import render
    from paperrec.workflow import run_once

    session = shared()
    plan, context = _plan(session, given | {"limit": 0, "explain": 20})
    with session.terminal.busy("reading and ranking"):
        report = run_once(plan, context)
    for failure in report.failures:
        session.terminal.warn(str(failure.error))
    render.explain(report, given["paper_id"], given["form"])
    return _IN_PART if report.failures else _DONE


# ------------------------------------------------------------------ from options to a plan


def _context(given: dict[str, Any], library_files: tuple[Path, ...]) -> Any:
    from paperrec.ports import Context
    from paperrec.settings import cache_dir

    return Context(
        cache_dir=cache_dir(), offline=bool(given.get("offline")), encoding=given.get("encoding") or "", library_files=library_files
    )


def _plan(session: Shared, given: dict[str, Any]) -> tuple[Any, Any]:
    from paperrec.locators import bundled_examples, candidate_locators, library_locator
    from paperrec.pipeline import Options
    from paperrec.settings import config_path, load_settings
    from paperrec.workflow import Plan, file_of

    settings = load_settings(session.config, session.profile)
    values = settings.values
    library = (*map(library_locator, given["bib"]), *given["library"]) or tuple(values.library)
    if not library:
        raise SettingsError(f"no library is given: name one with --bib FILE, or set library in {settings.path or config_path()}")
    candidates = given["candidates"] or tuple(values.candidates)
    if not candidates:
        session.terminal.note("no candidates are given: ranking the examples that come with paperrec")
        folder = bundled_examples()
        candidates = tuple(str(folder / name) for name in ("candidates.txt", "more-candidates.jsonl"))
    if [*library, *candidates].count("bib:-") + list(candidates).count("-") > 1:
        raise SettingsError("-: standard input can be read only once")
    library_files = tuple(f for f in map(file_of, library) if f)
    plan = Plan(
        library=library,
        candidates=candidate_locators(candidates),
        sinks=given.get("sinks") or (() if "sinks" not in given else tuple(values.sinks)),
        include=given["include"] or tuple(values.collections.get("in", ())),
        exclude=given["exclude"] or tuple(values.collections.get("not_in", ())),
        options=Options(
            limit=settings.choose(given.get("limit"), "limit", 20),
            min_score=settings.choose(given.get("min_score"), "min_score", 0.0),
            n_reasons=settings.choose(given.get("explain"), "explain", 3),
        ),
        dry_run=bool(given.get("dry_run")),
    )
    return plan, _context(given | {"encoding": given.get("encoding") or values.encoding}, library_files)


def _output(given: str, form: str | None) -> tuple[Path | None, str]:
    """The file that -o names (None: stdout), and the format: as asked for, else by the file's name."""
    from paperrec.files import expanded

    if given == "-":
        return None, form or "text"
    path = expanded(given)
    suffix = path.suffix.lower()
    if suffix in (".bib", ".html") and not form:
        raise SettingsError(f"-o {given}: write it with --to {suffix[1:]}:{given}")
    return path, form or {".json": "json", ".jsonl": "jsonl"}.get(suffix, "text")


def _refuse_library_file(output: Path, library_files: tuple[Path, ...]) -> None:
    for file in library_files:
        if output.exists() and file.exists() and output.samefile(file):
            raise SettingsError(
                f"-o {output}: is a file that is read; choose another (--to bib:{output} adds to a .bib without changing it)"
            )


def _exit_code(report: Any, wanted: bool) -> int:
    if report.unwritten and not report.written and not (report.library.failures or report.candidates.failures):
        error: PaperrecError = report.unwritten[0].error
        return error.exit_code
    if report.failures:
        return _IN_PART
    return _NOTHING if wanted and not report.choice.recommendations else _DONE
