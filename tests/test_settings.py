from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from pi_app.boards import load_board
from pi_app.microseconds import ms
from pi_app.referee.events import Start
from pi_app.referee.options import read_options
from pi_app.rules.registry import find_game
from pi_app.settings import (
    ALL,
    COMMIT,
    DEBOUNCE,
    GRACE,
    PLACED,
    OledSettings,
    PlaySettings,
    ScannerSettings,
    ScreenSettings,
    Settings,
    SoundSettings,
    TimesSettings,
    Whole,
    config_file,
    describe,
    load_settings,
    read_settings,
    save_settings,
    write_settings,
)
from pi_app.strict import ConfigError

CHANGED = Settings(
    "mine.toml",
    PlaySettings("settle", "typed"),
    TimesSettings(7, 200, 2000, 1200),
    ScreenSettings(True, False, True),
    SoundSettings(False, 0.25),
    OledSettings("sh1106", 3, 0x3D),
    ScannerSettings("/dev/ttyACM1"),
)


def faults(text: str) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        read_settings("settings.toml", text)
    assert caught.value.file == "settings.toml"
    return caught.value.reasons


def test_an_empty_file_and_no_file_are_the_defaults(tmp_path: Path) -> None:
    assert read_settings("settings.toml", "") == Settings()
    assert load_settings(tmp_path / "none.toml") == Settings()


def test_the_default_board_travels_with_spotter() -> None:
    assert load_board(Settings().board).name == "nannon-6"


@pytest.mark.parametrize("settings", [Settings(), CHANGED], ids=["defaults", "changed"])
def test_settings_come_back_from_their_text(settings: Settings) -> None:
    assert read_settings("settings.toml", write_settings(settings)) == settings


def test_every_setting_is_read_from_its_own_key() -> None:
    text = """
        board.name = "mine.toml"
        play = { commit = "settle", dice = "typed" }
        times = { debounce_ms = 7, placed_ms = 200, grace_ms = 2000, long_press_ms = 1200 }
        screen = { fullscreen = true, animations = false, turned = true }
        sound = { on = false, volume = 0.25 }
        oled = { chip = "sh1106", port = 3, address = 0x3D }
        scanner.port = "/dev/ttyACM1"
    """
    assert read_settings("settings.toml", text) == CHANGED


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("sond.on = true", "sond = {'on': True} is not known; known here: [board], [play], "),
        ("sound.loud = 3", "sound.loud = 3 is not known; known here: on, volume"),
        ("sound.volume = 1.5", "sound.volume is 1.5; it must be from 0.0 to 1.0"),
        ("sound.on = 1", "sound.on is 1; it must be true or false"),
        ("times.grace_ms = 299", "times.grace_ms is 299; it must be from 300 to 10000"),
        ("times.debounce_ms = 51", "times.debounce_ms is 51; it must be from 1 to 50"),
        ("times.placed_ms = 1.5", "times.placed_ms is 1.5; it must be a whole number"),
        ("oled.chip = 'ssd1307'", "oled.chip is 'ssd1307'; choose one of: ssd1306, sh1106, ssd"),
        ("play = 3", "play is 3; it must be a table, [play]"),
        ("sound = [", "not valid TOML: "),
    ],
)
def test_a_fault_names_key_value_and_remedy(text: str, reason: str) -> None:
    assert faults(text)[0].startswith(reason)


def test_all_faults_are_named_at_once() -> None:
    found = faults("board.name = 3\nplay.commit = 'later'\ntimes.x = 1")
    assert [reason.split(" ")[0] for reason in found] == ["board.name", "play.commit", "times.x"]


@pytest.mark.parametrize(
    ("name", "setting"),
    [(name, one) for name, those in ALL.items() for one in those if isinstance(one, Whole)],
    ids=lambda value: value.key if isinstance(value, Whole) else value,
)
def test_a_range_holds_its_ends_and_nothing_beyond(name: str, setting: Whole) -> None:
    for inside in (setting.low, setting.high, setting.default):
        read_settings("settings.toml", f"{name}.{setting.key} = {inside}")
    for outside in (setting.low - 1, setting.high + 1):
        assert faults(f"{name}.{setting.key} = {outside}")


@pytest.mark.parametrize("setting", [DEBOUNCE, PLACED, GRACE], ids=lambda setting: setting.key)
def test_a_match_takes_every_time_that_can_be_set(setting: Whole) -> None:
    for value in (setting.low, setting.default, setting.high):
        options = {setting.key: value, "commit": COMMIT.default}
        start = Start(ms(0), "nannon", "nannon-6", 5, ("Ann", "Bea"), options)
        assert read_options(start, find_game("nannon"))


def test_the_file_is_in_the_config_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config_file() == tmp_path / "spotter" / "settings.toml"
    save_settings(CHANGED)
    assert load_settings() == CHANGED
    assert [file.name for file in config_file().parent.iterdir()] == ["settings.toml"]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"settings.toml: cannot be read: .*mend it or delete"):
        load_settings(file)


def test_a_save_that_fails_leaves_the_old_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "settings.toml"
    save_settings(CHANGED, file)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ConfigError, match=r"cannot be written: .*No space left on device; make"):
        save_settings(Settings(), file)
    assert load_settings(file) == CHANGED
    assert [left.name for left in tmp_path.iterdir()] == ["settings.toml"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ConfigError, match="cannot be written"):
        save_settings(Settings(), tmp_path / "file" / "settings.toml")


def test_the_description_has_a_line_a_setting_in_columns() -> None:
    lines = describe().splitlines()
    assert len(lines) == 1 + sum(len(those) for those in ALL.values())
    column = lines[0].index("can be")
    assert all(line[column - 2 : column] == "  " and line[column] != " " for line in lines)
    assert any(line.startswith("oled.address") and "0x3C" in line for line in lines)
    assert all(f"{name}.{one.key}" in describe() for name, those in ALL.items() for one in those)


def test_the_description_shows_what_is_set() -> None:
    louder = replace(Settings(), sound=SoundSettings(True, 0.55))
    line = next(row for row in describe(louder).splitlines() if row.startswith("sound.volume"))
    assert line.split()[1] == "0.55"
