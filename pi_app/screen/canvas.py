"""A drawing in progress: collects shapes and places to touch, and fits texts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from itertools import pairwise
from typing import Generic, TypeAlias, TypeVar

from pi_app.base.values import dataclass
from pi_app.screen.theme import (
    BAND,
    DARK_EDGE,
    DIM,
    GROUND,
    INK,
    IVORY,
    KEY,
    KEY_EDGE,
    MAIN,
    Colour,
)
from pi_app.words.sentences import ENGLISH, Language, Numbering

Point: TypeAlias = tuple[int, int]
"""x to the right and y down, in pixels."""

Curve: TypeAlias = tuple[tuple[float, float], ...]
"""Points that may lie between pixels."""


class Align(Enum):
    """Horizontal alignment of a text; vertically it is always centred."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in pixels; right and bottom are just outside it."""

    x: int
    y: int
    w: int
    h: int

    @property
    def right(self) -> int:
        return self.x + self.w

    @property
    def bottom(self) -> int:
        return self.y + self.h

    @property
    def centre(self) -> Point:
        return self.x + self.w // 2, self.y + self.h // 2

    def inset(self, across: int, down: int | None = None) -> Rect:
        dy = across if down is None else down
        return Rect(self.x + across, self.y + dy, self.w - 2 * across, self.h - 2 * dy)

    def upper(self, height: int) -> Rect:
        """The top part of this height, or all of it if it is lower."""
        return Rect(self.x, self.y, self.w, min(self.h, height))

    def lower(self, height: int) -> Rect:
        return Rect(self.x, self.bottom - height, self.w, height)

    def contains(self, x: int, y: int) -> bool:
        return self.x <= x < self.right and self.y <= y < self.bottom

    def holds(self, other: Rect) -> bool:
        inside = self.x <= other.x and self.y <= other.y
        return inside and other.right <= self.right and other.bottom <= self.bottom

    def overlaps(self, other: Rect) -> bool:
        across = self.x < other.right and other.x < self.right
        return across and self.y < other.bottom and other.y < self.bottom

    def columns(self, shares: tuple[float, ...], gap: int) -> tuple[Rect, ...]:
        """Divide it into columns whose widths are these shares, `gap` apart."""
        return tuple(
            Rect(self.x + start, self.y, length, self.h)
            for start, length in _cut(self.w, shares, gap)
        )

    def rows(self, shares: tuple[float, ...], gap: int) -> tuple[Rect, ...]:
        """Divide it into rows whose heights are these shares, `gap` apart."""
        return tuple(
            Rect(self.x, self.y + start, self.w, length)
            for start, length in _cut(self.h, shares, gap)
        )

    def grid(self, columns: int, rows: int, gap: int) -> tuple[Rect, ...]:
        lines = self.rows((1,) * rows, gap)
        return tuple(cell for line in lines for cell in line.columns((1,) * columns, gap))


