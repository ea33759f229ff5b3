"""Host and scanner over a wire that loses, doubles and damages: the right picture in the end."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scanner_twin import ScannerTwin

from pi_app.base.microseconds import Us, ms
from pi_app.link.messages import Cause, Geometry
from pi_app.link.session import (
    Changed,
    HostSession,
    LinkEvent,
    LinkLost,
    LinkState,
    MatrixPicture,
    Up,
)
from pi_app.link.strips import RowColumn
from pi_app.sensing.description import Cell

MATRIX = Geometry(4, 5, 5)
STEP_MS = 5


@dataclass
class NoisyWire:
    """A session and a twin; `rate` is the share of frames that something happens to."""

    rng: random.Random
    rate: float
    now: Us = Us(0)
    events: list[LinkEvent] = field(default_factory=list)
    closed: set[RowColumn] = field(default_factory=set)
    turned: list[tuple[RowColumn, bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        numbers = count(1)
        self.twin = ScannerTwin()
        self.session = HostSession(MATRIX, lambda: next(numbers))
        self.session.plugged(Us(0))

    def spoilt(self, data: bytes) -> bytes:
        frames = [frame + b"\0" for frame in data.split(b"\0")[:-1]]
        return b"".join(self._spoil(frame) for frame in frames)

    def _spoil(self, frame: bytes) -> bytes:
        if self.rng.random() >= self.rate:
            return frame
        place = self.rng.randrange(len(frame))
        match self.rng.randrange(5):
            case 0:
                return b""
            case 1:
                return frame + frame
            case 2:
                return frame[:place]
            case 3:
                return self.rng.randbytes(place) + frame
            case _:
                flipped = frame[place] ^ 1 << self.rng.randrange(8)
                return frame[:place] + bytes([flipped]) + frame[place + 1 :]

    def run(self, time_ms: float) -> None:
        end = self.now + ms(time_ms)
        while self.now < end:
            self.now = Us(self.now + ms(STEP_MS))
            self.twin.advance(self.now)
            data = self.spoilt(self.twin.take_outgoing())
            self.events += self.session.receive(self.now, data)
            self.events += self.session.advance(self.now)
            self.twin.receive(self.now, self.spoilt(self.session.take_outgoing()))

    def turn(self, number: int) -> None:
        """A reed changes for good."""
        place = divmod(number % MATRIX.cells, MATRIX.columns)
        self.closed ^= {place}
        self.turned.append((place, place in self.closed))
        self.twin.switch(self.now, Cell(*place), place in self.closed)


def followed(events: list[LinkEvent]) -> frozenset[RowColumn] | None:
    """The picture of somebody who has only the events."""
    known: frozenset[RowColumn] | None = None
    for event in events:
        match event:
            case MatrixPicture(closed=closed):
                known = closed
            case Changed(place=place, closed=closed):
                assert known is not None
                assert (place in known) is not closed
                known ^= {place}
            case LinkLost():
                known = None
            case Up():
                assert known is None
    return known


@settings(max_examples=60)
@given(
    st.integers(0, 2**32),
    st.floats(0, 0.6),
    st.lists(st.tuples(st.integers(0, 19), st.integers(0, 8)), max_size=40),
)
def test_whatever_the_wire_does_the_picture_is_right_in_the_end(
    seed: int, rate: float, turns: list[tuple[int, int]]
) -> None:
    wire = NoisyWire(random.Random(seed), rate)
    for number, wait in turns:
        wire.turn(number)
        wire.run(wait * STEP_MS)
    wire.run(300)
    wire.rate = 0.0
    wire.run(2500)
    assert wire.session.closed == frozenset(wire.closed)
    assert followed(wire.events) == frozenset(wire.closed)
    times = [event.us for event in wire.events]
    assert times == sorted(times)


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.lists(st.integers(0, 19), max_size=25))
def test_no_change_is_lost_doubled_or_out_of_order(seed: int, numbers: list[int]) -> None:
    """At most a third of the frames is spoilt, so that the queue holds."""
    wire = NoisyWire(random.Random(seed), 0.0)
    wire.run(300)
    wire.rate = 0.33
    for number in numbers:
        wire.turn(number)
        wire.run(20)
    wire.rate = 0.0
    wire.run(1000)
    changes = [(e.place, e.closed) for e in wire.events if isinstance(e, Changed)]
    assert changes == wire.turned
    assert wire.session.counters.overflows == 0


def test_a_host_that_stalls_learns_of_the_overflow_and_of_the_picture() -> None:
    wire = NoisyWire(random.Random(1), 0.0)
    wire.run(300)
    for number in range(50):  # nobody reads for 50 changes
        wire.turn(number)
        wire.now = Us(wire.now + ms(10))
        wire.twin.advance(wire.now)
    wire.run(600)
    assert wire.session.closed == frozenset(wire.closed)
    assert wire.session.counters.overflows == 50 - 32
    assert followed(wire.events) == frozenset(wire.closed)
    changes = [event for event in wire.events if isinstance(event, Changed)]
    assert [(event.place, event.closed) for event in changes[:31]] == wire.turned[:31]


@pytest.mark.parametrize("cause", [Cause.WATCHDOG, Cause.BROWN_OUT])
def test_a_scanner_that_begins_anew_is_noticed_and_followed_again(cause: Cause) -> None:
    wire = NoisyWire(random.Random(1), 0.0)
    wire.turn(3)
    wire.run(300)
    wire.twin.reset(wire.now, cause)
    wire.turn(7)
    wire.run(300)
    assert wire.session.closed == frozenset(wire.closed) == frozenset({(0, 3), (1, 2)})
    assert (wire.session.counters.resets, wire.session.counters.last_cause) == (1, cause)
    assert [type(event) for event in wire.events] == [
        Up,
        MatrixPicture,
        LinkLost,
        Up,
        MatrixPicture,
    ]


def test_a_matrix_that_the_scanner_cannot_do_is_not_asked_for_twice() -> None:
    session, twin = HostSession(Geometry(16, 16, 5), lambda: 9), ScannerTwin()
    asked = 0
    for now in map(ms, range(0, 5000, 50)):
        twin.advance(now)
        session.receive(now, twin.take_outgoing())
        said = session.take_outgoing()
        asked += bool(said)
        twin.receive(now, said)
    assert (session.state, asked) == (LinkState.REFUSED, 1)
    assert "it has fewer cells" in (session.trouble or "")
