"""The command `history`: what runs wrote, and the way back."""

from typing import Any

import click

from paperrec.cli.options import shared, shared_options

_DONE, _IN_PART = 0, 3


@click.command(
    short_help="What runs wrote where; take a run back.",
    epilog="""\b
Examples:
  paperrec history
  paperrec history --undo 20260301-063000 --dry-run
""",
)
@click.option("--undo", metavar="RUN", help="Take back what a run wrote, but for what was touched since; 'last' is the last run.")
@click.option("--dry-run", is_flag=True, help="Show what --undo would do.")
@click.option("--json", "form", flag_value="json", default="text", help="Print JSON.")
@shared_options
def history(**given: Any) -> int:
    """Show what the runs of paperrec wrote to Zotero, the last first; with --undo take one back.

    Items that a run made go to Zotero's trash; items of yours leave the collection. What you filed, tagged, annotated or changed stays.
    """
    from datetime import UTC, datetime

    from paperrec.cli.remembering import state_folder
    from paperrec.history import History, only_run

    session = shared()
    folder, now = state_folder(), datetime.now(UTC)
    if not given["undo"]:
        with History.opened(folder, now) as past:
            _show(past.runs(), given["form"])
        return _DONE
    with only_run(folder), History.opened(folder, now, "" if given["dry_run"] else "undo") as past:
        return _undo(session, past, given["undo"], dry_run=given["dry_run"])


def _show(runs: Any, form: str) -> None:
    import json
    import sys

    from paperrec.text import printable

    if form == "json":
        documents = [{"run": run.name, "started": run.started.isoformat(), "what": run.what, "places": dict(run.places)} for run in runs]
        sys.stdout.write(json.dumps({"schema": "paperrec.history/1", "runs": documents}, ensure_ascii=False, indent=1) + "\n")
        return
    for run in runs:
        places = "; ".join(f"{n} in {printable(place)}" for place, n in run.places) or "nothing that still stands"
        sys.stdout.write(f"{run.name}  {run.what:<9}  {places}\n")
    if not runs:
        sys.stdout.write("No run has written to Zotero yet.\n")


def _undo(session: Any, past: Any, asked: str, *, dry_run: bool) -> int:
    from dataclasses import replace

    from paperrec.cli.plans import context_of
    from paperrec.errors import PaperrecError, SettingsError
    from paperrec.ports import open_sink
    from paperrec.services import services_of
    from paperrec.settings import load_settings

    known = [run.name for run in past.runs() if run.what != "undo" and run.name != past.run]
    run = known[0] if asked == "last" and known else asked
    if run not in known:
        raise SettingsError(f"--undo {asked}: there is no such run; there are: {', '.join(known[:5]) or 'none'}")
    context = replace(context_of({}, (), services_of(load_settings(session.config, session.profile))), journal=past)
    done: list[int] = []
    errors: list[PaperrecError] = []
    for place in past.places(run):
        try:
            written = open_sink(_locator(place), context).undo(run, dry_run=dry_run)  # type: ignore[attr-defined]
        except PaperrecError as error:
            errors.append(error)
            session.terminal.warn(str(error))
            continue
        for line in written.diff.splitlines():
            session.terminal.note(line)
        done.append(written.added)
        session.terminal.note(f"{written.place}: {'nothing is written in a dry run' if dry_run else f'{written.added} taken back'}")
    if not dry_run:
        past.withdraw()
    if errors and not done:
        return errors[0].exit_code
    return _IN_PART if errors else _DONE


def _locator(place: str) -> str:
    """The locator of a place in the history: "zotero:users/1@SERVER/collections/KEY" without the server."""
    library, _, collection = place.partition("/collections/")
    return f"{library.partition('@')[0]}/collections/{collection}"
