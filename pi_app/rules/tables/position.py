"""Positions and plays of the tables games: as numbers, on spots, as texts and as IDs.

A side's checkers, its *men*, are one int of 26 hexadecimal digits.  Digit n counts the
checkers with n pips still to go: 24 to 1 are the points as that side numbers them, 25 is the bar,
0 is off the board.  Both sides go down from 25 to 0 by the same rules, a move is one addition,
and the digits written out face the other side's numbering.  Not chosen: 26 signed counts, which
need a copy for every move and another rule for each direction.

`-b----E-C---eE---c-e----B- w` is Black's bar, the points 1 to 24, White's bar, and the mover:
`A` is one white checker, `b` two black, `-` none.  In the Pin game a third word lists the points
with a pinned checker, or is `-`; on those the letter counts the side that pins.  What is missing
of a side's checkers, fifteen in most games, is off the board.

GNU Backgammon's position ID is 80 bits, in bytes from the lowest bit on: for the player who is not
on roll and then for the one who is, the checkers on each of his points 1 to 24 and on the bar as so
many ones and a zero.  Base64 without padding makes 14 characters of them.  It does not say who is
on roll: here a mover may follow, and White is the default.  An XGID is the position and nine
numbers, of which only the turn is read (1 White, -1 Black).
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache
from itertools import combinations, groupby, pairwise
from operator import add
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from pi_app.rules.contract import Midway
from pi_app.rules.naming import Counting, name_side
from pi_app.rules.terms import (
    Die,
    Move,
    Play,
    PositionError,
    Roll,
    Side,
    Spot,
    SpotKind,
    Stack,
    TextError,
)
from pi_app.words.sentences import Said, Sentence, Written
from pi_app.words.texts import quoted

Men: TypeAlias = int
"""One side's checkers, a hexadecimal digit for each number of pips to go."""

CHECKERS = 15
"""Of a side in most games."""
OFF = 0
HOME = 6
POINTS = 24
BAR = 25
MEN_BITS = 4 * (BAR + 1)
ALL_MEN = (1 << MEN_BITS) - 1


class TablesPosition(NamedTuple):
    """Both sides' men and the mover; pinned checkers are counted among the men too.

    A tuple, for a whole turn makes hundreds of these and a frozen dataclass costs thrice as much.
    """

    white: Men
    black: Men
    mover: Side
    white_pinned: Men = 0
    black_pinned: Men = 0

    def men(self, side: Side) -> Men:
        return self.white if side is Side.WHITE else self.black

    def pinned(self, side: Side) -> Men:
        return self.white_pinned if side is Side.WHITE else self.black_pinned

    def with_mover(self, mover: Side) -> TablesPosition:
        return self._replace(mover=mover)


def seen_by(
    mover: Side, own: Men, enemy: Men, own_pinned: Men = 0, enemy_pinned: Men = 0
) -> TablesPosition:
    """The position with these checkers, seen by the mover."""
    if mover is Side.WHITE:
        return TablesPosition(own, enemy, mover, own_pinned, enemy_pinned)
    return TablesPosition(enemy, own, mover, enemy_pinned, own_pinned)


def one(number: int) -> Men:
    """A single checker with this many pips to go."""
    return 1 << 4 * number


def count(men: Men, number: int) -> int:
    return men >> 4 * number & 15


def above(number: int) -> int:
    """A mask of all checkers with more pips to go."""
    return ALL_MEN & -one(number + 1)


def numbers(men: Men) -> tuple[int, ...]:
    """The places of the checkers on points and bar, farthest first."""
    digits = facing(men & ALL_MEN)
    return tuple([BAR - index for index, digit in enumerate(digits[:BAR]) if digit != "0"])


def pips(men: Men) -> int:
    return sum(number * count(men, number) for number in range(1, BAR + 1))


def facing(enemy: Men) -> str:
    """Character n is a hexadecimal digit: the enemies on my point n, 0 to 25."""
    return f"{enemy:026x}"


def winner(position: TablesPosition) -> Side | None:
    if position.white < one(1):  # nothing left on points and bar
        return Side.WHITE
    return Side.BLACK if position.black < one(1) else None


def is_far_back(loser: Men) -> bool:
    # The winner's home are the points from 19 as the loser counts; the bar lies beyond.
    return loser & above(BAR - HOME - 1) > 0


