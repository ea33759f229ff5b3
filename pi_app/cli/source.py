"""Opening the real board for the commands that need it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pi_app.devices.clock import MatchClock
from pi_app.devices.gpio import GpioBoard
from pi_app.devices.ports import find_port
from pi_app.devices.scanner import Listener, ScannerBoard
from pi_app.devices.scanner_port import PortCarrier, SerialPort
from pi_app.devices.source import Put, SensorSource, Timing
from pi_app.microseconds import ms
from pi_app.sensing.description import Board
from pi_app.settings import Settings


def open_source(
    board: Board, factory: Any, settings: Settings, clock: MatchClock, put: Put
) -> SensorSource:
    """The board on its pins, and on the scanner if it has one; raises DeviceError without pins."""
    timing = replace(timing_of(settings), stamp=clock.stamped)
    if board.scanner is None:
        return GpioBoard(board, factory, clock, put, timing)

    def connect() -> SerialPort:
        return SerialPort(find_port(settings.scanner.port))

    def carry(listener: Listener) -> PortCarrier:
        return PortCarrier(listener, connect, clock)

    return ScannerBoard(board, factory, clock, put, carry, timing)


def timing_of(settings: Settings) -> Timing:
    """As the settings say."""
    return Timing(ms(settings.times.long_press_ms), ms(settings.times.debounce_ms))
