"""Why an attempted action of Cannon is not legal."""

from __future__ import annotations

from pi_app.rules.cannon.actions import REACH, bearings, gunners
from pi_app.rules.cannon.board import (
    FORWARD,
    OFF,
    POINT,
    SIDEWAYS,
    SPOT,
    TOWN_POINTS,
    Direction,
    Points,
    beside,
    course,
    each,
    names,
    shift,
)
from pi_app.rules.cannon.position import CannonPosition, name_side
from pi_app.rules.cannon.rulebook import (
    BACKWARD,
    BACKWARD_CAPTURE,
    FAR,
    FRONT_TAKEN,
    JUMPED,
    NO_CANNON,
    NO_ENEMY,
    NOBODY,
    NOT_YOURS,
    OFF_BOARD,
    OWN_PIECE,
    SHOT_FAR,
    SHOT_STAYS,
    SIDEWAYS_STEP,
    SLIDE_TAKES,
    TAKEN,
    THREE_SLIDES,
    TOWN_FIRST,
    TOWN_ROW,
    TOWN_STAYS,
)
from pi_app.rules.cannon.slides import has_slid_enough, slide_of
from pi_app.rules.naming import name_move, name_spot
from pi_app.rules.terms import Broken, Move, Side
from pi_app.sentences import Sentence

NOT_ON_BOARD = Sentence("{spot} is not a point of the board; it has a1 to j10")
PLACES_FIRST = Sentence("{side} places a town on {first} to {last} first")
GOES_ON = Sentence("{side}'s town goes on {first} to {last}, not {spot}")
WAS_TAKEN = Sentence("{way}: a piece that was taken stays off the board")
OWN_STANDS = Sentence("{way}: a piece of the same side stands on {point}")
OTHERS_PIECE = Sentence("The piece on {point} is {owner}'s; it is {side}'s turn")
TOWN_RESTS = Sentence("{way}: a town does not move")
NOBODY_ON = Sentence("No piece stands on {point}")
LEAVES_TAKEN = Sentence("{way}: a soldier leaves only when it is taken")
TO_SHOOT = Sentence("To shoot, take {target} away and leave {origin}")
NOT_IN_LINE = Sentence("No cannon of {side}'s is in line with {point}")
OUT_OF_REACH = Sentence(
    "{point} is {distance} points from the cannon on {cannon}; a shot strikes 2 or 3"
)
MUZZLED = Sentence("{point}, the point in front of the cannon on {cannon}, is taken")
NO_LINE = Sentence("{way} follows no line of the board")
TOO_FAR_BACK = Sentence("{way} is {distance} points; a retreat is 2")
TOO_FAR = Sentence("{way} is {distance} points; a soldier goes 1, a cannon slides 3")
ONLY_CAPTURES = Sentence("{way}: a soldier goes sideways only to capture")
CAPTURES_BACK = Sentence("{way}: a soldier does not capture backward")
ONE_POINT_BACK = Sentence("{way} goes back one point; a retreat is two")
RETREAT_CAPTURES = Sentence("{way}: a retreat does not capture")
IN_BETWEEN = Sentence("{way}: {point} in between is taken")
NO_ENEMY_NEAR = Sentence("{way}: no enemy stands next to {point}")
TAKES_A_CANNON = Sentence("{way} is 3 points; that takes a cannon")
TAKES_A_CANNON_ON = Sentence("{way} is 3 points; that takes a cannon on {cannon}")
SLIDE_CAPTURES = Sentence("{way}: a slide does not capture")
HAS_SLID = Sentence("The cannon on {cannon} has slid 3 times in a row")


def why_not(position: CannonPosition, move: Move) -> Broken | None:
    """The first rule that one move breaks, in the order a referee would see it."""
    for spot in (move.origin, move.target):
        if spot not in POINT and spot not in OFF.values():
            return Broken(OFF_BOARD, NOT_ON_BOARD(spot=str(spot)))
    if placing := position.placing:
        return _bad_town(position, placing, move)
    if move.origin not in POINT:
        return Broken(TAKEN, WAS_TAKEN(way=name_move(move)))
    return _bad_origin(position, move) or _bad_action(position, move)


def unmade(move: Move) -> Broken:
    """What is wrong when no piece can make a move at all because its own side stands there."""
    reason = OWN_STANDS(way=name_move(move), point=name_spot(move.target))
    return Broken(OWN_PIECE, reason)


def _bad_town(position: CannonPosition, placing: Side, move: Move) -> Broken | None:
    """Rule 1: nothing moves until both towns stand."""
    name = name_side(placing)
    row = TOWN_POINTS[placing]
    first, *_, last = (name_spot(SPOT[point]) for point in each(row))
    if placing is not position.mover or move.origin != OFF[placing]:
        return Broken(TOWN_FIRST, PLACES_FIRST(side=name, first=first, last=last))
    if not POINT.get(move.target, 0) & row:
        reason = GOES_ON(side=name, first=first, last=last, spot=name_spot(move.target))
        return Broken(TOWN_ROW, reason)
    return None


