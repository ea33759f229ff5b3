"""Nannon in a match: what every score is worth, and every position at a score, with the cube.

A score is how many points each side is away from the target.  Values are the mover's chance to win
the match less the other's.  Scores are solved backward from the end: a game leads to scores with
fewer points to go, which are known by then.  Within a game the cube is solved from the highest
stake that matters down to one: a stake that decides the match whoever wins is a game of its own,
in which only winning counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, TypeAlias

from pi_app.players.nannon.solving import NO_DOUBLE, SINGLE, Graph, Values, solve
from pi_app.rules.contract import Opening
from pi_app.rules.nannon.game import Nannon
from pi_app.rules.terms import Roll, Side

MOST_AWAY = 21
"""Of the scores that are known, the most points to go."""
DIFFERENCES = {difference: (6 - difference) / 15 for difference in range(1, 6)}
"""How likely each difference of two unlike dice is."""
TIE = 1 / 6
PRECISION = 1e-12


class Terms(Enum):
    """What of an agreement changes the worth of a score."""

    PLAIN = "no cube"
    CUBE = "cube"
    CRAWFORD = "cube, Crawford to come"
    CUBE_TIES = "cube turned by ties"
    CRAWFORD_TIES = "cube turned by ties, Crawford to come"

    @property
    def ties(self) -> bool:
        """Whether a tied opening throw turns the cube."""
        return self in (Terms.CUBE_TIES, Terms.CRAWFORD_TIES)

    @property
    def afterwards(self) -> Terms:
        """The terms after the Crawford game."""
        return {Terms.CRAWFORD: Terms.CUBE, Terms.CRAWFORD_TIES: Terms.CUBE_TIES}.get(self, self)


Away: TypeAlias = tuple[int, int]
"""Points to go: the mover's, then the other's; or of the one who is asked about, then the other."""

Worth: TypeAlias = Mapping[Away, float]
"""What scores are worth before a game's opening throw, to the first of the two."""


class Stake(NamedTuple):
    """The cube: its value, and whether the first side owns it, or the second, or nobody."""

    value: int = 1
    first_owns: bool | None = None


@dataclass(frozen=True, slots=True)
class StakeValues:
    """StakeValues values of both sides and, where the one to move may double, what a double brings.

    First the positions with the first side to move, then those with the second, as in
    `Graph.paired`; `taken` is what is lost or won with a taken double, `cash` with a passed one.
    """

    rolled: Values
    values: Values
    taken: Values | None
    cash: tuple[float, float]


class ScoredGame:
    """One game of a match, begun at a score: every position of it, at every stake, when asked for.

    `worth` are the scores that it may lead to, `wins` the rolled values where only winning counts.
    `crawford`: nobody doubles in it.
    """

    def __init__(
        self, graph: Graph, wins: Values, terms: Terms, away: Away, worth: Worth, crawford: bool
    ) -> None:
        self._graph, self._away, self._worth = graph, away, worth
        self._decisive = [*wins, *wins]
        self._terms = terms
        self._live = terms is not Terms.PLAIN and not crawford
        self._solved: dict[Stake, StakeValues] = {}

    def at(self, stake: Stake) -> StakeValues:
        """Every position at a stake."""
        if stake not in self._solved:
            self._solved[stake] = self._solve(stake)
        return self._solved[stake]

    def worth_now(self) -> float:
        """What the score is worth to the first side, before the opening throw."""
        stake, chance, total = Stake(), 1.0, 0.0
        while self._terms.ties and self._may_double(stake):
            total += chance * (1 - TIE) * self._opened(stake)
            stake, chance = Stake(2 * stake.value), chance * TIE
        return total + chance * self._opened(stake)

    def _opened(self, stake: Stake) -> float:
        """Either side begins, as often."""
        values, size = self.at(stake).values, len(self._graph)
        return (opened(self._graph, values[size:]) - opened(self._graph, values[:size])) / 2

    def _may_double(self, stake: Stake) -> bool:
        return self._live and stake.value < max(self._away)

    def _solve(self, stake: Stake) -> StakeValues:
        cash = (self.won(stake.value, first=True), self.won(stake.value, first=False))
        ends = [
            self.won(points * stake.value, first) for first in (True, False) for points in (1, 2)
        ]
        choices, size = self._graph.paired, len(self._graph)
        if stake.value >= max(self._away):
            return StakeValues(self._decisive, self._decisive, None, cash)
        if not self._may_double(stake):
            rolled, values = solve(choices, ends, precision=PRECISION)
            return StakeValues(rolled, values, None, cash)
        taken, floor = list[float](), list[float]()
        for first in (True, False):
            if stake.first_owns in (None, first):
                part = slice(None, size) if first else slice(size, None)
                more = self.at(Stake(2 * stake.value, not first)).rolled[part]
                most = cash[0 if first else 1]
                taken += more
                floor += [min(value, most) for value in more]
            else:
                taken += [NO_DOUBLE] * size
                floor += [NO_DOUBLE] * size
        guess = self.at(Stake(2 * stake.value, stake.first_owns is not True)).values
        rolled, values = solve(choices, ends, floor, guess, PRECISION)
        return StakeValues(rolled, values, taken, cash)

    def won(self, points: int, first: bool) -> float:
        """What so many points, the stake in them, are worth to the side that wins them."""
        mine, other = self._away if first else self._away[::-1]
        if points >= mine:
            return 1.0
        return self._worth[mine - points, other]


def opened(graph: Graph, answers: Values) -> float:
    """What a game is worth to the side that begins; `answers` are the other's values."""
    game = Nannon()
    assert game.opening is Opening.DIFFERENCE
    start = game.start(Side.WHITE)
    return sum(
        chance
        * max(-answers[graph.number(result)] for result in game.results(start, Roll.of(difference)))
        for difference, chance in DIFFERENCES.items()
    )


def game_at(
    graph: Graph, wins: Values, terms: Terms, away: Away, worths: Mapping[Terms, Worth]
) -> ScoredGame:
    """A game begun at this score; `worths` has the scores with fewer points to go."""
    crawford = terms is not terms.afterwards and 1 in away
    worth = worths[terms.afterwards if crawford else terms]
    return ScoredGame(graph, wins, terms, away, worth, crawford)


def solve_scores(
    graph: Graph, terms: Sequence[Terms], most: int
) -> Mapping[Terms, dict[Away, float]]:
    """The worth of every score up to so many points to go; `CUBE` comes before `CRAWFORD`.

    A fifth of a second for each cube of each score: to 3 points in seconds, to 21 in half an hour.
    """
    wins, _ = solve(graph.choices, SINGLE)
    worths: dict[Terms, dict[Away, float]] = {}
    for each in terms:
        worth = worths[each] = {}
        for total in range(2, 2 * most + 1):
            for mine in range(max(1, total - most), total // 2 + 1):
                value = game_at(graph, wins, each, (mine, total - mine), worths).worth_now()
                worth[mine, total - mine] = value
                worth[total - mine, mine] = -value
    return worths
