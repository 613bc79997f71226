"""The examples that ship: they read without a problem, and show a sensible list."""

from paperrec.locators import bundled_examples
from paperrec.paper import Works
from paperrec.pipeline import Options, choose
from paperrec.ports import Context, open_source

FOLDER = bundled_examples()
LIBRARY = open_source(f"bib:{FOLDER / 'mylib.bib'}", Context()).read()
CANDIDATES = [
    open_source(f"{scheme}:{FOLDER / name}", Context()).read()
    for scheme, name in (("abstracts", "candidates.txt"), ("jsonl", "more-candidates.jsonl"))
]
OFF_TOPIC = ("Blight", "star clusters", "judgments", "Glaciers", "bread", "Tariff", "Timber")


def test_they_read_without_a_problem() -> None:
    assert [len(LIBRARY.papers), *(len(batch.papers) for batch in CANDIDATES)] == [25, 20, 10]
    assert [batch.problems for batch in (LIBRARY, *CANDIDATES)] == [(), (), ()]


def test_every_interest_is_there_and_one_is_small() -> None:
    groups = [paper.collections[0] for paper in LIBRARY.papers]
    assert {name: groups.count(name) for name in groups} == {"Graphs": 12, "Retrieval": 9, "Proteins": 4}


def test_no_candidate_is_there_twice() -> None:
    papers = [paper for batch in CANDIDATES for paper in batch.papers]
    assert len([group for group in Works(papers).groups if group]) == len(papers)


def test_the_list_serves_every_interest_and_leaves_what_is_off_topic_at_the_end() -> None:
    choice = choose(LIBRARY.papers, [paper for batch in CANDIDATES for paper in batch.papers], Options(limit=0))
    assert [left.paper.key for left in choice.left_out] == ["example:10"]
    texts = [f"{r.paper.title} {r.paper.abstract}" for r in choice.recommendations]
    off_topic = [rank for rank, text in enumerate(texts, 1) if any(word in text for word in OFF_TOPIC)]
    assert min(off_topic) > 0.6 * len(texts)
    assert len(texts) in off_topic
    proteins = [rank for rank, text in enumerate(texts, 1) if "protein" in text.lower() and "fold" in text.lower()]
    assert min(proteins) <= 10
