"""Where things lie on a board, in mm from its corner: reeds and their ends, trays, screws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot

from hardware.make.parts import Measures
from hardware.make.shapes import PointMm
from pi_app.rules.terms import SpotKind
from pi_app.sensing.description import MOST_PLACES, Board, Place, Reed

EDGES_MM, NEAR_MM = (4.0, 12.0), 4.0
"""What a tray leaves free to the board's edges, where the screws are, and to spots beside it."""
LONG_MM = 350.0
"""An edge longer than this has a screw in its middle too."""


@dataclass(frozen=True, slots=True)
class Lie:
    """How one reed lies: its middle, the direction along it, away from the spot's centre, and its
    two ends: the one near the spot's centre and the far one.
    """

    reed: Reed
    middle: PointMm
    along: PointMm
    near: PointMm
    far: PointMm


def lie(reed: Reed, measures: Measures) -> Lie:
    """How a reed lies: along its offset, where the magnet's field runs along it.

    Raises ValueError for a reed right under its spot, which no magnet closes.
    """
    length = hypot(*reed.offset)
    if not length:
        raise ValueError(
            f"sensor {reed.name!r} has no offset; under a magnet's middle no reed closes"
        )
    along = (reed.offset[0] / length, reed.offset[1] / length)
    middle = step(reed.at, along, length)
    half = measures.slot[0] / 2
    return Lie(reed, middle, along, step(middle, along, -half), step(middle, along, half))


def lies(board: Board, measures: Measures) -> tuple[Lie, ...]:
    """How all reeds of a board lie, in the order of its description."""
    return tuple(lie(reed, measures) for place in board.places for reed in place.reeds)


def step(start: PointMm, along: PointMm, length: float) -> PointMm:
    """Return the point at this distance in a direction."""
    return (start[0] + along[0] * length, start[1] + along[1] * length)


def across(along: PointMm) -> PointMm:
    """The direction a quarter turn to the right."""
    return (along[1], -along[0])


def places_of(place: Place) -> tuple[PointMm, ...]:
    """The places of a spot from the rail inwards; a point has five, whether felt or not."""
    felt = [reed.at for reed in place.reeds]
    if len(felt) < 2 or place.spot.kind is not SpotKind.POINT:
        return tuple(felt)
    apart = (felt[1][0] - felt[0][0], felt[1][1] - felt[0][1])
    return tuple(
        (felt[0][0] + number * apart[0], felt[0][1] + number * apart[1])
        for number in range(MOST_PLACES)
    )


def lights(board: Board, measures: Measures) -> Iterator[tuple[Place, PointMm]]:
    """Each light's place: across the spot from its first reed."""
    for place in board.places:
        if place.light is not None and place.reeds:
            first = place.reeds[0]
            along = lie(first, measures).along if any(first.offset) else (0.0, 1.0)
            yield place, step(place.at, along, -measures.light_from_spot)


def checkers(board: Board) -> int:
    """How many checkers the board's games need, both sides together."""
    return 2 * max(game.checkers_a_side for game in board.games.values())


def screws(board: Board, measures: Measures) -> Iterator[PointMm]:
    """The screws in the corners, and in the middle of long edges."""
    yield from screws_of(board.size, measures)


def screws_of(size: PointMm, measures: Measures) -> Iterator[PointMm]:
    """Return the places of the screws of a sheet of this size."""
    width, height = size
    inset = measures.screw_inset
    columns = [inset, width - inset]
    if width > LONG_MM:
        columns.insert(1, width / 2)
    for y in (inset, height - inset):
        yield from ((x, y) for x in columns)


def trays(board: Board) -> Iterator[tuple[Place, PointMm]]:
    """Each place without reeds and the size of the tray that there is room for."""
    for place in board.places:
        if not place.reeds:
            yield place, (_room(board, place, 0), _room(board, place, 1))


def _room(board: Board, tray: Place, axis: int) -> float:
    """Return the greatest length of a tray along one axis, in mm."""
    x = tray.at[axis]
    rooms = [x - EDGES_MM[axis], board.size[axis] - x - EDGES_MM[axis]]
    reach = board.spot_diameter / 2 + NEAR_MM
    felt = [reed.at for place in board.places for reed in place.reeds]
    if axis == 0:
        rooms += [abs(at[0] - x) - reach for at in felt]
    others = [place.at for place in board.places if not place.reeds and place is not tray]
    for other in others:
        gap = abs(other[axis] - x)
        if gap and abs(other[1 - axis] - tray.at[1 - axis]) < 1:
            rooms.append(gap / 2 - NEAR_MM / 2)
    return 2 * min(rooms)
