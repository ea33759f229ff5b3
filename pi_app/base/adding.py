"""Sums of floats that are the same in every Python: from 3.12 on `sum` corrects rounding errors."""

from collections.abc import Iterable
from functools import reduce
from operator import add


def added(values: Iterable[float]) -> float:
    """Add from left to right without correction."""
    return reduce(add, values, 0.0)
