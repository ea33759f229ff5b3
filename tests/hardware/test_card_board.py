"""A board of card: its breadboard joins what its circuit joins, its sheet is true to scale, its
page needs nothing that is not bought."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from dataclasses import replace
from itertools import combinations
from math import dist

import pytest
from known import load_board
from test_hardware_drawings import _covered
from workshop import CARD_BOARDS, committed, drawing, mega, near, parts, reed_middles

from hardware.make.__main__ import BOARDS
from hardware.make.assembly import PI
from hardware.make.card.breadboard import (
    COLUMNS,
    GAP_MM,
    HOLE_MM,
    ROWS,
    BreadboardPlan,
    Hole,
    plan,
    row_mm,
)
from hardware.make.card.drawings import BREADBOARD_MM, HIGH_MM, SHEET_EDGE_MM
from hardware.make.circuit import Circuit, Node
from hardware.make.everything import read_source
from hardware.make.hands import tolerance
from hardware.make.header import PINS
from hardware.make.parts import parts_for
from hardware.make.pdf import to_pdf
from hardware.make.reach import REED_RULES, SPARE, reached
from hardware.make.shapes import Circle, Dimension, Layer, Lettering, Paper, Path
from hardware.make.wiring import wire
from pi_app.boards import board_names
from pi_app.sensing.description import Mount

EVENING = "nannon-6-evening"
LETTER = re.compile(r"\((.*)\) Tj")
UNDER_THE_SHEET = frozenset("abcdef")


def circuit(name: str = EVENING) -> Circuit:
    return wire(load_board(name), mega(), oled=True)


def planned(name: str = EVENING) -> BreadboardPlan:
    return plan(load_board(name), circuit(name))


def lines(name: str = EVENING) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(committed(f"{name}/bom.csv"))))


def test_the_board_for_an_evening_is_one_of_them() -> None:
    assert CARD_BOARDS == (EVENING,)
    assert {load_board(name).mount for name in board_names()} == set(Mount)


# The breadboard


def nets_of(found: BreadboardPlan) -> set[frozenset[Node]]:
    """What the breadboard and its bridges join, from the holes alone."""
    joined: dict[tuple[int, str], set[tuple[int, str]]] = defaultdict(set)
    for start, end in found.bridges:
        joined[start.strip].add(end.strip)
        joined[end.strip].add(start.strip)
    pins: dict[tuple[int, str], set[Node]] = defaultdict(set)
    for fitted in found.fitted:
        for lead, hole in fitted.holes.items():
            pins[hole.strip].add(Node(fitted.part.ref, lead))
    for hole, node in found.wires:
        pins[hole.strip].add(node)
    nets, seen = set(), set[tuple[int, str]]()
    for first in tuple(pins):
        if first in seen:
            continue
        group = set[tuple[int, str]]()
        open_: set[tuple[int, str]] = {first}
        while open_:
            strip = open_.pop()
            if strip not in group:
                group.add(strip)
                open_ |= joined[strip]
        seen |= group
        nets.add(frozenset(node for strip in group for node in pins.get(strip, ())))
    return nets


@pytest.mark.parametrize("name", CARD_BOARDS)
def test_the_breadboard_joins_exactly_what_the_circuit_joins(name: str) -> None:
    wanted = {frozenset(net.nodes) for net in circuit(name).nets}
    assert nets_of(planned(name)) == wanted


@pytest.mark.parametrize("moved", range(4))
def test_a_part_in_a_wrong_hole_is_noticed(moved: int) -> None:
    """The comparison above can fail: one hole of one part is moved by a column."""
    found = planned()
    fitted = found.fitted[moved * 3]
    lead, hole = next(iter(fitted.holes.items()))
    fitted.holes[lead] = hole._replace(column=hole.column + 1)  # type: ignore[index]
    assert nets_of(found) != {frozenset(net.nodes) for net in circuit().nets}


@pytest.mark.parametrize("name", CARD_BOARDS)
def test_no_two_legs_share_a_hole_and_all_are_on_the_breadboard(name: str) -> None:
    found = planned(name)
    holes = [
        *(hole for fitted in found.fitted for hole in fitted.holes.values()),
        *(hole for bridge in found.bridges for hole in bridge),
        *(hole for hole, _ in found.wires),
    ]
    assert len(holes) == len(set(holes))
    assert all(1 <= hole.column <= COLUMNS for hole in holes)


@pytest.mark.parametrize("name", CARD_BOARDS)
def test_only_reeds_and_flat_bridges_are_under_the_sheet(name: str) -> None:
    found, board = planned(name), load_board(name)
    edge = reed_edge(name)
    assert row_mm("f") < edge < row_mm("g") - 1.2  # a resistor is 2.4 mm thick
    reeds = {f"S{number}" for number in range(1, len(board.reeds) + 1)}
    thick = [
        *(hole for one in found.fitted if one.part.ref not in reeds for hole in one.holes.values()),
        *(hole for hole, _ in found.wires),
    ]
    assert [hole for hole in thick if hole.row in UNDER_THE_SHEET or hole.row == "a-"] == []


def reed_edge(name: str) -> float:
    """How far the sheet's far edge is from row a, in mm."""
    board = load_board(name)
    (x, y), offset = board.reeds[0].at, board.reeds[0].offset
    assert (x, offset[0]) == (board.places[0].at[0], 0.0)
    assert board.size[1] - y == SHEET_EDGE_MM
    middle = (row_mm("b") + row_mm("f")) / 2
    return middle - offset[1] + SHEET_EDGE_MM


