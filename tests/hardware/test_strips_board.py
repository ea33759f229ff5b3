"""Strips below a board: where they lie, how deep the reeds are, what they take and cost."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from math import ceil, dist
from pathlib import Path

import ezdxf
import pytest
from known import load_board
from test_strips_copper import strips_of
from workshop import (
    BOARDS,
    MATRIX_BOARDS,
    PaperRead,
    WordRead,
    committed,
    drawing,
    mega,
    near,
    parts,
    reed_middles,
)

from hardware.make.__main__ import BOARDS as DESCRIPTIONS
from hardware.make.__main__ import HERE, main
from hardware.make.hall.strip import hall_designs
from hardware.make.parts import parts_for
from hardware.make.pcb.artwork import Surface
from hardware.make.pcb.below import ribbons
from hardware.make.pcb.count import ByMaker, strip_work, wired_work
from hardware.make.pcb.design import designs
from hardware.make.pcb.legend import HEIGHTS, LETTERS, common_names
from hardware.make.pcb.panels import panel_of
from hardware.make.pcb.section import depth, tail
from hardware.make.strokes import engraved

SHEETS = ("carrier", "underside", "section")
SCREWED = [
    *((name, f"{name}/strips/bom.csv") for name in MATRIX_BOARDS),
    ("tables-24-hall", "tables-24-hall/bom.csv"),
]
"""Boards on strips, and the list that has their strips' screws."""


def rows_of(path: str) -> list[dict[str, str]]:
    return list(csv.DictReader(committed(path).splitlines()))


@pytest.mark.parametrize("name", BOARDS)
def test_every_board_with_a_matrix_has_strips_and_no_other(name: str) -> None:
    assert (HERE / name / "strips").is_dir() is (name in MATRIX_BOARDS)
    linked = "(strips/README.md)" in committed(f"{name}/README.md")
    assert linked is (name in MATRIX_BOARDS)


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_every_reed_lies_on_one_strip(name: str) -> None:
    board = load_board(name)
    strips = [strip for design in strips_of(name) for strip in design.strips]
    assert sorted(reed.name for strip in strips for reed in strip.reeds) == sorted(board.sensors)
    for design in strips_of(name):
        for strip in design.strips:
            row = design.laid.axis.value == "row"
            cells = [board.cells[reed.name] for reed in strip.reeds]
            assert {cell.row if row else cell.column for cell in cells} == {strip.own}


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_drawings_lie_on_their_paper_and_no_word_on_another(name: str) -> None:
    for made in (*SHEETS, *(design.name for design in strips_of(name))):
        sheet = drawing(f"{name}/strips/{made}.svg")
        assert sheet.view == (0, 0, *sheet.paper), made
        boxes = [outline.box for outline in sheet.outlines] + [word.box for word in sheet.words]
        for left, low, right, high in boxes:
            assert min(left, low) >= 0, made
            assert right <= sheet.paper[0], made
            assert high <= sheet.paper[1], made
        pairs = combinations(sheet.words, 2)
        assert [(a.words, b.words) for a, b in pairs if _covered(a, b)] == [], made


def _covered(one: WordRead, other: WordRead) -> bool:
    a, b = one.box, other.box
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_the_carrier_has_a_window_a_header_and_leaves_wood_between_holes(name: str) -> None:
    sheet = drawing(f"{name}/strips/carrier.svg")
    strips = sum(len(design.strips) for design in strips_of(name))
    wired = drawing(f"{name}/carrier.svg")
    assert len(sheet.on("hole")) == len(wired.on("hole")) + strips
    boxes = [outline.box for outline in sheet.on("hole")]
    boxes += [
        (x - ring.radius, y - ring.radius, x + ring.radius, y + ring.radius)
        for ring in sheet.rings
        if ring.layer == "hole"
        for x, y in [ring.middle]
    ]
    assert [pair for pair in combinations(boxes, 2) if _closer(*pair, apart=0.9)] == []
    document = ezdxf.readfile(HERE / name / "strips" / "carrier.dxf")
    assert document.audit().errors == []
    paths = [o for o in sheet.outlines if o.layer in {"cut", "hole", "engrave", "fill"}]
    read = [p for p in document.modelspace().query("LWPOLYLINE") if p.dxf.layer != "MARK"]
    assert len(read) == len(paths)


