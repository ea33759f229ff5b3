"""Whether a resignation is to be accepted: what is offered against what is to be expected.

What the one who resigns is still worth is the mean over his rolls of his best play, or his best
play of the roll that lies there.  In points that compares at once.  In chances of winning the match
an offer is worth what the score after it is between equals who win every point as often: no table
of any game's, but right within a few per cent.  A player who only compares plays by its own marks
expects nothing, and accepts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import combinations_with_replacement

from pi_app.match.score import Agreement, Standing, worth
from pi_app.players.contract import ROUNDING, Unit
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, Side

FACES = range(1, 7)
FAR = 60
"""Points to go beyond which a score counts as if nobody had more."""


def rolls_of(game: AnyGame) -> Mapping[Roll, float]:
    """Every roll of a game and how likely it is."""
    if not game.dice:
        return {Roll(()): 1.0}
    rolls = [Roll.of(*faces) for faces in combinations_with_replacement(FACES, game.dice)]
    ways = {roll: 1 if len(set(roll.dice)) == 1 else 2 for roll in rolls}
    return {roll: count / sum(ways.values()) for roll, count in ways.items()}


def accepts(
    unit: Unit, expected: float, points: int, agreement: Agreement, standing: Standing, side: Side
) -> bool:
    """Whether this side takes so many points, before the stake, from one who expects so much."""
    counted = worth(agreement, standing, points)
    match unit:
        case Unit.POINTS:
            return counted >= -expected - ROUNDING
        case Unit.MATCH:
            return _after(agreement, standing, counted, side) >= 1 - expected - ROUNDING
        case Unit.SCORE:
            return True


def _after(agreement: Agreement, standing: Standing, points: int, side: Side) -> float:
    """This side's chance of winning the match once it has won so many points."""
    if agreement.match_to is None:
        return 1.0
    score = standing.score
    ours = agreement.match_to - score.of(side) - points * standing.cube.value
    theirs = agreement.match_to - score.of(side.other)
    return chance(min(ours, FAR), min(theirs, FAR))


@cache
def chance(ours: int, theirs: int) -> float:
    """Who needs `ours` points wins before another gets `theirs`, where each point is even."""
    if ours <= 0:
        return 1.0
    if theirs <= 0:
        return 0.0
    return (chance(ours - 1, theirs) + chance(ours, theirs - 1)) / 2
