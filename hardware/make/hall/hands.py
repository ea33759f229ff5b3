"""How hands set checkers down, and how many of them a board with Hall sensors feels.

As with reeds (`hands.py`): the weakest magnet of its grade, sheets as thick as they should be, the
deafest sensor. Hands miss a place by a normal distribution of the same spread along both axes.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, exp

from hardware.make.hall.demands import HallSetup, hall_setup
from hardware.make.parts import Parts
from hardware.make.places import step
from hardware.make.shapes import PointMm
from pi_app.sensing.description import Board, Place


def radius(found: HallSetup) -> float:
    """The farthest a checker may lie off its place in any direction to be felt, in mm."""
    return found.reach(found.setup.weak, wood=0.0)


def missed(found: HallSetup, spread: float) -> float:
    """The share of checkers that are not felt: those beyond the radius."""
    return exp(-((radius(found) / spread) ** 2) / 2)


def column_of(board: Board) -> Place:
    """The first spot with the most places."""
    return max(board.places, key=lambda place: len(place.reeds))


def touching(board: Board, parts: Parts, checkers: int, from_rail: bool = True) -> int:
    """How many places of a column a board feels when so many checkers touch in it, the first
    standing right on its first place, or on its last one."""
    found = hall_setup(board, parts)
    at = [reed.at for reed in column_of(board).reeds]
    start, end = (at[0], at[-1]) if from_rail else (at[-1], at[0])
    length = dist(start, end)
    way = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    stand = [step(start, way, number * found.setup.diameter) for number in range(checkers)]
    return felt_places(found, at, stand)


def felt_places(found: HallSetup, places: Sequence[PointMm], checkers: Sequence[PointMm]) -> int:
    """How many places feel one of the checkers that stand there."""
    far = radius(found)
    return sum(any(dist(place, at) <= far for at in checkers) for place in places)
