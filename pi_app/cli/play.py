"""`spotter`: the real board; `spotter --sim`: the simulated one, no hardware needed."""

from __future__ import annotations

import argparse
import random
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from queue import SimpleQueue
from typing import TypeAlias

from pi_app.app import App, Devices, SmallDisplay
from pi_app.board.description import Board
from pi_app.board.strict import ConfigError
from pi_app.boards import load_board
from pi_app.cli.source import open_source
from pi_app.devices.clock import MatchClock
from pi_app.devices.dice import Dice
from pi_app.devices.gpio import open_factory
from pi_app.devices.oled import LumaOled, Oled
from pi_app.devices.source import DeviceError, Put, SensorSource
from pi_app.front import ScreenFront
from pi_app.journal.archive import JournalError
from pi_app.journal.opening import Opened, data_folder, open_journal
from pi_app.referee.events import Event
from pi_app.screen.paint import ScreenError, Window
from pi_app.screen.sound import Speaker
from pi_app.settings import Settings, load_settings
from pi_app.simulator.emulated_board import open_emulated
from pi_app.simulator.scanner import OpenSimulated, open_simulated
from pi_app.simulator.tabletop import SimulatedTable
from pi_app.simulator.window import SimulatorWindow

TOUCHSCREEN = (800, 480)

Opening: TypeAlias = tuple[SensorSource, Window, SmallDisplay | None]
"""What a match is played on: the board, the screen, and the OLED if there is one."""
OpenDevices: TypeAlias = Callable[[Board, Settings, MatchClock, Put], Opening]


def run(argv: list[str]) -> int:
    """Play until the players quit; 1 and one clear line when something needed is missing."""
    parser = argparse.ArgumentParser(
        prog="spotter", description="Play on the real board; with --sim, on a simulated one."
    )
    parser.add_argument("--sim", action="store_true", help="a simulated board, no hardware")
    parser.add_argument("--board", metavar="NAME", help="a board's name or a .toml file")
    parser.add_argument(
        "--emulator",
        action="store_true",
        help="with --sim: the reeds close in the scanner's real firmware, emulated",
    )
    parser.add_argument("--once", action="store_true", help="draw the first picture and quit")
    args = parser.parse_args(argv)
    if args.emulator and not args.sim:
        parser.error("--emulator goes with --sim")
    try:
        settings = load_settings()
        name = args.board or settings.board
        board = load_board(name)
        opened = open_journal(data_folder())
    except (ConfigError, JournalError) as error:
        print(f"spotter: {error}", file=sys.stderr)
        return 1
    try:
        app = _open(board, name, settings, opened, _opener(args.sim, args.emulator))
        signal.signal(signal.SIGTERM, lambda *_: app.stop())
        try:
            app.step() if args.once else app.run()
        finally:
            app.close()
    except (DeviceError, ScreenError) as error:
        print(f"spotter: {error}", file=sys.stderr)
        return 1
    finally:
        opened.close()
    return 0


def _opener(simulated: bool, emulated: bool) -> OpenDevices:
    if not simulated:
        return _real
    return partial(_simulated, open_emulated if emulated else open_simulated)


def _open(
    board: Board, name: str, settings: Settings, opened: Opened, open_devices: OpenDevices
) -> App:
    """Everything the program runs on, wired together.

    Raises DeviceError without pins, ScreenError without a display.
    """
    queue: SimpleQueue[Event] = SimpleQueue()
    clock = MatchClock(_last_ms(opened))
    source, window, oled = open_devices(board, settings, clock, queue.put)
    devices = Devices(
        source=source,
        front=ScreenFront(window),
        speaker=Speaker(on=settings.sound.on, volume=settings.sound.volume),
        oled=oled,
        dice=Dice(),
    )
    return App(board, name, settings, opened, clock, queue, devices)


def _real(board: Board, settings: Settings, clock: MatchClock, put: Put) -> Opening:
    """The board on its pins, and on the scanner if it has one; the touchscreen and the OLED."""
    source = open_source(board, open_factory("lgpio"), settings, clock, put)
    window = Window(TOUCHSCREEN, fullscreen=settings.screen.fullscreen)
    return source, window, _open_oled(settings, clock, put)


def _simulated(
    open_board: OpenSimulated, board: Board, settings: Settings, clock: MatchClock, put: Put
) -> Opening:
    """One window with the product's screen, the simulated board and the OLED's picture."""
    factory = open_factory("mock")
    devices = open_board(
        board,
        factory,
        clock,
        put,
        long_press_ms=settings.times.long_press_ms,
        debounce_ms=settings.times.debounce_ms,
    )
    with ExitStack() as until_open:
        until_open.callback(devices.source.close)
        table = SimulatedTable(board, factory, random.Random(), drive_cell=devices.drive_cell)
        window = SimulatorWindow(table, fullscreen=settings.screen.fullscreen)
        until_open.pop_all()
    return devices.source, window, window


def _open_oled(settings: Settings, clock: MatchClock, put: Put) -> Oled | None:
    oled = settings.oled
    if oled.chip == "none":
        return None
    return Oled(lambda: LumaOled(oled.chip, oled.port, oled.address), clock, put)


def _last_ms(opened: Opened) -> float:
    """Where the clock goes on: after the last event of the match that may be resumed."""
    number = opened.journal.unfinished()
    try:
        return max(event.ms for event in opened.journal.events(number)) if number else 0
    except JournalError:
        # Resuming says what is wrong with it; a new match can begin at any time.
        return 0
