"""A part of what `tests/reckless.py` does a hundred thousand times."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from known import load_board
from reckless import run

from pi_app.boards import board_names


@pytest.mark.slow
@pytest.mark.parametrize("board", board_names())
def test_no_match_is_lost_to_reckless_players(
    board: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    starts, begun = run(tmp_path / "spotter", load_board(board), random.Random(board), 1200)
    assert starts > 3
    assert begun > 0
