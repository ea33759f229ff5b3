"""The scanner's real firmware in virtual time: it runs on request only.

The bytes of its serial line carry cycle stamps, and everything is repeatable to the cycle.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

from pi_app.base.microseconds import Us, ms
from pi_app.devices.scanner import Listener, ScannerBoard
from pi_app.devices.source import USUAL, Clock, Put, Timing
from pi_app.sensing.description import Board, Cell
from pi_app.simulator.emulator import ANSWER_S, EmulatedBoard, leave_out, programs_for, strips_of
from pi_app.simulator.source import SimulatedSource

CYCLES_A_US = 16
_SLOWEST = 0.5
"""The least speed of the emulator, relative to the board."""
_MOST_SENT = 1000
TOLD, HALL_TOLD = ms(3), ms(9)
"""A steady reed or Hall sensor is reported within this time, and so is an answer."""
QUIET = ms(50)
"""In virtual time the scanner is heard so often while nothing is expected of it."""


@dataclass(frozen=True, slots=True)
class SentByte:
    """A byte from the firmware and the cycle at which its stop bit ended."""

    cycle: int
    byte: int


@dataclass(frozen=True, slots=True)
class Lapse:
    """The output during a run: bytes, and the cycles of watchdog resets."""

    sent: tuple[SentByte, ...]
    resets: tuple[int, ...]


class SteppedEmulator(EmulatedBoard):
    """A board whose time only passes in `run`."""

    def plan_reed(self, us: int, cell: Cell, closed: bool) -> None:
        """The reed closes or opens `us` microseconds after the board was started."""
        self.ask(f"at {us} {self.order(cell, closed)}")

    def send(self, data: bytes) -> None:
        """Put bytes on the wire to the firmware, behind those under way."""
        for start in range(0, len(data), _MOST_SENT):
            self.ask(f"send {data[start : start + _MOST_SENT].hex()}")

    def run(self, us: int) -> Lapse:
        told = [line.split() for line in self.ask(f"run {us}", ANSWER_S + us / 1e6 / _SLOWEST)]
        sent = (SentByte(int(word[1]), int(word[2], 16)) for word in told if word[0] == "tx")
        return Lapse(tuple(sent), tuple(int(word[1]) for word in told if word[0] == "reset"))


class SteppedCarrier:
    """Carries bytes between an emulator and the board that listens to it, in virtual time.

    The emulator stands still between two calls of `advance`; reeds that are driven meanwhile are
    driven when their time comes.
    """

    def __init__(
        self,
        emulator: SteppedEmulator,
        listener: Listener,
        clock: Clock,
        debounce: Us,
        told: Us,
    ) -> None:
        self._emulator, self._listener, self._clock = emulator, listener, clock
        self._began = clock()
        self._run = Us(0)
        self._told_after = Us(debounce + told)
        self._answered_after = told
        self._expected: dict[Cell | None, Us] = {}
        """The report time of each moved reed, and under None that of the answer to our last
        message."""
        listener.plugged(self._began)

    @property
    def due(self) -> Us | None:
        """When the emulator has to have run again."""
        quiet = Us(self._began + self._run + QUIET)
        return min(quiet, *self._expected.values(), quiet)

    def drive(self, cell: Cell, closed: bool) -> None:
        """The reed closes or opens now."""
        now = self._clock()
        self._emulator.plan_reed(now - self._began, cell, closed)
        self._expected[cell] = Us(now + self._told_after)

    def advance(self, us: Us) -> None:
        """Let the firmware run up to now, and both hear each other."""
        step = us - self._began - self._run
        if step <= 0:
            return
        lapse = self._emulator.run(step)
        self._run = Us(self._run + step)
        self._expected = {what: at for what, at in self._expected.items() if at > us}
        answer = self._listener.heard(us, bytes(sent.byte for sent in lapse.sent))
        if answer:
            self._emulator.send(answer)
            self._expected[None] = Us(us + self._answered_after)

    def status(self) -> tuple[str, ...]:
        """Nothing is ever wrong with this wire."""
        return ()

    def close(self) -> None:
        """End the emulator."""
        self._emulator.close()


def open_stepped(
    board: Board, factory: Any, clock: Clock, put: Put, timing: Timing = USUAL
) -> SimulatedSource:
    """A board on the emulator in virtual time: what happens is repeatable to the cycle.

    Raises DeviceError for a board without a scanner, and when the emulator cannot be built.
    """
    programs = programs_for(board)
    carriers: list[SteppedCarrier] = []

    told = HALL_TOLD if board.tells_sides else TOLD

    def carry(listener: Listener) -> SteppedCarrier:
        carriers.append(SteppedCarrier(emulator, listener, clock, timing.debounce, told))
        return carriers[0]

    with ExitStack() as until_open:
        emulator = until_open.enter_context(SteppedEmulator(programs, *strips_of(board)))
        leave_out(emulator, board)
        # Chance would make two runs differ.
        source = ScannerBoard(board, factory, clock, put, carry, timing, token=lambda: 1)
        until_open.pop_all()
    return SimulatedSource(source, carriers[0].drive)
