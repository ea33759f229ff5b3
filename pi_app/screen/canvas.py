"""Collects shapes and touch areas, and fits texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeAlias, TypeVar

from pi_app.screen.shapes import Align, Box, Rect, Shape, Text
from pi_app.screen.theme import BAND, DIM, EDGE, GROUND, INK, IVORY, KEY, MAIN, TEAL, Colour
from pi_app.words.sentences import ENGLISH, Language

Measure: TypeAlias = Callable[[str, int, bool], tuple[int, int]]
"""Width and height in pixels of a text at a size in pixels, bold or not."""

A = TypeVar("A")

SMALLEST = 14
"""Texts shrink to fit, down to this many pixels at a unit of 1, and nothing is smaller."""
LARGE = 1.25
"""The factor of large text, where there is room."""

ENDLESSLY = 1_000_000
"""The height in pixels of a text with a word that no line of its room holds."""


class Look(Enum):
    """A button's emphasis."""

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
    """A place to touch, what touching it does, and what it is to who touches it."""

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
        """What a touch here does."""
        target = self.target(x, y)
        return target.action if target else None

    def means(self, x: int, y: int) -> object:
        """The name and action of a place."""
        target = self.target(x, y)
        return target.means if target else None

    def target(self, x: int, y: int) -> Target[A] | None:
        """The touched place: the last drawn one is on top."""
        hits = (target for target in reversed(self.targets) if target.rect.contains(x, y))
        return next(hits, None)


def unit_of(size: tuple[int, int]) -> float:
    """The length that is one pixel at 800 x 480, whichever way the screen stands."""
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
        """Whether the screen is higher than wide."""
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

    def touch(self, rect: Rect, action: A, means: object = None) -> None:
        """Make a place touchable; what it means is what it does, unless told."""
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
        """The finished picture of this page."""
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
        return _union(placed)

    def line(self, rect: Rect, text: str, pen: Pen) -> Rect:
        """One line at the pen's own size, larger where large text fits; it ends in "…" if cut."""
        said, pixels = self._language.say(text), self._most(pen)
        width, height = self._measure(said, pixels, pen.bold)
        if width > rect.w or height > rect.h:
            pixels = self.px(pen.size)
        return self._place(rect, [self._shorten(said, rect.w, pixels, pen.bold)], pixels, pen)

    def height(self, text: str, width: int, pen: Pen) -> int:
        """A text's height in lines of this width at full size, in pixels."""
        pixels = self.px(pen.size)
        parts = self._wrap(self._language.say(text), width, pixels, pen.bold)
        if not self._narrow(parts, width, pixels, pen.bold):
            return ENDLESSLY
        return self._measure(text, pixels, pen.bold)[1] * len(parts) if text else 0

    def width(self, text: str, pen: Pen) -> int:
        """A text's width at full size, in pixels."""
        return self._measure(self._language.say(text), self._most(pen), pen.bold)[0]

    def button(
        self,
        rect: Rect,
        label: str,
        action: A | None,
        look: Look = Look.PLAIN,
        size: float = 21,
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
        """A button's body, for what is not labelled with text."""
        fill = {Look.MAIN: MAIN, Look.PLAIN: BAND, Look.QUIET: KEY, Look.DIMMED: GROUND}[look]
        edge = {Look.MAIN: TEAL, Look.DIMMED: BAND}.get(look, EDGE)
        self.add(Box(rect, fill, self.px(10), edge, self.px(1.5)))

    def _most(self, pen: Pen) -> int:
        """The pen's size in pixels, which large text enlarges."""
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


def _union(rects: list[Rect]) -> Rect:
    x, y = min(rect.x for rect in rects), min(rect.y for rect in rects)
    right, bottom = max(rect.right for rect in rects), max(rect.bottom for rect in rects)
    return Rect(x, y, right - x, bottom - y)
