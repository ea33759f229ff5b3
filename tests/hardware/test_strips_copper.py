"""The strips' Gerber and drill files, read back: what touches is what the circuit joins, and
nothing else comes near.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path
from zipfile import ZipFile

import pytest
from copper import BoardRead, Metal, Spot2, read_board, read_zip
from gerbonara import LayerStack
from gerbonara.utils import MM
from known import load_board
from PIL import Image
from workshop import MATRIX_BOARDS, mega, parts, reed_middles

from hardware.make.__main__ import HERE
from hardware.make.circuit import Circuit, Kind
from hardware.make.pcb.artwork import Surface, Track
from hardware.make.pcb.design import StripDesign, designs
from hardware.make.pcb.gerber import gerbers
from hardware.make.pcb.lines import Strip
from hardware.make.pcb.panels import panel_of
from hardware.make.wiring import wire
from pi_app.sensing.description import Board, Sensor

MAKERS_GAP_MM, MAKERS_EDGE_MM, MAKERS_RING_MM = 0.15, 0.4, 0.15
Nodes = frozenset[tuple[str, str]]


@cache
def strips_of(name: str) -> tuple[StripDesign, ...]:
    return designs(load_board(name), parts().measures, parts().strip)


def order(name: str) -> Path:
    return HERE / name / "strips" / "order" / f"{name}-gerbers.zip"


@cache
def panel_read(name: str) -> BoardRead:
    return read_board(read_zip(order(name)))


def copies(name: str) -> list[tuple[StripDesign, Spot2]]:
    """The strips of a panel from below upwards, and the lower left corner of each."""
    panel = panel_of(name, strips_of(name), parts().strip)
    counts = zip(strips_of(name), panel.counts, strict=True)
    order = [design for design, (_, count) in counts for _ in range(count)]
    return [(design, (0.0, low)) for design, low in zip(order, panel.artwork.scores, strict=False)]


def leads(board: Board, sensor: Sensor) -> tuple[Spot2, Spot2]:
    """Where a reed's near and far lead belong on the game board, from its description alone."""
    at, offset = next(
        (reed.at, reed.offset)
        for place in board.places
        for reed in place.reeds
        if reed.name == sensor
    )
    measures, strip = parts().measures, parts().strip
    half = (measures.glass[0] + 2 * strip.bend + strip.lead) / 2
    long = (offset[0] ** 2 + offset[1] ** 2) ** 0.5
    near, far = ((long + way * half) / long for way in (-1, 1))
    return (
        (at[0] + near * offset[0], at[1] + near * offset[1]),
        (at[0] + far * offset[0], at[1] + far * offset[1]),
    )


def places(board: Board, design: StripDesign, strip: Strip) -> dict[Spot2, tuple[str, str]]:
    """The pins of a strip by their places on it; reeds and diodes as the circuit calls them.

    Reeds are found from the game board, all else from the design.
    """
    numbers = {name: place for place, name in enumerate(board.sensors, start=1)}
    found: dict[Spot2, tuple[str, str]] = {}
    for bed, reed in enumerate(strip.reeds, start=1):
        for pin, at in zip("12", leads(board, reed.name), strict=True):
            found[_on_strip(design, strip, at)] = (f"S{numbers[reed.name]}", pin)
        for land in design.artwork.lands:
            if land.part == f"D{bed}":
                found[land.at] = (f"D{numbers[reed.name]}", land.pin)
    for land in design.artwork.lands:
        if land.part.startswith("X"):
            found[land.at] = (land.part, land.pin)
    return found


def _on_strip(design: StripDesign, strip: Strip, at: Spot2) -> Spot2:
    """Seen from below, x along the strip: the game board's own x runs the other way there."""
    (ux, uy), origin = strip.along, design.on_board(strip, (0.0, 0.0))
    dx, dy = at[0] - origin[0], at[1] - origin[1]
    return round(dx * ux + dy * uy, 3), round(dx * uy - dy * ux, 3)


def joined(drawn: BoardRead, corner: Spot2, pins: dict[Spot2, tuple[str, str]]) -> set[Nodes]:
    """The pins of one strip of a panel, as its copper joins them."""
    at = {(round(x + corner[0], 3), round(y + corner[1], 3)): pin for (x, y), pin in pins.items()}
    nets = set()
    for net in drawn.nets:
        found = {at[metal.start] for metal in net if metal.start == metal.end and metal.start in at}
        if found:
            nets.add(frozenset(found))
    assert set().union(*nets) == set(pins.values())  # every pin has its land where it belongs
    return nets


