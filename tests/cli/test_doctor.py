"""Each check on a machine made of files, once well and once ill; then the doctor himself."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from known import load_board

from pi_app.base.microseconds import ms
from pi_app.base.strict import ConfigError
from pi_app.cli import doctor
from pi_app.cli import doctor as checks
from pi_app.cli.doctor import Checked, CheckState, Machine, tried
from pi_app.devices.gpio import GpioBoard, open_factory
from pi_app.devices.source import DeviceError
from pi_app.games.all import ALL
from pi_app.journal.opening import data_folder, open_journal
from pi_app.players.contract import Contender
from pi_app.players.gnubg.player import MISSING
from pi_app.referee.events import Picture
from pi_app.sensing.description import Sensor
from pi_app.user.settings import OledSettings, SoundSettings, SpeechSettings

SCANNER_BOARD = Path(__file__).parents[1] / "boards" / "nannon-scanner.toml"
OK, FAIL, UNKNOWN = CheckState.OK, CheckState.FAIL, CheckState.UNKNOWN


class FakeMachine:
    """A machine's files in a folder of the test's own."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def file(self, path: str, content: str | bytes = "") -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)

    @property
    def machine(self) -> Machine:
        return Machine(self.root)


@pytest.fixture
def pc(tmp_path: Path) -> FakeMachine:
    return FakeMachine(tmp_path / "root")


