"""The wall at work: what the broker tells goes into the wall, and from there to the pages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from pi_app.errors import FailedError
from pi_app.files import why
from pi_app.microseconds import Us
from pi_app.texts import one_line
from pi_app.wall.door import BACKLOG, Door
from pi_app.wall.holding import News
from pi_app.wall.wall import Wall
from pi_app.wall.watching import Lookout

if TYPE_CHECKING:
    from aiohttp import web

IDLE_S = 30.0
"""A browser that asks nothing for so long asks over a new connection."""
LONGEST_LINE = 300

Warn: TypeAlias = Callable[[str], None]


class WallError(FailedError, RuntimeError):
    """The wall cannot be served; says why and what to do."""


class Announcer:
    """Brings what is told to the wall, and shows it when its time has come.

    Everything but `hear` belongs to the event loop's thread.
    """

    def __init__(self, wall: Wall, lookout: Lookout, clock: Callable[[], Us], warn: Warn) -> None:
        self.wall, self.lookout = wall, lookout
        self._clock, self._warn = clock, warn
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    def hear(self, news: News) -> None:
        """What a board has told, from any thread."""
        self._loop.call_soon_threadsafe(self._hear, news)

    def hold_back(self, delay: Us) -> None:
        """From now on everything is shown so much later: if that is sooner than before, at once."""
        self.wall.hold_back(delay)
        self.show()
        self.lookout.tell_all()

    def show(self) -> None:
        """Show what is old enough, and come again for the rest."""
        changed = self.wall.show(self._clock())
        if changed:
            self.lookout.tell(changed)
        if self._timer:
            self._timer.cancel()
        due = self.wall.due
        wait = None if due is None else max(0, due - self._clock()) / 1_000_000
        self._timer = None if wait is None else self._loop.call_later(wait, self.show)

    def _hear(self, news: News) -> None:
        line = self.wall.hear(news, self._clock())
        if line:
            self._warn(line)
        if self._timer is None or not self.wall.delay:
            self.show()


@asynccontextmanager
async def served(
    app: web.Application,
    host: str | None,
    port: int,
    door: Callable[[Callable[[], asyncio.BaseProtocol]], Door],
    warn: Warn,
    idle_s: float = IDLE_S,
) -> AsyncIterator[int]:
    """The app behind a port, which is told, while the context lasts; 0 takes one that is free.

    It listens at `host` alone, or by None at every address; IPv6 would take another free port.
    `door` makes what lets connections in.
    """
    from aiohttp import web  # noqa: PLC0415, everything else runs without

    if host is None and port == 0:
        host = "0.0.0.0"
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(partial(_say_trouble, warn))
    logger = _logger(warn)
    runner = web.AppRunner(app, access_log=None, logger=logger, keepalive_timeout=idle_s)
    await runner.setup()
    assert runner.server
    try:
        try:
            server = await loop.create_server(door(runner.server), host, port, backlog=BACKLOG)
        except OSError as error:
            told = f"port {port} cannot be opened: {why(error)}"
            raise WallError(f"{told}; give another --port") from None
        try:
            yield int(server.sockets[0].getsockname()[1])
        finally:
            server.close()
    finally:
        await runner.cleanup()


def _say_trouble(warn: Warn, _: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
    """What asyncio would log with a traceback each time: a connection that cannot be accepted."""
    warn(_line(str(context.get("message")), context.get("exception")))


def _line(what: str, error: object) -> str:
    told = f"the wall: {what}"
    if isinstance(error, OSError):
        return f"{told}: {why(error)}"
    return one_line(f"{told}: {error!r}" if error else told, LONGEST_LINE)


def _logger(warn: Warn) -> logging.Logger:
    """What aiohttp would log with a traceback, in one line each."""

    class LineHandler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            warn(_line(record.getMessage(), record.exc_info and record.exc_info[1]))

    logger = logging.Logger("the wall's requests", logging.WARNING)
    logger.addHandler(LineHandler())
    return logger
