"""What each way to end is worth to a side: points, or in a match the chance of winning it.

A worth is counted so that the other side's is the same below nothing: in a match twice the chance
less one.  What a score is worth is computed here, for two sides alike.  Without a cube from how
often games end how, as the network's teacher counted them.  With the cube, where nobody is one
point away, by Janowski's rule of thumb: the leader has 1/2 + 0.85 lead / (the trailer's need + 6);
in the Crawford game and after it from the ends again, the trailer doubling at once.  So these are
estimates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from pi_app.match.score import Agreement, Standing, worth
from pi_app.players.contract import Unit
from pi_app.rules.terms import Side

MOST_AWAY = 100
"""Points that a side may need for the score to count; farther away it plays as for points."""

Needs: TypeAlias = tuple[int, int]
"""The points that a side still needs, and the other."""
Met: TypeAlias = Callable[[int, int], float]
"""The chance of winning the match for a side that needs so many points against so many."""


@dataclass(frozen=True, slots=True)
class Ways:
    """How games end, from the worst for a side to the best: points before the cube, and shares."""

    points: tuple[float, ...]
    shares: tuple[float, ...]

    @property
    def signs(self) -> tuple[int, ...]:
        """Below nothing what is lost, above what is won."""
        count = len(self.points)
        return tuple((2 * way + 1 > count) - (2 * way + 1 < count) for way in range(count))


@dataclass(frozen=True, slots=True)
class Stakes:
    """What is at stake in one game of a match, or of unlimited play."""

    unit: Unit
    won: Mapping[Side, Callable[[float], float]]
    """The worth to a side of winning so many points, or losing so many below nothing."""

    def told(self, value: float) -> float:
        """A worth in its unit."""
        return (1 + value) / 2 if self.unit is Unit.MATCH else value


def stakes_of(
    agreement: Agreement, standing: Standing, ways: Ways, cube: int | None = None
) -> Stakes:
    """The stakes at a score, with another value of the cube if one is given."""
    value = cube or standing.cube.value
    target = agreement.match_to
    if target is None or target - standing.score.least > MOST_AWAY:
        turned = value > standing.cube.value
        share = value / standing.cube.value

        def plain(points: float) -> float:
            if turned or abs(points) <= 1:
                return share * points
            sign = 1 if points > 0 else -1
            most = worth(agreement, standing, 2)  # 1 where only a turned cube makes more
            return share * (points if most > 1 else sign)

        return Stakes(Unit.POINTS, dict.fromkeys(Side, plain))
    met = met_of(agreement, standing, ways)

    def won_by(side: Side) -> Callable[[float], float]:
        own, other = (target - standing.score.of(each) for each in (side, side.other))
        return lambda points: _after(met, (own, other), points * value)

    return Stakes(Unit.MATCH, {side: won_by(side) for side in Side})


def _after(met: Met, away: Needs, points: float) -> float:
    """Twice the chance less one once so many points are won; a mean of points is rounded."""
    own, other = away
    gained = round(points)
    if gained > 0:
        return 2 * met(own - gained, other) - 1
    return 2 * met(own, other + gained) - 1


def met_of(agreement: Agreement, standing: Standing, ways: Ways) -> Met:
    """What scores are worth after the game at hand."""
    played = standing.crawford_played or standing.crawford or not agreement.crawford
    return _met(ways, agreement.cube, played, min(agreement.match_to or 1, MOST_AWAY))


@lru_cache(maxsize=16)
def _met(ways: Ways, cube: bool, crawford_played: bool, most: int) -> Met:
    plain = _table(ways, 1, most)
    doubled = _table(ways, 2, most)

    def chance(own: int, other: int) -> float:
        if own <= 0 or other <= 0:
            return 1.0 if own <= 0 else 0.0
        if not cube:
            return plain[own, other]
        if min(own, other) > 1:
            return min(1.0, max(0.0, 0.5 + 0.85 * (other - own) / (max(own, other) + 6)))
        return doubled[own, other] if crawford_played else _on(doubled, ways, own, other, 1)

    return chance


def _on(known: Mapping[Needs, float], ways: Ways, own: int, other: int, stake: int) -> float:
    """The chance with one game still to come, at this stake; a tie is played again."""
    total = chance = 0.0
    for points, share, sign in zip(ways.points, ways.shares, ways.signs, strict=True):
        if not sign:
            continue
        won = stake * max(1, round(points))
        total += share
        if sign > 0:
            chance += share if won >= own else share * known[own - won, other]
        elif won < other:
            chance += share * known[own, other - won]
    return chance / total


def _table(ways: Ways, stake: int, most: int) -> Mapping[Needs, float]:
    """The chance at every score, with every game at one stake."""
    known = dict[Needs, float]()
    for together in range(2, 2 * most + 1):
        for own in range(max(1, together - most), min(most, together - 1) + 1):
            known[own, together - own] = _on(known, ways, own, together - own, stake)
    return known
