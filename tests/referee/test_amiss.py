"""Faults: warnings, ways back, undo, sensors that fail, lost devices."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from desk import Desk, deaf_to_a_drop, wrong_move

from pi_app.base.microseconds import ms
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.effects import Cue
from pi_app.referee.events import DeviceLost, EventError, Found, SensorEdge
from pi_app.referee.view import BackTo, PutRight, View
from pi_app.rules.terms import Side
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import ALARMS, BoardState


def test_a_wrong_move_is_named_after_the_grace_and_not_before() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("3")
    assert desk.wait(1400).board is BoardState.IN_HAND
    view = desk.wait(200)
    assert (view.board, view.rule) == (BoardState.WRONG, "wrong-distance")
    assert view.reason == "2/3 is one spot; the die shows 2"
    assert view.put_right == PutRight((Sensor("2"),), (Sensor("3"),))
    assert view.hint == "Put it back on 2. Legal: 1/3 or 2/4."
    assert desk.cues == [Cue.WRONG]


def test_a_checker_in_the_air_is_never_wrong() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    assert desk.wait(60_000).board is BoardState.IN_HAND


def test_a_press_on_a_wrong_board_rolls_nothing_and_warns_again() -> None:
    desk = wrong_move()
    view = desk.press()
    assert (view.board, view.phase, desk.asked) == (BoardState.WRONG, Phase.MOVING, [])
    assert desk.cues == [Cue.WRONG]


def test_going_back_and_going_straight_on_both_mend_it() -> None:
    desk = wrong_move()
    desk.lift("3")
    assert desk.drop("2").board is BoardState.RESTING
    desk = wrong_move()
    desk.lift("3")
    desk.drop("4")
    assert desk.wait(300).play == "2/4"


def test_moving_before_the_roll_is_told() -> None:
    desk = Desk()
    desk.stand("1ww..bb1 w")
    desk.lift("2")
    desk.drop("4")
    view = desk.wait(1600)
    assert (view.rule, view.phase) == ("roll-first", Phase.TO_ROLL)
    desk.press()
    assert desk.asked == []


def test_a_knocked_board_is_disturbed_and_guided_back_spot_by_spot() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("1", "2", "5", "6")
    view = desk.wait(1600)
    assert (view.board, view.put_right.fill) == (BoardState.DISTURBED, ("1", "2", "5", "6"))
    assert desk.tap(Act.SCREEN_IS_RIGHT).hint == "Put Ada's checker back on 1."
    assert desk.drop("1").hint == "Put Ada's checker back on 2."
    desk.drop("2", "5", "6")
    assert desk.view.board is BoardState.RESTING
    assert not desk.view.guiding


def test_the_board_is_right_takes_the_likeliest_attempt_as_played() -> None:
    desk = wrong_move()
    view = desk.tap(Act.CORRECT)
    assert (view.position, view.phase) == ("1w.w.bb1 b", Phase.TO_ROLL)
    assert view.board is BoardState.RESTING


def test_the_board_is_right_with_colours_given() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("1", "2", "5", "6")
    desk.drop("3")
    view = desk.tap(Act.CORRECT, position="2..b...2 w")
    assert (view.position, view.phase, view.roll) == ("2..b...2 w", Phase.MOVING, "2")


def test_a_position_that_cannot_be_is_refused_with_every_reason() -> None:
    desk = wrong_move()
    with pytest.raises(
        EventError, match=r"3w\.\.\.\.b3 w.*White has 4 checkers.*Black has 4 checkers"
    ):
        desk.tap(Act.CORRECT, position="3w....b3 w")
    assert desk.view.position == "1ww..bb1 w"


def test_take_back_brings_back_position_roll_score_and_cube() -> None:
    desk = Desk()
    desk.stand("0..b..w0 w")
    desk.hold()
    desk.press()
    desk.press()
    desk.roll("6")
    desk.lift("6")
    desk.press()
    assert desk.view.score.white == 2
    view = desk.tap(Act.TAKE_BACK)
    assert (view.phase, view.position, view.roll) == (Phase.MOVING, "0..b..w0 w", "6")
    assert (view.score.white, view.cube.value) == (0, 2)
    assert view.board is BoardState.DISTURBED
    assert desk.drop("6").board is BoardState.RESTING


def test_a_play_undone_by_hand_is_offered_as_a_takeback() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("4")
    desk.press()
    desk.lift("4")
    desk.drop("2")
    view = desk.wait(1600)
    assert view.board is BoardState.WRONG
    assert "before Ada's 2/4" in view.hint
    view = desk.tap(Act.TAKE_BACK)
    assert (view.position, view.roll, view.board) == ("1ww..bb1 w", "2", BoardState.RESTING)


def test_a_takeback_names_its_target_and_every_play_it_takes_back() -> None:
    desk = Desk()
    desk.open("5", "3")
    assert desk.view.back_to is None
    desk.lift("2")
    desk.drop("4")
    assert desk.press().back_to == BackTo("Ada's 2", 1)
    desk.press()
    desk.roll("3")
    desk.lift("6")
    desk.drop("3")
    assert desk.press().back_to == BackTo("Ben's 3", 1)
    desk.set_up()
    assert desk.press().back_to == BackTo("Ada's 2", 2)
    desk.tap(Act.TAKE_BACK)
    assert (desk.view.position, desk.view.roll, desk.view.back_to) == ("1ww..bb1 w", "2", None)


def test_a_takeback_skips_a_forfeited_turn() -> None:
    desk = Desk()
    desk.stand("1wwb.b.1 w", "2")
    legal = desk.view.legal
    assert legal == ("forfeit",) or legal
    desk.press()
    assert desk.view.to_act is Side.BLACK or legal != ("forfeit",)


def test_a_hit_nobody_saw_is_asked_and_never_guessed() -> None:
    desk = Desk()
    desk.stand("0.w.b..1 w", "2")
    desk.lift("2")
    assert desk.wait(5000).board is BoardState.IN_HAND
    view = desk.press()
    assert (view.board, view.choices, view.position[:8]) == (
        BoardState.CHOOSE,
        ("2/4*",),
        "0.w.b..1",
    )
    view = desk.tap(Act.CHOOSE, play="2/4*")
    assert (view.board, view.play) == (BoardState.PLAYED, "2/4*")
    assert desk.press().position == "0...w..2 b"


def test_choosing_what_was_not_offered_is_an_error() -> None:
    desk = Desk()
    desk.stand("0.w.b..1 w", "2")
    desk.lift("2")
    desk.press()
    with pytest.raises(EventError, match="not one of: 2/4"):
        desk.tap(Act.CHOOSE, play="2/5")


def test_a_dead_sensor_is_asked_about_when_the_player_insists() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    # It may be in the air still; who presses again has nothing in the hand.
    assert desk.press().board is BoardState.IN_HAND
    view = desk.press()
    assert (view.board, view.choices) == (BoardState.CHOOSE, ("2/4",))
    desk.tap(Act.CHOOSE, play="2/4")
    view = desk.press()
    assert (view.position, view.board) == ("1w..wbb1 b", BoardState.RESTING)


def test_a_doubted_sensor_is_believed_again_when_it_changes() -> None:
    desk = deaf_to_a_drop()
    # Nudged, the reed closes; lifted, it opens: both are seen.
    desk.drop("4")
    assert desk.view.board is BoardState.RESTING
    assert desk.lift("4").board is BoardState.IN_HAND


def test_a_sensor_overruled_twice_is_a_suspect_and_can_be_set_aside() -> None:
    desk = Desk()
    for _ in range(2):
        desk.stand("0.w.b..1 w")
        desk.lift("4")
        desk.tap(Act.CORRECT, position="0.w.b..1 w")
    assert desk.view.suspects == ("4",)
    view = desk.tap(Act.SENSOR_OFF, sensor="4")
    assert (view.sensors_off, view.suspects) == (("4",), ())
    assert desk.tap(Act.SENSOR_ON, sensor="4").sensors_off == ()


def test_play_goes_on_with_a_sensor_set_aside() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.tap(Act.SENSOR_OFF, sensor="4")
    desk.lift("2")
    assert desk.wait(1600).play == "2/4"
    desk.press()
    desk.press()
    view = desk.roll("2")
    assert view.board is BoardState.RESTING
    # What enters or leaves an unseen spot cannot be told from nothing: it is asked.
    desk.lift("6")
    desk.wait(1600)
    assert desk.view.board in (BoardState.PLAYED, BoardState.CHOOSE)


def test_a_stuck_sensor_can_be_set_aside_while_setting_up() -> None:
    desk = Desk()
    view = desk.show("1", "2", "4", "5", "6")
    assert "turn its sensor off" in view.hint
    assert desk.tap(Act.SENSOR_OFF, sensor="4").phase is Phase.OPENING_THROW


def test_devices_that_go_and_come_are_no_part_of_the_match() -> None:
    desk = Desk()
    before = desk.view.timeless()
    assert desk.send(DeviceLost(ms(1), "OLED")).timeless() == before
    assert desk.send(DeviceLost(ms(2), "sensors")).timeless() == before
    assert desk.send(Found(ms(3), "OLED")).timeless() == before


def test_time_never_goes_back_and_unknown_sensors_are_errors() -> None:
    desk = Desk()
    desk.wait(100)
    with pytest.raises(EventError, match="time never goes back"):
        desk.send(SensorEdge(ms(1), "1", True))  # type: ignore[arg-type]
    with pytest.raises(EventError, match="'7' is not on this board; it has 1, 2"):
        desk.drop("7")


def test_a_wrong_number_of_dice_is_an_error() -> None:
    desk = Desk()
    desk.stand("1ww..bb1 w")
    with pytest.raises(EventError, match="'31'"):
        desk.roll("31")


def entered_with_a_hit_and_taken_back() -> Desk:
    """White's HOME/4* was accepted and undone: White's checker still lies on 4."""
    desk = Desk()
    desk.stand("1w..b..1 w", "4")
    desk.lift("4")
    desk.drop("4")
    desk.wait(300)
    assert desk.press().position == "0w..w..2 b"
    desk.tap(Act.TAKE_BACK)
    return desk


def test_putting_the_victim_back_after_a_takeback_is_no_new_entry() -> None:
    desk = entered_with_a_hit_and_taken_back()
    desk.lift("4")
    desk.drop("4")
    assert desk.wait(300).board is BoardState.RESTING
    # Done once more it is the entry again.
    desk.lift("4")
    desk.drop("4")
    assert desk.wait(300).play == "HOME/4*"


def test_who_has_put_back_by_hand_and_then_taps_has_played_nothing() -> None:
    desk = Desk()
    desk.stand("1w.bw.b1 b", "3")
    desk.lift("4")
    desk.drop("4")
    desk.wait(300)
    assert desk.press().position == "2w.bb.b0 w"
    assert not desk.roll("3").moves_exist
    desk.press()
    desk.roll("5")
    desk.lift("4")
    desk.wait(500)
    desk.drop("4")
    desk.wait(3500)
    assert desk.tap(Act.TAKE_BACK).position == "1w.bw.b1 b"
    # A sleeve over another checker.
    desk.send(SensorEdge(desk.at(900), Sensor("6"), False))
    desk.send(SensorEdge(desk.at(41), Sensor("6"), True))
    assert desk.wait(300).board is BoardState.RESTING
    assert desk.press().position == "1w.bw.b1 b"


def test_two_plays_taken_back_one_after_the_other_and_put_back_are_forgotten() -> None:
    desk = Desk()
    desk.stand("1w....b1 w", "2")
    desk.move("-1", "+3")
    desk.press()
    desk.roll("1")
    desk.move("-6", "+5")
    assert desk.press().position == "1..w.b.1 w"
    desk.tap(Act.TAKE_BACK)
    assert desk.move("-5", "+6").board is BoardState.RESTING
    assert desk.tap(Act.TAKE_BACK).position == "1w....b1 w"
    assert desk.move("-3", "+1").board is BoardState.RESTING
    assert desk.move("+2").play == "HOME/2"


def test_who_is_told_that_he_must_move_has_nothing_to_put_right() -> None:
    desk = Desk()
    desk.stand("1.b....0 w", "2")
    desk.press()
    assert desk.press().rule == "must-move"
    desk.lift("2")
    desk.wait(400)
    desk.drop("2")
    assert desk.wait(300).play == "HOME/2*"


def test_an_enemy_checker_adjusted_just_before_lifting_far_away_is_no_attempt() -> None:
    desk = Desk()
    desk.stand("1w...b.1 w", "2")
    desk.send(SensorEdge(desk.at(), Sensor("5"), False))
    desk.send(SensorEdge(desk.at(300), Sensor("5"), True))
    desk.send(SensorEdge(desk.at(200), Sensor("1"), False))
    assert desk.wait(5000).board is BoardState.IN_HAND


def test_a_press_with_nothing_moved_is_told_only_when_it_is_repeated() -> None:
    desk = Desk()
    desk.open("5", "3")
    view = desk.press()
    assert (view.board, desk.cues) == (BoardState.RESTING, [])
    view = desk.press()
    assert (view.board, view.rule) == (BoardState.WRONG, "must-move")
    assert view.reason == "Ada must move: 1/3 or 2/4"
    assert view.hint == "Legal: 1/3 or 2/4."
    desk.lift("2")
    desk.drop("4")
    assert desk.wait(300).play == "2/4"


def test_a_touch_in_a_forfeited_turn_is_asked_about_before_the_turn_passes() -> None:
    desk = Desk()
    desk.stand("1wwbbb.0 w", "3")
    desk.lift("3")
    desk.drop("3")
    view = desk.press()
    assert (view.board, view.choices) == (BoardState.CHOOSE, ("forfeit",))
    assert view.phase is Phase.MOVING
    assert desk.press().phase is Phase.TO_ROLL


def test_a_hold_over_an_illegal_move_says_at_once_what_its_sound_means() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("3")
    assert desk.hold().board is BoardState.WRONG
    assert desk.cues == [Cue.WRONG]
    assert desk.view.message == "2/3 is one spot; the die shows 2"


def test_a_press_after_a_checker_was_only_touched_says_that_it_must_move() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("2")
    assert desk.press().rule == "must-move"


# While a double is offered ------------------------------------------------------------------------


def doubled_and_amiss() -> Desk:
    """White has doubled, and a checker has gone elsewhere before Black answered."""
    desk = Desk()
    desk.stand("1ww..bb1 w")
    desk.hold()
    desk.lift("2")
    desk.drop("3")
    desk.wait(1600)
    return desk


@pytest.mark.parametrize("press", [Desk.press, Desk.hold])
def test_a_press_answers_no_double_while_the_board_is_amiss(press: Callable[[Desk], View]) -> None:
    desk = doubled_and_amiss()
    assert desk.view.board in ALARMS
    assert press(desk).phase is Phase.DOUBLE_OFFERED
    assert desk.cues == [Cue.WRONG]
    desk.lift("3")
    desk.drop("2")
    assert press(desk).phase is not Phase.DOUBLE_OFFERED


def test_a_double_is_told_of_and_can_be_tapped_while_the_board_is_amiss() -> None:
    desk = doubled_and_amiss()
    assert desk.view.message == "Ben must answer the double first"
    assert desk.view.hint == "Put it back on 2. Ada doubles to 2. Tap Take or Pass."
    assert desk.tap(Act.SCREEN_IS_RIGHT).hint.endswith("Ada doubles to 2. Tap Take or Pass.")
    assert desk.tap(Act.TAKE).cube.value == 2
