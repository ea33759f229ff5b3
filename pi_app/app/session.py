"""One match in play: the referee, its journal and its dice. Decisions are on disk before the view
shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Protocol

from pi_app.app.seats import Opponent
from pi_app.devices.dice import Dice
from pi_app.journal.disk import JournalError
from pi_app.journal.store import Journal
from pi_app.match.turns import Phase
from pi_app.microseconds import Us, ms
from pi_app.referee.decision import Decision
from pi_app.referee.effects import AskRoll, Cue, Effect, Keep, Propose, Sound
from pi_app.referee.events import (
    Event,
    FarSeat,
    MachineActs,
    MachineSeat,
    Rolled,
    SensorEdge,
    Start,
    Tick,
    far_seat,
)
from pi_app.referee.lines import EventError
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Side
from pi_app.sensing.debounce import Sieve
from pi_app.sensing.description import Board
from pi_app.settings import CoachSettings
from pi_app.words.sentences import Sentence

AGAIN_UNKEPT = ms(2000)
"""After so long it is tried again to keep what a linked board waits for."""
NOT_BEING_KEPT = Sentence("This match is not being saved: {why}")


class FarSide(Protocol):
    """The other board of a linked match, as a session knows it; see FarPlayer."""

    @property
    def due(self) -> Us | None:
        """When it wants to be looked after again."""

    @property
    def trouble(self) -> str | None:
        """The problem or the pending answer, in one line."""

    def ask_roll(self) -> None:
        """The side that is played here throws."""

    def propose(self, proposed: Propose) -> None:
        """The people here want what both boards must agree on."""

    def answer(self, *, yes: bool) -> None:
        """The people here agree to what was asked, or not."""

    def decided(self, decision: Decision) -> None:
        """One decision more."""

    def decide(self, see: Callable[[], View], us: Us) -> MachineActs | Rolled | None:
        """The next decision of the other board for this one, if any."""

    def refuse(self, why: str) -> None:
        """Reject its message as impossible."""

    def carry(self, us: Us, unkept: str | None) -> None:
        """Letters are written and sent; of what is `unkept` none."""

    def close(self) -> None:
        """The match is over, or left."""


class Session:
    """A match under way.

    `journal` has begun or resumed this match, or is None where nothing is to be kept.  `typed`
    are the sides that throw real dice and type what they show; the others throw `dice`.  What was
    shown before a takeback comes again for either.
    `latest_game` is what was decided in the game under way, in a match that is resumed; `decided`
    what the last event has decided.
    """

    def __init__(
        self,
        board: Board,
        start: Start,
        journal: Journal | None,
        dice: Dice,
        typed: frozenset[Side] = frozenset(),
        latest_game: Iterable[Decision] = (),
    ) -> None:
        self.start = start
        self.typed = typed
        self.decided: tuple[Decision, ...] = ()
        self._referee = Referee(board, start, latest_game)
        self._journal = journal
        self._dice = dice
        self._sieve = Sieve()
        self._now = self._referee.view.us
        self._unkept: str | None = None
        self._opponent: Opponent | None = None
        self._far: FarSide | None = None

    @property
    def view(self) -> View:
        """The view; everything in it is stored."""
        return self._referee.view

    @property
    def due(self) -> Us | None:
        """When `advance` has something to do next."""
        far = self._far
        again = Us(self._now + AGAIN_UNKEPT) if far and self._unkept else None
        times = (self._referee.due, self._sieve.due, far.due if far else None, again)
        return min((time for time in times if time is not None), default=None)

    @property
    def unkept(self) -> str | None:
        """Why the match is not being kept just now, or None."""
        return self._unkept

    def handle(self, event: Event) -> tuple[Cue, ...]:
        """Take an event and what follows from it; the cues are to be sounded.

        An event that was stamped on another thread a moment before the last one counts as
        simultaneous.  Raises EventError for an event that cannot be; it is not kept, but what
        time alone has decided by then is.
        """
        event = replace(event, us=max(event.us, self._now))
        self._now = event.us
        self.decided = ()
        cues = [cue for told in self._sifted(event) for cue in self._tell(told)]
        while acts := self._machine_acts(event.us):
            cues += self._tell(acts)
        return (*cues, *self._follow_far(event.us))

    def advance(self, us: Us) -> tuple[Cue, ...]:
        """Let time pass."""
        return self.handle(Tick(us))

    def close(self) -> None:
        """Keep the last touches too; nothing depends on it, everything decided is kept."""
        self.dismiss()
        if self._journal:
            self._commit(self._journal)

    @property
    def is_over(self) -> bool:
        """Whether the match is over."""
        return self.view.phase is Phase.MATCH_OVER

    @property
    def game(self) -> AnyGame:
        """The game as it was agreed on."""
        return self._referee.game

    @property
    def machine(self) -> MachineSeat | None:
        """The side that the machine has, and its player, if it plays."""
        return None if self.far_seat else self._referee.machine

    @property
    def far_seat(self) -> FarSeat | None:
        """The side that is played on another board, if one is."""
        return far_seat(self._referee.machine)

    def link(self, far: FarSide) -> None:
        """Send this board's decisions to the other board from now on, and follow its own."""
        self._far = far
        self._follow_far(self._now)

    def answer(self, *, yes: bool) -> tuple[Cue, ...]:
        """Answer the other board's question."""
        if self._far:
            self._far.answer(yes=yes)
        return self._follow_far(self._now)

    def hints(self, coach: CoachSettings) -> bool:
        """Whether hints are allowed; not in a match that locks the coach."""
        return not self.view.terms.locked and coach.allows(self.start.match_to)

    def oppose(self, opponent: Opponent) -> None:
        """The machine's side is played by this one from now on."""
        self._opponent = opponent
        opponent.warm(self._referee.agreement)

    def dismiss(self) -> None:
        """The machine plays no more."""
        for other in (self._opponent, self._far):
            if other:
                other.close()

    @property
    def trouble(self) -> str | None:
        """The problem of the engine or the other board in one line, or None."""
        other = self._far or self._opponent
        return other.trouble if other else None

    def _machine_acts(self, us: Us) -> MachineActs | None:
        opponent = self._opponent
        return opponent.decide(self._referee.machine_turn, us) if opponent else None

    def _follow_far(self, us: Us) -> tuple[Cue, ...]:
        """Apply the other board's decisions here, and send it ours."""
        far, cues = self._far, list[Cue]()
        if far and self._unkept and self._journal:
            # The next decision may be the other board's, which waits for this one's letters.
            self._commit(self._journal)
        while far and (told := far.decide(lambda: self.view, us)):
            before = len(self.decided)
            try:
                cues += self._tell(told)
            except Exception as error:  # whatever another board sends, Spotter goes on
                known = isinstance(error, EventError)
                far.refuse(str(error) if known else f"{type(error).__name__}: {error}")
            if len(self.decided) == before:
                break  # the hands come first
        if far:
            far.carry(us, self._unkept)
        return tuple(cues)

    def _sifted(self, event: Event) -> Iterator[Event]:
        """The edges for the referee: a chattering sensor's are filtered."""
        for sensor, closed in self._sieve.rested(event.us).items():
            yield SensorEdge(event.us, sensor, closed)
        if not isinstance(event, SensorEdge) or self._sieve.lets(
            event.us, event.sensor, event.closed
        ):
            yield event
        elif (due := self._referee.due) is not None and due <= event.us:
            yield Tick(event.us)

    def _tell(self, event: Event) -> tuple[Cue, ...]:
        try:
            effects = list(self._take(event))
        except EventError:
            self._keep(self._referee.handle(Tick(event.us)))
            raise
        for effect in effects:
            if isinstance(effect, AskRoll) and (effect.rolled or self._throws(effect.by)):
                effects += self._take(self._dice.answer(effect, event.us))
        self._keep(effects)
        if self._far:
            _tell_far(self._far, effects)
        return tuple(effect.cue for effect in effects if isinstance(effect, Sound))

    def _throws(self, side: Side) -> bool:
        """Whether the device throws for a side alone: not real dice, nor those of two boards.

        Who types is as the match agreed, else as the settings say.
        """
        return self.far_seat is None and not self._referee.terms.types(side, self.typed)

    def _take(self, event: Event) -> tuple[Effect, ...]:
        effects = self._referee.handle(event)
        # A tick that decides nothing would only fill the disk: time passes with the next event.
        if self._journal and (effects or not isinstance(event, Tick)):
            self._journal.touch(event)
        return effects

    def _keep(self, effects: Iterable[Effect]) -> None:
        """Write the decision to disk, or warn the players."""
        decided = tuple(effect.decision for effect in effects if isinstance(effect, Keep))
        self.decided += decided
        if not self._journal:
            return
        for decision in decided:
            self._journal.decide(decision)
        if decided or self._journal.is_laden:
            self._commit(self._journal)

    def _commit(self, journal: Journal) -> None:
        try:
            journal.commit()
        except JournalError as error:
            self._unkept = NOT_BEING_KEPT(why=error.said)
        else:
            self._unkept = None


def _tell_far(far: FarSide, effects: Iterable[Effect]) -> None:
    for effect in effects:
        match effect:
            case Keep():
                far.decided(effect.decision)
            case AskRoll(rolled=None):
                far.ask_roll()
            case Propose():
                far.propose(effect)
