"""Responsible moves: what players are not told, and a play that counts though it is not legal.

Nobody is told whether a play is legal: not by words, arrows, rings, sounds, nor by dice that fall
by themselves after a legal play alone.  A press hands over what lies there.  It counts as it lies
where the sensors can tell it: where the picture of all of them differs from the accepted one by
the mover's own checkers alone, each of them seen leaving and seen lying, and nothing else was
touched in this turn.  Where they cannot, the players are asked to say it.  Until the opponent
rolls or doubles he can have it corrected: Take back leads to the turn again, its roll on the
table.  By going on he condones it, and the record says so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pi_app.match.terms import PlayPolicy
from pi_app.match.turns import Phase
from pi_app.referee.effects import Cue
from pi_app.referee.events import Intent
from pi_app.referee.live_match import LiveMatch
from pi_app.referee.progress import thrown
from pi_app.referee.view import PutRight, View
from pi_app.referee.wording import HAND_OVER, SHOW_IT, TO_MOVE, TO_PLAY, UNCLEAR
from pi_app.rules.naming import name_roll
from pi_app.rules.terms import Move, Roll, RulesError
from pi_app.sensing.reading import BoardState


def condone(match: LiveMatch) -> bool:
    """A press on a board that shows no legal play, by responsible moves; whether they are played.

    What lies there counts, or the players are asked what it is.
    """
    if not match.discreet:
        return False
    reading = match.hands.insist(match.now)
    match.asked_at = match.now
    if reading.state is BoardState.CHOOSE:
        return True
    if reading.state is BoardState.WRONG and _can_be_told(match, reading.attempt):
        match.accept(reading.attempt, condoned=True)
    else:
        match.unclear = True
        match.sound(Cue.WRONG)
    return True


def _can_be_told(match: LiveMatch, attempt: tuple[Move, ...]) -> bool:
    """Whether the sensors leave no doubt that this was played, and it can be written down."""
    game, before, hands = match.game, match.state.position, match.hands
    try:
        after = game.attempted(before, attempt)
        same = game.after(before, game.read_play(before, game.write_play(attempt))) == after
    except (RulesError, ValueError):
        return False  # no play of this game is written so
    if not attempt or not same or game.impossible(after, before) or hands.misfits(after):
        return False
    old, new = game.checkers_at(before), game.checkers_at(after)
    changed = [spot for spot in old if old[spot] != new[spot]]
    own = all({*old[spot], *new[spot]} <= {match.state.to_act} for spot in changed)
    moved = sum(abs(len(new[spot]) - len(old[spot])) for spot in changed)
    rows = zip(hands.shown(before), hands.shown(after), hands.seen.unseen, strict=True)
    seen = sum(abs(now - then) for then, now, unseen in rows if not unseen)
    return own and moved == seen and match.stirred <= set(changed)


def discreetly(match: LiveMatch, view: View) -> View:
    """The view without anything that says what is legal: pips are those of the turn's begin."""
    if not match.discreet or view.board is BoardState.CHOOSE:
        return view
    lost = view.board is BoardState.DISTURBED or match.unclear
    moved = view.board is not BoardState.RESTING
    board = BoardState.IN_HAND if moved else BoardState.RESTING
    roll = match.state.roll or Roll(())
    return replace(
        view,
        board=BoardState.DISTURBED if lost else board,
        play=None,
        after=None,
        confidence=None,
        rule=None,
        reason=None,
        moves=(),
        fine=None,
        targets=(),
        legal=(),
        still=(),
        ending=None,
        moves_exist=True,
        earlier=None,
        pips=match.accepted.here.pips,
        dice_left=thrown(roll),
        part=None,
        onward=(),
        stray=(),
        victims=(),
        barred=(),
        **({} if lost else _nothing_amiss(view)),
    )


def _nothing_amiss(view: View) -> dict[str, Any]:
    offers = view.offers - {Intent.SCREEN_IS_RIGHT}
    return {"fill": (), "clear": (), "put_right": PutRight(), "offers": offers}


def said_discreetly(match: LiveMatch, view: View) -> View:
    """The same in words."""
    if not match.discreet or view.board is BoardState.CHOOSE:
        return view
    if match.unclear:
        return replace(view, message=UNCLEAR(), hint=SHOW_IT())
    if view.phase is not Phase.MOVING or view.board is BoardState.DISTURBED:
        return view
    who, roll = view.player(view.to_act), name_roll(view.roll)
    to_do = TO_PLAY(side=who, roll=roll) if view.roll else TO_MOVE(side=who)
    return replace(view, message=to_do, hint=HAND_OVER())


def rolls_by_itself(match: LiveMatch) -> bool:
    """Whether handing over rolls for the next player: else he would have condoned unasked."""
    return match.terms.policy is PlayPolicy.LEGAL
