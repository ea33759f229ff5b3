"""Faults that correct figures do not exclude: wires through screws, names on wires, protruding
lights, reeds that do not fit, pieces that do not meet."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import dist, hypot

import pytest
from known import load_board
from workshop import BOARDS, PaperRead, Ring, committed, drawing, near, parts, reed_middles

from hardware.make.labels import LETTER_HIGH, LETTER_WIDE, Room, crosses
from hardware.make.mounting import FLANGE_MM
from hardware.make.nest import CutPart, on_sheet
from hardware.make.parts import Measures
from hardware.make.places import lies
from hardware.make.routes import WireRun, column_tap, routes, row_tap
from hardware.make.shapes import Layer, frame
from hardware.make.strokes import NAMES, engraved

WIRES = frozenset({"wire", "row", "column", "ground", "danger", "body", "glass"})
DIAGRAMS = [
    *(
        f"{name}/{sheet}"
        for name in BOARDS
        for sheet in ("underside", "wiring-pi", "wiring-matrix", "mega", "crossing", "ghost")
        if load_board(name).scanner or sheet in ("underside", "wiring-pi")
    ),
    *(f"common/{sheet}" for sheet in ("buzzer", "light", "touchscreen")),
]


# Wires.


def all_wires(name: str) -> dict[str, WireRun]:
    """Every straight way of a wire below a board, the diodes' and the reeds' ends included."""
    board, measures = load_board(name), parts().measures
    runs = routes(board, measures)
    found = {f"ground {number}": run for number, run in enumerate(runs.ground)}
    found |= {f"reed {number}": run for number, run in enumerate(runs.singles)}
    found |= {f"light {number}": run for number, run in enumerate(runs.lights)}
    for kind, lines in (("row", runs.rows), ("column", runs.columns)):
        for line, some in lines.items():
            found |= {f"{kind} {line}, run {number}": run for number, run in enumerate(some)}
    found |= {f"row {line}, exit": run for line, run in runs.row_exits.items() if run}
    found |= {f"column {line}, exit": run for line, run in runs.column_exits.items() if run}
    for lie in lies(board, measures):
        found[f"{lie.reed.name}, diode"] = (lie.far, row_tap(lie))
        found[f"{lie.reed.name}, column"] = (lie.near, column_tap(lie))
        found[f"{lie.reed.name}, slot"] = (lie.near, lie.far)
    return found


def holes(name: str) -> list[Ring]:
    """The holes of the top sheet: screws and lights, from the board's corner."""
    sheet = drawing(f"{name}/top.svg")
    x, y = sheet.board_corner
    return [
        Ring(ring.layer, (ring.middle[0] - x, ring.middle[1] - y), ring.radius)
        for ring in sheet.rings
        if ring.layer == "hole"
    ]


def square(ring: Ring, wider: float) -> Room:
    (x, y), by = ring.middle, ring.radius + wider
    return x - by, y - by, x + by, y + by


@pytest.mark.parametrize("name", BOARDS)
def test_no_wire_runs_through_a_screw_or_a_light(name: str) -> None:
    found = all_wires(name)
    assert len(found) > 15
    hit = [
        (words, ring.middle)
        for words, run in found.items()
        for start, end in pairwise(run)
        for ring in holes(name)
        if crosses(square(ring, 1.5), start, end) and not is_leg(ring, run)
    ]
    assert hit == []


def is_leg(ring: Ring, run: WireRun) -> bool:
    """Whether a wire begins or ends at a light's own leg."""
    light = ring.radius * 2 == pytest.approx(parts().measures.light)
    return light and any(dist(ring.middle, end) < ring.radius for end in run)


@pytest.mark.parametrize("name", BOARDS)
def test_nothing_below_a_board_lies_where_the_frames_rails_are(name: str) -> None:
    board, measures = load_board(name), parts().measures
    covered = measures.rail - measures.frame_play
    beyond = [
        (words, point)
        for words, run in all_wires(name).items()
        for point in run
        if not all(covered <= point[axis] <= board.size[axis] - covered for axis in (0, 1))
    ]
    assert beyond == []


