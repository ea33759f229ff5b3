"""Nannon as a graph: every position, seen by its mover, and what each die offers.

The rules core makes it, so nothing here knows a rule.  A position is White's to move; where Black
is to move it is turned round and its colours change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from pi_app.rules.nannon.game import Nannon
from pi_app.rules.nannon.position import CHECKERS, SPOTS, NannonPosition, impossible
from pi_app.rules.terms import Roll, Side

FACES = 6
ENDS = 2
"""A game ends by a win or by a NANNON."""

Offers: TypeAlias = tuple[tuple[int, ...], ...]
"""For each face of the die, the nodes that the mover's plays lead to."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Positions by number, those nearest to the end of the game first.

    `choices` has a row a position.  The numbers behind the last position are the ends: the mover
    has won, the mover has won a NANNON.
    """

    positions: tuple[NannonPosition, ...]
    numbers: Mapping[NannonPosition, int]
    choices: Sequence[Offers]
    paired: Sequence[Offers]
    """The same for two sides that are not alike: rows and numbers of the first side to move, then
    of the second, then the ends of the first, then of the second."""

    def __len__(self) -> int:
        return len(self.positions)

    def number(self, position: NannonPosition) -> int:
        """The number of a position that is not over, whoever is to move."""
        return self.numbers[seen_by_mover(position)]

    def end(self, points: int) -> int:
        """The number of a game that its mover has just won, for so many points."""
        return len(self) + points - 1


def seen_by_mover(position: NannonPosition) -> NannonPosition:
    """The position with White to move that is the same to its mover."""
    if position.mover is Side.WHITE:
        return position
    spots = tuple(owner and owner.other for owner in reversed(position.spots))
    return NannonPosition(spots, (position.home[1], position.home[0]), Side.WHITE)


def make_graph() -> Graph:
    """Every position that a board can show and that is not over, whether play leads to it or not.

    Half a second: what stands on a board may have been put there by hand.
    """
    game = Nannon()
    home = range(CHECKERS + 1)
    spots = product((None, *Side), repeat=SPOTS)
    boards = [
        position
        for placed, white, black in product(spots, home, home)
        if not impossible(position := NannonPosition(placed, (white, black), Side.WHITE))
        and not game.outcome(position)
    ]
    positions = tuple(sorted(boards, key=_distance))
    numbers = {position: number for number, position in enumerate(positions)}
    size = len(positions)

    def node(result: NannonPosition) -> int:
        outcome = game.outcome(result)
        return size + outcome.points - 1 if outcome else numbers[seen_by_mover(result)]

    choices = [
        tuple(
            tuple(sorted({node(to) for to in game.results(position, Roll.of(face))}))
            for face in range(1, FACES + 1)
        )
        for position in positions
    ]
    return Graph(positions, numbers, choices, _paired(choices))


def _distance(position: NannonPosition) -> tuple[int, int, str]:
    """How far a game is from its end: checkers not in SAFETY, then pips; a text breaks ties."""
    steps = [
        SPOTS - index if owner is Side.WHITE else index + 1
        for index, owner in enumerate(position.spots)
        if owner
    ]
    home = sum(position.home)
    signs = "".join(owner.letter if owner else "." for owner in position.spots)
    return len(steps) + home, sum(steps) + (SPOTS + 1) * home, f"{signs}{position.home}"


def _paired(choices: Sequence[Offers]) -> Sequence[Offers]:
    size = len(choices)

    def moved(to: int, first: bool) -> int:
        """Positions become the other side's; the ends stay the mover's own."""
        if to >= size:
            return to + size + (0 if first else ENDS)
        return to + size if first else to

    return [
        tuple(tuple(moved(to, first) for to in offer) for offer in row)
        for first in (True, False)
        for row in choices
    ]
