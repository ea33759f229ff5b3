"""Icons of buttons, drawn with lines into a square."""

from __future__ import annotations

import math

from pi_app.screen.canvas import Box, Curve, Disc, Line, Poly, Rect, Shape
from pi_app.screen.theme import Colour


def undo(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    return _turning(square, ink, 1)


def redo(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    return _turning(square, ink, -1)


def menu(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    return tuple(_line(square, ink, (0.1, y), (0.9, y)) for y in (0.22, 0.5, 0.78))


def flag(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Resign."""
    cloth = ((0.25, 0.1), (0.9, 0.28), (0.25, 0.52))
    return _line(square, ink, (0.25, 0.1), (0.25, 0.92)), Poly(_at(square, *cloth), ink)


def bulb(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Hint."""
    x, y = _at(square, (0.5, 0.4))[0]
    base = ((0.4, 0.72), (0.6, 0.72)), ((0.42, 0.9), (0.58, 0.9))
    return (
        Disc((round(x), round(y)), square.w * 3 // 10, None, ink, _thick(square)),
        *(_line(square, ink, *ends) for ends in base),
    )


def flip(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Turn the board round: one arrow up, one down."""
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


def plus(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """New match."""
    return _line(square, ink, (0.5, 0.1), (0.5, 0.9)), _line(square, ink, (0.1, 0.5), (0.9, 0.5))


def book(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Rules."""
    left = (0.5, 0.22), (0.08, 0.14), (0.08, 0.78), (0.5, 0.86)
    right = tuple((1 - x, y) for x, y in left)
    return (
        _line(square, ink, *left),
        _line(square, ink, *right),
        _line(square, ink, (0.5, 0.22), (0.5, 0.86)),
    )


def shelf(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Stored matches: lines of a list, each with a dot."""
    rows = (0.2, 0.5, 0.8)
    dots = (_at(square, (0.14, y))[0] for y in rows)
    return (
        *(Disc((round(x), round(y)), max(2, square.w // 11), ink) for x, y in dots),
        *(_line(square, ink, (0.34, y), (0.92, y)) for y in rows),
    )


def sliders(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Settings."""
    knobs = ((0.68, 0.2), (0.32, 0.5), (0.6, 0.8))
    middles = [(knob, _at(square, knob)[0]) for knob in knobs]
    return (
        *(_line(square, ink, (0.08, y), (0.92, y)) for (_, y), _ in middles),
        *(Disc((round(x), round(y)), max(2, square.w // 8), ink) for _, (x, y) in middles),
    )


def bars(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Statistics and analysis."""
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


def pair(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Two players: a checker of each side."""
    (x, y), r = square.centre, square.w // 4
    white, black = (x - r - r // 6, y), (x + r + r // 6, y)
    return (Disc(white, r, ink), Disc(black, r, None, ink, _thick(square)))


def die(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Spotter as a player."""
    (x, y), far = square.centre, square.w // 5
    frame = (0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9), (0.1, 0.1)
    dots = ((0, 0), (-far, -far), (far, far), (-far, far), (far, -far))
    pips = (Disc((x + dx, y + dy), max(2, square.w // 14), ink) for dx, dy in dots)
    return (_line(square, ink, *frame), *pips)


def curve(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Training: a line that rises."""
    return (_line(square, ink, (0.08, 0.8), (0.4, 0.5), (0.58, 0.66), (0.92, 0.18)),)


def compass(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Tour."""
    x, y = _at(square, (0.5, 0.5))[0]
    needle = (0.68, 0.32), (0.57, 0.57), (0.32, 0.68), (0.43, 0.43)
    ring = Disc((round(x), round(y)), square.w * 45 // 100, None, ink, _thick(square))
    return ring, Poly(_at(square, *needle), ink)


def reed(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Sensors: an open switch."""
    ends = (_at(square, (x, 0.62))[0] for x in (0.28, 0.72))
    return (
        _line(square, ink, (0.02, 0.62), (0.28, 0.62), (0.7, 0.26)),
        _line(square, ink, (0.72, 0.62), (0.98, 0.62)),
        *(Disc((round(x), round(y)), max(2, square.w // 10), ink) for x, y in ends),
    )


def door(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Leave: an arrow out of a frame."""
    return (
        _line(square, ink, (0.5, 0.12), (0.12, 0.12), (0.12, 0.88), (0.5, 0.88)),
        _line(square, ink, (0.38, 0.5), (0.9, 0.5)),
        _line(square, ink, (0.68, 0.28), (0.92, 0.5), (0.68, 0.72)),
    )


def bubble(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Ask: a speech bubble."""
    outline = (0.08, 0.14), (0.92, 0.14), (0.92, 0.66), (0.48, 0.66), (0.28, 0.9), (0.28, 0.66)
    return (_line(square, ink, *outline, (0.08, 0.66), (0.08, 0.14)),)


def grid(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Wall: many boards."""
    side = square.w * 38 // 100
    corners = ((0.08, 0.08), (0.54, 0.08), (0.08, 0.54), (0.54, 0.54))
    places = (_at(square, corner)[0] for corner in corners)
    return tuple(Box(Rect(round(x), round(y), side, side), ink, side // 5) for x, y in places)


def board(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Replay: a board with its points."""
    points = (0.3, 0.5, 0.7)
    frame = (0.08, 0.14), (0.92, 0.14), (0.92, 0.86), (0.08, 0.86), (0.08, 0.14)
    return (
        _line(square, ink, *frame),
        *(Poly(_at(square, (x - 0.1, 0.78), (x, 0.4), (x + 0.1, 0.78)), ink) for x in points),
    )


def stick(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Save: an arrow down onto a tray."""
    return (
        _line(square, ink, (0.5, 0.08), (0.5, 0.6)),
        _line(square, ink, (0.26, 0.38), (0.5, 0.62), (0.74, 0.38)),
        _line(square, ink, (0.1, 0.66), (0.1, 0.9), (0.9, 0.9), (0.9, 0.66)),
    )


def back(square: Rect, ink: Colour) -> tuple[Shape, ...]:
    """Return to the page before."""
    return (
        _line(square, ink, (0.1, 0.5), (0.92, 0.5)),
        _line(square, ink, (0.42, 0.18), (0.1, 0.5), (0.42, 0.82)),
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
