"""A board as data: its spots, sensors, pins and places, read strictly from one TOML text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import NewType, TypeAlias

from pi_app.base.strict import ConfigError, Reader, parse_toml
from pi_app.base.values import dataclass
from pi_app.rules.contract import Games
from pi_app.rules.terms import Both, Side, Spot, SpotKind, TextError
from pi_app.words.sentences import as_sentence
from pi_app.words.texts import quoted

Sensor = NewType("Sensor", str)
"""The name of one sensor: "4", "13.2", "bar.white.1". A place that tells the sides apart has two:
"4.white" and "4.black" are closed by White's and by Black's checkers."""

Pin = NewType("Pin", int)
"""A GPIO of the Raspberry Pi by its BCM number."""

BUSES: Mapping[str, tuple[int, ...]] = {"i2c": (2, 3), "spi": (7, 8, 9, 10, 11), "uart": (14, 15)}
"""The GPIOs that each bus occupies while it is enabled."""

FIRST_PIN, LAST_PIN = 2, 27
MOST_PLACES = 5
"""The most sensors of one spot; checkers above them are not seen."""
MOST_SPOTS = 200
"""The most spots of a board, and the most places; the largest board of Spotter's own has 124."""
NO_SPOT = Spot(SpotKind.POINT)
"""Stands for a spot whose name cannot be read."""
MOST_ROWS, MOST_COLUMNS, MOST_CELLS = 31, 16, 128
"""Limits of the scanner's pins and memory (firmware/PROTOCOL.md)."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A crossing of the scanner's matrix: the driven row and the sensed column, both from 0.

    `side` is the side whose checkers a sensor there feels, None if it cannot tell.
    """

    row: int
    column: int
    side: Side | None = None


