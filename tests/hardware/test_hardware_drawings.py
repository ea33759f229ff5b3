"""The templates, read back from SVG and DXF and measured in millimetres."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations
from math import atan2, degrees, hypot

import ezdxf
import pytest
from ezdxf.document import Drawing as EzdxfDrawing
from ezdxf.entities import Dimension as DimensionEntity
from ezdxf.entities import LWPolyline
from known import load_board
from workshop import (
    BOARDS,
    HALL_BOARDS,
    MATRIX_BOARDS,
    NEAR_MM,
    WordRead,
    committed,
    drawing,
    near,
    parts,
    reed_middles,
)

from hardware.make.__main__ import HERE
from hardware.make.labels import crosses
from hardware.make.routes import routes

TEMPLATES = [
    *(
        f"{name}/{sheet}"
        for name in (*BOARDS, *HALL_BOARDS)
        for sheet in ("top", "carrier", "panel", "coupon", "checkers", "frame")
    ),
    "common/checker",
    "tables-24-hall/checker",
    "common/holder",
    "common/stand",
]
DIAGRAMS = [
    *(
        f"{name}/{sheet}"
        for name in (*BOARDS, *HALL_BOARDS)
        for sheet in ("wiring-pi", "underside", "section", "frame-section")
    ),
    *(f"{name}/field" for name in HALL_BOARDS),
    *(f"tables-24-hall/{sheet}" for sheet in ("wiring-strips", "mega")),
    *(f"common/{sheet}" for sheet in ("light", "buzzer", "touchscreen")),
    *(
        f"{name}/{sheet}"
        for name in MATRIX_BOARDS
        for sheet in ("wiring-matrix", "mega", "crossing", "ghost")
    ),
]
MACHINED = {"engrave", "fill", "hole", "cut"}


@pytest.mark.parametrize("name", [*TEMPLATES, *DIAGRAMS])
def test_one_unit_of_a_drawing_is_a_millimetre_and_all_lies_on_the_paper(name: str) -> None:
    sheet = drawing(f"{name}.svg")
    assert sheet.view == (0, 0, *sheet.paper)
    for outline in sheet.outlines:
        left, low, right, high = outline.box
        assert min(left, low) >= 0
        assert right <= sheet.paper[0]
        assert high <= sheet.paper[1]
    for word in sheet.words:
        left, low, right, high = word.box
        assert min(left, low) >= 0, word
        assert right <= sheet.paper[0], word
        assert high <= sheet.paper[1], word


@pytest.mark.parametrize("name", TEMPLATES)
def test_the_scale_bar_is_a_hundred_millimetres_and_the_paper_is_named(name: str) -> None:
    sheet = drawing(f"{name}.svg")
    bars = [
        o for o in sheet.on("mark") if o.sides == pytest.approx([100.0]) and o.box[1] == o.box[3]
    ]
    assert len(bars) == 1
    ticks = {word.words: word.at[0] for word in sheet.words if word.layer == "mark"}
    assert ticks["50"] - ticks["0"] == pytest.approx(50)
    named = next(word.words for word in sheet.words if "True scale" in word.words)
    paper, size = named.split(".")[0].split(", ")
    assert size == f"{sheet.paper[0]:g} × {sheet.paper[1]:g} mm"
    assert paper in {"A4", "A3", "A2", "A1", "own size"}


@pytest.mark.parametrize("name", TEMPLATES)
def test_what_is_cut_is_closed_and_encloses_something(name: str) -> None:
    sheet = drawing(f"{name}.svg")
    worked = [o for o in sheet.outlines if o.layer in {"cut", "hole", "fill"}]
    assert worked or sheet.rings
    assert [o for o in worked if not o.closed or o.area < 1] == []
    assert [ring for ring in sheet.rings if ring.radius <= 0] == []


@pytest.mark.parametrize("name", BOARDS)
def test_every_reed_has_its_slot_at_its_offset_and_along_it(name: str) -> None:
    """The carrier is drawn from below: left is right."""
    board, sheet, measures = load_board(name), drawing(f"{name}/carrier.svg"), parts().measures
    x, y = sheet.board_corner
    right = x + board.size[0]
    slots = {
        (round(right - o.middle[0], 2), round(o.middle[1] - y, 2)): o for o in sheet.on("hole")
    }
    offsets = {reed.name: reed.offset for place in board.places for reed in place.reeds}
    assert len(slots) == len(offsets)
    for sensor, middle in reed_middles(board):
        slot = slots[round(middle[0], 2), round(middle[1], 2)]
        assert sorted(slot.sides)[-1] == pytest.approx(measures.slot[0], abs=NEAR_MM)
        assert sorted(slot.sides)[0] == pytest.approx(measures.slot[1], abs=NEAR_MM)
        (ax, ay), (bx, by) = slot.points[0], slot.points[1]
        assert hypot(bx - ax, by - ay) == pytest.approx(measures.slot[0], abs=NEAR_MM)
        turn = atan2(by - ay, ax - bx) - atan2(offsets[sensor][1], offsets[sensor][0])
        assert degrees(turn) % 180 == pytest.approx(0, abs=0.1)


@pytest.mark.parametrize("name", BOARDS)
def test_every_place_has_a_ring_around_its_checker_where_the_description_has_it(name: str) -> None:
    board, sheet = load_board(name), drawing(f"{name}/top.svg")
    checker = board.spot_diameter - parts().measures.checker_gap
    x, y = sheet.board_corner
    rings = [ring for ring in sheet.rings if ring.layer == "engrave"]
    middles = [(ring.middle[0] - x, ring.middle[1] - y) for ring in rings]
    assert all(checker < 2 * ring.radius <= checker + 2 for ring in rings)
    places = [reed.at for place in board.places for reed in place.reeds]
    unfelt = 2 * 24 if name == "tables-24-thrifty" else 0
    assert len(rings) == len(places) + unfelt
    assert [at for at in places if not any(near(at, ring) for ring in middles)] == []
    trays = [place.at for place in board.places if not place.reeds]
    boxes = [(o.middle[0] - x, o.middle[1] - y) for o in sheet.on("engrave") if len(o.points) == 4]
    assert [at for at in trays if not any(near(at, middle) for middle in boxes)] == []


@pytest.mark.parametrize("sheet_name", ["top", "carrier"])
@pytest.mark.parametrize("name", BOARDS)
def test_the_outline_is_the_boards_size(name: str, sheet_name: str) -> None:
    board, sheet = load_board(name), drawing(f"{name}/{sheet_name}.svg")
    (outline,) = sheet.on("cut")
    left, low, right, high = outline.box
    assert (right - left, high - low) == pytest.approx(board.size)


def test_the_large_board_has_a_triangle_a_point_and_every_other_one_is_filled() -> None:
    sheet = drawing("tables-24/top.svg")
    pieces = [o for o in sheet.on("engrave") if o.closed and len(o.points) > 4]
    filled = sheet.on("fill")
    assert len(pieces) == len(filled) == 12 * 5, "below and between the rings of every point"
    radius = load_board("tables-24").spot_diameter / 2
    inside = [
        at
        for piece in (*pieces, *filled)
        for at in piece.points
        for ring in sheet.rings
        if ring.layer == "engrave"
        and hypot(at[0] - ring.middle[0], at[1] - ring.middle[1]) < radius - 0.01
    ]
    assert inside == []


def test_cannon_has_ten_lines_each_way_through_its_crossings() -> None:
    board, sheet = load_board("cannon-10"), drawing("cannon-10/top.svg")
    x, y = sheet.board_corner
    lines = [o for o in sheet.on("engrave") if len(o.points) == 2 and max(o.sides) > 200]
    upright = sorted(o.box[0] - x for o in lines if o.box[0] == o.box[2])
    level = sorted(o.box[1] - y for o in lines if o.box[1] == o.box[3])
    assert upright == pytest.approx(sorted({place.at[0] for place in board.places if place.reeds}))
    assert level == pytest.approx(sorted({place.at[1] for place in board.places if place.reeds}))


@pytest.mark.parametrize("name", TEMPLATES)
def test_nothing_that_is_cut_out_touches_another_hole_or_the_edge(name: str) -> None:
    sheet = drawing(f"{name}.svg")
    boxes = [o.box for o in sheet.on("hole")]
    boxes += [
        (
            r.middle[0] - r.radius,
            r.middle[1] - r.radius,
            r.middle[0] + r.radius,
            r.middle[1] + r.radius,
        )
        for r in sheet.rings
        if r.layer == "hole"
    ]
    assert boxes
    assert [pair for pair in combinations(boxes, 2) if _overlap(*pair, apart=1.0)] == []
    for left, low, right, high in boxes if sheet.on("cut") else ():
        around = [o.box for o in sheet.on("cut")]
        assert any(
            left - b[0] >= 2 and low - b[1] >= 2 and b[2] - right >= 2 and b[3] - high >= 2
            for b in around
        )


@pytest.mark.parametrize("name", [*TEMPLATES, *DIAGRAMS])
def test_no_words_lie_on_other_words(name: str) -> None:
    words = drawing(f"{name}.svg").words
    assert [(a.words, b.words) for a, b in combinations(words, 2) if _covered(a, b)] == []


@pytest.mark.parametrize("name", TEMPLATES)
def test_no_line_that_is_worked_crosses_a_pieces_name(name: str) -> None:
    sheet = drawing(f"{name}.svg")
    lines = [
        ends
        for outline in sheet.outlines
        if outline.layer in MACHINED - {"fill"}
        for ends in pairwise((*outline.points, *outline.points[: outline.closed]))
    ]
    for word in (word for word in sheet.words if word.layer == "mark"):
        assert [ends for ends in lines if crosses(word.box, *ends)] == [], word
        for ring in sheet.rings:
            away = [hypot(x - ring.middle[0], y - ring.middle[1]) for x, y in _edge(word.box)]
            assert ring.layer == "mark" or not min(away) <= ring.radius <= max(away), word


def _edge(box: tuple[float, float, float, float]) -> Iterator[tuple[float, float]]:
    """Points around a box, near each other."""
    left, low, right, high = box
    for share in range(51):
        x, y = left + (right - left) * share / 50, low + (high - low) * share / 50
        yield from ((x, low), (x, high), (left, y), (right, y))


def _covered(one: WordRead, other: WordRead) -> bool:
    return _overlap(one.box, other.box, apart=0.0)


def _overlap(
    one: tuple[float, float, float, float], other: tuple[float, float, float, float], apart: float
) -> bool:
    return (
        one[0] < other[2] + apart
        and other[0] < one[2] + apart
        and one[1] < other[3] + apart
        and other[1] < one[3] + apart
    )


@pytest.fixture(scope="module", params=TEMPLATES)
def template(request: pytest.FixtureRequest) -> tuple[str, EzdxfDrawing]:
    """A template's name and its DXF, read once for all tests."""
    return request.param, ezdxf.readfile(HERE / f"{request.param}.dxf")


