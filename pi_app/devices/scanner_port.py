"""The scanner's serial port: it is found, opened, read by a thread, and found again when lost."""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from pi_app.base.microseconds import Us
from pi_app.base.values import dataclass
from pi_app.devices.scanner import Listener
from pi_app.devices.source import Clock, DeviceError
from pi_app.link.session import HostSession, LinkEvent

# Which serial port the reed scanner is on.

AUTO = "auto"
BY_ID = Path("/dev/serial/by-id")
BY_SOCKET = Path("/dev/serial/by-path")
MEGAS = frozenset({(0x2341, 0x0042), (0x2341, 0x0010), (0x2A03, 0x0042)})
"""USB vendor and product numbers of an Arduino Mega 2560; spotter-scanner.rules names its port."""
CH340 = (0x1A86, 0x7523)
"""The chip on many copies of the Mega and on many other devices. Without a serial number it gets no
name of its own."""
SCANNERS = MEGAS | {CH340}


@dataclass(frozen=True, slots=True)
class FoundPort:
    """A serial port of this computer; without USB it has no ids."""

    device: str
    ids: tuple[int, int] | None
    description: str

    def __str__(self) -> str:
        named = f" {self.ids[0]:04X}:{self.ids[1]:04X}" if self.ids else ""
        return f"{self.device}{named} ({self.description})"


def list_ports() -> tuple[FoundPort, ...]:
    from serial.tools.list_ports import comports  # noqa: PLC0415, hardware is opened here

    return tuple(
        FoundPort(
            port.device, None if port.vid is None else (port.vid, port.pid), str(port.description)
        )
        for port in sorted(comports(), key=lambda port: str(port.device))
    )


def find_port(
    wanted: str,
    listed: Callable[[], Iterable[FoundPort]] = list_ports,
    by_id: Path = BY_ID,
    by_socket: Path = BY_SOCKET,
) -> str:
    """Return the path of the scanner's port: the wanted one, or with "auto" the only possible one.

    Its name in `by_id` is preferred, which stays the same when other devices are plugged in. Raises
    DeviceError, which says what was found and what to set. Among several ports it names one in
    `by_socket`, because chips without a serial number share a name in `by_id`.
    """
    seen = tuple(listed())
    if wanted != AUTO:
        if Path(wanted).exists():
            return wanted
        raise DeviceError(
            f"the scanner's port {wanted} is not there; seen: {_names(seen)}",
            'plug the scanner in, or set port = "auto" under [scanner] in the settings',
        )
    found = [port for port in seen if port.ids in SCANNERS]
    if len(found) == 1:
        return _lasting(found[0].device, by_id)
    if found:
        raise DeviceError(
            f"several ports could be the scanner's: {_names(found)}",
            "set one under [scanner] in the settings, such as"
            f' port = "{_lasting(found[0].device, by_socket)}"',
        )
    raise DeviceError(
        f"no scanner is plugged in; seen: {_names(seen)}",
        "plug it in; if it is there under another name, set port under [scanner] in the settings",
    )


def _names(ports: Iterable[FoundPort]) -> str:
    return ", ".join(map(str, ports)) or "no serial port"


def _lasting(device: str, folder: Path) -> str:
    """The port's name in a folder of lasting names, if the system has one."""
    names = sorted(folder.iterdir()) if folder.is_dir() else []
    target = Path(device).resolve()
    return next((str(name) for name in names if name.resolve() == target), device)


# The scanner's serial port: a thread that reads it, and comes back after it was unplugged.
#
# An unplugged port dies in many ways (OSError, termios.error, SerialException, end of file): all
# of them are one, the port is gone and is looked for again at growing intervals.

BAUD = 500_000
PAUSES = (0.25, 0.5, 1.0, 2.0, 4.0)
"""Seconds between attempts; the last value repeats."""

TUNE_S = 1.0
"""Seconds after which the port's speed is set again, because any other program may change it."""

_READ_S, _WRITE_S, _CLOSE_S = 0.2, 0.5, 1.0

_NO_PORT = 'it is no serial port: set port = "auto" under [scanner] in the settings'
_REMEDIES: Mapping[int | None, str] = {
    errno.EACCES: "run: sudo usermod -aG dialout $USER, then log in again",
    errno.EAGAIN: "end the other program that uses it",
    errno.EBUSY: "end the other program that uses it",
    errno.ENOENT: "plug the scanner in",
    errno.EISDIR: _NO_PORT,
    errno.ENOTTY: _NO_PORT,
}