@pytest.mark.parametrize("name", CARD_BOARDS)
def test_no_wires_of_two_rails_are_in_one_column(name: str) -> None:
    """Where they were, a wire on the rail - seemed to go through the hole of the rail +."""
    columns = defaultdict(set)
    for hole, _ in planned(name).wires:
        columns[hole.row].add(hole.column)
    assert columns["j+"]
    assert columns["j-"]
    beside = {column + away for column in columns["j-"] for away in (-1, 0, 1)}
    assert columns["j+"].isdisjoint(beside)


@pytest.mark.parametrize("name", CARD_BOARDS)
def test_wires_on_rails_are_in_holes_that_are_there(name: str) -> None:
    found = drawing(f"{name}/breadboard.svg")
    drawn = {ring.middle for ring in found.rings if ring.layer == "faint"}
    dots = [ring for ring in found.rings if ring.layer != "faint" and ring.radius < 1]
    assert dots
    assert [dot.middle for dot in dots if not any(near(dot.middle, one) for one in drawn)] == []


@pytest.mark.parametrize("name", CARD_BOARDS)
def test_the_header_shows_every_wire_of_the_pi_beside_its_pin(name: str) -> None:
    paper = drawing(f"{name}/header.svg")
    pins = {word.words: word.at for word in paper.words if word.words.isdigit()}
    assert len(pins) == len(PINS)
    assert pins["1"][0] == pins["2"][0] < pins["3"][0]
    assert pins["1"][1] < pins["2"][1]
    holes = [(hole, node.lead) for hole, node in planned(name).wires if node.ref == PI]
    for hole, pin in holes:
        ends = [word for word in paper.words if word.words == f"to {hole}"]
        assert min(abs(word.at[0] - pins[pin][0]) for word in ends) < HOLE_MM, pin
    assert sum(word.words.startswith("to ") for word in paper.words) == len(holes)


def test_rows_are_where_a_rule_finds_them() -> None:
    assert row_mm("f") - row_mm("e") == pytest.approx(GAP_MM)
    assert [row_mm(b) - row_mm(a) for a, b in zip("abcd", "bcde", strict=True)] == pytest.approx(
        [HOLE_MM] * 4
    )
    assert len(ROWS) == 10


@pytest.mark.parametrize("name", CARD_BOARDS)
def test_a_bent_reed_spans_its_holes_and_is_bent_far_enough_from_its_glass(name: str) -> None:
    measures = parts_for(load_board(name), parts()).measures
    assert measures.span == pytest.approx(row_mm("f") - row_mm("b"), abs=0.01)
    assert measures.bend >= 3


@pytest.mark.parametrize("name", CARD_BOARDS)
@pytest.mark.parametrize("leads", [35.8, 44.0])
def test_a_leg_is_what_is_left_of_the_reeds_wire_folded_once(name: str, leads: float) -> None:
    longer = replace(parts(), measures=replace(parts().measures, leads=leads))
    measures = parts_for(load_board(name), longer).measures
    assert measures.span + 2 * (2 * measures.leg) == pytest.approx(leads, abs=0.02)