@pytest.fixture
def pi(pc: FakeMachine) -> FakeMachine:
    pc.file("proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    return pc


def raising(error: Exception) -> Callable[..., Any]:
    def fail(*_: object, **__: object) -> Any:
        raise error

    return fail


def test_a_pi_is_known_by_its_model(pc: FakeMachine) -> None:
    assert not pc.machine.is_pi
    pc.file("proc/device-tree/model", "Some other board\0")
    assert not pc.machine.is_pi
    pc.file("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.5\0")
    assert pc.machine.is_pi


def test_python() -> None:
    assert checks.check_python((3, 13, 1)) == Checked(OK, "3.13.1")
    old = checks.check_python((3, 9, 2))
    assert (old.state, old.text) == (FAIL, "3.9.2 is too old")


@pytest.mark.parametrize(
    ("installed", "state", "says"),
    [
        (["pip", "pygame"], OK, "pygame alone"),
        (["Pygame_CE"], OK, "pygame-ce alone"),
        (["pygame", "pygame-ce"], FAIL, "both installed and break each other"),
        (["pip", "pygame-menu"], FAIL, "is not installed"),
    ],
)
def test_pygame(installed: list[str], state: CheckState, says: str) -> None:
    result = checks.check_pygame(installed)
    assert result.state is state
    assert says in result.text
    assert ("install" in (result.remedy or "")) == (state is FAIL)


def test_a_faulty_file_is_shown_with_every_fault() -> None:
    error = ConfigError("settings.toml", ["sound.on is 3; …", "oled.chip is 4; …"])
    ill = checks.check_config(raising(error), "settings.toml")
    assert ill.state is FAIL
    assert "sound.on" in ill.text
    assert "oled.chip" in ill.text
    assert ill.remedy == 'nano "settings.toml"'
    assert checks.check_config(dict, "settings.toml").state is OK


# Pins


def mock() -> Any:
    return open_factory("mock")


def test_pins_of_a_pi_are_tried_and_read(pi: FakeMachine) -> None:
    result = checks.check_pins(pi.machine, load_board("nannon-6"), mock)
    assert result == Checked(OK, "6 sensors can be read; closed now: none")


def test_a_spot_that_feels_both_sides_at_once_is_named(
    pi: FakeMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    board, both = load_board("nannon-6-hall"), frozenset({Sensor("4.white"), Sensor("4.black")})
    result = checks.check_pins(pi.machine, board, mock)
    assert result == Checked(OK, "12 sensors can be read; closed now: none")
    monkeypatch.setattr(GpioBoard, "picture", lambda _: Picture(ms(0), both))
    result = checks.check_pins(pi.machine, board, mock)
    assert result.state is FAIL
    assert result.text == "both sides are felt at once on: 4"
    assert "spotter walk" in (result.remedy or "")


def test_a_pin_in_use_is_named(pi: FakeMachine) -> None:
    board, factory = load_board("nannon-6"), mock()
    other = GpioBoard(board, factory, lambda: ms(0), lambda _: None)
    result = tried(partial(checks.check_pins, pi.machine, board, lambda: factory))
    assert result.state is FAIL
    assert "gpio 17 of sensor '1' cannot be used" in result.text
    assert "end the program that uses it" in (result.remedy or "")
    other.close()


def test_a_factory_that_does_not_open_says_what_to_install(pi: FakeMachine) -> None:
    refuse = raising(DeviceError("no lgpio", "run: sudo apt install x"))
    result = tried(partial(checks.check_pins, pi.machine, load_board("nannon-6"), refuse))
    assert result == Checked(FAIL, "no lgpio", "run: sudo apt install x")


def test_on_a_pc_there_are_no_pins_to_try(pc: FakeMachine) -> None:
    result = checks.check_pins(pc.machine, load_board("nannon-6"), raising(AssertionError()))
    assert result.state is UNKNOWN
    assert "no Raspberry Pi" in result.text


# I2C and OLED


def test_i2c_is_on(pi: FakeMachine) -> None:
    pi.file("dev/i2c-1")
    assert checks.check_i2c(pi.machine, 1) == Checked(OK, "bus 1 is on")


def test_i2c_off_on_a_pi_is_mended_by_one_command(pi: FakeMachine) -> None:
    result = checks.check_i2c(pi.machine, 1)
    assert (result.state, result.remedy) == (FAIL, "sudo raspi-config nonint do_i2c 0")


def test_i2c_that_may_not_be_used(pi: FakeMachine, monkeypatch: pytest.MonkeyPatch) -> None:
    pi.file("dev/i2c-1")
    monkeypatch.setattr("os.access", lambda path, mode: False)
    result = checks.check_i2c(pi.machine, 1)
    assert result.state is FAIL
    assert (result.remedy or "").startswith("sudo usermod -aG i2c")


def test_i2c_on_a_pc_is_not_known(pc: FakeMachine) -> None:
    assert checks.check_i2c(pc.machine, 1).state is UNKNOWN


@pytest.mark.parametrize(
    ("hertz", "text", "mended"),
    [(400_000, "400 kHz", False), (100_000, "100 kHz; the OLED is drawn four times", True)],
)
def test_the_speed_of_i2c(pi: FakeMachine, hertz: int, text: str, mended: bool) -> None:
    pi.file("sys/class/i2c-adapter/i2c-1/of_node/clock-frequency", hertz.to_bytes(4, "big"))
    result = checks.check_i2c_speed(pi.machine, 1)
    assert result.state is OK
    assert result.text.startswith(text)
    assert ("i2c_arm_baudrate=400000" in (result.remedy or "")) is mended


def test_a_bus_that_does_not_tell_its_speed(pi: FakeMachine) -> None:
    assert checks.check_i2c_speed(pi.machine, 1).state is UNKNOWN


class FakeOled:
    def cleanup(self) -> None:
        """Nothing to let go of."""


def test_an_oled_that_answers(pi: FakeMachine) -> None:
    pi.file("dev/i2c-1")
    result = checks.check_oled(pi.machine, OledSettings(), FakeOled)
    assert result == Checked(OK, "ssd1306 answers at 0x3C on bus 1")


def test_an_oled_that_does_not_answer(pi: FakeMachine) -> None:
    pi.file("dev/i2c-3")
    oled = OledSettings("sh1106", 3, 0x3D)
    result = checks.check_oled(pi.machine, oled, raising(OSError("Remote I/O error")))
    assert result.state is FAIL
    assert result.text == "no sh1106 answers at 0x3D on bus 3: Remote I/O error"
    assert (result.remedy or "").startswith("sudo i2cdetect -y 3")


def test_no_oled_and_no_bus(pi: FakeMachine) -> None:
    never = raising(AssertionError())
    assert checks.check_oled(pi.machine, OledSettings(chip="none"), never).state is OK
    assert checks.check_oled(pi.machine, OledSettings(), never).state is UNKNOWN


# Sound and display


def test_sound(pi: FakeMachine) -> None:
    assert checks.check_sound(pi.machine, SoundSettings(on=False)).state is OK
    assert checks.check_sound(pi.machine, SoundSettings()).state is FAIL
    pi.file("proc/asound/cards", "--- no soundcards ---\n")
    assert "plays silently" in checks.check_sound(pi.machine, SoundSettings()).text
    pi.file("proc/asound/cards", " 0 [Headphones ]: bcm2835 - Headphones\n      more\n")
    result = checks.check_sound(pi.machine, SoundSettings())
    assert result == Checked(OK, "0 [Headphones ]: bcm2835 - Headphones")


VOICES = {
    "off, and nothing to speak with": ("off", "espeak", None, OK, "is missing"),
    "on, and nothing to speak with": ("all", "espeak", None, FAIL, "espeak-ng is missing"),
    "on": ("all", "espeak", "/usr/bin/espeak-ng", OK, "/usr/bin/espeak-ng"),
    "a voice that is not there": ("all", "/no/voice.onnx", "/usr/bin/piper", FAIL, "is not there"),
    "a folder of recordings": ("all", "/", None, OK, "/"),
}


@pytest.mark.parametrize("name", VOICES)
def test_voice(name: str) -> None:
    told, voice, path, state, text = VOICES[name]
    result = checks.check_voice(SpeechSettings(told=told, voice=voice), lambda _: path)
    assert result.state is state
    assert text in result.text
    assert bool(result.remedy) is (state is FAIL)


@pytest.mark.parametrize(
    ("driver", "state"),
    [("wayland", OK), ("KMSDRM", OK), ("dummy", UNKNOWN), ("offscreen", UNKNOWN)],
)
def test_the_display_driver_is_told(pi: FakeMachine, driver: str, state: CheckState) -> None:
    result = checks.check_display(pi.machine, lambda: driver)
    assert result.state is state
    assert driver in result.text


def test_a_display_that_cannot_be_opened(pi: FakeMachine) -> None:
    result = checks.check_display(pi.machine, raising(OSError("No available video device")))
    assert result.state is FAIL
    assert "No available video device" in result.text
    assert "video,render,input" in (result.remedy or "")


def test_the_display_is_probed_in_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    assert checks.probe_display() == "dummy"
    monkeypatch.setenv("SDL_VIDEODRIVER", "nothing-like-it")
    with pytest.raises(OSError, match="nothing-like-it"):
        checks.probe_display()


def test_a_display_that_hangs_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "run", raising(subprocess.TimeoutExpired("python", 20)))
    with pytest.raises(OSError, match="no answer within 20 seconds"):
        checks.probe_display()


# Storage


def remembers(folder: Path) -> bool:
    return False


def test_a_folder_that_keeps_what_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "spotter"
    result = checks.check_storage(folder, remembers)
    assert (result.state, result.text) == (OK, f"{folder} keeps what is written")
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = checks.check_storage(tmp_path / "file" / "spotter", remembers)
    assert result.state is FAIL
    assert (result.remedy or "").startswith("sudo mkdir -p ")


def test_a_disk_that_forgets(tmp_path: Path) -> None:
    result = checks.check_storage(tmp_path, lambda folder: True)
    assert result.state is FAIL
    assert result.remedy == "sudo raspi-config nonint do_overlayfs 1 && sudo reboot"


def test_a_disk_without_a_write_ahead_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda file: connect(":memory:"))
    result = checks.check_storage(tmp_path, remembers)
    assert result.state is FAIL
    assert "write-ahead log does not work" in result.text


