"""Cubes of the tables games: what each way to end is worth, and when to double and to take."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from pi_app.match.score import Agreement, Standing, worth
from pi_app.players.contract import Unit
from pi_app.rules.terms import Side

# What each way to end is worth to a side: points, or in a match the chance of winning it.
#
# A worth is counted so that the other side's is the same below nothing: in a match twice the
# chance less one. What a score is worth is computed here, for two sides alike. Without a cube from
# how often games end how, as the network's teacher counted them. With the cube, where nobody is
# one point away, by Janowski's rule of thumb: the leader has 1/2 + 0.85 lead / (the trailer's need
# + 6); in the Crawford game and after it from the ends again, the trailer doubling at once. So
# these are estimates.

MOST_AWAY = 100
"""Points that a side may need for the score to count; farther away it plays as for points."""

Needs: TypeAlias = tuple[int, int]
"""The points that a side still needs, and the other."""
Met: TypeAlias = Callable[[int, int], float]
"""The chance of winning the match for a side that needs so many points against so many."""


@dataclass(frozen=True, slots=True)
class Ways:
    """The results of games, from a side's worst to its best: points before the cube, and shares."""

    points: tuple[float, ...]
    shares: tuple[float, ...]

    @property
    def signs(self) -> tuple[int, ...]:
        """Below nothing what is lost, above what is won."""
        count = len(self.points)
        return tuple((2 * way + 1 > count) - (2 * way + 1 < count) for way in range(count))


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stakes of one game, in a match or in unlimited play."""

    unit: Unit
    won: Mapping[Side, Callable[[float], float]]
    """The worth to a side of winning so many points, or losing so many below nothing."""

    def told(self, value: float) -> float:
        return (1 + value) / 2 if self.unit is Unit.MATCH else value


def stakes_of(
    agreement: Agreement, standing: Standing, ways: Ways, cube: int | None = None
) -> Stakes:
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
        own, other = (target - standing.score[each] for each in (side, side.other))
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
    known = dict[Needs, float]()
    for together in range(2, 2 * most + 1):
        for own in range(max(1, together - most), min(most, together - 1) + 1):
            known[own, together - own] = _on(known, ways, own, together - own, stake)
    return known


# The doubling cube, weighed from the chances of how a game ends.
#
# The scheme of Janowski ("Take-Points in Money Games", 1993), as GNU Backgammon has it too: with a
# dead cube a position is worth the mean of what it ends in; with a live one, where every double
# comes at the very last moment, its worth runs straight between the points where somebody doubles
# out; what it is in truth lies two thirds of the way. In a match the same with chances of winning
# it, and a cube that its owner has no use for is dead to him.

LIVE = 0.68
"""The share of a live cube's value that counts."""
MOST_TURNS = 10
"""Of the cube, looked ahead: then it counts as dead."""


class Owner(Enum):
    """The cube's owner, from the side on roll."""

    MIDDLE = "middle"
    MINE = "mine"
    THEIRS = "theirs"

    @property
    def other(self) -> Owner:
        if self is Owner.MIDDLE:
            return self
        return Owner.THEIRS if self is Owner.MINE else Owner.MINE


@dataclass(frozen=True, slots=True)
class Prospects:
    """One side's chances: of winning, and what wins and losses are on the mean.

    `won` and `lost` take the value of the cube and give the side's worth, above nothing and below;
    `passed` what it is worth to him that the other passes there, `passing` that he does.  `useful`
    whether the side gains by turning a cube of this value; `theirs` is the same for the other.
    """

    chance: float
    won: Callable[[int], float]
    lost: Callable[[int], float]
    passed: Callable[[int], float]
    passing: Callable[[int], float]
    useful: Callable[[int], bool]
    theirs: Callable[[int], bool]

    @property
    def across(self) -> Prospects:
        return Prospects(
            1 - self.chance,
            lambda cube: -self.lost(cube),
            lambda cube: -self.won(cube),
            lambda cube: -self.passing(cube),
            lambda cube: -self.passed(cube),
            self.theirs,
            self.useful,
        )


def take_point(side: Prospects, cube: int, turns: int = 0) -> float:
    """The chance from which on a side takes a double from this value on, its owner then."""
    passing, lost = side.passing(cube), side.lost(2 * cube)
    if not side.useful(2 * cube) or turns >= MOST_TURNS:
        best, at = side.won(2 * cube), 1.0
    else:
        best, at = side.passed(2 * cube), 1 - take_point(side.across, 2 * cube, turns + 1)
    return min(1.0, max(0.0, at * (passing - lost) / (best - lost))) if best > lost else 1.0


def worth_of(side: Prospects, cube: int, owner: Owner) -> float:
    """A game's value for the side on roll with this cube, without an immediate double."""
    won, lost = side.won(cube), side.lost(cube)
    dead = side.chance * won + (1 - side.chance) * lost
    anchors = [(0.0, lost), (1.0, won)]
    if owner is not Owner.MINE and side.theirs(cube):
        anchors.append((take_point(side, cube), side.passing(cube)))
    if owner is not Owner.THEIRS and side.useful(cube):
        anchors.append((1 - take_point(side.across, cube), side.passed(cube)))
    return LIVE * _between(sorted(anchors), side.chance) + (1 - LIVE) * dead


def _between(anchors: list[tuple[float, float]], chance: float) -> float:
    """On the straight lines from anchor to anchor."""
    for (left, low), (right, high) in pairwise(anchors):
        if chance <= right:
            return low if right == left else low + (high - low) * (chance - left) / (right - left)
    return anchors[-1][1]
