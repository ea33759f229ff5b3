"""Boards of cells, with a simulated scanner and without: whole matches, and the window's table."""

from __future__ import annotations

import random
from pathlib import Path
from queue import SimpleQueue

import pytest
from known import load_board
from lab.figures import Count, Figures
from lab.match_by_hands import MatchByHands, Plan
from scanner_twin import open_twin
from views import measure

from pi_app.base.microseconds import Us, ms
from pi_app.devices.gpio import GpioBoard, open_factory
from pi_app.referee.events import Event, SensorEdge
from pi_app.rules.terms import Spot
from pi_app.screen.canvas import Disc
from pi_app.simulator.drawing import draw_stage
from pi_app.simulator.reeds import NONE, read_faults
from pi_app.simulator.source import OpenSimulated, open_simulated
from pi_app.simulator.tabletop import SimulatedTable
from pi_app.simulator.window_layout import set_stage

FILE = str(Path(__file__).parent.parent / "boards" / "nannon-scanner.toml")
BOARD = load_board(FILE)


def figures(seed: str, faults: str = "default") -> tuple[Figures, MatchByHands]:
    figures = Figures()
    table = MatchByHands(Plan(BOARD, FILE, "nannon", 3, read_faults(faults, BOARD)), seed, figures)
    table.play()
    return figures, table


def test_whole_matches_through_the_scanner_are_played_without_a_wrong_play() -> None:
    for seed in "abc":
        told, table = figures(seed)
        assert [i for i in table.incidents if i.what is not Count.NEEDLESS] == []
        assert told.counts[Count.MATCHES] == 1
        assert told.counts[Count.PLAYS] > 10
        assert not told.failed


def test_deaf_reeds_are_nudged_there_too() -> None:
    told, table = figures("d", "default,miss=0.1")
    assert [i for i in table.incidents if i.what is not Count.NEEDLESS] == []
    assert told.counts[Count.NUDGES] > 0


def test_a_board_without_a_scanner_stays_on_its_pins() -> None:
    devices = open_simulated(
        load_board("nannon-6"), open_factory("mock"), lambda: ms(0), SimpleQueue[Event]().put
    )
    assert isinstance(devices.source, GpioBoard)
    assert devices.drive_cell is None
    devices.source.close()


@pytest.mark.parametrize("opener", [open_simulated, open_twin])
def test_the_mouse_moves_checkers_over_the_scanners_reeds(opener: OpenSimulated) -> None:
    now, events = Us(0), list[Event]()
    factory = open_factory("mock")
    devices = opener(BOARD, factory, lambda: now, events.append)
    table = SimulatedTable(BOARD, factory, random.Random(1), NONE, devices.drive_cell)

    def run(time_ms: int) -> None:
        nonlocal now
        for _ in range(time_ms):
            now = Us(now + ms(1))
            table.advance(now)
            devices.source.advance(now)

    run(100)
    assert devices.source.picture().closed == {"1", "2", "5", "6"}
    events.clear()
    table.take(now, Spot.read("2"))
    run(50)
    table.put(now, Spot.read("4"))
    run(50)
    edges = [(e.sensor, e.closed) for e in events if isinstance(e, SensorEdge)]
    assert edges == [("2", False), ("4", True)]
    devices.source.close()


def test_an_empty_hand_over_the_board_moves_nothing() -> None:
    factory = open_factory("mock")
    devices = open_simulated(BOARD, factory, lambda: Us(0), SimpleQueue[Event]().put)
    table = SimulatedTable(BOARD, factory, random.Random(1), NONE, devices.drive_cell)
    closed = table.reeds.closed
    table.hover(ms(1), Spot.read("4"))
    assert table.reeds.closed == closed
    devices.source.close()


def test_the_die_button_fills_its_place() -> None:
    factory = open_factory("mock")
    devices = open_simulated(BOARD, factory, lambda: Us(0), SimpleQueue[Event]().put)
    table = SimulatedTable(BOARD, factory, random.Random(1), NONE, devices.drive_cell)
    stage = set_stage((1600, 900), BOARD)
    discs = [shape for shape in draw_stage(stage, table, measure) if isinstance(shape, Disc)]
    around = [disc.radius for disc in discs if disc.centre == stage.button.centre]
    assert max(around) == stage.button.w // 2
    devices.source.close()
