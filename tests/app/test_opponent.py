"""The machine in a session: asked when it is its turn, answering whenever it does, or never."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from types import SimpleNamespace

import pytest
from known import find_game, load_board
from shares import some
from thinkers import Nobody, SlowThinker, call_prompt, impostor

from pi_app.app.seats import CallThinker, Opponent, Thinker
from pi_app.app.services import Devices
from pi_app.app.session import Session
from pi_app.base.microseconds import Us, ms
from pi_app.devices.dice import Dice
from pi_app.journal.store import Journal
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.players.process import Conversation, Deadlines, PlayerProcess, Reply, command_of
from pi_app.referee.events import (
    Button,
    MachineSeat,
    Picture,
    Press,
    Rolled,
    RollSource,
    Start,
    Tap,
    Tick,
)
from pi_app.referee.events import (
    Event as AnyEvent,
)
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, Side, Spot, read_roll
from pi_app.sensing.reading import BoardState

BOARD = load_board("nannon-6")
SEAT = MachineSeat(Side.BLACK, "exact")
BY_CHANCE = MachineSeat(Side.BLACK, "random")
GAME = find_game("nannon")
PATIENCE_S = 30.0


def start_of(seat: MachineSeat = SEAT, match_to: int | None = 11) -> Start:
    return Start(Us(0), "nannon", "nannon-6", match_to, ("Ada", "Spotter"), dict(seat.options))


class AgainstIt:
    """Ada against the engine, which is Black; a step takes half a second by default."""

    def __init__(
        self,
        call: CallThinker = call_prompt,
        journal: Journal | None = None,
        latest: Session | None = None,
        *,
        rolls: bool = True,
        match_to: int | None = 11,
        seat: MachineSeat = SEAT,
    ) -> None:
        start = start_of(seat, match_to)
        self.session = latest or Session(BOARD, start, journal, FixedDice())
        self.thinkers: list[SlowThinker] = []
        self.us = self.session.view.us
        lots = random.Random(5)

        def called(game: AnyGame, player: str, tell: Callable[[Reply], None]) -> Thinker:
            thinker = call(game, player, tell)
            if isinstance(thinker, SlowThinker):
                self.thinkers.append(thinker)
            return thinker

        self.session.oppose(Opponent(GAME, seat, called, lots, rolls=lambda: rolls))

    @property
    def view(self) -> View:
        return self.session.view

    def later(self, time_ms: int = 500) -> Us:
        self.us = Us(self.us + ms(time_ms))
        return self.us

    def tell(self, event: AnyEvent) -> View:
        self.session.handle(event)
        return self.view

    def wait(self, time_ms: int = 500) -> View:
        return self.tell(Tick(self.later(time_ms)))

    def press(self, press: Press = Press.SHORT) -> View:
        return self.tell(Button(self.later(), press))

    def tap(self, intent: Act, points: int | None = None, position: str | None = None) -> View:
        return self.tell(Tap(self.later(), intent, points=points, position=position))

    def show(self, position: str) -> View:
        """The hands have made the board stand so."""
        closed = BOARD.closed_by(GAME.checkers_at(GAME.read_position(position)))
        self.tell(Picture(self.later(), closed))
        return self.wait(2500)

    def stand(self, position: str, roll: str | None = None) -> View:
        """Take this position, and the roll if one is given."""
        self.show("1ww..bb1 w")
        self.tap(Act.CORRECT, position=position)
        self.show(position)
        if roll:
            side = GAME.read_position(position).mover
            self.tell(Rolled(self.later(), read_roll(roll, 1), side, RollSource.TYPED))
        return self.view

    def make_its_play(self) -> View:
        """The hand makes the machine's play, or the first there is, and hands over."""
        position = GAME.read_position(self.view.position)
        play = GAME.read_play(position, self.view.legal[0])
        self.show(GAME.write_position(GAME.after(position, play)))
        return self.press()


class FixedDice(Dice):
    """They always show 2."""

    def roll(self, dice: int) -> Roll:
        return Roll.of(*(2,) * dice)


def call_slow(game: AnyGame, player: str, tell: Callable[[Reply], None]) -> SlowThinker:
    return SlowThinker(game, player, tell)


BLACK_TO_PLAY = ("1ww..bb1 b", "2")


def test_it_is_asked_to_warm_up_and_that_answer_moves_nothing() -> None:
    play = AgainstIt(call_slow)
    (thinker,) = play.thinkers
    assert len(thinker.asked) == 1
    thinker.answer()
    assert play.wait().phase is Phase.SET_UP
    assert play.session.trouble is None


def test_it_throws_rolls_and_plays_by_itself() -> None:
    play = AgainstIt()
    play.show("1ww..bb1 w")
    view = play.press()  # Ada throws; the machine throws at once
    assert (view.phase, len(view.thrown)) == (Phase.OPENING_THROW, 2), "both threw 2"
    play.stand("1ww.b.b1 b")
    assert play.view.phase is Phase.MOVING, "it rolled by itself"
    assert play.view.chosen
    assert play.make_its_play().to_act is Side.WHITE


