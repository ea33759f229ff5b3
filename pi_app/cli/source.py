"""Opening the real board for the commands that need it."""

from __future__ import annotations

from typing import Any

from pi_app.devices.clock import MatchClock
from pi_app.devices.gpio import GpioBoard
from pi_app.devices.ports import find_port
from pi_app.devices.scanner import ScannerBoard
from pi_app.devices.scanner_port import PortCarrier, SerialPort
from pi_app.devices.source import Put, SensorSource
from pi_app.microseconds import ms
from pi_app.sensing.description import Board
from pi_app.settings import Settings


def open_source(
    board: Board, factory: Any, settings: Settings, clock: MatchClock, put: Put
) -> SensorSource:
    """The board on its pins, and on the scanner if it has one; raises DeviceError without pins."""
    times = settings.times
    if board.scanner is None:
        return GpioBoard(
            board,
            factory,
            clock,
            put,
            stamp=clock.stamped,
            long_press=ms(times.long_press_ms),
            debounce=ms(times.debounce_ms),
        )

    def connect() -> SerialPort:
        return SerialPort(find_port(settings.scanner.port))

    return ScannerBoard(
        board,
        factory,
        clock,
        put,
        lambda listener: PortCarrier(listener, connect, clock),
        stamp=clock.stamped,
        long_press=ms(times.long_press_ms),
        debounce=ms(times.debounce_ms),
    )
