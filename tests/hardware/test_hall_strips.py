"""Strips with Hall sensors, their circuit and their drawings: sensors under places, nets as meant,
KiCad's rules, wrong holes.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from math import dist
from pathlib import Path

import pytest
from copper import BoardRead, read_board, read_zip
from known import load_board
from test_hardware_geometry import within
from test_strips_kicad import PYTHON, found, has_kicad, reports
from workshop import HALL_BOARDS, committed, drawing, mega, near, parts

from hardware.make.__main__ import FIRMWARE, HERE
from hardware.make.circuit import Circuit, Kind, Node
from hardware.make.hall.demands import hall_setup
from hardware.make.hall.race import TokenChain, jumps
from hardware.make.hall.strip import (
    COLUMNS,
    HEADER,
    RIBBON,
    SENSOR,
    HallDesign,
    hall_designs,
)
from hardware.make.hall.wiring import DRIVEN, SENSED
from hardware.make.parts import parts_for
from hardware.make.pcb.artwork import Surface, Track
from hardware.make.pcb.panels import panel_of
from hardware.make.slips import bare, slips, worst
from hardware.make.stress import MEGA_CHIP, PI_CHIP, Chip
from hardware.make.wiring import wire
from pi_app.rules.terms import Both, Side
from pi_app.sensing.description import Board, Cell

NAME = "tables-24-hall"
SMALL = "nannon-6-hall"


@cache
def board() -> Board:
    return load_board(NAME)


@cache
def designs() -> tuple[HallDesign, ...]:
    return hall_designs(board(), parts().strip)


@cache
def circuit(name: str) -> Circuit:
    return wire(load_board(name), mega(), oled=True)


def panel_read() -> BoardRead:
    return read_board(read_zip(HERE / NAME / "strips" / "order" / f"{NAME}-gerbers.zip"))


# The strips


def test_a_sensor_lies_under_the_middle_of_every_place_and_its_output_is_that_of_its_column() -> (
    None
):
    cells = {reed.at: reed.line for reed in board().reeds}
    under = {}
    for design in designs():
        bodies = {body.part: body.at for body in design.artwork.bodies if body.value == SENSOR}
        outputs = {land.part: land.net for land in design.artwork.lands if land.pin == "4"}
        for strip in design.strips:
            for part, at in bodies.items():
                x, y = design.on_board(strip, at)
                under[round(x, 3), round(y, 3)] = (strip.own, outputs[part])
    assert len(under) == 124
    for at, cell in cells.items():
        assert isinstance(cell, Cell)
        assert under[at] == (cell.row, COLUMNS[cell.column])


def test_strips_lie_on_the_board_and_not_on_each_other() -> None:
    """Clear of the frame too, and of the screws."""
    boxes = []
    for design in designs():
        for strip in design.strips:
            corners = [design.on_board(strip, at) for at in ((0.0, 0.0), design.artwork.size)]
            xs, ys = zip(*corners, strict=True)
            boxes.append((min(xs), min(ys), max(xs), max(ys)))
    assert len(boxes) == 25
    for left, low, right, high in boxes:
        assert left >= 10.5
        assert low >= 10.5
        assert right <= board().size[0] - 10.5
        assert high <= board().size[1] - 10.5
    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_the_copper_of_the_panel_joins_what_each_strip_is_meant_to_join() -> None:
    """The Gerber files read back: every net of every strip is one piece, and no two are."""
    panel = panel_of(NAME, designs(), parts().strip).artwork
    net_at = {land.at: (land.net, land.part.rsplit("_", 1)[-1]) for land in panel.lands}
    seen: list[tuple[str, str]] = []
    for net in panel_read().nets:
        names = {
            net_at[metal.start]
            for metal in net
            if metal.start == metal.end and metal.start in net_at
        }
        assert len(names) <= 1, names
        seen += names
    assert Counter(seen).most_common(1)[0][1] == 1
    assert set(seen) == set(net_at.values())
    kinds = {name.rsplit("_", 1)[0] for name, _ in seen}
    assert kinds == {"3V3", "GND", "CLK", "CLR", *COLUMNS, "IN", "EN", "OUT"}


def test_the_ribbons_wires_are_what_the_circuit_has_on_its_plug() -> None:
    plug = next(part for part in circuit(NAME).of(Kind.PLUG) if part.purpose == "ribbon")
    nets = [circuit(NAME).net_of(Node(plug.ref, lead.name)).name for lead in plug.leads]
    assert [net.split("-")[-1] for net in nets] == list(RIBBON)
    for design in designs():
        pins = [land for land in design.artwork.lands if land.part == HEADER]
        assert [pin.net for pin in sorted(pins, key=lambda pin: int(pin.pin))] == list(RIBBON)


def test_the_token_goes_from_strip_to_strip_in_the_order_of_the_rows_and_back() -> None:
    """Each Q is the next D, through a resistor; clock and clear are shared; Q enables every sensor
    of its strip."""
    whole = circuit(NAME)
    net = "S-IN"
    for row in range(25):
        assert Node(f"K{row}", "IN") in whole.net(net).nodes
        net = whole.net_of(Node(f"K{row}", "OUT")).name
    assert {node.ref for node in whole.net(net).nodes} >= {"K24", "R506"}
    for name in ("S-CLK", "S-CLR"):
        assert len([node for node in whole.net(name).nodes if node.ref.startswith("K")]) == 25
    for design in designs():
        lands = {(land.part, land.pin): land.net for land in design.artwork.lands}
        assert {lands["U0", pin] for pin in "146"} == {"CLK", "EN", "CLR"}
        assert lands["U0", "3"] == "IN"
        enables = {lands[part, "3"] for part, pin in lands if part[0] == "U" and part != "U0"}
        assert enables == {"EN"}
        assert {lands["R0", pin] for pin in "12"} == {"EN", "OUT"}
        assert lands["X3", "1"] == "OUT"


def test_the_mega_has_the_pins_that_the_firmware_takes() -> None:
    table = dict(
        re.findall(
            r"^\| (token|clock|clear|returned|analogue \d) \| P\w\d \| (\w+) \|$",
            FIRMWARE.read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    )
    names = {"IN": "token", "CLK": "clock", "CLR": "clear", "BACK": "returned"}
    names |= {column: f"analogue {number}" for number, column in enumerate(COLUMNS)}
    assert {names[line]: pin for line, pin in {**DRIVEN, **SENSED}.items()} == table
    page = committed(f"{NAME}/README.md")
    for row in ("| clock | D7 | 220 Ω", "| column 4 | A4 | 1 kΩ", "| token, back | A5 | 1 kΩ"):
        assert row in page


def test_the_panel_has_a_spare_point_and_spare_bars() -> None:
    panel = panel_of(NAME, designs(), parts().strip)
    made = {design.name: count * parts().strip.panels for design, count in panel.counts}
    needed = {design.name: len(design.strips) for design in designs()}
    assert {name: made[name] - needed[name] for name in made} == {"point": 1, "bar": 4}


def test_every_part_that_the_maker_places_has_its_place() -> None:
    folder = f"{NAME}/strips/order/{NAME}"
    places = list(csv.DictReader(io.StringIO(committed(f"{folder}-cpl.csv"))))
    kinds = Counter(re.sub(r"\d.*", "", row["Designator"]) for row in places)
    assert kinds == {"U": 29 + 6, "C": 29 + 6, "R": 6}
    sensors = [row for row in places if re.match(r"U[1-9]", row["Designator"])]
    heights = {row["Mid Y"] for row in sensors}
    assert len(heights) == 6


def test_the_maker_places_the_parts_that_the_list_names() -> None:
    bought = list(csv.DictReader(io.StringIO(committed(f"{NAME}/bom.csv"))))
    orders = list(csv.DictReader(io.StringIO(committed(f"{NAME}/strips/order/{NAME}-bom.csv"))))
    assert len(orders) == 4
    for placed in orders:
        numbers = placed["Manufacturer Part Number"], placed["LCSC Part #"]
        assert re.fullmatch(r"C\d+|unchecked", numbers[1])
        (row,) = (r for r in bought if (r["maker's number"], r["LCSC number"]) == numbers)
        assert all(word in f"{row['value']} {row['part']}" for word in placed["Comment"].split())


def test_no_token_jumps_over_a_strip() -> None:
    """With other boards than those of the page's table."""
    built = TokenChain()
    assert jumps(built, boards=400, seed=7) == 0
    assert jumps(replace(built, out_ohms=0), boards=400, seed=7) > 0.9


