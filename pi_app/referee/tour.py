"""The tour: a short match in which Spotter says what to do next.

Whatever players do instead is answered as in any match, and the tour continues from there: any
legal play is fine, and so is an early warning.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain, product
from operator import itemgetter
from typing import Any, TypeAlias

from pi_app.base.values import dataclass
from pi_app.match.turns import ANSWERS, OVER, Phase, first_roll
from pi_app.referee.speech import HIGHER, play_in_words, say_spot
from pi_app.referee.view import TourStep, View
from pi_app.rules.contract import AnyGame, Opening
from pi_app.rules.terms import (
    Die,
    IllegalPlayError,
    Move,
    Roll,
    Side,
    SpotKind,
    read_roll,
    rolls_of,
)
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.reading import BoardState
from pi_app.words.sentences import Sentence, paragraph

_Effort: TypeAlias = tuple[bool, int, int]
"""How hard a play is to show: whether sensors leave it in doubt, its moves, and how far the number
of changed sensors is from the usual."""
_NONE: _Effort = True, 99, 99
"""The effort of a roll that cannot be played."""
EASY = 2
"""How many sensors one checker changes on its way between two places."""
FACES = tuple(map(Die, range(1, 7)))

SET_UP = Sentence("Set up the board")
PRESS = Sentence("Press the die button")
ROLLS_FOR = Sentence("It rolls for {player}.")
MAKE_IT = Sentence("Make this play on the board: the arrow shows it.")
LEGAL = Sentence("This is legal. Press the die button, or tap Done.")
TOO_GOOD = Sentence("This is legal too. Put it back for an illegal move, or press.")
NOW_WRONG = Sentence("Now make an illegal move")
FROM_TO = Sentence("Move the checker from {origin} to {target}, and wait.")
ONTO = Sentence("Move a checker to {target}, and wait.")
KNOWN = Sentence("You know how Spotter works")
BUTTONS = Sentence("Undo returns to an earlier turn. Menu has rules and settings.")
HOLD = Sentence("Before a roll, hold the die button to double.")


@dataclass(frozen=True, slots=True)
class Tour:
    """How far the tour is. The views tell everything else, except whether a warning was seen.

    `asked` are the moves that it asks for in this `turn`; `text` is their play as text.
    """

    board: Board
    game: AnyGame
    warned: bool = False
    turn: tuple[object, ...] = ()
    asked: tuple[Move, ...] = ()
    text: str = ""

    def follow(self, view: View) -> Tour:
        """The tour after this view of its match."""
        warned = self.warned or (view.phase is Phase.MOVING and view.board is BoardState.WRONG)
        turn = view.phase, view.position, view.roll, view.last_play is not None
        if turn == self.turn:
            return replace(self, warned=warned)
        asked, text = self._asked(view) if view.phase is Phase.MOVING else ((), "")
        return replace(self, warned=warned, turn=turn, asked=asked, text=text)

    def lead(self, view: View) -> View:
        """Return the view with the tour's words and arrows, if it has any."""
        step = self._step(view)
        if step in (TourStep.PLAY, TourStep.WRONG):
            view = replace(view, to_make=self.asked, chosen=self.text or None)
        message, hint = _words(step, view)
        return replace(view, tour=step, message=message, hint=hint)

    def throw(self, view: View) -> Roll:
        """Return dice with which the turn is easy to show."""
        shows = self._demonstration(view)
        if view.phase is Phase.OPENING_THROW:
            white, black = shows.opening(view.opening)
            return Roll.of(white if view.to_act is Side.WHITE else black)
        return shows.easiest(illegal=view.last_play is not None)

    def _step(self, view: View) -> TourStep:
        done = self.warned and view.last_play is not None
        if view.phase is Phase.SET_UP:
            return TourStep.SET_UP
        busy = view.awaiting_roll or view.phase in ANSWERS
        quiet = view.board is BoardState.RESTING and not busy
        # Where every move is legal no warning can be shown.
        shown = view.phase is Phase.MOVING and view.last_play is not None and not self.asked
        if view.phase in OVER or (quiet and (done or shown)):
            return TourStep.OVER
        if view.phase in (Phase.OPENING_THROW, Phase.TO_ROLL) and quiet:
            return TourStep.ROLL
        asks = view.phase is Phase.MOVING and view.moves_exist and self.asked
        return self._moving(view) if asks and not done else TourStep.HANDS

    def _moving(self, view: View) -> TourStep:
        """Say nothing while the hands may still be doing what was asked."""
        if view.board is BoardState.PLAYED and not view.ending:
            return TourStep.PLAYED
        asked = {spot for move in self.asked for spot in (move.origin, move.target)}
        elsewhere = not asked.issuperset((*view.lifted, *view.stray)) or view.part
        if elsewhere or view.board not in (BoardState.RESTING, BoardState.IN_HAND):
            return TourStep.HANDS
        return TourStep.WRONG if view.last_play else TourStep.PLAY

    def _asked(self, view: View) -> tuple[tuple[Move, ...], str]:
        shows, roll = self._demonstration(view), read_roll(view.roll or "", self.game.dice)
        if view.last_play:
            wrong = next(shows.illegal(roll), None)
            return (wrong,) if wrong else (), ""
        play = min(shows.plays(roll), key=itemgetter(0), default=None)
        if play is None:
            return (), ""
        text = self.game.write_play(shows.position, play[1])
        return self.game.moves(shows.position, play[1]), text

    def _demonstration(self, view: View) -> _Demonstration:
        off = frozenset(view.sensors_off)
        return _Demonstration(self.board, self.game, off, self.game.read_position(view.position))


