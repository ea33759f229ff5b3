"""The colours by purpose, each in every theme; and the fonts.

Drawing code names a colour; only painting converts it to the red, green and blue of the present
theme. In all themes amber means whose turn it is, teal legal, vermilion wrong. These accents are
lines on panels and on the board, and the background of dark ink, so a theme's board is as dark or
as light as its panels.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple, TypeAlias

Rgb: TypeAlias = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""


class Theme(Enum):
    """The colour theme; the values are those of the setting."""

    DARK = "dark"
    LIGHT = "light"
    CONTRAST = "contrast"


class Colour(NamedTuple):
    """A colour in each theme."""

    dark: Rgb
    light: Rgb
    contrast: Rgb

    def rgb(self, theme: Theme) -> Rgb:
        return {Theme.DARK: self.dark, Theme.LIGHT: self.light}.get(theme, self.contrast)


GROUND = Colour((21, 17, 15), (240, 233, 220), (0, 0, 0))
BAND = Colour((38, 33, 30), (255, 252, 245), (16, 16, 16))
KEY = Colour((48, 42, 38), (228, 218, 202), (0, 0, 0))
KEY_EDGE = Colour(KEY.dark, KEY.light, (255, 255, 255))
"""A button's edge; visible only where the button is as black as the page."""
EDGE = Colour((92, 82, 74), (140, 124, 104), (255, 255, 255))
IVORY = Colour((246, 237, 220), (34, 26, 20), (255, 255, 255))
DIM = Colour((184, 173, 157), (88, 76, 64), (224, 224, 224))
INK = Colour((20, 16, 14), (8, 6, 4), (0, 0, 0))

WOOD = Colour((44, 27, 21), (149, 108, 70), (0, 0, 0))
WOOD_EDGE = Colour((74, 48, 36), (104, 70, 42), (200, 200, 200))
WOOD_TEXT = Colour((222, 214, 196), (255, 253, 248), (255, 255, 255))
FELT = Colour((20, 48, 41), (114, 149, 131), (0, 0, 0))
PIT = Colour((15, 36, 31), (102, 136, 118), (0, 0, 0))
SPOT_EDGE = Colour((70, 108, 94), (66, 96, 80), (190, 190, 190))
POINT_LIGHT = Colour((206, 178, 130), (246, 235, 214), (190, 190, 190))
POINT_DARK = Colour((132, 86, 61), (66, 44, 32), (76, 76, 76))
FELT_TEXT = Colour((214, 211, 196), (14, 11, 8), (255, 255, 255))

TRACE = Colour((156, 168, 146), (40, 62, 50), (150, 150, 150))
"""The previous play, on the felt."""

AMBER = Colour((232, 172, 62), (172, 112, 0), (255, 204, 0))
TEAL = Colour((76, 196, 172), (0, 138, 116), (0, 240, 208))
MAIN = Colour((76, 196, 172), (128, 214, 194), (0, 240, 208))
VERMILION = Colour((252, 118, 84), (226, 62, 58), (255, 112, 84))
WARNING = Colour((74, 28, 18), (255, 226, 214), (64, 0, 0))
WARNING_TEXT = Colour((244, 214, 200), (104, 24, 8), (255, 255, 255))

WHITE_FACE = Colour((240, 228, 206), (255, 248, 234), (255, 255, 255))
WHITE_RIM = Colour((112, 84, 52), (108, 78, 44), (40, 40, 40))
BLACK_FACE = Colour((44, 43, 62), (32, 31, 48), (0, 0, 0))
BLACK_RIM = Colour((174, 180, 206), (174, 180, 206), (255, 255, 255))
BLACK_INK = Colour((246, 237, 220), (255, 250, 240), (255, 255, 255))
DIE_FACE = Colour((245, 236, 217), (255, 252, 246), (255, 255, 255))
DARK_EDGE = Colour((12, 10, 9), (12, 10, 9), (0, 0, 0))
"""Around arrows and rings, so that they stand out on any background."""


def type_files() -> dict[bool, Traversable]:
    """The font files: False is regular, True bold."""
    folder = resources.files("pi_app.screen") / "fonts"
    return {False: folder / "Inter-Regular.otf", True: folder / "Inter-SemiBold.otf"}


@lru_cache(maxsize=1024)
def mix(first: Colour, second: Colour, share: float) -> Colour:
    """The colour between two, `share` (0 to 1) of the way from the first to the second."""
    return Colour(*(_mixed(a, b, share) for a, b in zip(first, second, strict=True)))


def _mixed(first: Rgb, second: Rgb, share: float) -> Rgb:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue
