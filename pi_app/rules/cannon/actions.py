"""What Cannon's pieces can do: steps, captures, retreats, slides and shots, all soldiers at once.

An action is two sets of points: where the mover's soldiers change (origin and target; none for a
shot), and what the other side loses.  Working direction by direction on sets makes two actions
alike only when their results are: a point that two cannons can shoot at is one action.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pi_app.rules.cannon.board import (
    AROUND,
    BACK,
    BOARD,
    FORWARD,
    SIDEWAYS,
    Direction,
    Points,
    beside,
    each,
    ray,
    shift,
)
from pi_app.rules.cannon.position import CannonPosition
from pi_app.rules.terms import Side

SoldierChange: TypeAlias = tuple[int, int]
"""Where the mover's soldiers change, and what the other side loses."""

REACH = (2, 3)
"""How many points from its front a cannon shoots."""


@dataclass(frozen=True, slots=True)
class Bearing:
    """A cannon in line with a point; `distance` counts from its front, `muzzle` is just before."""

    cannon: Points
    distance: int
    muzzle: Points


def actions(position: CannonPosition) -> list[SoldierChange]:
    """Every legal action of the mover once, towns being placed; rules 3 to 7."""
    side = position.mover
    own, foe = position.army(side), position.army(side.other)
    enemy = foe.soldiers | foe.town
    return actions_of(own.soldiers, enemy, BOARD & ~(own.soldiers | own.town | enemy), side)


def can_step(position: CannonPosition) -> bool:
    """Whether a soldier of the mover can step or take forward, as nearly always (rules 3, 4)."""
    own = position.army(position.mover)
    free = BOARD & ~own.pieces
    return any(shift(own.soldiers, step) & free for step in FORWARD[position.mover])


def actions_of(soldiers: int, enemy: int, empty: int, side: Side) -> list[SoldierChange]:
    """What these soldiers can do, where these points have enemies and those nobody."""
    found: list[SoldierChange] = []
    for step in FORWARD[side]:
        found += _captures(soldiers, step, enemy)
        found += _leaps(soldiers, step, empty, 1)
    for step in SIDEWAYS:
        found += _captures(soldiers, step, enemy)
    if threatened := soldiers & beside(enemy):
        for step in BACK[side]:
            found += _leaps(shift(threatened, step) & empty, step, empty, 2)
    for step in AROUND:
        if muzzles := _fronts(soldiers, step) & shift(empty, -step):
            found += _leaps(muzzles, step, empty, 3)
    found += [(0, target) for target in each(reached_by_shots(soldiers, empty) & enemy)]
    return found


def strikes_of(soldiers: int, enemy: int, empty: int, side: Side) -> list[SoldierChange]:
    """Those of the actions that take an enemy, in the same order."""
    found: list[SoldierChange] = []
    for step in (*FORWARD[side], *SIDEWAYS):
        found += _captures(soldiers, step, enemy)
    found += [(0, target) for target in each(reached_by_shots(soldiers, empty) & enemy)]
    return found


def reached_by_shots(soldiers: int, empty: int) -> int:
    """Every point at which a cannon of these soldiers may shoot, whoever stands there (rule 7)."""
    reached = 0
    for step in AROUND:
        if muzzles := _fronts(soldiers, step) & shift(empty, -step):
            second = shift(muzzles, 2 * step) & BOARD
            reached |= second | shift(second, step)
    return reached


def _captures(soldiers: int, step: Direction, enemy: int) -> Iterator[SoldierChange]:
    """Soldiers that take the place of an enemy one step away."""
    for target in each(shift(soldiers, step) & enemy):
        yield shift(target, -step) | target, target


def _leaps(last: int, step: Direction, empty: int, length: int) -> Iterator[SoldierChange]:
    """Soldiers that come to an empty point beyond `last`, from `length` steps before it."""
    for target in each(shift(last, step) & empty):
        yield shift(target, -length * step) | target, 0


def _fronts(soldiers: int, step: Direction) -> int:
    """The foremost points of the cannons that face in one direction."""
    return soldiers & shift(soldiers, step) & shift(soldiers, 2 * step)


def bearings(soldiers: int, target: Points) -> Iterator[Bearing]:
    """The cannons of these soldiers in line with a point, whatever lies between."""
    for step in AROUND:
        line = (target, *ray(target, step))
        for distance in range(1, len(line) - 2):
            cannon = sum(line[distance : distance + 3])
            if not cannon & ~soldiers:
                yield Bearing(Points(cannon), distance, line[distance - 1])


def gunners(position: CannonPosition, target: Points) -> tuple[Points, ...]:
    """The mover's cannons that may shoot at a point, each as its three points (rule 7)."""
    own, foe = position.army(position.mover), position.army(position.mover.other)
    if not target & foe.pieces:
        return ()
    taken = own.pieces | foe.pieces
    return tuple(
        bearing.cannon
        for bearing in bearings(own.soldiers, target)
        if bearing.distance in REACH and not bearing.muzzle & taken
    )
