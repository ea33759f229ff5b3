"""The page for phones over HTTP, and the WebSocket that keeps each of them up to date.

A stranger gets the page itself, which shows nothing of the board, and nothing else: the first
message must have a token, or a code that was said aloud, which gives the token. Everything is
bounded: connections, pages, bytes and messages a second.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from time import monotonic

from aiohttp import WSCloseCode, WSMsgType, web

from pi_app.base.door import address_of
from pi_app.base.microseconds import Us
from pi_app.base.serving import answered, ask, secure
from pi_app.base.typed_json import JsonError
from pi_app.languages import LANGUAGES, language_of, load_language
from pi_app.phones.keys import PhoneRole, Tokens
from pi_app.phones.messages import (
    MOST_BYTES,
    CodeTyped,
    Greeting,
    Here,
    NewLooks,
    PageKey,
    PageMessage,
    PageTouch,
    PictureSeen,
    read_message,
)
from pi_app.phones.page_texts import FONTS, PAGE, page_in
from pi_app.phones.phone import Phone
from pi_app.phones.sharing import Exchange
from pi_app.phones.way_in import SpokenCode
from pi_app.screen.canvas import Measure
from pi_app.screen.theme import style_sheet
from pi_app.screen.ui import Page

MOST_PHONES = 40
"""The most phones at once; a further one is told to come later."""
MOST_CONNECTIONS, MOST_OF_ADDRESS = 160, 80
HELLO_S = 10.0
"""Seconds within which the first message must arrive."""
BEAT_S = 20.0
"""A phone that has not answered for so long is disconnected."""
FRAME_S = 0.08
"""Seconds between two pictures while something moves."""
PAUSE_S = 0.02
"""The least time between two pictures."""
SHOWN_S = 30.0
"""Seconds that a phone has to show a picture; no other is sent meanwhile."""
A_SECOND, AT_ONCE = 20.0, 60.0
"""The messages that one phone may send, on average and at once."""
MOST_WRONG, FORGIVEN_S, WRONG_S = 10, 60.0, 1.0
"""An address that gave so many wrong tokens is refused for a while; each answer takes a second."""
MOST_ADDRESSES = 1_000
WRONG, ASKS_CODE, FULL = 4401, 4402, 4503
"""Why a connection was closed; the page knows each."""
SOUNDS = Path(__file__).parents[1] / "screen" / "sounds"
FOR_EVER = "public, max-age=31536000, immutable"


class WrongTokens:
    """Counts wrong tokens by address."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._counted: OrderedDict[str, tuple[int, float]] = OrderedDict()

    def count(self, address: str) -> None:
        so_far, _ = self._counted.pop(address, (0, 0.0))
        self._counted[address] = so_far + 1, self._clock() + FORGIVEN_S
        while len(self._counted) > MOST_ADDRESSES:
            self._counted.popitem(last=False)

    def refuses(self, address: str) -> bool:
        so_far, until = self._counted.get(address, (0, 0.0))
        if so_far and self._clock() >= until:
            del self._counted[address]
            return False
        return so_far >= MOST_WRONG


class Ration:
    """Allows A_SECOND messages a second on average, and AT_ONCE at once."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock, self._left, self._at = clock, AT_ONCE, clock()

    def allows(self) -> bool:
        now = self._clock()
        self._left = min(AT_ONCE, self._left + (now - self._at) * A_SECOND) - 1
        self._at = now
        return self._left >= 0


class _PhoneLine:
    """A phone's connection, and what its two tasks tell each other."""

    def __init__(self, phone: Phone, socket: web.WebSocketResponse) -> None:
        self.phone, self.socket = phone, socket
        self.changed = asyncio.Event()
        self.changed.set()
        self.shown = asyncio.Event()
        self.number = 0

    def seen(self, number: int) -> None:
        if number == self.number:
            self.shown.set()


