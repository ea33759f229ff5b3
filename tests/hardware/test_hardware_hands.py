"""Where hands set checkers down: what reeds read of touching columns and of scattered checkers."""

from __future__ import annotations

from functools import cache
from math import pi

import pytest
from known import load_board
from workshop import BOARDS, committed, parts

from hardware.make.hands import missed, pushed_together, read, tolerance, upside_down
from hardware.make.magnetics import MU_0, DiscMagnet, drive
from hardware.make.reach import MagnetRule, Reached, reached

PULL_IN = 15.0
"""The deafest of the class, as parts.toml has it."""


@cache
def found(name: str) -> Reached:
    return reached(load_board(name), parts())


@pytest.mark.parametrize(
    ("touching", "driven", "counted"),
    [
        (2, (76, 68), 2),
        (3, (76, 66, 19), 3),
        (4, (76, 66, 11, 2), 2),
        (5, (76, 66, 11, 69, 1), 3),
    ],
)
def test_a_column_pushed_together_is_not_counted_right(
    touching: int, driven: tuple[float, ...], counted: int
) -> None:
    board = load_board("tables-24")
    at = pushed_together(board, parts(), found("tables-24"), touching)
    assert at[:touching] == pytest.approx(driven, abs=1)
    assert read(at, PULL_IN) == counted


def test_a_reed_twice_as_deaf_or_as_keen_reads_another_number() -> None:
    at = pushed_together(load_board("tables-24"), parts(), found("tables-24"), 4)
    three = pushed_together(load_board("tables-24"), parts(), found("tables-24"), 3)
    assert (read(at, PULL_IN), read(at, PULL_IN / 2)) == (2, 3)
    assert (read(three, PULL_IN), read(three, 2 * PULL_IN)) == (3, 2)


@pytest.mark.parametrize(
    ("sigma", "share"), [(1.5, 0.0007), (2.0, 0.0098), (2.5, 0.0384), (3.0, 0.0875)]
)
def test_so_many_checkers_of_a_scattering_hand_are_not_felt(sigma: float, share: float) -> None:
    """Normally distributed, `sigma` mm along the reed and as much across it."""
    board = found("tables-24")
    assert missed(board, PULL_IN, sigma) == pytest.approx(share, rel=0.1)
    assert missed(board, 2 * PULL_IN, sigma) > 2 * share
    assert missed(board, PULL_IN / 2, sigma) < 0.7 * share


def test_a_ring_helps_by_keeping_the_hand_near_and_a_wide_ring_does_not() -> None:
    """A checker of 28 mm in a ring of 30 mm; 12 mm beside it is no ring at all."""
    board = found("tables-24")
    free = missed(board, PULL_IN, 3.0)
    within = [missed(board, PULL_IN, 3.0, within=far) for far in (1.0, 5.5, 12.0)]
    assert within[0] == 0
    assert 0 < within[1] < free
    assert within[2] == pytest.approx(free, rel=0.02)
    in_rings = pushed_together(load_board("tables-24"), parts(), board, 5, in_rings=True)
    assert read(in_rings, PULL_IN) == 5


@pytest.mark.parametrize("high", [3, 5])
@pytest.mark.parametrize("name", ["tables-24", "tables-24-thrifty"])
def test_mixed_poles_piled_up_do_not_work_with_reeds_and_the_same_pole_up_does(
    name: str, high: int
) -> None:
    alike, mixed = (
        reached(load_board(name), parts(), high, poles).of(MagnetRule.ALL).spare
        for poles in (False, True)
    )
    assert mixed < 1 < alike


@pytest.mark.parametrize("mixed", [False, True])
def test_higher_piles_are_never_better(mixed: bool) -> None:
    spares = [
        reached(load_board("tables-24"), parts(), high, mixed).of(MagnetRule.ALL).spare
        for high in (1, 3, 5)
    ]
    assert spares == sorted(spares, reverse=True)


@pytest.mark.parametrize("name", BOARDS)
def test_what_the_page_allows_a_hand_is_more_than_the_rules_demand_of_it(name: str) -> None:
    board = found(name)
    felt = tolerance(board, PULL_IN)
    assert (felt.towards, felt.aside, felt.away) == (4.75, 6.75, 7.75)
    assert min(felt.towards, felt.aside, felt.away) > board.setup.shift
    assert tolerance(board, 2 * PULL_IN).towards < felt.towards
    assert f"{felt.towards} mm" in committed(f"{name}/README.md")


@pytest.mark.parametrize("name", BOARDS)
def test_a_checker_turned_over_is_not_felt_so_its_top_is_marked(name: str) -> None:
    assert upside_down(found(name), parts()) < PULL_IN / 2


def test_a_loudspeaker_is_harmless_where_the_pages_allow_it() -> None:
    """An unshielded box of 6 A·m², its magnet 60 × 12 mm, along the reed: its worst."""
    strength = 6 * MU_0 / (pi * 0.060**2 / 4 * 0.012)
    setup = found("tables-24").setup
    box = DiscMagnet(60, 12, strength)
    felt = [
        max(abs(drive(box, setup.reed, far, 0.0, high)) for high in range(-100, 101, 10))
        for far in (150.0, 75.0)
    ]
    assert felt[0] < parts().magnetics.drop_out < felt[1]
