"""Whole turns at the desk: presses, rolls, hands, and what the view says."""

from __future__ import annotations

import pytest
from desk import Desk
from spots import spots

from pi_app.match.acts import Act
from pi_app.match.score import Cube
from pi_app.match.turns import Phase
from pi_app.referee.effects import Cue
from pi_app.referee.events import Button, Press, RollSource, SensorEdge
from pi_app.rules.terms import Side
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState
from pi_app.words.sentences import Language

WHITE, BLACK = Side.WHITE, Side.BLACK


def test_a_match_begins_with_setting_up_and_says_what_is_missing() -> None:
    desk = Desk()
    assert desk.view.phase is Phase.SET_UP
    assert desk.show("1", "3").put_right.fill == ("2", "5", "6")
    assert desk.view.put_right.clear == ("3",)
    assert desk.set_up().phase is Phase.OPENING_THROW


def test_the_higher_opening_die_plays_the_difference() -> None:
    desk = Desk()
    desk.set_up()
    desk.press()
    assert desk.asked == [WHITE]
    desk.roll("2", WHITE)
    desk.press()
    assert desk.asked == [BLACK]
    view = desk.roll("6", BLACK)
    assert (view.phase, view.to_act, view.roll) == (Phase.MOVING, BLACK, "4")
    assert view.position == "1ww..bb1 b"


def test_a_tied_opening_is_thrown_again() -> None:
    desk = Desk()
    view = desk.open("3", "3")
    assert (view.phase, view.to_act, view.cube) == (Phase.OPENING_THROW, WHITE, Cube())
    assert "Both rolled 3" in view.message


def test_a_tie_turns_the_cube_where_that_was_agreed() -> None:
    desk = Desk(11, "nannon", "nannon-6", **{"a tie turns the cube": True})
    assert desk.open("3", "3").cube == Cube(2, None)


def test_a_roll_by_the_wrong_player_changes_nothing() -> None:
    desk = Desk()
    desk.set_up()
    desk.press()
    before = desk.view.message
    assert desk.roll("4", BLACK).message == before


def test_a_play_is_shown_at_once_and_counts_at_the_press() -> None:
    desk = Desk()
    desk.open("5", "3")
    assert desk.lift("2").board is BoardState.IN_HAND
    view = desk.wait(300)
    assert (view.lifted, view.targets) == (spots("2"), spots("4"))
    assert desk.drop("4").board is BoardState.IN_HAND
    view = desk.wait(300)
    assert (view.board, view.play, view.after) == (BoardState.PLAYED, "2/4", "1w..wbb1 b")
    assert view.position == "1ww..bb1 w"
    view = desk.press()
    assert (view.phase, view.position, view.to_act) == (Phase.TO_ROLL, "1w..wbb1 b", BLACK)
    assert desk.asked == []


def test_a_press_right_after_the_drop_is_not_lost() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("4")
    view = desk.send(Button(desk.at(5), Press.SHORT))
    assert view.position == "1w..wbb1 b"


def test_a_press_while_the_reed_still_bounces_waits_for_it() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    for after_ms, closed in ((300, True), (2, False), (2, True)):
        desk.send(SensorEdge(desk.at(after_ms), Sensor("4"), closed))
    view = desk.send(Button(desk.at(1), Press.SHORT))
    assert view.phase is Phase.MOVING
    assert desk.wait(10).phase is Phase.TO_ROLL


def test_one_press_hands_over_and_rolls_where_the_next_player_may_not_double() -> None:
    desk = Desk(cube=False)
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("4")
    desk.press()
    assert desk.asked == [BLACK]
    assert desk.roll("2", BLACK).phase is Phase.MOVING


def test_a_long_press_hands_over_and_doubles() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("4")
    desk.wait(300)
    view = desk.hold()
    assert (view.phase, view.to_act) == (Phase.DOUBLE_OFFERED, WHITE)
    assert view.cube == Cube(1, None, BLACK)
    assert desk.cues[-1] is Cue.DOUBLE


