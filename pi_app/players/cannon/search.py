"""Cannon's search in Python, for machines without a C compiler, and the types of both searches.

It judges positions as `core/search.c` does and looks some two turns less deep: a plain negamax
with alpha-beta, which follows captures to their end.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from pi_app.rules.cannon.actions import SoldierChange, actions_of, reached_by_shots, strikes_of
from pi_app.rules.cannon.position import (
    BOARD,
    FORWARD,
    ROWS,
    SIDEWAYS,
    WIDTH,
    CannonPosition,
    beside,
    shift,
)
from pi_app.rules.terms import Side

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


WIN = 100_000
WON = WIN - 1000
"""Worths beyond are a win, or a loss, in so many turns as are missing from WIN."""
INFINITE = WIN + 1
CAPTURES_DEEP = 4
CLOCK_EVERY = 64


class Limits(NamedTuple):
    """When a search ends: turns deep, nodes, and time, which alone lets an answer differ."""

    depth: int
    nodes: int
    milliseconds: int


@dataclass(frozen=True, slots=True)
class Searched:
    """What was found of the actions that were asked about.

    The best one's worth is that of `depth` turns (deeper, where a deeper search was cut short after
    it had found it).  The others were found no better so deep; their own worth is that of
    `rated_depth` turns, at least a hundredth below the best.
    """

    worths: tuple[int, ...]
    best: int
    depth: int
    rated_depth: int
    nodes: int


SearchFunction: TypeAlias = Callable[
    [CannonPosition, Sequence[SoldierChange], CannonMarks, Limits], Searched
]


class _UsedUpError(Exception):
    """The nodes, or the time, are used up."""


@dataclass
class _Negamax:
    marks: CannonMarks
    most_nodes: int
    end: float
    nodes: int = 0

    def value(self, node: MoversBoard, depth: int, alpha: int, beta: int, ply: int) -> int:
        """What a position is worth to its mover, in hundredths of a soldier."""
        self._count()
        empty = node.empty
        own_strikes = struck(node.own, empty, node.side)
        if own_strikes & node.foe_town:
            return WIN - ply - 1
        if depth > 0:
            actions, best = node.actions(), -INFINITE
            if not actions:
                return ply - WIN
        else:
            foe_strikes = struck(node.foe, empty, node.side.other)
            best = evaluate(node, self.marks, empty, own_strikes, foe_strikes)
            actions = node.strikes() if depth > -CAPTURES_DEEP else []
        for action in sorted(actions, key=lambda each: not each[1]):
            if best >= beta:
                break
            alpha = max(alpha, best)
            best = max(best, -self.value(node.after(action), depth - 1, -beta, -alpha, ply + 1))
        return best

    def _count(self) -> None:
        self.nodes += 1
        is_late = self.nodes % CLOCK_EVERY == 0 and time.monotonic() >= self.end
        if self.nodes >= self.most_nodes or is_late:
            raise _UsedUpError


def search(
    position: CannonPosition, actions: Sequence[SoldierChange], marks: CannonMarks, limits: Limits
) -> Searched:
    """What these legal actions of a position with both towns are worth, in hundredths.

    One turn deep in any case; deeper while the limits allow.
    """
    node = node_of(position)
    tree = _Negamax(marks, most_nodes=sys.maxsize, end=float("inf"))
    end = time.monotonic() + 0.001 * limits.milliseconds
    worths, deep = list[int](), 0
    for depth in range(1, limits.depth + 1):
        try:
            worths = [_worth(tree, node, action, depth) for action in actions]
        except _UsedUpError:
            break
        deep = depth
        tree.most_nodes, tree.end = limits.nodes, end
        if abs(max(worths)) >= WON:
            break
    best = worths.index(max(worths))
    told = (min(worth, worths[best] - (number != best)) for number, worth in enumerate(worths))
    return Searched(tuple(told), best, deep, deep, tree.nodes)


def _worth(tree: _Negamax, node: MoversBoard, action: SoldierChange, depth: int) -> int:
    if action[1] & node.foe_town:
        return WIN - 1
    return -tree.value(node.after(action), depth - 1, -INFINITE, INFINITE, 1)
