"""Phones as further screens of the running program: their server's thread, and the front."""

from __future__ import annotations

import logging
import select
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from pi_app.base.errors import FailedError, SpotterError
from pi_app.base.extras import to_install
from pi_app.base.files import why
from pi_app.base.microseconds import Us
from pi_app.phones.keys import Tokens, forget, kept_tokens
from pi_app.phones.sharing import Exchange
from pi_app.phones.way_in import Repeats, SpokenCode, say_way_in
from pi_app.screen.ui import Page, PhoneLinks, Shown
from pi_app.user.commands import Output
from pi_app.words.sentences import Sentence
from pi_app.words.texts import one_line

if TYPE_CHECKING:
    import asyncio

    from pi_app.phones.server import PhoneServer
    from pi_app.screen.front import Front
    from pi_app.screen.reading import ReadOut

CLOSE_S = 5.0
NETWORK_S = 15.0
"""Seconds between two looks at this computer's address, and until a server that failed is tried
again."""
MOST_RINGS = 64
NO_SERVER = Sentence("Phones need aiohttp, which is missing here; run: {command}")
NO_NETWORK = Sentence("This board is in no network that phones could reach")
NOT_SERVED = Sentence("Phones cannot connect: {why}")
NO_PORT = Sentence(
    "port {port} cannot be opened: {why}; set another port under [phones] in the settings"
)
ANYWHERE = "10.255.255.255"
"""A far address, for asking which of its own this computer would use."""


class PortError(FailedError, RuntimeError):
    """The port for phones cannot be opened. The message says why and what to do."""


