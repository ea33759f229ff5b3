"""The plays on a tables board: an arrow a move, a thin one to the bar for what is hit, letters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pi_app.rules.terms import Move, Side, Spot, SpotKind
from pi_app.screen.actions import Action
from pi_app.screen.boards.marks import Arrow, Marks
from pi_app.screen.boards.tables_layout import Layout, bar_of
from pi_app.screen.canvas import Canvas, Pen
from pi_app.screen.shapes import Align, Curve, Disc, Point, Rect, arc, around, arrow
from pi_app.screen.theme import INK, TEAL, VERMILION

BADGE = 12
SHARES = (50, 35, 65, 22, 78, 90, 10)
"""Where along an arrow its letter may stand, in percent, the best first."""


@dataclass(frozen=True, slots=True)
class Leg:
    """One checker's way from a place to a place; `thin` when it is the victim's, to the bar."""

    origin: Spot
    start: int
    target: Spot
    end: int
    thin: bool = False


def legs(accepted: Mapping[Spot, tuple[Side, ...]], moves: tuple[Move, ...]) -> Iterator[Leg]:
    """The ways of all checkers in a play, from the stacks as they were before it."""
    # A hand finds spots, such as the bar in the Pin game, that the game does not know.
    stacks = defaultdict(list, {spot: list(stack) for spot, stack in accepted.items()})
    for move in moves:
        origin, target = stacks[move.origin], stacks[move.target]
        checker = origin.pop() if origin else None
        if move.hit and target:
            victim = target.pop()
            bar = stacks[bar_of(victim)]
            yield Leg(move.target, len(target), bar_of(victim), len(bar), thin=True)
            bar.append(victim)
        yield Leg(move.origin, len(origin), move.target, len(target))
        if checker:
            target.append(checker)


class Arrows:
    """Draws the arrows of all shown plays, and where there is a choice their letters."""

    def __init__(self, canvas: Canvas[Action], layout: Layout, marks: Marks) -> None:
        self._canvas, self._layout, self._marks = canvas, layout, marks
        self._colour = VERMILION if marks.wrong else TEAL
        self._shown = [(one, self._ways(one, index)) for index, one in enumerate(marks.arrows)]

    def lines(self) -> None:
        """All arrows, each as far as it has grown."""
        for one, ways in self._shown:
            for leg, path in ways.items():
                width = self._canvas.px(2 if leg.thin else 4)
                done = max(2, round((len(path) - 1) * one.done))
                self._canvas.add(*arrow(path[: done + 1], self._colour, width))

    def tips(self) -> tuple[Point, ...]:
        """Where the arrows end, and where letters like to stand."""
        return tuple(
            (round(x), round(y))
            for one, ways in self._shown
            for path in ways.values()
            for x, y in (path[-1], *path[len(path) // 2 :][: bool(one.letter)])
        )

    def letters(self, written: tuple[Rect, ...]) -> Mapping[str, Point]:
        """A letter on each arrow that has one, beside the texts; says where the letters stand."""
        stand: dict[str, Point] = {}
        for one, ways in self._shown:
            others = {leg for other, legs_ in self._shown if other is not one for leg in legs_}
            if one.letter:
                at = self._free(self._own(ways, others), written)
                self._badge(at, one.letter)
                written = (*written, around(at, self._canvas.px(BADGE)))
                stand[one.letter] = at
        return stand

    def _ways(self, one: Arrow, index: int) -> dict[Leg, Curve]:
        return {leg: self._path(leg, index) for leg in legs(self._marks.accepted, one.moves)}

    def _path(self, leg: Leg, index: int) -> Curve:
        """Bent towards the middle of the board where both ends lie in the same half."""
        layout, px = self._layout, self._canvas.px
        start, end = self._start(leg), self._end(leg)
        inwards = layout.inwards(leg.target)
        same = inwards == layout.inwards(leg.origin)
        bend = px(10) + abs(end[0] - start[0]) // 12 if same else 0
        reach = layout.field.h // 3
        return arc(start, end, -inwards * (min(bend, reach) + index * px(5)))

    def _start(self, leg: Leg) -> Point:
        if leg.origin.kind is SpotKind.OFF:
            return self._layout.tray(leg.origin).centre
        return self._layout.place(leg.origin, leg.start)

    def _end(self, leg: Leg) -> Point:
        """Where an arrow meets a place: at the rim that looks to the middle, or a tray's middle."""
        layout = self._layout
        if leg.target.kind is SpotKind.OFF:
            return layout.tray(leg.target).centre
        x, y = layout.place(leg.target, leg.end)
        if leg.target.kind is SpotKind.BAR:
            return x, y
        return x, y + layout.inwards(leg.target) * (layout.radius + self._canvas.px(1))

    def _own(self, ways: Mapping[Leg, Curve], others: set[Leg]) -> tuple[Curve, ...]:
        """The arrows that tell this play from the others; all of it where none does."""
        own = tuple(path for leg, path in ways.items() if leg not in others and not leg.thin)
        return own or tuple(ways.values())

    def _free(self, paths: tuple[Curve, ...], written: tuple[Rect, ...]) -> Point:
        """The first place along the arrows where a letter lies on no other text."""
        points = [
            (round(x), round(y))
            for share in SHARES
            for path in paths
            for x, y in (path[(len(path) - 1) * share // 100],)
        ]
        r = self._canvas.px(BADGE)
        clear = [
            point
            for point in points
            if not any(around(point, r).overlaps(text) for text in written)
        ]
        return (clear or points or [self._layout.field.centre])[0]

    def _badge(self, at: Point, letter: str) -> None:
        canvas, r = self._canvas, self._canvas.px(BADGE)
        canvas.add(Disc(at, r, TEAL, INK, canvas.px(1.5)))
        canvas.text(around(at, r), letter, Pen(15, INK, bold=True, align=Align.CENTRE))
