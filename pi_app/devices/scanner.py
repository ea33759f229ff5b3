"""The reed scanner as a board: its port's bytes come in, the program's events go out."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from queue import SimpleQueue
from typing import Any, Protocol, TypeAlias

from pi_app.base.microseconds import US_A_MS, Us
from pi_app.base.threads import drained
from pi_app.devices.gpio import GpioBoard
from pi_app.devices.source import SENSORS, USUAL, Clock, DeviceError, Put, Timing
from pi_app.link import session as link
from pi_app.link.messages import HALL_OPERATE, HALL_RELEASE, Cause, CellKind, Geometry
from pi_app.link.strips import RowColumn
from pi_app.referee.effects import Cue
from pi_app.referee.events import DeviceLost, Event, Found, LevelsRead, Picture, SensorEdge, Tick
from pi_app.rules.terms import Side, Spot
from pi_app.sensing.debounce import Debouncer, Touch
from pi_app.sensing.description import Board, Cell, Sensor
from pi_app.sensing.levels import HIGHEST
from pi_app.words.sentences import COMMAS, Sentence, joined, paragraph

# A board's cells as the scanner tells them: bytes and times in, the program's events out.
#
# It has no thread and no port, so it runs in virtual time as well.

ANSWERS = Sentence("the scanner answers")
HOW_IT_STANDS = Sentence("{cells}: {state}")
BAD_FRAMES = Sentence("1 bad frame", "{n} bad frames")
GAPS = Sentence("1 gap", "{n} gaps")
REPEATS = Sentence("1 repeat", "{n} repeats")
OVERFLOWS = Sentence("1 overflow", "{n} overflows")
SILENCES = Sentence("1 silence", "{n} silences")
RECONNECTS = Sentence("1 reconnect", "{n} reconnects")
RESETS = Sentence("1 reset", "{n} resets")
SILENT_SENSOR = Sentence("strip {strip}: sensor {number} does not answer")
CAUSES: Mapping[Cause, Sentence] = {
    Cause.UNKNOWN: Sentence("unknown"),
    Cause.POWER: Sentence("power"),
    Cause.EXTERNAL: Sentence("external"),
    Cause.BROWN_OUT: Sentence("brown-out"),
    Cause.WATCHDOG: Sentence("watchdog"),
}
LAST = Sentence("(last: {cause})")


def matrix_of(board: Board, debounce_ms: int) -> Geometry:
    """The configuration for a board's scanner. Raises ValueError if it has none."""
    if board.scanner is None:
        raise ValueError(f"board {board.name!r} has no scanner")
    rows, columns = board.scanner.rows, board.scanner.columns
    if board.tells_sides:
        return Geometry(rows, columns, debounce_ms, CellKind.HALL, HALL_OPERATE, HALL_RELEASE)
    return Geometry(rows, columns, debounce_ms)


def contacts_of(board: Board) -> Mapping[RowColumn, Sensor]:
    """The sensors by their cells on the scanner."""
    return {_contact(cell, board): sensor for sensor, cell in board.cells.items()}


def wired_cells(board: Board) -> frozenset[RowColumn]:
    return frozenset((cell.row, cell.column) for cell in board.cells.values())


def _contact(cell: Cell, board: Board) -> RowColumn:
    if cell.side is None or board.scanner is None:
        return (cell.row, cell.column)
    return (cell.row, cell.column, int(cell.side is not board.scanner.north))


