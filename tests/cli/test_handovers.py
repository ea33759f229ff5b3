"""`tests/lab/run handovers`: its rows, its files and its errors."""

import pytest
from lab.__main__ import main as lab

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
