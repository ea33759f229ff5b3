"""The solids for printers and CAD programs: closed, right side out, as large and as thick as the
sheets.

Where gmsh is not installed for the distribution's Python (`apt-get install
--no-install-recommends python3-gmsh`), the STEP files are read by the tests' own reader alone.
"""

from __future__ import annotations

import re
import struct
import subprocess
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from math import pi, sin

import pytest
from workshop import BOARDS, HALL_BOARDS, PaperRead, committed, drawing, parts

from hardware.make.__main__ import HERE
from hardware.make.solid import SIDES, Corner

SOLIDS = {
    **{f"{name}/frame": "frame" for name in (*BOARDS, *HALL_BOARDS)},
    **{f"{name}/panel": "panel" for name in (*BOARDS, *HALL_BOARDS)},
    "common/holder": "panel",
    "common/stand": "frame",
}
PYTHON = "/usr/bin/python3"
GMSH = """
import sys, gmsh
gmsh.initialize()
gmsh.option.setNumber("General.Terminal", 0)
for path in sys.argv[1:]:
    gmsh.clear()
    gmsh.model.occ.importShapes(path)
    gmsh.model.occ.synchronize()
    solids = [tag for _, tag in gmsh.model.getEntities(3)]
    print(len(solids), sum(gmsh.model.occ.getMass(3, tag) for tag in solids))
"""


