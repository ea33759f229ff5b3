"""One match between simulated people, through the product's own devices and session.

Time is virtual: the runner steps from due time to due time. Accepted plays are compared with the
people's acts, and the product's input is stored for a replay.
"""

from __future__ import annotations

import random
from collections import deque
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from scanner_twin import open_twin

from hardware.make.hall.sixth import Scatter
from lab.attention import Attention, GaveUpError
from lab.figures import Count, Figures
from lab.ground_truth import Truth
from lab.hands import Habits, Hands, Script
from lab.levels import MeasuredCheckers
from lab.manners import NO_MANNERS, TableManners
from lab.people import People, Temper
from pi_app.app.seats import CallThinker, Opponent
from pi_app.app.session import Session
from pi_app.base.microseconds import Us, ms
from pi_app.devices.dice import Dice
from pi_app.devices.gpio import open_factory
from pi_app.devices.source import DeviceError
from pi_app.journal.store import Journal
from pi_app.match.acts import Act
from pi_app.match.turns import IN_PLAY, Phase
from pi_app.players.process import call_process
from pi_app.referee.decision import Decision
from pi_app.referee.effects import AskRoll
from pi_app.referee.events import (
    Event,
    LevelsRead,
    MachineActs,
    MachineSeat,
    Rolled,
    RollSource,
    SensorEdge,
    Start,
    Tap,
    Tick,
)
from pi_app.referee.lines import write_event
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.rules.terms import Roll
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.noise import PUBLISHED, NoiseModel
from pi_app.sensing.reading import ALARMS, Patience
from pi_app.simulator.reeds import Faults, LyingCheckers, SimulatedReeds
from pi_app.simulator.source import OpenSimulated

RECONCILE = ms(2000)
STUCK = ms(20 * 60_000)
"""A match without an accepted play for this long is stuck."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How matches are played; `board_name` is what their events call the board.

    `noise` is of hands alone: reeds are as bad as `faults` say.  `machine` has a side,
    played by one that is called.
    """

    board: Board
    board_name: str
    game: str
    match_to: int | None
    faults: Faults
    habits: Habits = field(default_factory=Habits)
    temper: Temper = field(default_factory=Temper)
    manners: TableManners = NO_MANNERS
    noise: NoiseModel = PUBLISHED
    one_wrong_in: int = Patience().one_wrong_in
    open_board: OpenSimulated = open_twin
    machine: MachineSeat | None = None
    scatter: Scatter | None = None
    """How checkers lie and are nudged on a board whose levels are read; None reads none."""
    call: CallThinker = call_process


@dataclass(frozen=True, slots=True)
class Incident:
    """Something that must not happen: what, when, in words, and all events up to it."""

    what: Count
    us: Us
    text: str
    events: tuple[str, ...]


class WrongPlayError(RuntimeError):
    """The product accepted a play that was not made."""


class _HeardDice(Dice):
    """Dice whose rolls are written down."""

    def __init__(self, rng: random.Random, lines: list[str]) -> None:
        super().__init__(rng)
        self._lines = lines

    def answer(self, asked: AskRoll, us: Us) -> Rolled:
        rolled = super().answer(asked, us)
        self._lines.append(write_event(rolled))
        return rolled


class _HeardOpponent(Opponent):
    """The machine, whose decisions are written down."""

    def __init__(self, *args: Any, lines: list[str]) -> None:
        super().__init__(*args)
        self._lines = lines

    def decide(self, referee: Referee, us: Us) -> MachineActs | None:
        acts = super().decide(referee, us)
        if acts:
            self._lines.append(write_event(acts))
        return acts


