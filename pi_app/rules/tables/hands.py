"""What hands can do to a tables board, legal or not."""

from __future__ import annotations

from collections.abc import Mapping

from pi_app.rules.naming import Counting, name_side, name_spot
from pi_app.rules.tables.men import (
    BAR,
    BAR_SPOTS,
    NUMBER,
    OFF,
    OFF_SPOTS,
    POINTS,
    TablesPosition,
    count,
    one,
    seen_by,
)
from pi_app.rules.tables.rulebook import Why
from pi_app.rules.terms import Broken, IllegalPlayError, Move, Rule, Side, Spot
from pi_app.sentences import Said, Sentence

NOBODY_ON = Sentence("No checker stands on {spot}")
NOBODY_ON_BAR = Sentence("No checker stands on the bar")
NOBODY_OFF = Sentence("No checker stands off the board")
NOT_THEIRS = Sentence("No checker of {side}'s goes to {owner}'s {spot}")


def attempted(
    position: TablesPosition, attempt: tuple[Move, ...], pins: bool, book: Mapping[Why, Rule]
) -> TablesPosition:
    """What stands after the moves, the mover changed.

    The mover's farthest goes first, for another move may begin where it ends.  A single enemy is
    hit or pinned; on more enemies both sides stand together.
    Raises IllegalPlayError for a checker that is not there or a tray of the other side.
    """
    number = NUMBER[position.mover]
    for move in sorted(attempt, key=lambda move: -number.get(move.origin, OFF)):
        side = _lifted(position, move.origin, book)
        target = NUMBER[side].get(move.target)
        if target is None:
            raise IllegalPlayError(Broken(book[Why.NOT_YOURS], not_theirs(side, move.target)))
        position = _carried(position, side, NUMBER[side][move.origin], target, pins)
    return position.with_mover(position.mover.other)


def _lifted(position: TablesPosition, origin: Spot, book: Mapping[Why, Rule]) -> Side:
    """Whose checker a hand takes here: the mover's if there is one."""
    for side in (position.mover, position.mover.other):
        number = NUMBER[side].get(origin)
        if number is not None and count(position.men(side), number):
            return side
    raise IllegalPlayError(Broken(book[Why.NOBODY], nobody_on(position.mover, origin)))


def nobody_on(mover: Side, spot: Spot) -> Said:
    """The sentence for a checker that is not there."""
    if spot in BAR_SPOTS:
        return NOBODY_ON_BAR()
    if spot in OFF_SPOTS:
        return NOBODY_OFF()
    return NOBODY_ON(spot=name_spot(spot, Counting(POINTS, mover)))


def not_theirs(side: Side, spot: Spot) -> Said:
    """The sentence for a checker that went to a bar or off where the other side's go."""
    return NOT_THEIRS(side=name_side(side), owner=name_side(side.other), spot=name_spot(spot))


def _carried(
    position: TablesPosition, side: Side, origin: int, target: int, pins: bool
) -> TablesPosition:
    own, own_pinned = position.men(side), position.pinned(side)
    enemy, enemy_pinned = position.men(side.other), position.pinned(side.other)
    own -= one(origin)
    if count(own_pinned, origin):
        own_pinned -= one(origin)
    elif not count(own, origin) and count(enemy_pinned, BAR - origin):
        enemy_pinned -= one(BAR - origin)
    meets = count(enemy, BAR - target) if OFF < target < BAR else 0
    if meets == 1 and not count(own, target):
        if pins:
            enemy_pinned += one(BAR - target)
        else:
            enemy += one(BAR) - one(BAR - target)
    own += one(target)
    moved = seen_by(side, own, enemy, own_pinned, enemy_pinned)
    return moved.with_mover(position.mover)
