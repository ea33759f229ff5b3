"""The clocks on the touchscreen: their size, their forms, and how seldom they are drawn."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from known import FACES, load_board
from scenes import shown_in
from test_touchscreen import FrontDesk
from views import measure

from pi_app.microseconds import Us, ms
from pi_app.referee.view import ClockFace, ClockHand, shown, told
from pi_app.rules.terms import Side
from pi_app.screen.actions import Action
from pi_app.screen.canvas import Box, Canvas, Rect, Shape, Text, play_places
from pi_app.screen.compose import compose
from pi_app.screen.pages.play import BARS, draw_time, is_low
from pi_app.screen.theme import IVORY, VERMILION
from pi_app.screen.ui import Page, Shown, Ui

SIZE = (800, 480)
DIAGONAL = (800**2 + 480**2) ** 0.5
MM_AN_INCH = 25.4
LOW = "nannon-clock-low"


def at_table(name: str, face: ClockFace) -> Shown:
    scene = shown_in(name)
    assert scene.view
    return replace(scene, view=replace(scene.view, clock=face))


def drawn(face: ClockFace, now: Us = ms(0)) -> tuple[Shape, ...]:
    return compose(at_table(LOW, face), Ui(Page.PLAY), SIZE, measure, now).shapes


def face(left_ms: int, other_ms: int = 600_000, *, runs: bool = True) -> ClockFace:
    left = ms(left_ms)
    white = ClockHand(left, falls=left if runs else None)
    return ClockFace(white, ClockHand(ms(other_ms)), Side.WHITE, runs)


def figures(shapes: tuple[Shape, ...]) -> list[Box]:
    """The bars of the figures: narrow boxes without an edge in the players' places."""
    white, black = play_places(SIZE, troubled=False).players
    room = Rect(white.x, white.y, white.w, black.bottom - white.y)
    boxes = [shape for shape in shapes if isinstance(shape, Box) and room.holds(shape.rect)]
    return [box for box in boxes if box.edge is None and min(box.rect.w, box.rect.h) == 5]


def test_the_figures_are_as_high_as_the_readme_says() -> None:
    """45 pixels: 6.1 mm on 5 inches, which from two metres are 10 minutes of arc; 5 are needed."""
    bars = figures(drawn(face(754_000)))
    high = max(bar.rect.bottom for bar in bars) - min(bar.rect.y for bar in bars)
    assert high >= 45
    for inches, millimetres, minutes in ((5, 6.1, 10), (7, 8.6, 14)):
        height = 45 / DIAGONAL * inches * MM_AN_INCH
        assert round(height, 1) == millimetres
        assert height / 2000 * 3437.75 >= minutes


@pytest.mark.parametrize("time", ["12:05", "59:59", "1:02:05", "10:00:00", "9.8", "0.0"])
@pytest.mark.parametrize("width", [105, 160])
def test_a_time_stays_in_its_room_and_its_figures_apart(time: str, width: int) -> None:
    canvas: Canvas[Action] = Canvas(SIZE, measure)
    room = Rect(10, 20, width, 50)
    draw_time(canvas, room, time, IVORY)
    boxes = [shape for shape in canvas.picture(Page.PLAY).shapes[1:] if isinstance(shape, Box)]
    assert all(room.holds(box.rect) for box in boxes)


def test_no_two_figures_have_the_same_bars() -> None:
    assert len(set(BARS.values())) == len(BARS) == 10


def test_short_of_time_is_a_form_and_a_colour() -> None:
    for left, low in ((30_000, False), (29_999, True)):
        filled = [s for s in drawn(face(left)) if isinstance(s, Box) and s.fill == VERMILION]
        assert bool(filled) is low
    assert not is_low(face(5_000), Side.BLACK, ms(0)), "who has not to act is not short of time"


def test_a_clock_that_stands_has_two_bars_beside_the_name() -> None:
    running, standing = (len(figures_of_name(face(50_000, runs=runs))) for runs in (True, False))
    assert standing - running == 2


def figures_of_name(clock: ClockFace) -> list[Box]:
    white, _ = play_places(SIZE, troubled=False).players
    upper = Rect(white.x, white.y, white.w, 25)
    return [
        shape
        for shape in drawn(clock)
        if isinstance(shape, Box) and upper.holds(shape.rect) and shape.fill == IVORY
    ]


def test_overtime_and_the_delay_stand_beside_the_name() -> None:
    white = ClockHand(ms(60_000), overtime=True, falls=ms(67_200))
    shapes = drawn(ClockFace(white, ClockHand(ms(60_000)), Side.WHITE, runs=True))
    assert "+8" in [shape.text for shape in shapes if isinstance(shape, Text)]


@pytest.mark.parametrize(
    ("left", "text"),
    [
        (3_725_000, "1:02:05"),
        (3_599_001, "1:00:00"),
        (59_001, "1:00"),
        (30_000, "0:30"),
        (9_999, "0:10"),
        (9_800, "9.8"),
        (1, "0.1"),
        (0, "0.0"),
    ],
)
def test_a_time_is_rounded_up(left: int, text: str) -> None:
    assert told(ms(left)) == text
    assert shown(shown(ms(left))) == shown(ms(left))


def test_a_clock_is_painted_once_a_second_and_ten_times_in_the_last_ten() -> None:
    desk = FrontDesk()
    scene = at_table(LOW, face(20_000))
    desk.front.draw(scene, ms(0))
    desk.front.draw(scene, ms(400))
    painted = [desk.glass.painted]
    for until in (10_000, 20_000, 30_000):
        for now in range(until - 10_000 + 500, until, 50):
            desk.front.draw(scene, ms(now))
        painted.append(desk.glass.painted)
    calm, hurried, over = (b - a for a, b in pairwise(painted))
    assert 9 <= calm <= 12
    assert 90 <= hurried <= 101
    assert over <= 1


def test_a_match_without_a_clock_has_its_cards_as_ever() -> None:
    board = load_board("nannon-6")
    scene = shown_in("nannon-moving")
    shapes = compose(Shown(board, FACES, scene.view), Ui(Page.PLAY), SIZE, measure, ms(0)).shapes
    assert figures(shapes) == []