def test_a_wire_through_a_screw_is_noticed() -> None:
    """The former run of cannon-10's tenth row: at 333 mm, through a screw at 334."""
    screw = square(Ring("hole", (200.0, 334.0), 1.6), 1.5)
    assert crosses(screw, (26.0, 333.0), (322.0, 333.0))
    assert not crosses(screw, (26.0, 326.0), (322.0, 326.0))
    assert crosses(screw, (190.0, 324.0), (210.0, 344.0))
    assert not crosses(screw, (190.0, 340.0), (210.0, 360.0))


# Names.


@pytest.mark.parametrize("name", DIAGRAMS)
def test_no_name_lies_on_a_wire(name: str) -> None:
    sheet = drawing(f"{name}.svg")
    outlines = [o for o in sheet.outlines if o.layer in WIRES]
    assert outlines
    struck = [
        (word.words, outline.layer)
        for word in sheet.words
        for outline in outlines
        for start, end in pairwise(
            (*outline.points, outline.points[0]) if outline.closed else outline.points
        )
        if crosses(word.box, start, end)
    ]
    assert struck == []


def test_a_letter_is_as_wide_as_the_tests_take_it_for() -> None:
    """The maker of names and the reader of drawings agree."""
    word = drawing("nannon-6/underside.svg").word("pin 11")
    left, low, right, high = word.box
    assert right - left == pytest.approx(LETTER_HIGH * word.size)
    assert high - low == pytest.approx(LETTER_WIDE * word.size * len("pin 11"))


@pytest.mark.parametrize("name", BOARDS)
def test_the_carriers_names_are_engraved_to_be_read_from_below_and_lie_in_no_hole(
    name: str,
) -> None:
    """Each name's strokes are there as they are written, nearest to its own slot."""
    board, sheet = load_board(name), drawing(f"{name}/carrier.svg")
    x, y = sheet.board_corner
    strokes = [o.points for o in sheet.on("engrave") if not o.closed]
    slots = {s: (x + board.size[0] - at[0], y + at[1]) for s, at in reed_middles(board)}
    expected = {s: [p.points for p in engraved(s, (0, 0), 3.0, glyphs=NAMES)] for s in slots}
    assert len(strokes) == sum(len(some) for some in expected.values())
    for sensor, written in expected.items():
        assert any(is_written(written, first, strokes, slots[sensor]) for first in strokes), sensor
    in_holes = [
        (outline.middle, points)
        for outline in sheet.on("hole")
        for points in strokes
        for start, end in pairwise(points)
        if crosses(outline.box, start, end)
    ]
    assert in_holes == []


def is_written(
    written: list[tuple[tuple[float, float], ...]],
    first: tuple[tuple[float, float], ...],
    strokes: list[tuple[tuple[float, float], ...]],
    slot: tuple[float, float],
) -> bool:
    """Whether a name stands where one of the strokes is its first, within 25 mm of a slot."""
    if len(first) != len(written[0]) or dist(first[0], slot) > 25:
        return False
    by = (first[0][0] - written[0][0][0], first[0][1] - written[0][0][1])
    moved = [[(px + by[0], py + by[1]) for px, py in stroke] for stroke in written]
    return all(
        any(
            len(stroke) == len(other)
            and all(near(a, b) for a, b in zip(stroke, other, strict=True))
            for other in strokes
        )
        for stroke in moved
    )


# Reeds, lights, magnets.


def test_a_slot_holds_the_real_reed_with_its_leads_bent_three_millimetres_off() -> None:
    """Standex's data sheet of the ORD213: glass 7.0 × 1.8 mm, lead 0.3 mm, 35.8 mm over all."""
    measures = parts().measures
    bent = 7.0 + 2 * (3.0 + 0.3)
    assert measures.bend >= 3.0
    assert bent < measures.slot[0] < bent + 2
    assert 1.80 < measures.slot[1] < 4
    assert measures.slot[0] < 35.8  # a reed that is not bent does not fit
    assert measures.leg < (35.8 - 7.0) / 2 - 3.0  # there is as much of it
    assert legs_below(measures) > 2  # what is soldered stands out below


def legs_below(measures: Measures) -> float:
    return measures.leg - measures.carrier + measures.glass[1] / 2


