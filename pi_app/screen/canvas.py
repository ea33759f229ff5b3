"""Collects shapes and touch areas, and fits texts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise
from typing import Generic, TypeAlias, TypeVar

from pi_app.screen.theme import BAND, DIM, EDGE, GROUND, INK, IVORY, KEY, MAIN, TEAL, Colour
from pi_app.words.sentences import ENGLISH, Language

Point: TypeAlias = tuple[int, int]
"""x to the right and y down, in pixels."""

Curve: TypeAlias = tuple[tuple[float, float], ...]
"""Points that may lie between pixels."""


class Align(Enum):
    """Horizontal alignment of a text; vertically it is centred."""

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
        """The first rows, as many as there are."""
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
        """Side by side, as wide as their shares, `gap` apart."""
        return tuple(
            Rect(self.x + start, self.y, length, self.h)
            for start, length in _cut(self.w, shares, gap)
        )

    def rows(self, shares: tuple[float, ...], gap: int) -> tuple[Rect, ...]:
        """One below the other, as high as their shares, `gap` apart."""
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


@dataclass(frozen=True, slots=True)
class Box:
    """A filled rectangle with round corners and an edge inside its bounds, `edge_width` wide."""

    rect: Rect
    fill: Colour
    radius: int = 0
    edge: Colour | None = None
    edge_width: int = 0


@dataclass(frozen=True, slots=True)
class Disc:
    """A circle; without a fill it is a ring.  The edge lies inside the radius."""

    centre: Point
    radius: int
    fill: Colour | None
    edge: Colour | None = None
    edge_width: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    points: Curve
    colour: Colour
    width: int


@dataclass(frozen=True, slots=True)
class Poly:
    points: Curve
    colour: Colour


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text; `rect` is its measured area, `size` the font's in pixels."""

    rect: Rect
    text: str
    size: int
    colour: Colour
    bold: bool = False


Shape: TypeAlias = Box | Disc | Line | Poly | Text


def cross(centre: Point, reach: int, colour: Colour, width: int) -> tuple[Shape, ...]:
    x, y = centre
    strokes = (
        ((x - reach, y - reach), (x + reach, y + reach)),
        ((x - reach, y + reach), (x + reach, y - reach)),
    )
    edge = max(2, width * 2 // 3)
    return (
        *(Line(stroke, BAND, width + 2 * edge) for stroke in strokes),
        *(Line(stroke, colour, width) for stroke in strokes),
    )


def dashes(start: Point, end: Point, length: int, colour: Colour, width: int) -> tuple[Shape, ...]:
    """A broken line, dashes and gaps of about this length."""
    count = max(3, round(math.dist(start, end) / length) | 1)

    def at(share: float) -> tuple[float, float]:
        return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share

    return tuple(
        Line((at(index / count), at((index + 1) / count)), colour, width)
        for index in range(0, count, 2)
    )


def broken_ring(centre: Point, radius: int, colour: Colour, width: int) -> tuple[Shape, ...]:
    (x, y), turn = centre, math.tau / 40

    def at(fortieth: int) -> tuple[float, float]:
        return x + radius * math.cos(fortieth * turn), y + radius * math.sin(fortieth * turn)

    return tuple(
        Line((at(start), at(start + 1), at(start + 2)), colour, width) for start in range(0, 40, 4)
    )


def arc(start: Point, end: Point, rise: int, done: float = 1.0) -> Curve:
    """A curve bent upwards by `rise` pixels, `done` (0 to 1) of the way."""
    steps = 24
    shown = max(2, round(steps * done))
    return tuple(_bow(start, end, rise, step / steps) for step in range(shown + 1))


def arrow(path: Curve, colour: Colour, width: int) -> tuple[Shape, ...]:
    """A curve with a head at its end, which points the way of the last steps."""
    (x1, y1), (x2, y2) = path[-3], path[-1]
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    head = 3.4 * width
    neck = (x2 - dx * head, y2 - dy * head)
    wing = (-dy * head * 0.62, dx * head * 0.62)
    tip = ((x2, y2), (neck[0] + wing[0], neck[1] + wing[1]), (neck[0] - wing[0], neck[1] - wing[1]))
    body = [p for p in path if math.hypot(p[0] - x2, p[1] - y2) > head] or [path[0]]
    return Line((*body, neck), colour, width), Poly(tip, colour)


def _bow(start: Point, end: Point, rise: int, share: float) -> tuple[float, float]:
    lift = 4 * rise * share * (1 - share)
    return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share - lift)


