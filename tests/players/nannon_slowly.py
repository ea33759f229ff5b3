"""Nannon reckoned slowly and by itself: from the rules alone, without turning any board round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import product
from typing import TypeAlias

from nannon_scores import solve_unlimited

from pi_app.players.nannon.exact import ExactNannon, Graph, Unlimited, make_graph
from pi_app.rules.nannon import Nannon, NannonPosition, impossible
from pi_app.rules.terms import Outcome, Roll, Side

GAME = Nannon()
ROLLS = tuple(Roll.of(face) for face in range(1, 7))
OPENINGS = {difference: (6 - difference) / 15 for difference in range(1, 6)}

Equities: TypeAlias = list[float]
"""Each position's value for White, in the order of `positions`."""
Policy: TypeAlias = Sequence[Sequence[Sequence[int]]]
"""For every position that is not over, and every roll, what may be played: numbers of results."""
Payoff: TypeAlias = Callable[[Outcome], float]
"""The value of an end for White."""


@cache
def graph() -> Graph:
    return make_graph()


@cache
def unlimited() -> Unlimited:
    return solve_unlimited(graph())


@cache
def exact() -> ExactNannon:
    return ExactNannon()


@cache
def positions() -> tuple[NannonPosition, ...]:
    """Every position with either mover, those that are over last."""
    boards = [
        board
        for spots in product((None, *Side), repeat=6)
        for white, black, mover in product(range(4), range(4), Side)
        if not impossible(board := NannonPosition(spots, (white, black), mover))
    ]
    return tuple(sorted(boards, key=lambda board: GAME.outcome(board) is not None))


@cache
def numbers() -> Mapping[NannonPosition, int]:
    return {position: number for number, position in enumerate(positions())}


@cache
def turns() -> Policy:
    """Every legal result."""
    going_on = [position for position in positions() if not GAME.outcome(position)]
    return [
        [[numbers()[result] for result in GAME.results(position, roll)] for roll in ROLLS]
        for position in going_on
    ]


def points(outcome: Outcome) -> float:
    return outcome.points if outcome.winner is Side.WHITE else -outcome.points


def wins(outcome: Outcome) -> float:
    return 1 if outcome.winner is Side.WHITE else -1


def pick(position: NannonPosition) -> Callable[[Iterable[float]], float]:
    """White's value from the mover's side."""
    return max if position.mover is Side.WHITE else min


def best_of(position: NannonPosition, results: Iterable[int], worth: Equities) -> float:
    return pick(position)(worth[result] for result in results)


def _unsettled(payoff: Payoff) -> Equities:
    """The ends as they are paid, everything else nothing."""
    outcomes = map(GAME.outcome, positions())
    return [payoff(outcome) if outcome else 0.0 for outcome in outcomes]


def by_value_iteration(
    payoff: Payoff, settled: Callable[[float, int], float] = lambda value, _: value
) -> Equities:
    """Every position at its best play, from the round before; `settled` is the cube's word."""
    worth = _unsettled(payoff)
    picks = [pick(position) for position in positions()]
    for _ in range(500):
        get = worth.__getitem__
        now = [
            settled(sum([picks[number](map(get, each)) for each in rolls]) / 6, number)
            for number, rolls in enumerate(turns())
        ]
        change = max(abs(one - other) for one, other in zip(now, worth, strict=False))
        worth[: len(now)] = now
        if change < 1e-12:
            return worth
    raise AssertionError("the values do not settle")


def by_policy_evaluation(payoff: Payoff, policy: Policy) -> Equities:
    """Every position when each roll is played by lot among a policy's results."""
    worth = _unsettled(payoff)
    for _ in range(500):
        get, change = worth.__getitem__, 0.0
        for number, rolls in enumerate(policy):
            value = sum([sum(map(get, each)) / len(each) for each in rolls]) / 6
            change = max(change, abs(value - worth[number]))
            worth[number] = value
        if change < 1e-13:
            return worth
    raise AssertionError("the values do not settle")


def opened(worth: Equities, starter: Side, choose: Callable[[list[float], int], float]) -> float:
    """The value for White of a game that this side begins, by its best first play."""
    start = GAME.start(starter)
    return sum(
        chance
        * choose(
            [worth[numbers()[r]] for r in GAME.results(start, Roll.of(difference))], difference
        )
        for difference, chance in OPENINGS.items()
    )
