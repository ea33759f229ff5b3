"""Pins in tables, netlists and diagrams against the program's descriptions and the firmware."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

import pytest
from known import load_board
from workshop import BOARDS, MATRIX_BOARDS, PaperRead, committed, drawing, mega

from hardware.make.__main__ import FIRMWARE
from hardware.make.closeups import corners
from hardware.make.header import GPIO_OF, GROUND_PIN, GROUNDS, PIN_OF, PINS, SUPPLY_PIN, role
from hardware.make.mega import read_mega
from pi_app.base.strict import ConfigError
from pi_app.sensing.description import Board, Cell

PINS_C = (FIRMWARE.parent / "avr" / "pins.c").read_text(encoding="utf-8")
PINS_H = (FIRMWARE.parent / "avr" / "pins.h").read_text(encoding="utf-8")

# The Raspberry Pi's header, from its pinout: BCM number to header pin.
HEADER = {
    **{2: 3, 3: 5, 4: 7, 17: 11, 27: 13, 22: 15, 23: 16, 24: 18, 25: 22, 5: 29, 6: 31},
    **{12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40, 18: 12},
}

# The Arduino Mega's pin mapping, from its pinout: port and first bit to the printed names.
PRINTED = {
    "A": [f"D{n}" for n in range(22, 30)],
    "B": ["D53", "D52", "D51", "D50", "D10", "D11", "D12", "D13"],
    "C": [f"D{n}" for n in range(37, 29, -1)],
    "F": [f"A{n}" for n in range(8)],
    "K": [f"A{n}" for n in range(8, 16)],
    "L": [f"D{n}" for n in range(49, 41, -1)],
}


def firmware_rows() -> list[str]:
    """The printed name of each row's pin, in the order in which the firmware's source has them."""
    ports = re.findall(r"DDR([A-L]) = bit;", PINS_C)
    rows = int(re.search(r"PINS_ROWS = (\d+)", PINS_H)[1])  # type: ignore[index]
    return [name for port in ports for name in PRINTED[port]][:rows]


def firmware_columns() -> list[str]:
    low, high = (re.search(rf"{name} = PIN([A-L]);", PINS_C)[1] for name in ("low", "high"))  # type: ignore[index]
    return PRINTED[low] + PRINTED[high]


def test_the_megas_lines_are_those_of_the_firmwares_source() -> None:
    lines = mega()
    assert [line.printed for line in lines.rows] == firmware_rows()
    assert [line.printed for line in lines.columns] == firmware_columns()
    for line in (*lines.rows, *lines.columns):
        port, bit = line.chip[1], int(line.chip[2])
        assert PRINTED[port][bit] == line.printed


def test_a_gap_in_the_firmwares_table_is_a_fault() -> None:
    text = FIRMWARE.read_text(encoding="utf-8").replace("| row 7 |", "| row seven |")
    with pytest.raises(ConfigError, match="has 7 rows in its table, the program 31"):
        read_mega("firmware/README.md", text)


def test_the_headers_pins_are_those_of_the_pinout() -> None:
    assert {gpio: PIN_OF[gpio] for gpio in HEADER} == HEADER  # type: ignore[index]
    assert len(PIN_OF) == 26
    assert len({*GPIO_OF, *GROUNDS, 1, 2, 4, 17, 27, 28}) == len(PINS) == 40
    assert [role(pin) for pin in (1, 2, 3, 6, 27)] == [
        "3.3 V",
        "5 V",
        "GPIO 2",
        "ground",
        "reserved",
    ]
    assert role(GROUND_PIN) == "ground"
    assert role(SUPPLY_PIN) == "3.3 V"


def nets(name: str) -> dict[str, set[tuple[str, str]]]:
    found: dict[str, set[tuple[str, str]]] = {}
    for row in csv.DictReader(committed(f"{name}/netlist.csv").splitlines()):
        found.setdefault(row["net"], set()).add((row["part"], row["pin"]))
    return found


def numbered(board: Board) -> Iterator[tuple[int, str, object]]:
    reeds = [reed for place in board.places for reed in place.reeds]
    yield from ((number, reed.name, reed.line) for number, reed in enumerate(reeds, start=1))


def through(joined: dict[str, set[tuple[str, str]]], net: str) -> set[tuple[str, str]]:
    """The nets behind a net's single resistor."""
    (resistor,) = [part for part, _ in joined[net] if part.startswith("R")]
    (beyond,) = [some for name, some in joined.items() if name != net and (resistor, "2") in some]
    return beyond