Measure: TypeAlias = Callable[[str, int, bool], tuple[int, int]]
"""Width and height in pixels of a text at a size in pixels, bold or not."""

A = TypeVar("A")

SMALLEST = 14
"""Texts shrink to fit, but never below this many pixels at a unit of 1."""
LARGE = 1.25
"""The factor of large text, where there is room."""

ENDLESSLY = 1_000_000
"""The height in pixels of a text with a word that no line of its room holds."""


class Look(Enum):
    MAIN = "main"
    PLAIN = "plain"
    QUIET = "quiet"
    DIMMED = "dimmed"
    """Its time is not now: it is drawn, and cannot be touched."""


@dataclass(frozen=True, slots=True)
class Pen:
    """A text's size: at most `size` units high, at least `least`, on `lines` lines."""

    size: float
    colour: Colour = IVORY
    bold: bool = False
    align: Align = Align.LEFT
    lines: int = 1
    least: float = SMALLEST


@dataclass(frozen=True, slots=True)
class Target(Generic[A]):
    """A place to touch, the effect of a touch, and its name for a screen reader."""

    rect: Rect
    action: A
    means: object


@dataclass(frozen=True, slots=True)
class Drawing(Generic[A]):
    """A whole screen: which page it is of, shapes to paint, places to touch; it may be moving."""

    page: Enum
    size: tuple[int, int]
    shapes: tuple[Shape, ...]
    targets: tuple[Target[A], ...]
    moving: bool

    def at(self, x: int, y: int) -> A | None:
        target = self.target(x, y)
        return target.action if target else None

    def means(self, x: int, y: int) -> object:
        target = self.target(x, y)
        return target.means if target else None

    def target(self, x: int, y: int) -> Target[A] | None:
        """The touched place: the last drawn one is on top."""
        hits = (target for target in reversed(self.targets) if target.rect.contains(x, y))
        return next(hits, None)


def unit_of(size: tuple[int, int]) -> float:
    return min(max(size) / 800, min(size) / 480)


