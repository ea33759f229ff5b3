"""The wall's server: pages, events and pictures for browsers, and what feeds them."""

from __future__ import annotations

import asyncio
import csv
import gzip
import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache, partial
from hmac import compare_digest
from pathlib import Path
from typing import TypeAlias, TypeVar

from aiohttp import web

from pi_app.base.errors import SpotterError
from pi_app.base.files import read_text
from pi_app.base.identifiers import BoardName, MatchKey
from pi_app.base.microseconds import Us
from pi_app.base.serving import Warn, answered, ask, secure
from pi_app.base.typed_json import read
from pi_app.base.values import dataclass
from pi_app.club.archive import ClubArchive
from pi_app.club.records import News, Record
from pi_app.languages import LANGUAGES, language_of, load_language
from pi_app.referee.events import Start
from pi_app.referee.lines import read_event
from pi_app.screen.theme import style_sheet, theme_of
from pi_app.wall import words
from pi_app.wall.chances import WinOdds
from pi_app.wall.pictures import Gallery
from pi_app.wall.standing import StandError, Teller
from pi_app.wall.wall import LONGEST_DELAY, MOST_ON_A_PAGE, PAUSE_S, Lookout, Wall, Watcher
from pi_app.words.numbers import per_cent
from pi_app.words.texts import clean_name

# What the wall reads from disk: kept matches to be replayed, and a tournament's standings.

MOST_LISTED = 40
"""The most matches of a board that are listed, the newest."""
MOST_ROWS, MOST_COLUMNS = 500, 20
MOST_OF_CELL = 80
MOST_DECISIONS = 20_000
"""The most lines of a match; a long one has two thousand."""

T = TypeVar("T")
_CellText: TypeAlias = str | int | float | None


KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
"""The media types of the page's files."""


@dataclass(frozen=True, slots=True)
class StandingsTable:
    title: str
    columns: tuple[_CellText, ...]
    rows: tuple[tuple[_CellText, ...], ...]

    @property
    def shown(self) -> Mapping[str, object]:
        """The page's data, cut if there is too much."""
        return {
            "title": _cell(self.title),
            "columns": list(map(_cell, self.columns[:MOST_COLUMNS])),
            "rows": [list(map(_cell, row[:MOST_COLUMNS])) for row in self.rows[:MOST_ROWS]],
        }


Standings: TypeAlias = Callable[[], Mapping[str, object] | None]


