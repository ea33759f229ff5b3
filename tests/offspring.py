"""Processes that others have started: who they are, and whether they still run."""

from __future__ import annotations

from pathlib import Path


def children(pid: int) -> frozenset[int]:
    """Those of a process, the ended ones too until it has asked for them.

    The kernel's own list cannot be read under qemu's user emulation.
    """
    everybody = (int(folder.name) for folder in Path("/proc").glob("[0-9]*"))
    return frozenset(one for one in everybody if _stat(one)[1:2] == [str(pid)])


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and is not yet buried does not."""
    return _stat(pid)[:1] not in ([], ["Z"], ["X"])


def _stat(pid: int) -> list[str]:
    """Its state, its parent and what follows; nothing of one that is not there."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def catches(pid: int, number: int) -> bool:
    """Whether a process has a handler for a signal; when it has just ended, it has none."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return False
    (mask,) = (line.split()[1] for line in lines if line.startswith("SigCgt:"))
    return bool(int(mask, 16) >> (number - 1) & 1)