def in_contact(position: TablesPosition) -> bool:
    farthest = [max(numbers(position.men(side)), default=0) for side in Side]
    return sum(farthest) > BAR


def _names(side: Side) -> tuple[Spot, ...]:
    points = [Spot(SpotKind.POINT, number) for number in range(1, POINTS + 1)]
    ordered = points if side is Side.WHITE else points[::-1]
    return (Spot(SpotKind.OFF, side=side), *ordered, Spot(SpotKind.BAR, side=side))


SPOT = MappingProxyType({side: _names(side) for side in Side})
"""The spot of a side's checker by its pips to go: off, 24 points, bar."""

NUMBER = MappingProxyType(
    {side: MappingProxyType({spot: n for n, spot in enumerate(SPOT[side])}) for side in Side}
)
"""The pips to go of a side's checker by its spot; the other side's bar and off are missing."""

POINT_SPOTS = SPOT[Side.WHITE][1:BAR]
OFF_SPOTS = tuple(SPOT[side][OFF] for side in Side)
BAR_SPOTS = tuple(SPOT[side][BAR] for side in Side)


def is_between(side: Side, spot: Spot, origin: Spot, target: Spot) -> bool:
    number = NUMBER[side]
    spots = (origin, spot, target)
    return all(s in number for s in spots) and number[origin] > number[spot] > number[target]


def start(mover: Side, *placed: tuple[int, int]) -> TablesPosition:
    men = sum(number * one(point) for point, number in placed)
    return TablesPosition(men, men, mover)


ROWS = 5
SIGNS = {Side.WHITE: "○", Side.BLACK: "●"}

Stacks: TypeAlias = tuple[Stack, ...]
"""Black's bar, the points 1 to 24, White's bar."""

_AS_WRITTEN = Counting(POINTS, Side.WHITE)
"""A position's text has White's numbers, whosever turn it is."""

BOTH_SIDES = Sentence("point {point} holds checkers of both sides")
MIXED = Sentence("point {point} is mixed; one checker can be pinned, at the bottom")
NONE_PINNED = Sentence("checkers of both sides stand on a point and none of them is pinned")
TOO_MANY = Sentence("{side} has {count} checkers, {most} at most")
ALL_OFF = Sentence("both sides have all checkers off; only one can win")
NO_BAR = Sentence("{side}'s bar holds a checker; the Pin game has no bar")
OTHERS_ON_BAR = Sentence("{side}'s bar holds a checker of {other}")


def stacks_of(position: TablesPosition) -> Stacks:
    """The checkers on each place, a pinned one lowest."""
    # White's numbers are the points, Black's run back; what is off stands nowhere.
    white = (0, *_digits(facing(position.white))[BAR - 1 :: -1])
    black = (*_digits(facing(position.black))[:BAR], 0)
    stacks = [(Side.BLACK,) * b + (Side.WHITE,) * w for w, b in zip(white, black, strict=True)]
    for number in numbers(position.white_pinned):
        stacks[number] = stacks[number][::-1]
    return tuple(stacks)


def checkers_at(position: TablesPosition, bars: bool) -> Mapping[Spot, Stack]:
    """The checkers on points, bars (if the game has them) and trays."""
    checkers = dict(zip(POINT_SPOTS, stacks_of(position)[1:BAR], strict=True))
    for side in Side:
        for number in (BAR, OFF) if bars else (OFF,):
            checkers[SPOT[side][number]] = (side,) * count(position.men(side), number)
    return checkers


def counts(position: TablesPosition, bars: bool) -> tuple[int, ...]:
    """The number of checkers on each spot of `checkers_at`."""
    # Both list the bar first and the off last; White's numbers are the points, Black's run back.
    white, black = (_digits(facing(men)) for men in (position.white, position.black))
    points = map(add, white[BAR - 1 : 0 : -1], black[1:BAR])
    hit = (white[0], black[0]) if bars else ()
    return (*points, *hit, white[BAR], black[BAR])


def counts_of(position: TablesPosition, side: Side, bars: bool) -> tuple[int, ...]:
    """The number of this side's checkers on each spot of `checkers_at`."""
    if side is Side.WHITE:
        men = _digits(facing(position.white))
        return (*men[BAR - 1 : 0 : -1], *((men[0], 0) if bars else ()), men[BAR], 0)
    men = _digits(facing(position.black))
    return (*men[1:BAR], *((0, men[0]) if bars else ()), 0, men[BAR])


