"""Whole matches with a clock, cut off at random: what was on the disk counts, to a millisecond."""

from __future__ import annotations

import random
import shutil
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest
from known import GAMES, load_board

from pi_app.app.session import Session
from pi_app.base.microseconds import ms
from pi_app.devices.dice import Dice
from pi_app.export.retold import Kept
from pi_app.export.sheet import score_sheet
from pi_app.journal.store import Journal
from pi_app.match.acts import Act
from pi_app.match.clock import ClockKind
from pi_app.match.turns import Phase
from pi_app.referee.events import Button, MatchId, Picture, Press, SensorEdge, Start, Tap, Tick
from pi_app.referee.view import View
from pi_app.rules.terms import Side, Spot
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState
from pi_app.user.settings import Settings

BOARD = load_board("nannon-6")
RESERVE, A_TURN = 3_600_000, 5_000
KINDS = list(ClockKind)[1:]


class Evening:
    """Two players, their dice and a fuse that blows; `ledger` is what the clock must say.

    It has a side's turns by their numbers with the milliseconds that were spent in each; what came
    since the last decision is in `since`, and gone when the power is cut.
    """

    def __init__(self, folder: Path, kind: ClockKind, seed: int) -> None:
        self.folder, self.kind, self.chance = folder, kind, random.Random(seed)
        options: dict[str, bool | int | str] = {"cube": False, "clock": kind.value}
        options |= {"reserve_s": RESERVE // 1000, "reserve a point": False}
        if kind is not ClockKind.PLAIN:
            options["turn_s"] = A_TURN // 1000
        self.start = Start(ms(0), "nannon", "nannon-6", 5, ("Ada", "Ben"), options)
        self.now = self.cuts = self.turns = 0
        self.ledger: dict[Side, dict[int, int]] = {side: defaultdict(int) for side in Side}
        self.since = 0
        self.holder: Side | None = None
        self.journal = Journal(folder / "0.db")
        self.playing = Session(BOARD, self.start, self.journal, Dice(random.Random(seed)))
        self.journal.begin(self.start, "now")

    @property
    def view(self) -> View:
        return self.playing.view

    def think(self, time_ms: int) -> None:
        asked = self.view.board is BoardState.CHOOSE
        self.now += time_ms
        self.playing.handle(Tick(ms(self.now)))
        if self.holder and not asked:
            self.since += time_ms

    def press(self) -> None:
        self.playing.handle(Button(ms(self.now), Press.SHORT))
        self.settle()

    def settle(self) -> None:
        """The decision is on the disk; the other side may have the clock."""
        if not self.playing.decided:
            return
        timed = self.view.phase in (Phase.TO_ROLL, Phase.MOVING)
        holder = self.view.to_act if timed else None
        if self.holder:
            self.ledger[self.holder][self.turns] += self.since
        if holder is not self.holder:
            self.turns += 1
            if holder:
                self.ledger[holder][self.turns] = 0
        self.since, self.holder = 0, holder

    def set_up(self) -> None:
        self.playing.handle(Picture(ms(self.now), BOARD.closed_by(self.view.accepted)))
        self.settle()

    def move(self) -> None:
        """A hand makes one of the legal plays."""
        game, view = GAMES["nannon"], self.view
        position = game.read_position(view.position)
        play = game.read_play(position, self.chance.choice(view.legal))
        for move in game.moves(position, play):
            self.touch(move.origin, closed=False)
            if move.hit:
                self.touch(move.target, closed=False)
            self.touch(move.target, closed=True)

    def touch(self, spot: Spot, *, closed: bool) -> None:
        """The spot's sensor, if it has one, opens or closes."""
        if spot in BOARD.spot_of.values():
            self.playing.handle(SensorEdge(ms(self.now), Sensor(spot.name), closed))
            self.settle()
        self.think(20)

    def cut(self) -> None:
        """Power fails and returns later; no player is charged for time that is not on the disk."""
        self.cuts += 1
        path = self.folder / f"{self.cuts}.db"
        for suffix in ("", "-wal"):
            old = self.folder / f"{self.cuts - 1}.db{suffix}"
            if old.exists():
                shutil.copy(old, path.with_name(path.name + suffix))
        self.now += self.chance.randint(1, 10_000_000)
        self.journal = Journal(path)
        number = self.journal.unfinished()
        assert number
        self.journal.resume(number)
        dice, latest = Dice(random.Random(self.now)), self.journal.latest_game(number)
        self.playing = Session(BOARD, self.start, self.journal, dice, frozenset(), latest)
        closed = BOARD.closed_by(self.view.accepted)
        self.since = 0
        self.playing.handle(Picture(ms(self.now), closed))
        assert [decision.what for decision in self.playing.decided] == [Act.RESUMED]

    def play(self) -> None:
        """One step of whatever comes next, after some thought."""
        self.think(450)
        for _ in range(self.chance.randint(1, 3)):
            self.think(self.chance.choice((1, 450, 4_999, 5_000, 7_321)))
            self.check()
            if self.holder and self.chance.random() < 0.05:
                self.cut()
                self.check()
        if self.view.board is BoardState.CHOOSE:
            self.answer()
        elif self.view.phase is Phase.SET_UP:
            self.set_up()
        elif self.view.phase is Phase.MOVING and self.view.board is BoardState.RESTING:
            self.move()
        self.check()
        if self.view.phase is not Phase.SET_UP:
            self.think(100)
            self.press()
            self.check()

    def answer(self) -> None:
        """Spotter has asked which play it was."""
        play = self.view.choices[0]
        self.playing.handle(Tap(ms(self.now), Act.CHOOSE, play=play))

    def check(self) -> None:
        face = self.view.clock
        assert face
        for side in Side:
            expected = RESERVE - self.costs(side)
            assert face[side].left_at(ms(self.now)) == ms(expected), (self.now, side)

    def costs(self, side: Side) -> int:
        turns = dict(self.ledger[side])
        if self.holder is side:
            turns[self.turns] += self.since
        done = [spent for number, spent in turns.items() if number != self.turns]
        now = turns.get(self.turns, 0)
        match self.kind:
            case ClockKind.DELAY:
                return sum(max(spent - A_TURN, 0) for spent in turns.values())
            case ClockKind.BRONSTEIN:
                return sum(max(spent - A_TURN, 0) for spent in done) + now
            case ClockKind.FISCHER:
                return sum(turns.values()) - A_TURN * len(turns)
            case _:
                return sum(turns.values())


@pytest.mark.parametrize("kind", KINDS)
def test_a_match_that_is_cut_off_again_and_again_is_timed_to_the_millisecond(
    tmp_path: Path, kind: ClockKind
) -> None:
    at = Evening(tmp_path, kind, seed=KINDS.index(kind))
    for _ in range(120):
        if at.view.phase is Phase.MATCH_OVER:
            break
        at.play()
    assert at.cuts > 2
    assert at.turns > 40
    number = MatchId(1)
    decisions = tuple(at.journal.decisions(number))
    assert all(decision.clocks for decision in decisions)
    resumed = [decision for decision in decisions if decision.what is Act.RESUMED]
    assert len(resumed) == at.cuts
    sheet = list(score_sheet(Kept(at.start, decisions, GAMES)))
    assert sheet[2].startswith("Agreed: legal moves")
    assert sheet[3].startswith("Clock: ")
    assert sum(
        "Interrupted; the clocks resume where they stopped: Ada " in line for line in sheet
    ) == (at.cuts)


def test_a_flag_that_falls_is_on_the_disk_and_the_match_is_over(tmp_path: Path) -> None:
    at = Evening(tmp_path, ClockKind.PLAIN, seed=1)
    while not at.holder:
        at.play()
    loser = at.holder
    at.playing.handle(Tick(ms(at.now + 2 * RESERVE)))
    assert at.view.phase is Phase.MATCH_OVER
    assert at.view.score[loser.other] == 5
    again = at.journal
    assert again.unfinished() is None
    flag = list(again.decisions(MatchId(1)))[-1]
    assert (flag.what, flag.by) == (Act.FLAG, loser)
    sheet = list(score_sheet(Kept(at.start, tuple(again.decisions(MatchId(1))), GAMES)))
    name = at.view.player(loser)
    assert any(f"{name}'s flag falls: Ada " in line for line in sheet)
    assert any("on time." in line for line in sheet)


def test_dice_that_were_agreed_on_are_asked_for_whatever_the_settings_say(tmp_path: Path) -> None:
    for agreed, typed in (("typed", frozenset[Side]()), ("device", frozenset(Side))):
        options: dict[str, bool | int | str] = {"dice": agreed}
        start = Start(ms(0), "nannon", "nannon-6", 5, ("Ada", "Ben"), options)
        playing = Session(BOARD, start, None, Dice(random.Random(1)), typed)
        playing.handle(Picture(ms(1), BOARD.closed_by(playing.view.accepted)))
        playing.handle(Button(ms(1_000), Press.SHORT))
        assert bool(playing.view.thrown) is (agreed == "device")


def test_a_match_that_locks_the_coach_has_no_hints_though_the_settings_allow_them() -> None:
    coach = Settings().changed("coach.hints", "always").coach
    for locked in (False, True):
        start = Start(ms(0), "nannon", "nannon-6", 5, ("Ada", "Ben"), {"locked": locked})
        playing = Session(BOARD, start, None, Dice())
        assert playing.hints(coach) is not locked
        assert not playing.hints(replace(coach, hints="never"))
