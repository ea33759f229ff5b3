"""Two linked boards under simulated hands, each through its own devices, in one virtual time."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

from fair_record import common_record
from known import load_board
from lab.attention import GaveUpError
from lab.figures import Figures
from lab.hands import Script, arrange
from lab.match_by_hands import RECONCILE, MatchByHands, Plan
from lab.people import Seconding, Temper
from linked_boards import LINK, NAMES, LossyWire
from shares import one_in

from pi_app.app.session import Session
from pi_app.base.microseconds import Us, ms
from pi_app.club.far_player import Correspondence, FarPlayer
from pi_app.devices.dice import Dice
from pi_app.games.all import ALL
from pi_app.journal.store import Journal
from pi_app.match.turns import IN_PLAY, Phase
from pi_app.referee.events import Event, FarSeat, MatchId, Tick
from pi_app.rules.terms import Roll, Side
from pi_app.sensing.noise import PUBLISHED, Noise
from pi_app.sensing.reading import ALARMS
from pi_app.simulator.reeds import read_faults

PATIENT = ms(200)
ALONE = PUBLISHED.but({Noise.TAKEBACK: 0.0, Noise.BEFORE_ROLL: 0.0, Noise.IDLE_PRESS: 0.0})
"""No undo, which needs consent, no entered dice, and no press right after a far play."""


class FarSeconding(Seconding):
    """Waits for the far player however long it takes, and makes its plays."""

    @property
    def is_asked(self) -> bool:
        """The same if a turn was passed there meanwhile."""
        passed = self._view.phase in IN_PLAY and self._view.position != self._truth.text
        return passed or super().is_asked

    def wait(self) -> Script:
        """Until there is something new from there."""
        phase, thrown = self._view.phase, self._view.thrown
        while super().is_asked and (self._view.phase, self._view.thrown) == (phase, thrown):
            yield PATIENT
            if self._view.board in ALARMS:
                yield from arrange(self._hands, self._truth.layout)
        self._catch_up()

    def choose(self) -> Generator[Us, None, Any]:
        """The play that was made there, or None where that was none."""
        while self._view.phase is Phase.MOVING and self._view.chosen is None:
            yield PATIENT
        self._catch_up()
        written, truth = self._view.chosen, self._truth
        plays = (p for p in truth.plays if self._game.write_play(truth.position, p) == written)
        play = next(plays, None)
        if play is not None:
            truth.only = play
        return play

    def _catch_up(self) -> None:
        """A turn in which nothing could move was passed there."""
        if self._view.position != self._truth.text:
            self._truth.roll = Roll.of(1)
            self._truth.played(())
            self._hands.trace.forget()


class LinkedTable(MatchByHands):
    """One of the two boards, with people before it."""

    def __init__(self, folder: Path, near: Side, game: str, wire: LossyWire, seed: str) -> None:
        name = ALL.find(game).board
        board, seat = load_board(name), FarSeat(near.other, NAMES[near.other], LINK)
        faults = read_faults("default", board)
        temper = Temper(resign=0.02, accept=1.0)
        plan = Plan(board, name, game, 1, faults, temper=temper, noise=ALONE, machine=seat.seat)
        folder.mkdir()
        self.journal = Journal(folder / "matches.db")
        super().__init__(plan, f"{seed} {near.value}", Figures(), self.journal)
        self._session = Session(board, self._session.start, self.journal, Dice())
        path, key = folder / f"{LINK}.jsonl", random.Random(f"{seed} {near}").randbytes(32)
        letters = Correspondence.begin(path, LINK, NAMES[near.other], wire.sender(near.other), key)
        self.far = FarPlayer(letters, seat, self._session.game.dice, ())
        self._session.oppose(self.far)
        people = self._people
        people._seconding = FarSeconding(people._attention, people._rng, people._playing)
        self._look()

    @property
    def record(self) -> tuple[str, ...]:
        return common_record(self.journal.decisions(MatchId(1)))

    def instants(self) -> Iterator[None]:
        """The match, one instant after the other; in `now` is when the next one is."""
        script, hands_due, reconcile_due = self._people.match(), Us(0), Us(0)
        while True:
            self.now = min(self._next(hands_due, reconcile_due), Us(self.now + PATIENT))
            yield
            if (due := self._session.due) is not None and due <= self.now:
                self._tell(Tick(self._clock()))
            self._reeds.agenda.run(self.now)
            self._drain()
            if reconcile_due <= self.now:
                reconcile_due = Us(self.now + RECONCILE)
                self._reconcile()
            if hands_due <= self.now:
                hands_due = Us(self.now + next(script, PATIENT))
                self._drain()

    def looks(self) -> None:
        """Read the messages, and agree to the other board's questions."""
        self._tell(Tick(self._clock()))
        if self.far.question:
            self._session.answer(yes=True)

    def _tell(self, event: Event) -> None:
        view, truth = self.view, self._truth
        game = self._session.game
        passed = game.with_mover(game.read_position(view.position), view.to_act.other)
        truth.others |= {game.write_position(passed)}
        super()._tell(event)


MOST_LINES = 30 if one_in(2) > 1 else 100_000
"""The length of a match; thorough runs play to the end."""


def play_both(folder: Path, game: str, seed: str, trouble: float) -> dict[Side, LinkedTable]:
    """A match to one point, the same far on both boards; raises GaveUpError if people gave up."""
    wire = LossyWire(random.Random(f"wire {seed}"), trouble)
    tables = {side: LinkedTable(folder / side.value, side, game, wire, seed) for side in Side}
    going = {side: table.instants() for side, table in tables.items()}
    instants = 0
    while not _is_enough(tables):
        side = min(going, key=lambda side: tables[side].now)
        instants += 1
        # For a while in the middle nothing comes through.
        wire.cut = instants % 4000 > 3700
        next(going[side])
        if wire.waiting:
            wire.deliver(tables)
            for table in tables.values():
                table.looks()
        if tables[side].now > ms(6 * 3_600_000):
            raise GaveUpError(str([table.view.message for table in tables.values()]))
    return tables


def _is_enough(tables: dict[Side, LinkedTable]) -> bool:
    lines = {table.far.talk.place for table in tables.values()}
    over = all(table.view.phase is Phase.MATCH_OVER for table in tables.values())
    return over or (len(lines) == 1 and min(lines) >= MOST_LINES)
