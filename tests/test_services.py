"""Keys and addresses of services: where they may come from, and where they may not go."""

from pathlib import Path

import pytest

from paperrec.errors import DeniedError, SettingsError
from paperrec.services import default_zotero, foreign_names, keep_local_key, kept_local_key, services_of
from paperrec.settings import Settings, load_settings

CANARY = "CANARYKEY0123456789abcdef"


def settings_of(tmp_path: Path, text: str, mode: int = 0o600) -> Settings:
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    file.chmod(mode)
    return load_settings(file, None)


def key_of(settings: Settings, environment: dict[str, str]) -> str:
    return services_of(settings, environment).get("zotero_api_key", "")


def test_the_key_comes_from_the_environment_first(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, '[zotero]\napi_key = "OTHER"')
    assert key_of(settings, {"ZOTERO_API_KEY": f" {CANARY}\n"}) == CANARY


def test_the_key_may_stand_in_a_variable_of_the_user_s_choice(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, '[zotero]\napi_key_env = "MY_KEY"')
    assert key_of(settings, {"MY_KEY": CANARY}) == CANARY


def test_the_key_may_come_from_a_command_s_first_line(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, f"[zotero]\napi_key_command = \"printf '{CANARY}\\\\nuser: me'\"")
    assert key_of(settings, {}) == CANARY


def test_a_failing_command_is_told_without_what_it_printed(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, f"[zotero]\napi_key_command = \"sh -c 'echo {CANARY}; exit 3'\"")
    with pytest.raises(DeniedError) as error:
        services_of(settings, {})
    assert str(error.value) == "zotero.api_key_command: ended with 3; try it in a terminal"
    assert error.value.__suppress_context__


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604])
def test_a_key_in_a_file_that_others_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    settings = settings_of(tmp_path, f'[zotero]\napi_key = "{CANARY}"', mode)
    with pytest.raises(SettingsError, match="chmod 600") as error:
        services_of(settings, {})
    assert CANARY not in str(error.value)


def test_a_key_in_a_file_of_one_s_own_is_taken(tmp_path: Path) -> None:
    assert key_of(settings_of(tmp_path, f'[zotero]\napi_key = "{CANARY}"'), {}) == CANARY


@pytest.mark.parametrize(
    "address", ["http://example.org", "ftp://localhost", "example.org", "https://me:s3cr3t@example.org", "http://[", ""]
)
def test_an_address_that_would_give_the_key_away_is_refused(tmp_path: Path, address: str) -> None:
    settings = settings_of(tmp_path, "")
    if not address:
        assert "zotero_url" not in services_of(settings, {"PAPERREC_ZOTERO_URL": address})
        return
    with pytest.raises(SettingsError, match=r"^PAPERREC_ZOTERO_URL: ") as error:
        services_of(settings, {"PAPERREC_ZOTERO_URL": address})
    assert "s3cr3t" not in str(error.value)


@pytest.mark.parametrize("address", ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:1", "https://example.org"])
def test_this_computer_and_closed_lines_are_asked(tmp_path: Path, address: str) -> None:
    assert services_of(settings_of(tmp_path, ""), {"PAPERREC_ZOTERO_URL": address})["zotero_url"] == address


def test_another_program_s_names_are_taken_with_a_note(tmp_path: Path) -> None:
    environment = {"ZOTERO_KEY": CANARY, "ZOTERO_ID": "12"}
    assert key_of(settings_of(tmp_path, ""), environment) == CANARY
    assert default_zotero(environment) == "users/12"
    assert list(foreign_names(environment)) == ["ZOTERO_KEY is taken for ZOTERO_API_KEY", "ZOTERO_ID is taken for ZOTERO_LIBRARY_ID"]


@pytest.mark.parametrize(
    ("environment", "which"),
    [
        ({}, ""),
        ({"ZOTERO_LIBRARY_ID": "5"}, "users/5"),
        ({"ZOTERO_LIBRARY_ID": "5", "ZOTERO_LIBRARY_TYPE": "group"}, "groups/5"),
        ({"ZOTERO_LOCAL": "true", "ZOTERO_LIBRARY_ID": "5"}, "local"),
    ],
)
def test_the_environment_names_a_library(environment: dict[str, str], which: str) -> None:
    assert default_zotero(environment) == which


def test_a_library_of_no_known_kind_is_refused() -> None:
    with pytest.raises(SettingsError, match="user or group"):
        default_zotero({"ZOTERO_LIBRARY_ID": "5", "ZOTERO_LIBRARY_TYPE": "team"})


@pytest.mark.parametrize("mode", [0o644, 0o640])
def test_a_kept_key_that_others_may_read_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int) -> None:
    monkeypatch.setenv("PAPERREC_STATE_DIR", str(tmp_path / "state"))
    file = keep_local_key(CANARY)
    assert (file.stat().st_mode & 0o777, kept_local_key()) == (0o600, CANARY)
    file.chmod(mode)
    assert kept_local_key() == ""
