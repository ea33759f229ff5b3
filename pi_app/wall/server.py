"""The wall's pages over HTTP: what can be asked for, and that nobody can ask for more.

Everything is read only but the operator's page, whose address is its key.  aiohttp was chosen: it
is old, looked after, has wheels for every Raspberry Pi, and Debian has it.
"""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from hashlib import sha256
from hmac import compare_digest
from importlib import resources
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from pi_app.club.records import Record
from pi_app.identifiers import BoardName, MatchKey
from pi_app.languages import LANGUAGES, load_language
from pi_app.microseconds import Us
from pi_app.wall import words
from pi_app.wall.kept import KeptMatches, Standings
from pi_app.wall.pictures import Gallery
from pi_app.wall.standing import StandError, Teller
from pi_app.wall.wall import LONGEST_DELAY, Wall
from pi_app.wall.watching import MOST_ON_A_PAGE, PAUSE_S, Lookout, Sight, Watcher

if TYPE_CHECKING:
    from aiohttp import web

Handler: TypeAlias = "Callable[[web.Request], Awaitable[web.StreamResponse]]"

MOST_PAGES = 1_000
"""Open at a time; another is told to come later."""
MOST_REPLAYS = 32
"""Kept at a time: many look at the same match."""
FOR_EVER = "public, max-age=31536000, immutable"
SAFE: Mapping[str, str] = MappingProxyType(
    {
        "Content-Security-Policy": "default-src 'self'; img-src 'self' data:; base-uri 'none'",
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer",
    }
)
FILES: Mapping[str, str] = MappingProxyType(
    {
        "wall.css": "text/css",
        "wall.js": "text/javascript",
        "board.js": "text/javascript",
        "replay.js": "text/javascript",
    }
)


