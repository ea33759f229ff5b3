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
    DOUBTFUL = "doubtful"
    ERROR = "error"
    BLUNDER = "blunder"


MARKED_FROM: Mapping[Mark, float] = MappingProxyType(
    {Mark.BLUNDER: 0.12, Mark.ERROR: 0.06, Mark.DOUBTFUL: 0.03}
)
"""A loss of more normalised equity than this is called so: GNU Backgammon's "very bad", "bad" and
"doubtful", as 1.07 has them from the start."""
NOTHING = 1e-9
"""A loss below this is a rounding."""
RATING = 500
"""The rating is the mean normalised loss of a decision times this, as usual in Backgammon."""


def mark_of(judged: Judged) -> Mark:
    """What a decision is called."""
    lost = _equity(judged)
    return next((mark for mark, least in MARKED_FROM.items() if lost > least), Mark.GOOD)


def _equity(judged: Judged) -> float:
    """The normalised loss, or, where only the chance of the match is known, the least it can be.

    That is what it is in the last game of a match, where the chance goes from 0 to 1.
    """
    return 2 * judged.loss if judged.equity is None else judged.equity


@dataclass(frozen=True, slots=True)
class Errors:
    """One player's figures in one unit: `loss` is what all his decisions cost together.

    `equity` is the same in normalised equity, None where that is not known; `luck` is None where it
    was not reckoned.
    """

    unit: Unit
    decisions: int
    doubtful: int
    errors: int
    blunders: int
    loss: float
    luck: float | None
    equity: float | None

    @property
    def mean(self) -> float:
        """The mean loss of a decision; 0 where there was none."""
        return self.loss / self.decisions if self.decisions else 0.0

    @property
    def rating(self) -> float | None:
        """The performance rating, 0 the best; None where the equity is not known."""
        if self.equity is None or not self.decisions:
            return None
        return RATING * self.equity / self.decisions


def blunders_first(analysis: Analysis) -> tuple[Judged, ...]:
    """What cost something, the dearest first; of equal losses the earlier."""
    lost = (judged for judged in analysis.judged if judged.loss > NOTHING)
    return tuple(sorted(lost, key=lambda one: -_equity(one)))


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
    known = [judged.equity for judged in own if judged.equity is not None]
    luck = None
    if analysis.luck is not None:
        luck = sum(one.luck for one in analysis.luck if one.unit is unit and one.cast.side is side)
    return Errors(
        unit,
        len(own),
        marks.count(Mark.DOUBTFUL),
        marks.count(Mark.ERROR),
        marks.count(Mark.BLUNDER),
        sum(judged.loss for judged in own),
        luck,
        sum(known) if len(known) == len(own) else None,
    )
