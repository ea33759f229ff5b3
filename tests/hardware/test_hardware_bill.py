"""The parts lists: quantities counted from the descriptions, by hand and by another way."""

from __future__ import annotations

import csv
import re
from math import ceil

import pytest
from known import load_board
from workshop import BOARDS, HALL_BOARDS, committed, drawing, parts, reed_middles


def lines(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(committed(f"{name}/bom.csv").splitlines()))


def bought(name: str, reference: str) -> tuple[float, int, float]:
    """Needed, spare and bought pieces of the parts whose reference begins so."""
    (row,) = [
        row
        for row in lines(name)
        if row["reference"].rstrip("0123456789-") == reference
        or row["reference"].split("-")[0].rstrip("0123456789") == reference
    ]
    return float(row["needed"]), int(row["spare"]), float(row["quantity"])


@pytest.mark.parametrize("name", BOARDS)
def test_reeds_and_diodes_are_counted_and_a_tenth_is_added(name: str) -> None:
    board = load_board(name)
    reeds = len(board.sensors)
    assert bought(name, "S") == (reeds, ceil(reeds / 10), reeds + ceil(reeds / 10))
    if board.scanner:
        assert bought(name, "D") == bought(name, "S")
    else:
        assert [row["reference"] for row in lines(name) if row["value"] == "1N4148"] == ["V1"]


@pytest.mark.parametrize(
    ("name", "needed"),
    [("nannon-6", 6), ("tables-24", 30), ("tables-24-thrifty", 30), ("cannon-10", 34)],
)
def test_a_magnet_a_checker(name: str, needed: int) -> None:
    assert bought(name, "M") == (needed, ceil(needed / 10), needed + ceil(needed / 10))


@pytest.mark.parametrize("name", BOARDS)
def test_a_mega_and_its_cable_only_where_there_is_a_matrix(name: str) -> None:
    board = load_board(name)
    megas = [row for row in lines(name) if row["value"].startswith(("Arduino Mega", "USB cable"))]
    assert len(megas) == (2 if board.scanner else 0)
    plugs = [row for row in lines(name) if row["value"].startswith("Dupont wire, plug")]
    if board.scanner:
        assert float(plugs[0]["needed"]) == board.scanner.rows + board.scanner.columns
    else:
        assert plugs == []


@pytest.mark.parametrize("name", BOARDS)
def test_a_loudspeaker_is_named_for_each_pi(name: str) -> None:
    (pi,) = (row for row in lines(name) if row["value"].startswith("Raspberry Pi"))
    (loudspeaker,) = (row for row in lines(name) if "loudspeaker" in row["value"])
    for model in ("4", "5", "3 B+"):
        assert model in pi["value"] + pi["alternates"]
        assert model in loudspeaker["part"]


@pytest.mark.parametrize("name", BOARDS)
def test_what_hangs_on_the_pi_is_counted(name: str) -> None:
    board = load_board(name)
    lights = sum(place.light is not None for place in board.places)
    assert bought(name, "SW")[0] == len(board.buttons)
    assert bought(name, "BZ")[0] == (board.buzzer is not None)
    assert bought(name, "DS")[0] == 1
    resistors = {
        row["value"].split(",")[0] + row["reference"][:2]: float(row["needed"])
        for row in lines(name)
        if row["reference"].startswith("R")
    }
    columns = board.scanner.columns if board.scanner else 0
    assert resistors.pop("1 kΩR1") == columns + len(board.pins) + len(board.buttons)
    assert resistors.pop("100 ΩR2") == 2
    assert resistors.pop("1 kΩR3") == 1
    assert list(resistors.values()) == ([lights] if lights else [])
    if lights:
        assert bought(name, "L")[0] == lights
    on_pins = len(board.pins) + lights + len(board.buttons) + 1 + 2  # and the OLED's two lines
    sockets = next(row for row in lines(name) if row["value"].startswith("Dupont wire, socket"))
    assert float(sockets["needed"]) == on_pins + 2 + 4  # ground, 3.3 V; at the OLED


@pytest.mark.parametrize("name", BOARDS)
def test_every_line_says_exactly_what_to_buy(name: str) -> None:
    for row in lines(name):
        for key in ("reference", "unit", "value", "part", "alternates", "notes"):
            assert row[key].strip(), (row["reference"], key)
        assert float(row["quantity"]) >= float(row["needed"]) > 0
        assert float(row["price"]) == pytest.approx(
            float(row["quantity"]) * float(row["price each"]), abs=0.06
        )