def _digits(text: str) -> bytes:
    """Hexadecimal digits to numbers; fast enough for a whole turn's results."""
    return text.encode("ascii").translate(_VALUES)


_VALUES = bytes(int(chr(code), 16) if chr(code) in "0123456789abcdef" else 0 for code in range(256))


def place(checkers: Mapping[Spot, Stack], mover: Side, pins: bool, a_side: int) -> TablesPosition:
    """Raises PositionError with every reason."""
    spots = (SPOT[Side.BLACK][BAR], *POINT_SPOTS, SPOT[Side.WHITE][BAR])
    stacks = tuple(checkers.get(spot, ()) for spot in spots)
    if reasons := _impossible(stacks, pins, a_side):
        raise PositionError(_write(stacks, mover, pins), tuple(reasons))
    return _position(stacks, mover, a_side)


def read_position(text: str, pins: bool, a_side: int) -> TablesPosition:
    """What is missing of so many checkers a side is off; raises PositionError with every reason."""
    reasons = _misspelt(text, pins)
    if reasons:
        raise PositionError(text, tuple(reasons))
    board, letter, *listed = text.split(" ")
    pinned = _listed(listed[0]) if pins else ()
    stacks = tuple(_lettered(char, index in pinned) for index, char in enumerate(board))
    if impossible := _impossible(stacks, pins, a_side):
        raise PositionError(text, tuple(impossible))
    return _position(stacks, Side.WHITE if letter == "w" else Side.BLACK, a_side)


def impossible(position: TablesPosition, pins: bool, a_side: int) -> tuple[str, ...]:
    stacks = stacks_of(position)
    reasons = _impossible(stacks, pins, a_side)
    if not reasons and _position(stacks, position.mover, a_side) != position:
        reasons.append(NONE_PINNED())
    return tuple(reasons)


def write_position(position: TablesPosition, pins: bool) -> str:
    return _write(stacks_of(position), position.mover, pins)


def draw(position: TablesPosition, bars: bool) -> str:
    """The board as White sees it; ○ is White, ● Black, the lowest checker nearest the edge."""
    stacks = stacks_of(position)
    top, bottom = range(13, 25), range(12, 0, -1)
    upper = [_row([stacks[n] for n in top], row) for row in range(ROWS)]
    lower = [_row([stacks[n] for n in bottom], row) for row in reversed(range(ROWS))]
    sides = [f"{name_side(side)}: {_trays(position.men(side), bars)}" for side in Side]
    lines = [_row_of_numbers(top), *upper, "", *lower, _row_of_numbers(bottom), *sides]
    return "\n".join([*lines, f"{name_side(position.mover)} to move"])


def _trays(men: Men, bars: bool) -> str:
    off = f"{count(men, OFF)} off"
    return f"{count(men, BAR)} on the bar, {off}" if bars else off


def _row(stacks: list[Stack], row: int) -> str:
    return _joined([_cell(stack, row) for stack in stacks])


def _row_of_numbers(numbers: Iterable[int]) -> str:
    return _joined([str(number) for number in numbers])


def _joined(cells: list[str]) -> str:
    padded = [f"{cell:>3}" for cell in cells]
    return f"{''.join(padded[:6])}  |{''.join(padded[6:])}"


def _cell(stack: Stack, row: int) -> str:
    """One checker of a stack; the last row shows the number of a higher stack."""
    if row >= len(stack):
        return "·" if row == 0 else ""
    if row == ROWS - 1 and len(stack) > ROWS:
        return str(len(stack))
    return SIGNS[stack[row]]


def _position(stacks: Stacks, mover: Side, a_side: int) -> TablesPosition:
    men = {side: one(OFF) * a_side for side in Side}
    pinned = dict.fromkeys(Side, 0)
    for index, stack in enumerate(stacks):
        for side in stack:
            men[side] += one(_number(side, index)) - one(OFF)
        if len(set(stack)) > 1:
            pinned[stack[0]] += one(_number(stack[0], index))
    white, black = Side.WHITE, Side.BLACK
    return TablesPosition(men[white], men[black], mover, pinned[white], pinned[black])


