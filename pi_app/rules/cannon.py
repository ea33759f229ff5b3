"""Cannon: a board of a hundred points; each side has fifteen soldiers and a town; no dice.

Source: "CANNON" by David Whitcher; cited by the numbers of its sheet.

A set of points is an int. Bit i stands for character i of the position text: rows 10 to 1 with a
slash after each. No piece stands on a slash, so a set shifted over the edge of the board lands in
that column and is masked off instead of appearing on the other side. Sets are used instead of lists
of pieces because one shift and one mask move all soldiers at once.

A position's text is `....O…/…/...X… L`: the rows, with `o` and `O` for Light's soldiers and town,
`x` and `X` for Dark's, then the mover, L or D. Under the tournament rule a cannon that has just
slid follows as `b9b7:2`: its two ends, and how often it has slid in a row. A missing town is still
to be placed if all soldiers stand where they started; otherwise it was captured.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import NewType, TypeAlias

from pi_app.base.values import dataclass
from pi_app.rules.contract import Game, Opening, Option
from pi_app.rules.naming import SINGLE_GAME, listed, name_move, name_outcomes, name_spot
from pi_app.rules.terms import (
    Broken,
    Checkers,
    Example,
    IllegalPlayError,
    Move,
    Outcome,
    Play,
    PositionError,
    Roll,
    Sheet,
    Side,
    Spot,
    SpotKind,
    Stack,
    TextError,
    rulebook,
)
from pi_app.words.sentences import Listing, Said, Sentence, Written
from pi_app.words.texts import quoted

Points = NewType("Points", int)
"""A set of points, one bit for each."""

Direction = NewType("Direction", int)
"""The distance between the bits of a point and of one of its eight neighbours."""

FILES = "abcdefghij"
ROWS = range(10, 0, -1)
WIDTH = len(FILES) + 1

NOWHERE = Points(0)
POINTS = tuple(Spot(SpotKind.CROSSING, row, file=file) for row in ROWS for file in FILES)
OFF: Mapping[Side, Spot] = {side: Spot(SpotKind.OFF, side=side) for side in Side}

POINT: Mapping[Spot, Points] = {
    spot: Points(1 << (i // 10 * WIDTH + i % 10)) for i, spot in enumerate(POINTS)
}
SPOT: Mapping[int, Spot] = {point: spot for spot, point in POINT.items()}
BOARD = Points(sum(POINT.values()))

LEFT, RIGHT, UP, DOWN = Direction(-1), Direction(1), Direction(-WIDTH), Direction(WIDTH)
SIDEWAYS = (LEFT, RIGHT)
FORWARD: Mapping[Side, tuple[Direction, ...]] = {
    Side.WHITE: tuple(Direction(DOWN + aside) for aside in (LEFT, 0, RIGHT)),
    Side.BLACK: tuple(Direction(UP + aside) for aside in (LEFT, 0, RIGHT)),
}
BACK: Mapping[Side, tuple[Direction, ...]] = {side: FORWARD[side.other] for side in Side}
AROUND = (*FORWARD[Side.BLACK], *SIDEWAYS, *FORWARD[Side.WHITE])

TOWN_POINTS: Mapping[Side, Points] = {
    side: Points(sum(POINT[Spot(SpotKind.CROSSING, row, file=file)] for file in FILES[1:-1]))
    for side, row in zip(Side, (10, 1), strict=True)
}
"""Where each side may place its town: its back row without the corners."""


def shift(points: int, step: int) -> int:
    """Move every point of a set by a step. Points that leave the board are not masked off."""
    return points << step if step > 0 else points >> -step


def each(points: int) -> Iterator[Points]:
    """Yield the points of a set one by one, from a10 to j1."""
    while points:
        point = points & -points
        yield Points(point)
        points ^= point


def beside(points: int) -> int:
    """Return all neighbours of the points of a set. Neighbours off the board are not masked off."""
    row = points | points << 1 | points >> 1
    return row << WIDTH | row >> WIDTH | points << 1 | points >> 1


def ray(point: Points, step: Direction) -> Iterator[Points]:
    """The points beyond `point` in one direction, up to the board's edge."""
    beyond = shift(point, step) & BOARD
    while beyond:
        yield Points(beyond)
        beyond = shift(beyond, step) & BOARD


