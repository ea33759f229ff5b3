"""Makes the view of a match."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from typing import Any

from pi_app.match import score
from pi_app.match.acts import Act
from pi_app.match.turns import IN_PLAY, OVER, Phase, State
from pi_app.referee.controls import offers
from pi_app.referee.history import PositionFacts
from pi_app.referee.match import Agreed, LiveMatch, Table
from pi_app.referee.speech import (
    ANOTHER,
    EARLIER,
    ENDED,
    HAND_OVER,
    ILLEGAL,
    LARGE,
    SHOW_IT,
    TO_MOVE,
    TO_PLAY,
    UNCLEAR,
    YOU_MOVED,
    comes_first,
    speak,
)
from pi_app.referee.view import (
    Coming,
    GameTale,
    InSeries,
    PutRight,
    Resignation,
    View,
    with_nothing_discreet,
)
from pi_app.rules.contract import AnyGame
from pi_app.rules.naming import SINGLE_GAME, name_roll
from pi_app.rules.terms import Checkers, Die, IllegalPlayError, Move, Roll, Side, Spot, SpotKind
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.words.sentences import worded

ROLL_FIRST = "roll-first"
"""The rule broken by a move before the roll: a table rule, of no game's sheet."""
OTHER_PLAY = "machine-plays"
"""The rule broken by a legal play that is not the engine's choice."""


def view_of(match: LiveMatch) -> View:
    agreed, table, turn = match.agreed, match.table, match.turn
    game, state, history = agreed.game, match.state, match.history
    board, accepted, trust = table.board, table.accepted, table.hands.trust
    reading, legal, undone = table.reading, table.legal, table.undone
    played = reading.plays[0] if board is BoardState.PLAYED else None
    after = accepted.after(played) if played is not None else None
    now = after or _done(table)
    rule, reason = _broken(match) if board is BoardState.WRONG else (None, None)
    fill, clear = _to_put_right(table)
    in_hand = board is BoardState.IN_HAND and state.phase is not Phase.SET_UP
    series = _games_of_series(agreed)
    throwing = state.phase is Phase.OPENING_THROW or len(history.thrown) == 2
    view = View(
        us=match.now,
        phase=state.phase,
        to_act=state.to_act,
        game=game.name,
        position=accepted.here.text,
        roll=str(state.roll or "") or None,
        board=board,
        play=game.write_play(state.position, played) if played is not None else None,
        after=after.text if after else None,
        confidence=match.confidence,
        choices=_texts(table) if board is BoardState.CHOOSE else (),
        rule=rule,
        reason=reason,
        put_right=_put_right(table),
        sensors_off=trust.off,
        score=state.standing.score,
        match_to=agreed.start.match_to,
        cube=state.standing.cube,
        message="",
        hint="",
        title=game.title,
        opening=game.opening,
        side_names=game.side_names,
        facing=game.facing,
        series=agreed.start.game if series else "",
        order=tuple(one.name for one in series),
        in_series=InSeries.at(state.standing, len(series)) if series else None,
        coming=_coming(agreed, state),
        players=agreed.players,
        standing=_standing(table, after),
        accepted=accepted.here.checkers,
        moves=_moves(table, played),
        fine=_fine(table),
        choice_moves=_choice_moves(table),
        lifted=reading.lifted if in_hand else (),
        targets=_targets(table) if in_hand else _places(table),
        fill=fill,
        clear=clear,
        legal=legal.texts,
        still=_still(table) if in_hand else (),
        ending=after.outcome if after else None,
        moves_exist=legal.most_moves > 0,
        guiding=table.guiding,
        earlier=_earlier(match, undone),
        late=_is_late(match),
        back_to=accepted.last_turn if undone is None else accepted.turn(undone),
        note=turn.note,
        unhit=turn.note is not None and turn.unhit,
        offers=offers(match),
        resignations=accepted.resignations,
        resignation=_resignation(match),
        dice=0 if history.rolled else agreed.turns.dice(state),
        typed=history.untyped is not None,
        changing=history.changing,
        awaiting_roll=turn.awaiting_roll,
        thrown=history.thrown if throwing and state.phase in IN_PLAY else (),
        closed=table.hands.closed,
        suspects=trust.suspects,
        faults=trust.faults,
        game_number=state.standing.game_number,
        with_cube=agreed.turns.agreement.cube,
        crawford=state.standing.crawford,
        post_crawford=state.standing.crawford_played,
        last_result=accepted.last_result,
        result=state.result,
        doubted=trust.doubted,
        chattering=trust.chattering,
        healed=trust.healed,
        ask_back=_ask_back(table),
        pips=now.pips,
        first_lacks=now.first_lacks,
        dice_left=dice_left(table),
        victims=_victims(table) if in_hand else (),
        barred=tuple(h.spot for h in reading.held if not h.targets) if in_hand else (),
        part=_part(table),
        onward=onward_spots(table),
        stray=stray_spots(table),
        last_plays=accepted.last_plays,
        choice_after=_choice_after(table),
        how=_how(table),
        tale=tale(match),
        machine=agreed.seat,
        thinking=match.choosing or match.only_its_own,
        silent=turn.silent,
        chosen=None if history.chosen is None else _written(table, history.chosen),
        to_make=_to_make(table),
        brief=_in_brief(match) if board is BoardState.WRONG else None,
        clock=match.time.face,
        terms=agreed.terms,
        beavered=agreed.turns.is_beavered(state),
        declining=turn.declining,
        caution=turn.caution,
    )
    view = discreetly(match, view)
    message, hint = speak(view)
    return said_discreetly(match, replace(view, message=message, hint=hint))


