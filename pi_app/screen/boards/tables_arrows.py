"""The plays on a tables board: a ring a checker, its way an arrow, a thin one to the bar."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pi_app.rules.terms import Move, Side, Spot, SpotKind
from pi_app.screen.actions import Action
from pi_app.screen.boards.marks import Marks
from pi_app.screen.boards.tables_layout import Layout, bar_of
from pi_app.screen.canvas import Canvas
from pi_app.screen.shapes import Curve, Disc, Line, Point, arc, arrow
from pi_app.screen.theme import TEAL, TRACE, VERMILION, Colour


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
    """Draws the ways of the shown play, and the trace of the play before."""

    def __init__(self, canvas: Canvas[Action], layout: Layout, marks: Marks) -> None:
        self._canvas, self._layout, self._marks = canvas, layout, marks

    def trace(self) -> None:
        """The play before: where its checkers came from and now lie, and their ways, quietly."""
        last = self._marks.trace
        if last is None:
            return
        ways = tuple(legs(last.before, last.moves))
        width = self._canvas.px(2.5)
        for leg in ways:
            if not leg.thin:
                self._canvas.add(Line(self._path(leg), TRACE, width))
        self._ends(ways, TRACE, width)

    def lines(self) -> None:
        """The shown play: an arrow a move, as far as it has grown, and a ring a checker."""
        marks, canvas = self._marks, self._canvas
        colour = VERMILION if marks.wrong else TEAL
        ways = tuple(legs(marks.accepted, marks.moves))
        for leg in ways:
            path = self._path(leg)
            done = max(2, round((len(path) - 1) * marks.done))
            canvas.add(*arrow(path[: done + 1], colour, canvas.px(2 if leg.thin else 4)))
        if not marks.wrong:
            self._ends(ways, colour, canvas.px(3))

    def _ends(self, ways: tuple[Leg, ...], colour: Colour, width: int) -> None:
        """A ring around each checker where it lies at last, a fainter one where it came from."""
        own = tuple(leg for leg in ways if not leg.thin)
        left = {(leg.origin, leg.start) for leg in own}
        lie = {(leg.target, leg.end) for leg in own}
        for place in lie - left:
            self._ring(*place, colour, width)
        for place in left - lie:
            self._ring(*place, colour, max(1, width * 2 // 3))

    def _ring(self, spot: Spot, index: int, colour: Colour, width: int) -> None:
        if spot.kind is not SpotKind.OFF:
            at = self._layout.top(spot, index)
            self._canvas.add(Disc(at, self._layout.radius, None, colour, width))

    def _path(self, leg: Leg) -> Curve:
        """From a place to a place: in one half bent towards the middle, across it upwards."""
        layout, px = self._layout, self._canvas.px
        start, end = self._start(leg), self._end(leg)
        inwards = layout.inwards(leg.target)
        same = inwards == layout.inwards(leg.origin)
        across = abs(end[0] - start[0])
        bend = min(px(10) + across // 12, layout.field.h // 3)
        return arc(start, end, -inwards * bend if same else min(across // 8, px(24)))

    def _start(self, leg: Leg) -> Point:
        if leg.origin.kind is SpotKind.OFF:
            return self._layout.tray(leg.origin).centre
        return self._layout.top(leg.origin, leg.start)

    def _end(self, leg: Leg) -> Point:
        """Where an arrow meets a place: at the rim that looks to the middle, or a tray's middle."""
        layout = self._layout
        if leg.target.kind is SpotKind.OFF:
            return layout.tray(leg.target).centre
        x, y = layout.top(leg.target, leg.end)
        if leg.target.kind is SpotKind.BAR:
            return x, y
        return x, y + layout.inwards(leg.target) * (layout.radius + self._canvas.px(1))