class KeptMatches:
    """Reads the archive on a thread of its own, so that no page waits for a disk.

    Every call says how old a record must be to be shown: `aged`, by the archive's time.
    """

    def __init__(self, archive: ClubArchive) -> None:
        self._archive = archive
        self._thread = ThreadPoolExecutor(1, "wall-archive")

    async def matches(self, board: BoardName, aged: Us) -> tuple[Mapping[str, object], ...]:
        """A board's newest matches, newest first: key, start and players."""

        def listed() -> tuple[Mapping[str, object], ...]:
            keys = sorted(self._archive.matches(board, aged), key=_began, reverse=True)
            return tuple(_listed(self._archive, board, key, aged) for key in keys[:MOST_LISTED])

        return await self._ask(listed)

    async def records(self, board: BoardName, match: MatchKey, aged: Us) -> tuple[Record, ...]:
        read = partial(self._archive.records, board, match, aged=aged)
        return (await self._ask(read))[:MOST_DECISIONS]

    async def work(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _ask(self, read: Callable[[], tuple[T, ...]]) -> tuple[T, ...]:
        def run() -> tuple[T, ...]:
            # A disk that fails now may be well when the page asks again.
            with suppress(SpotterError):
                return read()
            return ()

        return await self.work(run)


def _began(key: MatchKey) -> str:
    return key.partition("@")[2]


def _listed(
    archive: ClubArchive, board: BoardName, key: MatchKey, aged: Us
) -> Mapping[str, object]:
    first = next(iter(archive.records(board, key, aged=aged)), None)
    players = _players(first.line) if first and first.id.sequence == 0 else []
    return {"match": key, "began": _began(key), "players": players}


def _players(line: str) -> list[str]:
    try:
        start = read_event(line)
    except (ValueError, RecursionError):
        return []
    return [clean_name(name) for name in start.players] if isinstance(start, Start) else []


def standings_of(path: Path) -> Standings:
    """The standings, read again when the file changes. If it is bad the previous ones stay."""
    last: tuple[float, Mapping[str, object] | None] = (-1.0, None)

    def latest() -> Mapping[str, object] | None:
        nonlocal last
        try:
            changed = path.stat().st_mtime
            if changed != last[0]:
                last = changed, _table_of(path).shown
        except (OSError, ValueError, csv.Error):
            return last[1]
        return last[1]

    return latest


def _table_of(path: Path) -> StandingsTable:
    """Read JSON, or CSV with a header line as spreadsheets and `spotter tournament` write it."""
    text = read_text(path)
    if path.suffix.lower() != ".csv":
        return read(text, StandingsTable)
    columns, *rows = csv.reader(text.splitlines())
    return StandingsTable(path.stem, tuple(columns), tuple(map(tuple, rows)))


def _cell(cell: object) -> str:
    return "" if cell is None else str(cell)[:MOST_OF_CELL]


# The wall at work: what the broker tells goes into the wall, and from there to the pages.


class Announcer:
    """Passes messages to the wall, and shows them when their time has come.

    Everything but `hear` must run on the event loop's thread.
    """

    def __init__(self, wall: Wall, lookout: Lookout, clock: Callable[[], Us], warn: Warn) -> None:
        self.wall, self.lookout = wall, lookout
        self._clock, self._warn = clock, warn
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    def hear(self, news: News) -> None:
        self._loop.call_soon_threadsafe(self._hear, news)

    def hold_back(self, delay: Us) -> None:
        """Change the delay. A shorter one takes effect at once."""
        self.wall.hold_back(delay)
        self.show()
        self.lookout.tell_all()

    def show(self) -> None:
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


# The wall's pages over HTTP: what can be asked for, and that nobody can ask for more.
#
# Everything is read only but the operator's page, whose address is its key.


MOST_PAGES = 1_000
"""The most pages open at once; further browsers are told to come later."""
FORM_S = 10.0
"""Seconds within which the operator's form must arrive."""
BAD_FORM = f"delay takes whole seconds from 0 to {LONGEST_DELAY // 1_000_000}; nothing was changed"
MOST_REPLAYS = 32
"""The most replays kept, because many browsers look at the same match."""
FOR_EVER = "public, max-age=31536000, immutable"
PAGE = Path(__file__).with_name("page")
"""The files of the pages."""
FONTS = Path(__file__).parents[1] / "screen" / "fonts"
"""The screens' own."""


class WallServer:
    """Answers browsers. Belongs to one event loop."""

    def __init__(
        self,
        announcer: Announcer,
        teller: Teller,
        gallery: Gallery,
        kept: KeptMatches,
        standings: Standings,
        operator: str,
        chances: WinOdds | None = None,
    ) -> None:
        """`operator` is the secret part of the operator's address. Without `chances` no page shows
        how likely a side wins."""
        self._announcer, self._wall, self._lookout = announcer, announcer.wall, announcer.lookout
        self._teller, self._gallery = teller, gallery
        self._kept, self._standings, self._operator = kept, standings, operator
        self._chances = chances
        self._replayed = lru_cache(MOST_REPLAYS)(self._replay)
        self._template = (PAGE / "index.html").read_text("utf-8")
        self._form = (PAGE / "operator.html").read_text("utf-8")

    def app(self) -> web.Application:
        app = web.Application(client_max_size=4096, middlewares=[ask])
        app.on_shutdown.append(self._end)
        app.on_response_prepare.append(secure)
        pages = ("/", "/standings", "/board/{board}", "/board/{board}/replay/{match}")
        app.add_routes(
            [
                *(web.get(path, self._page) for path in pages),
                web.get(r"/page/{file:[a-z]+\.(?:css|js|svg)}", self._file),
                web.get("/colours.css", self._colours),
                web.get(r"/font/{weight:Regular|SemiBold}", self._font),
                web.get("/picture/{name}/{theme}/{language}", self._picture),
                web.get("/events", self._events),
                web.get("/matches/{board}", self._matches),
                web.get("/chances/{board}", self._win_chances),
                web.get("/steps/{board}/{match}", self._steps),
                web.get("/standings.json", self._table),
                web.get("/operator/{key}", self._operates),
                web.post("/operator/{key}", self._operated),
            ]
        )
        return app

    async def _end(self, _: web.Application) -> None:
        self._lookout.close()

    async def _page(self, request: web.Request) -> web.StreamResponse:
        language = _language(request)
        text = words.page(self._template, language, load_language(language))
        return answered(request, text, "text/html")

    async def _file(self, request: web.Request) -> web.StreamResponse:
        path = PAGE / request.match_info["file"]
        if not path.is_file():
            raise _not_here()
        return answered(request, path.read_text("utf-8"), KINDS[path.suffix])

    async def _font(self, request: web.Request) -> web.StreamResponse:
        file = FONTS / f"Inter-{request.match_info['weight']}.otf"
        headers = {"Cache-Control": FOR_EVER, "Content-Type": "font/otf"}
        return web.FileResponse(file, headers=headers)

    async def _colours(self, request: web.Request) -> web.StreamResponse:
        return answered(request, style_sheet(), "text/css")

    async def _picture(self, request: web.Request) -> web.StreamResponse:
        theme, language = theme_of(request.match_info["theme"]), _language(request)
        packed = self._gallery.picture(request.match_info["name"], theme, language)
        if packed is None:
            raise _not_here()
        headers = {"Cache-Control": FOR_EVER}
        if "gzip" in request.headers.get("Accept-Encoding", ""):
            headers["Content-Encoding"] = "gzip"
        else:
            packed = gzip.decompress(packed)
        return web.Response(body=packed, content_type="image/svg+xml", headers=headers)

    async def _events(self, request: web.Request) -> web.StreamResponse:
        if len(self._lookout) >= MOST_PAGES:
            return web.Response(status=503, headers={"Retry-After": "30"})
        watcher = _watcher(request)
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        self._lookout.enter(watcher)
        try:
            with suppress(ConnectionError):
                while not self._lookout.closed:
                    text = await self._lookout.message(watcher)
                    await response.write(f"data: {text}\n\n".encode())
                    await asyncio.sleep(PAUSE_S)
        finally:
            self._lookout.leave(watcher)
        return response

    async def _matches(self, request: web.Request) -> web.StreamResponse:
        place = self._wall.place(request.match_info["board"])
        kept = await self._kept.matches(place.board, self._wall.delay) if place else ()
        return _json(request, {"matches": list(kept)})

    async def _win_chances(self, request: web.Request) -> web.StreamResponse:
        """White's and Black's chance to win the game, as numbers and as texts; null if unknown."""
        place, language = self._wall.place(request.match_info["board"]), _language(request)
        stand = place.stand if place else None
        found = await self._chances.of(stand) if self._chances and stand else None
        if found is None:
            return _json(request, None)
        said = load_language(language)
        texts = [said.say(per_cent(share)) for share in found]
        return _json(request, {"shares": [*found], "texts": texts})

    async def _steps(self, request: web.Request) -> web.StreamResponse:
        place = self._wall.place(request.match_info["board"])
        if place is None:
            raise _not_here()
        match = MatchKey(request.match_info["match"])
        records = await self._kept.records(place.board, match, self._wall.delay)
        language = _language(request)
        try:
            body = await self._kept.work(lambda: self._replayed(records, language))
        except StandError:
            raise _not_here() from None
        return answered(request, body, "application/json")

    def _replay(self, records: tuple[Record, ...], language: str) -> str:
        """Return a match's replay. It takes 0.3 s per thousand decisions, so another thread does
        it."""
        return json.dumps(self._teller.replay(records, load_language(language)))

    async def _table(self, request: web.Request) -> web.StreamResponse:
        return _json(request, self._standings())

    async def _operates(self, request: web.Request) -> web.StreamResponse:
        self._check_operator(request)
        figures = {
            "boards": len(self._wall.boards),
            "watching": len(self._lookout),
            "refused": self._wall.refused,
        }
        seconds, name = self._wall.delay // 1_000_000, _language(request)
        warnings = self._lookout.warnings
        text = words.operator_page(
            self._form, name, load_language(name), seconds, figures, warnings=warnings
        )
        return answered(request, text, "text/html", "no-store")

    async def _operated(self, request: web.Request) -> web.StreamResponse:
        self._check_operator(request)
        try:
            async with asyncio.timeout(FORM_S):
                form = await request.post()
            seconds = _whole(form.get("delay"))
        except (ValueError, LookupError, TimeoutError):
            seconds = None
        if seconds is None or seconds > LONGEST_DELAY // 1_000_000:
            return web.Response(status=400, text=BAD_FORM)
        self._lookout.warnings = "warnings" in form
        self._announcer.hold_back(Us(seconds * 1_000_000))
        raise web.HTTPSeeOther(request.path)

    def _check_operator(self, request: web.Request) -> None:
        if not compare_digest(request.match_info["key"].encode(), self._operator.encode()):
            raise _not_here()


def _watcher(request: web.Request) -> Watcher:
    query, language = request.query, _language(request)
    if "board" in query:
        return Watcher(language, query["board"])
    first, count = _whole(query.get("first")), _whole(query.get("count"))
    most = MOST_ON_A_PAGE if count is None else min(count, MOST_ON_A_PAGE)
    return Watcher(language, None, min(first or 0, 10**6), most)


def _whole(text: object) -> int | None:
    """Read a short decimal number; None for anything else."""
    is_short = isinstance(text, str) and text.isascii() and text.isdecimal() and len(text) < 9
    return int(str(text)) if is_short else None


def _language(request: web.Request) -> str:
    asked = request.match_info.get("language") or request.query.get("lang")
    if asked in LANGUAGES:
        return str(asked)
    return language_of(request.headers.get("Accept-Language", ""))


def _json(request: web.Request, value: object) -> web.StreamResponse:
    return answered(request, json.dumps(value), "application/json")


def _not_here() -> web.HTTPNotFound:
    return web.HTTPNotFound(text="not here")
