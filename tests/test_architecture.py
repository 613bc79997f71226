"""The house rules: who may import whom, what stays pure, what is public, and what a quick call may load."""

import ast
import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import paperrec

ROOT = Path(__file__).parents[1]
CORE = ROOT / "recommender" / "paperrec"
ADAPTERS = ROOT / "adapters" / "paperrec_adapters"
PURE = ("paper", "recommendation", "text", "profile", "features", "ranker", "diversity", "pipeline", "evaluate", "steering")
IMPURE = {"os", "pathlib", "sqlite3", "requests", "pybtex", "pyzotero", "argparse", "click", "logging", "time", "random", "secrets", "uuid"}
# What adapters may use of the core; files is the one place where a file of the user's is replaced
OPEN_TO_ADAPTERS = {"paperrec.errors", "paperrec.paper", "paperrec.recommendation", "paperrec.ports", "paperrec.text", "paperrec.files"}
HOMES = {
    "pybtex": {"adapters/paperrec_adapters/bibtex"},
    "sklearn": {"recommender/paperrec/features", "recommender/paperrec/ranker", "recommender/paperrec/evaluate"},
    "platformdirs": {"recommender/paperrec/settings"},
    "rich": {"recommender/paperrec/cli"},
    "click": {"recommender/paperrec/cli"},
    "jinja2": {"adapters/paperrec_adapters/html"},
    "requests": {"adapters/paperrec_adapters/web"},
    "urllib3": {"adapters/paperrec_adapters/web"},
    "httpx2": {"adapters/paperrec_adapters/web", "adapters/paperrec_adapters/zotero"},
    "pyzotero": {"adapters/paperrec_adapters/zotero"},
}
MODULES = sorted((*CORE.rglob("*.py"), *ADAPTERS.rglob("*.py")))


def imported(path: Path) -> set[str]:
    """Every module that a file imports, at any depth of it, TYPE_CHECKING blocks left out."""
    found: set[str] = set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return found


def home_of(path: Path) -> str:
    """`recommender/paperrec/text/latex.py` and `recommender/paperrec/text.py` are both of `recommender/paperrec/text`."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return "/".join(parts[:3])


@pytest.mark.parametrize("path", [p for p in MODULES if p.is_relative_to(ADAPTERS)], ids=str)
def test_adapters_see_only_the_doors_of_the_core(path: Path) -> None:
    of_core = {name for name in imported(path) if name == "paperrec" or name.startswith("paperrec.")}
    assert {".".join(name.split(".")[:2]) for name in of_core} <= OPEN_TO_ADAPTERS


@pytest.mark.parametrize("path", [p for p in MODULES if p.is_relative_to(CORE)], ids=str)
def test_the_core_imports_no_adapter(path: Path) -> None:
    assert not {name for name in imported(path) if name.startswith("paperrec_adapters")}


@pytest.mark.parametrize("path", [p for p in MODULES if home_of(p).split("/")[-1] in PURE], ids=str)
def test_the_method_touches_neither_files_nor_clock_nor_chance(path: Path) -> None:
    assert not {name.partition(".")[0] for name in imported(path)} & IMPURE


@pytest.mark.parametrize(("package", "homes"), HOMES.items())
def test_a_third_party_package_lives_in_its_home(package: str, homes: set[str]) -> None:
    users = {home_of(p) for p in MODULES if package in {name.partition(".")[0] for name in imported(p)}}
    assert users <= homes


@pytest.mark.parametrize("path", MODULES, ids=str)
def test_no_file_outgrows_a_sitting(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300


def test_every_public_name_is_there_and_none_bears_its_module_s_name() -> None:
    for name in paperrec.__all__:
        assert getattr(paperrec, name) is not None
        assert not (CORE / f"{name}.py").exists()
    assert dir(paperrec) == sorted(paperrec.__all__)


def test_public_names_stay_what_they_are_after_every_module_was_imported() -> None:
    before = {name: getattr(paperrec, name) for name in paperrec.__all__}
    for path in sorted(set(CORE.rglob("*.py")) - {CORE / "__main__.py"}):
        importlib.import_module(".".join(("paperrec", *path.relative_to(CORE).with_suffix("").parts)).removesuffix(".__init__"))
    assert {name: getattr(paperrec, name) for name in paperrec.__all__} == before


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        *([name, "--help"] for name in ("recommend", "sync", "read", "why", "evaluate", "history", "authorize")),
        ["history"],
    ],
)
def test_help_version_and_history_load_nothing_heavy(arguments: list[str], tmp_path: Path) -> None:
    code = (
        f"import sys; from paperrec.cli import main; main({arguments!r}); print([m for m in sys.modules if '.' not in m], file=sys.stderr)"
    )
    env = {**os.environ, "PAPERREC_STATE_DIR": str(tmp_path)}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    loaded = set(ast.literal_eval(run.stderr))
    assert not loaded & {"numpy", "scipy", "sklearn", "pybtex", "rich", "jinja2", "requests", "pyzotero"}


def test_version_loads_no_command_line() -> None:
    code = "import sys; from paperrec.cli import main; main(['--version']); print('click' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == f"paperrec {paperrec.__version__}\nFalse\n"


def test_nothing_is_unpickled_or_evaluated() -> None:
    forbidden = ("import pickle", "eval(", "exec(", "shell=True", "yaml.load", "verify=False")
    assert not [(p.name, f) for p in MODULES for f in forbidden if f in p.read_text(encoding="utf-8")]
