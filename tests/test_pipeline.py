"""From library and candidates to a list: what is left out, how often, and what the user is told."""

import json
import random
from pathlib import Path

import pytest

from paperrec.paper import Paper, normalize_arxiv_id, normalize_doi
from paperrec.pipeline import Choice, Funnel, LeftOut, Options, choose, rank, recommend
from paperrec.recommendation import Reason, Recommendation, shown_reasons

LIBRARY = [
    Paper(key="walks", title="Random walks on graphs", abstract="We study random walks on finite graphs.", doi="10.5555/walks"),
    Paper(key="kernels", title="Kernels on molecular graphs", abstract="Graph kernels compare molecules.", year=2019),
    Paper(key="spectra", title="Spectra of large networks", abstract="Eigenvalues of adjacency matrices of networks."),
]
NEW = [
    Paper(key="n1", title="Graph kernels from random walks", abstract="Random walks give kernels on graphs.", year=2024),
    Paper(key="n2", title="A history of tax law", abstract="Courts and statutes on taxes.", year=2025),
    Paper(key="n3", title="Cooking rice", abstract="Rice, water and time.", year=2023),
]


def keys(choice: Choice) -> list[str]:
    return [r.paper.key for r in choice.recommendations]


def test_owned_paper_is_not_recommended() -> None:
    assert recommend(LIBRARY, [Paper(key="again", title="RANDOM WALKS, on graphs")]) == []


def test_the_library_itself_is_never_recommended() -> None:
    assert recommend(LIBRARY, LIBRARY) == []
    assert choose(LIBRARY, LIBRARY).funnel == Funnel(read=3, owned=3, duplicate=0, filtered=0, ranked=0)


def test_printed_parts_sum_to_the_printed_score_and_none_is_nothing() -> None:
    parts = (10.026, 10.026, 10.026, 0.004, -0.003)
    reasons = (*(Reason("paper", f"p{n}", part) for n, part in enumerate(parts)), Reason("other", "rest", 0.001))
    recommendation = Recommendation(Paper(), sum(r.part for r in reasons), 1, reasons)
    shown = shown_reasons(recommendation, 2)
    assert [(r.text, r.part) for r in shown] == [("p0", 10.03), ("p1", 10.03), ("p2", 10.03), ("rest", -0.01)]
    assert [(r.text, r.part) for r in shown_reasons(recommendation, 1)] == [("p0", 10.0), ("p1", 10.0), ("p2", 10.0), ("rest", 0.1)]
    assert shown_reasons(Recommendation(Paper(), 0.004, 1, (Reason("other", "rest", 0.004),)), 2) == ()


def test_every_candidate_is_accounted_for() -> None:
    owned = Paper(key="old", title="Something else", doi="10.5555/walks")
    twin = Paper(key="twin", title="Graph Kernels from random walks.")
    choice = choose(LIBRARY, [*NEW, owned, twin], Options(limit=1))
    assert choice.funnel == Funnel(read=5, owned=1, duplicate=1, filtered=0, ranked=3)
    assert keys(choice) == ["n1"]
    assert {(left.paper.key, left.why) for left in choice.left_out} == {
        ("old", "you have it already as walks"),
        ("twin", "same work as n1"),
        ("n2", "below the line: rank 2 of 3") if _second(choice) == "n2" else ("n3", "below the line: rank 2 of 3"),
        ("n3", "below the line: rank 3 of 3") if _second(choice) == "n2" else ("n2", "below the line: rank 3 of 3"),
    }


def _second(choice: Choice) -> str:
    return next(left.paper.key for left in choice.left_out if "rank 2" in left.why)


def test_a_least_score_filters_and_says_so() -> None:
    best = rank(LIBRARY, NEW)[0].score
    choice = choose(LIBRARY, NEW, Options(min_score=best))
    assert keys(choice) == ["n1"]
    assert choice.funnel == Funnel(read=3, owned=0, duplicate=0, filtered=2, ranked=1)
    assert {left.why.partition(":")[0] for left in choice.left_out} == {"below the line"}


def test_the_default_least_score_drops_nothing_and_limit_0_gives_all() -> None:
    nothing = [Paper(key=f"e{i}") for i in range(30)]
    assert len(recommend(LIBRARY, [*NEW, *nothing], limit=0)) == 3 + 1
    assert len(recommend(LIBRARY, [Paper(key=f"p{i}", title=f"Paper number {i} on graphs") for i in range(30)])) == 20


def test_records_of_one_work_are_folded_in_the_library_too() -> None:
    twice = [*LIBRARY, Paper(key="walks2", title="Random Walks on Graphs", abstract="We study random walks on finite graphs.")]
    assert choose(twice, NEW).recommendations == choose(LIBRARY, NEW).recommendations


