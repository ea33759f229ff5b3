"""From the match under way to the one value that is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from types import MappingProxyType
from typing import Any

from pi_app.match import score
from pi_app.match.turns import IN_PLAY, OVER, Phase
from pi_app.microseconds import Us
from pi_app.referee.controls import offers
from pi_app.referee.events import Intent
from pi_app.referee.history import Placed
from pi_app.referee.match import LiveMatch
from pi_app.referee.speech import (
    ANOTHER,
    BEFORE_ANSWER,
    BEFORE_CHOICE,
    BEFORE_REPLY,
    BEFORE_ROLL,
    EARLIER,
    ENDED,
    HAND_OVER,
    LARGE,
    SHOW_IT,
    TO_MOVE,
    TO_PLAY,
    UNCLEAR,
    YOU_MOVED,
    speak,
)
from pi_app.referee.view import GameTale, PutRight, Resignation, View
from pi_app.rules.contract import AnyGame
from pi_app.rules.naming import SINGLE_GAME, name_roll
from pi_app.rules.terms import Checkers, Die, IllegalPlayError, Move, Roll, Side, Spot, SpotKind
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.words.sentences import Sentence, on_board, worded

ROLL_FIRST = "roll-first"
"""The rule broken by a move before the roll: a table rule, of no game's sheet."""
OTHER_PLAY = "machine-plays"
"""The rule broken by a legal play that is not the engine's choice."""
_WAITS: Mapping[Phase, Sentence] = MappingProxyType(
    {
        Phase.DOUBLE_OFFERED: BEFORE_ANSWER,
        Phase.RESIGNATION_OFFERED: BEFORE_REPLY,
        Phase.MOVING: BEFORE_CHOICE,
    }
)


def view_of(match: LiveMatch) -> View:
    """The view of the match as it stands."""
    game, state, reading = match.game, match.state, match.hands.reading
    board, accepted = match.board, match.accepted
    legal, undone = match.hands.legal, match.undone
    played = reading.plays[0] if board is BoardState.PLAYED else None
    after = accepted.after(played) if played is not None else None
    rule, reason = _broken(match) if board is BoardState.WRONG else (None, None)
    fill, clear = _to_put_right(match)
    in_hand = board is BoardState.IN_HAND and state.phase is not Phase.SET_UP
    throwing = state.phase is Phase.OPENING_THROW or len(match.thrown) == 2
    view = View(
        us=match.now,
        phase=state.phase,
        to_act=state.to_act,
        game=game.name,
        position=accepted.here.text,
        roll=str(state.roll or "") or None,
        board=board,
        play=game.write_play(played) if played is not None else None,
        after=after.text if after else None,
        confidence=match.confidence,
        choices=_texts(game, reading.plays) if board is BoardState.CHOOSE else (),
        rule=rule,
        reason=reason,
        put_right=_put_right(match),
        sensors_off=match.hands.trust.off,
        score=state.standing.score,
        match_to=match.start.match_to,
        cube=state.standing.cube,
        message="",
        hint="",
        title=game.title,
        opening=game.opening,
        side_names=game.side_names,
        players=match.players,
        standing=_standing(match, after),
        accepted=accepted.here.checkers,
        moves=_moves(match, played),
        fine=_fine(match),
        choice_moves=_choice_moves(match),
        lifted=reading.lifted if in_hand else (),
        targets=_targets(match) if in_hand else _places(match),
        fill=fill,
        clear=clear,
        legal=legal.texts,
        still=_still(match) if in_hand else (),
        ending=after.outcome if after else None,
        moves_exist=legal.most_moves > 0,
        guiding=match.guiding,
        earlier=_earlier(match, undone),
        back_to=accepted.last_turn if undone is None else accepted.turn(undone),
        note=match.note,
        unhit=match.note is not None and match.unhit,
        offers=offers(match),
        resignations=accepted.resignations,
        resignation=_resignation(match),
        dice=0 if match.course.rolled else match.turns.dice(state),
        typed=match.course.untyped is not None,
        changing=match.course.changing,
        awaiting_roll=match.awaiting_roll,
        thrown=match.thrown if throwing and state.phase in IN_PLAY else (),
        closed=match.hands.closed,
        suspects=match.hands.trust.suspects,
        faults=match.hands.trust.faults,
        game_number=state.standing.game_number,
        with_cube=match.turns.agreement.cube,
        crawford=state.standing.crawford,
        post_crawford=state.standing.crawford_played,
        last_result=accepted.last_result,
        result=state.result,
        doubted=match.hands.trust.doubted,
        chattering=match.hands.trust.chattering,
        healed=match.hands.trust.healed,
        ask_back=_ask_back(match),
        pips=(after or _done(match)).pips,
        dice_left=dice_left(match),
        victims=_victims(match) if in_hand else (),
        barred=tuple(h.spot for h in reading.held if not h.targets) if in_hand else (),
        part=_part(match),
        onward=onward_spots(match),
        stray=stray_spots(match),
        last_play=accepted.last_play,
        choice_after=_choice_after(match),
        how=_how(match),
        tale=tale(match),
        machine=match.seat,
        thinking=match.choosing or match.only_its_own,
        silent=match.silent,
        chosen=None if match.course.chosen is None else game.write_play(match.course.chosen),
        to_make=_to_make(match),
        clock=match.time.face,
        terms=match.terms,
    )
    view = discreetly(match, view)
    message, hint = speak(view)
    return said_discreetly(match, replace(view, message=message, hint=hint))


