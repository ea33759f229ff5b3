"""The page on hands: touching columns, scatter and margins of every board with reeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import dist

from hardware.make import tables
from hardware.make.hall.demands import hall_setup
from hardware.make.hall.hands import missed as hall_missed
from hardware.make.hall.hands import touching
from hardware.make.hands import missed, pushed_together, read, tolerance
from hardware.make.parts import Parts
from hardware.make.places import places_of
from hardware.make.reach import DOUBT, Reached
from hardware.make.svg import number
from pi_app.sensing.description import MOST_PLACES, Board

SIGMAS = (1.5, 2.0, 2.5, 3.0)
"""Standard deviations of hands, in mm."""


def figures(
    boards: Sequence[tuple[Board, Reached]], strips: Board | None, parts: Parts
) -> Mapping[str, str]:
    """Return the figures of the page, by name; `strips` is a board with Hall strips to compare
    with."""
    board, found = max(boards, key=lambda one: len(one[0].sensors))
    near, far, *_ = (at for place in board.places for at in places_of(place))
    pull_in = parts.magnetics.pull_in
    return {
        "ring": number(board.spot_diameter),
        "checker": number(found.setup.diameter),
        "apart": number(dist(near, far)),
        "pull_in": number(pull_in),
        "shift": number(found.setup.shift),
        **allowed(found, pull_in),
        "pushed": tables.markdown(
            ("board", "touching", "AT at the reeds, from the rail", "counted"),
            [row for one in boards for row in _pushed(*one, parts)],
        ),
        "scatter": tables.markdown(
            ("standard deviation", f"{number(pull_in)} AT", f"{number(DOUBT * pull_in)} AT"),
            [_scattered(found, pull_in, sigma) for sigma in SIGMAS],
        ),
        "slack": number(_slack(board, found)),
        "compared": _compared(board, found, strips, parts) if strips else "",
        "margins": tables.markdown(
            ("board", *(demand.rule.value for demand in found.demands)),
            [(f"`{of.name}`", *(f"{d.spare:.2f}" for d in one.demands)) for of, one in boards],
        ),
    }


def _slack(board: Board, found: Reached) -> float:
    """Return how far off its place a checker may lie, in mm, if it does not cover its ring."""
    return (board.spot_diameter - found.setup.diameter) / 2


def _compared(board: Board, found: Reached, strips: Board, parts: Parts) -> str:
    """Compare columns and inexact hands on reeds without rings, on reeds with rings, and on Hall
    strips."""
    pull_in, hall = parts.magnetics.pull_in, hall_setup(strips, parts)
    rows: list[tuple[str, ...]] = []
    for count in range(2, MOST_PLACES + 1):
        free, ringed = (
            str(read(pushed_together(board, parts, found, count, in_rings=rings), pull_in))
            for rings in (False, True)
        )
        felt = touching(strips, parts, count)
        rows.append((f"a column of {count}: counted", free, ringed, str(felt)))
    for sigma in SIGMAS:
        shares = (
            missed(found, pull_in, sigma),
            missed(found, pull_in, sigma, within=_slack(board, found)),
            hall_missed(hall, sigma),
        )
        rows.append((f"σ = {number(sigma)} mm: not felt", *(_percent(share) for share in shares)))
    head = ("", f"`{board.name}`, no rings", "each checker in its ring", f"`{strips.name}`")
    return tables.markdown(head, rows)


def allowed(found: Reached, pull_in: float) -> Mapping[str, str]:
    """Say how far off its place a checker is still felt."""
    felt = tolerance(found, pull_in)
    return {
        "towards": number(felt.towards),
        "aside": number(felt.aside),
        "away": number(felt.away),
    }


def _pushed(board: Board, found: Reached, parts: Parts) -> Iterator[tuple[str, ...]]:
    for count in range(2, 6):
        if driven := pushed_together(board, parts, found, count):
            said = " / ".join(f"{one:.0f}" for one in driven)
            closed = read(driven, parts.magnetics.pull_in)
            yield f"`{board.name}`", str(count), said, f"{closed} of {min(count, len(driven))}"


def _scattered(found: Reached, pull_in: float, sigma: float) -> tuple[str, ...]:
    shares = (missed(found, needed, sigma) for needed in (pull_in, DOUBT * pull_in))
    return (f"{number(sigma)} mm", *map(_percent, shares))


def _percent(share: float) -> str:
    return f"{share:.2%}".replace("%", " %")
