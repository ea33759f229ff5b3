"""Positions that fit the sensors, on a board with several places a spot."""

from __future__ import annotations

from dataclasses import replace

import pytest
from known import load_board

from pi_app.rules.terms import Side, Spot
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.occupancy import SensedSpots


def rail() -> Board:
    """One point of three places, and a tray."""
    board = load_board("tables-24-thrifty")
    return replace(
        board, places=tuple(board.place(Spot.read(name)) for name in ("13", "off.white"))
    )


def closed(*places: int) -> frozenset[Sensor]:
    return frozenset(Sensor(f"13.{place}") for place in places)


def checkers(count: int) -> dict[Spot, tuple[Side, ...]]:
    return {Spot.read("13"): (Side.WHITE,) * count, Spot.read("off.white"): ()}


@pytest.mark.parametrize(
    ("count", "shut", "off", "fits"),
    [
        (2, closed(1, 2), closed(), True),
        (2, closed(1, 3), closed(), True),  # places of a spot are interchangeable
        (2, closed(1), closed(), False),
        (3, closed(1, 2, 3), closed(), True),
        (5, closed(1, 2, 3), closed(), True),  # stacks above the last sensor are not seen
        (5, closed(1, 2), closed(), False),
        (2, closed(1), closed(3), True),  # the other may lie on the place that is off
        (2, closed(1, 2), closed(3), True),
        (1, closed(1, 2), closed(3), False),
        (3, closed(1), closed(3), False),
        (0, closed(3), closed(3), True),
        (2, closed(), closed(1, 2, 3), True),
    ],
)
def test_what_fits(count: int, shut: frozenset[Sensor], off: frozenset[Sensor], fits: bool) -> None:
    sensed = SensedSpots(rail())
    expected = sensed.expected(checkers(count))
    assert (sensed.misfits(expected, sensed.seen(shut, off)) == ()) is fits
    assert (sensed.put_right(expected, shut, off) == ((), ())) is fits


def test_put_right_names_as_many_sensors_as_checkers_are_missing_or_too_many() -> None:
    sensed = SensedSpots(rail())
    assert sensed.put_right(sensed.expected(checkers(2)), closed(2), closed()) == (("13.1",), ())
    assert sensed.put_right(sensed.expected(checkers(1)), closed(1, 2), closed()) == ((), ("13.2",))
