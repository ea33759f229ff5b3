"""What is answered when a player asks; it never changes the match."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum

from pi_app.base.microseconds import Us
from pi_app.base.values import dataclass
from pi_app.match.turns import Phase
from pi_app.referee.speech import say_where
from pi_app.referee.view import SECOND, View
from pi_app.rules.terms import Side, Spot, SpotKind
from pi_app.sensing.reading import ALARMS
from pi_app.speech.telling import (
    ACCEPT_OR_REFUSE,
    CRAWFORD,
    PRESS_FOR_NEXT,
    TAKE_OR_PASS,
    Manner,
    SpokenView,
)
from pi_app.speech.utterance import Subject, Utterance
from pi_app.words.sentences import COMMAS, Listing, Sentence, paragraph


class Query(Enum):
    """What players can ask."""

    AGAIN = "again"
    LAST_PLAY = "last play"
    DICE = "dice"
    TURN = "turn"
    SCORE = "score"
    PIPS = "pips"
    CLOCK = "clock"
    BOARD = "board"
    SILENCE = "silence"
    """Be quiet."""


IN_LOCKED_MATCHES = frozenset({Query.AGAIN, Query.LAST_PLAY, Query.TURN, Query.SCORE, Query.CLOCK})
"""What is answered in a match with a locked coach; the rest would be help."""


def answer(question: Query | int, view: View | None, us: Us, manner: Manner) -> Utterance:
    """Answer a question in any phase, or say what stands on the point of this number."""
    if view is None:
        return Utterance(NO_MATCH(), Subject.ANSWER)
    if view.terms.locked and question not in IN_LOCKED_MATCHES:
        return Utterance(LOCKED(), Subject.ANSWER)
    asked = Answering(view, us, manner)
    text = asked.point(question) if isinstance(question, int) else asked.answer(question)
    return Utterance(text, Subject.ANSWER)


@dataclass(frozen=True, slots=True)
class Answering:
    """A view that a player asks about, at a moment of the match."""

    view: View
    us: Us
    manner: Manner

    def answer(self, question: Query) -> str:
        answers: Mapping[Query, Callable[[], str]] = {
            Query.LAST_PLAY: self._last_play,
            Query.DICE: self._dice,
            Query.TURN: self.whose_turn,
            Query.SCORE: self._score,
            Query.PIPS: self._pips,
            Query.CLOCK: self._clock,
            Query.BOARD: self._board,
        }
        return answers[question]() if question in answers else NOTHING_SAID()

    def point(self, number: int) -> str:
        """What stands on the point with this number at the board's edge."""
        counting = self.view.counting
        spot = Spot(SpotKind.POINT, counting.order(number) if counting else number)
        return self._words.point(spot) if spot in self.view.standing else NO_POINT(number=number)

    def whose_turn(self) -> str:
        """Whose turn it is, and what a press does."""
        view = self.view
        if view.board in ALARMS and view.phase is not Phase.SET_UP:
            return self._words.warning()
        text = _WHAT_NEXT[view.phase]
        said = text(player=self._words.actor) if text.places else text()
        step = self._words.step() if view.phase is Phase.SET_UP else ""
        return paragraph(said, step)

    @property
    def _words(self) -> SpokenView:
        return SpokenView(self.view, self.manner)

    def _last_play(self) -> str:
        last = self.view.last_play
        if last is None:
            return NO_PLAY()
        return LAST(player=self._words.who(last.side), play=last.play or FORFEITED())

    def _dice(self) -> str:
        left = tuple(map(str, self.view.dice_left))
        return DICE_LEFT(dice=Listing(left, COMMAS)) if left else NO_DICE()

    def _score(self) -> str:
        crawford = CRAWFORD() if self.view.crawford else ""
        return paragraph(self._words.score(), self._cube(), crawford)

    def _cube(self) -> str:
        cube = self.view.cube
        if not self.view.with_cube:
            return ""
        if cube.owner is None:
            return CENTRED(value=cube.value)
        return OWNED(player=self._words.who(cube.owner), value=cube.value)

    def _pips(self) -> str:
        if self.view.pips is None:
            return NO_PIPS()
        white, black = (
            COUNTED(player=self._words.who(side), n=pips)
            for side, pips in zip(Side, self.view.pips, strict=True)
        )
        return paragraph(PIPS(white=white, black=black), *map(self._first_checker, Side))

    def _first_checker(self, side: Side) -> str:
        lacks = self.view.first_lacks[side is Side.BLACK]
        return FIRST_CHECKER(player=self._words.who(side), n=lacks) if lacks else ""

    def _clock(self) -> str:
        clock = self.view.clock
        if clock is None:
            return NO_CLOCK()
        white, black = (
            LEFT(player=self._words.who(side), time=_time(clock[side].left_at(self.us)))
            for side in Side
        )
        return BOTH_CLOCKS(white=white, black=black)

    def _board(self) -> str:
        """For each side its points from the far end to the near one, then bar, home and off."""
        mover = self.view.to_act
        return paragraph(self._side(mover), self._side(mover.other))

    def _side(self, side: Side) -> str:
        view, who = self.view, self._words.who(side)
        own = [spot for spot, stack in view.standing.items() if stack and stack[-1] is side]
        order = view.counting.order if view.counting else int
        points = sorted(
            (spot for spot in own if spot.number),
            key=lambda spot: (order(spot.number), spot.file),
            reverse=True,
        )
        others = (s for s in own if not s.number and s.kind is not SpotKind.BOX)
        counted = tuple(
            STANDS(where=say_where(view, spot), count=len(view.standing[spot]))
            for spot in (*points, *others)
        )
        if not counted:
            return HAS_NOTHING(player=who)
        return HAS(player=who, places=Listing(counted, COMMAS))