def _closer(one: tuple[float, ...], other: tuple[float, ...], apart: float) -> bool:
    return (
        one[0] < other[2] + apart
        and other[0] < one[2] + apart
        and one[1] < other[3] + apart
        and other[1] < one[3] + apart
    )


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_strips_keep_from_each_other_and_from_the_boards_edge(name: str) -> None:
    board, strip = load_board(name), parts().strip
    boxes = [design.laid.on_board(one) for design in strips_of(name) for one in design.strips]
    assert [pair for pair in combinations(boxes, 2) if _closer(*pair, apart=0.0)] == []
    for left, low, right, high in boxes:
        assert min(left, low) >= strip.apart - 0.001
        assert right <= board.size[0] - strip.apart + 0.001
        assert high <= board.size[1] - strip.apart + 0.001


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_from_below_every_reed_lies_on_a_strip(name: str) -> None:
    board, sheet = load_board(name), drawing(f"{name}/strips/underside.svg")
    frame = max(sheet.on("faint"), key=lambda outline: outline.area)
    left, low, right, _ = frame.box
    assert right - left == pytest.approx(board.size[0])
    strips = [outline.box for outline in sheet.on("wire")]
    for _, (x, y) in reed_middles(board):
        at = right - x, low + y
        assert any(b[0] < at[0] < b[2] and b[1] < at[1] < b[3] for b in strips)


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_a_reed_on_a_strip_lies_as_deep_as_a_wired_one(name: str) -> None:
    """Measured in both sections: from the top sheet's surface to the middle of the glass."""
    measures = parts().measures
    deep = [_depth(drawing(f"{name}/{sheet}.svg")) for sheet in ("section", "strips/section")]
    assert deep[0] == pytest.approx(deep[1], abs=0.01)
    assert deep[1] == pytest.approx(depth(measures), abs=0.01)
    assert depth(measures) == measures.top + measures.glass[1] / 2


def _depth(sheet: PaperRead) -> float:
    """In mm: both sections are four times as large, and no sheet in them is wider than the top."""
    surface = max(sheet.on("fill"), key=lambda outline: outline.box[2] - outline.box[0]).box[3]
    length = 4 * parts().measures.glass[0]
    (glass,) = [o for o in sheet.on("glass") if o.box[2] - o.box[0] == pytest.approx(length)]
    return (surface - glass.middle[1]) / 4


@pytest.mark.parametrize(("board", "bill"), SCREWED)
def test_no_screw_of_a_strip_reaches_the_sheet_that_checkers_stand_on(
    board: str, bill: str
) -> None:
    own = parts_for(load_board(board), parts())
    deep = own.strip.thickness + own.measures.carrier
    (screws,) = [row for row in rows_of(bill) if row["reference"] == "T6"]
    found = re.fullmatch(r"wood screw 2 × (\d+) mm, brass", screws["value"])
    assert found
    assert deep - 1 < float(found[1]) <= deep
    page = committed(f"{Path(bill).parent}/README.md")
    assert re.search(rf"screws .{{0,20}}\b{found[1]} mm", page)


