"""The clocks on the touchscreen: their size, their forms, and how seldom they are drawn."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from known import FACES, load_board
from scenes import shown_in
from test_touchscreen import FrontDesk
from views import measure

from pi_app.base.microseconds import ENDLESS, Us, ms
from pi_app.languages import LANGUAGES, load_language
from pi_app.match.turns import Phase
from pi_app.referee.view import ClockFace, ClockHand, in_figures, shown
from pi_app.rules.terms import Side
from pi_app.screen.canvas import LARGE, Box, Rect, Shape, Size, Text, unit_of
from pi_app.screen.compose import compose
from pi_app.screen.pages.places import play_places
from pi_app.screen.pages.play import first_to, is_low
from pi_app.screen.paint import Fonts
from pi_app.screen.theme import IVORY, VERMILION
from pi_app.screen.ui import Page, Shown, Ui

SIZE = (800, 480)
DIAGONAL = (800**2 + 480**2) ** 0.5
MM_AN_INCH = 25.4
LOW = "nannon-clock-low"
FIGURES = "0123456789"
CAPITAL = 0.727
"""Of Inter: the height of its capitals and figures in parts of its size."""


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


def times(shapes: tuple[Shape, ...], time: str) -> list[Text]:
    return [shape for shape in shapes if isinstance(shape, Text) and shape.text == time]


def test_the_figures_are_as_high_as_the_readme_says() -> None:
    """32 pixels: 4.4 mm on 5 inches, which from two metres are 7 minutes of arc; 5 are needed."""
    (time,) = times(drawn(face(754_000)), "12:34")
    high = round(time.size * CAPITAL)
    assert high >= 32
    for inches, millimetres, minutes in ((5, 4.4, 7), (7, 6.1, 10)):
        height = high / DIAGONAL * inches * MM_AN_INCH
        assert round(height, 1) == millimetres
        assert height / 2000 * 3437.75 >= minutes


@pytest.mark.parametrize("text", ["normal", "large"])
@pytest.mark.parametrize("size", [(640, 400), (800, 480), (1280, 800), (480, 800)], ids=str)
def test_time_and_score_keep_their_size(size: tuple[int, int], text: str) -> None:
    fonts = Fonts()
    for left_ms, time in ((754_000, "12:34"), (7_325_000, "2:02:05"), (9_800, "9.8")):
        scene = at_table(LOW, face(left_ms))
        settings = scene.settings.changed("screen.text", text)
        picture = compose(
            replace(scene, settings=settings), Ui(Page.PLAY), size, fonts.measure, ms(0)
        )
        (there,) = times(picture.shapes, time)
        factor = unit_of(size) * (LARGE if text == "large" else 1)
        assert there.size >= int(factor * (Size.HEAD if left_ms > 3_600_000 else Size.FIGURE).value)
        scores = [shape.size for shape in times(picture.shapes, "0")]
        assert max(scores) >= int(32 * unit_of(size))


def test_all_figures_are_equally_wide() -> None:
    measured = Fonts().measure
    for bold in (False, True):
        assert len({measured(figure * 10, Size.FIGURE.value, bold) for figure in FIGURES}) == 1


def test_short_of_time_is_a_form_and_a_colour() -> None:
    for left, low in ((30_000, False), (29_999, True)):
        filled = [s for s in drawn(face(left)) if isinstance(s, Box) and s.fill == VERMILION]
        assert bool(filled) is low
    assert not is_low(face(5_000), Side.BLACK, ms(0)), "who has not to act is not short of time"


def test_a_clock_that_stands_has_two_bars_beside_the_time() -> None:
    running, standing = (len(bars(face(50_000, runs=runs))) for runs in (True, False))
    assert standing - running == 2


def bars(clock: ClockFace) -> list[Box]:
    white, _ = play_places(SIZE, timed=True).players
    lower = Rect(white.x, white.centre[1], white.w, white.bottom - white.centre[1])
    boxes = (shape for shape in drawn(clock) if isinstance(shape, Box))
    return [box for box in boxes if lower.holds(box.rect) and box.fill == IVORY]


def test_overtime_has_a_plus_and_the_delay_its_name() -> None:
    white = ClockHand(ms(60_000), overtime=True, falls=ms(67_200))
    shapes = drawn(ClockFace(white, ClockHand(ms(60_000)), Side.WHITE, runs=True))
    texts = [shape.text for shape in shapes if isinstance(shape, Text)]
    assert {"delay 8", "+1:00"} <= {*texts}


@pytest.mark.parametrize("text", ["normal", "large"])
@pytest.mark.parametrize("size", [(640, 400), (800, 480), (1280, 800), (480, 800)], ids=str)
def test_the_score_stands_on_one_line_with_the_time(size: tuple[int, int], text: str) -> None:
    scene = at_table(LOW, face(754_000))
    settings = scene.settings.changed("screen.text", text)
    scene = replace(scene, settings=settings)
    shapes = compose(scene, Ui(Page.PLAY), size, Fonts().measure, ms(0)).shapes
    (there,) = times(shapes, "12:34")
    line = [one for one in times(shapes, "0") if one.rect.centre[1] == there.rect.centre[1]]
    assert [one for one in line if one.size == there.size and one.rect.right < there.rect.x]


def test_both_clocks_stand_after_a_flag_until_the_next_match() -> None:
    """Who has run out of time is what may be disputed."""
    scene = shown_in("nannon-clock-flag")
    assert scene.view
    assert scene.view.phase is Phase.MATCH_OVER
    assert scene.view.clock
    picture = compose(scene, Ui(Page.PLAY), SIZE, Fonts().measure, ms(0))
    texts = [shape.text for shape in picture.shapes if isinstance(shape, Text)]
    for hand in scene.view.clock:
        assert [text for text in texts if text.removeprefix("+") == in_figures(hand.left)]
    filled = [one for one in picture.shapes if isinstance(one, Box) and one.fill == VERMILION]
    assert len(filled) == 1, "the one that fell"


LOSABLE = ("backgammon-clock", "backgammon-to-roll", "backgammon-double")


@pytest.mark.parametrize("size", [(640, 400), (800, 480), (1280, 800), (480, 800)], ids=str)
@pytest.mark.parametrize("language", LANGUAGES)
def test_large_text_drops_neither_match_nor_pips_nor_score(
    language: str, size: tuple[int, int]
) -> None:
    """What gives way is the advice."""
    for name in LOSABLE:
        scene = shown_in(name)
        view = scene.view
        assert view
        assert view.pips
        settings = scene.settings.changed("screen.text", "large")
        scene = replace(scene, settings=settings, language=load_language(language))
        shapes = compose(scene, Ui(Page.PLAY), size, Fonts().measure, ENDLESS).shapes
        texts = [shape.text for shape in shapes if isinstance(shape, Text)]
        assert scene.spoken.say(first_to(view)) in " ".join(texts), name
        for pips in view.pips:
            assert any(text.startswith(str(pips)) for text in texts), (name, pips)
        assert len([text for text in texts if text in map(str, view.score)]) >= 2, name


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
    assert in_figures(ms(left)) == text
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
    written = [shape.text for shape in shapes if isinstance(shape, Text)]
    assert not [text for text in written if re.fullmatch(r"[\d:]*\d:\d\d", text)]
