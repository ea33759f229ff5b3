"""The settings: their values and words, and the file that stores them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, field, fields, replace
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

import platformdirs
import tomli_w

from pi_app.base.files import read_text, replace_text, why
from pi_app.base.strict import ConfigError, Reader, parse_toml
from pi_app.base.values import dataclass
from pi_app.languages import LANGUAGES
from pi_app.match.clock import ClockKind
from pi_app.match.terms import MatchTerms, PlayPolicy
from pi_app.rules.terms import Side
from pi_app.words.sentences import Numbering, Sentence

Value: TypeAlias = bool | int | float | str
T = TypeVar("T", bool, int, float, str)


@dataclass(frozen=True, slots=True)
class Bounds:
    """A number from `low` to `high`, whole if the default is; a tap on the screen changes it by
    `step`."""

    low: float
    high: float
    is_address: bool = False
    step: float = 0


Choices: TypeAlias = Mapping[Any, str]
"""A few values in the order of taps on the screen, and the name of each there."""
Offered: TypeAlias = Mapping[Any, Sentence | str]
ON, OFF = Sentence("On"), Sentence("Off")
SWITCH: Offered = {True: ON, False: OFF}


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: where it stands, its default, its possible values and what it does.

    For a free text `can_be` is only a hint. With a `label` it is on the screen's page, where its
    lamp is off at the value `out`.
    """

    table: str
    key: str
    default: Value
    says: str
    can_be: Choices | Bounds | str
    label: str | None
    out: Value

    @property
    def name(self) -> str:
        return f"{self.table}.{self.key}"

    @property
    def values(self) -> str:
        match self.can_be:
            case Bounds(low, high):
                return f"{self.show(low)} to {self.show(high)}"
            case str(hint):
                return hint
            case choices:
                return ", ".join(map(self.show, choices))

    @property
    def choices(self) -> Choices:
        return self.can_be if isinstance(self.can_be, Mapping) else {}

    def show(self, value: Value) -> str:
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(self.can_be, Bounds):
            return f"0x{value:02X}" if self.can_be.is_address else f"{value:.12g}"
        return str(value)

    def beside(self, value: float, *, more: bool) -> Value:
        """The number after a tap: one step up or down, within its bounds."""
        assert isinstance(self.can_be, Bounds)
        step, count = self.can_be.step, round(value / self.can_be.step, 6)
        following = step * (math.floor(count) + 1 if more else math.ceil(count) - 1)
        within = min(max(following, self.can_be.low), self.can_be.high)
        return int(within) if isinstance(self.default, int) else round(within, 6)

    def of(self, settings: Settings) -> Value:
        value: Value = asdict(settings)[self.table][self.key]
        return value

    def read(self, reader: Reader) -> Value:
        """Read its value; faults are added to the reader's."""
        match self.can_be, self.default:
            case Bounds(low, high), int(default):
                return reader.whole(self.key, int(low), int(high), default)
            case Bounds(low, high), float(default):
                return reader.number(self.key, low, high, default)
            case Mapping() as choices, str(default):
                return reader.choice(self.key, map(str, choices), default)
            case _, default:
                return reader.take(self.key, type(default), default)


def setting(
    default: T,
    says: str,
    can_be: Offered | Bounds | str,
    label: Sentence | None = None,
    out: Value = False,
) -> T:
    """Declare a field that is a setting."""
    if isinstance(can_be, Mapping):
        can_be = {key: name if isinstance(name, str) else name() for key, name in can_be.items()}
    fields = {"default": default, "says": says, "can_be": can_be, "out": out}
    made: T = field(default=default, metadata={**fields, "label": label() if label else None})
    return made


# One schema, of which the file, `spotter settings` and the screen's page are made: a setting is a
# field of one of the classes below. The field is its key, the class its table of the TOML file, and
# `setting` says the rest. A new one is written there and nowhere else.
#
# Files are read as boards are, by `strict.Reader`, which names every fault at once. cattrs was not
# chosen: its nested exceptions would have to be turned into the same words, and Debian 12's names
# the field only in a note.

FILE = "settings.toml"
OWN, ENGRAVED = "own", "engraved"
ITSELF = "itself"


@dataclass(frozen=True, slots=True)
class BoardSettings:
    name: str = setting(
        "nannon-6",
        "the board in use",
        "a board's name or the path of a .toml file",
        Sentence("Board at the next start"),
    )


