"""The one state machine: events in, effects and a view out.

It joins the rules, the match and the hands.  It holds no clock and throws no dice: the same
events always give the same views.  An event that the phase does not know changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from pi_app.match.phases import IN_PLAY, OVER, Act, Phase, knows
from pi_app.match.turns import MatchState, Turns
from pi_app.microseconds import Us, ms
from pi_app.referee.admission import check_dice, check_event, choice_of, position_of
from pi_app.referee.button import DieButton, is_slip
from pi_app.referee.course import Past, course_of
from pi_app.referee.decision import OF_ONE_SIDE, Decision, What
from pi_app.referee.effects import AskRoll, Cue, Effect, Keep, Sound
from pi_app.referee.events import (
    Button,
    Event,
    Intent,
    Picture,
    Press,
    Rolled,
    RollSource,
    SensorEdge,
    Start,
    Tap,
)
from pi_app.referee.facts import Facts, look
from pi_app.referee.lines import EventError
from pi_app.referee.options import Commit, agree
from pi_app.referee.past import Pasts
from pi_app.referee.view import View
from pi_app.referee.wording import TAKEN_BACK
from pi_app.rules.terms import Side
from pi_app.sensing.description import Board
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.sensing.senses import Senses

LAST_PLAY_QUIET = ms(2000)
"""A play that ends the game counts by itself after so much quiet."""
SETTLE_QUIET = ms(1000)
"""With commit = "settle", any play that nothing else could look like does after this."""
ANSWER = ms(1000)
"""A press sooner after a question is the second half of a double one and no answer."""


class Referee:
    """One match on one board, from its `start` event on, or from what was decided of it.

    `latest_game` is what was decided in the game under way; the board is compared with it once its
    picture comes.  Raises EventError for a start that cannot be (unknown game or option, a game
    that the board does not serve) and for decisions that this match cannot have made.
    """

    def __init__(self, board: Board, start: Start, latest_game: Iterable[Decision] = ()) -> None:
        self._game, self._options = agree(start)
        if start.game not in board.games:
            raise EventError(
                f"game {start.game!r} does not fit board {board.name!r};"
                f" play on it: {', '.join(board.games)}"
            )
        self._start = start
        self._turns: Turns[Any, Any] = Turns(self._game, self._options.agreement)
        course = course_of(self._game, self._turns, latest_game)
        self._state: MatchState[Any] = course.state
        self._hands: Senses[Any, Any] = Senses(
            board, self._game, self._options.times, self._state.position
        )
        self._past = Pasts()
        for past in course.past:
            self._past.add(past, self._hands.shown(past.state.position))
        self._thrown: tuple[tuple[Side, int], ...] = course.thrown
        self._awaiting_roll = False
        self._guiding = False
        self._note: str | None = None
        self._button = DieButton()
        self._taken_back_at: Us | None = None
        self._now = self._asked_at = max(start.us, course.us)
        self._effects: list[Effect] = []
        self._view: View | None = None
        shown = (self._state.position, self._state.roll) if self._state.phase in IN_PLAY else None
        self._hands.resume(self._now, course.off, shown)

    @property
    def view(self) -> View:
        """What is to be shown now."""
        if self._view is None:
            self._view = look(self._facts())
        return self._view

    @property
    def due(self) -> Us | None:
        """When time alone will change something next, or None."""
        times = (
            self._hands.due(self._now),
            self._button.due,
            self._counts_at(),
        )
        return min((time for time in times if time is not None), default=None)

    def handle(self, event: Event) -> tuple[Effect, ...]:
        """Take one event; whatever falls due before it happens first.

        Raises EventError for a time that goes back and for a sensor, a text or a number of dice
        that this match does not have; then only time has passed.
        """
        check_event(event, self._now, self._hands.sensors)
        self._advance(event.us)
        self._view = None
        self._take(event)
        effects, self._effects = tuple(self._effects), []
        return effects

    # Time

    def _advance(self, us: Us) -> None:
        while (due := self.due) is not None and due <= us:
            self._now = max(due, self._now)
            self._hands.advance(self._now)
            counts_at = self._counts_at()
            self._judge()
            if self._obey_presses() or counts_at is None:
                continue
            if self._counts_at() == counts_at <= self._now:
                self._accept(self._hands.reading.plays[0])
                if self._state.phase in OVER:
                    self._button.counted(self._now)
        self._now = us

    def _counts_at(self) -> Us | None:
        """When the play on the board counts without a press, if it will."""
        reading = self._hands.reading
        if self._state.phase is not Phase.MOVING or reading.state is not BoardState.PLAYED:
            return None
        if self._game.outcome(self._game.after(self._state.position, reading.plays[0])):
            return Us(self._hands.quiet_since + LAST_PLAY_QUIET)
        if self._options.commit is Commit.SETTLE and reading.certain:
            return Us(self._hands.quiet_since + SETTLE_QUIET)
        return None

    def _judge(self, hurry: bool = False) -> None:
        """Read the board anew; sounds and the end of the set-up follow from it."""
        before = self._hands.reading.state
        after = self._hands.judge(self._now, hurry).state
        self._view = None
        if after is BoardState.RESTING:
            self._guiding = False
        if self._state.phase is Phase.SET_UP and not self._hands.misfits(self._state.position):
            self._hands.compare(self._state.position)
            self._become(self._turns.board_set(self._state), What.BOARD_SET)
            self._hands.offer_roll(self._state.roll)
        elif self._state.phase in IN_PLAY and after is not before:
            self._sound(after)

    def _sound(self, state: BoardState) -> None:
        if state is BoardState.PLAYED:
            self._effects.append(Sound(Cue.LEGAL))
        elif state in ALARMS:
            self._effects.append(Sound(Cue.WRONG))

    # Events

    def _take(self, event: Event) -> None:
        match event:
            case SensorEdge():
                if self._hands.edge(event.us, event.sensor, event.closed):
                    self._judge()
            case Picture():
                self._hands.picture(event.us, event.closed)
                self._judge()
            case Button():
                self._button.wait(event)
                self._obey_presses()
            case Rolled():
                self._rolled(event)
            case Tap():
                self._tap(event)
            case _:
                pass

    def _obey_presses(self) -> bool:
        """Whether a press has waited long enough."""
        obeyed = False
        while press := self._button.ripe(self._now, self._hands.bouncing):
            obeyed, before = True, len(self._effects)
            if press.side in (None, self._state.to_act) and not self._button.is_slip(press):
                self._press(press)
            if len(self._effects) > before:
                self._button.did(press)
        return obeyed

    def _press(self, press: Button) -> None:
        """The die button: go on, or (held) double; pass while a double is offered."""
        held = press.press is Press.LONG
        match self._state.phase:
            case Phase.OPENING_THROW | Phase.TO_ROLL:
                if held:
                    self._double()
                elif self._board_rests():
                    self._ask_roll()
            case Phase.DOUBLE_OFFERED:
                self._answer(take=not held)
            case Phase.MOVING:
                self._hand_over(held)
            case Phase.GAME_OVER if not held and not self._button.is_late(press):
                self._next_game()
            case _:
                pass

    def _hand_over(self, held: bool) -> None:
        """A press on a complete play accepts it and goes on; on any other board it warns."""
        self._judge(hurry=True)
        reading = self._hands.reading
        play = self._shown_play() or self._forfeited()
        if play is None:
            if not held and reading.state is not BoardState.CHOOSE:
                self._warn()
            return
        after = self._turns.play(self._state, play)
        may_double = after.phase is Phase.TO_ROLL and self._turns.may_double(after, after.to_act)
        if held and not may_double:
            return
        self._accept(play)
        if held:
            self._double()
        elif self._state.phase is Phase.TO_ROLL and not may_double:
            self._ask_roll()

    def _shown_play(self) -> Any:
        """The play that the board shows; or the one that was asked about, pressed again for yes."""
        reading = self._hands.reading
        if reading.state is BoardState.PLAYED:
            return reading.plays[0]
        asked = reading.state is BoardState.CHOOSE and len(reading.plays) == 1
        if asked and self._now >= self._asked_at + ANSWER:
            after = self._game.after(self._state.position, reading.plays[0])
            return None if self._hands.misfits(after) else reading.plays[0]
        return None

    def _forfeited(self) -> Any:
        """The play of a turn in which nothing can move, if the board shows that nothing has.

        What looks like an illegal entry is asked about first; pressed again, the turn is passed.
        """
        results = self._hands.legal.results
        forfeit = next((result.play for result in results if not result.moves), None)
        if forfeit is None or self._hands.misfits(self._state.position):
            return None
        told = self._hands.reading.state in (*ALARMS, BoardState.CHOOSE)
        return forfeit if told or not self._warn() else None

    def _board_rests(self) -> bool:
        """Whether the accepted position stands there; if not, a warning is given."""
        self._judge(hurry=True)
        if self._hands.reading.state is BoardState.RESTING:
            return True
        self._warn()
        return False

    def _warn(self) -> bool:
        """The player insists; whether there is something to be said or asked about the board."""
        state = self._hands.insist(self._now).state
        self._view = None
        self._asked_at = self._now
        if state is not BoardState.RESTING:
            self._effects.append(Sound(Cue.WRONG))
        return state is not BoardState.RESTING

    def _rolled(self, rolled: Rolled) -> None:
        if rolled.by is not self._state.to_act:
            return
        wanted = self._turns.dice(self._state)
        if not wanted:
            return
        check_dice(self._game, rolled, wanted)
        told = {"dice": rolled.dice, "typed": rolled.source is RollSource.TYPED}
        if knows(self._state.phase, Act.THROW):
            first = () if len(self._thrown) == 2 else self._thrown
            self._thrown = (*first, (rolled.by, rolled.dice.dice[0]))
            after = self._turns.throw(self._state, rolled.dice.dice[0])
            self._become(after, What.OPENING_THROW, **told)
            self._hands.await_position(self._state.position, None)
        else:
            self._thrown = ()
            self._become(self._turns.roll(self._state, rolled.dice), What.ROLL, **told)
        self._awaiting_roll = False
        if self._state.phase is Phase.MOVING:
            self._hands.offer_roll(self._state.roll)
        self._effects.append(Sound(Cue.ROLL))
        self._judge()

    def _tap(self, tap: Tap) -> None:
        if tap.intent in self.view.offers:
            self._view = None
            _TAPS[tap.intent](self, tap)
            self._view = None

    # Acts

    def _become(self, state: MatchState[Any], what: What, **told: Any) -> None:
        by, self._state = self._state.to_act, state
        self._note = None
        self._button.counted(None)
        self._keep(what, by=by if what in OF_ONE_SIDE else None, **told)

    def _keep(self, what: What, **told: Any) -> None:
        """`told` are the fields that only this kind of decision has."""
        state = replace(self._state, position=self._game.write_position(self._state.position))
        self._effects.append(
            Keep(Decision(self._now, what, state, off=self._hands.trust.off, **told))
        )

    def _ask_roll(self) -> None:
        self._awaiting_roll = True
        self._effects.append(AskRoll(self._state.to_act, self._turns.dice(self._state)))

    def _accept(self, play: Any) -> None:
        """The play becomes the accepted position."""
        self._past.add(Past(self._state, play), self._hands.shown(self._state.position))
        told = {"dice": self._state.roll, "play": self._game.write_play(play)}
        self._become(self._turns.play(self._state, play), What.PLAY, **told)
        self._thrown = ()
        self._hands.expect(self._state.position, self._state.roll)
        self._judge()
        self._celebrate()

    def _celebrate(self) -> None:
        result = self._state.result
        if result and self._state.phase in (Phase.GAME_OVER, Phase.MATCH_OVER):
            self._effects.append(Sound(Cue.NANNON if result.name == "NANNON" else Cue.WON))

    def _double(self) -> None:
        if knows(self._state.phase, Act.DOUBLE) and self._may_double() and self._board_rests():
            self._awaiting_roll = False
            self._become(self._turns.double(self._state), What.DOUBLE)
            self._effects.append(Sound(Cue.DOUBLE))

    def _may_double(self) -> bool:
        return self._turns.may_double(self._state, self._state.to_act)

    def _answer(self, take: bool) -> None:
        if take:
            self._become(self._turns.take(self._state), What.TAKE)
        else:
            self._become(self._turns.refuse(self._state), What.PASS)
            self._celebrate()

    def _next_game(self) -> None:
        self._thrown = ()
        self._past = Pasts()
        self._hands.trust.ask()
        self._become(self._turns.next_game(self._state), What.NEXT_GAME)
        self._hands.await_position(self._state.position, None)
        self._judge()

    def _choose(self, tap: Tap) -> None:
        self._hands.choose(choice_of(self._game, tap, self._hands.reading.plays))
        self._judge()

    def _resign(self, tap: Tap) -> None:
        allowed = self.view.resign_points
        if tap.points not in allowed:
            raise EventError(f"points is {tap.points!r}; resign {' or '.join(map(str, allowed))}")
        self._become(self._turns.resign(self._state, tap.points), What.RESIGNED)
        self._celebrate()

    def _take_back(self, tap: Tap) -> None:
        """Back before the play that the board shows undone, else before the last real play."""
        kept = self._facts().take_back_to
        if kept is None or is_slip(tap.us, self._taken_back_at):
            return
        self._taken_back_at = tap.us
        past, undone = self._past[kept], len(self._past) - kept
        self._past.cut(kept)
        self._thrown, self._awaiting_roll = (), False
        play, dice = self._game.write_play(past.play), self._state.roll
        self._become(past.state, What.TAKE_BACK, dice=dice, play=play, undone=undone)
        self._hands.await_position(past.state.position, past.state.roll, guide=True)
        self._note = TAKEN_BACK(play=play)
        self._judge()

    def _board_is_right(self, tap: Tap) -> None:
        before, attempt = self._state.position, self._hands.reading.attempt
        position = position_of(self._game, tap, before, attempt)
        self._become(self._turns.correct(self._state, position), What.CORRECTION)
        self._awaiting_roll = False
        self._hands.expect(self._state.position, self._state.roll)
        self._judge()
        self._celebrate()

    def _screen_is_right(self, tap: Tap) -> None:
        self._guiding = True
        self._hands.guide()
        self._judge()

    def _sensor_off(self, tap: Tap) -> None:
        if tap.sensor is not None:
            self._hands.set_aside(tap.sensor)
            self._keep(What.SENSOR_OFF, sensor=tap.sensor)
            self._judge()

    def _sensor_on(self, tap: Tap) -> None:
        if tap.sensor is not None:
            self._hands.bring_back(tap.sensor)
            self._keep(What.SENSOR_ON, sensor=tap.sensor)
            self._judge()

    def _facts(self) -> Facts:
        return Facts(
            now=self._now,
            start=self._start,
            game=self._game,
            turns=self._turns,
            state=self._state,
            hands=self._hands,
            past=self._past,
            thrown=self._thrown,
            awaiting_roll=self._awaiting_roll,
            guiding=self._guiding,
            note=self._note,
        )


_TAPS: Mapping[Intent, Callable[[Referee, Tap], None]] = MappingProxyType(
    {
        Intent.DOUBLE: lambda referee, _: referee._double(),
        Intent.TAKE: lambda referee, _: referee._answer(take=True),
        Intent.PASS: lambda referee, _: referee._answer(take=False),
        Intent.NEXT_GAME: lambda referee, _: referee._next_game(),
        Intent.CHOOSE: Referee._choose,
        Intent.BOARD_IS_RIGHT: Referee._board_is_right,
        Intent.SCREEN_IS_RIGHT: Referee._screen_is_right,
        Intent.TAKE_BACK: Referee._take_back,
        Intent.SENSOR_OFF: Referee._sensor_off,
        Intent.SENSOR_ON: Referee._sensor_on,
        Intent.RESIGN: Referee._resign,
    }
)
