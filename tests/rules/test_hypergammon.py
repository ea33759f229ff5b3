"""Hypergammon: Backgammon with three checkers a side."""

import pytest
from tables_words import explained, plays

from pi_app.rules.tables.hypergammon import HYPERGAMMON as GAME
from pi_app.rules.terms import Outcome, PositionError, Side

WHITE, BLACK = Side.WHITE, Side.BLACK
START = "-aaa------------------AAA- w"


def test_three_checkers_start_on_24_23_and_22() -> None:
    assert GAME.write_position(GAME.start(WHITE)) == START
    assert GAME.pips(GAME.start(WHITE), BLACK) == 24 + 23 + 22


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        (START, None),
        ("-A----------------------a- w", None),
        ("-------------------a------ b", Outcome(WHITE, 1, "win")),
        ("-------------------aaa---- b", Outcome(WHITE, 2, "gammon")),
        ("------------------aaa----- b", Outcome(WHITE, 2, "gammon")),
        ("------a-------------aa---- b", Outcome(WHITE, 3, "backgammon")),
        ("a-------------------aa---- b", Outcome(WHITE, 3, "backgammon")),
        ("-------------------------C w", Outcome(BLACK, 3, "backgammon")),
        ("-------------------------B w", Outcome(BLACK, 1, "win")),
    ],
)
def test_three_off_win_and_a_loser_with_none_off_loses_more(
    text: str, outcome: Outcome | None
) -> None:
    assert GAME.outcome(GAME.read_position(text)) == outcome


def test_what_may_be_given_up_falls_with_the_first_checker_off() -> None:
    for text, most in (
        (START, 3),
        ("-AB----------------aaa---- w", 2),
        ("-AA----------------aaa---- w", 1),
    ):
        position = GAME.read_position(text)
        assert max(GAME.resignations(position, WHITE)) == most, text


def test_all_three_at_home_bear_off() -> None:
    assert plays(GAME, "-A--A-A------------aaa---- w", "64") == {"6/off 4/off", "6/2 4/off"}
    broken = explained(GAME, "-A--A--A-----------aaa---- w", "64", "4 off.white")
    assert broken is not None
    assert broken.rule.identifier == "not-all-home"


def test_what_is_missing_of_three_is_off_and_a_fourth_is_refused() -> None:
    assert "2 off" in GAME.draw(GAME.read_position("-aaa--------------------A- w"))
    with pytest.raises(PositionError, match="White has 4 checkers, 3 at most"):
        GAME.read_position("-aaa------------------AAB- w")


@pytest.mark.parametrize("side", Side)
def test_ids_of_other_programs_name_its_positions(side: Side) -> None:
    position = GAME.start(side)
    *_, position_id = GAME.draw(position).splitlines()
    assert position_id == "Position ID AACgAgAAKgAAAA"
    assert GAME.read_position(f"{position_id.split()[-1]} {side.letter}") == position
    with pytest.raises(PositionError, match="at most 3 checkers together"):
        GAME.read_position("4HPwATDgc/ABMA")
