"""The players' names of sides, spots and moves, used as arguments of sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import NamedTuple

from pi_app.rules.terms import Move, Side, Spot, SpotKind
from pi_app.words.sentences import AND, Listing, Said, Sentence, Written

WHITE_AND_BLACK = (Sentence("White")(), Sentence("Black")())

SINGLE_GAME = Sentence("single game")()
"""The least that a resignation can offer."""

THATS_OTHERS = Sentence("That checker is {owner}'s")
OTHERS_PLACE = Sentence("That place is {owner}'s")
"""What is heard of a move that only the other side could make."""

_WAY = Sentence("{origin}/{target}")
_GRID_WAY = Sentence("{origin}-{target}")
_WORDS: Mapping[SpotKind, Said] = {
    SpotKind.BAR: Sentence("bar")(),
    SpotKind.OFF: Sentence("off")(),
    SpotKind.HOME: Sentence("HOME")(),
    SpotKind.SAFETY: Sentence("SAFETY")(),
}


class Facing(Enum):
    """How Black's numbers of the points run, compared with White's."""

    MIRRORED = "mirrored"
    """In the opposite direction: the sides come towards each other, as in Backgammon."""

    HALF_TURNED = "half turned"
    """In the same direction, from the opposite corner: both sides go the same way round, as in
    Fevga."""

    def number(self, number: int, points: int) -> int:
        """Return the other side's number of a point, given one side's number and how many points
        there are.

        Applied twice, it returns the first number again.
        """
        if self is Facing.MIRRORED:
            return points + 1 - number
        return (number + points // 2 - 1) % points + 1


class Counting(NamedTuple):
    """The numbering of `points` points by one side, the mover. Files have White's numbers."""

    points: int
    mover: Side
    facing: Facing = Facing.MIRRORED

    def order(self, number: int) -> int:
        """Return the mover's number of a point, given White's; or White's, given the mover's."""
        if self.mover is Side.WHITE:
            return number
        return self.facing.number(number, self.points)

    def name(self, number: int) -> Written:
        """Return the name of a point, given White's number."""
        white, black = str(number), str(self.facing.number(number, self.points))
        mover = white if self.mover is Side.WHITE else black
        return Written.of(white, white, black, mover, by_board=True)


def name_side(side: Side) -> Said:
    """Return White or Black; Cannon has its own names."""
    return WHITE_AND_BLACK[side is Side.BLACK]


def name_players(given: tuple[str, str], sides: tuple[str, str]) -> tuple[str, str]:
    """Return both names; an unnamed player is called by its side, in every language."""
    white, black = (s if s == name else name for name, s in zip(given, sides, strict=True))
    return white, black


def name_spot(spot: Spot, counting: Counting | None = None) -> str:
    """Return the name without its side: "4", "e4", "bar", "HOME"."""
    if counting and spot.kind is SpotKind.POINT:
        return counting.name(spot.number)
    return _WORDS.get(spot.kind) or spot.name


def name_roll(roll: str | None) -> str:
    """Return "3" or "6-4"; empty if there is no roll."""
    return "-".join(roll or "")


def name_way(origin: Spot, target: Spot, counting: Counting | None = None) -> Said:
    """Return a move as a play has it: "4/6", "bar/20", on a grid "e4-e6"."""
    on_grid = SpotKind.CROSSING in (origin.kind, target.kind)
    first, last = (name_spot(spot, counting) for spot in (origin, target))
    return (_GRID_WAY if on_grid else _WAY)(origin=first, target=last)


def name_move(move: Move, counting: Counting | None = None) -> Said:
    return name_way(move.origin, move.target, counting)


def listed(things: Iterable[object]) -> Listing:
    """List things for players: "4, 5 and 6"."""
    return Listing(tuple(map(str, things)), AND)


def name_outcomes(*sentences: Sentence) -> Mapping[str, Said]:
    return {sentence.text: sentence() for sentence in sentences}
