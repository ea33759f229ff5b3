"""The sensors looked at before a match: live contacts, and a walk test led on the screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_app import BOARD, NEW, AppBench, bench

from pi_app.referee.events import Button, Press
from pi_app.screen.ui import Inspected, WalkTest
from pi_app.sensing.description import Sensor
from pi_app.sensing.walk import Ask, Flaw, WalkStage
from pi_app.user.commands import Inspect

__all__ = ["bench"]


def looked_at(bench: AppBench) -> Inspected:
    bench.after(50)
    assert bench.front.shown
    assert bench.front.shown.inspected
    return bench.front.shown.inspected


def walk_of(bench: AppBench) -> WalkTest:
    walk = looked_at(bench).walk
    assert walk
    return walk


def test_contacts_are_live_before_a_match(bench: AppBench) -> None:
    bench.reed("2", True)
    bench.touch(Inspect.LOOK)
    assert looked_at(bench) == Inspected(frozenset({Sensor("2")}))
    bench.reed("4", True)
    bench.reed("2", False)
    assert looked_at(bench).closed == {"4"}


def test_one_checker_on_every_spot_makes_a_walk(bench: AppBench) -> None:
    bench.touch(Inspect.WALK)
    for sensor in BOARD.sensors:
        assert walk_of(bench).ask == Ask(WalkStage.PUT, sensor)
        bench.reed(sensor, True)
        bench.after(300)
        assert walk_of(bench).ask == Ask(WalkStage.TAKE, sensor)
        bench.reed(sensor, False)
        bench.after(300)
    walk = walk_of(bench)
    assert (walk.ask.stage, walk.tried, walk.findings) == (WalkStage.OVER, BOARD.sensors, ())
    assert walk.report == ("Walk test of nannon-6: 6 of 6 sensors work",)


@pytest.mark.parametrize("by_button", [False, True])
def test_what_does_not_close_is_left_with_the_screen_or_the_button(
    bench: AppBench, by_button: bool
) -> None:
    bench.touch(Inspect.WALK)
    bench.touch(Button(bench.clock(), Press.SHORT) if by_button else Inspect.SKIP)
    walk = walk_of(bench)
    assert walk.ask == Ask(WalkStage.PUT, Sensor("2"))
    assert [(one.flaw, one.sensor) for one in walk.findings] == [(Flaw.NEVER, "1")]


def test_what_lies_on_the_board_is_cleared_first(bench: AppBench) -> None:
    bench.reed("5", True)
    bench.touch(Inspect.WALK)
    assert walk_of(bench).ask == Ask(WalkStage.CLEAR, None, (Sensor("5"),))
    bench.reed("5", False)
    bench.after(300)
    assert walk_of(bench).ask.stage is WalkStage.PUT


def test_it_ends_when_the_page_is_left_and_when_a_match_begins(bench: AppBench) -> None:
    bench.touch(Inspect.WALK)
    assert walk_of(bench)
    bench.touch(Inspect.STOP)
    assert bench.front.shown
    assert bench.front.shown.inspected is None
    bench.touch(Inspect.WALK)
    bench.touch(NEW)
    assert bench.front.shown.inspected is None
    bench.set_up()
    bench.touch(Inspect.WALK)
    assert bench.front.shown.inspected is None
    assert bench.view.closed == {"1", "2", "5", "6"}


def test_a_press_in_a_walk_goes_on_with_no_match(tmp_path: Path, bench: AppBench) -> None:
    bench.touch(NEW)
    bench.kill()
    again = AppBench(tmp_path)
    again.touch(Inspect.LOOK)
    again.touch(Button(again.clock(), Press.SHORT))
    assert again.front.shown
    assert again.front.shown.view is None
    again.touch(Inspect.STOP)
    again.touch(Button(again.clock(), Press.SHORT))
    assert again.view.players == ("Ada", "Ben")
    again.kill()
