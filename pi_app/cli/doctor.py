"""`spotter doctor`, `scanner` and `settings`: check this computer, its scanner and its settings."""

from __future__ import annotations

import argparse
import getpass
import grp
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from enum import Enum
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any, TypeVar

from pi_app.base.microseconds import Us
from pi_app.base.strict import ConfigError
from pi_app.base.values import dataclass
from pi_app.boards import load_board
from pi_app.cli.arguments import Parser, open_scanner
from pi_app.cli.ending import Status
from pi_app.cli.first_time import chosen, go_through, listed
from pi_app.devices.gpio import GpioBoard, open_factory
from pi_app.devices.oled import LumaOled
from pi_app.devices.scanner import (
    contacts_of,
    fresh_token,
    hitches,
    matrix_of,
    silent_sensors,
    wired_cells,
)
from pi_app.devices.scanner_port import Port, converse, find_port
from pi_app.devices.source import DeviceError
from pi_app.games.equipment import Compendium
from pi_app.journal.disk import is_volatile
from pi_app.journal.lock import find_holder
from pi_app.journal.opening import LOCK, data_folder
from pi_app.link.messages import (
    BUILD,
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_ROWS,
    CellKind,
    Fault,
    Geometry,
    Hello,
)
from pi_app.link.session import (
    Changed,
    HostSession,
    LinkEvent,
    LinkLost,
    LinkState,
    MatrixPicture,
    Up,
)
from pi_app.link.strips import RowColumn
from pi_app.players.contract import Contender
from pi_app.rules.contract import Games
from pi_app.sensing.description import Board, Sensor
from pi_app.user.settings import (
    SETTINGS,
    OledSettings,
    Settings,
    SoundSettings,
    SpeechSettings,
    config_file,
    load_settings,
)
from pi_app.words.texts import columns

GROUPS = ("gpio", "i2c", "dialout", "video", "render")
PYTHON = (3, 11)
SPACE_MB = 50
FAST_I2C_HZ = 400_000
DISPLAY_S = 20
SCANNER_S = 5.0
"""Seconds to wait for a scanner; an Arduino starts two seconds after its port is opened."""
LEVELS_S = 15.0
"""Seconds to wait for the strips; one is asked each time the scanner sends, ten times a second."""
MIDDLE = 512
"""The middle of the converter's range, in steps."""
_SETTLED = (LinkState.UP, LinkState.REFUSED, LinkState.STRANGE, LinkState.UNFIT, LinkState.BROKEN)


