"""Milliseconds of text and settings, and the microseconds inside: exact both ways."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pi_app.base.microseconds import LONGEST_MS, US_A_MS, Us, ms, read_ms, write_ms


@given(st.integers(0, LONGEST_MS * US_A_MS))
def test_every_time_survives_its_text(time: int) -> None:
    assert read_ms(json.loads(json.dumps(write_ms(Us(time))))) == time


@pytest.mark.parametrize(
    ("value", "time"),
    [
        (0, 0),
        (16776732.9, 16776732900),
        (0.001, 1),
        (5200, 5200000),
    ],
)
def test_a_number_of_a_text_is_a_time(value: float, time: int) -> None:
    assert read_ms(value) == time


@pytest.mark.parametrize(
    "value",
    [
        -1,
        -0.001,
        0.0001,
        1.0005001,
        16776737.900000002,
        1e12,
        float("nan"),
        float("inf"),
        True,
        "1",
        None,
        [1],
    ],
)
def test_what_is_no_time_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="it must "):
        read_ms(value)


def test_whole_milliseconds_are_written_whole() -> None:
    assert (
        json.dumps([write_ms(ms(5200)), write_ms(ms(0.5)), write_ms(Us(1))]) == "[5200, 0.5, 0.001]"
    )