def test_with_the_button_it_thinks_of_the_cube_and_waits_for_the_press() -> None:
    play = AgainstIt(rolls=False)
    assert play.stand("1ww.b.b1 b").phase is Phase.TO_ROLL
    assert not play.view.thinking
    assert play.press().phase is Phase.MOVING


def test_sensing_goes_on_while_it_thinks() -> None:
    play = AgainstIt(call_slow)
    play.stand(*BLACK_TO_PLAY)
    (thinker,) = play.thinkers
    assert play.view.thinking
    asked = len(thinker.asked)
    assert play.show("1ww...b2 b").board is not BoardState.RESTING
    assert play.show("1ww..bb1 b").board is BoardState.RESTING
    assert len(thinker.asked) == asked, "what hands do asks nothing anew"
    thinker.answer()
    assert play.wait().chosen


def test_an_answer_that_comes_too_late_is_not_taken() -> None:
    play = AgainstIt(call_slow)
    play.stand(*BLACK_TO_PLAY)
    (thinker,) = play.thinkers
    number, question = thinker.asked[-1]
    play.tap(Act.CORRECT, position="1w.wb.b1 b")
    assert thinker.dropped
    assert thinker.asked[-1] != (number, question)
    thinker._prompt.ask(number, question)
    assert play.wait().chosen is None
    thinker.answer()
    assert play.wait().chosen


@pytest.mark.parametrize(
    ("position", "roll", "act", "phase"),
    [
        (*BLACK_TO_PLAY, None, Phase.MOVING),
        ("1ww.b.b1 b", None, None, Phase.TO_ROLL),
        ("1ww.b.b1 w", None, "double", Phase.DOUBLE_OFFERED),
        ("1ww.b.b1 w", None, "resign", Phase.RESIGNATION_OFFERED),
    ],
)
def test_in_every_phase_play_goes_on_without_an_answer(
    position: str, roll: str | None, act: str | None, phase: Phase
) -> None:
    play = AgainstIt(call_slow)
    play.stand(position, roll)
    if act == "double":
        play.press(Press.LONG)
    elif act == "resign":
        play.tap(Act.RESIGN, points=1)
    (thinker,) = play.thinkers
    assert play.view.phase is phase
    assert play.view.thinking
    thinker.fail("Restarting it", for_good=False)
    assert play.wait().thinking
    assert play.session.trouble == "Restarting it"
    thinker.fail("It gives no answer")
    assert not play.wait().thinking
    assert play.view.phase is phase
    assert play.session.trouble == "It gives no answer"
    if phase is Phase.MOVING:
        assert len(play.view.legal) > 1
        assert play.make_its_play().to_act is Side.WHITE
    else:
        assert play.press().phase is not phase, "the press does what it does for people"


def test_a_player_that_this_spotter_does_not_have_is_told_of() -> None:
    play = AgainstIt(Nobody)
    play.stand(*BLACK_TO_PLAY)
    assert play.view.silent
    assert play.session.trouble == "Unknown player exact"


@pytest.mark.parametrize(("position", "take"), [("1ww..bb1 w", True), ("0bbb..w0 w", False)])
def test_it_answers_doubles_as_its_player_does(position: str, take: bool) -> None:
    play = AgainstIt(match_to=None)
    play.stand(position)
    view = play.press(Press.LONG)
    assert (view.cube.value, view.phase) == ((2, Phase.TO_ROLL) if take else (1, Phase.GAME_OVER))


@pytest.mark.parametrize(
    ("position", "accepts"),
    [("1ww..bb1 w", True), ("2bb...w0 w", True), ("3b.....0 w", False)],
)
@pytest.mark.parametrize("match_to", [None, 11])
def test_it_accepts_a_point_where_it_expects_no_more(
    position: str, accepts: bool, match_to: int | None
) -> None:
    play = AgainstIt(match_to=match_to)
    play.stand(position)
    view = play.tap(Act.RESIGN, points=1)
    assert view.phase is (Phase.GAME_OVER if accepts else Phase.TO_ROLL)
    if not accepts:
        assert play.tap(Act.RESIGN, points=2).phase is Phase.GAME_OVER


def test_lights_lead_from_where_to_where_until_the_board_shows_the_play() -> None:
    lit: list[tuple[frozenset[Spot], frozenset[Spot]]] = []
    source = SimpleNamespace(lights=lambda *told: lit.append(told))
    devices = Devices(source, *[SimpleNamespace()] * 4)  # type: ignore[arg-type]
    play = AgainstIt()
    view = play.stand(*BLACK_TO_PLAY)
    devices.light(view)
    (move,) = view.to_make
    assert lit.pop() == (frozenset({move.origin, move.target}), frozenset())
    position = GAME.read_position(view.position)
    made = GAME.after(position, GAME.read_play(position, view.chosen or ""))
    devices.light(play.show(GAME.write_position(made)))
    assert lit.pop() == (frozenset(), frozenset())


