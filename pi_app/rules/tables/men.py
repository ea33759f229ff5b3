"""The checkers of the tables games: one number a side, the position, and what is told of it.

A side's fifteen checkers, its *men*, are one int of 26 hexadecimal digits.  Digit n counts the
checkers with n pips still to go: 24 to 1 are the points as that side numbers them, 25 is the bar,
0 is off the board.  Both sides go down from 25 to 0 by the same rules, a move is one addition,
and the digits written out face the other side's numbering.  Not chosen: 26 signed counts, which
need a copy for every move and another rule for each direction.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from pi_app.rules.terms import Side, Spot, SpotKind

Men: TypeAlias = int
"""One side's checkers, a hexadecimal digit for each number of pips to go."""

CHECKERS = 15
OFF = 0
HOME = 6
POINTS = 24
BAR = 25
MEN_BITS = 4 * (BAR + 1)
ALL_MEN = (1 << MEN_BITS) - 1


class TablesPosition(NamedTuple):
    """Both sides' men and the mover; pinned checkers are counted among the men too.

    A tuple, for a whole turn makes hundreds of these and a frozen dataclass costs thrice as much.
    """

    white: Men
    black: Men
    mover: Side
    white_pinned: Men = 0
    black_pinned: Men = 0

    def men(self, side: Side) -> Men:
        """The side's men."""
        return self.white if side is Side.WHITE else self.black

    def pinned(self, side: Side) -> Men:
        """Those of the side's men that lie beneath an enemy, which only the Pin game knows."""
        return self.white_pinned if side is Side.WHITE else self.black_pinned

    def with_mover(self, mover: Side) -> TablesPosition:
        """The same checkers with another mover."""
        return self._replace(mover=mover)


def seen_by(
    mover: Side, own: Men, enemy: Men, own_pinned: Men = 0, enemy_pinned: Men = 0
) -> TablesPosition:
    """The position of a mover with these men against those."""
    if mover is Side.WHITE:
        return TablesPosition(own, enemy, mover, own_pinned, enemy_pinned)
    return TablesPosition(enemy, own, mover, enemy_pinned, own_pinned)


def one(number: int) -> Men:
    """A single checker with so many pips to go."""
    return 1 << 4 * number


def count(men: Men, number: int) -> int:
    """How many checkers have so many pips to go."""
    return men >> 4 * number & 15


def above(number: int) -> int:
    """A mask of every checker with more pips to go."""
    return ALL_MEN & -one(number + 1)


def numbers(men: Men) -> tuple[int, ...]:
    """Where the men on points and bar are, the farthest first; what is above a side is ignored."""
    digits = facing(men & ALL_MEN)
    return tuple([BAR - index for index, digit in enumerate(digits[:BAR]) if digit != "0"])


def pips(men: Men) -> int:
    """How many pips the side still needs to bear off all its men."""
    return sum(number * count(men, number) for number in range(1, BAR + 1))


def facing(enemy: Men) -> str:
    """What stands on each point of mine: character n is a hexadecimal digit, 0 to 25."""
    return f"{enemy:026x}"


def winner(position: TablesPosition) -> Side | None:
    """The side that has all fifteen off."""
    if position.white & 15 == CHECKERS:
        return Side.WHITE
    return Side.BLACK if position.black & 15 == CHECKERS else None


def is_far_back(loser: Men) -> bool:
    """Whether a checker of the loser's is on the bar or in the winner's home."""
    # The winner's home are the points from 19 as the loser counts; the bar lies beyond.
    return loser & above(BAR - HOME - 1) > 0


def in_contact(position: TablesPosition) -> bool:
    """Whether a checker of each side has yet to pass one of the other's."""
    farthest = [max(numbers(position.men(side)), default=0) for side in Side]
    return sum(farthest) > BAR


def _names(side: Side) -> tuple[Spot, ...]:
    points = [Spot(SpotKind.POINT, number) for number in range(1, POINTS + 1)]
    ordered = points if side is Side.WHITE else points[::-1]
    return (Spot(SpotKind.OFF, side=side), *ordered, Spot(SpotKind.BAR, side=side))


SPOT = MappingProxyType({side: _names(side) for side in Side})
"""The spot of a side's checker by its pips to go: off, 24 points, bar."""

NUMBER = MappingProxyType(
    {side: MappingProxyType({spot: n for n, spot in enumerate(SPOT[side])}) for side in Side}
)
"""The pips to go of a side's checker by its spot; the other side's bar and off are missing."""

POINT_SPOTS = SPOT[Side.WHITE][1:BAR]
OFF_SPOTS = tuple(SPOT[side][OFF] for side in Side)
BAR_SPOTS = tuple(SPOT[side][BAR] for side in Side)


def is_between(side: Side, spot: Spot, origin: Spot, target: Spot) -> bool:
    """Whether a checker of this side passes the spot on its way."""
    number = NUMBER[side]
    spots = (origin, spot, target)
    return all(s in number for s in spots) and number[origin] > number[spot] > number[target]


def start(mover: Side, *placed: tuple[int, int]) -> TablesPosition:
    """A position with the same men on both sides, from pairs of point and count."""
    men = sum(number * one(point) for point, number in placed)
    return TablesPosition(men, men, mover)
