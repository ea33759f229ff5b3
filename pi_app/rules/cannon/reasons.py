"""Why an attempted action of Cannon is not legal; the rules by number are in `cannon`."""

from __future__ import annotations

from pi_app.rules.cannon.actions import REACH, bearings, gunners
from pi_app.rules.cannon.board import (
    FORWARD,
    OFF,
    POINT,
    SIDEWAYS,
    SPOT,
    TOWN_POINTS,
    Points,
    Step,
    beside,
    course,
    each,
    names,
    shift,
)
from pi_app.rules.cannon.position import CannonPosition, name_side
from pi_app.rules.cannon.slides import has_slid_enough, slide_of
from pi_app.rules.terms import Broken, Move, Rule, Side


def _rule(identifier: str, number: int, sentence: str) -> Rule:
    return Rule(identifier, sentence, f"sheet 003, rule {number}")


TOWN_FIRST = _rule("town-first", 1, "Both towns are placed before a soldier moves.")
TOWN_ROW = _rule("town-row", 1, "A town is placed in the row behind its soldiers, not in a corner.")
TOWN_STAYS = _rule("town-does-not-move", 1, "A town does not move.")
ONE_ACTION = _rule("one-action", 2, "A turn is one move or one capture.")
MUST_ACT = _rule("must-act", 2, "A player must act; passing is not allowed.")
NOBODY = _rule("no-piece-there", 2, "A move begins where a piece stands.")
NOT_YOURS = _rule("not-your-piece", 2, "A player moves only his own soldiers.")
OWN_PIECE = _rule("own-piece", 3, "A soldier never goes to a point where its own side stands.")
FAR = _rule("soldier-too-far", 3, "A soldier goes one point, two to retreat, three in a slide.")
SIDEWAYS_STEP = _rule("sideways", 3, "A soldier goes sideways only to capture.")
BACKWARD = _rule("backward", 3, "A soldier goes back only by a retreat of two points.")
BACKWARD_CAPTURE = _rule("backward-capture", 4, "A soldier does not capture backward.")
OFF_BOARD = _rule("off-the-board", 4, "A piece leaves the board only when the other side takes it.")
TAKEN = _rule("taken-is-final", 4, "A piece that was taken stays off the board.")
NO_ENEMY = _rule("no-enemy-beside", 5, "A soldier retreats only from an enemy on the next point.")
JUMPED = _rule("retreat-blocked", 5, "The point that a retreat passes over is empty.")
NO_CANNON = _rule(
    "no-cannon", 6, "A cannon is three soldiers of a side on adjacent points in line."
)
SLIDE_TAKES = _rule("slide-does-not-capture", 6, "A slide ends on an empty point.")
FRONT_TAKEN = _rule("front-taken", 7, "The point in front of a cannon that shoots is empty.")
SHOT_FAR = _rule("shot-too-far", 7, "A shot strikes two or three points from the cannon's front.")
SHOT_STAYS = _rule("shot-moves-nothing", 7, "A shot takes an enemy away and moves nothing.")
OVER = _rule("game-over", 8, "A game ends when a town is taken or a player cannot act.")
THREE_SLIDES = _rule("three-slides", 9, "A cannon slides at most three times in a row.")

RULES = (
    TOWN_FIRST,
    TOWN_ROW,
    TOWN_STAYS,
    ONE_ACTION,
    MUST_ACT,
    NOBODY,
    NOT_YOURS,
    OWN_PIECE,
    FAR,
    SIDEWAYS_STEP,
    BACKWARD,
    BACKWARD_CAPTURE,
    OFF_BOARD,
    TAKEN,
    NO_ENEMY,
    JUMPED,
    NO_CANNON,
    SLIDE_TAKES,
    FRONT_TAKEN,
    SHOT_FAR,
    SHOT_STAYS,
    OVER,
    THREE_SLIDES,
)


def why_not(position: CannonPosition, move: Move) -> Broken | None:
    """The first rule that one move breaks, in the order a referee would see it."""
    for spot in (move.origin, move.target):
        if spot not in POINT and spot not in OFF.values():
            return Broken(OFF_BOARD, f"{spot} is not a point of the board; it has a1 to j10")
    if placing := position.placing:
        return _bad_town(position, placing, move)
    if move.origin not in POINT:
        return Broken(TAKEN, f"{_way(move)}: a piece that was taken stays off the board")
    return _bad_origin(position, move) or _bad_action(position, move)


def unmade(move: Move) -> Broken:
    """What is wrong when no piece can make a move at all because its own side stands there."""
    return Broken(OWN_PIECE, f"{_way(move)}: a piece of the same side stands on {move.target}")


def _way(move: Move) -> str:
    return f"{move.origin.name} → {move.target.name}"


def _bad_town(position: CannonPosition, placing: Side, move: Move) -> Broken | None:
    """Rule 1: nothing moves until both towns stand."""
    name = name_side(placing)
    row = TOWN_POINTS[placing]
    first, *_, last = (SPOT[point] for point in each(row))
    if placing is not position.mover or move.origin != OFF[placing]:
        return Broken(TOWN_FIRST, f"{name} places a town on {first} to {last} first")
    if not POINT.get(move.target, 0) & row:
        reason = f"{name}'s town goes on {first} to {last}, not {move.target.name}"
        return Broken(TOWN_ROW, reason)
    return None


