"""`spotter bench`: a line a figure as it is measured, those there are when it is interrupted."""

from __future__ import annotations

import pytest
from known import GAMES, load_board
from shares import some

from pi_app.__main__ import main
from pi_app.cli import bench
from pi_app.games.all import ALL
from pi_app.sensing.description import Board
from pi_app.simulator.faults import NONE
from pi_app.simulator.figures import Count, Figures
from pi_app.simulator.table import Plan, Table

GAMES_ON_BOARDS = [
    pytest.param(game, board, id=f"{game} on {board.name}")
    for game, board in bench.games_on_boards(GAMES)
]


@pytest.fixture(autouse=True)
def own_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, "")  # the bench sets them; afterwards they are as before


def test_every_figure_is_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "_reports", lambda games: (lambda: "one: 1 ms", lambda: "two: 2 ms"))
    assert main(["bench"]) == 0
    assert capsys.readouterr() == ("one: 1 ms\ntwo: 2 ms\n", "")


def test_an_interrupted_bench_has_said_what_it_knows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(bench, "_reports", lambda games: (lambda: "one: 1 ms", interrupted))
    assert main(["bench"]) == 130
    assert capsys.readouterr() == ("one: 1 ms\n", "")


def test_every_game_on_every_board_is_measured() -> None:
    assert len([*bench._reports(ALL)]) == 5 + len([*bench.games_on_boards(GAMES)]) + len(GAMES)


@pytest.mark.parametrize(("game", "board"), some(GAMES_ON_BOARDS, 3))
def test_every_event_of_a_match_is_timed_and_most_are_quick(game: str, board: Board) -> None:
    """The bound is ten times what is aimed at, for test machines are noisy."""
    table = Table(Plan(board, board.name, game, 1, NONE), "timed", Figures())
    table.play()
    times = sorted(bench.event_times(board, table.events))
    assert len(times) == len(table.events) - 1 > 30
    assert times[len(times) * 95 // 100] < 50


def test_every_game_has_a_board() -> None:
    assert {game for game, _ in bench.games_on_boards(GAMES)} == {
        "nannon",
        "backgammon",
        "portes",
        "pin",
        "cannon",
    }


def test_a_match_that_does_not_go_on_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "play", lambda table: table.note(Count.STUCK, "nothing goes on"))
    said = bench._whole_games("nannon", load_board("nannon-6"))
    assert said == "event to view, nannon on nannon-6: not measured, nothing goes on"
