"""Names of sides, spots and moves, for the games' sentences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from pi_app.rules.terms import Move, Side, Spot, SpotKind
from pi_app.words.sentences import AND, Listing, Said, Sentence, Written

WHITE_AND_BLACK = (Sentence("White")(), Sentence("Black")())

SINGLE_GAME = Sentence("single game")()
"""A resignation for the least loss."""

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


class Counting(NamedTuple):
    """Each side's point numbers from its own end, and the mover. There are `points` points; files
    use White's numbers."""

    points: int
    mover: Side

    def name(self, number: int) -> Written:
        """A point by its number in files."""
        white, black = str(number), str(self.points + 1 - number)
        mover = white if self.mover is Side.WHITE else black
        return Written.of(white, white, black, mover, by_board=True)


def name_side(side: Side) -> Said:
    """A side as players say it, all but Cannon's."""
    return WHITE_AND_BLACK[side is Side.BLACK]


def name_players(given: tuple[str, str], sides: tuple[str, str]) -> tuple[str, str]:
    """The players' names; who gave none is called as his side, in every language."""
    white, black = (s if s == name else name for name, s in zip(given, sides, strict=True))
    return white, black


def name_spot(spot: Spot, counting: Counting | None = None) -> str:
    """A spot as players say it, whosever it is: "4", "e4", "bar", "HOME"."""
    if counting and spot.kind is SpotKind.POINT:
        return counting.name(spot.number)
    return _WORDS.get(spot.kind) or spot.name


def name_roll(roll: str | None) -> str:
    """A roll as players write it: "3", "6-4"; empty without dice."""
    return "-".join(roll or "")


def name_way(origin: Spot, target: Spot, counting: Counting | None = None) -> Said:
    """A checker's move as plays are written: "4/6", "bar/20", on a grid "e4-e6"."""
    on_grid = SpotKind.CROSSING in (origin.kind, target.kind)
    first, last = (name_spot(spot, counting) for spot in (origin, target))
    return (_GRID_WAY if on_grid else _WAY)(origin=first, target=last)


def name_move(move: Move, counting: Counting | None = None) -> Said:
    """A move as text."""
    return name_way(move.origin, move.target, counting)


def listed(things: Iterable[object]) -> Listing:
    """Numbers or spots one after another: "4, 5 and 6"."""
    return Listing(tuple(map(str, things)), AND)


def name_outcomes(*sentences: Sentence) -> Mapping[str, Said]:
    """The outcomes as players say them, by the names they have in files: their English words."""
    return MappingProxyType({sentence.text: sentence() for sentence in sentences})