def square_in(rect: Rect) -> Rect:
    side = min(rect.w, rect.h)
    return Rect(rect.x + (rect.w - side) // 2, rect.y + (rect.h - side) // 2, side, side)


def around(centre: Point, radius: int) -> Rect:
    return Rect(centre[0] - radius, centre[1] - radius, 2 * radius, 2 * radius)


def _cut(length: int, shares: tuple[float, ...], gap: int) -> list[tuple[int, int]]:
    room, total = length - gap * (len(shares) - 1), sum(shares)
    ends = [round(room * sum(shares[:count]) / total) for count in range(len(shares) + 1)]
    return [(start + index * gap, end - start) for index, (start, end) in enumerate(pairwise(ends))]


# Light comes from above. `light` is how far a filled shape is mixed with white at its upper end and
# with black at its lower end, 0 to 1; below zero it is hollow, lit at its lower end. `lift` is how
# high something lies above its ground, in pixels: its soft shadow falls so far down.


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle with round corners and an edge inside its bounds, `edge_width` wide."""

    rect: Rect
    fill: Colour
    radius: int = 0
    edge: Colour | None = None
    edge_width: int = 0
    light: float = 0
    lift: int = 0


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle; without a fill it is a ring. The edge is inside the radius."""

    centre: Point
    radius: int
    fill: Colour | None
    edge: Colour | None = None
    edge_width: int = 0
    light: float = 0
    lift: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    points: Curve
    colour: Colour
    width: int


@dataclass(frozen=True, slots=True)
class Poly:
    points: Curve
    colour: Colour
    light: float = 0
    lift: int = 0


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; `rect` is its measured area, `size` the font's in pixels."""

    rect: Rect
    text: str
    size: int
    colour: Colour
    bold: bool = False


Shape: TypeAlias = Box | Disc | Line | Poly | Text

Icon: TypeAlias = Callable[[Rect, Colour], tuple[Shape, ...]]
"""Draws a button's icon into a square, in one colour."""


def cross(centre: Point, reach: int, colour: Colour, width: int) -> tuple[Shape, ...]:
    x, y = centre
    strokes = (
        ((x - reach, y - reach), (x + reach, y + reach)),
        ((x - reach, y + reach), (x + reach, y - reach)),
    )
    edge = max(2, width * 2 // 3)
    return (
        *(Line(stroke, DARK_EDGE, width + 2 * edge) for stroke in strokes),
        *(Line(stroke, colour, width) for stroke in strokes),
    )


def dashes(start: Point, end: Point, length: int, colour: Colour, width: int) -> tuple[Shape, ...]:
    """A dashed line; dashes and gaps are about this long."""
    count = max(3, round(math.dist(start, end) / length) | 1)

    def at(share: float) -> tuple[float, float]:
        return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share

    return tuple(
        Line((at(index / count), at((index + 1) / count)), colour, width)
        for index in range(0, count, 2)
    )


def edged_ring(centre: Point, radius: int, colour: Colour, width: int) -> tuple[Shape, ...]:
    """A ring between two dark edges, all within the radius."""
    edge = max(1, width * 2 // 5)
    return (
        Disc(centre, radius, None, DARK_EDGE, width + 2 * edge),
        Disc(centre, radius - edge, None, colour, width),
    )


def broken_ring(centre: Point, radius: int, colour: Colour, width: int) -> tuple[Shape, ...]:
    """A dashed ring with a dark edge around each dash."""
    (x, y), turn, edge = centre, math.tau / 60, max(1, width // 2)

    def at(sixtieth: int) -> tuple[float, float]:
        return x + radius * math.cos(sixtieth * turn), y + radius * math.sin(sixtieth * turn)

    pieces = tuple(tuple(at(start + step) for step in range(4)) for start in range(0, 60, 6))
    return (
        *(Line(piece, DARK_EDGE, width + 2 * edge) for piece in pieces),
        *(Line(piece, colour, width) for piece in pieces),
    )


def framed(rect: Rect, colour: Colour, thick: int) -> tuple[Shape, ...]:
    """The four edges of a rectangle, inside it."""
    return (
        Box(Rect(rect.x, rect.y, rect.w, thick), colour),
        Box(Rect(rect.x, rect.bottom - thick, rect.w, thick), colour),
        Box(Rect(rect.x, rect.y, thick, rect.h), colour),
        Box(Rect(rect.right - thick, rect.y, thick, rect.h), colour),
    )


def arc(start: Point, end: Point, rise: int, done: float = 1.0) -> Curve:
    """A curve bent upwards by `rise` pixels, `done` (0 to 1) of the way."""
    steps = 24
    shown = max(2, round(steps * done))
    return tuple(_bow(start, end, rise, step / steps) for step in range(shown + 1))


def arrow(path: Curve, colour: Colour, width: int) -> tuple[Shape, ...]:
    """A curve with a head in the direction of its last steps, and a dark edge."""
    (x1, y1), (x2, y2) = path[-3], path[-1]
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    head = 3.4 * width
    neck = (x2 - dx * head, y2 - dy * head)
    wing = (-dy * head * 0.62, dx * head * 0.62)
    tip = ((x2, y2), (neck[0] + wing[0], neck[1] + wing[1]), (neck[0] - wing[0], neck[1] - wing[1]))
    body = [p for p in path if math.hypot(p[0] - x2, p[1] - y2) > head] or [path[0]]
    edge = max(2, width // 2)
    return (
        Line((*body, neck), DARK_EDGE, width + edge),
        Line((*tip, tip[0]), DARK_EDGE, edge),
        Line((*body, neck), colour, width),
        Poly(tip, colour),
    )


def _bow(start: Point, end: Point, rise: int, share: float) -> tuple[float, float]:
    lift = 4 * rise * share * (1 - share)
    return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share - lift)


Measure: TypeAlias = Callable[[str, int, bool], tuple[int, int]]
"""Returns the width and height in pixels of a text in a font size, bold or not."""

A = TypeVar("A")

LARGE = 4 / 3
"""The factor by which large text is enlarged."""


class Size(Enum):
    """The font sizes in units; no text has another."""

    FIGURE = 44
    """Scores, clocks, and the end of a game."""
    HEAD = 26
    TEXT = 19
    SMALL = 15

    @property
    def smaller(self) -> Iterator[Size]:
        """Yield this size and all smaller ones, the largest first."""
        return (size for size in Size if size.value <= self.value)


ENDLESSLY = 1_000_000
"""The height in pixels of a text that cannot fit, because one of its words is too wide."""


CARD_LIGHT, BUTTON_LIGHT = 0.02, 0.06
"""How strongly cards and buttons are shaded, 0 to 1."""


class Look(Enum):
    MAIN = "main"
    PLAIN = "plain"
    QUIET = "quiet"
    DIMMED = "dimmed"
    """Not possible now."""


@dataclass(frozen=True, slots=True)
class Pen:
    """How a text is written: its largest and its `least` size, and on how many `lines`."""

    size: Size
    colour: Colour = IVORY
    bold: bool = False
    align: Align = Align.LEFT
    lines: int = 1
    least: Size = Size.SMALL


@dataclass(frozen=True, slots=True)
class Target(Generic[A]):
    """A place to touch, its action, and its name for a screen reader."""

    rect: Rect
    action: A
    means: object


@dataclass(frozen=True, slots=True)
class Drawing(Generic[A]):
    """A finished page: shapes to paint and places to touch. It says whether something is moving,
    and whether that is dice, whose roll nothing may reveal yet."""

    page: Enum
    size: tuple[int, int]
    shapes: tuple[Shape, ...]
    targets: tuple[Target[A], ...]
    moving: bool
    rolling: bool = False

    def at(self, x: int, y: int) -> A | None:
        target = self.target(x, y)
        return target.action if target else None

    def means(self, x: int, y: int) -> object:
        target = self.target(x, y)
        return target.means if target else None

    def target(self, x: int, y: int) -> Target[A] | None:
        """The place at this point; of several the one drawn last. None if there is none."""
        hits = (target for target in reversed(self.targets) if target.rect.contains(x, y))
        return next(hits, None)


def unit_of(size: tuple[int, int]) -> float:
    return min(max(size) / 800, min(size) / 480)


class Canvas(Generic[A]):
    """A page being drawn; lengths are in units, rectangles in pixels.

    All texts are `enlarged` by the same factor.
    """

    def __init__(
        self,
        size: tuple[int, int],
        measure: Measure,
        language: Language = ENGLISH,
        enlarged: float = 1.0,
    ) -> None:
        self.size = size
        self.unit = unit_of(size)
        self.moving = self.rolling = False
        self._enlarged = enlarged
        self._measure = measure
        self._language = language
        self._shapes: list[Shape] = [Box(Rect(0, 0, *size), GROUND)]
        self._targets: list[Target[A]] = []

    @property
    def upright(self) -> bool:
        return self.size[1] > self.size[0]

    @property
    def large(self) -> bool:
        """Whether texts are enlarged, so that another layout may be needed."""
        return self._enlarged > 1

    def count_by(self, numbering: Numbering) -> None:
        """Number points in this way from here on."""
        self._language = self._language.counting(numbering)

    def px(self, units: float) -> int:
        """Convert units to whole pixels, at least one."""
        return max(1, round(units * self.unit))

    def high(self, *lines: Size) -> int:
        """The height in pixels of lines of these sizes, one below the other."""
        return sum(self._measure("", self._pixels(size), False)[1] for size in lines)

    def add(self, *shapes: Shape) -> None:
        self._shapes.extend(shapes)

    def card(self, rect: Rect, down: float, fill: Colour = BAND) -> Rect:
        """Draw a panel and return the rectangle inside its margins; `down` is the margin above and
        below, in units."""
        self.add(Box(rect, fill, self.px(8), light=CARD_LIGHT))
        return rect.inset(self.px(12), self.px(down))

    def stripe(self, rect: Rect, colour: Colour) -> None:
        """Draw a bar at the left edge of a panel."""
        self.add(Box(Rect(rect.x, rect.y, self.px(6), rect.h), colour, self.px(3)))

    def touch(self, rect: Rect, action: A, means: object = None) -> None:
        """Make a place touchable. Its name for screen readers comes from its action unless `means`
        is given."""
        self._targets.append(Target(rect, action, means or action))

    def cover(self, rect: Rect) -> None:
        """Cover an area: remove its texts and its places to touch."""
        self._shapes = [
            shape
            for shape in self._shapes
            if not isinstance(shape, Text) or not shape.rect.overlaps(rect)
        ]
        self._targets = [target for target in self._targets if not target.rect.overlaps(rect)]

    def picture(self, page: Enum) -> Drawing[A]:
        shapes, targets = tuple(self._shapes), tuple(self._targets)
        return Drawing(page, self.size, shapes, targets, self.moving, self.rolling)

    def text(self, rect: Rect, text: str, pen: Pen) -> Rect:
        """Write a text in the largest of the pen's sizes that fits. Return the rectangle it covers.

        Here a sentence becomes letters in the players' language. A text that does not fit in the
        smallest size is cut and ends in "…".
        """
        pixels, parts = self._fit(self._language.say(text), rect, pen)
        return self._place(rect, parts, pixels, pen)

    def _place(self, rect: Rect, parts: list[str], pixels: int, pen: Pen) -> Rect:
        """Write lines in their rectangle, centred vertically and aligned as the pen says."""
        boxes = [self._measure(part, pixels, pen.bold) for part in parts]
        y = rect.y + (rect.h - sum(height for _, height in boxes)) // 2
        placed = []
        for part, (width, height) in zip(parts, boxes, strict=True):
            slack = rect.w - width
            x = rect.x + {Align.LEFT: 0, Align.CENTRE: slack // 2, Align.RIGHT: slack}[pen.align]
            placed.append(Rect(x, y, width, height))
            if width:
                self.add(Text(placed[-1], part, pixels, pen.colour, pen.bold))
            y += height
        return union(placed)

    def line(self, rect: Rect, text: str, pen: Pen) -> Rect:
        """Write one line in the pen's own size; if cut it ends in "…"."""
        said, pixels = self._language.say(text), self._pixels(pen.size)
        return self._place(rect, [self._shorten(said, rect.w, pixels, pen.bold)], pixels, pen)

    def height(self, text: str, width: int, pen: Pen) -> int:
        """The height of a text in the pen's own size; ENDLESSLY if a word is too wide."""
        pixels = self._pixels(pen.size)
        parts = self._wrap(self._language.say(text), width, pixels, pen.bold)
        if not self._narrow(parts, width, pixels, pen.bold):
            return ENDLESSLY
        return self._measure(text, pixels, pen.bold)[1] * len(parts) if text else 0

    def width(self, text: str, pen: Pen) -> int:
        return self._measure(self._language.say(text), self._pixels(pen.size), pen.bold)[0]

    def first_to_fit(self, width: int, pen: Pen, *wordings: str) -> str:
        """The first wording that fits on a line of this width, else the last."""
        fits = (text for text in wordings if self.width(text, pen) <= width)
        return next(fits, wordings[-1])

    def least_width(self, text: str, pen: Pen) -> int:
        """The least width at which a text fits the pen's number of lines without
        breaking a word."""
        said, pixels = self._language.say(text), self._pixels(pen.size)
        words = [self._measure(word, pixels, pen.bold)[0] for word in said.split(" ")]
        least, most = max(words), self._measure(said, pixels, pen.bold)[0]
        while least < most:
            middle = (least + most) // 2
            if len(self._filled(said, middle, pixels, pen.bold)) <= pen.lines:
                most = middle
            else:
                least = middle + 1
        return least

    def button(
        self,
        rect: Rect,
        label: str,
        action: A | None,
        look: Look = Look.PLAIN,
        size: Size = Size.TEXT,
        icon: Icon | None = None,
    ) -> None:
        """Draw a button; without an action it is dimmed and cannot be touched."""
        look = look if action else Look.DIMMED
        self.frame(rect, look)
        ink = {Look.MAIN: INK, Look.DIMMED: DIM}.get(look, IVORY)
        pen = Pen(size, ink, look is not Look.QUIET, Align.CENTRE, lines=3)
        room = rect.inset(self.px(7), self.px(2))
        if icon:
            self._with_icon(room, label, pen, icon)
        else:
            self.text(room, label, pen)
        if action:
            self.touch(rect, action, (label, action))

    def _with_icon(self, room: Rect, label: str, pen: Pen, icon: Icon) -> None:
        """Draw an icon beside its label; if only one fits the label, if that does not
        fit the icon."""
        side, gap = min(self._pixels(pen.size) * 11 // 10, room.h), self.px(9)
        wide = self.width(label, pen)
        fits = side + gap + wide <= room.w
        least = pen if self.large else replace(pen, size=Size.SMALL)
        if not fits and self.width(label, least) <= room.w:
            self.text(room, label, pen)
            return
        x = room.x + (room.w - side - (gap + wide if fits else 0)) // 2
        self.add(*icon(Rect(x, room.centre[1] - side // 2, side, side), pen.colour))
        if fits:
            self.text(Rect(x + side + gap, room.y, wide, room.h), label, pen)

    def frame(self, rect: Rect, look: Look) -> None:
        fill = {Look.MAIN: MAIN, Look.PLAIN: KEY, Look.QUIET: BAND, Look.DIMMED: BAND}[look]
        lift = 0 if look is Look.DIMMED else self.px(2)
        edge = KEY_EDGE if look in (Look.PLAIN, Look.QUIET) else None
        self.add(Box(rect, fill, self.px(10), edge, self.px(1.5), BUTTON_LIGHT, lift))

    def _pixels(self, size: Size) -> int:
        return self.px(size.value * self._enlarged)

    def _fit(self, text: str, rect: Rect, pen: Pen) -> tuple[int, list[str]]:
        sizes = [size for size in pen.size.smaller if size.value >= pen.least.value]
        for size in map(self._pixels, sizes):
            parts = self._wrap(text, rect.w, size, pen.bold)
            height = self._measure(text, size, pen.bold)[1] * len(parts)
            few = len(parts) <= pen.lines and height <= rect.h
            if few and self._narrow(parts, rect.w, size, pen.bold):
                return size, parts
        least = self._pixels(sizes[-1])
        if pen.lines == 1:
            return least, [self._shorten(text, rect.w, least, pen.bold)]
        parts = self._wrap(self._broken(text, rect.w, least, pen.bold), rect.w, least, pen.bold)
        if len(parts) <= pen.lines:
            return least, parts
        kept, rest = parts[: pen.lines - 1], " ".join(parts[pen.lines - 1 :])
        return least, [*kept, self._shorten(rest, rect.w, least, pen.bold)]

    def _broken(self, text: str, width: int, size: int, bold: bool) -> str:
        """The text with spaces inserted into words that are too wide."""
        words = [""]
        for letter in text:
            wide = self._measure(words[-1] + letter, size, bold)[0] > width
            if letter == " " or (wide and words[-1]):
                words.append("")
            words[-1] += letter.strip(" ")
        return " ".join(words)

    def _narrow(self, parts: Iterable[str], width: int, size: int, bold: bool) -> bool:
        return all(self._measure(part, size, bold)[0] <= width for part in parts)

    def _wrap(self, text: str, width: int, size: int, bold: bool) -> list[str]:
        """The lines of a text at this width; a headline's are about equally long."""
        parts = self._filled(text, width, size, bold)
        least, most = width // 2, width
        while bold and len(parts) > 1 and most - least > 4:
            middle = (least + most) // 2
            tried = self._filled(text, middle, size, bold)
            if len(tried) == len(parts) and self._narrow(tried, middle, size, bold):
                parts, most = tried, middle
            else:
                least = middle
        return parts

    def _filled(self, text: str, width: int, size: int, bold: bool) -> list[str]:
        parts: list[str] = []
        for word in text.split(" "):
            for number, piece in enumerate(self._pieces(word, width, size, bold)):
                longer = f"{parts[-1]}{'' if number else ' '}{piece}" if parts else piece
                if parts and self._measure(longer, size, bold)[0] <= width:
                    parts[-1] = longer
                else:
                    parts.append(piece)
        return parts or [""]

    def _pieces(self, word: str, width: int, size: int, bold: bool) -> list[str]:
        """Divide a word that is too wide after its hyphens."""
        if self._measure(word, size, bold)[0] <= width:
            return [word]
        pieces = word.split("-")
        return [*(f"{piece}-" for piece in pieces[:-1]), pieces[-1]]

    def _shorten(self, text: str, width: int, size: int, bold: bool) -> str:
        if self._measure(text, size, bold)[0] <= width:
            return text
        while text and self._measure(text + "…", size, bold)[0] > width:
            text = text[:-1]
        return text.rstrip() + "…"


def union(rects: Sequence[Rect]) -> Rect:
    if len(rects) == 1:
        return rects[0]
    x, y = min(rect.x for rect in rects), min(rect.y for rect in rects)
    right, bottom = max(rect.right for rect in rects), max(rect.bottom for rect in rects)
    return Rect(x, y, right - x, bottom - y)


Pixels: TypeAlias = Callable[[float], int]
"""Converts units to whole pixels."""

GAP = 10
BUTTON = 54
"""The height of a button in units; on the official displays 9 mm are 47 units."""

MARGIN, SEAM = 8, 6
"""Units: around a page, and between the places of the play page."""
