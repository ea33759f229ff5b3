"""What Cannon's pieces can do: steps, captures, retreats, slides and shots, all soldiers at once.

An action is two sets of points: where the mover's soldiers change (origin and target; none for a
shot), and what the other side loses.  Working direction by direction on sets makes two actions
alike only when their results are: a point that two cannons can shoot at is one action.

Under the tournament rule no cannon slides more than three times in a row (rule 9).  A cannon is its
three points and keeps its name while it slides.  The sheet lets "another cannon or a single
soldier" break the row, so a shot by the same cannon neither counts nor breaks it.  Where two
cannons could have fired a shot, another cannon's is assumed: the board does not tell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pi_app.rules.cannon.position import (
    AROUND,
    BACK,
    BOARD,
    FORWARD,
    MOST_SLIDES,
    NOWHERE,
    OFF,
    POINT,
    SIDEWAYS,
    Army,
    CannonPosition,
    Direction,
    Points,
    Slid,
    beside,
    course,
    each,
    ray,
    shift,
)
from pi_app.rules.terms import Move, Side

SoldierChange: TypeAlias = tuple[int, int]
"""Where the mover's soldiers change, and what the other side loses."""

REACH = (2, 3)
"""How many points from its front a cannon shoots."""


@dataclass(frozen=True, slots=True)
class Bearing:
    """A cannon in line with a point; `distance` counts from the front, `muzzle` lies before it."""

    cannon: Points
    distance: int
    muzzle: Points


def actions(position: CannonPosition) -> list[SoldierChange]:
    """All legal actions of the mover after the towns are placed (rules 3 to 7)."""
    side = position.mover
    own, foe = position.army(side), position.army(side.other)
    enemy = foe.soldiers | foe.town
    return actions_of(own.soldiers, enemy, BOARD & ~(own.soldiers | own.town | enemy), side)


def can_step(position: CannonPosition) -> bool:
    """Whether a soldier of the mover can step or capture forward (rules 3, 4)."""
    own = position.army(position.mover)
    free = BOARD & ~own.pieces
    return any(shift(own.soldiers, step) & free for step in FORWARD[position.mover])


def actions_of(soldiers: int, enemy: int, empty: int, side: Side) -> list[SoldierChange]:
    """The actions of these soldiers, given the enemy's points and the empty ones."""
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


def reached_by_shots(soldiers: int, empty: int) -> int:
    """The points in range of these soldiers' cannons, whoever stands there (rule 7)."""
    reached = 0
    for step in AROUND:
        if muzzles := _fronts(soldiers, step) & shift(empty, -step):
            second = shift(muzzles, 2 * step) & BOARD
            reached |= second | shift(second, step)
    return reached


def results_of(
    position: CannonPosition, found: Iterable[SoldierChange]
) -> Iterator[CannonPosition]:
    """The positions after these actions, without the counting of slides."""
    side = position.mover
    other = side.other
    own, foe = position.army(side), position.army(other)
    soldiers, town = own.soldiers, own.town
    for changed, lost in found:
        moved = Army(Points(soldiers ^ changed), town) if changed else own
        left = foe.without(lost) if lost else foe
        if side is Side.WHITE:
            yield CannonPosition(moved, left, other)
        else:
            yield CannonPosition(left, moved, other)


def _captures(soldiers: int, step: Direction, enemy: int) -> Iterator[SoldierChange]:
    """Soldiers that capture an enemy one step away."""
    for target in each(shift(soldiers, step) & enemy):
        yield shift(target, -step) | target, target


def _leaps(last: int, step: Direction, empty: int, length: int) -> Iterator[SoldierChange]:
    """Soldiers that reach an empty point beyond `last` from `length` steps before it."""
    for target in each(shift(last, step) & empty):
        yield shift(target, -length * step) | target, 0


def _fronts(soldiers: int, step: Direction) -> int:
    """The front points of the cannons that face in one direction."""
    return soldiers & shift(soldiers, step) & shift(soldiers, 2 * step)


def bearings(soldiers: int, target: Points) -> Iterator[Bearing]:
    """These soldiers' cannons in line with a point, whatever stands between."""
    for step in AROUND:
        line = (target, *ray(target, step))
        for distance in range(1, len(line) - 2):
            cannon = sum(line[distance : distance + 3])
            if not cannon & ~soldiers:
                yield Bearing(Points(cannon), distance, line[distance - 1])


def gunners(position: CannonPosition, target: Points) -> tuple[Points, ...]:
    """The mover's cannons that may shoot at a point, each as three points (rule 7)."""
    own, foe = position.army(position.mover), position.army(position.mover.other)
    if not target & foe.pieces:
        return ()
    taken = own.pieces | foe.pieces
    return tuple(
        bearing.cannon
        for bearing in bearings(own.soldiers, target)
        if bearing.distance in REACH and not bearing.muzzle & taken
    )


def slide_of(move: Move) -> tuple[Points, Points] | None:
    """The cannon before and after a slide; None for any other move."""
    if move.origin not in POINT or move.target not in POINT:
        return None
    origin, target = POINT[move.origin], POINT[move.target]
    way = course(origin, target)
    if way is None or way[1] != 3:
        return None
    middle = shift(origin, way[0]) | shift(origin, 2 * way[0])
    return Points(origin | middle), Points(middle | target)


def has_slid_enough(position: CannonPosition, move: Move) -> bool:
    """Whether this move would be a cannon's fourth slide in a row."""
    last = position.slid_by(position.mover)
    if last is None or last.times < MOST_SLIDES:
        return False
    slide = slide_of(move)
    return slide is not None and slide[0] == last.cannon


def slid_after(
    before: CannonPosition, attempt: tuple[Move, ...], after: CannonPosition
) -> tuple[Slid, ...]:
    """The cannons that slid in their side's last turn, after this attempt."""
    mover = before.mover
    own = _own_last(before, attempt[0]) if len(attempt) == 1 else None
    last = {mover: own, mover.other: before.slid_by(mover.other)}
    return tuple(
        slid
        for side in Side
        if (slid := last[side]) and not slid.cannon & ~after.army(side).soldiers
    )


def _own_last(before: CannonPosition, move: Move) -> Slid | None:
    """The mover's last cannon, moved along with this move."""
    last = before.slid_by(before.mover)
    if move.target == OFF[before.mover.other]:
        fired = gunners(before, POINT.get(move.origin, NOWHERE))
        return last if last and set(fired) <= {last.cannon} else None
    slide = slide_of(move)
    if slide is None:
        return None
    times = last.times if last and last.cannon == slide[0] else 0
    return Slid(slide[1], times + 1)
