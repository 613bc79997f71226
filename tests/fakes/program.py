"""The program, run as a user runs it: in a folder, with a home of its own and no settings of the machine's."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


def program(folder: Path) -> Run:
    """A function that runs `paperrec` in a folder: `run("read", "x.bib", stdin=b"", PAPERREC_LIMIT="5")`."""
    home = {k: v for k, v in os.environ.items() if not k.startswith(("PAPERREC", "XDG", "ZOTERO")) and k not in ("NO_COLOR", "TERM")}
    home |= {"HOME": str(folder / "home"), "PYTHONWARNINGS": "error"}

    def run(*arguments: str, stdin: bytes = b"", **env: str) -> "subprocess.CompletedProcess[bytes]":
        command = [sys.executable, "-m", "paperrec", *arguments]
        done = subprocess.run(command, cwd=folder, input=stdin, capture_output=True, env=home | env, check=False)
        assert b"Traceback" not in done.stderr
        return done

    return run
