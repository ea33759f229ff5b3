"""What players call sides, spots and ways: the words that the games' sentences are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from pi_app.rules.terms import Move, Side, Spot, SpotKind
from pi_app.words.sentences import AND, Listing, Said, Sentence, Written

WHITE_AND_BLACK = (Sentence("White")(), Sentence("Black")())

SINGLE_GAME = Sentence("single game")()
"""What is given up for the least that a game can be lost for."""

_WAY = Sentence("{origin}/{target}")
_GRID_WAY = Sentence("{origin}-{target}")
_WORDS: Mapping[SpotKind, Said] = MappingProxyType(
    {
        SpotKind.BAR: Sentence("bar")(),
        SpotKind.OFF: Sentence("off")(),
        SpotKind.HOME: Sentence("HOME")(),
        SpotKind.SAFETY: Sentence("SAFETY")(),
    }
)


class Facing(Enum):
    """Where Black's end of the board lies, seen from White's."""

    MIRRORED = "mirrored"
    """At White's far end: the sides come towards each other, as in Backgammon."""

    HALF_TURNED = "half turned"
    """Half way round: both sides go the same way round, as in Fevga."""

    def number(self, number: int, points: int) -> int:
        """What the other side calls the point that one side calls by this number, of so many.

        The inverse of itself, so it serves both ways.
        """
        if self is Facing.MIRRORED:
            return points + 1 - number
        return (number + points // 2 - 1) % points + 1


class Counting(NamedTuple):
    """How points are counted by each side from its own end, and who is the mover.

    There are as many `points`; a file has the numbers that White gives them.
    """

    points: int
    mover: Side
    facing: Facing = Facing.MIRRORED

    def order(self, number: int) -> int:
        """The mover's number of a point, given its number in files; also the other way."""
        if self.mover is Side.WHITE:
            return number
        return self.facing.number(number, self.points)

    def name(self, number: int) -> Written:
        """The name of a point, given its number in files."""
        white, black = str(number), str(self.facing.number(number, self.points))
        mover = white if self.mover is Side.WHITE else black
        return Written.of(white, white, black, mover, by_board=True)


def name_side(side: Side) -> Said:
    """White or Black; Cannon has its own names."""
    return WHITE_AND_BLACK[side is Side.BLACK]


def name_players(given: tuple[str, str], sides: tuple[str, str]) -> tuple[str, str]:
    """Unnamed players are called by their side, in every language."""
    white, black = (s if s == name else name for name, s in zip(given, sides, strict=True))
    return white, black


def name_spot(spot: Spot, counting: Counting | None = None) -> str:
    """Without its side: "4", "e4", "bar", "HOME"."""
    if counting and spot.kind is SpotKind.POINT:
        return counting.name(spot.number)
    return _WORDS.get(spot.kind) or spot.name


def name_roll(roll: str | None) -> str:
    """ "3" or "6-4"; empty without a roll."""
    return "-".join(roll or "")


def name_way(origin: Spot, target: Spot, counting: Counting | None = None) -> Said:
    """As in a play: "4/6", "bar/20", on a grid "e4-e6"."""
    on_grid = SpotKind.CROSSING in (origin.kind, target.kind)
    first, last = (name_spot(spot, counting) for spot in (origin, target))
    return (_GRID_WAY if on_grid else _WAY)(origin=first, target=last)


def name_move(move: Move, counting: Counting | None = None) -> Said:
    return name_way(move.origin, move.target, counting)


def listed(things: Iterable[object]) -> Listing:
    """ "4, 5 and 6"."""
    return Listing(tuple(map(str, things)), AND)


def name_outcomes(*sentences: Sentence) -> Mapping[str, Said]:
    return MappingProxyType({sentence.text: sentence() for sentence in sentences})