@pytest.mark.slow
@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_strips_and_ribbons_join_what_the_circuit_joins(name: str) -> None:
    """All strips of a board, the same pin of every header joined: reeds and diodes as wired."""
    board, circuit = load_board(name), wire(load_board(name), mega(), oled=True)
    corner = {design.name: corner for design, corner in copies(name)}
    ribbon: dict[str, set[tuple[str, str]]] = {}
    found: set[Nodes] = set()
    for design in strips_of(name):
        for strip in design.strips:
            pins = places(board, design, strip)
            for net in joined(panel_read(name), corner[design.name], pins):
                shared = [pin for part, pin in net if part == "X1"]
                others = {node for node in net if not node[0].startswith("X")}
                assert len(shared) <= 1
                if shared:
                    ribbon.setdefault(shared[0], set()).update(others)
                else:
                    found.add(frozenset(others))
    found |= {frozenset(nodes) for nodes in ribbon.values() if nodes}
    assert found == of_reeds(circuit)


def of_reeds(circuit: Circuit) -> set[Nodes]:
    """The circuit's nets with nothing but reeds and their diodes."""
    reeds = {part.ref for part in circuit.of(Kind.REED)}
    beside = reeds | {f"D{ref[1:]}" for ref in reeds}
    nets = (
        frozenset((node.ref, node.lead) for node in net.nodes if node.ref in beside)
        for net in circuit.nets
    )
    return {net for net in nets if net}


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_pin_n_of_every_header_is_line_n_and_the_single_pin_the_strips_own(name: str) -> None:
    board = load_board(name)
    cells = board.cells
    corner = {design.name: corner for design, corner in copies(name)}
    for design in strips_of(name):
        strip = design.strips[-1]
        row = design.laid.axis.value == "row"
        pins = places(board, design, strip)
        nets = joined(panel_read(name), corner[design.name], pins)
        for reed in strip.reeds:
            number = board.sensors.index(reed.name) + 1
            cell = cells[reed.name]
            column, line = ("S", "1"), ("D", "K")
            shared, own = (column, line) if row else (line, column)
            pin = str((cell.column if row else cell.row) + 1)
            assert strip.own == (cell.row if row else cell.column)
            (ribbon,) = [net for net in nets if ("X1", pin) in net]
            (single,) = [net for net in nets if ("X2", "1") in net]
            assert (f"{shared[0]}{number}", shared[1]) in ribbon
            assert (f"{own[0]}{number}", own[1]) in single


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_every_strip_of_a_panel_is_the_same_as_the_first_of_its_design(name: str) -> None:
    drawn = panel_read(name)
    first: dict[str, object] = {}
    for design, (_, low) in copies(name):
        high = low + design.artwork.size[1]
        seen = {
            (m.sides, m.half, m.half_size, *_down(m.start, low), *_down(m.end, low))
            for m in drawn.metal
            if low < m.start[1] < high
        }
        assert seen == first.setdefault(design.name, seen)


