"""A board as data: its spots, sensors, pins and places, read strictly from one TOML text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NewType

from pi_app.board.strict import ConfigError, Reader, parse_toml
from pi_app.rules.terms import Side, Spot

Sensor = NewType("Sensor", str)
"""The name of one reed: "4", "13.2", "bar.white.1"."""

Pin = NewType("Pin", int)
"""A GPIO by its BCM number."""

BUSES: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {"i2c": (2, 3), "spi": (7, 8, 9, 10, 11), "uart": (14, 15)}
)
"""The pins that a bus takes from the header while it is enabled."""

FIRST_PIN, LAST_PIN = 2, 27
APART_MM = 30.0
"""Spots nearer than this feel each other's magnets."""


@dataclass(frozen=True, slots=True)
class Reed:
    """One reed switch: its name, its pin, and its place in mm from the spot's centre."""

    name: Sensor
    pin: Pin
    offset: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Place:
    """One spot of the board: its centre in mm, its reeds, and its light's pin if it has one."""

    spot: Spot
    at: tuple[float, float]
    reeds: tuple[Reed, ...]
    light: Pin | None


@dataclass(frozen=True, slots=True)
class ButtonPin:
    """A die button; `side` is None where one serves both players."""

    pin: Pin
    side: Side | None


@dataclass(frozen=True, slots=True)
class Board:
    """A whole board; `size` and `spot_diameter` in mm."""

    name: str
    title: str
    games: tuple[str, ...]
    size: tuple[float, float]
    spot_diameter: float
    places: tuple[Place, ...]
    buttons: tuple[ButtonPin, ...]
    buzzer: Pin | None

    @property
    def sensors(self) -> tuple[Sensor, ...]:
        """Every sensor, in the order of the description."""
        return tuple(reed.name for place in self.places for reed in place.reeds)

    @property
    def spot_of(self) -> Mapping[Sensor, Spot]:
        """The spot that each sensor watches."""
        return {reed.name: place.spot for place in self.places for reed in place.reeds}

    def place(self, spot: Spot) -> Place:
        """The place of a spot; raises KeyError for a spot this board does not have."""
        for place in self.places:
            if place.spot == spot:
                return place
        raise KeyError(spot)


def read_board(file: str, text: str) -> Board:
    """Read a board description; raises ConfigError naming the file and every fault in it."""
    reader = Reader(parse_toml(file, text))
    buses = reader.words("buses", default=())
    size = reader.table("size")
    board = Board(
        name=reader.take("name", str),
        title=reader.take("title", str),
        games=reader.words("games"),
        size=(
            size.number("width", 50, 2000, unit=" mm"),
            size.number("height", 50, 2000, unit=" mm"),
        ),
        spot_diameter=size.number("spot_diameter", 10, 100, unit=" mm"),
        places=tuple(_read_place(table) for table in reader.tables("spot")),
        buttons=tuple(_read_button(table) for table in reader.tables("button")),
        buzzer=_read_buzzer(reader),
    )
    size.done("width, height, spot_diameter")
    reader.done("name, title, games, buses, size, spot, button, buzzer")
    faults = [*reader.faults, *_bus_faults(buses), *_pin_faults(board, buses), *_faults(board)]
    if faults:
        raise ConfigError(file, faults)
    return board


def _read_pin(reader: Reader, key: str) -> Pin:
    return Pin(reader.whole(key, FIRST_PIN, LAST_PIN))


def _read_place(reader: Reader) -> Place:
    place = Place(
        spot=Spot(reader.take("name", str)),
        at=reader.pair("at"),
        reeds=tuple(_read_reed(table) for table in reader.tables("sensors")),
        light=_read_pin(reader, "light") if reader.has("light") else None,
    )
    reader.done("name, at, sensors, light")
    return place


def _read_reed(reader: Reader) -> Reed:
    reed = Reed(
        name=Sensor(reader.take("name", str)),
        pin=_read_pin(reader, "gpio"),
        offset=reader.pair("offset", default=(0.0, 0.0)),
    )
    reader.done("name, gpio, offset")
    return reed


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
    """Every pin in use and what uses it."""
    for place in board.places:
        yield from ((reed.pin, f"sensor {reed.name!r}") for reed in place.reeds)
        if place.light is not None:
            yield place.light, f"the light of spot {place.spot!r}"
    for button in board.buttons:
        owner = f"{button.side.value}'s button" if button.side else "the button"
        yield button.pin, owner
    if board.buzzer is not None:
        yield board.buzzer, "the buzzer"


def _bus_faults(buses: tuple[str, ...]) -> Iterator[str]:
    for bus in buses:
        if bus not in BUSES:
            yield f"buses names {bus!r}; choose from: {', '.join(BUSES)}"


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


def _faults(board: Board) -> Iterator[str]:
    """What no single key shows: doubled names, places off the board or too near each other."""
    if not board.sensors:
        yield "spot: no spot has a sensor; give at least one spot sensors"
    for kind, names in (
        ("spot", [place.spot for place in board.places]),
        ("sensor", list(board.sensors)),
    ):
        for name, count in Counter(map(str, names)).items():
            if count > 1:
                yield f"{kind} {name!r} is described {count} times; give each its own name"
    sides = [button.side for button in board.buttons]
    if len(set(sides)) < len(sides) or (None in sides and len(sides) > 1):
        yield "button: one button for both, or one with each side; not two alike"
    yield from _place_faults(board)


def _place_faults(board: Board) -> Iterator[str]:
    width, height = board.size
    sensed = [place for place in board.places if place.reeds]
    for place in board.places if width and height else ():
        if not (0 <= place.at[0] <= width and 0 <= place.at[1] <= height):
            yield f"spot {place.spot!r} at {list(place.at)} lies off the board"
    for index, first in enumerate(sensed):
        for second in sensed[index + 1 :]:
            gap = ((first.at[0] - second.at[0]) ** 2 + (first.at[1] - second.at[1]) ** 2) ** 0.5
            if gap < APART_MM:
                yield (
                    f"spots {first.spot!r} and {second.spot!r} are {gap:.1f} mm apart; "
                    f"magnets need {APART_MM:.0f} mm"
                )
