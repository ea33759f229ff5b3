"""Colours differ and are readable."""

from __future__ import annotations

import pytest
from contrasts import contrast

from pi_app.screen import theme as theme_of
from pi_app.screen.theme import Colour, Rgb, Theme, mix
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
LEAST = {Theme.DARK: 4.5, Theme.LIGHT: 4.5, Theme.CONTRAST: 7.0}
"""WCAG 2.1 asks 4.5 of text, and 7 of text that is to be read by more."""


def named(name: str, theme: Theme) -> Rgb:
    colour = vars(theme_of)[name]
    assert isinstance(colour, Colour)
    return colour.rgb(theme)


def test_contrast_runs_from_one_to_twenty_one() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((9, 9, 9), (9, 9, 9)) == 1
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize(("text", "ground"), PAIRS)
def test_text_can_be_read(text: str, ground: str, theme: Theme) -> None:
    assert contrast(named(text, theme), named(ground, theme)) >= LEAST[theme]


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("point", ["POINT_LIGHT", "POINT_DARK"])
def test_points_stand_out_from_the_felt_and_the_frame(point: str, theme: Theme) -> None:
    for ground in ("FELT", "WOOD"):
        assert contrast(named(point, theme), named(ground, theme)) >= 2.2, ground
    light, dark = (named(name, theme) for name in ("POINT_LIGHT", "POINT_DARK"))
    assert contrast(light, dark) >= 2.2


GROUNDS = ("FELT", "PIT", "POINT_LIGHT", "POINT_DARK", "WOOD")
"""What checkers lie on."""


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("side", ["WHITE", "BLACK"])
@pytest.mark.parametrize("ground", GROUNDS)
def test_checkers_stand_out_by_body_or_rim(ground: str, side: str, theme: Theme) -> None:
    parts = (named(f"{side}_{part}", theme) for part in ("FACE", "RIM"))
    assert max(contrast(part, named(ground, theme)) for part in parts) >= 3


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("mark", ["TEAL", "VERMILION", "AMBER"])
@pytest.mark.parametrize("ground", [*GROUNDS, "WHITE_FACE", "BLACK_FACE"])
def test_marks_stand_out_by_themselves_or_by_their_dark_edge(
    ground: str, mark: str, theme: Theme
) -> None:
    """Three to one is what WCAG asks of graphics."""
    colours = (named(mark, theme), named("DARK_EDGE", theme))
    assert max(contrast(colour, named(ground, theme)) for colour in colours) >= 3


@pytest.mark.parametrize("theme", Theme)
@pytest.mark.parametrize("mark", ["TEAL", "VERMILION", "AMBER"])
def test_marks_stand_out_on_panels(mark: str, theme: Theme) -> None:
    assert contrast(named(mark, theme), named("BAND", theme)) >= 3


def test_a_colour_has_one_value_a_theme() -> None:
    assert [theme_of.GROUND.rgb(theme) for theme in Theme] == list(theme_of.GROUND)
    assert len({*theme_of.GROUND}) == len(Theme)


def test_mixing_goes_from_the_first_to_the_second_in_every_theme() -> None:
    first = Colour((0, 0, 0), (200, 100, 50), (0, 0, 0))
    second = Colour((200, 100, 50), (0, 0, 0), (255, 255, 255))
    assert mix(first, second, 0) == first
    assert mix(first, second, 0.5) == ((100, 50, 25), (100, 50, 25), (128, 128, 128))
    assert mix(first, second, 1) == second


def test_the_themes_are_those_that_can_be_set() -> None:
    assert [theme.value for theme in Theme] == list(SETTINGS["screen.theme"].choices)
