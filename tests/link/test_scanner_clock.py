"""The scanner's clock on the host's: late messages, drifting clocks, wraps and restarts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pi_app.base.microseconds import US_A_MS, ms
from pi_app.link.session import ScannerClock


def heard(clock: ScannerClock, arrived_ms: float, stamp: int) -> float:
    """In ms, when the clock says that it happened."""
    arrived = ms(arrived_ms)
    clock.hear(arrived, stamp)
    return clock.convert(arrived, stamp) / US_A_MS


def test_the_quickest_message_tells_how_far_the_clocks_are_apart() -> None:
    clock = ScannerClock()
    assert heard(clock, 1010, 5) == 1010
    assert heard(clock, 1102, 100) == 1102  # 3 ms quicker: all before were late
    assert heard(clock, 1250, 200) == 1202
    assert heard(clock, 1251, 240) == 1242


def test_a_repeated_report_is_told_at_the_time_it_happened() -> None:
    clock = ScannerClock()
    heard(clock, 1000, 0)
    assert heard(clock, 1180, 30) == 1030


@given(st.lists(st.tuples(st.floats(0, 300), st.integers(-400, 300)), min_size=1))
def test_times_never_go_back_and_never_come_before_they_happen(
    steps: list[tuple[float, int]],
) -> None:
    clock, arrived, stamp, told = ScannerClock(), 0.0, 1000, [0.0]
    for wait, ahead in steps:
        arrived, stamp = arrived + wait, max(0, stamp + ahead)
        told.append(heard(clock, arrived, stamp))
        assert told[-2] <= told[-1] <= ms(arrived) / US_A_MS


def test_a_scanner_that_runs_slow_does_not_fall_behind() -> None:
    clock, worst = ScannerClock(), 0.0
    for beat in range(1, 20_000):  # over an hour of heartbeats, half a percent slow
        arrived = beat * 200.0
        worst = max(worst, arrived - heard(clock, arrived, int(arrived * 0.995)))
    assert worst <= 0.005 * 4000 + 1


def test_a_scanner_that_runs_fast_is_followed_at_once() -> None:
    clock = ScannerClock()
    for beat in range(1, 5000):
        arrived = beat * 200.0
        assert arrived - heard(clock, arrived, int(arrived * 1.005)) < 1


def test_the_stamps_wrap_after_49_days() -> None:
    clock, wrap = ScannerClock(), 1 << 32
    assert heard(clock, 1000, wrap - 100) == 1000
    assert heard(clock, 1200, 100) == 1200
    assert heard(clock, 1210, wrap - 50) == 1200  # late, from before the wrap; never back
    assert heard(clock, 1300, 150) == 1250


def test_a_scanner_that_began_anew_counts_from_zero() -> None:
    clock = ScannerClock()
    assert heard(clock, 5000, 90_000) == 5000
    clock.restart()
    assert heard(clock, 5300, 12) == 5300
    assert heard(clock, 5420, 112) == 5400
