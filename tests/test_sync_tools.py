"""The scripts that kill and disturb syncs, and count requests, still run; at full size they are called by hand."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

TOOLS = Path(__file__).parent / "tools"


@pytest.mark.parametrize(
    ("script", "figures"),
    [("kill_sync.py", ("lost", "doubled", "left files")), ("fault_sync.py", ("wrong ends", "tracebacks", "lost", "doubled", "leaks"))],
)
def test_a_few_disturbed_syncs_lose_and_double_nothing(script: str, figures: tuple[str, ...], tmp_path: Path) -> None:
    env = {**os.environ, "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, TOOLS / script, "3"], capture_output=True, text=True, env=env, check=False)
    told = dict(re.findall(r"([a-z ]+?) (\d+)[,;]", done.stdout.splitlines()[-1].partition(": ")[2])) if done.stdout else {}
    assert {name.strip(): int(n) for name, n in told.items() if name.strip() in figures} == dict.fromkeys(figures, 0), (
        done.stdout + done.stderr
    )
    assert list(tmp_path.iterdir()) == []


def test_a_library_costs_a_request_a_page_and_a_handful_more() -> None:
    done = subprocess.run([sys.executable, TOOLS / "zotero_requests.py", "250"], capture_output=True, text=True, check=True)
    assert [int(n) for n in re.findall(r"(\d+) requests", done.stdout)] == [6, 2, 5, 3, 2, 3]
