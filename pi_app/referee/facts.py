"""From what the referee knows to the one value that is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pi_app.match.phases import IN_PLAY, OVER, Act, Phase, knows
from pi_app.match.turns import MatchState, Turns
from pi_app.microseconds import Us
from pi_app.referee.course import Past
from pi_app.referee.events import Intent, Start
from pi_app.referee.past import Pasts
from pi_app.referee.speech import speak, tell_result
from pi_app.referee.view import PutRight, View
from pi_app.referee.wording import BEFORE_ANSWER, BEFORE_ROLL, EARLIER
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import IllegalPlayError, Move, Rule, Side, Spot
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.sensing.senses import Senses

ROLL_FIRST = Rule("roll-first", "No checker moves before the roll.", "design, the tracker")


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything a view is made of."""

    now: Us
    start: Start
    game: AnyGame
    turns: Turns[Any, Any]
    state: MatchState[Any]
    hands: Senses[Any, Any]
    past: Pasts
    thrown: tuple[tuple[Side, int], ...]
    awaiting_roll: bool
    guiding: bool
    note: str | None

    @property
    def board(self) -> BoardState:
        """What the board shows; before and after a game it is not judged."""
        if self.state.phase is Phase.SET_UP:
            fits = not self.hands.misfits(self.state.position)
            return BoardState.RESTING if fits else BoardState.IN_HAND
        return self.hands.reading.state if self.state.phase in IN_PLAY else BoardState.RESTING

    @property
    def undone(self) -> int | None:
        """The index of the latest past position that the board shows while it is wrong."""
        if self.board not in ALARMS:
            return None
        return self.past.latest(self.hands.seen)

    @property
    def take_back_to(self) -> int | None:
        """The index of the past that a takeback goes to: what the board shows, or the last play."""
        if self.undone is not None:
            return self.undone
        real = (i for i in reversed(range(len(self.past))) if self.moved(self.past[i]))
        return next(real, None)

    def moved(self, past: Past) -> bool:
        """Whether the past play moved anything: it was no forfeit."""
        return bool(self.game.moves(past.state.position, past.play))

    def side_name(self, side: Side) -> str:
        """What the game calls a side."""
        return self.game.side_names[side is Side.BLACK]

    @property
    def players(self) -> tuple[str, str]:
        """The players' names; who gave none is called as his side, in every language."""
        given, sides = self.start.players, self.game.side_names
        white, black = (s if s == name else name for name, s in zip(given, sides, strict=True))
        return white, black


def look(facts: Facts) -> View:
    """The view of these facts."""
    game, state, reading = facts.game, facts.state, facts.hands.reading
    board = facts.board
    legal = facts.hands.legal
    played = reading.plays[0] if board is BoardState.PLAYED else None
    after = game.after(state.position, played) if played is not None else None
    accepted = game.checkers_at(state.position)
    rule, reason = _broken(facts) if board is BoardState.WRONG else (None, None)
    fill, clear = _to_put_right(facts)
    in_hand = board is BoardState.IN_HAND and state.phase is not Phase.SET_UP
    opening = len(facts.thrown) == 2 and state.phase is Phase.MOVING
    view = View(
        us=facts.now,
        phase=state.phase,
        to_act=state.to_act,
        game=game.name,
        position=game.write_position(state.position),
        roll=str(state.roll or "") or None,
        board=board,
        play=game.write_play(played) if played is not None else None,
        after=game.write_position(after) if after is not None else None,
        choices=_texts(game, reading.plays) if board is BoardState.CHOOSE else (),
        rule=rule,
        reason=reason,
        put_right=_put_right(facts),
        sensors_off=facts.hands.trust.off,
        score=state.standing.score,
        match_to=facts.start.match_to,
        cube=state.standing.cube,
        message="",
        hint="",
        title=game.title,
        side_names=game.side_names,
        players=facts.players,
        standing=_standing(facts, after),
        accepted=accepted,
        moves=_moves(facts, played),
        fine=_fine(facts),
        choice_moves=_choice_moves(facts),
        lifted=reading.lifted if in_hand else (),
        targets=reading.targets if in_hand else _places(facts),
        fill=fill,
        clear=clear,
        legal=legal.texts,
        still=_texts(game, reading.plays) if in_hand else (),
        moves_exist=legal.most_moves > 0,
        guiding=facts.guiding,
        earlier=_earlier(facts),
        note=facts.note,
        offers=_offers(facts),
        resign_points=game.resign_points(state.position, state.to_act),
        dice=facts.turns.dice(state),
        awaiting_roll=facts.awaiting_roll,
        thrown=facts.thrown if opening or state.phase is Phase.OPENING_THROW else (),
        closed=facts.hands.closed,
        suspects=facts.hands.trust.suspects,
        game_number=state.standing.game_number,
        with_cube=facts.turns.agreement.cube,
        crawford=state.standing.crawford,
        last_result=tell_result(state.result, facts.players),
        result=state.result,
        doubted=facts.hands.trust.doubted,
        chattering=facts.hands.trust.chattering,
        healed=facts.hands.trust.healed,
        ask_back=_ask_back(facts),
        pips=_pips(game, state.position if after is None else after),
    )
    message, hint = speak(view)
    return replace(view, message=message, hint=hint)


