"""How much of what there is a run of the tests tries: a share, or everything with THOROUGH=1.

Which share is drawn by SEED: `.ci/run` takes another one each day, and prints it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, TypeVar

T = TypeVar("T")
SEED = int(os.environ.get("SEED", "0"))


def one_in(number: int) -> int:
    """The share that a run tries; with THOROUGH=1 all."""
    return 1 if os.environ.get("THOROUGH") == "1" else number


def some(everything: Sequence[T], number: int) -> Sequence[T]:
    """A share of them, spread evenly: at least one."""
    step = one_in(number)
    return everything[SEED % min(step, len(everything)) :: step]


def paired(number: int, *choices: Sequence[Any]) -> Sequence[tuple[Any, ...]]:
    """A share of all combinations; each choice appears equally often, because the step has no
    divisor in common with the number of last choices."""
    return some([*product(*choices)], number)


def by_last(number: int, *choices: Sequence[Any]) -> Mapping[Any, Sequence[Any]]:
    """The same pairs by the last choice: what comes before it, the only one as it is.

    For tests that try many in one go: thousands of tests cost more than what they do.
    """
    others: dict[Any, list[Any]] = {last: [] for last in choices[-1]}
    for *before, last in paired(number, *choices):
        others[last].append(before[0] if len(before) == 1 else tuple(before))
    return others
