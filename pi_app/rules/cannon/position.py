"""Cannon's board and position: sets of points as bits, two armies, the mover, and the texts.

A set of points is a whole number.  Bit i stands for character i of the position text, rows 10 to 1
with a slash between them; the slash's column holds no piece, so a set shifted over the edge falls
into it instead of coming in again on the other side.  Sets of points are chosen over lists of
pieces because one shift and one mask move all soldiers at once.

`....O…/…/...X… L` is the rows 10 to 1 joined by slashes, `o` and `O` Light's soldiers and town, `x`
and `X` Dark's, then the mover, L or D.  Under the tournament rule a cannon that has just slid
follows as `b9b7:2`: its two ends and how often in a row.  A town that is missing while every
soldier still stands where it started is yet to be placed; later a missing town was taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from types import MappingProxyType
from typing import NewType

from pi_app.rules.naming import listed
from pi_app.rules.terms import PositionError, Side, Spot, SpotKind
from pi_app.words.sentences import Listing, Said, Sentence
from pi_app.words.texts import quoted

Points = NewType("Points", int)
"""A set of points of the board, one bit each."""

Direction = NewType("Direction", int)
"""From a point to one next to it, as the distance of their bits."""

FILES = "abcdefghij"
ROWS = range(10, 0, -1)
WIDTH = len(FILES) + 1

NOWHERE = Points(0)
POINTS = tuple(Spot(SpotKind.CROSSING, row, file=file) for row in ROWS for file in FILES)
OFF = MappingProxyType({side: Spot(SpotKind.OFF, side=side) for side in Side})

POINT: Mapping[Spot, Points] = MappingProxyType(
    {spot: Points(1 << (i // 10 * WIDTH + i % 10)) for i, spot in enumerate(POINTS)}
)
SPOT: Mapping[int, Spot] = MappingProxyType({point: spot for spot, point in POINT.items()})
BOARD = Points(sum(POINT.values()))

LEFT, RIGHT, UP, DOWN = Direction(-1), Direction(1), Direction(-WIDTH), Direction(WIDTH)
SIDEWAYS = (LEFT, RIGHT)
FORWARD: Mapping[Side, tuple[Direction, ...]] = MappingProxyType(
    {
        Side.WHITE: tuple(Direction(DOWN + aside) for aside in (LEFT, 0, RIGHT)),
        Side.BLACK: tuple(Direction(UP + aside) for aside in (LEFT, 0, RIGHT)),
    }
)
BACK: Mapping[Side, tuple[Direction, ...]] = MappingProxyType(
    {side: FORWARD[side.other] for side in Side}
)
AROUND = (*FORWARD[Side.BLACK], *SIDEWAYS, *FORWARD[Side.WHITE])

TOWN_POINTS: Mapping[Side, Points] = MappingProxyType(
    {
        Side.WHITE: Points(
            sum(POINT[Spot(SpotKind.CROSSING, 10, file=file)] for file in FILES[1:-1])
        ),
        Side.BLACK: Points(
            sum(POINT[Spot(SpotKind.CROSSING, 1, file=file)] for file in FILES[1:-1])
        ),
    }
)
"""Where each side may place its town: its back row without the corners."""


def shift(points: int, step: int) -> int:
    """Move all points by a step; some may leave the board."""
    return points << step if step > 0 else points >> -step


def each(points: int) -> Iterator[Points]:
    """The points of a set, from a10 to j1."""
    while points:
        point = points & -points
        yield Points(point)
        points ^= point


def beside(points: int) -> int:
    """All points next to one of the set, perhaps some off the board."""
    row = points | points << 1 | points >> 1
    return row << WIDTH | row >> WIDTH | points << 1 | points >> 1


def ray(point: Points, step: Direction) -> Iterator[Points]:
    """The points beyond `point` in one direction, up to the board's edge."""
    beyond = shift(point, step) & BOARD
    while beyond:
        yield Points(beyond)
        beyond = shift(beyond, step) & BOARD


