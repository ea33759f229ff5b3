"""Whether a closed reed still reads as closed through its resistor, and how soon: worst cases.

Figures of the ATmega2560's data sheet: pull-up 20 to 50 kΩ, low below 0.3, high above 0.6 of the
supply, 0.9 V at 20 mA out of a low output at the most.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from math import hypot, log

from hardware.make.parts import Measures
from hardware.make.routes import LEAD_MM, Routes, routes
from pi_app.sensing.description import Board

SUPPLY_V, LOW_SHARE, HIGH_SHARE = 4.65, 0.3, 0.6
"""A Mega on a USB cable may get no more than this."""
FULL_V = 5.0
PULL_UP_LEAST, PULL_UP_MOST = 20e3, 50e3
OUTPUT_OHMS = 45.0
SERIES_OHMS = 1050.0
DIODE_V = 0.65
"""A 1N4148 at a quarter of a milliampere."""
BUS_RISE_V = 3.3 * 105 / (1800 + 105)
"""What 100 Ω and 5 % add to a low I2C line that 1.8 kΩ pull up."""
OLED_CLAMP_A = (5.0 - 3.3 - 0.5) / 95
"""Through an OLED's own diode with its clock or data on 5 V, through 100 Ω less 5 %."""
WIRE_F_PER_M, DIODE_F, PIN_F = 100e-12, 4e-12, 10e-12
"""Wire among wires, at the most; a diode's data sheet; a pin, unchecked."""


@dataclass(frozen=True, slots=True)
class Levels:
    """A closed column's voltage and its threshold in V, and the µs until an opened one is high
    again."""

    low: float
    threshold: float
    settle_us: float


def levels(board: Board, measures: Measures) -> Levels:
    """Return the worst of a board's columns with all reeds closed. Raises ValueError without a
    matrix."""
    if board.scanner is None:
        raise ValueError(f"{board.name} has no matrix")
    columns = board.scanner.columns
    current = (FULL_V - DIODE_V) / (PULL_UP_LEAST + SERIES_OHMS)
    low = DIODE_V + current * (SERIES_OHMS + columns * OUTPUT_OHMS)
    runs = routes(board, measures)
    farads = max(_farads(board, runs, column) for column in range(columns))
    ohms = PULL_UP_MOST + SERIES_OHMS
    rise = ohms * farads * log((FULL_V - low) / (FULL_V * (1 - HIGH_SHARE)))
    return Levels(low, LOW_SHARE * SUPPLY_V, 1e6 * rise)


def _farads(board: Board, runs: Routes, column: int) -> float:
    """Return a column's capacitance in F: its wire, its diodes and its pin."""
    some = (*runs.columns.get(column, ()), runs.column_exits.get(column, ()))
    length = sum(
        hypot(b[0] - a[0], b[1] - a[1]) for run in some for a, b in itertools.pairwise(run)
    )
    diodes = sum(cell.column == column for cell in board.cells.values())
    return WIRE_F_PER_M * (length + LEAD_MM) / 1000 + DIODE_F * diodes + PIN_F
