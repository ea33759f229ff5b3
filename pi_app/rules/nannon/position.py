"""Nannon's position: six spots, HOME at either end, and the text that writes it.

`1ww..bb1 w` is White's HOME count, spots 1 to 6, Black's HOME count, and the mover.  SAFETY is
what is missing of three checkers a side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from pi_app.rules.naming import name_side
from pi_app.rules.terms import PositionError, Side, Spot, SpotKind
from pi_app.words.sentences import Said, Sentence
from pi_app.words.texts import quoted

SPOTS = 6
CHECKERS = 3
BOARD = tuple(Spot(SpotKind.POINT, number) for number in range(1, SPOTS + 1))
HOME = MappingProxyType({side: Spot(SpotKind.HOME, side=side) for side in Side})
SAFETY = MappingProxyType({side: Spot(SpotKind.SAFETY, side=side) for side in Side})

CROWDED = Sentence("spot {spot} holds {count} checkers, one at most")
OTHERS_HOME = Sentence("{side}'s HOME holds a checker of {other}")
TOO_MANY = Sentence(
    "{side} has {count} checkers ({home} at HOME and {board} on the board), three at most"
)
ALL_SAFE = Sentence("both sides have all three checkers in SAFETY; only one can win")


@dataclass(frozen=True, slots=True)
class NannonPosition:
    """Six spots from 1 to 6, the checkers at White's and Black's HOME, and the mover."""

    spots: tuple[Side | None, ...]
    home: tuple[int, int]
    mover: Side

    def at_home(self, side: Side) -> int:
        """How many of the side's checkers wait at HOME."""
        return self.home[side is Side.BLACK]

    def in_safety(self, side: Side) -> int:
        """How many of the side's checkers have left the board."""
        return CHECKERS - self.at_home(side) - self.spots.count(side)

    def holds_prime(self, index: int) -> bool:
        """Whether the checker at this index (spot less one) has a mate on a neighbouring spot."""
        neighbours = self.spots[max(index - 1, 0) : index] + self.spots[index + 1 : index + 2]
        return self.spots[index] in neighbours


def steps_of(side: Side, index: int) -> int:
    """How far a checker at this index (spot less one) has come from HOME, 1 to 6."""
    return index + 1 if side is Side.WHITE else SPOTS - index


def index_of(side: Side, steps: int) -> int:
    """Where it stands after so many steps."""
    return steps - 1 if side is Side.WHITE else SPOTS - steps


def place(checkers: Mapping[Spot, tuple[Side, ...]], mover: Side) -> NannonPosition:
    """The position with these checkers; raises PositionError naming every reason."""
    stacks = [checkers.get(spot, ()) for spot in BOARD]
    reasons: list[Said] = [
        CROWDED(spot=str(spot), count=len(stack))
        for spot, stack in zip(BOARD, stacks, strict=True)
        if len(stack) > 1
    ]
    reasons += [
        OTHERS_HOME(side=name_side(side), other=name_side(side.other))
        for side in Side
        if side.other in checkers.get(HOME[side], ())
    ]
    spots = tuple(stack[0] if stack else None for stack in stacks)
    white, black = (len(checkers.get(HOME[side], ())) for side in Side)
    position = NannonPosition(spots, (white, black), mover)
    reasons += impossible(position)
    if reasons:
        raise PositionError(write_position(position), tuple(reasons))
    return position


def read_position(text: str) -> NannonPosition:
    """Read a position text; raises PositionError naming every reason."""
    reasons = _misspelt(text)
    if reasons:
        raise PositionError(text, tuple(reasons))
    board, mover = text.split(" ")
    sides: dict[str, Side | None] = {"w": Side.WHITE, "b": Side.BLACK, ".": None}
    home = (int(board[0]), int(board[-1]))
    side = Side.WHITE if mover == "w" else Side.BLACK
    position = NannonPosition(tuple(sides[char] for char in board[1:-1]), home, side)
    if wrong := impossible(position):
        raise PositionError(text, tuple(wrong))
    return position


def write_position(position: NannonPosition) -> str:
    """The text that read_position takes."""
    spots = "".join(owner.letter if owner else "." for owner in position.spots)
    return f"{position.home[0]}{spots}{position.home[1]} {position.mover.letter}"


def impossible(position: NannonPosition) -> list[Said]:
    """Every reason why no board can show this position."""
    reasons = []
    for side in Side:
        home, board = position.at_home(side), position.spots.count(side)
        if home + board > CHECKERS:
            who, count = name_side(side), home + board
            reasons.append(TOO_MANY(side=who, count=count, home=home, board=board))
    if not reasons and all(position.in_safety(side) == CHECKERS for side in Side):
        reasons.append(ALL_SAFE())
    return reasons


def _misspelt(text: str) -> list[str]:
    """Every reason why a text is not written like `1ww..bb1 w`."""
    board, _, mover = text.partition(" ")
    reasons = []
    if mover not in ("w", "b"):
        reasons.append(f"the mover is {quoted(mover)}; end with ' w' or ' b'")
    if len(board) != SPOTS + 2:
        reasons.append(f"{quoted(board)} has {len(board)} characters; write HOME, six spots, HOME")
        return reasons
    for name, count in (("White", board[0]), ("Black", board[-1])):
        if count not in "0123":
            reasons.append(f"{name}'s HOME is {count!r}; write 0 to 3")
    for spot, sign in zip(BOARD, board[1:-1], strict=True):
        if sign not in "wb.":
            reasons.append(f"spot {spot} is {sign!r}; write w, b or .")
    return reasons
