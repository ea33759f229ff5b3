"""`spotter club`: a club's broker set up, a board that joins it, and the archive of all boards."""

from __future__ import annotations

import argparse
import datetime
import getpass
import re
import signal
import subprocess
import threading
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

from pi_app.cli.arguments import Parser, UsageError, whole
from pi_app.cli.ending import Status, say
from pi_app.club.archive import ClubArchive
from pi_app.club.collector import NAME, Collector
from pi_app.club.line import Access
from pi_app.club.setting_up import (
    CARDS,
    ClubError,
    ClubPlan,
    access_of,
    join,
    leave,
    load_card,
    set_up,
)
from pi_app.club.tournament.results import ENDING, write_key
from pi_app.files import replace_text, why
from pi_app.games.equipment import Compendium
from pi_app.identifiers import BoardName, IdentifierError, board_name
from pi_app.journal.lock import InstanceLock
from pi_app.journal.opening import data_folder
from pi_app.seal.keys import SealError, make_key
from pi_app.settings import club_folder, load_settings, save_settings
from pi_app.words.texts import quoted

ARCHIVE_FILE = "club.db"
PORT = 8883
"""Of MQTT over TLS."""
MOST_BOARDS = 2000
SYNCS_SINCE = (2, 10)
"""Before this nats-server does not know `sync_interval`."""


_USAGE = """usage: spotter club PART …

Many boards on one broker.

  setup    make a broker's configuration, and a file for each board
  join     this board joins the club that made such a file
  leave    this board leaves the club
  archive  collect every board's matches

spotter club PART --help tells more."""


def run(argv: list[str], _games: Compendium) -> int:
    match argv:
        case ["setup", *words]:
            _set_up(_setup_words(words))
        case ["join", *words]:
            _join(_join_words(words))
        case ["leave", *words]:
            Parser("club leave", "Leave the club.").parse_args(words)
            _leave()
        case ["archive", *words]:
            _archive(_archive_words(words))
        case ["-h" | "--help", *_]:
            print(_USAGE)
            raise SystemExit(Status.DONE)
        case _:
            part = quoted(argv[0]) if argv else "none"
            raise UsageError(f"part {part}; give one of: setup, join, leave, archive")
    return Status.DONE


def _setup_words(words: list[str]) -> argparse.Namespace:
    parser = Parser("club setup", "Make a broker's configuration, and a file for each board.")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where all of it goes")
    parser.add_argument(
        "--boards", type=whole(1, MOST_BOARDS), default=10, metavar="N", help="how many, default 10"
    )
    parser.add_argument("--names", nargs="+", metavar="NAME", help="the boards' names instead")
    parser.add_argument(
        "--host",
        nargs="+",
        required=True,
        metavar="HOST",
        help="the broker's name or address for the boards; with --nats three, one a node",
    )
    parser.add_argument(
        "--port", type=whole(1, 65535), default=PORT, metavar="PORT", help=f"default {PORT}"
    )
    parser.add_argument("--nats", action="store_true", help="for nats-server, not mosquitto")
    parser.add_argument("--replace", action="store_true", help="overwrite what is there")
    return parser.parse_args(words)


def _join_words(words: list[str]) -> argparse.Namespace:
    parser = Parser("club join", "This board joins a club, from the next start on.")
    parser.add_argument(
        "file", type=Path, metavar="FILE", help="the card that club setup made for it"
    )
    parser.add_argument("--replace", action="store_true", help="leave the club it is in")
    return parser.parse_args(words)


def _archive_words(words: list[str]) -> argparse.Namespace:
    parser = Parser("club archive", "Collect every board's matches, until Ctrl-C.")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder of club setup")
    parser.add_argument("--file", type=Path, metavar="FILE", help="the archive's own file")
    return parser.parse_args(words)


def _set_up(args: argparse.Namespace) -> None:
    if len(args.host) > 1 and not args.nats:
        raise ClubError("mosquitto runs on one host; several hosts go with --nats")
    names = args.names or [f"table-{number + 1}" for number in range(args.boards)]
    folder = args.folder.absolute()
    syncs = args.nats and _nats_version() >= SYNCS_SINCE
    plan = ClubPlan(_names(names), tuple(args.host), args.port, args.nats, syncs)
    now = datetime.datetime.now(datetime.UTC)
    set_up(plan, folder, getpass.getuser(), now, replace=args.replace)
    start = (
        "nats-server -c nats-spotter-N.conf, each on its host"
        if args.nats
        else (f"mosquitto -c {folder / 'mosquitto.conf'}")
    )
    print(f"The broker: {start}")
    print(f"Each board: spotter club join {folder / CARDS}/NAME.toml")
    print(f"The archive: spotter club archive {folder}")
    if args.nats and not syncs:
        print("This nats-server is older than 2.10: a power cut costs what it has not yet synced,")
        print("up to two minutes, and the boards send it again.")


def _names(names: list[str]) -> tuple[BoardName, ...]:
    try:
        return tuple(map(board_name, names))
    except IdentifierError as error:
        raise ClubError(str(error)) from None


def _nats_version() -> tuple[int, ...]:
    """Empty if nats-server is not installed."""
    with suppress(OSError, subprocess.SubprocessError):
        said = subprocess.run(
            ["nats-server", "--version"], capture_output=True, text=True, timeout=10, check=True
        ).stdout
        if found := re.search(r"(\d+)\.(\d+)", said):
            return int(found[1]), int(found[2])
    return ()


def _join(args: argparse.Namespace) -> None:
    card = load_card(args.file)
    club = join(card, club_folder(), replace=args.replace)
    save_settings(replace(load_settings(), club=club))
    print(f"This board is {card.board} from the next start on; {args.file} can be deleted.")
    _tell_key(card.board, args.file.with_name(f"{card.board}{ENDING}"))


def _tell_key(board: BoardName, file: Path) -> None:
    """Show the board's public key: the organiser needs it to recognise the seals."""
    try:
        data_folder().mkdir(parents=True, exist_ok=True)
        key = make_key(data_folder()).public
        print(f"Its key, for who runs a tournament: {key}")
        replace_text(file, write_key(board, key))
        print(f"It is in {file} too; spotter tournament take --keys takes a folder of these.")
    except SealError as error:
        print(error)
    except OSError as error:
        print(f"{file} is not written: {why(error)}")


def _leave() -> None:
    save_settings(load_settings().changed("club.on", False))
    leave(club_folder())
    print("This board leaves the club from the next start on.")


def _archive(args: argparse.Namespace) -> None:
    """Run until Ctrl-C."""
    file = args.file or data_folder() / ARCHIVE_FILE
    with ExitStack() as at_the_end:
        archive = open_archive(file, at_the_end)
        collector = Collector(
            archive_access(args.folder), archive, lambda _: None, lambda line: say([line])
        )
        collector.start()
        at_the_end.callback(collector.close)
        print(f"Every board's matches are kept in {file}; Ctrl-C ends it.", flush=True)
        ended = threading.Event()
        signal.signal(signal.SIGTERM, lambda *_: ended.set())
        ended.wait()


def open_archive(file: Path, at_the_end: ExitStack) -> ClubArchive:
    """Open the archive for this process alone. Raises if another process writes it."""
    archive = ClubArchive(file)
    at_the_end.callback(archive.close)
    at_the_end.callback(InstanceLock(file.with_name(f"{file.name}.lock")).close)
    return archive


def archive_access(folder: Path) -> Access:
    """The archive's account in the club set up at `folder`. Raises ConfigError."""
    return access_of(load_card(folder / CARDS / f"{NAME}.toml"), folder / "ca.pem")
