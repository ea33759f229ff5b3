"""A short run leaves tests out, but none for good."""

from __future__ import annotations

import pytest
import shares
from shares import left_out

CASES = [f"tests/rules/test_bar.py::test_it_enters[{roll}]" for roll in range(8)]
FEW = [f"tests/rules/test_bar.py::test_it_stays[{roll}]" for roll in range(3)]
OF_THE_HOUSE = [f"tests/test_words.py::test_page[{page}]" for page in range(8)]
SLOW = [f"tests/club/test_{one}.py::test_{what}" for one in "abcdef" for what in ("go", "come")]
DAYS = 60


@pytest.fixture
def days(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """What is left out with each of many seeds."""
    out = []
    for seed in range(DAYS):
        monkeypatch.setattr(shares, "SEED", seed)
        out.append(left_out([*CASES, *FEW, *OF_THE_HOUSE, *SLOW], SLOW))
    return out


def test_each_test_is_tried_on_some_days(days: list[set[str]]) -> None:
    assert set.intersection(*days) == set()
    assert set.union(*days) == {*CASES, *SLOW}


def test_half_of_several_cases_are_tried_each_day(days: list[set[str]]) -> None:
    assert {len(day & set(CASES)) for day in days} == {4}


def test_a_third_of_the_slow_tests_are_tried_and_those_of_a_file_together(
    days: list[set[str]],
) -> None:
    assert 0.25 < 1 - sum(len(day & set(SLOW)) for day in days) / (DAYS * len(SLOW)) < 0.42
    files = {test.split("::")[0] for test in SLOW}
    for day in days:
        for file in files:
            assert len([test for test in day if test.startswith(file)]) in (0, 2)
