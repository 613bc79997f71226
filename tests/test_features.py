"""Texts and names become numbers: what is a term, what counts as the same, and what bounds hold."""

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from paperrec.features import author_key, papers_by_author, shared_authors, spellings, text_features, text_of, within
from paperrec.features.hashing import LONGEST_TEXT, MANNER, N_BUCKETS, count_terms, fold
from paperrec.paper import Paper


def said(texts: Sequence[str], *, n_grams: bool = False) -> csr_array:
    return count_terms(texts, n_grams=n_grams)[:, : MANNER * N_BUCKETS]


def manner(text: str) -> int:
    return int(count_terms([text])[:, MANNER * N_BUCKETS :].sum())


def likeness(*texts: str) -> list[list[int]]:
    counts = said(texts)
    shared: list[list[int]] = np.asarray((counts @ counts.T).toarray(), int).tolist()
    return shared


def _terms(counts: csr_array) -> dict[int, float]:
    return dict(zip(counts.indices.tolist(), counts.data.tolist(), strict=True))


def terms_of(text: str, *, n_grams: bool = False) -> dict[int, float]:
    return _terms(said([text], n_grams=n_grams))


def test_case_accents_dashes_and_quotes_do_not_make_other_words() -> None:
    ours, theirs = "Ünïversal—Étude of “neural” networks", "universal etude OF neural-networks"
    assert terms_of(ours) == terms_of(theirs)


def test_compatibility_forms_are_their_letters() -> None:
    assert fold("ﬁnal Ｗｉｄｅ ①") == "final wide 1"


def test_single_letters_stop_words_and_bare_numbers_are_no_terms() -> None:
    assert said(["a x the of y", "", "...", "\ud800 \x00", "250 7 1999"]).nnz == 0


def test_a_number_is_part_of_a_pair_with_a_telling_word() -> None:
    assert said(["covid 19"]).sum() == 2  # covid; covid 19


def test_stop_words_and_pairs_of_two_are_the_manner_of_a_text() -> None:
    assert manner("what is the graph of 250") == 6  # what, is, the, of; what is, is the


def test_a_pair_counts_if_one_of_its_words_is_no_stop_word() -> None:
    assert said(["graph of the"]).sum() == 2  # graph; graph of


def test_pairs_do_not_reach_from_one_text_into_the_next() -> None:
    assert count_terms(["graph", "kernel"]).sum() == 2


def test_scripts_without_blanks_are_split_into_signs_and_their_pairs() -> None:
    whole, part, other = "图神经网络", "神经网络", "税法"
    assert [row[0] for row in likeness(whole, part, other)] == [9, 7, 0]


def test_cyrillic_and_greek_words_are_words() -> None:
    assert likeness("Графовые сети", "графовые сети") == [[3, 3], [3, 3]]
    assert said(["νευρωνικά δίκτυα"]).nnz == 3


def test_a_term_is_counted_the_same_wherever_it_stands() -> None:
    texts = ["filler words here and there " * 9 + "graph kernels", "graph kernels"]
    assert likeness(*texts)[1] == [3, 3]


def test_a_text_counts_only_up_to_its_longest_length() -> None:
    assert said(["x" * LONGEST_TEXT + " graph"]).sum() == 1


def test_n_grams_reach_over_no_gap() -> None:
    assert said(["abcd efgh"], n_grams=True)[:, 2 * N_BUCKETS :].sum() == 6  # _abc abcd bcd_ _efg efgh fgh_


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=6), st.booleans())
def test_every_text_gets_the_row_it_gets_alone(texts: list[str], n_grams: bool) -> None:
    together = count_terms(texts, n_grams=n_grams)
    assert together.shape == (len(texts), 4 * N_BUCKETS)
    for row, text in enumerate(texts):
        assert _terms(together[[row]]) == _terms(count_terms([text], n_grams=n_grams))


def test_a_derived_title_is_not_counted_beside_the_abstract_it_came_from() -> None:
    assert text_of(Paper(title="Graphs", abstract="Graphs are nice.", title_derived=True)) == "Graphs are nice."


def test_rows_have_unit_length_and_very_short_candidates_less() -> None:
    abstract = " ".join(f"word{i}" for i in range(80))
    library = [Paper(title="word1 word2", abstract=abstract)]
    features = text_features(library, [Paper(abstract=abstract), Paper(abstract=abstract + " more"), Paper(title="word1"), Paper()])
    lengths = [float(np.sqrt((features.whole[[row]].multiply(features.whole[[row]])).sum())) for row in range(4)]
    assert np.allclose(lengths[:2], 1, atol=1e-5)
    assert 0 < lengths[2] < 0.5
    assert lengths[3] == 0


def test_a_matrix_is_cut_to_the_columns_that_are_asked_for() -> None:
    counts = count_terms(["graph kernels", "kernels"])
    columns = np.unique(counts[[1]].indices)
    assert within(counts, columns).toarray().tolist() == [[1.0], [1.0]]


def test_terms_are_spelled_as_the_text_spells_them() -> None:
    found = spellings("BERT for Étude—GraphNets, graph-based nets of 2024")
    assert set(found.values()) == {"BERT", "Étude", "GraphNets", "graph", "based", "nets", "2024", "graph-based", "based nets", "for", "of"}


def test_names_in_either_order_are_one_author() -> None:
    names = ["García Márquez, Gabriel", "G. García Márquez", "Gabriel Garcia-Marquez"]
    assert [author_key(name) for name in names] == ["marquez g", "marquez g", "garcia-marquez g"]
    assert [author_key(name) for name in ("", " , ", "Jr.", "Plato", "李, 明")] == ["", "", "jr ", "plato ", "李 明"]


def test_shared_authors_are_counted_over_all_library_papers() -> None:
    library = [Paper(authors=("Noether, Emmy",)), Paper(authors=("E. Noether", "Hilbert, David")), Paper()]
    candidates = [Paper(authors=("Emmy Noether", "D. Hilbert")), Paper(authors=("Noether, F.",)), Paper()]
    assert shared_authors(papers_by_author(library), candidates).tolist() == [3, 0, 0]
