"""Cannon: a hundred points, fifteen soldiers and a town a side, no dice.

Source: "CANNON" by David Whitcher; cited by the numbers of its `rulebook`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache

from pi_app.rules.cannon.actions import (
    REACH,
    SoldierChange,
    actions,
    bearings,
    can_step,
    gunners,
    has_slid_enough,
    results_of,
    slid_after,
    slide_of,
)
from pi_app.rules.cannon.position import (
    FORWARD,
    LIGHT_AND_DARK,
    NOWHERE,
    OFF,
    PIECES,
    POINT,
    POINTS,
    SIDEWAYS,
    SOLDIERS,
    SPOT,
    STARTING,
    TOWN_HEIGHT,
    TOWN_POINTS,
    Army,
    CannonPosition,
    Direction,
    Points,
    beside,
    checkers_at,
    counts,
    course,
    draw,
    each,
    impossible,
    name_side,
    names,
    place,
    read_position,
    shift,
    write_position,
    write_slid,
)
from pi_app.rules.contract import Game, Opening, Option
from pi_app.rules.naming import SINGLE_GAME, name_move, name_outcomes, name_spot
from pi_app.rules.terms import (
    Broken,
    Example,
    IllegalPlayError,
    Move,
    Outcome,
    Play,
    PositionError,
    Roll,
    Rule,
    Sheet,
    Side,
    Spot,
    TextError,
)
from pi_app.words.sentences import Said, Sentence, Written
from pi_app.words.texts import quoted

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
    Example(1, Sentence("The start, with both towns placed."), START),
    Example(2, Sentence("Light has moved; now Dark must move."), START, play="d7-d6"),
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
        Sentence("After three such slides another piece must act."),
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
            "A cannon shoots an enemy two or three points from its front in line, and "
            "nothing moves. The point in front of it must be empty; the next one may be "
            "occupied."
        ),
        Sentence("A side wins when it takes the enemy's town or when the enemy cannot act."),
        Sentence(
            "Optional, for tournaments: the same cannon slides at most three times in a "
            "row, until another cannon or a single soldier acts."
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
FOURTH_SLIDE = _rule("three-slides", 9, Sentence("A cannon slides at most three times in a row."))

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
    FOURTH_SLIDE,
)


NOT_ON_BOARD = Sentence("{spot} is not a point of the board; it has a1 to j10")
PLACES_FIRST = Sentence("{side} places a town on {first} to {last} first")
GOES_ON = Sentence("{side}'s town belongs on {first} to {last}, not {spot}")
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
    """The first rule that one move breaks, in a referee's order."""
    for spot in (move.origin, move.target):
        if spot not in POINT and spot not in OFF.values():
            return Broken(OFF_BOARD, NOT_ON_BOARD(spot=str(spot)))
    if placing := position.placing:
        return _bad_town(position, placing, move)
    if move.origin not in POINT:
        return Broken(TAKEN, WAS_TAKEN(way=name_move(move)))
    return _bad_origin(position, move) or _bad_action(position, move)


def unmade(move: Move) -> Broken:
    """The error for a move onto a point of the mover's own side."""
    reason = OWN_STANDS(way=name_move(move), point=name_spot(move.target))
    return Broken(OWN_PIECE, reason)


def _bad_town(position: CannonPosition, placing: Side, move: Move) -> Broken | None:
    """Rule 1: nothing moves until both towns are placed."""
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
    """Check whose piece it is and whether it can move."""
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
    """Check a shot, or the move of one of the mover's soldiers."""
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
    """The cannon closest to reaching the target decides the message."""
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
    """Check an own soldier's path, then its target."""
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
    """Only the rear soldier of a cannon moves three points, to just beyond its front."""
    own, foe = (position.army(side) for side in (position.mover, position.mover.other))
    slide = slide_of(move)
    if slide is None or slide[0] & ~own.soldiers:
        way = name_move(move)
        needs = TAKES_A_CANNON_ON(way=way, cannon=names(slide[0])) if slide else None
        return Broken(NO_CANNON, needs or TAKES_A_CANNON(way=way))
    if POINT[move.target] & foe.pieces:
        return Broken(SLIDE_TAKES, SLIDE_CAPTURES(way=name_move(move)))
    if has_slid_enough(position, move):
        return Broken(FOURTH_SLIDE, HAS_SLID(cannon=names(slide[0])))
    return None


FORFEIT = "forfeit"
THREE_SLIDES = Option("three slides", Sentence("No fourth slide in a row"))
"""The tournament option, rule 9."""
LONGEST = 3
"""Points from the origin to the target of a slide; no action goes farther."""

_POINT = "[a-j](?:10|[1-9])"
_MOVE = re.compile(rf"({_POINT})(?:-{{1,3}}|x)({_POINT})")
_SHOT = re.compile(rf"x({_POINT})")
_TOWN = re.compile(rf"@({_POINT})")

