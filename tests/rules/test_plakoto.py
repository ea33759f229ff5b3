"""Plakoto: the Pin game's moves, with Tavli's points."""

import pytest
from known import find_game

from pi_app.rules.contract import AnyGame
from pi_app.rules.tables.pin import PIN_GAME, PLAKOTO
from pi_app.rules.terms import Outcome, Roll, Side

WHITE, BLACK = Side.WHITE, Side.BLACK
GAME: AnyGame = PLAKOTO


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        # In the Pin game these count 10 points and 180.
        ("-------------------a-a---- b -", Outcome(WHITE, 1, "win")),
        ("-------------------o------ b -", Outcome(WHITE, 2, "double win")),
        ("-A--DEE-----------dee----- b 1", Outcome(WHITE, 2, "mother")),
        ("-A----------------------a- w 1,24", Outcome(None, 0, "tie")),
        # White still has checkers on his own start: play continues.
        ("-A--DED-----------dee---A- b 1", None),
    ],
)
def test_ends(text: str, outcome: Outcome | None) -> None:
    position = GAME.read_position(text)
    assert GAME.outcome(position) == outcome


def test_it_moves_as_the_pin_game_and_is_offered_beside_it() -> None:
    assert find_game("plakoto") is PLAKOTO
    for side in Side:
        start = PLAKOTO.start(side)
        assert start == PIN_GAME.start(side)
        for roll in (Roll.of(6, 4), Roll.of(3, 3)):
            assert PLAKOTO.plays(start, roll) == PIN_GAME.plays(start, roll)
    assert PLAKOTO.title != PIN_GAME.title
    assert PLAKOTO.book.keys() == PIN_GAME.book.keys()
