"""Limits on connections to the wall: how many in total, and how many from one address.

aiohttp closes a connection that is idle after an answer. But it does not limit the number of
connections, and before 3.14.5 not the time until the first request. So each connection goes first
through our own protocol, which passes everything on to aiohttp's.
"""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from aiohttp import web

MOST_CONNECTIONS = 4_000
MOST_OF_ADDRESS = 100
"""The most connections of one address; a browser keeps six at most, one of them for each page."""
BACKLOG = 64
"""The most connections accepted at once before any of them can be rejected."""
RESERVED = 2 * BACKLOG + 64
"""Open files reserved for the archive, the broker, and connections being rejected."""
ASKING_S = 10.0
"""Seconds within which the head of the first request must arrive."""
STALLED_S = 30.0
"""A browser that reads nothing of an answer for this many seconds is disconnected."""
GOING_S = 1.0
"""Seconds that a rejected browser has to read why."""
REFUSAL = (
    "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 30\r\nConnection: close\r\n"
    "Content-Type: text/plain\r\nContent-Length: {length}\r\n\r\n{text}"
)
FULL = "The wall is full: come again later.\n"
TOO_MANY = "Too many connections from this address: close some pages.\n"


class Door:
    """Makes the protocol of each connection; `inside` makes the one that answers requests.

    `warn` is called once for each address that is rejected.
    """

    def __init__(
        self,
        inside: Callable[[], asyncio.BaseProtocol],
        warn: Callable[[str], None],
        most: int = MOST_CONNECTIONS,
        most_of_address: int = MOST_OF_ADDRESS,
        asking_s: float = ASKING_S,
        stalled_s: float = STALLED_S,
    ) -> None:
        self.inside, self.asking_s, self.stalled_s = inside, asking_s, stalled_s
        self._warn, self._most, self._most_of_address = warn, most, most_of_address
        self.connections = Counter[str]()
        """How many there are of each address."""
        self.leaving = 0
        """How many were refused and are not gone yet."""

    def __call__(self) -> asyncio.Protocol:
        return DoorConnection(self)

    def refusal(self, address: str) -> str | None:
        if self.connections[address] >= self._most_of_address:
            self._warn(f"{address} has {self._most_of_address} connections, more are refused")
            return TOO_MANY
        if self.connections.total() >= self._most:
            self._warn(f"there are {self._most} connections, more are refused")
            return FULL
        return None


class DoorConnection(asyncio.Protocol):
    """A connection that is rejected or passed on to the inner protocol."""

    def __init__(self, door: Door) -> None:
        self._door = door
        self._inside: asyncio.Protocol | None = None
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._address = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._address = address_of(transport.get_extra_info("peername"))
        refusal = self._door.refusal(self._address)
        if refusal:
            self._refuse(refusal)
            return
        self._door.connections[self._address] += 1
        self._inside = cast(asyncio.Protocol, self._door.inside())
        self._end_in(self._door.asking_s)
        self._inside.connection_made(transport)

    def data_received(self, data: bytes) -> None:
        if self._inside:
            self._inside.data_received(data)

    def eof_received(self) -> bool | None:
        return self._inside.eof_received() if self._inside else None

    def pause_writing(self) -> None:
        self._end_in(self._door.stalled_s)
        if self._inside:
            self._inside.pause_writing()

    def resume_writing(self) -> None:
        self.asked()
        if self._inside:
            self._inside.resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        self.asked()
        if not self._inside:
            self._door.leaving -= 1
            return
        connections = self._door.connections
        connections[self._address] -= 1
        if not connections[self._address]:
            del connections[self._address]
        self._inside.connection_lost(exc)

    def _refuse(self, why: str) -> None:
        """Send the reason and close. Under heavy load close at once."""
        assert self._transport
        self._door.leaving += 1
        if self._door.leaving > BACKLOG:
            self._transport.abort()
            return
        self._transport.write(REFUSAL.format(length=len(why), text=why).encode())
        self._transport.write_eof()
        self._end_in(GOING_S)

    def _end_in(self, seconds: float) -> None:
        assert self._transport
        self.asked()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(seconds, self._transport.abort)

    def asked(self) -> None:
        if self._timer:
            self._timer.cancel()
            self._timer = None


def address_of(peer: object) -> str:
    """The key for counting connections. IPv6 counts by network: one computer has many addresses."""
    host = str(peer[0]) if isinstance(peer, tuple) and peer else ""
    with suppress(ValueError):
        address = ip_address(host.partition("%")[0])
        if isinstance(address, IPv6Address):
            return str(address.ipv4_mapped or f"{IPv6Address(int(address) >> 64 << 64)}/64")
        return str(address)
    return "?"


def asks(request: web.Request) -> None:
    visit = request.transport.get_protocol() if request.transport else None
    if isinstance(visit, DoorConnection):
        visit.asked()


def room() -> int:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_CONNECTIONS + RESERVED
    wanted = most if hard == resource.RLIM_INFINITY else min(hard, most)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return max(1, wanted - RESERVED)