@dataclass(frozen=True, slots=True)
class _Demonstration:
    """What is easy to show at a position, for hands and for sensors; those that are `off` show
    nothing."""

    board: Board
    game: AnyGame
    off: frozenset[Sensor]
    position: Any

    def opening(self, opening: Opening) -> tuple[Die, Die]:
        """Return opening dice of White and Black with which White begins, with an easy roll if
        there is one."""
        pairs = [(white, black) for white in FACES for black in FACES if white > black]
        white = replace(self, position=self.game.with_mover(self.position, Side.WHITE))
        return min(pairs, key=lambda pair: white.effort(first_roll(opening, *pair)))

    def easiest(self, *, illegal: bool) -> Roll:
        """Return the easiest roll; with `illegal`, one with which some move is illegal.

        Equal dice make long plays.
        """
        rolls = [roll for roll in rolls_of(self.game.dice) if len({*roll.dice}) == len(roll.dice)]
        ordered = sorted(rolls, key=self.effort)
        fits = (roll for roll in ordered if not illegal or any(self.illegal(roll)))
        return next(fits, ordered[0])

    def effort(self, roll: Roll | None) -> _Effort:
        plays = self.plays(roll) if roll else ()
        return min((effort for effort, _ in plays), default=_NONE)

    def plays(self, roll: Roll) -> Iterator[tuple[_Effort, Any]]:
        """The legal plays that move something, each with its effort."""
        game, position, now = self.game, self.position, self._shown(self.position)
        plays = [play for play in game.plays(position, roll) if game.moves(position, play)]
        shown = [self._shown(game.after(position, play)) for play in plays]
        for play, after in zip(plays, shown, strict=True):
            doubtful = after == now or shown.count(after) > 1
            yield (doubtful, len(game.moves(position, play)), abs(len(after ^ now) - EASY)), play

    def illegal(self, roll: Roll) -> Iterator[Move]:
        """Yield illegal moves to empty spots on which no legal play puts a checker.

        Those that begin like a legal play come first.
        """
        game, position, stacks = self.game, self.position, self.game.checkers_at(self.position)
        plays, mover = game.plays(position, roll), game.mover(position)
        midways = (midway.position for midway in game.midways(position, roll))
        legal = {*chain.from_iterable(map(self._shown, (*game.results(position, roll), *midways)))}
        begun = (move.origin for play in plays for move in game.moves(position, play)[:1])
        own = (spot for spot, stack in stacks.items() if mover in stack[-1:])
        empty = [place.spot for place in self.board.places if not stacks.get(place.spot, (mover,))]
        for origin, target in product(dict.fromkeys((*begun, *own)), empty):
            move = Move(origin, target)
            with suppress(IllegalPlayError):
                after = self._shown(game.attempted(position, (move,)))
                seen = not after <= legal | self._shown(position)
                if seen and game.explain(position, roll, (move,)):
                    yield move

    def _shown(self, position: Any) -> frozenset[Sensor]:
        return self.board.closed_by(self.game.checkers_at(position)) - self.off


def _words(step: TourStep, view: View) -> tuple[str, str]:
    """The message and the hint."""
    match step:
        case TourStep.ROLL:
            first = view.phase is Phase.OPENING_THROW and not view.thrown
            higher = HIGHER[view.opening]() if first else ""
            return PRESS(), paragraph(ROLLS_FOR(player=view.player(view.to_act)), higher)
        case TourStep.PLAY:
            return play_in_words(view, view.player(view.to_act)), MAKE_IT()
        case TourStep.WRONG:
            return NOW_WRONG(), _illegal_move(view, view.to_make[0])
        case TourStep.OVER if view.phase not in OVER:
            return KNOWN(), paragraph(BUTTONS(), HOLD() if view.with_cube else "")
    message = SET_UP() if step is TourStep.SET_UP else view.message
    legal = TOO_GOOD() if view.last_play else LEGAL()
    return message, legal if step is TourStep.PLAYED else view.hint


def _illegal_move(view: View, move: Move) -> str:
    target = say_spot(view, move.target)
    if move.origin.kind is SpotKind.OFF:
        return ONTO(target=target)
    return FROM_TO(origin=say_spot(view, move.origin), target=target)
