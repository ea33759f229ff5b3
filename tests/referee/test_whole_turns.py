"""Turns of several moves at the table: what the referee says while they are made."""

from __future__ import annotations

import pytest
from desk import Desk
from spots import spots

from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.rules.terms import Spot
from pi_app.sensing.reading import BoardState

START = {24: 2, 13: 5, 8: 3, 6: 5, 1: 2, 12: 5, 17: 3, 19: 5}


def rows(**changed: int) -> list[str]:
    """The sensors under the checkers of the start, or with other numbers on some points."""
    counts = START | {int(point.removeprefix("p")): number for point, number in changed.items()}
    return [f"{point}.{place}" for point, n in counts.items() for place in range(1, n + 1)]


def opened(board: str = "tables-24", **options: bool | int | str) -> Desk:
    """Backgammon with an opening roll of White 5, Black 4: White to play 54."""
    desk = Desk(5, "backgammon", board, **options)
    places = 3 if "thrifty" in board else 5
    desk.show(*(name for name in rows() if int(name[-1]) <= places))
    for die in "54":
        desk.press()
        desk.roll(die)
    assert desk.view.roll == "54"
    return desk


def test_a_turn_is_followed_to_its_half_and_to_its_end() -> None:
    desk = opened()
    desk.lift("13.5")
    view = desk.wait(300)
    assert (view.lifted, view.targets) == (spots("13"), spots("4 8 9"))
    assert view.hint == "Legal: 4, 8 or 9."
    desk.drop("8.4")
    view = desk.wait(300)
    assert view.board is BoardState.IN_HAND
    assert [(m.origin, m.target) for m in view.moves] == [spots("13 8")]
    assert len(view.standing[Spot.read("8")]) == 4
    assert "6/2" in view.still
    assert view.hint == "Finish the play on the board."
    desk.lift("6.5")
    desk.drop("2.1")
    view = desk.wait(300)
    assert (view.board, view.play) == (BoardState.PLAYED, "13/8 6/2")
    view = desk.press()
    assert (view.phase, view.to_act.value) == (Phase.TO_ROLL, "black")


def test_what_is_done_of_a_turn_is_not_told_again() -> None:
    desk = opened()
    desk.lift("24.2")
    desk.drop("20.1")
    view = desk.wait(300)
    assert set(view.still) == {"20/15", "13/8", "8/3"}
    assert view.hint == f"Still to play: {view.still[0]}, {view.still[1]} or {view.still[2]}."


def test_a_press_on_half_a_turn_says_what_is_left() -> None:
    desk = opened()
    desk.lift("13.5")
    desk.drop("8.4")
    view = desk.press()
    assert (view.board, view.rule) == (BoardState.WRONG, "both-dice")
    assert view.reason == "Play both dice: the 4 is unused"
    desk.lift("13.4")
    desk.drop("9.1")
    assert desk.wait(300).play == "13/9 13/8"


def test_a_wrong_half_is_named_with_the_one_that_is_fine() -> None:
    desk = opened()
    desk.lift("13.5")
    desk.drop("8.4")
    desk.lift("24.2")
    desk.drop("18.1")
    view = desk.wait(1600)
    assert view.board is BoardState.WRONG
    assert view.reason == "24/18 needs 6 pips; the dice show 5 and 4"
    assert view.hint.startswith("13/8 is legal. Put the other checker back on 24.")
    desk.lift("18.1")
    desk.drop("20.1")
    assert desk.wait(300).play == "24/20 13/8"


def test_nothing_may_move_that_is_held() -> None:
    desk = opened()
    desk.lift("6.5")
    desk.drop("1.3")
    view = desk.wait(1600)
    assert view.reason == "6/1: Ben holds 1 with 2 checkers"
    assert view.hint.startswith("Put it back on 6.")


HIT = "-a--a-E-C---eE---c-e----B- w"
"""The start, but for a Black checker on 4 that came from 1."""


@pytest.mark.parametrize("victim_first", [True, False])
def test_a_hit_with_the_victim_to_the_bar_before_or_after(victim_first: bool) -> None:
    desk = opened()
    desk.show(*rows(p1=1, p4=1))
    desk.tap(Act.CORRECT, position=HIT)
    assert (desk.view.board, desk.view.roll) == (BoardState.RESTING, "54")
    if victim_first:
        desk.lift("4.1")
        desk.drop("bar.black.1")
        view = desk.wait(5000)
        assert view.board is BoardState.IN_HAND
        desk.lift("8.3")
        desk.drop("4.1")
    else:
        desk.lift("8.3")
        desk.drop("4.2")
        desk.wait(3000)
        assert desk.view.board is BoardState.IN_HAND
        desk.lift("4.1")
        desk.drop("bar.black.1")
    desk.lift("13.5")
    desk.drop("8.3")
    view = desk.wait(300)
    assert (view.board, view.play) == (BoardState.PLAYED, "13/4*")


def test_a_play_that_no_sensor_shows_is_asked_about_and_a_second_press_says_yes() -> None:
    desk = opened("tables-24-thrifty")
    desk.tap(Act.CORRECT, position="-AABDDC-----------------o- w")
    board = {1: 1, 2: 1, 3: 2, 4: 3, 5: 3, 6: 3, 24: 3}
    desk.show(*(f"{point}.{place}" for point, n in board.items() for place in range(1, n + 1)))
    desk.wait(5000)
    assert (desk.view.board, desk.view.roll) == (BoardState.RESTING, "54")
    view = desk.press()
    assert (view.board, view.choices) == (BoardState.CHOOSE, ("5/off 4/off",))
    assert view.message == "5/off 4/off?"
    assert desk.press().board is BoardState.CHOOSE, "a double press is no answer"
    desk.wait(1000)
    view = desk.press()
    assert view.position == "-AABCCC-----------------o- b"


def test_the_only_legal_play_needs_one_press_though_no_sensor_shows_it() -> None:
    desk = opened("tables-24")
    desk.tap(Act.CORRECT, position="-G---------------------h-- w")
    desk.show(*(f"{point}.{place}" for point in (1, 23) for place in range(1, 6)))
    desk.wait(5000)
    assert (desk.view.board, desk.view.roll) == (BoardState.RESTING, "54")
    assert desk.press().position == "-E---------------------h-- b"
    assert desk.press().phase is Phase.TO_ROLL, "a double press does nothing for the opponent"


def test_a_checker_on_the_bar_of_a_game_without_one_is_to_be_cleared() -> None:
    desk = Desk(5, "pin", "tables-24")
    stacks = [f"{point}.{place}" for point in (1, 24) for place in range(1, 6)]
    view = desk.show(*stacks, "bar.white.1")
    assert (view.phase, view.clear) == (Phase.SET_UP, (Spot.read("bar.white"),))
    assert view.hint.startswith("Clear bar.white.1, or turn")
    assert desk.show(*stacks).phase is Phase.OPENING_THROW
