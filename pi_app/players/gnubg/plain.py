"""What a game without a cube is worth: by the points of its ends, or the chance of the match.

Tables of match equity are made for matches with a cube.  Without one the chance at every score
follows from how games end between equals, who both play as well as GNU Backgammon does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple, TypeAlias

from pi_app.match.score import Agreement, Standing, worth
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Side

MOST_AWAY = 64
"""Points to go; with more, a match is as one with so many.  It is also the engine's limit."""

Ends: TypeAlias = Callable[[int], float]
"""What it is worth to win so many points before the stake; lost ones are negative."""


class Odds(NamedTuple):
    """The chances to win, to do so by two points or more, by three, and to lose by those."""

    win: float
    win_two: float
    win_three: float
    lose_two: float
    lose_three: float

    @property
    def turned(self) -> Odds:
        lost = (self.lose_two, self.lose_three)
        return Odds(1 - self.win, *lost, self.win_two, self.win_three)

    def shares(self, most: int) -> Mapping[int, float]:
        """How likely each number of points is, none of them worth more than `most`."""
        found = {
            1: self.win - self.win_two,
            2: self.win_two,
            -1: 1 - self.win - self.lose_two,
            -2: self.lose_two,
        }
        if most < 3:
            return found
        found |= {2: self.win_two - self.win_three, 3: self.win_three}
        return found | {-2: self.lose_two - self.lose_three, -3: self.lose_three}

    def worth(self, ends: Ends, most: int) -> float:
        """The mean of what the ends are worth."""
        return sum(share * ends(points) for points, share in self.shares(most).items())


STARTER = Odds(0.5254, 0.1492, 0.0068, 0.1257, 0.0053)
"""Of who rolls first, by GNU Backgammon 1.07 looking two plies ahead."""


def most_points(game: AnyGame) -> int:
    """For how many points a game can be won before the stake: 3, in Portes 2."""
    return max(game.resignations(game.start(Side.WHITE), Side.WHITE))


def away(target: int, standing: Standing, side: Side) -> int:
    """How many points a side has to go, or 64."""
    return min(MOST_AWAY, target - standing.score[side])


def ends_of(game: AnyGame, agreement: Agreement, standing: Standing, side: Side) -> Ends:
    """What the ends of this game are worth to a side: points, or in a match the chance of it."""
    target = agreement.match_to
    if target is None:
        return lambda n: worth(agreement, standing, abs(n)) * (1 if n > 0 else -1)
    mine, other = (away(target, standing, each) for each in (side, side.other))
    stake = standing.cube.value
    chances = match_chances(most_points(game), game.previous_winner_starts)

    def ends(points: int) -> float:
        if points > 0:
            return chances(mine - points * stake, other, True)
        return chances(mine, other + points * stake, False)

    return ends


@cache
def match_chances(most: int, winner_starts: bool) -> Callable[[int, int, bool], float]:
    """The chance of a match by what each has to go, and whether the one asked about starts.

    Where each game has an opening throw, who starts makes no difference.
    """
    for_starter = STARTER.shares(most)
    known: dict[tuple[int, int, bool], float] = {}

    def share(points: int, starts: bool) -> float:
        first, second = for_starter[points], for_starter[-points]
        if not winner_starts:
            return (first + second) / 2
        return first if starts else second

    def chance(mine: int, other: int, starts: bool) -> float:
        if mine <= 0 or other <= 0:
            return float(mine <= 0)
        key = (mine, other, starts)
        if key not in known:
            known[key] = sum(
                share(n, starts) * chance(mine - n, other, True)
                + share(-n, starts) * chance(mine, other - n, False)
                for n in range(1, most + 1)
            )
        return known[key]

    return chance