# KiCad


def test_kicad_finds_nothing_on_strips_and_panel_and_what_is_planted_it_finds(
    tmp_path: Path,
) -> None:
    if not has_kicad():
        pytest.skip("KiCad is not installed: apt-get install --no-install-recommends kicad")
    assert PYTHON.exists()
    point, bar = designs()
    out = next(land for land in point.artwork.lands if (land.part, land.pin) == ("U1", "4"))
    enable = next(land for land in point.artwork.lands if (land.part, land.pin) == ("U1", "3"))
    short = Track(out.net, Surface.FRONT, out.at, enable.at)
    boards = {
        "point": point.artwork,
        "bar": bar.artwork,
        "panel": panel_of(NAME, designs(), parts().strip).artwork,
        "short": replace(point.artwork, tracks=(*point.artwork.tracks, short)),
        "cut": replace(point.artwork, tracks=point.artwork.tracks[1:]),
    }
    told = {name: found(report) for name, report in reports(boards, tmp_path).items()}
    assert [told[name] for name in ("point", "bar", "panel")] == [(0, 0, 0)] * 3
    assert told["short"][0] > 0
    assert told["cut"][1] > 0


def test_the_committed_kicad_files_are_those_that_were_checked() -> None:
    for design in designs():
        text = committed(f"{NAME}/strips/kicad/{design.name}.kicad_pcb")
        assert text.count(f'"spotter:{SENSOR}"') == len(
            [body for body in design.artwork.bodies if body.value == SENSOR]
        )


