"""What goes to the terminal: notes, problems and the sign of life on stderr, results on stdout."""

import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from paperrec.text import printable

if TYPE_CHECKING:
    from rich.console import Console

    from paperrec.ports import Problem

_SHOWN_PROBLEMS = 10  # lines; -v shows all
_PATIENCE = 1.0  # seconds before a sign of life
_PIPE_WIDTH = 100  # columns where there is no terminal, so that the bytes do not depend on one


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where notes go, and how loud they are."""

    verbosity: int = 0  # -1 quiet, 0 normal, 1 -v, 2 -vv
    color: str = "auto"

    def note(self, text: str, *, level: int = 0) -> None:
        """A line on stderr, shown from `level` of verbosity on."""
        if self.verbosity >= level:
            print(printable(text), file=sys.stderr)  # noqa: T201 - notes are what stderr is for

    def warn(self, text: str) -> None:
        """A line on stderr that --quiet does not silence: something that was asked for was not done."""
        print(f"paperrec: {printable(text)}", file=sys.stderr)  # noqa: T201 - as above

    def problems(self, problems: "Sequence[Problem]") -> None:
        """The problems met: first what was left out, then what was repaired; without -v the first few."""
        ordered = sorted(problems, key=lambda p: not p.left_out)
        shown = ordered if self.verbosity > 0 else ordered[:_SHOWN_PROBLEMS]
        for problem in shown:
            self.note(f"{problem.where}: {problem.why}")
        if more := len(ordered) - len(shown):
            self.note(f"... and {more} more; -v shows all")

    def has_color(self, stream: TextIO) -> bool:
        """Whether escape sequences may go to a stream."""
        if self.color != "auto":
            return self.color == "always"
        return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    def console(self, *, to_file: bool = False) -> "Console":
        """A console for the readable list: as wide as the terminal, or of one width for pipes and files."""
        from rich.console import Console

        colored = self.has_color(sys.stdout) and not to_file
        return Console(
            file=sys.stdout,
            force_terminal=colored,
            no_color=not colored,
            color_system="standard" if colored else None,
            width=None if sys.stdout.isatty() and not to_file else _PIPE_WIDTH,
            highlight=False,
            markup=False,
            emoji=False,
            legacy_windows=False,
        )

    @contextmanager
    def busy(self, doing: str) -> Iterator[None]:
        """Show on a terminal what takes longer than a second; nothing anywhere else."""
        if self.verbosity < 0 or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
            yield
            return
        text = printable(f"{doing} ...")
        shown = threading.Event()

        def show() -> None:
            shown.set()
            print(text, end="\r", file=sys.stderr, flush=True)  # noqa: T201 - as above

        timer = threading.Timer(_PATIENCE, show)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()
            if shown.is_set():
                print(" " * len(text), end="\r", file=sys.stderr, flush=True)  # noqa: T201 - as above