def _number(side: Side, index: int) -> int:
    return index if side is Side.WHITE else BAR - index


def _write(stacks: Stacks, mover: Side, pins: bool) -> str:
    board = "".join(_letter(stack) for stack in stacks)
    if not pins:
        return f"{board} {mover.letter}"
    pinned = ",".join(str(i) for i, stack in enumerate(stacks) if len(set(stack)) > 1)
    return f"{board} {mover.letter} {pinned or '-'}"


def _letter(stack: Stack) -> str:
    if not stack:
        return "-"
    first = "A" if stack[-1] is Side.WHITE else "a"
    return chr(ord(first) + stack.count(stack[-1]) - 1)


def _lettered(char: str, pinned: bool) -> Stack:
    if char == "-":
        return ()
    side = Side.WHITE if char.isupper() else Side.BLACK
    stack = (side,) * (ord(char.lower()) - ord("a") + 1)
    return (side.other, *stack) if pinned else stack


def _listed(word: str) -> tuple[int, ...]:
    return tuple(int(number) for number in word.split(",")) if word != "-" else ()


def _impossible(stacks: Stacks, pins: bool, a_side: int) -> list[Said]:
    reasons = _wrong_bars(stacks, pins)
    for point, stack in enumerate(stacks[1:BAR], start=1):
        if len(set(stack)) > 1 and not pins:
            reasons.append(BOTH_SIDES(point=_AS_WRITTEN.name(point)))
        elif len(set(stack)) > 1 and len(set(stack[1:])) > 1:
            reasons.append(MIXED(point=_AS_WRITTEN.name(point)))
    standing = [side for stack in stacks for side in stack]
    for side in Side:
        if (there := standing.count(side)) > a_side:
            reasons.append(TOO_MANY(side=name_side(side), count=there, most=a_side))
    if not standing:
        reasons.append(ALL_OFF())
    return reasons


def _wrong_bars(stacks: Stacks, pins: bool) -> list[Said]:
    reasons = []
    for side, index in ((Side.BLACK, 0), (Side.WHITE, BAR)):
        if pins and stacks[index]:
            reasons.append(NO_BAR(side=name_side(side)))
        elif side.other in stacks[index]:
            reasons.append(OTHERS_ON_BAR(side=name_side(side), other=name_side(side.other)))
    return reasons


def _misspelt(text: str, pins: bool) -> list[str]:
    board, *words = text.split(" ")
    mover = words[0] if words else ""
    reasons = []
    if mover not in ("w", "b"):
        reasons.append(f"the mover is {quoted(mover)}; write w or b after the board and a space")
    if len(words) > 1 + pins:
        reasons.append(
            f"{quoted(' '.join(words[1 + pins :]))} is too much; end after {quoted(words[pins])}"
        )
    if len(board) != BAR + 1:
        told = f"{quoted(board)} has {len(board)} characters"
        reasons.append(f"{told}; write 26: Black's bar, 24 points, White's bar")
    reasons += [
        f"character {number} is {char!r}; write - or A to O, a to o"
        for number, char in enumerate(board, start=1)
        if char not in "-ABCDEFGHIJKLMNOabcdefghijklmno"
    ]
    return reasons + (_bad_list(board, words[1] if len(words) > 1 else "") if pins else [])


def _bad_list(board: str, word: str) -> list[str]:
    listed = word.split(",") if word != "-" else []
    standing = [str(n) for n in range(1, POINTS + 1) if board[n : n + 1] not in ("", "-")]
    return [
        f"{quoted(number)} of the pinned points is no point where checkers stand, or comes twice;"
        " write 5,22 or - for none"
        for number in dict.fromkeys(listed)
        if number not in standing or listed.count(number) > 1
    ]


BYTES = 10
XGID = "XGID="
XGID_FIELDS = 10

_ID = re.compile(r"([A-Za-z0-9+/]{14})(?: ([wb]))?")


def read_id(text: str, a_side: int) -> TablesPosition | None:
    """Read an XGID, or a position ID followed by the mover; None for other texts.

    Raises PositionError.
    """
    if text.startswith(XGID):
        return _read_xgid(text, a_side)
    found = _ID.fullmatch(text)
    mover = Side.BLACK if found and found[2] == "b" else Side.WHITE
    return found and _read_position_id(text, found[1], mover, a_side)


