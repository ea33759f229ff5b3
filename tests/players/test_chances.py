"""How games will end, as engines tell it beside their worths: both tell the same."""

from __future__ import annotations

import pytest
from gnubg import needs_gnubg

from pi_app.games.all import ALL
from pi_app.players.contract import Chances, Opinion, Question, Situation
from pi_app.rules.terms import read_roll

POSITIONS = {
    "nannon": ("1ww..bb1 w", "3"),
    "backgammon": ("-b----E-C---eE---c-e----B- w", "31"),
    "portes": ("-b----E-C---eE---c-e----B- b", "64"),
}
NEARLY = {"backgammon": "-A----------------dea--e-- w", "portes": "-A----------------dea--e-- w"}


def asked(game: str, player: str, text: str, roll: str) -> Opinion:
    equipment = ALL.find(game)
    rules = equipment.rules
    question = Question(Situation(rules.read_position(text)), read_roll(roll, rules.dice))
    opinion = question.put(equipment.contender(player).make(rules))
    assert isinstance(opinion, Opinion)
    return opinion


def points_of(chances: Chances) -> float:
    """A game without a cube by what its ends count."""
    return sum(chances.won) - sum(chances.lost)


@pytest.mark.parametrize(
    ("game", "player"),
    [
        ("nannon", "exact"),
        ("backgammon", "network"),
        ("portes", "network-2"),
        pytest.param("backgammon", "gnubg-0", marks=needs_gnubg),
        pytest.param("portes", "gnubg-1", marks=needs_gnubg),
    ],
)
def test_without_a_cube_chances_come_to_the_worth(game: str, player: str) -> None:
    for rated in asked(game, player, *POSITIONS[game]).plays[:5]:
        assert rated.chances
        assert rated.chances.won[0] + rated.chances.lost[0] == pytest.approx(1)
        for ends in (rated.chances.won, rated.chances.lost):
            assert list(ends) == sorted(ends, reverse=True)
        assert points_of(rated.chances) == pytest.approx(rated.worth, abs=1e-6)


@pytest.mark.parametrize("game", NEARLY)
def test_a_play_that_wins_is_certain_and_says_by_how_much(game: str) -> None:
    best = asked(game, "network-2", NEARLY[game], "61").plays[0]
    kinds = len(ALL.find(game).rules.outcome_names)
    won = (1.0, 1.0, 0.0)[:kinds]
    assert best.chances == Chances(won, (0.0,) * kinds)


def test_in_the_pin_game_the_network_tells_wins_and_losses_and_a_tie_is_the_rest() -> None:
    for rated in asked("pin", "network-2", "-o----------------------O- w -", "31").plays:
        assert rated.chances
        ((won,), (lost,)) = rated.chances.won, rated.chances.lost
        assert 0.3 < won < 0.7
        assert 0.99 < won + lost <= 1 + 1e-9


def test_players_by_marks_have_none() -> None:
    assert asked("backgammon", "greedy", *POSITIONS["backgammon"]).plays[0].chances is None
