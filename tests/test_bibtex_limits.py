"""What a hostile .bib file may cost: it ends, the limit is named, and the entries around it are read."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from paperrec.errors import NoInputError
from paperrec.ports import Context
from paperrec_adapters.bibtex import BibtexSource
from paperrec_adapters.bibtex.limits import (
    LARGEST_FILE,
    LONGEST_VALUE,
    MOST_ADDED,
    MOST_BRACES,
    MOST_FIELDS,
    MOST_NAMES,
    MOST_PIECES,
    MOST_PROBLEMS,
)
from paperrec_adapters.bibtex.source import parse

GOOD = "\n@article{good, title={Good one}, year=2001}\n"
MILLION = "x" * LONGEST_VALUE
WIDE = "@book{p, title={P}, " + ",".join(f"f{n}=1" for n in range(MOST_FIELDS)) + "}"
LONG_PARENT = "@book{p, title={P}, journal={" + "w " * (LONGEST_VALUE // 2) + "}}"


def read(text: str) -> tuple[list[str], str]:
    """Keys, and all that was told."""
    batch = parse((text + GOOD).encode(), "x.bib")
    return [paper.key for paper in batch.papers], "\n".join(problem.why for problem in batch.problems)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("@misc{e, title={T}, note=" + "#".join(['"a"'] * (MOST_PIECES + 2)) + "}", f"more than {MOST_PIECES:,} pieces"),
        ("@misc{e, title={T}, abstract={" + MILLION + "x}}", f"the first {LONGEST_VALUE:,} are read"),
        ("@misc{e, title={T}, abstract={a " + "{b" * (MOST_BRACES + 2) + "}}", f"more than {MOST_BRACES:,} braces"),
        ("@misc{e, title={T}, " + "note={n}," * (MOST_FIELDS + 1) + "}", f"more than {MOST_FIELDS:,} fields"),
        ("@misc{e, title={T}, " + "note={n,\n" * (MOST_FIELDS + 1) + "}", f"more than {MOST_FIELDS:,} fields"),
        ("@misc{e, title={T}, author={" + " and ".join(["A B"] * (MOST_NAMES + 1)) + "}}", f"the first {MOST_NAMES:,} are read"),
        (
            '@string{a="' + MILLION + '"}\n@misc{e, title={T}, ' + ",".join(f'f{n}=a#""' for n in range(500)) + "}",
            f"more than {MOST_ADDED:,} char",
        ),
        (
            '@string{a="' + MILLION + '"}\n@misc{e, title={T}, q=' + "#".join(["a"] * 9_000) + ', y=(1) "stumble" x}',
            f"more than {MOST_ADDED:,} char",
        ),
        ("@misc{e, title={T}}\n" + "@misc{c, title={C}, crossref={p}}\n" * 3_000 + LONG_PARENT, f"more than {MOST_ADDED:,} char"),
        ("@misc{e, title={T}}\n" + "@misc{c, title={C}, crossref={p}}\n" * 9_000 + WIDE, f"more than {MOST_ADDED:,} char"),
        ("@misc{e, title={T}}\n" + "@misc{x}\n" * (MOST_PROBLEMS + 5), "5 more problems like these"),
    ],
    ids=range(11),
)
def test_a_limit_is_named_and_the_entries_stay(text: str, told: str) -> None:
    keys, problems = read(text)
    assert (keys[0], keys[-1]) == ("e", "good")
    assert told in problems


@pytest.mark.parametrize(
    "text",
    [
        "@comment{\n" * 90_000,
        "".join(f"@misc{{k, title={{Title {n}}}}}\n" for n in range(15_000)),
        "".join(f'@string{{m{n}="v"}}\n' for n in range(15_000)) + '@misc{e, title="a "b" c"}\n' * 4_000,
        "@comment{BibDesk Static Groups{\n"
        + "<key>group name</key><string>a</string><key>keys</key><string>k</string>" * 40_000
        + "}}\n@misc{k, title={T}}",
        "@misc{e, title={T}}\n" + " " * 2_000_000,
        ("@misc{" + " " * 5_000 + "a" + " " * 5_000 + "b\n") * 300,
        "@misc{e, title={T}, abstract={" + "{}" * 1_500_000 + "}}",
        "@misc{e, title={T}, author={" + "{a} " * 50_000 + "}}",
        "@misc{e, title={T}, doi={" + "10.1234/" * 100_000 + "}, eprint={" + "a-" * 200_000 + "}, note={arxiv " + "abc.de/" * 90_000 + "}}",
        ("@" + "a" * 40 + " " * 19 + "{" + " " * 19 + "k" * 199 + " " * 20 + "\n") * 10_000,
    ],
    ids=range(10),
)
def test_what_takes_others_hours_ends(text: str) -> None:
    assert read(text)[0][-1] == "good"


@pytest.mark.parametrize("data", [b"\xff" + b"\n" * 5_000_000, b"\xff\n" * 2_000_000, "é\n".encode() * 2_000_000 + b"\xff\n"], ids=range(3))
def test_undecodable_lines_without_number_end(data: bytes) -> None:
    assert [p.key for p in parse(data + GOOD.encode(), "x.bib").papers] == ["good"]


def test_a_file_over_the_limit_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "large.bib"
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(NoInputError, match=r"large\.bib: has 40 MB; at most 40 MB are read"):
        BibtexSource.open(str(path), Context()).read()


def run(code: str, *arguments: str) -> list[str]:
    child = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    answer: list[str] = json.loads(child.stdout)
    return answer


def test_good_files_and_cached_ones_need_no_pybtex(tmp_path: Path) -> None:
    path = tmp_path / "x.bib"
    path.write_text('@misc{a, title={A}, month=jan # "~1"}' + GOOD, encoding="utf-8")
    code = """
