"""What a simulated board's reeds drive: mock pins, and cells without a scanner."""

from __future__ import annotations

from typing import Any, Protocol

from pi_app.base.microseconds import Us
from pi_app.base.values import dataclass
from pi_app.devices.gpio import GpioBoard
from pi_app.devices.source import USUAL, Clock, Put, SensorSource, Timing
from pi_app.referee.effects import Cue
from pi_app.referee.events import Event, Picture, SensorEdge
from pi_app.rules.terms import Spot
from pi_app.sensing.debounce import Debouncer
from pi_app.sensing.description import Board, Cell
from pi_app.simulator.reeds import DriveCell


class CellBoard:
    """A scanner's board without the scanner; a SensorSource.

    Like the scanner it reports only steady contacts. Until time passes all are steady.
    """

    def __init__(
        self, board: Board, factory: Any, clock: Clock, put: Put, timing: Timing = USUAL
    ) -> None:
        self._clock, self._put = clock, put
        self._sensors = {cell: name for name, cell in board.cells.items()}
        self._debouncer = Debouncer(timing.debounce)
        self._begun = False
        self._pins = GpioBoard(board, factory, clock, self._heard, timing)
        read = self._pins.picture()
        self._debouncer.picture(read.us, board.pins, read.closed)

    def drive(self, cell: Cell, closed: bool) -> None:
        us, sensor = self._clock(), self._sensors[cell]
        if self._begun:
            self._debouncer.edge(us, sensor, closed)
        else:
            self._debouncer.picture(us, (sensor,), frozenset({sensor} if closed else ()))

    def picture(self) -> Picture:
        return Picture(self._clock(), self._debouncer.closed)

    def read_levels(self, spots: frozenset[Spot]) -> None:
        """Do nothing: simulated contacts have no levels."""

    def lights(self, lit: frozenset[Spot], blinking: frozenset[Spot]) -> None:
        self._pins.lights(lit, blinking)

    def beep(self, cue: Cue) -> None:
        self._pins.beep(cue)

    @property
    def due(self) -> Us | None:
        times = (self._pins.due, self._debouncer.due)
        return min((time for time in times if time is not None), default=None)

    def advance(self, us: Us) -> None:
        self._begun = True
        self._pins.advance(us)
        for change in self._debouncer.advance(us):
            self._put(SensorEdge(change.us, change.sensor, change.closed))

    def status(self) -> tuple[str, ...]:
        return self._pins.status()

    def close(self) -> None:
        self._pins.close()

    def _heard(self, event: Event) -> None:
        if isinstance(event, SensorEdge):
            self._debouncer.edge(event.us, event.sensor, event.closed)
        else:
            self._put(event)


@dataclass(frozen=True, slots=True)
class SimulatedSource:
    """A board on mock pins, and the driver of its cells if it has a scanner."""

    source: SensorSource
    drive_cell: DriveCell | None


class OpenSimulated(Protocol):
    """Opens a board on mock pins with some kind of scanner if it has one."""

    def __call__(
        self, board: Board, factory: Any, clock: Clock, put: Put, timing: Timing = USUAL
    ) -> SimulatedSource:
        """Raises DeviceError."""


def open_simulated(
    board: Board, factory: Any, clock: Clock, put: Put, timing: Timing = USUAL
) -> SimulatedSource:
    if board.scanner is None:
        return SimulatedSource(GpioBoard(board, factory, clock, put, timing), None)
    source = CellBoard(board, factory, clock, put, timing)
    return SimulatedSource(source, source.drive)
