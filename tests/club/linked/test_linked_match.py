"""Linked matches of every game: whatever the wire does, both boards keep the same record."""

from __future__ import annotations

from pathlib import Path

import pytest
from linked_boards import LinkedMatch

from pi_app.games.all import ALL

GAMES = [(game.rules.name) for game in ALL.games]


def agrees(match: LinkedMatch) -> None:
    assert [board.session.trouble for board in match.boards.values()] == [None, None]
    assert match.white.record == match.black.record
    assert match.white.far.talk.record == match.white.record


@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_every_game_on_a_sound_wire(game: str, tmp_path: Path) -> None:
    match = LinkedMatch(tmp_path, game, 1)
    match.play()
    agrees(match)
    assert len(match.white.record) > 10