class Phones:
    """Lets phones in while it is on. Belongs to the loop's thread, which never waits for a phone.

    `wake` tells the loop that something was touched. `folder` keeps the tokens. `announce` is told
    each new address for playing. The first page of a phone is `begins`. `shows_codes` is whether
    the board itself shows the addresses as QR codes, as every phone does.

    asyncio and aiohttp take as long to import as all else that a board without a display needs, and
    half of its memory. So until the first phone asks, the thread only waits at the port.
    """

    begins: Page = Page.START
    shows_codes = True

    def __init__(
        self,
        folder: Path,
        clock: Callable[[], Us],
        wake: Callable[[], None],
        announce: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._folder = folder
        self._clock, self._wake, self._announce = clock, wake, announce
        self._exchange = Exchange()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: PhoneServer | None = None
        self._bell: socket.socket | None = None
        self._ended = False
        self._tokens = Tokens("", "")
        self._code, self._repeats = SpokenCode(clock), Repeats()
        self._links = PhoneLinks()
        self._port = 0
        self._dropping: asyncio.Task[None] | None = None

    @property
    def links(self) -> PhoneLinks:
        """The addresses for phones; empty while they are off or start."""
        server = self._server
        return replace(self._links, count=server.count) if server else self._links

    @property
    def rolling(self) -> bool:
        """Whether dice roll on a phone."""
        server = self._server
        return server is not None and server.rolling

    def let_in(self, port: int) -> None:
        """Let phones in at this port from now on. Never waits for the network."""
        if self._thread:
            return
        if find_spec("aiohttp") is None:
            self._links = PhoneLinks(trouble=NO_SERVER(command=to_install("wall")))
            return
        self._links, self._tokens = PhoneLinks(), kept_tokens(self._folder)
        self._bell, heard = socket.socketpair()
        self._ended = False
        self._thread = threading.Thread(
            target=self._run, args=(port, heard), name="phones", daemon=True
        )
        self._thread.start()

    def forget(self) -> None:
        """Disconnect every phone; the addresses change."""
        self._tokens = forget(self._folder)
        self._code.drop()
        self._soon(self._drop_all)
        self._ring()

    def way_in(self, us: Us) -> str:
        """How a phone gets in, with a new code, for somebody who asked to hear it; or why none can,
        which is empty while the server starts."""
        links = self._links
        if not links.play:
            return links.trouble
        self._repeats.begin(us)
        return say_way_in(links.play, self._code.new())

    def way_in_due(self, us: Us) -> str | None:
        """How a phone gets in, when it is to be said without a request; None at any other time. See
        `Repeats`."""
        links = self.links
        is_due = self._repeats.are_due(us, is_open=bool(links.play), has_come=links.count > 0)
        code = self._code.present() if is_due else None
        return say_way_in(links.play, code) if code else None

    def take(self) -> tuple[Output, ...]:
        """What was touched on phones since the last call."""
        return self._exchange.take()

    def show(self, shown: Shown, now: Us) -> None:
        """Show this on every phone."""
        if (server := self._server) and self._exchange.show(shown, now):
            self._soon(server.changed)

    def play(self, cue: str) -> None:
        """Sound the cue of this name on every phone whose owner wants sounds."""
        if server := self._server:
            self._soon(partial(server.sound, cue))

    def close(self) -> None:
        """Let no phone in any more."""
        self._ended = True
        self._ring()
        if self._thread:
            self._thread.join(CLOSE_S)
        if self._bell:
            self._bell.close()
        self._thread = self._loop = self._server = self._bell = None
        self._links = PhoneLinks()
        self._code.drop()

    def _ring(self) -> None:
        """Let the thread of the phones look at what has changed."""
        with suppress(OSError):
            if self._bell:
                self._bell.send(b"!")

    def _soon(self, call: Callable[[], object]) -> None:
        """Call this on the thread of the phones, if it runs."""
        with suppress(RuntimeError):
            if self._loop:
                self._loop.call_soon_threadsafe(call)

    # On the thread of the phones

    def _run(self, port: int, heard: socket.socket) -> None:
        """Serve until the end. What fails is tried again: a board without a display has no other
        screen."""
        with heard:
            while not self._ended:
                try:
                    self._open(port, heard)
                except SpotterError as error:
                    self._fail(error.said)
                except Exception as error:
                    # Whatever it is: the match goes on without phones.
                    self._fail(one_line(repr(error)))
                self._server = self._loop = None
                if not self._ended:
                    _await([heard], heard)

    def _fail(self, why: str) -> None:
        trouble = NOT_SERVED(why=why)
        if trouble != self._links.trouble:
            logging.getLogger(__name__).warning("%s", trouble, exc_info=True)
        self._links = PhoneLinks(trouble=trouble)
        self._wake()

    def _open(self, port: int, heard: socket.socket) -> None:
        with _listening(port) as door:
            self._port = door.getsockname()[1]
            if self._is_asked(door, heard):
                import asyncio  # noqa: PLC0415, see the class

                asyncio.run(self._serve(door, heard))

    def _is_asked(self, door: socket.socket, heard: socket.socket) -> bool:
        """Wait for the first phone; False if none is to be let in any more."""
        while not self._ended:
            self._tell()
            if door in _await([door, heard], heard):
                return True
        return False

    async def _serve(self, door: socket.socket, heard: socket.socket) -> None:
        import asyncio  # noqa: PLC0415, see the class

        from pi_app.base.door import Door  # noqa: PLC0415
        from pi_app.base.serving import served  # noqa: PLC0415
        from pi_app.phones.server import (  # noqa: PLC0415
            MOST_CONNECTIONS,
            MOST_OF_ADDRESS,
            PhoneServer,
        )
        from pi_app.screen.svg import measuring  # noqa: PLC0415

        loop = self._loop = asyncio.get_running_loop()
        warn = logging.getLogger(__name__).warning
        limits = partial(Door, warn=warn, most=MOST_CONNECTIONS, most_of_address=MOST_OF_ADDRESS)
        server = PhoneServer(
            self._exchange,
            lambda: self._tokens,
            self._code,
            self._clock,
            self._wake,
            measuring(),
            self.begins,
        )
        heard.setblocking(False)
        async with served(server.app(), door, limits, warn, name="phones"):
            self._server = server
            while not self._ended:
                self._tell()
                with suppress(TimeoutError):
                    async with asyncio.timeout(NETWORK_S):
                        await loop.sock_recv(heard, MOST_RINGS)
            self._server = None

    def _drop_all(self) -> None:
        if (server := self._server) and self._loop:
            self._dropping = self._loop.create_task(server.drop_all())

    def _tell(self) -> None:
        """Tell the addresses, which change with the network and the tokens."""
        tokens = self._tokens
        play, watch = (page_for(token, self._port) for token in (tokens.play, tokens.watch))
        if play is None or watch is None:
            self._links = PhoneLinks(trouble=NO_NETWORK())
            return
        is_new, links = play != self._links.play, PhoneLinks(play, watch)
        shows_codes = self.shows_codes or self._server is not None
        if is_new or (shows_codes and self._links.play_code is None):
            self._links = _with_codes(links) if shows_codes else links
        if is_new:
            self._announce(play)
            self._wake()


def _await(sockets: list[socket.socket], heard: socket.socket) -> list[socket.socket]:
    """Wait for one of the sockets, for NETWORK_S at most. Return those that were asked."""
    ready, _, _ = select.select(sockets, [], [], NETWORK_S)
    if heard in ready:
        heard.recv(MOST_RINGS)
    return ready


def _listening(port: int) -> socket.socket:
    """Raises PortError."""
    try:
        return socket.create_server(("0.0.0.0", port))
    except OSError as error:
        # Text, because people write a port without a mark for thousands.
        raise PortError(NO_PORT(port=str(port), why=why(error))) from None


def _with_codes(links: PhoneLinks) -> PhoneLinks:
    from pi_app.export.codes import code_of  # noqa: PLC0415, a board that shows none needs none

    return replace(links, play_code=code_of(links.play), watch_code=code_of(links.watch))


def page_for(token: str, port: int) -> str | None:
    """The address of the page that a token opens; None without a network."""
    address = own_address()
    return f"http://{address}:{port}/#{token}" if address else None


def own_address() -> str | None:
    """This computer's address in its network; None without a network. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking, suppress(OSError):
        asking.connect((ANYWHERE, 9))
        return str(asking.getsockname()[0])
    return None


class PhoneFront:
    """The board's own screen, if there is one, and the phones as one front."""

    def __init__(self, own: Front | None, phones: Phones) -> None:
        self._own, self._phones = own, phones

    @property
    def moving(self) -> bool:
        return self._own is not None and self._own.moving

    @property
    def rolling(self) -> bool:
        return (self._own is not None and self._own.rolling) or self._phones.rolling

    @property
    def heard(self) -> ReadOut | None:
        """Pages are read aloud by the board for its own screen alone; a phone reads by itself."""
        return self._own.heard if self._own else None

    def poll(self, shown: Shown, now: Us) -> tuple[Output, ...]:
        own = self._own.poll(shown, now) if self._own else ()
        return (*own, *self._phones.take())

    def draw(self, shown: Shown, now: Us) -> None:
        if self._own:
            self._own.draw(shown, now)
        self._phones.show(shown, now)

    def set_fullscreen(self, fullscreen: bool) -> None:
        if self._own:
            self._own.set_fullscreen(fullscreen)

    def close(self) -> None:
        self._phones.close()
        if self._own:
            self._own.close()
