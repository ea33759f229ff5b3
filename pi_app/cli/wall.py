"""`spotter wall CLUB`: show every board of a club on a page for browsers, and keep the club's
archive."""

from __future__ import annotations

import asyncio
import secrets
import signal
import socket
from argparse import Namespace
from contextlib import ExitStack
from functools import partial
from importlib.util import find_spec
from pathlib import Path

from pi_app.base.door import MOST_CONNECTIONS, MOST_OF_ADDRESS, Door, room
from pi_app.base.errors import FailedError
from pi_app.base.extras import to_install
from pi_app.base.microseconds import Us
from pi_app.boards import load_board
from pi_app.cli.arguments import Parser, UsageError, whole
from pi_app.cli.club import add_archive, archive_access, open_archive
from pi_app.cli.ending import Status, say
from pi_app.club.archive import ClubArchive, monotonic
from pi_app.club.collector import Collector
from pi_app.club.guard import Rationed
from pi_app.games.equipment import Compendium
from pi_app.wall.chances import WinOdds
from pi_app.wall.pictures import Gallery
from pi_app.wall.standing import Teller
from pi_app.wall.wall import LONGEST_DELAY, Lookout, Wall

PORT = 8080
SHORTEST_KEY = 8
LONGEST_S = LONGEST_DELAY // 1_000_000
NO_SERVER = "the wall is served by aiohttp, which is missing here; run: {command}"


def run(argv: list[str], games: Compendium) -> int:
    """Serve until Ctrl-C. Raises FailedError if the server cannot start."""
    says = (
        "Collect every board's matches, as `spotter club archive` does, and show them to browsers."
    )
    parser = Parser("wall", says)
    add_archive(parser)
    parser.takes("--host", "HOST", "listen at this address alone, by default at all")
    parser.takes("--port", "PORT", f"default {PORT}", whole(0, 65535), PORT)
    delay = "delay everything; the operator can change it"
    parser.takes("--delay", "SECONDS", delay, whole(0, LONGEST_S), 0)
    parser.flag("--warnings", "let pages show warnings too")
    parser.flag("--chances", "show how likely each side wins, by Spotter's own players")
    parser.takes("--standings", "FILE", "a table as CSV or JSON", Path)
    parser.takes("--operator", "KEY", "the end of the operator's address")
    most = f"connections that one address may have open, by default {MOST_OF_ADDRESS};"
    most += " behind a reverse proxy all come from one"
    connections = whole(1, MOST_CONNECTIONS)
    parser.takes("--per-address", "NUMBER", most, connections, MOST_OF_ADDRESS)
    given = parser.parse_args(argv)
    key = given.operator or secrets.token_urlsafe(12)
    if len(key) < SHORTEST_KEY or not key.replace("-", "").replace("_", "").isalnum():
        raise UsageError(f"--operator takes {SHORTEST_KEY} letters and digits or more")
    if find_spec("aiohttp") is None:
        raise FailedError(NO_SERVER.format(command=to_install("wall")))
    asyncio.run(_serve(given, key, games))
    return Status.DONE


async def _serve(given: Namespace, key: str, games: Compendium) -> None:
    # It needs aiohttp, which `run` has looked for.
    from pi_app.base.serving import served  # noqa: PLC0415
    from pi_app.wall.server import (  # noqa: PLC0415
        Announcer,
        KeptMatches,
        WallServer,
        standings_of,
    )

    access = archive_access(given.folder)
    warn = Rationed(_warn)
    with ExitStack() as at_the_end:
        archive = open_archive(given.file, at_the_end)
        gallery = Gallery(games, partial(load_board, games=games.rules))
        teller = Teller(games, gallery)
        wall = Wall(teller, Us(given.delay * 1_000_000))
        find(wall, archive, monotonic())
        kept = KeptMatches(archive)
        at_the_end.callback(kept.close)
        standings = standings_of(given.standings) if given.standings else lambda: None
        announcer = Announcer(wall, Lookout(wall, teller, monotonic), monotonic, warn)
        announcer.lookout.warnings, announcer.lookout.chances = given.warnings, given.chances
        announcer.show()
        chances = WinOdds(games) if given.chances else None
        if chances:
            at_the_end.callback(chances.close)
        server = WallServer(announcer, teller, gallery, kept, standings, key, chances)
        door = partial(Door, warn=warn, most=room(), most_of_address=given.per_address)
        ended = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
        async with served(server.app(), (given.host, given.port), door, warn) as port:
            collector = Collector(access, archive, announcer.hear, _warn)
            collector.start()
            at_the_end.callback(collector.close)
            url = f"http://{given.host or socket.gethostname()}:{port}"
            print(f"The wall: {url}/\nIts operator: {url}/operator/{key}", flush=True)
            await ended.wait()


def find(wall: Wall, archive: ClubArchive, now: Us) -> None:
    """Show what the archive has: records older than the delay at once, the others later."""
    boards = archive.boards()
    for aged in sorted({wall.delay, Us(0)}, reverse=True):
        found = (archive.latest(board, aged) for board in boards)
        wall.found((summary for summary in found if summary), Us(now - aged))


def _warn(line: str) -> None:
    say([line])
