"""The solids for printers: closed, right side out, as large and as thick as the sheets."""

from __future__ import annotations

import struct
from collections import Counter
from itertools import pairwise
from math import pi, sin

import pytest
from workshop import BOARDS, drawing, parts

from hardware.make.__main__ import HERE
from hardware.make.solid import SIDES, Corner

SOLIDS = {
    **{f"{name}/frame": "frame" for name in BOARDS},
    **{f"{name}/panel": "panel" for name in BOARDS},
    "common/holder": "panel",
    "common/stand": "frame",
}


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
    area = {"cut": 0.0, "hole": 0.0}
    for outline in sheet.outlines:
        if outline.layer in area:
            area[outline.layer] += outline.area
    for ring in sheet.rings:
        if ring.layer in area:
            area[ring.layer] += SIDES / 2 * sin(2 * pi / SIDES) * ring.radius**2
    assert volume(solid) == pytest.approx((area["cut"] - area["hole"]) * thick, rel=1e-4)
