"""Colours differ and are readable."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from contrasts import contrast
from scenes import scene_in
from views import measure

from pi_app.base.microseconds import ENDLESS
from pi_app.rules.terms import Side
from pi_app.screen import theme as theme_of
from pi_app.screen.canvas import Disc
from pi_app.screen.compose import compose
from pi_app.screen.theme import THEMES, Colour, Rgb, Theme, mix
from pi_app.user.settings import SETTINGS

PAIRS = [
    ("IVORY", "GROUND"),
    ("IVORY", "BAND"),
    ("IVORY", "KEY"),
    ("IVORY", "WARNING"),
    ("DIM", "GROUND"),
    ("DIM", "BAND"),
    ("FELT_TEXT", "FELT"),
    ("FELT_TEXT", "PIT"),
    ("INK", "TEAL"),
    ("INK", "DIE_FACE"),
    ("WARNING_TEXT", "WARNING"),
    ("WARNING_TEXT", "GROUND"),
    ("WOOD_TEXT", "WOOD"),
    ("INK", "AMBER"),
    ("INK", "MAIN"),
    ("INK", "VERMILION"),
    ("INK", "WHITE_FACE"),
    ("BLACK_INK", "BLACK_FACE"),
]
LEAST = {theme: 7.0 if theme is Theme.CONTRAST else 4.5 for theme in Theme}
"""WCAG 2.1 asks 4.5 of text, and 7 of text that is to be read by more."""


def named(name: str, theme: Theme) -> Rgb:
    colour = vars(theme_of)[name]
    assert isinstance(colour, Colour)
    return colour.rgb(theme)


def test_contrast_runs_from_one_to_twenty_one() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((9, 9, 9), (9, 9, 9)) == 1
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_can_be_read(text: str, ground: str) -> None:
    for theme in Theme:
        assert contrast(named(text, theme), named(ground, theme)) >= LEAST[theme]


@pytest.mark.parametrize("point", ["POINT_LIGHT", "POINT_DARK"])
def test_points_stand_out_from_the_felt_and_the_frame(point: str) -> None:
    for theme in Theme:
        for ground in ("FELT", "WOOD"):
            assert contrast(named(point, theme), named(ground, theme)) >= 2.2, ground
        light, dark = (named(name, theme) for name in ("POINT_LIGHT", "POINT_DARK"))
        assert contrast(light, dark) >= 2.2


GROUNDS = ("FELT", "PIT", "POINT_LIGHT", "POINT_DARK", "WOOD")
"""What checkers lie on."""


@pytest.mark.parametrize("side", ["WHITE", "BLACK"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_checkers_stand_out_by_body_or_rim(ground: str, side: str) -> None:
    for theme in Theme:
        parts = (named(f"{side}_{part}", theme) for part in ("FACE", "RIM"))
        assert max(contrast(part, named(ground, theme)) for part in parts) >= 3


@pytest.mark.parametrize("mark", ["TEAL", "VERMILION", "AMBER"])
@pytest.mark.parametrize("ground", [*GROUNDS, "WHITE_FACE", "BLACK_FACE"])
def test_marks_stand_out_by_themselves_or_by_their_dark_edge(ground: str, mark: str) -> None:
    """Three to one is what WCAG asks of graphics."""
    for theme in Theme:
        colours = (named(mark, theme), named("DARK_EDGE", theme))
        assert max(contrast(colour, named(ground, theme)) for colour in colours) >= 3


@pytest.mark.parametrize("mark", ["TEAL", "VERMILION", "AMBER"])
def test_marks_stand_out_on_panels(mark: str) -> None:
    for theme in Theme:
        assert contrast(named(mark, theme), named("BAND", theme)) >= 3


SEVEN_INCHES = (154.1, 85.9)
"""The width and height in mm of the official 7-inch display; smaller ones have larger pixels."""
ALIKE, SEEN_MM = 1.6, 0.4
"""A face this little brighter or darker than its ground needs a rim; one this wide is seen from
1.5 m, at about one arc minute."""
DISPLAYS = [(640, 400), (800, 480), (1024, 600), (1280, 720), (1920, 1080), (2560, 1440)]
DISPLAYS += [(480, 800), (720, 1280), (1080, 1920)]


def rims(side: Side, size: tuple[int, int], text: str) -> Iterator[float]:
    """The widths in mm, on the 7-inch display, of the rims of all checkers on all boards."""
    pixel = min(long / most for long, most in zip(SEVEN_INCHES, sorted(size)[::-1], strict=True))
    face = {Side.WHITE: theme_of.WHITE_FACE, Side.BLACK: theme_of.BLACK_FACE}[side]
    for name in ("backgammon-to-roll", "cannon-moving", "nannon-moving"):
        shown, ui = scene_in(name)
        shown = replace(shown, settings=shown.settings.changed("screen.text", text))
        for shape in compose(shown, ui, size, measure, ENDLESS).shapes:
            if isinstance(shape, Disc) and shape.fill == face and shape.edge and shape.lift:
                yield shape.edge_width * pixel


@pytest.mark.parametrize("size", DISPLAYS, ids=str)
@pytest.mark.parametrize("text", ["normal", "large"])
def test_a_face_as_dark_as_its_ground_has_a_rim_that_is_seen_across_the_room(
    text: str, size: tuple[int, int]
) -> None:
    for side in Side:
        name = side.name
        alike = [
            (theme, ground)
            for theme in Theme
            for ground in GROUNDS
            if contrast(named(f"{name}_FACE", theme), named(ground, theme)) < ALIKE
        ]
        widths = [*rims(side, size, text)]
        assert widths
        for theme, ground in alike:
            assert contrast(named(f"{name}_RIM", theme), named(ground, theme)) >= 3, ground
            assert min(widths) >= SEEN_MM, (theme, ground)


def test_a_colour_has_one_value_a_theme() -> None:
    assert [theme_of.GROUND.rgb(theme) for theme in THEMES] == [*theme_of.GROUND[:3]]
    assert len({theme_of.GROUND.rgb(theme) for theme in Theme}) == len(THEMES)
    boards = {theme_of.FELT.rgb(theme) for theme in Theme}
    assert len(boards) == len(Theme)


def test_mixing_goes_from_the_first_to_the_second_in_every_theme() -> None:
    first = Colour((0, 0, 0), (200, 100, 50), (0, 0, 0))
    second = Colour((200, 100, 50), (0, 0, 0), (255, 255, 255))
    assert mix(first, second, 0) == first
    assert mix(theme_of.FELT, theme_of.INK, 0) == theme_of.FELT
    assert mix(first, second, 0.5) == Colour((100, 50, 25), (100, 50, 25), (128, 128, 128))
    assert mix(first, second, 1) == second


def test_the_themes_are_those_that_can_be_set() -> None:
    panels, boards = (SETTINGS[f"screen.{name}"].choices for name in ("theme", "board"))
    assert [theme.value for theme in THEMES] == list(panels)
    settable = {Theme.of(one, board) for one in panels for board in boards}
    assert settable == {*Theme}