def test_leads_are_bent_away_from_the_glass_and_reach_through_the_strip() -> None:
    measures, strip = parts().measures, parts().strip
    inner = strip.span(measures.glass[0]) - strip.lead  # between the legs
    assert (inner - measures.glass[0]) / 2 >= 3.0
    assert strip.span(measures.glass[0]) + strip.lead <= measures.slot[0]
    assert 1 <= tail(measures, strip) <= 2.5  # enough to solder


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_ribbons_run_straight_past_headers_that_lie_the_same_way_round(name: str) -> None:
    joined = ribbons(strips_of(name))
    assert sum(len(ribbon.strips) for ribbon in joined) == sum(
        len(design.strips) for design in strips_of(name)
    )
    for ribbon in joined:
        assert len({strip.along for strip in ribbon.strips}) == 1
        (ux, uy) = ribbon.strips[0].along
        level = {round(x * ux + y * uy, 2) for x, y in ribbon.headers}
        assert max(level) - min(level) <= 3
        run = sum(dist(*ends) for ends in pairwise(ribbon.headers))
        assert run == pytest.approx(dist(ribbon.headers[0], ribbon.headers[-1]), rel=0.01)


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_the_least_order_of_panels_has_every_strip(name: str) -> None:
    strip = parts().strip
    panel = panel_of(name, strips_of(name), strip)
    for design, count in panel.counts:
        needed = ceil(len(design.strips) / strip.panels)
        assert count >= needed
        if count > needed:  # the smallest panel has room for them, and for no more
            wide, high = panel.artwork.size
            assert high == strip.least_panel
            assert panel.artwork.scores[0] < strip.rail + design.artwork.size[1] / 2
    wide, high = panel.artwork.size
    assert min(wide, high) >= strip.least_panel
    assert all(design.artwork.size[0] == wide for design, _ in panel.counts)
    assert all(design.artwork.size[1] >= strip.least_width for design, _ in panel.counts)
    page = committed(f"{name}/strips/order.md")
    assert f"| size | {wide:g} × {high:g} mm" in page
    heights = re.search(r"`V_Score`, at ([\d., ]+) mm", page)
    assert heights is not None
    scores = [float(word) for word in heights[1].split(", ")]
    gaps = [b - a for a, b in pairwise(scores)]
    expected = [d.artwork.size[1] for d, count in panel.counts for _ in range(count)]
    assert gaps == pytest.approx(expected)
    assert "unchecked" in page
    spare = {d.name: count * strip.panels - len(d.strips) for d, count in panel.counts}
    assert max(spare.values()) > 0, "one strip at least may fail"
    assert f"{spare[panel.counts[0][0].name]} × `{panel.counts[0][0].name}`" in page


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_the_list_of_a_board_on_strips_has_no_wires_and_every_part_of_them(name: str) -> None:
    strips = sum(len(design.strips) for design in strips_of(name))
    reeds = len(load_board(name).sensors)
    found = {row["reference"]: row for row in rows_of(f"{name}/strips/bom.csv")}
    values = " ".join(row["value"] for row in found.values())
    assert "tinned copper wire" not in values
    assert "1N4148W, SOD-123" in values
    assert float(found["X1"]["needed"]) == float(found["X2"]["needed"]) == strips
    assert float(found[f"D1-D{reeds}"]["needed"]) == reeds
    wide, high = panel_of(name, strips_of(name), parts().strip).artwork.size
    assert float(found["T1"]["needed"]) == pytest.approx(5 * wide * high / 1e6, abs=0.001)
    wired = {row["reference"] for row in rows_of(f"{name}/bom.csv")}
    assert wired - set(found) == {"W4", "W5"}
    assert len(found) == len(rows_of(f"{name}/strips/bom.csv"))
    for row in found.values():
        price = float(row["quantity"]) * float(row["price each"])
        assert float(row["price"]) == pytest.approx(price, abs=0.06)


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_joints_are_counted_on_the_committed_boards(name: str) -> None:
    """Pads of the KiCad files, holed ones and others, times the strips."""
    board, holed, flat, of_reeds = load_board(name), 0, 0, 0
    for design in strips_of(name):
        text = committed(f"{name}/strips/kicad/{design.name}.kicad_pcb")
        holed += len(design.strips) * text.count(" thru_hole ")
        flat += len(design.strips) * text.count(" smd rect ")
    of_reeds = 2 * len(board.sensors)
    ends = strips_of(name)[0].laid.shared * len(ribbons(strips_of(name)))
    ends += sum(len(design.strips) for design in strips_of(name))
    counted = {
        ByMaker.NOTHING: holed + flat + ends,
        ByMaker.DIODES: holed + ends,
        ByMaker.ALL_BUT_REEDS: of_reeds + ends,
    }
    assert flat == 2 * len(board.sensors)
    assert {by: strip_work(strips_of(name), by).joints for by in ByMaker} == counted
    assert board.scanner is not None
    wires = 3 * len(board.sensors) + board.scanner.rows + board.scanner.columns
    assert wired_work(board).joints == wires
    (row,) = [
        line for line in committed("decisions/strips.md").splitlines() if f"| `{name}` |" in line
    ]
    cells = [cell.strip() for cell in row.split("|")[2:6]]
    assert cells == [str(number) for number in (wires, *counted.values())]


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_what_is_placed_lies_where_its_lands_are(name: str) -> None:
    panel = panel_of(name, strips_of(name), parts().strip).artwork
    places = rows_of(f"{name}/strips/order/{name}-cpl.csv")
    listed = {
        ref
        for row in rows_of(f"{name}/strips/order/{name}-bom.csv")
        for ref in row["Designator"].split(",")
    }
    assert listed == {row["Designator"] for row in places}
    head = committed(f"{name}/strips/order/{name}-bom.csv").splitlines()[0]
    assert head == "Comment,Designator,Footprint,LCSC Part #,Manufacturer Part Number"
    assert {row["Layer"] for row in places} == {"Top"}
    assert all(row["Footprint"] for row in rows_of(f"{name}/strips/order/{name}-bom.csv"))
    assert not any(ref.startswith("S") for ref in listed)
    turned = {"0": (-1, 0), "90": (0, -1), "180": (1, 0), "270": (0, 1)}
    for row in places:
        lands = {land.pin: land.at for land in panel.lands if land.part == row["Designator"]}
        if set(lands) == {"A", "K"}:
            middle = (float(row["Mid X"]), float(row["Mid Y"]))
            assert near(middle, tuple(sum(at[i] for at in lands.values()) / 2 for i in (0, 1)))  # type: ignore[arg-type]
            way = turned[row["Rotation"]]
            band = middle[0] + way[0] * 1.75, middle[1] + way[1] * 1.75
            assert near(band, lands["K"])


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_names_are_printed_to_be_read_on_both_sides(name: str) -> None:
    """Every reed's name, what the strip is, and where the header's first pin is."""
    for design in strips_of(name):
        words = [*common_names(design.laid), design.artwork.name, "1", design.laid.axis.value]
        for surface in Surface:
            drawn = {line.points for line in design.artwork.strokes if line.surface is surface}
            missing = [word for word in words if not printed(word, drawn, surface)]
            assert missing == []
    bar = next(design for design in strips_of("tables-24") if len(design.strips) == 1)
    assert common_names(bar.laid) == tuple(reed.name for reed in bar.strips[0].reeds)


