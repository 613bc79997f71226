"""The interests of a library: found, named in the papers' own words, given their part of the list."""

import numpy as np
import pytest

from fakes.papers import CROWD, SUBJECTS, library_of, paper_on
from paperrec.errors import SettingsError
from paperrec.interests import interests_by, interests_of, served
from paperrec.paper import Paper
from paperrec.pipeline import InterestShare, Options, canonical_papers, choose


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
    papers = [Paper(key=str(n), keywords=("all", *(["rare"] if n < 3 else [])), collections=("A/B",) if n < 2 else ()) for n in range(5)]
    found = interests_by(papers, "keywords")
    assert found.names == ("all", "rare")
    assert found.of_papers.tolist() == [1, 1, 1, 0, 0]
    assert interests_by(papers, "collections").names == ()


def test_a_candidate_serves_the_interest_whose_papers_are_nearest() -> None:
    found = interests_by([Paper(keywords=("a",))] * 3 + [Paper(keywords=("b",))] * 3, "keywords")
    cosines = np.array([[0.9, 0, 0, 0.4, 0.4, 0.4], [0, 0, 0, 0.1, 0, 0], [0, 0, 0, 0, 0, 0]])
    assert served(found, cosines).tolist() == [found.names.index("b"), found.names.index("b"), -1]


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
