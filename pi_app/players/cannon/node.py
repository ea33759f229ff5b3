"""What both searches look at: a position as its mover sees it, and the marks that judge it."""

from __future__ import annotations

from typing import NamedTuple

from pi_app.rules.cannon.actions import SoldierChange, actions_of, reached_by_shots, strikes_of
from pi_app.rules.cannon.board import (
    BOARD,
    FORWARD,
    ROWS,
    SIDEWAYS,
    WIDTH,
    beside,
    shift,
)
from pi_app.rules.cannon.position import CannonPosition
from pi_app.rules.terms import Side

_WORD = (1 << 64) - 1
_ROW = (1 << WIDTH - 1) - 1


class CannonMarks(NamedTuple):
    """The evaluation: what each counts, in hundredths of a soldier; the enemy's counts against."""

    soldier: int
    step: int
    """A way to step to an empty point."""
    advance: int
    """A row from the own edge, of each soldier."""
    ring: int
    """A soldier at most two points from the enemy's town."""
    guard: int
    """A soldier at most two points from the own town."""
    threat: int
    """An enemy soldier that could be taken."""
    tempo: int
    """Being to move."""


MARKS = CannonMarks(soldier=100, step=2, advance=2, ring=10, guard=9, threat=12, tempo=5)


class MoversBoard(NamedTuple):
    """Sets of points: the mover's pieces, the other side's, and who the mover is."""

    own: int
    own_town: int
    foe: int
    foe_town: int
    side: Side

    @property
    def empty(self) -> int:
        """Where nobody stands."""
        return BOARD & ~(self.own | self.own_town | self.foe | self.foe_town)

    def actions(self) -> list[SoldierChange]:
        """Everything that the mover can do."""
        return actions_of(self.own, self.foe | self.foe_town, self.empty, self.side)

    def strikes(self) -> list[SoldierChange]:
        """What takes a soldier."""
        return strikes_of(self.own, self.foe | self.foe_town, self.empty, self.side)

    def after(self, action: SoldierChange) -> MoversBoard:
        """What the other side sees then."""
        changed, lost = action
        own, foe, foe_town = self.own ^ changed, self.foe & ~lost, self.foe_town & ~lost
        return MoversBoard(foe, foe_town, own, self.own_town, self.side.other)


def node_of(position: CannonPosition) -> MoversBoard:
    """A position, its slides forgotten."""
    own, foe = position.army(position.mover), position.army(position.mover.other)
    return MoversBoard(own.soldiers, own.town, foe.soldiers, foe.town, position.mover)


def mixed(number: int) -> int:
    """splitmix64, by Sebastiano Vigna, in the public domain."""
    number = (number + 1) * 0x9E3779B97F4A7C15 & _WORD
    number = (number ^ number >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    number = (number ^ number >> 27) * 0x94D049BB133111EB & _WORD
    return number ^ number >> 31


def evaluate(
    node: MoversBoard, marks: CannonMarks, empty: int, own_strikes: int, foe_strikes: int
) -> int:
    """What a position is worth to its mover without search."""
    own, own_town, foe, foe_town, side = node
    mine = _marks(marks, own, own_town, foe, foe_town, empty, own_strikes, side)
    return (
        marks.tempo
        + mine
        - _marks(marks, foe, foe_town, own, own_town, empty, foe_strikes, side.other)
    )


def _marks(
    marks: CannonMarks,
    soldiers: int,
    town: int,
    enemy: int,
    enemy_town: int,
    empty: int,
    strikes: int,
    side: Side,
) -> int:
    steps = sum((shift(soldiers, step) & empty).bit_count() for step in FORWARD[side])
    return (
        marks.soldier * soldiers.bit_count()
        + marks.step * steps
        + marks.advance * _advance(soldiers, side)
        + marks.ring * (soldiers & _ring(enemy_town)).bit_count()
        + marks.guard * (soldiers & _ring(town)).bit_count()
        + marks.threat * (strikes & enemy).bit_count()
    )


def _advance(soldiers: int, side: Side) -> int:
    rows = ((soldiers >> WIDTH * row & _ROW).bit_count() for row in range(len(ROWS)))
    return sum(
        standing * (row if side is Side.WHITE else 9 - row) for row, standing in enumerate(rows)
    )


def _ring(town: int) -> int:
    return beside(beside(town)) & BOARD


def struck(soldiers: int, empty: int, side: Side) -> int:
    """Every point on which an enemy would be taken."""
    taken = reached_by_shots(soldiers, empty)
    for step in (*FORWARD[side], *SIDEWAYS):
        taken |= shift(soldiers, step)
    return taken