def test_a_double_taken_is_rolled_by_the_doubler_and_owned_by_the_taker() -> None:
    desk = Desk()
    desk.stand("1ww..bb1 w")
    desk.hold()
    view = desk.press()
    assert (view.phase, view.to_act, view.cube) == (Phase.TO_ROLL, WHITE, Cube(2, BLACK))
    desk.press()
    assert desk.asked == [WHITE]
    assert Act.DOUBLE not in view.offers


def test_a_double_passed_wins_the_stake_before_it() -> None:
    desk = Desk()
    desk.stand("1ww..bb1 w")
    desk.hold()
    view = desk.hold()
    assert (view.phase, view.score.white, view.score.black) == (Phase.GAME_OVER, 1, 0)


def test_the_taker_may_double_again_and_the_doubler_may_not() -> None:
    desk = Desk()
    desk.stand("1ww..bb1 w")
    desk.hold()
    desk.press()
    desk.press()
    desk.roll("1")
    desk.lift("2")
    desk.drop("3")
    view = desk.press()
    assert (view.to_act, Act.DOUBLE in view.offers) == (BLACK, True)
    assert desk.hold().cube == Cube(2, BLACK, BLACK)
    assert desk.press().cube == Cube(4, WHITE)


def test_a_forfeited_turn_is_passed_by_a_press() -> None:
    desk = Desk()
    view = desk.stand("1wwbbb.0 w", "3")
    assert "Ada passes" in view.message
    view = desk.press()
    assert (view.phase, view.position) == (Phase.TO_ROLL, "1wwbbb.0 b")


def test_typed_dice_need_no_press() -> None:
    desk = Desk()
    desk.stand("1ww..bb1 w")
    assert desk.roll("2", WHITE, RollSource.TYPED).phase is Phase.MOVING


def test_the_last_play_counts_at_the_press() -> None:
    desk = Desk()
    desk.stand("0..b..w0 w", "6")
    assert desk.lift("6").board is BoardState.IN_HAND
    view = desk.press()
    assert (view.phase, view.score.white) == (Phase.GAME_OVER, 1)
    assert view.last_result == "Ada wins 1 point"


def test_the_last_play_counts_by_itself_after_two_quiet_seconds() -> None:
    desk = Desk()
    desk.stand("0..b..w0 w", "6")
    desk.lift("6")
    assert desk.wait(1900).phase is Phase.MOVING
    assert desk.wait(150).phase is Phase.GAME_OVER


@pytest.mark.parametrize("before_ms", range(1, 7))
def test_the_last_checker_put_back_at_the_last_moment_does_not_count(before_ms: int) -> None:
    desk = Desk()
    desk.stand("0..b..w0 w", "6")
    desk.lift("6")
    desk.wait(1995 - before_ms)  # what is debounced is quiet 5 ms later
    desk.send(SensorEdge(desk.at(0), Sensor("6"), True))
    assert desk.wait(50).phase is Phase.MOVING
    assert desk.wait(5000).board is BoardState.RESTING


def test_a_nannon_counts_two_times_the_cube() -> None:
    desk = Desk()
    desk.stand("0..bb.w1 b")
    desk.hold()
    desk.press()
    desk.press()
    desk.roll("1")
    desk.lift("3")
    desk.drop("2")
    desk.press()
    desk.press()
    desk.roll("6")
    desk.lift("6")
    view = desk.press()
    assert (view.score.white, view.last_result) == (4, "Ada wins 4 points: NANNON")
    marked = Language(lambda text: f"~{text}", lambda _, plural, __: f"~{plural}")
    assert marked.say(view.last_result or "") == "~Ada wins 4 points: ~NANNON"
    assert desk.cues[-1] is Cue.FANFARE


def test_the_match_ends_at_its_target_and_the_next_game_does_not_begin() -> None:
    desk = Desk(match_to=1)
    desk.stand("0..b..w0 w", "6")
    desk.lift("6")
    assert desk.wait(1600).hint == "This wins. Press the die button to confirm."
    view = desk.press()
    assert (view.phase, view.message) == (Phase.MATCH_OVER, "Ada wins the match 1–0")
    assert desk.press().phase is Phase.MATCH_OVER


