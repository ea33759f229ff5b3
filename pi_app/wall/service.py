"""The wall at work: what the broker tells goes into the wall, and from there to the pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from pi_app.errors import FailedError
from pi_app.files import why
from pi_app.microseconds import Us
from pi_app.wall.wall import News, Wall
from pi_app.wall.watching import Lookout

if TYPE_CHECKING:
    from aiohttp import web


class WallError(FailedError, RuntimeError):
    """The wall cannot be served; says why and what to do."""


class Announcer:
    """Brings what is told to the wall, and shows it when its time has come.

    Everything but `hear` belongs to the event loop's thread.
    """

    def __init__(self, wall: Wall, lookout: Lookout, clock: Callable[[], Us]) -> None:
        self._wall, self._lookout, self._clock = wall, lookout, clock
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    def hear(self, news: News) -> None:
        """What a board has told, from any thread."""
        self._loop.call_soon_threadsafe(self._hear, news)

    def show(self) -> None:
        """Show what is old enough, and come again for the rest."""
        changed = self._wall.show(self._clock())
        if changed:
            self._lookout.tell(changed)
        if self._timer:
            self._timer.cancel()
        due = self._wall.due
        wait = None if due is None else max(0, due - self._clock()) / 1_000_000
        self._timer = None if wait is None else self._loop.call_later(wait, self.show)

    def _hear(self, news: News) -> None:
        self._wall.hear(news, self._clock())
        if self._timer is None or not self._wall.delay:
            self.show()


@asynccontextmanager
async def served(app: web.Application, host: str | None, port: int) -> AsyncIterator[int]:
    """The app behind a port, which is told, while the context lasts; 0 takes one that is free.

    It listens at `host` alone, or by None at every address; IPv6 would take another free port.
    """
    from aiohttp import web  # noqa: PLC0415, everything else runs without

    if host is None and port == 0:
        host = "0.0.0.0"
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            told = f"port {port} cannot be opened: {why(error)}"
            raise WallError(f"{told}; give another --port") from None
        yield int(runner.addresses[0][1])
    finally:
        await runner.cleanup()
