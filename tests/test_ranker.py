"""What relevance is made of: each line a thing that a plain mean of cosines cannot do."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.papers import CROWD, PROSE, library_of, paper_on
from paperrec.paper import Paper
from paperrec.pipeline import choose, rank, recommend
from paperrec.profile import build_profile
from paperrec.ranker import judge, reasons_for
from paperrec.steering import Levers, Steering


def order(library: list[Paper], candidates: list[Paper]) -> list[str]:
    return [found.paper.key for found in rank(library, candidates)]


@pytest.mark.parametrize("n_library", [1, 3, 10, 40])
def test_papers_on_the_subject_come_before_all_others(n_library: int) -> None:
    wanted = [paper_on("graphs", 900 + i) for i in range(5)]
    assert set(order(library_of("graphs", n_library), [*CROWD, *wanted])[:5]) == {paper.key for paper in wanted}


def test_a_perfect_match_for_a_minority_beats_a_mediocre_one_for_the_majority_and_a_bland_paper() -> None:
    library = library_of("graphs", 190) + library_of("phages", 10)
    minority, mediocre = paper_on("phages", 900, share=0.6), paper_on("graphs", 901, share=0.12)
    bland = Paper(key="bland", title="we study this problem", abstract=" ".join(PROSE * 3))
    found = order(library, [*CROWD, minority, mediocre, bland])
    assert found.index(minority.key) < found.index(mediocre.key) < found.index("bland")


def test_one_odd_paper_in_the_library_does_not_drive_the_list() -> None:
    library = [*library_of("graphs", 30), paper_on("phages", 1)]
    wanted = [paper_on("graphs", 900 + i) for i in range(8)]
    odd = [paper_on("phages", 950 + i) for i in range(8)]
    assert set(order(library, [*CROWD, *wanted, *odd])[:8]) == {paper.key for paper in wanted}


def test_papers_without_words_score_lowest() -> None:
    wordless = [Paper(key="none"), Paper(key="signs", title="...", abstract="— 1 —"), Paper(key="stop", title="of the")]
    found = order(library_of("graphs", 10), [*CROWD, *wordless, paper_on("graphs", 900)])
    assert set(found[-3:]) == {"none", "signs", "stop"}


def test_a_one_word_candidate_does_not_beat_a_whole_abstract() -> None:
    short = Paper(key="short", title="Graph")
    assert order(library_of("graphs", 10), [*CROWD, short, paper_on("graphs", 900)])[0] == "graphs900"


def test_a_text_said_fifty_times_is_worth_what_it_is_said_once() -> None:
    once = paper_on("graphs", 900, share=0.3, n_words=100)
    again = Paper(key="again", title=once.title, abstract=" ".join([once.abstract] * 50))
    scores = [{r.paper.key: r.score for r in rank(library_of("graphs", 30), [*CROWD, paper])} for paper in (once, again)]
    assert scores[1]["again"] <= scores[0][once.key] + 5


def test_of_a_few_good_words_the_more_are_better() -> None:
    found = order(library_of("graphs", 10), [*CROWD, Paper(key="short", title="Graph kernel"), paper_on("graphs", 900, share=0.3)])
    assert found[0] == "graphs900"


def test_length_is_no_merit() -> None:
    once = paper_on("graphs", 900, share=0.3, n_words=100)
    again = Paper(key="again", title=once.title, abstract=" ".join([once.abstract] * 50))
    better = paper_on("graphs", 901, share=0.8, n_words=100)
    assert order(library_of("graphs", 10), [*CROWD, again, better])[0] == better.key


def test_candidates_by_authors_of_the_library_rise() -> None:
    library = [Paper(key=p.key, title=p.title, abstract=p.abstract, authors=("Noether, Emmy",)) for p in library_of("graphs", 10)]
    plain = paper_on("graphs", 900)
    known = Paper(key="known", title=plain.title, abstract=plain.abstract, authors=("E. Noether",))
    assert order(library, [*CROWD, plain, known])[:2] == ["known", plain.key]


@pytest.mark.parametrize(
    ("own", "near", "far"),
    [
        ("图神经网络用于分子性质预测", "基于图神经网络的分子生成", "税法与合同责任研究"),
        ("Графовые нейронные сети для молекул", "Нейронные сети на молекулярных графах", "Налоговое право и договоры"),
        ("グラフニューラルネットワークによる分子予測", "分子グラフのニューラルネットワーク", "税法と契約責任の研究"),
        ("graph retrieval", "graphs for retrievers", "tax law"),
    ],
)
def test_titles_in_any_script_find_their_like(own: str, near: str, far: str) -> None:
    assert order([Paper(title=own)], [Paper(key="far", title=far), Paper(key="near", title=near)])[0] == "near"


def test_the_parts_of_a_score_sum_to_it_whatever_is_named() -> None:
    library = [*library_of("graphs", 12), Paper(key="by", title="graph kernel", authors=("Noether, Emmy",))]
    candidates = [*CROWD, Paper(key="hers", title="kernel of a graph", authors=("Emmy Noether",)), paper_on("graphs", 900)]
    for n_reasons in (0, 1, 3, 50):
        for found in recommend(library, candidates, limit=0, n_reasons=n_reasons):
            assert sum(reason.part for reason in found.reasons) == pytest.approx(found.score, rel=1e-9)
            assert len(found.reasons) <= n_reasons + 1
            assert [r.kind for r in found.reasons].index("other") == len(found.reasons) - 1


def test_reasons_name_the_nearest_papers_and_the_words_they_share() -> None:
    near = Paper(key="near", title="Phage immunity in CRISPR strains")
    library = [near, Paper(key="else", title="Tides of the ocean"), Paper(key="more", title="Coral reef acidity")]
    (found, *_) = recommend(library, [Paper(key="new", title="CRISPR strains and Phage defence"), *CROWD])
    named = {reason.kind: reason for reason in reversed(found.reasons)}
    assert found.paper.key == "new"
    assert (named["paper"].key, named["paper"].title) == ("near", near.title)
    assert set(named["paper"].terms) == {"CRISPR", "strains", "Phage"}
    assert set(named["terms"].terms) >= {"CRISPR", "Phage"}


def test_when_all_parts_are_named_the_score_of_a_paper_with_nothing_in_common_is_left() -> None:
    library = [*library_of("graphs", 40), Paper(key="by", title="graph kernel", authors=("Noether, Emmy",))]
    hers = Paper(key="hers", title="kernel of a graph", authors=("Emmy Noether",))
    candidates = [*CROWD, hers, Paper(key="blank"), *(paper_on("graphs", 900 + n, share=n / 9) for n in range(10))]
    steering = Steering(boost=Levers(terms=("kernel",)))
    found = judge(build_profile(library, [paper_on("oceans", 1)], steering=steering), candidates)
    (base,) = found.scale.scores(np.array([found.own.nothing]))
    kinds = set()
    for row in range(len(candidates)):
        *named, rest = reasons_for(found, row, 50)
        assert rest.part == pytest.approx(base, abs=1e-6)
        kinds |= {reason.kind for reason in named}
    assert kinds == {"terms", "manner", "authors", "disliked", "boost", "candidates", "paper", "words"}


def test_without_a_paper_that_a_reason_names_the_relevance_is_lower() -> None:
    library, candidates = library_of("graphs", 8) + library_of("phages", 8), [*CROWD, *(paper_on("graphs", 900 + n) for n in range(5))]
    whole = judge(build_profile(library), candidates)
    n_named = 0
    for row in np.argsort(-whole.values)[:5]:
        for reason in reasons_for(whole, int(row), 3):
            if reason.kind == "paper":
                rest = judge(build_profile([paper for paper in library if paper.key != reason.key]), candidates)
                assert rest.values[row] < whole.values[row]
                n_named += 1
    assert n_named >= 5


def test_forgetting_a_paper_is_exact() -> None:
    library = library_of("graphs", 8)
    before = choose(library, CROWD)
    choose([*library, paper_on("phages", 1)], CROWD)
    assert choose(library, CROWD) == before


def test_scores_keep_the_order_of_values_at_any_size() -> None:
    found = judge(build_profile(library_of("graphs", 4)), CROWD)
    values = found.scale.median + np.array([-1e6, -40.0, -1.0, 0.0, 0.001, 3.0, 9.0, 9.001, 40.0, 400.0])
    scores = found.scale.scores(values)
    assert (np.diff(scores) > 0).all()
    assert scores.min() >= 0
    assert scores[3] == pytest.approx(50)
    assert scores.max() <= 100


words = st.sampled_from(["graph", "kernel", "tax", "law", "图", "сеть", "", "a", "12", "\ud800", "́", "x" * 300])
papers = st.builds(
    lambda title, abstract, author: Paper(title=" ".join(title), abstract=" ".join(abstract), authors=tuple(author)),
    st.lists(words, max_size=4),
    st.lists(words, max_size=9),
    st.lists(st.sampled_from(["", "Noether, E.", "Li"]), max_size=2),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(papers, max_size=5), st.lists(papers, max_size=7), st.randoms(use_true_random=False))
def test_any_input_is_ranked_finitely_once_and_in_one_order(library: list[Paper], candidates: list[Paper], chance) -> None:  # type: ignore[no-untyped-def]
    found = rank(library, candidates)
    assert sorted(map(repr, (r.paper for r in found))) == sorted(map(repr, candidates))
    assert all(0 <= r.score <= 100 for r in found)
    assert [r.rank for r in found] == list(range(1, len(found) + 1))
    assert [r.score for r in found] == sorted((r.score for r in found), reverse=True)
    chance.shuffle(library)
    chance.shuffle(candidates)
    assert rank(library, candidates) == found


def test_equal_texts_have_equal_scores() -> None:
    same = [Paper(key=f"same{i}", title="Graph kernels", abstract="Kernels on graphs.") for i in range(5)]
    found = judge(build_profile(same[:2]), same[2:])
    assert len(set(found.scores.tolist())) == 1


def test_candidates_that_are_all_alike_are_ranked_though_no_term_tells_them_apart() -> None:
    same = [Paper(key=f"same{i:04}", title="Graph kernels", abstract="Kernels on graphs.") for i in range(600)]
    found = rank(library_of("graphs", 3), same)
    assert len({r.score for r in found}) == 1
    assert [r.paper.key for r in found] == [r.paper.key for r in rank(library_of("graphs", 3), same[::-1])]
