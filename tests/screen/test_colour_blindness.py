"""Colours that must differ do so for the colour-blind, in every theme.

Simulated with the matrices of G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, A
Physiologically-based Model for Simulation of Color Vision Deficiency, IEEE Transactions on
Visualization and Computer Graphics 15(6), 2009, for severity 1, applied to linear light.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations, product
from typing import TypeAlias

import pytest
from contrasts import contrast
from PIL import Image
from scenes import scene_in

from pi_app.base.microseconds import ENDLESS
from pi_app.screen.actions import Action
from pi_app.screen.canvas import Box, Disc, Drawing, Line
from pi_app.screen.compose import compose
from pi_app.screen.paint import Fonts, render
from pi_app.screen.theme import (
    AMBER,
    BLACK_FACE,
    TEAL,
    THEMES,
    VERMILION,
    WHITE_FACE,
    Colour,
    Rgb,
    Theme,
)

SIZE = (800, 480)
GRAPHICS, TEXT = 3.0, 4.5
"""The contrasts that WCAG 2.1 asks for; what lies on the felt may have a little less."""
ON_FELT = 2.5
APART = 10.0
"""The least CIELAB distance between colours of different meaning; 2.3 is just noticeable."""

SightMatrix: TypeAlias = tuple[tuple[float, float, float], ...]
SIGHTS: dict[str, SightMatrix] = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def linear(part: int) -> float:
    share = part / 255
    return float(share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4)


def shown_as(light: float) -> int:
    light = min(max(light, 0.0), 1.0)
    return round(
        255 * (12.92 * light if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055)
    )


def seen(colour: Rgb, sight: str) -> Rgb:
    """A colour as somebody with this sight sees it."""
    lights = tuple(map(linear, colour))
    red, green, blue = (
        shown_as(sum(a * b for a, b in zip(row, lights, strict=True))) for row in SIGHTS[sight]
    )
    return red, green, blue


def apart(first: Rgb, second: Rgb) -> float:
    """The distance of two colours in CIELAB, of 1976, under daylight."""
    return math.dist(lab(first), lab(second))


def lab(colour: Rgb) -> tuple[float, float, float]:
    red, green, blue = map(linear, colour)
    x = bent((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505)
    y = bent(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    z = bent((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.0888)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def bent(share: float) -> float:
    return float(share ** (1 / 3) if share > 216 / 24389 else (24389 / 27 * share + 16) / 116)


class Sighted:
    """A scene in a theme, painted, through somebody's eyes."""

    def __init__(self, scene: str, theme: Theme, sight: str) -> None:
        self.theme, self.sight = theme, sight
        self.picture, self._image = painted(scene, theme)

    def at(self, x: float, y: float) -> Rgb:
        red, green, blue = self._image.getpixel((round(x), round(y)))  # type: ignore[misc]
        return seen((red, green, blue), self.sight)

    def discs(self, found: Callable[[Disc], bool]) -> list[Disc]:
        """Those that are so, the largest first."""
        discs = [shape for shape in self.picture.shapes if isinstance(shape, Disc) and found(shape)]
        return sorted(discs, key=lambda disc: -disc.radius)

    def below(self, disc: Disc, share: float, more: float = 0) -> Rgb:
        """The colour below the middle, in radii plus pixels."""
        (x, y), reach = disc.centre, disc.radius
        return self.at(x, y + share * reach + more)

    def aside(self, disc: Disc, more: float) -> Rgb:
        """The colour outside, down to the right, where no grid line runs."""
        (x, y), reach = disc.centre, (disc.radius + more) / math.sqrt(2)
        return self.at(x + reach, y + reach)


@cache
def painted(scene: str, theme: Theme) -> tuple[Drawing[Action], Image.Image]:
    shown, ui = scene_in(scene)
    shown = replace(shown, settings=shown.settings.changed("screen.theme", theme.value))
    picture = compose(shown, ui, SIZE, Fonts().measure, ENDLESS)
    png = render(picture.shapes, SIZE, theme)
    return picture, Image.open(io.BytesIO(png)).convert("RGB")


def is_ring(colour: Colour) -> Callable[[Disc], bool]:
    return lambda disc: disc.fill is None and disc.edge == colour


def is_filled(colour: Colour) -> Callable[[Disc], bool]:
    return lambda disc: disc.fill == colour


EYES = [
    pytest.param(theme, sight, id=f"{theme.value} {sight}")
    for theme, sight in product(THEMES, SIGHTS)
]