class Canvas(Generic[A]):
    """A picture under construction; lengths are in units, rectangles in pixels.

    Texts are `enlarged` where there is room; nothing else moves.
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
        self.moving = False
        self._enlarged = enlarged
        self._measure = measure
        self._language = language
        self._shapes: list[Shape] = [Box(Rect(0, 0, *size), GROUND)]
        self._targets: list[Target[A]] = []

    @property
    def upright(self) -> bool:
        return self.size[1] > self.size[0]

    @property
    def scales(self) -> tuple[float, ...]:
        """Scale factors to try for texts, largest first."""
        return (self._enlarged, 1.0) if self._enlarged > 1 else (1.0,)

    def px(self, units: float) -> int:
        """Units as whole pixels, at least one."""
        return max(1, round(units * self.unit))

    def add(self, *shapes: Shape) -> None:
        self._shapes.extend(shapes)

    def card(self, rect: Rect, down: float, fill: Colour = BAND) -> Rect:
        """A panel for words, and the room of the words, with this margin above and below."""
        self.add(Box(rect, fill, self.px(8)))
        return rect.inset(self.px(12), self.px(down))

    def stripe(self, rect: Rect, colour: Colour) -> None:
        """Mark a panel with a bar at its left edge."""
        self.add(Box(Rect(rect.x, rect.y, self.px(6), rect.h), colour, self.px(3)))

    def touch(self, rect: Rect, action: A, means: object = None) -> None:
        """Make a place touchable. Its name is its effect unless given."""
        self._targets.append(Target(rect, action, means or action))

    def cover(self, rect: Rect) -> None:
        """Cover an area: hide its texts and disable its touches."""
        self._shapes = [
            shape
            for shape in self._shapes
            if not isinstance(shape, Text) or not shape.rect.overlaps(rect)
        ]
        self._targets = [target for target in self._targets if not target.rect.overlaps(rect)]

    def picture(self, page: Enum) -> Drawing[A]:
        shapes, targets = tuple(self._shapes), tuple(self._targets)
        return Drawing(page, self.size, shapes, targets, self.moving)

    def text(self, rect: Rect, text: str, pen: Pen) -> Rect:
        """A text as large as fits, at most the pen's size, and the place it covers.

        Here a sentence becomes letters, in the players' language.  What does not fit even at the
        smallest size ends in "…".
        """
        pixels, parts = self._fit(self._language.say(text), rect, pen)
        return self._place(rect, parts, pixels, pen)

    def _place(self, rect: Rect, parts: list[str], pixels: int, pen: Pen) -> Rect:
        """Write lines in the middle of their room, upright as the pen wants it sideways."""
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
        """One line at the pen's own size, larger where large text fits; it ends in "…" if cut."""
        said, pixels = self._language.say(text), self._most(pen)
        width, height = self._measure(said, pixels, pen.bold)
        if width > rect.w or height > rect.h:
            pixels = self.px(pen.size)
        return self._place(rect, [self._shorten(said, rect.w, pixels, pen.bold)], pixels, pen)

    def height(self, text: str, width: int, pen: Pen) -> int:
        pixels = self.px(pen.size)
        parts = self._wrap(self._language.say(text), width, pixels, pen.bold)
        if not self._narrow(parts, width, pixels, pen.bold):
            return ENDLESSLY
        return self._measure(text, pixels, pen.bold)[1] * len(parts) if text else 0

    def width(self, text: str, pen: Pen) -> int:
        return self._measure(self._language.say(text), self._most(pen), pen.bold)[0]

    def button(
        self, rect: Rect, label: str, action: A | None, look: Look = Look.PLAIN, size: float = 21
    ) -> None:
        """A labelled button; without an action it is dimmed."""
        look = look if action else Look.DIMMED
        self.frame(rect, look)
        ink = {Look.MAIN: INK, Look.DIMMED: DIM}.get(look, IVORY)
        pen = Pen(size, ink, look is not Look.QUIET, Align.CENTRE, lines=3)
        self.text(rect.inset(self.px(7), self.px(2)), label, pen)
        if action:
            self.touch(rect, action, (label, action))

    def frame(self, rect: Rect, look: Look) -> None:
        fill = {Look.MAIN: MAIN, Look.PLAIN: BAND, Look.QUIET: KEY, Look.DIMMED: GROUND}[look]
        edge = {Look.MAIN: TEAL, Look.DIMMED: BAND}.get(look, EDGE)
        self.add(Box(rect, fill, self.px(10), edge, self.px(1.5)))

    def _most(self, pen: Pen) -> int:
        return self.px(pen.size * self._enlarged)

    def _fit(self, text: str, rect: Rect, pen: Pen) -> tuple[int, list[str]]:
        most = self._most(pen)
        least = min(most, self.px(pen.least))
        for size in range(most, least - 1, -1):
            parts = self._wrap(text, rect.w, size, pen.bold)
            height = self._measure(text, size, pen.bold)[1] * len(parts)
            few = len(parts) <= pen.lines and height <= rect.h
            if few and self._narrow(parts, rect.w, size, pen.bold):
                return size, parts
        if pen.lines == 1:
            return least, [self._shorten(text, rect.w, least, pen.bold)]
        parts = self._wrap(self._broken(text, rect.w, least, pen.bold), rect.w, least, pen.bold)
        kept, rest = parts[: pen.lines - 1], " ".join(parts[pen.lines - 1 :])
        return least, [*kept, self._shorten(rest, rect.w, least, pen.bold)]

    def _broken(self, text: str, width: int, size: int, bold: bool) -> str:
        """The text with spaces inside words that are too wide."""
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
        parts: list[str] = []
        for word in text.split(" "):
            longer = f"{parts[-1]} {word}" if parts else word
            if parts and self._measure(longer, size, bold)[0] <= width:
                parts[-1] = longer
            else:
                parts.append(word)
        return parts or [""]

    def _shorten(self, text: str, width: int, size: int, bold: bool) -> str:
        if self._measure(text, size, bold)[0] <= width:
            return text
        while text and self._measure(text + "…", size, bold)[0] > width:
            text = text[:-1]
        return text.rstrip() + "…"


def union(rects: Sequence[Rect]) -> Rect:
    x, y = min(rect.x for rect in rects), min(rect.y for rect in rects)
    right, bottom = max(rect.right for rect in rects), max(rect.bottom for rect in rects)
    return Rect(x, y, right - x, bottom - y)


Pixels: TypeAlias = Callable[[float], int]
"""Units as whole pixels."""

GAP = 10
BUTTON = 54
"""The height of a button in units; 47 of them are 9 mm on the official displays."""

MARGIN, SEAM = 8, 6
"""Units: around the play page, and between its places."""
COLUMN = 240
"""The width of the column beside the board; tables checkers are then as wide as they must be."""
PLAYER, MATCH, MAIN_ROW, SMALL = 48, 47, 60, 47
"""Heights in the column; the words get the rest."""
WORDS_BELOW, TROUBLES = 142, 40