# Wrong holes


def harmful(whole: Circuit, chip: Chip, covered: bool = True) -> set[str]:
    return {slip.words for slip in slips(whole, chip, covered) if worst(whole, slip).harms(chip)}


def test_no_slip_harms_pi_or_mega() -> None:
    assert harmful(circuit(SMALL), PI_CHIP) == set()
    assert harmful(circuit(NAME), PI_CHIP) == set()
    assert harmful(circuit(NAME), MEGA_CHIP) == set()


def test_without_the_resistors_ground_in_5_v_harms_the_mega() -> None:
    assert "GND in 5V" in harmful(bare(circuit(NAME)), MEGA_CHIP)


def test_the_wrong_hole_never_gives_the_strips_more_than_their_regulator() -> None:
    """No wire of the Mega brings 3.3 V: the regulator's input is the only one with a voltage."""
    whole = circuit(NAME)
    at_mega = {net.name for net in whole.nets for node in net.nodes if node.ref == "U1"}
    rail = whole.net_of(Node("VR1", "VOUT")).name
    assert rail not in at_mega


# The small board


def test_each_switch_has_its_sides_pin_a_resistor_and_the_supply() -> None:
    whole, small = circuit(SMALL), load_board(SMALL)
    assert len(whole.of(Kind.SWITCH)) == 12
    for number, reed in enumerate(small.reeds, start=1):
        assert isinstance(reed.line, Both)
        for side in Side:
            ref = f"U{side.value[0].upper()}{number}"
            assert whole.component(ref).purpose == f"switch of {reed.name}.{side.value}"
            beyond = whole.net_of(Node(ref, "OUT"))
            (resistor,) = [node.ref for node in beyond.nodes if node.ref.startswith("R")]
            assert whole.net_of(Node(resistor, "1")).name == f"GPIO{reed.line[side]}"
            assert whole.net_of(Node(ref, "VCC")).name == "3V3"
            assert whole.net_of(Node(ref, "GND")).name == "GND"


# Drawings and lists