def test_free_space(tmp_path: Path) -> None:
    there = tmp_path / "not" / "yet"
    assert checks.check_space(there, lambda folder: 50_000_000).state is OK
    full = checks.check_space(there, lambda folder: 49_999_999)
    assert (full.state, full.remedy) == (FAIL, "sudo apt clean")
    assert str(tmp_path) in full.text
    assert checks.check_space(there).text.endswith(" MB")


# Groups

MEMBERS = checks.read_groups("gpio:x:986:ann,bea\ni2c:x:994:ann\nvideo:x:44:\nusers:x:100:ann\n")


def test_groups_are_read_from_their_file() -> None:
    assert MEMBERS["gpio"] == {"ann", "bea"}
    assert MEMBERS["video"] == frozenset()


def test_a_user_in_all_groups_there_are(pi: FakeMachine) -> None:
    result = checks.check_groups(pi.machine, "ann", MEMBERS, ["gpio", "i2c", "video", "users"])
    assert result == Checked(OK, "ann is in gpio, i2c, video")


def test_a_user_outside_is_told_the_command(pi: FakeMachine) -> None:
    result = checks.check_groups(pi.machine, "cid", MEMBERS, ["users"])
    assert result.text == "cid is not in gpio, i2c, video"
    assert (result.remedy or "").startswith("sudo usermod -aG gpio,i2c,video cid")


def test_a_group_joined_since_the_login_needs_another_login(pi: FakeMachine) -> None:
    result = checks.check_groups(pi.machine, "ann", MEMBERS, ["video"])
    assert (result.state, result.text) == (FAIL, "gpio, i2c count from the next login on")
    both = checks.check_groups(pi.machine, "ann", MEMBERS, [])
    assert both.text == "ann is not in video"


def test_root_and_a_pc_need_no_groups(pc: FakeMachine) -> None:
    assert checks.check_groups(pc.machine, "root", MEMBERS, []).state is OK
    assert checks.check_groups(pc.machine, "ann", MEMBERS, []).state is UNKNOWN


