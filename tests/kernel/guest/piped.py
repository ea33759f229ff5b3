"""A pair of sockets made of a pipe, for one way: this kernel has no network, which would take a
quarter longer to build.  Spotter wakes the thread of a machine's player through such a pair.
"""

from __future__ import annotations

import os


class PipeEnd:
    """One end of a pipe, as the socket that it stands for."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def fileno(self) -> int:
        return self._descriptor

    def setblocking(self, blocks: bool) -> None:
        """Whether to wait for what is not there yet."""
        os.set_blocking(self._descriptor, blocks)

    def send(self, data: bytes) -> int:
        """Write; how much of it went."""
        return os.write(self._descriptor, data)

    def recv(self, size: int) -> bytes:
        return os.read(self._descriptor, size)

    def close(self) -> None:
        """Let go of it."""
        os.close(self._descriptor)


def socketpair() -> tuple[PipeEnd, PipeEnd]:
    """The end that reads and the end that writes."""
    reads, writes = os.pipe()
    return PipeEnd(reads), PipeEnd(writes)