def printed(words: str, drawn: set[tuple[tuple[float, float], ...]], surface: Surface) -> bool:
    """Whether the strokes of a word stand somewhere, on the back as a mirror shows them."""
    way = 1 if surface is Surface.FRONT else -1
    for height in HEIGHTS:
        strokes = [
            [(way * x, y) for x, y in path.points]
            for path in engraved(words, (0.0, 0.0), height, glyphs=LETTERS)
        ]
        for points in drawn:
            dx, dy = points[0][0] - strokes[0][0][0], points[0][1] - strokes[0][0][1]
            moved = ([(x + dx, y + dy) for x, y in stroke] for stroke in strokes)
            if all(any(_same(stroke, other) for other in drawn) for stroke in moved):
                return True
    return False


def _same(one: Sequence[tuple[float, float]], other: Sequence[tuple[float, float]]) -> bool:
    return len(one) == len(other) and all(map(near, one, other))


def test_a_word_that_is_mirrored_or_missing_would_be_seen() -> None:
    artwork = strips_of("tables-24")[0].artwork
    front = {line.points for line in artwork.strokes if line.surface is Surface.FRONT}
    assert printed("point", front, Surface.FRONT)
    assert not printed("point", front, Surface.BACK)
    assert not printed("pointed", front, Surface.FRONT)


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_a_header_stands_where_its_key_is_printed_and_is_numbered_as_ribbons_are(name: str) -> None:
    """Key below: pin 1 at the lower left, 2 above it, 3 right of it; so is every box header, and
    the ribbon's wires come in the order of the pins.
    """
    for design in strips_of(name):
        pins = {land.pin: land.at for land in design.artwork.lands if land.part == "X1"}
        (x, y), pitch = pins["1"], 2.54
        assert near(pins["2"], (x, y + pitch))
        assert near(pins["3"], (x + pitch, y))
        (body,) = [body for body in design.artwork.bodies if body.part == "X1"]
        low = body.at[1] - body.size[1] / 2
        keys = [
            line.points
            for line in design.artwork.strokes
            if line.surface is Surface.FRONT
            and len(line.points) == 4
            and line.points[0][1] == pytest.approx(low, abs=0.002)
        ]
        assert len(keys) == 1
        assert sum(x for x, _ in keys[0]) / 4 == pytest.approx(body.at[0], abs=0.01)


