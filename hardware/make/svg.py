"""A drawing as SVG: one unit is one millimetre, one group a layer, the same bytes every time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from xml.sax.saxutils import escape

from hardware.make.shapes import (
    DIMENSION_MM,
    Anchor,
    Circle,
    Dimension,
    DrawnShape,
    Layer,
    Lettering,
    Paper,
    Path,
)

STYLES: Mapping[Layer, str] = {
    Layer.FILL: 'fill="#c9c2b4" stroke="none"',
    Layer.ENGRAVE: 'fill="none" stroke="#00f" stroke-width=".2"',
    Layer.HOLE: 'fill="none" stroke="#f0f" stroke-width=".1"',
    Layer.CUT: 'fill="none" stroke="#f00" stroke-width=".1"',
    Layer.MARK: 'fill="none" stroke="#080" stroke-width=".15"',
    Layer.GLASS: 'fill="#def" stroke="#222" stroke-width=".3"',
    Layer.FAINT: 'fill="none" stroke="#ccc" stroke-width=".2"',
    Layer.GROUND: 'fill="none" stroke="#555" stroke-width=".6"',
    Layer.COLUMN: 'fill="none" stroke="#c60" stroke-width=".6"',
    Layer.ROW: 'fill="none" stroke="#06c" stroke-width=".6"',
    Layer.WIRE: 'fill="none" stroke="#222" stroke-width=".4"',
    Layer.BODY: 'fill="#222" stroke="#222" stroke-width=".3"',
    Layer.DANGER: 'fill="none" stroke="#d00" stroke-width=".6"',
    Layer.WORDS: 'fill="#222"',
    Layer.DIMENSION: 'fill="none" stroke="#777" stroke-width=".1"',
}
"""How each layer looks; later layers lie on top of earlier ones."""

WORD_COLOURS: Mapping[Layer, str] = {
    Layer.MARK: "#080",
    Layer.ROW: "#06c",
    Layer.COLUMN: "#c60",
    Layer.GROUND: "#555",
    Layer.FAINT: "#777",
    Layer.DIMENSION: "#777",
    Layer.DANGER: "#d00",
}


def to_svg(drawing: Paper) -> str:
    """The text of the SVG file."""
    width, height = number(drawing.size[0]), number(drawing.size[1])
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}" font-family="DejaVu Sans, Arial, sans-serif">',
        f"<title>{escape(drawing.title)}</title>",
        '<rect width="100%" height="100%" fill="#fff"/>',
    ]
    for layer, style in STYLES.items():
        shapes = [shape for shape in drawing.shapes if shape.layer is layer]
        lines += _group(layer, style, shapes, drawing.size[1])
    return "\n".join([*lines, "</svg>", ""])


def number(value: float) -> str:
    """A measure to a thousandth of a millimetre, as short as it can be written."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _group(layer: Layer, style: str, shapes: Iterable[DrawnShape], height: float) -> Iterator[str]:
    drawn = [element for shape in shapes for element in [_element(shape, height)]]
    if drawn:
        yield f'<g id="{layer.value}" {style}>'
        yield from drawn
        yield "</g>"


def _element(shape: DrawnShape, height: float) -> str:
    match shape:
        case Circle(centre=(x, y), radius=radius):
            return f'<circle cx="{number(x)}" cy="{number(height - y)}" r="{number(radius)}"/>'
        case Path(points=points, closed=closed):
            steps = "L".join(f"{number(x)} {number(height - y)}" for x, y in points)
            return f'<path d="M{steps}{"Z" if closed else ""}"/>'
        case Lettering():
            return _word(shape, height)
        case Dimension():
            return "\n".join(_element(part, height) for part in _measured(shape))


def _measured(shape: Dimension) -> Iterator[Path | Lettering]:
    """Two lines from what is measured, one between them, and its length."""
    ends = (shape.start, shape.end)
    if shape.upright:
        on, along = [(shape.at, y) for _, y in ends], [y for _, y in ends]
    else:
        on, along = [(x, shape.at) for x, _ in ends], [x for x, _ in ends]
    for end, foot in zip(ends, on, strict=True):
        yield Path(shape.layer, (end, foot))
    yield Path(shape.layer, tuple(on))
    middle = (on[0][0] + on[1][0]) / 2, (on[0][1] + on[1][1]) / 2
    at = (middle[0] - 0.4, middle[1]) if shape.upright else (middle[0], middle[1] + 0.4)
    said = f"{shape.words}{number(round(abs(along[1] - along[0]), 2))}"
    yield Lettering(shape.layer, at, said, DIMENSION_MM, Anchor.MIDDLE, shape.upright)


def _word(text: Lettering, height: float) -> str:
    x, y = number(text.at[0]), number(height - text.at[1])
    anchor = "" if text.anchor.value == "start" else f' text-anchor="{text.anchor.value}"'
    turn = f' transform="rotate(-90 {x} {y})"' if text.upright else ""
    bold = ' font-weight="bold"' if text.bold else ""
    colour = WORD_COLOURS.get(text.layer, "#222")
    return (
        f'<text x="{x}" y="{y}" font-size="{number(text.size)}" fill="{colour}" '
        f'stroke="none"{anchor}{turn}{bold}>{escape(text.words)}</text>'
    )