@pytest.mark.parametrize("name", BOARDS)
def test_every_reed_is_on_the_net_that_the_program_reads(name: str) -> None:
    """Pin, resistor, reed, ground; or pin, resistor, column, reed, diode, band, row."""
    board, joined = load_board(name), nets(name)
    for number, _, line in numbered(board):
        if isinstance(line, Cell):
            column = firmware_columns()[line.column]
            assert ("U1", column) in joined[column]
            assert (f"S{number}", "1") in through(joined, column)
            assert joined[f"COL{line.column}"] == through(joined, column)
            assert joined[f"S{number}-D{number}"] == {(f"S{number}", "2"), (f"D{number}", "A")}
            assert (f"D{number}", "K") in joined[f"ROW{line.row}"]
            assert ("U1", firmware_rows()[line.row]) in joined[f"ROW{line.row}"]
        else:
            assert ("J1", str(PIN_OF[line])) in joined[f"GPIO{line}"]  # type: ignore[index]
            assert len(joined[f"GPIO{line}"]) == 2
            assert (f"S{number}", "1") in through(joined, f"GPIO{line}")
            assert (f"S{number}", "2") in joined["GND"]


@pytest.mark.parametrize("name", BOARDS)
def test_buttons_lights_and_buzzer_are_on_the_programs_pins(name: str) -> None:
    board, joined = load_board(name), nets(name)
    for number, button in enumerate(board.buttons, start=1):
        assert ("J1", str(PIN_OF[button.pin])) in joined[f"GPIO{button.pin}"]
        assert (f"SW{number}", "1") in through(joined, f"GPIO{button.pin}")
        assert (f"SW{number}", "2") in joined["GND"]
    lights = [place.light for place in board.places if place.light is not None]
    for number, light in enumerate(lights, start=1):
        assert joined[f"GPIO{light}"] == {("J1", str(PIN_OF[light])), (f"R{number}", "1")}
        assert (f"L{number}", "A") in through(joined, f"GPIO{light}")
        assert (f"L{number}", "K") in joined["GND"]
    assert ("DS1", "SDA") in through(joined, "SDA")
    assert ("DS1", "SCL") in through(joined, "SCL")
    assert {("J1", "3"), ("J1", "5")} <= joined["SDA"] | joined["SCL"]
    assert {("J1", "17"), ("DS1", "VCC")} <= joined["3V3"]


@pytest.mark.parametrize("name", BOARDS)
def test_the_buzzer_has_a_transistor_and_a_diode(name: str) -> None:
    """Its current does not come from the pin, and a coil's kickback bypasses it."""
    board, joined = load_board(name), nets(name)
    assert board.buzzer is not None
    assert ("J1", str(PIN_OF[board.buzzer])) in joined[f"GPIO{board.buzzer}"]
    assert ("Q1", "B") in through(joined, f"GPIO{board.buzzer}")
    assert joined["Q1-BZ1"] == {("Q1", "C"), ("BZ1", "-"), ("V1", "A")}
    assert {("BZ1", "+"), ("V1", "K")} <= joined["3V3"]
    assert ("Q1", "E") in joined["GND"]


@pytest.mark.parametrize("name", BOARDS)
def test_the_touchscreen_has_its_own_cable_over_both_5_v_pins(name: str) -> None:
    joined, sheet = nets(name), drawing(f"{name}/wiring-pi.svg")
    assert joined["5V"] == {("J1", "2"), ("A1", "5V")}
    assert ("J1", "6") in joined["GND"]
    assert sheet.word("red").at[1] - sheet.word("2").at[1] == pytest.approx(2.3)
    assert sheet.word("black").at[1] - sheet.word("6").at[1] == pytest.approx(2.3)
    assert sheet.word("covered by the plug").at[1] == pytest.approx(sheet.word("4").at[1], abs=0.2)


@pytest.mark.parametrize("name", BOARDS)
def test_supplies_are_drawn_in_red_with_their_neighbours_named(name: str) -> None:
    sheet = drawing(f"{name}/wiring-pi.svg")
    red = {word.words for word in sheet.words if word.layer == "danger"}
    assert {"1", "2", "4", "17", *map(str, GROUNDS)} <= red
    assert not red & {str(pin) for pin in GPIO_OF}
    assert "5 V on pin 4: beside 1, 2, 3, 5, 6" in red
    assert "ground on pin 39: beside 37, 38, 40" in red


