from __future__ import annotations

import pytest

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
    assert clock() == 1250


def test_tenths_are_kept_and_whole_numbers_are_whole() -> None:
    monotonic = Monotonic(0)
    clock = MatchClock(monotonic_ns=monotonic)
    monotonic.ns = 5_349_999
    assert clock() == 5.3
    monotonic.ns = 6_000_000
    assert repr(clock()) == "6"


@pytest.mark.parametrize("last", [0, 0.1, 7, 5200.04, 123456.7])
def test_a_resumed_match_goes_on_and_never_back(last: float) -> None:
    monotonic = Monotonic(55)
    clock = MatchClock(last, monotonic)
    seen = []
    for ns in range(0, 3_000_000, 70_000):
        monotonic.ns = 55 + ns
        seen.append(clock())
    assert last <= seen[0] <= last + 0.2
    assert seen == sorted(seen)
    assert seen[-1] == pytest.approx(last + 2.9, abs=0.2)
