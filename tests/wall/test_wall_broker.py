"""Visitors of the wall with a real broker behind it: play at the boards continues."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import aiohttp
import pytest
from hall import HAS_MOSQUITTO, PATIENCE_S, ClubBoard, Hall, until
from open_wall import OpenWall, TurnedClock, open_wall

from pi_app.base.microseconds import Us

pytestmark = pytest.mark.skipif(not HAS_MOSQUITTO, reason="mosquitto is not installed")

MINUTE = Us(60_000_000)
HallNight = Callable[[Hall, ClubBoard, OpenWall, aiohttp.ClientSession], Awaitable[None]]


def evening(folder: Path, happening: HallNight, delay: Us = Us(0), **door: Any) -> None:
    """A broker, a collector that feeds the wall, and a board with a match."""
    clock = TurnedClock()
    hall = Hall(folder, ["table-1"], clock=clock)

    async def run() -> None:
        async with (
            open_wall(delay, clock=clock, archive=hall.archive, **door) as wall,
            aiohttp.ClientSession() as client,
        ):
            hall.hear = wall.announcer.hear
            board = hall.board("table-1")
            board.begin("Ada")
            await kept(hall, board)
            try:
                await asyncio.wait_for(happening(hall, board, wall, client), 3 * PATIENCE_S)
            finally:
                hall.hear = hall.told.append

    try:
        asyncio.run(run())
    finally:
        hall.at_the_end.close()


async def kept(hall: Hall, board: ClubBoard) -> None:
    """Until the archive has all that the board has played."""
    lines = board.lines()
    await asyncio.to_thread(until, lambda: hall.lines(board.name) == lines)


async def at_the_page(wall: OpenWall, sequence: int) -> None:
    """Until the wall shows that decision."""
    while not (
        (place := wall.wall.place("table-1")) and place.stand and place.stand.sequence == sequence
    ):
        await asyncio.sleep(0.01)


def test_a_replay_under_the_delay_is_refused_while_the_board_plays(tmp_path: Path) -> None:
    async def happening(
        hall: Hall, board: ClubBoard, wall: OpenWall, client: aiohttp.ClientSession
    ) -> None:
        (match,) = hall.archive.matches(board.name)

        async def steps() -> int | None:
            path = f"/steps/table-1/{quote(match, safe='')}"
            async with client.get(wall.url + path) as answer:
                return len((await answer.json())["steps"]) if answer.status == 200 else None

        assert await steps() is None
        board.play(3)
        await kept(hall, board)
        wall.later(MINUTE)
        await at_the_page(wall, 3)
        first = base = await steps()
        assert first
        for burst in range(6):
            board.play(2)
            await kept(hall, board)
            assert await steps() == base, "made just now"
            wall.later(MINUTE)
            await at_the_page(wall, 5 + 2 * burst)
            base = await steps()
        assert base
        assert base > first
        board.begin("Newcomer")
        await kept(hall, board)
        async with client.get(f"{wall.url}/matches/table-1") as answer:
            assert "Newcomer" not in await answer.text()
        assert not hall.warned

    evening(tmp_path, happening, MINUTE)


def test_slow_and_many_clients_disturb_neither_the_board_nor_a_page(tmp_path: Path) -> None:
    async def happening(
        hall: Hall, board: ClubBoard, wall: OpenWall, client: aiohttp.ClientSession
    ) -> None:
        port = int(wall.url.rpartition(":")[2])
        async with client.get(f"{wall.url}/events?board=table-1") as events:
            slow = []
            for number in range(60):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                writer.write(
                    (b"", b"GET / HT", b"GET /events HTTP/1.1\r\nHost: x\r\n\r\n")[number % 3]
                )
                slow.append((reader, writer))
            board.play(5)
            await kept(hall, board)
            await at_the_page(wall, 5)
            assert await events.content.readline()
            refused = await asyncio.gather(*(reader.readline() for reader, _ in slow[40:]))
            assert all(line.startswith(b"HTTP/1.1 503 ") for line in refused)
            assert wall.warned == ["127.0.0.1 has 40 connections, more are refused"]
            board.play(5)
            await kept(hall, board)
            await at_the_page(wall, 10)
            for _, writer in slow:
                writer.close()
        assert not hall.warned

    evening(tmp_path, happening, most_of_address=40, asking_s=3 * PATIENCE_S)
