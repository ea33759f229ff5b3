"""A wall that is served, with a club night before it and a clock that can be turned."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from club_night import ToldMatch
from known import load_board

from pi_app.base.door import Door
from pi_app.base.microseconds import Us
from pi_app.base.serving import IDLE_S, served
from pi_app.club.archive import ClubArchive, monotonic
from pi_app.club.guard import Rationed
from pi_app.club.records import News, Record
from pi_app.games.all import ALL
from pi_app.journal.store import MEMORY
from pi_app.wall.chances import WinOdds
from pi_app.wall.pictures import Gallery
from pi_app.wall.server import Announcer, KeptMatches, Standings, WallServer
from pi_app.wall.standing import Teller
from pi_app.wall.wall import BEAT_S, Lookout, Wall

KEY = "operators-key"


class TurnedClock:
    """A clock that can be turned on; `ahead` is how far it is ahead of the real one."""

    def __init__(self) -> None:
        self.ahead = 0

    def __call__(self) -> Us:
        return Us(monotonic() + self.ahead)


class OpenWall:
    """The wall at `url`.

    Its archive has what it hears; `hear` gives records to it first, as the collector does.
    """

    def __init__(
        self,
        delay: Us,
        standings: Standings,
        beat_s: float,
        clock: TurnedClock,
        archive: ClubArchive,
    ) -> None:
        self.clock, self.archive = clock, archive
        self.url = ""
        self.door: Door
        self.warned: list[str] = []
        self.warn = Rationed(self.warned.append)
        self.gallery = Gallery(ALL, load_board)
        teller = Teller(ALL, self.gallery)
        self.wall = Wall(teller, delay)
        self.lookout = Lookout(self.wall, teller, self.clock, beat_s)
        self.announcer = Announcer(self.wall, self.lookout, self.clock, self.warn)
        kept, self.chances = KeptMatches(self.archive), WinOdds(ALL)
        own = teller, self.gallery, kept, standings, KEY
        self.lookout.chances = True
        self.server = WallServer(self.announcer, *own, self.chances)

    def hear(self, *news: News) -> None:
        """The collector's output, in order."""
        for each in news:
            if isinstance(each, Record):
                self.archive.add([each])
            self.announcer.hear(each)

    def kept(self, match: ToldMatch) -> None:
        """The archive gets a match without reporting it."""
        self.archive.add(match.records())

    def later(self, us: int) -> None:
        """Time passes at once."""
        self.clock.ahead += us
        self.announcer.show()


@asynccontextmanager
async def open_wall(
    delay: Us = Us(0),
    standings: Standings = lambda: None,
    beat_s: float = BEAT_S,
    idle_s: float = IDLE_S,
    clock: TurnedClock | None = None,
    archive: ClubArchive | None = None,
    **door: Any,
) -> AsyncIterator[OpenWall]:
    """Served while the context lasts; `door` limits who comes in.

    An archive of another's goes by the same clock.
    """
    clock = clock or TurnedClock()
    there = OpenWall(delay, standings, beat_s, clock, archive or ClubArchive(MEMORY, clock))

    def let_in(inside: Callable[[], asyncio.BaseProtocol]) -> Door:
        there.door = Door(inside, there.warn, **door)
        return there.door

    async with served(there.server.app(), ("127.0.0.1", 0), let_in, there.warn, idle_s) as port:
        there.url = f"http://127.0.0.1:{port}"
        yield there