def course(origin: Points, target: Points) -> tuple[Direction, int] | None:
    """The step and the number of steps between two points; None if no line joins them."""
    row, column = divmod(origin.bit_length() - 1, WIDTH)
    far_row, far_column = divmod(target.bit_length() - 1, WIDTH)
    down, right = far_row - row, far_column - column
    distance = max(abs(down), abs(right))
    if distance == 0 or not {abs(down), abs(right)} <= {0, distance}:
        return None
    return Direction((down * DOWN + right * RIGHT) // distance), distance


def names(points: int) -> Listing:
    """The points as players list them: "b4, b5 and b6"."""
    return listed(SPOT[point] for point in each(points))


SOLDIERS = 15
TOWN_HEIGHT = 2
"""A town counts as two pieces, one on the other: so a picture tells it from a soldier."""
PIECES = SOLDIERS + TOWN_HEIGHT
MOST_SLIDES = 3

MOVERS = MappingProxyType({"L": Side.WHITE, "D": Side.BLACK})
SIGNS = MappingProxyType({Side.WHITE: ("o", "O"), Side.BLACK: ("x", "X")})
STARTING: Mapping[Side, Points] = MappingProxyType(
    {
        side: Points(
            sum(POINT[Spot(SpotKind.CROSSING, row, file=file)] for file in files for row in rows)
        )
        for side, files, rows in (
            (Side.WHITE, FILES[1::2], (7, 8, 9)),
            (Side.BLACK, FILES[0::2], (2, 3, 4)),
        )
    }
)
_BARE_BOARD = "/".join("." * len(FILES) for _ in ROWS)
_POINT = re.compile(r"[a-j](?:10|[1-9])")
_SLID = re.compile(rf"(?:{_POINT.pattern}){{2}}:[1-{MOST_SLIDES}]")

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
    """A side's soldiers and its town; no town before it is placed and after it is lost."""

    soldiers: Points
    town: Points

    @property
    def pieces(self) -> Points:
        return Points(self.soldiers | self.town)

    def without(self, points: int) -> Army:
        """Remove the pieces on these points."""
        return Army(Points(self.soldiers & ~points), Points(self.town & ~points))


@dataclass(frozen=True, slots=True)
class Slid:
    """A cannon as three points, and the number of slides in a row, 1 to 3."""

    cannon: Points
    times: int


@dataclass(frozen=True, slots=True)
class CannonPosition:
    """Both armies and the mover; `slid` has at most one cannon per side, Light's first."""

    light: Army
    dark: Army
    mover: Side
    slid: tuple[Slid, ...] = ()

    def army(self, side: Side) -> Army:
        return self.light if side is Side.WHITE else self.dark

    @property
    def placing(self) -> Side | None:
        """The side that must place its town, the mover first; None if both stand."""
        if self.light.town and self.dark.town:
            return None
        towns = (side for side in (self.mover, self.mover.other) if not self.army(side).town)
        return next(towns, None) if self.is_set_up else None

    @property
    def is_set_up(self) -> bool:
        """Whether every soldier is on its starting point."""
        return all(self.army(side).soldiers == STARTING[side] for side in Side)

    @property
    def taken(self) -> Side | None:
        """The side that lost its town."""
        if (self.light.town and self.dark.town) or self.placing:
            return None
        return Side.BLACK if self.light.town else Side.WHITE

    def slid_by(self, side: Side) -> Slid | None:
        """The cannon with which the side slid in its last turn."""
        return next((s for s in self.slid if s.cannon & self.army(side).soldiers), None)


def name_side(side: Side) -> Said:
    """Cannon's players say Light and Dark."""
    return LIGHT_AND_DARK[side is Side.BLACK]


def checkers_at(position: CannonPosition) -> Mapping[Spot, tuple[Side, ...]]:
    """All points, and the missing pieces in the boxes; a town counts as two."""
    checkers = _NO_CHECKERS.copy()
    for side in Side:
        army = position.army(side)
        for points, height in ((army.soldiers, 1), (army.town, TOWN_HEIGHT)):
            for point in each(points):
                checkers[SPOT[point]] = (side,) * height
        checkers[OFF[side]] = (side,) * _in_box(army)
    return checkers


_NO_CHECKERS: MappingProxyType[Spot, tuple[Side, ...]] = MappingProxyType(
    dict.fromkeys((*POINTS, *OFF.values()), ())
)


def counts(position: CannonPosition) -> tuple[int, ...]:
    """The number of pieces on each point and in each box; a town counts as two."""
    light, dark = position.light, position.dark
    bits = f"{light.pieces | dark.pieces:0{len(_BARE_BOARD)}b}"
    board = bytearray(bits[::-1].encode("ascii")).translate(_ONE_EACH)
    for town in each(light.town | dark.town):
        board[town.bit_length() - 1] = TOWN_HEIGHT
    del board[len(FILES) :: WIDTH]
    return (*board, _in_box(light), _in_box(dark))


_ONE_EACH = bytes.maketrans(b"01", b"\0\1")


def _in_box(army: Army) -> int:
    """The number of an army's pieces off the board."""
    return PIECES - army.soldiers.bit_count() - TOWN_HEIGHT * army.town.bit_count()


def place(checkers: Mapping[Spot, tuple[Side, ...]], mover: Side) -> CannonPosition:
    """Raises PositionError with every reason."""
    stacks = {spot: checkers.get(spot, ()) for spot in POINTS}
    reasons: list[Said] = []
    for spot, stack in stacks.items():
        if len(set(stack)) > 1:
            reasons.append(BOTH_SIDES(point=str(spot)))
        elif len(stack) > TOWN_HEIGHT:
            reasons.append(CROWDED(point=str(spot), count=len(stack)))

    def standing(side: Side, height: int) -> Points:
        return _set(POINT[spot] for spot, stack in stacks.items() if stack == (side,) * height)

    light, dark = (Army(standing(side, 1), standing(side, TOWN_HEIGHT)) for side in Side)
    position = CannonPosition(light, dark, mover)
    reasons += _impossible(position)
    if reasons:
        raise PositionError(write_position(position), tuple(reasons))
    return position


def impossible(position: CannonPosition, before: CannonPosition) -> tuple[str, ...]:
    """Every reason why no board can show this position in a game that stood at `before`."""
    reasons = _impossible(position)
    taken = position.taken
    if not reasons and taken and before.placing and not before.army(taken).town:
        reasons.append(NO_TOWN_YET(side=name_side(taken)))
    return tuple(reasons)


def read_position(text: str) -> CannonPosition:
    """Raises PositionError with every reason."""
    reasons = _misspelt(text)
    if reasons:
        raise PositionError(text, tuple(reasons))
    rows, mover, *slid = text.split(" ")
    light, dark = (Army(*(_find(rows, sign) for sign in SIGNS[side])) for side in Side)
    position = CannonPosition(light, dark, MOVERS[mover])
    reasons = [*_impossible(position), *_unfit(position, slid)]
    if reasons:
        raise PositionError(text, tuple(reasons))
    return replace(position, slid=tuple(_read_slid(word) for word in slid))


def write_position(position: CannonPosition) -> str:
    signs = list(_BARE_BOARD)
    for side in Side:
        army = position.army(side)
        for points, sign in zip((army.soldiers, army.town), SIGNS[side], strict=True):
            for point in each(points):
                signs[point.bit_length() - 1] = sign
    mover = "L" if position.mover is Side.WHITE else "D"
    return " ".join(("".join(signs), mover, *(write_slid(slid) for slid in position.slid)))


def write_slid(slid: Slid) -> str:
    """`b9b7:2`: the ends of the cannon, in the order of the text."""
    first, _, last = (SPOT[point] for point in each(slid.cannon))
    return f"{first}{last}:{slid.times}"


def draw(position: CannonPosition) -> str:
    """The board as Dark sees it; ○ ● soldiers, □ ■ towns, Light's hollow."""
    rows = write_position(position).split(" ")[0]
    pictured = rows.translate(str.maketrans(".oOxX", "·○□●■")).split("/")
    lines = [f"{row:>2} {' '.join(signs)}" for row, signs in zip(ROWS, pictured, strict=True)]
    lines += [f"   {' '.join(FILES)}", f"{name_side(position.mover)} to move"]
    for slid in position.slid:
        first, _, last = (SPOT[point] for point in each(slid.cannon))
        lines.append(f"The cannon {first}–{last} has slid {slid.times} of {MOST_SLIDES}")
    return "\n".join(lines)


def _set(points: Iterable[int]) -> Points:
    return Points(sum(points))


def _find(rows: str, sign: str) -> Points:
    return _set(1 << index for index, found in enumerate(rows) if found == sign)


def _impossible(position: CannonPosition) -> list[Said]:
    """Every reason why no board can show this position."""
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
    """Every error in a position text."""
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
    """Three points from both ends; an empty cannon if no line joins them."""
    ends, times = word.split(":")
    first, last = _POINT.findall(ends)
    start = POINT[Spot.read(first)]
    lines = ((start, *islice(ray(start, step), 2)) for step in AROUND)
    cannon = next((sum(line) for line in lines if line[2:] == (POINT[Spot.read(last)],)), 0)
    return Slid(Points(cannon), int(times))


def _unfit(position: CannonPosition, words: list[str]) -> list[str]:
    """Every reason why these cannons cannot have slid in this position."""
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
