"""A match with a clock is killed in the middle of a turn: resumed, its clock runs and flags fall.
All input comes from the pins, through the program's loop."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from test_app import AppBench

from pi_app.base.microseconds import ms
from pi_app.devices.gpio import GpioBoard
from pi_app.devices.source import DeviceError
from pi_app.match.acts import Act
from pi_app.match.clock import ClockKind
from pi_app.match.turns import Phase
from pi_app.referee.events import MatchId, Picture
from pi_app.referee.view import ClockFace
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState
from pi_app.user.commands import NewMatch, Resume

KINDS = [kind for kind in ClockKind if kind is not ClockKind.NONE]
RESERVE_S = 10


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def face(bench: AppBench) -> ClockFace:
    assert bench.view.clock
    return bench.view.clock


def in_the_middle_of_a_turn(folder: Path, kind: ClockKind) -> AppBench:
    """White has rolled, and the clock runs."""
    bench = AppBench(folder)
    options: dict[str, bool | int | str] = {"clock": kind.value, "reserve_s": RESERVE_S}
    options |= {"reserve a point": False, "cube": False}
    if kind is not ClockKind.PLAIN:
        options["turn_s"] = 2
    bench.touch(NewMatch("nannon", ("Ada", "Ben"), 3, options))
    bench.set_up()
    bench.press()
    bench.press()
    assert bench.view.phase is Phase.MOVING
    bench.after(3_000)
    assert face(bench).runs
    return bench


def started_again(
    before: AppBench, folder: Path, *, standing: Iterable[Sensor] | None = None
) -> AppBench:
    """The plug is pulled and put in again; checkers stand as they stood, or on `standing`."""
    standing = before.source.picture().closed if standing is None else standing
    before.kill()
    bench = AppBench(folder)
    bench.clock.now = before.clock.now + 60_000
    for sensor in standing:
        bench.drive(sensor, closed=True)
    while not bench.queue.empty():
        bench.queue.get()  # a switch that is closed at start makes no edge
    bench.after(1_000)
    bench.touch(Resume())
    return bench


def whats(bench: AppBench) -> list[Act]:
    return [decision.what for decision in bench.opened.journal.decisions(MatchId(1))]


@pytest.mark.parametrize("kind", KINDS)
def test_the_board_stands_as_it_stood_so_the_clock_runs_and_the_flag_falls(
    tmp_path: Path, kind: ClockKind
) -> None:
    before = in_the_middle_of_a_turn(tmp_path, kind)
    holder = before.view.to_act
    bench = started_again(before, tmp_path)
    assert (bench.view.board, face(bench).runs) == (BoardState.RESTING, True)
    left = face(bench)[holder].left_at(bench.clock())
    bench.after(5_000)
    # No new delay: the turn is the same one.
    delay = ms(2_000) if kind is ClockKind.DELAY else ms(0)
    assert ms(5_000) - delay <= left - face(bench)[holder].left_at(bench.clock()) <= ms(5_000)
    bench.after(15_000)
    assert bench.view.phase is Phase.MATCH_OVER
    assert bench.view.score[holder.other] == 3
    assert whats(bench)[-2:] == [Act.RESUMED, Act.FLAG]
    bench.kill()


def test_the_clock_stands_until_the_board_does_as_it_stood(tmp_path: Path) -> None:
    before = in_the_middle_of_a_turn(tmp_path, ClockKind.PLAIN)
    bench = started_again(before, tmp_path, standing=before.source.picture().closed - {Sensor("2")})
    bench.after(60_000)
    assert (bench.view.board is BoardState.RESTING, face(bench).runs) == (False, False)
    bench.reed("2", closed=True)
    bench.after(2_000)
    assert (bench.view.board, face(bench).runs) == (BoardState.RESTING, True)
    bench.after(15_000)
    assert bench.view.phase is Phase.MATCH_OVER
    bench.kill()


def test_sensors_that_answer_late_let_the_clock_run_once_they_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = in_the_middle_of_a_turn(tmp_path, ClockKind.PLAIN)

    def out_of_reach(_: GpioBoard) -> Picture:
        raise DeviceError("the board's sensors cannot be read", "run: spotter doctor")

    with monkeypatch.context() as cut:
        standing = before.source.picture().closed
        cut.setattr(GpioBoard, "picture", out_of_reach)
        bench = started_again(before, tmp_path, standing=standing)
        bench.after(5_000)
        assert not face(bench).runs
    bench.after(5_000)
    assert (bench.view.board, face(bench).runs) == (BoardState.RESTING, True)
    bench.kill()


def test_each_time_it_is_cut_off_the_clock_runs_again(tmp_path: Path) -> None:
    bench = in_the_middle_of_a_turn(tmp_path, ClockKind.PLAIN)
    for _ in range(3):
        bench = started_again(bench, tmp_path)
        assert face(bench).runs
    bench.kill()