class CheckState(Enum):
    OK = "ok"
    FAIL = "FAIL"
    UNKNOWN = "?"


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a check; `remedy` is the command or act that fixes or improves it."""

    state: CheckState
    text: str
    remedy: str | None = None


def well(text: str, remedy: str | None = None) -> Checked:
    return Checked(CheckState.OK, text, remedy)


def ill(text: str, remedy: str) -> Checked:
    return Checked(CheckState.FAIL, text, remedy)


def unsure(text: str) -> Checked:
    return Checked(CheckState.UNKNOWN, text)


class InUseError(Exception):
    """A running Spotter uses this device, so the check leaves it alone."""

    def __init__(self, process: str) -> None:
        super().__init__(f"in use by Spotter (process {process}); close it to have this tried")


@dataclass(frozen=True, slots=True)
class Machine:
    """This computer as its files describe it; `root` is put before every path."""

    root: Path = Path("/")

    @property
    def is_pi(self) -> bool:
        return "Raspberry Pi" in self.read("proc/device-tree/model")

    def read(self, path: str) -> str:
        return self.read_bytes(path).decode("utf-8", "replace")

    def read_bytes(self, path: str) -> bytes:
        """Empty if the file cannot be read."""
        try:
            return (self.root / path).read_bytes()
        except OSError:
            return b""

    def lacks(self, text: str, remedy: str) -> Checked:
        """A failure on a Raspberry Pi; on other computers the check does not apply."""
        if self.is_pi:
            return ill(text, remedy)
        return unsure(f"{text}; this computer is no Raspberry Pi")


def check_python(version: tuple[int, ...]) -> Checked:
    text = ".".join(map(str, version[:3]))
    if version >= PYTHON:
        return well(text)
    return ill(f"{text} is too old", "sudo apt install python3.11")


def check_pygame(installed: Collection[str]) -> Checked:
    """pygame and pygame-ce break each other: exactly one must be installed."""
    there = {name.lower().replace("_", "-") for name in installed} & {"pygame", "pygame-ce"}
    pip = f"{sys.executable} -m pip"
    if len(there) == 2:
        remedy = f"{pip} uninstall -y pygame pygame-ce && {pip} install pygame"
        return ill("pygame and pygame-ce are both installed and break each other", remedy)
    if not there:
        return ill("is not installed", f"{pip} install pygame")
    return well(f"{there.pop()} alone")


def check_config(load: Callable[[], object], file: str) -> Checked:
    try:
        load()
    except ConfigError as error:
        return ill(str(error), f'nano "{error.file}"')
    return well(file)


def check_pins(machine: Machine, board: Board, open_factory: Callable[[], Any]) -> Checked:
    if not machine.is_pi:
        return machine.lacks("there are none to try", "")
    with closing(open_factory()) as factory:
        gpio = GpioBoard(board, factory, lambda: Us(0), lambda _: None)
        closed = sorted(gpio.picture().closed)
        gpio.close()
    both = [reed.name for reed in board.reeds if reed.tells_side and {*reed.sensors} <= {*closed}]
    if both:
        text = f"both sides are felt at once on: {', '.join(both)}"
        return ill(text, "look for a short circuit there; then run: spotter walk")
    now = ", ".join(closed) or "none"
    return well(f"{len(board.sensors)} sensors can be read; closed now: {now}")


def check_scanner(
    geometry: Geometry,
    connect: Callable[[], Port],
    seconds: Callable[[], float] = time.monotonic,
    wired: frozenset[RowColumn] | None = None,
) -> Checked:
    port = connect()
    session = HostSession(geometry, fresh_token, wired)
    remedy = "end Spotter, then run: spotter scanner --flash"
    end = seconds() + SCANNER_S
    try:
        for _ in converse(session, port, lambda: Us(round(seconds() * 1e6))):
            if session.state in _SETTLED or seconds() > end:
                break
    except Exception as error:  # a port can die in any way
        return ill(f"the port died: {error}", "plug it in again")
    finally:
        port.close()
    if session.state is LinkState.BROKEN:
        return ill(session.trouble or "", "spotter doctor   (again, when it is fixed)")
    if session.closed is None:
        return ill(session.trouble or "no answer", remedy)
    if silent := "\n".join(silent_sensors(session.silent)):
        return ill(silent, "check its solder joints")
    cells = f"{geometry.rows} × {geometry.columns} cells, {len(session.closed)} closed now"
    hello = session.hello
    if hello is not None and hello.build == BUILD:
        return well(f"{cells}; firmware {BUILD:08x}")
    theirs = f"{hello.build:08x}" if hello is not None and hello.build else "of protocol 1"
    return well(f"{cells}; firmware {theirs}, this Spotter's is {BUILD:08x}", remedy)


def check_i2c(machine: Machine, port: int) -> Checked:
    device = machine.root / f"dev/i2c-{port}"
    if not device.exists():
        on = "sudo raspi-config nonint do_i2c 0"
        return machine.lacks(f"bus {port} is off: no {device}", on)
    if not os.access(device, os.R_OK | os.W_OK):
        return ill(f"{device} may not be used", "sudo usermod -aG i2c $USER   (then log in again)")
    return well(f"bus {port} is on")


def check_i2c_speed(machine: Machine, port: int) -> Checked:
    """A slow bus is no failure: the OLED only lags behind."""
    speed = machine.read_bytes(f"sys/class/i2c-adapter/i2c-{port}/of_node/clock-frequency")
    if len(speed) != 4:
        return unsure(f"bus {port} does not tell")
    hertz = int.from_bytes(speed, "big")
    text = f"{hertz // 1000} kHz"
    if hertz >= FAST_I2C_HZ:
        return well(text)
    remedy = "echo dtparam=i2c_arm_baudrate=400000 | sudo tee -a /boot/firmware/config.txt"
    said = f"{text}; the OLED is drawn four times as fast at 400 kHz"
    return well(said, f"{remedy} && sudo reboot")


def check_oled(machine: Machine, oled: OledSettings, connect: Callable[[], Any]) -> Checked:
    where = f"0x{oled.address:02X} on bus {oled.port}"
    if oled.chip == "none":
        return well("none, as the settings say")
    if not (machine.root / f"dev/i2c-{oled.port}").exists():
        return unsure(f"without bus {oled.port} nobody can ask it")
    try:
        connect().cleanup()
    except InUseError:
        raise
    except Exception as error:  # a bus can fail in any way
        remedy = f"sudo i2cdetect -y {oled.port}   (shows who answers; check wires and [oled])"
        return ill(f"no {oled.chip} answers at {where}: {error}", remedy)
    return well(f"{oled.chip} answers at {where}")


def check_sound(machine: Machine, sound: SoundSettings) -> Checked:
    if not sound.on:
        return well("off, as the settings say")
    cards = machine.read("proc/asound/cards").strip()
    if not cards or "no soundcards" in cards:
        remedy = "sudo raspi-config   (System, Audio), or set on = false under [sound]"
        return machine.lacks("no sound card; Spotter plays silently", remedy)
    return well(cards.splitlines()[0].strip())


def check_voice(
    speech: SpeechSettings, find: Callable[[str], str | None] = shutil.which
) -> Checked:
    """Say what speaks, or would speak if speech were on."""
    is_piper = speech.voice.endswith(".onnx")
    named = Path(speech.voice).expanduser()
    if speech.voice != "espeak" and not named.exists():
        return ill(f"{named} is not there", "set voice under [speech] in the settings")
    if speech.voice != "espeak" and not is_piper:
        return well(str(named))
    program = "piper" if is_piper else "espeak-ng"
    if path := find(program):
        return well(path)
    silent = f"{program} is missing; nothing can be spoken"
    if speech.told == "off":
        return well(silent)
    return ill(silent, "pip install piper-tts" if is_piper else "sudo apt install espeak-ng")


def check_display(machine: Machine, probe: Callable[[], str]) -> Checked:
    """`probe` names SDL's video driver or raises OSError."""
    try:
        driver = probe()
    except OSError as error:
        remedy = "start it in the desktop session, or: sudo usermod -aG video,render,input $USER"
        return machine.lacks(f"none can be opened: {error}", remedy)
    if driver in ("dummy", "offscreen"):
        return unsure(f"SDL has only {driver!r}: nothing would be seen")
    return well(f"SDL's driver is {driver}")


