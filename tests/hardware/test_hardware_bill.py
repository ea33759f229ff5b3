"""The parts lists: quantities counted from the descriptions, by hand and by another way."""

from __future__ import annotations

import csv
from math import ceil

import pytest
from known import load_board
from workshop import BOARDS, committed


def lines(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(committed(f"{name}/bom.csv").splitlines()))


def bought(name: str, reference: str) -> tuple[float, int, float]:
    """What is needed, spare and bought of the parts whose reference begins so."""
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
        assert not any("1N4148" in row["value"] for row in lines(name))


@pytest.mark.parametrize(
    ("name", "needed"),
    [("nannon-6", 6), ("tables-24", 30), ("tables-24-thrifty", 30), ("cannon-10", 34)],
)
def test_a_magnet_a_checker(name: str, needed: int) -> None:
    assert bought(name, "M") == (needed, ceil(needed / 10), needed + ceil(needed / 10))


@pytest.mark.parametrize("name", BOARDS)
def test_a_mega_and_its_cable_only_where_there_is_a_matrix(name: str) -> None:
    board = load_board(name)
    megas = [row for row in lines(name) if "Mega" in row["value"] or "USB" in row["value"]]
    assert len(megas) == (2 if board.scanner else 0)
    plugs = [row for row in lines(name) if row["value"].startswith("Dupont wire, plug")]
    if board.scanner:
        assert float(plugs[0]["needed"]) == board.scanner.rows + board.scanner.columns
    else:
        assert plugs == []


@pytest.mark.parametrize("name", BOARDS)
def test_what_hangs_on_the_pi_is_counted(name: str) -> None:
    board = load_board(name)
    lights = sum(place.light is not None for place in board.places)
    assert bought(name, "SW")[0] == len(board.buttons)
    assert bought(name, "BZ")[0] == (board.buzzer is not None)
    assert bought(name, "DS")[0] == 1
    if lights:
        assert bought(name, "L")[0] == bought(name, "R")[0] == lights
    on_pins = len(board.pins) + lights + len(board.buttons) + 1 + 3  # and OLED: two lines, 3.3 V
    sockets = next(row for row in lines(name) if row["value"].startswith("Dupont wire, socket"))
    assert float(sockets["needed"]) == on_pins + 3  # three grounds


@pytest.mark.parametrize("name", BOARDS)
def test_every_line_says_exactly_what_to_buy(name: str) -> None:
    for row in lines(name):
        for key in ("reference", "unit", "value", "part", "alternates", "notes"):
            assert row[key].strip(), (row["reference"], key)
        assert float(row["quantity"]) >= float(row["needed"]) > 0
        assert float(row["price"]) == pytest.approx(
            float(row["quantity"]) * float(row["price each"]), abs=0.06
        )


def test_the_wire_of_cannon_is_what_a_ruler_says() -> None:
    """Ten rows and ten columns of nine gaps of 36 mm, a lead of 30 cm each, a fifth added."""
    bare = 10 * 9 * 0.036 * 1.2
    leads = 20 * 0.3 * 1.2
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
    text = f"{len(board.sensors)} reeds on {wires} wires instead of {len(board.sensors) + 1}"
    assert text in committed("decisions/matrix.md")