def write_position_id(position: TablesPosition) -> str:
    """14 characters; they do not tell the mover."""
    bits, length = 0, 0
    for side in (position.mover.other, position.mover):
        for number in range(1, BAR + 1):
            there = count(position.men(side), number)
            bits |= (1 << there) - 1 << length
            length += there + 1
    return base64.b64encode(bits.to_bytes(BYTES, "little")).decode("ascii").rstrip("=")


def write_xgid(position: TablesPosition) -> str:
    """Before the roll, in unlimited play with a centred cube."""
    board, mover = write_position(position, pins=False).split(" ")
    return f"{XGID}{board}:0:0:{1 if mover == 'w' else -1}:00:0:0:0:0:10"


def _read_position_id(text: str, characters: str, mover: Side, a_side: int) -> TablesPosition:
    try:
        raw = base64.b64decode(characters + "==", validate=True)
    except binascii.Error as error:
        raise PositionError(text, (f"this is no Base64: {error}",)) from None
    runs = f"{int.from_bytes(raw, 'little'):080b}"[::-1].split("0")
    enemy, own = (_men(runs[first : first + BAR], a_side) for first in (0, BAR))
    if len(runs) < 2 * BAR or "1" in "".join(runs[2 * BAR :]) or min(enemy, own) < 0:
        reason = f"these bits are not two times 25 counts of at most {a_side} checkers together"
        raise PositionError(text, (reason,))
    position = seen_by(mover, own, enemy)
    return read_position(write_position(position, pins=False), pins=False, a_side=a_side)


def _men(runs: list[str], a_side: int) -> Men:
    """One side's checkers from runs of ones; a negative value if there are too many."""
    standing = sum(len(run) for run in runs)
    if standing > a_side:
        return -1
    men = sum(len(run) * one(number) for number, run in enumerate(runs, start=1))
    return men + a_side - standing


def _read_xgid(text: str, a_side: int) -> TablesPosition:
    fields = text.removeprefix(XGID).split(":")
    reasons = []
    if len(fields) != XGID_FIELDS:
        reasons.append(f"it has {len(fields)} parts between colons; an XGID has {XGID_FIELDS}")
    turn = fields[3] if len(fields) > 3 else ""
    if turn not in ("1", "-1"):
        reasons.append(f"the turn is {quoted(turn)}; write 1 for White or -1 for Black")
    try:
        board = f"{fields[0]} {'b' if turn == '-1' else 'w'}"
        position = read_position(board, pins=False, a_side=a_side)
    except PositionError as error:
        reasons += error.reasons
    if reasons:
        raise PositionError(text, tuple(reasons))
    return position


# The legal turns of the tables games, and plays as players write them.
#
# Any legal turn can be made from back to front: nothing that stands farther forward frees a checker
# that stands farther back, and what must be done first (entering, coming home, clearing the higher
# points) is farther back.  So each doublet's set of moves is found once, and two dice need one pass
# for each order.  All rules of a single step are in one table of masks.
#
# A play is a tuple of moves, empty for a forfeit. A checker that moves on makes one move, unless it
# hits on the way: then it stops there, for the hand must. `13/8 6/5*`, `bar/20`, `6/off(2)`,
# `24/20*/14`; the star stands where an enemy was alone, whether it is hit or pinned. In files the
# points have White's numbers, for people those of the play's own side.

FACES = 6
OPEN, BLOT, CLOSED = "0", "1", "x"

Order: TypeAlias = tuple[Die, ...]
"""The dice in the order they are played, a doublet's four times."""


class Field(NamedTuple):
    """What a turn begins with: a state, and what a landing meets on each number of the mover's.

    The state holds the mover's men, and above them (`MEN_BITS`) the enemy's if they can be hit.
    Character n of `landing` is OPEN, BLOT, or anything greater for a closed point.
    """

    state: int
    landing: str


Trail: TypeAlias = tuple[int, int, "Trail | None"]
"""A state on the way, the point last moved from as an index into the points, the node before."""


Step: TypeAlias = tuple[int, int]
"""One checker by one die: the numbers it comes from and goes to."""


