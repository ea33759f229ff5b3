"""`tests/lab/run handovers`: its rows, its files and its errors."""

from pathlib import Path

import pytest
from known import find_game, load_board
from lab.__main__ import main as lab
from lab.handovers import Answered, TrueTable, trials

from pi_app.__main__ import main

FEW = ["handovers", "--board", "nannon-6-hall", "--positions", "3"]


def test_a_board_that_sees_sides_hands_every_hit_over_at_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert lab([*FEW, "--kind", "touch-press"]) == 0
    head, row, total = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["board", "game", "kind"]
    assert row.split()[:5] == ["nannon-6-hall", "nannon", "touch-press", "3", "3"]
    assert total.split()[1:3] == ["3", "3"]


def test_a_kind_that_a_board_never_shows_has_no_row(capsys: pytest.CaptureFixture[str]) -> None:
    assert lab([*FEW, "--kind", "half-press"]) == 0
    assert "half-press" not in capsys.readouterr().out


def test_the_same_seed_gives_the_same_row(capsys: pytest.CaptureFixture[str]) -> None:
    rows = set()
    for _ in range(2):
        lab([*FEW, "--kind", "opponent-early", "--seed", "x"])
        rows.add(capsys.readouterr().out)
    assert len(rows) == 1


def test_a_refused_play_fails_the_run_and_leaves_its_events(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(TrueTable, "accepted", property(lambda table: False))
    words = [*FEW, "--kind", "hover-before", "--folder", str(tmp_path)]
    assert lab(words) == 1
    _, row, _ = capsys.readouterr().out.splitlines()
    assert row.split()[3:8] == ["3", "0", "0", "0", "3"]
    files = sorted(file.name for file in tmp_path.iterdir())
    assert files == [f"nannon-6-hall-nannon-hover-before-{n}-never.jsonl" for n in (1, 2, 3)]
    assert main(["replay", str(tmp_path / files[0])]) == 0


def test_a_play_that_was_not_made_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the product took another play than the one that lies there."""
    board, game = load_board("nannon-6-hall"), find_game("nannon")
    right = trials(board, game, "hover-before", 2, "1").counts
    monkeypatch.setattr(
        TrueTable, "_meant", property(lambda table: f"not {table.text}"), raising=True
    )
    assert right[Answered.WRONG_PLAY] == 0
    assert trials(board, game, "hover-before", 2, "1").counts[Answered.WRONG_PLAY] == 2
