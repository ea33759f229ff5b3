"""The tutor: he speaks up before a blunder counts, and whoever insists keeps it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from coaches import PromptCoaching, at_once
from test_app import AppBench

from pi_app.app.seats import CallThinker
from pi_app.base.microseconds import ms
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.players.contract import CubeOpinion, Opinion, Question, Unit
from pi_app.players.process import Advice, Reply
from pi_app.referee.effects import Cue
from pi_app.referee.events import Button, Press, Tap
from pi_app.rules.contract import AnyGame
from pi_app.sensing.reading import BoardState
from pi_app.user.commands import NewMatch
from pi_app.user.settings import CoachSettings, Settings

FRIENDLY = NewMatch("nannon", ("Ada", "Ben"), None, {"cube": True})
TIMED = {"cube": True, "clock": "plain", "reserve_s": 600, "reserve a point": False}

Sit = Callable[..., AppBench]


class Late:
    """A player whose answers wait for the test."""

    def __init__(self, tell: Callable[[Reply], None]) -> None:
        self.asked: list[tuple[int, Question]] = []
        self._tell = tell

    def ask(self, number: int, question: Question) -> None:
        self.asked.append((number, question))

    def tells(self, opinion: Opinion | CubeOpinion) -> None:
        self._tell(Advice(self.asked[-1][0], opinion))

    def drop(self) -> None:
        """It is never asked to."""

    def close(self) -> None:
        """It has nothing to give back."""


def taking(game: AnyGame, _: str, tell: Callable[[Reply], None]) -> Late:
    """Whoever doubles here errs, and whoever passes does."""
    return AnsweringCubes(tell)


class AnsweringCubes(Late):
    def ask(self, number: int, question: Question) -> None:
        super().ask(number, question)
        if question.roll is None:
            self.tells(CubeOpinion(Unit.POINTS, False, held=0.4, taken=0.1, passed=1.0))


@pytest.fixture
def sit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sit]:
    """Ada and Ben at a board with a tutor; the opening roll is Ada's 2."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    benches = list[AppBench]()

    def sits(
        match: NewMatch = FRIENDLY,
        tutor: str = "untimed",
        call: CallThinker = at_once,
        commit: str = "button",
    ) -> AppBench:
        settings = Settings(coach=CoachSettings(tutor=tutor)).changed("play.commit", commit)
        bench = AppBench(tmp_path, settings=settings, coaching=PromptCoaching(call=call))
        benches.append(bench)
        bench.touch(match)
        bench.set_up()
        for _ in range(2):
            bench.press()
        return bench

    yield sits
    for bench in benches:
        bench.kill()


def plays(bench: AppBench, origin: str, target: str) -> None:
    bench.reed(origin, False)
    bench.reed(target, True)
    bench.after(200)
    assert bench.view.board is BoardState.PLAYED


def blunders(bench: AppBench) -> None:
    """2/4 costs 0.66 points with the cube: 1/3 was better."""
    plays(bench, "2", "4")
    bench.press()


def test_he_speaks_up_before_a_blunder_counts_and_whoever_presses_again_keeps_it(sit: Sit) -> None:
    bench = sit()
    blunders(bench)
    assert bench.view.phase is Phase.MOVING
    assert bench.view.caution == pytest.approx(0.66, abs=0.01)
    assert (bench.view.message, bench.view.hint) == (
        "That costs 0.66 points",
        "Press to keep it, or put the checkers back.",
    )
    assert bench.speaker.played[-1] is Cue.WRONG
    bench.press()
    assert (bench.view.phase, bench.view.caution) == (Phase.TO_ROLL, None)
    assert bench.view.last_play
    assert bench.view.last_play.play == "2/4"


@pytest.mark.parametrize(("side", "warned"), [("white", True), ("black", False)])
@pytest.mark.parametrize("tutor", ["off", "always"])
def test_he_warns_the_one_side_that_was_agreed_on_whatever_is_set(
    tutor: str, side: str, warned: bool, sit: Sit
) -> None:
    """Ada, White, blunders."""
    bench = sit(replace(FRIENDLY, options={"cube": True, "tutor": side}), tutor=tutor)
    blunders(bench)
    assert (bench.view.caution is not None) is warned


