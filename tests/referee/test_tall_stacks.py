"""Fevga's tall stacks: no sensor feels a lift from the top, and the landing tells the play."""

from __future__ import annotations

import pytest
from desk import Desk

from pi_app.match.acts import Act
from pi_app.referee.view import View
from pi_app.sensing.reading import BoardState

BOARDS = ("tables-24", "tables-24-thrifty")
TWO_FROM_THE_START = "-A----------n-----------N- w"
SEVEN_ON_THE_ACE = "-HBA--a------kb-a--------- w"


def moved(board: str, position: str, roll: str, *edges: str) -> Desk:
    """These sensors changed after this roll, and then the hand rested."""
    desk = Desk(game="fevga", board=board)
    desk.tap(Act.CORRECT, position=position)
    desk.show_accepted()
    desk.roll(roll)
    for edge in edges:
        desk.move(edge)
    return desk


def choices(view: View) -> list[str]:
    assert view.board is BoardState.CHOOSE
    return list(view.choices)


@pytest.mark.parametrize("board", BOARDS)
def test_a_checker_from_nowhere_came_from_the_stack(board: str) -> None:
    for edges, play in (
        (("+22.1", "+23.1"), "24/23 24/22"),
        (("+21.1",), "24/21"),
    ):
        desk = moved(board, TWO_FROM_THE_START, "21", *edges)
        assert (desk.view.board, desk.view.play) == (BoardState.PLAYED, play)
        assert desk.press().board is BoardState.RESTING


@pytest.mark.parametrize("board", BOARDS)
def test_half_a_turn_from_the_stack_is_no_play(board: str) -> None:
    desk = moved(board, TWO_FROM_THE_START, "21", "+22.1")
    assert desk.view.board is BoardState.IN_HAND
    assert desk.press().board is BoardState.WRONG
    assert desk.move("+23.1").play == "24/23 24/22"


@pytest.mark.parametrize("board", BOARDS)
def test_what_happens_on_a_tall_stack_at_home_is_asked(board: str) -> None:
    """The ace point shows the same with six, seven and eight; the button answers."""
    desk = moved(board, SEVEN_ON_THE_ACE, "51", "-3.1")
    assert choices(desk.press()) == ["3/off 1/off", "3/off"]
    desk.wait(1000)
    assert desk.hold().position.startswith("-GB")


@pytest.mark.parametrize("board", BOARDS)
def test_a_press_after_nothing_was_felt_asks_for_a_play(board: str) -> None:
    assert moved(board, SEVEN_ON_THE_ACE, "51").press().board is BoardState.WRONG