def probe_display() -> str:
    """In a process of its own, because a bad driver may hang."""
    script = "import pygame; pygame.display.init(); print(pygame.display.get_driver())"
    try:
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYGAME_HIDE_SUPPORT_PROMPT": "1"},
            capture_output=True,
            text=True,
            timeout=DISPLAY_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise OSError(f"no answer within {DISPLAY_S} seconds") from None
    if done.returncode:
        raise OSError((done.stderr.strip().splitlines() or ["it crashed"])[-1])
    return done.stdout.strip()


def check_storage(folder: Path, is_forgetful: Callable[[Path], bool] = is_volatile) -> Checked:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".doctor-") as scratch:
            mode = _journal_mode(Path(scratch) / "try.db")
    except (OSError, sqlite3.Error) as error:
        remedy = f'sudo mkdir -p "{folder}" && sudo chown -R $USER "{folder}"'
        return ill(f"{folder} cannot be written: {error}", remedy)
    if mode != "wal":
        text = f"SQLite's write-ahead log does not work in {folder}"
        return ill(text, "export XDG_DATA_HOME=…   (a folder on a local disk)")
    if is_forgetful(folder):
        remedy = "sudo raspi-config nonint do_overlayfs 1 && sudo reboot"
        return ill(f"{folder} is lost at reboot", remedy)
    return well(f"{folder} keeps what is written")