class PhoneServer:
    """Answers browsers. Belongs to one event loop.

    `tokens` says who may come in now, and `code` gives one of them. `wake` tells the board's loop
    that something was touched.
    """

    def __init__(
        self,
        exchange: Exchange,
        tokens: Callable[[], Tokens],
        code: SpokenCode,
        clock: Callable[[], Us],
        wake: Callable[[], None],
        measure: Measure,
        begins: Page = Page.START,
    ) -> None:
        self._exchange, self._tokens, self._code = exchange, tokens, code
        self._clock, self._wake, self._measure = clock, wake, measure
        self._begins = begins
        self._lines: set[_PhoneLine] = set()
        self._wrong = WrongTokens()

    @property
    def count(self) -> int:
        """How many phones are connected."""
        return len(self._lines)

    @property
    def rolling(self) -> bool:
        """Whether dice roll on any phone."""
        return any(line.phone.rolling for line in self._lines)

    def changed(self) -> None:
        """Show what is new."""
        for line in self._lines:
            line.changed.set()

    def sound(self, cue: str) -> None:
        """Send a cue with each phone's next picture."""
        for line in self._lines:
            line.phone.sound(cue, self._clock())
            line.changed.set()

    async def drop_all(self) -> None:
        """Disconnect everybody, because the tokens are no longer valid."""
        for line in tuple(self._lines):
            await line.socket.close(code=WRONG)

    def app(self) -> web.Application:
        app = web.Application(client_max_size=4096, middlewares=[ask, _near])
        app.on_response_prepare.append(secure)
        app.on_shutdown.append(self._end)
        app.add_routes(
            [
                web.get("/", self._page),
                web.get(r"/page/{file:[a-z]+\.(?:css|js)}", self._file),
                web.get("/page/{file:spotter.webmanifest}", self._file),
                web.get("/colours.css", self._colours),
                web.get(r"/font/{weight:Regular|SemiBold}", self._font),
                web.get("/sound/{name:[a-z]+}", self._sound),
                web.get("/live", self._live),
            ]
        )
        return app

    async def _end(self, _: web.Application) -> None:
        for line in tuple(self._lines):
            await line.socket.close(code=WSCloseCode.GOING_AWAY)

    async def _page(self, request: web.Request) -> web.StreamResponse:
        asked = request.query.get("lang", "")
        name = (
            asked if asked in LANGUAGES else language_of(request.headers.get("Accept-Language", ""))
        )
        return answered(request, page_in(name, load_language(name)), "text/html")

    async def _file(self, request: web.Request) -> web.StreamResponse:
        path = PAGE / request.match_info["file"]
        if not path.is_file():
            raise web.HTTPNotFound(text="not here")
        kinds = {".css": "text/css", ".js": "text/javascript"}
        kind = kinds.get(path.suffix, "application/manifest+json")
        return answered(request, path.read_text("utf-8"), kind)

    async def _colours(self, request: web.Request) -> web.StreamResponse:
        return answered(request, style_sheet(), "text/css")

    async def _font(self, request: web.Request) -> web.StreamResponse:
        file = FONTS / f"Inter-{request.match_info['weight']}.otf"
        headers = {"Cache-Control": FOR_EVER, "Content-Type": "font/otf"}
        return web.FileResponse(file, headers=headers)

    async def _sound(self, request: web.Request) -> web.StreamResponse:
        file = SOUNDS / f"{request.match_info['name']}.wav"
        if not file.is_file():
            raise web.HTTPNotFound(text="not here")
        headers = {"Cache-Control": FOR_EVER, "Content-Type": "audio/wav"}
        return web.FileResponse(file, headers=headers)

    async def _live(self, request: web.Request) -> web.StreamResponse:
        address = _address(request)
        if self._wrong.refuses(address):
            return web.Response(status=429, headers={"Retry-After": str(int(FORGIVEN_S))})
        socket = web.WebSocketResponse(max_msg_size=MOST_BYTES, heartbeat=BEAT_S)
        await socket.prepare(request)
        with suppress(ConnectionError):
            await self._welcome(socket, address)
        return socket

    async def _welcome(self, socket: web.WebSocketResponse, address: str) -> None:
        try:
            first = await self._first(socket)
        except TimeoutError:
            # The line is slow, or the phone fell asleep. Its page calls again.
            await socket.close(code=WSCloseCode.TRY_AGAIN_LATER)
            return
        if isinstance(first, CodeTyped) and self._code.opens(first.code):
            await socket.send_str(json.dumps({"token": self._tokens().play}))
            await socket.close()
        elif isinstance(first, Greeting) and (role := self._tokens().role_of(first.token)):
            await self._greet(socket, role, first)
        else:
            if first:
                self._wrong.count(address)
            await asyncio.sleep(WRONG_S)
            await socket.close(code=ASKS_CODE if self._code.is_in_use else WRONG)

    async def _greet(self, socket: web.WebSocketResponse, role: PhoneRole, hello: Greeting) -> None:
        if len(self._lines) >= MOST_PHONES:
            await socket.close(code=FULL)
        else:
            await self._serve(socket, role, hello)

    async def _first(self, socket: web.WebSocketResponse) -> Greeting | CodeTyped | None:
        """The first message if it may open the door, else None. Raises TimeoutError."""
        async with asyncio.timeout(HELLO_S):
            message = await socket.receive()
        with suppress(JsonError):
            if message.type is WSMsgType.TEXT:
                first = read_message(message.data)
                return first if isinstance(first, Greeting | CodeTyped) else None
        return None

    async def _serve(self, socket: web.WebSocketResponse, role: PhoneRole, hello: Greeting) -> None:
        phone = Phone(role, hello.looks, self._measure, self._give, self._begins)
        line = _PhoneLine(phone, socket)
        self._lines.add(line)
        self._wake()
        showing = asyncio.create_task(self._show(line))
        try:
            await socket.send_str(json.dumps({"role": role.value}))
            await self._listen(line)
        finally:
            self._lines.discard(line)
            showing.cancel()
            self._wake()

    def _give(self, outputs: tuple[object, ...]) -> int:
        done = self._exchange.give(outputs)  # type: ignore[arg-type]
        self._wake()
        return done

    async def _listen(self, line: _PhoneLine) -> None:
        """Take a phone's messages until it goes, sends nonsense, or sends too many."""
        ration = Ration()
        async for message in line.socket:
            if message.type is not WSMsgType.TEXT or not ration.allows():
                break
            try:
                said = read_message(message.data)
            except JsonError:
                break
            await self._take(line, said)
        await line.socket.close(code=WSCloseCode.POLICY_VIOLATION)

    async def _take(self, line: _PhoneLine, said: PageMessage) -> None:
        match said:
            case PageTouch() | PageKey():
                line.phone.hear(said)
                line.changed.set()
            case NewLooks(looks):
                line.phone.look(looks)
                line.changed.set()
            case PictureSeen(n):
                line.seen(n)
            case Here():
                await line.socket.send_str("{}")

    async def _show(self, line: _PhoneLine) -> None:
        """Keep a phone up to date until it goes."""
        try:
            await self._send_pictures(line)
        except (ConnectionError, TimeoutError):
            pass
        except Exception:
            # A page that cannot be drawn: the phone connects again, and begins with its first page.
            logging.getLogger(__name__).exception("a phone's page cannot be drawn")
        await line.socket.close(code=WSCloseCode.TRY_AGAIN_LATER)

    async def _send_pictures(self, line: _PhoneLine) -> None:
        """One picture is under way at a time; what changes meanwhile waits, and only the newest is
        sent."""
        while not line.socket.closed:
            await _either(line.changed, self._wait_s(line.phone))
            line.changed.clear()
            if shown := self._exchange.shown:
                await self._send(line, line.phone.show(*shown, self._clock()))
            await asyncio.sleep(PAUSE_S)

    async def _send(self, line: _PhoneLine, message: dict[str, object] | None) -> None:
        """Send a picture and wait until it is shown. Raises TimeoutError."""
        if message is None:
            return
        line.number = int(str(message["n"]))
        line.shown.clear()
        async with asyncio.timeout(SHOWN_S):
            await line.socket.send_str(json.dumps(message, ensure_ascii=False))
            await line.shown.wait()

    def _wait_s(self, phone: Phone) -> float | None:
        if phone.moving:
            return FRAME_S
        due = phone.due
        return None if due is None else max(PAUSE_S, (due - self._clock()) / 1e6)


async def _either(event: asyncio.Event, seconds: float | None) -> None:
    """Wait for an event, but no longer than this."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


def _address(request: web.Request) -> str:
    peer = request.transport.get_extra_info("peername") if request.transport else None
    return address_of(peer)


@web.middleware
async def _near(
    request: web.Request, handler: Callable[[web.Request], object]
) -> web.StreamResponse:
    """Refuse whoever is not in a private network."""
    try:
        near = ip_address(_address(request)).is_private
    except ValueError:
        near = False
    if not near:
        raise web.HTTPForbidden(text="only from this network")
    return await handler(request)  # type: ignore[no-any-return,misc]
