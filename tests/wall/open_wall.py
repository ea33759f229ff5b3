"""A wall that is served, with a club night before it and a clock that can be turned."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

from club_night import ToldMatch
from known import load_board

from pi_app.club.records import Record
from pi_app.games.all import ALL
from pi_app.identifiers import BoardName, MatchKey
from pi_app.microseconds import Us
from pi_app.wall.kept import KeptMatches, Standings
from pi_app.wall.pictures import Gallery
from pi_app.wall.server import WallServer
from pi_app.wall.service import Announcer, served
from pi_app.wall.standing import Teller
from pi_app.wall.wall import News, Wall

KEY = "operators-key"


class NightArchive:
    """What the club's archive would have of these matches."""

    def __init__(self, matches: Iterable[ToldMatch]) -> None:
        self._matches = {match.board: match for match in matches}

    def matches(self, board: BoardName) -> tuple[MatchKey, ...]:
        return (self._matches[board].match,)

    def records(self, board: BoardName, match: MatchKey, after: int = -1) -> tuple[Record, ...]:
        found = self._matches[board]
        if found.match != match:
            return ()
        return tuple(record for record in found.records() if record.id.sequence > after)


class OpenWall:
    """The wall at `url`; `ahead` is how far its clock is ahead of the real one."""

    def __init__(self, matches: Iterable[ToldMatch], delay: Us, standings: Standings) -> None:
        self.ahead = 0
        self.url = ""
        self.gallery = Gallery(ALL, load_board)
        teller = Teller(ALL, self.gallery)
        self.wall = Wall(teller, delay)
        kept = KeptMatches(lambda: NightArchive(matches))
        self.server = WallServer(self.wall, teller, self.gallery, kept, standings, self.clock, KEY)
        self.announcer = Announcer(self.wall, self.server.lookout, self.clock)

    def clock(self) -> Us:
        return Us(time.monotonic_ns() // 1000 + self.ahead)

    def hear(self, *news: News) -> None:
        for each in news:
            self.announcer.hear(each)

    def later(self, us: int) -> None:
        """Time passes at once."""
        self.ahead += us
        self.announcer.show()


@asynccontextmanager
async def open_wall(
    matches: Iterable[ToldMatch], delay: Us = Us(0), standings: Standings = lambda: None
) -> AsyncIterator[OpenWall]:
    """Served while the context lasts."""
    there = OpenWall(matches, delay, standings)
    async with served(there.server.app(), "127.0.0.1", 0) as port:
        there.url = f"http://127.0.0.1:{port}"
        yield there