TOWN_TAKEN = Sentence("Game over: {side}'s town was taken")
CANNOT_ACT = Sentence("Game over: {side} cannot act")
SEVERAL_MOVED = Sentence("Only one action a turn")
NOBODY_PASSES = Sentence("{side} must act; no passing")
CANNOT_BE_TAKEN = Sentence("No piece can be taken from {spot}")
TOWN_AT, SHOT_AT = Sentence("town at {point}"), Sentence("shot at {point}")
TO_ITS_BOX = Sentence("{side}'s pieces leave the board to {side}'s box")


class Cannon(Game[CannonPosition, Play]):
    """`three_slides` turns the tournament rule on (rule 9).

    A play is one move of the hand: a shot takes the enemy to its box, a town comes out of its own.
    It is none at all only while the mover waits for the other side's town.
    """

    name = "cannon"
    title = Sentence("Cannon")()
    side_names = LIGHT_AND_DARK
    dice = 0
    opening = Opening.NO_THROW
    match_length = 3
    options = (THREE_SLIDES,)
    sheet = SHEET
    rules = RULES
    outcome_names = name_outcomes(Sentence("town taken"), Sentence("no action left"))
    checkers_a_side = PIECES
    tallest = TOWN_HEIGHT
    spots = (*POINTS, *OFF.values())

    def __init__(self, three_slides: bool = False) -> None:
        self._three_slides = three_slides

    def under(self, agreed: Collection[str]) -> Cannon:
        """At most three slides in a row, if agreed (rule 9)."""
        return Cannon(three_slides=THREE_SLIDES.name in agreed)

    def start(self, mover: Side) -> CannonPosition:
        """Rule 1: the soldiers stand, the mover places the first town."""
        light, dark = (Army(STARTING[side], NOWHERE) for side in Side)
        return CannonPosition(light, dark, mover)

    def plays(self, position: CannonPosition, roll: Roll) -> tuple[Play, ...]:
        """Rules 1 to 7, and 9 if agreed; one play per target of a shot."""
        if position.placing:
            return _town_plays(position)
        return tuple((_move(position, action),) for action in self._actions(position))

    def results(self, position: CannonPosition, roll: Roll) -> tuple[CannonPosition, ...]:
        """The position after each play, without building the plays."""
        if position.placing or self._three_slides:
            return tuple(self.after(position, play) for play in self.plays(position, roll))
        return tuple(results_of(position, self._actions(position)))

    def attempted(self, position: CannonPosition, attempt: tuple[Move, ...]) -> CannonPosition:
        """The same for moves that may be illegal; raises IllegalPlayError for impossible ones.

        A town that was moved may stand where no position text may have it.
        """
        before = position
        for move in attempt:
            side, lifted, is_town = _lifted(position, move)
            position = _dropped(position, side, lifted, is_town, move)
        slid = slid_after(before, attempt, position) if self._three_slides else ()
        return replace(position, mover=before.mover.other, slid=slid)

    def outcome(self, position: CannonPosition) -> Outcome | None:
        """Rule 8."""
        if position.taken:
            return Outcome(position.taken.other, 1, "town taken")
        if not (position.placing or can_step(position) or self._actions(position)):
            return Outcome(position.mover.other, 1, "no action left")
        return None

    def resignations(self, position: CannonPosition, side: Side) -> Mapping[int, Said]:
        """Rule 8: a game is a game."""
        return {1: SINGLE_GAME}

    def explain(
        self, position: CannonPosition, roll: Roll, attempt: tuple[Move, ...]
    ) -> Broken | None:
        """The first broken rule, in a referee's order."""
        if position.taken:
            return Broken(OVER, TOWN_TAKEN(side=name_side(position.taken)))
        if len(attempt) > 1:
            return Broken(ONE_ACTION, SEVERAL_MOVED())
        if attempt:
            return why_not(position, attempt[0])
        if position.placing is position.mover.other:
            return None
        name = name_side(position.mover)
        if self.outcome(position):
            return Broken(OVER, CANNOT_ACT(side=name))
        return Broken(MUST_ACT, NOBODY_PASSES(side=name))

    def checkers_at(self, position: CannonPosition) -> Mapping[Spot, tuple[Side, ...]]:
        """All points and both boxes; a town counts as two, stacked."""
        return checkers_at(position)

    def counts(self, position: CannonPosition) -> tuple[int, ...]:
        return counts(position)

    def hit_to(self, side: Side) -> Spot:
        """The side's box."""
        return OFF[side]

    def position_of(self, checkers: Mapping[Spot, tuple[Side, ...]], mover: Side) -> CannonPosition:
        """The boxes hold the missing pieces."""
        return place(checkers, mover)

    def impossible(self, position: CannonPosition, before: CannonPosition) -> tuple[str, ...]:
        """A town cannot be missing before it was placed."""
        return impossible(position, before)

    def read_position(self, text: str) -> CannonPosition:
        """Read rows 10 to 1 and the mover, and the cannons that slid last where rule 9 holds."""
        position = read_position(text)
        if position.slid and not self._three_slides:
            counted = " ".join(write_slid(slid) for slid in position.slid)
            reason = f"slides count under the tournament rule only; leave out {quoted(counted)}"
            raise PositionError(text, (reason,))
        return position

    def write_position(self, position: CannonPosition) -> str:
        return write_position(position)

    def read_play(self, position: CannonPosition, text: str) -> Play:
        """Read `b4-b5` (as many dashes as points), `b4xc5`, a shot `xe7`, a town `@e10`."""
        written = text.strip().lower()
        mover, foe = position.mover, position.army(position.mover.other)
        if written == FORFEIT:
            return ()
        if town := _TOWN.fullmatch(written):
            return (Move(OFF[mover], Spot.read(town[1])),)
        if shot := _SHOT.fullmatch(written):
            return (Move(Spot.read(shot[1]), OFF[mover.other]),)
        if move := _MOVE.fullmatch(written):
            target = Spot.read(move[2])
            return (Move(Spot.read(move[1]), target, bool(POINT[target] & foe.pieces)),)
        raise TextError(f"play {quoted(text)}: write b4-b5, b4xc5, a shot as xe7 or a town as @e10")

    def write_play(self, play: Play) -> str:
        """The text that read_play takes: step b4-b5, retreat b4--b2, slide b4---b7.

        People read "town at e10", "shot at h3", and one dash in every move.
        """
        if not play:
            return FORFEIT
        (move,) = play
        return _written(move)

    def draw(self, position: CannonPosition) -> str:
        """The board as Dark sees it."""
        return draw(position)

    def _actions(self, position: CannonPosition) -> list[SoldierChange]:
        if position.taken:
            return []
        found = actions(position)
        if not self._three_slides:
            return found
        return [a for a in found if not has_slid_enough(position, _move(position, a))]