class WallServer:
    """Answers browsers; made and used in one event loop."""

    def __init__(
        self,
        wall: Wall,
        teller: Teller,
        gallery: Gallery,
        kept: KeptMatches,
        standings: Standings,
        clock: Callable[[], Us],
        operator: str,
    ) -> None:
        """`operator` is the secret part of the operator's address."""
        self.lookout = Lookout(wall, teller, clock)
        self._wall, self._teller, self._gallery = wall, teller, gallery
        self._kept, self._standings, self._clock = kept, standings, clock
        self._operator = operator
        self._replayed = lru_cache(MOST_REPLAYS)(self._replay)
        folder = resources.files("pi_app.wall") / "page"
        self._template = (folder / "index.html").read_text("utf-8")
        self._files = {name: (folder / name).read_bytes() for name in FILES}

    def app(self) -> web.Application:
        """What aiohttp serves."""
        from aiohttp import web  # noqa: PLC0415, everything else runs without

        app = web.Application(client_max_size=4096)
        app.on_shutdown.append(self._end)
        pages = ("/", "/standings", "/board/{board}", "/board/{board}/replay/{match}")
        for path in pages:
            app.router.add_get(path, self._answer(self._page))
        app.router.add_get("/page/{file}", self._answer(self._file))
        app.router.add_get("/colours.css", self._answer(self._colours))
        app.router.add_get("/picture/{name}/{theme}/{language}", self._answer(self._picture))
        app.router.add_get("/events", self._events)
        app.router.add_get("/matches/{board}", self._answer(self._matches))
        app.router.add_get("/steps/{board}/{match}", self._answer(self._steps))
        app.router.add_get("/standings.json", self._answer(self._table))
        app.router.add_get("/operator/{key}", self._answer(self._operates))
        app.router.add_post("/operator/{key}", self._answer(self._operated))
        return app

    async def _end(self, _: web.Application) -> None:
        self.lookout.close()

    def _answer(self, handler: Handler) -> Handler:
        """The handler with what keeps a browser from doing anything else with its answer."""

        async def answer(request: web.Request) -> web.StreamResponse:
            response = await handler(request)
            response.headers.update(SAFE)
            return response

        return answer

    async def _page(self, request: web.Request) -> web.StreamResponse:
        language = _language(request)
        text = words.page(self._template, language, load_language(language))
        return _answered(request, text.encode(), "text/html", "no-cache")

    async def _file(self, request: web.Request) -> web.StreamResponse:
        name = request.match_info["file"]
        if name not in self._files:
            return _none()
        return _answered(request, self._files[name], FILES[name], "no-cache")

    async def _colours(self, request: web.Request) -> web.StreamResponse:
        return _answered(request, words.colours().encode(), "text/css", "no-cache")

    async def _picture(self, request: web.Request) -> web.StreamResponse:
        from aiohttp import web  # noqa: PLC0415

        theme, language = words.theme_of(request.match_info["theme"]), _language(request)
        packed = self._gallery.picture(request.match_info["name"], theme, language)
        if packed is None:
            return _none()
        headers = {"Cache-Control": FOR_EVER}
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            headers["Content-Encoding"] = "gzip"
        else:
            packed = gzip.decompress(packed)
        return web.Response(body=packed, content_type="image/svg+xml", headers=headers)

    async def _events(self, request: web.Request) -> web.StreamResponse:
        """Server-sent events: what the page looks at, as it changes."""
        from aiohttp import web  # noqa: PLC0415

        if len(self.lookout) >= MOST_PAGES:
            return web.Response(status=503, headers={"Retry-After": "30"})
        watcher = Watcher(_sight(request), _language(request))
        headers = {"Content-Type": "text/event-stream", "Cache-Control": "no-cache", **SAFE}
        response = web.StreamResponse(headers=headers)
        await response.prepare(request)
        self.lookout.enter(watcher)
        try:
            while not self.lookout.closed:
                text = await self.lookout.message(watcher)
                await response.write(f"data: {text}\n\n".encode() if text else b": \n\n")
                await asyncio.sleep(PAUSE_S)
        except ConnectionError:
            pass
        finally:
            self.lookout.leave(watcher)
        return response

    async def _matches(self, request: web.Request) -> web.StreamResponse:
        place = self._wall.place(request.match_info["board"])
        kept = await self._kept.matches(place.board) if place else ()
        return _json(request, {"matches": list(kept)})

    async def _steps(self, request: web.Request) -> web.StreamResponse:
        """A match to be replayed: no further than it has been shown."""
        place = self._wall.place(request.match_info["board"])
        if place is None:
            return _none()
        board, match = place.board, MatchKey(request.match_info["match"])
        until = self._wall.shown_until(board, match, self._clock())
        records = await self._kept.records(board, match, until)
        language = _language(request)
        try:
            body = await self._kept.work(lambda: self._replayed(records, language))
        except StandError:
            return _none()
        return _answered(request, body, "application/json", "no-cache")

    def _replay(self, records: tuple[Record, ...], language: str) -> bytes:
        """A third of a second for a thousand decisions: not on the loop's thread."""
        return json.dumps(self._teller.replay(records, load_language(language))).encode()

    async def _table(self, request: web.Request) -> web.StreamResponse:
        table = self._standings()
        return _json(request, table and {**table})

    async def _operates(self, request: web.Request) -> web.StreamResponse:
        if not self._is_operator(request):
            return _none()
        figures = {
            "boards": len(self._wall.boards),
            "watching": len(self.lookout),
            "refused": self._wall.refused,
        }
        seconds = self._wall.delay // 1_000_000
        language = load_language(_language(request))
        text = words.operator_page(language, seconds, self.lookout.warnings, figures)
        return _answered(request, text.encode(), "text/html", "no-store")

    async def _operated(self, request: web.Request) -> web.StreamResponse:
        from aiohttp import web  # noqa: PLC0415

        if not self._is_operator(request):
            return _none()
        form = await request.post()
        with suppress(ValueError):
            seconds = min(int(str(form.get("delay", "")) or 0), LONGEST_DELAY // 1_000_000)
            self._wall.hold_back(Us(seconds * 1_000_000))
        self.lookout.warnings = "warnings" in form
        self.lookout.tell_all()
        return web.Response(status=303, headers={"Location": request.path})

    def _is_operator(self, request: web.Request) -> bool:
        return compare_digest(request.match_info["key"].encode(), self._operator.encode())


def _sight(request: web.Request) -> Sight:
    query = request.query
    if "board" in query:
        return Sight(BoardName(query["board"]))
    return Sight(
        None, _number(query.get("first"), 10**6, 0), _number(query.get("count"), MOST_ON_A_PAGE)
    )


def _number(text: str | None, most: int, usual: int | None = None) -> int:
    short = text is not None and text.isascii() and text.isdecimal() and len(text) < 9
    return min(int(text or 0), most) if short else most if usual is None else usual


def _language(request: web.Request) -> str:
    asked = request.match_info.get("language") or request.query.get("lang")
    if asked in LANGUAGES:
        return str(asked)
    return words.language_of(request.headers.get("Accept-Language", ""))


def _answered(request: web.Request, body: bytes, kind: str, caching: str) -> web.StreamResponse:
    """A body that a browser need not fetch twice."""
    from aiohttp import web  # noqa: PLC0415

    tag = f'"{sha256(body).hexdigest()[:16]}"'
    headers = {"Cache-Control": caching, "ETag": tag, "Vary": "Accept-Language"}
    if request.headers.get("If-None-Match") == tag:
        return web.Response(status=304, headers=headers)
    response = web.Response(body=body, content_type=kind, charset="utf-8", headers=headers)
    response.enable_compression()
    return response


def _json(request: web.Request, value: object) -> web.StreamResponse:
    body = json.dumps(value).encode()
    return _answered(request, body, "application/json", "no-cache")


def _none() -> web.StreamResponse:
    from aiohttp import web  # noqa: PLC0415

    return web.Response(status=404, text="not here")