@pytest.mark.parametrize("name", BOARDS)
def test_what_a_maker_needs_besides_has_a_row_of_its_own(name: str) -> None:
    rows = lines(name)
    for beginning in (
        *("Raspberry Pi 4", "power supply for the Pi", "microSD card", "7-inch touchscreen"),
        *("M3 × 16, nylon", "M3 nut", "wood glue", "hot glue", "rubber foot", "shrink sleeve"),
        *("NPN transistor", "lever terminal", "empty housing", "self-adhesive felt 0.5 mm"),
        *("birch plywood 6 mm", "keyed plug", "M2 × 10", "cable tie", "solder", "removable spray"),
    ):
        assert [r for r in rows if r["value"].startswith(beginning)], beginning
    (felt,) = [row for row in rows if row["reference"] == "F1"]
    across = load_board(name).spot_diameter - parts().measures.checker_gap
    assert felt["value"].endswith(f"disc of {across:g} mm")
    assert float(felt["needed"]) == bought(name, "M")[0]


@pytest.mark.parametrize("name", BOARDS)
def test_every_row_says_what_it_was_checked_against_or_that_it_was_not(name: str) -> None:
    checked = {row["reference"]: row["part checked against"] for row in lines(name)}
    assert [ref for ref, text in checked.items() if not text] == []
    assert "7.0 × 1.8 mm" in next(text for ref, text in checked.items() if ref.startswith("S1-"))
    assert {row["price checked against"] for row in lines(name)} == {"unchecked"}


@pytest.mark.parametrize("name", [*BOARDS, *HALL_BOARDS])
def test_each_price_has_a_source_with_its_date_or_is_unchecked(name: str) -> None:
    for row in lines(name):
        said = row["price checked against"]
        assert said == "unchecked" or re.search(r"[A-Z].* \d{4}-\d{2}-\d{2}", said), row["value"]


@pytest.mark.parametrize("name", [*BOARDS, *HALL_BOARDS])
def test_the_page_of_costs_says_the_share_of_pi_screen_supply_and_card(name: str) -> None:
    text = committed("decisions/cost.md")
    (row,) = [line for line in text.splitlines() if line.startswith(f"| `{name}` |")]
    prices = {row["reference"]: float(row["price"]) for row in lines(name)}
    ours = [prices[reference] for reference in ("J1", "A1", "PS1", "SD1")]
    share = 100 * sum(ours) / sum(prices.values())
    assert row.endswith(f"| {sum(ours):.0f} €, {share:.0f} % |")


@pytest.mark.parametrize("name", BOARDS)
def test_the_screws_reach_through_the_sheets_the_rail_and_a_nut(name: str) -> None:
    measures = parts().measures
    nut = 2.4
    assert measures.top + measures.carrier + measures.frame + nut <= measures.screw_length
    assert 2 * measures.panel + measures.frame + nut <= measures.screw_length
    screws, nuts = (float(r["needed"]) for r in lines(name) if r["reference"] in ("H1", "H2"))
    drawn = [r for r in drawing(f"{name}/top.svg").rings if r.layer == "hole"]
    lights = sum(place.light is not None for place in load_board(name).places)
    panel = [
        r
        for r in drawing(f"{name}/panel.svg").rings
        if r.radius * 2 == pytest.approx(measures.screw)
    ]
    at_mega = 4 if load_board(name).scanner else 0
    assert screws == len(drawn) - lights + len(panel) + at_mega
    assert nuts == screws + at_mega


def test_the_wire_of_cannon_is_what_a_ruler_says() -> None:
    """Ten rows and ten columns of nine gaps of 36 mm, a lead of 30 cm each, a fifth added.

    On the board each row goes on from its last reed to the rail, and each column from its lowest.
    """
    bare = 10 * 9 * 0.036 * 1.2
    rail = parts().measures.rail + 3
    board = load_board("cannon-10")
    reeds = board.places
    right = board.size[0] - rail - (max(p.at[0] for p in reeds if p.reeds) + 8)
    below = min(at[1] for _, at in reed_middles(board)) - parts().measures.slot[0] / 2 - rail
    leads = 20 * 0.3 * 1.2 + 10 * (right + below) / 1000 * 1.2
    rows = {row["value"].split(",")[0]: row for row in lines("cannon-10")}
    assert float(rows["tinned copper wire"]["needed"]) == pytest.approx(bare, abs=0.001)
    assert float(rows["solid hook-up wire"]["needed"]) == pytest.approx(bare + leads, abs=0.001)
    assert rows["tinned copper wire"]["quantity"] == str(ceil(bare))
    assert rows["solid hook-up wire"]["quantity"] == str(ceil(bare + leads))


def test_the_overview_names_every_board_its_reeds_and_its_price() -> None:
    text = committed("README.md")
    for name in BOARDS:
        price = round(sum(float(row["price"]) for row in lines(name)) / 10) * 10
        (row,) = [line for line in text.splitlines() if line.startswith(f"| `{name}` |")]
        assert f"| {len(load_board(name).sensors)} |" in row
        assert f"| {price} € |" in row


def test_what_the_decision_on_the_matrix_says_of_the_large_board_is_so() -> None:
    board = load_board("tables-24")
    assert board.scanner is not None
    wires = board.scanner.rows + board.scanner.columns
    text = f"{len(board.sensors)} reeds need {wires} wires instead of {len(board.sensors) + 1}"
    assert text in committed("decisions/matrix.md")