def test_a_match_to_one_point_offers_no_double() -> None:
    desk = Desk(match_to=1)
    view = desk.stand("1ww..bb1 w")
    assert (Act.DOUBLE in view.offers, view.hint) == (False, "Press to roll.")
    assert desk.hold().phase is Phase.TO_ROLL


def test_the_next_game_has_a_fresh_cube_and_its_own_opening() -> None:
    desk = Desk()
    desk.stand("1ww..bb1 w")
    desk.hold()
    desk.hold()
    view = desk.press()
    # The checkers stand as they do at the start: there is nothing to set up.
    assert (view.phase, view.cube, view.game_number) == (Phase.OPENING_THROW, Cube(), 2)
    desk.lift("6")
    assert desk.press().board is BoardState.WRONG


@pytest.mark.parametrize(
    ("position", "to", "words"),
    [
        ("1ww..bb1 w", "4", "Undone: 2/4. Legal: 1/3 or 2/4."),
        (
            "1ww.b.b1 w",
            "4",
            "Undone: 2/4*. Put a hit checker back too. Legal: 1/3 or 2/4*.",
        ),
    ],
)
def test_a_hit_checker_is_asked_for_where_one_was_hit(position: str, to: str, words: str) -> None:
    desk = Desk()
    desk.stand(position, "2")
    desk.lift("2")
    if "*" in words:
        desk.lift(to)
    desk.drop(to)
    desk.wait(300)
    desk.press()
    desk.wait(1000)
    desk.tap(Act.TAKE_BACK)
    desk.lift(to)
    desk.drop("2")
    if "*" in words:
        desk.drop(to)
    assert desk.wait(300).hint == words


def test_crawford_forbids_the_cube_for_one_game() -> None:
    desk = Desk(match_to=2, crawford=True)
    desk.stand("1ww..bb1 w")
    desk.hold()
    desk.hold()
    desk.press()
    assert desk.view.crawford
    desk.stand("1ww..bb1 w")
    assert Act.DOUBLE not in desk.view.offers
    assert desk.hold().phase is Phase.TO_ROLL
    desk.resign()
    desk.press()
    assert not desk.view.crawford


@pytest.mark.parametrize(("points", "score"), [(1, 1), (2, 2)])
def test_resigning_gives_the_points_to_the_other(points: int, score: int) -> None:
    desk = Desk()
    desk.stand("1ww..bb1 w")
    assert desk.resign(points).score.black == score


def test_a_new_game_has_not_been_thrown_for_yet() -> None:
    desk = Desk()
    desk.open("5", "3")
    desk.resign()
    view = desk.tap(Act.NEXT_GAME)
    assert (view.phase, view.thrown) == (Phase.OPENING_THROW, ())
    assert "threw" not in view.message


def test_settle_commits_a_certain_play_by_itself_and_no_other() -> None:
    desk = Desk(commit="settle")
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("4")
    assert desk.wait(500).board is BoardState.PLAYED
    assert desk.wait(600).phase is Phase.TO_ROLL
    # A hit could also be the victim put back with the attacker in the air: it waits.
    desk.stand("0.w.b..1 w", "2")
    desk.lift("2", "4")
    desk.drop("4")
    assert desk.wait(5000).play == "2/4*"
    assert desk.view.phase is Phase.MOVING


def test_a_button_a_side_belongs_to_that_side() -> None:
    desk = Desk()
    desk.set_up()
    desk.press(BLACK)
    assert desk.asked == []
    desk.press(WHITE)
    assert desk.asked == [WHITE]


def test_an_edge_that_the_scanner_has_debounced_counts_at_once() -> None:
    desk = Desk(game="portes", board="tables-24", debounce_ms=0)
    desk.show_accepted()
    for die in ("5", "3", "31"):
        desk.press()
        desk.roll(die)
    assert desk.lift("6.5").board is BoardState.IN_HAND
