"""The colours by purpose, each in every theme; and the fonts.

Drawing code names a colour; only painting converts it to the red, green and blue of the present
theme. In all themes amber means whose turn it is, teal legal, vermilion wrong. These accents are
lines on panels and on the board, and the background of dark ink, so a theme's board is as dark or
as light as its panels.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import NamedTuple, TypeAlias

Rgb: TypeAlias = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""


class Theme(Enum):
    """The colours of panels and of the board: dark or light, with one of four boards, or high
    contrast."""

    DARK = "dark"
    LIGHT = "light"
    CONTRAST = "contrast"
    DARK_RED = "dark-red"
    LIGHT_RED = "light-red"
    DARK_BLUE = "dark-blue"
    LIGHT_BLUE = "light-blue"
    DARK_GREY = "dark-grey"
    LIGHT_GREY = "light-grey"

    @classmethod
    def of(cls, panels: str, board: str) -> Theme:
        """The theme with these values of the two settings; high contrast has one board."""
        found = (one for one in cls if one.value == f"{panels}-{board}")
        return next(found, cls(panels))


THEMES = (Theme.DARK, Theme.LIGHT, Theme.CONTRAST)
"""Those with the usual board, which is green."""
_BOARDS = {"red": 0, "blue": 1, "grey": 2}


class Colour(NamedTuple):
    """A colour in each theme. What belongs to a board has others with the red, the blue and the
    grey one, in a dark and in a light theme."""

    dark: Rgb
    light: Rgb
    contrast: Rgb
    boards: tuple[tuple[Rgb, Rgb], ...] = ()

    def rgb(self, theme: Theme) -> Rgb:
        panels, _, board = theme.value.partition("-")
        if panels == Theme.CONTRAST.value:
            return self.contrast
        dark, light = self.boards[_BOARDS[board]] if board and self.boards else self[:2]
        return dark if panels == Theme.DARK.value else light


GROUND = Colour((21, 17, 15), (240, 233, 220), (0, 0, 0))
BAND = Colour((38, 33, 30), (255, 252, 245), (16, 16, 16))
KEY = Colour((48, 42, 38), (228, 218, 202), (0, 0, 0))
KEY_EDGE = Colour(KEY.dark, KEY.light, (255, 255, 255))
"""A button's edge; visible only where the button is as black as the page."""
EDGE = Colour((92, 82, 74), (140, 124, 104), (255, 255, 255))
IVORY = Colour((246, 237, 220), (34, 26, 20), (255, 255, 255))
DIM = Colour((184, 173, 157), (88, 76, 64), (224, 224, 224))
INK = Colour((20, 16, 14), (8, 6, 4), (0, 0, 0))

WOOD = Colour(
    (44, 27, 21),
    (149, 108, 70),
    (0, 0, 0),
    (((34, 22, 19), (138, 94, 64)), ((40, 28, 22), (140, 104, 70)), ((26, 24, 24), (134, 100, 72))),
)
WOOD_EDGE = Colour(
    (74, 48, 36),
    (104, 70, 42),
    (200, 200, 200),
    (((70, 46, 38), (88, 56, 36)), ((72, 52, 40), (98, 68, 42)), ((64, 60, 58), (78, 56, 40))),
)
WOOD_TEXT = Colour((222, 214, 196), (255, 253, 248), (255, 255, 255))
FELT = Colour(
    (20, 48, 41),
    (102, 138, 120),
    (0, 0, 0),
    (
        ((72, 19, 24), (186, 106, 96)),
        ((18, 38, 68), (104, 130, 160)),
        ((43, 41, 40), (134, 128, 118)),
    ),
)
PIT = Colour(
    (15, 36, 31),
    (94, 130, 112),
    (0, 0, 0),
    (
        ((55, 14, 19), (180, 101, 91)),
        ((13, 29, 53), (99, 125, 155)),
        ((33, 32, 31), (128, 122, 112)),
    ),
)
SPOT_EDGE = Colour(
    (70, 108, 94),
    (66, 96, 80),
    (190, 190, 190),
    (
        ((142, 84, 80), (122, 56, 50)),
        ((84, 108, 146), (62, 84, 112)),
        ((112, 106, 100), (84, 78, 70)),
    ),
)
POINT_LIGHT = Colour(
    (206, 178, 130),
    (215, 196, 157),
    (190, 190, 190),
    (
        ((206, 177, 134), (216, 196, 158)),
        ((204, 178, 136), (214, 194, 156)),
        ((204, 178, 134), (214, 194, 156)),
    ),
)
POINT_DARK = Colour(
    (132, 86, 61),
    (66, 44, 32),
    (76, 76, 76),
    (
        ((102, 93, 88), (62, 44, 38)),
        ((84, 96, 114), (44, 48, 60)),
        ((154, 74, 46), (82, 34, 24)),
    ),
)
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
BLACK_FACE = Colour((58, 60, 98), (26, 25, 40), (0, 0, 0))
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
    dark, light, contrast = (_mixed(first.rgb(one), second.rgb(one), share) for one in THEMES)
    others = [one for one in Theme if one not in THEMES] if first.boards or second.boards else []
    boards = [_mixed(first.rgb(one), second.rgb(one), share) for one in others]
    pairs = zip(boards[::2], boards[1::2], strict=True)
    return Colour(dark, light, contrast, tuple(pairs))


def _mixed(first: Rgb, second: Rgb, share: float) -> Rgb:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


_COLOURS: Mapping[str, Colour] = {
    "ground": GROUND,
    "band": BAND,
    "key": KEY,
    "edge": EDGE,
    "ivory": IVORY,
    "dim": DIM,
    "ink": INK,
    "amber": AMBER,
    "teal": TEAL,
    "vermilion": VERMILION,
    "warning": WARNING,
    "warning-text": WARNING_TEXT,
    "white-face": WHITE_FACE,
    "white-rim": WHITE_RIM,
    "black-face": BLACK_FACE,
    "black-rim": BLACK_RIM,
    "die": DIE_FACE,
    "wood": WOOD,
}
"""The colours of a page for browsers, by their names in style sheets."""


def theme_of(text: str | None) -> Theme:
    return next((one for one in Theme if one.value == text), Theme.DARK)


def style_sheet() -> str:
    """The colours of every theme as CSS."""
    return "\n".join(f':root[data-theme="{one.value}"] {{ {_properties(one)} }}' for one in Theme)


def _properties(one: Theme) -> str:
    rows = ((name, colour.rgb(one)) for name, colour in _COLOURS.items())
    return " ".join("--{}: rgb({}, {}, {});".format(name, *rgb) for name, rgb in rows)
