"""The command line as scripts meet it: streams, exit codes, JSON, files."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from paperrec.choice import Funnel
from paperrec.cli.telling import why_empty

LIBRARY = """
@article{sheep1, title={Sheep on steep pastures}, author={Doe, Ann}, year={2019},
  abstract={We follow sheep on steep pastures and count their steps.}}
@article{sheep2, title={How goats and sheep graze}, year={2020}, abstract={Grazing of goats and sheep on mountain pastures is compared.}}
@article{owned, title={Wool in the Alps}, eprint={2001.00001}, archiveprefix={arXiv}, year={2020}}
"""
CANDIDATES = [
    {
        "id": "x:goats",
        "title": "Goats on mountain pastures",
        "abstract": "Steps and grazing of goats on steep pastures.",
        "authors": ["Roe, Bo"],
    },
    {"id": "x:tax", "title": "Tax law of harbours", "abstract": "Harbour dues under old tax law."},
    {"id": "arxiv:2001.00001v2", "title": "Wool in the Alps", "abstract": "Wool."},
    {"id": "x:goats2", "title": "GOATS on mountain pastures", "abstract": "Steps and grazing of goats on steep pastures."},
]
Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def paperrec(tmp_path: Path) -> Run:
    """Run the program in an empty home, with a library and candidates beside it."""
    (tmp_path / "lib.bib").write_text(LIBRARY, encoding="utf-8")
    (tmp_path / "new.jsonl").write_text("".join(json.dumps(c) + "\n" for c in CANDIDATES), encoding="utf-8")
    home = {k: v for k, v in os.environ.items() if not k.startswith(("PAPERREC", "XDG")) and k not in ("NO_COLOR", "TERM")}
    home |= {"HOME": str(tmp_path / "home"), "PYTHONWARNINGS": "error"}

    def run(*arguments: str, stdin: bytes = b"", **env: str) -> "subprocess.CompletedProcess[bytes]":
        done = subprocess.run(
            [sys.executable, "-m", "paperrec", *arguments], cwd=tmp_path, input=stdin, capture_output=True, env=home | env, check=False
        )
        assert b"Traceback" not in done.stderr
        return done

    return run


def keys(run: "subprocess.CompletedProcess[bytes]") -> list[str]:
    return [r["paper"]["key"] for r in json.loads(run.stdout)["recommendations"]]


def test_the_candidate_that_fits_comes_first_and_the_owned_one_not_at_all(paperrec: Run) -> None:
    run = paperrec("recommend", "--bib", "lib.bib", "new.jsonl", "--json")
    document = json.loads(run.stdout)
    assert run.returncode == 0
    assert document["schema"] == "paperrec.recommendations/1"
    assert document["library"] == {"papers": 3, "problems": 0}
    assert document["candidates"] == {
        "read": 4,
        "owned": 1,
        "seen": 0,
        "duplicate": 1,
        "filtered": 0,
        "ranked": 2,
        "judged": 0,
        "muted": 0,
        "twins": 0,
    }
    assert [r["rank"] for r in document["recommendations"]] == [1, 2]
    assert document["recommendations"][0]["paper"]["title"].casefold() == "goats on mountain pastures"
    assert document["recommendations"][1]["paper"]["key"] == "x:tax"


def test_the_parts_of_the_reasons_sum_to_the_score(paperrec: Run) -> None:
    for n_reasons in ("0", "1", "3"):
        run = paperrec("recommend", "--bib", "lib.bib", "new.jsonl", "--json", "--explain", n_reasons)
        for recommendation in json.loads(run.stdout)["recommendations"]:
            if recommendation["reasons"]:
                assert sum(r["part"] for r in recommendation["reasons"]) == pytest.approx(recommendation["score"], abs=1e-9)


def test_results_go_to_stdout_and_notes_to_stderr(paperrec: Run) -> None:
    loud, quiet = (paperrec("recommend", "--bib", "lib.bib", "new.jsonl", *more) for more in ((), ("--quiet",)))
    assert loud.stdout == quiet.stdout
    assert b"library: 3 papers, 1 without an abstract" in loud.stderr
    assert b"candidates: 4 papers, 1 in your library, 1 twice" in loud.stderr
    assert quiet.stderr == b""


def test_shared_options_stand_before_or_after_the_command(paperrec: Run) -> None:
    assert paperrec("-q", "read", "lib.bib").stderr == paperrec("read", "lib.bib", "-q").stderr == b""


def test_a_pipe_gets_no_escape_sequences_and_colour_can_be_asked_for(paperrec: Run) -> None:
    assert b"\x1b" not in paperrec("recommend", "--bib", "lib.bib", "new.jsonl").stdout
    assert b"\x1b" in paperrec("recommend", "--bib", "lib.bib", "new.jsonl", "--color", "always").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("recommend", "new.jsonl"), 2, b"no library is given"),
        (("recommend", "--bib", "lib.bib", "gone.txt"), 65, b"gone.txt: there is no such file"),
        (("recommend", "--bib", "gone.bib", "new.jsonl"), 65, b"gone.bib"),
        (("recommend", "--bib", "lib.bib", "nonsense:x"), 2, b"no source is called 'nonsense'; there are: abstracts, bib, jsonl"),
        (("recommend", "--bib", "lib.bib", "new.jsonl", "--to", "nonsense:x"), 2, b"no sink is called 'nonsense'"),
        (("recommend", "--bib", "lib.bib", "new.jsonl", "--in", "PhD"), 2, b"no collection fits 'PhD'"),
        (("recommend", "--bib", "lib.bib", "new.jsonl", "-o", "lib.bib", "--json"), 2, b"is a file that is read"),
        (("recommend", "--bib", "lib.bib", "new.jsonl", "-o", "no/such/folder.json"), 73, b"folder"),
        (("recommend", "--bib", "-", "-"), 2, b"standard input can be read only once"),
        (("read", "~no-such-user/x.bib"), 2, b"there is no such user"),
        (("recommend", "--bib", "", "new.jsonl"), 2, b"named by an empty text"),
        (("read", ""), 2, b"named by an empty text"),
        (("recommend", "--limt", "3"), 2, b"--limit"),
        (("recomend",), 2, b"recomend"),
        (("recommend", "--bib", "lib.bib", "new.jsonl", "--half-life", "nan"), 2, b"'--half-life': 'nan' is no number."),
        (("recommend", "--bib", "lib.bib", "new.jsonl", "--min-score", "NaN"), 2, b"'--min-score': 'NaN' is no number."),
        (("recommend", "--bib", "lib.bib", "new.jsonl", "--diversity", "nan"), 2, b"'--diversity': 'nan' is no number."),
        (("recommend", "--bib", "lib.bib", "new.jsonl", "--diversity", "inf"), 2, b"inf is not in the range 0<=x<=1."),
        (("why", "x:none", "--bib", "lib.bib", "new.jsonl"), 65, b"x:none"),
        (("read", "."), 0, b""),
    ],
)
def test_an_error_is_one_line_and_an_exit_code(paperrec: Run, arguments: tuple[str, ...], code: int, message: bytes) -> None:
    run = paperrec(*arguments)
    assert run.returncode == code, run.stderr
    assert message in run.stderr
    if code:
        assert len([line for line in run.stderr.splitlines() if line.startswith(b"paperrec: ")]) == 1
        assert run.stdout == b""


def test_one_missing_library_file_of_two_is_named_and_costs_exit_code_3(paperrec: Run) -> None:
    run = paperrec("recommend", "--bib", "gone.bib", "--bib", "lib.bib", "new.jsonl", "--json")
    assert run.returncode == 3
    assert b"gone.bib" in run.stderr
    assert len(keys(run)) == 2


def test_a_failing_sink_costs_neither_the_list_nor_the_other_sink(paperrec: Run, tmp_path: Path) -> None:
    run = paperrec("recommend", "--bib", "lib.bib", "new.jsonl", "--json", "--to", "bib:no/such/out.bib", "--to", "bib:out.bib")
    assert run.returncode == 3
    assert len(keys(run)) == 2
    assert "goats" in (tmp_path / "out.bib").read_text(encoding="utf-8").casefold()


def test_exit_code_4_tells_scripts_that_nothing_was_found(paperrec: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.jsonl").write_text(json.dumps(CANDIDATES[2]) + "\n", encoding="utf-8")
    plain, asked = (paperrec("recommend", "--bib", "lib.bib", "mine.jsonl", *more) for more in ((), ("--exit-code",)))
    assert (plain.returncode, asked.returncode) == (0, 4)
    assert plain.stdout == b"Nothing to recommend: of 1 candidate, 1 in your library already.\n"


def test_in_place_of_an_empty_list_stands_every_way_that_candidates_went() -> None:
    funnel = Funnel(read=28, owned=1, duplicate=2, filtered=3, ranked=0, judged=4, seen=5, muted=6, twins=7)
    assert why_empty(funnel) == (
        "Nothing to recommend: of 28 candidates, 1 in your library already, 4 judged before, 5 recommended before (--all shows them), "
        "6 muted, 2 the same paper again, 7 nearly the same as a better one, 3 below --min-score."
    )


def test_the_library_can_come_from_standard_input(paperrec: Run) -> None:
    assert len(keys(paperrec("recommend", "--bib", "-", "new.jsonl", "--json", stdin=LIBRARY.encode()))) == 2


@pytest.mark.parametrize(
    "stdin", [json.dumps(CANDIDATES[0]), "Goats walk on steep pastures in the mountains. We count how many steps they take. " * 3]
)
def test_candidates_can_come_from_standard_input(paperrec: Run, stdin: str) -> None:
    assert len(keys(paperrec("recommend", "--bib", "lib.bib", "-", "--json", stdin=stdin.encode()))) == 1


def test_a_file_output_holds_the_bytes_that_a_pipe_gets(paperrec: Run, tmp_path: Path) -> None:
    piped = paperrec("recommend", "--bib", "lib.bib", "new.jsonl", "--json").stdout
    filed = paperrec("recommend", "--bib", "lib.bib", "new.jsonl", "-o", "out.json")
    assert filed.stdout == b""
    assert (tmp_path / "out.json").read_bytes() == piped


def test_json_lines_hold_one_recommendation_a_line(paperrec: Run) -> None:
    lines = paperrec("recommend", "--bib", "lib.bib", "new.jsonl", "-f", "jsonl").stdout.splitlines()
    assert [json.loads(line)["rank"] for line in lines] == [1, 2]


def test_what_read_prints_can_be_read_again(paperrec: Run, tmp_path: Path) -> None:
    first = paperrec("read", "lib.bib", "--json").stdout
    (tmp_path / "again.json").write_bytes(first)
    again = json.loads(paperrec("read", "again.json", "--json").stdout)
    assert again["papers"] == json.loads(first)["papers"]


def test_a_dry_run_shows_the_change_and_writes_nothing(paperrec: Run, tmp_path: Path) -> None:
    run = paperrec("recommend", "--bib", "lib.bib", "new.jsonl", "--to", "bib:out.bib", "--dry-run")
    assert b"+@" in run.stderr
    assert not (tmp_path / "out.bib").exists()


def test_writing_twice_changes_nothing(paperrec: Run, tmp_path: Path) -> None:
    first = paperrec("recommend", "--bib", "lib.bib", "new.jsonl", "--to", "bib:out.bib")
    before = (tmp_path / "out.bib").read_bytes(), (tmp_path / "out.bib").stat().st_mtime_ns
    second = paperrec("recommend", "--bib", "lib.bib", "new.jsonl", "--to", "bib:out.bib")
    assert (first.returncode, second.returncode) == (0, 0)
    assert ((tmp_path / "out.bib").read_bytes(), (tmp_path / "out.bib").stat().st_mtime_ns) == before


def test_the_user_s_own_library_keeps_every_byte_when_it_is_the_target(paperrec: Run, tmp_path: Path) -> None:
    assert paperrec("recommend", "--bib", "lib.bib", "new.jsonl", "--to", "bib:lib.bib").returncode == 0
    grown = (tmp_path / "lib.bib").read_bytes()
    assert grown.startswith(LIBRARY.encode())
    assert paperrec("recommend", "--bib", "lib.bib", "new.jsonl", "--to", "bib:lib.bib").returncode == 0
    assert (tmp_path / "lib.bib").read_bytes() == grown


@pytest.mark.parametrize("asked", ["x:tax", "2"])
def test_why_gives_the_parts_of_a_score(paperrec: Run, asked: str) -> None:
    run = paperrec("why", asked, "--bib", "lib.bib", "new.jsonl")
    assert run.returncode == 0
    assert b"Tax law of harbours" in run.stdout
    assert b"rank 2 of 2" in run.stdout


def test_why_tells_of_a_paper_that_the_user_has(paperrec: Run) -> None:
    run = paperrec("why", "arxiv:2001.00001", "--bib", "lib.bib", "new.jsonl")
    assert b"not on the list" in run.stdout
    assert b"owned" in run.stdout


def test_settings_give_what_the_call_leaves_open(paperrec: Run, tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text('library = ["bib:lib.bib"]\ncandidates = ["new.jsonl"]\nlimit = 1\n', encoding="utf-8")
    assert len(keys(paperrec("recommend", "--config", "my.toml", "--json"))) == 1
    assert len(keys(paperrec("recommend", "--config", "my.toml", "--json", PAPERREC_LIMIT="0"))) == 2
    assert len(keys(paperrec("recommend", "--config", "my.toml", "--json", "-n", "2", PAPERREC_LIMIT="1"))) == 2


def test_a_number_of_the_environment_has_the_bounds_of_the_option(paperrec: Run) -> None:
    run = paperrec("recommend", "--bib", "lib.bib", "new.jsonl", PAPERREC_MIN_SCORE="nan")
    assert (run.returncode, len(run.stderr.splitlines())) == (2, 1)
    assert b"is no number" in run.stderr


def test_without_candidates_the_shipped_examples_are_ranked(paperrec: Run) -> None:
    run = paperrec("recommend", "--bib", "lib.bib", "--json", "-n", "0")
    assert b"ranking the examples that come with paperrec" in run.stderr
    assert len(keys(run)) >= 25


def test_no_key_leads_out_of_the_folder(paperrec: Run, tmp_path: Path) -> None:
    odd = ["../../evil", "/etc/cron.d/x", "C:\\Windows\\x", "a\0b", "x:" + "a" * 300]
    lines = [json.dumps({"id": key, "title": f"Goats and paths {n}", "abstract": "Sheep."}) for n, key in enumerate(odd)]
    (tmp_path / "odd.jsonl").write_text("\n".join(lines), encoding="utf-8")
    places = ("--to", "bib:sub/out.bib", "--to", "html:sub/list.html")
    (tmp_path / "sub").mkdir()
    run = paperrec("recommend", "--bib", "lib.bib", "odd.jsonl", "--json", *places)
    assert len(keys(run)) == len(odd)
    written = {p.relative_to(tmp_path).parts[0] for p in tmp_path.rglob("*")} - {"lib.bib", "new.jsonl", "odd.jsonl"}
    assert written == {"home", "sub"}
    assert {p.name for p in (tmp_path / "sub").iterdir()} == {"out.bib", "list.html"}
    assert not (tmp_path.parent.parent / "evil").exists()


def test_no_home_is_no_reason_to_fail(paperrec: Run) -> None:
    assert paperrec("recommend", "--bib", "lib.bib", "new.jsonl", HOME="").returncode == 0


@pytest.mark.parametrize(("locale", "seed"), [("C", "0"), ("C.UTF-8", "1"), ("POSIX", "2")])
def test_the_bytes_do_not_depend_on_locale_hash_seed_or_time_zone(paperrec: Run, locale: str, seed: str) -> None:
    plain = paperrec("recommend", "--bib", "lib.bib", "new.jsonl").stdout
    assert paperrec("recommend", "--bib", "lib.bib", "new.jsonl", LC_ALL=locale, PYTHONHASHSEED=seed, TZ="Asia/Kolkata").stdout == plain


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, paperrec: Run) -> None:
    command = f"{sys.executable} -m paperrec read lib.bib lib.bib lib.bib --json; echo $? >&2"
    run = subprocess.run(["bash", "-c", f"({command}) | head -c 1"], cwd=tmp_path, capture_output=True, check=True)
    assert b"Traceback" not in run.stderr
    assert b"BrokenPipe" not in run.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_closed_streams_are_no_bug(tmp_path: Path, paperrec: Run, closed: str) -> None:
    command = f"{sys.executable} -m paperrec recommend --bib lib.bib new.jsonl --to bib:out.bib {closed}; echo code $?"
    run = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, check=True)
    assert run.stdout.endswith(b"code 0\n")
    assert b"Traceback" not in run.stderr
    assert (tmp_path / "out.bib").is_file()


def test_no_socket_is_opened(tmp_path: Path, paperrec: Run) -> None:
    guard = (
        "import sys\n"
        "def no_socket(event, args):\n"
        "    if event.startswith('socket.'): raise SystemExit(f'opened a socket: {event} {args}')\n"
        "sys.addaudithook(no_socket)\n"
        "from paperrec.cli import main\n"
        "sys.exit(main())\n"
    )
    arguments = ["recommend", "--bib", "lib.bib", "new.jsonl", "--to", "bib:out.bib", "--to", "html:out.html", "--offline"]
    run = subprocess.run([sys.executable, "-c", guard, *arguments], cwd=tmp_path, capture_output=True, check=False)
    assert run.returncode == 0, run.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
def test_a_full_disk_behind_stdout_is_said_in_one_line(tmp_path: Path, paperrec: Run) -> None:
    command = f"{sys.executable} -m paperrec -q read lib.bib > /dev/full; echo code $?"
    run = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, check=True)
    assert run.stdout == b"code 74\n"
    assert len(run.stderr.splitlines()) == 1


def test_the_levers_of_a_call_and_of_the_settings_work_together(paperrec: Run, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[steer]\nmute = { terms = ["tax"] }\n[ranker]\ndiversity = 0.3\nhalf_life_days = 100\n')
    run = paperrec(
        "--config", str(tmp_path / "config.toml"), "recommend", "--bib", "lib.bib", "new.jsonl", "--json", "--boost", "author:Nobody"
    )
    assert run.returncode == 0
    assert json.loads(run.stdout)["candidates"]["muted"] == 1
    both = paperrec(
        "--config", str(tmp_path / "config.toml"), "recommend", "--bib", "lib.bib", "new.jsonl", "--json", "--mute", "author:Roe"
    )
    assert json.loads(both.stdout)["recommendations"] == []


def test_papers_turned_down_are_not_offered_and_why_says_so(paperrec: Run) -> None:
    offered = json.loads(paperrec("recommend", "--bib", "lib.bib", "new.jsonl", "--json").stdout)["recommendations"]
    key = offered[0]["paper"]["key"]
    down = paperrec("recommend", "--bib", "lib.bib", "new.jsonl", "--json", "--dislike", "new.jsonl")
    assert json.loads(down.stdout)["recommendations"] == []
    why = paperrec("why", key, "--bib", "lib.bib", "new.jsonl", "--dislike", "new.jsonl")
    assert why.stdout.endswith(b"not on the list: you turned it down\n")


def test_interests_are_read_as_text_and_as_json(paperrec: Run) -> None:
    assert b"3 papers" in paperrec("read", "lib.bib", "--interests").stdout
    document = json.loads(paperrec("read", "lib.bib", "--interests", "--json").stdout)
    assert document["schema"] == "paperrec.interests/1"
    assert sum(len(interest["papers"]) for interest in document["interests"]) == 3


def test_interests_can_be_the_user_s_own_groups_and_of_some_collections_alone(paperrec: Run, tmp_path: Path) -> None:
    entries = (f"@article{{k{n}, title={{Sheep {n}}}, groups={{{'Old' if n % 2 else 'New'}}}, keywords={{wool}}}}" for n in range(8))
    (tmp_path / "grouped.bib").write_text("\n".join(entries), encoding="utf-8")
    (tmp_path / "my.toml").write_text('[ranker]\ninterests = "keywords"\n', encoding="utf-8")

    def interests(*more: str) -> dict[str, int]:
        run = paperrec("read", "grouped.bib", "--interests", "--json", *more)
        return {interest["name"]: len(interest["papers"]) for interest in json.loads(run.stdout)["interests"]}

    assert interests("--interests-from", "collections") == {"New": 4, "Old": 4}
    assert interests("--interests-from", "keywords", "--not-in", "Old") == {"wool": 4}
    assert interests("--config", "my.toml", "--in", "New") == {"wool": 4}
    assert b"no collection fits 'Gone'" in paperrec("read", "grouped.bib", "--in", "Gone").stderr


def test_an_unknown_interest_is_one_line_that_lists_the_known(paperrec: Run) -> None:
    run = paperrec("recommend", "--bib", "lib.bib", "new.jsonl", "--interest", "cooking")
    assert run.returncode == 2
    assert run.stderr.decode().startswith("paperrec: --interest cooking: no interest is called this; there are: “")


def test_a_wrong_lever_in_the_settings_names_the_right_one(paperrec: Run, tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[steer.mute]\nterm = ["tax"]\n')
    run = paperrec("--config", str(tmp_path / "config.toml"), "recommend", "--bib", "lib.bib", "new.jsonl")
    assert (run.returncode, "unknown setting 'steer.mute.term'; did you mean 'terms'?" in run.stderr.decode()) == (2, True)