def test_players_that_are_missing_or_slower_are_told_once_each() -> None:
    here = Contender("one", "plays", raising(OSError("it was made")))
    gone = replace(here, missing=MISSING)
    slow = replace(here, weaker=lambda: "slower: there is no C compiler; sudo apt install gcc")
    assert checks.check_players([here]).text == "the machine's players are all here, at their best"
    assert checks.check_players([gone, here, slow, slow, gone]).text.splitlines() == [
        str(MISSING()),
        "slower: there is no C compiler; sudo apt install gcc",
    ]


# The doctor


def test_a_check_that_breaks_is_a_result() -> None:
    broken = tried(raising(ZeroDivisionError("oh")))
    assert broken == Checked(UNKNOWN, "could not be checked: ZeroDivisionError: oh")


def test_a_result_is_a_line_and_its_remedy_stands_below() -> None:
    result = Checked(FAIL, "bus 1 is off", "sudo raspi-config nonint do_i2c 0")
    assert doctor.render("I2C", result).splitlines() == [
        "FAIL  I2C         bus 1 is off",
        "                  → sudo raspi-config nonint do_i2c 0",
    ]


def test_the_verdict_counts() -> None:
    ok, ill, unknown = (Checked(state, "") for state in (OK, FAIL, UNKNOWN))
    assert doctor.verdict([ok, ok]) == "Nothing to fix."
    assert doctor.verdict([ok, ill, unknown, ill]) == "2 to fix; 1 could not be checked here."


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setattr(checks, "probe_display", lambda: "dummy")
    return tmp_path


def test_here_every_check_answers(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = doctor.examine([], ALL)
    said = capsys.readouterr().out
    assert status == int("FAIL" in said)
    assert "could not be checked:" not in said
    names = [name for name, _ in doctor.all_checks(Machine(), ALL)]
    lines = said.splitlines()
    assert [line[6:18].strip() for line in lines[:-1] if line[:6].strip()] == names
    assert len(names) == 15


def test_faulty_settings_fail_and_the_rest_is_still_checked(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = home / "config" / "spotter" / "settings.toml"
    file.parent.mkdir(parents=True)
    file.write_text("sound.loud = 3\nboard.name = 'gone.toml'\n", encoding="utf-8")
    assert doctor.examine([], ALL) == 1
    said = capsys.readouterr().out
    assert "FAIL  settings" in said
    assert "sound.loud = 3 is not known" in said
    assert f'→ nano "{file}"' in said
    assert "ok    board       nannon-6" in said
    file.write_text("board.name = 'gone.toml'\n", encoding="utf-8")
    assert doctor.examine([], ALL) == 1
    assert "FAIL  board       gone.toml: cannot be read" in capsys.readouterr().out


def test_what_a_running_spotter_has_is_looked_at_without_being_touched(
    home: Path, pi: FakeMachine, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = home / "config" / "spotter" / "settings.toml"
    file.parent.mkdir(parents=True)
    file.write_text(f"[board]\nname = '{SCANNER_BOARD}'\n", encoding="utf-8")
    pi.file("dev/i2c-1")
    touched: list[str] = []

    def touching(what: str) -> Callable[..., Any]:
        def touch(*_: object) -> Any:
            touched.append(what)
            raise OSError(f"{what} was touched")

        return touch

    monkeypatch.setattr(doctor, "open_factory", touching("pins"))
    monkeypatch.setattr(checks, "open_scanner", touching("scanner"))
    monkeypatch.setattr(doctor, "LumaOled", touching("OLED"))
    monkeypatch.setattr(checks, "probe_display", touching("display"))

    def examined() -> dict[str, Checked]:
        return {name: tried(check) for name, check in doctor.all_checks(pi.machine, ALL)}

    playing = open_journal(data_folder())
    seen = examined()
    assert touched == []
    for name in ("pins", "scanner", "OLED", "display"):
        assert seen[name].state is UNKNOWN
        assert f"in use by Spotter (process {os.getpid()})" in seen[name].text
    assert seen["storage"].state is OK
    playing.close()
    examined()
    assert touched == ["pins", "scanner", "OLED", "display"]


def test_without_an_oled_or_a_pi_nothing_is_in_use(home: Path, pc: FakeMachine) -> None:
    never = raising(checks.InUseError("17"))
    assert checks.check_oled(pc.machine, OledSettings(chip="none"), never).state is OK
    assert "no Raspberry Pi" in checks.check_pins(pc.machine, load_board("nannon-6"), never).text