import json, sys
from pathlib import Path
from paperrec.ports import Context
from paperrec_adapters.bibtex import BibtexSource
source = BibtexSource.open(sys.argv[1], Context(cache_dir=Path(sys.argv[2])))
keys = [paper.key for paper in source.read().papers]
print(json.dumps(keys + [name for name in ("pybtex", "numpy", "paperrec.text.plain") if name in sys.modules]))
"""
    assert run(code, str(path), str(tmp_path / "cache")) == ["a", "good", "paperrec.text.plain"]
    assert run(code, str(path), str(tmp_path / "cache"))[:2] == ["a", "good"]
    path.write_text('@misc{a, title="A "quote" in it"}' + GOOD, encoding="utf-8")
    assert run(code, str(path), str(tmp_path / "cache"))[2] == "pybtex"


def test_what_pybtex_knows_is_left_as_it_is() -> None:
    from pybtex.database.input.bibtex import month_names

    before = dict(month_names)
    parse(b'@string{jan="changed"}\n@misc{a, title="A "quote" in it", month=jan}\n', "x.bib")
    assert month_names == before


def test_the_cache_keeps_the_newest_twenty_files_and_their_names_are_hashes(tmp_path: Path) -> None:
    path = tmp_path / "secret-name.bib"
    for number in range(23):
        path.write_text(f"@misc{{a, title={{A {number}}}}}", encoding="utf-8")
        BibtexSource.open(str(path), Context(cache_dir=tmp_path / "cache")).read()
    kept = [file.name for file in (tmp_path / "cache").rglob("*.*")]
    assert len(kept) == 20
    assert all(len(name) == 68 and name.endswith(".bin") for name in kept)


def test_a_cache_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file, no folder", encoding="utf-8")
    (tmp_path / "x.bib").write_text(GOOD, encoding="utf-8")
    batch = BibtexSource.open(str(tmp_path / "x.bib"), Context(cache_dir=tmp_path / "cache")).read()
    assert [paper.key for paper in batch.papers] == ["good"]