def _journal_mode(file: Path) -> str:
    with closing(sqlite3.connect(file)) as db:
        mode = str(db.execute("PRAGMA journal_mode = WAL").fetchone()[0])
        db.execute("CREATE TABLE try (line TEXT)")
        db.commit()
    return mode


def check_space(folder: Path, free: Callable[[Path], int] | None = None) -> Checked:
    """`free` returns bytes."""
    while not folder.exists():
        folder = folder.parent
    left = free(folder) if free else shutil.disk_usage(folder).free
    megabytes = left // 1_000_000
    if megabytes < SPACE_MB:
        text = f"{megabytes} MB are left on the disk of {folder}; {SPACE_MB} are needed"
        return ill(text, "sudo apt clean")
    return well(f"{megabytes} MB")


def check_players(contenders: Iterable[Contender]) -> Checked:
    lacks = (contender.missing() or contender.weaker() for contender in contenders)
    reasons = list(dict.fromkeys(map(str, filter(None, lacks))))
    return well("\n".join(reasons) or "the machine's players are all here, at their best")


def check_groups(
    machine: Machine, user: str, members: Mapping[str, Collection[str]], current: Collection[str]
) -> Checked:
    """`members` lists the users of each group, `current` the groups of this session."""
    if user == "root":
        return well("root needs none")
    if not machine.is_pi:
        return machine.lacks("only the board's hardware needs them", "")
    lacking = [group for group in GROUPS if group in members and group not in current]
    joined = [group for group in lacking if user in members[group]]
    if lacking and lacking == joined:
        return ill(f"{', '.join(joined)} count from the next login on", "sudo reboot")
    if lacking:
        left = [group for group in lacking if group not in joined]
        remedy = f"sudo usermod -aG {','.join(left)} {user}   (then log in again)"
        return ill(f"{user} is not in {', '.join(left)}", remedy)
    return well(f"{user} is in {', '.join(g for g in GROUPS if g in current)}")


def read_groups(text: str) -> Mapping[str, frozenset[str]]:
    rows = (line.split(":") for line in text.splitlines())
    return {row[0]: frozenset(filter(None, row[3].split(","))) for row in rows if len(row) == 4}


T = TypeVar("T")

_STATE_WIDTH, _NAME_WIDTH = 6, 12


def examine(argv: list[str], games: Compendium) -> int:
    parser = Parser("doctor", "Check this computer and suggest repairs.")
    parser.flag("--first-time", "ask for what only an owner can observe")
    if parser.parse_args(argv).first_time:
        return _ask_owner(games)
    results = []
    for name, check in all_checks(Machine(), games):
        results.append(tried(check))
        print(render(name, results[-1]), flush=True)
    print(verdict(results))
    failed = any(result.state is CheckState.FAIL for result in results)
    return Status.FAILED if failed else Status.DONE


def _ask_owner(games: Compendium) -> int:
    """Ask the questions one by one on a terminal, else print them as a list."""
    observations = chosen(load_board(load_settings().board.name, games.rules).scanner is not None)
    if not sys.stdin.isatty():
        print(listed(observations))
        return Status.DONE
    return go_through(observations, input)


def tried(check: Callable[[], Checked]) -> Checked:
    try:
        return check()
    except DeviceError as error:
        return ill(error.what, error.remedy)
    except InUseError as error:
        return unsure(str(error))
    except Exception as error:  # a doctor does not fall ill
        return unsure(f"could not be checked: {type(error).__name__}: {error}")


