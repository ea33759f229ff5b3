"""Positions of the tables games: as numbers, on spots and as texts.

One side's checkers, its *men*, are one int of 26 hexadecimal digits. Digit n counts the checkers
with n pips to go: 24 to 1 are the points as that side numbers them, 25 is the bar, 0 is off the
board. Both sides move from 25 down to 0 by the same rules, and a move is one addition. An array of
26 signed counts was not chosen: each move would copy it, and each direction would need its own
rules.

The text `-b----E-C---eE---c-e----B- w` is Black's bar, the points 1 to 24, White's bar, and the
mover: `A` is one white checker, `b` two black ones, `-` none. In the Pin game a third word lists
the points with a pinned checker, or is `-`; on those points the letter counts the side that pins.
The rest of each side's checkers, fifteen in most games, are off the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from enum import Enum
from itertools import accumulate, permutations
from operator import add
from typing import NamedTuple, TypeAlias

from pi_app.base.values import dataclass
from pi_app.rules.naming import Counting, Facing, name_side
from pi_app.rules.terms import (
    PositionError,
    Roll,
    Side,
    Spot,
    SpotKind,
    Stack,
)
from pi_app.words.sentences import Said, Sentence
from pi_app.words.texts import quoted

Men: TypeAlias = int
"""One side's checkers: hexadecimal digit n counts those with n pips to go."""

CHECKERS = 15
"""Checkers a side in most games."""
OFF = 0
HOME = 6
POINTS = 24
BAR = 25
MEN_BITS = 4 * (BAR + 1)
ALL_MEN = (1 << MEN_BITS) - 1