ReedInput: TypeAlias = Pin | Both[Pin] | Cell
"""What a reed is wired to: a GPIO, one GPIO for each side, or a cell of the scanner's matrix."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """`north` is the side whose checkers raise the level of a Hall sensor."""

    rows: int
    columns: int
    north: Side = Side.WHITE


@dataclass(frozen=True, slots=True)
class Reed:
    """One sensed place: a reed switch, or a sensor that tells the sides apart.

    `at` is the centre of the checker that it feels, `offset` the sensor's distance from there, both
    in mm.
    """

    name: Sensor
    line: ReedInput
    at: tuple[float, float]
    offset: tuple[float, float]
    tells_side: bool = False

    @property
    def sensors(self) -> tuple[Sensor, ...]:
        """Its name, or its two names, one for each side."""
        return tuple(map(self.closed_by, Side)) if self.tells_side else (self.name,)

    def closed_by(self, side: Side) -> Sensor:
        """The sensor that a checker of this side closes."""
        return Sensor(f"{self.name}.{side.value}") if self.tells_side else self.name

    def side_of(self, sensor: Sensor) -> Side | None:
        """The side whose checkers close this sensor; None if it cannot tell the sides apart."""
        return dict(zip(self.sensors, Side, strict=True)).get(sensor) if self.tells_side else None

    @property
    def inputs(self) -> Iterator[tuple[Sensor, Pin | Cell]]:
        """Yield each sensor with what it is wired to."""
        for side, sensor in zip(Side, self.sensors, strict=False):
            match self.line:
                case Both():
                    yield sensor, self.line[side]
                case Cell() if self.tells_side:
                    yield sensor, replace(self.line, side=side)
                case _:
                    yield sensor, self.line


@dataclass(frozen=True, slots=True)
class Place:
    """One spot of the board: its centre in mm, its reeds, and the pin of its light, if any.

    A spot for several checkers has one reed for each; the first is nearest to the rail.
    """

    spot: Spot
    at: tuple[float, float]
    reeds: tuple[Reed, ...]
    light: Pin | None


@dataclass(frozen=True, slots=True)
class ButtonPin:
    """A die button; `side` is None if both players share it."""

    pin: Pin
    side: Side | None


class Mount(Enum):
    """What a board is built of: wood and solder, or a sheet of card on a breadboard."""

    WOOD = "wood"
    CARD = "card"


@dataclass(frozen=True, slots=True)
class Board:
    """A whole board; `size` and `spot_diameter` are in mm.

    `tells_sides`: its sensors tell whose checker is on them.
    """

    name: str
    title: str
    games: Games
    size: tuple[float, float]
    spot_diameter: float
    places: tuple[Place, ...]
    buttons: tuple[ButtonPin, ...]
    buzzer: Pin | None
    scanner: Matrix | None = None
    tells_sides: bool = False
    mount: Mount = Mount.WOOD

    @property
    def reeds(self) -> tuple[Reed, ...]:
        """One for each sensed place, in the order of the description."""
        return tuple(reed for place in self.places for reed in place.reeds)

    @property
    def sensors(self) -> tuple[Sensor, ...]:
        """All sensors in the order of the description."""
        return tuple(sensor for reed in self.reeds for sensor in reed.sensors)

    @property
    def spot_of(self) -> Mapping[Sensor, Spot]:
        felt = ((place.spot, reed) for place in self.places for reed in place.reeds)
        return {sensor: spot for spot, reed in felt for sensor in reed.sensors}

    @property
    def pins(self) -> Mapping[Sensor, Pin]:
        """The sensors on the Pi's own pins."""
        return {name: pin for name, pin in self._inputs if not isinstance(pin, Cell)}

    @property
    def cells(self) -> Mapping[Sensor, Cell]:
        """The sensors on the scanner's matrix."""
        return {name: cell for name, cell in self._inputs if isinstance(cell, Cell)}

    @property
    def _inputs(self) -> Iterator[tuple[Sensor, Pin | Cell]]:
        return (wired for reed in self.reeds for wired in reed.inputs)

    def reed_of(self, sensor: Sensor) -> Reed:
        """Raises KeyError for a sensor that this board does not have."""
        for reed in self.reeds:
            if sensor in reed.sensors:
                return reed
        raise KeyError(sensor)

    def closed_by(self, checkers: Mapping[Spot, Sequence[Side]]) -> frozenset[Sensor]:
        """Return the sensors that these checkers close; each spot is filled from the
        rail inwards."""
        return frozenset(
            reed.closed_by(side)
            for place in self.places
            for reed, side in zip(place.reeds, checkers.get(place.spot, ()), strict=False)
        )

    def place(self, spot: Spot) -> Place:
        """Raises KeyError for a spot that this board does not have."""
        for place in self.places:
            if place.spot == spot:
                return place
        raise KeyError(spot)


def read_board(file: str, text: str, games: Games) -> Board:
    """Read a board description for some of these games.

    Raises ConfigError naming the file and every fault in it.
    """
    reader = Reader(parse_toml(file, text))
    buses = reader.words("buses", default=())
    served = reader.words("games")
    tells_sides = _read_senses(reader)
    size = reader.table("size")
    board = Board(
        name=reader.take("name", str),
        title=as_sentence(reader.take("title", str)),
        games=games.only(served),
        size=(
            size.number("width", 50, 2000, unit=" mm"),
            size.number("height", 50, 2000, unit=" mm"),
        ),
        spot_diameter=size.number("spot_diameter", 10, 100, unit=" mm"),
        places=tuple(_read_place(table, tells_sides) for table in reader.tables("spot")),
        buttons=tuple(_read_button(table) for table in reader.tables("button")),
        buzzer=_read_buzzer(reader),
        scanner=_read_scanner(reader),
        tells_sides=tells_sides,
        mount=Mount(reader.choice("mount", [one.value for one in Mount], Mount.WOOD.value)),
    )
    size.done("width, height, spot_diameter")
    reader.done("name, title, games, buses, senses, mount, size, spot, button, buzzer, scanner")
    faults = [
        *reader.faults,
        *_bus_faults(buses),
        *_pin_faults(board, buses),
        *_cell_faults(board),
        *_game_faults(board, served, games),
        *_faults(board),
    ]
    if faults:
        raise ConfigError(file, faults)
    return board


