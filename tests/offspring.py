"""Processes that others have started: who they are, and whether they still run."""

from __future__ import annotations

from pathlib import Path


def children(pid: int) -> frozenset[int]:
    """The processes that the main thread of this one has started and that are still there."""
    words = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return frozenset(int(word) for word in words)


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and is not yet buried does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def catches(pid: int, number: int) -> bool:
    """Whether a process has a handler for a signal; when it has just ended, it has none."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return False
    (mask,) = (line.split()[1] for line in lines if line.startswith("SigCgt:"))
    return bool(int(mask, 16) >> (number - 1) & 1)