def _bad_origin(position: CannonPosition, move: Move) -> Broken | None:
    """Whose piece it is, and whether it may go anywhere."""
    side, point = position.mover, POINT[move.origin]
    own, foe = position.army(side), position.army(side.other)
    if point & foe.pieces:
        if move.target == OFF[side.other]:
            return None
        owner = name_side(side.other)
        return Broken(
            NOT_YOURS, f"The piece on {move.origin} is {owner}'s; it is {name_side(side)}'s turn"
        )
    if point & own.town:
        return Broken(TOWN_STAYS, f"{_way(move)}: a town does not move")
    if not point & own.soldiers:
        return Broken(NOBODY, f"No piece stands on {move.origin}")
    if move.target not in POINT:
        return Broken(OFF_BOARD, f"{_way(move)}: a soldier leaves only when it is taken")
    return None


def _bad_action(position: CannonPosition, move: Move) -> Broken | None:
    """A shot at an enemy, or what an own soldier does."""
    if move.target not in POINT:
        return _bad_shot(position, POINT[move.origin])
    own = position.army(position.mover)
    target = POINT[move.target]
    if target & own.pieces:
        return unmade(move)
    broken = _bad_way(position, move)
    if broken and any(POINT[move.origin] & cannon for cannon in gunners(position, target)):
        return Broken(SHOT_STAYS, f"To shoot, take {move.target} away and leave {move.origin}")
    return broken


def _bad_shot(position: CannonPosition, target: Points) -> Broken | None:
    """The cannon that comes nearest to shooting at an enemy decides what is said."""
    if gunners(position, target):
        return None
    where, name = SPOT[target], name_side(position.mover)
    found = list(bearings(position.army(position.mover).soldiers, target))
    if not found:
        return Broken(NO_CANNON, f"No cannon of {name}'s is in line with {where}")
    nearest = min(found, key=lambda bearing: bearing.distance)
    cannon = names(nearest.cannon)
    if nearest.distance > max(REACH):
        reason = f"{where} is {nearest.distance} points from the cannon on {cannon}"
        return Broken(SHOT_FAR, f"{reason}; a shot strikes 2 or 3")
    front = SPOT[nearest.muzzle]
    return Broken(FRONT_TAKEN, f"{front}, the point in front of the cannon on {cannon}, is taken")


def _bad_way(position: CannonPosition, move: Move) -> Broken | None:
    """An own soldier to a point where its own side does not stand: its way, then what is there."""
    way = course(POINT[move.origin], POINT[move.target])
    if way is None:
        return Broken(FAR, f"{_way(move)} follows no line of the board")
    step, distance = way
    if distance == 3:
        return _bad_slide(position, move)
    back = -step in FORWARD[position.mover]
    if distance == 1:
        return _bad_step(position, step, move)
    if distance == 2 and back:
        return _bad_retreat(position, step, move)
    return Broken(FAR, f"{_way(move)} is {distance} points; {_may(back)}")


def _may(back: bool) -> str:
    return "a retreat is 2" if back else "a soldier goes 1, a cannon slides 3"


def _bad_step(position: CannonPosition, step: Step, move: Move) -> Broken | None:
    takes = bool(POINT[move.target] & position.army(position.mover.other).pieces)
    if step in FORWARD[position.mover]:
        return None
    if step in SIDEWAYS:
        reason = f"{_way(move)}: a soldier goes sideways only to capture"
        return None if takes else Broken(SIDEWAYS_STEP, reason)
    if takes:
        return Broken(BACKWARD_CAPTURE, f"{_way(move)}: a soldier does not capture backward")
    return Broken(BACKWARD, f"{_way(move)} goes back one point; a retreat is two")


def _bad_retreat(position: CannonPosition, step: Step, move: Move) -> Broken | None:
    own, foe = (position.army(side) for side in (position.mover, position.mover.other))
    origin, target = POINT[move.origin], POINT[move.target]
    passed = Points(shift(origin, step))
    if target & foe.pieces:
        return Broken(BACKWARD_CAPTURE, f"{_way(move)}: a retreat does not capture")
    if passed & (own.pieces | foe.pieces):
        return Broken(JUMPED, f"{_way(move)}: {SPOT[passed]} in between is taken")
    if not beside(origin) & foe.pieces:
        return Broken(NO_ENEMY, f"{_way(move)}: no enemy stands next to {move.origin}")
    return None


def _bad_slide(position: CannonPosition, move: Move) -> Broken | None:
    """Three points away: only the rear soldier of a cannon comes there, past its front."""
    own, foe = (position.army(side) for side in (position.mover, position.mover.other))
    slide = slide_of(move)
    if slide is None or slide[0] & ~own.soldiers:
        needed = f" on {names(slide[0])}" if slide else ""
        return Broken(NO_CANNON, f"{_way(move)} is 3 points; that takes a cannon{needed}")
    if POINT[move.target] & foe.pieces:
        return Broken(SLIDE_TAKES, f"{_way(move)}: a slide does not capture")
    if has_slid_enough(position, move):
        return Broken(THREE_SLIDES, f"The cannon on {names(slide[0])} has slid 3 times in a row")
    return None
