"""Cannon's tournament rule: no cannon slides more than three times in a row (rule 9).

A cannon is its three points and keeps its name while it slides.  The sheet lets "another cannon or
a single soldier" break the row, so a shot by the same cannon neither counts nor breaks it.  A shot
is held for another cannon's wherever one could have fired it: nothing on the board tells.
"""

from __future__ import annotations

from pi_app.rules.cannon.actions import gunners
from pi_app.rules.cannon.board import NOWHERE, OFF, POINT, Points, course, shift
from pi_app.rules.cannon.position import MOST_SLIDES, CannonPosition, Slid
from pi_app.rules.terms import Move, Side


def slide_of(move: Move) -> tuple[Points, Points] | None:
    """The cannon before and after its rear soldier comes to its front; None for other moves."""
    if move.origin not in POINT or move.target not in POINT:
        return None
    origin, target = POINT[move.origin], POINT[move.target]
    way = course(origin, target)
    if way is None or way[1] != 3:
        return None
    middle = shift(origin, way[0]) | shift(origin, 2 * way[0])
    return Points(origin | middle), Points(middle | target)


def has_slid_enough(position: CannonPosition, move: Move) -> bool:
    """Whether a move would slide a cannon that has slid three times in a row."""
    last = position.slid_by(position.mover)
    if last is None or last.times < MOST_SLIDES:
        return False
    slide = slide_of(move)
    return slide is not None and slide[0] == last.cannon


def slid_after(
    before: CannonPosition, attempt: tuple[Move, ...], after: CannonPosition
) -> tuple[Slid, ...]:
    """The cannons that have slid in their side's last turn, once an attempt has been made."""
    mover = before.mover
    own = _own_last(before, attempt[0]) if len(attempt) == 1 else None
    last = {mover: own, mover.other: before.slid_by(mover.other)}
    return tuple(
        slid
        for side in Side
        if (slid := last[side]) and not slid.cannon & ~after.army(side).soldiers
    )


def _own_last(before: CannonPosition, move: Move) -> Slid | None:
    """The mover's cannon, followed through this move."""
    last = before.slid_by(before.mover)
    if move.target == OFF[before.mover.other]:
        fired = gunners(before, POINT.get(move.origin, NOWHERE))
        return last if last and set(fired) <= {last.cannon} else None
    slide = slide_of(move)
    if slide is None:
        return None
    times = last.times if last and last.cannon == slide[0] else 0
    return Slid(slide[1], times + 1)
