"""Turns as hands make them: which checker goes where, in what order and with what stops."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Move, Roll, Side, Spot, SpotKind
from pi_app.simulator.hands import Way

ONE_GO = 0.6
"""So often a checker that uses several dice is carried without a stop."""
ENTER_FIRST = 0.9
"""So often checkers on the bar enter before others move, though the end is the same."""


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
    """The ways of a legal play, in an order people would use, with stops or in one go."""
    ways = chained(moves)
    doublet = len(set(roll.dice)) < len(roll.dice)
    if doublet or len(ways) == 1:
        stops = _single_steps(game, position, roll)
        ways = [_stopping(way, stops.get(way.origin, []), rng) for way in ways]
    else:
        ways = [_stopping(way, [], rng) for way in ways]
    rng.shuffle(ways)
    if rng.random() < ENTER_FIRST:
        bar = game.hit_to(game.mover(position))
        ways.sort(key=lambda way: way.origin != bar)
    return ways


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


def _stopping(way: Way, steps: list[Spot], rng: random.Random) -> Way:
    in_one_go = rng.random() < ONE_GO
    if len(way.stops) > 1:
        return Way(way.origin, way.stops[-1:], way.stops[:-1]) if in_one_go else way
    between = sorted((s for s in steps if _is_between(way, s)), key=_number)
    if in_one_go or not between:
        return way
    if _number(way.origin) > _number(way.stops[0]):
        between.reverse()
    chosen = [stop for stop in between if rng.random() < 1 / len(between)]
    return Way(way.origin, (*(chosen or between[:1]), *way.stops))


def _is_between(way: Way, spot: Spot) -> bool:
    first, last = sorted((_number(way.origin), _number(way.stops[-1])))
    return first < _number(spot) < last


def _number(spot: Spot) -> int:
    """Along the tables: White's bar and Black's tray lie beyond 24, the others before 1."""
    beyond = ((SpotKind.BAR, Side.WHITE), (SpotKind.OFF, Side.BLACK))
    return 25 if (spot.kind, spot.side) in beyond else spot.number
