"""Open Sage as a player: its boards are ours, and where it is installed it plays what is legal."""

from __future__ import annotations

import random
from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

import pytest
from known import find_game

from pi_app.games.all import ALL
from pi_app.match.score import Agreement, Cube, Score, Standing
from pi_app.players.contract import UNLIMITED, PlayerError, Situation
from pi_app.players.gnubg import sage
from pi_app.players.gnubg.player import EngineLevel
from pi_app.players.gnubg.sage import Sage, SagePlayer, board_of
from pi_app.rules.tables.position import TablesPosition
from pi_app.rules.terms import Roll, Side

GAME = find_game("backgammon")
MONEY = Agreement(None, cube=True, crawford=False, tie_turns_cube=False)
TO_SEVEN = Agreement(7, cube=True, crawford=True, tie_turns_cube=False)
OPENING = Situation(GAME.start(Side.WHITE), MONEY)
ODDS = [0.5, 0.1, 0.0, 0.1, 0.0]
needs_sage = pytest.mark.skipif(not find_spec("bgsage"), reason="bgsage is not installed")


def wandered(number: int) -> list[tuple[TablesPosition, Roll]]:
    """Positions and rolls of games by chance, both sides' and with men on the bars."""
    dice = random.Random(4)
    found: list[tuple[TablesPosition, Roll]] = []
    position = GAME.start(Side.WHITE)
    while len(found) < number:
        if GAME.outcome(position):
            position = GAME.start(Side.BLACK)
        roll = Roll.of(dice.randint(1, 6), dice.randint(1, 6))
        found.append((position, roll))
        position = GAME.after(position, dice.choice(GAME.plays(position, roll)))
    return found[::4]


class Reciter:
    """An engine that lists these plays, the next one worth less than the one before."""

    def __init__(self, *plays: object) -> None:
        self._plays = plays

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        listed = [[play, 1, -float(number), ODDS] for number, play in enumerate(self._plays)]
        return {"position": question["position"], "ends": None, "plays": listed}


def test_a_board_is_the_position_after_the_play() -> None:
    asked = wandered(200)
    assert any("A" in GAME.write_position(position)[25] for position, _ in asked)
    for position, roll in asked:
        plays = GAME.plays(position, roll)
        results = [GAME.after(position, play) for play in plays]
        if position.men(position.mover) in [r.men(position.mover) for r in results]:
            continue  # a forfeit is not asked about
        boards = [board_of(result.with_mover(position.mover)) for result in results]
        player = SagePlayer(GAME, EngineLevel(1), Reciter(*boards))
        told = player.rate(Situation(position, MONEY), roll)
        assert [rated.play for rated in told.plays] == list(plays)


@pytest.mark.parametrize("board", ["8/5 6/5", [], [0] * 25, None])
def test_what_is_no_board_is_nonsense(board: object) -> None:
    with pytest.raises(PlayerError, match="nonsense"):
        SagePlayer(GAME, EngineLevel(1), Reciter(board)).rate(OPENING, Roll.of(3, 1))


def test_where_it_is_missing_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sage, "find_spec", lambda name: None)
    contender = ALL.find("portes").contenders["bgsage-1"]
    assert contender.missing() == sage.MISSING()
    assert "bgsage-1" not in ALL.find("portes").present
    with pytest.raises(PlayerError, match="is not installed"):
        contender.make(find_game("portes"))


@needs_sage
@pytest.mark.parametrize("plies", [1, 2])
def test_it_plays_what_is_legal_and_what_nobody_doubts(plies: int) -> None:
    player = SagePlayer(GAME, EngineLevel(plies), Sage(plies))
    dice = random.Random(5)
    for position, roll in wandered(60):
        agreement = dice.choice((UNLIMITED, MONEY, TO_SEVEN))
        score = Score(dice.randrange(7), dice.randrange(7))
        standing = Standing(score, Cube(2, dice.choice(list(Side))), 2, False, True)
        told = player.rate(Situation(position, agreement, standing), roll)
        assert {one.play for one in told.plays} == set(GAME.plays(position, roll))
        assert agreement.match_to is None or all(0 <= one.worth <= 1 for one in told.plays)
    (best,) = player.rate(OPENING, Roll.of(3, 1)).best
    assert GAME.write_play(best) == "8/5 6/5"
    weighed = player.weigh(OPENING)
    assert weighed is not None
    assert (weighed.double, weighed.take) == (False, True)
