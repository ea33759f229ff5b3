"""How the bench takes times: of this process alone, whatever else the machine does."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable


def spent(act: Callable[[], object]) -> float:
    """In ms, how long this keeps the processor."""
    began = time.process_time()
    act()
    return (time.process_time() - began) * 1000


def least(act: Callable[[], object], tries: int) -> float:
    """In ms, the shortest of some tries."""
    return min(spent(act) for _ in range(tries))


def line(what: str, times: Iterable[float], aim: str) -> str:
    """What times in ms come to, and what was aimed at."""
    ordered = sorted(times)
    most = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return (
        f"{what}: median {statistics.median(ordered):.3f} ms, 99 % {most:.3f} ms, "
        f"worst {ordered[-1]:.3f} ms (aim: {aim})"
    )
