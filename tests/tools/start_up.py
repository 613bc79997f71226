"""What a call costs, as ratios measured in one run: start_up.py [ROUNDS]

CPU seconds of whole processes, rounds interleaved, medians. Peers: an empty Python, and the import of scikit-learn's SVM, which no ranking
can do without. The .bib and the candidates are made here, of made-up text; with PAPERREC_SHARED set to a folder that holds seeds/, those
are ranked.
"""

import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprst" for b in ("a", "e", "i", "o", "ur", "an") for c in ("l", "n", "ph", "sto", "ring", "mic")]


def text(chance: random.Random, count: int) -> str:
    return " ".join(chance.choices(WORDS, [1 / (n + 3) for n in range(len(WORDS))], k=count)).capitalize() + "."


def library(path: Path, count: int) -> None:
    chance = random.Random(1)
    entries = []
    for n in range(count):
        abstract = f"  abstract = {{{text(chance, 160)} We use $x^2$ and {{\\'e}} in 30\\% of it.}},\n" if n % 10 < 6 else ""
        people = " and ".join(f"{text(chance, 1)[:-1]}, {text(chance, 1)[:-1]}" for _ in range(4))
        entries.append(
            f"@article{{key{n},\n  title = {{{text(chance, 9)}}},\n  author = {{{people}}},\n{abstract}  year = {{{1990 + n % 36}}},\n}}\n"
        )
    path.write_text("\n".join(entries), encoding="utf-8")


def cpu(command: list[str], env: dict[str, str]) -> tuple[float, float]:
    """CPU seconds and peak MB of a process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=-3, stderr=-3, check=True)\n"
    code += "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)"
    done = subprocess.run([sys.executable, "-S", "-c", code, *command], env=env, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, float(done.stdout)


def main(rounds: int) -> None:
    folder = Path(tempfile.mkdtemp())
    library(folder / "lib.bib", 1000)
    chance = random.Random(2)
    (folder / "new.txt").write_text("\n\n".join(text(chance, 170) for _ in range(57)), encoding="utf-8")
    shared = Path(os.environ.get("PAPERREC_SHARED", "")) / "seeds"
    candidates = str(shared if os.environ.get("PAPERREC_SHARED") and shared.is_dir() else folder / "new.txt")
    env = os.environ | {"OPENBLAS_NUM_THREADS": "1", "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    program = [str(Path(sys.executable).parent / "paperrec")]
    ranking = [*program, "recommend", "--bib", str(folder / "lib.bib"), candidates]
    jobs = {
        "python -c pass": ([sys.executable, "-c", "pass"], env),
        "import sklearn.svm": ([sys.executable, "-c", "import sklearn.svm"], env),
        "paperrec --version": ([*program, "--version"], env),
        "paperrec --help": ([*program, "--help"], env),
        "1,000 entries, 57 candidates, no cache": (ranking, env | {"XDG_CACHE_HOME": "/dev/null/none"}),
        "the same, library cached": (ranking, env),
    }
    for command, environment in jobs.values():
        cpu(command, environment)  # once for the disk cache, and for our own
    seen: dict[str, list[tuple[float, float]]] = {name: [] for name in jobs}
    nothing = []
    for _ in range(rounds):
        nothing.append(cpu(["true"], env)[0])
        for name, (command, environment) in jobs.items():
            seen[name].append(cpu(command, environment))
    base = statistics.median(nothing)  # what the measuring itself costs
    median = {name: statistics.median(s for s, _ in runs) - base for name, runs in seen.items()}
    for name, runs in seen.items():
        to_python, to_import = (median[name] / median[peer] for peer in ("python -c pass", "import sklearn.svm"))
        costs = f"{1000 * median[name]:7.0f} ms CPU  {max(mb for _, mb in runs):5.0f} MB"
        print(f"{name:40s} {costs}  {to_python:6.1f} x Python  {to_import:5.2f} x import sklearn.svm")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