def _bad_origin(position: CannonPosition, move: Move) -> Broken | None:
    """Whose piece it is, and whether it may go anywhere."""
    side, point = position.mover, POINT[move.origin]
    own, foe = position.army(side), position.army(side.other)
    if point & foe.pieces:
        if move.target == OFF[side.other]:
            return None
        where, owner = name_spot(move.origin), name_side(side.other)
        return Broken(NOT_YOURS, OTHERS_PIECE(point=where, owner=owner, side=name_side(side)))
    if point & own.town:
        return Broken(TOWN_STAYS, TOWN_RESTS(way=name_move(move)))
    if not point & own.soldiers:
        return Broken(NOBODY, NOBODY_ON(point=name_spot(move.origin)))
    if move.target not in POINT:
        return Broken(OFF_BOARD, LEAVES_TAKEN(way=name_move(move)))
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
        shot, gunner = name_spot(move.target), name_spot(move.origin)
        return Broken(SHOT_STAYS, TO_SHOOT(target=shot, origin=gunner))
    return broken


def _bad_shot(position: CannonPosition, target: Points) -> Broken | None:
    """The cannon that comes nearest to shooting at an enemy decides what is said."""
    if gunners(position, target):
        return None
    where = name_spot(SPOT[target])
    found = list(bearings(position.army(position.mover).soldiers, target))
    if not found:
        return Broken(NO_CANNON, NOT_IN_LINE(side=name_side(position.mover), point=where))
    nearest = min(found, key=lambda bearing: bearing.distance)
    cannon = names(nearest.cannon)
    if nearest.distance > max(REACH):
        reason = OUT_OF_REACH(point=where, distance=nearest.distance, cannon=cannon)
        return Broken(SHOT_FAR, reason)
    front = name_spot(SPOT[nearest.muzzle])
    return Broken(FRONT_TAKEN, MUZZLED(point=front, cannon=cannon))


def _bad_way(position: CannonPosition, move: Move) -> Broken | None:
    """An own soldier to a point where its own side does not stand: its way, then what is there."""
    way = course(POINT[move.origin], POINT[move.target])
    if way is None:
        return Broken(FAR, NO_LINE(way=name_move(move)))
    step, distance = way
    if distance == 3:
        return _bad_slide(position, move)
    back = -step in FORWARD[position.mover]
    if distance == 1:
        return _bad_step(position, step, move)
    if distance == 2 and back:
        return _bad_retreat(position, step, move)
    too_far = TOO_FAR_BACK if back else TOO_FAR
    return Broken(FAR, too_far(way=name_move(move), distance=distance))


def _bad_step(position: CannonPosition, step: Direction, move: Move) -> Broken | None:
    takes = bool(POINT[move.target] & position.army(position.mover.other).pieces)
    if step in FORWARD[position.mover]:
        return None
    if step in SIDEWAYS:
        return None if takes else Broken(SIDEWAYS_STEP, ONLY_CAPTURES(way=name_move(move)))
    if takes:
        return Broken(BACKWARD_CAPTURE, CAPTURES_BACK(way=name_move(move)))
    return Broken(BACKWARD, ONE_POINT_BACK(way=name_move(move)))


def _bad_retreat(position: CannonPosition, step: Direction, move: Move) -> Broken | None:
    own, foe = (position.army(side) for side in (position.mover, position.mover.other))
    origin, target = POINT[move.origin], POINT[move.target]
    way, passed = name_move(move), Points(shift(origin, step))
    if target & foe.pieces:
        return Broken(BACKWARD_CAPTURE, RETREAT_CAPTURES(way=way))
    if passed & (own.pieces | foe.pieces):
        return Broken(JUMPED, IN_BETWEEN(way=way, point=name_spot(SPOT[passed])))
    if not beside(origin) & foe.pieces:
        return Broken(NO_ENEMY, NO_ENEMY_NEAR(way=way, point=name_spot(move.origin)))
    return None


def _bad_slide(position: CannonPosition, move: Move) -> Broken | None:
    """Three points away: only the rear soldier of a cannon comes there, past its front."""
    own, foe = (position.army(side) for side in (position.mover, position.mover.other))
    slide = slide_of(move)
    if slide is None or slide[0] & ~own.soldiers:
        way = name_move(move)
        needs = TAKES_A_CANNON_ON(way=way, cannon=names(slide[0])) if slide else None
        return Broken(NO_CANNON, needs or TAKES_A_CANNON(way=way))
    if POINT[move.target] & foe.pieces:
        return Broken(SLIDE_TAKES, SLIDE_CAPTURES(way=name_move(move)))
    if has_slid_enough(position, move):
        return Broken(THREE_SLIDES, HAS_SLID(cannon=names(slide[0])))
    return None
