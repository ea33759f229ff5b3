"""Linked matches of every game: whatever the wire does, both boards keep the same record."""

from __future__ import annotations

from pathlib import Path

import pytest
from linked_boards import LinkedMatch


def agrees(match: LinkedMatch) -> None:
    assert [board.session.trouble for board in match.boards.values()] == [None, None]
    assert match.white.record == match.black.record
    assert match.white.far.talk.record == match.white.record


@pytest.mark.parametrize(
    ("game", "match_to"),
    [("nannon", 5), ("backgammon", 2), ("portes", 1), ("pin", 1), ("cannon", 1)],
)
def test_cut_and_killed_in_every_phase_on_a_bad_wire(
    game: str, match_to: int, tmp_path: Path
) -> None:
    match = LinkedMatch(tmp_path, game, match_to, trouble=0.25)
    met = match.play_with_cuts()
    agrees(match)
    assert len(match.white.record) > 10
    print(sorted((side.value, phase.value) for side, phase in met), len(match.white.record))
