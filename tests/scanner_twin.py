"""A reed scanner that is not there: the firmware's behaviour in Python, bytes in and bytes out.

It has no thread and no clock; every reed is looked at all the time instead of a thousand times a
second.  `TwinCarrier` ties it to a listener in place of a serial port, `open_twin` a whole board.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from scanner_wire import UNCONFIGURED, AskPicture, FromHost, pack, unpack_from_host

from pi_app.base.microseconds import US_A_MS, Us, ms
from pi_app.devices.scanner import Listener, ScannerBoard
from pi_app.devices.source import USUAL, Clock, Put, Timing
from pi_app.link.messages import (
    BUILD,
    SEQUENCES,
    VERSION,
    Acknowledge,
    Cause,
    Configure,
    Decoder,
    Fault,
    FromScanner,
    Geometry,
    Hello,
    MessageError,
    Report,
    Who,
    encode,
)
from pi_app.sensing.debounce import Debouncer
from pi_app.sensing.description import Board, Cell, Sensor
from pi_app.simulator.source import SimulatedSource, open_simulated

QUEUE = 32
REPEAT, BEAT, FIRST = ms(50), ms(200), ms(1)
"""Between repeats, between heartbeats or hellos, and from CONFIGURE to the first picture."""

_MOST = 0xFFFF
_CLOCK_WRAP = 1 << 32


class ScannerTwin:
    """One scanner with its reeds, switched on at `us`; `version` is its protocol's.

    Reeds outside the configured matrix can be switched too; nobody looks at them.
    """

    def __init__(
        self,
        us: Us = Us(0),
        cause: Cause = Cause.POWER,
        version: int = VERSION,
        build: int = BUILD,
    ) -> None:
        self._version, self._build = version, build
        self._closed: set[Cell] = set()
        self._first_at: Us | None = None
        self._repeat_at: Us | None = None
        self.reset(us, cause)

    def reset(self, us: Us, cause: Cause) -> None:
        """Restart unconfigured. Bytes under way to the host are lost."""
        self._booted, self._cause, self._fault = us, cause, Fault.NONE
        self._decoder = Decoder()
        self._outgoing = bytearray()
        self._unread = 0
        self._stop(token=0)
        self._greet(us)

    @property
    def due(self) -> Us:
        """When `advance` has work next."""
        if self._first_at is not None:
            return self._first_at
        quiet = self._beat_at if self._repeat_at is None else self._repeat_at
        return min(quiet, quiet if self._debouncer.due is None else self._debouncer.due)

    def switch(self, us: Us, cell: Cell, closed: bool) -> None:
        """Report a raw edge of the reed in this cell."""
        self.advance(us)
        if closed:
            self._closed.add(cell)
        else:
            self._closed.discard(cell)
        at = self._geometry
        if self._ready and cell.row < at.rows and cell.column < at.columns:
            self._debouncer.edge(us, _name(cell, at), closed)

    def receive(self, us: Us, data: bytes) -> None:
        self.advance(us)
        for payload in self._decoder.feed(data):
            try:
                self._obey(us, unpack_from_host(payload))
            except MessageError:
                self._unread += 1

    def advance(self, us: Us) -> None:
        """Perform everything due by `us`, in order."""
        while self.due <= us:
            self._do(self.due)

    def take_outgoing(self) -> bytes:
        """The bytes for the host since the last call."""
        data = bytes(self._outgoing)
        self._outgoing.clear()
        return data

    def _do(self, us: Us) -> None:
        if self._first_at is not None:
            self._look_first(us)
        elif (due := self._debouncer.due) is not None and due <= us:
            changes = self._debouncer.advance(us)
            for number in sorted(int(change.sensor) for change in changes):
                self._bits ^= 1 << number
                self._enqueue(us)
        elif self._repeat_at is not None:
            self._send_queue(us)
        else:
            self._beat(us)

    def _obey(self, us: Us, message: FromHost) -> None:
        match message:
            case Who():
                self._greet(us)
            case Configure():
                self._configure(us, message)
            case Acknowledge(token, sequence) if self._ready and token == self._token:
                self._acknowledged(sequence)
            case AskPicture() if self._queue:
                self._send_queue(us)
            case AskPicture() if self._ready:
                self._beat(us)
            case AskPicture() if self._first_at is not None:
                pass  # it comes by itself
            case _:
                self._unread += 1

    def _configure(self, us: Us, asked: Configure) -> None:
        self._stop(asked.token)
        self._fault = Fault.VERSION if asked.version != self._version else asked.geometry.fault()
        if self._fault is Fault.NONE:
            self._geometry = asked.geometry
            self._first_at = Us(us + FIRST)
        self._greet(us)

    def _stop(self, token: int) -> None:
        self._token, self._geometry = token, UNCONFIGURED
        self._ready = False
        self._first_at = self._repeat_at = None
        self._debouncer = Debouncer(Us(0))
        self._queue: deque[Report] = deque()
        """The changes that have not been acknowledged."""
        self._sequence, self._lost, self._bits = _MOST, 0, 0

    def _look_first(self, us: Us) -> None:
        """Accept the first picture without debouncing."""
        at = self._geometry
        self._first_at, self._ready = None, True
        self._debouncer = Debouncer(ms(at.debounce_ms))
        names = {
            _name(cell, at)
            for cell in self._closed
            if cell.row < at.rows and cell.column < at.columns
        }
        self._debouncer.picture(us, names, frozenset(names))
        self._bits = sum(1 << int(name) for name in names)
        self._enqueue(us)

    def _enqueue(self, us: Us) -> None:
        """Send a change and keep it until acknowledged.

        A full queue merges it into the newest entry.
        """
        if len(self._queue) == QUEUE:
            self._lost = min(self._lost + 1, _MOST)
            self._queue.pop()
        else:
            self._sequence = (self._sequence + 1) % SEQUENCES
        self._queue.append(self._report(us))
        self._tell(us, self._queue[-1])
        if self._repeat_at is None:
            self._repeat_at = Us(us + REPEAT)

    def _acknowledged(self, sequence: int) -> None:
        if (self._sequence - sequence) % SEQUENCES >= SEQUENCES // 2:
            return  # it has not been sent yet
        while self._queue and (sequence - self._queue[0].sequence) % SEQUENCES < SEQUENCES // 2:
            self._queue.popleft()
        if not self._queue:
            self._repeat_at = None

    def _send_queue(self, us: Us) -> None:
        for report in self._queue:
            self._tell(us, report)
        self._repeat_at = Us(us + REPEAT)

    def _report(self, us: Us) -> Report:
        """The current picture with the scanner's time stamp."""
        at = (us - self._booted) // US_A_MS % _CLOCK_WRAP
        bitmap = self._bits.to_bytes(self._geometry.bitmap_bytes, "little")
        return Report(self._sequence, at, self._lost, bitmap)

    def _tell(self, us: Us, message: FromScanner) -> None:
        self._outgoing += encode(pack(message))
        self._beat_at = Us(us + BEAT)

    def _beat(self, us: Us) -> None:
        """Send a heartbeat."""
        if self._ready:
            self._tell(us, self._report(us))
        else:
            self._greet(us)

    def _greet(self, us: Us) -> None:
        bad = min(self._decoder.bad + self._unread, _MOST)
        reasons = self._cause, self._fault
        at = self._token, self._geometry
        self._tell(us, Hello(*at, *reasons, bad, 0, self._build, self._version))


