"""Trainings in the running program by simulated hands: from a kept match of each game."""

from __future__ import annotations

import os
import signal
import traceback
from pathlib import Path

import pytest
from any_table import AnyTable
from coaches import Doubtful, doubtful
from guests import Guests, paint_seldom
from known import GAMES
from shares import one_in, some
from stored import store
from views import does

from pi_app.coach.training import FILE as TRAINING
from pi_app.coach.training import Exercise, read_training
from pi_app.journal.opening import FILE
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.players.contract import Situation
from pi_app.referee.events import Button, Press, Tap
from pi_app.referee.view import TourStep
from pi_app.rules.terms import read_roll
from pi_app.screen.actions import begin_training, open_analysis, open_match
from pi_app.screen.ui import Page

EXERCISES = 2 * (5 // one_in(2))
"""Half of them before the program is killed, half of them after it."""
WRONG = (1, EXERCISES - 1)
"""Which of them are answered wrongly, counted from 0."""
DECISIONS = 240 // one_in(3)
"""The longest match that is kept: each of its errors is an exercise."""
NAME = "Ann"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    paint_seldom(monkeypatch)
    return tmp_path / "journal"


def keep_match(folder: Path, game: str) -> None:
    """A match by chance, in which nobody doubles."""
    table = AnyTable(game, 21, seed=6)
    while table.view.phase is not Phase.MATCH_OVER and len(table.decided) < DECISIONS:
        table.goes_on()
    folder.mkdir(exist_ok=True)
    store(folder / FILE, table)


class Trainee(Guests):
    """One who trains by what the screen and the board show."""

    def open_training(self) -> None:
        """By touches alone, from the first page over the analysis of the kept match."""
        self.touch(self.labels()["Matches"])
        assert self.touch_what(lambda a: does(a, open_match))
        assert self.touch_what(lambda a: does(a, open_analysis))
        self.touch(self.labels()["Training"])

    def begin_training(self) -> None:
        assert self.touch_what(lambda a: a == begin_training(NAME))
        assert self.picture.page is Page.PLAY

    @property
    def stored(self) -> dict[str, Exercise]:
        """What is on disk, by position."""
        text = self.opened.journal.path.with_name(TRAINING).read_text()
        return {one.position: one for one in read_training(text).players[NAME]}

    @property
    def asked(self) -> str:
        """The exercise that is asked now: the first that is due."""
        some = read_training(self.opened.journal.path.with_name(TRAINING).read_text())
        today = self.front_today
        due = (one for one in some.players[NAME] if one.due <= today and (one.cost or 1) > 0.06)
        return next(due).position

    @property
    def front_today(self) -> str:
        return self.app._today.isoformat()

    def set_up(self) -> None:
        while self.view.tour is TourStep.SET_UP:
            self.arrange(self.view.accepted)
            self.wait(900)
        assert self.view.tour is TourStep.HANDS

    def answer(self, *, right: bool) -> None:
        """With the checkers, or with the button: who may double should, says a doubtful coach, and
        is taken."""
        if self.view.phase is not Phase.MOVING:
            doubles = self.view.phase is Phase.TO_ROLL
            self.press(Press.LONG if right is doubles else Press.SHORT)
        else:
            self._play(right=right)
        assert self.view.tour is TourStep.JUDGED, self.view

    def _play(self, *, right: bool) -> None:
        view, game = self.view, self.game
        position, roll = game.read_position(view.position), read_roll(view.roll or "", game.dice)
        plays = Doubtful(game).rate(Situation(position), roll).plays
        wanted = game.after(position, plays[0 if right else -1].play)
        self.arrange(game.checkers_at(wanted))
        self.wait(900)
        while self.view.tour is not TourStep.JUDGED:
            for play in self.view.choices:
                if game.after(position, game.read_play(position, play)) == wanted:
                    self.app.obey(Tap(self.now, Act.CHOOSE, play))
            self.press()

    def train(self, *, right: bool) -> str:
        """Answer what is asked now, which is returned; its box shows that the answer counted."""
        asked = self.asked
        self.set_up()
        self.answer(right=right)
        assert self.stored[asked].box == right, self.view.message
        self.press()
        return asked

    def press(self, press: Press = Press.SHORT) -> None:
        self.app.obey(Button(self.now, press))
        self.wait(700)


def train_until_killed(folder: Path, pipe: int) -> None:
    """In a child: what was asked goes down the pipe; in the middle of the next comes kill -9."""
    trainee = Trainee(folder, seed=2, call=doubtful)
    trainee.open_training()
    trainee.begin_training()
    for number in range(EXERCISES // 2):
        asked = trainee.train(right=number not in WRONG)
        os.write(pipe, f"{asked}\n".encode())
    os.write(pipe, trainee.asked.encode())
    trainee.set_up()
    os.kill(os.getpid(), signal.SIGKILL)


def killed_in_training(folder: Path) -> list[str]:
    """The exercises that a program had asked when it was killed."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            train_until_killed(folder, into)
        finally:
            traceback.print_exc()
            os._exit(1)
    os.close(into)
    with os.fdopen(out) as pipe:
        asked = pipe.read().splitlines()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL, asked
    return asked


@pytest.mark.parametrize("game", some([*GAMES], 4))
def test_exercises_of_a_kept_match_over_a_kill_and_wrong_ones_come_back(
    folder: Path, game: str
) -> None:
    keep_match(folder, game)
    *answered, interrupted = killed_in_training(folder)
    trainee = Trainee(folder, seed=3, call=doubtful)
    boxes = [trainee.stored[asked].box for asked in answered]
    assert boxes == [number not in WRONG for number in range(EXERCISES // 2)]
    trainee.touch(trainee.labels()["Matches"])
    trainee.touch(trainee.labels()["Training"])
    trainee.begin_training()
    assert trainee.asked == interrupted
    assert interrupted.startswith(f"{game} {trainee.view.position}")
    for number in range(EXERCISES // 2, EXERCISES):
        answered.append(trainee.train(right=number not in WRONG))
    wrong = [answered[number] for number in WRONG]
    assert len(set(wrong)) == len(WRONG)
    while trainee.asked != wrong[0]:
        trainee.train(right=True)
    trainee.train(right=True)
    trainee.opened.close()