def test_the_dxf_is_sound_in_millimetres_and_the_same_drawing(
    template: tuple[str, EzdxfDrawing],
) -> None:
    name, document = template
    assert document.audit().errors == []
    assert document.header["$INSUNITS"] == 4
    space, sheet = document.modelspace(), drawing(f"{name}.svg")
    x, y = _origin(name, sheet.paper)
    lines = [
        (str(line.dxf.layer).lower(), line.closed, [(x, y) for x, y, *_ in line.get_points("xy")])
        for line in space.query("LWPOLYLINE")
        if isinstance(line, LWPolyline)
    ]
    paths = [o for o in sheet.outlines if o.layer in MACHINED]
    kerf = parts().measures.kerf
    read = sorted(
        (layer, closed, *_box(points)) for layer, closed, points in lines if layer in MACHINED
    )
    drawn = sorted(
        (
            o.layer,
            o.closed,
            *_box([(px - x, py - y) for px, py in o.points], GROWS[o.layer] * kerf / 2),
        )
        for o in paths
    )
    assert len(read) == len(drawn)
    for one, other in zip(read, drawn, strict=True):
        assert one[:2] == other[:2]
        assert one[2:] == pytest.approx(other[2:], abs=0.011)
    circles = sorted((c.dxf.center.x, c.dxf.center.y, c.dxf.radius) for c in space.query("CIRCLE"))
    rings = sorted(
        (r.middle[0] - x, r.middle[1] - y, r.radius + GROWS[r.layer] * kerf / 2)
        for r in sheet.rings
    )
    assert [v for c in circles for v in c] == pytest.approx([v for r in rings for v in r], abs=0.01)


