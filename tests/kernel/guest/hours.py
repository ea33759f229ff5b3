"""Hours of virtual time beside a board, a few turns played in each; prints the memory taken."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from program import Program
from table import Table

WARM_TURNS, TURNS_AN_HOUR = 20, 4
HOUR_S = 3600


def main(hours: int) -> None:
    """One line when play is under way, and one an hour."""
    calm = {"LD_PRELOAD": f"{os.environ['LAB']}/slowpoll.so"}
    program = Program("--match", "nannon", "--to", "unlimited", env=calm)
    table = Table(program, seed=3)
    program.until(bool, 30)
    for hour in range(hours + 1):
        end = time.monotonic() + (HOUR_S if hour else 0)
        for _ in range(TURNS_AN_HOUR if hour else WARM_TURNS):
            table.play(until="moving")
            table.turn()
        time.sleep(max(0, end - time.monotonic()))
        print(f"hour {hour}: resident kB {resident(program.pid)}", flush=True)
    program.stop()


def resident(pid: int) -> int:
    """The memory of a process in kilobytes."""
    status = Path(f"/proc/{pid}/status").read_text().splitlines()
    (line,) = [line for line in status if line.startswith("VmRSS")]
    return int(line.split()[1])


if __name__ == "__main__":
    main(int(sys.argv[1]))