class Lines(NamedTuple):
    """All turns that use the most dice in one order, by their last states."""

    order: Order
    points: tuple[int, ...]
    nodes: list[Trail]

    def steps(self, node: Trail) -> list[Step]:
        """The turn that ends here: a pair of origin and target for each die."""
        origins = []
        _, index, before = node
        while before:
            origins.append(self.points[index])
            _, index, before = before
        return [
            (origin, max(origin - die, OFF))
            for origin, die in zip(reversed(origins), self.order, strict=False)
        ]


Mask: TypeAlias = tuple[int, int, int, int, int]
"""Masks and sums of one step: a checker that must be there, others that must not, what is added
to the state; an enemy that may be on the target, and what is added if it still is."""

_NEVER: Mask = (0, 0, 0, 0, 0)


def _step(origin: int, die: int, strikes: bool) -> Mask:
    target = max(origin - die, OFF)
    shift = one(target) - one(origin)
    if target:
        barred = one(BAR) * 15 if origin < BAR else 0
    else:
        barred = above(HOME if origin == die else origin)
    if not strikes:
        return one(origin) * 15, barred, shift, 0, shift
    blot = one(BAR - target)
    return one(origin) * 15, barred, shift, blot << MEN_BITS, shift + (one(BAR) - blot << MEN_BITS)


_QUIET, _STRIKING = (
    tuple(
        tuple(_step(origin, die, strikes) for origin in range(BAR + 1)) if die else ()
        for die in range(FACES + 1)
    )
    for strikes in (False, True)
)


def field_of(position: TablesPosition, pins: bool) -> Field:
    """The position seen by its mover, for games that hit or pin."""
    side = position.mover
    own, enemy = position.men(side), position.men(side.other)
    # What stands on number 0 is off: landing there meets nobody; 25 is only left.
    landing = f"{OPEN}{facing(enemy)[1:BAR]}{OPEN}"
    if not pins:
        return Field(own | enemy << MEN_BITS, landing)
    meets = list(landing.replace(BLOT, OPEN))
    for number in numbers(position.pinned(side)):
        meets[number] = CLOSED
    return Field(own, "".join(meets))


def results(position: TablesPosition, roll: Roll, pins: bool) -> tuple[TablesPosition, ...]:
    """The positions after all legal turns, including a forfeit, each once."""
    field = field_of(position, pins)
    states = dict.fromkeys(node[0] for lines in longest(field, roll) for node in lines.nodes)
    return tuple(after_states(position, field, states, pins))


def after_states(
    position: TablesPosition, field: Field, states: Iterable[int], pins: bool
) -> list[TablesPosition]:
    """The positions after these final states, with the mover changed."""
    if pins:
        return _pinned(position, field, states)
    other = position.mover.other
    if other is Side.BLACK:
        return [TablesPosition(state & ALL_MEN, state >> MEN_BITS, other) for state in states]
    return [TablesPosition(state >> MEN_BITS, state & ALL_MEN, other) for state in states]


def _pinned(position: TablesPosition, field: Field, states: Iterable[int]) -> list[TablesPosition]:
    """A single enemy is pinned exactly where one of the mover's checkers stands."""
    mover, enemy = position.mover, position.men(position.mover.other)
    alone = [
        (one(number) * 15, one(BAR - number))
        for number in range(1, BAR)
        if enemy >> 4 * (BAR - number) & 15 == 1 and field.landing[number] == OPEN
    ]
    own_pinned, other = position.pinned(mover), mover.other
    found = []
    for own in states:
        pinned = sum([blot for here, blot in alone if own & here])
        if mover is Side.WHITE:
            found.append(TablesPosition(own, enemy, other, own_pinned, pinned))
        else:
            found.append(TablesPosition(enemy, own, other, pinned, own_pinned))
    return found


def longest(field: Field, roll: Roll) -> list[Lines]:
    """The turns that use as many dice as can be, and the higher die if only one of two can.

    A forfeit is a line without steps.
    """
    dice = roll.dice
    orders = [dice, dice[::-1]] if len(set(dice)) > 1 else [dice * 2]
    points = _points(field, orders[0])
    steps = {die: _steps(points, field.landing, die) for die in dice}
    walks = [_walk(field.state, [steps[die] for die in order]) for order in orders]
    most = max(len(walk) for walk in walks)
    lines = [
        Lines(order, points, walk[-1])
        for order, walk in zip(orders, walks, strict=True)
        if len(walk) == most
    ]
    return lines if most > 2 else lines[:1]


