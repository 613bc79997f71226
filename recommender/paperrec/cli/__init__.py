"""The command line: `paperrec ...`; everything heavy is imported inside the command that needs it."""

import sys


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code; the console script's entry."""
    given = sys.argv[1:] if arguments is None else arguments
    if given in (["--version"], ["-V"]):  # scripts ask for it often: no need to load the command line for it
        from paperrec import __version__

        sys.stdout.write(f"paperrec {__version__}\n")
        return 0
    from paperrec.cli.app import run

    return run(given)
