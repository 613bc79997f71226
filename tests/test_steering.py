"""The user's word: yes and no, more of this and none of that; and that it is forgotten to the last bit."""

import pytest

from fakes.papers import CROWD, library_of, paper_on
from paperrec.paper import Paper
from paperrec.pipeline import Judged, LeftOut, Options, choose
from paperrec.profile import recency_votes
from paperrec.steering import Levers, Steering, levers_of, matches

LIBRARY = library_of("graphs", 20)
CANDIDATES = [*CROWD, *(paper_on("graphs", 900 + n) for n in range(12)), paper_on("phages", 950)]


def scores(judged: Judged | None = None, options: Options | None = None) -> dict[str, float]:
    choice = choose(LIBRARY, CANDIDATES, options or Options(limit=0), judged)
    return {r.paper.key: r.score for r in choice.recommendations}


@pytest.mark.parametrize(
    ("levers", "found"),
    [
        (Levers(terms=("message passing",)), ("term “message passing”",)),
        (Levers(terms=("Étude",)), ("term “Étude”",)),
        (Levers(terms=("mess", "")), ()),
        (Levers(terms=("causal",)), ("term “causal”",)),
        (Levers(authors=("Lima, A.", "Lima", "A. Lima", "Lima, B.")), ("author “Lima, A.”", "author “Lima”", "author “A. Lima”")),
        (Levers(venues=("neurips", "ICML")), ("venue “neurips”",)),
    ],
)
def test_levers_match_whole_words_in_any_case(levers: Levers, found: tuple[str, ...]) -> None:
    paper = Paper(title="Message-Passing, an etude", keywords=("causal",), authors=("Lima, Ana",), venue="NeurIPS 2025")
    assert matches(levers, paper) == found


@pytest.mark.parametrize(
    ("term", "text", "stands"),
    [
        ("羊群", "关于羊群放牧的研究", True),
        ("强化 学习", "基于强化学习的方法", True),
        ("GPT", "基于GPT的模型", True),
        ("グラフ", "深層グラフ学習", True),
        ("か", "がくしゅう", False),  # another syllable, not this one with an accent
        ("강화학습", "강화학습을 이용한", True),
        ("가", "강화학습", False),
        ("C++", "Vitamin C in fruit", False),
        ("C++", "Fast C++ code", True),
        ("C#", "C and F", False),
        ("C#", "Written in C#.", True),
        ("C", "Written in C++ and C#", False),
        ("vitamin C", "Vitamin C+E", True),
        ("A*", "A search for food", False),
        ("A*", "An A* search", True),
        (".NET", "A net of roads", False),
        (".NET", "The .NET runtime", True),
        ("AT&T", "The error at t=0", False),
        ("R&D", "The cost of R & D", True),
        ("graph", "Graphs", False),
        ("COVID-19: a review", "COVID 19 – A Review", True),
    ],
)
def test_a_term_is_words_and_the_signs_that_belong_to_them(term: str, text: str, stands: bool) -> None:
    assert bool(matches(Levers(terms=(term,)), Paper(title=text))) == stands


@pytest.mark.parametrize(
    ("asked", "authors", "others"),
    [
        ("van der Berg", ("van der Berg, Jan", "Jan van der Berg", "Berg, Jan van der"), ("van den Berg, Jan", "Bergman, Jan")),
        ("Berg", ("van der Berg, Jan", "Berg, A."), ("Berger, A.",)),
        ("Zhang W", ("Zhang, Wei", "Wei Zhang", "Zhang, W.", "Zhang WJ", "W. Zhang"), ("Zhang, Bo", "Zhang", "Wang, W.")),
        ("W. Zhang", ("Zhang, Wei", "Zhang W"), ("Zhang, Bo",)),
        ("Zhang, Wei", ("Zhang, Wei", "Zhang, W.", "Wei Zhang"), ("Zhang, Wen", "Wei, Zhang")),
        ("Zhang Wei", ("Zhang, Wei", "Wei Zhang", "ZHANG WEI"), ("Zhang, Wen",)),
        ("Zhang, Wei-Ming", ("Zhang, Weiming", "Zhang, W.-M.", "Zhang WM"), ("Zhang, W.-K.",)),
        ("García Márquez", ("García Márquez, Gabriel", "Gabriel Garcia Marquez"), ("Márquez, Pedro",)),
        ("Smith", ("John Smith Jr.", "Smith, Jr., John"), ("Jr.", "")),
        ("O'Neil", ("O’Neil, Pat",), ("Neil, Pat",)),
        ("张伟", ("张伟", "张, 伟"), ("张, 三",)),
    ],
)
def test_an_author_is_a_family_name_and_what_is_told_of_the_rest(asked: str, authors: tuple[str, ...], others: tuple[str, ...]) -> None:
    met = [name for name in (*authors, *others) if matches(Levers(authors=(asked,)), Paper(authors=(name,)))]
    assert met == list(authors)