def test_every_piece_has_its_measures_written_on_a_layer_of_their_own(
    template: tuple[str, EzdxfDrawing],
) -> None:
    name, document = template
    space, sheet = document.modelspace(), drawing(f"{name}.svg")
    measured = [one for one in space.query("DIMENSION") if isinstance(one, DimensionEntity)]
    lengths = {round(float(str(one.get_measurement())), 2) for one in measured}
    pieces = sheet.on("cut")
    boxes = [piece.box for piece in pieces]
    needed = {round(high - low, 2) for box in boxes for low, high in (box[::2], box[1::2])}
    needed |= {round(2 * ring.radius, 2) for ring in sheet.rings if ring.layer == "cut"}
    assert measured
    assert needed <= lengths
    assert {one.dxf.layer for one in measured} == {"DIMENSION"}
    written = [word.words.removeprefix("ø") for word in sheet.words if word.layer == "dimension"]
    assert sorted(map(float, written)) == pytest.approx(
        sorted(round(float(str(one.get_measurement())), 2) for one in measured)
    )


@pytest.mark.parametrize("name", BOARDS)
def test_chains_of_measures_end_where_the_last_hole_is(name: str) -> None:
    """The rings of the top sheet lie as far from its left edge as the measures below it add up."""
    sheet, board = drawing(f"{name}/top.svg"), load_board(name)
    left = sheet.board_corner[0]
    rows: dict[float, list[tuple[float, float]]] = {}
    for o in sheet.on("dimension"):
        if o.box[1] == o.box[3] < sheet.board_corner[1] and o.box[2] > o.box[0]:
            rows.setdefault(o.box[1], []).append((o.box[0] - left, o.box[2] - left))
    assert all(a[1] == pytest.approx(b[0]) for r in rows.values() for a, b in pairwise(sorted(r)))
    ends = {round(end, 2) for row in rows.values() for _, end in row}
    assert {round(reed.at[0], 2) for place in board.places for reed in place.reeds} <= ends


