"""A drawing as DXF of release 12, which every cutter reads, in millimetres.

The four kinds of entity a template needs are written here: a library would put its own version
and the hour into the file, and the same drawing must give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from hardware.make.shapes import Anchor, Circle, Drawing, Layer, Path, Point, Shape, Text
from hardware.make.svg import number

COLOURS: Mapping[Layer, int] = MappingProxyType(
    {Layer.ENGRAVE: 5, Layer.FILL: 8, Layer.HOLE: 6, Layer.CUT: 1, Layer.MARK: 3}
)
"""The layers that a DXF file has, and their AutoCAD colour numbers."""

_ALIGNMENT = {Anchor.START: 0, Anchor.MIDDLE: 1, Anchor.END: 2}
_PLAIN = str.maketrans({"×": "x", "–": "-", "ø": "d", "→": "->", "±": "+-", "Ω": "Ohm", "½": "1/2"})


def to_dxf(drawing: Drawing) -> str:
    """The text of the DXF file; what is on other layers than those of a template is left out."""
    pairs = [*_head(drawing), (0, "SECTION"), (2, "ENTITIES")]
    for shape in drawing.shapes:
        if shape.layer in COLOURS:
            pairs += _entity(shape)
    pairs += [(0, "ENDSEC"), (0, "EOF")]
    return "".join(f"{code}\n{value}\n" for code, value in pairs)


def _head(drawing: Drawing) -> Iterator[tuple[int, str]]:
    width, height = drawing.size
    yield from ((0, "SECTION"), (2, "HEADER"))
    yield from ((9, "$ACADVER"), (1, "AC1009"), (9, "$INSUNITS"), (70, "4"))
    yield from ((9, "$MEASUREMENT"), (70, "1"))
    yield from ((9, "$EXTMIN"), *_at(10, (0, 0)), (9, "$EXTMAX"), *_at(10, (width, height)))
    yield from ((0, "ENDSEC"), (0, "SECTION"), (2, "TABLES"), (0, "TABLE"), (2, "LAYER"))
    yield (70, str(len(COLOURS)))
    for layer, colour in COLOURS.items():
        yield from ((0, "LAYER"), (2, _name(layer)), (70, "0"), (62, str(colour)))
        yield (6, "CONTINUOUS")
    yield from ((0, "ENDTAB"), (0, "ENDSEC"))


def _entity(shape: Shape) -> Iterator[tuple[int, str]]:
    match shape:
        case Circle():
            yield from ((0, "CIRCLE"), (8, _name(shape.layer)), *_at(10, shape.centre))
            yield (40, number(shape.radius))
        case Path():
            yield from ((0, "POLYLINE"), (8, _name(shape.layer)), (66, "1"), *_at(10, (0, 0)))
            yield (70, "1" if shape.closed else "0")
            for point in shape.points:
                yield from ((0, "VERTEX"), (8, _name(shape.layer)), *_at(10, point))
            yield from ((0, "SEQEND"), (8, _name(shape.layer)))
        case Text():
            yield from ((0, "TEXT"), (8, _name(shape.layer)), *_at(10, shape.at))
            yield from ((40, number(shape.size)), (1, _plain(shape.words)))
            yield (50, "90" if shape.upright else "0")
            if alignment := _ALIGNMENT[shape.anchor]:
                yield from ((72, str(alignment)), *_at(11, shape.at))


def _at(code: int, point: Point) -> Iterator[tuple[int, str]]:
    yield from ((code, number(point[0])), (code + 10, number(point[1])), (code + 20, "0"))


def _name(layer: Layer) -> str:
    return layer.value.upper()


def _plain(words: str) -> str:
    """Release 12 knows no letters beyond ASCII."""
    return words.translate(_PLAIN).encode("ascii", "replace").decode("ascii")