def _name(cell: Cell, geometry: Geometry) -> Sensor:
    """The debouncer's name for a cell is its bit."""
    return Sensor(str(cell.row * geometry.columns + cell.column))


class TwinCarrier:
    """Carries bytes between a twin and its board as time passes."""

    def __init__(self, twin: ScannerTwin, listener: Listener, clock: Clock) -> None:
        self._twin, self._listener = twin, listener
        listener.plugged(clock())
        self.advance(clock())

    @property
    def due(self) -> Us | None:
        """When the twin sends next."""
        return self._twin.due

    def advance(self, us: Us) -> None:
        self._twin.advance(us)
        data = self._twin.take_outgoing()
        answer = self._listener.heard(us, data)
        while answer:
            self._twin.receive(us, answer)
            answer = self._listener.heard(us, self._twin.take_outgoing())

    def status(self) -> tuple[str, ...]:
        """A twin never fails."""
        return ()

    def close(self) -> None:
        """There is nothing to let go of."""


def open_twin(
    board: Board, factory: Any, clock: Clock, put: Put, timing: Timing = USUAL
) -> SimulatedSource:
    """Open a board on mock pins, with a scanner twin if it needs one. The twin tells no sides."""
    if board.scanner is None or board.tells_sides:
        return open_simulated(board, factory, clock, put, timing)
    twin = ScannerTwin(clock())

    def carry(listener: Listener) -> TwinCarrier:
        return TwinCarrier(twin, listener, clock)

    # No other session can be mistaken for this one.
    source = ScannerBoard(board, factory, clock, put, carry, timing, token=lambda: 1)
    return SimulatedSource(source, lambda cell, closed: twin.switch(clock(), cell, closed))
