"""Which collections of the library count."""

import pytest

from paperrec.collection_globs import in_collections, matches
from paperrec.errors import SettingsError
from paperrec.paper import Paper

LIBRARY = (
    Paper(key="top", collections=("PhD",)),
    Paper(key="chapter", collections=("PhD/Ch 2",)),
    Paper(key="old", collections=("PhD/Ch 2/old", "Reading")),
    Paper(key="loose"),
)


@pytest.mark.parametrize(
    ("pattern", "fits"),
    [
        ("PhD", ["PhD"]),
        ("PhD/*", ["PhD/Ch 2"]),
        ("PhD/**", ["PhD", "PhD/Ch 2", "PhD/Ch 2/old"]),
        ("**/old", ["PhD/Ch 2/old"]),
        ("/PhD/", ["PhD"]),
        ("PhD/Ch ?", ["PhD/Ch 2"]),
        ("**", ["PhD", "PhD/Ch 2", "PhD/Ch 2/old", "Reading"]),
        ("Ph.", []),
    ],
)
def test_a_star_stays_in_its_level_and_two_span_levels(pattern: str, fits: list[str]) -> None:
    paths = sorted({c for paper in LIBRARY for c in paper.collections})
    assert [path for path in paths if matches(pattern, path)] == fits


@pytest.mark.parametrize(
    ("include", "exclude", "kept"),
    [
        ((), (), ["top", "chapter", "old", "loose"]),
        (("**",), (), ["top", "chapter", "old", "loose"]),
        (("PhD/**",), (), ["top", "chapter", "old"]),
        (("PhD/**",), ("**/old",), ["top", "chapter"]),
        ((), ("Reading",), ["top", "chapter", "loose"]),
    ],
)
def test_papers_count_by_the_collections_they_lie_in(include: tuple[str, ...], exclude: tuple[str, ...], kept: list[str]) -> None:
    assert [p.key for p in in_collections(LIBRARY, include, exclude)] == kept


def test_a_glob_that_fits_nothing_is_an_error_that_lists_the_near_ones() -> None:
    with pytest.raises(SettingsError, match="no collection fits 'Raeding'; there are: Reading"):
        in_collections(LIBRARY, ("Raeding",), ())
    with pytest.raises(SettingsError, match="the library has none"):
        in_collections((Paper(key="loose"),), ("PhD",), ())