def told(place: tuple[float, float]) -> str:
    """As the descriptions write it."""
    return f"at = [{place[0]:.1f}, {place[1]:.1f}]"


@pytest.mark.slow
def test_another_place_and_another_cell_show_in_strips_and_panels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The bar's last reed one column on, and 2 mm farther out."""
    board = load_board("tables-24")
    reed = strips_of("tables-24")[-1].strips[0].reeds[-1]
    x, y = reed.at
    cell = board.cells[reed.name]
    old = f"{told((x, y))}, row = {cell.row}, column = {cell.column}"
    new = f"{told((x, y - 2))}, row = {cell.row}, column = {cell.column + 1}"
    own, made = made_alone(tmp_path, "tables-24", old, new)
    assert {
        f"strips/{file}"
        for file in (
            *("bar.svg", "carrier.dxf", "carrier.svg", "kicad/bar.kicad_pcb", "underside.svg"),
            *("order/tables-24-gerbers.zip", "order/tables-24-cpl.csv"),
        )
    } <= changed(made, HERE / "tables-24")
    file = (made / "strips/kicad/bar.kicad_pcb").read_text(encoding="utf-8")
    assert re.search(rf'\(pad "1" thru_hole .*"COL{cell.column + 1}"\)', file)
    assert not re.search(rf'\(pad "1" thru_hole circle .*"COL{cell.column}"\)', file)
    capsys.readouterr()
    assert main(["--board", str(own), "--into", str(HERE / "tables-24"), "--check"]) == 1
    stale = capsys.readouterr().out
    assert "strips/order/tables-24-gerbers.zip is not what the descriptions say" in stale


def made_alone(tmp_path: Path, name: str, old: str, new: str) -> tuple[Path, Path]:
    """A changed description of one board, and the folder of what was made of it."""
    own, made = tmp_path / f"{name}.toml", tmp_path / "made"
    text = (DESCRIPTIONS / f"{name}.toml").read_text(encoding="utf-8")
    assert text.count(old) == 1
    own.write_text(text.replace(old, new), encoding="utf-8")
    assert main(["--board", str(own), "--into", str(made)]) == 0
    return own, made


