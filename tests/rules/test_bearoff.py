"""Bearing off alone: how many rolls it takes on the average, by the best play.

Men of one side at home are written as six counts, the ace point first.
"""

import random
from functools import cache
from itertools import combinations_with_replacement
from typing import TypeAlias

import pytest

from pi_app.rules.tables.backgammon import BACKGAMMON as GAME
from pi_app.rules.tables.position import CHECKERS, HOME, TablesPosition, count, one
from pi_app.rules.terms import Roll, Side

ROLLS = list(combinations_with_replacement(range(1, 7), 2))

Home: TypeAlias = tuple[int, ...]
"""Checkers on the points 1 to 6."""


def position_of(home: Home) -> TablesPosition:
    """White's men as told; Black waits on the point where White's last checkers never come."""
    men = sum(there * one(point) for point, there in enumerate(home, start=1))
    return TablesPosition(men + CHECKERS - sum(home), CHECKERS * one(1), Side.WHITE)


def home_of(position: TablesPosition) -> Home:
    return tuple(count(position.white, point) for point in range(1, HOME + 1))


@cache
def mean_rolls(home: Home) -> float:
    """Straight from the rules: every roll, every result."""
    if not any(home):
        return 0.0
    position = position_of(home)
    return (
        1.0
        + sum(
            (1 if high == low else 2)
            * min(
                mean_rolls(home_of(after)) for after in GAME.results(position, Roll.of(high, low))
            )
            for low, high in ROLLS
        )
        / 36
    )


def test_a_single_checker_on_the_six_point_takes_one_roll_and_a_quarter() -> None:
    """27 rolls of 36 take it off at once; the others leave one that any roll takes off."""
    assert mean_rolls((0, 0, 0, 0, 0, 1)) == pytest.approx(1 + 9 / 36)


@pytest.mark.parametrize(
    ("checkers", "mean"),
    [(7, 3.550925926), (8, 3.550925926), (13, 6.122449417), (14, 6.122449417)],
)
def test_checkers_on_the_ace_point(checkers: int, mean: float) -> None:
    assert mean_rolls((checkers, 0, 0, 0, 0, 0)) == pytest.approx(mean, abs=1e-9)


# --- all fifteen on the 6-point: 54 264 positions, so single dice are told by a function of its own


def by_one_die(home: Home, die: int) -> list[Home]:
    """Every way to play one die at home; an empty home stays empty."""
    highest = max((point for point in range(1, 7) if home[point - 1]), default=0)
    if die >= highest:
        # Only the highest checker can be off exactly, or because the die is too high for all.
        origins = [highest] if highest else []
    else:
        origins = [point for point in range(1, 7) if home[point - 1] and point >= die]
    after = []
    for origin in origins:
        left = list(home)
        left[origin - 1] -= 1
        if origin > die:
            left[origin - die - 1] += 1
        after.append(tuple(left))
    return after or [home]


def by_two_dice(home: Home, dice: tuple[int, ...]) -> set[Home]:
    """Every result of the dice in either order, a doublet four times."""
    found = set()
    for order in (dice * 2,) if dice[0] == dice[1] else (dice, dice[::-1]):
        homes = {home}
        for die in order:
            homes = {after for before in homes for after in by_one_die(before, die)}
        found |= homes
    return found


def test_the_single_dice_are_the_rules_of_the_game() -> None:
    dice = random.Random(3)
    for _ in range(400):
        points = dice.choices(range(1, 7), k=dice.randint(1, CHECKERS))
        home = tuple(points.count(point) for point in range(1, 7))
        faces = dice.choice(ROLLS)
        results = GAME.results(position_of(home), Roll.of(*faces))
        assert {home_of(after) for after in results} == by_two_dice(home, faces)


def homes(checkers: int) -> list[Home]:
    """Every home of at most so many checkers, the fewest pips first."""
    found: list[Home] = [()]
    for _ in range(HOME):
        found = [(*some, more) for some in found for more in range(checkers - sum(some) + 1)]
    return sorted(found, key=lambda home: sum(n * point for point, n in enumerate(home, start=1)))


PAIRS = [(a, b) for a in range(HOME) for b in range(a)]


def least(rows: list[tuple[float, ...]]) -> tuple[float, ...]:
    """The least of each column."""
    return rows[0] if len(rows) == 1 else tuple(map(min, *rows))


def mean_from(start: Home) -> float:
    """The mean number of rolls, from the fewest pips on.

    A home's row: the best means after one more die of each face, after two of a face, after three,
    and the mean before a roll.
    """
    rows: dict[Home, tuple[float, ...]] = {(0,) * HOME: (0.0,) * 19}
    for home in homes(sum(start))[1:]:
        after = [least([rows[left] for left in by_one_die(home, die)]) for die in range(1, 7)]
        total = sum([2 * min(after[a][b], after[b][a]) for a, b in PAIRS])
        total += sum([best[12 + face] for face, best in enumerate(after)])
        one_die = [best[18] for best in after]
        two = [best[face] for face, best in enumerate(after)]
        three = [best[6 + face] for face, best in enumerate(after)]
        rows[home] = (*one_die, *two, *three, 1.0 + total / 36)
    return rows[start][18]


@pytest.mark.slow
def test_all_fifteen_on_the_six_point() -> None:
    assert mean_from((0, 0, 0, 0, 0, 15)) == pytest.approx(12.266187172, abs=1e-9)


def test_both_ways_of_computing_agree() -> None:
    assert mean_from((0, 2, 0, 1, 0, 1)) == pytest.approx(mean_rolls((0, 2, 0, 1, 0, 1)), abs=1e-12)