GROWS = {"cut": 1, "hole": -1, "engrave": 0, "fill": 0, "mark": 0}
"""Outlines grow by half of what the beam takes, holes shrink by it; the paper has the true size."""


def _box(points: Sequence[tuple[float, float]], by: float = 0.0) -> tuple[float, ...]:
    """Left, lower, right and upper edge, and how many corners."""
    xs, ys = zip(*points, strict=True)
    edges = (min(xs) - by, min(ys) - by, max(xs) + by, max(ys) + by)
    return (*(round(value, 2) for value in edges), len(points))


def _origin(name: str, paper: tuple[float, ...]) -> tuple[float, float]:
    """Where the template's corner lies on the paper: the file without paper begins at (0, 0)."""
    document = ezdxf.readfile(HERE / f"{name}.dxf")
    wide, high, _ = document.header["$EXTMAX"]
    return (paper[0] - wide) / 2, (paper[1] + 18 - high) / 2


def test_the_checker_fits_its_spot_and_the_magnet_its_pocket() -> None:
    sheet, measures = drawing("common/checker.svg"), parts().measures
    spot = min(load_board(name).spot_diameter for name in BOARDS)
    cut = {ring.radius * 2 for ring in sheet.rings if ring.layer == "cut"}
    (pocket,) = [ring.radius * 2 for ring in sheet.rings if ring.layer == "hole"]
    assert cut == {spot - measures.checker_gap}
    assert 0 < pocket - measures.magnet[0] <= 0.5