class TablesPosition(NamedTuple):
    """Both sides' men and the mover. Pinned checkers are counted among the men too.

    A tuple, because a turn creates hundreds of them and a frozen dataclass takes three times as
    long.
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
    """Return the position in which the mover has the men `own`, and the other side `enemy`."""
    if mover is Side.WHITE:
        return TablesPosition(own, enemy, mover, own_pinned, enemy_pinned)
    return TablesPosition(enemy, own, mover, enemy_pinned, own_pinned)


def one(number: int) -> Men:
    """Return a single checker with this many pips to go."""
    return 1 << 4 * number


def count(men: Men, number: int) -> int:
    return men >> 4 * number & 15


def above(number: int) -> int:
    """Return a mask of all digits for more pips than this."""
    return ALL_MEN & -one(number + 1)


def numbers(men: Men) -> tuple[int, ...]:
    """Return the number of each checker on points and bar, farthest first."""
    digits = f"{men & ALL_MEN:026x}"
    return tuple([BAR - index for index, digit in enumerate(digits[:BAR]) if digit != "0"])


def pips(men: Men) -> int:
    return sum(number * count(men, number) for number in range(1, BAR + 1))


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


POINT_SPOTS = tuple(Spot(SpotKind.POINT, number) for number in range(1, POINTS + 1))
OFF_SPOTS = tuple(Spot(SpotKind.OFF, side=side) for side in Side)
BAR_SPOTS = tuple(Spot(SpotKind.BAR, side=side) for side in Side)


@dataclass(frozen=True, eq=False, slots=True)
class Paths:
    """Both sides' ways round the board, each from its own 24 to its own 1.

    `across[n]` is the other side's number of my point n, from the bar to 0; it is its own inverse,
    so it serves both sides. `spots` are each side's spots by its numbers (off, 24 points, bar);
    `numbers` is the inverse without the other side's bar and tray. `names` is what White and Black
    call each spot.
    """

    facing: Facing
    mirrored: bool
    across: tuple[int, ...]
    spots: Mapping[Side, tuple[Spot, ...]]
    numbers: Mapping[Side, Mapping[Spot, int]]
    names: Mapping[Spot, tuple[str, str]]

    @classmethod
    def of(cls, facing: Facing) -> Paths:
        own = range(1, BAR)
        across = (BAR, *(facing.number(number, POINTS) for number in own), OFF)
        points = {
            Side.WHITE: POINT_SPOTS,
            Side.BLACK: tuple(POINT_SPOTS[across[number] - 1] for number in own),
        }
        spots = {
            side: (off, *points[side], bar)
            for side, off, bar in zip(Side, OFF_SPOTS, BAR_SPOTS, strict=True)
        }
        numbers = {side: {spot: n for n, spot in enumerate(spots[side])} for side in Side}
        names = {spot: (str(n), str(across[n])) for n, spot in enumerate(POINT_SPOTS, start=1)}
        names |= {spot: (spot.name, spot.name) for spot in (*BAR_SPOTS, *OFF_SPOTS)}
        mirrored = facing is Facing.MIRRORED
        return cls(facing, mirrored, across, spots, numbers, names)

    def enemies(self, men: Men) -> str:
        """Return how many of the enemy's men stand on each of my points, one hexadecimal digit
        each.

        Character 0 counts those on the enemy's bar, character 25 those that are off.
        """
        digits = f"{men:026x}"  # from his 25 to his 0
        if self.mirrored:
            return digits
        # Slices, for a whole turn's results are looked at; a test holds them to `across`.
        return f"{digits[0]}{digits[12:0:-1]}{digits[24:12:-1]}{digits[25]}"


AGAINST = Paths.of(Facing.MIRRORED)
"""The sides come towards each other, as in Backgammon."""
ALONG = Paths.of(Facing.HALF_TURNED)
"""Both sides go the same way round, from opposite corners."""


class Encounter(Enum):
    """What happens where a checker lands on a single enemy."""

    HIT = "hit"
    """The enemy goes to the bar."""
    PIN = "pin"
    """The enemy stays beneath and cannot move."""
    BLOCK = "block"
    """Nothing may land there: a single enemy closes the point."""


OPEN, BLOT, CLOSED = "0", "1", "x"


class Field(NamedTuple):
    """A position at the start of a turn, as the search for turns needs it.

    The state is the mover's men, with the enemy's men in the bits above them (`MEN_BITS`) if they
    can be hit. Character n of `landing` is OPEN, BLOT or, for a closed point, a greater character,
    by the mover's numbers.
    """

    variant: Variant
    state: int
    landing: str


@dataclass(frozen=True, eq=False, slots=True)
class Restriction:
    """A rule of one game about where its checkers may move or stand, besides the common rules.

    `breaks` takes the start of the turn, the mover's men and a number: the origin of a step, or OFF
    for the end of a turn. The other fields are as in a `Rule`; `reason` may use `side`, `enemy`
    and, for a step, `way`.
    """

    identifier: str
    number: int
    sentence: Sentence
    brief: Sentence
    reason: Sentence
    breaks: Callable[[Field, Men, int], bool]


@dataclass(frozen=True, eq=False, slots=True)
class Variant:
    """The properties of a tables game that its positions and turns depend on.

    `on_steps` hold at every step of a turn, `on_ends` for its final position. If no turn satisfies
    all of `on_ends`, the last of them is waived first.
    """

    encounter: Encounter = Encounter.HIT
    paths: Paths = AGAINST
    a_side: int = CHECKERS
    on_steps: tuple[Restriction, ...] = ()
    on_ends: tuple[Restriction, ...] = ()
    bars: bool = field(init=False)
    """Whether the game has a bar; only hit checkers need one."""
    pins: bool = field(init=False)

    def __post_init__(self) -> None:
        # Every turn asks, and looking up a member of an enum is slow.
        object.__setattr__(self, "bars", self.encounter is Encounter.HIT)
        object.__setattr__(self, "pins", self.encounter is Encounter.PIN)


USUAL = Variant()
"""Backgammon and its nearest relatives."""


def is_stop(paths: Paths, side: Side, roll: Roll, way: tuple[Spot, Spot, Spot]) -> bool:
    """Whether the second of these spots is reached with some dice of the roll, and the third from
    there with others. Bearing off may need fewer pips than the dice show."""
    number = paths.numbers[side]
    if not all(spot in number for spot in way):
        return False
    origin, stop, target = (number[spot] for spot in way)
    twice = 2 if len(set(roll.dice)) == 1 else 1
    for dice in set(permutations(roll.dice)):
        left = [origin - pips for pips in accumulate(dice * twice)]
        if stop in left[:-1] and stop > target:
            onward = left[left.index(stop) + 1 :]
            if target in onward or (target == OFF and onward[-1] < OFF):
                return True
    return False


def start(mover: Side, *placed: tuple[int, int]) -> TablesPosition:
    men = sum(number * one(point) for point, number in placed)
    return TablesPosition(men, men, mover)


ROWS = 5
SIGNS = {Side.WHITE: "○", Side.BLACK: "●"}

Stacks: TypeAlias = tuple[Stack, ...]
"""Black's bar, the points 1 to 24, White's bar."""

_AS_WRITTEN = Counting(POINTS, Side.WHITE)
"""A position's text has White's numbers, whoever is on roll."""

BOTH_SIDES = Sentence("point {point} holds checkers of both sides")
MIXED = Sentence("point {point} is mixed; one checker can be pinned, at the bottom")
NONE_PINNED = Sentence("checkers of both sides stand on a point and none of them is pinned")
TOO_MANY = Sentence("{side} has {count} checkers, {most} at most")
ALL_OFF = Sentence("both sides have all checkers off; only one can win")
NO_BAR = Sentence("{side}'s bar holds a checker; this game has no bar")
OTHERS_ON_BAR = Sentence("{side}'s bar holds a checker of {other}")


def stacks_of(position: TablesPosition, paths: Paths) -> Stacks:
    """Return the checkers on each place; a pinned checker is the lowest."""
    # The points have White's numbers, Black's are across; what is off stands nowhere.
    white = (0, *_digits(f"{position.white:026x}")[BAR - 1 :: -1])
    black = (*_digits(paths.enemies(position.black))[:BAR], 0)
    stacks = [(Side.BLACK,) * b + (Side.WHITE,) * w for w, b in zip(white, black, strict=True)]
    for number in numbers(position.white_pinned):
        stacks[number] = stacks[number][::-1]
    return tuple(stacks)


def checkers_at(position: TablesPosition, variant: Variant) -> Mapping[Spot, Stack]:
    """The checkers on points, bars (if the game has them) and trays."""
    checkers = dict(zip(POINT_SPOTS, stacks_of(position, variant.paths)[1:BAR], strict=True))
    for side, spots in variant.paths.spots.items():
        for number in (BAR, OFF) if variant.bars else (OFF,):
            checkers[spots[number]] = (side,) * count(position.men(side), number)
    return checkers


def counts(position: TablesPosition, variant: Variant) -> tuple[int, ...]:
    """The number of checkers on each spot of `checkers_at`."""
    # Both list the bar first and the off last; the points have White's numbers.
    white = _digits(f"{position.white:026x}")
    black = _digits(variant.paths.enemies(position.black))
    points = map(add, white[BAR - 1 : 0 : -1], black[1:BAR])
    hit = (white[0], black[0]) if variant.bars else ()
    return (*points, *hit, white[BAR], black[BAR])


def counts_of(position: TablesPosition, side: Side, variant: Variant) -> tuple[int, ...]:
    """The number of this side's checkers on each spot of `checkers_at`."""
    if side is Side.WHITE:
        men = _digits(f"{position.white:026x}")
        return (*men[BAR - 1 : 0 : -1], *((men[0], 0) if variant.bars else ()), men[BAR], 0)
    men = _digits(variant.paths.enemies(position.black))
    return (*men[1:BAR], *((0, men[0]) if variant.bars else ()), 0, men[BAR])


