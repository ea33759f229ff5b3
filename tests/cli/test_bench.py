"""`spotter bench`: a line a figure as it is measured, those there are when it is interrupted."""

from __future__ import annotations

import pytest

from pi_app.__main__ import main
from pi_app.cli import bench
from pi_app.cli.turns_bench import games_on_boards


@pytest.fixture(autouse=True)
def own_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, "")  # the bench sets them; afterwards they are as before


def test_every_figure_is_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "_reports", lambda: (lambda: "one: 1 ms", lambda: "two: 2 ms"))
    assert main(["bench"]) == 0
    assert capsys.readouterr() == ("one: 1 ms\ntwo: 2 ms\n", "")


def test_an_interrupted_bench_has_said_what_it_knows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(bench, "_reports", lambda: (lambda: "one: 1 ms", interrupted))
    assert main(["bench"]) == 130
    assert capsys.readouterr() == ("one: 1 ms\n", "")


def test_every_game_on_every_board_is_measured() -> None:
    assert len([*bench._reports()]) == 1 + len([*games_on_boards()]) + 4
