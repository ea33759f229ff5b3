"""`spotter walk`: a person puts a checker on every spot in turn, and each sensor is checked."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from enum import Enum, auto
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeAlias

from pi_app.base.errors import FailedError
from pi_app.base.files import why
from pi_app.base.microseconds import Us, ms
from pi_app.base.threads import drained
from pi_app.boards import load_board
from pi_app.cli.arguments import Parser, open_source
from pi_app.cli.ending import Status
from pi_app.devices.clock import MatchClock
from pi_app.devices.gpio import open_factory
from pi_app.devices.source import SENSORS, Clock, DeviceError, SensorSource
from pi_app.games.equipment import Compendium
from pi_app.referee.events import DeviceLost, Event, Found, Picture, SensorEdge
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.walk import Ask, Walk, WalkStage, ask_words, report
from pi_app.simulator.reeds import SPEC, Faults, SimulatedReeds, read_faults
from pi_app.simulator.source import open_simulated
from pi_app.user.settings import Settings, load_settings

START = ms(5000)
"""Time to wait for a scanner, which starts two seconds after its port is opened."""
LOOK = ms(250)
"""The period of reading all contacts, because an edge can be lost."""

AWAY = "The scanner is away; plug it in again, and the walk continues"


class WalkWord(Enum):
    SKIP = auto()
    END = auto()


Word: TypeAlias = Event | WalkWord
Take: TypeAlias = Callable[[Ask | None, Us], Word | None]
"""Shows the instruction and returns the next word; None if there is none within this time."""
Say: TypeAlias = Callable[[str], None]


def lead(board: Board, source: SensorSource, clock: Clock, take: Take, say: Say) -> Walk:
    """Lead a walk over a board until it is over or ended.

    Raises DeviceError if the sensors cannot be read at the start.
    """
    picture = _first_picture(source, clock, take)
    walk = Walk(board, picture.us, picture.closed)
    said, looked = "", clock()
    while (ask := walk.ask).stage is not WalkStage.OVER:
        text = ask_words(board, ask)
        if said not in (text, AWAY) and (ask.sensor or ask.others):
            said = text
            say(text)
        word = take(ask, _patience(walk, source, clock()))
        while word is not None:
            match word:
                case DeviceLost(device=device) if device == SENSORS:
                    said = AWAY
                    say(AWAY)
                case Found(device=device) if device == SENSORS and said == AWAY:
                    said = ""
                case _:
                    _hear(walk, word, clock())
            word = take(ask, Us(0))
        now = clock()
        source.advance(now)
        if now - looked >= LOOK:
            looked = now
            with suppress(DeviceError):
                walk.picture(now, source.picture().closed)
        walk.advance(now)
    return walk


def _first_picture(source: SensorSource, clock: Clock, take: Take) -> Picture:
    end = clock() + START
    while True:
        try:
            return source.picture()
        except DeviceError:
            if take(None, LOOK) is WalkWord.END or clock() >= end:
                raise
        source.advance(clock())


def _patience(walk: Walk, source: SensorSource, now: Us) -> Us:
    waits = [Us(due - now) for due in (walk.due, source.due) if due is not None]
    return max(Us(0), min([LOOK, *waits]))


def _hear(walk: Walk, word: Word, now: Us) -> None:
    match word:
        case WalkWord.SKIP:
            walk.skip(now)
        case WalkWord.END:
            walk.end()
        case SensorEdge(us=us, sensor=sensor, closed=closed):
            walk.edge(us, sensor, closed)
        case Picture(us=us, closed=closed):
            walk.picture(us, closed)


REACH, NUDGE, PATIENCE = ms(600), ms(1500), ms(3000)
"""Time from the instruction until the hand obeys, until it rocks a checker that was not felt, and
until it goes on without."""


class WalkingHand:
    """A simulated hand that walks over a simulated board in virtual time.

    `wired` is the board as it is really wired, if the wiring is wrong.
    """

    def __init__(
        self, board: Board, faults: Faults, rng: random.Random, wired: Board | None = None
    ) -> None:
        self._now = Us(0)
        self._queue: SimpleQueue[Word] = SimpleQueue()
        factory = open_factory("mock")
        devices = open_simulated(board, factory, self.clock, self._queue.put)
        self.source: SensorSource = devices.source
        self._reeds = SimulatedReeds(wired or board, factory, faults, rng, devices.drive_cell)
        self._ask: Ask | None = None
        self._lying: Sensor | None = None

    def clock(self) -> Us:
        return self._now

    def take(self, ask: Ask | None, us: Us) -> Word | None:
        if ask != self._ask:
            self._ask = ask
            self._plan()
        end = Us(self._now + us)
        while (word := next(drained(self._queue), None)) is None and self._now < end:
            dues = (self._reeds.agenda.due, self.source.due)
            self._now = max(self._now, min([end, *(due for due in dues if due is not None)]))
            self._reeds.agenda.run(self._now)
            self.source.advance(self.clock())
        return word

    def _plan(self) -> None:
        ask = self._ask
        if ask is None or ask.stage is WalkStage.OVER:
            return
        if ask.stage is not WalkStage.PUT:
            self._later(REACH, self._take_off)
        elif ask.others:
            self._later(REACH, self._skip)
        elif ask.sensor is not None:
            self._later(REACH, partial(self._put, ask.sensor))
            self._later(NUDGE, self._nudge)
        self._later(PATIENCE, self._skip)

    def _later(self, us: Us, act: Callable[[], None]) -> None:
        """Schedule an act, to be skipped if the instruction has changed by then."""
        asked = self._ask

        def then() -> None:
            if self._ask is asked:
                act()

        self._reeds.agenda.at(Us(self._now + us), then)

    def _put(self, sensor: Sensor) -> None:
        self._take_off()
        self._reeds.put(self._now, sensor)
        self._lying = sensor

    def _take_off(self) -> None:
        if self._lying is not None:
            self._reeds.take(self._now, self._lying)
            self._lying = None

    def _nudge(self) -> None:
        if self._lying is not None:
            self._reeds.nudge(self._now, self._lying)

    def _skip(self) -> None:
        self._queue.put(WalkWord.SKIP)


class ReportError(FailedError):
    """The report cannot be written; the message says where."""


HINT = "Enter continues without it; q and Enter ends the walk."


def run(argv: list[str], games: Compendium) -> int:
    says = "Test every sensor: put one checker on every spot in turn, as it says."
    parser = Parser("walk", says, epilog=HINT)
    parser.takes("--board", "NAME", "a board's name or a .toml file")
    parser.takes("--report", "FILE", "write the report to this file as well", Path)
    parser.flag("--sim", "a simulated hand walks a simulated board, at once")
    parser.takes("--faults", "SPEC", f"with --sim: {SPEC}", default="default")
    args = parser.parse_args(argv)
    if args.faults != "default" and not args.sim:
        parser.error("--faults goes with --sim")
    settings = load_settings()
    board = load_board(args.board or settings.board.name, games.rules)
    faults = read_faults(args.faults, board)
    if args.report:
        _check_report(args.report)
    walk = _simulated(board, faults) if args.sim else _real(board, settings)
    return _tell(walk, args.report)


def _check_report(file: Path) -> None:
    """Raise ReportError before the walk rather than after it if the file cannot be written."""
    if file.is_dir() or not os.access(file if file.exists() else file.parent, os.W_OK):
        raise ReportError(f"{file}: the report cannot be written there; choose another --report")


def _simulated(board: Board, faults: Faults) -> Walk:
    hand = WalkingHand(board, faults, random.Random())
    with closing(hand.source):
        return lead(board, hand.source, hand.clock, hand.take, print)


def _real(board: Board, settings: Settings) -> Walk:
    queue: SimpleQueue[Word] = SimpleQueue()
    clock = MatchClock()
    with (
        closing(open_factory("lgpio")) as factory,
        closing(open_source(board, factory, settings, clock, queue.put)) as source,
    ):
        print(HINT)
        listen(queue.put)
        return lead(board, source, clock, taking(queue), partial(print, flush=True))


def taking(queue: SimpleQueue[Word]) -> Callable[[Ask | None, Us], Word | None]:
    """Take words from a queue; Ctrl-C counts as `q`."""

    def take(_ask: Ask | None, us: Us) -> Word | None:
        try:
            return queue.get(timeout=us / 1e6)
        except Empty:
            return None
        except KeyboardInterrupt:
            return WalkWord.END

    return take


def listen(put: Callable[[WalkWord], None], typed: int = 0) -> None:
    """Read words from a file descriptor on a thread, until the input ends."""
    threading.Thread(target=_read_keys, args=(put, typed), name="keys", daemon=True).start()


def _read_keys(put: Callable[[WalkWord], None], typed: int) -> None:
    line = b""
    with suppress(OSError):  # nobody can type
        while data := os.read(typed, 256):
            *lines, line = (line + data).split(b"\n")
            for word in lines:
                if word.strip().lower() == b"q":
                    put(WalkWord.END)
                elif not word.strip():
                    put(WalkWord.SKIP)


def _tell(walk: Walk, file: Path | None) -> int:
    lines = report(walk)
    print("\n".join(["", *lines]))
    if file is not None:
        try:
            file.write_text("\n".join(lines) + "\n", encoding="utf-8")
        except OSError as error:
            raise ReportError(f"{file}: the report cannot be written: {why(error)}") from error
    whole = len(walk.tried) == len(walk.board.sensors)
    return Status.DONE if whole and not walk.findings else Status.FAILED