def all_checks(
    machine: Machine, compendium: Compendium
) -> Iterator[tuple[str, Callable[[], Checked]]]:
    games = compendium.rules
    settings = Settings()
    with suppress(ConfigError):
        settings = load_settings()
    oled = settings.oled
    data = data_folder()
    running = find_holder(data / LOCK)
    yield "Python", partial(check_python, sys.version_info[:3])
    yield (
        "pygame",
        lambda: check_pygame([str(d.metadata["Name"]) for d in metadata.distributions()]),
    )
    file = config_file()
    source = str(file) if file.exists() else "the defaults; there is no settings.toml"
    yield "settings", partial(check_config, load_settings, source)
    name = settings.board.name
    yield "board", partial(check_config, lambda: load_board(name, games), name)
    lgpio = _unless_in_use(partial(open_factory, "lgpio"), running)
    yield "pins", lambda: check_pins(machine, load_board(name, games), lgpio)
    yield from _scanner_checks(settings, games, running)
    yield "I2C", partial(check_i2c, machine, oled.port)
    yield "I2C speed", partial(check_i2c_speed, machine, oled.port)
    connect = _unless_in_use(partial(LumaOled, oled.chip, oled.port, oled.address), running)
    yield "OLED", partial(check_oled, machine, oled, connect)
    yield "sound", partial(check_sound, machine, settings.sound)
    yield "voice", partial(check_voice, settings.speech)
    probe = _unless_in_use(probe_display, running)
    yield "display", partial(check_display, machine, probe)
    players = (player for game in compendium.games for player in game.players)
    yield "players", partial(check_players, players)
    yield "storage", partial(check_storage, data)
    yield "free space", partial(check_space, data)
    yield "groups", lambda: _groups(machine)


def render(name: str, result: Checked) -> str:
    head = f"{result.state.value:<{_STATE_WIDTH}}{name:<{_NAME_WIDTH}}"
    margin = " " * (_STATE_WIDTH + _NAME_WIDTH)
    text = result.text.replace("\n", f"\n{margin}")
    remedy = f"\n{margin}→ {result.remedy}" if result.remedy else ""
    return f"{head}{text}{remedy}"


def verdict(results: Iterable[Checked]) -> str:
    states = [result.state for result in results]
    failed, unknown = states.count(CheckState.FAIL), states.count(CheckState.UNKNOWN)
    said = f"{failed} to fix" if failed else "Nothing to fix"
    return f"{said}; {unknown} could not be checked here." if unknown else f"{said}."


def _unless_in_use(touch: Callable[[], T], running: str | None) -> Callable[[], T]:
    """Refuse with InUseError if a running Spotter holds the device."""

    def refuse() -> T:
        raise InUseError(str(running))

    return refuse if running else touch


def _scanner_checks(
    settings: Settings, games: Games, running: str | None
) -> Iterator[tuple[str, Callable[[], Checked]]]:
    board, port = None, None
    with suppress(ConfigError):
        board = load_board(settings.board.name, games)
    with suppress(DeviceError):
        port = find_port(settings.scanner.port)
    if board and board.scanner:
        geometry = matrix_of(board, settings.times.debounce_ms)
        connect = _unless_in_use(partial(open_scanner, settings), running)
        yield "scanner", partial(check_scanner, geometry, connect, wired=wired_cells(board))
    elif port:
        needless = f"{port} may be one; board {settings.board.name!r} needs none"
        yield "scanner", partial(well, needless)


def _groups(machine: Machine) -> Checked:
    members = read_groups(machine.read("etc/group"))
    current = []
    for number in {os.getgid(), *os.getgroups()}:
        with suppress(KeyError):
            current.append(grp.getgrgid(number).gr_name)
    return check_groups(machine, getpass.getuser(), members, current)


PROGRAM = Path(__file__).parents[2] / "firmware" / "scanner.hex"
"""The scanner's program, in the source folder and in the Debian package."""


