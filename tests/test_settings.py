"""The settings file: what it may hold, and how a mistake in it is told."""

from pathlib import Path

import pytest

from paperrec.errors import SettingsError
from paperrec.settings import LeversTable, RankerTable, SettingsFile, SteerTable, ZoteroTable, load_settings


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config.toml"


def test_a_file_gives_its_values_and_its_place(file: Path) -> None:
    file.write_text('library = ["bib:a.bib"]\nlimit = 5\ncollections = { in = ["PhD/**"] }\n', encoding="utf-8")
    settings = load_settings(file, None)
    assert settings.values == SettingsFile(library=["bib:a.bib"], limit=5, collections={"in": ["PhD/**"]})
    assert settings.path == file


def test_an_option_wins_over_the_file_and_the_file_over_the_default(file: Path) -> None:
    file.write_text("limit = 5\n", encoding="utf-8")
    settings = load_settings(file, None)
    assert [settings.choose(7, "limit", 20), settings.choose(None, "limit", 20), settings.choose(None, "explain", 3)] == [7, 5, 3]
    assert settings.choose(0, "limit", 20) == 0


def test_a_profile_stands_in_front_of_the_rest(file: Path) -> None:
    file.write_text('limit = 5\nlibrary = ["bib:a.bib"]\n[profiles.side]\nlibrary = ["bib:b.bib"]\n', encoding="utf-8")
    values = load_settings(file, "side").values
    assert (values.limit, values.library) == (5, ["bib:b.bib"])


def test_a_profile_replaces_fields_of_a_table_and_not_the_table(file: Path) -> None:
    file.write_text(
        """
        library = ["bib:a.bib"]
        [ranker]
        diversity = 0.2
        [steer]
        boost = { terms = ["causal"] }
        mute  = { terms = ["quantum"], authors = ["Lima"] }
        [zotero]
        tag = "mine"
        notes = true
        [profiles.side]
        ranker = { half_life_days = 9 }
        steer.mute = { authors = ["Roe"] }
        zotero = { notes = false }
        [profiles.bare]
        library = []
        steer.mute = { terms = [], authors = [] }
        """,
        encoding="utf-8",
    )
    plain, side, bare = (load_settings(file, name).values for name in (None, "side", "bare"))
    assert side.ranker == RankerTable(diversity=0.2, half_life_days=9)
    assert side.steer == SteerTable(boost=plain.steer.boost, mute=LeversTable(terms=["quantum"], authors=["Roe"]))
    assert side.zotero == ZoteroTable(tag="mine", notes=False)
    assert (bare.library, bare.steer) == ([], SteerTable(boost=plain.steer.boost))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("limitt = 5\n", "unknown setting 'limitt'; did you mean 'limit'?"),
        ("nonsense = 5\n", "unknown setting 'nonsense'; known are: library, candidates"),
        ("[profiles.a]\nlimitt = 5\n", "unknown setting 'profiles.a.limitt'; did you mean 'limit'?"),
        ('collections = { on = ["x"] }\n', "unknown setting collections.on; known are: in, not_in"),
        ('limit = "many"\n', "Expected `int | null`, got `str` - at `$.limit`"),
        ('collections = "PhD"\n', "$.collections"),
        ("limit = \n", "is not TOML"),
        ("limit = -1\n", "Expected `int` >= 0 - at `$.limit`"),
        ("explain = -1\n", "Expected `int` >= 0 - at `$.explain`"),
        ("min_score = 101\n", "Expected `float` <= 100.0 - at `$.min_score`"),
        ("min_score = nan\n", "min_score: nan is no number"),
        ("[ranker]\nhalf_life_days = nan\n", "ranker.half_life_days: nan is no number"),
        ("[ranker]\nhalf_life_days = 0\n", "Expected `float` > 0.0 - at `$.ranker.half_life_days`"),
        ("[ranker]\ndiversity = inf\n", "Expected `float` <= 1.0 - at `$.ranker.diversity`"),
        ("[profiles.a.ranker]\ndiversity = nan\n", "profiles.a.ranker.diversity: nan is no number"),
    ],
)
def test_a_mistake_is_told_with_its_place_and_what_would_do(file: Path, text: str, message: str) -> None:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError) as error:
        load_settings(file, None)
    assert str(file) in str(error.value)
    assert message in str(error.value)


def test_a_file_that_was_named_must_be_there(file: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read: No such file"):
        load_settings(file, None)


def test_an_unknown_profile_lists_the_known_ones(file: Path) -> None:
    file.write_text("[profiles.side]\n", encoding="utf-8")
    with pytest.raises(SettingsError, match="no profile 'other'; there are: side"):
        load_settings(file, "other")
