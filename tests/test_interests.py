"""The interests of a library: found, named in the papers' own words, given their part of the list."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from fakes.papers import CROWD, SUBJECTS, library_of, paper_on
from paperrec.errors import SettingsError
from paperrec.interests import Interests, interests_by, interests_of
from paperrec.paper import Paper
from paperrec.pipeline import Choice, InterestShare, Judged, Options, canonical_papers, choose
from paperrec.serving import alone, served


def test_a_minority_of_a_twentieth_is_an_interest_of_its_own() -> None:
    papers = [*library_of("graphs", 190), *library_of("phages", 10)]
    found = interests_of(papers)
    assert found.sizes == (190, 10)
    assert set(found.of_papers[:190]) == {0}
    assert set(found.names[1].split(", ")) <= set(SUBJECTS["phages"])


def test_a_library_of_one_subject_is_one_interest() -> None:
    assert interests_of(library_of("oceans", 40)).sizes == (40,)


def test_interests_do_not_depend_on_the_order_of_papers() -> None:
    papers = [*library_of("graphs", 20), *library_of("phages", 12), *library_of("law", 8)]
    forward, backward = (interests_of(canonical_papers(order)) for order in (papers, papers[::-1]))
    assert forward.names == backward.names
    assert forward.of_papers.tolist() == backward.of_papers.tolist()


@pytest.mark.parametrize("papers", [[], [Paper(key="x")], [Paper(title="Graphs")], [Paper(title="Graphs")] * 2, [Paper(title="图")] * 9])
def test_libraries_of_almost_nothing_have_at_most_one_interest(papers: list[Paper]) -> None:
    assert len(interests_of(papers).names) <= 1


def test_a_paper_without_words_belongs_to_no_interest() -> None:
    assert interests_of([*library_of("law", 6), Paper(key="blank")]).of_papers[-1] == -1


def test_names_are_in_lower_case_where_any_paper_writes_them_so() -> None:
    papers = [Paper(title=f"Graph Kernels And BERT {n}", abstract="Of graph kernels.") for n in range(6)]
    assert set(interests_of(papers).names[0].split(", ")) == {"graph kernels", "BERT"} or "BERT" in interests_of(papers).names[0]


def test_collections_and_keywords_of_three_papers_can_be_interests() -> None:
    papers = [Paper(key=str(n), keywords=("all", *(["rare"] if n < 3 else [])), collections=("A/B",) if n < 2 else ()) for n in range(6)]
    found = interests_by(papers, "keywords")
    assert found.names == ("all", "rare")
    assert found.of_papers.tolist() == [1, 1, 1, 0, 0, 0]
    assert interests_by(papers, "collections").names == ()


def test_spellings_of_one_keyword_are_one_interest_by_the_commonest() -> None:
    papers = [Paper(keywords=(word,)) for word in ("ml", "ML", "ML", "Law", "law", "LAW")]
    found = interests_by(papers, "keywords")
    assert found.names == ("LAW", "ML")
    assert found.of_papers.tolist() == [1, 1, 1, 0, 0, 0]


def test_a_group_that_only_holds_others_is_no_interest_and_each_has_three_papers() -> None:
    papers = [Paper(collections=("PhD", "PhD/a" if n < 4 else "PhD/b")) for n in range(8)] + [Paper(collections=("PhD",))] * 2
    found = interests_by(papers, "collections")
    assert found.names == ("PhD/a", "PhD/b")
    assert found.of_papers.tolist() == [0] * 4 + [1] * 4 + [-1] * 2
    assert interests_by([Paper(collections=("A", "B"))] * 3, "collections").names == ("B",)


def test_a_candidate_serves_the_nearest_interest_if_it_is_as_near_as_its_papers_are() -> None:
    found = Interests(("a", "b"), np.array([0, 0, 0, 1, 1, 1]))
    library = csr_array(np.array([[1, 0, 0.0], [0.8, 0.6, 0], [0.6, 0.8, 0], [0, 0, 1], [0, 0.6, 0.8], [0, 0.8, 0.6]]))
    cosines = np.array([[0.9, 0.9, 0.9, 0.4, 0.4, 0.4], [0.6, 0.6, 0.5, 0.1, 0, 0], [0.1, 0.1, 0.1, 0, 0, 0], [0.0] * 6])
    serving = served(found, cosines, library)
    assert serving.interests.tolist() == [0, 0, -1, -1]
    assert serving.worth.tolist() == [True, False, False, False]


def test_of_two_papers_one_to_each_interest_nothing_is_divided_by_none() -> None:
    serving = served(Interests(("a",), np.array([0])), np.array([[0.5], [0.0]]), csr_array(np.array([[1.0, 0.0]])))
    assert serving.interests.tolist() == [0, -1]


LIBRARY = [*library_of("graphs", 57), *library_of("phages", 5)]
CANDIDATES = [*CROWD, *(paper_on("graphs", 900 + n) for n in range(30)), *(paper_on("phages", 950 + n) for n in range(4))]


def test_a_list_says_which_interest_each_paper_serves_and_what_each_got() -> None:
    choice = choose(LIBRARY, CANDIDATES, Options(limit=20))
    by_key = {r.paper.key: r.interest for r in choice.recommendations}
    graphs, phages = (share.name for share in choice.interests)
    assert all(by_key[key] == (graphs if key.startswith("graphs") else phages) for key in by_key if key[:5] in ("graph", "phage"))
    assert choice.interests == (
        InterestShare(graphs, 57, sum(name == graphs for name in by_key.values())),
        InterestShare(phages, 5, sum(name == phages for name in by_key.values())),
    )
    assert choice.interests[1].shown >= 1


def test_one_interest_can_be_asked_for_by_a_part_of_its_name() -> None:
    name = interests_of(canonical_papers(LIBRARY)).names[1].split(", ")[0]
    choice = choose(LIBRARY, CANDIDATES, Options(limit=4, interest=name.upper()))
    assert {r.paper.key[:6] for r in choice.recommendations} == {"phages"}


@pytest.mark.parametrize(("asked", "said"), [("tax", "no interest is called this"), ("", ""), (",", "2 interests are called this")])
def test_an_unknown_interest_is_an_error_that_lists_them(asked: str, said: str) -> None:
    if not asked:
        assert choose(LIBRARY, CANDIDATES, Options(interest="")).recommendations
        return
    with pytest.raises(SettingsError, match=f"{said}; there are: “"):
        choose(LIBRARY, CANDIDATES, Options(interest=asked))


def shown(choice: Choice) -> dict[str, int]:
    return {share.name: share.shown for share in choice.interests}


def test_a_minority_gets_places_that_scores_alone_would_not_give_it() -> None:
    library = [*library_of("graphs", 190), *library_of("phages", 10)]
    late = [paper_on("phages", 950 + n) for n in range(6)]
    candidates = [*CROWD, *(paper_on("graphs", 900 + n, share=0.6) for n in range(40)), *late]
    choice = choose(library, candidates, Options(limit=20))
    minority = choice.interests[1].name
    n_alone = sum(r.paper.key.startswith("phages") for r in choose(library, candidates, Options(limit=0)).recommendations[:20])
    assert shown(choice)[minority] == 2 > n_alone
    crowded_out = [left.why for left in choice.left_out if "kept for another interest" in left.why]
    assert len(crowded_out) == 2 - n_alone
    ranks = [r.score for r in choice.recommendations]
    assert ranks == sorted(ranks, reverse=True)


def test_interests_keep_their_names_whatever_is_liked_or_asked_for() -> None:
    plain = choose(LIBRARY, CANDIDATES, Options(limit=20))
    names = [share.name for share in plain.interests]
    liked = Judged(liked=tuple(paper_on("oceans", 700 + n) for n in range(9)))
    assert [share.name for share in choose(LIBRARY, CANDIDATES, Options(limit=20), liked).interests] == names
    for name in names:
        assert [share.name for share in choose(LIBRARY, CANDIDATES, Options(limit=20, interest=name), liked).interests] == [name]


def test_a_list_for_one_interest_hears_only_of_the_likes_that_serve_it() -> None:
    liked = [paper_on("oceans", 1), paper_on("phages", 700), paper_on("graphs", 700)]
    name = interests_of(canonical_papers(LIBRARY)).names[1]
    mine, too, interest = alone(name, canonical_papers(LIBRARY), liked, "texts")
    assert [p.key for p in too] == ["phages700"]
    assert {p.key[:6] for p in mine} == {"phages"}
    assert interest.names == (name,)


def test_any_collection_can_be_asked_for_with_what_lies_in_it() -> None:
    papers = [
        Paper(key=str(n), title=f"Graph {n}", collections=("PhD/a",) if n < 2 else ("PhD/b",) if n < 6 else ("Tax",)) for n in range(9)
    ]
    for asked, keys in (("PhD/a", "01"), ("phd/b", "2345"), ("tax", "678"), ("b", "2345")):
        mine, _, _ = alone(asked, papers, (), "collections")
        assert "".join(p.key for p in mine) == keys
    with pytest.raises(SettingsError, match="2 interests are called this; there are: “phd/a”; “phd/b”"):
        alone("PhD", papers, (), "collections")


def test_keywords_as_interests_change_what_is_shown_for_what() -> None:
    library = [replace(p, keywords=("Mine",) if n % 2 else ("Yours",)) for n, p in enumerate(LIBRARY)]
    assert {share.name for share in choose(library, CANDIDATES, Options(interests_from="keywords")).interests} == {"Mine", "Yours"}


def test_diversity_and_half_life_change_the_list() -> None:
    library = [replace(p, year=2000 + n % 25) for n, p in enumerate(LIBRARY)]
    lists = [choose(library, CANDIDATES, Options(diversity=d, half_life_days=h)) for d, h in ((0, 365), (1, 365), (0, math.inf), (0, 1))]
    keys = [[r.paper.key for r in c.recommendations] for c in lists]
    assert keys[0] != keys[1]
    scores = [
        [r.score for r in choose(library, CANDIDATES, Options(limit=0, half_life_days=h)).recommendations] for h in (1, 365, math.inf)
    ]
    assert scores[0] != scores[1] != scores[2]
    assert np.isfinite(scores).all()