@pytest.mark.parametrize("name", CARD_BOARDS)
def test_the_page_folds_the_wire_that_a_reed_has(name: str) -> None:
    text, measures = committed(f"{name}/README.md"), parts_for(load_board(name), parts()).measures
    (wire,) = re.findall(r"a wire of ([\d.]+) mm at each end", text)
    assert 2 * float(wire) + measures.glass[0] == pytest.approx(measures.leads)
    (hanging,) = re.findall(r"About (\d+) mm hang down on each side", text)
    to_the_leg = (measures.span - measures.glass[0]) / 2
    assert float(hanging) == pytest.approx(float(wire) - to_the_leg, abs=0.5)
    (leg,) = re.findall(r"then about (\d+) mm long and twice as thick", text)
    assert float(leg) == pytest.approx(float(hanging) / 2, abs=0.5)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (("86.48", "87.5"), "the reed of 2 stands over no column"),
        (("offset = [0.0, 6.0] }]", "offset = [6.0, 0.0] }]"), "the reed of 1 stands over no"),
    ],
)
def test_a_board_that_does_not_fit_the_holes_is_refused(
    change: tuple[str, str], reason: str
) -> None:
    text = (BOARDS / f"{EVENING}.toml").read_text(encoding="utf-8").replace(*change, 1)
    board = read_source("b.toml", text).board
    with pytest.raises(ValueError, match=reason):
        plan(board, wire(board, mega(), oled=True))


# The sheet


@pytest.mark.parametrize("name", CARD_BOARDS)
def test_the_sheet_has_every_spot_at_its_place_and_size(name: str) -> None:
    sheet, board = drawing(f"{name}/sheet.svg"), load_board(name)
    assert sheet.paper == (297.0, 210.0)
    x, y = sheet.board_corner
    rings = [ring for ring in sheet.rings if ring.layer == "engrave"]
    wanted = [(place.at[0] + x, place.at[1] + y) for place in board.places if place.reeds]
    assert len(rings) == len(wanted)
    for ring, at in zip(rings, wanted, strict=True):
        assert near(ring.middle, at)
        assert ring.radius == board.spot_diameter / 2
    span = dist(wanted[0], wanted[-1])
    assert f"{span:.1f} mm" in committed(f"{name}/README.md")


@pytest.mark.parametrize("name", CARD_BOARDS)
def test_the_marks_on_the_sheet_put_the_reeds_under_their_spots(name: str) -> None:
    """A breadboard between the two marks has its first reed's column below spot 1."""
    sheet = drawing(f"{name}/sheet.svg")
    top = max(outline.box[3] for outline in sheet.on("cut"))
    marks = sorted(
        outline.box[0]
        for outline in sheet.on("mark")
        if outline.box[0] == outline.box[2] and outline.box[3] == pytest.approx(top, abs=0.01)
    )
    assert marks[1] - marks[0] == pytest.approx(BREADBOARD_MM[0], abs=0.01)
    column = marks[0] + (BREADBOARD_MM[0] - HOLE_MM * (COLUMNS - 1)) / 2 + HOLE_MM
    board, (x, _) = load_board(name), sheet.board_corner
    assert column == pytest.approx(dict(reed_middles(board))[board.sensors[0]][0] + x, abs=0.01)


@pytest.mark.parametrize("name", CARD_BOARDS)
@pytest.mark.parametrize("picture", ["sheet", "breadboard", "section", "wiring-pi", "header"])
def test_no_words_lie_on_other_words_or_off_the_paper(name: str, picture: str) -> None:
    paper = drawing(f"{name}/{picture}.svg")
    words = combinations(paper.words, 2)
    assert [(a.words, b.words) for a, b in words if _covered(a, b)] == []
    for word in paper.words:
        left, low, right, high = word.box
        assert min(left, low) >= 0, word
        assert (right <= paper.paper[0], high <= paper.paper[1]) == (True, True), word


