"""Hands, reeds, scanner, bytes, a serial port, the referee and its view, all at once.

The scanner is the Python twin behind a pseudo-terminal, then the real firmware on the emulated
board, which the opening of the port resets as it does the real one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from chain import Chain, DriveReed, connected, play_turns
from emulated import built
from pty_scanner import PtyScanner

from pi_app.match.turns import Phase
from pi_app.rules.terms import Spot
from pi_app.simulator.emulator import Emulator

TURNS = 4

OpenChain = Callable[[Path], AbstractContextManager[tuple[Path, DriveReed]]]
"""Switches a scanner on; gives its port and what drives its reeds."""


@contextmanager
def twin(folder: Path) -> Iterator[tuple[Path, DriveReed]]:
    with PtyScanner(folder) as scanner:
        yield scanner.port, scanner.reed


@contextmanager
def binary(folder: Path) -> Iterator[tuple[Path, DriveReed]]:
    with Emulator(built(), "--boot", "300") as board:
        yield board.port, board.set_reed


@pytest.mark.slow
@pytest.mark.parametrize("scanner", [twin, binary])
def test_whole_turns_through_a_serial_port(scanner: OpenChain, tmp_path: Path) -> None:
    with scanner(tmp_path) as (port, drive):
        chain = Chain(port, drive)
        try:
            report = play_turns(chain, TURNS)
        finally:
            chain.close()
    assert report.turns == TURNS
    assert report.hits >= 1
    assert report.warnings == 1


def test_a_cable_that_is_pulled_in_the_middle_is_told_and_forgiven(tmp_path: Path) -> None:
    with PtyScanner(tmp_path) as scanner:
        chain = Chain(scanner.port, scanner.reed)
        try:
            chain.until(lambda: connected(chain))
            for spot in ("1", "2"):
                chain.reed(Spot.read(spot), True)
            scanner.unplug()
            chain.until(lambda: "sensors" in chain.away)
            for spot in ("5", "6"):
                chain.reed(Spot.read(spot), True)
            assert chain.view.phase is Phase.SET_UP
            scanner.plug_in()
            chain.until(lambda: chain.view.phase is Phase.OPENING_THROW)
            assert chain.away == ()
        finally:
            chain.close()
