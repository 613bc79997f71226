"""The test of the ranking on the user's own papers: what is hidden, how it is measured, what is said of it."""

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest

from paperrec.evaluate import advice, evaluate_ranking, evaluation_document, findings
from paperrec.evaluate.baselines import BASELINES
from paperrec.evaluate.evaluation import Found
from paperrec.evaluate.holdout import is_by_age, order_of, trials
from paperrec.evaluate.measures import MEASURES, by_chance, differences, estimates, measured
from paperrec.paper import Paper

SUBJECTS = {
    "sheep": "sheep goats pasture grazing wool flock meadow shepherd fodder lamb hay alpine",
    "harbour": "harbour dues ship law cargo quay tax customs port treaty freight pilot",
    "glacier": "glacier ice moraine melt snow crevasse ablation firn runoff climate albedo flow",
    "violin": "violin string bow timbre resonance varnish plate bridge pitch tone wood player",
}


def papers_on(subject: str, n: int, *, first: int = 0, day: date | None = date(2024, 1, 1)) -> list[Paper]:
    """Papers that mix twelve words of their subject with twelve that all subjects share; added one a day."""
    common = "study method result model data measure effect time change new large small".split()
    words = SUBJECTS[subject].split()
    papers = []
    for number in range(first, first + n):
        mixed = [words[(number * k + k) % 12] for k in range(1, 9)] + [common[(number * k) % 12] for k in range(1, 7)] + [f"w{number % 7}"]
        title = f"{words[number % 12]} {common[number // 12 % 12]} {subject} {number}"
        added = day + timedelta(days=number) if day else None
        papers.append(Paper(key=f"{subject}{number}", title=title, abstract=" ".join(mixed), year=2000 + number % 20, added=added))
    return papers