@dataclass(frozen=True, slots=True)
class PlaySettings:
    """When plays count, which side types its rolls, and how certain a play must be."""

    commit: str = setting(
        "button",
        "a play is confirmed by the button, or when the board settles",
        {"button": Sentence("button"), "settle": Sentence("automatically")},
        Sentence("Confirm plays"),
    )
    dice: str = setting(
        "device",
        "Spotter rolls, or both players enter real dice, or one does",
        {
            "device": Sentence("Spotter"),
            "typed": Sentence("manual for both"),
            "white": Sentence("manual for White"),
            "black": Sentence("manual for Black"),
        },
        Sentence("Dice"),
        out="device",
    )
    one_wrong_in: int = setting(
        10_000,
        "ask unless at most one play in this many would be wrong by the noise model",
        Bounds(1_000, 1_000_000_000),
    )
    automatic_doubles: int = setting(
        1, "how often tied opening rolls double the stake of a game at most", Bounds(0, 20)
    )
    machine_rolls: str = setting(
        ITSELF,
        "an engine rolls by itself, or when you press the button",
        {ITSELF: Sentence("automatically"), "button": Sentence("button")},
        Sentence("Spotter rolls"),
    )

    def types(self, side: Side) -> bool:
        return self.dice in ("typed", side.value)


@dataclass(frozen=True, slots=True)
class CoachSettings:
    """The coach, who judges every match when asked; `hints` applies from the next match on."""

    hints: str = setting(
        "unlimited",
        "matches with hints, from the next match on",
        {
            "never": Sentence("never"),
            "unlimited": Sentence("in unlimited games"),
            "always": Sentence("in every match"),
        },
        Sentence("Hints"),
        out="never",
    )
    costly: float = setting(
        0.06, "training takes decisions that cost more than this many points", Bounds(0.03, 1)
    )

    backlog: bool = setting(
        False,
        "analyse all stored matches in the background",
        SWITCH,
        Sentence("Analyse all matches"),
    )
    tutor: str = setting(
        "off",
        "speak up before a play, a double or its answer that costs too much is kept",
        {"off": OFF, "untimed": Sentence("without a clock"), "always": Sentence("in every match")},
        Sentence("Tutor"),
        out="off",
    )
    tutor_from: float = setting(
        0.12, "points of a plain game from which the tutor speaks up", Bounds(0.01, 1)
    )
    me: str = setting(
        "", "your name in imported matches; training and reports are about this player", "a name"
    )

    def speaks_up(self, terms: MatchTerms, *, agreed: bool = False) -> bool:
        """Whether the tutor warns in a match with these terms; `agreed`: the players want it."""
        by_rules = terms.locked or terms.policy is PlayPolicy.RESPONSIBLE
        timed = terms.clock.kind is not ClockKind.NONE
        wanted = agreed or self.tutor == "always" or (self.tutor == "untimed" and not timed)
        return wanted and not by_rules

    def allows(self, match_to: int | None) -> bool:
        """Whether a match of this length has hints; None is unlimited."""
        return self.hints == "always" or (self.hints == "unlimited" and match_to is None)


@dataclass(frozen=True, slots=True)
class TimesSettings:
    """Times in milliseconds."""

    debounce_ms: int = setting(5, "time a reed must be steady", Bounds(1, 50))
    placed_ms: int = setting(
        150, "time a checker must lie before the screen shows it", Bounds(50, 295)
    )
    grace_ms: int = setting(1500, "time before a warning about a wrong board", Bounds(300, 10_000))
    long_press_ms: int = setting(1000, "time that makes a press long", Bounds(400, 3000))


