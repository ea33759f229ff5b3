"""Signs on buttons, drawn with lines into a square."""

from __future__ import annotations

import math

from pi_app.screen.canvas import Box, Curve, Disc, Line, Poly, Rect, Shape
from pi_app.screen.theme import Colour


def undo(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """An arrow that turns back."""
    return _turning(square, ink, 1)


def redo(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    return _turning(square, ink, -1)


def menu(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    return tuple(_line(square, ink, (0.1, y), (0.9, y)) for y in (0.22, 0.5, 0.78))


def flag(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """To give up."""
    cloth = ((0.25, 0.1), (0.9, 0.28), (0.25, 0.52))
    return _line(square, ink, (0.25, 0.1), (0.25, 0.92)), Poly(_at(square, *cloth), ink)


def bulb(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """A hint."""
    x, y = _at(square, (0.5, 0.4))[0]
    base = ((0.4, 0.72), (0.6, 0.72)), ((0.42, 0.9), (0.58, 0.9))
    return (
        Disc((round(x), round(y)), square.w * 3 // 10, None, ink, _thick(square)),
        *(_line(square, ink, *ends) for ends in base),
    )


def flip(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """One arrow up, one down."""
    up = (0.1, 0.4), (0.3, 0.12), (0.5, 0.4)
    down = (0.5, 0.6), (0.7, 0.88), (0.9, 0.6)
    return (
        _line(square, ink, (0.3, 0.15), (0.3, 0.85)),
        _line(square, ink, *up),
        _line(square, ink, (0.7, 0.15), (0.7, 0.85)),
        _line(square, ink, *down),
    )


def play(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    return (Poly(_at(square, (0.25, 0.1), (0.88, 0.5), (0.25, 0.9)), ink),)


def book(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """The rules: an open book."""
    left = (0.5, 0.22), (0.08, 0.14), (0.08, 0.78), (0.5, 0.86)
    right = tuple((1 - x, y) for x, y in left)
    return (
        _line(square, ink, *left),
        _line(square, ink, *right),
        _line(square, ink, (0.5, 0.22), (0.5, 0.86)),
    )


def shelf(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """The kept matches: lines of a list, each with its dot."""
    rows = (0.2, 0.5, 0.8)
    dots = (_at(square, (0.14, y))[0] for y in rows)
    return (
        *(Disc((round(x), round(y)), max(2, square.w // 11), ink) for x, y in dots),
        *(_line(square, ink, (0.34, y), (0.92, y)) for y in rows),
    )


def sliders(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """The settings."""
    knobs = ((0.68, 0.2), (0.32, 0.5), (0.6, 0.8))
    middles = [(knob, _at(square, knob)[0]) for knob in knobs]
    return (
        *(_line(square, ink, (0.08, y), (0.92, y)) for (_, y), _ in middles),
        *(Disc((round(x), round(y)), max(2, square.w // 8), ink) for _, (x, y) in middles),
    )


def bars(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Figures: statistics and analysis."""
    base, wide = square.bottom - square.h // 10, max(2, square.w // 5)
    heights = (0.35, 0.8, 0.55)
    return tuple(
        Box(
            Rect(
                square.x + round(x * square.w),
                base - round(h * square.h),
                wide,
                round(h * square.h),
            ),
            ink,
        )
        for x, h in zip((0.1, 0.4, 0.7), heights, strict=True)
    )


def _turning(square: Rect, ink: Colour, way: int) -> tuple[Shape, ...]:
    def at(angle: float) -> tuple[float, float]:
        return 0.5 + way * 0.34 * math.cos(angle), 0.56 - 0.34 * math.sin(angle)

    bow = tuple(at(math.pi * (1.0 - step / 12 * 1.25)) for step in range(13))
    x, y = bow[0]
    tip = (x, y + 0.16), (x - 0.2, y - 0.08), (x + 0.2, y - 0.08)
    return _line(square, ink, *reversed(bow)), Poly(_at(square, *tip), ink)


def _line(square: Rect, ink: Colour, *points: tuple[float, float]) -> Line:
    return Line(_at(square, *points), ink, _thick(square))


def _thick(square: Rect) -> int:
    return max(2, square.w // 10)


def _at(square: Rect, *points: tuple[float, float]) -> Curve:
    return tuple((square.x + x * square.w, square.y + y * square.h) for x, y in points)