def test_the_page_of_pdf_is_the_same_sheet_at_the_same_scale() -> None:
    text, sheet = committed(f"{EVENING}/sheet.pdf"), drawing(f"{EVENING}/sheet.svg")
    box = re.search(r"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", text)
    assert box is not None
    assert [float(side) / 72 * 25.4 for side in box.groups()] == pytest.approx([297, 210], abs=0.01)
    scale = re.search(r"^([\d.]+) 0 0 ([\d.]+) 0 0 cm", text, re.M)
    assert scale is not None
    assert [float(one) for one in scale.groups()] == pytest.approx([72 / 25.4] * 2, abs=1e-3)
    starts = re.findall(r"([-\d.]+) ([-\d.]+) m [^\n]* c ", text)
    middles = [(ring.middle[0] + ring.radius, ring.middle[1]) for ring in sheet.rings]
    read = sorted((float(x), float(y)) for x, y in starts)
    assert len(read) == len(middles)
    assert all(near(one, other) for one, other in zip(read, sorted(middles), strict=True))
    assert {words.words for words in sheet.words} == {
        re.sub(r"\\(\d{3})", lambda code: bytes([int(code[1], 8)]).decode("cp1252"), word)
        for word in LETTER.findall(text)
    }


def test_a_pdfs_table_says_where_its_objects_begin() -> None:
    text = committed(f"{EVENING}/sheet.pdf")
    start = int(text.split("startxref\n")[1].split("\n")[0])
    assert text[start:].startswith("xref\n")
    for number, offset in enumerate(re.findall(r"^(\d{10}) 00000 n ", text, re.M), start=1):
        assert text[int(offset) :].startswith(f"{number} 0 obj")
    (length,) = re.findall(r"/Length (\d+) >>\nstream\n", text)
    stream = text.split("stream\n", 1)[1].split("\nendstream")[0]
    assert len(stream) == int(length)


def test_words_of_pdf_are_escaped_and_dimensions_refused() -> None:
    word = Lettering(Layer.WORDS, (0, 0), r"a (b) \ × é", 3)
    assert r"(a \050b\051 \134 \327 \351) Tj" in to_pdf(Paper("t", (10, 10), (word,)))
    filled = to_pdf(Paper("t", (10, 10), (Circle(Layer.FILL, (5, 5), 2),)))
    assert re.search(r" rg .* c f$", filled, re.M)
    closed = to_pdf(Paper("t", (10, 10), (Path(Layer.CUT, ((0, 0), (1, 0), (1, 1)), True),)))
    assert "0.8 0 0 RG 0 0 m 1 0 l 1 1 l h S" in closed
    with pytest.raises(ValueError, match="no Dimension"):
        to_pdf(Paper("t", (10, 10), (Dimension((0, 0), (1, 0), 1),)))


# The magnets, the list and the page


@pytest.mark.parametrize("name", CARD_BOARDS)
def test_the_magnet_is_as_high_as_the_calculation_has_it(name: str) -> None:
    """The card above it and the magnet are together as thick as the strips beside it."""
    text, found = committed(f"{name}/README.md"), parts_for(load_board(name), parts())
    sheet, thick = found.measures.top, found.measures.magnet[1]
    (above,) = re.findall(r"a strip of card of ([\d.]+) mm", text)
    assert float(above) + thick == sheet
    values = {row["reference"]: row["value"] for row in lines(name)}
    assert values["B1"].startswith(f"grey card {sheet:g} mm")
    assert values["B3"].startswith(f"card {above} mm")
    (paper,) = re.findall(r"are the ([\d.]+) mm between magnet and card", text)
    height = reached(load_board(name), found).setup.height
    assert float(paper) + sheet + found.measures.glass[1] / 2 == pytest.approx(height)


@pytest.mark.parametrize("name", CARD_BOARDS)
def test_props_of_whole_layers_are_as_high_as_breadboard_and_reed(name: str) -> None:
    text, measures = committed(f"{name}/README.md"), parts_for(load_board(name), parts()).measures
    (layers,) = re.findall(r"glue (\d+) layers together", text)
    (high,) = re.findall(r"prop is ([\d.]+) mm high", text)
    assert float(high) == pytest.approx(HIGH_MM + measures.glass[1])
    assert 0 <= float(high) - int(layers) * measures.top < measures.top / 2
    assert text.index("two props") < text.index("under the near corners")


