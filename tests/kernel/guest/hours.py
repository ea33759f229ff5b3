"""Hours of virtual time beside a board, two turns in each quarter; prints the memory taken."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from program import Program, calm
from table import GuestTable

WARM_TURNS, TURNS = 100, 2
"""Caches reach their final size within some eighty turns."""
QUARTER_S = 900


def main(quarters: int) -> None:
    """One line when play is under way, and one each quarter of an hour."""
    program = Program("--match", "nannon", "--to", "unlimited", dice="3", env=calm())
    table = GuestTable(program, seed=3)
    program.until(bool)
    for quarter in range(quarters + 1):
        end = time.monotonic() + (QUARTER_S if quarter else 0)
        table.play(turns=TURNS if quarter else WARM_TURNS)
        time.sleep(max(0, end - time.monotonic()))
        print(f"quarter {quarter}: resident kB {resident(program.pid)}", flush=True)
    program.stop()


def resident(pid: int) -> int:
    """The memory of a process in kilobytes."""
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    (line,) = [line for line in status if line.startswith("VmRSS")]
    return int(line.split()[1])


if __name__ == "__main__":
    main(int(sys.argv[1]))
