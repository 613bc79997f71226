"""The command `sync`: recommendations into a Zotero collection."""

from typing import Any

import click

from paperrec.cli.commands import exit_code, listing_options
from paperrec.cli.options import shared, shared_options
from paperrec.cli.plans import choosing_options, output_of, plan_of, refuse_input, steering_options
from paperrec.cli.remembering import remembering


@click.command(
    short_help="Rank, and write to a Zotero collection.",
    epilog="""\b
Examples:
  paperrec sync --zotero web new-papers.jsonl --dry-run
  paperrec sync --bib mylib.bib --zotero groups/123 --collection 'To read' abstracts/
""",
)
@choosing_options
@steering_options
@listing_options
@click.option("--collection", metavar="NAME|KEY", envvar="PAPERREC_COLLECTION", help="Where they go; made if need be.  [paperrec]")
@click.option("--new/--all", "only_new", default=True, help="Without, or with, those recommended before.  [--new]")
@click.option("--owned", type=click.Choice(["file", "skip"]), help="What the library has: into the collection too, or not.  [file]")
@click.option("--notes/--no-notes", default=None, help="A note with the reasons on each new item.  [--no-notes]")
@shared_options
def sync(**given: Any) -> int:
    """Rank CANDIDATES against the library, and write the best to a Zotero collection, each once and for ever.

    --zotero names where they go, and is the library too unless --bib or --library gives one.
    What you take out of the collection or put into the trash is not offered again; what you file, tag or annotate counts as yours.
    The key for the web is read from ZOTERO_API_KEY.
    """
    from paperrec.cli import render
    from paperrec.cli.telling import tell
    from paperrec.workflow import run_once

    session = shared()
    output, form = output_of(given["output"], given["form"])
    target = _target(session, given)
    plan, context = plan_of(session, given | {"sinks": (target, *given["sinks"])}, wishes=_wishes(given))
    if output:
        refuse_input(output, context.inputs)
    with session.terminal.busy("reading, ranking and writing"), remembering(plan, context, session.terminal, "sync") as (context, history):
        report = run_once(plan, context, history)
    tell(report, session.terminal)
    render.show(report, form, output, session.terminal)
    return exit_code(report, given["exit_code"])


def _target(session: Any, given: dict[str, Any]) -> str:
    """The locator of the collection: as given, else of the settings' sinks, else of the library, else of the key's owner."""
    from paperrec.errors import SettingsError
    from paperrec.locators import zotero_locator
    from paperrec.services import default_zotero
    from paperrec.settings import load_settings

    values = load_settings(session.config, session.profile).values
    asked = zotero_locator(given["zotero"] or "") if given["zotero"] else ""
    if given["bib"] or given["library"]:
        given["zotero"] = None  # where they go, not what is read
    if asked.startswith("zotero-sqlite:"):
        raise SettingsError(f"--zotero {given['zotero'] or asked}: the database is only read; write with --zotero web or --zotero local")
    named = [locator for locator in (*values.sinks, *values.library) if locator.startswith("zotero:")]
    library = asked or next(iter(named), "") or f"zotero:{default_zotero() or 'web'}"
    if not given["collection"]:
        return library
    return f"{library.partition('/collections/')[0]}/collections/{given['collection']}"


def _wishes(given: dict[str, Any]) -> dict[str, str]:
    wishes = {"zotero_owned": given["owned"], "zotero_notes": {True: "yes", False: "no"}.get(given["notes"])}
    return {name: value for name, value in wishes.items() if value}
