"""What an analysis comes to: marks for what was lost, and each player's figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from pi_app.coach.study import Analysis, Judged
from pi_app.players.contract import Unit
from pi_app.rules.terms import Side


class Mark(Enum):
    """How bad a decision was."""

    GOOD = "good"
    ERROR = "error"
    BLUNDER = "blunder"


ERROR_FROM: Mapping[Unit, float] = MappingProxyType({Unit.POINTS: 0.02, Unit.MATCH: 0.01})
BLUNDER_FROM: Mapping[Unit, float] = MappingProxyType({Unit.POINTS: 0.08, Unit.MATCH: 0.04})
"""A loss from which on a decision is called so: of points as eXtreme Gammon has it (unchecked).

Of the chance of a match half as much: in a match to one point it is the same.
"""
NOTHING = 1e-9
"""A loss below this is a rounding."""
RATING = 500
"""The rating is the mean loss of a decision in points times this, as usual in Backgammon."""


def mark_of(judged: Judged) -> Mark:
    """What a decision is called."""
    if judged.loss >= BLUNDER_FROM[judged.unit]:
        return Mark.BLUNDER
    return Mark.ERROR if judged.loss >= ERROR_FROM[judged.unit] else Mark.GOOD


@dataclass(frozen=True, slots=True)
class Errors:
    """One player's figures in one unit: `loss` is what all his decisions cost together.

    `points` is the same in points at the stake, None where that is not known; `luck` is None where
    it was not reckoned.
    """

    unit: Unit
    decisions: int
    errors: int
    blunders: int
    loss: float
    luck: float | None
    points: float | None

    @property
    def mean(self) -> float:
        """The mean loss of a decision; 0 where there was none."""
        return self.loss / self.decisions if self.decisions else 0.0

    @property
    def rating(self) -> float | None:
        """The performance rating, 0 the best; None where the points are not known."""
        if self.points is None or not self.decisions:
            return None
        return RATING * self.points / self.decisions


def blunders_first(analysis: Analysis) -> tuple[Judged, ...]:
    """What cost something, the dearest first; of equal losses the earlier."""
    lost = (judged for judged in analysis.judged if judged.loss > NOTHING)
    # Units cannot be compared: a blunder of either kind comes before the errors.
    return tuple(sorted(lost, key=lambda one: -one.loss / BLUNDER_FROM[one.unit]))


def errors_of(analysis: Analysis) -> Mapping[Side, tuple[Errors, ...]]:
    """Both players' figures, in each unit that the player judged in."""
    units = dict.fromkeys(judged.unit for judged in analysis.judged)
    return {side: tuple(_errors(analysis, side, unit) for unit in units) for side in Side}


def _errors(analysis: Analysis, side: Side, unit: Unit) -> Errors:
    own = [
        judged
        for judged in analysis.judged
        if judged.decided and judged.unit is unit and judged.moment.side is side
    ]
    marks = [mark_of(judged) for judged in own]
    known = [judged.points for judged in own if judged.points is not None]
    luck = None
    if analysis.luck is not None:
        luck = sum(one.luck for one in analysis.luck if one.unit is unit and one.cast.side is side)
    return Errors(
        unit,
        len(own),
        marks.count(Mark.ERROR),
        marks.count(Mark.BLUNDER),
        sum(judged.loss for judged in own),
        luck,
        sum(known) if len(known) == len(own) else None,
    )