@pytest.mark.parametrize(
    ("word", "levers"),
    [
        ("causal inference", Levers(terms=("causal inference",))),
        ("author: Lima, A.", Levers(authors=("Lima, A.",))),
        ('author:"Zhang, Wei"', Levers(authors=("Zhang, Wei",))),
        ("Venue:NeurIPS", Levers(venues=("NeurIPS",))),
        ("COVID-19: a review", Levers(terms=("COVID-19: a review",))),
        ("Revenue: a study", Levers(terms=("Revenue: a study",))),
        ("doi:10.1/x", Levers(terms=("doi:10.1/x",))),
        ("term:autor:X", Levers(terms=("autor:X",))),
    ],
)
def test_a_lever_is_read_as_it_is_meant(word: str, levers: Levers) -> None:
    assert levers_of([word]) == levers


def test_what_is_muted_is_left_out_with_its_reason() -> None:
    choice = choose(LIBRARY, CANDIDATES, Options(limit=0, steering=Steering(mute=Levers(terms=("phage",)))))
    assert choice.funnel.muted == 1
    assert LeftOut(CANDIDATES[-1], "muted: term “phage”") in choice.left_out


def test_what_is_boosted_rises_and_says_so() -> None:
    options = Options(limit=0, n_reasons=9, steering=Steering(boost=Levers(terms=("phage",))))
    assert scores(options=options)["phages950"] > scores()["phages950"]
    (found,) = (r for r in choose(LIBRARY, CANDIDATES, options).recommendations if r.paper.key == "phages950")
    assert [r.text for r in found.reasons if r.kind == "boost"] == ["you asked for more of term “phage”"]
    assert sum(r.part for r in found.reasons) == pytest.approx(found.score)


def test_a_paper_falls_after_a_no_to_its_twin_and_near_papers_fall_less() -> None:
    before, turned_down = scores(), paper_on("graphs", 905, key="no")
    twin = Paper(key="no", title=turned_down.title + " again", abstract=turned_down.abstract.rpartition(" ")[0])
    after = scores(Judged(disliked=(twin,)))
    falls = {key: before[key] - after[key] for key in before}
    assert falls["graphs905"] == max(falls.values()) > 0
    others = [falls[key] for key in falls if key.startswith("graphs") and key != "graphs905"]
    assert 0 < sum(others) / len(others) < falls["graphs905"] / 2


def test_what_was_turned_down_or_liked_is_not_offered_again() -> None:
    choice = choose(LIBRARY, CANDIDATES, Options(limit=0), Judged(liked=(CANDIDATES[-1],), disliked=(CANDIDATES[0],)))
    assert choice.funnel.judged == 2
    assert {(left.paper.key, left.why) for left in choice.left_out if "you" in left.why} == {
        (CANDIDATES[-1].key, "you said yes to it"),
        (CANDIDATES[0].key, "you turned it down"),
    }


def test_a_yes_brings_up_papers_on_its_subject() -> None:
    liked = tuple(paper_on("law", 300 + n) for n in range(3))
    before, after = scores(), scores(Judged(liked=liked))
    law = [key for key in before if key.startswith("crowd-law")]
    assert sum(after[key] for key in law) > sum(before[key] for key in law)


def test_forgetting_a_word_is_exact() -> None:
    before = choose(LIBRARY, CANDIDATES, Options(limit=0))
    choose(LIBRARY, CANDIDATES, Options(limit=0), Judged(disliked=(CANDIDATES[3],), liked=(CANDIDATES[4],)))
    assert choose(LIBRARY, CANDIDATES, Options(limit=0), Judged()) == before


def test_votes_halve_with_each_half_life_and_undated_papers_count_as_of_the_middle() -> None:
    papers = [*[Paper(year=2024)] * 5, Paper(year=2023), Paper(year=2022), Paper()]
    votes = recency_votes(papers, 365.25)
    assert (votes / votes[0]).tolist() == pytest.approx([1, 1, 1, 1, 1, 0.5, 0.25, 1], rel=0.01)
    assert votes.mean() == pytest.approx(1)
    assert recency_votes(papers, float("inf")).tolist() == [1] * 8
    assert recency_votes([Paper(), Paper()], 1).tolist() == [1, 1]
