"""One match in play: the referee, its journal and its dice. Decisions are on disk before a view
shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pi_app.base.microseconds import Us, ms
from pi_app.devices.dice import ChosenDice, Dice
from pi_app.journal.disk import JournalError
from pi_app.journal.store import Journal
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision
from pi_app.referee.effects import AskRoll, Cue, Effect, Keep, ReadLevels, Sound
from pi_app.referee.events import (
    Event,
    EventError,
    FarSeat,
    MachineSeat,
    SensorEdge,
    Start,
    Tick,
    far_seat,
)
from pi_app.referee.referee import OtherSide, Referee
from pi_app.referee.tour import Tour
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, Side, Spot
from pi_app.sensing.debounce import Sieve
from pi_app.sensing.description import Board
from pi_app.user.settings import CoachSettings
from pi_app.words.sentences import Sentence

AGAIN_UNKEPT = ms(2000)
"""Time until storing is tried again while a linked board waits."""
NOT_BEING_KEPT = Sentence("This match is not being saved: {why}")


class Session:
    """A match in progress.

    `journal` has begun or resumed this match; None stores nothing. `typed` are the sides that roll
    real dice and type them; for the others `dice` are rolled. Rolls that were shown before an undo
    come again for both. `latest_game` are the decisions of the current game of a resumed match.
    `decided` are those of the last event. `unkept` says why the match is not being stored.
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
        self.to_read: frozenset[Spot] = frozenset()
        """The spots whose levels the last event asked to read."""
        self._referee = Referee(board, start, latest_game)
        self._journal = journal
        self._dice = dice
        self._sieve = Sieve()
        self._now = self._referee.view.us
        self.unkept: str | None = None
        self._other: OtherSide | None = None

    @property
    def view(self) -> View:
        """The current view; everything in it is stored."""
        return self._referee.view

    @property
    def due(self) -> Us | None:
        """When a `Tick` next has something to do."""
        other = self._other
        again = Us(self._now + AGAIN_UNKEPT) if other and other.writes and self.unkept else None
        times = (self._referee.due, self._sieve.due, other.due if other else None, again)
        return min((time for time in times if time is not None), default=None)

    @property
    def counts_at(self) -> Us | None:
        """When the play on the board will count by itself."""
        return self._referee.counts_at

    def handle(self, event: Event) -> tuple[Cue, ...]:
        """Take an event and do what follows from it. Return the cues to be sounded.

        An event that another thread stamped a moment before the last one counts as simultaneous.
        Raises EventError for an impossible event: it is not stored, but what time alone has decided
        by then is.
        """
        if event.us < self._now:
            event = replace(event, us=self._now)
        self._now = event.us
        self.decided, self.to_read = (), frozenset()
        cues = [cue for events in self._sifted(event) for cue in self._tell(events)]
        return (*cues, *self._follow(event.us))

    def close(self) -> None:
        """Store the last touches; every decision is stored already."""
        self.dismiss()
        if self._journal:
            self._commit(self._journal)

    @property
    def is_stored(self) -> bool:
        return self._journal is not None

    @property
    def is_over(self) -> bool:
        return self.view.phase is Phase.MATCH_OVER

    @property
    def game(self) -> AnyGame:
        return self._referee.game

    @property
    def machine(self) -> MachineSeat | None:
        """The machine's side and player; None if it does not play."""
        return None if self.far_seat else self._referee.machine

    @property
    def far_seat(self) -> FarSeat | None:
        """The side played on another board, if any."""
        return far_seat(self._referee.machine)

    def answer(self, *, yes: bool) -> tuple[Cue, ...]:
        """Agree or not to the other board's request."""
        if self._other:
            self._other.answer(yes=yes)
        return self._follow(self._now)

    def hints(self, coach: CoachSettings) -> bool:
        """Whether hints are allowed; not in a match that locks the coach."""
        return not self.view.terms.locked and coach.allows(self.start.match_to)

    def oppose(self, other: OtherSide) -> None:
        self._other = other
        other.warm(self._referee.agreement)
        if other.writes:
            self._follow(self._now)

    def dismiss(self) -> None:
        if self._other:
            self._other.close()

    @property
    def trouble(self) -> str | None:
        """The other side's error in one line, or None."""
        return self._other.trouble if self._other else None

    def _follow(self, us: Us) -> tuple[Cue, ...]:
        """Do what the other side has decided, and pass on what happened here."""
        other, cues = self._other, list[Cue]()
        if other is None:
            return ()
        if other.writes and self.unkept and self._journal:
            # The next decision may be the other board's, which waits for this one's letters.
            self._commit(self._journal)
        while act := other.decide(self._referee, us):
            before = len(self.decided)
            try:
                cues += self._tell(act)
            except Exception as error:  # whatever another board sends, Spotter goes on
                other.refuse(error)
            if len(self.decided) == before:
                break  # the hands come first
        other.carry(us, self.unkept)
        return tuple(cues)

    def _sifted(self, event: Event) -> Iterator[Event]:
        """Yield the event, unless the sieve drops it as an edge of a chattering sensor."""
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
            elif isinstance(effect, ReadLevels):
                self.to_read |= effect.spots
        self._keep(effects)
        if self._other:
            self._other.learn(effects)
        return tuple(effect.cue for effect in effects if isinstance(effect, Sound))

    def _throws(self, side: Side) -> bool:
        """Whether the device rolls for a side: it neither types its dice nor shares them with
        another board.

        The match decides who types, or else the settings do.
        """
        return self.far_seat is None and not self._referee.terms.types(side, self.typed)

    def _take(self, event: Event) -> tuple[Effect, ...]:
        effects = self._referee.handle(event)
        # A tick that decides nothing would only fill the disk: time passes with the next event.
        if self._journal and (effects or not isinstance(event, Tick)):
            self._journal.touch(event)
        return effects

    def _keep(self, effects: Iterable[Effect]) -> None:
        """Store the decisions, or warn the players."""
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
            self.unkept = NOT_BEING_KEPT(why=error.said)
        else:
            self.unkept = None


class Practice(Session):
    """The tour: a match of which nothing is stored, with suitable dice.

    The button confirms each play and Spotter rolls, whatever the settings are.
    """

    def __init__(self, board: Board, start: Start) -> None:
        options = {**start.options, "commit": "button", "dice": "device"}
        start = replace(start, options=options)
        super().__init__(board, start, None, ChosenDice(self._throw))
        self._tour = Tour(board, self.game)
        self._led = self._tour.lead(super().view)

    @property
    def view(self) -> View:
        return self._led

    def handle(self, event: Event) -> tuple[Cue, ...]:
        try:
            return super().handle(event)
        finally:
            self._tour = self._tour.follow(super().view)
            self._led = self._tour.lead(super().view)

    def _throw(self) -> Roll:
        return self._tour.throw(super().view)