def _down(at: Spot2, low: float) -> Spot2:
    return at[0], round(at[1] - low, 3)


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_copper_keeps_from_other_copper_from_edges_and_from_holes(name: str) -> None:
    drawn = panel_read(name)
    assert parts().strip.clearance > MAKERS_GAP_MM
    assert drawn.narrow(parts().strip.clearance) == []
    cuts = panel_of(name, strips_of(name), parts().strip).artwork.scores
    for metal in drawn.metal:
        half = metal.half_size or (metal.half, metal.half)
        for x, y in (metal.start, metal.end):
            assert half[0] + MAKERS_EDGE_MM < x < drawn.corner[0] - half[0] - MAKERS_EDGE_MM
            assert min(abs(y - cut) for cut in cuts) > half[1] + MAKERS_EDGE_MM
        for at, diameter in drawn.bored.items():
            hole = Metal(frozenset("FB"), at, at, diameter / 2)
            assert metal.gap(hole) > MAKERS_GAP_MM + 0.1


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_every_plated_hole_has_a_ring_and_every_lead_and_pin_fits(name: str) -> None:
    drawn, strip = panel_read(name), parts().strip
    rings = {m.start: m for m in drawn.metal if m.start == m.end and m.sides == frozenset("FB")}
    assert drawn.plated.keys() == rings.keys()
    for at, diameter in drawn.plated.items():
        ring = rings[at]
        least = min(ring.half_size) if ring.half_size else ring.half
        assert least - diameter / 2 >= MAKERS_RING_MM
    number = sum(len(design.laid.group.beds) for design, _ in copies(name))
    sizes = sorted(drawn.plated.values())
    assert sum(size > strip.lead + 0.3 for size in sizes) >= 2 * number
    assert sizes[0] >= 0.3


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_the_order_has_what_makers_ask_for_and_a_second_program_opens_it(
    name: str, tmp_path: Path
) -> None:
    """By gerbonara as it comes, guessing what each file is, and drawn by gerbv."""
    stack = LayerStack.open(order(name))
    assert {f"{side} {use}" for side, use in stack.graphic_layers} >= {
        f"{side} {use}" for side in ("top", "bottom") for use in ("copper", "mask", "silk")
    } | {"mechanical outline", "top paste"}
    drawn = panel_read(name)
    (_, _), (wide, high) = stack.outline.bounding_box(MM)
    assert (wide, high) == pytest.approx(drawn.corner, abs=0.11)
    assert sum(len(layer.objects) for layer in stack.drill_layers) == len(drawn.plated) + len(
        drawn.bored
    )
    if shutil.which("gerbv") is None:
        pytest.skip("gerbv is not installed: apt-get install gerbv")
    with ZipFile(order(name)) as whole:
        whole.extractall(tmp_path)
    files = sorted(path.name for path in tmp_path.iterdir())
    told = subprocess.run(
        ["gerbv", "--export=png", "--dpi=50x50", "--output=p.png", *files],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    complaints = re.findall(r"(?m)^.*CRITICAL.*$", told.stdout + told.stderr)
    assert [line for line in complaints if "extension found %TF%" not in line] == []
    with Image.open(tmp_path / "p.png") as picture:
        assert picture.width / 50 * 25.4 == pytest.approx(wide, rel=0.1)
        assert len(set(picture.convert("L").tobytes())) > 2


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_a_machine_finds_the_panel_by_its_dots_and_tooling_holes(name: str) -> None:
    panel, drawn = panel_of(name, strips_of(name), parts().strip).artwork, panel_read(name)
    rail = panel.scores[0]
    dots = [m for m in drawn.metal if m.half == 0.5 and m.start == m.end and m.sides == {"F"}]
    dots = [m for m in dots if not rail < m.start[1] < panel.scores[-1]]
    assert len(dots) == 3
    assert {m.start for m in dots} == set(panel.fiducials)
    mirrored = {(panel.size[0] - x, panel.size[1] - y) for x, y in panel.fiducials}
    assert mirrored != set(panel.fiducials), "turned round it would look alike"
    tooling = [at for at, wide in drawn.bored.items() if wide == 2.0]
    assert len(tooling) == 4
    assert all(at[1] < rail or at[1] > panel.scores[-1] for at in tooling)


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_files_are_read_without_a_warning(name: str, recwarn: pytest.WarningsRecorder) -> None:
    read_board(read_zip(order(name)))
    assert [str(warned.message) for warned in recwarn] == []


def planted(*, without: int | None = None, short: bool = False) -> BoardRead:
    """The strip of a point with a track less, or with one from a reed's lead to the other."""
    design = next(d for d in strips_of("tables-24") if d.name == "point")
    artwork = design.artwork
    tracks = list(artwork.tracks)
    if without is not None:
        del tracks[without]
    if short:
        one, two = (land for land in artwork.lands if land.part == "S3")
        tracks.append(Track(one.net, Surface.BACK, one.at, two.at))
    return read_board(gerbers(replace(artwork, tracks=tuple(tracks)), parts().strip))


def test_a_short_and_a_missing_track_would_be_seen() -> None:
    board, design = load_board("tables-24"), strips_of("tables-24")[0]
    pins = places(board, design, design.strips[0])
    sound = joined(planted(), (0.0, 0.0), pins)
    assert len(joined(planted(short=True), (0.0, 0.0), pins)) < len(sound)
    assert planted().narrow(parts().strip.clearance) == []
    for number in range(len(design.artwork.tracks)):
        if number % 7 == 0:  # each costs a tenth of a second
            assert len(joined(planted(without=number), (0.0, 0.0), pins)) > len(sound)


def test_reeds_lie_under_their_places_and_not_mirrored() -> None:
    """A strip's front is seen from below: left and right are exchanged, and nothing else."""
    for name in MATRIX_BOARDS:
        board = load_board(name)
        middles = dict(reed_middles(board))
        for design in strips_of(name):
            left, low, *_ = design.laid.outline
            for strip in design.strips:
                for bed, reed in zip(design.laid.group.beds, strip.reeds, strict=True):
                    at = design.on_board(strip, (bed.middle[0] - left, bed.middle[1] - low))
                    assert at == pytest.approx(middles[reed.name], abs=0.002)
                (ox, oy), (rx, ry), (ux, uy) = (
                    design.on_board(strip, at) for at in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
                )
                turn = (rx - ox) * (uy - oy) - (ry - oy) * (ux - ox)
                assert turn == pytest.approx(-1)
