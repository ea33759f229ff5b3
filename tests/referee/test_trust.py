"""Sensors that are not believed: who says so, what shows it, and how they come back."""

from __future__ import annotations

from desk import Desk, deaf_to_a_drop

from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.view import View
from pi_app.rules.terms import Side
from pi_app.sensing.trust import Health


def black_plays(desk: Desk, dice: str, lift: str, drop: str) -> None:
    desk.press()
    desk.roll(dice, Side.BLACK)
    desk.lift(lift)
    desk.drop(drop)
    desk.wait(300)
    desk.press()


def test_a_doubted_sensor_is_told_until_it_changes() -> None:
    desk = deaf_to_a_drop()
    assert desk.view.doubted == ("4",)
    assert desk.drop("4").doubted == ()


def accepted(desk: Desk, position: str, closed: str) -> View:
    """Accept this position while these sensors are closed."""
    desk.show(*closed)
    return desk.tap(Act.CORRECT, position=position)


def test_a_doubted_sensor_comes_back_when_an_accepted_position_agrees_with_it() -> None:
    desk = Desk()
    desk.set_up()
    accepted(desk, "1w..wbb1 b", "156")
    assert desk.view.doubted == ("4",)
    accepted(desk, "1w..wb.1 b", "15")
    assert desk.view.doubted == ("4",)
    assert accepted(desk, "1w...b.1 b", "15").doubted == ()


def test_on_probation_it_is_a_suspect_once_it_contradicts_again() -> None:
    desk = Desk()
    desk.set_up()
    for _ in range(2):
        assert desk.view.suspects == ()
        accepted(desk, "1w..wbb1 b", "156")
        accepted(desk, "1w...bb1 b", "156")
    assert desk.view.suspects == ("4",)


def test_a_suspect_is_not_believed_for_being_right_once() -> None:
    desk = Desk()
    desk.set_up()
    for doubted in ((), ("4",), ("4",)):
        accepted(desk, "1w..wbb1 b", "156")
        assert desk.view.doubted == ("4",)
        accepted(desk, "1w...bb1 b", "156")
        assert desk.view.doubted == doubted


def test_a_suspect_that_closes_is_none_any_more() -> None:
    desk = Desk()
    desk.set_up()
    for _ in range(2):
        accepted(desk, "1w..wbb1 b", "156")
        accepted(desk, "1w...bb1 b", "156")
    assert [(fault.sensor, fault.health) for fault in desk.view.faults] == [("4", Health.DEAD)]
    assert desk.view.suspects == ("4",)
    view = accepted(desk, "1w..wbb1 b", "1456")
    assert (view.suspects, view.doubted) == ((), ())
    # Wrong about every other checker, it is not dead but unsteady.
    accepted(desk, "1w...bb1 b", "156")
    assert accepted(desk, "1w..wbb1 b", "156").suspects == ("4",)
    view = accepted(desk, "1w..wbb1 b", "1456")
    assert [(fault.sensor, fault.health) for fault in view.faults] == [("4", Health.UNSTEADY)]
    assert view.doubted == ("4",)


def test_what_is_thought_of_a_sensor_is_kept_through_the_match() -> None:
    desk = Desk()
    desk.set_up()
    accepted(desk, "1w..wbb1 b", "156")
    accepted(desk, "1w...bb1 b", "156")
    next_game(desk)
    desk.set_up()
    assert desk.view.suspects == ()
    assert accepted(desk, "1w..wbb1 b", "156").suspects == ("4",)


def test_a_dead_sensor_never_clears_itself() -> None:
    desk = Desk()
    desk.set_up()
    for _ in range(20):
        accepted(desk, "1w..wbb1 b", "156")
        accepted(desk, "1w...bb1 b", "156")
    assert desk.view.suspects == ("4",)


def test_one_set_aside_is_proposed_again_when_it_has_been_right_both_ways() -> None:
    desk = Desk()
    desk.set_up()
    desk.tap(Act.SENSOR_OFF, sensor="4")
    assert accepted(desk, "1w...bb1 b", "156").healed == ()
    view = accepted(desk, "1w..wbb1 b", "1456")
    assert (view.healed, view.sensors_off) == (("4",), ("4",))
    accepted(desk, "1w...bb1 b", "1456")
    assert desk.view.healed == ()


def next_game(desk: Desk) -> None:
    desk.resign()
    desk.show("1", "2", "5")
    desk.tap(Act.NEXT_GAME)


def test_at_the_next_game_they_are_asked_about_what_they_set_aside() -> None:
    desk = Desk()
    desk.stand("1ww..bb1 w")
    desk.tap(Act.SENSOR_OFF, sensor="4")
    assert desk.view.ask_back == ()
    next_game(desk)
    view = desk.view
    assert (view.phase, view.ask_back) == (Phase.SET_UP, ("4",))
    assert view.hint == "Ben: 6. Sensor 4 is off. Use it again?"
    view = desk.tap(Act.SENSOR_ON, sensor="4")
    assert (view.ask_back, view.sensors_off) == ((), ())
    assert view.hint == "Ben: 6."


def test_no_is_an_answer_until_the_game_after() -> None:
    desk = Desk()
    desk.stand("1ww..bb1 w")
    desk.tap(Act.SENSOR_OFF, sensor="4")
    next_game(desk)
    view = desk.tap(Act.SENSOR_OFF, sensor="4")
    assert (view.ask_back, view.sensors_off) == ((), ("4",))
    desk.set_up()
    desk.stand("1ww..bb1 w")
    next_game(desk)
    assert desk.view.ask_back == ("4",)


def test_what_was_right_since_is_said_with_the_question() -> None:
    desk = Desk()
    desk.stand("1ww..bb1 w")
    desk.tap(Act.SENSOR_OFF, sensor="4")
    accepted(desk, "1w..wbb1 w", "1456")
    accepted(desk, "1w...bb1 w", "156")
    next_game(desk)
    assert desk.view.hint == "Ben: 6. Sensor 4 is off but works. Use it again?"


def test_the_question_stands_until_the_first_play() -> None:
    desk = Desk()
    desk.stand("1ww..bb1 w")
    desk.tap(Act.SENSOR_OFF, sensor="4")
    next_game(desk)
    desk.open("5", "3")
    assert desk.view.ask_back == ("4",)
    desk.lift("1")
    desk.drop("3")
    desk.wait(300)
    view = desk.press()
    assert (view.position, view.ask_back) == ("1.ww.bb1 b", ())
