"""`spotter`: the real board; `spotter --sim`: the simulated one, no hardware needed."""

from __future__ import annotations

import argparse
import random
import signal
import sys
from queue import SimpleQueue
from typing import Any

from pi_app.app import App, Devices
from pi_app.board.description import Board
from pi_app.board.strict import ConfigError
from pi_app.boards import load_board
from pi_app.devices.clock import MatchClock
from pi_app.devices.dice import Dice
from pi_app.devices.gpio import GpioBoard, open_factory
from pi_app.devices.oled import LumaOled, Oled
from pi_app.devices.source import DeviceError, Put
from pi_app.front import ScreenFront
from pi_app.journal.archive import JournalError
from pi_app.journal.opening import Opened, data_folder, open_journal
from pi_app.referee.events import Event
from pi_app.screen.paint import ScreenError, Window
from pi_app.screen.sound import Speaker
from pi_app.settings import Settings, load_settings
from pi_app.simulator.tabletop import SimulatedTable
from pi_app.simulator.window import SimulatorWindow

TOUCHSCREEN = (800, 480)


def run(argv: list[str]) -> int:
    """Play until the players quit; 1 and one clear line when something needed is missing."""
    parser = argparse.ArgumentParser(
        prog="spotter", description="Play on the real board; with --sim, on a simulated one."
    )
    parser.add_argument("--sim", action="store_true", help="a simulated board, no hardware")
    parser.add_argument("--board", metavar="NAME", help="a board's name or a .toml file")
    parser.add_argument("--once", action="store_true", help="draw the first picture and quit")
    args = parser.parse_args(argv)
    try:
        settings = load_settings()
        name = args.board or settings.board
        board = load_board(name)
        opened = open_journal(data_folder())
    except (ConfigError, JournalError) as error:
        print(f"spotter: {error}", file=sys.stderr)
        return 1
    try:
        app = _open(board, name, settings, opened, args.sim)
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


def _open(board: Board, name: str, settings: Settings, opened: Opened, simulated: bool) -> App:
    """Everything the program runs on, wired together.

    Raises DeviceError without pins, ScreenError without a display.
    """
    queue: SimpleQueue[Event] = SimpleQueue()
    clock = MatchClock(_last_ms(opened))
    factory = open_factory("mock" if simulated else "lgpio")
    source = GpioBoard(
        board,
        factory,
        clock,
        queue.put,
        long_press_ms=settings.times.long_press_ms,
        debounce_ms=settings.times.debounce_ms,
    )
    window, oled = (
        _simulated(board, factory, settings)
        if simulated
        else (
            Window(TOUCHSCREEN, fullscreen=settings.screen.fullscreen),
            _open_oled(settings, clock, queue.put),
        )
    )
    devices = Devices(
        source=source,
        front=ScreenFront(window),
        speaker=Speaker(on=settings.sound.on, volume=settings.sound.volume),
        oled=oled,
        dice=Dice(),
    )
    return App(board, name, settings, opened, clock, queue, devices)


def _simulated(
    board: Board, factory: Any, settings: Settings
) -> tuple[SimulatorWindow, SimulatorWindow]:
    """One window with the product's screen, the simulated board and the OLED's picture."""
    table = SimulatedTable(board, factory, random.Random())
    window = SimulatorWindow(table, fullscreen=settings.screen.fullscreen)
    return window, window


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
