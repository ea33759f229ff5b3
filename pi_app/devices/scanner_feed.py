"""A board's cells as the scanner tells them: bytes and times in, the program's events out.

It has no thread and no port, so it runs in virtual time as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pi_app.devices.source import SENSORS
from pi_app.link import session as link
from pi_app.link.messages import Geometry
from pi_app.microseconds import Us
from pi_app.referee.events import DeviceLost, Event, Found, Picture, SensorEdge
from pi_app.sensing.description import Board, Sensor


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
        state = self._session.trouble or "the scanner answers"
        return (f"{at.rows} × {at.columns} cells: {state}", ", ".join(hitches(counters)))

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

    def _sensors(self, places: Iterable[link.Place]) -> frozenset[Sensor]:
        return frozenset(self._sensor_at[place] for place in places if place in self._sensor_at)


def hitches(counters: link.Counters) -> Iterator[str]:
    """What has gone wrong on the wire, each with its number."""
    for number, word, words in (
        (counters.bad_frames, "bad frame", "bad frames"),
        (counters.gaps, "gap", "gaps"),
        (counters.duplicates, "repeat", "repeats"),
        (counters.overflows, "overflow", "overflows"),
        (counters.silent_spells, "silence", "silences"),
        (counters.reconnects, "reconnect", "reconnects"),
    ):
        yield f"{number} {word if number == 1 else words}"
    cause = counters.last_cause
    last = "" if cause is None else f" (last: {cause.name.lower().replace('_', '-')})"
    yield f"{counters.resets} {'reset' if counters.resets == 1 else 'resets'}{last}"
