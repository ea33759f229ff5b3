"""Every case of an independent generator, answered with the same set of positions."""

import json
from pathlib import Path

import pytest
from known import GAMES

from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import read_roll

CASES = Path(__file__).parents[1] / "cases"


def results(game: AnyGame, position_text: str, roll_text: str) -> list[str]:
    """Every legal result as sorted texts, doubles kept."""
    position = game.read_position(position_text)
    plays = game.plays(position, read_roll(roll_text, game.dice))
    return sorted(game.write_position(game.after(position, play)) for play in plays)


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_every_case_is_answered_with_the_same_positions(game: AnyGame) -> None:
    lines = (CASES / f"{game.name}.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines]
    wrong = [
        case
        for case in cases
        if case["game"] != game.name
        or results(game, case["position"], case["roll"]) != case["after"]
    ]
    assert wrong == []
    assert len(cases) >= 300
