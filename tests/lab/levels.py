"""Levels of Hall sensors under simulated hands: where checkers lie on their places, and how far one
that comes on top nudges the one below."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import cache

from hardware.make.__main__ import HERE
from hardware.make.hall.demands import hall_setup
from hardware.make.hall.pages import COUNT_MT
from hardware.make.hall.sixth import LevelModel, Scatter, Shift
from hardware.make.parts import read_parts
from pi_app.base.microseconds import Us
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Side, Spot
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.levels import PlaceLevels
from pi_app.simulator.reeds import FeltReeds, LyingCheckers, Piece

BELOW_MM, ON_TOP_MM = 2.0, 3.0
"""Standard deviations along both axes: of a checker beside its place, and of one on top of it."""


def scatter_of(nudge_mm: float) -> Scatter:
    """Hands that nudge the checker below by so much."""
    return Scatter(BELOW_MM, nudge_mm, ON_TOP_MM, clumsy=0.1)


@cache
def _model(board: Board) -> LevelModel:
    parts = read_parts("parts.toml", (HERE / "parts.toml").read_text(encoding="utf-8"))
    return LevelModel(hall_setup(board, parts), COUNT_MT)


class MeasuredCheckers(LyingCheckers):
    """The true checkers of a board with Hall strips, and what its sensors measure."""

    def __init__(
        self, board: Board, game: AnyGame, reeds: FeltReeds, scatter: Scatter, seed: str
    ) -> None:
        self._board, self._scatter = board, scatter
        self._chance = random.Random(f"levels {seed}")
        self._beside: dict[Sensor, Shift] = {}
        self._above: dict[Spot, list[tuple[Sensor, Shift]]] = {}
        super().__init__(board, game, reeds)

    def drop(
        self, us: Us, spot: Spot, piece: Piece, place: Sensor | None, *, slid: bool = False
    ) -> None:
        super().drop(us, spot, piece, place, slid=slid)
        if place is not None:
            self._beside[place] = self._scatter.drawn(self._scatter.below, self._chance)
        elif names := self.places_of(spot):
            under = self._chance.choice(names)
            self._nudge(under)
            shift = self._scatter.drawn(self._scatter.on_top, self._chance)
            self._above.setdefault(spot, []).append((under, shift))

    def lift(
        self, us: Us, spot: Spot, piece: Piece, place: Sensor | None, *, slid: bool = False
    ) -> bool:
        felt = super().lift(us, spot, piece, place, slid=slid)
        if place is None and self._above.get(spot):
            under, _ = self._above[spot].pop()
            self._nudge(under)
        return felt

    def measured(self, spots: frozenset[Spot]) -> PlaceLevels:
        """The levels of these spots; on each a checker was touched since the last time, perhaps."""
        for spot in sorted(spots, key=str):
            if self._chance.random() < 0.5:
                self._nudge(self._chance.choice(self.places_of(spot)))
        standing = self.lying_on
        return dict(self._levels(spots, standing))

    def _levels(
        self, spots: frozenset[Spot], standing: Mapping[Sensor, Piece]
    ) -> Iterator[tuple[Sensor, int]]:
        for spot in sorted(spots, key=str):
            for name in self.places_of(spot):
                piece, beside = standing.get(name), self._beside.get(name, (0.0, 0.0))
                shifts = [beside] if piece else []
                on_it = [shift for under, shift in self._above.get(spot, ()) if under == name]
                if piece and on_it:
                    shifts.append((beside[0] + on_it[0][0], beside[1] + on_it[0][1]))
                level = _model(self._board).level(shifts, self._chance)
                yield name, -level if piece and piece.side is Side.BLACK else level

    def _nudge(self, name: Sensor) -> None:
        x, y = self._beside.get(name, (0.0, 0.0))
        by = self._scatter.drawn(self._scatter.nudge, self._chance)
        self._beside[name] = x + by[0], y + by[1]