def _games_of_series(agreed: Agreed) -> tuple[AnyGame, ...]:
    series = agreed.turns.series
    return series.games if series and series.is_mixed else ()


def _coming(agreed: Agreed, state: State) -> Coming | None:
    if state.phase is not Phase.GAME_OVER or not _games_of_series(agreed):
        return None
    following = agreed.turns.act(state, Act.NEXT_GAME)
    return Coming(agreed.turns.during(following.standing).game.title, following.starter)


def _ask_back(table: Table) -> tuple[Sensor, ...]:
    return () if table.earlier or table.state.phase in OVER else table.hands.trust.asked


def _texts(table: Table) -> tuple[str, ...]:
    return tuple(_written(table, play) for play in table.reading.plays)


def _written(table: Table, play: Any) -> str:
    return table.game.write_play(table.state.position, play)


def _still(table: Table) -> tuple[str, ...]:
    """The rest of each play that continues the current part, without duplicates."""
    game, reading, legal = table.game, table.reading, table.legal
    moves = (game.moves(table.state.position, play) for play in reading.plays)
    rests = (legal.beyond(all_of_it, reading.done) for all_of_it in moves)
    return tuple(dict.fromkeys(_written(table, rest) for rest in rests if rest))


def _done(table: Table) -> PositionFacts:
    """The hands' result so far on the accepted position, with at most a part of a play."""
    done = table.reading.done
    midway = table.board is BoardState.IN_HAND and table.state.phase in IN_PLAY and done
    return table.accepted.midway(done) if midway else table.accepted.here


def _part(table: Table) -> str | None:
    done = table.reading.done
    return _written(table, done) if table.board is BoardState.IN_HAND and done else None


def _how(table: Table) -> str | None:
    """Return the name of the win, such as gammon; None for a plain win, which is not announced."""
    result = table.state.result
    if result is None or result.name in ENDED:
        return None
    large = LARGE.get(result.name)
    return large() if large else table.game.outcome_names.get(result.name)


def _choice_after(table: Table) -> tuple[Checkers, ...]:
    if table.board is not BoardState.CHOOSE:
        return ()
    return tuple(table.accepted.after(play).checkers for play in table.reading.plays)


def _in_brief(match: LiveMatch) -> str | None:
    """What a voice says of the broken rule; None where `reason` is short enough."""
    broken = match.reading.broken
    if broken is None:
        return None
    if broken.heard:
        return _by_name(match.agreed, broken.heard)
    return ILLEGAL(why=broken.rule.brief()) if broken.rule.brief else None


def _broken(match: LiveMatch) -> tuple[str, str]:
    broken = match.reading.broken
    if broken:
        return broken.rule.identifier, _by_name(match.agreed, broken.reason)
    if match.history.chosen is not None:
        return OTHER_PLAY, _other_play(match)
    return ROLL_FIRST, comes_first(match.state.phase, match.agreed.player(match.state.to_act))


def _other_play(match: LiveMatch) -> str:
    """The engine's play, and the legal play made instead."""
    game, state, reading = match.game, match.state, match.reading
    side, play = match.agreed.player(state.to_act), _written(match.table, match.history.chosen)
    there = game.attempted(state.position, reading.attempt)
    plays = game.plays(state.position, state.roll or Roll(()))
    made = next((p for p in plays if game.after(state.position, p) == there), None)
    if made is None:
        return ANOTHER(side=side, play=play)
    return YOU_MOVED(side=side, play=play, made=_written(match.table, made))


def _to_make(table: Table) -> tuple[Move, ...]:
    chosen, waits = table.accepted.history.chosen, (BoardState.RESTING, BoardState.IN_HAND)
    if chosen is None or table.board not in waits:
        return ()
    return table.game.moves(table.state.position, chosen)


def _by_name(agreed: Agreed, reason: str) -> str:
    """A reason that names the sides, with their players' names."""
    return worded(reason, dict(zip(agreed.game.side_names, agreed.players, strict=True)))


