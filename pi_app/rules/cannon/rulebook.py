"""Cannon's sheet, its rules, and which of them an attempt breaks."""

from __future__ import annotations

from pi_app.rules.cannon.actions import REACH, bearings, gunners, has_slid_enough, slide_of
from pi_app.rules.cannon.position import (
    FORWARD,
    OFF,
    POINT,
    SIDEWAYS,
    SPOT,
    TOWN_POINTS,
    CannonPosition,
    Direction,
    Points,
    beside,
    course,
    each,
    name_side,
    names,
    shift,
)
from pi_app.rules.naming import name_move, name_spot
from pi_app.rules.terms import Broken, Example, Move, Rule, Sheet, Side
from pi_app.words.sentences import Sentence

START = (
    "....O...../.o.o.o.o.o/.o.o.o.o.o/.o.o.o.o.o/........../........../x.x.x.x.x./x.x.x.x.x./"
    "x.x.x.x.x./....X..... L"
)
MIDDLE = (
    "....Oo..../.....o...o/.o.o...oo./..o.o..oo./ox....xo../.xox.x...x/xx..x...xx/..x.xx.x../"
    "........../....X..... L"
)
TOWN_IN_REACH = (
    "....Oo..../.....o...o/.o.o...oo./..o.o..oo./ox....xo../.xox.x...x/xx..x...xx/..x.xx.x../"
    "...o....../....X..... L"
)
EXAMPLES = (
    Example(1, Sentence("The start, when both towns have been placed."), START),
    Example(2, Sentence("Light has made a move; now Dark has to."), START, play="d7-d6"),
    Example(3, Sentence("A step, diagonally forward."), MIDDLE, play="e7-d6"),
    Example(3, Sentence("A single soldier never steps backward."), MIDDLE, attempt="b8-b9"),
    Example(4, Sentence("A capture sideways."), MIDDLE, play="c5xd5"),
    Example(
        5, Sentence("Enemies stand next to it: it retreats two points."), MIDDLE, play="a6--c8"
    ),
    Example(6, Sentence("The rear soldier slides to the cannon's front."), MIDDLE, play="h8---h5"),
    Example(7, Sentence("The three in line shoot; nothing moves."), MIDDLE, play="xh3"),
    Example(8, Sentence("A soldier takes the town, and Light wins."), TOWN_IN_REACH, play="d2xe1"),
    Example(
        9,
        Sentence("After three such slides another has to act."),
        MIDDLE,
        play="h6---h9",
    ),
)
SHEET = Sheet(
    Sentence("CANNON by David Whitcher"),
    (
        Sentence(
            "Light's soldiers stand on every second file in rows 9 to 7, Dark's on the others in"
            " rows 4 to 2. Light places a town in row 10, then Dark one in row 1, no corner. A town"
            " does not move. Light begins; Light moves down, Dark up."
        ),
        Sentence("A turn is one move or one capture; nobody may pass."),
        Sentence("A soldier steps to an empty point next to it, forward or diagonally forward."),
        Sentence(
            "A soldier captures by displacement on a point next to it, forward, diagonally or"
            " sideways."
        ),
        Sentence(
            "A soldier next to an enemy, a town too, may retreat two points straight or diagonally"
            " back when both are empty."
        ),
        Sentence(
            "Three soldiers on adjacent points in line are a cannon. It slides along its line,"
            " either way: its rear soldier goes to the empty point beyond its front."
        ),
        Sentence(
            "A cannon shoots an enemy two or three points from its front in line, and nothing"
            " moves. The point in front of it must be empty; the sheet asks for no more, so the"
            " next may be taken."
        ),
        Sentence(
            "Taking the other town wins, and so does leaving the other side without anything to do."
        ),
        Sentence(
            "In tournaments the same cannon slides no more than three times in a row without an"
            " action of another cannon or a single soldier. Off unless asked for."
        ),
    ),
    EXAMPLES,
)


def _rule(identifier: str, number: int, sentence: Sentence) -> Rule:
    return Rule(identifier, sentence(), SHEET, number)


TOWN_FIRST = _rule("town-first", 1, Sentence("Both towns are placed before a soldier moves."))
TOWN_ROW = _rule(
    "town-row", 1, Sentence("A town is placed in the row behind its soldiers, not in a corner.")
)
TOWN_STAYS = _rule("town-does-not-move", 1, Sentence("A town does not move."))
ONE_ACTION = _rule("one-action", 2, Sentence("A turn is one move or one capture."))
MUST_ACT = _rule("must-act", 2, Sentence("A player must act; passing is not allowed."))
NOBODY = _rule("no-piece-there", 2, Sentence("A move begins where a piece stands."))
NOT_YOURS = _rule("not-your-piece", 2, Sentence("A player moves only his own soldiers."))
OWN_PIECE = _rule(
    "own-piece", 3, Sentence("A soldier never goes to a point where its own side stands.")
)
FAR = _rule(
    "soldier-too-far", 3, Sentence("A soldier goes one point, two to retreat, three in a slide.")
)
SIDEWAYS_STEP = _rule("sideways", 3, Sentence("A soldier goes sideways only to capture."))
BACKWARD = _rule("backward", 3, Sentence("A soldier goes back only by a retreat of two points."))
BACKWARD_CAPTURE = _rule("backward-capture", 4, Sentence("A soldier does not capture backward."))
OFF_BOARD = _rule(
    "off-the-board", 4, Sentence("A piece leaves the board only when the other side takes it.")
)
TAKEN = _rule("taken-is-final", 4, Sentence("A piece that was taken stays off the board."))
NO_ENEMY = _rule(
    "no-enemy-beside", 5, Sentence("A soldier retreats only from an enemy on the next point.")
)
JUMPED = _rule("retreat-blocked", 5, Sentence("The point that a retreat passes over is empty."))
NO_CANNON = _rule(
    "no-cannon", 6, Sentence("A cannon is three soldiers of a side on adjacent points in line.")
)
SLIDE_TAKES = _rule("slide-does-not-capture", 6, Sentence("A slide ends on an empty point."))
FRONT_TAKEN = _rule(
    "front-taken", 7, Sentence("The point in front of a cannon that shoots is empty.")
)
SHOT_FAR = _rule(
    "shot-too-far", 7, Sentence("A shot strikes two or three points from the cannon's front.")
)
SHOT_STAYS = _rule(
    "shot-moves-nothing", 7, Sentence("A shot takes an enemy away and moves nothing.")
)
OVER = _rule("game-over", 8, Sentence("A game ends when a town is taken or a player cannot act."))
THREE_SLIDES = _rule("three-slides", 9, Sentence("A cannon slides at most three times in a row."))

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
