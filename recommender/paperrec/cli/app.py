"""The commands by name, and what ends a run: exit codes and the one line on stderr."""

import os
import signal
import sys
import traceback
from contextlib import suppress
from types import FrameType

import click

from paperrec import __version__
from paperrec.cli import authorize, commands, evaluate, history, sync
from paperrec.cli.options import shared_options
from paperrec.errors import PaperrecError

_BUG = 1
_USAGE = 2
_DISK = 74
_INTERRUPTED = 130

EPILOG = """\b
Examples:
  paperrec recommend --bib mylib.bib abstracts.txt
  paperrec recommend --bib mylib.bib seeds/ --to bib:to-read.bib
"""


@click.group(
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "-V", "--version", prog_name="paperrec", message="%(prog)s %(version)s")
@shared_options
def app() -> None:
    """Recommend papers that fit the ones you already keep.

    A library (.bib, Zotero) and candidates (abstracts, JSON Lines, .bib) go in; a ranked list with reasons comes out.
    It runs on this computer alone, and asks Zotero only where you name it.
    """


app.add_command(commands.recommend)
app.add_command(commands.read)
app.add_command(commands.why)
app.add_command(sync.sync)
app.add_command(evaluate.evaluate)
app.add_command(history.history)
app.add_command(authorize.authorize)


def run(arguments: list[str]) -> int:
    """Run the command line and return its exit code; nothing but one line on stderr tells of a failure."""
    _open_missing_streams()
    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _stop)
    try:
        code = app.main(arguments or ["--help"], prog_name="paperrec", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # or the interpreter flushes into the pipe once more
        return 0
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last border: what nobody expected is a bug, told in one line
        if "--debug" in arguments:
            traceback.print_exc()
        return _fail(*_verdict(error))
    return code if isinstance(code, int) else 0


def _verdict(error: BaseException) -> tuple[str, int]:
    """The line that tells of an error, and its exit code."""
    match error:
        case PaperrecError():
            return str(error), error.exit_code
        case click.UsageError():
            return f"{error.format_message()} See '{error.ctx.command_path if error.ctx else 'paperrec'} --help'.", _USAGE
        case click.ClickException():
            return error.format_message(), _USAGE
        case KeyboardInterrupt() | click.Abort():
            return "interrupted", _INTERRUPTED
        case OSError(strerror=str(reason)):
            return f"cannot write the output: {reason}", _DISK
    return f"this is a bug in paperrec ({type(error).__name__}); the same call with --debug tells more", _BUG


def _stop(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def _fail(message: str, code: int) -> int:
    from paperrec.text import printable

    with suppress(OSError):
        print(f"paperrec: {printable(message)}", file=sys.stderr, flush=True)  # noqa: T201 - the last word of a run
    return code


def _open_missing_streams() -> None:
    """Give a run that was started with a closed stream an empty one, so that no file gets its number; UTF-8 everywhere."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - lives as long as the process
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