def test_the_carrier_has_a_slot_or_a_window_at_every_place() -> None:
    small = drawing(f"{SMALL}/carrier.svg")
    corner = small.board_corner
    wide = load_board(SMALL).size[0]
    slots = [hole for hole in small.on("hole") if hole.closed]
    assert len(slots) == 6
    for reed in load_board(SMALL).reeds:
        at = corner[0] + wide - reed.at[0], corner[1] + reed.at[1]
        assert sum(s.box[0] < at[0] < s.box[2] and s.box[1] < at[1] < s.box[3] for s in slots) == 1
    large = drawing(f"{NAME}/carrier.svg")
    windows = [hole for hole in large.on("hole") if hole.closed]
    assert len(windows) == 3 * 25
    corner = large.board_corner
    for design in designs():
        for strip in design.strips:
            x, y = design.on_board(strip, design.at(HEADER))
            at = corner[0] + board().size[0] - x, corner[1] + y
            assert any(near(window.middle, at) for window in windows)


def test_a_post_holds_the_middle_of_the_large_board_clear_of_strips_ribbons_and_wires() -> None:
    """All as drawn from below: nothing comes nearer than the post is wide."""
    carrier, below = drawing(f"{NAME}/carrier.svg"), drawing(f"{NAME}/underside.svg")
    (post,) = [o.middle for o in carrier.on("engrave") if o.closed]
    edge = max(below.on("faint"), key=lambda outline: outline.area)
    moved = (
        post[0] - carrier.board_corner[0] + edge.box[0],
        post[1] - carrier.board_corner[1] + edge.box[1],
    )
    assert dist(moved, edge.middle) < 60
    runs = [o for layer in ("wire", "row", "column") for o in below.on(layer)]
    assert len(runs) >= 25 + 24
    for run in runs:
        assert not within((*run.points, *run.points[: run.closed]), moved, 8.0)
    pieces = [o for o in drawing(f"{NAME}/frame.svg").on("cut") if len(o.points) == 8]
    assert [o.box[2] - o.box[0] for o in pieces] == pytest.approx([parts().measures.below] * 2)
    assert "The two halves of the post" in committed(f"{NAME}/README.md")


def test_the_rings_on_the_coupon_touch_as_places_do_and_the_strip_fits_its_windows() -> None:
    sheet = drawing(f"{NAME}/coupon.svg")
    rings = sorted(ring.middle for ring in sheet.rings if ring.layer == "engrave")
    assert [round(dist(*pair), 2) for pair in pairwise(rings)] == [30.0] * 4
    windows = [hole for hole in sheet.on("hole") if hole.closed]
    assert len(windows) == 3
    assert sum(ring.layer == "hole" for ring in sheet.rings) == 2, "the strip's screws"


def test_the_page_shows_the_boards_own_checker_with_its_wider_magnet() -> None:
    measures = parts_for(board(), parts()).measures
    page = committed(f"{NAME}/README.md")
    assert "(checker.svg)" in page
    assert "common/checker.svg" not in page
    rings = drawing(f"{NAME}/checker.svg").rings
    across = board().spot_diameter - measures.checker_gap
    assert {2 * ring.radius for ring in rings if ring.layer == "cut"} == {across}
    pocket = measures.magnet[0] + measures.magnet_play
    assert [2 * ring.radius for ring in rings if ring.layer == "hole"] == [pocket]


def test_the_list_has_a_sensor_a_place_and_says_what_is_unchecked() -> None:
    rows = list(csv.DictReader(io.StringIO(committed(f"{NAME}/bom.csv"))))
    by_part = {row["part"]: row for row in rows}
    sensor = by_part["Texas Instruments TMAG5253BA3IQDMRR"]
    assert float(sensor["needed"]) == 124
    assert "unchecked" in sensor["part checked against"]
    assert "2026-09-29" in sensor["price checked against"]
    assert float(by_part["Nexperia 74LVC1G175GV,125"]["needed"]) == 25
    magnet = next(row for row in rows if "disc magnet" in row["value"])
    assert "8 × 1 mm" in magnet["value"]
    assert all(row["price checked against"] for row in rows)


@pytest.mark.parametrize("name", HALL_BOARDS)
def test_the_section_has_the_depths_of_the_model(name: str) -> None:
    depths = hall_setup(load_board(name), parts()).depths
    words = " ".join(word.words for word in drawing(f"{name}/section.svg").words)
    for depth in set(depths):
        assert f"{round(depth, 2):g} mm below the magnet" in words