def _resignation(match: LiveMatch) -> Resignation | None:
    state = match.state
    if state.resignation is None:
        return None
    standing = state.standing
    named = match.game.resignations(state.position, state.to_act.other)
    worth = score.worth(match.agreed.turns.agreement, standing, state.resignation)
    name = named.get(state.resignation, SINGLE_GAME)
    return Resignation(worth * standing.cube.value, name)


def _put_right(table: Table) -> PutRight:
    if table.state.phase is Phase.SET_UP or table.board in ALARMS:
        return PutRight(*table.hands.put_right())
    return PutRight()


def _to_put_right(table: Table) -> tuple[tuple[Spot, ...], tuple[Spot, ...]]:
    """The spots to fill and to clear; a replaced checker's spot is among those to clear."""
    if table.state.phase is not Phase.SET_UP and table.board not in ALARMS:
        return (), ()
    fill, clear = table.hands.spots_to_correct(table.accepted.here.checkers)
    struck = (move.target for move in table.reading.attempt if move.hit)
    return fill, clear + tuple(s for s in struck if not (s in fill and s in clear))


def _standing(table: Table, after: PositionFacts | None) -> Checkers:
    """The position assumed on the board."""
    accepted, reading = table.accepted, table.reading
    standing = (after or accepted.here).checkers
    if after or table.state.phase not in IN_PLAY:
        return standing
    if reading.attempt:
        try:
            return accepted.midway(reading.attempt).checkers
        except IllegalPlayError:
            pass
    if table.board is BoardState.IN_HAND and (reading.done or reading.lifted):
        standing = _lowered(accepted.midway(reading.done).checkers, reading.lifted)
    elif table.board in ALARMS:
        standing = _lowered(standing, table.hands.spots_to_correct(standing)[0])
    gone, came = table.hands.unexplained(standing)
    standing = _lowered(standing, tuple(own.spot for own in gone))
    towns = _towns(table) if came and table.game.tallest > 1 else {}
    added: dict[Spot, tuple[Side, ...]] = {}
    for spot, side in came:
        more = (*added.get(spot, ()), side or table.state.to_act)
        added[spot] = towns.get(spot, more)
    return {**standing, **{spot: (*standing.get(spot, ()), *added[spot]) for spot in added}}


def _lowered(checkers: Checkers, spots: tuple[Spot, ...]) -> Checkers:
    """The stacks without their top checkers, one for each mention of a spot."""
    fewer = Counter(spot for spot in spots if spot in checkers)
    return {**checkers, **{spot: checkers[spot][:-count] for spot, count in fewer.items()}}


def _towns(table: Table) -> Checkers:
    """The tall pieces still to be placed, on each of their possible spots."""
    game, position, found = table.game, table.state.position, dict[Spot, tuple[Side, ...]]()
    for side in Side:
        turned = game.with_mover(position, side)
        plays = game.plays(turned, Roll(()))
        moves = [move for play in plays for move in game.moves(turned, play)]
        if all(move.origin.kind is SpotKind.OFF for move in moves):
            found |= {move.target: (side,) * game.tallest for move in moves}
    return found


def _moves(table: Table, played: Any) -> tuple[Move, ...]:
    if played is not None:
        return table.game.moves(table.state.position, played)
    reading = table.reading
    shown = {BoardState.WRONG: reading.attempt, BoardState.IN_HAND: reading.done}
    return shown.get(table.board, ())


def _targets(table: Table) -> tuple[Spot, ...]:
    """Legal targets of lifted checkers, in the board's order."""
    targets = {spot for held in table.reading.held for spot in held.targets}
    return tuple(spot for spot in table.game.spots if spot in targets)


def _victims(table: Table) -> tuple[Spot, ...]:
    mover = table.game.mover(table.state.position)
    held = table.reading.held
    return tuple(dict.fromkeys(h.spot for h in held if h.side is not mover and h.targets))


def _places(table: Table) -> tuple[Spot, ...]:
    """The tall piece's entry spots, if placing it is the turn."""
    if table.game.tallest == 1 or table.board is not BoardState.RESTING:
        return ()
    moves = [move for result in table.legal.results for move in result.moves]
    placed = all(move.origin.kind is SpotKind.OFF for move in moves)
    return tuple(move.target for move in moves) if placed else ()


def _fine(table: Table) -> str | None:
    reading = table.reading
    if table.board is not BoardState.WRONG or reading.fine != len(reading.attempt) - 1:
        return None
    return _written(table, reading.attempt[: reading.fine]) if reading.fine else None


def _choice_moves(table: Table) -> tuple[tuple[Move, ...], ...]:
    if table.board is not BoardState.CHOOSE:
        return ()
    position, plays = table.state.position, table.reading.plays
    return tuple(table.game.moves(position, play) for play in plays)