@dataclass(frozen=True, slots=True)
class PlayPlaces:
    """The play page: always the same things in the same places.

    `troubles` has no height when there are none; all of its room is the board's.
    """

    board: Rect
    troubles: Rect
    players: tuple[Rect, Rect]
    match: Rect
    words: Rect
    main: Rect
    small: tuple[Rect, Rect]

    @property
    def column(self) -> Rect:
        """All that stands beside the board of a wide screen."""
        return Rect(self.words.x, self.board.y, self.words.w, self.board.h)


@dataclass(frozen=True, slots=True)
class SheetBands:
    """Any other page: its title, its body, and the buttons that lead away."""

    title: Rect
    body: Rect
    buttons: Rect


@dataclass(frozen=True, slots=True)
class Editor:
    """The page on which a board is described: on a wide screen all else stands beside it."""

    title: Rect
    board: Rect
    words: Rect
    controls: Rect
    buttons: Rect


def _pixels(size: tuple[int, int]) -> Pixels:
    unit = unit_of(size)
    return lambda units: round(units * unit)


def play_places(size: tuple[int, int], *, troubled: bool) -> PlayPlaces:
    px, (width, height) = _pixels(size), size
    seam, room = px(SEAM), Rect(0, 0, *size).inset(px(MARGIN))
    places = (_upright if height > width else _beside)(room, px)
    if not troubled:
        return places
    board, strip = places.board.rows((places.board.h - seam - px(TROUBLES), px(TROUBLES)), seam)
    return replace(places, board=board, troubles=strip)


def _beside(room: Rect, px: Pixels) -> PlayPlaces:
    """On a wide screen the board has the whole height, all else one column."""
    column = Rect(room.right - px(COLUMN), room.y, px(COLUMN), room.h)
    board = Rect(room.x, room.y, column.x - px(MARGIN) - room.x, room.h)
    fixed = tuple(map(px, (PLAYER, PLAYER, MATCH, MAIN_ROW, SMALL)))
    seam = px(SEAM)
    words = column.h - sum(fixed) - len(fixed) * seam
    heights = (*fixed[:3], words, *fixed[3:])
    white, black, match, words_at, main, small = column.rows(heights, seam)
    back, menu = small.columns((3, 2), seam)
    none = Rect(board.x, board.bottom, board.w, 0)
    return PlayPlaces(board, none, (white, black), match, words_at, main, (back, menu))


def _upright(room: Rect, px: Pixels) -> PlayPlaces:
    """On an upright screen the players stand above the board, the words and buttons below."""
    seam, fixed = px(SEAM), tuple(map(px, (PLAYER, MATCH, WORDS_BELOW, MAIN_ROW)))
    board_height = room.h - sum(fixed) - len(fixed) * seam
    heights = (*fixed[:2], board_height, *fixed[2:])
    players, match, board, words, buttons = room.rows(heights, seam)
    white, black = players.columns((1, 1), seam)
    main, back, menu = buttons.columns((12, 8, 5), seam)
    none = Rect(board.x, board.bottom, board.w, 0)
    return PlayPlaces(board, none, (white, black), match, words, main, (back, menu))


def sheet_bands(size: tuple[int, int]) -> SheetBands:
    px, (width, height) = _pixels(size), size
    across = width - 2 * px(MARGIN)
    title = Rect(px(MARGIN), px(8), across, px(44))
    buttons = Rect(px(MARGIN), height - px(12 + BUTTON), across, px(BUTTON))
    body = Rect(px(MARGIN), title.bottom + px(8), across, buttons.y - title.bottom - px(8 + 12))
    return SheetBands(title, body, buttons)


def editor_bands(size: tuple[int, int], *, rows: int) -> Editor:
    """The bands of the editor, with this many rows of controls."""
    px, (width, height) = _pixels(size), size
    gap, button = px(GAP), px(BUTTON)
    controls = rows * button + (rows - 1) * gap
    if height > width:
        room = Rect(0, 0, width, height).inset(px(MARGIN), gap)
        words = px(80)
        board = room.h - px(40) - words - controls - button - 4 * gap
        places = room.rows((px(40), board, words, controls, button), gap)
        return Editor(*places)
    beside = play_places(size, troubled=False)
    column, title = beside.column, px(50)
    words = column.h - title - controls - button - 3 * gap
    head, text, middle, below = column.rows((title, words, controls, button), gap)
    return Editor(head, beside.board, text, middle, below)
