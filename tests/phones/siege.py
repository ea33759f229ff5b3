"""Strangers of several addresses who try everything at once while two people play.

Run it to print the counts of the phones' page: python tests/phones/siege.py
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import aiohttp

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[1] / room) for room in ("", "app", "games")]

from bad_lines import TimedTable, play_turns, timed_table
from phone_bench import PATIENCE_S
from phone_lines import PageLine, opened, token

Attempts = Counter[str]
HANDSHAKE = (
    "GET /live HTTP/1.1\r\nHost: board\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
)
HALVES = (b"GET / HT", HANDSHAKE.encode(), HANDSHAKE.encode() + b"\r\n\x81\xfe")
"""Half a request, half a handshake, half a frame."""
NO_TOKENS: tuple[dict[str, object], ...] = (
    {"t": "touch", "n": 1, "x": 10, "y": 10},
    {"t": "key", "name": "space"},
    {"t": "looks", "looks": {"w": 390, "h": 800}},
    {"t": "seen", "n": 1},
    {"t": "here"},
    {},
)
ANSWERS_S = 3.0
"""How long a stranger waits to be shown something."""


class Siege:
    """What strangers do, counted; `times` is how often."""

    def __init__(self, table: TimedTable, times: int) -> None:
        self.table, self.times = table, times
        links = table.phones.links
        self._port = urlsplit(links.play).port or 0
        self._watch = token(links.watch)
        self.tried, self.shown = Attempts(), Attempts()

    @property
    def _host(self) -> str:
        return f"127.0.0.1:{self._port}"

    async def run(self) -> None:
        """Everything at once, each kind from an address of its own."""
        await asyncio.gather(
            self.without_a_token(2),
            self.with_a_wrong_one(3),
            self.huge(4),
            self.halves(5),
            self.flood(6),
            self.watching(7),
            self.with_a_wrong_code(8),
        )

    async def without_a_token(self, address: int) -> None:
        async with _from(address) as session:
            for n in range(self.times):
                await self._greets(session, "no token", NO_TOKENS[n % len(NO_TOKENS)])

    async def with_a_wrong_one(self, address: int) -> None:
        looks = {"w": 390, "h": 800}
        for n in range(self.times):
            # A new address after each few, so that not all are refused before they are read.
            async with _from(address + 100 + n // 8) as session:
                near = self._watch[:-1] + ("a" if self._watch[-1] != "a" else "b")
                wrong = near if n % 2 else f"guess-{n}"
                greeting: dict[str, object] = {"t": "hello", "token": wrong, "looks": looks}
                await self._greets(session, "wrong token", greeting)

    async def with_a_wrong_code(self, address: int) -> None:
        """A code was said aloud, and is guessed at in vain."""
        code = int(self.table.phones._code.new())
        for n in range(self.times):
            async with _from(address + 150 + n // 8) as session:
                wrong = f"{(code + 1 + n) % 1_000_000:06}"
                await self._greets(session, "wrong code", {"t": "code", "code": wrong})

    async def _greets(
        self, session: aiohttp.ClientSession, kind: str, message: dict[str, object]
    ) -> None:
        self.tried[kind] += 1
        with suppress(aiohttp.ClientError, ConnectionError, TimeoutError):
            line = PageLine(await session.ws_connect(f"http://{self._host}/live"))
            await line.send(**message)
            async with asyncio.timeout(ANSWERS_S):
                self.shown[kind] += await line.hear() is not None

    async def huge(self, address: int) -> None:
        async with _from(address) as session:
            for _ in range(self.times):
                self.tried["huge message"] += 1
                with suppress(aiohttp.ClientError, ConnectionError, TimeoutError):
                    line = PageLine(await session.ws_connect(f"http://{self._host}/live"))
                    await line.socket.send_str("x" * 1_000_000)
                    async with asyncio.timeout(ANSWERS_S):
                        self.shown["huge message"] += await line.hear() is not None

    async def halves(self, address: int) -> None:
        for n in range(self.times):
            self.tried["half message"] += 1
            with suppress(ConnectionError, TimeoutError):
                reader, writer = await self._socket(address)
                writer.write(HALVES[n % len(HALVES)])
                await writer.drain()
                async with asyncio.timeout(0.2):
                    while data := await reader.read(4096):
                        self.shown["half message"] += b'"role"' in data
                writer.close()

    async def flood(self, address: int) -> None:
        """Connections that say nothing and stay."""
        writers = []
        for _ in range(5 * self.times):
            self.tried["connection"] += 1
            with suppress(ConnectionError):
                _, writer = await self._socket(address)
                writers.append(writer)
        for writer in writers:
            writer.close()

    async def _socket(self, address: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        own = (f"127.0.0.{address}", 0)
        return await asyncio.open_connection("127.0.0.1", self._port, local_addr=own)

    async def watching(self, address: int) -> None:
        """Whoever may watch is shown the board, and touches it."""
        async with _from(address) as session:
            line = await opened(session, self._host, self._watch)
            with suppress(ConnectionError):
                for n in range(10 * self.times):
                    x, y = n * 37 % 390, n * 61 % 800
                    await line.send(t="touch", n=line.number, x=x, y=y)
                    await line.send(t="key", name=("space", "return", "hold d")[n % 3])
                    self.tried["touch or key of a watching phone"] += 2
                    # It stays below the ration: what it sends is read, and means nothing.
                    await asyncio.sleep(0.1)
                    with suppress(TimeoutError):
                        async with asyncio.timeout(0.02):
                            await line.hear()


@asynccontextmanager
async def _from(address: int) -> AsyncIterator[aiohttp.ClientSession]:
    """A browser at another address of this computer."""
    connector = aiohttp.TCPConnector(local_addr=(f"127.0.0.{address}", 0))
    limit = aiohttp.ClientTimeout(PATIENCE_S)
    async with aiohttp.ClientSession(connector=connector, timeout=limit) as session:
        yield session


async def besieged(siege: Siege, turns: int) -> None:
    """Play so many turns while strangers try everything."""
    table = siege.table
    await asyncio.gather(siege.run(), asyncio.to_thread(play_turns, table, turns))


def main(times: int = 40, turns: int = 4) -> None:
    with tempfile.TemporaryDirectory() as folder, timed_table(Path(folder)) as table:
        siege = Siege(table, times)
        before, cost, changes = len(table.front.touched), table.front.cost_s, table.front.changes
        asyncio.run(besieged(siege, turns))
        front = table.front
        for kind, count in siege.tried.items():
            print(f"{count:6} {kind}")
        taken = len(front.touched) - before
        loop_ms = (front.cost_s - cost) * 1000 / max(1, front.changes - changes)
        print(f"shown to whoever has no token: {siege.shown.total()}; touches taken: {taken}")
        print(f"{turns} turns were played; {loop_ms:.2f} ms of the loop a change")


if __name__ == "__main__":
    main()
