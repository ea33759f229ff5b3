"""Drawing shared by boards with one piece on a spot."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping

from pi_app.rules.terms import Move, Spot
from pi_app.screen.actions import Screen
from pi_app.screen.boards.marks import Marks, mark_of
from pi_app.screen.canvas import (
    Curve,
    Disc,
    Line,
    Point,
    Rect,
    Shape,
    arc,
    arrow,
    cross,
    edged_ring,
)
from pi_app.screen.observability import mark_unseen, why_unseen
from pi_app.screen.pieces import checker, ghost, wanted
from pi_app.screen.theme import PIT, TEAL, TRACE, VERMILION, Colour
from pi_app.sensing.description import Board, Reed


class SpotDrawing(ABC):
    """One drawing in progress.

    `cells` are the places of the spots on the board, `trays` of those beside it; `radius` is a
    piece's, in pixels.
    """

    def __init__(
        self,
        canvas: Screen,
        board: Board,
        marks: Marks,
        cells: Mapping[Spot, Rect],
        trays: Mapping[Spot, Rect],
        radius: int,
    ) -> None:
        self.canvas, self.marks = canvas, marks
        self.cells, self.trays, self.radius = cells, trays, radius
        self._reeds: Mapping[Spot, Reed] = {
            place.spot: place.reeds[0] for place in board.places if place.reeds
        }

    @abstractmethod
    def path(self, move: Move, done: float) -> Curve:
        """The curve of a move's arrow, drawn to the share `done` (0 to 1)."""

    @property
    def places(self) -> dict[Spot, Rect]:
        return {**self.cells, **self.trays}

    def centre(self, spot: Spot) -> Point:
        return (self.cells.get(spot) or self.trays[spot]).centre

    def spot(self, spot: Spot) -> None:
        at, r, px = self.centre(spot), self.radius, self.canvas.px
        self.canvas.add(*self.content(spot, at))
        colour = mark_of(self.marks, spot)
        if colour:
            self.ring(spot, colour)
        if spot in self.marks.clear:
            self.canvas.add(*cross(at, r // 2, VERMILION, px(4)))
        why = why_unseen(self.marks.unseen, self._reeds[spot])
        if why:
            badge = (at[0] + r * 8 // 10, at[1] + r * 8 // 10), min(px(11), r * 4 // 10)
            self.canvas.add(*mark_unseen(at, r, badge, why))

    def content(self, spot: Spot, at: Point) -> tuple[Shape, ...]:
        stack, was = self.marks.standing.get(spot, ()), self.marks.accepted.get(spot, ())
        small = self.radius * 9 // 10
        if spot in self.marks.fill and was:
            return wanted(at, small, was[0])
        if spot in self.marks.lifted and len(stack) < max(len(was), 1):
            return Disc(at, self.radius, PIT), *ghost(at, small, was[0] if was else None)
        return checker(at, self.radius, stack[0]) if stack else ()

    def ring(self, spot: Spot, colour: Colour) -> None:
        width = self.canvas.px(4)
        at = self.centre(spot)
        self.canvas.add(*edged_ring(at, self.radius + width, colour, width))

    def trace(self) -> None:
        """Mark the previous play faintly: its way, and rings at its start and end."""
        for move in self.marks.trace.moves if self.marks.trace else ():
            if self.has_trace(move):
                self.canvas.add(Line(self.path(move, 1.0), TRACE, self.canvas.px(3)))
            for spot in (move.origin, move.target):
                if spot in self.cells:
                    self.ring(spot, TRACE)

    def has_trace(self, move: Move) -> bool:
        return True

    def arrows(self) -> None:
        moves = self.marks.moves
        for number, move in enumerate(moves):
            share = self.marks.share(number, len(moves))
            if share:
                self.arrow(move, VERMILION if self.marks.wrong else TEAL, share)
            stack = self.marks.accepted.get(move.origin, ())
            if self.marks.rides and 0 < share < 1 and stack:
                x, y = self.path(move, share)[-1]
                self.canvas.add(*checker((round(x), round(y)), self.radius, stack[-1]))

    def arrow(self, move: Move, colour: Colour, share: float) -> None:
        self.canvas.add(*arrow(self.path(move, share), colour, self.canvas.px(5)))
        if not self.marks.wrong and move.target in self.cells:
            self.ring(move.target, colour)

    def straight(self, move: Move, done: float) -> Curve:
        """A straight curve that ends at the rim of the piece on the target."""
        start, end = self.centre(move.origin), self.centre(move.target)
        short = self.radius / max(math.dist(start, end), 2 * self.radius, 1)
        (x1, y1), (x2, y2) = start, end
        rim = x2 - round((x2 - x1) * short), y2 - round((y2 - y1) * short)
        return arc(start, rim, 0, done)