def _digits(text: str) -> bytes:
    """Convert hexadecimal digits to numbers; fast enough for all results of a turn."""
    return text.encode("ascii").translate(_VALUES)


_VALUES = bytes(int(chr(code), 16) if chr(code) in "0123456789abcdef" else 0 for code in range(256))


def place(checkers: Mapping[Spot, Stack], mover: Side, variant: Variant) -> TablesPosition:
    """Return the position with these checkers. Raises PositionError with every reason."""
    bar, opposite = BAR_SPOTS
    stacks = tuple(checkers.get(spot, ()) for spot in (opposite, *POINT_SPOTS, bar))
    if reasons := _impossible(stacks, variant):
        raise PositionError(_write(stacks, mover, variant), tuple(reasons))
    return _position(stacks, mover, variant)


def read_position(text: str, variant: Variant) -> TablesPosition:
    """Read a position; checkers that the text leaves out are off. Raises PositionError with every
    reason."""
    reasons = _misspelt(text, variant.pins)
    if reasons:
        raise PositionError(text, tuple(reasons))
    board, letter, *listed = text.split(" ")
    pinned = _listed(listed[0]) if variant.pins else ()
    stacks = tuple(_lettered(char, index in pinned) for index, char in enumerate(board))
    if impossible := _impossible(stacks, variant):
        raise PositionError(text, tuple(impossible))
    return _position(stacks, Side.WHITE if letter == "w" else Side.BLACK, variant)