def _ask_back(match: LiveMatch) -> tuple[Sensor, ...]:
    return () if match.past or match.state.phase in OVER else match.hands.trust.asked


def _texts(game: AnyGame, plays: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple(game.write_play(play) for play in plays)


def _still(match: LiveMatch) -> tuple[str, ...]:
    """What is left of each play that goes on from the part that is done, told once."""
    game, reading, legal = match.game, match.hands.reading, match.hands.legal
    moves = (game.moves(match.state.position, play) for play in reading.plays)
    rests = (legal.beyond(all_of_it, reading.done) for all_of_it in moves)
    return tuple(dict.fromkeys(game.write_play(rest) for rest in rests if rest))


def _done(match: LiveMatch) -> Placed:
    """The hands' result so far on the accepted position, with at most a part of a play."""
    done = match.hands.reading.done
    midway = match.board is BoardState.IN_HAND and match.state.phase in IN_PLAY and done
    return match.accepted.midway(done) if midway else match.accepted.here


def _part(match: LiveMatch) -> str | None:
    done = match.hands.reading.done
    return match.game.write_play(done) if match.board is BoardState.IN_HAND and done else None


def _how(match: LiveMatch) -> str | None:
    """A plain win has no name worth calling out."""
    result = match.state.result
    if result is None or result.name in ENDED:
        return None
    large = LARGE.get(result.name)
    return large() if large else match.game.outcome_names.get(result.name)


def _choice_after(match: LiveMatch) -> tuple[Checkers, ...]:
    if match.board is not BoardState.CHOOSE:
        return ()
    return tuple(match.accepted.after(play).checkers for play in match.hands.reading.plays)


def _broken(match: LiveMatch) -> tuple[str, str]:
    broken = match.hands.reading.broken
    if broken:
        return broken.rule.identifier, _by_name(match, broken.reason)
    if match.course.chosen is not None:
        return OTHER_PLAY, _other_play(match)
    waits = _WAITS.get(match.state.phase, BEFORE_ROLL)
    return ROLL_FIRST, waits(side=match.player(match.state.to_act))


def _other_play(match: LiveMatch) -> str:
    """The machine's play, and the legal one that was made in its place."""
    game, state, reading = match.game, match.state, match.hands.reading
    side, play = match.player(state.to_act), game.write_play(match.course.chosen)
    there = game.attempted(state.position, reading.attempt)
    plays = game.plays(state.position, state.roll or Roll(()))
    made = next((p for p in plays if game.after(state.position, p) == there), None)
    if made is None:
        return ANOTHER(side=side, play=play)
    return YOU_MOVED(side=side, play=play, made=game.write_play(made))


def _to_make(match: LiveMatch) -> tuple[Move, ...]:
    """The machine's moves, while the board may not show its play yet."""
    if match.course.chosen is None or match.board not in (BoardState.RESTING, BoardState.IN_HAND):
        return ()
    return match.game.moves(match.state.position, match.course.chosen)


def _by_name(match: LiveMatch, reason: str) -> str:
    """A reason that speaks of the sides, said of their players."""
    return worded(reason, dict(zip(match.game.side_names, match.players, strict=True)))


def _resignation(match: LiveMatch) -> Resignation | None:
    state = match.state
    if state.resignation is None:
        return None
    standing = state.standing
    named = match.game.resignations(state.position, state.to_act.other)
    worth = score.worth(match.turns.agreement, standing, state.resignation)
    name = named.get(state.resignation, SINGLE_GAME)
    return Resignation(worth * standing.cube.value, name)


def _put_right(match: LiveMatch) -> PutRight:
    if match.state.phase is Phase.SET_UP or match.board in ALARMS:
        return PutRight(*match.hands.put_right())
    return PutRight()


def _to_put_right(match: LiveMatch) -> tuple[tuple[Spot, ...], tuple[Spot, ...]]:
    """The spots to fill and to clear; a spot whose checker was replaced is to be cleared too."""
    if match.state.phase is not Phase.SET_UP and match.board not in ALARMS:
        return (), ()
    fill, clear = match.hands.spots_amiss(match.accepted.here.checkers)
    struck = tuple(move.target for move in match.hands.reading.attempt if move.hit)
    return fill, clear + struck


def _standing(match: LiveMatch, after: Placed | None) -> Checkers:
    """The position assumed on the board."""
    accepted, reading = match.accepted, match.hands.reading
    standing = (after or accepted.here).checkers
    if after or match.state.phase not in IN_PLAY:
        return standing
    if reading.attempt:
        try:
            return accepted.midway(reading.attempt).checkers
        except IllegalPlayError:
            pass
    if match.board is BoardState.IN_HAND and (reading.done or reading.lifted):
        standing = _lowered(accepted.midway(reading.done).checkers, reading.lifted)
    elif match.board in ALARMS:
        standing = _lowered(standing, match.hands.spots_amiss(standing)[0])
    gone, came = match.hands.unexplained(standing)
    standing, more = _lowered(standing, gone), Counter(came)
    towns = _towns(match) if more and match.game.tallest > 1 else {}
    added = {spot: towns.get(spot, (match.state.to_act,) * more[spot]) for spot in more}
    return {**standing, **{spot: (*standing.get(spot, ()), *added[spot]) for spot in added}}


def _lowered(checkers: Checkers, spots: tuple[Spot, ...]) -> Checkers:
    """The same without the upper checkers of these spots, one for each time a spot is told."""
    fewer = Counter(spot for spot in spots if spot in checkers)
    return {**checkers, **{spot: checkers[spot][:-count] for spot, count in fewer.items()}}


def _towns(match: LiveMatch) -> Checkers:
    """The tall pieces that are still to come, on every spot where they may."""
    game, position, found = match.game, match.state.position, dict[Spot, tuple[Side, ...]]()
    for side in Side:
        turned = game.with_mover(position, side)
        plays = game.plays(turned, Roll(()))
        moves = [move for play in plays for move in game.moves(turned, play)]
        if all(move.origin.kind is SpotKind.OFF for move in moves):
            found |= {move.target: (side,) * game.tallest for move in moves}
    return found


def _moves(match: LiveMatch, played: Any) -> tuple[Move, ...]:
    if played is not None:
        return match.game.moves(match.state.position, played)
    reading = match.hands.reading
    shown = {BoardState.WRONG: reading.attempt, BoardState.IN_HAND: reading.done}
    return shown.get(match.board, ())


def _targets(match: LiveMatch) -> tuple[Spot, ...]:
    """Legal targets of lifted checkers, in the board's order."""
    targets = {spot for held in match.hands.reading.held for spot in held.targets}
    return tuple(spot for spot in match.game.spots if spot in targets)


def _victims(match: LiveMatch) -> tuple[Spot, ...]:
    mover = match.game.mover(match.state.position)
    held = match.hands.reading.held
    return tuple(dict.fromkeys(h.spot for h in held if h.side is not mover and h.targets))


def _places(match: LiveMatch) -> tuple[Spot, ...]:
    """The tall piece's entry spots, if placing it is the turn."""
    if match.game.tallest == 1 or match.board is not BoardState.RESTING:
        return ()
    moves = [move for result in match.hands.legal.results for move in result.moves]
    placed = all(move.origin.kind is SpotKind.OFF for move in moves)
    return tuple(move.target for move in moves) if placed else ()


def _fine(match: LiveMatch) -> str | None:
    reading = match.hands.reading
    if match.board is not BoardState.WRONG or reading.fine != len(reading.attempt) - 1:
        return None
    return match.game.write_play(reading.attempt[: reading.fine]) if reading.fine else None


def _choice_moves(match: LiveMatch) -> tuple[tuple[Move, ...], ...]:
    if match.board is not BoardState.CHOOSE:
        return ()
    position, plays = match.state.position, match.hands.reading.plays
    return tuple(match.game.moves(position, play) for play in plays)


def _earlier(match: LiveMatch, undone: int | None) -> str | None:
    if undone is None:
        return None
    past = match.past[undone]
    side, play = match.player(past.state.to_act), match.game.write_play(past.play)
    return EARLIER(side=side, play=on_board(play))


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
    """Targets of the rest of a turn whose first part is on the board."""
    reading, position = match.hands.reading, match.state.position
    if match.board is not BoardState.IN_HAND or not reading.done:
        return ()
    moves = (match.game.moves(position, play) for play in reading.plays)
    rests = (match.hands.legal.beyond(all_of_it, reading.done) or () for all_of_it in moves)
    return tuple(dict.fromkeys(move.target for rest in rests for move in rest))


def stray_spots(match: LiveMatch) -> tuple[Spot, ...]:
    """Spots with a checker that no play of this turn puts there, after a moment."""
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
    """The game's summary, once it is over."""
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