def _earlier(match: LiveMatch, undone: int | None) -> str | None:
    if undone is None:
        return None
    made = match.table.earlier[undone]
    play = match.game.write_play(made.state.position, made.play)
    return EARLIER(side=match.agreed.player(made.state.to_act), play=play)


def _is_late(match: LiveMatch) -> bool:
    """Whether hands have gone on with the turn that was just handed over."""
    table, plays = match.table, match.history.plays
    if table.board is not BoardState.WRONG or not plays or plays[-1].state.roll is None:
        return False
    if not any(table.hands.put_right()):
        return False
    return table.hands.shows_turn(plays[-1].state.position, plays[-1].state.roll)


def dice_left(table: Table) -> tuple[Die, ...]:
    """The roll's unused dice, a doublet's four times."""
    state, roll = table.state, table.state.roll
    if roll is None or state.phase is not Phase.MOVING or table.board is BoardState.PLAYED:
        return ()
    return unused(table.game, state.position, thrown(roll), table.reading.done)


def thrown(roll: Roll) -> tuple[Die, ...]:
    """The dice to be played of a roll: of a doublet four."""
    doublet = len(roll.dice) == 2 and len(set(roll.dice)) == 1
    return roll.dice * 2 if doublet else roll.dice


def unused(
    game: AnyGame, position: Any, dice: tuple[Die, ...], done: tuple[Move, ...]
) -> tuple[Die, ...]:
    """The dice left after a part of a play."""
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


def onward_spots(table: Table) -> tuple[Spot, ...]:
    """Targets of the rest of a turn whose first part is on the board."""
    reading, position = table.reading, table.state.position
    if table.board is not BoardState.IN_HAND or not reading.done:
        return ()
    moves = (table.game.moves(position, play) for play in reading.plays)
    rests = (table.legal.beyond(all_of_it, reading.done) or () for all_of_it in moves)
    return tuple(dict.fromkeys(move.target for rest in rests for move in rest))


def stray_spots(table: Table) -> tuple[Spot, ...]:
    """Spots with a checker that no play of this turn puts there, after a moment."""
    reading = table.reading
    lifted = table.board is BoardState.IN_HAND and bool(reading.lifted)
    if not lifted or table.state.phase is not Phase.MOVING:
        return ()
    midway = table.accepted.midway(reading.done).checkers
    legal = {move.target for stage in table.legal.stages for move in stage.moves}
    legal.add(table.game.hit_to(table.state.to_act.other))
    came = dict.fromkeys(table.hands.too_many(midway))
    return tuple(spot for spot in came if spot not in legal)


def tale(match: LiveMatch) -> GameTale | None:
    """The game's summary, once it is over."""
    if match.state.phase not in OVER:
        return None
    turns = [made.state for made in match.history.plays]
    rolls = [(turn.to_act, turn.roll) for turn in turns if turn.roll and len(turn.roll.dice) == 2]
    pips = [[sum(thrown(roll)) for who, roll in rolls if who is side] for side in Side]
    white, black = ((len(own), sum(own)) for own in pips)
    return GameTale(len(turns), match.time.game_lasted, (white, black))


def discreetly(match: LiveMatch, view: View) -> View:
    """The view without hints about legal plays; pips are those at the start of the turn."""
    if not match.discreet or view.board is BoardState.CHOOSE:
        return view
    lost = view.board is BoardState.DISTURBED or match.turn.unclear
    moved = view.board is not BoardState.RESTING
    board = BoardState.IN_HAND if moved else BoardState.RESTING
    roll = match.state.roll or Roll(())
    return with_nothing_discreet(
        view,
        board=BoardState.DISTURBED if lost else board,
        moves_exist=True,
        pips=match.table.accepted.here.pips,
        first_lacks=match.table.accepted.here.first_lacks,
        dice_left=thrown(roll),
        **({} if lost else _no_warning(view)),
    )


def _no_warning(view: View) -> dict[str, Any]:
    offers = view.offers - {Act.SCREEN_IS_RIGHT}
    return {"fill": (), "clear": (), "put_right": PutRight(), "offers": offers}


def said_discreetly(match: LiveMatch, view: View) -> View:
    if not match.discreet or view.board is BoardState.CHOOSE:
        return view
    if match.turn.unclear:
        return replace(view, message=UNCLEAR(), hint=SHOW_IT())
    if view.phase is not Phase.MOVING or view.board is BoardState.DISTURBED:
        return view
    who, roll = view.player(view.to_act), name_roll(view.roll)
    to_do = TO_PLAY(side=who, roll=roll) if view.roll else TO_MOVE(side=who)
    return replace(view, message=to_do, hint=HAND_OVER())
