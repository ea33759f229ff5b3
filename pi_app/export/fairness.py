"""Whether dice fell as evenly as chance makes them: Pearson's chi-square test of six faces.

The tail of the distribution is the regularised incomplete gamma function, by its series below the
mean and by its continued fraction above: Abramowitz and Stegun 6.5.29, 6.5.31 and 26.4.19.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from enum import Enum
from types import MappingProxyType

from pi_app.words.sentences import Sentence

FACES = 6
FEWEST = 5 * FACES
"""Of fewer dice than five a face the distribution is no chi-square's."""
SELDOM, HARDLY = 0.05, 0.001
_MOST_STEPS = 10_000
_CLOSE = 1e-15
_TINY = 1e-300


class Fairness(Enum):
    """What the dice say of themselves."""

    TOO_FEW = "too few"
    EVEN = "even"
    SELDOM = "seldom"
    HARDLY = "hardly"


WORDS: Mapping[Fairness, Sentence] = MappingProxyType(
    {
        Fairness.TOO_FEW: Sentence("too few to tell"),
        Fairness.EVEN: Sentence("as even as chance makes them"),
        Fairness.SELDOM: Sentence("seldom so uneven by chance"),
        Fairness.HARDLY: Sentence("hardly by chance"),
    }
)


def chi_square(counts: Sequence[int]) -> float:
    """How far the faces' counts are from equal; 0 for none."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected if expected else 0.0


def chance_of(counts: Sequence[int]) -> float:
    """How likely fair dice fall at least as unevenly, from 0 to 1."""
    return upper_gamma((len(counts) - 1) / 2, chi_square(counts) / 2)


def judge_dice(counts: Sequence[int]) -> Fairness:
    if sum(counts) < FEWEST:
        return Fairness.TOO_FEW
    chance = chance_of(counts)
    if chance >= SELDOM:
        return Fairness.EVEN
    return Fairness.SELDOM if chance >= HARDLY else Fairness.HARDLY


def upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x), for a > 0 and x ≥ 0."""
    if x == 0:
        return 1.0
    scale = math.exp(a * math.log(x) - x - math.lgamma(a))
    return 1.0 - scale * _series(a, x) if x < a + 1 else scale * _fraction(a, x)


def _series(a: float, x: float) -> float:
    term = total = 1 / a
    for step in range(1, _MOST_STEPS):
        term *= x / (a + step)
        total += term
        if term < total * _CLOSE:
            break
    return total


def _fraction(a: float, x: float) -> float:
    """By Lentz's method, from the first step on."""
    b = x + 1 - a
    c, d = 1 / _TINY, 1 / b
    result = d
    for step in range(1, _MOST_STEPS):
        factor = -step * (step - a)
        b += 2
        d = 1 / (factor * d + b or _TINY)
        c = b + factor / c or _TINY
        result *= d * c
        if abs(d * c - 1) < _CLOSE:
            break
    return result
