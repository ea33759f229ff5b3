"""What an engine of backgammon is asked about a situation, and how its answers count.

The side asked about is always player 1.  Equities are points at a stake of one, in a match as far
as a plain game lost or won takes it: -1 to 1 are the two chances that `ends` of the answer tell.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pi_app.players.contract import PlayerError, Situation, Unit
from pi_app.players.gnubg.plain import Ends, away, ends_of
from pi_app.rules.contract import AnyGame
from pi_app.rules.tables.position import TablesPosition, write_position_id
from pi_app.rules.terms import Side
from pi_app.words.texts import quoted

MOST_STAKE = 256
"""In a match of 64 points any larger stake decides as well."""


@dataclass(frozen=True)
class Inquiry:
    """A situation of a game as one side sees it."""

    game: AnyGame
    situation: Situation
    side: Side

    @property
    def cubeful(self) -> bool:
        """Whether there is a cube, and the engine's equities count; else its odds do."""
        return self.situation.agreement.cube and self.game.has_cube

    @property
    def unit(self) -> Unit:
        return Unit.POINTS if self.situation.agreement.match_to is None else Unit.MATCH

    @cached_property
    def ends(self) -> Ends:
        return ends_of(self.game, self.situation.agreement, self.situation.standing, self.side)

    def question(self, position: TablesPosition, plies: int) -> dict[str, Any]:
        return {
            "position": write_position_id(position),
            "dice": None,
            "cube": self._cube(),
            "plies": plies,
            "cubeful": self.cubeful,
        }

    def counted(self, told: Mapping[str, Any], equity: float) -> float:
        """An equity of an answer in its unit; raises PlayerError."""
        if self.unit is Unit.POINTS:
            return equity
        lost, won = read_numbers(told.get("ends"), 2)
        return lost + (equity + 1) / 2 * (won - lost)

    def told(self, worth: float) -> float:
        """A worth within what it can be: the engine's chances are rounded to seven digits."""
        return worth if self.unit is Unit.POINTS else min(1.0, max(0.0, worth))

    def spread(self, told: Mapping[str, Any]) -> float:
        """What a point more is worth, at a stake of one, in its unit; raises PlayerError."""
        if self.unit is Unit.POINTS:
            return 1.0
        if self.cubeful:
            return self.counted(told, 1) - self.counted(told, 0)
        return (self.ends(1) - self.ends(-1)) / 2

    def _cube(self) -> dict[str, Any]:
        agreement, standing = self.situation.agreement, self.situation.standing
        sides = (self.side.other, self.side)
        target = agreement.match_to
        to_go = [away(target, standing, side) for side in sides] if target else [0, 0]
        # Without a cube it is as in the Crawford game: nobody doubles, and gammons count.  Where
        # both have a point to go the engine knows no such game: no cube counts anyway.
        dead = max(to_go) > 1 and (standing.crawford or (not self.cubeful and 1 in to_go))
        owner = standing.cube.owner if self.cubeful else None
        return {
            "cube": self._stake(),
            "cubeowner": -1 if owner is None else sides.index(owner),
            "move": 1,
            "matchto": max(to_go),
            "score": [max(to_go) - points for points in to_go],
            "crawford": int(dead),
            "jacoby": int(agreement.jacoby and self.cubeful and target is None),
            "beavers": 0,
            "bgv": 0,
        }

    def _stake(self) -> int:
        """A power of two; in unlimited play any does that tells whether it was doubled."""
        cube = self.situation.standing.cube
        if not self.cubeful:
            return 1
        if self.unit is Unit.POINTS:
            return 1 if cube.owner is None else 2
        return min(MOST_STAKE, 1 << cube.value.bit_length() - 1)


def read_numbers(told: object, number: int) -> Sequence[float]:
    """So many finite numbers; raises PlayerError for anything else."""
    if (
        not isinstance(told, list)
        or len(told) != number
        or not all(isinstance(value, int | float) and math.isfinite(value) for value in told)
    ):
        raise nonsense(told)
    return told


def nonsense(told: object) -> PlayerError:
    return PlayerError(f"the engine answers nonsense: {quoted(told)}")
