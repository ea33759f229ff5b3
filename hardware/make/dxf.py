"""A drawing as DXF R2000 in millimetres, which every cutter reads."""

from __future__ import annotations

from collections.abc import Mapping
from io import StringIO

import ezdxf
from ezdxf.enums import TextEntityAlignment
from ezdxf.layouts import Modelspace

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
    PointMm,
)

COLOURS: Mapping[Layer, int] = {
    Layer.ENGRAVE: 5,
    Layer.FILL: 8,
    Layer.HOLE: 6,
    Layer.CUT: 1,
    Layer.MARK: 3,
    Layer.DIMENSION: 9,
}
"""The layers that a DXF file has, and their AutoCAD colour numbers."""

LOOKS: Mapping[str, float] = {
    **{"dimtxt": DIMENSION_MM, "dimtsz": 0.5, "dimexe": 0.0, "dimexo": 0.0, "dimgap": 0.3},
    **{"dimdec": 2, "dimzin": 8, "dimtad": 1, "dimtih": 0, "dimtoh": 0},
}
"""DXF's names for the measures of a dimension: ticks at its ends, the figure above its line."""
_ALIGNMENT = {
    Anchor.START: TextEntityAlignment.LEFT,
    Anchor.MIDDLE: TextEntityAlignment.CENTER,
    Anchor.END: TextEntityAlignment.RIGHT,
}
_PLAIN = str.maketrans({"×": "x", "–": "-", "ø": "d", "→": "->", "±": "+-", "Ω": "Ohm", "½": "1/2"})


def to_dxf(drawing: Paper) -> str:
    """The text of the DXF file, with the layers of a template only."""
    # Without time and ezdxf's version the same drawing gives the same bytes.
    ezdxf.options.write_fixed_meta_data_for_testing = True
    document = ezdxf.new("R2000", units=ezdxf.units.MM)
    for layout in document.layouts:
        # The name of an absent plotter differs between versions of ezdxf.
        layout.dxf.update({"plot_configuration_file": "none_device", "plot_rotation": 0})
    for layer, colour in COLOURS.items():
        document.layers.add(_name(layer), color=colour)
    space = document.modelspace()
    corners = (0.0, 0.0, 0.0), (*_exact(drawing.size), 0.0)
    space.reset_extents(*corners)
    # Later versions of ezdxf do not copy a corner at (0, 0) from the layout.
    document.header["$EXTMIN"], document.header["$EXTMAX"] = corners
    for shape in drawing.shapes:
        if shape.layer in COLOURS:
            _draw(space, shape)
    text = StringIO()
    document.write(text)
    return text.getvalue()


def _draw(space: Modelspace, shape: DrawnShape) -> None:
    on = {"layer": _name(shape.layer)}
    match shape:
        case Circle(centre=centre, radius=radius):
            space.add_circle(_exact(centre), round(radius, 3), dxfattribs=on)
        case Path(points=points, closed=closed):
            space.add_lwpolyline(map(_exact, points), close=closed, dxfattribs=on)
        case Dimension():
            _measure(space, shape)
        case Lettering(at=at, words=words, size=size):
            turn = 90 if shape.upright else 0
            word = space.add_text(
                words.translate(_PLAIN), height=size, rotation=turn, dxfattribs=on
            )
            word.set_placement(_exact(at), align=_ALIGNMENT[shape.anchor])


def _measure(space: Modelspace, shape: Dimension) -> None:
    """Add a DXF dimension, and draw it as lines too for programs that ignore dimensions."""
    base = (shape.at, 0.0) if shape.upright else (0.0, shape.at)
    space.add_linear_dim(
        base=_exact(base),
        p1=_exact(shape.start),
        p2=_exact(shape.end),
        angle=90 if shape.upright else 0,
        text=f"{'%%c' if shape.words else ''}<>",
        override=dict(LOOKS),
        dxfattribs={"layer": _name(shape.layer)},
    ).render()


def _exact(point: PointMm) -> PointMm:
    """Round to a thousandth of a millimetre, without a negative zero."""
    return round(point[0], 3) + 0.0, round(point[1], 3) + 0.0


def _name(layer: Layer) -> str:
    return layer.value.upper()


def _plain(words: str) -> str:
    """Replace all but ASCII, because programs and machines differ in other letters."""
    return words.translate(_PLAIN).encode("ascii", "replace").decode("ascii")