@pytest.mark.parametrize("name", BOARDS)
def test_every_line_between_board_and_controller_goes_through_a_keyed_plug(name: str) -> None:
    """And those of rows and lights never have as many ways as those of columns and reeds."""
    joined = nets(name)
    crossing = {
        net
        for net, some in joined.items()
        if {part[0] for part, _ in some} & set("SDL")
        and any(part.startswith(("R", "U", "J")) for part, _ in some)
        and not any(part.startswith(("SW", "DS")) for part, _ in some if net != "GND")
    }
    at_board = crossing - {"GND"} if load_board(name).scanner else crossing
    assert {net for net in at_board if not any(p.startswith("P") for p, _ in joined[net])} == set()
    ways = {row["value"].split(", ")[1] for row in bill(name) if row["value"].startswith("keyed")}
    driven = {"6 ways"}
    assert ways & driven <= driven
    assert all(int(way.split()[0]) <= 5 for way in ways - driven)


def bill(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(committed(f"{name}/bom.csv").splitlines()))


@pytest.mark.parametrize("name", BOARDS)
def test_the_tables_say_the_same_on_the_page_and_as_csv(name: str) -> None:
    board = load_board(name)
    rows = list(csv.reader(committed(f"{name}/pins.csv").splitlines()))[1:]
    for page in ("pins.md", "README.md"):
        text = committed(f"{name}/{page}")
        assert [row for row in rows if f"| {' | '.join(row)} |" not in text] == []
    said = {row[0]: (row[2], row[3]) for row in rows}
    for sensor, gpio in board.pins.items():
        assert said[f"reed of {sensor}"] == (str(gpio), str(HEADER[gpio]))
    grounds = [row for row in rows if row[2] == "ground"]
    assert [row[3] for row in grounds] == [str(GROUND_PIN)]
    for row in rows:
        if row[0].startswith(("reed of", "die button")):
            assert row[4].startswith("1 kΩ (R1"), row


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_the_reeds_table_has_every_cell_and_the_megas_pins(name: str) -> None:
    board = load_board(name)
    rows = list(csv.reader(committed(f"{name}/matrix.csv").splitlines()))[1:]
    said = {row[0]: (int(row[2]), row[3], int(row[4]), row[5]) for row in rows}
    assert said == {
        sensor: (
            *(cell.row, firmware_rows()[cell.row]),
            *(cell.column, firmware_columns()[cell.column]),
        )
        for sensor, cell in board.cells.items()
    }
    page = committed(f"{name}/pins.md")
    assert [row for row in rows if f"| {' | '.join(row)} |" not in page] == []


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_the_matrix_diagram_shows_each_reed_between_its_column_and_its_row(name: str) -> None:
    """Read off the picture: the column's wire left of a reed's name, the row's wire below it."""
    board, sheet = load_board(name), drawing(f"{name}/wiring-matrix.svg")
    rows = {
        word.words: level(sheet, word.at[1]) for word in sheet.words if word.words.startswith("row")
    }
    for column in range(board_columns(board)):
        resistor = sheet.word(f"1 kΩ (R{101 + column})")
        assert resistor.at[0] - sheet.word(f"column {column}").at[0] == pytest.approx(3)
    heads = {word.words: word.at[0] for word in sheet.words if word.words.startswith("= ")}
    for sensor, cell in board.cells.items():
        x, y = sheet.word(sensor).at
        head = max((at, words) for words, at in heads.items() if at < x)[1]
        row = max((at, words) for words, at in rows.items() if at < y)[1]
        assert head == f"= {firmware_columns()[cell.column]}"
        assert row == f"row {cell.row} = {firmware_rows()[cell.row]}"
    assert sum(len(o.points) == 3 and o.closed for o in sheet.on("body")) == len(board.cells)


def board_columns(board: Board) -> int:
    assert board.scanner is not None
    return board.scanner.columns


def level(sheet: PaperRead, y: float) -> float:
    """The height of the row's wire beside a word."""
    return min((o.points[0][1] for o in sheet.on("row")), key=lambda at: abs(at - y - 1.2))


