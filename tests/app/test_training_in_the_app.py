"""Training in the running program: by the button alone, heard, and never in the way of a match."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from coaches import PromptCoaching, doubtful, drill_scenes
from test_app import NEW
from test_speaking import SpokenBench

from pi_app.coach.study import FILE as RATINGS
from pi_app.coach.training import FILE, Exercise, TrainingFile
from pi_app.match.turns import Phase
from pi_app.referee.events import Button, Press
from pi_app.referee.view import TourStep
from pi_app.user.commands import Train

CUBE = Exercise("nannon 1ww..bb1 w to=7", note="the start")
PLAY = Exercise("nannon 1ww..bb1 w roll=6 to=7")


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SpokenBench]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    TrainingFile(tmp_path / FILE).change(lambda training: training.adding("Ada", (CUBE, PLAY)))
    bench = SpokenBench(tmp_path, coaching=PromptCoaching(tmp_path / RATINGS, call=doubtful))
    yield bench
    bench.kill()


def boxes(folder: Path) -> dict[str, int]:
    some = TrainingFile(folder / FILE).training.players["Ada"]
    return {one.position: one.box for one in some}


def hold(bench: SpokenBench) -> None:
    bench.after(400)
    bench.touch(Button(bench.clock(), Press.LONG))


def test_two_presses_answer_a_cube_decision_and_lead_on(bench: SpokenBench, tmp_path: Path) -> None:
    bench.touch(Train("Ada"))
    assert bench.view.phase is Phase.SET_UP
    bench.set_up()
    assert (bench.view.tour, bench.view.phase) == (TourStep.HANDS, Phase.TO_ROLL)
    bench.press()  # to roll without a double is the wrong answer
    assert bench.view.tour is TourStep.JUDGED
    assert bench.view.message == "Error −0.111 points · best double"
    assert "the start" in bench.view.hint
    assert boxes(tmp_path)[CUBE.position] == 0
    hold(bench)  # the same again
    hold(bench)
    assert bench.view.message == "Best play"
    assert boxes(tmp_path)[CUBE.position] == 1
    bench.press()
    assert (bench.view.roll, bench.view.phase) == ("6", Phase.MOVING)
    heard = " ".join(bench.mouth.said)
    for words in ("Set up this position.", "best double. the start", "Best play."):
        assert words in heard, bench.mouth.said


def test_a_puzzle_is_played_on_the_board_before_what_is_due(
    bench: SpokenBench, tmp_path: Path
) -> None:
    puzzle = CUBE.position.replace("to=7", "to=9")
    bench.touch(Train("Nobody", puzzle))
    assert "the last exercise" in bench.view.hint
    bench.touch(Train())
    bench.touch(Train("Ada", puzzle))
    assert "Training of Ada: 3 exercises." in bench.view.hint
    bench.set_up()
    assert puzzle not in boxes(tmp_path)
    bench.press()
    assert boxes(tmp_path) == {CUBE.position: 0, PLAY.position: 0, puzzle: 0}
    hold(bench)
    assert bench.view.match_to == 9, "the same again"


def test_it_is_left_at_any_time_and_nothing_of_it_is_a_match(bench: SpokenBench) -> None:
    bench.touch(Train("Ada"))
    bench.set_up()
    bench.touch(Train())
    assert bench.front.shown
    assert bench.front.shown.view is None
    assert not bench.opened.journal.has_matches
    bench.touch(Train())
    bench.touch(Train("Nobody"))
    assert bench.front.shown.view is None


def test_it_interrupts_no_match(bench: SpokenBench) -> None:
    bench.touch(NEW)
    bench.touch(Train("Ada"))
    assert bench.view.tour is None
    assert bench.view.players == ("Ada", "Ben")


def test_an_answer_is_shown_with_its_roll() -> None:
    shown, _ = dict(drill_scenes("backgammon"))["drill backgammon wrong"]
    assert shown.view is not None
    assert [(one.play, one.roll) for one in shown.view.last_plays] == [("12/14 19/22", "3-2")]
