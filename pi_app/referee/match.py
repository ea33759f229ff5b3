"""A match under way on a board: where it stands, what the board shows, and every act done to both.

An act goes through the table of phases, is kept as a decision and, where it moves checkers, tells
the senses what to expect next.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from pi_app.match.terms import PlayPolicy
from pi_app.match.turns import ANSWERS, IN_PLAY, OVER, Act, Phase, State, Turns, knows
from pi_app.microseconds import Us
from pi_app.referee.decision import KEPT_AS, OF_ONE_SIDE, Decision, What, stated
from pi_app.referee.effects import AskRoll, Cue, Effect, Keep, Propose, Sound
from pi_app.referee.events import Rolled, RollSource, Start, far_seat
from pi_app.referee.history import Accepted, Course, Pasts, Throw
from pi_app.referee.options import Options
from pi_app.referee.speech import INTERRUPTED, OVERTIME, RESTORED, TAKEN_BACK
from pi_app.referee.timing import MatchTime
from pi_app.rules.contract import AnyGame
from pi_app.rules.naming import name_players
from pi_app.rules.terms import Roll, Side, Spot
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.sensing.senses import Senses

ASKED = (BoardState.CHOOSE, *ALARMS)
"""A play that counts while the board shows this was pressed for again, against the question."""


class LiveMatch:
    """All that a view is made of, and `effects`, which wait to be handed out.

    Whoever holds it tells `now`, which never goes back.  `machine` is the side that the machine
    has; while it is `choosing` nothing may move; `held`: it has thought of doubling and does not;
    `silent`: it does not answer.  `far`: that side is played on another board.  `time` are the
    clocks, `terms` what was agreed on besides; `unclear`: what lies on the board was handed over,
    and the sensors cannot tell what it is; `stirred` are the spots that hands have touched in this
    turn, all of them where nobody knows.
    """

    def __init__(
        self,
        board: Board,
        start: Start,
        game: AnyGame,
        turns: Turns,
        options: Options,
        course: Course,
    ) -> None:
        self.start, self.game, self.turns = start, game, turns
        # An unnamed player is called by his side, in every language.
        self.players = name_players(start.players, game.side_names)
        self.accepted = Accepted(turns, course, self.players)
        self.hands = Senses(board, game, options.patience, self.state.position)
        self.past = Pasts()
        self._follow_past()
        self.awaiting_roll = self.guiding = False
        self.note: str | None = None
        self.unhit = False
        self.now = self.asked_at = max(start.us, course.us)
        self.time = MatchTime(options.control, self.now, course.clocks)
        self.terms = options.terms
        self.unclear = False
        self._spot_of = board.spot_of
        self.stirred = set(self._spot_of.values()) if course.us else set[Spot]()
        self.answered: Any = None
        self.counted_at: Us | None = None
        self.gone_back_at: Us | None = None
        self.began_at: Us | None = None
        self.ended_at: Us | None = None
        self.warned = 0
        self.effects: list[Effect] = []
        self.seat = options.machine
        self.machine = self.seat.side if self.seat else None
        self.far = far_seat(self.seat) is not None
        self.silent = self.held = False
        self.choosing = self._is_choosing()
        shown = (self.state.position, *self._offer) if self.state.phase in IN_PLAY else None
        self.hands.resume(self.now, course.off, shown)
        self._is_set_up = self._fits()

    # What stands there

    @property
    def course(self) -> Course:
        """The game under way."""
        return self.accepted.course

    @property
    def state(self) -> State:
        """The match's state."""
        return self.accepted.course.state

    @property
    def thrown(self) -> Throw:
        """The opening throw on show."""
        return self.course.thrown

    @property
    def board(self) -> BoardState:
        """The board's state; not judged before and after a game."""
        if self.state.phase is Phase.SET_UP:
            return BoardState.RESTING if self._is_set_up else BoardState.IN_HAND
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
        undone = self.undone
        return self.accepted.last_moved if undone is None else undone

    def player(self, side: Side) -> str:
        """Who plays this side."""
        return self.players[side is Side.BLACK]

    @property
    def discreet(self) -> bool:
        """With responsible moves the view hides what is legal."""
        return self.terms.policy is PlayPolicy.RESPONSIBLE and self.state.phase is Phase.MOVING

    @property
    def confidence(self) -> float | None:
        """The probability that the play on the board was made; None if a player confirmed it."""
        if self.board is not BoardState.PLAYED or self.answered is not None:
            return None
        sure = self.hands.reading.confidence
        return None if sure is None else stated(sure)

    def knows(self, act: Act) -> bool:
        """Whether the phase knows the act."""
        return knows(self.state.phase, act)

    def may_double(self, state: State | None = None) -> bool:
        """Whether the side to act now, or in this state, may double if the phase knows it.

        Who has seen the dice of his turn may not: it was rolled before a takeback, or mistyped.
        """
        course = replace(self.course, state=state or self.state)
        return self.turns.may_double(course.state, course.state.to_act) and not course.too_late

    # The machine

    @property
    def only_its_own(self) -> bool:
        """Whether the engine must answer or consider doubling, which no one does for it."""
        if self.state.to_act is not self.machine or self.silent:
            return False
        if self.far:
            return self.state.phase in (*ANSWERS, Phase.TO_ROLL, Phase.OPENING_THROW)
        thinks_of_cube = self.state.phase is Phase.TO_ROLL and not self.held
        return self.state.phase in ANSWERS or (thinks_of_cube and self.may_double())

    def choose_for_machine(self, play: Any) -> None:
        """The machine plays this: from now on nothing else is legal in its turn."""
        written, by = self.game.write_play(play), self.state.to_act
        self._keep(What.CHOSEN, self.state, play, play=written, by=by)
        self.hands.offer_roll(*self._offer)
        self.judge()

    def do_without_machine(self) -> None:
        """The engine does not answer: until the next decision the hands play for it."""
        self.silent, self.choosing = True, False
        if self.state.phase is Phase.MOVING:
            self.hands.offer_roll(*self._offer)
            self.judge()

    def _is_choosing(self) -> bool:
        """Whether the engine is to move and has not chosen yet."""
        state = self.state
        its_turn = state.phase is Phase.MOVING and state.to_act is self.machine
        if not its_turn or self.course.chosen is not None or state.roll is None:
            return False
        plays = self.game.plays(state.position, state.roll)
        return self.far or any(self.game.moves(state.position, play) for play in plays)

    @property
    def _offer(self) -> tuple[Roll | None, Any]:
        """The roll to be played, and the one play that may be played with it, if it is one."""
        return None if self.choosing else self.state.roll, self.course.chosen

    # Looking at the board

    def judge(self, hurry: bool = False) -> None:
        """Read the board anew; sounds and the end of the set-up follow from it."""
        if self.state.phase is Phase.SET_UP:
            self._is_set_up = self._fits()
            if self._is_set_up:
                self._begin()
        if self.state.phase not in IN_PLAY:
            return  # what hands do before and after a game is no play
        before = self.hands.reading.state
        after = self.hands.judge(self.now, hurry).state
        self._count_warning(before)
        if after is BoardState.RESTING:
            self.guiding = False
        if after is not before:
            self.unclear = False
        if after is not BoardState.PLAYED or self.hands.reading.plays != (self.answered,):
            self.answered = None
        if after is not before:
            if after is BoardState.PLAYED and not self.discreet:
                self.sound(Cue.LEGAL)
            elif after is BoardState.DISTURBED or (after in ALARMS and not self.discreet):
                self.sound(Cue.WRONG)

    def _fits(self) -> bool:
        """Whether all sensors agree with the accepted position."""
        return not self.hands.misfits(self.state.position)

    def _begin(self) -> None:
        """The game begins from what has been set up, however hands have done that."""
        self.hands.compare(self.state.position)
        self.act(Act.BOARD_SET)
        self.hands.await_position(self.state.position, *self._offer)

    def rests(self) -> bool:
        """Whether the board shows the accepted position; if not, a warning is given."""
        self.judge(hurry=True)
        if self.hands.reading.state is BoardState.RESTING:
            return True
        self.warn()
        return False

    def warn(self) -> bool:
        """The player insists; whether there is something to be said or asked about the board."""
        before = self.hands.reading.state
        amiss = self.hands.insist(self.now).state is not BoardState.RESTING
        self._count_warning(before)
        self.asked_at = self.now
        if amiss and not self.discreet:
            self.sound(Cue.WRONG)
        return amiss

    def stir(self, sensors: Iterable[Sensor]) -> None:
        """These sensors have changed, however shortly."""
        self.stirred.update(self._spot_of[sensor] for sensor in sensors)

    def _count_warning(self, before: BoardState) -> None:
        """Count a warning if this turn has just become illegal."""
        reading = self.hands.reading
        human = self.state.to_act is not self.machine
        said = human and not self.discreet
        told = self.state.phase is Phase.MOVING and reading.broken and said
        if told and before is not BoardState.WRONG:
            self.warned += 1

    # Acts

    def act(self, act: Act, argument: Any = None, **told: Any) -> None:
        """Do an act that the phase knows, and keep it; `told` is what only its decision has."""
        before, by = self.state, self.state.to_act
        after = self.turns.act(self.state, act, argument)
        self.note = self.answered = self.counted_at = None
        self.awaiting_roll = self.silent = self.held = False
        what = KEPT_AS[act]
        told["by"] = by if what in OF_ONE_SIDE else None
        self.unclear = False
        self.stirred.clear()
        self._keep(what, after, argument if act is Act.PLAY else None, **told)
        if before.phase is Phase.SET_UP:
            self.began_at = self.now
        if self.state.result and self.state.phase in OVER:
            self.ended_at = self.now
            loud = self.state.result.name == self.game.fanfare
            self.sound(Cue.FANFARE if loud else Cue.WON)
        if self.course.doubles_again and self.turns.may_double(self.state, self.state.to_act):
            self.act(Act.DOUBLE, again=True)
            self.act(Act.TAKE, again=True)

    def keep(self, what: What, **told: Any) -> None:
        """Something was decided that is no act of the match; `told` as in `act`."""
        self._keep(what, self.state, None, **told)

    def _keep(self, what: What, after: State, made: Any, **told: Any) -> None:
        written = replace(after, position=self.game.write_position(after.position))
        told_of = self.terms.policy is PlayPolicy.LEGAL
        if self.warned or (what is What.PLAY and told_of):
            told["warned"] = self.warned
        self.warned = 0
        self.time.follow(what, after, again=told.get("again", False))
        off, clocks = self.hands.trust.off, self.time.clocks
        decision = Decision(self.now, what, written, off=off, clocks=clocks, **told)
        course = self.course.after(decision, after, made)
        self.accepted = replace(self.accepted, course=course)
        self.choosing = self._is_choosing()
        self.effects.append(Keep(decision))

    def flag(self) -> None:
        """The flag of the side to act has fallen: its overtime begins, or the match is lost."""
        if self.time.expire():
            after, by = self.turns.act(self.state, Act.OVERTIME), self.state.to_act
            self._keep(What.OVERTIME, after, None, by=by)
            self.note = OVERTIME(side=self.player(by))
            self.sound(Cue.WRONG)
        else:
            self.act(Act.FLAG)

    def go_on(self) -> None:
        """A match with a clock goes on after it was left or cut off: that is noted, once."""
        if self.time.to_note:
            self.time.to_note = False
            self.keep(What.RESUMED)
            self.note = INTERRUPTED()

    def sound(self, cue: Cue) -> None:
        """Something is to be heard."""
        self.effects.append(Sound(cue))

    def ask_roll(self) -> None:
        """The side to act is to throw; what it has shown already comes again."""
        if self.course.changing:
            return  # its dice lie on the table, and no machine throws them
        if self.far and self.state.to_act is self.machine:
            return  # that is asked on its own board
        self.awaiting_roll = True
        by, dice, rolled = self.state.to_act, self.turns.dice(self.state), self.course.rolled
        source = RollSource.TYPED if rolled and rolled.typed else RollSource.DEVICE
        again = Rolled(self.now, rolled.roll, by, source) if rolled else None
        self.effects.append(AskRoll(by, dice, again))

    def throw(self, rolled: Rolled) -> None:
        """The dice have fallen: an opening throw, or the roll of the turn."""
        told = {"dice": rolled.dice, "typed": rolled.source is RollSource.TYPED}
        if self.knows(Act.THROW):
            self.act(Act.THROW, rolled.dice.dice[0], **told)
            self.hands.await_position(self.state.position, None)
        else:
            shown = self.course.rolled
            again = shown is not None and shown.roll == rolled.dice
            self.act(Act.ROLL, rolled.dice, **told, again=again)
        if self.state.phase is Phase.MOVING:
            self.hands.offer_roll(*self._offer)
        self.sound(Cue.ROLL)
        self.judge()

    def double(self) -> None:
        """The side to act doubles, if it may and the board is as it was accepted."""
        rolls = self.far and self.awaiting_roll
        if self.knows(Act.DOUBLE) and self.may_double() and not rolls and self.rests():
            self.act(Act.DOUBLE)
            self.sound(Cue.DOUBLE)

    def change_dice(self) -> None:
        """The dice on the table were typed wrongly: they are to be typed again."""
        self.act(Act.CHANGE_DICE, self.course.untyped, dice=self.state.roll)
        self.hands.await_position(self.state.position, None)
        self.judge()

    def resign(self, points: int) -> None:
        """The side to act offers to give the game up for so many points, before the stake."""
        self.act(Act.RESIGN, points)
        self.sound(Cue.DOUBLE)

    def refuse(self) -> None:
        """Refuse the resignation: the turn continues with the present board."""
        self.act(Act.REFUSE)
        self.judge()

    def accept(self, play: Any, *, condoned: bool = False) -> None:
        """The play becomes the accepted position, even `condoned` one that is not legal."""
        asked = not condoned and (self.answered is not None or self.board in ASKED)
        told = {"play": self.game.write_play(play), "confidence": self.confidence, "asked": asked}
        self.act(Act.PLAY, play, dice=self.state.roll, condoned=condoned, **told)
        self._follow_past()
        self.hands.expect(self.state.position, *self._offer)
        self.judge()

    def correct(self, position: Any, *, guide: bool = False) -> None:
        """Accept the board's position, or edit it first."""
        self.act(Act.CORRECT, position)
        if guide:
            self.hands.await_position(self.state.position, *self._offer, guide=True)
        else:
            self.hands.expect(self.state.position, *self._offer)
        self.judge()

    def propose(self, what: What, undone: int = 0, position: str | None = None) -> None:
        """Ask the other board's consent."""
        self.effects.append(Propose(what, undone, position))

    def take_back(self, kept: int) -> None:
        """Back before the play of this number in the game, and all after it."""
        self.gone_back_at = self.now
        plays = self.course.past[kept:]
        past, undone = plays[0], len(plays)
        play, dice = self.game.write_play(past.play), self.state.roll
        self.act(Act.TAKE_BACK, past.state, dice=dice, play=play, undone=undone)
        self.past.cut(kept)
        self.hands.await_position(self.state.position, *self._offer, guide=True)
        self.note = TAKEN_BACK(play=play)
        self.unhit = any(m.hit for p in plays for m in self.game.moves(p.state.position, p.play))
        self.judge()

    def restore(self) -> None:
        """The last takeback is undone: what it took away comes again exactly as it was."""
        if self.course.gone is None:
            return
        self.gone_back_at = self.now
        self.act(Act.RESTORE, self.course.gone.state)
        self._follow_past()
        self.hands.await_position(self.state.position, *self._offer, guide=True)
        self.note, self.unhit = RESTORED(), False
        self.judge()

    def _follow_past(self) -> None:
        for past in self.course.past[len(self.past) :]:
            self.past.add(past, self.hands.shown(past.state.position))

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
