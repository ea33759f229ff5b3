"""The doubling cube, weighed from the chances of how a game ends.

The scheme of Janowski ("Take-Points in Money Games", 1993), as GNU Backgammon has it too: with a
dead cube a position is worth the mean of what it ends in; with a live one, where every double comes
at the very last moment, its worth runs straight between the points where somebody doubles out; what
it is in truth lies two thirds of the way.  In a match the same with chances of winning it, and a
cube that its owner has no use for is dead to him.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

LIVE = 0.68
"""How much of a live cube's worth there is."""
MOST_TURNS = 10
"""Of the cube, looked ahead: then it counts as dead."""


class Owner(Enum):
    """Who has the cube, as the side on roll sees it."""

    MIDDLE = "middle"
    MINE = "mine"
    THEIRS = "theirs"

    @property
    def other(self) -> Owner:
        """The same seen from across the board."""
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
        """The other side's."""
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
    """What a game is worth to the side on roll with the cube so, and nobody doubling at once."""
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
