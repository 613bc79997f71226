"""The history of a command: opened where what is written needs it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from paperrec.cli.terminal import Terminal
from paperrec.errors import SettingsError

if TYPE_CHECKING:
    from paperrec.history import History


@contextmanager
def remembering(plan: Any, context: Any, terminal: Terminal, what: str) -> "Iterator[tuple[Any, History | None]]":
    """The context with a journal in it, and the history, as long as the block runs; without, where no sink of the plan needs one.

    Raises
    ------
    PaperrecError
        There is no place for a history, or another run is going on.
    """
    from paperrec.ports import is_journaled

    if not any(map(is_journaled, plan.sinks)):
        yield context, None
        return
    from dataclasses import replace
    from datetime import UTC, datetime

    from paperrec.history import History, only_run

    folder = state_folder()
    with only_run(folder), History.opened(folder, datetime.now(UTC), "" if plan.dry_run else what) as history:
        if history.note_on_opening:
            terminal.warn(history.note_on_opening)
        yield replace(context, journal=history), history


def state_folder() -> Any:
    """Where the history stands.

    Raises
    ------
    SettingsError
        There is no home for it, and none is named.
    """
    from paperrec.settings import state_dir

    folder = state_dir()
    if folder is None:
        raise SettingsError("there is no home folder for the history: name one with PAPERREC_STATE_DIR")
    return folder