def stepped(field: Field, state: int, step: Step) -> int | None:
    """The state after one more step; None if no checker stands at its origin."""
    origin, target = step
    if not state & one(origin) * 15:
        return None
    state += one(target) - one(origin)
    blot = one(BAR - target) << MEN_BITS
    if target and state & blot and field.landing[target] == BLOT:
        state += (one(BAR) << MEN_BITS) - blot
    return state


def _points(field: Field, order: Order) -> tuple[int, ...]:
    """All points a checker may leave during the turn, farthest first."""
    standing = numbers(field.state)
    doublet = order[0] == order[-1]
    ways = tuple(order[0] * times for times in range(1, 4)) if doublet else order
    reached = {number - way for number in standing for way in ways if number > way}
    # What stands on a closed point is pinned there.
    points = [number for number in reached.union(standing) if field.landing[number] <= BLOT]
    return tuple(sorted(points, reverse=True))


def _steps(points: tuple[int, ...], landing: str, die: Die) -> list[Mask]:
    """The step from each point by this die; an impossible one if the target is closed."""
    steps = []
    quiet, striking = _QUIET[die], _STRIKING[die]
    for origin in points:
        meets = landing[origin - die] if origin > die else OPEN
        if meets == OPEN:
            steps.append(quiet[origin])
        else:
            steps.append(striking[origin] if meets == BLOT else _NEVER)
    return steps


def _walk(state: int, steps_by_die: list[list[Mask]]) -> list[list[Trail]]:
    """The nodes after each die, while there are any."""
    layers: list[list[Trail]] = [[(state, 0, None)]]
    for steps in steps_by_die:
        layer: list[Trail] = []
        for node in layers[-1]:
            state, first, _ = node
            for index, (here, barred, shift, blot, strike) in enumerate(steps[first:], first):
                if state & here and not state & barred:
                    layer.append((state + (strike if state & blot else shift), index, node))
        if not layer:
            break
        layers.append(layer)
    return layers


FORFEIT = "forfeit"

_NAMES: Mapping[Spot, tuple[str, str]] = MappingProxyType(
    {
        **{spot: (spot.name, spot.name) for spot in (*BAR_SPOTS, *OFF_SPOTS)},
        **{spot: (str(spot.number), str(NUMBER[Side.BLACK][spot])) for spot in POINT_SPOTS},
    }
)
"""What White and Black call the spots."""

_TOKEN = re.compile(r"(bar|\d{1,2})((?:/(?:off|\d{1,2})\*?)+)(?:\(([2-4])\))?")


def plays(position: TablesPosition, roll: Roll, pins: bool) -> tuple[Play, ...]:
    """One play for each result; a forfeit is empty."""
    found: dict[int, Play] = {}
    blots = _blots(position)
    for lines in longest(field_of(position, pins), roll):
        for node in lines.nodes:
            if node[0] not in found:
                found[node[0]] = _play(position.mover, lines.steps(node), blots, pins)
    return tuple(found.values())


def midways(position: TablesPosition, roll: Roll, pins: bool) -> tuple[Midway[TablesPosition], ...]:
    """All parts of legal turns that leave a die, in any order of moves."""
    field = field_of(position, pins)
    made: dict[tuple[Step, ...], int | None] = {(): field.state}
    for lines in longest(field, roll):
        for node in lines.nodes:
            steps = lines.steps(node)
            for size in range(1, len(steps)):
                for part in combinations(steps, size):
                    if part not in made:
                        before = made[part[:-1]]
                        made[part] = None if before is None else stepped(field, before, part[-1])
    del made[()]
    found: dict[int, tuple[Step, ...]] = {}
    for part, state in made.items():
        if state is not None:
            found.setdefault(state, part)
    blots = _blots(position)
    ways = (_play(position.mover, part, blots, pins) for part in found.values())
    return tuple(map(Midway, ways, after_states(position, field, found, pins)))


