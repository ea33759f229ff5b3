"""Linked matches of every game by simulated hands, through both boards' own devices."""

from __future__ import annotations

from pathlib import Path

import pytest
from lab import attention
from lab.figures import Count
from linked_hands import MOST_LINES, play_both
from shares import some

from pi_app.match.turns import Phase
from pi_app.rules.terms import Side


@pytest.mark.parametrize("game", some(["nannon", "portes", "backgammon", "pin", "cannon"], 5))
def test_a_match_by_hands_on_two_boards(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attention, "ROUNDS", 10_000)  # nobody gives up while the wire is cut
    tables = play_both(tmp_path, game, "h1", trouble=0.1)
    for table in tables.values():
        wrong = [i for i in table.incidents if i.what is not Count.NEEDLESS]
        assert [incident.text for incident in wrong] == []
        assert table.view.phase is Phase.MATCH_OVER or len(table.record) >= MOST_LINES
        assert table.far.talk.objection is None
    white, black = (tables[side].record for side in Side)
    assert white == black
    assert len(white) > 5
