"""The README is true: its commands run, and what it shows is what comes out."""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from paperrec.cli import app as cli_app
from paperrec.errors import PaperrecError
from paperrec.settings import load_settings

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SHOWN = re.search(r"```console\n\$ (paperrec [^\n]+)\n(.*?)```", README, re.DOTALL)


def run(command: str) -> subprocess.CompletedProcess[str]:
    arguments = shlex.split(command)[1:]
    return subprocess.run(
        [sys.executable, "-m", "paperrec", *arguments], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True
    )


def test_the_output_shown_is_the_output() -> None:
    assert SHOWN
    assert run(SHOWN.group(1)).stdout == SHOWN.group(2)


def test_the_settings_shown_are_settings(tmp_path: Path) -> None:
    shown = re.search(r"```toml\n(.*?)```", README, re.DOTALL)
    assert shown
    assert tomllib.loads(shown.group(1))
    (tmp_path / "config.toml").write_text(shown.group(1), encoding="utf-8")
    assert load_settings(tmp_path / "config.toml", "side").values.library == ["bib:~/papers/side.bib"]


def test_every_option_named_is_an_option() -> None:
    known = {opt for command in cli_app.app.commands.values() for p in command.params for opt in (*p.opts, *p.secondary_opts)}
    named = set(re.findall(r"(?<![\w-])(--[a-z][a-z-]+|-[a-zA-Z])(?![\w-])", README)) - {"--help", "-m", "-e"}
    assert named <= known


def test_every_exit_code_named_is_one_that_errors_have() -> None:
    codes = {error.exit_code for error in PaperrecError.__subclasses__()} | {0, 1, 3, 130, 74}
    for row in re.findall(r"^\| ([\d, ]+) \|", README, re.MULTILINE):
        assert {int(code) for code in row.split(",")} <= codes


@pytest.mark.parametrize("command", ["", "recommend", "sync", "read", "why", "evaluate"])
def test_every_help_has_two_examples_that_are_commands(command: str) -> None:
    result = CliRunner().invoke(cli_app.app, [*command.split(), "--help"])
    assert result.exit_code == 0
    examples = re.findall(r"^ +(paperrec \w+ .*)$", result.output, re.MULTILINE)
    assert len(examples) >= 2
    for example in examples:
        name, *arguments = shlex.split(example)[1:]
        cli_app.app.commands[name].make_context(name, arguments)


def test_every_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\((?!https://)([^)#]+)\)", README):
        assert (ROOT / target).exists()
