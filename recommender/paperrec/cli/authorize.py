"""The command `authorize`: leave to write to the Zotero on this computer."""

from typing import Any

import click

from paperrec.cli.options import shared, shared_options


@click.command(
    short_help="Let the Zotero on this computer be written.",
    epilog="""\b
Examples:
  paperrec authorize
  paperrec authorize && paperrec sync --zotero local new-papers.jsonl
""",
)
@shared_options
def authorize(**_given: Any) -> int:
    """Ask the Zotero on this computer (version 10 or later) for a key, once; choose Always Allow in its window.

    The key is kept in a file that only you can read. For Zotero on the web a key is made at zotero.org/settings/keys.
    """
    from paperrec.cli.plans import context_of
    from paperrec.ports import open_sink
    from paperrec.services import keep_local_key, services_of
    from paperrec.settings import load_settings

    session = shared()
    services = services_of(load_settings(session.config, session.profile))
    session.terminal.note("Zotero asks whether paperrec may write: choose Always Allow in its window")
    key = open_sink("zotero:local", context_of({}, (), services)).authorize()  # type: ignore[attr-defined]
    session.terminal.note(f"the key is kept in {keep_local_key(key)}")
    return 0
