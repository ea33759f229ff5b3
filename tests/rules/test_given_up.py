"""A resignation offers exactly what the game can still lose."""

from __future__ import annotations

import random

import pytest
from known import GAMES, find_game

from pi_app.rules.terms import Roll, Side

SINGLE = "single game"


def board(**points: str) -> str:
    """The text of a board with these points; Black's bar comes before 1, White's after 24."""
    return "".join(points.get(f"p{number}", "-") for number in range(26)) + " w"


RACE = board(p6="O", p19="o")
STRAGGLER = board(p6="N", p20="A", p21="o")
OFF = board(p6="N", p19="o")
CONTACT = board(p6="N", p7="A", p5="a", p19="n")


@pytest.mark.parametrize(
    ("name", "text", "ways"),
    [
        ("nannon", "1ww..bb1 w", [SINGLE, "NANNON"]),
        ("nannon", "0ww..bb1 w", [SINGLE]),
        ("backgammon", CONTACT, [SINGLE, "gammon", "backgammon"]),
        ("backgammon", STRAGGLER, [SINGLE, "gammon", "backgammon"]),
        ("backgammon", RACE, [SINGLE, "gammon"]),
        ("backgammon", OFF, [SINGLE]),
        ("portes", RACE, [SINGLE, "double win"]),
        ("portes", OFF, [SINGLE]),
        ("plakoto", f"{CONTACT} -", [SINGLE, "double win"]),
        ("plakoto", f"{OFF} -", [SINGLE]),
        ("fevga", RACE, [SINGLE, "double win"]),
        ("fevga", OFF, [SINGLE]),
        ("pin", f"{STRAGGLER} -", [SINGLE, "gammon", "backgammon"]),
        ("pin", f"{CONTACT} -", [SINGLE, "gammon"]),
        ("pin", f"{OFF} -", [SINGLE]),
        ("cannon", None, [SINGLE]),
    ],
)
def test_what_cannot_happen_any_more_is_not_offered(
    name: str, text: str | None, ways: list[str]
) -> None:
    game = find_game(name)
    position = game.read_position(text) if text else game.start(Side.WHITE)
    assert list(game.resignations(position, Side.WHITE).values()) == ways


@pytest.mark.parametrize("name", GAMES)
def test_however_a_game_ends_it_could_be_given_up_so_at_every_turn(name: str) -> None:
    game, chance = find_game(name), random.Random(7)
    for _ in range(4):
        position, nodes = game.start(Side.WHITE), []
        for _ in range(1_000):
            if game.outcome(position):
                break
            nodes.append(position)
            roll = Roll.of(*(chance.randint(1, 6) for _ in range(game.dice)))
            position = game.after(position, chance.choice(game.plays(position, roll)))
        outcome = game.outcome(position)
        if outcome is None or outcome.winner is None:
            continue
        loser = outcome.winner.other
        named = game.resignations(position, loser)[outcome.points]
        assert all(named in game.resignations(node, loser).values() for node in nodes)
