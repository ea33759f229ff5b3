"""Every case of an independent generator, answered with the same set of positions."""

import json

import pytest
from known import ALIKE, GAMES, WITH_OUTSIDE, case_file

from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import read_roll

FEWEST, FEWEST_OUTSIDE = 300, 50


def results(game: AnyGame, position_text: str, roll_text: str) -> list[str]:
    """Every legal result as sorted texts, doubles kept."""
    position = game.read_position(position_text)
    plays = game.plays(position, read_roll(roll_text, game.dice))
    return sorted(game.write_position(game.after(position, play)) for play in plays)


@pytest.mark.slow
@pytest.mark.parametrize("game", WITH_OUTSIDE.rules.values(), ids=WITH_OUTSIDE.rules)
def test_every_case_is_answered_with_the_same_positions(game: AnyGame) -> None:
    lines = case_file(game.name).read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    wrong = [
        case
        for case in cases
        if case["game"] != ALIKE.get(game.name, game.name)
        or results(game, case["position"], case["roll"]) != case["after"]
    ]
    assert wrong == []
    fewest = FEWEST if game.name in GAMES else FEWEST_OUTSIDE
    assert len(cases) >= fewest, f"{case_file(game.name)}: add {fewest - len(cases)} positions"
