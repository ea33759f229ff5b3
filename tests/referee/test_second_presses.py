"""Presses that were not meant: the half of a double one, a bounce, one that came too late."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
from desk import Desk, wrong_move
from hypothesis import given, settings
from hypothesis import strategies as st
from known import load_board
from shares import one_in
from test_every_phase import PHASES

from pi_app.base.microseconds import Us, ms
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.effects import Effect
from pi_app.referee.events import Button, Event, Press, Start, Tap, Tick
from pi_app.referee.lines import read_event
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.rules.terms import Side


def later(desk: Desk, after_ms: float, press: Press = Press.SHORT) -> View:
    """A press after `ms`, to the microsecond."""
    view = desk.send(Button(Us(desk.events[-1].us + ms(after_ms)), press))
    desk.now = int(after_ms) + desk.now + 1
    return view


def played(**options: bool) -> Desk:
    """White has played 2/4 and not yet pressed."""
    desk = Desk(11, "nannon", "nannon-6", **options)
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("4")
    desk.wait(300)
    return desk


# The second half of a double press ----------------------------------------------------------------


def test_a_double_press_does_not_roll_for_an_opponent_who_may_double() -> None:
    desk = played()
    assert desk.press().phase is Phase.TO_ROLL
    for after in (20, 100, 279):
        later(desk, after)
        assert desk.asked == []
    assert desk.view.to_act is Side.BLACK
    assert Act.DOUBLE in desk.view.offers


def test_four_tenths_later_it_is_a_press() -> None:
    desk = played()
    desk.press()
    later(desk, 399.999)
    assert desk.asked == []
    later(desk, 0.001)
    assert desk.asked == [Side.BLACK]


def test_the_bounce_of_letting_go_does_not_take_the_double() -> None:
    desk = played()
    assert desk.hold().phase is Phase.DOUBLE_OFFERED
    assert later(desk, 30).phase is Phase.DOUBLE_OFFERED
    assert later(desk, 300).cube.value == 1
    assert later(desk, 100).cube.value == 2


def test_nor_does_a_double_press_pass_it() -> None:
    desk = played()
    desk.hold()
    assert later(desk, 200, Press.LONG).phase is Phase.DOUBLE_OFFERED


def test_a_double_press_on_the_result_begins_one_game() -> None:
    desk = Desk()
    desk.stand("0..b..w0 w", "6")
    desk.lift("6")
    desk.press()
    assert desk.press().phase is Phase.SET_UP
    desk.show("1", "2", "5")
    desk.send(desk.events[-1])
    assert later(desk, 0).phase is Phase.SET_UP


def test_a_press_that_did_nothing_delays_nobody() -> None:
    desk = played()
    desk.press(Side.BLACK)
    assert later(desk, 10).phase is Phase.TO_ROLL


def test_two_presses_while_a_reed_bounces_are_one() -> None:
    desk = played()
    for after in (1, 2):
        desk.send(
            read_event(
                f'{{"ms": {desk.now + after}, "event": "sensor", "sensor": "4", '
                f'"closed": {"true" if after == 2 else "false"}}}'
            )
        )
        desk.send(Button(ms(desk.now + after), Press.SHORT))
    desk.now += 2
    view = desk.wait(300)
    assert (view.phase, view.to_act) == (Phase.TO_ROLL, Side.BLACK)
    assert not view.awaiting_roll


def test_a_second_touch_on_take_back_takes_back_one_play() -> None:
    desk = played()
    desk.press()
    desk.press()
    desk.roll("2")
    desk.lift("5")
    desk.drop("3")
    desk.wait(300)
    before = desk.view.position
    assert desk.press().position != before
    assert desk.tap(Act.TAKE_BACK).position == before
    again = desk.send(Tap(Us(desk.events[-1].us + ms(399)), Act.TAKE_BACK))
    assert again.position == before
    desk.now += 400
    assert desk.tap(Act.TAKE_BACK).position == "1ww..bb1 w"


def hit_unseen() -> Desk:
    """An attacker was lifted: perhaps it has hit."""
    desk = Desk()
    desk.stand("0.w.b..1 w", "2")
    desk.lift("2")
    return desk


def last_lifted() -> Desk:
    desk = Desk()
    desk.stand("0..b..w0 w", "6")
    desk.lift("6")
    return desk


def no_cube() -> Desk:
    return played(cube=False)


SCENES = (*PHASES.values(), played, no_cube, wrong_move, hit_unseen, last_lifted)


@cache
def left_by(scene: Callable[[], Desk]) -> Desk:
    """The desk after a scene; tests do not continue it."""
    return scene()


class RefereeTwin:
    """A second referee with a desk's events, and its messages from then on."""

    def __init__(self, desk: Desk) -> None:
        start, *events = desk.events
        assert isinstance(start, Start)
        self.referee = Referee(load_board("nannon-6"), start)
        for event in events:
            self.referee.handle(event)

    def tell(self, event: Event) -> tuple[View, tuple[Effect, ...]]:
        effects = self.referee.handle(event)
        return replace(self.referee.view, us=Us(0)), effects


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("first", Press)
@settings(max_examples=40 // one_in(4))
@given(
    st.integers(0, 3000),
    st.lists(
        st.tuples(st.sampled_from(Press), st.sampled_from([None, *Side]), st.integers(0, 399_999)),
        min_size=1,
        max_size=4,
    ),
)
def test_after_a_press_that_did_something_no_other_does_for_four_tenths(
    scene: Callable[[], Desk],
    first: Press,
    before: int,
    more: list[tuple[Press, Side | None, int]],
) -> None:
    desk = left_by(scene)
    pressed, left, idle = RefereeTwin(desk), RefereeTwin(desk), RefereeTwin(desk)
    now = ms(desk.now + before + 500)
    told = pressed.tell(Button(now, first))
    left.tell(Button(now, first))
    if told == idle.tell(Tick(now)):
        return
    for press, side, after in sorted(more, key=lambda each: each[2]):
        then = Us(now + after)
        assert pressed.tell(Button(then, press, side)) == left.tell(Tick(then))
    calm = Us(now + ms(60_000))
    assert pressed.tell(Tick(calm)) == left.tell(Tick(calm))


# One that came too late -----------------------------------------------------------------------


def won_by_itself(match_to: int = 11) -> tuple[Desk, Us]:
    """White has borne off the last checker, and it has counted without a press; and when."""
    desk = Desk(match_to)
    desk.stand("0..b..w0 w", "6")
    desk.lift("6")
    while desk.wait(1).phase is Phase.MOVING:
        pass
    return desk, ms(desk.now)


@pytest.mark.parametrize("after", [1, 500, 2500, 3999.999])
def test_the_press_that_was_meant_to_hand_the_last_play_over_only_shows_the_result(
    after: float,
) -> None:
    desk, counted = won_by_itself()
    view = desk.send(Button(Us(counted + ms(after)), Press.SHORT))
    assert (view.phase, view.last_result) == (Phase.GAME_OVER, "Ada wins 1 point")
    assert desk.effects == []


def test_four_seconds_later_a_press_begins_the_next_game() -> None:
    desk, counted = won_by_itself()
    assert desk.send(Button(Us(counted + ms(1000)), Press.SHORT)).phase is Phase.GAME_OVER
    assert desk.send(Button(Us(counted + ms(4000)), Press.SHORT)).phase is Phase.SET_UP


def test_a_touch_on_next_game_is_meant() -> None:
    desk, _ = won_by_itself()
    assert desk.tap(Act.NEXT_GAME).phase is Phase.SET_UP


def test_after_a_last_play_that_was_pressed_the_next_press_goes_on() -> None:
    desk = Desk()
    desk.stand("0..b..w0 w", "6")
    desk.lift("6")
    assert desk.press().phase is Phase.GAME_OVER
    assert desk.press().phase is Phase.SET_UP


def test_a_match_that_was_won_by_itself_stays_on_show() -> None:
    desk, _ = won_by_itself(match_to=1)
    view = desk.press()
    assert (view.phase, view.score.white) == (Phase.MATCH_OVER, 1)


def test_taken_back_and_played_again_a_press_counts_at_once() -> None:
    desk, _ = won_by_itself()
    desk.tap(Act.TAKE_BACK)
    desk.drop("6")
    desk.lift("6")
    assert desk.press().phase is Phase.GAME_OVER
    assert desk.press().phase is Phase.SET_UP