def _play(side: Side, steps: Sequence[Step], standing: Set[int], pins: bool) -> Play:
    """The play of these steps; `standing` are the enemy's blots."""
    blots = set(standing)
    ways: list[list[int]] = []
    for origin, target in steps:
        for way in ways:
            if way[-1] == origin:
                way.append(target)
                break
        else:
            ways.append([origin, target])
    ways.sort(reverse=True)
    names = SPOT[side]
    play: list[Move] = []
    for way in ways:
        start = way[0]
        for target in way[1:]:
            struck = target in blots
            if target == way[-1] or (struck and not pins):
                blots.discard(target)
                play.append(_move(names[start], names[target], struck, pins))
                start = target
    return tuple(play)


@cache
def _move(origin: Spot, target: Spot, struck: bool, pins: bool) -> Move:
    return Move(origin, target, hit=struck and not pins, pins=struck and pins)


def _marked(position: TablesPosition, moves: Iterable[Move], pins: bool) -> Play:
    """Set `hit` or `pins` on moves, in their order."""
    blots = _blots(position)
    play = []
    for move in moves:
        number = NUMBER[position.mover].get(move.target, OFF)
        struck = number in blots
        blots.discard(number)
        play.append(_move(move.origin, move.target, struck, pins))
    return tuple(play)


def _blots(position: TablesPosition) -> set[int]:
    """The mover's numbers of the points with a single free enemy."""
    side = position.mover
    free = position.men(side.other) - position.pinned(side.other)
    own = position.men(side)
    return {n for n in range(1, BAR) if count(free, BAR - n) == 1 and not count(own, n)}


def write_play(play: Play) -> str:
    """Written by White's numbers; people read it by their own."""
    if not play:
        return FORFEIT
    ways: tuple[list[str], list[str]] = ([], [])
    for _, same in groupby(_ways(play), key=lambda way: way[0].replace("*", "")):
        first, *more = same
        times = f"({len(more) + 1})" if more else ""
        for texts, text in zip(ways, first, strict=True):
            texts.append(text + times)
    white, black = map(" ".join, ways)
    return Written.of(white, white, black, white if _is_whites(play[0]) else black, by_board=False)


def _is_whites(move: Move) -> bool:
    """White moves down."""
    number = NUMBER[Side.WHITE]
    return number.get(move.origin, OFF) > number.get(move.target, BAR)


def _ways(play: Play) -> list[tuple[str, str]]:
    """White's and Black's text for each checker; a hit on the way stays in one move."""
    ways: list[tuple[str, str]] = []
    for before, move in zip((None, *play), play, strict=False):
        star = "*" if move.hit or move.pins else ""
        goes_on = before and before.hit and before.target == move.origin
        white, black = ways.pop() if goes_on else _NAMES[move.origin]
        to_white, to_black = _NAMES[move.target]
        ways.append((f"{white}/{to_white}{star}", f"{black}/{to_black}{star}"))
    return ways


def read_play(position: TablesPosition, text: str, pins: bool) -> Play:
    """Read a play, legal or not; stars are optional. Raises TextError."""
    if text.strip().lower() == FORFEIT:
        return ()
    moves: list[Move] = []
    for token in text.lower().split():
        found = _TOKEN.fullmatch(token)
        way = _way(position.mover, found, not pins) if found else None
        if way is None or found is None:
            example = "13/8 6/5*, 6/off(2)" if pins else "13/8 6/5*, bar/20, 6/off(2)"
            raise TextError(
                f"play {quoted(text)}: {quoted(token)} is no move; write {example} or {FORFEIT}"
            )
        moves += way * int(found[3] or 1)
    if not moves:
        raise TextError(f"play {quoted(text)}: nothing is written; write 13/8 6/5* or {FORFEIT}")
    return _marked(position, moves, pins)


def _way(side: Side, found: re.Match[str], bars: bool) -> list[Move] | None:
    names = [found[1], *found[2].replace("*", "").split("/")[1:]]
    spots = [_spot(side, name) for name in names]
    inside = all(spot in NUMBER[side] for spot in spots) and "off" not in names[:-1]
    if not inside or (names[0] == "bar" and not bars):
        return None
    return [Move(origin, target) for origin, target in pairwise(spots)]


def _spot(side: Side, name: str) -> Spot:
    own = {"bar": SPOT[side][BAR], "off": SPOT[side][OFF]}
    return own.get(name) or Spot(SpotKind.POINT, int(name))
