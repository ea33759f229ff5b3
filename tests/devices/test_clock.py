"""The match's clock, and the kernel's edges on it."""

from __future__ import annotations

import pytest

from pi_app.base.microseconds import Us, ms
from pi_app.devices.clock import MatchClock


class Monotonic:
    def __init__(self, ns: int) -> None:
        self.ns = ns

    def __call__(self) -> int:
        return self.ns


def test_a_new_match_starts_at_nought_whatever_the_system_counts() -> None:
    monotonic = Monotonic(987_654_321_000)
    clock = MatchClock(monotonic_ns=monotonic)
    assert clock() == 0
    monotonic.ns += 1_250_000_000
    assert clock() == ms(1250)


def test_a_microsecond_counts_once_it_is_over() -> None:
    monotonic = Monotonic(0)
    clock = MatchClock(monotonic_ns=monotonic)
    monotonic.ns = 5_349_999
    assert clock() == 5349
    monotonic.ns = 5_350_000
    assert clock() == 5350


@pytest.mark.parametrize("last", [0, 1, 7_000, 5_200_040, 123_456_700])
def test_a_resumed_match_goes_on_and_never_back(last: int) -> None:
    monotonic = Monotonic(55)
    clock = MatchClock(Us(last), monotonic)
    seen = []
    for ns in range(0, 3_000_000, 70_000):
        monotonic.ns = 55 + ns
        seen.append(clock())
    assert seen[0] == last
    assert seen == sorted(seen)
    assert seen[-1] == last + 2940


def test_an_edge_counts_from_when_the_kernel_saw_it() -> None:
    monotonic = Monotonic(1_000_000_000)
    clock = MatchClock(ms(500), monotonic)
    monotonic.ns = 5_000_000_000
    assert clock() == ms(4500)
    assert clock.stamped(4.9) == ms(4400)
    assert clock.stamped(2.0) == ms(1500)  # the program stood still for three seconds


@pytest.mark.parametrize("ticks", [5.000001, 1_700_000_000.0, -100.0])
def test_an_edge_stamped_by_another_clock_has_just_happened(ticks: float) -> None:
    monotonic = Monotonic(1_000_000_000)
    clock = MatchClock(monotonic_ns=monotonic)
    monotonic.ns = 5_000_000_000
    assert clock.stamped(ticks) == clock()
