"""A board's cells as the scanner tells them: bytes and times in, the program's events out.

It has no thread and no port, so it runs in virtual time as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from pi_app.devices.source import SENSORS
from pi_app.link import session as link
from pi_app.link.messages import Cause, Geometry
from pi_app.microseconds import Us
from pi_app.referee.events import DeviceLost, Event, Found, Picture, SensorEdge
from pi_app.sensing.description import Board, Sensor
from pi_app.sentences import COMMAS, PARAGRAPH, Listing, Sentence, joined

ANSWERS = Sentence("the scanner answers")
HOW_IT_STANDS = Sentence("{cells}: {state}")
BAD_FRAMES = Sentence("1 bad frame", "{n} bad frames")
GAPS = Sentence("1 gap", "{n} gaps")
REPEATS = Sentence("1 repeat", "{n} repeats")
OVERFLOWS = Sentence("1 overflow", "{n} overflows")
SILENCES = Sentence("1 silence", "{n} silences")
RECONNECTS = Sentence("1 reconnect", "{n} reconnects")
RESETS = Sentence("1 reset", "{n} resets")
CAUSES: Mapping[Cause, Sentence] = MappingProxyType(
    {
        Cause.UNKNOWN: Sentence("unknown"),
        Cause.POWER: Sentence("power"),
        Cause.EXTERNAL: Sentence("external"),
        Cause.BROWN_OUT: Sentence("brown-out"),
        Cause.WATCHDOG: Sentence("watchdog"),
    }
)
LAST = Sentence("(last: {cause})")
HITCHES = Sentence("{hitches}")


def matrix_of(board: Board, debounce_ms: int) -> Geometry:
    """What the scanner of a board is to be configured with; raises ValueError without one."""
    if board.scanner is None:
        raise ValueError(f"board {board.name!r} has no scanner")
    return Geometry(board.scanner.rows, board.scanner.columns, debounce_ms)


class Feed:
    """The scanner's part of a board; raises ValueError for a board without a scanner.

    The scanner debounces: what it tells is steady.  Its pictures are of the cells alone.
    """

    def __init__(self, board: Board, debounce_ms: int, token: Callable[[], int]) -> None:
        self._session = link.HostSession(matrix_of(board, debounce_ms), token)
        self._sensor_at = {(cell.row, cell.column): sensor for sensor, cell in board.cells.items()}

    @property
    def closed(self) -> frozenset[Sensor] | None:
        """The closed sensors; None while they are out of reach."""
        places = self._session.closed
        return None if places is None else self._sensors(places)

    @property
    def trouble(self) -> str | None:
        """Why they are out of reach, in words."""
        return self._session.trouble

    @property
    def due(self) -> Us | None:
        """When the scanner counts as gone unless it is heard."""
        return self._session.due

    def plugged(self, us: Us) -> None:
        """A port has been opened."""
        self._session.plugged(us)

    def unplugged(self, us: Us) -> tuple[Event, ...]:
        """The port is gone."""
        return tuple(self._told(self._session.unplugged(us)))

    def heard(self, us: Us, data: bytes) -> tuple[Event, ...]:
        """Bytes that have come in by now; without any, time passes."""
        events = self._session.receive(us, data) if data else ()
        return tuple(self._told((*events, *self._session.advance(us))))

    def take_outgoing(self) -> bytes:
        """The bytes for the scanner."""
        return self._session.take_outgoing()

    def status(self) -> tuple[str, ...]:
        """Two short lines: how it stands, and what has gone wrong so far."""
        at, counters = self._session.geometry, self._session.counters
        state = self._session.trouble or ANSWERS()
        cells = link.CELLS(rows=at.rows, columns=at.columns)
        return (HOW_IT_STANDS(cells=cells, state=state), hitches(counters))

    def _told(self, events: Iterable[link.LinkEvent]) -> Iterator[Event]:
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

    def _sensors(self, places: Iterable[link.RowColumn]) -> frozenset[Sensor]:
        return frozenset(self._sensor_at[place] for place in places if place in self._sensor_at)


def hitches(counters: link.Counters) -> str:
    """What has gone wrong on the wire, each with its number."""
    cause = counters.last_cause
    last = "" if cause is None else LAST(cause=CAUSES[cause]())
    return HITCHES(
        hitches=Listing(
            (
                BAD_FRAMES(n=counters.bad_frames),
                GAPS(n=counters.gaps),
                REPEATS(n=counters.duplicates),
                OVERFLOWS(n=counters.overflows),
                SILENCES(n=counters.silent_spells),
                RECONNECTS(n=counters.reconnects),
                joined((RESETS(n=counters.resets), last), PARAGRAPH),
            ),
            COMMAS,
        )
    )
