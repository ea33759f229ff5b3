"""Connections to the wall: too many, slow or idle ones are closed, and others never wait."""

from __future__ import annotations

import asyncio
import gc
import resource
import socket
import tracemalloc
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from club_night import told_match
from open_wall import OpenWall, open_wall

from pi_app.base.door import (
    MOST_CONNECTIONS,
    RESERVED,
    address_of,
    room,
)
from pi_app.base.serving import _say_trouble

QUICK_S = 0.15
DoorScene = Callable[[OpenWall], Awaitable[None]]


def at_the_door(happening: DoorScene, **door: Any) -> None:
    match = told_match("table-1", "nannon")

    async def run() -> None:
        async with open_wall(**door) as wall:
            wall.hear(match.summary(3))
            await asyncio.wait_for(happening(wall), 120)

    asyncio.run(run())


async def come(wall: OpenWall, said: str = "") -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    port = int(wall.url.rpartition(":")[2])
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(said.encode())
    return reader, writer


async def answer(wall: OpenWall, said: str) -> str:
    """All that comes until the wall closes the connection."""
    reader, writer = await come(wall, said)
    with suppress(ConnectionError):
        told = await reader.read()
    writer.close()
    return told.decode()


def asking(path: str, *more: str) -> str:
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: wall", *more, "", ""])


@pytest.mark.parametrize(
    "said", ["", "GET / HT", "GET / HTTP/1.1\r\nHost: x\r\n"], ids=["idle", "half a line", "half"]
)
def test_a_request_that_does_not_come_is_not_waited_for(said: str) -> None:
    async def happening(wall: OpenWall) -> None:
        with suppress(ConnectionError):
            assert await answer(wall, said) == ""

    at_the_door(happening, asking_s=QUICK_S)


def test_a_page_that_is_open_is_not_an_idle_connection() -> None:
    async def happening(wall: OpenWall) -> None:
        reader, writer = await come(wall, asking("/events"))
        told = 0
        while told < 8:
            told += (await reader.readline()).startswith(b"data: ")
        writer.close()

    at_the_door(happening, asking_s=QUICK_S, beat_s=0.05)


def test_one_address_cannot_take_all_the_room_and_is_told_so() -> None:
    async def happening(wall: OpenWall) -> None:
        pages = [await come(wall, asking("/events")) for _ in range(5)]
        for reader, _ in pages:
            assert b"200" in await reader.readline()
        refused = await answer(wall, asking("/"))
        assert refused.startswith("HTTP/1.1 503 ")
        assert "Too many connections from this address" in refused
        assert wall.warned == ["127.0.0.1 has 5 connections, more are refused"]
        pages[0][1].close()
        await pages[0][1].wait_closed()
        while "200 OK" not in await answer(wall, asking("/", "Connection: close")):
            pass

    at_the_door(happening, most_of_address=5)


def test_a_full_wall_says_so() -> None:
    async def happening(wall: OpenWall) -> None:
        for _ in range(3):
            reader, _ = await come(wall, asking("/"))
            await reader.readline()
        assert "The wall is full" in await answer(wall, asking("/"))

    at_the_door(happening, most=3)


def test_a_throng_of_the_refused_holds_no_files() -> None:
    async def happening(wall: OpenWall) -> None:
        reader, _ = await come(wall, asking("/events"))
        await reader.readline()
        before = open_files()
        refused = [await come(wall) for _ in range(300)]
        for one, _ in refused:
            with suppress(ConnectionError):
                await one.read()
        assert open_files() - before <= 300 + 64, "this process has both ends"
        for _, writer in refused:
            writer.close()

    at_the_door(happening, most_of_address=1)


