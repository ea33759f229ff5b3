"""A phone's connection as its page uses it, without a browser."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import aiohttp
from phone_bench import PATIENCE_S

from pi_app.screen.front import JUST_COME

LOOKS = {"w": 390, "h": 800}


class PageLine:
    """A phone's connection, as its page uses it."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.number = 0
        self.places: list[list[Any]] = []
        self.told: list[dict[str, Any]] = []
        self.elements: list[str] = []

    async def send(self, **message: object) -> None:
        await self.socket.send_json(message)

    async def hear(self) -> dict[str, Any] | None:
        """The next message; None if the connection ends."""
        message = await self.socket.receive(PATIENCE_S)
        if message.type is not aiohttp.WSMsgType.TEXT:
            return None
        told: dict[str, Any] = json.loads(message.data)
        self.told.append(told)
        if "n" in told:
            self.number = told["n"]
            self.places = told.get("places", self.places)
            if "cut" in told:
                start, count = told["cut"]
                self.elements[start : start + count] = told["new"]
            await self.send(t="seen", n=self.number)
        return told

    async def until(self, holds: Callable[[], object]) -> None:
        while not holds():
            assert await self.hear() is not None

    def has(self, number: int) -> bool:
        """Whether this picture has come, or a later one."""
        return self.number >= number

    async def touch(self, name: str) -> None:
        await self.until(lambda: any(place[4] == name for place in self.places))
        await asyncio.sleep(JUST_COME / 1e6 + 0.05)
        x, y, w, h, _ = next(place for place in self.places if place[4] == name)
        await self.send(t="touch", n=self.number, x=x + w // 2, y=y + h // 2)


def token(address: str) -> str:
    return urlsplit(address).fragment


async def opened(session: aiohttp.ClientSession, host: str, key: str) -> PageLine:
    """Connect and greet; messages are packed, as browsers ask for it."""
    at = f"http://{host}/live"
    line = PageLine(await session.ws_connect(at, max_msg_size=1 << 24, compress=15))
    await line.send(t="hello", token=key, looks=LOOKS)
    return line
