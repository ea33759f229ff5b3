"""The simplest players: one by chance, and the greedy ones of the tables games."""

from __future__ import annotations

import pytest
from known import GAMES, find_game

from pi_app.games.all import ALL
from pi_app.players.contract import Opinion, Situation
from pi_app.players.judging import Weights, marks_of
from pi_app.rules.terms import Roll, Side, TextError, read_roll


def ask(name: str, position: str, roll: str, player: str = "greedy") -> tuple[Opinion, list[str]]:
    game = find_game(name)
    stands = game.read_position(position)
    judge = ALL.find(name).contender(player).make(game)
    opinion = judge.rate(Situation(stands), read_roll(roll, game.dice))
    return opinion, [game.write_play(stands, play) for play in opinion.best]


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_player_by_chance_who_finds_all_plays_alike(name: str) -> None:
    game = find_game(name)
    player = ALL.find(name).contender("random").make(game)
    situation = Situation(game.start(Side.WHITE))
    roll = Roll.of(*range(1, game.dice + 1))
    opinion = player.rate(situation, roll)
    assert set(opinion.best) == set(game.plays(situation.position, roll))
    assert player.weigh(situation) is None


def test_a_player_that_a_game_has_not_is_named_with_those_it_has() -> None:
    with pytest.raises(
        TextError, match=r"'exact' is not known here; choose one of: .*greedy, random"
    ):
        ALL.find("pin").contender("exact")


@pytest.mark.parametrize(
    ("name", "position", "roll", "best"),
    [
        # A checker alone is hit, though that leaves two of his own alone.
        ("backgammon", "-b----E-C---dE---c-ea---B- w", "41", "24/23 24/20*"),
        ("pin", "-n----------------a-----O- w -", "62", "24/22 24/18*"),
        # Nobody to strike: the point is made that the roll makes.
        ("portes", "-b----E-C---eE---c-e----B- w", "31", "8/5 6/5"),
        # Who can win now does.
        ("pin", "-A-----------------f------ w -", "21", "1/off"),
    ],
)
def test_greed(name: str, position: str, roll: str, best: str) -> None:
    assert best in ask(name, position, roll)[1]


def test_a_hit_is_taken_whenever_there_is_one() -> None:
    game = find_game("backgammon")
    position = game.read_position("-a----E-C---eE---c-e-a--B- w")
    opinion, _ = ask("backgammon", "-a----E-C---eE---c-e-a--B- w", "32")
    hits = [any(move.hit for move in rated.play) for rated in opinion.plays]
    assert any(hits)
    assert hits == sorted(hits, reverse=True), "no play without a hit is before one with"
    assert len(opinion.plays) == len(game.plays(position, Roll.of(3, 2)))


def test_a_checker_alone_costs_only_while_an_enemy_may_come() -> None:
    """With Black behind, on his 3-point, two men alone are two marks less; past him, nothing."""
    marks = marks_of(Weights(struck=0, off=0, point=0, home_point=0, blot=-1, pip=0))
    game = find_game("backgammon")
    for position, worth in {
        "--A-A------------------c-- w": 0,
        "-c-A-A-------------------- w": -2,
        "---A-A-------------------- w": 0,
        "a--A-A-------------------- w": -2,
        "---AaA-------------------- w": -1,
    }.items():
        assert marks(game.read_position(position), Side.WHITE) == worth, position