def test_who_does_not_take_an_answer_is_sent_away_and_the_others_do_not_notice() -> None:
    async def happening(wall: OpenWall) -> None:
        slow = socket.socket()
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", int(wall.url.rpartition(":")[2])))
        # Answers of more bytes than the system keeps for a connection.
        slow.send(asking("/page/wall.js", "Accept-Encoding: identity").encode() * 600)
        async with aiohttp.ClientSession() as client, client.get(wall.url) as page:
            assert page.status == 200
        while wall.door.connections:
            await asyncio.sleep(0.01)
        slow.close()

    at_the_door(happening, stalled_s=QUICK_S)


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="nowhere to count files")
def test_thousands_come_and_go_and_nothing_grows() -> None:
    async def visits(wall: OpenWall, number: int) -> None:
        for turn in range(number):
            said = ("", "GET / HT", asking("/events"), asking("/"), "\0\r\n\r\n")[turn % 5]
            _, writer = await come(wall, said)
            writer.close()
            if turn % 50 == 49:
                await asyncio.sleep(0)

    async def empty(wall: OpenWall) -> None:
        """Everybody has gone."""
        while len(wall.lookout) or wall.door.connections or len(asyncio.all_tasks()) > 2:
            wall.lookout.tell_all()
            await asyncio.sleep(0.01)
        wall.warned.clear()
        gc.collect()

    async def happening(wall: OpenWall) -> None:
        tracemalloc.start()
        await visits(wall, 300)
        await empty(wall)
        files = open_files()
        await empty(wall)
        before = tracemalloc.get_traced_memory()[0]
        await visits(wall, 2_000)
        await empty(wall)
        after = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        assert open_files() <= files
        assert not wall.door.connections
        assert not wall.door.leaving
        assert after - before < 2_000 * 16, "a connection leaves less than 16 bytes"

    at_the_door(happening, most_of_address=5_000)


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        (("192.168.1.7", 4711), "192.168.1.7"),
        (("2001:db8:1:2:3:4:5:6", 4711, 0, 0), "2001:db8:1:2::/64"),
        (("fe80::1%eth0", 4711, 0, 2), "fe80::/64"),
        (("::ffff:192.168.1.7", 4711, 0, 0), "192.168.1.7"),
        (None, "?"),
        ("", "?"),
    ],
)
def test_one_computer_is_one_address(peer: object, address: str) -> None:
    assert address_of(peer) == address


@pytest.mark.parametrize(
    ("soft", "hard", "raised"),
    [
        (1024, 1024, 1024),
        (1024, 1 << 20, MOST_CONNECTIONS + RESERVED),
        (1 << 20, 1 << 20, 1 << 20),
        (1024, resource.RLIM_INFINITY, MOST_CONNECTIONS + RESERVED),
    ],
)
def test_as_many_come_in_as_the_system_lets_us_open_files_for(
    soft: int, hard: int, raised: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = [(soft, hard)]
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits[-1])
    monkeypatch.setattr(resource, "setrlimit", lambda _, both: limits.append(both))
    assert room() == min(MOST_CONNECTIONS, raised - RESERVED)
    assert limits[-1] == (raised, hard)


def test_trouble_with_connections_is_one_line_without_a_traceback() -> None:
    said: list[str] = []
    loop = asyncio.new_event_loop()
    told = {
        "message": "socket.accept() out of system resource",
        "exception": OSError(24, "Too many open files"),
    }
    _say_trouble(said.append, "the wall", loop, told)
    loop.close()
    assert said == ["the wall: socket.accept() out of system resource: Too many open files"]


def test_what_aiohttp_stumbles_over_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    async def happening(wall: OpenWall) -> None:
        def stumble(*_: object) -> None:
            raise ZeroDivisionError("no such thing")

        wall.lookout.news = stumble  # type: ignore[assignment, method-assign]
        await answer(wall, asking("/events"))
        (line,) = wall.warned
        assert line.startswith("the wall: Error handling request")
        assert line.endswith(": ZeroDivisionError('no such thing')")

    at_the_door(happening)
    assert "Traceback" not in "".join(capfd.readouterr())
