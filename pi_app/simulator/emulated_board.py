"""Boards whose scanner is the real firmware on the emulated board, in real and in virtual time.

They are opened as `open_simulated` opens a board on a twin; closing the source ends the emulator.
"""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from typing import Any

from pi_app.devices.scanner import Listener, ScannerBoard
from pi_app.devices.scanner_port import PortCarrier, SerialPort
from pi_app.devices.source import USUAL, Clock, DeviceError, Put, Timing
from pi_app.microseconds import Us, ms
from pi_app.sensing.description import Board, Cell
from pi_app.simulator.emulator import (
    BOOT,
    Emulator,
    Programs,
    SteppedEmulator,
    build_programs,
)
from pi_app.simulator.scanner import SimulatedSource

TOLD = ms(3)
"""A reed that has been steady is told within this, and so is an answer."""
QUIET = ms(50)
"""In virtual time the scanner is heard so often while nothing is expected of it."""


class EmulatedPort(PortCarrier):
    """The emulated board's serial port, carried as the real one; closing it ends the emulator."""

    def __init__(self, emulator: Emulator, listener: Listener, clock: Clock) -> None:
        super().__init__(listener, lambda: SerialPort(str(emulator.port)), clock)
        self._emulator = emulator

    def close(self) -> None:
        """Let go of the port and end the emulator."""
        super().close()
        self._emulator.close()


class SteppedCarrier:
    """Carries bytes between an emulator and the board that listens to it, in virtual time.

    The emulator stands still between two calls of `advance`; reeds that are driven meanwhile are
    driven when their time comes.
    """

    def __init__(
        self, emulator: SteppedEmulator, listener: Listener, clock: Clock, debounce: Us
    ) -> None:
        self._emulator, self._listener, self._clock = emulator, listener, clock
        self._began = clock()
        self._run = Us(0)
        self._told_after = Us(debounce + TOLD)
        self._expected: dict[Cell | None, Us] = {}
        """When each moved reed will have been told, and under None the answer to our last words."""
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
            self._expected[None] = Us(us + TOLD)

    def status(self) -> tuple[str, ...]:
        """Nothing is ever wrong with this wire."""
        return ()

    def close(self) -> None:
        """End the emulator."""
        self._emulator.close()


def open_emulated(
    board: Board, factory: Any, clock: Clock, put: Put, timing: Timing = USUAL
) -> SimulatedSource:
    """A board on the emulator that keeps pace with the clock, behind a real serial port.

    Raises DeviceError for a board without a scanner, and when the emulator cannot be built.
    """
    programs = _programs_for(board)
    with ExitStack() as until_open:
        emulator = until_open.enter_context(Emulator(programs, *BOOT))
        source = ScannerBoard(
            board, factory, clock, put, partial(EmulatedPort, emulator, clock=clock), timing
        )
        until_open.pop_all()
    return SimulatedSource(source, emulator.set_reed)


def open_stepped(
    board: Board, factory: Any, clock: Clock, put: Put, timing: Timing = USUAL
) -> SimulatedSource:
    """A board on the emulator in virtual time: what happens is repeatable to the cycle.

    Raises DeviceError for a board without a scanner, and when the emulator cannot be built.
    """
    programs = _programs_for(board)
    carriers: list[SteppedCarrier] = []

    def carry(listener: Listener) -> SteppedCarrier:
        carriers.append(SteppedCarrier(emulator, listener, clock, timing.debounce))
        return carriers[0]

    with ExitStack() as until_open:
        emulator = until_open.enter_context(SteppedEmulator(programs))
        # Chance would make two runs differ.
        source = ScannerBoard(board, factory, clock, put, carry, timing, token=lambda: 1)
        until_open.pop_all()
    return SimulatedSource(source, carriers[0].drive)


def _programs_for(board: Board) -> Programs:
    if board.scanner is None:
        raise DeviceError(
            f"board {board.name!r} has no scanner to emulate",
            "leave --emulator out, or choose another --board",
        )
    return build_programs()