def _time(left: Us) -> str:
    minutes, seconds = divmod(-(-left // SECOND), 60)
    if not minutes:
        return SECONDS(n=seconds)
    if not seconds:
        return MINUTES(n=minutes)
    return MINUTES_AND(minutes=MINUTES(n=minutes), seconds=SECONDS(n=seconds))


_WHAT_NEXT: Mapping[Phase, Sentence] = {
    Phase.SET_UP: Sentence("Set up the board."),
    Phase.OPENING_THROW: Sentence("{player}: press for the opening roll."),
    Phase.TO_ROLL: Sentence("{player} to roll. Press to roll."),
    Phase.DOUBLE_OFFERED: TAKE_OR_PASS,
    Phase.RESIGNATION_OFFERED: ACCEPT_OR_REFUSE,
    Phase.MOVING: Sentence("{player} to move. Press to confirm."),
    Phase.GAME_OVER: PRESS_FOR_NEXT,
    Phase.MATCH_OVER: Sentence("The match is over."),
}

NO_MATCH, NOTHING_SAID = Sentence("No match."), Sentence("Nothing was said.")
LOCKED = Sentence("Not in this match.")
NO_PLAY, LAST = Sentence("No play yet."), Sentence("{player}: {play}.")
FORFEITED = Sentence("no move")
NO_DICE, DICE_LEFT = Sentence("No dice."), Sentence("Left: {dice}.")
CENTRED = Sentence("Cube at {value}, centred.")
OWNED = Sentence("{player}: cube at {value}.")
NO_PIPS, PIPS = Sentence("No pips in this game."), Sentence("{white}, {black}.")
COUNTED = Sentence("{player} 1 pip", "{player} {n} pips")
FIRST_CHECKER = Sentence(
    "{player}: first checker, 1 pip to go.", "{player}: first checker, {n} pips to go."
)
NO_CLOCK, BOTH_CLOCKS = Sentence("No clock."), Sentence("{white}, {black}.")
LEFT = Sentence("{player}: {time}")
MINUTES = Sentence("1 minute", "{n} minutes")
SECONDS = Sentence("1 second", "{n} seconds")
MINUTES_AND = Sentence("{minutes} {seconds}")
NO_POINT = Sentence("There is no point {number}.")
STANDS = Sentence("{count} {where}")
HAS, HAS_NOTHING = Sentence("{player}: {places}."), Sentence("{player}: nothing.")
