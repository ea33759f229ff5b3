"""A drawing as one page of PDF at true scale, for printers that do not know SVG's millimetres."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from math import tan

from hardware.make.shapes import Anchor, Circle, DrawnShape, Layer, Lettering, Paper, Path, PointMm
from hardware.make.svg import number

POINTS = 72 / 25.4
"""A millimetre in points."""
ROUND = 4 / 3 * tan(3.14159265 / 8)
"""How far a Bézier curve's control points are from the ends of a quarter circle of radius 1."""
BLACK, GREY = (0.0, 0.0, 0.0), (0.55, 0.55, 0.55)
COLOURS: Mapping[Layer, tuple[float, float, float]] = {
    Layer.CUT: (0.8, 0.0, 0.0),
    Layer.MARK: (0.0, 0.45, 0.0),
}
LETTER = 0.55
"""The width of a letter of Helvetica for its size, on the average."""


def to_pdf(drawing: Paper) -> str:
    """The text of the file, in ASCII: paths and words, no pictures and no fonts of its own."""
    width, high = (number(POINTS * length) for length in drawing.size)
    content = "\n".join(_lines(drawing.shapes))
    objects = (
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {width} {high}] /Contents 4 0 R "
        "/Resources << /Font << /F 5 0 R >> >> >>",
        f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        f"<< /Title ({_escaped(drawing.title)}) >>",
    )
    text, starts = "%PDF-1.4\n", []
    for name, one in enumerate(objects, start=1):
        starts.append(len(text))
        text += f"{name} 0 obj\n{one}\nendobj\n"
    table = "".join(f"{start:010} 00000 n \n" for start in starts)
    size = len(objects) + 1
    return (
        f"{text}xref\n0 {size}\n0000000000 65535 f \n{table}"
        f"trailer\n<< /Size {size} /Root 1 0 R /Info 6 0 R >>\nstartxref\n{len(text)}\n%%EOF\n"
    )


def _lines(shapes: Iterable[DrawnShape]) -> Iterator[str]:
    yield f"{number(POINTS)} 0 0 {number(POINTS)} 0 0 cm 0.2 w"
    for shape in shapes:
        colour = " ".join(number(share) for share in COLOURS.get(shape.layer, BLACK))
        match shape:
            case Circle():
                yield f"{_colour(shape, colour)} {_ring(shape)} {_painted(shape)}"
            case Path():
                steps = " l ".join(f"{number(x)} {number(y)}" for x, y in shape.points[1:])
                closed = " h" if shape.closed else ""
                start = _point(shape.points[0])
                yield f"{_colour(shape, colour)} {start} m {steps} l{closed} {_painted(shape)}"
            case Lettering():
                yield f"{colour} rg {_word(shape)}"
            case _:
                raise ValueError(f"a page of PDF has no {type(shape).__name__}; draw its lines")


def _colour(shape: DrawnShape, colour: str) -> str:
    if shape.layer is Layer.FILL:
        return f"{' '.join(number(share) for share in GREY)} rg"
    return f"{colour} RG"


def _painted(shape: DrawnShape) -> str:
    return "f" if shape.layer is Layer.FILL else "S"


def _point(at: PointMm) -> str:
    return f"{number(at[0])} {number(at[1])}"


def _ring(circle: Circle) -> str:
    """Four curves around a centre."""
    (x, y), r = circle.centre, circle.radius
    corners = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 0))
    parts = [f"{_point((x + r, y))} m"]
    for (ax, ay), (bx, by) in pairwise(corners):
        first = (x + r * (ax + ROUND * bx), y + r * (ay + ROUND * by))
        second = (x + r * (bx + ROUND * ax), y + r * (by + ROUND * ay))
        parts.append(f"{_point(first)} {_point(second)} {_point((x + r * bx, y + r * by))} c")
    return " ".join(parts)


def _word(text: Lettering) -> str:
    wide = LETTER * text.size * len(text.words)
    shift = {Anchor.START: 0.0, Anchor.MIDDLE: wide / 2, Anchor.END: wide}[text.anchor]
    at = _point((text.at[0] - shift, text.at[1]))
    return f"BT /F {number(text.size)} Tf {at} Td ({_escaped(text.words)}) Tj ET"


def _escaped(words: str) -> str:
    """A word of PDF: what is no plain letter as its number in Windows' Latin alphabet."""
    codes = words.encode("cp1252")
    return "".join(
        chr(code) if 32 <= code < 127 and chr(code) not in "()\\" else f"\\{code:03o}"
        for code in codes
    )
