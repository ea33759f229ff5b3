"""`tests/lab/run twins`: plays of a turn that end in the same picture are counted."""

from __future__ import annotations

from collections import Counter

import pytest
from known import find_game, load_board
from lab.twins import count, run

from pi_app.games.all import ALL
from pi_app.rules.terms import Roll


@pytest.mark.parametrize("board", ["tables-24", "tables-24-thrifty", "tables-24-hall"])
def test_two_of_three_plays_look_alike_where_a_stack_is_taller_than_its_sensors(
    board: str,
) -> None:
    """3/off 1/off takes a seventh checker from the ace point, 3/off (3/2/off) does not."""
    game, counts = find_game("fevga"), Counter[str]()
    position = game.read_position("-HBA--a------kb-a--------- w")
    count(game, load_board(board), position, Roll.of(5, 1), counts)
    assert counts == Counter(
        {
            "turns": 1,
            "plays": 3,
            "alike": 2,
            "turns with some": 1,
            "turns with an unseen play": 0,
        }
    )


def test_the_command_prints_shares(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--game", "nannon", "--games", "2", "--seed", "a"], ALL) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("turns")
    assert second.startswith("plays that look like another")
