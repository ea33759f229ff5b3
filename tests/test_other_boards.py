"""A match on another board than the one that lies there: where boards are at hand it comes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory
from known import GAMES, boards_of, load_board
from scanner_twin import open_twin
from test_app import AppBench

from pi_app.app.services import BoardCatalog
from pi_app.devices.source import DeviceError, SensorSource
from pi_app.match.turns import Phase
from pi_app.sensing.description import Board
from pi_app.user.commands import NewMatch, Resume


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppBench]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    bench = AppBench(tmp_path)
    yield bench
    bench.kill()


class Cabinet:
    """A factory of simulated boards that records its calls."""

    def __init__(self, bench: AppBench) -> None:
        self.sources: list[SensorSource] = []
        self.bench, self.fetched, self.stuck = bench, list[str](), False
        catalog = BoardCatalog(boards_of(), self.fetch)
        bench.app._services = replace(bench.app._services, boards=catalog)

    def fetch(self, name: str) -> tuple[Board, SensorSource]:
        if self.stuck:
            raise DeviceError("the cupboard is locked", "find the key")
        self.fetched.append(name)
        board, bench = load_board(name), self.bench
        opened = open_twin(board, MockFactory(), bench.clock, bench.queue.put)
        self.sources.append(opened.source)
        return board, opened.source


def test_a_match_on_another_board_brings_that_board(bench: AppBench) -> None:
    cabinet = Cabinet(bench)
    bench.after(50)
    assert bench.front.shown is not None
    assert set(bench.front.shown.games) == set(GAMES)
    bench.touch(NewMatch("portes", ("Ada", "Ben"), 3, {}))
    assert (bench.view.game, cabinet.fetched) == ("portes", ["tables-24"])
    assert bench.front.shown.board.name == "tables-24"
    bench.touch(NewMatch("pin", ("Ada", "Ben"), 3, {}))
    assert (bench.view.game, cabinet.fetched) == ("pin", ["tables-24"])
    bench.after(500)
    assert "the scanner answers" in bench.front.shown.status[0]


def test_the_match_that_was_left_is_gone_on_with_on_its_own_board(tmp_path: Path) -> None:
    bench = AppBench(tmp_path)
    Cabinet(bench)
    bench.touch(NewMatch("cannon", ("Ada", "Ben"), 1, {}))
    bench.kill()
    again = AppBench(tmp_path)
    cabinet = Cabinet(again)
    again.touch(Resume())
    assert (again.view.game, cabinet.fetched) == ("cannon", ["cannon-10"])
    again.kill()


def test_a_board_that_cannot_be_fetched_leaves_everything_as_it_was(bench: AppBench) -> None:
    cabinet = Cabinet(bench)
    bench.touch(NewMatch("nannon", ("Ada", "Ben"), 3, {}))
    cabinet.stuck = True
    bench.touch(NewMatch("backgammon", ("Ada", "Ben"), 3, {}))
    assert bench.front.shown is not None
    assert (bench.view.game, bench.front.shown.board.name) == ("nannon", "nannon-6")
    assert "the cupboard is locked; find the key" in bench.front.shown.notices[-1]
    bench.set_up()
    assert bench.view.phase is Phase.OPENING_THROW


def test_without_other_boards_no_other_games_are_offered(bench: AppBench) -> None:
    bench.after(50)
    assert bench.front.shown is not None
    assert set(bench.front.shown.games) == {"nannon"}
    bench.touch(NewMatch("backgammon", ("Ada", "Ben"), 3, {}))
    assert bench.front.shown.view is None
    assert bench.front.shown.notices
