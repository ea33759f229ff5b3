"""Shared by the tests of `hardware/`: boards, committed files, and drawings read back."""

from __future__ import annotations

import itertools
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from math import hypot

from known import load_board

from hardware.make.__main__ import FIRMWARE, HERE
from hardware.make.mega import Mega, read_mega
from hardware.make.parts import Parts, read_parts
from pi_app.boards import board_names
from pi_app.sensing.description import Board, Mount, Sensor

SVG = "{http://www.w3.org/2000/svg}"
CARD_BOARDS = tuple(name for name in board_names() if load_board(name).mount is Mount.CARD)
"""The boards on a breadboard."""
BOARDS = tuple(
    name for name in board_names() if not load_board(name).tells_sides and name not in CARD_BOARDS
)
"""The boards of wood with reeds."""
HALL_BOARDS = tuple(name for name in board_names() if load_board(name).tells_sides)
MATRIX_BOARDS = tuple(name for name in BOARDS if load_board(name).scanner)
NEAR_MM = 0.002
"""Drawings are written to a thousandth of a millimetre."""


@cache
def parts() -> Parts:
    return read_parts("parts.toml", (HERE / "parts.toml").read_text(encoding="utf-8"))


@cache
def mega() -> Mega:
    return read_mega("firmware/README.md", FIRMWARE.read_text(encoding="utf-8"))


def committed(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Outline:
    """A path read back, y upwards; `layer` is its group."""

    layer: str
    points: tuple[tuple[float, float], ...]
    closed: bool

    @property
    def box(self) -> tuple[float, float, float, float]:
        xs, ys = zip(*self.points, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def middle(self) -> tuple[float, float]:
        left, low, right, high = self.box
        return (left + right) / 2, (low + high) / 2

    @property
    def sides(self) -> list[float]:
        ring = [*self.points, self.points[0]] if self.closed else list(self.points)
        return [hypot(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(ring)]

    @property
    def area(self) -> float:
        ring = [*self.points, self.points[0]]
        pairs = itertools.pairwise(ring)
        return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairs)) / 2


@dataclass(frozen=True)
class Ring:
    layer: str
    middle: tuple[float, float]
    radius: float


@dataclass(frozen=True)
class WordRead:
    layer: str
    at: tuple[float, float]
    words: str
    size: float
    anchor: str
    upright: bool

    @property
    def box(self) -> tuple[float, float, float, float]:
        """The room it takes, a letter being at most 0.62 of its height wide on the average."""
        wide = 0.62 * self.size * len(self.words)
        start = {"start": 0.0, "middle": -wide / 2, "end": -wide}[self.anchor]
        x, y = self.at
        if self.upright:
            return x - 0.75 * self.size, y + start, x, y + start + wide
        return x + start, y, x + start + wide, y + 0.75 * self.size


class PaperRead:
    """An SVG file read back: sizes in mm, (0, 0) at the lower left, as the drawings are made."""

    def __init__(self, text: str) -> None:
        root = ET.fromstring(text)
        self.paper = tuple(
            float(root.attrib[key].removesuffix("mm")) for key in ("width", "height")
        )
        self.view = tuple(map(float, root.attrib["viewBox"].split()))
        self.outlines: list[Outline] = []
        self.rings: list[Ring] = []
        self.words: list[WordRead] = []
        for group in root.iter(f"{SVG}g"):
            for element in group:
                self._take(group.attrib["id"], element)

    def on(self, layer: str) -> list[Outline]:
        return [outline for outline in self.outlines if outline.layer == layer]

    @property
    def board_corner(self) -> tuple[float, float]:
        """The lower left corner of the largest outline that is cut."""
        largest = max(self.on("cut"), key=lambda outline: outline.area)
        return largest.box[0], largest.box[1]

    def word(self, words: str) -> WordRead:
        (found,) = [word for word in self.words if word.words == words]
        return found

    def _take(self, layer: str, element: ET.Element) -> None:
        high = self.paper[1]
        read = {
            key: float(element.attrib[key])
            for key in ("cx", "cy", "r", "x", "y")
            if key in element.attrib
        }
        if element.tag == f"{SVG}circle":
            self.rings.append(Ring(layer, (read["cx"], high - read["cy"]), read["r"]))
        elif element.tag == f"{SVG}path":
            self.outlines.append(_outline(layer, element.attrib["d"], high))
        else:
            turned = "rotate(-90" in element.attrib.get("transform", "")
            anchor = element.attrib.get("text-anchor", "start")
            at, size = (read["x"], high - read["y"]), float(element.attrib["font-size"])
            self.words.append(WordRead(layer, at, element.text or "", size, anchor, turned))


def _outline(layer: str, d: str, high: float) -> Outline:
    assert re.fullmatch(r"M[-0-9. L]+Z?", d), d
    numbers = list(map(float, re.findall(r"-?\d+(?:\.\d+)?", d)))
    points = tuple((x, high - y) for x, y in zip(numbers[::2], numbers[1::2], strict=True))
    return Outline(layer, points, d.endswith("Z"))


@cache
def drawing(name: str) -> PaperRead:
    return PaperRead(committed(name))


def reed_middles(board: Board) -> Iterator[tuple[Sensor, tuple[float, float]]]:
    """Where each reed's middle belongs, from the description alone."""
    for place in board.places:
        for reed in place.reeds:
            yield reed.name, (reed.at[0] + reed.offset[0], reed.at[1] + reed.offset[1])


def near(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return hypot(one[0] - other[0], one[1] - other[1]) <= 2 * NEAR_MM
