"""A press that may have come before the hand was done: it waits for the hand, and never guesses."""

from __future__ import annotations

import pytest
from desk import Desk

from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.sensing.reading import BoardState

STACKS = "-b----E-C---eB---c-e----B- w"


THREE = "-aaa------------------AAA- w roll=21"


def with_32() -> Desk:
    """White lifts a checker off 13; 8 is so high that no sensor feels one landing there."""
    desk = Desk(game="backgammon", board="tables-24-thrifty", position=f"{STACKS} roll=32")
    desk.show_accepted()
    desk.wait(2000)
    desk.lift("13.2")
    return desk


def test_a_press_waits_while_the_checker_may_be_in_the_hand() -> None:
    desk = with_32()
    desk.wait(700)
    assert desk.press().board is BoardState.IN_HAND
    assert desk.wait(1500).phase is Phase.MOVING
    assert (desk.wait(700).message, desk.view.choices) == ("13/8?", ("13/8",))
    desk.wait(1000)
    assert desk.press().position == "-b----E-D---eA---c-e----B- b"


def test_a_question_about_an_early_press_goes_when_the_checker_comes_down_elsewhere() -> None:
    desk = with_32()
    desk.wait(700)
    desk.press()
    desk.wait(3000)
    desk.drop("10.1")
    view = desk.wait(400)
    assert (view.phase, view.board, view.part) == (Phase.MOVING, BoardState.IN_HAND, "13/10")


@pytest.mark.parametrize("later_ms", [500, 1400, 1700, 2400])
def test_a_second_press_takes_it_while_the_first_waits_or_just_after(later_ms: int) -> None:
    desk = with_32()
    desk.wait(700)
    desk.press()
    desk.wait(later_ms)
    assert desk.press().phase is Phase.TO_ROLL


def test_a_press_counts_for_nothing_if_the_checker_comes_down_elsewhere() -> None:
    desk = with_32()
    desk.wait(700)
    desk.press()
    desk.wait(600)
    desk.drop("10.1")
    view = desk.wait(5000)
    assert (view.phase, view.board, view.part) == (Phase.MOVING, BoardState.IN_HAND, "13/10")


def test_a_second_press_says_that_the_hand_is_done() -> None:
    desk = with_32()
    desk.wait(700)
    assert desk.press().phase is Phase.MOVING
    assert desk.press().phase is Phase.TO_ROLL


def test_a_press_long_after_the_lift_counts_at_once() -> None:
    desk = with_32()
    desk.wait(2600)
    assert desk.press().phase is Phase.TO_ROLL


def test_a_late_checker_is_told_which_play_was_handed_over_and_undo_goes_on_with_it() -> None:
    desk = with_32()
    desk.wait(2600)
    desk.press()
    desk.drop("10.1")
    view = desk.wait(2000)
    assert view.message == "Ada's 13/8 was handed over"
    assert view.hint == "Clear 15, or tap Undo to continue that turn."
    assert desk.tap(Act.TAKE_BACK).part == "13/10"
    desk.lift("24.2")
    desk.wait(500)
    desk.drop("22.1")
    assert desk.wait(300).play == "24/22 13/10"


def asked_about_three() -> Desk:
    """Black lifts a checker off his 8 with a 5 and a 1; three plays look alike to three reeds."""
    position = "-CCBB-C---A----A-a-a--ded- b roll=51"
    desk = Desk(game="backgammon", board="tables-24-thrifty", position=position)
    desk.show_accepted()
    desk.wait(2000)
    desk.lift("17.1")
    desk.wait(3000)
    desk.press()
    return desk


def test_of_several_plays_a_press_asks_about_the_next_and_holding_takes_it() -> None:
    desk = asked_about_three()
    first, second, third = desk.view.choices
    assert (desk.view.message, desk.view.hint) == (
        "8/2?",
        "Hold the button for yes, press for 8/3 2/1 or 8/3 1/off.",
    )
    desk.wait(1000)
    assert desk.press().choices == (second, third, first)
    desk.wait(1000)
    assert desk.press().choices == (third, first, second)
    desk.wait(1000)
    last = desk.hold().last_play
    assert last is not None
    assert last.play == "17/22 24/off"


def test_a_double_press_passes_over_no_play() -> None:
    desk = asked_about_three()
    choices = desk.view.choices
    assert desk.press().choices == choices


def test_the_touchscreen_asks_about_the_next_too() -> None:
    desk = asked_about_three()
    first, second, third = desk.view.choices
    assert desk.tap(Act.ANOTHER).choices == (second, third, first)


def lifted_in_passing(lift_first: bool) -> Desk:
    """White plays 18/7. The black checker on 13 could be hit in passing; the bar has no sensor."""
    position = "--------a--A-a----A--aA--- w roll=65"
    desk = Desk(game="hypergammon", board="tables-24-thrifty", position=position)
    desk.show_accepted()
    desk.wait(2000)
    desk.lift("18.1")
    if lift_first:
        desk.lift("13.1")
    desk.wait(700)
    desk.drop("7.1")
    desk.wait(1500)
    return desk


def test_the_opponents_hand_before_the_press_makes_no_hit() -> None:
    desk = lifted_in_passing(lift_first=False)
    assert desk.view.play == "18/7"
    desk.lift("13.1")
    desk.wait(1500)
    assert desk.press().choices == ("18/13*/7", "18/7")
    desk.drop("13.1")
    desk.wait(1000)
    assert desk.press().position == "-------Aa--A-a-------aA--- b"


def test_who_was_lifted_before_the_checker_landed_was_hit() -> None:
    desk = lifted_in_passing(lift_first=True)
    desk.wait(1500)
    last = desk.press().last_play
    assert last is not None
    assert last.play == "18/13*/7"


def test_a_press_after_a_brush_of_the_next_turn_says_that_a_move_must_be_made() -> None:
    desk = Desk(game="hypergammon", board="tables-24-thrifty", position=THREE)
    desk.show_accepted()
    desk.wait(2000)
    desk.lift("24.1")
    desk.drop("21.1")
    desk.wait(2600)
    assert desk.press().phase is Phase.TO_ROLL
    desk.roll("21")
    desk.drop("9.3")
    desk.lift("9.3")
    view = desk.press()
    assert view.board is BoardState.WRONG
    assert view.message == "Ben must move, such as 24/22 23/22"
    assert view.clear == ()
