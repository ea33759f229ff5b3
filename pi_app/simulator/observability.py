"""What no reed can tell, computed from where checkers lie and never asked of the product."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, Spot
from pi_app.sensing.description import Sensor
from pi_app.simulator.attempts import Misplay
from pi_app.simulator.checkers import LyingCheckers, Piled


def struck(game: AnyGame, position: Any, play: Any) -> set[Spot]:
    """The spots where a play hits."""
    return {move.target for move in game.moves(position, play) if move.hit}


def seems(
    checkers: LyingCheckers, closed: Set[Sensor], wanted: Piled, off: Set[Sensor] = frozenset()
) -> bool:
    """Whether no sensor in use contradicts that the checkers lie as wanted."""
    for spot in checkers.spots:
        sensors = checkers.sensors_of(spot)
        expected = min(len(wanted.get(spot, ())), len(sensors))
        seen = sum(sensor in closed and sensor not in off for sensor in sensors)
        unseen = sum(sensor in off for sensor in sensors)
        if not expected - unseen <= seen <= expected:
            return False
    return True


def looks_legal(
    game: AnyGame,
    position: Any,
    roll: Roll,
    attempt: Misplay,
    checkers: LyingCheckers,
    blind: Set[Sensor] = frozenset(),
) -> bool:
    """Whether the reeds see the same when this is done as after something legal.

    A checker that was replaced shows by its spot having been open.  But one of the mover's own may
    as well have been adjusted, and so may any where the turn is forfeited.  Spots with a `blind`
    sensor tell nothing.
    """
    mover, stacks = game.mover(position), game.checkers_at(position)
    spots = [s for s in checkers.spots if not set(checkers.sensors_of(s)) & blind]

    def shown(layout: Piled) -> list[int]:
        return [min(len(layout.get(s, ())), len(checkers.sensors_of(s))) for s in spots]

    def felt(hits: Set[Spot], layout: Piled) -> set[Spot]:
        return {s for s in hits if s in spots and checkers.sensors_of(s) and layout[s]}

    replaced = {spot for spot in attempt.hits if mover not in stacks[spot]}
    picture, dips = shown(attempt.layout), felt(replaced, attempt.layout)
    if picture == shown(checkers.layout(stacks)) and not dips:
        return True
    for play in game.plays(position, roll):
        after = checkers.layout(game.checkers_at(game.after(position, play)))
        if picture == shown(after) and (
            not game.moves(position, play) or dips == felt(struck(game, position, play), after)
        ):
            return True
    return False
