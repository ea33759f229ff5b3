"""`spotter club`: set up a club's broker, let a board join, and run the archive of all boards."""

from __future__ import annotations

import datetime
import getpass
import re
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

from pi_app.base.files import replace_text, why
from pi_app.base.identifiers import BoardName, IdentifierError, board_name
from pi_app.cli.arguments import Parser, Part, Words, run_action, whole
from pi_app.cli.ending import Status, say
from pi_app.club.archive import ClubArchive
from pi_app.club.collector import NAME, Collector
from pi_app.club.line import Access
from pi_app.club.setting_up import (
    CARDS,
    FIREWALL,
    ClubError,
    ClubPlan,
    access_of,
    join,
    leave,
    load_card,
    set_up,
)
from pi_app.club.tournament.results import ENDING, write_key
from pi_app.games.equipment import Compendium
from pi_app.journal.lock import InstanceLock
from pi_app.journal.opening import data_folder
from pi_app.seal.keys import SealError, make_key
from pi_app.user.settings import club_folder, load_settings, save_settings

ARCHIVE_FILE = "club.db"
PORT = 8883
"""The port of MQTT over TLS."""
MOST_BOARDS = 2000
SYNCS_SINCE = (2, 10)
"""The first version of nats-server with `sync_interval`."""


def run(argv: list[str], games: Compendium) -> int:
    run_action("club", "Many boards on one broker.", ACTIONS, argv, games)
    return Status.DONE


def _setup_words(parser: Parser) -> None:
    parser.takes("folder", "FOLDER", "where all of it goes", Path)
    parser.takes("--boards", "N", "how many, default 10", whole(1, MOST_BOARDS), 10)
    parser.takes("--names", "NAME", "the boards' names instead", nargs="+")
    host = "the broker's name or address for the boards; with --nats three, one a node"
    parser.takes("--host", "HOST", host, nargs="+", required=True)
    parser.takes("--port", "PORT", f"default {PORT}", whole(1, 65535), PORT)
    parser.flag("--nats", "for nats-server, not mosquitto")
    parser.flag("--replace", "overwrite what is there")


def _join_words(parser: Parser) -> None:
    parser.takes("file", "FILE", "the card that club setup made for it", Path)
    parser.flag("--replace", "leave the club it is in")


def add_archive(parser: Parser) -> None:
    parser.takes("folder", "FOLDER", "the folder of club setup", Path)
    parser.takes("--file", "FILE", "the archive's own file", Path, data_folder() / ARCHIVE_FILE)


def _set_up(args: Words, _: Compendium) -> Iterator[str]:
    if len(args.host) > 1 and not args.nats:
        raise ClubError("mosquitto runs on one host; several hosts go with --nats")
    names = args.names or [f"table-{number + 1}" for number in range(args.boards)]
    try:
        boards = tuple(map(board_name, names))
    except IdentifierError as error:
        raise ClubError(str(error)) from None
    folder = args.folder.absolute()
    syncs = args.nats and _nats_version() >= SYNCS_SINCE
    plan = ClubPlan(boards, tuple(args.host), args.port, args.nats, syncs)
    now = datetime.datetime.now(datetime.UTC)
    set_up(plan, folder, getpass.getuser(), now, replace=args.replace)
    start = f"mosquitto -c {folder / 'mosquitto.conf'}"
    if args.nats:
        start = "nats-server -c nats-spotter-N.conf, each on its host"
    yield f"The broker: {start}"
    yield f"Its firewall, in a network with strangers: sudo nft -f {folder / FIREWALL}"
    yield f"Each board: spotter club join {folder / CARDS}/NAME.toml"
    yield f"The archive: spotter club archive {folder}"
    if args.nats and not syncs:
        yield "This nats-server is older than 2.10: a power cut costs what it has not yet synced,"
        yield "up to two minutes, and the boards send it again."


def _nats_version() -> tuple[int, ...]:
    """Empty if nats-server is not installed."""
    with suppress(OSError, subprocess.SubprocessError):
        said = subprocess.run(
            ["nats-server", "--version"], capture_output=True, text=True, timeout=10, check=True
        ).stdout
        if found := re.search(r"(\d+)\.(\d+)", said):
            return int(found[1]), int(found[2])
    return ()


def _join(args: Words, _: Compendium) -> Iterator[str]:
    card = load_card(args.file)
    club = join(card, club_folder(), replace=args.replace)
    save_settings(replace(load_settings(), club=club))
    yield f"This board is {card.board} from the next start on; {args.file} can be deleted."
    yield from _tell_key(card.board, args.file.with_name(f"{card.board}{ENDING}"))


def _tell_key(board: BoardName, file: Path) -> Iterator[str]:
    """Yield the board's public key, by which the organiser recognises its seals."""
    try:
        data_folder().mkdir(parents=True, exist_ok=True)
        key = make_key(data_folder()).public
        yield f"Its key, for who runs a tournament: {key}"
        replace_text(file, write_key(board, key))
        yield f"It is in {file} too; spotter tournament take --keys takes a folder of these."
    except SealError as error:
        yield str(error)
    except OSError as error:
        yield f"{file} is not written: {why(error)}"


def _leave(_: Words, __: Compendium) -> Iterator[str]:
    save_settings(load_settings().changed("club.on", False))
    leave(club_folder())
    yield "This board leaves the club from the next start on."


def _archive(args: Words, _: Compendium) -> Iterator[str]:
    with ExitStack() as at_the_end:
        archive, access = open_archive(args.file, at_the_end), archive_access(args.folder)
        collector = Collector(access, archive, lambda _: None, lambda line: say([line]))
        collector.start()
        at_the_end.callback(collector.close)
        yield f"Every board's matches are kept in {args.file}; Ctrl-C ends it."
        ended = threading.Event()
        signal.signal(signal.SIGTERM, lambda *_: ended.set())
        ended.wait()


def open_archive(file: Path, at_the_end: ExitStack) -> ClubArchive:
    """Open the archive for this process alone. Raises ClubArchiveError if another process writes
    it."""
    archive = ClubArchive(file)
    at_the_end.callback(archive.close)
    at_the_end.callback(InstanceLock(file.with_name(f"{file.name}.lock")).close)
    return archive


def archive_access(folder: Path) -> Access:
    """The archive's account in the club set up at `folder`. Raises ConfigError."""
    return access_of(load_card(folder / CARDS / f"{NAME}.toml"), folder / "ca.pem")


ACTIONS: Mapping[str, Part] = {
    "setup": Part(
        "make a broker's configuration, and a file for each board", _set_up, _setup_words
    ),
    "join": Part("this board joins a club, from the next start on", _join, _join_words),
    "leave": Part("this board leaves the club", _leave),
    "archive": Part("collect every board's matches, until Ctrl-C", _archive, add_archive),
}
