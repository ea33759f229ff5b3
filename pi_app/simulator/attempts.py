"""Illegal attempts at a position, and which of them no reed can tell from something legal."""

from __future__ import annotations

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
    game: AnyGame, position: object, roll: Roll, move: Move, checkers: Checkers
) -> bool:
    """Whether the reeds see the same when this is done as after something legal.

    A checker that was replaced shows by its spot having been open; but where the turn is
    forfeited it may as well have been adjusted before the turn was passed.
    """
    shown = checkers.show(_stacks_after(game, position, move))
    dips = {move.target} if move.hit and checkers.sensors_of(move.target) else set()
    if shown == checkers.show(game.checkers_at(position)) and not dips:
        return True
    return any(
        shown == checkers.show(game.checkers_at(game.after(position, play)))
        and (dips == struck(game, position, play) or not game.moves(position, play))
        for play in game.plays(position, roll)
    )


def struck(game: AnyGame, position: object, play: object) -> set[Spot]:
    """The spots where a play hits."""
    return {move.target for move in game.moves(position, play) if move.hit}


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
