"""Board descriptions: what travels with Spotter reads, and every fault of one's own is named."""

from importlib import resources
from pathlib import Path

import pytest
from known import GAMES, load_board

from pi_app.base.strict import ConfigError
from pi_app.boards import board_names
from pi_app.rules.terms import Side, Spot
from pi_app.sensing.description import ButtonPin, Cell, Matrix, Pin, Sensor, read_board

GOOD = (resources.files("pi_app.boards") / "nannon-6.toml").read_text(encoding="utf-8")


def changed(*changes: tuple[str, str]) -> str:
    """The good description with the first of each text changed."""
    text = GOOD
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return text


def reasons(text: str) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as error:
        read_board("mine.toml", text, GAMES)
    assert all(line.startswith("mine.toml: ") for line in str(error.value).splitlines())
    return error.value.reasons


def test_nannon_6_is_six_spots_on_their_pins() -> None:
    board = load_board("nannon-6")
    pins = {reed.name: reed.line for place in board.places for reed in place.reeds}
    assert pins == {"1": 17, "2": 27, "3": 22, "4": 23, "5": 24, "6": 25}
    assert board.sensors == ("1", "2", "3", "4", "5", "6")
    assert board.spot_of[Sensor("4")] == Spot.read("4")
    assert board.buttons == (ButtonPin(Pin(26), None),)
    assert board.buzzer == 18
    assert board.place(Spot.read("2")).light == 6
    assert board.place(Spot.read("home.white")).reeds == ()
    with pytest.raises(KeyError):
        board.place(Spot.read("7"))


@pytest.mark.parametrize("name", board_names())
def test_every_board_has_a_place_for_every_spot_of_its_games(name: str) -> None:
    board = load_board(name)
    assert board.name == name
    assert board.games
    for game in board.games:
        assert {place.spot for place in board.places} >= set(GAMES[game].spots)


def test_a_button_a_side() -> None:
    two = '[[button]]\ngpio = 26\nside = "white"\n[[button]]\ngpio = 16\nside = "black"\n'
    board = read_board("mine.toml", changed(("[[button]]\ngpio = 26\n", two)), GAMES)
    assert [(button.pin, button.side) for button in board.buttons] == [
        (26, Side.WHITE),
        (16, Side.BLACK),
    ]


def test_lights_buzzer_and_button_may_be_left_out() -> None:
    text = changed(
        ("light = 5\n", ""), ("[[button]]\ngpio = 26\n", ""), ("[buzzer]\ngpio = 18", "")
    )
    board = read_board("mine.toml", text, GAMES)
    assert board.place(Spot.read("1")).light is None
    assert board.buttons == ()
    assert board.buzzer is None


