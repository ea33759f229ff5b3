"""The simulator's room: one window, and before it the simulated board that the match asks for."""

from __future__ import annotations

import random
from contextlib import ExitStack

from pi_app.boards import load_board
from pi_app.devices.gpio import open_factory
from pi_app.devices.source import Clock, Put, SensorSource, Timing
from pi_app.rules.contract import Games
from pi_app.sensing.description import Board
from pi_app.simulator.scanner import OpenSimulated
from pi_app.simulator.tabletop import SimulatedTable
from pi_app.simulator.window import SimulatorWindow


class SimulatedRoom:
    """Lays one simulated board after another before a window.

    `rng` decides how the reeds bounce and miss.  Raises DeviceError where the first board cannot be
    opened, ScreenError without a display.
    """

    def __init__(
        self,
        open_board: OpenSimulated,
        board: Board,
        clock: Clock,
        put: Put,
        timing: Timing,
        *,
        fullscreen: bool = False,
        rng: random.Random | None = None,
    ) -> None:
        self._open_board, self._rng = open_board, rng or random.Random()
        self._clock, self._put, self._timing = clock, put, timing
        self.source, table = self._opened(board)
        with ExitStack() as until_open:
            until_open.callback(self.source.close)
            self.window = SimulatorWindow(
                table, fullscreen=fullscreen, long_press=timing.long_press
            )
            until_open.pop_all()

    def fetch(self, name: str, games: Games) -> tuple[Board, SensorSource]:
        """Lay the board of this name before the window, in place of the one that lies there.

        Raises ConfigError for a board that cannot be read, DeviceError for one that cannot be
        opened; then the other stays.
        """
        board = load_board(name, games)
        self.source, self.window.table = self._opened(board)
        return board, self.source

    def _opened(self, board: Board) -> tuple[SensorSource, SimulatedTable]:
        factory = open_factory("mock")
        devices = self._open_board(board, factory, self._clock, self._put, self._timing)
        return devices.source, SimulatedTable(
            board, factory, self._rng, drive_cell=devices.drive_cell
        )