def heading(origin: Points, target: Points) -> tuple[Direction, int] | None:
    """Return the direction and the number of steps from one point to another; None unless both lie
    on one row, file or diagonal."""
    row, column = divmod(origin.bit_length() - 1, WIDTH)
    far_row, far_column = divmod(target.bit_length() - 1, WIDTH)
    down, right = far_row - row, far_column - column
    distance = max(abs(down), abs(right))
    if distance == 0 or not {abs(down), abs(right)} <= {0, distance}:
        return None
    return Direction((down * DOWN + right * RIGHT) // distance), distance


def names(points: int) -> Listing:
    """List the points for players: "b4, b5 and b6"."""
    return listed(SPOT[point] for point in each(points))


SOLDIERS = 15
TOWN_HEIGHT = 2
"""A town is a stack of two pieces, so that it looks different from a soldier."""
PIECES = SOLDIERS + TOWN_HEIGHT
MOST_SLIDES = 3

MOVERS: Mapping[str, Side] = {"L": Side.WHITE, "D": Side.BLACK}
SIGNS: Mapping[Side, tuple[str, str]] = {Side.WHITE: ("o", "O"), Side.BLACK: ("x", "X")}
STARTING: Mapping[Side, Points] = {
    side: Points(
        sum(POINT[Spot(SpotKind.CROSSING, row, file=file)] for file in files for row in rows)
    )
    for side, files, rows in (
        (Side.WHITE, FILES[1::2], (7, 8, 9)),
        (Side.BLACK, FILES[0::2], (2, 3, 4)),
    )
}
_BARE_BOARD = "/".join("." * len(FILES) for _ in ROWS)
_POINT = "[a-j](?:10|[1-9])"
_SLID = re.compile(rf"(?:{_POINT}){{2}}:[1-{MOST_SLIDES}]")

LIGHT_AND_DARK = (Sentence("Light")(), Sentence("Dark")())

BOTH_SIDES = Sentence("{point} holds pieces of both sides")
CROWDED = Sentence("{point} holds {count} pieces; one is a soldier, two are a town")
NO_TOWN_YET = Sentence("{side} has no town; it cannot be taken before {side} has placed it")
TWO_TOWNS = Sentence("{side} has {count} towns, on {points}; one at most")
MISPLACED = Sentence("{side}'s town is on {point}; it stands on {first} to {last}")
TOO_MANY = Sentence("{side} has {count} soldiers, {most} at most")
NO_TOWNS = Sentence(
    "neither side has a town; only one can be taken, and towns are placed before a soldier moves"
)


@dataclass(frozen=True, slots=True)
class Army:
    """One side's soldiers and its town; no town before it is placed and after its capture."""

    soldiers: Points
    town: Points

    @property
    def pieces(self) -> Points:
        return Points(self.soldiers | self.town)

    def without(self, points: int) -> Army:
        return Army(Points(self.soldiers & ~points), Points(self.town & ~points))


@dataclass(frozen=True, slots=True)
class Slid:
    """A cannon as a set of three points, and how often it has slid in a row, 1 to 3."""

    cannon: Points
    times: int


@dataclass(frozen=True, slots=True)
class CannonPosition:
    """Both armies and the mover. `slid` has at most one cannon of each side, Light's first."""

    light: Army
    dark: Army
    mover: Side
    slid: tuple[Slid, ...] = ()

    def army(self, side: Side) -> Army:
        return self.light if side is Side.WHITE else self.dark

    @property
    def placing(self) -> Side | None:
        """The side that must place its town now; None if both towns stand."""
        if self.light.town and self.dark.town:
            return None
        towns = (side for side in (self.mover, self.mover.other) if not self.army(side).town)
        return next(towns, None) if self.is_set_up else None

    @property
    def is_set_up(self) -> bool:
        return all(self.army(side).soldiers == STARTING[side] for side in Side)

    @property
    def taken(self) -> Side | None:
        if (self.light.town and self.dark.town) or self.placing:
            return None
        return Side.BLACK if self.light.town else Side.WHITE

    def slid_by(self, side: Side) -> Slid | None:
        """The cannon that this side slid in its last turn; None if it did something else."""
        return next((s for s in self.slid if s.cannon & self.army(side).soldiers), None)


def name_side(side: Side) -> Said:
    """Return Light or Dark."""
    return LIGHT_AND_DARK[side is Side.BLACK]


_NO_CHECKERS: Mapping[Spot, Stack] = dict.fromkeys((*POINTS, *OFF.values()), ())


def _in_box(army: Army) -> int:
    return PIECES - army.soldiers.bit_count() - TOWN_HEIGHT * army.town.bit_count()


def write_slid(slid: Slid) -> str:
    """Write a cannon as `b9b7:2`, its ends in the order of the position's text."""
    first, _, last = (SPOT[point] for point in each(slid.cannon))
    return f"{first}{last}:{slid.times}"


def _find(rows: str, sign: str) -> Points:
    return Points(sum(1 << index for index, found in enumerate(rows) if found == sign))


def _impossible(position: CannonPosition) -> list[Said]:
    reasons = []
    for side in Side:
        army, name = position.army(side), name_side(side)
        if (count := army.town.bit_count()) > 1:
            reasons.append(TWO_TOWNS(side=name, count=count, points=names(army.town)))
        first, *_, last = (str(SPOT[point]) for point in each(TOWN_POINTS[side]))
        reasons += [
            MISPLACED(side=name, point=str(SPOT[point]), first=first, last=last)
            for point in each(army.town & ~TOWN_POINTS[side])
        ]
        if (count := army.soldiers.bit_count()) > SOLDIERS:
            reasons.append(TOO_MANY(side=name, count=count, most=SOLDIERS))
    if not position.light.town and not position.dark.town and not position.is_set_up:
        reasons.append(NO_TOWNS())
    return reasons


def _misspelt(text: str) -> list[str]:
    board, _, rest = text.partition(" ")
    mover, *slid = rest.split(" ")
    reasons = []
    if mover not in MOVERS:
        reasons.append(f"the mover is {quoted(mover)}; end with ' L' or ' D'")
    reasons += [
        f"{quoted(word)} after the mover is not a cannon that has slid; write b9b7:2"
        for word in slid
        if not _SLID.fullmatch(word)
    ]
    rows = board.split("/")
    if len(rows) != len(ROWS):
        reasons.append(f"there are {len(rows)} rows; write rows 10 to 1 with / between them")
        return reasons
    for row, signs in zip(ROWS, rows, strict=True):
        if len(signs) != len(FILES):
            reasons.append(f"row {row} is {quoted(signs)}, {len(signs)} points; write {len(FILES)}")
            continue
        reasons += [
            f"{file}{row} is {sign!r}; write o, O, x, X or ."
            for file, sign in zip(FILES, signs, strict=True)
            if sign not in ".oOxX"
        ]
    return reasons


def _read_slid(word: str) -> Slid:
    """Read `b9b7:2`. If no line of three points joins the ends, the cannon is an empty set."""
    ends, times = word.split(":")
    first, last = re.findall(_POINT, ends)
    start = POINT[Spot.read(first)]
    lines = ((start, *islice(ray(start, step), 2)) for step in AROUND)
    cannon = next((sum(line) for line in lines if line[2:] == (POINT[Spot.read(last)],)), 0)
    return Slid(Points(cannon), int(times))


def _unfit(position: CannonPosition, words: list[str]) -> list[str]:
    """Return every reason why these cannons cannot have slid in this position."""
    reasons = []
    sides: list[Side] = []
    for word in words:
        cannon = _read_slid(word).cannon
        owners = [s for s in Side if cannon and not cannon & ~position.army(s).soldiers]
        if not owners:
            reasons.append(f"{quoted(word)}: these are not the ends of a cannon")
        sides += owners
    if len(set(sides)) < len(sides):
        reasons.append("two cannons of one side have slid last; one at most")
    elif sides == [Side.BLACK, Side.WHITE]:
        reasons.append(f"{quoted(words[0])} is Dark's; Light's cannon comes first")
    return reasons


# What Cannon's pieces can do: steps, captures, retreats, slides and shots, all soldiers at once.
#
# An action is two sets of points: where the mover's soldiers change (origin and target; none for a
# shot), and what the other side loses.  Working direction by direction on sets makes two actions
# alike only when their results are: a point that two cannons can shoot at is one action.
#
# Under the tournament rule no cannon slides more than three times in a row (rule 9). A cannon is
# its three points and keeps its name while it slides. The sheet lets "another cannon or a single
# soldier" break the row, so a shot by the same cannon neither counts nor breaks it. Where two
# cannons could have fired a shot, another cannon's is assumed: the board does not tell.

SoldierChange: TypeAlias = tuple[int, int]
"""What an action does: the mover's soldiers that appear or vanish, and the enemy's pieces removed.
"""

REACH = (2, 3)
"""A cannon shoots at the second or third point in front of it."""


@dataclass(frozen=True, slots=True)
class Bearing:
    """A cannon in line with a point. `distance` counts steps from its front; `muzzle` is the point
    directly in front of it."""

    cannon: Points
    distance: int
    muzzle: Points


def actions(position: CannonPosition) -> list[SoldierChange]:
    """Return all legal actions of the mover once both towns are placed (rules 3 to 7)."""
    side = position.mover
    own, foe = position.army(side), position.army(side.other)
    enemy = foe.soldiers | foe.town
    return actions_of(own.soldiers, enemy, BOARD & ~(own.soldiers | own.town | enemy), side)


def can_step(position: CannonPosition) -> bool:
    """Whether any soldier of the mover can step or capture forward (rules 3 and 4)."""
    own = position.army(position.mover)
    free = BOARD & ~own.pieces
    return any(shift(own.soldiers, step) & free for step in FORWARD[position.mover])


def actions_of(soldiers: int, enemy: int, empty: int, side: Side) -> list[SoldierChange]:
    """Return the actions of these soldiers, given the enemy's points and the empty ones."""
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
    """Return the points in range of these soldiers' cannons, whatever stands there (rule 7)."""
    reached = 0
    for step in AROUND:
        if muzzles := _fronts(soldiers, step) & shift(empty, -step):
            second = shift(muzzles, 2 * step) & BOARD
            reached |= second | shift(second, step)
    return reached


def results_of(
    position: CannonPosition, found: Iterable[SoldierChange]
) -> Iterator[CannonPosition]:
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
    """Yield captures of an enemy one step away."""
    for target in each(shift(soldiers, step) & enemy):
        yield shift(target, -step) | target, target


def _leaps(last: int, step: Direction, empty: int, length: int) -> Iterator[SoldierChange]:
    """Yield moves from `length` steps before `last` to the empty point one step beyond it."""
    for target in each(shift(last, step) & empty):
        yield shift(target, -length * step) | target, 0


def _fronts(soldiers: int, step: Direction) -> int:
    """Return the front soldier of each cannon that faces in this direction."""
    return soldiers & shift(soldiers, step) & shift(soldiers, 2 * step)


def bearings(soldiers: int, target: Points) -> Iterator[Bearing]:
    """Yield each cannon of these soldiers that is in line with a point, even if something stands
    between."""
    for step in AROUND:
        line = (target, *ray(target, step))
        for distance in range(1, len(line) - 2):
            cannon = sum(line[distance : distance + 3])
            if not cannon & ~soldiers:
                yield Bearing(Points(cannon), distance, line[distance - 1])


def gunners(position: CannonPosition, target: Points) -> tuple[Points, ...]:
    """Return the mover's cannons that may shoot at a point (rule 7), each a set of three points."""
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
    if move.origin not in POINT or move.target not in POINT:
        return None
    origin, target = POINT[move.origin], POINT[move.target]
    way = heading(origin, target)
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
    """Return the cannons that slid in each side's last turn, once this attempt is made."""
    mover = before.mover
    own = _own_last(before, attempt[0]) if len(attempt) == 1 else None
    last = {mover: own, mover.other: before.slid_by(mover.other)}
    return tuple(
        slid
        for side in Side
        if (slid := last[side]) and not slid.cannon & ~after.army(side).soldiers
    )


def _own_last(before: CannonPosition, move: Move) -> Slid | None:
    last = before.slid_by(before.mover)
    if move.target == OFF[before.mover.other]:
        fired = gunners(before, POINT.get(move.origin, NOWHERE))
        return last if last and set(fired) <= {last.cannon} else None
    slide = slide_of(move)
    if slide is None:
        return None
    times = last.times if last and last.cannon == slide[0] else 0
    return Slid(slide[1], times + 1)


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
    Example(2, Sentence("Light has moved; now Dark must move."), START, "d7-d6"),
    Example(3, Sentence("A step, diagonally forward."), MIDDLE, "e7-d6"),
    Example(3, Sentence("A single soldier never steps backward."), MIDDLE, "b8-b9?"),
    Example(4, Sentence("A capture sideways."), MIDDLE, "c5xd5"),
    Example(5, Sentence("Enemies stand next to it: it retreats two points."), MIDDLE, "a6--c8"),
    Example(6, Sentence("The rear soldier slides to the cannon's front."), MIDDLE, "h8---h5"),
    Example(7, Sentence("The three in line shoot; nothing moves."), MIDDLE, "xh3"),
    Example(8, Sentence("A soldier takes the town, and Light wins."), TOWN_IN_REACH, "d2xe1"),
    Example(9, Sentence("After three such slides another piece must act."), MIDDLE, "h6---h9"),
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


BROKEN: Mapping[str, tuple[int, Sentence]] = {
    "town-first": (1, Sentence("Both towns are placed before a soldier moves.")),
    "town-row": (1, Sentence("A town is placed in the row behind its soldiers, not in a corner.")),
    "town-does-not-move": (1, Sentence("A town does not move.")),
    "one-action": (2, Sentence("A turn is one move or one capture.")),
    "must-act": (2, Sentence("A player must act; passing is not allowed.")),
    "no-piece-there": (2, Sentence("A move begins where a piece stands.")),
    "not-your-piece": (2, Sentence("A player moves only his own soldiers.")),
    "own-piece": (3, Sentence("A soldier never goes to a point where its own side stands.")),
    "soldier-too-far": (3, Sentence("A soldier goes one point, two to retreat, three in a slide.")),
    "sideways": (3, Sentence("A soldier goes sideways only to capture.")),
    "backward": (3, Sentence("A soldier goes back only by a retreat of two points.")),
    "backward-capture": (4, Sentence("A soldier does not capture backward.")),
    "off-the-board": (4, Sentence("A piece leaves the board only when the other side takes it.")),
    "taken-is-final": (4, Sentence("A piece that was taken stays off the board.")),
    "no-enemy-beside": (5, Sentence("A soldier retreats only from an enemy on the next point.")),
    "retreat-blocked": (5, Sentence("The point that a retreat passes over is empty.")),
    "no-cannon": (6, Sentence("A cannon is three soldiers of a side on adjacent points in line.")),
    "slide-does-not-capture": (6, Sentence("A slide ends on an empty point.")),
    "front-taken": (7, Sentence("The point in front of a cannon that shoots is empty.")),
    "shot-too-far": (7, Sentence("A shot strikes two or three points from the cannon's front.")),
    "shot-moves-nothing": (7, Sentence("A shot takes an enemy away and moves nothing.")),
    "game-over": (8, Sentence("A game ends when a town is taken or a player cannot act.")),
    "three-slides": (9, Sentence("A cannon slides at most three times in a row.")),
}
"""The rules that can be broken: number on the sheet, and sentence."""
BRIEF: Mapping[str, Sentence] = {
    "town-first": Sentence("place the towns first"),
    "town-row": Sentence("the town stands in another row"),
    "town-does-not-move": Sentence("a town does not move"),
    "one-action": Sentence("one action a turn"),
    "must-act": Sentence("you must move"),
    "no-piece-there": Sentence("no piece there"),
    "not-your-piece": Sentence("not your piece"),
    "own-piece": Sentence("your own piece stands there"),
    "soldier-too-far": Sentence("too far"),
    "sideways": Sentence("sideways only to capture"),
    "backward": Sentence("wrong direction"),
    "backward-capture": Sentence("no capture backward"),
    "off-the-board": Sentence("no piece leaves so"),
    "taken-is-final": Sentence("a taken piece stays off"),
    "no-enemy-beside": Sentence("no enemy stands beside it"),
    "retreat-blocked": Sentence("the retreat is blocked"),
    "no-cannon": Sentence("no cannon there"),
    "slide-does-not-capture": Sentence("a slide does not capture"),
    "front-taken": Sentence("the point in front is taken"),
    "shot-too-far": Sentence("the shot is too far"),
    "shot-moves-nothing": Sentence("a shot moves nothing"),
    "game-over": Sentence("the game is over"),
    "three-slides": Sentence("three slides at most"),
}
"""What a spoken warning says instead."""
BOOK = rulebook(SHEET, BROKEN, BRIEF)

NOT_ON_BOARD = Sentence("{spot} is not a point of the board; it has a1 to j10")
PLACES_FIRST = Sentence("{side} places a town on {first} to {last} first")
GOES_ON = Sentence("{side}'s town belongs on {first} to {last}, not {spot}")
WAS_TAKEN = Sentence("{way}: a piece that was taken stays off the board")
OWN_STANDS = Sentence("{way}: a piece of the same side stands on {point}")
OTHERS_PIECE = Sentence("The piece on {point} is {owner}'s; it is {side}'s turn")
THATS_OTHERS = Sentence("That piece is {owner}'s")
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


def _bad_move(position: CannonPosition, move: Move) -> Broken | None:
    """Return the first rule that a move breaks, in the order in which a referee would check."""
    for spot in (move.origin, move.target):
        if spot not in POINT and spot not in OFF.values():
            return Broken(BOOK["off-the-board"], NOT_ON_BOARD(spot=str(spot)))
    if placing := position.placing:
        return _bad_town(position, placing, move)
    if move.origin not in POINT:
        return Broken(BOOK["taken-is-final"], WAS_TAKEN(way=name_move(move)))
    return _bad_origin(position, move) or _bad_action(position, move)


def unmade(move: Move) -> Broken:
    reason = OWN_STANDS(way=name_move(move), point=name_spot(move.target))
    return Broken(BOOK["own-piece"], reason)


def _bad_town(position: CannonPosition, placing: Side, move: Move) -> Broken | None:
    """Rule 1: nothing moves until both towns are placed."""
    name = name_side(placing)
    row = TOWN_POINTS[placing]
    first, *_, last = (name_spot(SPOT[point]) for point in each(row))
    if placing is not position.mover or move.origin != OFF[placing]:
        return Broken(BOOK["town-first"], PLACES_FIRST(side=name, first=first, last=last))
    if not POINT.get(move.target, 0) & row:
        reason = GOES_ON(side=name, first=first, last=last, spot=name_spot(move.target))
        return Broken(BOOK["town-row"], reason)
    return None


def _bad_origin(position: CannonPosition, move: Move) -> Broken | None:
    """Check whose piece is moved, and whether it can move at all."""
    side, point = position.mover, POINT[move.origin]
    own, foe = position.army(side), position.army(side.other)
    if point & foe.pieces:
        if move.target == OFF[side.other]:
            return None
        where, owner = name_spot(move.origin), name_side(side.other)
        reason = OTHERS_PIECE(point=where, owner=owner, side=name_side(side))
        return Broken(BOOK["not-your-piece"], reason, THATS_OTHERS(owner=owner))
    if point & own.town:
        return Broken(BOOK["town-does-not-move"], TOWN_RESTS(way=name_move(move)))
    if not point & own.soldiers:
        return Broken(BOOK["no-piece-there"], NOBODY_ON(point=name_spot(move.origin)))
    if move.target not in POINT:
        return Broken(BOOK["off-the-board"], LEAVES_TAKEN(way=name_move(move)))
    return None


def _bad_action(position: CannonPosition, move: Move) -> Broken | None:
    if move.target not in POINT:
        return _bad_shot(position, POINT[move.origin])
    own = position.army(position.mover)
    target = POINT[move.target]
    if target & own.pieces:
        return unmade(move)
    broken = _bad_way(position, move)
    if broken and any(POINT[move.origin] & cannon for cannon in gunners(position, target)):
        shot, gunner = name_spot(move.target), name_spot(move.origin)
        return Broken(BOOK["shot-moves-nothing"], TO_SHOOT(target=shot, origin=gunner))
    return broken


def _bad_shot(position: CannonPosition, target: Points) -> Broken | None:
    """Name what stops the cannon that comes closest to reaching the target."""
    if gunners(position, target):
        return None
    where = name_spot(SPOT[target])
    found = list(bearings(position.army(position.mover).soldiers, target))
    if not found:
        return Broken(BOOK["no-cannon"], NOT_IN_LINE(side=name_side(position.mover), point=where))
    nearest = min(found, key=lambda bearing: bearing.distance)
    cannon = names(nearest.cannon)
    if nearest.distance > max(REACH):
        reason = OUT_OF_REACH(point=where, distance=nearest.distance, cannon=cannon)
        return Broken(BOOK["shot-too-far"], reason)
    front = name_spot(SPOT[nearest.muzzle])
    return Broken(BOOK["front-taken"], MUZZLED(point=front, cannon=cannon))


def _bad_way(position: CannonPosition, move: Move) -> Broken | None:
    """Check a soldier's path, then its target."""
    way = heading(POINT[move.origin], POINT[move.target])
    if way is None:
        return Broken(BOOK["soldier-too-far"], NO_LINE(way=name_move(move)))
    step, distance = way
    if distance == 3:
        return _bad_slide(position, move)
    back = -step in FORWARD[position.mover]
    if distance == 1:
        return _bad_step(position, step, move)
    if distance == 2 and back:
        return _bad_retreat(position, step, move)
    too_far = TOO_FAR_BACK if back else TOO_FAR
    return Broken(BOOK["soldier-too-far"], too_far(way=name_move(move), distance=distance))


def _bad_step(position: CannonPosition, step: Direction, move: Move) -> Broken | None:
    takes = bool(POINT[move.target] & position.army(position.mover.other).pieces)
    if step in FORWARD[position.mover]:
        return None
    if step in SIDEWAYS:
        return None if takes else Broken(BOOK["sideways"], ONLY_CAPTURES(way=name_move(move)))
    if takes:
        return Broken(BOOK["backward-capture"], CAPTURES_BACK(way=name_move(move)))
    return Broken(BOOK["backward"], ONE_POINT_BACK(way=name_move(move)))


def _bad_retreat(position: CannonPosition, step: Direction, move: Move) -> Broken | None:
    own, foe = (position.army(side) for side in (position.mover, position.mover.other))
    origin, target = POINT[move.origin], POINT[move.target]
    way, passed = name_move(move), Points(shift(origin, step))
    if target & foe.pieces:
        return Broken(BOOK["backward-capture"], RETREAT_CAPTURES(way=way))
    if passed & (own.pieces | foe.pieces):
        return Broken(BOOK["retreat-blocked"], IN_BETWEEN(way=way, point=name_spot(SPOT[passed])))
    if not beside(origin) & foe.pieces:
        return Broken(BOOK["no-enemy-beside"], NO_ENEMY_NEAR(way=way, point=name_spot(move.origin)))
    return None


def _bad_slide(position: CannonPosition, move: Move) -> Broken | None:
    """Only the rear soldier of a cannon moves three points, to the point in front of the cannon."""
    own, foe = (position.army(side) for side in (position.mover, position.mover.other))
    slide = slide_of(move)
    if slide is None or slide[0] & ~own.soldiers:
        way = name_move(move)
        needs = TAKES_A_CANNON_ON(way=way, cannon=names(slide[0])) if slide else None
        return Broken(BOOK["no-cannon"], needs or TAKES_A_CANNON(way=way))
    if POINT[move.target] & foe.pieces:
        return Broken(BOOK["slide-does-not-capture"], SLIDE_CAPTURES(way=name_move(move)))
    if has_slid_enough(position, move):
        return Broken(BOOK["three-slides"], HAS_SLID(cannon=names(slide[0])))
    return None


FORFEIT = "forfeit"
THREE_SLIDES = Option("three slides", Sentence("No fourth slide in a row"))
"""The tournament option, rule 9."""
LONGEST = 3
"""A slide goes three points; no other action goes farther."""

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
    """The game; `three_slides` turns on the tournament rule (rule 9).

    A play is one move of the hand. A shot moves the captured piece to its box, and placing a town
    moves it out of its box. While both sides place their towns, a side that has none to place has
    the empty play.
    """

    name = "cannon"
    title = Sentence("Cannon")()
    aim = Sentence("Whoever takes the other side's town wins.")()
    side_names = LIGHT_AND_DARK
    dice = 0
    opening = Opening.NO_THROW
    match_length = 3
    options = (THREE_SLIDES,)
    sheet = SHEET
    rules = tuple(BOOK.values())
    outcome_names = name_outcomes(Sentence("town taken"), Sentence("no action left"))
    checkers_a_side = PIECES
    tallest = TOWN_HEIGHT
    spots = (*POINTS, *OFF.values())

    def __init__(self, three_slides: bool = False) -> None:
        self._three_slides = three_slides
        self.agreed = (THREE_SLIDES.name,) if three_slides else ()

    def under(self, agreed: Collection[str]) -> Cannon:
        return Cannon(three_slides=THREE_SLIDES.name in agreed)

    def start(self, mover: Side) -> CannonPosition:
        """Rule 1: the soldiers stand; the mover places the first town."""
        light, dark = (Army(STARTING[side], NOWHERE) for side in Side)
        return CannonPosition(light, dark, mover)

    def plays(self, position: CannonPosition, roll: Roll) -> tuple[Play, ...]:
        """Rules 1 to 7, and 9 if agreed. A target of several shots gives one play."""
        if position.placing:
            side = position.mover
            if position.placing is not side:
                return ((),)
            return tuple((Move(OFF[side], SPOT[point]),) for point in each(TOWN_POINTS[side]))
        return tuple((_move(position, action),) for action in self._actions(position))

    def results(self, position: CannonPosition, roll: Roll) -> tuple[CannonPosition, ...]:
        if position.placing or self._three_slides:
            return tuple(self.after(position, play) for play in self.plays(position, roll))
        return tuple(results_of(position, self._actions(position)))

    def attempted(self, position: CannonPosition, attempt: tuple[Move, ...]) -> CannonPosition:
        """As in the contract; a town may end on a point that no position's text allows."""
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
        """Rule 8: every loss counts one point."""
        return {1: SINGLE_GAME}

    def explain(
        self, position: CannonPosition, roll: Roll, attempt: tuple[Move, ...]
    ) -> Broken | None:
        if position.taken:
            return Broken(BOOK["game-over"], TOWN_TAKEN(side=name_side(position.taken)))
        if len(attempt) > 1:
            return Broken(BOOK["one-action"], SEVERAL_MOVED())
        if attempt:
            return _bad_move(position, attempt[0])
        if position.placing is position.mover.other:
            return None
        name = name_side(position.mover)
        if self.outcome(position):
            return Broken(BOOK["game-over"], CANNOT_ACT(side=name))
        return Broken(BOOK["must-act"], NOBODY_PASSES(side=name))

    def checkers_at(self, position: CannonPosition) -> Checkers:
        """All points, and the boxes with the pieces off the board. A town counts as two."""
        checkers = dict(_NO_CHECKERS)
        for side in Side:
            army = position.army(side)
            for points, height in ((army.soldiers, 1), (army.town, TOWN_HEIGHT)):
                for point in each(points):
                    checkers[SPOT[point]] = (side,) * height
            checkers[OFF[side]] = (side,) * _in_box(army)
        return checkers

    def hit_to(self, side: Side) -> Spot:
        return OFF[side]

    def position_of(self, checkers: Checkers, mover: Side) -> CannonPosition:
        stacks = {spot: checkers.get(spot, ()) for spot in POINTS}
        reasons: list[Said] = []
        for spot, stack in stacks.items():
            if len(set(stack)) > 1:
                reasons.append(BOTH_SIDES(point=str(spot)))
            elif len(stack) > TOWN_HEIGHT:
                reasons.append(CROWDED(point=str(spot), count=len(stack)))

        def standing(side: Side, height: int) -> Points:
            points = (POINT[spot] for spot, stack in stacks.items() if stack == (side,) * height)
            return Points(sum(points))

        light, dark = (Army(standing(side, 1), standing(side, TOWN_HEIGHT)) for side in Side)
        position = CannonPosition(light, dark, mover)
        reasons += _impossible(position)
        if reasons:
            raise PositionError(self.write_position(position), tuple(reasons))
        return position

    def impossible(self, position: CannonPosition, before: CannonPosition) -> tuple[str, ...]:
        reasons = _impossible(position)
        taken = position.taken
        if not reasons and taken and before.placing and not before.army(taken).town:
            reasons.append(NO_TOWN_YET(side=name_side(taken)))
        return tuple(reasons)

    def read_position(self, text: str) -> CannonPosition:
        if misspelt := _misspelt(text):
            raise PositionError(text, tuple(misspelt))
        rows, mover, *slid = text.split(" ")
        light, dark = (Army(*(_find(rows, sign) for sign in SIGNS[side])) for side in Side)
        position = CannonPosition(light, dark, MOVERS[mover])
        reasons = [*_impossible(position), *_unfit(position, slid)]
        if slid and not reasons and not self._three_slides:
            counted = quoted(" ".join(slid))
            reasons.append(f"slides count under the tournament rule only; leave out {counted}")
        if reasons:
            raise PositionError(text, tuple(reasons))
        return replace(position, slid=tuple(_read_slid(word) for word in slid))

    def write_position(self, position: CannonPosition) -> str:
        signs = list(_BARE_BOARD)
        for side in Side:
            army = position.army(side)
            for points, sign in zip((army.soldiers, army.town), SIGNS[side], strict=True):
                for point in each(points):
                    signs[point.bit_length() - 1] = sign
        mover = "L" if position.mover is Side.WHITE else "D"
        return " ".join(("".join(signs), mover, *(write_slid(slid) for slid in position.slid)))

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

    def write_play(self, position: CannonPosition, play: Play) -> str:
        """Write what `read_play` reads: step b4-b5, retreat b4--b2, slide b4---b7.

        People read "town at e10", "shot at h3", and one dash in every move.
        """
        if not play:
            return FORFEIT
        (move,) = play
        return _written(move)

    def draw(self, position: CannonPosition) -> str:
        """Draw the board as Dark sees it: ○ ● are soldiers, □ ■ towns; Light's are hollow."""
        rows = self.write_position(position).split(" ")[0]
        pictured = rows.translate(str.maketrans(".oOxX", "·○□●■")).split("/")
        lines = [f"{row:>2} {' '.join(signs)}" for row, signs in zip(ROWS, pictured, strict=True)]
        lines += [f"   {' '.join(FILES)}", f"{name_side(position.mover)} to move"]
        for slid in position.slid:
            first, _, last = (SPOT[point] for point in each(slid.cannon))
            lines.append(f"The cannon {first}–{last} has slid {slid.times} of {MOST_SLIDES}")
        return "\n".join(lines)

    def _actions(self, position: CannonPosition) -> list[SoldierChange]:
        if position.taken:
            return []
        found = actions(position)
        if not self._three_slides:
            return found
        return [a for a in found if not has_slid_enough(position, _move(position, a))]


def _move(position: CannonPosition, action: SoldierChange) -> Move:
    changed, lost = action
    if not changed:
        return Move(SPOT[lost], OFF[position.mover.other])
    origin = changed & position.army(position.mover).soldiers
    return Move(SPOT[origin], SPOT[changed ^ origin], bool(lost))


@cache
def _written(move: Move) -> str:
    """The text of one move; cached, because the same few moves are written turn after turn."""
    if move.origin in OFF.values():
        return _on_board(f"@{move.target}", TOWN_AT(point=name_spot(move.target)))
    if move.target in OFF.values():
        return _on_board(f"x{move.origin}", SHOT_AT(point=name_spot(move.origin)))
    if move.hit:
        return f"{move.origin}x{move.target}"
    _, dashes = heading(POINT[move.origin], POINT[move.target]) or (None, 1)
    return _on_board(f"{move.origin}{'-' * min(dashes, LONGEST)}{move.target}", name_move(move))


def _on_board(text: str, words: Said) -> Written:
    """The text of a play, the same for both sides, because it uses the board's coordinates."""
    return Written.of(text, words, words, words, by_board=True)


def _lifted(position: CannonPosition, move: Move) -> tuple[Side, Army, bool]:
    """Return the side whose piece is lifted, the rest of its army, and whether it is the town."""
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
    raise IllegalPlayError(
        Broken(BOOK["no-piece-there"], CANNOT_BE_TAKEN(spot=name_spot(move.origin)))
    )


def _dropped(
    position: CannonPosition, side: Side, lifted: Army, is_town: bool, move: Move
) -> CannonPosition:
    """Return the position after the lifted piece is set down; an enemy on the target is removed."""
    point = POINT.get(move.target, NOWHERE)
    if point & lifted.pieces:
        raise IllegalPlayError(unmade(move))
    if not point and move.target != OFF[side]:
        raise IllegalPlayError(Broken(BOOK["off-the-board"], TO_ITS_BOX(side=name_side(side))))
    soldiers, town = (NOWHERE, point) if is_town else (point, NOWHERE)
    army = Army(Points(lifted.soldiers | soldiers), Points(lifted.town | town))
    left = position.army(side.other).without(point)
    light, dark = (army, left) if side is Side.WHITE else (left, army)
    return CannonPosition(light, dark, position.mover)
