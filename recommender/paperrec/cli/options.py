"""Options: those that every command takes, before or after its name, and what they come to."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from paperrec.cli.terminal import Terminal

F = TypeVar("F", bound=Callable[..., Any])
_SHARED = ("quiet", "verbose", "color", "config", "profile", "no_input", "debug")


@dataclass(frozen=True, slots=True)
class Shared:
    """The shared options of one call."""

    terminal: Terminal
    config: Path | None
    profile: str | None


def _keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    """Collect a shared option wherever it stands; the one after the command's name wins."""
    given = ctx.find_root().meta.setdefault("paperrec.shared", {})
    if value not in (None, False, 0):
        given[param.name] = given.get(param.name, 0) + value if param.name == "verbose" else value


def shared_options(command: F) -> F:
    """Add the shared options to a command; `shared()` gives their values inside it."""
    common: dict[str, Any] = {"expose_value": False, "callback": _keep}
    for option in reversed(
        (
            click.option("-q", "--quiet", is_flag=True, help="No notes on stderr, only errors.", **common),
            click.option("-v", "--verbose", count=True, help="More notes on stderr; -vv for all.", **common),
            click.option(
                "--color", type=click.Choice(["auto", "always", "never"]), envvar="PAPERREC_COLOR", help="Colour.  [auto]", **common
            ),
            click.option("--config", type=click.Path(path_type=Path), envvar="PAPERREC_CONFIG", help="Settings file.", **common),
            click.option("--profile", metavar="NAME", envvar="PAPERREC_PROFILE", help="A [profiles.NAME] of the settings file.", **common),
            click.option("--no-input", is_flag=True, help="Never ask anything.", **common),
            click.option("--debug", is_flag=True, help="Show the whole of an error.", **common),
        )
    ):
        command = option(command)
    return command


def shared() -> Shared:
    """The shared options of the running command."""
    given = click.get_current_context().find_root().meta.get("paperrec.shared", {})
    quiet = bool(given.get("quiet"))
    terminal = Terminal(verbosity=-1 if quiet else given.get("verbose", 0), color=given.get("color", "auto"))
    return Shared(terminal, given.get("config"), given.get("profile"))
