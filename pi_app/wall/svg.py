"""Shapes as SVG, so that a browser draws what the screens draw and knows no game."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape

from pi_app.screen.shapes import Box, Curve, Disc, Line, Poly, Rect, Shape, Text
from pi_app.screen.theme import Colour, Theme

ASCENT = 0.928
"""Of DejaVu Sans, in parts of its size: from the top of a line to where its letters stand."""
FAMILY = "DejaVu Sans,Verdana,sans-serif"


def svg(shapes: Iterable[Shape], room: Rect, theme: Theme) -> str:
    """The picture of the shapes that lie in a room, see-through where none is."""
    body = "".join(_drawn(shape, theme) for shape in shapes)
    view = f"{room.x} {room.y} {room.w} {room.h}"
    head = f'xmlns="http://www.w3.org/2000/svg" viewBox="{view}" font-family="{FAMILY}"'
    return f"<svg {head}>{body}</svg>"


def _drawn(shape: Shape, theme: Theme) -> str:
    match shape:
        case Box():
            return _box(shape, theme)
        case Disc():
            return _disc(shape, theme)
        case Line(points, colour, width):
            round_ends = 'stroke-linecap="round" stroke-linejoin="round"'
            stroke = f'stroke="{_hex(colour, theme)}" stroke-width="{width}" {round_ends}'
            return f'<polyline points="{_points(points)}" fill="none" {stroke}/>'
        case Poly(points, colour):
            return f'<polygon points="{_points(points)}" fill="{_hex(colour, theme)}"/>'
        case Text():
            return _text(shape, theme)


def _box(box: Box, theme: Theme) -> str:
    """The edge lies inside the bounds, where SVG's lies on both sides of them."""
    edge = box.edge_width if box.edge else 0
    rect, half = box.rect, edge / 2
    place = (
        f'x="{_short(rect.x + half)}" y="{_short(rect.y + half)}"'
        f' width="{_short(max(rect.w - edge, 0))}" height="{_short(max(rect.h - edge, 0))}"'
    )
    radius = min(max(box.radius - half, 0), rect.w / 2, rect.h / 2)
    corners = f' rx="{_short(radius)}"' if radius > 0 else ""
    return f"<rect {place}{corners}{_filled(box.fill, box.edge, edge, theme)}/>"


def _disc(disc: Disc, theme: Theme) -> str:
    edge = disc.edge_width if disc.edge else 0
    (x, y), radius = disc.centre, max(disc.radius - edge / 2, 0)
    place = f'cx="{x}" cy="{y}" r="{_short(radius)}"'
    return f"<circle {place}{_filled(disc.fill, disc.edge, edge, theme)}/>"


def _text(text: Text, theme: Theme) -> str:
    """As wide as it was measured, whichever font the browser has."""
    line = text.rect.h or text.size
    top = text.rect.y + (text.rect.h - line) / 2
    place = f'x="{text.rect.x}" y="{_short(top + text.size * ASCENT)}"'
    wide = f' textLength="{text.rect.w}" lengthAdjust="spacingAndGlyphs"'
    bold = ' font-weight="bold"' if text.bold else ""
    said = escape("".join(filter(str.isprintable, text.text)))
    colour = _hex(text.colour, theme)
    return f'<text {place} font-size="{text.size}"{bold}{wide} fill="{colour}">{said}</text>'


def _filled(fill: Colour | None, edge: Colour | None, width: float, theme: Theme) -> str:
    inside = _hex(fill, theme) if fill else "none"
    around = f' stroke="{_hex(edge, theme)}" stroke-width="{width}"' if edge and width else ""
    return f' fill="{inside}"{around}'


def _points(points: Curve) -> str:
    return " ".join(f"{_short(x)},{_short(y)}" for x, y in points)


def _hex(colour: Colour, theme: Theme) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour.rgb(theme))


def _short(number: float) -> str:
    """A tenth of a pixel is enough."""
    return f"{number:.1f}".removesuffix(".0") if math.isfinite(number) else "0"