def test_checkers_go_back_for_nothing_and_a_good_play_counts_at_once(sit: Sit) -> None:
    bench = sit()
    blunders(bench)
    bench.reed("4", False)
    bench.reed("2", True)
    bench.after(300)
    assert (bench.view.board, bench.view.caution) == (BoardState.RESTING, None)
    plays(bench, "1", "3")
    bench.press()
    assert bench.view.phase is Phase.TO_ROLL


def test_he_speaks_up_again_when_the_blunder_is_made_again(sit: Sit) -> None:
    bench = sit()
    blunders(bench)
    bench.reed("4", False)
    bench.reed("2", True)
    bench.after(300)
    blunders(bench)
    assert bench.view.caution


def test_a_blunder_that_would_count_by_itself_waits_for_a_press(sit: Sit) -> None:
    bench = sit(commit="settle")
    plays(bench, "2", "4")
    bench.after(3000)
    assert (bench.view.phase, bench.view.caution is None) == (Phase.MOVING, False)
    assert bench.view.hint == "Press to keep it, or put the checkers back."
    bench.reed("4", False)
    bench.reed("2", True)
    bench.after(300)
    plays(bench, "2", "4")
    bench.after(3000)
    assert bench.view.caution
    bench.press()
    assert bench.view.phase is Phase.TO_ROLL


def test_a_good_play_counts_by_itself(sit: Sit) -> None:
    bench = sit(commit="settle")
    plays(bench, "1", "3")
    bench.after(3000)
    assert bench.view.phase is Phase.TO_ROLL


def test_the_second_half_of_a_double_press_keeps_nothing(sit: Sit) -> None:
    bench = sit()
    plays(bench, "2", "4")
    bench.after(400)
    for _ in range(2):
        bench.touch(Button(bench.clock(), Press.SHORT))
    assert (bench.view.phase, bench.view.caution is None) == (Phase.MOVING, False)


def test_a_press_never_waits_for_his_opinion(sit: Sit) -> None:
    found = list[Late]()

    def late(game: AnyGame, player: str, tell: Callable[[Reply], None]) -> Late:
        found.append(Late(tell))
        return found[-1]

    bench = sit(call=late)
    assert len(found[0].asked) == 1, "asked once, as the roll came"
    blunders(bench)
    assert bench.view.phase is Phase.TO_ROLL


@pytest.mark.parametrize(
    ("options", "match_to", "tutor", "speaks"),
    [
        ({"cube": True}, 5, "untimed", True),
        (TIMED, 5, "untimed", False),
        (TIMED, 5, "always", True),
        ({"cube": True, "locked": True}, 5, "always", False),
        ({"cube": True, "policy": "responsible moves"}, 5, "always", False),
        ({"cube": True}, 5, "off", False),
    ],
)
def test_where_he_may_not_speak_he_does_not(
    sit: Sit, options: dict[str, bool | int | str], match_to: int, tutor: str, speaks: bool
) -> None:
    bench = sit(NewMatch("nannon", ("Ada", "Ben"), match_to, options), tutor)
    plays(bench, "2", "4") if speaks or "policy" not in options else bench.after(100)
    bench.press()
    assert (bench.view.caution is not None) is speaks


def test_doubles_and_answers_are_weighed_too(sit: Sit) -> None:
    bench = sit(call=taking)
    blunders(bench)
    bench.after(500)
    assert Act.DOUBLE in bench.view.offers
    bench.touch(Tap(bench.clock(), Act.DOUBLE))
    assert (bench.view.phase, bench.view.message) == (Phase.TO_ROLL, "That costs 0.30 points")
    assert bench.view.hint == "The same again keeps it."
    bench.after(500)
    bench.touch(Tap(bench.clock(), Act.DOUBLE))
    assert bench.view.phase is Phase.DOUBLE_OFFERED
    bench.touch(Button(ms(bench.clock.now), Press.LONG))
    assert bench.view.phase is Phase.DOUBLE_OFFERED, "the first press only warns"
    assert bench.view.message == "That costs 0.90 points"
    bench.press()
    assert bench.view.phase.value == Phase.TO_ROLL.value, "to take is right"