def _ask_back(facts: Facts) -> tuple[Sensor, ...]:
    return () if facts.past or facts.state.phase in OVER else facts.hands.trust.asked


def _texts(game: AnyGame, plays: tuple[Any, ...]) -> tuple[str, ...]:
    return tuple(game.write_play(play) for play in plays)


def _pips(game: AnyGame, position: Any) -> tuple[int, int] | None:
    white, black = (game.pips(position, side) for side in (Side.WHITE, Side.BLACK))
    return None if white is None or black is None else (white, black)


def _broken(facts: Facts) -> tuple[str, str]:
    broken = facts.hands.reading.broken
    if broken:
        return broken.rule.identifier, broken.reason
    waits = BEFORE_ANSWER if facts.state.phase is Phase.DOUBLE_OFFERED else BEFORE_ROLL
    return ROLL_FIRST.identifier, waits(side=facts.side_name(facts.state.to_act))


def _put_right(facts: Facts) -> PutRight:
    if facts.state.phase is Phase.SET_UP or facts.board in ALARMS:
        return PutRight(*facts.hands.put_right())
    return PutRight()


def _to_put_right(facts: Facts) -> tuple[tuple[Spot, ...], tuple[Spot, ...]]:
    """The spots to fill and to clear; a spot whose checker was replaced is to be cleared too."""
    if facts.state.phase is not Phase.SET_UP and facts.board not in ALARMS:
        return (), ()
    checkers = facts.game.checkers_at(facts.state.position)
    fill, clear = facts.hands.spots_amiss(checkers)
    struck = tuple(move.target for move in facts.hands.reading.attempt if move.hit)
    return fill, clear + struck


def _standing(facts: Facts, after: Any) -> Mapping[Spot, tuple[Side, ...]]:
    """What is believed to stand on the board now."""
    game, position, reading = facts.game, facts.state.position, facts.hands.reading
    if after is not None:
        return game.checkers_at(after)
    accepted = game.checkers_at(position)
    if facts.state.phase not in IN_PLAY:
        return accepted
    if reading.attempt:
        try:
            return game.checkers_at(game.attempted(position, reading.attempt))
        except IllegalPlayError:
            pass
    if facts.board is BoardState.IN_HAND and (reading.done or reading.lifted):
        midway = game.checkers_at(game.attempted(position, reading.done))
        return {**midway, **{spot: midway[spot][:-1] for spot in reading.lifted}}
    standing = dict(accepted)
    standing |= {spot: accepted[spot][:-1] for spot in reading.opened}
    standing |= {spot: (*accepted.get(spot, ()), facts.state.to_act) for spot in reading.filled}
    return standing


def _moves(facts: Facts, played: Any) -> tuple[Move, ...]:
    if played is not None:
        return facts.game.moves(facts.state.position, played)
    reading = facts.hands.reading
    shown = {BoardState.WRONG: reading.attempt, BoardState.IN_HAND: reading.done}
    return shown.get(facts.board, ())


def _places(facts: Facts) -> tuple[Spot, ...]:
    """Where a piece comes in, when that is the turn and the board still waits for it."""
    if facts.board is not BoardState.RESTING:
        return ()
    moves = [move for result in facts.hands.legal.results for move in result.moves]
    placed = all(move.origin.startswith("off.") for move in moves)
    return tuple(move.target for move in moves) if placed else ()


def _fine(facts: Facts) -> str | None:
    reading = facts.hands.reading
    if facts.board is not BoardState.WRONG or reading.fine != len(reading.attempt) - 1:
        return None
    return facts.game.write_play(reading.attempt[: reading.fine]) if reading.fine else None


def _choice_moves(facts: Facts) -> tuple[tuple[Move, ...], ...]:
    if facts.board is not BoardState.CHOOSE:
        return ()
    position, plays = facts.state.position, facts.hands.reading.plays
    return tuple(facts.game.moves(position, play) for play in plays)


def _earlier(facts: Facts) -> str | None:
    if facts.undone is None:
        return None
    past = facts.past[facts.undone]
    side, play = facts.side_name(past.state.to_act), facts.game.write_play(past.play)
    return EARLIER(side=side, play=play)


def _offers(facts: Facts) -> frozenset[Intent]:
    """Which taps would change something."""
    state, board = facts.state, facts.board
    acts = {
        Intent.TAKE: Act.TAKE,
        Intent.PASS: Act.PASS,
        Intent.RESIGN: Act.RESIGN,
        Intent.NEXT_GAME: Act.NEXT_GAME,
    }
    offers = {intent for intent, act in acts.items() if knows(state.phase, act)}
    if knows(state.phase, Act.DOUBLE) and facts.turns.may_double(state, state.to_act):
        offers.add(Intent.DOUBLE)
    if knows(state.phase, Act.TAKE_BACK) and facts.take_back_to is not None:
        offers.add(Intent.TAKE_BACK)
    if knows(state.phase, Act.CORRECT):
        offers.add(Intent.BOARD_IS_RIGHT)
    if board in ALARMS:
        offers.add(Intent.SCREEN_IS_RIGHT)
    if board is BoardState.CHOOSE:
        offers.add(Intent.CHOOSE)
    offers |= {Intent.SENSOR_OFF, Intent.SENSOR_ON}
    return frozenset(offers)
