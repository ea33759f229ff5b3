"""How far a turn and a game have come: dice left, where the rest may go, the play before."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from pi_app.match.turns import OVER, Phase
from pi_app.microseconds import Us
from pi_app.referee.live_match import LiveMatch
from pi_app.referee.view import GameTale
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Die, Move, Roll, Side, Spot
from pi_app.sensing.reading import BoardState


def dice_left(match: LiveMatch) -> tuple[Die, ...]:
    """The dice of the roll that nothing has been played with yet, a doublet's four times."""
    state, roll = match.state, match.state.roll
    if roll is None or state.phase is not Phase.MOVING or match.board is BoardState.PLAYED:
        return ()
    return unused(match.game, state.position, thrown(roll), match.hands.reading.done)


def thrown(roll: Roll) -> tuple[Die, ...]:
    """The dice to be played of a roll: of a doublet four."""
    doublet = len(roll.dice) == 2 and len(set(roll.dice)) == 1
    return roll.dice * 2 if doublet else roll.dice


def unused(
    game: AnyGame, position: Any, dice: tuple[Die, ...], done: tuple[Move, ...]
) -> tuple[Die, ...]:
    """The dice that are left once the moves of a part of a play are done."""
    if not done:
        return dice
    mover, left = game.mover(position), list(dice)
    before, after = (game.pips(now, mover) for now in (position, game.attempted(position, done)))
    if before is None or after is None:
        return dice[len(done) :]
    went = before - after
    ways = [
        used
        for count in range(1, len(dice) + 1)
        for used in combinations(dice, count)
        if sum(used) >= went and count >= len(done)
    ]
    # A checker borne off from a lower point than the die shows has gone less far than the die.
    for die in min(ways, key=sum, default=()):
        left.remove(die)
    return tuple(left)


def onward_spots(match: LiveMatch) -> tuple[Spot, ...]:
    """Where the rest of a turn may still go once a part of it lies on the board."""
    reading, position = match.hands.reading, match.state.position
    if match.board is not BoardState.IN_HAND or not reading.done:
        return ()
    moves = (match.game.moves(position, play) for play in reading.plays)
    rests = (match.hands.legal.beyond(all_of_it, reading.done) or () for all_of_it in moves)
    return tuple(dict.fromkeys(move.target for rest in rests for move in rest))


def stray_spots(match: LiveMatch) -> tuple[Spot, ...]:
    """Where a checker lies for a moment already that may go there in no play of this turn."""
    reading = match.hands.reading
    lifted = match.board is BoardState.IN_HAND and bool(reading.lifted)
    if not lifted or match.state.phase is not Phase.MOVING:
        return ()
    midway = match.accepted.midway(reading.done).checkers
    legal = {move.target for stage in match.hands.legal.stages for move in stage.moves}
    legal.add(match.game.hit_to(match.state.to_act.other))
    came = dict.fromkeys(match.hands.too_many(midway))
    return tuple(spot for spot in came if spot not in legal)


def tale(match: LiveMatch) -> GameTale | None:
    """What the game was, once it is over."""
    if match.state.phase not in OVER:
        return None
    turns = [match.past[index].state for index in range(len(match.past))]
    rolls = [(turn.to_act, turn.roll) for turn in turns if turn.roll and len(turn.roll.dice) == 2]
    pips = [[sum(thrown(roll)) for who, roll in rolls if who is side] for side in Side]
    white, black = ((len(own), sum(own)) for own in pips)
    return GameTale(len(turns), _lasted(match), (white, black))


def _lasted(match: LiveMatch) -> Us | None:
    if match.began_at is None or match.ended_at is None:
        return None
    return Us(match.ended_at - match.began_at)
