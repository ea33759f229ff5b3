"""`spotter doctor`: looks at the machine and says, for all that is wrong, what mends it."""

from __future__ import annotations

import getpass
import grp
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from importlib import metadata
from typing import TypeVar

from pi_app.boards import load_board
from pi_app.cli import checks
from pi_app.cli.arguments import Parser
from pi_app.cli.checks import Checked, CheckState, InUseError, Machine
from pi_app.cli.ending import Status
from pi_app.devices.gpio import open_factory
from pi_app.devices.oled import LumaOled
from pi_app.devices.ports import find_port
from pi_app.devices.scanner_feed import matrix_of
from pi_app.devices.source import DeviceError
from pi_app.games.equipment import Compendium
from pi_app.journal.lock import find_holder
from pi_app.journal.opening import LOCK, data_folder
from pi_app.rules.contract import Games
from pi_app.settings import Settings, config_file, load_settings
from pi_app.strict import ConfigError

T = TypeVar("T")

_STATE_WIDTH, _NAME_WIDTH = 6, 12


def run(argv: list[str], games: Compendium) -> int:
    """Check everything and print a line a check; failed if anything is to mend."""
    Parser("doctor", "Check this computer, and say what mends it.").parse_args(argv)
    results = []
    for name, check in all_checks(Machine(), games):
        results.append(tried(check))
        print(render(name, results[-1]), flush=True)
    print(verdict(results))
    failed = any(result.state is CheckState.FAIL for result in results)
    return Status.FAILED if failed else Status.DONE


def tried(check: Callable[[], Checked]) -> Checked:
    """The result of a check; that one breaks is a result as well."""
    try:
        return check()
    except DeviceError as error:
        return checks.ill(error.what, error.mend)
    except InUseError as error:
        return checks.unsure(str(error))
    except Exception as error:  # a doctor does not fall ill
        return checks.unsure(f"could not be checked: {type(error).__name__}: {error}")


def all_checks(
    machine: Machine, compendium: Compendium
) -> Iterator[tuple[str, Callable[[], Checked]]]:
    """Every check of this machine, under its name."""
    games = compendium.rules
    settings = Settings()
    with suppress(ConfigError):
        settings = load_settings()
    oled = settings.oled
    data = data_folder()
    running = find_holder(data / LOCK)
    yield "Python", partial(checks.check_python, sys.version_info[:3])
    yield "pygame", lambda: checks.check_pygame(_installed())
    yield "settings", partial(checks.check_config, load_settings, _settings_file())
    name = settings.board.name
    yield "board", partial(checks.check_config, lambda: load_board(name, games), name)
    lgpio = _unless_in_use(_lgpio, running)
    yield "pins", lambda: checks.check_pins(machine, load_board(name, games), lgpio)
    yield from _scanner_checks(settings, games, running)
    yield "I2C", partial(checks.check_i2c, machine, oled.port)
    yield "I2C speed", partial(checks.check_i2c_speed, machine, oled.port)
    connect = _unless_in_use(partial(LumaOled, oled.chip, oled.port, oled.address), running)
    yield "OLED", partial(checks.check_oled, machine, oled, connect)
    yield "sound", partial(checks.check_sound, machine, settings.sound)
    probe = _unless_in_use(checks.probe_display, running)
    yield "display", partial(checks.check_display, machine, probe)
    players = (player for game in compendium.games for player in game.players)
    yield "players", partial(checks.check_players, players)
    yield "storage", partial(checks.check_storage, data)
    yield "free space", partial(checks.check_space, data)
    yield "groups", lambda: _groups(machine)


def render(name: str, result: Checked) -> str:
    """A result as people read it; the mend stands below."""
    head = f"{result.state.value:<{_STATE_WIDTH}}{name:<{_NAME_WIDTH}}"
    margin = " " * (_STATE_WIDTH + _NAME_WIDTH)
    text = result.text.replace("\n", f"\n{margin}")
    mend = f"\n{margin}→ {result.mend}" if result.mend else ""
    return f"{head}{text}{mend}"


def verdict(results: Iterable[Checked]) -> str:
    """One line for all."""
    states = [result.state for result in results]
    failed, unknown = states.count(CheckState.FAIL), states.count(CheckState.UNKNOWN)
    said = f"{failed} to mend" if failed else "Nothing to mend"
    return f"{said}; {unknown} could not be checked here." if unknown else f"{said}."


def _lgpio() -> object:
    return open_factory("lgpio")


def _unless_in_use(touch: Callable[[], T], running: str | None) -> Callable[[], T]:
    """What touches a device, or where a running Spotter has it what says so."""

    def refuse() -> T:
        raise InUseError(str(running))

    return refuse if running else touch


def _scanner_checks(
    settings: Settings, games: Games, running: str | None
) -> Iterator[tuple[str, Callable[[], Checked]]]:
    """A look at the scanner, where the board in use has one or one is plugged in."""
    board, port = None, None
    with suppress(ConfigError):
        board = load_board(settings.board.name, games)
    with suppress(DeviceError):
        port = find_port(settings.scanner.port)
    if board and board.scanner:
        geometry = matrix_of(board, settings.times.debounce_ms)
        connect = _unless_in_use(partial(checks.open_scanner, settings.scanner.port), running)
        yield "scanner", partial(checks.check_scanner, geometry, connect)
    elif port:
        yield (
            "scanner",
            partial(checks.well, f"{port} may be one; board {settings.board.name!r} needs none"),
        )


def _installed() -> list[str]:
    return [str(found.metadata["Name"]) for found in metadata.distributions()]


def _settings_file() -> str:
    file = config_file()
    return str(file) if file.exists() else "the defaults; there is no settings.toml"


def _groups(machine: Machine) -> Checked:
    members = checks.read_groups(machine.read("etc/group"))
    current = []
    for number in {os.getgid(), *os.getgroups()}:
        with suppress(KeyError):
            current.append(grp.getgrgid(number).gr_name)
    return checks.check_groups(machine, getpass.getuser(), members, current)
