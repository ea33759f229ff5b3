"""Sheets as solids for CAD programs: STEP (ISO 10303-21, AP214). Walls are planes, and cylinders
where a circle is cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import dist

from hardware.make.shapes import Circle, DrawnShape, PointMm
from hardware.make.solid import Corner, pieces, ring

UP, EAST = (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)
UNITS = (
    "(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))",
    "(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))",
    "(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())",
)


def to_step(title: str, shapes: Sequence[DrawnShape], thick: float) -> str:
    """Every piece that is cut, with its holes, lying as on its sheet; millimetres. Without a date:
    the same sheet gives the same text."""
    made = _StepEntities()
    solids = [_solid(made, piece, holes, thick) for piece, holes in pieces(shapes)]
    context = made.add("APPLICATION_CONTEXT('automotive design')")
    made.add(
        "APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,"
        f"{context})"
    )
    mechanical = made.add(f"PRODUCT_CONTEXT('',{context},'mechanical')")
    product = made.add(f"PRODUCT('{title}','{title}','',({mechanical}))")
    made.add(f"PRODUCT_RELATED_PRODUCT_CATEGORY('part',$,({product}))")
    formation = made.add(f"PRODUCT_DEFINITION_FORMATION('','',{product})")
    design = made.add(f"PRODUCT_DEFINITION_CONTEXT('part definition',{context},'design')")
    definition = made.add(f"PRODUCT_DEFINITION('design','',{formation},{design})")
    shape = made.add(f"PRODUCT_DEFINITION_SHAPE('','',{definition})")
    units = [made.add(unit) for unit in UNITS]
    exact = made.add(
        f"UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-4),{units[0]},"
        "'distance_accuracy_value','')"
    )
    space = made.add(
        "(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT("
        f"({exact}))GLOBAL_UNIT_ASSIGNED_CONTEXT(({','.join(units)}))REPRESENTATION_CONTEXT('',''))"
    )
    items = ",".join((made.axes((0.0, 0.0, 0.0), UP, EAST), *solids))
    whole = made.add(f"ADVANCED_BREP_SHAPE_REPRESENTATION('',({items}),{space})")
    made.add(f"SHAPE_DEFINITION_REPRESENTATION({shape},{whole})")
    lines = (f"{name}={text};" for text, name in made.names.items())
    return "\n".join(
        (
            *("ISO-10303-21;", "HEADER;", "FILE_DESCRIPTION((''),'2;1');"),
            f"FILE_NAME('{title}','',(''),(''),'','','');",
            "FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));",
            *("ENDSEC;", "DATA;", *lines, "ENDSEC;", "END-ISO-10303-21;", ""),
        )
    )


@dataclass(frozen=True, slots=True)
class _WallFoot:
    """A wall's foot, with its piece on the left: straight, or half a circle around a centre."""

    start: PointMm
    end: PointMm
    centre: PointMm | None = None
    turn: int = 1
    """Which way round the half circle: anticlockwise (1) or clockwise (-1)."""


def _solid(
    made: _StepEntities, piece: DrawnShape, holes: Sequence[DrawnShape], thick: float
) -> str:
    rings = [_sides(piece, 1), *(_sides(hole, -1) for hole in holes)]
    faces = [_wall(made, side, thick) for sides in rings for side in sides]
    for height, kept in ((0.0, False), (thick, True)):
        loops = [
            _loop(made, [(made.edge(side, height), kept) for side in sides[:: 1 if kept else -1]])
            for sides in rings
        ]
        way = (0.0, 0.0, 1.0 if kept else -1.0)
        plane = made.add(f"PLANE('',{made.axes((0.0, 0.0, height), way, EAST)})")
        faces.append(_face(made, loops, plane))
    shell = made.add(f"CLOSED_SHELL('',({','.join(faces)}))")
    return made.add(f"MANIFOLD_SOLID_BREP('',{shell})")


def _sides(shape: DrawnShape, turn: int) -> list[_WallFoot]:
    if isinstance(shape, Circle):
        (x, y), radius = shape.centre, shape.radius
        east, west = (x + radius, y), (x - radius, y)
        return [_WallFoot(*ends, shape.centre, turn) for ends in ((east, west), (west, east))]
    corners = ring(shape, turn)
    return [_WallFoot(*ends) for ends in pairwise((*corners, corners[0]))]


