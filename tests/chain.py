"""The whole chain in real time: hands at reeds, whatever carries them, the referee and its view.

What drives the reeds is an argument, so the same turns are played on every kind of scanner.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from gpiozero.pins.mock import MockFactory
from known import find_game, load_board
from lab.plays import illegal_moves

from pi_app.app.session import Session
from pi_app.base.microseconds import ms
from pi_app.devices.clock import MatchClock
from pi_app.devices.dice import Dice
from pi_app.devices.scanner import ScannerBoard
from pi_app.devices.scanner_port import PortCarrier, SerialPort, find_port
from pi_app.devices.source import DeviceError
from pi_app.match.turns import Phase
from pi_app.referee.events import DeviceLost, Event, Found, Start, Tick
from pi_app.referee.view import View
from pi_app.rules.terms import Spot, read_roll
from pi_app.sensing.description import Cell
from pi_app.sensing.reading import ALARMS, BoardState

BOARD = load_board(str(Path(__file__).parent / "boards" / "nannon-scanner.toml"))
GAME = find_game("nannon")
PATIENCE_S = 20.0
HAND_MS = 250
"""Between one act of the hands and the next; quicker, and a hit looks like a touch."""
SEED = 17
"""A seed of dice with which White and Black hit each other within a few turns."""

DriveReed = Callable[[Cell, bool], None]
"""Closes or opens the reed of a cell of the scanner's matrix, now."""


@dataclass
class ChainReport:
    """The states that a scenario passed."""

    turns: int = 0
    hits: int = 0
    warnings: int = 0


class Chain:
    """A match on the board with the scanner at `port`, without screen and journal."""

    def __init__(self, port: Path, drive: DriveReed) -> None:
        self.report = ChainReport()
        self.away: tuple[str, ...] = ()
        self._drive = drive
        self._queue: SimpleQueue[Event] = SimpleQueue()
        self._clock = MatchClock()
        self._factory = MockFactory()
        self.board = ScannerBoard(
            BOARD,
            self._factory,
            self._clock,
            self._queue.put,
            lambda listener: PortCarrier(
                listener, lambda: SerialPort(find_port(str(port), lambda: ())), self._clock
            ),
        )
        options = {"cube": False, "debounce_ms": 0, "placed_ms": 50, "grace_ms": 300}
        start = Start(ms(0), "nannon", BOARD.name, None, ("Ada", "Ben"), options)
        self.session = Session(BOARD, start, None, Dice(random.Random(SEED)))

    @property
    def view(self) -> View:
        return self.session.view

    def close(self) -> None:
        self.board.close()

    def until(self, done: Callable[[], object]) -> None:
        """Run the program's loop until a condition holds."""
        deadline = time.monotonic() + PATIENCE_S
        while not done():
            assert time.monotonic() < deadline, f"it waits for ever: {self.view}"
            self._step()

    def run(self, time_ms: float) -> None:
        """The same, for so long."""
        end = self._clock() + ms(time_ms)
        self.until(lambda: self._clock() >= end)

    def _step(self) -> None:
        with suppress(Empty):
            event = self._queue.get(timeout=0.005)
            if isinstance(event, DeviceLost | Found):
                self.away = (event.device,) if isinstance(event, DeviceLost) else ()
            self.session.handle(event)
        self.board.advance(self._clock())
        due, now = self.session.due, self._clock()
        if due is not None and due <= now:
            self.session.handle(Tick(now))

    # Hands

    def press(self) -> None:
        pin = self._factory.pin(BOARD.buttons[0].pin)
        pin.drive_low()
        self.run(60)
        pin.drive_high()
        self.run(30)

    def reed(self, spot: Spot, closed: bool) -> None:
        """A checker is put on a spot, or lifted; trays have no reeds."""
        for reed in BOARD.place(spot).reeds:
            assert isinstance(reed.line, Cell)
            self._drive(reed.line, closed)
        self.run(HAND_MS)

    def move(self, origin: Spot, target: Spot, *, hit: bool = False) -> None:
        self.reed(origin, False)
        if hit:
            self.reed(target, False)
        self.reed(target, True)


def play_turns(chain: Chain, turns: int) -> ChainReport:
    """From an empty board through a number of turns, each compared with the rules. Before the
    second turn somebody tries an illegal move and puts it back."""
    chain.until(lambda: connected(chain))
    for spot in ("1", "2", "5", "6"):
        chain.reed(Spot.read(spot), True)
    chain.until(lambda: chain.view.phase is not Phase.SET_UP)
    while chain.view.phase is Phase.OPENING_THROW:
        chain.press()
    for turn in range(turns):
        if chain.view.phase is Phase.TO_ROLL:
            chain.press()
        assert chain.view.phase is Phase.MOVING
        if turn == 1:
            _try_the_illegal(chain)
        _play(chain)
    return chain.report


def connected(chain: Chain) -> bool:
    try:
        chain.board.picture()
    except DeviceError:
        return False
    return True


def _position(chain: Chain) -> tuple[Any, Any]:
    view = chain.view
    return GAME.read_position(view.position), read_roll(view.roll or "", GAME.dice)


def _try_the_illegal(chain: Chain) -> None:
    position, roll = _position(chain)
    stacks = GAME.checkers_at(position)
    wrong = next(
        move
        for move in illegal_moves(GAME, position, roll)
        if not (move.origin.side or move.target.side or stacks[move.target])
    )
    before = chain.view.position
    chain.move(wrong.origin, wrong.target)
    chain.until(lambda: chain.view.board in ALARMS)
    chain.report.warnings += 1
    chain.press()
    assert chain.view.position == before
    chain.move(wrong.target, wrong.origin)
    chain.until(lambda: chain.view.board is BoardState.RESTING)
    assert chain.view.position == before


def _play(chain: Chain) -> None:
    """A play that hits where one can, made by hand and pressed for."""
    position, roll = _position(chain)
    plays = sorted(
        GAME.plays(position, roll),
        key=lambda play: not any(move.hit for move in GAME.moves(position, play)),
    )
    play, after = plays[0], GAME.write_position(GAME.after(position, plays[0]))
    for move in GAME.moves(position, play):
        chain.move(move.origin, move.target, hit=move.hit)
        chain.report.hits += move.hit
    if GAME.moves(position, play):
        written = GAME.write_play(position, play)
        chain.until(lambda: chain.view.play == written)
    chain.press()
    chain.until(lambda: chain.view.position == after)
    chain.report.turns += 1