def facets(name: str) -> list[tuple[Corner, ...]]:
    data = (HERE / f"{name}.stl").read_bytes()
    (count,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * count
    found = []
    for number in range(count):
        values = struct.unpack_from("<12f", data, 84 + 50 * number)
        corners = [tuple(round(v, 3) for v in values[i : i + 3]) for i in (3, 6, 9)]
        found.append(tuple(corners))
    return found


def volume(solid: list[tuple[Corner, ...]]) -> float:
    return (
        sum(
            a[0] * (b[1] * c[2] - b[2] * c[1])
            - a[1] * (b[0] * c[2] - b[2] * c[0])
            + a[2] * (b[0] * c[1] - b[1] * c[0])
            for a, b, c in solid
        )
        / 6
    )


@pytest.mark.parametrize("name", SOLIDS)
def test_a_solid_is_closed_and_has_the_sheets_volume(name: str) -> None:
    solid, sheet = facets(name), drawing(f"{name}.svg")
    edges = Counter(ends for facet in solid for ends in pairwise((*facet, facet[0])))
    assert set(edges.values()) == {1}
    assert all((b, a) in edges for a, b in edges), "every edge has its neighbour the other way"
    thick = getattr(parts().measures, SOLIDS[name])
    assert {corner[2] for facet in solid for corner in facet} == {0.0, thick}
    area = content(sheet, SIDES / 2 * sin(2 * pi / SIDES))
    assert volume(solid) == pytest.approx(area * thick, rel=1e-4)


def content(sheet: PaperRead, circle: float) -> float:
    """The area of what is cut without its holes; `circle` is that of radius 1."""
    area = {"cut": 0.0, "hole": 0.0}
    for outline in sheet.outlines:
        if outline.layer in area:
            area[outline.layer] += outline.area
    for ring in sheet.rings:
        if ring.layer in area:
            area[ring.layer] += circle * ring.radius**2
    return area["cut"] - area["hole"]


class StepRead:
    """A STEP file read back: each entity's kind and what it refers to."""

    def __init__(self, text: str) -> None:
        assert text.startswith("ISO-10303-21;")
        self.text = dict(re.findall(r"^(#\d+)=(.+);$", text, re.MULTILINE))
        assert all(name in self.text for of in self.text.values() for name in self.refs(of))

    def refs(self, text: str) -> list[str]:
        return re.findall(r"#\d+", text)

    def of(self, kind: str) -> Iterator[str]:
        return (name for name, text in self.text.items() if text.startswith(f"{kind}("))

    def edges(self, face: str) -> list[list[tuple[str, bool]]]:
        """The loops of a face, each of edges and whether they run as they were made."""
        bounds = [one for one in self.refs(self.text[face]) if "BOUND(" in self.text[one]]
        loops = [self.refs(self.text[bound])[0] for bound in bounds]
        return [
            [
                (self.refs(self.text[one])[0], self.text[one].endswith(".T.)"))
                for one in self.refs(self.text[loop])
            ]
            for loop in loops
        ]

    def ends(self, edge: str, kept: bool) -> tuple[Corner, Corner]:
        one, other = (self.corner(vertex) for vertex in self.refs(self.text[edge])[:2])
        return (one, other) if kept else (other, one)

    def corner(self, name: str) -> Corner:
        while not self.text[name].startswith("CARTESIAN_POINT"):
            name = self.refs(self.text[name])[0]
        x, y, z = map(float, re.findall(r"-?\d+\.\d*", self.text[name]))
        return x, y, z

    def swept(self, edge: str, kept: bool) -> float:
        """The area between a level edge and the origin, anticlockwise."""
        (ax, ay, _), (bx, by, _) = self.ends(edge, kept)
        curve = self.text[self.refs(self.text[edge])[2]]
        round_ = 0.0
        if curve.startswith("CIRCLE"):
            radius = float(curve.rstrip(")").rsplit(",", 1)[-1])
            way = 1 if self.text[edge].endswith(".T.)") is kept else -1
            round_ = way * pi * radius**2 / 2
        return (ax * by - bx * ay) / 2 + round_


@pytest.mark.parametrize("name", SOLIDS)
def test_a_step_file_read_back_is_closed_and_has_the_sheets_volume(name: str) -> None:
    step, sheet = StepRead(committed(f"{name}.step")), drawing(f"{name}.svg")
    thick = getattr(parts().measures, SOLIDS[name])
    cut = sum(outline.closed for outline in sheet.on("cut"))
    assert len(list(step.of("MANIFOLD_SOLID_BREP"))) == cut + sum(
        ring.layer == "cut" for ring in sheet.rings
    )
    used: Counter[tuple[str, bool]] = Counter()
    found = {0.0: 0.0, thick: 0.0}
    for face in step.of("ADVANCED_FACE"):
        for loop in step.edges(face):
            used.update(loop)
            ends = [step.ends(*edge) for edge in loop]
            assert all(one[1] == other[0] for one, other in pairwise((*ends, ends[0])))
            heights = {at[2] for pair in ends for at in pair}
            if len(heights) == 1:
                found[heights.pop()] += sum(step.swept(*edge) for edge in loop)
    assert set(used.values()) == {1}
    assert {edge for edge, _ in used} == set(step.of("EDGE_CURVE"))
    assert all((edge, not kept) in used for edge, kept in used), "each has a face on both sides"
    area = content(sheet, pi)
    assert found == {thick: pytest.approx(area, rel=1e-6), 0.0: pytest.approx(-area, rel=1e-6)}


def test_a_cad_kernel_reads_every_step_file_as_solids_of_the_sheets_volume() -> None:
    asked = [PYTHON, "-c", "import gmsh"]
    if subprocess.run(asked, capture_output=True, check=False).returncode:
        pytest.skip("gmsh is not installed: apt-get install --no-install-recommends python3-gmsh")
    names = [str(HERE / f"{name}.step") for name in SOLIDS]
    told = subprocess.run(
        [PYTHON, "-c", GMSH, *names], capture_output=True, check=True, text=True, timeout=120
    )
    for name, line in zip(SOLIDS, told.stdout.splitlines(), strict=True):
        solids, found = line.split()
        thick = getattr(parts().measures, SOLIDS[name])
        assert int(solids) == len(list(StepRead(committed(f"{name}.step")).of("CLOSED_SHELL")))
        assert float(found) == pytest.approx(content(drawing(f"{name}.svg"), pi) * thick, rel=1e-6)
