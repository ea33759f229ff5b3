"""Colours on a warm dark ground: amber is whose turn, teal legal, vermilion wrong."""

from __future__ import annotations

from typing import TypeAlias

Colour: TypeAlias = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""

GROUND: Colour = (21, 17, 15)
BAND: Colour = (38, 33, 30)
KEY: Colour = (48, 42, 38)
EDGE: Colour = (92, 82, 74)
IVORY: Colour = (246, 237, 220)
DIM: Colour = (184, 173, 157)
INK: Colour = (20, 16, 14)

WOOD: Colour = (116, 75, 46)
WOOD_EDGE: Colour = (78, 49, 29)
FELT: Colour = (43, 78, 64)
PIT: Colour = (34, 60, 50)
SPOT_EDGE: Colour = (96, 138, 121)
POINT_GREEN: Colour = (77, 112, 95)
POINT_WOOD: Colour = (140, 99, 66)
FELT_TEXT: Colour = (214, 211, 196)

TRACE: Colour = (148, 160, 138)
"""The play before, on the felt."""

AMBER: Colour = (232, 172, 62)
TEAL: Colour = (76, 196, 172)
VERMILION: Colour = (240, 98, 62)
WARNING: Colour = (74, 28, 18)
WARNING_TEXT: Colour = (244, 214, 200)

WHITE_FACE: Colour = (243, 232, 210)
WHITE_RIM: Colour = (190, 158, 112)
BLACK_FACE: Colour = (36, 36, 52)
BLACK_RIM: Colour = (158, 164, 188)
DIE_FACE: Colour = (245, 236, 217)


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """The colour between two, `share` of the way (0 to 1) from the first to the second."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(first, second, strict=True))
    return red, green, blue


def contrast(first: Colour, second: Colour) -> float:
    """The contrast ratio of WCAG 2.1, from 1 to 21."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(part / 255) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return float(part / 12.92) if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