FAULTS = {
    "unknown key": (
        "light = 5",
        "lihgt = 5",
        "spot[1].lihgt = 5 is not known; known here: name, at",
    ),
    "unknown table": ("[buzzer]", "[bell]", "bell = {'gpio': 18} is not known"),
    "doubled pin": (
        "gpio = 17",
        "gpio = 27",
        "gpio 27 is used twice: by sensor '1' and by sensor '2'",
    ),
    "light on a sensor": (
        "light = 5",
        "light = 22",
        "gpio 22 is used twice: by sensor '3' and by the light of spot '1'",
    ),
    "pin of a bus": (
        "gpio = 17",
        "gpio = 3",
        "gpio 3 of sensor '1' belongs to the enabled bus 'i2c'",
    ),
    "unknown bus": ('["i2c"]', '["can"]', "buses names 'can'; choose from: i2c, spi, uart"),
    "pin not there": (
        "gpio = 17",
        "gpio = 40",
        "spot[1].sensors[1].gpio is 40; it must be from 2 to",
    ),
    "too small": (
        "spot_diameter = 30.0",
        "spot_diameter = 1",
        "size.spot_diameter is 1.0 mm; it must",
    ),
    "doubled spot": ('name = "2"\nat', 'name = "1"\nat', "spot '1' is described 2 times"),
    "doubled sensor": ('{ name = "2"', '{ name = "1"', "sensor '1' is described 2 times"),
    "too near": (
        "[56.0, 55.0]",
        "[61.5, 55.0]",
        "spot '1' and spot '2' are 27.5 mm apart; spots of 30 mm overlap",
    ),
    "off the board": (
        "[56.0, 55.0]",
        "[-1.0, 55.0]",
        "spot '1' at [-1.0, 55.0] lies off the board",
    ),
    "nowhere": ("[56.0, 55.0]", "[nan, 55.0]", "spot[1].at is [nan, 55.0]; it must be two numbers"),
    "far away": ("[56.0, 55.0]", "[1e400, 55.0]", "spot[1].at is [inf, 55.0]; it must be two num"),
    "farther": ("56.0", "9" * 400, "spot[1].at is [a number of about 400 digits, 55.0]; it must"),
    "no width": ("277.0", "nan", "size.width is nan mm; it must be from 50 mm to 2000 mm"),
    "endless": ("277.0", "9" * 400, "size.width is inf mm; it must be from 50 mm to 2000 mm"),
    "5 000 digits": ("277.0", "9" * 5000, "line 10, 'width = 99999"),
    "no games": ('["nannon"]', "[]", "games is empty; name one at least of: nannon, backgammon"),
    "unknown game": ('["nannon"]', '["ludo"]', "games names 'ludo'; choose from: nannon, backg"),
    "renamed spot": ('"home.white"', '"home.wite"', "spot: nannon needs 1 more, by the names 'hom"),
    "other game": ('["nannon"]', '["pin"]', "spot: pin needs 20 more, by the names '7', '8', '9'"),
    "no spot": (
        '"home.white"',
        '"home.wite"',
        "spot[7].name cannot be read: spot 'home.wite': write a number like 4, a crossing like e4,",
    ),
    "NUL in a name": (
        '"nannon-6"',
        '"nannon\\u0000"',
        "name is 'nannon\\x00'; it must be a text w",
    ),
    "moves the cursor": (
        '"Nannon, six',
        '"\\u202eNannon, six',
        "title is '\\u202eNannon, six spots'",
    ),
    "nested": ('["nannon"]', "[" * 900, "not valid TOML: brackets are nested too deeply"),
    "a long line": ('["nannon"]', "[" * 3000, "line 6, 'games = [[[[["),
    "a lone surrogate": ('"nannon-6"', '"\\ud800"', "not valid TOML: Escaped character is not"),
    "missing name": ('name = "nannon-6"', "", "name is missing; give it a text"),
    "missing games": ('games = ["nannon"]', "", "games is missing; give it a list"),
    "missing place": ("at = [56.0, 55.0]", "", "spot[1].at is missing; give it a list"),
    "a text as a pin": (
        "gpio = 17",
        'gpio = "17"',
        "spot[1].sensors[1].gpio is '17'; it must be a",
    ),
    "a word as games": ('["nannon"]', '"nannon"', "games is 'nannon'; it must be a list"),
    "one number as a place": (
        "[56.0, 55.0]",
        "[56.0]",
        "spot[1].at is [56.0]; it must be two numbers",
    ),
    "unknown side": (
        "gpio = 26",
        'gpio = 26\nside = "red"',
        "button[1].side is 'red'; choose one of",
    ),
    "two buttons alike": (
        "[buzzer]",
        "[[button]]\ngpio = 16\n[buzzer]",
        "button: one button for both",
    ),
    "one button, not a list": (
        "[[button]]",
        "[button]",
        "button is {'gpio': 26}; it must be a list",
    ),
}


@pytest.mark.parametrize(("old", "new", "reason"), FAULTS.values(), ids=FAULTS.keys())
def test_one_fault_is_named_with_its_key_and_value(old: str, new: str, reason: str) -> None:
    found = reasons(changed((old, new)))
    assert any(line.startswith(reason) for line in found)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("gpio = 17, ", ""),
        ("gpio = 17", 'gpio = "17"'),
        ("gpio = 17", "gpio = 40"),
        ("width = 277.0\n", ""),
        ("width = 277.0", "width = 3000"),
    ],
)
def test_one_mistake_is_one_reason(old: str, new: str) -> None:
    assert len(reasons(changed((old, new)))) == 1


def test_all_faults_are_named_at_once() -> None:
    found = reasons(changed(("light = 5", "lihgt = 5"), ("gpio = 22", "gpio = 23")))
    assert len(found) == 2
    assert "lihgt" in found[0]
    assert "gpio 23 is used twice" in found[1]


def test_names_that_are_no_spots_are_not_the_same_spot() -> None:
    found = reasons(changed(('"home.white"', '"a"'), ('"home.black"', '"b"')))
    assert [line.split(" ")[0] for line in found] == ["spot[7].name", "spot[9].name", "spot:"]


def test_a_board_without_sensors_is_none() -> None:
    header = GOOD[: GOOD.index("# The reed")]
    assert "spot: no spot has a sensor; give at least one spot sensors" in reasons(header)


def test_bad_toml_names_the_line() -> None:
    (reason,) = reasons(GOOD + "width = = 3")
    assert reason.startswith("not valid TOML: ")
    assert f"line {len(GOOD.splitlines()) + 1}" in reason


