"""Pins in tables, netlists and diagrams against the program's descriptions and the firmware."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

import pytest
from known import load_board
from test_readme import HEADER
from workshop import BOARDS, MATRIX_BOARDS, PaperRead, committed, drawing, mega

from hardware.make.__main__ import FIRMWARE
from hardware.make.closeups import corners
from hardware.make.header import GPIO_OF, GROUNDS, PIN_OF, PINS, nearest_ground, role
from hardware.make.mega import read_mega
from pi_app.sensing.description import Board, Cell
from pi_app.strict import ConfigError

PINS_C = (FIRMWARE.parent / "avr" / "pins.c").read_text(encoding="utf-8")
PINS_H = (FIRMWARE.parent / "avr" / "pins.h").read_text(encoding="utf-8")

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
    assert [nearest_ground(pin) for pin in (11, 12, 37, 40)] == [9, 14, 39, 39]


def nets(name: str) -> dict[str, set[tuple[str, str]]]:
    found: dict[str, set[tuple[str, str]]] = {}
    for row in csv.DictReader(committed(f"{name}/netlist.csv").splitlines()):
        found.setdefault(row["net"], set()).add((row["part"], row["pin"]))
    return found


def numbered(board: Board) -> Iterator[tuple[int, str, object]]:
    reeds = [reed for place in board.places for reed in place.reeds]
    yield from ((number, reed.name, reed.line) for number, reed in enumerate(reeds, start=1))


@pytest.mark.parametrize("name", BOARDS)
def test_every_reed_is_on_the_net_that_the_program_reads(name: str) -> None:
    """A reed alone between a GPIO and ground; or column, reed, diode, band, row."""
    board, joined = load_board(name), nets(name)
    for number, _, line in numbered(board):
        if isinstance(line, Cell):
            assert (f"S{number}", "1") in joined[f"COL{line.column}"]
            assert joined[f"S{number}-D{number}"] == {(f"S{number}", "2"), (f"D{number}", "A")}
            assert (f"D{number}", "K") in joined[f"ROW{line.row}"]
            assert ("U1", firmware_rows()[line.row]) in joined[f"ROW{line.row}"]
            assert ("U1", firmware_columns()[line.column]) in joined[f"COL{line.column}"]
        else:
            assert joined[f"GPIO{line}"] == {("J1", str(PIN_OF[line])), (f"S{number}", "1")}  # type: ignore[index]
            assert (f"S{number}", "2") in joined["GND"]


@pytest.mark.parametrize("name", BOARDS)
def test_buttons_lights_and_buzzer_are_on_the_programs_pins(name: str) -> None:
    board, joined = load_board(name), nets(name)
    for number, button in enumerate(board.buttons, start=1):
        assert joined[f"GPIO{button.pin}"] == {
            ("J1", str(PIN_OF[button.pin])),
            (f"SW{number}", "1"),
        }
        assert (f"SW{number}", "2") in joined["GND"]
    lights = [place.light for place in board.places if place.light is not None]
    for number, light in enumerate(lights, start=1):
        assert joined[f"GPIO{light}"] == {("J1", str(PIN_OF[light])), (f"R{number}", "1")}
        assert joined[f"R{number}-L{number}"] == {(f"R{number}", "2"), (f"L{number}", "A")}
        assert (f"L{number}", "K") in joined["GND"]
    assert board.buzzer is not None
    assert ("BZ1", "+") in joined[f"GPIO{board.buzzer}"]
    assert joined["SDA"] == {("J1", "3"), ("DS1", "SDA")}
    assert joined["SCL"] == {("J1", "5"), ("DS1", "SCL")}
    assert joined["3V3"] == {("J1", "1"), ("DS1", "VCC")}


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
    for row in rows:
        assert int(row[4]) in GROUNDS


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
    heads = {word.words: word.at[0] for word in sheet.words if word.words.startswith("= ")}
    for sensor, cell in board.cells.items():
        x, y = sheet.word(sensor).at
        column = max((at, words) for words, at in heads.items() if at < x)[1]
        row = max((at, words) for words, at in rows.items() if at < y)[1]
        assert column == f"= {firmware_columns()[cell.column]}"
        assert row == f"row {cell.row} = {firmware_rows()[cell.row]}"
    assert sum(len(o.points) == 3 and o.closed for o in sheet.on("body")) == len(board.cells)


def level(sheet: PaperRead, y: float) -> float:
    """The height of the row's wire beside a word."""
    return min((o.points[0][1] for o in sheet.on("row")), key=lambda at: abs(at - y - 1.2))


@pytest.mark.parametrize("name", BOARDS)
def test_the_header_diagram_has_each_part_on_its_pins_line(name: str) -> None:
    sheet = drawing(f"{name}/wiring-pi.svg")
    rows = list(csv.reader(committed(f"{name}/pins.csv").splitlines()))[1:]
    for part, refs, _, pin, ground in rows:
        if part.startswith("OLED"):
            lead = part.removeprefix("OLED ")
            assert sheet.word(lead).at[1] == pytest.approx(sheet.word(pin).at[1])
            assert sheet.word("GND").at[1] == pytest.approx(sheet.word(ground).at[1])
            continue
        words, number = sheet.word(f"{part} ({refs})"), sheet.word(pin)
        assert words.at[1] - number.at[1] == pytest.approx(2.3)
        assert (words.at[0] < number.at[0]) == (int(pin) % 2 == 1)
    assert sum(row[0].startswith("OLED") for row in rows) == 3


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
