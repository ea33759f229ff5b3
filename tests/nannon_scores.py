"""What is known of Nannon beforehand, solved anew: the `.json` files of `pi_app/players/nannon`.

Run by itself, `python tests/nannon_scores.py`, it takes half an hour of one core.  Tests hold the
files to it: unlimited play to the bit, and each score by those with fewer points to go.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import astuple

from pi_app.base.adding import added
from pi_app.players.nannon.exact import (
    FOLDER,
    MOST_AWAY,
    MOST_ROUNDS,
    NANNON,
    NO_DOUBLE,
    PRECISION,
    SINGLE,
    Away,
    Graph,
    Offers,
    ScoredGame,
    Stake,
    Terms,
    Unlimited,
    Values,
    Worth,
    doubled,
    make_graph,
    rolled_values,
    solve,
)
from pi_app.rules.nannon import Nannon
from pi_app.rules.terms import Roll, Side

DIFFERENCES = {difference: (6 - difference) / 15 for difference in range(1, 6)}
"""How likely each difference of two unlike dice is."""
TIE = 1 / 6
DECIMALS = 12


def solve_unlimited(graph: Graph) -> Unlimited:
    """Unlimited play; about a second."""
    wins, _ = solve(graph.choices, SINGLE)
    points, _ = solve(graph.choices, NANNON)
    owned, theirs = _solve_owned(graph)
    floor = doubled(theirs)
    middle, _ = solve(graph.choices, NANNON, floor)
    jacoby, _ = solve(graph.choices, SINGLE, floor)
    return Unlimited(wins, points, owned, theirs, middle, jacoby)


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


def residual(
    choices: Sequence[Offers], ends: Sequence[float], rolled: Values, floor: Values | None = None
) -> float:
    """The largest deviation of these rolled values from best play."""
    floor = floor or [NO_DOUBLE] * len(choices)
    values = [*map(max, rolled, floor), *(-won for won in ends)]
    again = rolled_values(choices, values)
    return max(abs(one - other) for one, other in zip(rolled, again, strict=True))


def faults(graph: Graph, values: Unlimited) -> float:
    """The largest deviation from best play and best doubling."""
    floor = doubled(values.theirs)
    barred = [NO_DOUBLE] * len(graph)
    return max(
        residual(graph.choices, SINGLE, values.wins),
        residual(graph.choices, NANNON, values.points),
        residual(graph.paired, NANNON * 2, [*values.owned, *values.theirs], [*floor, *barred]),
        residual(graph.choices, NANNON, values.middle, floor),
        residual(graph.choices, SINGLE, values.jacoby, floor),
    )


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
                away = (mine, total - mine)
                worth[away] = worth_of(graph, ScoredGame(graph, wins, each, away, worths), each)
                worth[total - mine, mine] = -worth[away]
    return worths


def worth_of(graph: Graph, game: ScoredGame, terms: Terms) -> float:
    """What the score is worth to the first side, before the opening throw."""
    stake, chance, total = Stake(), 1.0, 0.0
    while terms in (Terms.CUBE_TIES, Terms.CRAWFORD_TIES) and game.may_double(stake):
        total += chance * (1 - TIE) * _opened(graph, game, stake)
        stake, chance = Stake(2 * stake.value), chance * TIE
    return total + chance * _opened(graph, game, stake)


def _opened(graph: Graph, game: ScoredGame, stake: Stake) -> float:
    """Either side begins, as often."""
    values, size = game.at(stake).values, len(graph)
    return (_begun(graph, values[size:]) - _begun(graph, values[:size])) / 2


def _begun(graph: Graph, answers: Values) -> float:
    """A game's value for the side that begins; `answers` are the other's values."""
    game = Nannon()
    start = game.start(Side.WHITE)
    return added(
        chance
        * max(-answers[graph.number(result)] for result in game.results(start, Roll.of(difference)))
        for difference, chance in DIFFERENCES.items()
    )


def write_unlimited(values: Unlimited) -> str:
    """A line for each list of values."""
    return "[\n" + ",\n".join(map(json.dumps, astuple(values))) + "\n]\n"


def write_scores(worths: Mapping[Terms, Worth]) -> str:
    """For each terms a row for each number of points to go, a line a row.

    A row begins with equal scores; what is on the other side of them is the same, lost.
    """
    tables = []
    for terms, table in worths.items():
        numbers = range(1, MOST_AWAY + 1)
        rows = [[table[mine, other] for other in range(mine, MOST_AWAY + 1)] for mine in numbers]
        lines = (json.dumps([round(value, DECIMALS) + 0.0 for value in row]) for row in rows)
        joined = ",\n".join(lines)
        tables.append(f"{json.dumps(terms.value)}: [\n{joined}\n]")
    return "{\n" + ",\n".join(tables) + "\n}\n"


def main() -> None:
    """Solve all and write the files."""
    graph = make_graph()
    unlimited = write_unlimited(solve_unlimited(graph))
    (FOLDER / "unlimited.json").write_text(unlimited, encoding="utf-8")
    worths = solve_scores(graph, tuple(Terms), MOST_AWAY)
    (FOLDER / "scores.json").write_text(write_scores(worths), encoding="utf-8")


if __name__ == "__main__":
    main()
