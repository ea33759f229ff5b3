"""Checkers, dice and the doubling cube as shapes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from pi_app.microseconds import Us, ms
from pi_app.rules.terms import Side
from pi_app.screen.canvas import Box, Disc, Line, Point, Poly, Rect, Shape
from pi_app.screen.theme import (
    AMBER,
    BLACK_FACE,
    BLACK_RIM,
    DIE_FACE,
    INK,
    PIT,
    WHITE_FACE,
    WHITE_RIM,
    mix,
)

TUMBLE = ms(400)
SIGN = 26
"""Units: the room of a sign between two dice."""
_STEP = ms(50)

PIPS: Mapping[int, tuple[tuple[int, int], ...]] = MappingProxyType(
    {
        1: ((0, 0),),
        2: ((-1, -1), (1, 1)),
        3: ((-1, -1), (0, 0), (1, 1)),
        4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
        5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
        6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
    }
)


def checker(centre: Point, radius: int, side: Side) -> tuple[Shape, ...]:
    """A checker: White with a broad wooden rim and one ring, Black with a bright rim and two."""
    rim = max(2, radius // 11)
    if side is Side.WHITE:
        return (
            Disc(centre, radius, WHITE_FACE, WHITE_RIM, 2 * rim),
            Disc(centre, radius * 6 // 10, None, WHITE_RIM, max(1, rim // 2)),
        )
    return (
        Disc(centre, radius, BLACK_FACE, BLACK_RIM, rim),
        Disc(centre, radius * 7 // 10, None, mix(BLACK_FACE, BLACK_RIM, 0.6), max(1, rim // 2)),
        Disc(centre, radius * 4 // 10, None, mix(BLACK_FACE, BLACK_RIM, 0.6), max(1, rim // 2)),
    )


def town(centre: Point, radius: int, side: Side, *, faded: bool = False) -> tuple[Shape, ...]:
    """Cannon's town: a square keep with three battlements; faded where it should stand."""
    face, rim = (WHITE_FACE, WHITE_RIM) if side is Side.WHITE else (BLACK_FACE, BLACK_RIM)
    if faded:
        face, rim = mix(PIT, face, 0.4), mix(PIT, rim, 0.5)
    edge, half = max(2, radius // 9), radius
    (x, y), tooth = centre, max(3, half // 2)
    keep = Rect(x - half, y - half + tooth, 2 * half, 2 * half - tooth)
    teeth = (
        Rect(left, y - half, tooth, tooth + edge)
        for left in (keep.x, x - tooth // 2, keep.right - tooth)
    )
    gate = Rect(x - tooth // 2, keep.bottom - tooth - edge, tooth, tooth)
    return (
        *(Box(merlon, face, 0, rim, edge) for merlon in teeth),
        Box(keep, face, 0, rim, edge),
        Box(gate, rim),
    )


def edgewise(rect: Rect, side: Side) -> tuple[Shape, ...]:
    """A checker seen from its edge; Black's has a bright line along it."""
    radius = min(rect.h // 2, 3)
    if side is Side.WHITE:
        return (Box(rect, WHITE_FACE, radius, WHITE_RIM, 1),)
    return (Box(rect, BLACK_FACE, radius, BLACK_RIM, 1),)


def ghost(centre: Point, radius: int, side: Side | None) -> tuple[Shape, ...]:
    rim = BLACK_RIM if side is Side.BLACK else WHITE_RIM
    colour, (x, y), reach = mix(PIT, rim, 0.6), centre, radius * 4 // 10
    width = max(2, radius // 12)
    return (
        Disc(centre, radius, None, colour, width),
        Line(((x, y + reach), (x, y - reach // 3)), colour, width),
        Poly(((x, y - reach), (x + reach * 2 // 3, y), (x - reach * 2 // 3, y)), colour),
    )


def wanted(centre: Point, radius: int, side: Side) -> tuple[Shape, ...]:
    face, rim = (WHITE_FACE, WHITE_RIM) if side is Side.WHITE else (BLACK_FACE, BLACK_RIM)
    return (Disc(centre, radius, mix(PIT, face, 0.4), mix(PIT, rim, 0.5), max(2, radius // 8)),)


def die(rect: Rect, face: int, side: Side | None, *, dimmed: bool = False) -> tuple[Shape, ...]:
    """A die; Black throws a dark one; dimmed once it has been played."""
    dark = side is Side.BLACK
    body, pip = (BLACK_FACE, DIE_FACE) if dark else (DIE_FACE, INK)
    edge = BLACK_RIM if dark else WHITE_RIM
    if dimmed:
        body, pip, edge = (mix(PIT, colour, 0.35) for colour in (body, pip, edge))
    (x, y), step = rect.centre, rect.w * 27 // 100
    return (
        Box(rect, body, rect.w // 5, edge, max(1, rect.w // 28)),
        *(
            Disc((x + column * step, y + row * step), max(2, rect.w // 11), pip)
            for column, row in PIPS[face]
        ),
    )


def tumbling(rect: Rect, face: int, age: Us) -> tuple[Rect, int]:
    """A rolling die's place and face, this many milliseconds after the roll."""
    if not 0 <= age < TUMBLE:
        return rect, face
    step = age // _STEP
    left = 1 - age / TUMBLE
    hop = round(rect.h * 0.28 * left * abs((step % 4) - 2) / 2)
    return Rect(rect.x, rect.y + hop, rect.w, rect.h), (face + 2 * step + step // 3) % 6 + 1


def cube_body(rect: Rect, *, offered: bool) -> Iterable[Shape]:
    """The doubling cube without its number; amber when it is offered."""
    edge = AMBER if offered else WHITE_RIM
    thick = max(2, rect.w // (10 if offered else 24))
    yield Box(rect, DIE_FACE, rect.w // 7, edge, thick)
    if not offered:
        inner = rect.inset(max(3, rect.w // 10))
        yield Box(inner, DIE_FACE, rect.w // 10, mix(DIE_FACE, WHITE_RIM, 0.7), 1)
