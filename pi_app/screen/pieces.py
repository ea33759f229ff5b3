"""Checkers, dice and the doubling cube as shapes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from pi_app.base.microseconds import Us
from pi_app.rules.terms import Side
from pi_app.screen.canvas import Box, Curve, Disc, Line, Point, Poly, Rect, Shape
from pi_app.screen.theme import (
    AMBER,
    BLACK_FACE,
    BLACK_RIM,
    DIE_FACE,
    FELT,
    INK,
    PIT,
    POINT_DARK,
    POINT_LIGHT,
    WHITE_FACE,
    WHITE_RIM,
    WOOD,
    WOOD_EDGE,
    Colour,
    Theme,
    mix,
)
from pi_app.screen.ui import TUMBLE

SIGN = 26
"""Units: the width of a sign between two dice."""
LIT, HOLLOW = 0.16, -0.07
"""The shading of raised and of sunken things."""
RIM = 5.7
"""The radius of a black checker, as a multiple of its rim."""
FACES: Mapping[Side, tuple[Colour, Colour]] = {
    Side.WHITE: (WHITE_FACE, WHITE_RIM),
    Side.BLACK: (BLACK_FACE, BLACK_RIM),
}
"""Each side's checkers: colours of the face and of the rim."""

PIPS: Mapping[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def rim_width(radius: int, side: Side) -> int:
    """White's face stands out from everything by itself; Black's needs a rim that one sees across
    a room."""
    if side is Side.WHITE:
        return max(1, radius // 12)
    return max(1, min(max(3, math.ceil(radius / RIM)), radius // 3))


def checker(centre: Point, radius: int, side: Side) -> tuple[Shape, ...]:
    """A checker with a sunken face: White's has a dark rim and one ring, Black's a broad bright rim
    and two."""
    face, rim = FACES[side]
    edge, line = rim_width(radius, side), max(1, radius // 16)
    ring = mix(face, rim, 0.35)
    hollows = (66,) if side is Side.WHITE else (66, 34)
    return (
        Disc(centre, radius, face, rim, edge, LIT, max(1, radius // 6)),
        *(Disc(centre, radius * part // 100, face, ring, line, HOLLOW) for part in hollows),
    )


def town(centre: Point, radius: int, side: Side, *, faded: bool = False) -> tuple[Shape, ...]:
    """Cannon's town, a square keep with three battlements; `faded` where it should be placed."""
    face, rim = FACES[side]
    lift = 0 if faded else max(1, radius // 6)
    if faded:
        face, rim = mix(PIT, face, 0.4), mix(PIT, rim, 0.5)
    edge, half = max(2, radius // 9, rim_width(radius, side) * 3 // 4), radius
    (x, y), tooth = centre, max(3, half // 2)
    keep = Rect(x - half, y - half + tooth, 2 * half, 2 * half - tooth)
    teeth = (
        Rect(left, y - half, tooth, tooth + edge)
        for left in (keep.x, x - tooth // 2, keep.right - tooth)
    )
    gate = Rect(x - tooth // 2, keep.bottom - tooth - edge, tooth, tooth)
    return (
        *(Box(merlon, face, 0, rim, edge, lift=lift) for merlon in teeth),
        Box(keep, face, 0, rim, edge, LIT, lift),
        Box(gate, rim),
    )


def edgewise(rect: Rect, side: Side) -> tuple[Shape, ...]:
    """A checker seen from the side."""
    face, rim = FACES[side]
    edge = 1 if side is Side.WHITE else max(1, rect.h // 4)
    return (Box(rect, face, min(rect.h // 2, 3), rim, edge, LIT),)


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
    face, rim = FACES[side]
    return (Disc(centre, radius, mix(PIT, face, 0.4), mix(PIT, rim, 0.5), max(2, radius // 8)),)


def die(
    rect: Rect, face: int, side: Side | None, *, dimmed: bool = False, turn: float = 0
) -> tuple[Shape, ...]:
    """A die; Black's is dark, a used one dimmed. `turn` is its angle in radians."""
    body, pip = (BLACK_FACE, DIE_FACE) if side is Side.BLACK else (DIE_FACE, INK)
    rim, edge = (BLACK_RIM if side is Side.BLACK else body), max(1, rect.w // 18)
    lift = max(2, rect.w // 14)
    if dimmed:
        body, pip, rim = (
            mix(PIT, one, share) for one, share in ((body, 0.3), (pip, 0.5), (rim, 0.4))
        )
        lift = 0
    (x, y), step = rect.centre, rect.w * 27 / 100
    across, down = math.cos(turn), math.sin(turn)
    spots = tuple(
        Disc(
            (round(x + (i * across - j * down) * step), round(y + (i * down + j * across) * step)),
            max(2, rect.w // 11),
            pip,
        )
        for i, j in PIPS[face]
    )
    if not turn:
        return (Box(rect, body, rect.w // 5, rim, edge, LIT, lift), *spots)
    outline = Poly(_turned(rect, rect.w / 5, turn), rim, LIT, lift)
    if rim == body:
        return (outline, *spots)
    return (outline, Poly(_turned(rect.inset(edge), rect.w / 5 - edge, turn), body, LIT), *spots)


def _turned(rect: Rect, radius: float, turn: float) -> Curve:
    """The outline of a square with round corners, turned about its centre. A quarter turn changes
    nothing."""
    turn = round(turn / STEP) % (ANGLES // 4) * STEP
    (x, y), reach = rect.centre, rect.w / 2 - radius
    corners = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    outline = []
    for quarter, (i, j) in enumerate(corners):
        for step in range(5):
            angle = (quarter + step / 4) * math.tau / 4
            dx, dy = i * reach + radius * math.cos(angle), j * reach + radius * math.sin(angle)
            outline.append((dx, dy))
    across, down = math.cos(turn), math.sin(turn)
    return tuple(
        (x + _exact(dx * across - dy * down), y + _exact(dx * down + dy * across))
        for dx, dy in outline
    )


def _exact(length: float) -> float:
    """To a 64th, so that the outline is the same wherever the square lies."""
    return round(length * 64) / 64


def tumbling(rect: Rect, face: int, age: Us) -> tuple[Rect, int, float]:
    """A rolling die's place, face and angle at this age. It comes from the right and slows down
    until it rests."""
    if not 0 <= age < TUMBLE:
        return rect, face, 0.0
    left = (1 - age / TUMBLE) ** 2
    x = rect.x + round(rect.w * 1.6 * left)
    y = rect.y - round(rect.h * 0.35 * left * abs(math.sin(9 * left)))
    faces = (face + 2, face + 4, face + 1, face)
    shown = faces[min(3, int(age / TUMBLE * 5))]
    # Few angles, so that most are painted already.
    return Rect(x, y, rect.w, rect.h), (shown - 1) % 6 + 1, math.ceil(left * 0.8 * ANGLES) * STEP


ANGLES = 96
STEP = math.tau / ANGLES
"""The angles that a rolling die has."""


def swatch(rect: Rect, theme: Theme) -> tuple[Shape, ...]:
    """A sample of a theme: two points on its felt, a checker of each side, in its frame."""

    def so(colour: Colour) -> Colour:
        rgb = colour.rgb(theme)
        return Colour(rgb, rgb, rgb)

    felt = rect.inset(max(2, rect.w // 10))
    points = tuple(
        Poly(((x, felt.y), (x + felt.w / 2, felt.y), (x + felt.w / 4, felt.bottom)), so(wood))
        for x, wood in ((felt.x, POINT_DARK), (felt.x + felt.w / 2, POINT_LIGHT))
    )
    r = max(2, felt.w // 5)
    checkers = tuple(
        Disc((felt.x + felt.w * place // 4, felt.bottom - r), r, so(face), so(rim), max(1, r // 4))
        for place, (face, rim) in zip((1, 3), FACES.values(), strict=True)
    )
    return (
        Box(rect, so(WOOD), rect.w // 8, so(WOOD_EDGE), 1),
        Box(felt, so(FELT)),
        *points,
        *checkers,
    )


def cube_body(rect: Rect, *, offered: bool) -> Iterable[Shape]:
    """The doubling cube without its number; amber when it is offered."""
    lift = max(2, rect.w // 14)
    if offered:
        yield Box(rect, DIE_FACE, rect.w // 7, AMBER, max(2, rect.w // 10), LIT, lift)
    else:
        yield Box(rect, DIE_FACE, rect.w // 7, WHITE_RIM, 1, LIT, lift)
        inner = rect.inset(max(2, rect.w // 12))
        yield Box(inner, DIE_FACE, rect.w // 10, light=HOLLOW)
