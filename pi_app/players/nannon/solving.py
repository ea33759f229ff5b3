"""Solving Nannon: what every position is worth to a mover who, like the other, plays at his best.

Values are the mover's and zero-sum: what one side has the other lacks.  A *rolled* value is that of
a mover about to roll, whatever he might have done with the cube before; the *value* is the better
of that and of doubling, which comes as a floor: the least that a mover gets who may double.

Policy iteration: all plays are chosen anew, then the choice is evaluated a few times over, until
nothing changes.  Positions come nearest to the end first and new values are used at once, so that
some forty rounds are exact to a float's last digits.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pi_app.players.nannon.graph import FACES, Graph, Offers

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