def _town_plays(position: CannonPosition) -> tuple[Play, ...]:
    side = position.mover
    if position.placing is not side:
        return ((),)
    return tuple((Move(OFF[side], SPOT[point]),) for point in each(TOWN_POINTS[side]))


def _move(position: CannonPosition, action: SoldierChange) -> Move:
    """The action as the hand performs it."""
    changed, lost = action
    if not changed:
        return Move(SPOT[lost], OFF[position.mover.other])
    origin = changed & position.army(position.mover).soldiers
    return Move(SPOT[origin], SPOT[changed ^ origin], bool(lost))


@cache
def _written(move: Move) -> str:
    """Cached: the same few moves are written turn after turn."""
    if move.origin in OFF.values():
        return _told(f"@{move.target}", TOWN_AT(point=name_spot(move.target)))
    if move.target in OFF.values():
        return _told(f"x{move.origin}", SHOT_AT(point=name_spot(move.origin)))
    if move.hit:
        return f"{move.origin}x{move.target}"
    return _told(f"{move.origin}{'-' * _dashes(move)}{move.target}", name_move(move))


def _told(text: str, words: Said) -> Written:
    """A play's text, the same for both sides: it uses the board's coordinates."""
    return Written.of(text, words, words, words, by_board=True)


def _dashes(move: Move) -> int:
    way = course(POINT[move.origin], POINT[move.target])
    return min(way[1], LONGEST) if way else 1


def _lifted(position: CannonPosition, move: Move) -> tuple[Side, Army, bool]:
    """The side whose piece is lifted, the rest of its army, and whether it is the town."""
    point = POINT.get(move.origin, NOWHERE)
    for side in Side:
        army = position.army(side)
        if move.origin == OFF[side]:
            if not army.town:
                return side, army, True
            if army.soldiers.bit_count() < SOLDIERS:
                return side, army, False
        if point & army.pieces:
            return side, army.without(point), bool(point & army.town)
    raise IllegalPlayError(Broken(NOBODY, CANNOT_BE_TAKEN(spot=name_spot(move.origin))))


def _dropped(
    position: CannonPosition, side: Side, lifted: Army, is_town: bool, move: Move
) -> CannonPosition:
    """The position after the lifted piece is set down; an enemy there is removed."""
    point = POINT.get(move.target, NOWHERE)
    if point & lifted.pieces:
        raise IllegalPlayError(unmade(move))
    if not point and move.target != OFF[side]:
        raise IllegalPlayError(Broken(OFF_BOARD, TO_ITS_BOX(side=name_side(side))))
    soldiers, town = (NOWHERE, point) if is_town else (point, NOWHERE)
    army = Army(Points(lifted.soldiers | soldiers), Points(lifted.town | town))
    left = position.army(side.other).without(point)
    light, dark = (army, left) if side is Side.WHITE else (left, army)
    return CannonPosition(light, dark, position.mover)
