"""Floats added one after the other: `sum` corrects its rounding from Python 3.12 on."""

from collections.abc import Iterable
from functools import reduce
from operator import add


def added(values: Iterable[float]) -> float:
    """The same to the last bit under every Python."""
    return reduce(add, values, 0.0)