def changed(made: Path, kept: Path) -> set[str]:
    names = [path.relative_to(made) for path in made.rglob("*") if path.is_file()]
    return {str(name) for name in names if (made / name).read_bytes() != (kept / name).read_bytes()}


def test_another_pitch_makes_longer_strips_that_fit_it() -> None:
    """Every second place dropped: twice the pitch, the same rules."""
    board = load_board("tables-24")
    thinned = tuple(replace(place, reeds=place.reeds[::2]) for place in board.places)
    (point, *_) = designs(replace(board, places=thinned), parts().measures, parts().strip)
    (usual, *_) = strips_of("tables-24")
    assert len(point.strips) == len(usual.strips)
    wide, narrow = ([bed.place[0] for bed in design.laid.group.beds] for design in (point, usual))
    assert wide == narrow[::2]
    assert {land.part for land in point.artwork.lands} == {
        "S1",
        "S2",
        "S3",
        "D1",
        "D2",
        "D3",
        "X1",
        "X2",
    }


def test_a_board_whose_strips_find_no_room_is_made_without_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A light in the middle of a strip: the board is wired, all else is made."""
    place = load_board("tables-24").places[0]
    ahead = 1 if place.reeds[0].offset[1] > 0 else -1
    middle = place.reeds[2].at
    light = middle[0], middle[1] + ahead * parts().measures.light_from_spot
    old = f'name = "1"\n{told(place.at)}'
    new = f'name = "1"\n{told(light)}\nlight = 5'
    _, made = made_alone(tmp_path, "tables-24", old, new)
    assert not (made / "strips").exists()
    assert (made / "top.dxf").exists()
    assert "hardware.make: no strips for tables-24: " in capsys.readouterr().err


def test_lines_that_are_not_straight_have_no_strips() -> None:
    board = load_board("tables-24")
    first = board.places[0]
    x, y = first.reeds[1].at
    reeds = (first.reeds[0], replace(first.reeds[1], at=(x + 5, y)), *first.reeds[2:])
    bent = replace(board, places=(replace(first, reeds=reeds), *board.places[1:]))
    assert designs(bent, parts().measures, parts().strip) == ()


def test_the_mega_has_the_pins_that_the_pages_name() -> None:
    lines = {line.printed for line in (*mega().rows, *mega().columns)}
    for name in MATRIX_BOARDS:
        page = committed(f"{name}/strips/README.md")
        rows = re.findall(
            r"^\| \S+ \| `[\w-]+` \| (?:row|column) \d+ \| (\w+) \|", page, re.MULTILINE
        )
        assert len(rows) == len(set(rows)) == sum(len(d.strips) for d in strips_of(name))
        assert set(rows) <= lines


@pytest.mark.parametrize("name", [*MATRIX_BOARDS, "tables-24-hall"])
def test_the_page_for_the_bench_shows_every_part_where_it_is_and_needs_nothing_else(
    name: str,
) -> None:
    page = committed(f"{name}/strips/parts.html")
    assert not re.search(r"https?:|src=|@import|url\(", page)
    shown = set(re.findall(r'<g id="([^"]+)">', page))
    listed = [part for row in re.findall(r'data-parts="([^"]+)"', page) for part in row.split()]
    board = load_board(name)
    made = hall_designs(board, parts().strip) if board.tells_sides else strips_of(name)
    for artwork in [design.artwork for design in made]:
        sheet = artwork.name.replace(" ", "-")
        assert {f"{sheet}-{body.part}" for body in artwork.bodies} <= shown
        for body in artwork.bodies:
            found = re.search(
                rf'<g id="{sheet}-{body.part}"><rect x="([\d.-]+)" y="([\d.-]+)"', page
            )
            assert found is not None
            x, y = float(found[1]) + body.size[0] / 2, float(found[2]) + body.size[1] / 2
            across = x if body.surface is Surface.FRONT else artwork.size[0] - x
            assert near((across, artwork.size[1] - y), body.at)
    assert sorted(listed) == sorted(shown)
