"""Positions of the tables games as texts, as checkers on spots, and drawn.

`-b----E-C---eE---c-e----B- w` is Black's bar, the points 1 to 24, White's bar, and the mover:
`A` is one white checker, `b` two black, `-` none.  In the Pin game a third word lists the points
with a pinned checker, or is `-`; on those the letter counts the side that pins.  What is missing
of fifteen a side is off the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import add
from typing import TypeAlias

from pi_app.rules.naming import Counting, name_side
from pi_app.rules.tables.men import (
    BAR,
    CHECKERS,
    OFF,
    POINT_SPOTS,
    POINTS,
    SPOT,
    Men,
    TablesPosition,
    count,
    facing,
    numbers,
    one,
)
from pi_app.rules.terms import PositionError, Side, Spot, Stack
from pi_app.sentences import Said, Sentence
from pi_app.texts import quoted

ROWS = 5
SIGNS = {Side.WHITE: "○", Side.BLACK: "●"}

Stacks: TypeAlias = tuple[Stack, ...]
"""Black's bar, the points 1 to 24, White's bar."""

_AS_WRITTEN = Counting(POINTS, Side.WHITE)
"""A position's text has White's numbers, whosever turn it is."""

BOTH_SIDES = Sentence("point {point} holds checkers of both sides")
MIXED = Sentence("point {point} is mixed; one checker can be pinned, at the bottom")
NONE_PINNED = Sentence("checkers of both sides stand on a point and none of them is pinned")
TOO_MANY = Sentence("{side} has {count} checkers, fifteen at most")
ALL_OFF = Sentence("both sides have all fifteen checkers off; only one can win")
NO_BAR = Sentence("{side}'s bar holds a checker; the Pin game has no bar")
OTHERS_ON_BAR = Sentence("{side}'s bar holds a checker of {other}")


def stacks_of(position: TablesPosition) -> Stacks:
    """What stands on each place, a pinned checker beneath."""
    # White's numbers are the points, Black's run back; what is off stands nowhere.
    white = (0, *_digits(facing(position.white))[BAR - 1 :: -1])
    black = (*_digits(facing(position.black))[:BAR], 0)
    stacks = [(Side.BLACK,) * b + (Side.WHITE,) * w for w, b in zip(white, black, strict=True)]
    for number in numbers(position.white_pinned):
        stacks[number] = stacks[number][::-1]
    return tuple(stacks)


def checkers_at(position: TablesPosition, bars: bool) -> Mapping[Spot, Stack]:
    """Every point, the bars if the game has them, and what is off, with the checkers there."""
    checkers = dict(zip(POINT_SPOTS, stacks_of(position)[1:BAR], strict=True))
    for side in Side:
        for number in (BAR, OFF) if bars else (OFF,):
            checkers[SPOT[side][number]] = (side,) * count(position.men(side), number)
    return checkers


def counts(position: TablesPosition, bars: bool) -> tuple[int, ...]:
    """How many checkers `checkers_at` has on each spot: points, bars if the game has them, off."""
    # Both list the bar first and the off last; White's numbers are the points, Black's run back.
    white, black = (_digits(facing(men)) for men in (position.white, position.black))
    points = map(add, white[BAR - 1 : 0 : -1], black[1:BAR])
    hit = (white[0], black[0]) if bars else ()
    return (*points, *hit, white[BAR], black[BAR])


def _digits(text: str) -> bytes:
    """The values of hexadecimal digits: a whole turn's results are counted within a millisecond."""
    return text.encode("ascii").translate(_VALUES)


_VALUES = bytes(int(chr(code), 16) if chr(code) in "0123456789abcdef" else 0 for code in range(256))


def place(checkers: Mapping[Spot, Stack], mover: Side, pins: bool) -> TablesPosition:
    """The position with these checkers; raises PositionError naming every reason."""
    spots = (SPOT[Side.BLACK][BAR], *POINT_SPOTS, SPOT[Side.WHITE][BAR])
    stacks = tuple(checkers.get(spot, ()) for spot in spots)
    if reasons := _impossible(stacks, pins):
        raise PositionError(_write(stacks, mover, pins), tuple(reasons))
    return _position(stacks, mover)


def read_position(text: str, pins: bool) -> TablesPosition:
    """Read a position text; raises PositionError naming every reason."""
    reasons = _misspelt(text, pins)
    if reasons:
        raise PositionError(text, tuple(reasons))
    board, letter, *listed = text.split(" ")
    pinned = _listed(listed[0]) if pins else ()
    stacks = tuple(_lettered(char, index in pinned) for index, char in enumerate(board))
    if impossible := _impossible(stacks, pins):
        raise PositionError(text, tuple(impossible))
    return _position(stacks, Side.WHITE if letter == "w" else Side.BLACK)


def impossible(position: TablesPosition, pins: bool) -> tuple[str, ...]:
    """Every reason why no board can show this position."""
    stacks = stacks_of(position)
    reasons = _impossible(stacks, pins)
    if not reasons and _position(stacks, position.mover) != position:
        reasons.append(NONE_PINNED())
    return tuple(reasons)


def write_position(position: TablesPosition, pins: bool) -> str:
    """The text that read_position takes."""
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
    """One checker of a stack; the last row counts a stack that is higher."""
    if row >= len(stack):
        return "·" if row == 0 else ""
    if row == ROWS - 1 and len(stack) > ROWS:
        return str(len(stack))
    return SIGNS[stack[row]]


def _position(stacks: Stacks, mover: Side) -> TablesPosition:
    men = {side: one(OFF) * CHECKERS for side in Side}
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
    """How many checkers of the upper side there are; only a count that can be has a letter."""
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


def _impossible(stacks: Stacks, pins: bool) -> list[Said]:
    """Every reason why no board can show these checkers."""
    reasons = _wrong_bars(stacks, pins)
    for point, stack in enumerate(stacks[1:BAR], start=1):
        if len(set(stack)) > 1 and not pins:
            reasons.append(BOTH_SIDES(point=_AS_WRITTEN.name(point)))
        elif len(set(stack)) > 1 and len(set(stack[1:])) > 1:
            reasons.append(MIXED(point=_AS_WRITTEN.name(point)))
    standing = [side for stack in stacks for side in stack]
    for side in Side:
        if (there := standing.count(side)) > CHECKERS:
            reasons.append(TOO_MANY(side=name_side(side), count=there))
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
    """Every reason why a text is not written like a position."""
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
    """Every reason against the list of pinned checkers."""
    if word == "-":
        return []
    listed = word.split(",")
    known = [str(number) for number in range(1, POINTS + 1)]
    if bad := [number for number in listed if number not in known]:
        told = f"the pinned points are {quoted(word)}: {quoted(bad[0])} is no point"
        return [f"{told}; write 5,22 or - for none"]
    reasons = [
        f"point {number} is listed {listed.count(number)} times as pinned"
        for number in dict.fromkeys(listed)
        if listed.count(number) > 1
    ]
    return reasons + [
        f"point {number} has a pinned checker and nobody who pins it"
        for number in dict.fromkeys(listed)
        if board[int(number) : int(number) + 1] in ("-", "")
    ]