def impossible(position: TablesPosition, variant: Variant) -> tuple[str, ...]:
    stacks = stacks_of(position, variant.paths)
    reasons = _impossible(stacks, variant)
    if not reasons and _position(stacks, position.mover, variant) != position:
        reasons.append(NONE_PINNED())
    return tuple(reasons)


def write_position(position: TablesPosition, variant: Variant) -> str:
    if variant.pins:
        return _write(stacks_of(position, variant.paths), position.mover, variant)
    white = "0" + f"{position.white:026x}"[BAR - 1 :: -1]
    black = f"{variant.paths.enemies(position.black)[:BAR]}0"
    pairs = zip(white, black, strict=True)
    board = "".join([_WHITES[w] if w != "0" else _BLACKS[b] for w, b in pairs])
    return f"{board} {position.mover.letter}"


_DIGITS = "0123456789abcdef"
_WHITES = dict(zip(_DIGITS, "-ABCDEFGHIJKLMNO", strict=True))
_BLACKS = dict(zip(_DIGITS, "-abcdefghijklmno", strict=True))
"""A count's letter, by its hexadecimal digit. Every play of a match is written with these."""


def draw(position: TablesPosition, variant: Variant) -> str:
    """Draw the board as White sees it: ○ is White, ● Black, and the lowest checker is nearest the
    edge."""
    stacks = stacks_of(position, variant.paths)
    top, bottom = range(13, 25), range(12, 0, -1)
    upper = [_row([stacks[n] for n in top], row) for row in range(ROWS)]
    lower = [_row([stacks[n] for n in bottom], row) for row in reversed(range(ROWS))]
    sides = [f"{name_side(side)}: {_trays(position.men(side), variant.bars)}" for side in Side]
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
    """One checker of a stack; if the stack is higher than the drawing, the last row shows its
    height."""
    if row >= len(stack):
        return "·" if row == 0 else ""
    if row == ROWS - 1 and len(stack) > ROWS:
        return str(len(stack))
    return SIGNS[stack[row]]


def _position(stacks: Stacks, mover: Side, variant: Variant) -> TablesPosition:
    men = dict.fromkeys(Side, one(OFF) * variant.a_side)
    pinned = dict.fromkeys(Side, 0)
    across = variant.paths.across
    for index, stack in enumerate(stacks):
        for side in stack:
            men[side] += one(index if side is Side.WHITE else across[index]) - one(OFF)
        if stack and stack[0] is not stack[-1]:
            side = stack[0]
            pinned[side] += one(index if side is Side.WHITE else across[index])
    white, black = Side.WHITE, Side.BLACK
    return TablesPosition(men[white], men[black], mover, pinned[white], pinned[black])


def _write(stacks: Stacks, mover: Side, variant: Variant) -> str:
    board = "".join(_letter(stack) for stack in stacks)
    if not variant.pins:
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


def _impossible(stacks: Stacks, variant: Variant) -> list[Said]:
    reasons = _wrong_bars(stacks, variant.bars)
    for point, stack in enumerate(stacks[1:BAR], start=1):
        if len(set(stack)) > 1 and not variant.pins:
            reasons.append(BOTH_SIDES(point=_AS_WRITTEN.name(point)))
        elif len(set(stack)) > 1 and len(set(stack[1:])) > 1:
            reasons.append(MIXED(point=_AS_WRITTEN.name(point)))
    standing = [side for stack in stacks for side in stack]
    for side in Side:
        if (there := standing.count(side)) > variant.a_side:
            reasons.append(TOO_MANY(side=name_side(side), count=there, most=variant.a_side))
    if not standing:
        reasons.append(ALL_OFF())
    return reasons


def _wrong_bars(stacks: Stacks, bars: bool) -> list[Said]:
    reasons = []
    for side, index in ((Side.BLACK, 0), (Side.WHITE, BAR)):
        if not bars and stacks[index]:
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
        what = f"{quoted(board)} has {len(board)} characters"
        reasons.append(f"{what}; write 26: Black's bar, 24 points, White's bar")
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