class Feed:
    """The scanner's part of a board. Raises ValueError for a board without a scanner.

    The scanner debounces, so what it reports is steady. Its pictures have the cells only.
    """

    def __init__(self, board: Board, debounce_ms: int, token: Callable[[], int]) -> None:
        self._session = link.HostSession(matrix_of(board, debounce_ms), token, wired_cells(board))
        self._sensor_at = contacts_of(board)
        self._board = board
        self._rows_to_read: tuple[int, ...] = ()
        self._stands: object = None
        self._status: tuple[str, ...] = ()

    @property
    def closed(self) -> frozenset[Sensor] | None:
        """The closed sensors; None while the scanner cannot be reached."""
        places = self._session.closed
        return None if places is None else self._sensors(places)

    @property
    def trouble(self) -> str | None:
        """Why the scanner cannot be reached, in words; None if it can."""
        return self._session.trouble

    @property
    def due(self) -> Us | None:
        """When the scanner counts as gone unless it is heard before."""
        return self._session.due

    def plugged(self, us: Us) -> None:
        self._session.plugged(us)

    def unplugged(self, us: Us) -> tuple[Event, ...]:
        return tuple(self._events(self._session.unplugged(us)))

    def heard(self, us: Us, data: bytes) -> tuple[Event, ...]:
        """Take the bytes that have arrived by now; without any, time passes."""
        events = self._session.receive(us, data) if data else ()
        told = self._events((*events, *self._session.advance(us)))
        return (*told, *self._levels(us))

    def take_outgoing(self) -> bytes:
        return self._session.take_outgoing()

    def read_levels(self, spots: frozenset[Spot]) -> None:
        """Ask for the levels of these spots; `heard` returns them together. A request that is not
        answered yet is dropped."""
        if self._session.closed is None or not self._board.tells_sides:
            return
        cells = (
            reed.line for place in self._board.places if place.spot in spots for reed in place.reeds
        )
        rows = sorted({cell.row for cell in cells if isinstance(cell, Cell)})
        self._rows_to_read = tuple(rows)
        for row in rows:
            self._session.levels.pop(row, None)
        if rows:
            self._session.ask_levels(rows[0])

    def _levels(self, us: Us) -> Iterator[LevelsRead]:
        """Yield the levels once they are read; ask for those of the next strip until then: the
        scanner answers one question at a time."""
        rows, read = self._rows_to_read, self._session.levels
        if not rows or rows[0] not in read:
            return
        missing = [row for row in rows if row not in read]
        if missing:
            self._rows_to_read = (*missing, *(row for row in rows if row in read))
            self._session.ask_levels(missing[0])
            return
        self._rows_to_read = ()
        yield LevelsRead(us, dict(self._read_places(rows)))

    def _read_places(self, rows: Iterable[int]) -> Iterator[tuple[Sensor, int]]:
        north = self._board.scanner.north if self._board.scanner else Side.WHITE
        up = 1 if north is Side.WHITE else -1
        for reed in self._board.reeds:
            if isinstance(reed.line, Cell) and reed.line.row in rows:
                levels = self._session.levels[reed.line.row]
                if reed.line.column < len(levels):
                    level, zero = levels[reed.line.column]
                    if zero and max(level, zero) <= HIGHEST:
                        yield reed.name, up * (level - zero)

    def status(self) -> tuple[str, ...]:
        """Two short lines: the state of the link, and the errors so far.

        It is called often, so the lines are made only after a change.
        """
        at, trouble, silent = self._session.geometry, self._session.trouble, self._session.silent
        counters = replace(self._session.counters, frames=0)
        if self._stands != (stands := (at, trouble, silent, counters)):
            cells = link.CELLS(rows=at.rows, columns=at.columns)
            how = HOW_IT_STANDS(cells=cells, state=trouble or ANSWERS())
            self._stands = stands
            self._status = (how, hitches(counters), *silent_sensors(silent))
        return self._status

    def _events(self, events: Iterable[link.LinkEvent]) -> Iterator[Event]:
        for event in events:
            us = event.us
            match event:
                case link.Up():
                    yield Found(us, SENSORS)
                case link.LinkLost():
                    yield DeviceLost(us, SENSORS)
                case link.MatrixPicture(closed=places):
                    yield Picture(us, self._sensors(places))
                case link.Changed(place=place, closed=closed) if place in self._sensor_at:
                    yield SensorEdge(us, self._sensor_at[place], closed)

    def _sensors(self, places: Iterable[RowColumn]) -> frozenset[Sensor]:
        return frozenset(self._sensor_at[place] for place in places if place in self._sensor_at)


def silent_sensors(silent: Iterable[RowColumn]) -> Iterator[str]:
    """Yield one line for each Hall sensor that does not work."""
    for row, column in sorted(silent):
        yield SILENT_SENSOR(strip=row + 1, number=column + 1)


def hitches(counters: link.Counters) -> str:
    """The link's error counters in words."""
    cause = counters.last_cause
    last = "" if cause is None else LAST(cause=CAUSES[cause]())
    parts = (
        BAD_FRAMES(n=counters.bad_frames),
        GAPS(n=counters.gaps),
        REPEATS(n=counters.duplicates),
        OVERFLOWS(n=counters.overflows),
        SILENCES(n=counters.silent_spells),
        RECONNECTS(n=counters.reconnects),
        paragraph(RESETS(n=counters.resets), last),
    )
    return joined(parts, COMMAS)


# A board whose sensors hang on the reed scanner; buttons, lights and buzzer stay on the Pi's pins.
#
# What carries the scanner's bytes is an argument: a serial port with a thread of its own, or a
# scanner that is simulated.

_TOKENS = 0xFFFF


class Listener(Protocol):
    """Listens to the scanner. One carrier calls it, on any thread."""

    def plugged(self, us: Us) -> None:
        """A port has been opened."""

    def heard(self, us: Us, data: bytes) -> bytes:
        """These bytes have arrived, perhaps none. Return the bytes to send."""

    def unplugged(self, us: Us) -> None:
        """The port is gone."""