@dataclass(frozen=True, slots=True)
class ScreenSettings:
    theme: str = setting(
        "dark",
        "colours of the screen",
        {
            "dark": Sentence("dark"),
            "light": Sentence("light"),
            "contrast": Sentence("high contrast"),
        },
        Sentence("Colours"),
    )
    board: str = setting(
        "green",
        "colours of the board; in high contrast it is black",
        {
            "green": Sentence("green"),
            "red": Sentence("red"),
            "blue": Sentence("blue"),
            "grey": Sentence("grey"),
        },
        Sentence("Board colours"),
    )
    text: str = setting(
        "normal",
        "size of texts, where there is room",
        {"normal": Sentence("normal"), "large": Sentence("large")},
        Sentence("Text"),
        out="normal",
    )
    brightness: int = setting(
        100,
        "brightness in per cent, if the display allows it; 100 leaves it as it is at the start",
        Bounds(10, 100, step=10),
        Sentence("Brightness"),
    )
    language: str = setting(
        "en", "language of the screen and the OLED", LANGUAGES, Sentence("Language")
    )
    fullscreen: bool = setting(False, "fill the whole display", SWITCH, Sentence("Full screen"))
    animations: bool = setting(True, "animate dice and moves", SWITCH, Sentence("Animations"))
    turned: bool = setting(
        False, "flip the board for the player opposite", SWITCH, Sentence("Flip board")
    )
    turn_to_mover: bool = setting(
        False, "flip the board for Black's turns", SWITCH, Sentence("Flip each turn")
    )
    numbers: str = setting(
        OWN,
        "number the points from the mover's side, or as engraved (White's side)",
        {OWN: Sentence("mover's"), ENGRAVED: Sentence("engraved")},
        Sentence("Point numbers"),
        out=OWN,
    )

    tour_seen: bool = setting(False, "skip the tour at the start", SWITCH)
    rotation: int = setting(
        0,
        "degrees by which the picture is rotated clockwise, from the next start on",
        {0: "0", 90: "90", 180: "180", 270: "270"},
    )
    display: str = setting(
        "auto",
        "show the screen on the display, or use phones alone, from the next start on",
        {"auto": "auto", "none": "none"},
    )

    def turned_for(self, mover: Side) -> bool:
        """Whether the board is shown from Black's side while this side is to act."""
        return self.turned is not (self.turn_to_mover and mover is Side.BLACK)

    def numbering(self, by_black: bool) -> Numbering:
        """Whose numbers the displays use for points, where each side has its own."""
        if self.numbers == ENGRAVED:
            return Numbering.ENGRAVED
        return Numbering.BLACK if by_black else Numbering.WHITE


@dataclass(frozen=True, slots=True)
class SoundSettings:
    on: bool = setting(True, "play sounds", SWITCH, Sentence("Sound"))
    volume: float = setting(0.8, "volume", Bounds(0.0, 1.0, step=0.1), Sentence("Volume"))


@dataclass(frozen=True, slots=True)
class SpeechSettings:
    """The voice; `voice` is "espeak", a Piper voice's .onnx file, or a folder of recordings."""

    told: str = setting(
        "off",
        "what Spotter says aloud; all includes the screen's pages, for players who cannot see it",
        {
            "off": Sentence("nothing"),
            "warnings": Sentence("warnings"),
            "rolls": Sentence("rolls and warnings"),
            "plays": Sentence("rolls, plays and warnings"),
            "all": Sentence("everything"),
            "spectators": Sentence("for spectators"),
        },
        Sentence("Speech"),
        out="off",
    )
    names: str = setting(
        "names",
        "what speech calls the players; you is whoever plays against Spotter",
        {
            "names": Sentence("names"),
            "colours": Sentence("colours"),
            "you": Sentence("you and opponent"),
        },
        Sentence("Spoken names"),
        out="names",
    )
    rate: int = setting(190, "speed of the voice in words a minute", Bounds(120, 300))
    volume: float = setting(
        0.8, "volume of the voice", Bounds(0.0, 1.0, step=0.1), Sentence("Voice volume")
    )
    voice: str = setting(
        "espeak",
        "espeak, the .onnx file of a Piper voice, or a folder of recorded words",
        "espeak, a .onnx file, or a folder",
    )


@dataclass(frozen=True, slots=True)
class OledSettings:
    """The small display; `chip` is "none" if there is none."""

    chip: str = setting(
        "ssd1306",
        "chip of the OLED, or none",
        {"ssd1306": "SSD1306", "sh1106": "SH1106", "ssd1309": "SSD1309", "none": "none"},
    )
    port: int = setting(1, "its I2C bus", Bounds(0, 20))
    address: int = setting(0x3C, "its I2C address", Bounds(0x08, 0x77, is_address=True))


@dataclass(frozen=True, slots=True)
class ScannerSettings:
    port: str = setting(
        "auto", "serial port of a large board's scanner", "auto, or the path of a serial port"
    )