def print_scanner(argv: list[str], games: Compendium) -> int:
    """Print what the scanner sends until the time is over or Ctrl-C. Fails if the port cannot be
    used."""
    args = _parser().parse_args(argv)
    settings = load_settings()
    if args.port:
        settings = settings.changed("scanner.port", args.port)
    if args.flash:
        return _flash(find_port(settings.scanner.port))
    geometry, names = _matrix(args, settings, games.rules)
    if args.levels:
        return _print_levels(geometry, frozenset(names), partial(open_scanner, settings))
    return _listen(geometry, names, partial(open_scanner, settings), args.seconds)


def _parser() -> argparse.ArgumentParser:
    parser = Parser("scanner", "Print a connected reed scanner's messages, one line a change.")
    parser.takes("--port", "P", "its serial port; by default as in settings")
    parser.takes("--board", "NAME", "the board whose sensors are named")
    parser.takes("--rows", "R", "of a matrix without a board", int)
    parser.takes("--columns", "C", "of a matrix without a board", int)
    parser.takes("--seconds", "S", "so long; by default until ^C", float)
    parser.flag("--levels", "print once what the Hall sensors say, and end")
    parser.flag("--flash", "write the scanner's program to it, and end")
    return parser


def _matrix(
    args: argparse.Namespace, settings: Settings, games: Games
) -> tuple[Geometry, Mapping[RowColumn, Sensor]]:
    debounce_ms = settings.times.debounce_ms
    if args.rows is not None or args.columns is not None:
        geometry = Geometry(args.rows or 0, args.columns or 0, debounce_ms)
        if args.board or geometry.fault() is not Fault.NONE:
            most = f"1 to {MOST_ROWS} rows and 1 to {MOST_COLUMNS} columns, {MOST_CELLS} cells"
            raise ConfigError("scanner", [f"give {most} at most, or a board"])
        return geometry, {}
    board = load_board(args.board or settings.board.name, games)
    if board.scanner is None:
        reason = "it has no scanner; give --rows and --columns, or another --board"
        raise ConfigError(board.name, [reason])
    return matrix_of(board, debounce_ms), contacts_of(board)


def _flash(port: str) -> int:
    """Write the scanner's program with avrdude, which reads it back and compares."""
    if not PROGRAM.is_file():
        raise DeviceError(
            f"{PROGRAM} is not there", "use Spotter's package or its source folder, which have it"
        )
    if running := find_holder(data_folder() / LOCK):
        raise DeviceError(f"Spotter (process {running}) uses the scanner", "end it first")
    if (avrdude := shutil.which("avrdude")) is None:
        raise DeviceError("avrdude is missing", "run: sudo apt install avrdude")
    words = [avrdude, "-p", "atmega2560", "-c", "wiring", "-P", port, "-b", "115200", "-D"]
    done = subprocess.run([*words, "-U", f"flash:w:{PROGRAM}:i"], check=False)
    if done.returncode:
        raise DeviceError(
            f"avrdude has not flashed the scanner at {port}",
            "see its last lines above; unplug the Mega, plug it in and try again",
        )
    print(f"The scanner at {port} has Spotter's program.")
    return Status.DONE


def _print_levels(
    geometry: Geometry, contacts: frozenset[RowColumn], connect: Callable[[], Port]
) -> int:
    wired = frozenset(contact[:2] for contact in contacts)
    session = HostSession(geometry, fresh_token, wired)
    with closing(connect()) as port:
        print("\n".join(level_lines(session, port, time.monotonic)))
    return Status.DONE if len(session.levels) == geometry.rows else Status.FAILED