@pytest.mark.parametrize(("theme", "sight"), EYES)
@pytest.mark.parametrize("scene", ["nannon-wrong", "cannon-moving", "backgammon-moving"])
def test_whites_checkers_and_blacks_differ_and_stand_out(
    scene: str, theme: Theme, sight: str
) -> None:
    eyes = Sighted(scene, theme, sight)
    white, black = (eyes.discs(is_filled(face))[0] for face in (WHITE_FACE, BLACK_FACE))
    faces = eyes.below(white, 0.3), eyes.below(black, 0.55)
    assert contrast(*faces) >= TEXT
    for disc, face in zip((white, black), faces, strict=True):
        rim = eyes.below(disc, 1, -disc.edge_width / 2 - 0.5)
        ground = eyes.aside(disc, 7)
        assert max(contrast(face, ground), contrast(rim, ground)) >= ON_FELT


@pytest.mark.parametrize(("theme", "sight"), EYES)
def test_legal_and_wrong_stand_out_and_differ(theme: Theme, sight: str) -> None:
    eyes = Sighted("nannon-wrong", theme, sight)
    ((legal,), (wrong,)) = (eyes.discs(is_ring(colour)) for colour in (TEAL, VERMILION))
    rings = [eyes.below(ring, 1, -ring.edge_width / 2) for ring in (legal, wrong)]
    for ring, colour in zip((legal, wrong), rings, strict=True):
        # Its own dark edge, or what it lies on.
        around = [eyes.below(ring, 1, more) for more in (0, 0.5, 1, 1.5, 3)]
        assert max(contrast(colour, one) for one in around) >= ON_FELT
    assert apart(*rings) >= 2 * APART


@pytest.mark.parametrize(("theme", "sight"), EYES)
@pytest.mark.parametrize("scene", ["nannon-wrong", "cannon-wrong", "backgammon-wrong"])
def test_what_is_wrong_has_a_cross_that_can_be_seen(scene: str, theme: Theme, sight: str) -> None:
    eyes = Sighted(scene, theme, sight)
    strokes = [
        shape
        for shape in eyes.picture.shapes
        if isinstance(shape, Line) and shape.colour == VERMILION and is_slanted(shape)
    ]
    assert len(strokes) >= 2
    for stroke in strokes:
        (x1, y1), (x2, y2) = stroke.points
        x, y, slope = x1 + (x2 - x1) / 5, y1 + (y2 - y1) / 5, math.copysign(1, y2 - y1)
        # The edge is narrow, and its pixels are smoothed on either side: the clearest is meant.
        asides = [(stroke.width / 2 + more) / math.sqrt(2) for more in (0.5, 1, 1.5, 2)]
        edges = [eyes.at(x + slope * aside, y - aside) for aside in asides]
        assert max(contrast(eyes.at(x, y), edge) for edge in edges) >= GRAPHICS


def is_slanted(line: Line) -> bool:
    """Whether it is a stroke of a cross."""
    if len(line.points) != 2:
        return False
    (x1, y1), (x2, y2) = line.points
    return abs(x2 - x1) == abs(y2 - y1)


@pytest.mark.parametrize(("theme", "sight"), EYES)
def test_whose_turn_it_is_is_marked_and_not_by_colour_alone(theme: Theme, sight: str) -> None:
    """Only one card has a bar."""
    eyes = Sighted("nannon-moving", theme, sight)
    (bar,) = (s.rect for s in eyes.picture.shapes if isinstance(s, Box) and s.fill == AMBER)
    x, y = bar.centre[0], bar.bottom - 5
    assert contrast(eyes.at(x, y), eyes.at(bar.right + 2, y)) >= GRAPHICS


@pytest.mark.parametrize(("theme", "sight"), EYES)
def test_the_accents_are_three_colours(theme: Theme, sight: str) -> None:
    colours = [seen(colour.rgb(theme), sight) for colour in (AMBER, TEAL, VERMILION)]
    assert min(apart(*pair) for pair in combinations(colours, 2)) >= APART


def test_full_sight_changes_nothing_and_grey_stays_grey() -> None:
    assert seen((240, 98, 62), "full") == (240, 98, 62)
    for sight in SIGHTS:
        assert all(abs(part - 128) <= 1 for part in seen((128, 128, 128), sight))


def test_red_and_green_of_one_lightness_are_alike_without_green_cones() -> None:
    red, green = (200, 60, 40), (112, 118, 30)
    assert apart(seen(red, "deuteranopia"), seen(green, "deuteranopia")) < apart(red, green) / 3
