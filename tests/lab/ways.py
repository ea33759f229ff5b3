"""Turns as people make them: which play, its checkers in what order and with what stops."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Move, Roll, Spot, SpotKind

ONE_GO = 0.6
"""So often a checker that uses several dice is carried without a stop."""
LOOKED_AT = 12
"""So many plays are compared when a player thinks about it."""
CARELESS = 0.2
"""So often any play will do."""
ARRIVED = (SpotKind.OFF, SpotKind.SAFETY)
ROW = 3
"""More checkers on one point are of ever less use."""
FEW = 3
"""A game of so few checkers a side ends by itself."""


@dataclass(frozen=True, slots=True)
class Way:
    """Where one checker goes in a turn: set down on each stop, the last for good.

    `passed` are spots it hits on without being set down there.
    """

    origin: Spot
    stops: tuple[Spot, ...]
    passed: tuple[Spot, ...] = ()

    @property
    def met(self) -> tuple[Spot, ...]:
        """Every spot where it can meet an enemy."""
        return (*self.passed, *self.stops)


def choose(game: AnyGame, position: Any, plays: tuple[Any, ...], rng: random.Random) -> Any:
    """A play at random; mostly one that wins, takes, brings checkers in, or stands well."""
    few = game.checkers_a_side <= FEW
    if few or len(plays) == 1 or rng.random() < CARELESS:
        return rng.choice(plays)
    for play in plays if not game.dice else ():
        outcome = game.outcome(game.after(position, play))
        if outcome and outcome.winner is game.mover(position):
            return play
    looked_at = rng.sample(plays, min(LOOKED_AT, len(plays)))
    return max(looked_at, key=lambda play: _worth(game, position, play))


def _worth(game: AnyGame, position: Any, play: Any) -> int:
    side, after = game.mover(position), game.after(position, play)
    stacks = game.checkers_at(after)
    if not game.dice:
        return len(stacks[game.hit_to(side.other)])
    own = [(spot, stack.count(side)) for spot, stack in stacks.items() if side in stack]
    arrived = sum(count for spot, count in own if spot.kind in ARRIVED)
    alone = sum(count == 1 for spot, count in own if spot.side is None)
    heaped = sum(max(0, count - ROW) ** 2 for spot, count in own if spot.side is None)
    return 4 * arrived - alone - heaped


def chained(moves: Sequence[Move]) -> list[Way]:
    """A way for each checker: one that hit and moved on is the same."""
    ways: list[Way] = []
    before: Move | None = None
    for move in moves:
        if before and before.hit and before.target == move.origin:
            ways[-1] = replace(ways[-1], stops=(*ways[-1].stops, move.target))
        else:
            ways.append(Way(move.origin, (move.target,)))
        before = move
    return ways


def ways_of(
    game: AnyGame, position: Any, roll: Roll, moves: Sequence[Move], rng: random.Random
) -> list[Way]:
    """The ways of a legal play in any order, with stops or in one go."""
    ways = chained(moves)
    doublet = len(set(roll.dice)) < len(roll.dice)
    steps = _single_steps(game, position, roll) if doublet or len(ways) == 1 else {}
    ways = [_stopping(way, _between(game, position, way, steps), rng) for way in ways]
    rng.shuffle(ways)
    return ways


def entering_first(game: AnyGame, position: Any, ways: Sequence[Way]) -> list[Way]:
    """Checkers that were hit enter before others move."""
    bar = game.hit_to(game.mover(position))
    return sorted(ways, key=lambda way: way.origin != bar)


def in_disorder(game: AnyGame, position: Any, ways: Sequence[Way], rng: random.Random) -> list[Way]:
    """The legs of one checker in between those of others, and checkers that were hit enter last."""
    legs = [_legs(way) for way in ways]
    order = [number for number, of_one in enumerate(legs) for _ in of_one]
    rng.shuffle(order)
    bar = game.hit_to(game.mover(position))
    order.sort(key=lambda number: ways[number].origin == bar)
    waiting = [iter(of_one) for of_one in legs]
    return [next(waiting[number]) for number in order]


def _legs(way: Way) -> list[Way]:
    """A way for each stop; where the checker meets others on the way it is made in one."""
    if way.passed:
        return [way]
    return [Way(origin, (stop,)) for origin, stop in pairwise((way.origin, *way.stops))]


def victims_of(game: AnyGame, position: Any, moves: Sequence[Move]) -> Mapping[Spot, Spot]:
    """The spots where some moves hit, and where each checker goes that stands there."""
    stacks = game.checkers_at(position)
    return {
        move.target: game.hit_to(stacks[move.target][-1])
        for move in moves
        if move.hit and stacks[move.target]
    }


def _single_steps(game: AnyGame, position: Any, roll: Roll) -> dict[Spot, list[Spot]]:
    """From each spot, where one checker may be set down on its way without hitting there."""
    steps: dict[Spot, list[Spot]] = {}
    for midway in game.midways(position, roll):
        if len(midway.moves) == 1 and not midway.moves[0].hit:
            steps.setdefault(midway.moves[0].origin, []).append(midway.moves[0].target)
    return steps


def _between(
    game: AnyGame, position: Any, way: Way, steps: Mapping[Spot, Sequence[Spot]]
) -> list[Spot]:
    """Those of a checker's single steps that it passes on its way, the nearest first."""

    def passed(before: Spot) -> list[Spot]:
        move = Move(way.origin, before)
        return [spot for spot in steps.get(way.origin, ()) if game.passes(position, move, spot)]

    return sorted(passed(way.stops[-1]), key=lambda spot: len(passed(spot)))


def _stopping(way: Way, between: list[Spot], rng: random.Random) -> Way:
    in_one_go = rng.random() < ONE_GO
    if len(way.stops) > 1:
        return Way(way.origin, way.stops[-1:], way.stops[:-1]) if in_one_go else way
    if in_one_go or not between:
        return way
    chosen = [stop for stop in between if rng.random() < 1 / len(between)]
    return Way(way.origin, (*(chosen or between[:1]), *way.stops))
