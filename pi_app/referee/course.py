"""The game under way, told from its decisions: where a match is resumed, and what can be undone.

A roll that was shown belongs to its turn, as dice that lie on the table do.  A takeback goes back
to a turn with that turn's roll on the table.  The rolls of the turns after it wait, in their order,
and come again when a turn of that side comes: taking plays back gives nobody other dice, however
many they were and whatever is played instead.  A double that was taken before
such a roll comes again with it: nobody who knows the dice decides about the cube.  A new game
forgets what waits.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from pi_app.match.clock import Clocks
from pi_app.match.score import next_game
from pi_app.match.turns import OVER, MatchState, Phase, State, Turns
from pi_app.microseconds import Us
from pi_app.referee.decision import Decision, DecisionError, What
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Die, Roll, RulesError, Side
from pi_app.sensing.description import Sensor

Throw: TypeAlias = tuple[tuple[Side, Die], ...]
"""Who threw what, one die a player."""


@dataclass(frozen=True, slots=True)
class Past:
    """A state of this game and the play that was accepted from it; `untyped` as in Course."""

    state: State
    play: Any
    untyped: State | None = None


@dataclass(frozen=True, slots=True)
class ShownRoll:
    """A roll that was shown: whose, after how many plays, typed or not, after a double or not."""

    by: Side
    roll: Roll
    plays: int
    typed: bool
    doubled: bool


@dataclass(frozen=True, slots=True)
class Course:
    """Where a match stands, and what is to be known of the game besides.

    `past` are the plays that can be taken back, `thrown` is the opening throw on show.  `untyped`
    is the state before the dice on the table, if players typed them all; `changing`: such dice are
    to be typed again.  `doubled`: a double was taken in this turn.  `shown` are the rolls of the
    game, `waiting` those of turns that were taken back, the next one first.  `gone` is the course
    before the last takeback, until the next play.  `chosen` is the machine's play in this
    turn.  `clocks` are what both sides had left after the latest decision.
    """

    state: State
    past: tuple[Past, ...] = ()
    thrown: Throw = ()
    off: tuple[Sensor, ...] = ()
    us: Us = Us(0)
    untyped: State | None = None
    changing: bool = False
    doubled: bool = False
    shown: tuple[ShownRoll, ...] = ()
    waiting: tuple[ShownRoll, ...] = ()
    gone: Course | None = None
    chosen: Any = None
    clocks: Clocks | None = None

    @property
    def rolled(self) -> ShownRoll | None:
        """The roll that the side to roll has shown already, before a takeback."""
        if self.state.phase is not Phase.TO_ROLL or self.changing or not self.waiting:
            return None
        first = self.waiting[0]
        return first if first.by is self.state.to_act else None

    @property
    def too_late(self) -> bool:
        """The side to roll knows its dice already: it may not double any more."""
        return self.changing or self.rolled is not None

    @property
    def doubles_again(self) -> bool:
        """The side to roll doubled before it saw the roll that comes again, and has not since."""
        return self.rolled is not None and self.rolled.doubled and not self.doubled

    def after(self, decision: Decision, state: State, play: Any = None) -> Course:
        """The course after a decision that led to this state; `play` is the one it is about."""
        if decision.what is What.RESTORED and self.gone:
            return replace(self.gone, off=decision.off, us=decision.us, clocks=decision.clocks)
        if decision.what is What.NEXT_GAME:
            return Course(state, off=decision.off, us=decision.us, clocks=decision.clocks)
        thrown = throw_after(self.thrown, decision)
        chosen = play if decision.what is What.CHOSEN else None
        course = replace(
            self,
            state=state,
            thrown=thrown,
            off=decision.off,
            us=decision.us,
            chosen=self.chosen if decision.what in _BESIDE else chosen,
            clocks=decision.clocks,
        )
        match decision.what:
            case What.OPENING_THROW:
                first = self.untyped if self.state.thrown else self.state
                course = replace(course, untyped=first if decision.typed else None, changing=False)
            case What.ROLL if decision.dice:
                course = course._with_roll(self, decision.dice, typed=decision.typed)
            case What.PLAY:
                made = () if play is None else (Past(self.state, play, self.untyped),)
                course = replace(course, past=(*self.past, *made), untyped=None, gone=None)
            case What.TAKE:
                course = replace(course, doubled=True)
            case What.CHANGE_DICE:
                # What was typed wrongly was never rolled; an opening throw is no turn's roll.
                shown = self.shown if state.phase is Phase.OPENING_THROW else self.shown[:-1]
                course = replace(course, untyped=None, changing=True, shown=shown)
            case What.TAKE_BACK:
                course = replace(course._without(decision.undone), gone=self)
            case What.CORRECTION:
                course = replace(course, untyped=None, changing=False, doubled=False, gone=None)
        return course

    def _with_roll(self, before: Course, roll: Roll, *, typed: bool) -> Course:
        """The roll of a turn has come."""
        plays, by = len(self.past), before.state.to_act
        return replace(
            self,
            untyped=before.state if typed else None,
            changing=False,
            doubled=False,
            shown=(*self.shown, ShownRoll(by, roll, plays, typed, before.doubled)),
            waiting=self.waiting[1:] if before.rolled else self.waiting,
        )

    def _without(self, undone: int) -> Course:
        """So many plays were taken back; the rolls of the turns after that one wait."""
        kept = max(len(self.past) - undone, 0)
        later = tuple(shown for shown in self.shown if shown.plays > kept)
        return replace(
            self,
            past=self.past[:kept],
            untyped=next((past.untyped for past in self.past[kept:]), None),
            changing=False,
            doubled=False,
            shown=self.shown[: len(self.shown) - len(later)],
            waiting=(*later, *self.waiting),
        )


_BESIDE = frozenset({What.SENSOR_OFF, What.SENSOR_ON, What.OVERTIME, What.RESUMED})
"""What is decided beside a turn, which goes on."""


def course_of(game: AnyGame, turns: Turns, decisions: Iterable[Decision]) -> Course:
    """Where a match stands after the decisions of its latest game, or after the last of them.

    What the first of them undid or played is not asked: no game begins with a play.
    Raises DecisionError for one that this game cannot have made.
    """
    course = None
    for decision in decisions:
        try:
            course = _after(game, turns, course, decision)
        except RulesError as error:
            raise DecisionError(f"{decision.what.value} at {decision.us} µs: {error}") from None
    return course or Course(turns.begin())


def _after(game: AnyGame, turns: Turns, course: Course | None, decision: Decision) -> Course:
    if decision.what is What.SHOWN:
        return Course(_from_shown(turns, decision.state), us=decision.us)
    state = replace(decision.state, position=game.read_position(decision.state.position))
    if course is None:
        opening = decision.what is What.OPENING_THROW
        thrown = throw_after((), decision) if opening else ()
        clocks = decision.clocks
        return Course(state, thrown=thrown, off=decision.off, us=decision.us, clocks=clocks)
    play = None
    if decision.what in (What.PLAY, What.CHOSEN) and decision.play is not None:
        play = game.read_play(course.state.position, decision.play)
    return course.after(decision, state, play)


def throw_after(thrown: Throw, decision: Decision) -> Throw:
    """The opening throw that is on show after a decision; the first play takes it away."""
    match decision.what:
        case What.OPENING_THROW if decision.by and decision.dice:
            first = () if len(thrown) == 2 else thrown
            return (*first, (decision.by, decision.dice.dice[0]))
        case What.PLAY | What.TAKE_BACK | What.CHANGE_DICE | What.NEXT_GAME:
            return ()
        case _:
            return thrown


def _from_shown(turns: Turns, shown: MatchState[str]) -> State:
    """Nobody kept where the checkers stood: the game begins anew, at the score that was shown."""
    over = shown.phase in OVER
    return turns.begin(next_game(turns.agreement, shown.standing) if over else shown.standing)