def _read_pin(reader: Reader, key: str) -> Pin:
    return Pin(reader.whole(key, FIRST_PIN, LAST_PIN))


def _read_senses(reader: Reader) -> bool:
    return reader.choice("senses", ["checker", "side"], default="checker") == "side"


def _read_place(reader: Reader, tells_side: bool) -> Place:
    spot, at = _read_spot(reader), reader.pair("at")
    place = Place(
        spot=spot,
        at=at,
        reeds=tuple(_read_reed(table, at, tells_side) for table in reader.tables("sensors")),
        light=_read_pin(reader, "light") if reader.has("light") else None,
    )
    reader.done("name, at, sensors, light")
    return place


def _read_spot(reader: Reader) -> Spot:
    text = reader.take("name", str)
    try:
        return Spot.read(text)
    except TextError as error:
        reader.fault("name", f"cannot be read: {error}")
        return NO_SPOT


def _read_reed(reader: Reader, centre: tuple[float, float], tells_side: bool) -> Reed:
    reed = Reed(
        name=Sensor(reader.take("name", str)),
        line=_read_input(reader, tells_side),
        at=reader.pair("at", default=centre),
        offset=reader.pair("offset", default=(0.0, 0.0)),
        tells_side=tells_side,
    )
    pins = "white and black" if tells_side else "gpio"
    reader.done(f"name, at, offset, and {pins} or row and column")
    return reed


def _read_input(reader: Reader, tells_side: bool) -> ReedInput:
    if reader.has("row") or reader.has("column"):
        return _read_cell(reader)
    if tells_side:
        return Both.of(lambda side: _read_pin(reader, side.value))
    return _read_pin(reader, "gpio")


def _read_cell(reader: Reader) -> Cell:
    return Cell(reader.whole("row", 0, MOST_ROWS - 1), reader.whole("column", 0, MOST_COLUMNS - 1))


def _read_scanner(reader: Reader) -> Matrix | None:
    if not reader.has("scanner"):
        return None
    table = reader.table("scanner")
    rows, columns = table.whole("rows", 1, MOST_ROWS), table.whole("columns", 1, MOST_COLUMNS)
    sides = [side.value for side in Side]
    north = table.choice("north", sides) if table.has("north") else Side.WHITE.value
    table.done("rows, columns, north")
    return Matrix(rows, columns, Side(north))


def _read_button(reader: Reader) -> ButtonPin:
    pin = _read_pin(reader, "gpio")
    side = reader.choice("side", [side.value for side in Side]) if reader.has("side") else None
    reader.done("gpio, side")
    return ButtonPin(pin, Side(side) if side else None)


def _read_buzzer(reader: Reader) -> Pin | None:
    if not reader.has("buzzer"):
        return None
    table = reader.table("buzzer")
    pin = _read_pin(table, "gpio")
    table.done("gpio")
    return pin


def _pins(board: Board) -> Iterator[tuple[Pin, str]]:
    """Every pin in use, and its user."""
    yield from ((pin, f"sensor {name!r}") for name, pin in board.pins.items())
    for place in board.places:
        if place.light is not None:
            yield place.light, f"the light of spot '{place.spot}'"
    for button in board.buttons:
        owner = f"{button.side.value}'s button" if button.side else "the button"
        yield button.pin, owner
    if board.buzzer is not None:
        yield board.buzzer, "the buzzer"


def _bus_faults(buses: tuple[str, ...]) -> Iterator[str]:
    for bus in buses:
        if bus not in BUSES:
            yield f"buses names {quoted(bus)}; choose from: {', '.join(BUSES)}"


def _pin_faults(board: Board, buses: tuple[str, ...]) -> Iterator[str]:
    taken = {pin: bus for bus in buses for pin in BUSES.get(bus, ())}
    users: dict[Pin, str] = {}
    for pin, user in _pins(board):
        if not pin:
            continue  # a fault of its own, named already
        if pin in taken:
            yield f"gpio {pin} of {user} belongs to the enabled bus {taken[pin]!r}; use another pin"
        if pin in users:
            yield f"gpio {pin} is used twice: by {users[pin]} and by {user}; use another pin"
        users[pin] = user