def _wall(made: _StepEntities, side: _WallFoot, thick: float) -> str:
    foot, head = made.edge(side, 0.0), made.edge(side, thick)
    start, end = (made.line((*at, 0.0), (*at, thick)) for at in (side.start, side.end))
    loop = _loop(made, [(foot, True), (end, True), (head, False), (start, False)])
    if side.centre is None:
        x, y, _ = along = _unit((*side.start, 0.0), (*side.end, 0.0))
        plane = made.add(f"PLANE('',{made.axes((*side.start, 0.0), (y, -x, 0.0), along)})")
        return _face(made, [loop], plane)
    axes, radius = made.axes((*side.centre, 0.0), UP, EAST), dist(side.centre, side.start)
    surface = made.add(f"CYLINDRICAL_SURFACE('',{axes},{_real(radius)})")
    return _face(made, [loop], surface, outwards=side.turn > 0)


def _loop(made: _StepEntities, edges: Sequence[tuple[str, bool]]) -> str:
    """Join edges to a loop, each in the direction in which it was made or in the other."""
    ways = [made.add(f"ORIENTED_EDGE('',*,*,{name},{_bool(kept)})") for name, kept in edges]
    return made.add(f"EDGE_LOOP('',({','.join(ways)}))")


def _face(made: _StepEntities, loops: Sequence[str], surface: str, outwards: bool = True) -> str:
    """Make a face; the first loop is its outline, the others are holes."""
    outer, *others = loops
    bounds = [made.add(f"FACE_OUTER_BOUND('',{outer},.T.)")]
    bounds += [made.add(f"FACE_BOUND('',{other},.T.)") for other in others]
    return made.add(f"ADVANCED_FACE('',({','.join(bounds)}),{surface},{_bool(outwards)})")


@dataclass(slots=True)
class _StepEntities:
    """The file's entities and their names; one that is told twice is one, as the edge of two
    faces."""

    names: dict[str, str] = field(default_factory=dict)

    def add(self, text: str) -> str:
        return self.names.setdefault(text, f"#{len(self.names) + 1}")

    def point(self, at: Corner) -> str:
        return self.add(f"CARTESIAN_POINT('',{_tuple(at)})")

    def way(self, way: Corner) -> str:
        return self.add(f"DIRECTION('',{_tuple(way)})")

    def axes(self, at: Corner, along: Corner, across: Corner) -> str:
        ways = f"{self.way(along)},{self.way(across)}"
        return self.add(f"AXIS2_PLACEMENT_3D('',{self.point(at)},{ways})")

    def edge(self, side: _WallFoot, height: float) -> str:
        start, end = (*side.start, height), (*side.end, height)
        if side.centre is None:
            return self.line(start, end)
        axes = self.axes((*side.centre, height), UP, EAST)
        circle = self.add(f"CIRCLE('',{axes},{_real(dist(side.centre, side.start))})")
        return self._edge(start, end, circle, _bool(side.turn > 0))

    def line(self, start: Corner, end: Corner) -> str:
        vector = self.add(f"VECTOR('',{self.way(_unit(start, end))},1.)")
        return self._edge(start, end, self.add(f"LINE('',{self.point(start)},{vector})"), ".T.")

    def _edge(self, start: Corner, end: Corner, curve: str, kept: str) -> str:
        ends = (self.add(f"VERTEX_POINT('',{self.point(at)})") for at in (start, end))
        return self.add(f"EDGE_CURVE('',{','.join(ends)},{curve},{kept})")


def _unit(start: Corner, end: Corner) -> Corner:
    long = dist(start, end)
    x, y, z = ((b - a) / long for a, b in zip(start, end, strict=True))
    return x, y, z


def _tuple(values: Corner) -> str:
    return f"({','.join(map(_real, values))})"


def _real(value: float) -> str:
    """Write a number with a decimal point, as STEP requires, without a negative zero."""
    return f"{round(value, 9) + 0.0:.9f}".rstrip("0")


def _bool(value: bool) -> str:
    return ".T." if value else ".F."
