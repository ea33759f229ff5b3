"""Settings: one TOML file, read strictly; every key has a default, a range and a sentence."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeAlias

import platformdirs
import tomli_w

from pi_app.files import read_text, why
from pi_app.strict import ConfigError, Reader, parse_toml

FILE = "settings.toml"


@dataclass(frozen=True, slots=True)
class Text:
    """A setting that is a text."""

    key: str
    default: str
    says: str
    values: str = "a text"

    def read(self, reader: Reader) -> str:
        """Its value in a table."""
        return reader.take(self.key, str, self.default)


@dataclass(frozen=True, slots=True)
class Word:
    """A setting that is one of a few words, the first by default."""

    key: str
    words: tuple[str, ...]
    says: str

    @property
    def default(self) -> str:
        """What it is unless it is set."""
        return self.words[0]

    @property
    def values(self) -> str:
        """What it can be, for people."""
        return ", ".join(self.words)

    def read(self, reader: Reader) -> str:
        """Its value in a table."""
        return reader.choice(self.key, self.words, self.default)


@dataclass(frozen=True, slots=True)
class Flag:
    """A setting that is on or off."""

    key: str
    default: bool
    says: str
    values: str = "true, false"

    def read(self, reader: Reader) -> bool:
        """Its value in a table."""
        return reader.take(self.key, bool, self.default)


@dataclass(frozen=True, slots=True)
class Whole:
    """A setting that is a whole number within bounds."""

    key: str
    default: int
    low: int
    high: int
    says: str
    is_address: bool = False

    @property
    def values(self) -> str:
        """What it can be, for people."""
        return f"{self.show(self.low)} to {self.show(self.high)}"

    def show(self, value: int) -> str:
        """A value as people write it."""
        return f"0x{value:02X}" if self.is_address else str(value)

    def read(self, reader: Reader) -> int:
        """Its value in a table."""
        return reader.whole(self.key, self.low, self.high, self.default)


@dataclass(frozen=True, slots=True)
class Number:
    """A setting that is a number within bounds."""

    key: str
    default: float
    low: float
    high: float
    says: str

    @property
    def values(self) -> str:
        """What it can be, for people."""
        return f"{self.low:g} to {self.high:g}"

    def read(self, reader: Reader) -> float:
        """Its value in a table."""
        return reader.number(self.key, self.low, self.high, self.default)


Setting: TypeAlias = Text | Word | Flag | Whole | Number

BOARD = Text("name", "nannon-6", "the board in use", "a board's name or the path of a .toml file")
COMMIT = Word("commit", ("button", "settle"), "a play counts at the press, or once it is quiet")
DICE = Word(
    "dice",
    ("device", "typed", "white", "black"),
    "Spotter rolls, or you type what your own dice show, or only one side does",
)
DEBOUNCE = Whole("debounce_ms", 5, 1, 50, "how long a reed must be steady")
PLACED = Whole("placed_ms", 150, 50, 295, "how long a checker must lie before it is shown")
GRACE = Whole("grace_ms", 1500, 300, 10_000, "how long a wrong board may stay before a warning")
LONG_PRESS = Whole("long_press_ms", 1000, 400, 3000, "how long a long press of the button is")
FULLSCREEN = Flag("fullscreen", False, "fill the whole display")
ANIMATIONS = Flag("animations", True, "let dice tumble and moves glide")
TURNED = Flag("turned", False, "turn the board round for the player opposite")
SOUND = Flag("on", True, "play sounds")
VOLUME = Number("volume", 0.8, 0.0, 1.0, "how loud")
SCANNER_PORT = Text(
    "port",
    "auto",
    "where the reed scanner of a large board is plugged in",
    "auto, or the path of a serial port",
)
CHIP = Word("chip", ("ssd1306", "sh1106", "ssd1309", "none"), "the OLED's chip, or no OLED")
PORT = Whole("port", 1, 0, 20, "its I2C bus")
ADDRESS = Whole("address", 0x3C, 0x08, 0x77, "its I2C address", is_address=True)

ALL: Mapping[str, tuple[Setting, ...]] = MappingProxyType(
    {
        "board": (BOARD,),
        "play": (COMMIT, DICE),
        "times": (DEBOUNCE, PLACED, GRACE, LONG_PRESS),
        "screen": (FULLSCREEN, ANIMATIONS, TURNED),
        "sound": (SOUND, VOLUME),
        "oled": (CHIP, PORT, ADDRESS),
        "scanner": (SCANNER_PORT,),
    }
)
"""Every setting, by the table it is in."""


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """When plays count ("button", "settle") and which side types its rolls."""

    commit: str = COMMIT.default
    dice: str = DICE.default


@dataclass(frozen=True, slots=True)
class TimesSettings:
    """Milliseconds."""

    debounce_ms: int = DEBOUNCE.default
    placed_ms: int = PLACED.default
    grace_ms: int = GRACE.default
    long_press_ms: int = LONG_PRESS.default


@dataclass(frozen=True, slots=True)
class ScreenSettings:
    """The touchscreen."""

    fullscreen: bool = FULLSCREEN.default
    animations: bool = ANIMATIONS.default
    turned: bool = TURNED.default


@dataclass(frozen=True, slots=True)
class SoundSettings:
    """Sounds; `volume` from 0 to 1."""

    on: bool = SOUND.default
    volume: float = VOLUME.default


@dataclass(frozen=True, slots=True)
class OledSettings:
    """The small display; `chip` is "none" where there is none."""

    chip: str = CHIP.default
    port: int = PORT.default
    address: int = ADDRESS.default


@dataclass(frozen=True, slots=True)
class ScannerSettings:
    """The reed scanner; `port` is "auto" or the path of a serial port."""

    port: str = SCANNER_PORT.default


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set; `board` is a board's name or the path of a description."""

    board: str = BOARD.default
    play: PlaySettings = PlaySettings()
    times: TimesSettings = TimesSettings()
    screen: ScreenSettings = ScreenSettings()
    sound: SoundSettings = SoundSettings()
    oled: OledSettings = OledSettings()
    scanner: ScannerSettings = ScannerSettings()