@pytest.mark.parametrize("name", BOARDS)
def test_the_page_says_how_long_the_reed_is_bent_and_straight(name: str) -> None:
    measures, text = parts().measures, committed(f"{name}/README.md")
    assert f"A bent reed is {measures.slot[0]:.1f} mm long" in text
    assert "a straight one is 35.8 mm" in text
    assert "never nearer than\n3 mm to the glass" in text
    assert "--reed 17" in text


@pytest.mark.parametrize("height", [4.5, 5.3, 6.1])
def test_a_light_ends_flush_and_its_legs_come_out_below(height: float) -> None:
    """T-1 lights of several makers: 3.0 mm thick, flange 3.8 mm, 4.5 to 6.1 mm high."""
    measures = parts().measures
    assert measures.light > measures.led[0]
    assert measures.light < FLANGE_MM[0] < measures.light_flange
    assert measures.top <= height - FLANGE_MM[1] + 0.5  # the tip reaches the surface
    assert height < measures.top + measures.carrier + 2  # and hardly anything but legs stands out


@pytest.mark.parametrize("name", BOARDS)
def test_the_carrier_lets_the_lights_flange_pass_right_below_the_lights_hole(name: str) -> None:
    measures = parts().measures
    width = load_board(name).size[0]
    sheet = drawing(f"{name}/carrier.svg")
    x, y = sheet.board_corner
    above = [r.middle for r in holes(name) if r.radius * 2 == pytest.approx(measures.light)]
    below = [
        (width - (r.middle[0] - x), r.middle[1] - y)
        for r in sheet.rings
        if r.radius * 2 == pytest.approx(measures.light_flange)
    ]
    screws = [r.middle for r in holes(name)]
    lights = sum(place.light is not None for place in load_board(name).places)
    assert len(below) == lights
    assert [at for at in below if not any(near(at, other) for other in above)] == []
    assert len(screws) - lights >= 4


# Coupon, checkers, frame.


@pytest.mark.parametrize("name", BOARDS)
def test_the_coupon_has_five_offsets_around_the_boards_own(name: str) -> None:
    board, measures = load_board(name), parts().measures
    own = hypot(*next(r.offset for p in board.places for r in p.reeds))
    sheet = drawing(f"{name}/coupon.svg")
    slots = sorted(o.middle for o in sheet.on("hole"))[:5]
    crosses_at = sorted(upright(sheet))[:5]
    offsets = [slot[1] - cross[1] for slot, cross in zip(slots, crosses_at, strict=True)]
    assert offsets == pytest.approx([own - 2, own - 1, own, own + 1, own + 2])
    assert all(sorted(o.sides)[-1] == pytest.approx(measures.slot[0]) for o in sheet.on("hole"))
    assert len(sheet.on("cut")) == 4 + 2


def upright(sheet: PaperRead) -> list[tuple[float, float]]:
    """The middles of the crosses under the checkers' places."""
    return [
        o.middle for o in sheet.on("mark") if o.sides == pytest.approx([4]) and o.box[0] == o.box[2]
    ]


@pytest.mark.parametrize("name", BOARDS)
def test_the_coupons_pair_is_the_next_place_along_the_reed(name: str) -> None:
    """Where none lies along it, the nearest beside it; the neighbour lies at the slot's far end."""
    board = load_board(name)
    reeds = [reed for place in board.places for reed in place.reeds]
    ways = [
        (dist(one.at, other.at), abs(cosine(one.offset, one.at, other.at)) > 0.9)
        for one in reeds
        for other in reeds
        if one is not other
    ]
    along = [apart for apart, is_along in ways if is_along and apart < 60]
    expected = min(along) if along else min(apart for apart, _ in ways)
    sheet = drawing(f"{name}/coupon.svg")
    one, other = sorted(upright(sheet))[5:]
    assert (other[0] - one[0], other[1] - one[1]) == pytest.approx((expected, 0))
    slot = sorted(sheet.on("hole"), key=lambda o: o.middle)[5]
    level = slot.box[2] - slot.box[0] > slot.box[3] - slot.box[1]
    assert level == bool(along)
    if along:
        assert one[0] < slot.middle[0] < other[0]