@dataclass(frozen=True, slots=True)
class ClubSettings:
    """The club that this board belongs to; `spotter club join` sets all of it."""

    on: bool = setting(False, "send every match to the club, from the next start on", SWITCH)
    brokers: str = setting("", "addresses of the club's brokers", "host:port, apart by commas")
    board: str = setting("", "this board's account", "the account of this board")
    password_file: str = setting("", "file of the account's password", "the path of a file")
    ca_file: str = setting("", "file of the club's certificate", "the path of a .pem file")
    wall: str = setting("", "address of the club's wall; the menu shows its QR code", "an address")


@dataclass(frozen=True, slots=True)
class FriendsSettings:
    """Friends far away, met by a code."""

    broker: str = setting("", "broker at which friends meet", "host:port, or a URL such as wss://…")
    ca_file: str = setting("", "certificate of that broker's authority", "the path of a .pem file")


@dataclass(frozen=True, slots=True)
class PhonesSettings:
    """Browsers of this network as further screens."""

    on: bool = setting(False, "let phones of the same network be screens", SWITCH)
    port: int = setting(8090, "port of the page for phones", Bounds(1024, 65535))


@dataclass(frozen=True, slots=True)
class Settings:
    board: BoardSettings = BoardSettings()
    play: PlaySettings = PlaySettings()
    times: TimesSettings = TimesSettings()
    screen: ScreenSettings = ScreenSettings()
    sound: SoundSettings = SoundSettings()
    oled: OledSettings = OledSettings()
    scanner: ScannerSettings = ScannerSettings()
    coach: CoachSettings = CoachSettings()
    club: ClubSettings = ClubSettings()
    speech: SpeechSettings = SpeechSettings()
    phones: PhonesSettings = PhonesSettings()
    friends: FriendsSettings = FriendsSettings()

    def changed(self, name: str, value: Value) -> Settings:
        """Return the settings with one of them, by name, changed. Raises ConfigError for an
        impossible value."""
        table, _, key = name.partition(".")
        tables = asdict(self)
        tables.setdefault(table, {})[key] = value
        return _structured("the settings", tables)


def _tables() -> dict[str, Any]:
    return {table.name: table.default for table in fields(Settings)}


SETTINGS: Mapping[str, Setting] = {
    one.name: one
    for name, table in _tables().items()
    for one in (Setting(name, part.name, **part.metadata) for part in fields(table))
}
"""Every setting by its name, such as "times.grace_ms"."""


def config_file() -> Path:
    return platformdirs.user_config_path("spotter") / FILE


def club_folder() -> Path:
    """Where a board that has joined a club stores its card."""
    return config_file().parent / "club"


def read_settings(file: str, text: str) -> Settings:
    return _structured(file, parse_toml(file, text))


def load_settings(file: Path | None = None) -> Settings:
    """Read the settings, by default the user's; without a file the defaults.

    Raises ConfigError, which names the file and every fault in it.
    """
    file = file or config_file()
    try:
        text = read_text(file)
    except FileNotFoundError:
        return Settings()
    except (OSError, ValueError) as error:
        reason = f"cannot be read: {why(error)}; fix it or delete it"
        raise ConfigError(str(file), [reason]) from error
    return read_settings(str(file), text)


def write_settings(settings: Settings) -> str:
    return tomli_w.dumps(asdict(settings))


def save_settings(settings: Settings, file: Path | None = None) -> None:
    """Save atomically, by default to the user's file.

    Raises ConfigError if it cannot be written.
    """
    file = file or config_file()
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_text(file, write_settings(settings))
    except OSError as error:
        reason = f"cannot be written: {error}; make its folder writable"
        raise ConfigError(str(file), [reason]) from error


def _structured(file: str, tables: Mapping[str, object]) -> Settings:
    reader = Reader(tables)
    readers = {name: reader.table(name) for name in _tables()}
    values: dict[str, dict[str, Value]] = {name: {} for name in readers}
    for one in SETTINGS.values():
        values[one.table][one.key] = one.read(readers[one.table])
    for name, table in readers.items():
        table.done(", ".join(values[name]))
    reader.done(", ".join(f"[{name}]" for name in readers))
    if reader.faults:
        raise ConfigError(file, reader.faults)
    return Settings(**{name: replace(table, **values[name]) for name, table in _tables().items()})