def test_a_board_of_ones_own_is_read_by_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(changed(('"nannon-6"', '"mine"')), encoding="utf-8")
    assert load_board(str(path)).name == "mine"


def test_a_faulty_board_of_ones_own_names_its_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(changed(("light = 5", "lihgt = 5")), encoding="utf-8")
    with pytest.raises(ConfigError, match="lihgt") as error:
        load_board(str(path))
    assert str(error.value).startswith(f"{path}: ")


def test_a_file_that_is_not_there_or_not_text_says_so(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.toml: cannot be read: .*check the path"):
        load_board(str(tmp_path / "none.toml"))
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"bytes\.toml: cannot be read"):
        load_board(str(tmp_path / "bytes.toml"))


def test_an_unknown_name_lists_the_boards() -> None:
    with pytest.raises(ConfigError, match=r"chess-8: no such board; choose .*nannon-6"):
        load_board("chess-8")


MATRIX = """
name = "two"
title = "Two spots"
games = ["nannon"]
size = { width = 100, height = 60, spot_diameter = 28 }
scanner = { rows = 2, columns = 3 }
spot = [
    { name = "1", at = [20, 20], sensors = [
        { name = "1.1", row = 0, column = 2 },
        { name = "1.2", at = [20, 50], row = 1, column = 2, offset = [0, 6] },
    ] },
    { name = "2", at = [60, 20], sensors = [{ name = "2", gpio = 4 }] },
    { name = "3", at = [5, 5] }, { name = "4", at = [5, 5] }, { name = "5", at = [5, 5] },
    { name = "6", at = [5, 5] }, { name = "home.white", at = [5, 5] },
    { name = "home.black", at = [5, 5] }, { name = "safety.white", at = [5, 5] },
    { name = "safety.black", at = [5, 5] },
]
"""


def test_sensors_lie_on_the_scanner_s_matrix_or_on_pins() -> None:
    board = read_board("mine.toml", MATRIX, GAMES)
    assert board.scanner == Matrix(2, 3)
    assert board.cells == {"1.1": Cell(0, 2), "1.2": Cell(1, 2)}
    assert board.pins == {"2": 4}
    assert [reed.at for reed in board.place(Spot.read("1")).reeds] == [(20, 20), (20, 50)]


MATRIX_FAULTS = {
    "no scanner": ("scanner = { rows = 2, columns = 3 }", "", "scanner is missing; give rows"),
    "outside": ("row = 1,", "row = 2,", "row 2, column 2 of sensor '1.2' is outside the scanner's"),
    "doubled cell": ("row = 1,", "row = 0,", "row 0, column 2 of sensor '1.2' is used by sensor"),
    "pin and cell": ("gpio = 4", "gpio = 4, row = 1, column = 1", "spot[2].sensors[1].gpio = 4 is"),
    "half a cell": ("row = 1, column = 2", "row = 1", "spot[1].sensors[2].column is missing; give"),
    "too many cells": (
        "rows = 2, columns = 3",
        "rows = 31, columns = 5",
        "scanner has 31 × 5 cells; it can have 128 at most",
    ),
    "no such side": (
        "columns = 3",
        'columns = 3, north = "up"',
        "scanner.north is 'up'; choose one of: white, black",
    ),
    "too many rows": ("rows = 2", "rows = 32", "scanner.rows is 32; it must be from 1 to 31"),
    "unknown key": ("columns = 3", "columns = 3, diodes = true", "scanner.diodes = True is not"),
    "too near": ("[20, 50]", "[20, 45]", "sensor '1.1' and sensor '1.2' are 25.0 mm apart"),
    "off the board": ("[20, 50]", "[20, 65]", "sensor '1.2' at [20.0, 65.0] lies off the board"),
}


@pytest.mark.parametrize(("old", "new", "reason"), MATRIX_FAULTS.values(), ids=MATRIX_FAULTS.keys())
def test_a_fault_of_the_matrix_is_named(old: str, new: str, reason: str) -> None:
    assert old in MATRIX
    found = reasons(MATRIX.replace(old, new, 1))
    assert any(line.startswith(reason) for line in found), found


@pytest.mark.parametrize(
    ("name", "sensors", "rows", "columns"),
    [("tables-24", 124, 25, 5), ("tables-24-thrifty", 72, 24, 3), ("cannon-10", 100, 10, 10)],
)
def test_the_large_boards_have_all_their_reeds_on_the_scanner(
    name: str, sensors: int, rows: int, columns: int
) -> None:
    board = load_board(name)
    assert len(board.sensors) == len(board.cells) == sensors
    assert board.scanner == Matrix(rows, columns)
    assert board.buttons
