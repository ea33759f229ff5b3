"""Shapes as SVG for browsers, and texts measured without a display."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from html import escape
from io import BytesIO
from math import ceil

from pi_app.screen.canvas import Box, Curve, Disc, Line, Measure, Poly, Rect, Shape, Text
from pi_app.screen.theme import Colour, Theme, type_files

ASCENT = 0.969
"""Inter's ascent, as a share of its size."""
LINE = 1.21
"""Inter's line height, as a multiple of its size."""
MOST_DRAWN = 8192
"""The most shapes kept as text; a page has 100 to 300."""
FAMILY = "Inter,Helvetica,Arial,sans-serif"
SHADE = 0.43
"""The darkness of a shadow in its middle, 0 to 1."""


def svg(shapes: Iterable[Shape], room: Rect, theme: Theme) -> str:
    view = f"{room.x} {room.y} {room.w} {room.h}"
    head = f'xmlns="http://www.w3.org/2000/svg" viewBox="{view}" font-family="{FAMILY}"'
    return f"<svg {head}>{''.join(elements(shapes, theme))}</svg>"


def elements(shapes: Iterable[Shape], theme: Theme) -> tuple[str, ...]:
    """The parts of a picture: its gradients and shadows, then one element for each shape."""
    drawn = tuple(_flat(shape) if theme is Theme.CONTRAST else shape for shape in shapes)
    solid = tuple(shape for shape in drawn if isinstance(shape, Box | Disc | Poly))
    defined = (
        *(_falling(light) for light in sorted({shape.light for shape in solid} - {0})),
        *(_shadow(lift) for lift in sorted({shape.lift for shape in solid} - {0})),
    )
    return (f"<defs>{''.join(defined)}</defs>", *(_drawn(shape, theme) for shape in drawn))


def _flat(shape: Shape) -> Shape:
    return replace(shape, light=0, lift=0) if isinstance(shape, Box | Disc | Poly) else shape


def _falling(light: float) -> str:
    """A gradient of light from above, to be drawn over a shape's colour."""
    upper, lower = ("#fff", "#000") if light > 0 else ("#000", "#fff")
    stops = (
        f'<stop stop-color="{upper}" stop-opacity="{abs(light)}"/>'
        f'<stop offset=".5" stop-color="{upper}" stop-opacity="0"/>'
        f'<stop offset=".5" stop-color="{lower}" stop-opacity="0"/>'
        f'<stop offset="1" stop-color="{lower}" stop-opacity="{abs(light)}"/>'
    )
    name = f"{_light_name(light)}"
    return f'<linearGradient id="{name}" x2="0" y2="1">{stops}</linearGradient>'


def _shadow(lift: int) -> str:
    soft = f'<feDropShadow dx="0" dy="{lift}" stdDeviation="{lift * 0.7:.1f}"'
    room = 'x="-50%" y="-50%" width="200%" height="200%"'
    return f'<filter id="lift{lift}" {room}>{soft} flood-opacity="{SHADE}"/></filter>'


def _light_name(light: float) -> str:
    return f"light{round(light * 1000)}".replace("-", "m")


@lru_cache(MOST_DRAWN)
def _drawn(shape: Shape, theme: Theme) -> str:
    match shape:
        case Box():
            return _solid(shape, _box(shape), _edged(shape.fill, shape, theme))
        case Disc():
            return _solid(shape, _disc(shape), _edged(shape.fill, shape, theme))
        case Line(points, colour, width):
            round_ends = 'stroke-linecap="round" stroke-linejoin="round"'
            stroke = f'stroke="{_hex(colour, theme)}" stroke-width="{width}" {round_ends}'
            return f'<polyline points="{_points(points)}" fill="none" {stroke}/>'
        case Poly(points, colour):
            outline = f'polygon points="{_points(points)}"'
            return _solid(shape, outline, f' fill="{_hex(colour, theme)}"')
        case Text():
            return _text(shape, theme)


def _solid(shape: Box | Disc | Poly, outline: str, paint: str) -> str:
    """A shape with its shadow and its light."""
    shadow = f' filter="url(#lift{shape.lift})"' if shape.lift else ""
    over = f'<{outline} fill="url(#{_light_name(shape.light)})"/>' if shape.light else ""
    element = f"<{outline}{paint}{shadow}/>"
    return f"<g>{element}{over}</g>" if over else element


def _box(box: Box) -> str:
    """A box; SVG centres an edge on the bounds, so it is moved inside."""
    edge = box.edge_width if box.edge else 0
    rect, half = box.rect, edge / 2
    place = (
        f'x="{_short(rect.x + half)}" y="{_short(rect.y + half)}"'
        f' width="{_short(max(rect.w - edge, 0))}" height="{_short(max(rect.h - edge, 0))}"'
    )
    radius = min(max(box.radius - half, 0), rect.w / 2, rect.h / 2)
    return f"rect {place}" + (f' rx="{_short(radius)}"' if radius > 0 else "")


def _disc(disc: Disc) -> str:
    edge = disc.edge_width if disc.edge else 0
    (x, y), radius = disc.centre, max(disc.radius - edge / 2, 0)
    return f'circle cx="{x}" cy="{y}" r="{_short(radius)}"'


def _text(text: Text, theme: Theme) -> str:
    """A text, forced to its measured width whichever font the browser has."""
    line = text.rect.h or text.size
    top = text.rect.y + (text.rect.h - line) / 2
    place = f'x="{text.rect.x}" y="{_short(top + text.size * ASCENT)}"'
    wide = f' textLength="{text.rect.w}" lengthAdjust="spacingAndGlyphs"'
    bold = ' font-weight="600"' if text.bold else ""
    said = escape("".join(filter(str.isprintable, text.text.replace("\u00a0", " "))))
    colour = _hex(text.colour, theme)
    return f'<text {place} font-size="{text.size}"{bold}{wide} fill="{colour}">{said}</text>'


def _edged(fill: Colour | None, shape: Box | Disc, theme: Theme) -> str:
    inside, width = _hex(fill, theme) if fill else "none", shape.edge_width
    edge = shape.edge if width else None
    around = f' stroke="{_hex(edge, theme)}" stroke-width="{width}"' if edge else ""
    return f' fill="{inside}"{around}'


def _points(points: Curve) -> str:
    return " ".join(f"{_short(x)},{_short(y)}" for x, y in points)


def _hex(colour: Colour, theme: Theme) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour.rgb(theme))


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0") if math.isfinite(number) else "0"


def measuring() -> Measure:
    """Measure texts in Inter, without a display."""
    from PIL import ImageFont  # noqa: PLC0415, only browsers need it

    files = type_files()

    @lru_cache(64)
    def font(size: int, bold: bool) -> ImageFont.FreeTypeFont:
        with files[bold].open("rb") as opened:
            return ImageFont.truetype(
                BytesIO(opened.read()), size, layout_engine=ImageFont.Layout.BASIC
            )

    @lru_cache(8192)
    def measure(text: str, size: int, bold: bool) -> tuple[int, int]:
        return ceil(font(size, bold).getlength(text)), ceil(size * LINE)

    return measure
