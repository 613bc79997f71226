"""Options: those that every command takes, before or after its name, and what they come to."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from paperrec.bounds import Bounds
from paperrec.cli.terminal import Terminal

F = TypeVar("F", bound=Callable[..., Any])
_SHARED = ("quiet", "verbose", "color", "config", "profile", "no_input", "debug")


@dataclass(frozen=True, slots=True)
class Shared:
    """The shared options of one call."""

    terminal: Terminal
    config: Path | None
    profile: str | None


class _Number(click.FloatRange):
    """A number within bounds; click's own range takes "nan", which is below no bound and above none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if math.isnan(number := click.FLOAT.convert(value, param, ctx)):
            self.fail(f"{value!r} is no number.", param, ctx)
        return super().convert(number, param, ctx)


def number(bounds: Bounds) -> click.FloatRange:
    """The type of an option that is a number, fractions too."""
    return _Number(bounds.low, bounds.high, min_open=bounds.low_is_out)


def count(bounds: Bounds) -> click.IntRange:
    """The type of an option that counts."""
    return click.IntRange(min=int(bounds.low))


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
