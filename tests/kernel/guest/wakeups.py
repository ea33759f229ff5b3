"""How often each thread of a process wakes up: on a Pi that is heat, and noise on the clock."""

from __future__ import annotations

import time
from pathlib import Path


def per_second(pid: int, seconds: float) -> list[float]:
    """The wake-ups of each thread in a second, over that time; the busiest first."""
    before, began = _switches(pid), time.monotonic()
    time.sleep(seconds)
    after, lasted = _switches(pid), time.monotonic() - began
    woken = [(count - before.get(thread, 0)) / lasted for thread, count in after.items()]
    return sorted(woken, reverse=True)


def _switches(pid: int) -> dict[str, int]:
    return {
        thread.name: int(line.split()[1])
        for thread in Path(f"/proc/{pid}/task").iterdir()
        for line in (thread / "status").read_text().splitlines()
        if line.startswith("voluntary_ctxt_switches")
    }