def test_who_leaves_a_match_dismisses_the_player() -> None:
    play = AgainstIt(call_slow)
    play.session.close()
    assert play.thinkers[0].closed == 1


# Kept and resumed


def killed_in_its_turn(path: Path, pipe: int) -> None:
    """In a child: the machine chooses, its play goes down the pipe, and the power fails."""
    journal = Journal(path)
    journal.begin(start_of(BY_CHANCE), "2026-01-01T00:00:00+00:00")
    play = AgainstIt(journal=journal, seat=BY_CHANCE)
    play.stand(*BLACK_TO_PLAY)
    os.write(pipe, (play.view.chosen or "").encode())
    os.kill(os.getpid(), signal.SIGKILL)


def test_killed_in_its_turn_it_plays_the_same(tmp_path: Path) -> None:
    path, (out, into) = tmp_path / "matches.db", os.pipe()
    child = os.fork()
    if child == 0:
        killed_in_its_turn(path, into)
    os.close(into)
    with os.fdopen(out) as pipe:
        told = pipe.read()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    journal = Journal(path)
    number = journal.unfinished()
    assert number
    match = journal.match(number)
    assert match.start.options["machine"] == "black"
    resumed = Session(BOARD, match.start, journal, Dice(), latest_game=journal.latest_game(number))
    journal.resume(number)
    play = AgainstIt(call_slow, latest=resumed)
    assert told == play.view.chosen
    assert [number for number, _ in play.thinkers[0].asked] == [1], "only to warm up"
    play.us = Us(play.view.us)
    play.show(BLACK_TO_PLAY[0])
    assert play.make_its_play().to_act is Side.WHITE
    journal.close()


# A process

BABBLE = """
asker.send(FromPlayer(None))
while True:
    number, _ = asker.recv()
    asker.send(FromPlayer(number, "play 2/5"))
"""


@contextmanager
def against_a_process(script: str | None = None) -> Iterator[tuple[AgainstIt, PlayerProcess]]:
    """The machine is a process, of Spotter's own or an impostor."""
    made: list[PlayerProcess] = []
    warm = Event()

    def call(game: AnyGame, player: str, tell: Callable[[Reply], None]) -> PlayerProcess:
        command = impostor(script) if script else command_of(game, player)
        conversation = Conversation(game, player, Deadlines(ms(20_000), ms(1000)))

        def heard(reply: Reply) -> None:
            tell(reply)
            warm.set()

        made.append(PlayerProcess(command, conversation, heard))
        return made[0]

    play = AgainstIt(call, seat=BY_CHANCE)
    try:
        assert warm.wait(PATIENCE_S)
        yield play, made[0]
    finally:
        play.session.close()


def until(play: AgainstIt, done: Callable[[], bool]) -> None:
    """Wait in earnest: another process is at work."""
    deadline = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < deadline, play.view.message
        time.sleep(0.01)
        play.wait(1)


def phases(play: AgainstIt) -> Iterator[Phase]:
    """Brings the machine to each phase in which it decides; what it decides, it does in between."""
    play.stand(*BLACK_TO_PLAY)
    yield Phase.MOVING
    play.tap(Act.CORRECT, position="1ww.b.b1 w")
    play.show("1ww.b.b1 w")
    play.press(Press.LONG)
    yield Phase.DOUBLE_OFFERED
    play.tap(Act.CORRECT, position="1ww.b.b1 b")
    yield Phase.TO_ROLL
    play.tap(Act.CORRECT, position="1ww.b.b1 w")
    play.tap(Act.RESIGN, points=1)
    yield Phase.RESIGNATION_OFFERED


@pytest.mark.parametrize("blow", some([signal.SIGKILL, signal.SIGSTOP], 2))
def test_a_process_killed_or_stopped_in_every_phase_answers_after_all(
    blow: signal.Signals,
) -> None:
    with against_a_process() as (play, process):
        decided = []
        pid = process.pid
        assert pid
        os.kill(pid, blow)
        for phase in phases(play):
            assert play.view.phase is phase, "nobody has decided yet"
            play.wait()
            assert play.view.thinking, "nobody waits for it"
            until(play, lambda: not play.view.thinking)
            assert not play.view.silent, play.session.trouble
            decided.append(phase)
            if process.pid:
                os.kill(process.pid, blow)
        assert len(decided) == 4
        until(play, lambda: play.view.phase is Phase.GAME_OVER)


@pytest.mark.parametrize("script", some([BABBLE, "yes", "exit 1", "cat /dev/zero"], 2))
def test_against_one_that_babbles_in_every_phase_play_goes_on(script: str) -> None:
    with against_a_process(script) as (play, _):
        for phase in phases(play):
            until(play, lambda: play.view.silent)
            assert play.view.phase is phase
            assert "random" in (play.session.trouble or "")
            play.press()
        assert play.view.phase is Phase.TO_ROLL, "the resignation was refused by hand"
