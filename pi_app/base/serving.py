"""Serving pages to browsers: limits, headers and messages that are the same for every server.

aiohttp was chosen: it is old, looked after, has wheels for every Raspberry Pi, and Debian has it.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256
from typing import Any, TypeAlias

from aiohttp import web

from pi_app.base.door import BACKLOG, Door, asks
from pi_app.base.errors import FailedError
from pi_app.base.files import why
from pi_app.words.texts import one_line

IDLE_S = 30.0
"""A browser that asks nothing for this many seconds needs a new connection."""
LONGEST_LINE = 300
NO_PORT = "port {port} cannot be opened: {why}; give another --port"
SAFE: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; base-uri 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}

Warn: TypeAlias = Callable[[str], None]
ListensAt: TypeAlias = socket.socket | tuple[str | None, int]
"""A socket that listens already, or the host and the port to listen at. The host None is every
address, with the same port for IPv6."""
Handler: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]


class ServingError(FailedError, RuntimeError):
    """Pages cannot be served. The message says why and what to do."""


@asynccontextmanager
async def served(
    app: web.Application,
    place: ListensAt,
    door: Callable[[Callable[[], asyncio.BaseProtocol]], Door],
    warn: Warn,
    idle_s: float = IDLE_S,
    name: str = "the wall",
) -> AsyncIterator[int]:
    """Serve the app while the context lasts, and return the port; port 0 takes a free one.

    `door` makes the protocol that admits connections. `name` is the server's in messages. Raises
    ServingError.
    """
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(partial(_say_trouble, warn, name))
    runner = web.AppRunner(
        app, access_log=None, logger=_logger(warn, name), keepalive_timeout=idle_s
    )
    await runner.setup()
    assert runner.server
    try:
        server = await _listening(place, door(runner.server))
    except ServingError:
        await runner.cleanup()
        raise
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        server.close()
        await runner.cleanup()


async def _listening(place: ListensAt, protocol: Door) -> asyncio.Server:
    loop = asyncio.get_running_loop()
    if isinstance(place, socket.socket):
        return await loop.create_server(protocol, sock=place, backlog=BACKLOG)
    host, port = place
    if host is None and port == 0:
        host = "0.0.0.0"
    try:
        return await loop.create_server(protocol, host, port, backlog=BACKLOG)
    except OSError as error:
        raise ServingError(NO_PORT.format(port=port, why=why(error))) from None


def _say_trouble(
    warn: Warn, name: str, _: asyncio.AbstractEventLoop, context: Mapping[str, Any]
) -> None:
    """Report in one line what asyncio would log with a traceback, such as a failed accept."""
    warn(_line(name, str(context.get("message")), context.get("exception")))


def _line(name: str, what: str, error: object) -> str:
    line = f"{name}: {what}"
    if isinstance(error, OSError):
        return f"{line}: {why(error)}"
    return one_line(f"{line}: {error!r}" if error else line, LONGEST_LINE)


def _logger(warn: Warn, name: str) -> logging.Logger:
    """Report in one line what aiohttp would log with a traceback."""

    class LineHandler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            warn(_line(name, record.getMessage(), record.exc_info and record.exc_info[1]))

    logger = logging.Logger(f"{name}'s requests", logging.WARNING)
    logger.addHandler(LineHandler())
    return logger


@web.middleware
async def ask(request: web.Request, handler: Handler) -> web.StreamResponse:
    asks(request)
    return await handler(request)


async def secure(_: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(SAFE)
    response.headers.setdefault("Cache-Control", "no-cache")


def answered(
    request: web.Request, text: str, kind: str, caching: str = "no-cache"
) -> web.StreamResponse:
    """A response with an ETag, so that browsers can cache it."""
    body = text.encode()
    tag = f'"{sha256(body).hexdigest()[:16]}"'
    headers = {"Cache-Control": caching, "ETag": tag, "Vary": "Accept-Language"}
    if request.headers.get("If-None-Match") == tag:
        return web.Response(status=304, headers=headers)
    response = web.Response(body=body, content_type=kind, charset="utf-8", headers=headers)
    response.enable_compression()
    return response
