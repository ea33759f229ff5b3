"""The one state machine: events in, effects and a view out.

It joins the rules, the match and the sensing. It has no clock and rolls no dice, so the same events
always give the same views. An event that the phase does not allow changes nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from pi_app.base.microseconds import Us, ms, write_ms
from pi_app.match.acts import Act
from pi_app.match.score import Agreement
from pi_app.match.terms import MatchTerms, PlayPolicy
from pi_app.match.turns import OVER
from pi_app.referee.controls import DieButton, obey_tap
from pi_app.referee.decision import Decision
from pi_app.referee.effects import Effect
from pi_app.referee.events import (
    Button,
    Caution,
    DeviceLost,
    Event,
    EventError,
    Found,
    LevelsRead,
    MachineActs,
    MachineSeat,
    Picture,
    Rolled,
    RollSource,
    SensorEdge,
    Start,
    Tap,
)
from pi_app.referee.history import history_of
from pi_app.referee.match import Agreed, LiveMatch
from pi_app.referee.options import Commit, agree, turns_of
from pi_app.referee.seats import MachineTurn, machine_turn, obey_far, obey_machine
from pi_app.referee.speech import NOT_SERVED
from pi_app.referee.view import View
from pi_app.referee.view_of import view_of
from pi_app.rules.contract import AnyGame
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.reading import BoardState
from pi_app.sensing.senses import Senses
from pi_app.words.sentences import COMMAS, Listing
from pi_app.words.texts import quoted

SENSORS = "sensors"
"""The name of the device without which a match cannot continue."""
LAST_PLAY_QUIET = ms(2000)
"""A play that ends the game counts by itself after the board has been quiet this long."""
SETTLE_QUIET = ms(1000)
"""With commit = "settle", an unambiguous play counts after the board has been quiet this long."""


class Referee:
    """One match on one board, from its `start` event on, or resumed from its decisions.

    `latest_game` are the decisions of the current game; the board is compared with them at its
    first picture. Raises EventError for an invalid start (an unknown game or option, a game that
    the board does not have) and for decisions that this match cannot have made.
    """

    def __init__(self, board: Board, start: Start, latest_game: Iterable[Decision] = ()) -> None:
        if start.game not in board.games.matches:
            served = Listing(tuple(board.games), COMMAS)
            named, here = quoted(start.game), quoted(board.name)
            raise EventError(NOT_SERVED(game=named, board=here, games=served))
        series, options = agree(start, board.games)
        turns, latest = turns_of(series, options), tuple(latest_game)
        if latest:
            turns = turns.during(latest[-1].state.standing)
        agreed = Agreed(start, options, turns)
        history = history_of(turns, latest)
        self._match = LiveMatch(board, agreed, history)
        # Automatic confirmation would reveal that the play is legal.
        says_legal = options.terms.policy is PlayPolicy.LEGAL
        self._settles = says_legal and options.commit is Commit.SETTLE
        self._button = DieButton()
        self._view: View | None = None

    @property
    def view(self) -> View:
        if self._view is None:
            self._view = view_of(self._match)
        return self._view

    @property
    def game(self) -> AnyGame:
        return self._match.game

    @property
    def agreement(self) -> Agreement:
        return self._match.agreed.turns.agreement

    @property
    def terms(self) -> MatchTerms:
        """The agreed terms besides the game's options."""
        return self._match.agreed.terms

    @property
    def machine(self) -> MachineSeat | None:
        """The machine's side and its player; None if it does not play."""
        return self._match.agreed.seat

    @property
    def machine_turn(self) -> MachineTurn | None:
        return machine_turn(self._match)

    @property
    def due(self) -> Us | None:
        """When time alone will next change something; None if it will not.

        Every fact of time stands in `times`. It is None once its moment has passed and its change
        is made: `_advance` continues as long as something is due.
        """
        match = self._match
        # While a press waits to be understood no flag falls: it may have handed over in time.
        falls = match.time.due if self._button.since is None else None
        times = (match.hands.due(match.now), self._button.due, self.counts_at, falls)
        return min((time for time in times if time is not None), default=None)

    def handle(self, event: Event) -> tuple[Effect, ...]:
        """Take one event; first do whatever is due before it. Return the effects.

        Raises EventError for a time that goes back, and for a sensor, a text or a number of dice
        that this match does not have. Then only time has passed.
        """
        match = self._match
        _check(event, match.now, match.hands)
        self._view = None
        self._advance(event.us)
        self._take(event)
        self._look_at_clock()
        effects, match.effects = tuple(match.effects), []
        return effects

    def _advance(self, us: Us) -> None:
        match = self._match
        while (due := self.due) is not None and due <= us:
            match.now = max(due, match.now)
            self._run_clock()
            match.hands.advance(match.now)
            counts_at = self.counts_at
            match.judge()
            if not self._button.obey(match) and counts_at is not None:
                self._count(counts_at)
            self._look_at_clock()
        match.now = us
        self._run_clock()

    def _count(self, counts_at: Us) -> None:
        match = self._match
        if self.counts_at == counts_at <= match.now:
            match.accept(match.reading.plays[0])
            if match.state.phase in OVER:
                match.turn.counted_at = match.now

    def _run_clock(self) -> None:
        """Let the clock run up to now; a flag may fall."""
        if self._match.time.run(self._match.now, self._button.since):
            self._match.flag()

    def _look_at_clock(self) -> None:
        """Start or stop the clock by what the board shows."""
        match = self._match
        trust, its_turn = match.hands.trust, match.machines_turn
        by_hand = its_turn and (match.turn.silent or match.history.chosen is not None)
        match.time.look(
            match.state.phase,
            match.board,
            failed=bool(trust.suspects or trust.chattering),
            nobodys=by_hand or self.counts_at is not None,
        )

    @property
    def counts_at(self) -> Us | None:
        """When the play on the board will count without a press; None if it will not.

        Never while a sensor bounces, because a checker may be being put back. A play that the tutor
        warned about waits for a press.
        """
        match, reading = self._match, self._match.reading
        if not match.knows(Act.PLAY) or reading.state is not BoardState.PLAYED:
            return None
        if match.hands.bouncing:
            return None
        if match.table.accepted.after(reading.plays[0]).outcome:
            return Us(match.hands.quiet_since + LAST_PLAY_QUIET)
        if self._settles and reading.certain and match.turn.caution is None:
            return Us(match.hands.quiet_since + SETTLE_QUIET)
        return None

    def _take(self, event: Event) -> None:
        self._match.go_on()
        match event:
            case SensorEdge() | Picture() | LevelsRead():
                self._see(event)
            case Button():
                self._button.wait(event)
                self._button.obey(self._match)
            case Rolled():
                self._rolled(event)
            case Tap():
                obey_tap(self._match, event)
            case MachineActs():
                (obey_far if self._match.far else obey_machine)(self._match, event)
            case Caution():
                self._match.caution(event.cost)
            case DeviceLost() | Found() if event.device == SENSORS:
                self._match.time.away = isinstance(event, DeviceLost)
            case _:
                pass

    def _see(self, event: SensorEdge | Picture | LevelsRead) -> None:
        """Take what the sensors show."""
        match = self._match
        match event:
            case SensorEdge():
                match.turn.touched.add(event.sensor)
                if match.hands.edge(event.us, event.sensor, event.closed):
                    match.judge()
            case Picture():
                match.turn.touched |= event.closed ^ match.hands.closed
                match.hands.picture(event.us, event.closed)
                match.time.see()
                match.judge()
            case LevelsRead():
                match.take_levels(event.levels)

    def _rolled(self, rolled: Rolled) -> None:
        match = self._match
        wanted = match.dice
        if match.far and rolled.source is RollSource.TYPED:
            return  # no dice but those of both boards
        shown = match.history.rolled
        if match.far and shown and shown.roll != rolled.dice:
            raise EventError(f"dice '{rolled.dice}' are not '{shown.roll}', which was shown before")
        if rolled.by is match.state.to_act and wanted:
            if len(rolled.dice.dice) != wanted:
                title = match.game.title
                raise EventError(f"dice '{rolled.dice}' are not {wanted}; {title} rolls so many")
            match.throw(rolled)