def _cell_faults(board: Board) -> Iterator[str]:
    matrix = board.scanner or Matrix(0, 0)
    if board.cells and board.scanner is None:
        yield "scanner is missing; give rows and columns of the matrix that has the sensors"
    if matrix.rows * matrix.columns > MOST_CELLS:
        yield (
            f"scanner has {matrix.rows} × {matrix.columns} cells; it can have {MOST_CELLS} at most"
        )
    users: dict[Cell, Sensor] = {}
    for name, cell in ((reed.name, reed.line) for reed in board.reeds):
        if not isinstance(cell, Cell):
            continue
        where = f"row {cell.row}, column {cell.column} of sensor {name!r}"
        if board.scanner and not (cell.row < matrix.rows and cell.column < matrix.columns):
            yield f"{where} is outside the scanner's {matrix.rows} × {matrix.columns} matrix"
        if cell in users:
            yield f"{where} is used by sensor {users[cell]!r} too; give each its own cell"
        users[cell] = name


def _game_faults(board: Board, served: tuple[str, ...], games: Games) -> Iterator[str]:
    """Unknown games, and spots that a game needs and the board lacks."""
    if not served:
        yield f"games is empty; name one at least of: {', '.join(games)}"
    spots = {place.spot for place in board.places}
    for name in served:
        if name not in games:
            yield f"games names {quoted(name)}; choose from: {', '.join(games)}"
            continue
        lacking = [spot for spot in games[name].spots if spot not in spots]
        if lacking:
            some = ", ".join(f"'{spot}'" for spot in lacking[:5]) + (
                ", …" if len(lacking) > 5 else ""
            )
            yield f"spot: {name} needs {len(lacking)} more, by the names {some}"


def _faults(board: Board) -> Iterator[str]:
    """Faults beyond single keys: duplicate names, places off the board or too close together."""
    if not board.sensors:
        yield "spot: no spot has a sensor; give at least one spot sensors"
    for kind, names in (
        ("spot", [place.spot for place in board.places if place.spot != NO_SPOT]),
        ("sensor", [reed.name for reed in board.reeds]),
    ):
        for name, count in Counter(map(str, names)).items():
            if count > 1:
                yield f"{kind} {name!r} is described {count} times; give each its own name"
    for place in board.places:
        if len(place.reeds) > MOST_PLACES:
            yield f"spot '{place.spot}' has {len(place.reeds)} sensors; it can have {MOST_PLACES}"
    sides = [button.side for button in board.buttons]
    if len(set(sides)) < len(sides) or (None in sides and len(sides) > 1):
        yield "button: one button for both, or one with each side; not two alike"
    if len(board.places) > MOST_SPOTS or len(board.reeds) > MOST_SPOTS:
        yield f"spot: {len(board.places)} spots, {len(board.reeds)} sensors; at most {MOST_SPOTS}"
    else:
        yield from _place_faults(board)


def _place_faults(board: Board) -> Iterator[str]:
    width, height = board.size
    spots = [(f"spot '{place.spot}'", place.at) for place in board.places]
    felt = [(_felt_name(place, reed), reed.at) for place in board.places for reed in place.reeds]
    strays = [place for place in felt if place not in spots]
    for name, at in (*spots, *strays) if width and height else ():
        if not (0 <= at[0] <= width and 0 <= at[1] <= height):
            yield f"{name} at {list(at)} lies off the board"
    for index, (first, one) in enumerate(felt):
        for second, other in felt[index + 1 :]:
            gap = ((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5
            if gap < board.spot_diameter:
                yield (
                    f"{first} and {second} are {gap:.1f} mm apart; "
                    f"spots of {board.spot_diameter:g} mm overlap"
                )


def _felt_name(place: Place, reed: Reed) -> str:
    return f"spot '{place.spot}'" if len(place.reeds) == 1 else f"sensor {reed.name!r}"
