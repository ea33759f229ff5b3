"""How much of what there is a run of the tests tries: a share, or everything with THOROUGH=1.

SEED draws the share: `.ci/run` takes another one each day, and prints it. With SHORT=1, which
`tests/run` sets if no room is named, shares are a quarter of that. Half of the cases of each test
are left out, and two thirds of the tests that are marked as slow.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import count, product
from math import gcd
from typing import Any, TypeVar
from zlib import crc32

T = TypeVar("T")
SEED = int(os.environ.get("SEED", "0"))
SEVERAL = 4
"""A short run tries half of the cases of a test that has so many."""
SLOW_ONES = 3
"""A short run tries the slow tests of one file in so many."""
WHOLE = tuple(f"tests/test_{name}." for name in ("arrows", "house", "words"))
"""Each case looks at another part of the project: a short run tries all."""
SHORT = os.environ.get("SHORT") == "1"


def one_in(number: int) -> int:
    """The share that a run tries; with THOROUGH=1 all."""
    return 1 if os.environ.get("THOROUGH") == "1" else number


def some(everything: Sequence[T], number: int, apart: int = 1) -> Sequence[T]:
    """A share of them, spread evenly: at least one; in a short run a quarter as many.

    The step has no divisor in common with `apart`.
    """
    least = one_in(4 * number if SHORT else number)
    step = next(step for step in count(least) if gcd(step, apart) == 1)
    return everything[SEED % min(step, len(everything)) :: step]


def paired(number: int, *choices: Sequence[Any]) -> Sequence[tuple[Any, ...]]:
    """A share of all combinations; each choice appears equally often, because the step has no
    divisor in common with the number of last choices."""
    return some([*product(*choices)], number, len(choices[-1]))


def by_last(number: int, *choices: Sequence[Any]) -> Mapping[Any, Sequence[Any]]:
    """The same pairs by the last choice: what comes before it, the only one as it is.

    For tests that try many in one go: thousands of tests cost more than what they do.
    """
    others: dict[Any, list[Any]] = {last: [] for last in choices[-1]}
    for *before, last in paired(number, *choices):
        others[last].append(before[0] if len(before) == 1 else tuple(before))
    return others


def left_out(tests: Iterable[str], slow: Iterable[str]) -> set[str]:
    """Half of the cases of each test that has several, and the slow tests of two files in three, as
    SEED draws them. A file's slow tests stay together: they often share what takes the time."""
    waits = {test for test in slow if _drawn(test.split("::", 1)[0]) % SLOW_ONES}
    cases: dict[str, list[str]] = {}
    for test in tests:
        if not test.startswith(WHOLE):
            cases.setdefault(test.split("[", 1)[0], []).append(test)
    return waits | {
        case
        for every in cases.values()
        if len(every) >= SEVERAL
        for case in sorted(every, key=_drawn)[: len(every) // 2]
    }


def _drawn(test: str) -> int:
    return crc32(f"{SEED} {test}".encode())