def _check(event: Event, now: Us, hands: Senses) -> None:
    """Check an event before it is handled; `now` is the time of the last one. Raises EventError."""
    if event.us < now:
        raise EventError(f"ms {write_ms(event.us)} is before {write_ms(now)}; time never goes back")
    sensors: Collection[Sensor] = hands.sensors
    named: frozenset[Sensor] = frozenset()
    match event:
        case Picture():
            named = event.closed
        case SensorEdge():
            named = frozenset({event.sensor})
        case Tap() if event.sensor is not None:
            named = frozenset({event.sensor})
        case LevelsRead():
            sensors, named = hands.places, frozenset(event.levels)
        case Start():
            raise EventError("start comes once, as the first event")
    for sensor in sorted(named.difference(sensors)):
        known = ", ".join(sensors)
        raise EventError(f"sensor {quoted(sensor)} is not on this board; it has {known}")


class OtherSide:
    """The player of the side that is not played here: a machine or another board. It never blocks.

    One that `writes` sends messages about decisions once they are on disk.
    """

    writes = False

    @property
    def due(self) -> Us | None:
        """When it has something to do next."""
        return None

    @property
    def trouble(self) -> str | None:
        """Its error, or what it waits for, in one line; None if all is well."""
        return None

    def warm(self, agreement: Agreement) -> None:
        """Get ready: the match begins or continues."""

    def decide(self, referee: Referee, us: Us) -> MachineActs | Rolled | None:
        """Return its next act; None if there is none yet."""
        return None

    def refuse(self, error: Exception) -> None:
        """Learn that its decision was invalid."""
        raise error

    def learn(self, effects: Sequence[Effect]) -> None:
        """Learn what has happened here."""

    def answer(self, *, yes: bool) -> None:
        """Take the answer of the players here to its request."""

    def carry(self, us: Us, unkept: str | None) -> None:
        """Write and send messages, except about `unkept` decisions."""

    def close(self) -> None:
        """The match is over, or left."""
