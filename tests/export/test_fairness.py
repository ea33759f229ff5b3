"""The chi-square word on dice, against what tables print and closed forms give."""

from __future__ import annotations

import random

import pytest

from pi_app.export.statistics import Fairness, chance_beyond, chance_of, chi_square, judge_dice


@pytest.mark.parametrize(
    ("chance", "chi"),
    [
        (0.995, 0.41174),
        (0.95, 1.14548),
        (0.50, 4.35146),
        (0.10, 9.23636),
        (0.05, 11.07050),
        (0.01, 15.08627),
        (0.001, 20.51501),
    ],
)
def test_the_critical_values_of_five_degrees_of_freedom(chance: float, chi: float) -> None:
    """As every table of the distribution prints them."""
    assert chance_beyond(chi) == pytest.approx(chance, rel=2e-5)


def test_nothing_is_as_even_as_can_be() -> None:
    assert chi_square((0,) * 6) == 0
    assert chance_of((7,) * 6) == 1


@pytest.mark.parametrize(
    ("counts", "word"),
    [
        ((5, 5, 5, 5, 5, 4), Fairness.TOO_FEW),
        ((5, 5, 5, 5, 5, 5), Fairness.EVEN),
        ((90, 110, 100, 95, 105, 100), Fairness.EVEN),
        ((80, 90, 95, 100, 105, 130), Fairness.SELDOM),
        ((60, 90, 95, 100, 105, 150), Fairness.HARDLY),
        ((0, 0, 0, 0, 0, 100_000), Fairness.HARDLY),
    ],
)
def test_the_word_on_dice(counts: tuple[int, ...], word: Fairness) -> None:
    assert judge_dice(counts) is word


def test_of_fair_dice_one_in_twenty_is_called_seldom() -> None:
    chance = random.Random(8)
    seldom = 0
    for _ in range(1000):
        faces = chance.choices(range(6), k=300)
        seldom += judge_dice([faces.count(face) for face in range(6)]) is not Fairness.EVEN
    assert 30 <= seldom <= 75
