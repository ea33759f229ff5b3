"""Illegal attempts at a position, and which of them no reed can tell from something legal."""

from __future__ import annotations

from collections.abc import Set

from pi_app.board.description import Sensor
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import IllegalPlayError, Move, Roll, Side, Spot
from pi_app.simulator.checkers import Checkers
from pi_app.simulator.hands import Stacks


def illegal_moves(game: AnyGame, position: object, roll: Roll) -> tuple[Move, ...]:
    """Every way to move one checker, own or not, that the rules do not allow now."""
    stacks = game.checkers_at(position)
    legal = {
        (move.origin, move.target)
        for play in game.plays(position, roll)
        for move in game.moves(position, play)
    }
    return tuple(
        Move(origin, target, hit=_replaces(stacks, origin, target))
        for origin in game.spots
        for target in game.spots
        if stacks[origin] and origin != target and (origin, target) not in legal
    )


def victim_home(game: AnyGame, position: object, move: Move) -> Spot | None:
    """Where the checker goes that a move takes the place of, or None."""
    if not move.hit:
        return None
    before = game.checkers_at(position)
    victim = before[move.target][-1]
    try:
        after = game.checkers_at(game.attempted(position, (move,)))
    except IllegalPlayError:
        return None
    grown = (s for s in game.spots if _count(after, s, victim) > _count(before, s, victim))
    return next(grown, None)


def looks_legal(
    game: AnyGame,
    position: object,
    roll: Roll,
    move: Move,
    checkers: Checkers,
    off: Set[Sensor] = frozenset(),
) -> bool:
    """Whether the reeds see the same when this is done as after something legal.

    A checker that was replaced shows by its spot having been open; but where the turn is
    forfeited it may as well have been adjusted before the turn was passed.  The sensors that
    are `off` see nothing.
    """
    shown = checkers.show(_stacks_after(game, position, move)) - off
    dips = _felt(checkers, {move.target} if move.hit else set(), off)
    if shown == checkers.show(game.checkers_at(position)) - off and not dips:
        return True
    return any(
        shown == checkers.show(game.checkers_at(game.after(position, play))) - off
        and (
            dips == _felt(checkers, struck(game, position, play), off)
            or not game.moves(position, play)
        )
        for play in game.plays(position, roll)
    )


def struck(game: AnyGame, position: object, play: object) -> set[Spot]:
    """The spots where a play hits."""
    return {move.target for move in game.moves(position, play) if move.hit}


def _felt(checkers: Checkers, spots: set[Spot], off: Set[Sensor]) -> set[Spot]:
    """Those of the spots where a sensor in use feels a checker go and come."""
    return {spot for spot in spots if set(checkers.sensors_of(spot)) - off}


def _stacks_after(game: AnyGame, position: object, move: Move) -> Stacks:
    stacks = dict(game.checkers_at(position))
    side = stacks[move.origin][-1]
    stacks[move.origin] = stacks[move.origin][:-1]
    if move.hit:
        stacks[move.target] = stacks[move.target][:-1]
    stacks[move.target] = (*stacks[move.target], side)
    return stacks


def _replaces(stacks: Stacks, origin: Spot, target: Spot) -> bool:
    """A single checker of the other side on a spot of the board makes way."""
    on_board = "." not in target
    return on_board and len(stacks[target]) == 1 and stacks[target][-1] is not stacks[origin][-1]


def _count(stacks: Stacks, spot: Spot, side: Side) -> int:
    return stacks[spot].count(side)
