"""`tests/lab/run bench` prints each figure once it is measured, also when it is interrupted."""

from __future__ import annotations

import gc
from collections.abc import Callable

import pytest
from known import GAMES, load_board
from lab import bench
from lab.__main__ import main
from lab.figures import Count, Figures
from lab.match_by_hands import MatchByHands, Plan
from shares import some

from pi_app.base.microseconds import Us, ms
from pi_app.games.all import ALL
from pi_app.match.acts import Act
from pi_app.referee.events import Picture, SensorEdge, Start, Tap
from pi_app.referee.lines import write_event
from pi_app.referee.view import View
from pi_app.sensing.description import Board, Sensor
from pi_app.simulator.reeds import NONE

GAMES_ON_BOARDS = [
    pytest.param(game, board, id=f"{game} on {board.name}")
    for game, board in bench.games_on_boards(GAMES)
]

MOST = 400
"""Events of a match: the later ones are no other kinds."""


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
    assert len([*bench._reports(ALL)]) == 6 + len([*bench.games_on_boards(GAMES)]) + len(GAMES)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "board"), some(GAMES_ON_BOARDS, 13))
def test_every_event_of_a_match_is_timed_and_most_are_quick(game: str, board: Board) -> None:
    """The bound is ten times what is aimed at, for test machines are noisy."""
    table = MatchByHands(Plan(board, board.name, game, 1, NONE), "timed", Figures())
    table.play(MOST)
    times = sorted(bench.event_times(board, table.events))
    assert len(times) == len(table.events) - 1 > 30
    assert times[len(times) * 95 // 100] < 50


def test_what_time_alone_changes_between_two_events_is_a_view_of_its_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The program has woken up for it long before the later one comes."""
    between: set[Us] = set()

    def spent(act: Callable[[], object]) -> float:
        view = act()
        assert isinstance(view, View)
        if ms(1000) < view.us < ms(9000):
            between.add(view.us)
            return 5.0
        return 1.0

    monkeypatch.setattr(bench, "spent", spent)
    events = (
        Start(ms(0), "nannon", "nannon-6", None, ("Ada", "Ben")),
        Tap(ms(10), Act.CORRECT, position="1ww..bb1 w"),
        Picture(ms(20), frozenset(map(Sensor, "1256"))),
        SensorEdge(ms(1000), Sensor("2"), False),
        SensorEdge(ms(9000), Sensor("2"), True),
    )
    lines = [write_event(event) for event in events]
    assert bench.event_times(load_board("nannon-6"), lines) == [1.0, 1.0, 1.0, 5.0]
    assert len(between) > 1


def test_what_was_made_at_the_start_is_not_looked_through_for_garbage(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frozen: list[int] = []

    def counted() -> str:
        frozen.append(gc.get_freeze_count())
        return "one: 1 ms"

    monkeypatch.setattr(bench, "_reports", lambda games: (counted,))
    try:
        assert main(["bench"]) == 0
    finally:
        gc.unfreeze()
    assert frozen[0] > 1000


def test_every_game_has_a_board() -> None:
    assert {game for game, _ in bench.games_on_boards(GAMES)} == set(GAMES)


def test_a_match_that_does_not_go_on_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        MatchByHands, "play", lambda table: table.note(Count.STUCK, "nothing goes on")
    )
    said = bench._whole_games("nannon", load_board("nannon-6"))
    assert said == "event to view, nannon on nannon-6: not measured, nothing goes on"