def others(n: int = 60) -> list[Paper]:
    return [replace(p, added=None) for subject in ("harbour", "glacier", "violin") for p in papers_on(subject, n // 3)]


# ------------------------------------------------------------------ what is hidden


def test_newer_papers_are_looked_for_by_all_that_are_older() -> None:
    library = papers_on("sheep", 30)
    made = trials(list(reversed(library)))
    assert [trial.block for trial in made] == [0, 1, 2, 3, 4]
    assert [{p.key for p in trial.hidden} for trial in made][:2] == [{"sheep29", "sheep28", "sheep27"}, {"sheep26", "sheep25", "sheep24"}]
    assert [{p.key for p in trial.library} for trial in made] == [{p.key for p in library[:end]} for end in (27, 24, 21, 18, 15)]


def test_a_large_library_hides_ten_papers_in_each_of_ten_trials() -> None:
    made = trials(papers_on("sheep", 437))
    assert [(len(t.hidden), len(t.library)) for t in made[:2]] == [(10, 394), (10, 394)]
    assert [len(t.hidden) for t in made] == [10] * 10
    hidden = [p.key for t in made for p in t.hidden]
    assert len(set(hidden)) == 100
    assert not any({p.key for p in t.hidden} & {p.key for p in t.library} for t in made)


@pytest.mark.parametrize("n", range(2, 10))
def test_of_fewer_than_ten_papers_each_is_looked_for_by_all_others(n: int) -> None:
    library = papers_on("sheep", n)
    made = trials(library)
    assert sorted(p.key for t in made for p in t.hidden) == sorted(p.key for p in library)
    assert all(len(t.hidden) == 1 and len(t.library) == n - 1 for t in made)


@pytest.mark.parametrize("n", range(10, 60, 7))
def test_every_trial_of_a_library_hides_as_many(n: int) -> None:
    assert {len(t.hidden) for t in trials(papers_on("sheep", n))} == {n // 10}


def test_age_is_told_by_date_of_adding_then_by_year_then_not_at_all() -> None:
    library = papers_on("sheep", 20)
    undated = [replace(p, added=None) for p in library]
    one_day = [replace(p, added=date(2024, 1, 1)) for p in library]
    bare = [replace(p, added=None, year=None) for p in library]
    assert [order_of(papers) for papers in (library, undated, one_day, bare, [])] == ["added", "year", "year", "none", "none"]
    assert [is_by_age(papers) for papers in (library, undated, bare, library[:9])] == [True, True, False, False]


def test_papers_without_any_date_are_looked_for_by_all_that_are_not_of_their_block() -> None:
    made = trials([replace(p, added=None, year=None) for p in papers_on("sheep", 40)])
    assert {(len(t.hidden), len(t.library)) for t in made} == {(4, 36)}


# ------------------------------------------------------------------ how it is measured


def test_measures_are_those_of_the_textbook() -> None:
    found = measured(np.array([[0, 9]]))  # ranks 1 and 11
    best = 1 + 1 / np.log2(3)
    assert {name: values.tolist() for name, values in found.items()} == {
        "ndcg_at_10": [1 / best],
        "recall_at_10": [0.5],
        "recall_at_20": [1.0],
        "mrr": [1.0],
        "map": [(1 + 2 / 11) / 2],
    }


@pytest.mark.parametrize(("shape", "low"), [((5, 1), 0.57), ((5, 4), 0.84), ((10, 10), 0.96)])
def test_hidden_papers_on_top_measure_one_and_leave_the_doubt_of_their_number(shape: tuple[int, int], low: float) -> None:
    for estimate in estimates(np.zeros(shape, np.int64)).values():
        assert (estimate.mean, round(estimate.low, 2), estimate.high) == (1.0, low, 1.0)


def test_intervals_hold_the_mean_and_differences_are_paired() -> None:
    above = np.random.default_rng(3).integers(0, 40, (5, 6))
    for estimate in (*estimates(above).values(), *differences(above, above + 1).values()):
        assert estimate.low <= estimate.mean <= estimate.high
    assert all(e.mean == e.low == e.high == 0 for e in differences(above, above).values())
    assert differences(above, above + 1)["map"].low > 0


@pytest.mark.parametrize("shape", [(5, 1), (5, 4), (10, 10)])
def test_an_interval_holds_the_truth_about_as_often_as_it_says(shape: tuple[int, int]) -> None:
    chance = np.random.default_rng(7)
    n_trials, n_hidden = shape

    def drawn(n_trials: int) -> "np.ndarray[tuple[int, int], np.dtype[np.int64]]":
        return np.floor(np.exp(chance.normal(1, 0.3, (n_trials, 1)) + chance.normal(0, 1, (n_trials, n_hidden)))).astype(np.int64)

    truth = {name: values.mean() for name, values in measured(drawn(20_000)).items()}
    found = [estimates(drawn(n_trials)) for _ in range(60)]
    for name in MEASURES:
        assert sum(e[name].low <= truth[name] <= e[name].high for e in found) >= 52, name


def test_chance_is_what_lists_in_no_order_give() -> None:
    chance = by_chance(10, 990)
    assert chance["recall_at_10"] == pytest.approx(0.01, abs=0.003)
    assert chance["recall_at_20"] == pytest.approx(0.02, abs=0.004)
    assert chance["map"] < 0.03


# ------------------------------------------------------------------ the whole


def test_a_library_of_one_subject_is_found_among_others_by_every_ranker() -> None:
    evaluation = evaluate_ranking(papers_on("sheep", 60), others(240))
    means = {s.name: s.estimates["recall_at_20"].mean for s in evaluation.standings if s.estimates}
    assert evaluation.standings[0].name == "paperrec"
    assert {"paperrec", "ASReview ELAS u4", "ASReview ELAS u3", "mean of the library", "nearest paper"} <= set(means)
    assert min(means.values()) > 0.9
    assert "can be trusted" in findings(evaluation)[2]
    assert [f.rank for f in evaluation.found if f.trial == 0] == [1, 2, 3, 4, 5, 6]


def test_the_result_does_not_depend_on_the_order_of_papers() -> None:
    library, candidates = papers_on("sheep", 24), others(30)
    forward = evaluate_ranking(library, candidates)
    backward = evaluate_ranking(library[::-1], candidates[::-1])
    assert json.dumps(evaluation_document(forward)) == json.dumps(evaluation_document(backward))


def test_what_a_paper_got_in_the_library_does_not_give_it_away() -> None:
    library = papers_on("sheep", 20)
    marked = [replace(p, keywords=("mine",), collections=("Mine",)) for p in library]
    plain, told = (evaluate_ranking(papers, others(30)) for papers in (library, marked))
    assert [f.rank for f in plain.found] == [f.rank for f in told.found]


def test_a_hidden_paper_is_not_hidden_from_itself() -> None:
    library = papers_on("sheep", 20)
    again = [replace(p, key=f"again:{p.key}", title=p.title.upper()) for p in library]
    evaluation = evaluate_ranking(library, [*again, *others(30), *others(30)])
    assert len(evaluation.others) == 30


def test_candidates_that_many_times_outnumber_the_library_are_drawn_from() -> None:
    from paperrec.evaluate import evaluation

    many = papers_on("violin", 1_200, day=None)
    assert len(evaluation._drawn(many)) == 1_000
    assert evaluation._drawn(many) == evaluation._drawn(many[::-1])


ODD = {
    "equal texts": [Paper(key=f"k{i}", title="The same old title of all", doi=f"10.5555/{i}", year=2000 + i) for i in range(12)],
    "Chinese": [Paper(key=f"k{i}", title=f"羊群放牧研究{'山谷草原河流森林'[i % 8]}第{i}卷") for i in range(12)],
    "digits": [Paper(key=f"k{i}", title=f"{i} {i * 7919}") for i in range(12)],
    "stop words": [Paper(key=f"k{i}", title=f"{'of the and'.split()[i % 3]} {'in to by'.split()[i // 3 % 3]} it") for i in range(12)],
    "two papers": papers_on("sheep", 2),
    "some without words": [*papers_on("sheep", 5), *(Paper(key=f"empty{i}", doi=f"10.5555/e{i}") for i in range(9))],
    "abstracts alone": [replace(p, title=p.abstract[:20], title_derived=True) for p in papers_on("sheep", 12)],
    "lone surrogates": [Paper(key=f"k{i}", title=f"broken \ud800 letters {i}") for i in range(12)],
    "years far out": [replace(p, year=-5 if i % 2 else 99_999, added=None) for i, p in enumerate(papers_on("sheep", 14))],
}


@pytest.mark.parametrize("name", ODD)
def test_odd_libraries_give_finite_numbers(name: str) -> None:
    evaluation = evaluate_ranking(ODD[name], others(30))
    document = evaluation_document(evaluation)
    json.dumps(document, allow_nan=False)
    assert document["rankers"][0]["name"] == "paperrec"
    assert set(document["rankers"][0]["measures"]) == set(MEASURES)
    for ranker in document["rankers"]:
        assert bool(ranker["measures"]) != bool(ranker["reason"])


@pytest.mark.parametrize(
    ("library", "candidates", "why"),
    [
        ([], others(), "of no paper with words, none is left to find a hidden one by"),
        (papers_on("sheep", 1), others(), "of one paper with words, none is left to find a hidden one by"),
        ([Paper(key="a"), Paper(key="b")], others(), "of no paper with words, none is left to find a hidden one by"),
        (papers_on("sheep", 30), [], "yours are to be hidden among papers that you do not have: 0 are given, 20 are the least"),
        (
            papers_on("sheep", 30),
            papers_on("sheep", 40),
            "yours are to be hidden among papers that you do not have: 10 are given, 20 are the least",
        ),
    ],
)
def test_what_cannot_be_measured_is_said_and_not_guessed(library: Sequence[Paper], candidates: Sequence[Paper], why: str) -> None:
    evaluation = evaluate_ranking(library, candidates)
    assert (evaluation.standings, evaluation.found, evaluation.reason) == ((), (), why)
    assert findings(evaluation) == [f"Not measured: {why}."]
    json.dumps(evaluation_document(evaluation), allow_nan=False)


def test_every_other_ranker_puts_a_paper_of_the_subject_first() -> None:
    library, candidates = ([f"{p.title} {p.abstract}" for p in papers] for papers in (papers_on("sheep", 40), others()))
    wanted = [f"{p.title} {p.abstract}" for p in papers_on("sheep", 1, first=50)]
    for name, baseline in BASELINES.items():
        scores = baseline(library, [*candidates, *wanted])
        assert scores.shape == (61,), name
        assert scores.argmax() == 60, name


# ------------------------------------------------------------------ what is said


def test_few_others_and_few_papers_are_said_to_flatter() -> None:
    evaluation = evaluate_ranking(papers_on("sheep", 8), others(30))
    said = advice(evaluation)
    assert findings(evaluation)[3] == "These are too few papers to tell rankers apart."
    assert [sentence.split(":")[0] for sentence in said] == [
        "Only 30 other papers",
        "Only 8 papers were looked for",
        "A library of 8 papers says little",
    ]


@pytest.mark.parametrize(
    ("n_papers", "n_others", "hits", "said"),
    [
        (10, 240, 1.0, "too few papers to tell whether"),  # 5 hidden papers, all found
        (60, 60, 1.0, "too few papers to tell whether"),
        (60, 240, 1.0, "can be trusted"),
        (60, 240, 0.75, "about half of what you would have added, or more"),  # of 30 papers: 57 % to 87 %
        (60, 240, 0.5, "may hold less than half"),  # 33 % to 67 %
        (60, 240, 0.1, "cannot be told from chance"),
    ],
)
def test_trust_is_said_of_enough_papers_and_of_the_interval_s_lower_end(n_papers: int, n_others: int, hits: float, said: str) -> None:
    made = evaluate_ranking(papers_on("sheep", n_papers), others(n_others))
    n_hidden = len(made.found)
    n_hits = round(hits * n_hidden)
    above = np.array([0] * n_hits + [200] * (n_hidden - n_hits)).reshape(made.n_trials, -1, order="F")
    standing = replace(made.standings[0], estimates=estimates(above))
    assert said in findings(replace(made, standings=(standing, *made.standings[1:])))[2]


def test_a_library_whose_subject_is_everybody_s_is_not_said_to_be_trusted() -> None:
    mixed = [p for subject in SUBJECTS for p in papers_on(subject, 10)]
    strangers = [p for subject in SUBJECTS for p in papers_on(subject, 60, first=100)]
    said = findings(evaluate_ranking(mixed, strangers))
    assert "trusted" not in said[2]


def test_missing_abstracts_are_counted_and_what_they_cost() -> None:
    library = tuple(replace(p, abstract="") if i % 4 == 0 else p for i, p in enumerate(papers_on("sheep", 80)))
    found = tuple(Found(p, 0, 0, rank=15 if p.abstract or i % 3 == 0 else 50) for i, p in enumerate(library[:40]))
    made = replace(evaluate_ranking(library, others(240)), found=found)
    assert advice(made) == [
        "25% of your papers have no abstract: add abstracts. "
        "Hidden papers without one came among the first 20 in 4 of 10 cases, with one in 30 of 30."
    ]


def test_a_collection_that_is_badly_found_is_named() -> None:
    odds = papers_on("harbour", 25, first=500)
    library = [
        replace(odds[i // 4], added=p.added, collections=("Odds",)) if i % 4 == 0 else replace(p, collections=("Sheep",))
        for i, p in enumerate(papers_on("sheep", 100))
    ]
    said = [sentence for sentence in advice(evaluate_ranking(library, others(240))) if sentence.startswith("Badly found")]
    assert len(said) == 1
    assert said[0].startswith("Badly found: Odds (")


def test_interests_that_move_are_noticed() -> None:
    library = [*papers_on("sheep", 90), *papers_on("violin", 10, first=95)]
    strangers = [replace(p, added=None) for s in ("harbour", "violin") for p in papers_on(s, 60, first=200)]
    assert any("newest papers are found less well" in sentence for sentence in advice(evaluate_ranking(library, strangers)))


# ------------------------------------------------------------------ the command


def bib(papers: Sequence[Paper]) -> str:
    return "".join(f"@article{{{p.key}, title={{{p.title}}}, year={{{p.year}}}, abstract={{{p.abstract}}}}}\n" for p in papers)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "lib.bib").write_text(bib(papers_on("sheep", 40)), encoding="utf-8")
    lines = [json.dumps({"id": p.key, "title": p.title, "abstract": p.abstract}) + "\n" for p in others(240)]
    (tmp_path / "new.jsonl").write_text("".join(lines), encoding="utf-8")
    return tmp_path


def run(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-W", "error", "-m", "paperrec", "evaluate", *arguments]
    env = {"PATH": "/usr/bin:/bin", "HOME": str(folder / "home"), "OPENBLAS_NUM_THREADS": "1"}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8", env=env, check=False)


def test_the_text_fits_a_terminal_and_holds_a_line_for_each_ranker(folder: Path) -> None:
    done = run(folder, "--bib", "lib.bib", "new.jsonl")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert done.stdout.isascii()
    assert lines[0] == "5 times, 4 of your newer papers were hidden among 240 that you do not have, and"
    for name in ("paperrec", *BASELINES, "no order"):
        assert sum(line.startswith(f"{name} ") for line in lines) == 1, name


def test_the_json_is_one_document_that_says_the_same_twice(folder: Path) -> None:
    once, twice = (run(folder, "--bib", "lib.bib", "new.jsonl", "--json") for _ in range(2))
    document = json.loads(once.stdout)
    assert once.stdout == twice.stdout
    assert document["schema"] == "paperrec.evaluation/1"
    assert document["library"] == {"papers": 40, "without_abstract": 0}
    assert document["others"] == {"papers": 240, "without_abstract": 0}
    assert (document["order"], document["trials"], document["hidden"], len(document["found"])) == ("year", 5, 4, 20)


def test_levers_of_the_settings_play_no_part_and_the_help_says_so(folder: Path) -> None:
    (folder / "my.toml").write_text('[steer]\nmute = ["sheep"]\n', encoding="utf-8")
    plain, steered = (run(folder, "--bib", "lib.bib", "new.jsonl", "--json", *more) for more in ((), ("--config", "my.toml")))
    assert plain.stdout == steered.stdout
    assert "levers, --like and --dislike" in " ".join(run(folder, "--help").stdout.split())


def test_without_candidates_the_examples_are_taken_and_said_to_be_too_few(folder: Path) -> None:
    done = run(folder, "--bib", "lib.bib")
    assert done.returncode == 0
    assert "no candidates are given" in done.stderr
    assert "other papers: that is too easy, and the figures flatter" in done.stdout


def test_a_library_of_one_paper_is_told_so_and_is_no_failure(folder: Path) -> None:
    (folder / "one.bib").write_text(bib(papers_on("sheep", 1)), encoding="utf-8")
    done = run(folder, "--bib", "one.bib", "new.jsonl")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "Not measured: of one paper with words, none is left to find a hidden one by."