def cosine(
    offset: tuple[float, float], at: tuple[float, float], other: tuple[float, float]
) -> float:
    way = (other[0] - at[0], other[1] - at[1])
    return (offset[0] * way[0] + offset[1] * way[1]) / (hypot(*offset) * hypot(*way))


@pytest.mark.parametrize("name", BOARDS)
def test_all_discs_of_all_checkers_lie_on_one_sheet_that_the_machine_takes(name: str) -> None:
    board, measures = load_board(name), parts().measures
    sheet = drawing(f"{name}/checkers.svg")
    discs = [ring for ring in sheet.rings if ring.layer == "cut"]
    pockets = [ring for ring in sheet.rings if ring.layer == "hole"]
    count = 2 * max(game.checkers_a_side for game in board.games.values())
    assert (len(discs), len(pockets)) == (measures.checker_layers * count, count)
    gaps = [dist(a.middle, b.middle) - a.radius - b.radius for a, b in combinations(discs, 2)]
    assert min(gaps) >= 1.5 + measures.kerf
    xs, ys = zip(*(disc.middle for disc in discs), strict=True)
    wide = max(xs) - min(xs) + 2 * discs[0].radius
    high = max(ys) - min(ys) + 2 * discs[0].radius
    assert wide <= measures.bed[0]
    assert high <= measures.bed[1]
    assert all(any(near(p.middle, d.middle) for d in discs) for p in pockets)


FRAMES = [*((f"{name}/frame", name) for name in BOARDS), ("common/stand", "")]


@pytest.mark.parametrize(("sheet_name", "name"), FRAMES)
def test_the_frames_sides_meet_finger_in_gap_around_the_board(sheet_name: str, name: str) -> None:
    sheet, measures = drawing(f"{sheet_name}.svg"), parts().measures
    if name:
        size, above = load_board(name).size, measures.rim + measures.top + measures.carrier
        below = measures.below
    else:
        panel = max(drawing("nannon-6/panel.svg").on("cut"), key=lambda o: o.area).box
        size, above = (panel[2] - panel[0], panel[3] - panel[1]), 2 * measures.panel
        below = measures.stand
    sides = [o for o in sheet.on("cut") if len(o.points) == 12]
    assert len(sides) == 4
    outer = [v + 2 * (measures.frame + measures.frame_play) for v in size]
    lengths = sorted(o.box[2] - o.box[0] for o in sides)
    assert lengths == pytest.approx(sorted([*outer, *outer]))
    assert [o.box[3] - o.box[1] for o in sides] == pytest.approx([above + below] * 4)
    # The one's ends stand out where the other's stand back: fingers add up to the whole height.
    fingers = {round(length(o.points, o.box[0]), 2) for o in sides}
    assert sum(fingers) == pytest.approx(above + below, abs=0.05)
    rails = [o for o in sheet.on("cut") if o.box[3] - o.box[1] == pytest.approx(measures.rail)]
    assert len(rails) >= 4


def length(points: tuple[tuple[float, float], ...], x: float) -> float:
    """How much of a side's end stands out farthest."""
    ring = (*points, points[0])
    return sum(abs(b[1] - a[1]) for a, b in pairwise(ring) if a[0] == b[0] == pytest.approx(x))


@pytest.mark.parametrize("name", BOARDS)
def test_a_post_of_two_halves_holds_the_middle_of_a_large_board_between_its_wires(
    name: str,
) -> None:
    board, measures = load_board(name), parts().measures
    carrier, x = drawing(f"{name}/carrier.svg"), drawing(f"{name}/carrier.svg").board_corner
    posts = [o.middle for o in carrier.on("engrave") if o.closed]
    pieces = [o for o in drawing(f"{name}/frame.svg").on("cut") if len(o.points) == 8]
    assert len(posts) == (min(board.size) > 350)
    for post in posts:
        at = (board.size[0] - post[0] + x[0], post[1] - x[1])
        assert dist(at, (board.size[0] / 2, board.size[1] / 2)) < 60
        assert [net for net, run in all_wires(name).items() if within(run, at, 8)] == []
        assert within(((at[0] - 20, at[1]), (at[0] + 20, at[1])), at, 8), "a wire there is noticed"
        assert [(o.box[2] - o.box[0]) for o in pieces] == pytest.approx([measures.below] * 2)