@pytest.mark.parametrize("name", BOARDS)
def test_the_header_diagram_has_each_part_on_its_pins_line(name: str) -> None:
    sheet = drawing(f"{name}/wiring-pi.svg")
    rows = list(csv.reader(committed(f"{name}/pins.csv").splitlines()))[1:]
    for part, refs, gpio, pin, wired, plug in rows:
        height = sheet.word(pin).at[1]
        if not gpio.isdigit():
            continue
        value, resistor = wired.rstrip(")").split(" (")
        assert sheet.word(f"{resistor} {value}").at[1] == pytest.approx(height + 3.3)
        if plug:
            assert sheet.word(plug).at[1] == pytest.approx(height + 3.3)
        if part.startswith("OLED"):
            lead = part.removeprefix("OLED ")
            assert sheet.word(lead).at[1] == pytest.approx(height)
            continue
        words, number = sheet.word(f"{part} ({refs})"), sheet.word(pin)
        assert words.at[1] - number.at[1] == pytest.approx(2.3)
        assert (words.at[0] < number.at[0]) == (int(pin) % 2 == 1)
    assert sum(row[0].startswith("OLED") for row in rows) == 2


def test_the_header_diagram_is_the_header_from_above() -> None:
    """Twenty pairs, the odd pin on the left, and beside each what it is."""
    sheet = drawing("nannon-6/wiring-pi.svg")
    pins = [sheet.word(str(pin)).at for pin in PINS]
    odd, even = pins[::2], pins[1::2]
    assert [at[1] for at in odd] == [at[1] for at in even] == sorted({at[1] for at in pins})[::-1]
    assert len({at[0] for at in odd}) == len({at[0] for at in even}) == 1
    assert odd[0][0] < even[0][0]
    for gpio, pin in HEADER.items():
        at = sheet.word(f"GPIO {gpio}").at
        assert at[1] == pytest.approx(pins[pin - 1][1])
        assert (at[0] < pins[pin - 1][0]) == (pin % 2 == 1)


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_the_megas_picture_names_the_line_beside_each_pin(name: str) -> None:
    """The nearest line's name to each pin in use is its own."""
    board, sheet = load_board(name), drawing(f"{name}/mega.svg")
    assert board.scanner is not None
    lines = [w for w in sheet.words if w.words.startswith(("row ", "col "))]
    expected = {f"row {row}": firmware_rows()[row] for row in range(board.scanner.rows)}
    expected |= {f"col {c}": firmware_columns()[c] for c in range(board.scanner.columns)}
    assert sorted(word.words for word in lines) == sorted(expected)
    for word in lines:
        at = sheet.word(expected[word.words]).at
        apart = (word.at[0] - at[0], word.at[1] - at[1])
        assert min(abs(apart[0]), abs(apart[1])) < 1.5, word
        assert max(abs(apart[0]), abs(apart[1])) < 24, word


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_the_megas_supplies_are_red_and_their_neighbours_named(name: str) -> None:
    sheet = drawing(f"{name}/mega.svg")
    red = [word for word in sheet.words if word.layer == "danger"]
    assert {word.words for word in red} >= {
        *("5V", "GND", "VIN", "3V3", "5 V: right above D22, D23", "GND: right below D52, D53"),
    }
    above = sorted(w.at for w in red if w.words == "5V")[-2:]
    for (x, y), pin in zip(above, ("D22", "D23"), strict=True):
        assert sheet.word(pin).at == pytest.approx((x, y - 8))


def test_the_ghosts_corners_are_two_rows_and_two_columns() -> None:
    for name in MATRIX_BOARDS:
        cells = load_board(name).cells
        found = corners(load_board(name))
        assert found is not None
        rows, columns = ({getattr(cells[s], axis) for s in found} for axis in ("row", "column"))
        assert (len(set(found)), len(rows), len(columns)) == (4, 2, 2)
        assert f"on {found[0]}, {found[1]} and {found[2]}." in committed(f"{name}/README.md")


@pytest.mark.parametrize("name", MATRIX_BOARDS)
def test_the_underside_names_every_line_with_its_pin(name: str) -> None:
    board, words = load_board(name), [w.words for w in drawing(f"{name}/underside.svg").words]
    for row in {cell.row for cell in board.cells.values()}:
        assert f"row {row} {firmware_rows()[row]}" in words
    for column in {cell.column for cell in board.cells.values()}:
        assert f"col {column} {firmware_columns()[column]}" in words
    assert set(board.cells) <= set(words)
