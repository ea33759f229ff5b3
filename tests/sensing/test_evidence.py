"""What a row of lifts and drops proves."""

from __future__ import annotations

import pytest

from pi_app.microseconds import ms
from pi_app.rules.terms import Spot
from pi_app.sensing.description import Sensor
from pi_app.sensing.evidence import REMEMBERED, Evidence, Handled

ONE, TWO, FOUR = Spot.read("1"), Spot.read("2"), Spot.read("4")


def seen(*steps: tuple[float, Spot, str]) -> Evidence:
    evidence = Evidence()
    for time_ms, spot, what in steps:
        evidence = evidence.add(Handled(ms(time_ms), spot, Sensor(str(spot)), what == "drop"))
    return evidence


@pytest.mark.parametrize(
    ("evidence", "dip_ms"),
    [
        (seen(), 0),
        (seen((0, FOUR, "lift")), 0),
        (seen((0, FOUR, "drop")), 0),
        (seen((0, FOUR, "lift"), (300, FOUR, "drop")), 300),
        (seen((0, FOUR, "lift"), (300, FOUR, "drop"), (400, FOUR, "lift")), 300),
        (seen((0, FOUR, "lift"), (9, FOUR, "drop"), (20, FOUR, "lift"), (29, FOUR, "drop")), 9),
        (seen((0, FOUR, "drop"), (300, FOUR, "lift")), 0),
    ],
)
def test_how_long_a_spot_was_open_before_it_closed(evidence: Evidence, dip_ms: float) -> None:
    assert evidence.longest_dip(FOUR) == ms(dip_ms)


def test_a_drop_before_the_lift_is_no_arrival_but_for_a_short_overlap() -> None:
    slid = seen((0, FOUR, "lift"), (1000, FOUR, "drop"), (1200, TWO, "lift"))
    assert slid.carried(FOUR, TWO, overlap=ms(300))
    assert not slid.carried(FOUR, TWO, overlap=ms(100))
    assert not slid.carried(FOUR, ONE, overlap=ms(300))


def test_a_checker_put_back_and_lifted_again_counts_from_its_last_lift() -> None:
    steps = seen(
        (0, TWO, "lift"),
        (100, FOUR, "lift"),
        (400, FOUR, "drop"),
        (800, TWO, "drop"),
        (1500, TWO, "lift"),
    )
    assert not steps.carried(FOUR, TWO, overlap=ms(300))


def test_who_was_in_the_air_at_a_drop() -> None:
    assert seen((0, TWO, "lift"), (5, FOUR, "drop")).lifted_during_last_drop(FOUR, frozenset())
    put_back = seen((0, TWO, "lift"), (3, TWO, "drop"), (5, FOUR, "drop"))
    assert not put_back.lifted_during_last_drop(FOUR, frozenset())
    slid_over = seen((0, TWO, "drop"), (3, TWO, "lift"), (5, FOUR, "drop"))
    assert not slid_over.lifted_during_last_drop(FOUR, frozenset())
    assert not seen((0, TWO, "lift")).lifted_during_last_drop(FOUR, frozenset())


def test_of_very_many_steps_the_last_are_remembered() -> None:
    evidence = seen(
        *((time_ms, TWO, ("lift", "drop")[time_ms % 2]) for time_ms in range(10 * REMEMBERED))
    )
    assert len(evidence.steps) == REMEMBERED
    assert evidence.steps[-1].us == ms(10 * REMEMBERED - 1)
