"""A board that tells whose checker lies where: a wrong colour is told at once, and where it is."""

from __future__ import annotations

from desk import Desk

from pi_app.match.turns import Phase
from pi_app.sensing.reading import BoardState

SWAPPED = ("1.black", "2.white", "5.black", "6.white")
"""As Nannon begins, but for the colours on 1 and 6."""


def begun() -> Desk:
    """White has won the opening with a difference of 2."""
    desk = Desk(board="nannon-6-hall")
    desk.show_accepted()
    for die in ("5", "3"):
        desk.press()
        desk.roll(die)
    return desk


def test_a_wrong_colour_is_told_while_setting_up() -> None:
    desk = Desk(board="nannon-6-hall")
    view = desk.show(*SWAPPED)
    assert view.phase is Phase.SET_UP
    assert view.hint == "Ada: 1. Ben: 6. Wrong colour on 1 and 6."
    assert view.put_right.fill == ("1.white", "6.black")
    assert view.put_right.clear == ("1.black", "6.white")
    assert desk.show_accepted().phase is Phase.OPENING_THROW


def test_a_wrong_colour_is_told_when_a_match_is_gone_on_with() -> None:
    desk = begun()
    view = desk.show("1.white", "2.black", "5.black", "6.black")
    view = desk.wait(1700)
    assert view.board is BoardState.WRONG
    assert [str(move.target) for move in view.moves] == ["2"]
    assert "2.white" in view.put_right.fill
    assert "2.black" in view.put_right.clear


def test_another_s_checker_that_is_moved_is_named() -> None:
    desk = begun()
    view = desk.move("-5.black", "+4.black")
    assert view.board is BoardState.WRONG
    assert view.rule == "not-your-checker"
    assert [(str(move.origin), str(move.target)) for move in view.moves] == [("5", "4")]
