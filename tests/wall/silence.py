"""A network between browser and wall that falls silent: nothing is closed, nothing comes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class SilentNetwork:
    """Carries bytes both ways while `is_up`, and else swallows them."""

    def __init__(self, to: int) -> None:
        self.is_up = True
        self.url = ""
        self._to = to
        self._streams = set[asyncio.StreamWriter]()
        self._carriers = set[asyncio.Task[None]]()

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Someone comes."""
        self._streams.add(writer)
        if not self.is_up:
            return
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
        self._streams.add(far_writer)
        for source, sink in ((reader, far_writer), (far_reader, writer)):
            task = asyncio.create_task(self._carry(source, sink))
            self._carriers.add(task)
            task.add_done_callback(self._carriers.discard)

    async def _carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        swallowed = False
        with suppress(ConnectionError):
            while data := await source.read(1 << 16):
                # Whoever has lost bytes cannot go on with the next.
                swallowed |= not self.is_up
                if not swallowed:
                    sink.write(data)
                    await sink.drain()
            if self.is_up:
                sink.close()

    def close(self) -> None:
        for stream in self._streams:
            stream.close()
        for carrier in self._carriers:
            carrier.cancel()


@asynccontextmanager
async def network_to(port: int) -> AsyncIterator[SilentNetwork]:
    """A network before a port of this machine while the context lasts."""
    network = SilentNetwork(port)
    server = await asyncio.start_server(network.connect, "127.0.0.1", 0)
    network.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield network
    finally:
        server.close()
        network.close()
