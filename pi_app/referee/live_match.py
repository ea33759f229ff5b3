"""A match under way on a board: where it stands, what the board shows, and every act done to both.

An act goes through the table of phases, is kept as a decision and, where it moves checkers, tells
the senses what to expect next.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pi_app.match.phases import IN_PLAY, OVER, Act, Phase
from pi_app.match.turns import Turns, knows
from pi_app.microseconds import Us
from pi_app.referee.course import Course, Past, throw_after
from pi_app.referee.decision import KEPT_AS, OF_ONE_SIDE, Decision, What, stated
from pi_app.referee.effects import AskRoll, Cue, Effect, Keep, Sound
from pi_app.referee.events import Rolled, RollSource, Start
from pi_app.referee.past import Pasts
from pi_app.referee.wording import TAKEN_BACK
from pi_app.rules.contract import AnyGame
from pi_app.rules.naming import name_players
from pi_app.rules.terms import Side
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.patience import Patience
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.sensing.senses import Senses

ASKED = (BoardState.CHOOSE, *ALARMS)
"""A play that counts while the board shows this was pressed for again, against the question."""


class LiveMatch:
    """All that a view is made of, and `effects`, which wait to be handed out.

    Whoever holds it tells `now`, which never goes back.
    """

    def __init__(
        self,
        board: Board,
        start: Start,
        game: AnyGame,
        turns: Turns,
        times: Patience,
        course: Course,
    ) -> None:
        self.start, self.game, self.turns = start, game, turns
        self.state = course.state
        self.hands: Senses[Any, Any] = Senses(board, game, times, self.state.position)
        self.past = Pasts()
        for past in course.past:
            self.past.add(past, self.hands.shown(past.state.position))
        self.thrown = course.thrown
        self.awaiting_roll = self.guiding = False
        self.note: str | None = None
        self.unhit = False
        self.now = self.asked_at = max(start.us, course.us)
        self.answered: Any = None
        self.counted_at: Us | None = None
        self.taken_back_at: Us | None = None
        self.began_at: Us | None = None
        self.ended_at: Us | None = None
        self.effects: list[Effect] = []
        shown = (self.state.position, self.state.roll) if self.state.phase in IN_PLAY else None
        self.hands.resume(self.now, course.off, shown)

    # What stands there

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
        return name_players(self.start.players, self.game.side_names)

    @property
    def confidence(self) -> float | None:
        """How likely the play on the board is the one that was made; None if a player said so."""
        if self.board is not BoardState.PLAYED or self.answered is not None:
            return None
        sure = self.hands.reading.confidence
        return None if sure is None else stated(sure)

    def knows(self, act: Act) -> bool:
        """Whether the phase knows the act."""
        return knows(self.state.phase, act)

    def may_double(self) -> bool:
        """Whether the side to act may double if the phase knows it."""
        return self.turns.may_double(self.state, self.state.to_act)

    # Looking at the board

    def judge(self, hurry: bool = False) -> None:
        """Read the board anew; sounds and the end of the set-up follow from it."""
        before = self.hands.reading.state
        after = self.hands.judge(self.now, hurry).state
        if after is BoardState.RESTING:
            self.guiding = False
        if after is not BoardState.PLAYED or self.hands.reading.plays != (self.answered,):
            self.answered = None
        if self.state.phase is Phase.SET_UP and not self.hands.misfits(self.state.position):
            self.hands.compare(self.state.position)
            self.act(Act.BOARD_SET)
            self.hands.offer_roll(self.state.roll)
        elif self.state.phase in IN_PLAY and after is not before:
            if after is BoardState.PLAYED:
                self.sound(Cue.LEGAL)
            elif after in ALARMS:
                self.sound(Cue.WRONG)

    def rests(self) -> bool:
        """Whether the accepted position stands there; if not, a warning is given."""
        self.judge(hurry=True)
        if self.hands.reading.state is BoardState.RESTING:
            return True
        self.warn()
        return False

    def warn(self) -> bool:
        """The player insists; whether there is something to be said or asked about the board."""
        amiss = self.hands.insist(self.now).state is not BoardState.RESTING
        self.asked_at = self.now
        if amiss:
            self.sound(Cue.WRONG)
        return amiss

    # Acts

    def act(self, act: Act, argument: Any = None, **told: Any) -> None:
        """Do an act that the phase knows, and keep it; `told` is what only its decision has."""
        before, self.state = self.state, self.turns.act(self.state, act, argument)
        by = before.to_act
        self.note = self.answered = self.counted_at = None
        self.awaiting_roll = False
        what = KEPT_AS[act]
        self.keep(what, by=by if what in OF_ONE_SIDE else None, **told)
        if before.phase is Phase.SET_UP:
            self.began_at = self.now
        if self.state.result and self.state.phase in OVER:
            self.ended_at = self.now
            loud = self.state.result.name == self.game.fanfare
            self.sound(Cue.FANFARE if loud else Cue.WON)

    def keep(self, what: What, **told: Any) -> None:
        """Something was decided; `told` are the fields that only this kind of decision has."""
        state = replace(self.state, position=self.game.write_position(self.state.position))
        decision = Decision(self.now, what, state, off=self.hands.trust.off, **told)
        self.thrown = throw_after(self.thrown, decision)
        self.effects.append(Keep(decision))

    def sound(self, cue: Cue) -> None:
        """Something is to be heard."""
        self.effects.append(Sound(cue))

    def ask_roll(self) -> None:
        """The side to act is to throw."""
        self.awaiting_roll = True
        self.effects.append(AskRoll(self.state.to_act, self.turns.dice(self.state)))

    def throw(self, rolled: Rolled) -> None:
        """The dice have fallen: an opening throw, or the roll of the turn."""
        told = {"dice": rolled.dice, "typed": rolled.source is RollSource.TYPED}
        if self.knows(Act.THROW):
            self.act(Act.THROW, rolled.dice.dice[0], **told)
            self.hands.await_position(self.state.position, None)
        else:
            self.act(Act.ROLL, rolled.dice, **told)
        if self.state.phase is Phase.MOVING:
            self.hands.offer_roll(self.state.roll)
        self.sound(Cue.ROLL)
        self.judge()

    def double(self) -> None:
        """The side to act doubles, if it may and the board is as it was accepted."""
        if self.knows(Act.DOUBLE) and self.may_double() and self.rests():
            self.act(Act.DOUBLE)
            self.sound(Cue.DOUBLE)

    def accept(self, play: Any) -> None:
        """The play becomes the accepted position."""
        self.past.add(Past(self.state, play), self.hands.shown(self.state.position))
        asked = self.answered is not None or self.board in ASKED
        told = {"play": self.game.write_play(play), "confidence": self.confidence, "asked": asked}
        self.act(Act.PLAY, play, dice=self.state.roll, **told)
        self.hands.expect(self.state.position, self.state.roll)
        self.judge()

    def correct(self, position: Any) -> None:
        """What stands on the board becomes the accepted position."""
        self.act(Act.CORRECT, position)
        self.hands.expect(self.state.position, self.state.roll)
        self.judge()

    def take_back(self, kept: int) -> None:
        """Back before the play of this number in the game, and all after it."""
        self.taken_back_at = self.now
        past, undone = self.past[kept], len(self.past) - kept
        plays = [self.past[index] for index in range(kept, len(self.past))]
        self.past.cut(kept)
        play, dice = self.game.write_play(past.play), self.state.roll
        self.act(Act.TAKE_BACK, past.state, dice=dice, play=play, undone=undone)
        self.hands.await_position(past.state.position, past.state.roll, guide=True)
        self.note = TAKEN_BACK(play=play)
        self.unhit = any(m.hit for p in plays for m in self.game.moves(p.state.position, p.play))
        self.judge()

    def next_game(self) -> None:
        """The next game is to be set up; what sensors are aside is asked about again."""
        self.past = Pasts()
        self.hands.trust.ask()
        self.act(Act.NEXT_GAME)
        self.hands.await_position(self.state.position, None)
        self.judge()

    def choose(self, play: Any) -> None:
        """The player has said which of the plays asked about he made."""
        self.hands.choose(play)
        self.answered = play
        self.judge()

    def guide(self) -> None:
        """The players are led back to the accepted position."""
        self.guiding = True
        self.hands.guide()
        self.judge()

    def set_aside(self, sensor: Sensor) -> None:
        """The sensor is believed no longer."""
        self.hands.set_aside(sensor)
        self.keep(What.SENSOR_OFF, sensor=sensor)
        self.judge()

    def bring_back(self, sensor: Sensor) -> None:
        """The sensor is believed again."""
        self.hands.bring_back(sensor)
        self.keep(What.SENSOR_ON, sensor=sensor)
        self.judge()