@pytest.mark.parametrize("name", CARD_BOARDS)
def test_resistors_are_told_by_the_colours_of_their_values(name: str) -> None:
    text = committed(f"{name}/README.md")
    digits = (
        "black",
        "brown",
        "red",
        "orange",
        "yellow",
        "green",
        "blue",
        "violet",
        "grey",
        "white",
    )
    for ref, value, unit, said in re.findall(r"\| (R\d+) \| (\d+) (k?Ω): ([a-z ]+) \|", text):
        first, second, zeros, _ = map(str, said.split())
        ohms = int(f"{digits.index(first)}{digits.index(second)}") * 10 ** digits.index(zeros)
        assert ohms == int(value) * (1000 if unit == "kΩ" else 1), ref
    told = re.findall(r"\| (R\d+) \| \d+ k?Ω: ", text)
    assert told == [one.part.ref for one in planned(name).fitted if one.part.ref.startswith("R")]


@pytest.mark.parametrize("name", CARD_BOARDS)
def test_it_meets_every_demand_with_half_as_much_to_spare(name: str) -> None:
    board = load_board(name)
    found = reached(board, parts_for(board, parts()))
    assert tuple(demand.rule for demand in found.demands) == REED_RULES
    assert {d.rule: d.spare for d in found.demands if d.spare < SPARE} == {}
    felt = tolerance(found, parts().magnetics.pull_in)
    assert min(felt.towards, felt.aside, felt.away) > found.setup.shift


@pytest.mark.parametrize("name", CARD_BOARDS)
def test_every_step_has_a_check_and_every_picture_is_shown(name: str) -> None:
    text = committed(f"{name}/README.md")
    steps = re.split(r"^## \d+\. ", text, flags=re.MULTILINE)[1:]
    assert len(steps) >= 10
    assert [step.splitlines()[0] for step in steps if "**Check**" not in step] == []
    shown = set(re.findall(r"!\[[^]]*\]\(([^)]+)\)", text))
    assert shown == {
        f"{picture}.svg"
        for picture in ("sheet", "breadboard", "section", "wiring-pi", "header", "field")
    }


@pytest.mark.parametrize("name", CARD_BOARDS)
def test_every_hole_of_the_plan_is_on_the_page(name: str) -> None:
    text, found = committed(f"{name}/README.md"), planned(name)
    for fitted in found.fitted:
        row = next(line for line in text.splitlines() if line.startswith(f"| {fitted.part.ref} |"))
        assert row.endswith(" | ".join(map(str, fitted.holes.values())) + " |")
    for start, end in found.bridges:
        assert f"| {start} | {end} |" in text
    for hole, node in found.wires:
        assert f"| {hole} |" in text
        assert node.ref != PI or f"Pi pin {node.lead}, " in text
    assert str(Hole(12, "g")) == "g12"


@pytest.mark.parametrize("name", CARD_BOARDS)
def test_its_list_needs_no_solder_no_wood_and_no_touchscreen(name: str) -> None:
    rows = lines(name)
    values = " ".join(row["value"].lower() for row in rows)
    for word in ("solder 0.7", "touchscreen", "plywood", "glue gun", "hot glue", "plug and socket"):
        assert word not in values
    for row in rows:
        for key in ("reference", "unit", "value", "part", "alternates", "notes"):
            assert row[key].strip(), (row["reference"], key)
        assert float(row["quantity"]) >= float(row["needed"]) > 0
    needed = {row["reference"]: float(row["needed"]) for row in rows}
    found, board = planned(name), load_board(name)
    at_pi_or_oled = [node for _, node in found.wires if not node.ref.startswith("SW")]
    assert needed["W1"] == len(at_pi_or_oled)
    assert needed["W2"] == len(found.wires) - len(at_pi_or_oled)
    assert needed["M"] == 2 * board.games.first.checkers_a_side
    price = round(sum(float(row["price"]) for row in rows) / 10) * 10
    assert f"About {price} €" in committed(f"{name}/README.md")
    assert f"| {price} € |" in next(
        line for line in committed("README.md").splitlines() if f"| `{name}` |" in line
    )
