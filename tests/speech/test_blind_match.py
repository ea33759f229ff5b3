"""Whole matches by people who only hear what Spotter says."""

from __future__ import annotations

import pytest
from known import BOARDS, load_board
from lab.ears import HeardMatch
from lab.figures import Count, Figures
from lab.match_by_hands import Plan
from shares import one_in, some

from pi_app.match.turns import Phase
from pi_app.sensing.noise import PUBLISHED, Noise
from pi_app.simulator.reeds import usual

CALM = PUBLISHED.but(dict.fromkeys((Noise.EARLY_PRESS, Noise.TAKEBACK, Noise.BEFORE_ROLL), 0.0))


@pytest.mark.parametrize("seed", range(10 // one_in(10)))
@pytest.mark.parametrize("game", some([*BOARDS], 4))
def test_a_match_is_played_to_its_end_by_ear(game: str, seed: int) -> None:
    figures = Figures()
    board = load_board(BOARDS[game])
    plan = Plan(board, BOARDS[game], game, 1, usual(CALM), noise=CALM)
    match = HeardMatch(plan, f"ear {seed}", figures)
    match.play()
    assert match.view.phase is Phase.MATCH_OVER, match.said[-8:]
    assert figures.counts[Count.WRONG] == figures.counts[Count.LOST] == 0, match.incidents
    assert match.tally["not warned"] == 0, match.said[-8:]


@pytest.mark.slow
def test_tavli_is_played_to_its_end_by_ear() -> None:
    figures = Figures()
    plan = Plan(load_board("tables-24"), "tables-24", "tavli", 3, usual(CALM), noise=CALM)
    match = HeardMatch(plan, "ear 2", figures)
    match.play()
    assert match.view.phase is Phase.MATCH_OVER, match.said[-8:]
    assert match.view.game_number >= 2, "Portes, then Plakoto; a double win may leave out Fevga"
    assert figures.counts[Count.WRONG] == figures.counts[Count.LOST] == 0, match.incidents
    assert match.tally["not warned"] == 0, match.said[-8:]
