"""Nannon solved: every position as a graph, and what each is worth in unlimited play."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from pi_app.rules.nannon.game import Nannon
from pi_app.rules.nannon.position import CHECKERS, SPOTS, NannonPosition, impossible
from pi_app.rules.terms import Roll, Side

# Nannon as a graph: every position, seen by its mover, and what each die offers.
#
# The rules core makes it, so nothing here knows a rule. A position is White's to move; where Black
# is to move it is turned round and its colours change.

FACES = 6
ENDS = 2
"""A game ends by a win or by a NANNON."""

Offers: TypeAlias = tuple[tuple[int, ...], ...]
"""For each face of the die, the nodes that the mover's plays lead to."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Positions by number, those nearest to the end of the game first.

    `choices` has a row a position.  The numbers behind the last position are the ends: the mover
    has won, the mover has won a NANNON.
    """

    positions: tuple[NannonPosition, ...]
    numbers: Mapping[NannonPosition, int]
    choices: Sequence[Offers]
    paired: Sequence[Offers]
    """The same for two sides that are not alike: rows and numbers of the first side to move, then
    of the second, then the ends of the first, then of the second."""

    def __len__(self) -> int:
        return len(self.positions)

    def number(self, position: NannonPosition) -> int:
        """The number of a position that is not over, whoever is to move."""
        return self.numbers[seen_by_mover(position)]

    def end(self, points: int) -> int:
        """The number of a game that its mover has just won, for so many points."""
        return len(self) + points - 1


def seen_by_mover(position: NannonPosition) -> NannonPosition:
    """The position with White to move that is the same to its mover."""
    if position.mover is Side.WHITE:
        return position
    spots = tuple(owner and owner.other for owner in reversed(position.spots))
    return NannonPosition(spots, (position.home[1], position.home[0]), Side.WHITE)


def make_graph() -> Graph:
    """Every position that a board can show and that is not over, whether play leads to it or not.

    Half a second: what stands on a board may have been put there by hand.
    """
    game = Nannon()
    home = range(CHECKERS + 1)
    spots = product((None, *Side), repeat=SPOTS)
    boards = [
        position
        for placed, white, black in product(spots, home, home)
        if not impossible(position := NannonPosition(placed, (white, black), Side.WHITE))
        and not game.outcome(position)
    ]
    positions = tuple(sorted(boards, key=_distance))
    numbers = {position: number for number, position in enumerate(positions)}
    size = len(positions)

    def node(result: NannonPosition) -> int:
        outcome = game.outcome(result)
        return size + outcome.points - 1 if outcome else numbers[seen_by_mover(result)]

    choices = [
        tuple(
            tuple(sorted({node(to) for to in game.results(position, Roll.of(face))}))
            for face in range(1, FACES + 1)
        )
        for position in positions
    ]
    return Graph(positions, numbers, choices, _paired(choices))


def _distance(position: NannonPosition) -> tuple[int, int, str]:
    """How far a game is from its end: checkers not in SAFETY, then pips; a text breaks ties."""
    steps = [
        SPOTS - index if owner is Side.WHITE else index + 1
        for index, owner in enumerate(position.spots)
        if owner
    ]
    home = sum(position.home)
    signs = "".join(owner.letter if owner else "." for owner in position.spots)
    return len(steps) + home, sum(steps) + (SPOTS + 1) * home, f"{signs}{position.home}"


def _paired(choices: Sequence[Offers]) -> Sequence[Offers]:
    size = len(choices)

    def moved(to: int, first: bool) -> int:
        """Positions become the other side's; the ends stay the mover's own."""
        if to >= size:
            return to + size + (0 if first else ENDS)
        return to + size if first else to

    return [
        tuple(tuple(moved(to, first) for to in offer) for offer in row)
        for first in (True, False)
        for row in choices
    ]


# Solving Nannon: what every position is worth to a mover who, like the other, plays at his best.
#
# Values are the mover's and zero-sum: what one side has the other lacks. A *rolled* value is that
# of a mover about to roll, whatever he might have done with the cube before; the *value* is the
# better of that and of doubling, which comes as a floor: the least that a mover gets who may
# double.
#
# Policy iteration: all plays are chosen anew, then the choice is evaluated a few times over, until
# nothing changes. Positions come nearest to the end first and new values are used at once, so that
# some forty rounds are exact to a float's last digits.

PRECISION = 1e-13
"""Rounds end when no value changes by more."""
EVALUATIONS = 6
"""How often a choice of plays is evaluated before it is looked at again."""
MOST_ROUNDS = 1000
"""More than enough; a game that never settles would be another game."""

Values: TypeAlias = list[float]

NO_DOUBLE = float("-inf")
"""The floor of a mover who may not double."""


def solve(
    choices: Sequence[Offers],
    ends: Sequence[float],
    floor: Values | None = None,
    guess: Values | None = None,
    precision: float = PRECISION,
) -> tuple[Values, Values]:
    """The rolled values and the values of all rows; `ends` are what the ends win their mover."""
    floor = floor or [NO_DOUBLE] * len(choices)
    # What follows a play is the other's to judge: an end is that much lost to him.
    values = [*(guess or [0.0] * len(choices)), *(-won for won in ends)]
    for _ in range(MOST_ROUNDS):
        chosen, change = _improve(choices, floor, values)
        if change <= precision:
            return _rolled(choices, values), values[: len(choices)]
        for _ in range(EVALUATIONS):
            _evaluate(chosen, floor, values)
    raise ArithmeticError(f"Nannon's values still change by {change} after {MOST_ROUNDS} rounds")


def residual(
    choices: Sequence[Offers], ends: Sequence[float], rolled: Values, floor: Values | None = None
) -> float:
    """By how much these rolled values are not those of best play, at the worst position."""
    floor = floor or [NO_DOUBLE] * len(choices)
    values = [*map(max, rolled, floor), *(-won for won in ends)]
    again = _rolled(choices, values)
    return max(abs(one - other) for one, other in zip(rolled, again, strict=True))


def _improve(
    choices: Sequence[Offers], floor: Values, values: Values
) -> tuple[list[tuple[int, ...]], float]:
    """Every play chosen anew, the values with it; the choice, and the largest change."""
    worst = 0.0
    chosen = []
    for number, row in enumerate(choices):
        nodes = tuple([
            offer[0] if len(offer) == 1 else min(offer, key=values.__getitem__) for offer in row
        ])  # fmt: skip
        chosen.append(nodes)
        value = max(-sum([values[node] for node in nodes]) / FACES, floor[number])
        worst = max(worst, abs(value - values[number]))
        values[number] = value
    return chosen, worst


def _evaluate(chosen: Sequence[tuple[int, ...]], floor: Values, values: Values) -> None:
    for number, (a, b, c, d, e, f) in enumerate(chosen):
        value = (values[a] + values[b] + values[c] + values[d] + values[e] + values[f]) / -FACES
        values[number] = value if value > floor[number] else floor[number]


def _rolled(choices: Iterable[Offers], values: Values) -> Values:
    return [
        -sum([min([values[node] for node in offer]) for offer in row]) / FACES for row in choices
    ]


@dataclass(frozen=True, slots=True)
class Unlimited:
    """Rolled values in unlimited play, in points at a stake of one.

    `wins` counts every game once: the winner's chance less the loser's; `points` a NANNON twice,
    without a cube.  With the cube: `owned` by the mover, by the other (`theirs`), in the `middle`;
    `jacoby` in the middle where a NANNON counts twice only once the cube was turned.
    """

    wins: Values
    points: Values
    owned: Values
    theirs: Values
    middle: Values
    jacoby: Values


SINGLE = (1.0, 1.0)
NANNON = (1.0, 2.0)


def solve_unlimited(graph: Graph) -> Unlimited:
    """All of them; about a second."""
    wins, _ = solve(graph.choices, SINGLE)
    points, _ = solve(graph.choices, NANNON)
    owned, theirs = _solve_owned(graph)
    floor = doubled(theirs)
    middle, _ = solve(graph.choices, NANNON, floor)
    jacoby, _ = solve(graph.choices, SINGLE, floor)
    return Unlimited(wins, points, owned, theirs, middle, jacoby)


def doubled(theirs: Values) -> Values:
    """What doubling brings in unlimited play: twice what it is worth taken, or one point."""
    return [min(2 * value, 1.0) for value in theirs]


def _solve_owned(graph: Graph) -> tuple[Values, Values]:
    """The cube on a side: one double leads to the same with the sides changed, at twice the stake.

    So the floor is made of the values themselves, until it stays.
    """
    size = len(graph)
    barred = [NO_DOUBLE] * size
    rolled, values = solve(graph.paired, NANNON * 2, precision=1e-3)
    precision = 1e-3
    for _ in range(MOST_ROUNDS):
        floor = [*doubled(rolled[size:]), *barred]
        before = rolled
        rolled, values = solve(graph.paired, NANNON * 2, floor, values, precision)
        change = max(abs(one - other) for one, other in zip(before, rolled, strict=True))
        if change <= PRECISION:
            return rolled[:size], rolled[size:]
        precision = max(PRECISION, min(precision, change / 10))
    raise ArithmeticError(f"Nannon's cube still changes values by {change}")


def faults(graph: Graph, values: Unlimited) -> float:
    """By how much these are not what `solve_unlimited` gives, at the worst."""
    floor = doubled(values.theirs)
    barred = [NO_DOUBLE] * len(graph)
    return max(
        residual(graph.choices, SINGLE, values.wins),
        residual(graph.choices, NANNON, values.points),
        residual(graph.paired, NANNON * 2, [*values.owned, *values.theirs], [*floor, *barred]),
        residual(graph.choices, NANNON, values.middle, floor),
        residual(graph.choices, SINGLE, values.jacoby, floor),
    )