def test_order_of_files_does_not_matter() -> None:
    candidates = [*NEW, Paper(key="twin", title="Graph Kernels from random walks."), Paper(key="same", title="Cooking rice")]
    expected = choose(LIBRARY, candidates, Options(limit=0))
    for seed in range(6):
        chance = random.Random(seed)
        found = choose(chance.sample(LIBRARY, 3), chance.sample(candidates, 5), Options(limit=0))
        assert found == expected


@pytest.mark.parametrize("library", [[], [Paper(key="blank")], [Paper(key="signs", title="?!", abstract="—")]])
def test_a_library_without_words_gives_the_newest_first_and_says_so(library: list[Paper]) -> None:
    choice = choose(library, NEW)
    assert keys(choice) == ["n2", "n1", "n3"]
    assert [r.score for r in choice.recommendations] == [0.0, 0.0, 0.0]
    assert choice.note == "the library has no words to compare with: newest first"


def test_no_candidates_is_no_list() -> None:
    assert choose(LIBRARY, []) == Choice((), Funnel(0, 0, 0, 0, 0), ())
    assert rank(LIBRARY, []) == []


def test_a_library_of_stop_words_only_still_ranks() -> None:
    assert len(rank([Paper(title="Of the and"), Paper(title="to be")], NEW)) == 3


def test_a_library_of_one_ranks() -> None:
    library = [Paper(key="only", title="Phage suppressors", abstract="Phage suppress immunity.")]
    near = Paper(key="x:1", title="Phage immunity", abstract="Immunity to phage.")
    far = Paper(key="x:2", title="Tax law", abstract="Law of tax.")
    assert [r.paper.key for r in rank(library, [far, near])] == ["x:1", "x:2"]


def test_titles_without_abstracts_rank() -> None:
    library = [Paper(key=str(i), title=t) for i, t in enumerate(("Message passing networks", "Molecular graphs", "Graph kernels"))]
    library.append(Paper(key="abstract", abstract="Only an abstract about graphs"))
    near = Paper(key="x:1", title="Molecular graph kernels", abstract="Graphs.")
    far = Paper(key="x:2", title="Cooking rice", abstract="Rice.")
    assert [r.paper.key for r in rank(library, [far, near])] == ["x:1", "x:2"]


def test_versions_of_one_paper_are_one_recommendation() -> None:
    lines = [
        {"id": "http://arxiv.org/abs/2601.00051v1", "title": "Deep Graphs", "abstract": "Graphs."},
        {"id": "arXiv:2601.00051", "title": "Deep graphs", "abstract": "Graphs."},
        {"id": "https://export.arxiv.org/pdf/2601.00051v2.pdf", "title": "Deep  Graphs", "abstract": "Graphs, revised."},
        {"id": "arxiv:hep-th/9901001v2", "title": "Old style id", "abstract": "Strings."},
        {"id": "arxiv:hep-th/9901001", "title": "Old style id", "abstract": "Strings."},
        {"id": "arxiv:2501.00077", "title": "Already owned: a paper", "abstract": "Graphs"},
    ]
    candidates = [
        Paper(key=x["id"], title=x["title"], abstract=x["abstract"], arxiv_id=normalize_arxiv_id(x["id"]), doi=normalize_doi(x["id"]))
        for x in lines
    ]
    owned = Paper(key="have", title="Already Owned: A Paper", arxiv_id="2501.00077")
    choice = choose([*LIBRARY, owned], candidates)
    assert sorted(r.paper.title.lower().replace("  ", " ") for r in choice.recommendations) == ["deep graphs", "old style id"]
    assert choice.funnel == Funnel(read=6, owned=1, duplicate=3, filtered=0, ranked=2)
    assert LeftOut(candidates[5], "you have it already as have") in choice.left_out


def test_a_huge_text_ends_and_its_reasons_are_plain_values() -> None:
    huge = Paper(key="huge", title="Graphs", abstract="graph molecules " * 200_000, authors=tuple(f"A{i}, B" for i in range(5_000)))
    found = recommend(LIBRARY, [huge, *NEW], limit=0)
    assert {r.paper.key for r in found} == {"huge", "n1", "n2", "n3"}
    reasons = [(r.kind, r.text, r.part, r.key, r.title, r.terms) for found_one in found for r in found_one.reasons]
    assert json.loads(json.dumps(reasons)) == [[*r[:5], list(r[5])] for r in reasons]


def test_the_method_reads_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    recommend(LIBRARY, NEW)
    assert list(tmp_path.iterdir()) == []