def level_lines(session: HostSession, port: Port, seconds: Callable[[], float]) -> Iterator[str]:
    """Yield one line for each strip: each sensor's level in steps from its zero; if that is
    unknown, from the middle with a question mark. A millitesla is 4.65 steps.

    Strips that do not answer in time are left out, with the reason.
    """
    at, end = session.geometry, seconds() + LEVELS_S
    for _ in converse(session, port, lambda: Us(round(seconds() * 1e6))):
        missing = [row for row in range(at.rows) if row not in session.levels]
        if not missing or seconds() > end:
            break
        if session.closed is not None and at.kind == CellKind.HALL:
            session.ask_levels(missing[0])
    heads = [f"A{column}" for column in range(at.columns)]
    rows = [
        (str(row + 1), *map(_level_text, levels)) for row, levels in sorted(session.levels.items())
    ]
    yield columns([("strip", *heads), *rows])
    yield from silent_sensors(session.silent)
    if len(rows) < at.rows:
        yield session.trouble or "the scanner does not tell levels"


def _level_text(read: tuple[int, int]) -> str:
    level, zero = read
    return f"{level - zero:+d}" if zero else f"{level - MIDDLE:+d}?"


def _listen(
    geometry: Geometry,
    names: Mapping[RowColumn, Sensor],
    connect: Callable[[], Port],
    seconds: float | None,
) -> int:
    session, began = HostSession(geometry, fresh_token), time.monotonic()
    shown = False
    with closing(connect()) as port:
        try:
            for line in _lines(session, names, port):
                shown = shown or session.closed is not None
                if line:
                    print(line, flush=True)
                if seconds is not None and time.monotonic() - began >= seconds:
                    break
        except KeyboardInterrupt:
            print()
        except Exception as error:  # a port can die in any way
            raise DeviceError(f"the port died: {error}", "plug it in again") from error
    print(f"{session.counters.frames} frames, {hitches(session.counters)}")
    if session.trouble:
        print(session.trouble)
    return Status.DONE if shown else Status.FAILED


def _lines(
    session: HostSession, names: Mapping[RowColumn, Sensor], port: Port
) -> Iterator[str | None]:
    """Yield a line per event, or None while nothing happens."""
    began = time.monotonic_ns()
    hello: Hello | None = None
    trouble: str | None = None
    for events in converse(session, port, lambda: Us((time.monotonic_ns() - began) // 1000)):
        yield None
        if session.hello is not None and session.hello != hello:
            hello = session.hello
            yield f"{'':>9}  {_hello_line(hello)}"
        if session.trouble and session.trouble != trouble:
            yield f"{'':>9}  {session.trouble}"
        trouble = session.trouble
        yield from (f"{event.us / 1e6:9.4f}  {_event_line(event, names)}" for event in events)


def _hello_line(hello: Hello) -> str:
    at = hello.geometry
    matrix = f"{at.rows} × {at.columns}, {at.debounce_ms} ms" if hello.token else "not configured"
    cause = hello.cause.name.lower().replace("_", "-")
    faults = f"{hello.bad_frames} bad frames, {hello.overruns} overruns"
    build = f"firmware {hello.build:08x}" if hello.build else "firmware of protocol 1"
    return f"hello: {matrix}; {build}; began by {cause}; {faults}"


def _event_line(event: LinkEvent, names: Mapping[RowColumn, Sensor]) -> str:
    match event:
        case Up():
            return "up"
        case LinkLost(why=why):
            return f"lost: {why}"
        case MatrixPicture(closed=closed):
            return f"picture: {', '.join(_named(sorted(closed), names)) or 'all open'}"
        case Changed(place=place, closed=closed):
            (name,) = _named([place], names)
            return f"{name} {'closed' if closed else 'opened'}"


def _named(places: Iterable[RowColumn], names: Mapping[RowColumn, Sensor]) -> Iterator[str]:
    for place in places:
        name = names.get(place)
        yield f"row {place[0]} column {place[1]}" if name is None else str(name)


def print_settings(argv: list[str], _games: Compendium) -> int:
    Parser("settings", "Show every setting, its value and what it can be.").parse_args(argv)
    print(f"{config_file()}\n\n{describe(load_settings())}")
    return Status.DONE


def describe(settings: Settings) -> str:
    rows = (
        (name, one.show(one.of(settings)), one.values, one.says) for name, one in SETTINGS.items()
    )
    return columns([("setting", "value", "can be", "what it does"), *rows])