def config_file() -> Path:
    """$XDG_CONFIG_HOME/spotter/settings.toml, in ~/.config by default."""
    return platformdirs.user_config_path("spotter") / FILE


def read_settings(file: str, text: str) -> Settings:
    """Read a settings text; raises ConfigError naming the file and every fault in it."""
    reader = Reader(parse_toml(file, text))
    tables = {name: reader.table(name) for name in ALL}
    play, times, screen = tables["play"], tables["times"], tables["screen"]
    sound, oled = tables["sound"], tables["oled"]
    settings = Settings(
        BOARD.read(tables["board"]),
        PlaySettings(COMMIT.read(play), DICE.read(play)),
        TimesSettings(
            DEBOUNCE.read(times), PLACED.read(times), GRACE.read(times), LONG_PRESS.read(times)
        ),
        ScreenSettings(FULLSCREEN.read(screen), ANIMATIONS.read(screen), TURNED.read(screen)),
        SoundSettings(SOUND.read(sound), VOLUME.read(sound)),
        OledSettings(CHIP.read(oled), PORT.read(oled), ADDRESS.read(oled)),
        ScannerSettings(SCANNER_PORT.read(tables["scanner"])),
    )
    for name, table in tables.items():
        table.done(", ".join(setting.key for setting in ALL[name]))
    reader.done(", ".join(f"[{name}]" for name in ALL))
    if reader.faults:
        raise ConfigError(file, reader.faults)
    return settings


def load_settings(file: Path | None = None) -> Settings:
    """The settings in `file`, by default the user's; the defaults where there is no file.

    Raises ConfigError naming the file and every fault in it.
    """
    file = file or config_file()
    try:
        text = read_text(file)
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError) as error:
        reason = f"cannot be read: {why(error)}; mend it or delete it"
        raise ConfigError(str(file), [reason]) from error
    return read_settings(str(file), text)


def write_settings(settings: Settings) -> str:
    """The TOML text that read_settings takes back."""
    return tomli_w.dumps(_tables(settings))


def save_settings(settings: Settings, file: Path | None = None) -> None:
    """Save to `file`, by default the user's: afterwards there is the old text or the new, whole.

    Raises ConfigError when it cannot be written.
    """
    file = file or config_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        _replace(file, write_settings(settings))
    except OSError as error:
        reason = f"cannot be written: {error}; make its folder writable"
        raise ConfigError(str(file), [reason]) from error


def describe(settings: Settings | None = None) -> str:
    """Every setting as a table of text: its value, what it can be, and what it does."""
    tables = _tables(settings or Settings())
    heads = ("setting", "value" if settings else "default", "can be", "what it does")
    rows = [heads]
    for name, those in ALL.items():
        for setting in those:
            value = _shown(setting, tables[name][setting.key])
            rows.append((f"{name}.{setting.key}", value, setting.values, setting.says))
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join(
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]])
        for row in rows
    )


def _tables(settings: Settings) -> dict[str, dict[str, Any]]:
    play, times, screen = settings.play, settings.times, settings.screen
    return {
        "board": {"name": settings.board},
        "play": {"commit": play.commit, "dice": play.dice},
        "times": {
            "debounce_ms": times.debounce_ms,
            "placed_ms": times.placed_ms,
            "grace_ms": times.grace_ms,
            "long_press_ms": times.long_press_ms,
        },
        "screen": {
            "fullscreen": screen.fullscreen,
            "animations": screen.animations,
            "turned": screen.turned,
        },
        "sound": {"on": settings.sound.on, "volume": settings.sound.volume},
        "oled": {
            "chip": settings.oled.chip,
            "port": settings.oled.port,
            "address": settings.oled.address,
        },
        "scanner": {"port": settings.scanner.port},
    }


def _shown(setting: Setting, value: Any) -> str:
    if isinstance(setting, Whole):
        return setting.show(value)
    return str(value).lower() if isinstance(value, bool) else f"{value}"


def _replace(file: Path, text: str) -> None:
    """A reader, or a power cut, meets the old file or the new one, never half of it."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}-")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as opened:
            opened.write(text)
            opened.flush()
            os.fsync(opened.fileno())
        temporary.replace(file)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
