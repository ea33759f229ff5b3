"""The wall at work: what the broker tells goes into the hall, and from there to the pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pi_app.errors import FailedError
from pi_app.files import why
from pi_app.microseconds import Us
from pi_app.wall.hall import Hall, News
from pi_app.wall.watching import Lookout

if TYPE_CHECKING:
    from aiohttp import web

Hear: TypeAlias = Callable[[News], None]
"""Takes what a board has told; may be called on any thread."""


class WallError(FailedError, RuntimeError):
    """The wall cannot be served; says why and what to do."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where browsers find the wall."""

    host: str
    port: int

    @property
    def url(self) -> str:
        """For a browser on this machine, or by its name."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


class Announcer:
    """Brings what is told to the hall, and shows it when its time has come.

    Everything but `hear` belongs to the event loop's thread.
    """

    def __init__(self, hall: Hall, lookout: Lookout, clock: Callable[[], Us]) -> None:
        self._hall, self._lookout, self._clock = hall, lookout, clock
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    def hear(self, news: News) -> None:
        """What a board has told, from any thread."""
        self._loop.call_soon_threadsafe(self._hear, news)

    def show(self) -> None:
        """Show what is old enough, and come again for the rest."""
        changed = self._hall.show(self._clock())
        if changed:
            self._lookout.tell(changed)
        if self._timer:
            self._timer.cancel()
        due = self._hall.due
        wait = None if due is None else max(0, due - self._clock()) / 1_000_000
        self._timer = None if wait is None else self._loop.call_later(wait, self.show)

    def _hear(self, news: News) -> None:
        self._hall.hear(news, self._clock())
        if self._timer is None or not self._hall.delay:
            self.show()


@asynccontextmanager
async def served(app: web.Application, host: str, port: int) -> AsyncIterator[Address]:
    """The app behind a port while the context lasts; port 0 takes one that is free."""
    from aiohttp import web  # noqa: PLC0415, everything else runs without

    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, host, port).start()
        except OSError as error:
            told = f"port {port} of {host} cannot be opened: {why(error)}"
            raise WallError(f"{told}; give another --port") from None
        yield Address(*runner.addresses[0][:2])
    finally:
        await runner.cleanup()