class Port(Protocol):
    """An open serial port; its methods may raise anything once it is gone."""

    def read(self) -> bytes:
        """Read the input, waiting at most 0.2 seconds."""

    def write(self, data: bytes) -> None:
        """Send these bytes."""

    def close(self) -> None:
        """Release it."""


class SerialPort:
    """A port through pyserial, for this program alone.

    Opening it resets an Arduino. Raises DeviceError, which says what to do.
    """

    def __init__(self, path: str) -> None:
        import serial  # noqa: PLC0415, hardware is opened here

        try:
            self._serial: Any = serial.Serial(
                path, BAUD, timeout=_READ_S, write_timeout=_WRITE_S, exclusive=True
            )
        except Exception as error:
            remedy = _REMEDIES.get(_code(error), "unplug the scanner and plug it in again")
            raise DeviceError(
                f"the scanner's port {path} cannot be opened: {error}", remedy
            ) from None
        self._tuned = time.monotonic()

    def read(self) -> bytes:
        """Wait for the first byte, and take what has arrived with it."""
        if time.monotonic() >= self._tuned + TUNE_S:
            self._serial.baudrate = BAUD  # writes all settings, if one of them was changed
            self._tuned = time.monotonic()
        first: bytes = self._serial.read(1)
        return first + self._serial.read(self._serial.in_waiting) if first else first

    def write(self, data: bytes) -> None:
        self._serial.write(data)

    def close(self) -> None:
        self._serial.close()


def _code(error: Exception) -> int | None:
    """The system's error number; in an error that pyserial wraps it is the first argument."""
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    inner = error.__context__.args[:1] if error.__context__ else ()
    return inner[0] if inner and isinstance(inner[0], int) else None


def converse(session: HostSession, port: Port, clock: Clock) -> Iterator[tuple[LinkEvent, ...]]:
    """Run a session over a port; yield what happened after each reading, if anything."""
    session.plugged(clock())
    while True:
        data = port.read()
        now = clock()
        events = (*session.receive(now, data), *session.advance(now))
        if outgoing := session.take_outgoing():
            port.write(outgoing)
        yield events


class PortCarrier:
    """Reads and writes the scanner's port on a thread of its own; `connect` finds and opens it.

    `last_fault` is the text of the last failure.
    """

    def __init__(
        self,
        listener: Listener,
        connect: Callable[[], Port],
        clock: Clock,
        pauses: tuple[float, ...] = PAUSES,
    ) -> None:
        self.last_fault: str | None = None
        self._listener, self._connect, self._clock = listener, connect, clock
        self._pauses = pauses
        self._closing = threading.Event()
        self._tries = 0
        self._thread = threading.Thread(target=self._run, name="scanner", daemon=True)
        self._thread.start()

    @property
    def due(self) -> Us | None:
        """None: the thread does everything."""
        return None

    def advance(self, us: Us) -> None:
        """Do nothing: the thread does everything."""

    def status(self) -> tuple[str, ...]:
        """The port's problem since it last worked."""
        return (self.last_fault,) if self.last_fault else ()

    def close(self) -> None:
        """End the thread. A port that hangs is given up after a second."""
        self._closing.set()
        self._thread.join(_CLOSE_S)

    def _run(self) -> None:
        while not self._closing.is_set():
            # Anything may come out of a dying port; this thread must outlive it.
            try:
                self._use(self._connect())
            except Exception as error:
                self.last_fault = str(error) or type(error).__name__
            pause = self._pauses[min(self._tries, len(self._pauses) - 1)]
            self._tries += 1
            self._closing.wait(pause)

    def _use(self, port: Port) -> None:
        """Read and write until this is closed, or raise once the port is gone."""
        self._listener.plugged(self._clock())
        try:
            while not self._closing.is_set():
                data = port.read()
                if data:
                    self._tries, self.last_fault = 0, None
                if answer := self._listener.heard(self._clock(), data):
                    port.write(answer)
        finally:
            with suppress(Exception):
                port.close()
            if not self._closing.is_set():
                self._listener.unplugged(self._clock())