def within(run: WireRun, middle: tuple[float, float], half: float) -> bool:
    """Whether a wire passes through a square."""
    return any(
        max(abs(ax + (bx - ax) * share - middle[0]), abs(ay + (by - ay) * share - middle[1])) < half
        for (ax, ay), (bx, by) in pairwise(run)
        for share in (number / 500 for number in range(501))
    )


@pytest.mark.parametrize("name", BOARDS)
def test_the_rails_holes_lie_under_the_boards_screws(name: str) -> None:
    board, measures = load_board(name), parts().measures
    sheet = drawing(f"{name}/frame.svg")
    low = [r.middle for r in holes(name) if r.middle[1] < board.size[1] / 2]
    screws = [at for at in low if at[1] == pytest.approx(measures.screw_inset)]
    long = board.size[0] + 2 * measures.frame_play
    rails = [o.box for o in sheet.on("cut") if o.box[2] - o.box[0] == pytest.approx(long, abs=0.01)]
    rails = [box for box in rails if box[3] - box[1] == pytest.approx(measures.rail)]
    assert len(rails) == 2
    for left, floor, _, _ in rails:
        drilled = sorted(
            (r.middle[0] - left - measures.frame_play, r.middle[1] - floor - measures.frame_play)
            for r in sheet.rings
            if floor < r.middle[1] < floor + measures.rail and r.middle[0] < left + long
        )
        assert [v for at in drilled for v in at] == pytest.approx(
            [v for at in sorted(screws) for v in at]
        )


def test_the_room_below_a_board_holds_the_mega_its_plugs_and_the_reeds_legs() -> None:
    measures = parts().measures
    nut, board, socket, plug = 2.4, 1.6, 8.5, 14.0
    legs = legs_below(measures)
    assert measures.frame + nut + board + socket + plug + legs <= measures.below
    screen, pi, pins, dupont = 15.0, 1.6, 8.5, 14.0
    assert screen + pi + pins + dupont <= measures.stand


def test_the_clips_reach_over_the_glass_and_the_holder_holds_it() -> None:
    sheet, measures = drawing("common/holder.svg"), parts().measures
    glass = max(sheet.on("hole"), key=lambda o: o.area).box
    wide, high = glass[2] - glass[0], glass[3] - glass[1]
    assert (wide, high) == pytest.approx([v + 1 for v in measures.touchscreen_glass])
    clip = next(o for o in sheet.on("cut") if o.box[3] - o.box[1] == pytest.approx(12))
    hole = next(
        r
        for r in sheet.rings
        if clip.box[0] < r.middle[0] < clip.box[2] and r.middle[1] < clip.box[3]
    )
    beside = [r.middle[0] for r in sheet.rings if glass[1] < r.middle[1] < glass[3]]
    assert len(beside) == 4
    gap = min(abs(x - edge) for x in beside for edge in (glass[0], glass[2]))
    assert clip.box[2] - hole.middle[0] - gap >= 8


def test_a_piece_larger_than_the_bed_is_refused() -> None:
    long = CutPart("side", (700.0, 40.0), (frame(Layer.CUT, (0, 0), (700.0, 40.0)),))
    with pytest.raises(ValueError, match="'side' goes beyond a bed of 600 × 400 mm"):
        on_sheet([long], (600.0, 400.0))


@pytest.mark.parametrize("name", BOARDS)
def test_what_is_cut_fits_the_bed(name: str) -> None:
    measures: Measures = parts().measures
    for sheet in (f"{name}/checkers", f"{name}/frame", f"{name}/coupon", "common/holder"):
        boxes = [o.box for o in drawing(f"{sheet}.svg").on("cut")] or [(0.0, 0.0, 0.0, 0.0)]
        wide = max(b[2] for b in boxes) - min(b[0] for b in boxes)
        high = max(b[3] for b in boxes) - min(b[1] for b in boxes)
        assert wide <= measures.bed[0], sheet
        assert high <= measures.bed[1], sheet