@pytest.mark.parametrize("name", BOARDS)
def test_the_panel_has_a_hole_a_button_and_the_windows_of_the_parts(name: str) -> None:
    board, sheet, measures = load_board(name), drawing(f"{name}/panel.svg"), parts().measures
    holes = [ring for ring in sheet.rings if ring.radius * 2 == measures.button_hole]
    assert len(holes) == len(board.buttons)
    windows = sorted((o.box[2] - o.box[0], o.box[3] - o.box[1]) for o in sheet.on("hole"))
    expected = sorted([measures.oled_window, measures.touchscreen_window])
    assert [v for w in windows for v in w] == pytest.approx([v for w in expected for v in w])


@pytest.mark.parametrize("name", BOARDS)
def test_the_underside_is_the_board_seen_from_below(name: str) -> None:
    """A reed on the left from above lies on the right from below, at the same height."""
    board, sheet = load_board(name), drawing(f"{name}/underside.svg")
    frame = max(sheet.on("faint"), key=lambda outline: outline.area)
    left, low, right, _ = frame.box
    assert right - left == pytest.approx(board.size[0])
    glasses = [o.middle for o in sheet.on("glass")]
    for _sensor, (x, y) in reed_middles(board):
        assert any(near((right - x, low + y), glass) for glass in glasses)


@pytest.mark.parametrize("name", BOARDS)
def test_below_the_board_wires_of_different_nets_only_cross(name: str) -> None:
    """No wire ends or bends on another net's wire, so none is drawn upon another."""
    runs = routes(load_board(name), parts().measures)
    nets = {
        **{f"row {row}": wires for row, wires in runs.rows.items()},
        **{f"column {column}": wires for column, wires in runs.columns.items()},
        **{f"reed {number}": (wire,) for number, wire in enumerate(runs.singles)},
        **{f"light {number}": (wire,) for number, wire in enumerate(runs.lights)},
        **{f"row {row}, exit": (way,) for row, way in runs.row_exits.items()},
        **{f"column {column}, exit": (way,) for column, way in runs.column_exits.items()},
        "ground": runs.ground,
    }
    touching = [
        (one, other, point)
        for one, other in permutations(nets, 2)
        if one.split(",")[0] != other.split(",")[0]
        for wire in nets[one]
        for point in wire
        for along in nets[other]
        for start, end in pairwise(along)
        if _away(point, start, end) < CLEAR_MM
    ]
    assert touching == []


CLEAR_MM = 1.5


def _away(
    point: tuple[float, float], start: tuple[float, float], end: tuple[float, float]
) -> float:
    """How far a point is from a straight wire."""
    wire = (end[0] - start[0], end[1] - start[1])
    length = wire[0] ** 2 + wire[1] ** 2
    share = ((point[0] - start[0]) * wire[0] + (point[1] - start[1]) * wire[1]) / length
    share = min(1.0, max(0.0, share))
    return hypot(point[0] - start[0] - share * wire[0], point[1] - start[1] - share * wire[1])


@pytest.mark.parametrize("name", [*TEMPLATES, *DIAGRAMS])
def test_a_picture_has_white_ground_in_programs_that_know_no_style_sheets(name: str) -> None:
    first = re.search(r"<(rect|g|path|text|circle)[^>]*>", committed(f"{name}.svg"))
    assert first is not None
    assert first[0] == '<rect width="100%" height="100%" fill="#fff"/>'
