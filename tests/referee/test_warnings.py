"""Warnings are counted: with the play that follows is kept how often its player was warned."""

from __future__ import annotations

from desk import Desk, wrong_move

from pi_app.match.acts import Act
from pi_app.referee.decision import Decision
from pi_app.referee.effects import Keep
from pi_app.rules.terms import Side


def decided(desk: Desk) -> list[Decision]:
    return [effect.decision for effect in desk.effects if isinstance(effect, Keep)]


def test_a_warning_goes_with_the_play_that_comes_of_the_turn() -> None:
    desk = wrong_move()
    desk.lift("3")
    desk.drop("4")
    desk.wait(500)
    desk.press()
    (play,) = decided(desk)[:1]
    assert (play.what, play.by, play.warned) == (Act.PLAY, Side.WHITE, 1)


def test_who_is_warned_twice_is_counted_twice_and_a_press_repeats_nothing() -> None:
    desk = wrong_move()
    desk.press()
    desk.press()
    desk.lift("3")
    desk.drop("2")
    desk.wait(2000)
    desk.lift("1")
    desk.drop("4")
    desk.wait(2000)
    desk.lift("4")
    desk.drop("1")
    desk.wait(2000)
    desk.lift("2")
    desk.drop("4")
    desk.wait(500)
    desk.press()
    (play,) = decided(desk)[:1]
    assert (play.what, play.warned) == (Act.PLAY, 2)


def test_the_next_turn_begins_with_none() -> None:
    desk = wrong_move()
    desk.lift("3")
    desk.drop("4")
    desk.wait(500)
    desk.press()
    desk.press()
    desk.roll("3")
    desk.lift("5")
    desk.drop("2")
    desk.wait(500)
    desk.press()
    plays = [one for one in decided(desk) if one.what is Act.PLAY]
    assert [(play.by, play.warned) for play in plays] == [(Side.BLACK, 0)]


def test_what_else_is_decided_takes_its_warnings_along() -> None:
    desk = wrong_move()
    desk.tap(Act.RESIGN, points=1)
    (offer,) = decided(desk)
    assert (offer.what, offer.warned) == (Act.RESIGN, 1)


def test_a_board_that_is_being_put_right_is_no_warning() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("4")
    desk.wait(500)
    desk.press()
    desk.tap(Act.TAKE_BACK)
    desk.wait(3000)
    desk.lift("4")
    desk.drop("2")
    desk.wait(2000)
    desk.lift("1")
    desk.drop("3")
    desk.wait(500)
    desk.press()
    (play,) = [one for one in decided(desk) if one.what is Act.PLAY]
    assert play.warned == 0