class MatchByHands:
    """One match; `seed` decides everything in it.  `journal` keeps it, or None."""

    def __init__(
        self, plan: Plan, seed: str, figures: Figures, journal: Journal | None = None
    ) -> None:
        rng = random.Random(seed)
        self.now = Us(0)
        self.incidents: list[Incident] = []
        self._figures, self._plan = figures, plan
        self._lines: list[str] = []
        self._queue: deque[Event] = deque()
        series = plan.board.games.match(plan.game)
        # Of games with a bar and without, one with it has every spot.
        game = max(series.games, key=lambda game: len(game.spots))
        factory = open_factory("mock")
        devices = plan.open_board(plan.board, factory, self._clock, self._queue.append)
        self._source = devices.source
        self._reeds = SimulatedReeds(plan.board, factory, plan.faults, rng, devices.drive_cell)
        self._measured = (
            MeasuredCheckers(plan.board, game, self._reeds, plan.scatter, seed)
            if plan.scatter
            else None
        )
        checkers = self._measured or LyingCheckers(plan.board, game, self._reeds)
        self._hands = Hands(
            plan.board, checkers, self._reeds, rng, self._clock, plan.habits, plan.noise
        )
        self._truth = Truth(series, self._hands, plan.faults.broken)
        attention = Attention(self, self._hands, figures, self._truth)
        self._people = People(attention, rng, plan.temper, plan.manners)
        options: dict[str, bool | int | str] = {"one_wrong_in": plan.one_wrong_in}
        if plan.board.scanner:
            options["debounce_ms"] = 0
        if plan.machine:
            options |= plan.machine.options
        players = ("Ada", "Ben")
        start = Start(Us(0), plan.game, plan.board_name, plan.match_to, players, options)
        self._lines.append(write_event(start))
        if journal:
            journal.begin(start, "2026-01-01T00:00:00+00:00")
        dice = _HeardDice(random.Random(f"dice {seed}"), self._lines)
        self._session = Session(plan.board, start, journal, dice)
        if plan.machine:
            lots = random.Random(f"lots {seed}")
            self._session.oppose(
                _HeardOpponent(series.first, plan.machine, plan.call, lots, lines=self._lines)
            )
        self._look()
        self._moved_on = Us(0)

    def play(self, most: int | None = None) -> None:
        """Play the match to its end, or up to so many events; what goes wrong is in `incidents`."""
        self._figures.add(Count.MATCHES)
        try:
            self._run(self._people.match(), most)
        except GaveUpError as error:
            self.note(Count.LOST if self.view.phase is Phase.MOVING else Count.STUCK, str(error))
        except WrongPlayError as error:
            self.note(Count.WRONG, str(error))
        finally:
            self._figures.noise.update(self._hands.drawn)
            self._source.close()

    @property
    def view(self) -> View:
        """What the screen shows now; made when somebody looks."""
        return self._session.view

    @property
    def unkept(self) -> str | None:
        """Why the match is not being kept, or None."""
        return self._session.unkept

    @property
    def events(self) -> tuple[str, ...]:
        """The product's input as lines; they reproduce the match."""
        return (*self._lines, write_event(Tick(self._clock())))

    # What people do

    def button(self, down: bool) -> None:
        """The die button of the side to act goes down or up."""
        self._reeds.press(self.now, down, self.view.to_act)

    def tap(
        self,
        intent: Act,
        *,
        play: str | None = None,
        position: str | None = None,
        sensor: Sensor | None = None,
        points: int | None = None,
    ) -> None:
        """A touch on the screen."""
        self._queue.append(Tap(self._clock(), intent, play, position, sensor, points))

    def throw(self, roll: Roll) -> None:
        """The side to act enters its real dice."""
        self._queue.append(Rolled(self._clock(), roll, self.view.to_act, RollSource.TYPED))

    def note(self, what: Count, text: str) -> None:
        """Count something that must not happen and keep the way to it."""
        if what is not Count.CAUGHT:
            self._figures.add(what)
        self.incidents.append(Incident(what, self.now, text, self.events))

    # Time

    def _clock(self) -> Us:
        return self.now

    def _run(self, script: Script, most: int | None) -> None:
        hands_due, reconcile_due = Us(0), Us(0)
        while most is None or len(self._lines) < most:
            due = self._session.due
            self.now = self._next(due, hands_due, reconcile_due)
            if due is not None and due <= self.now:
                self._tell(Tick(self._clock()))
            self._reeds.agenda.run(self.now)
            self._drain()
            if reconcile_due <= self.now:
                reconcile_due = Us(self.now + RECONCILE)
                self._reconcile()
            if hands_due <= self.now:
                try:
                    hands_due = Us(self.now + next(script))
                except StopIteration:
                    return
                self._truth.misled |= self._reeds.any_lying  # what follows comes of it
                self._drain()
            if self.now - self._moved_on > STUCK:
                self.note(Count.STUCK, f"nothing goes on: {self.view.message}")
                return

    def _next(self, *dues: Us | None) -> Us:
        times = (self._reeds.agenda.due, self._source.due, *dues)
        return max(self.now, min(time for time in times if time is not None))

    def _drain(self) -> None:
        """One round of the program's loop: the queue, presses, and whatever is due."""
        while self._queue:
            self._tell(self._queue.popleft())
            if not self._queue:
                self._source.advance(self._clock())
        if (due := self._source.due) is not None and due <= self.now:
            self._source.advance(self._clock())
            while self._queue:
                self._tell(self._queue.popleft())

    def _reconcile(self) -> None:
        try:
            picture = self._source.picture()
        except DeviceError:
            return  # the scanner tells its picture once it has one
        if picture.closed != self.view.closed:
            self._tell(picture)

    def _tell(self, event: Event) -> None:
        self._figures.add(Count.EVENTS)
        if not isinstance(event, Tick):
            self._lines.append(write_event(event))
        before, began = self._seen, perf_counter()
        self._session.handle(event)
        if self._measured and self._session.to_read:
            levels = self._measured.measured(self._session.to_read)
            self._queue.append(LevelsRead(self._clock(), levels))
        for decision in self._session.decided:
            self._compare(before, decision)
        if isinstance(event, SensorEdge):
            return  # nothing is due yet, and a raw edge decides nothing
        if self._facts() != self._compared:
            self._look()
            took = (perf_counter() - began) * 1e6
            if self._seen.closed != before.closed:
                self._figures.latencies.append(took)
        self._check(before)

    def _look(self) -> None:
        self._compared, self._seen = self._facts(), self.view

    def _facts(self) -> tuple[object, ...]:
        """All that the checks compare: most ticks change none of it, and a view is dear."""
        match = self._session._referee._match
        table, state = match.table, match.state
        shown = (table.board, match.turn.unclear, table.accepted.here.text, table.hands.closed)
        return (*shown, state.phase, state.standing.score)

    # Truth

    def _compare(self, before: View, decision: Decision) -> None:
        """Whether a play that has counted, as sure as was stated, is the one that was made."""
        stated, calibration, truth = decision.confidence, self._figures.calibration, self._truth
        if decision.what is not Act.PLAY or (stated is None and not decision.asked):
            return
        if truth.doing is None or before.position != truth.text:
            calibration.uncompared += 1
        else:
            calibration.add(stated, decision.state.position == truth.after(truth.doing))

    def _check(self, before: View) -> None:
        view = self._seen
        if (view.phase, view.score) != (before.phase, before.score):
            self._moved_on = self.now
        if view.position != before.position:
            self._moved_on = self.now
            allowed = self._truth.may_show()
            if view.position not in allowed:
                meant = " or ".join(sorted(allowed))
                raise WrongPlayError(f"accepted {view.position}, the board says {meant}")
            self._check_early(before, view)
        self._truth.misled |= self._reeds.any_lying
        if view.board in ALARMS and before.board not in ALARMS:
            self._check_warning(view)

    def _check_early(self, before: View, view: View) -> None:
        """Whether a play counted before it lay there, and whether it is the one that is made."""
        truth = self._truth
        is_play = truth.doing is not None and before.position == truth.text
        if not is_play or truth.lies or truth.astray or truth.misled:
            return
        self._figures.add(Count.TAKEN_EARLY)
        if view.position not in {truth.after(truth.doing), *truth.others}:
            meant = truth.after(truth.doing)
            self.note(Count.WRONG_EARLY, f"took {view.position} while {meant} was being made")

    def _check_warning(self, view: View) -> None:
        if view.phase not in IN_PLAY or self._truth.excused or self._truth.misled:
            return
        trace = self._hands.trace
        if self._plan.faults.broken or trace.hasty:
            return
        rest = self._hands.rest
        if rest.since + Patience().grace <= self.now <= rest.until + Patience().placed:
            # A slow hand rests for longer than the patience: what is said lies there.
            self._figures.add(Count.REST_WARNINGS)
            return
        self.note(Count.FALSE_WARNINGS, f"{view.board.value}: {view.message}")
        if trace.muddled:
            self._figures.add(Count.TOUCHED_WARNINGS)
        if trace.held:
            self._figures.add(Count.AIR_WARNINGS)
