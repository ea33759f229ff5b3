from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from known import GAMES, load_board

from pi_app.base.microseconds import ms
from pi_app.base.strict import ConfigError
from pi_app.cli.doctor import describe
from pi_app.devices.source import DEBOUNCE, LONG
from pi_app.languages import load_language
from pi_app.referee.events import Start
from pi_app.referee.options import read_options
from pi_app.rules.terms import Side
from pi_app.sensing.reading import Patience
from pi_app.user.settings import (
    SETTINGS,
    BoardSettings,
    Bounds,
    ClubSettings,
    OledSettings,
    PlaySettings,
    ScannerSettings,
    ScreenSettings,
    Setting,
    Settings,
    SoundSettings,
    TimesSettings,
    config_file,
    load_settings,
    read_settings,
    save_settings,
    write_settings,
)
from pi_app.words.sentences import ENGLISH, Numbering

CHANGED = Settings(
    BoardSettings("mine.toml"),
    PlaySettings("settle", "typed", 20_000),
    TimesSettings(7, 200, 2000, 1200),
    ScreenSettings(
        "light", "red", "large", 70, "de", True, False, True, True, "engraved", False, 90
    ),
    SoundSettings(False, 0.25),
    OledSettings("sh1106", 3, 0x3D),
    ScannerSettings("/dev/ttyACM1"),
    club=ClubSettings(True, "club.local:8883, [::1]:8884", "table-7", "/club/password", "/club/ca"),
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
    assert load_board(Settings().board.name).name == "nannon-6"


@pytest.mark.parametrize("settings", [Settings(), CHANGED], ids=["defaults", "changed"])
def test_settings_come_back_from_their_text(settings: Settings) -> None:
    assert read_settings("settings.toml", write_settings(settings)) == settings


def test_every_setting_is_read_from_its_own_key() -> None:
    text = """
        board.name = "mine.toml"
        play = { commit = "settle", dice = "typed", one_wrong_in = 20000 }
        times = { debounce_ms = 7, placed_ms = 200, grace_ms = 2000, long_press_ms = 1200 }
        screen.theme = "light"
        screen.board = "red"
        screen.text = "large"
        screen.brightness = 70
        screen.language = "de"
        screen.fullscreen = true
        screen.animations = false
        screen.turned = true
        screen.turn_to_mover = true
        screen.numbers = "engraved"
        screen.rotation = 90
        sound = { on = false, volume = 0.25 }
        oled = { chip = "sh1106", port = 3, address = 0x3D }
        scanner.port = "/dev/ttyACM1"
        club.on = true
        club.brokers = "club.local:8883, [::1]:8884"
        club.board = "table-7"
        club.password_file = "/club/password"
        club.ca_file = "/club/ca"
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
        ("play.one_wrong_in = 1e6", "play.one_wrong_in is 1000000.0; it must be a whole number"),
        ("play.one_wrong_in = 999", "play.one_wrong_in is 999; it must be from 1000 to 1000000000"),
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
    ("numbers", "turned", "numbering"),
    [
        ("own", False, Numbering.WHITE),
        ("own", True, Numbering.BLACK),
        ("engraved", False, Numbering.ENGRAVED),
        ("engraved", True, Numbering.ENGRAVED),
    ],
)
def test_the_numbers_are_those_of_the_side_at_which_one_sits(
    numbers: str, turned: bool, numbering: Numbering
) -> None:
    assert ScreenSettings(numbers=numbers).numbering(turned) is numbering


def test_a_file_of_the_first_version_is_still_read() -> None:
    """Settings from before there were languages."""
    text = """\
[board]
name = "cannon-10"

[play]
commit = "settle"
dice = "white"

[times]
debounce_ms = 5
placed_ms = 150
grace_ms = 2500
long_press_ms = 1000

[screen]
fullscreen = true
animations = true
turned = false

[sound]
on = false
volume = 0.8

[oled]
chip = "none"
port = 1
address = 60

[scanner]
port = "auto"
"""
    settings = Settings(
        BoardSettings("cannon-10"),
        PlaySettings("settle", "white"),
        TimesSettings(grace_ms=2500),
        ScreenSettings(fullscreen=True),
        SoundSettings(on=False),
        OledSettings("none"),
    )
    assert read_settings("settings.toml", text) == settings
    assert load_language(settings.screen.language) is ENGLISH


def test_a_file_from_before_there_were_themes_is_still_read() -> None:
    """A file saved by an older settings page, without themes and numbering."""
    text = """\
[screen]
language = "de"
fullscreen = true
animations = false
turned = true

[sound]
on = true
volume = 0.35
"""
    settings = read_settings("settings.toml", text)
    screen = ScreenSettings(language="de", fullscreen=True, animations=False, turned=True)
    assert settings == Settings(screen=screen, sound=SoundSettings(volume=0.35))
    assert (screen.theme, screen.text, screen.brightness) == ("dark", "normal", 100)
    assert screen.turned_for(Side.WHITE)
    assert screen.turned_for(Side.BLACK)


@pytest.mark.parametrize("turned", [False, True])
def test_the_board_turns_to_whose_turn_it_is(turned: bool) -> None:
    screen = ScreenSettings(turned=turned, turn_to_mover=True)
    assert screen.turned_for(Side.WHITE) is turned
    assert screen.turned_for(Side.BLACK) is not turned


@pytest.mark.parametrize(
    ("name", "value", "less", "more"),
    [
        ("sound.volume", 0.3, 0.2, 0.4),
        ("sound.volume", 0.35, 0.3, 0.4),
        ("sound.volume", 0.0, 0.0, 0.1),
        ("sound.volume", 1.0, 0.9, 1.0),
        ("screen.brightness", 78, 70, 80),
        ("screen.brightness", 3, 10, 10),
        ("screen.brightness", 100, 90, 100),
    ],
)
def test_a_tap_takes_a_number_to_its_next_step(
    name: str, value: float, less: float, more: float
) -> None:
    setting = SETTINGS[name]
    for at, tapped in ((less, False), (more, True)):
        assert setting.beside(value, more=tapped) == at
        assert Settings().changed(name, at) is not None


def test_a_setting_is_changed_by_its_name() -> None:
    changed = Settings().changed("sound.on", False).changed("times.grace_ms", 2000)
    assert changed == Settings(sound=SoundSettings(on=False), times=TimesSettings(grace_ms=2000))


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("sound.volume", 3, "the settings: sound.volume is 3.0; it must be from 0.0 to 1.0"),
        ("play.dice", "red", "the settings: play.dice is 'red'; choose one of: device, typed, "),
        ("sound.loud", True, "the settings: sound.loud = True is not known; known here: on, vol"),
        ("loud", True, "the settings: loud = {'': True} is not known; known here: [board], "),
    ],
)
def test_a_setting_is_not_changed_to_what_it_cannot_be(
    name: str, value: str | bool | int, said: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        Settings().changed(name, value)
    assert str(caught.value).startswith(said)


NUMBERS = [one for one in SETTINGS.values() if isinstance(one.can_be, Bounds)]


@pytest.mark.parametrize("setting", NUMBERS, ids=lambda setting: setting.name)
def test_a_range_holds_its_ends_and_nothing_beyond(setting: Setting) -> None:
    assert isinstance(setting.can_be, Bounds)
    low, high = setting.can_be.low, setting.can_be.high
    for inside in (low, high, setting.default):
        assert setting.of(read_settings("s.toml", f"{setting.name} = {inside}")) == inside
    for outside in (low - 1, high + 1):
        assert faults(f"{setting.name} = {outside}")


CHOICES = [one for one in SETTINGS.values() if one.choices]


@pytest.mark.parametrize("setting", CHOICES, ids=lambda setting: setting.name)
def test_every_choice_can_be_made_and_the_default_is_one(setting: Setting) -> None:
    assert setting.default in setting.choices
    for value in setting.choices:
        assert setting.of(Settings().changed(setting.name, value)) == value


def test_what_stands_on_the_screens_page_is_chosen_there_by_its_name() -> None:
    there = [one for one in SETTINGS.values() if one.label]
    assert {"screen.language", "play.dice", "sound.on"} < {one.name for one in there}
    for one in there:
        assert len(one.choices) > 1 or one.name == "board.name" or steps(one) > 0
        assert all(one.choices.values())


def steps(one: Setting) -> float:
    return one.can_be.step if isinstance(one.can_be, Bounds) else 0


@pytest.mark.parametrize(
    "name", ["times.debounce_ms", "times.placed_ms", "times.grace_ms", "play.one_wrong_in"]
)
def test_a_match_takes_every_number_that_can_be_set(name: str) -> None:
    setting, commit = SETTINGS[name], SETTINGS["play.commit"].default
    assert isinstance(setting.can_be, Bounds)
    for value in (setting.can_be.low, setting.default, setting.can_be.high):
        assert isinstance(value, int)
        assert isinstance(commit, str)
        options: dict[str, bool | int | str] = {setting.key: value, "commit": commit}
        start = Start(ms(0), "nannon", "nannon-6", 5, ("Ann", "Bea"), options)
        assert read_options(start, GAMES.match("nannon"), GAMES.options)


def test_how_sure_a_play_must_be_reaches_the_tracker() -> None:
    start = Start(ms(0), "nannon", "nannon-6", 5, ("Ann", "Bea"), {"one_wrong_in": 20_000})
    for told, one_wrong_in in ((start, 20_000), (replace(start, options={}), 10_000)):
        found = read_options(told, GAMES.match("nannon"), GAMES.options)
        assert found.patience.one_wrong_in == one_wrong_in


def test_the_file_is_in_the_config_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert config_file() == tmp_path / "spotter" / "settings.toml"
    save_settings(CHANGED)
    assert load_settings() == CHANGED
    assert [file.name for file in config_file().parent.iterdir()] == ["settings.toml"]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match=r"settings.toml: cannot be read: .*fix it or delete"):
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
    lines = describe(Settings()).splitlines()
    assert [line.split()[0] for line in lines[1:]] == [*SETTINGS]
    column = lines[0].index("can be")
    assert all(line[column - 2 : column] == "  " and line[column] != " " for line in lines)
    assert any(line.startswith("oled.address") and "0x3C" in line for line in lines)


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [("sound.volume", 0.55, "0.55"), ("play.one_wrong_in", 123_456_789, "123456789")],
)
def test_the_description_shows_what_is_set(name: str, value: float, shown: str) -> None:
    changed = Settings().changed(name, value)
    line = next(row for row in describe(changed).splitlines() if row.startswith(name))
    assert line.split()[1] == shown


def test_the_usual_times_are_those_of_sensors_and_buttons() -> None:
    times, patience = Settings().times, Patience()
    assert ms(times.debounce_ms) == patience.debounce == DEBOUNCE
    assert (ms(times.placed_ms), ms(times.grace_ms)) == (patience.placed, patience.grace)
    assert ms(times.long_press_ms) == LONG