class Carrier(Protocol):
    """Carries bytes between the scanner and its listener."""

    @property
    def due(self) -> Us | None:
        """When `advance` has something to do next; None if a thread does everything."""

    def advance(self, us: Us) -> None:
        """Let time pass up to `us`."""

    def status(self) -> tuple[str, ...]:
        """Its problems, in lines for people."""

    def close(self) -> None:
        """Release the port; may be called twice."""


Carry: TypeAlias = Callable[[Listener], Carrier]


def fresh_token() -> int:
    """A random number from 1 to 65535 that identifies a session with the scanner."""
    return 1 + secrets.randbelow(_TOKENS)


class ScannerBoard:
    """Cells from the scanner, everything else from the pins; a SensorSource and the scanner's
    Listener.

    The scanner debounces its cells, and contacts on pins are debounced here, so every edge that
    this board reports is steady and the referee need not wait again. Raises DeviceError for a pin
    that cannot be claimed. A scanner that is away is reported as lost, and awaited.
    """

    def __init__(
        self,
        board: Board,
        factory: Any,
        clock: Clock,
        put: Put,
        carry: Carry,
        timing: Timing = USUAL,
        *,
        token: Callable[[], int] = fresh_token,
    ) -> None:
        self._put = put
        self._feed = Feed(board, timing.debounce // US_A_MS, token)
        self._lock = threading.Lock()
        """Held while something is told, so that no picture overtakes an edge."""
        self._reported_at = Us(0)
        self._raw: SimpleQueue[SensorEdge] = SimpleQueue()
        self._debouncer = Debouncer(timing.debounce)
        self._on_pins = tuple(board.pins)
        self._closed_pins: frozenset[Sensor] = frozenset()
        self._gpio = GpioBoard(board, factory, clock, self._put_from_pins, timing)
        self._read_pins()
        self._carrier = carry(self)

    # The SensorSource

    def picture(self) -> Picture:
        """The cells as last reported, at the time of that report.

        Edges still on their way are later.
        """
        self._read_pins()
        with self._lock:
            cells = self._feed.closed
            if cells is None:
                raise DeviceError(
                    f"the board's sensors are out of reach: {self._feed.trouble}",
                    "see that the scanner is plugged in; run: spotter doctor",
                )
            return Picture(self._reported_at, cells | self._closed_pins)

    def read_levels(self, spots: frozenset[Spot]) -> None:
        with self._lock:
            self._feed.read_levels(spots)

    def lights(self, lit: frozenset[Spot], blinking: frozenset[Spot]) -> None:
        self._gpio.lights(lit, blinking)

    def beep(self, cue: Cue) -> None:
        self._gpio.beep(cue)

    @property
    def due(self) -> Us | None:
        times = (self._gpio.due, self._debouncer.due, self._carrier.due)
        return min((time for time in times if time is not None), default=None)

    def advance(self, us: Us) -> None:
        self._gpio.advance(us)
        for edge in drained(self._raw):
            self._tell_pins(self._debouncer.advance(edge.us))
            self._debouncer.edge(edge.us, edge.sensor, edge.closed)
        self._tell_pins(self._debouncer.advance(us))
        self._carrier.advance(us)

    def status(self) -> tuple[str, ...]:
        with self._lock:
            feed = self._feed.status()
        return (*feed, *self._carrier.status(), *self._gpio.status())

    def close(self) -> None:
        self._carrier.close()
        self._gpio.close()

    # The Listener

    def plugged(self, us: Us) -> None:
        with self._lock:
            self._feed.plugged(us)

    def heard(self, us: Us, data: bytes) -> bytes:
        """Take the scanner's bytes. Return the answer."""
        with self._lock:
            self._tell(self._feed.heard(us, data))
            return self._feed.take_outgoing()

    def unplugged(self, us: Us) -> None:
        with self._lock:
            self._tell(self._feed.unplugged(us))

    # The pins

    def _put_from_pins(self, event: Event) -> None:
        if isinstance(event, SensorEdge):
            self._raw.put(event)
            self._put(Tick(event.us))  # wakes the loop, which then calls `advance`
        else:
            self._put(event)

    def _read_pins(self) -> None:
        """Read all pins, because an edge can be lost and a reed that is closed at the start makes
        none."""
        if self._on_pins:
            read = self._gpio.picture()
            self._tell_pins(self._debouncer.picture(read.us, self._on_pins, read.closed))

    def _tell_pins(self, changes: Iterable[Touch]) -> None:
        for change in changes:
            with self._lock:
                others = self._closed_pins - {change.sensor}
                self._closed_pins = others | {change.sensor} if change.closed else others
                self._tell((SensorEdge(change.us, change.sensor, change.closed),))

    def _tell(self, events: Iterable[Event]) -> None:
        for event in events:
            self._reported_at = event.us
            if isinstance(event, Picture):
                event = replace(event, closed=event.closed | self._closed_pins)  # noqa: PLW2901
            self._put(event)
