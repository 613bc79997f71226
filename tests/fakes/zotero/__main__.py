"""Serve a fake Zotero from a process of its own: `PYTHONPATH=tests python -m fakes.zotero --state FILE`.

It prints its address as its only line. Everything it knows stands in the state file before a write is answered.
"""

import argparse
import sys
from pathlib import Path

from fakes.zotero.server import FakeZotero


def main() -> None:
    """Serve until killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", type=Path, required=True, help="file that it starts from and keeps up to date")
    parser.add_argument("--log", type=Path, help="file that gets a line of JSON for each request")
    parser.add_argument("--dialect", choices=("web", "local7", "local10"), default="web", help="used if there is no state yet")
    parser.add_argument("--port", type=int, default=0)
    asked = parser.parse_args()
    zotero = FakeZotero(asked.dialect, port=asked.port, state_file=asked.state, log_file=asked.log)
    zotero.save()
    sys.stdout.write(f"{zotero.url}\n")
    sys.stdout.flush()
    zotero.serve_forever()


if __name__ == "__main__":
    main()
