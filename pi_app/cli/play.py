"""`spotter`: the real board; `spotter --sim`: the simulated one, no hardware needed."""

from __future__ import annotations

import argparse
import gc
import os
import random
import signal
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from types import MappingProxyType

from pi_app.agreement import HIGHEST_TARGET, Form, new_match, terms_for
from pi_app.app.coaching import Coaching
from pi_app.app.devices import Devices
from pi_app.app.librarian import Librarian, is_playable
from pi_app.app.loop import App
from pi_app.app.membership import Club, Membership
from pi_app.app.seats import MachinePlayers
from pi_app.app.services import BoardCatalog, Services
from pi_app.app.touchscreen import ScreenFront
from pi_app.boards import board_names, load_board
from pi_app.cli.arguments import Parser, UsageError, add_terms, open_source, terms_of, timing_of
from pi_app.cli.ending import Status
from pi_app.cli.rollback import FAILED, ON_TRIAL, pass_trial
from pi_app.coach.study import FILE as RATINGS
from pi_app.commands import Invite, NewMatch
from pi_app.devices.backlight import Backlight
from pi_app.devices.clock import MatchClock
from pi_app.devices.dice import Dice
from pi_app.devices.gpio import open_factory
from pi_app.devices.oled import LumaOled, Oled
from pi_app.devices.source import Put
from pi_app.games.equipment import Compendium
from pi_app.journal.disk import JournalError
from pi_app.journal.opening import Opened, data_folder, open_journal, open_unkept
from pi_app.journal.store import MEMORY
from pi_app.lines import write_view
from pi_app.match.terms import FRIENDLY
from pi_app.microseconds import Us
from pi_app.players.contract import PlayerError
from pi_app.players.process import call_process
from pi_app.referee.events import Event, MachineSeat, Start, Tick
from pi_app.referee.view import View
from pi_app.rules.terms import Side
from pi_app.screen.paint import Window, prefer_the_console
from pi_app.screen.sound import Speaker
from pi_app.screen.ui import Fitness, Page
from pi_app.sensing.description import Board
from pi_app.settings import Settings, load_settings
from pi_app.simulator.emulator import open_emulated
from pi_app.simulator.source import open_simulated
from pi_app.simulator.window import SimulatedRoom
from pi_app.words.sentences import Sentence
from pi_app.words.texts import quoted

TOUCHSCREEN = (800, 480)
TRIAL_S = 10.0
WENT_BACK = Sentence(
    "Spotter {version} failed to start, so the version before it runs. To try it again: "
    "spotter rollback --undo"
)


def run(argv: list[str], games: Compendium) -> int:
    args = arguments(argv)
    with ExitStack() as at_the_end:
        settings = load_settings()
        if args.fullscreen or args.kiosk:
            settings = settings.changed("screen.fullscreen", True)
        if args.kiosk:
            prefer_the_console(os.environ)
        name = args.board or settings.board.name
        board = load_board(name, games.rules)
        match = match_of(args, games)
        opened = _told_of_rollback(_open_journal(args.seed))
        at_the_end.callback(opened.close)
        app = _open(board, name, games, settings, opened, args)
        at_the_end.callback(app.close)
        if match:
            _begin(app, match, args)
        _stand_trial(at_the_end)
        signal.signal(signal.SIGTERM, lambda *_: app.stop())
        # What the start has made stays: to look through it for garbage would stop a turn for long.
        gc.freeze()
        app.step() if args.once else app.run()
    return Status.DONE


def _told_of_rollback(opened: Opened) -> Opened:
    version = os.environ.get(FAILED)
    told = (WENT_BACK(version=version),) if version else ()
    return replace(opened, notices=(*told, *opened.notices))


def _stand_trial(at_the_end: ExitStack) -> threading.Timer | None:
    """A version that is new here has started well once it has run for a while."""
    file = os.environ.get(ON_TRIAL)
    if file is None:
        return None
    timer = threading.Timer(TRIAL_S, pass_trial, (Path(file),))
    timer.daemon = True
    timer.start()
    at_the_end.callback(timer.cancel)
    return timer


def _begin(app: App, match: NewMatch, args: argparse.Namespace) -> None:
    """Begin at once, or when the invited board accepts."""
    if args.linked:
        app.obey(Invite(match, args.linked, Side(args.machine).other))
    else:
        app.begin(match)


def arguments(argv: list[str]) -> argparse.Namespace:
    parser = Parser("", "Play on the real board; with --sim, on a simulated one.")
    parser.add_argument("--sim", action="store_true", help="a simulated board, no hardware")
    parser.add_argument("--board", metavar="NAME", help="a board's name or a .toml file")
    parser.add_argument(
        "--emulator",
        action="store_true",
        help="with --sim: the reeds close in the scanner's real firmware, emulated",
    )
    parser.add_argument(
        "--fullscreen", action="store_true", help="fill the display, whatever the settings say"
    )
    parser.add_argument(
        "--kiosk",
        action="store_true",
        help="fill the display, which may be a console without a desktop",
    )
    parser.add_argument("--match", metavar="GAME", help="begin a match at once, without a touch")
    parser.add_argument(
        "--to", type=_target, metavar="N", help="with --match: points to win, or unlimited"
    )
    parser.add_argument(
        "--players", nargs=2, metavar=("WHITE", "BLACK"), help="with --match: the players' names"
    )
    parser.add_argument(
        "--against", metavar="PLAYER", help="with --match: play against this one of Spotter's"
    )
    parser.add_argument(
        "--machine",
        choices=[side.value for side in Side],
        default=Side.BLACK.value,
        help="with --against and --linked: the side that is not played here, default black",
    )
    parser.add_argument(
        "--linked", metavar="BOARD", help="with --match: invite this board of the club to it"
    )
    add_terms(parser)
    parser.add_argument(
        "--views", action="store_true", help="print each view as it changes, as replay does"
    )
    parser.add_argument(
        "--seed", metavar="S", help="for tests: dice that fall alike for the same S; keeps nothing"
    )
    parser.add_argument("--once", action="store_true", help="draw the first picture and quit")
    args = parser.parse_args(argv)
    if args.emulator and not args.sim:
        parser.error("--emulator goes with --sim")
    seated = args.against or args.linked
    agreed = args.to or args.players or seated or terms_of(args) != FRIENDLY
    if agreed and not args.match:
        names = "--to, --players, --clock, --policy, --locked, --dice, --against and --linked"
        parser.error(f"{names} go with --match")
    if args.against and args.linked:
        parser.error("--against or --linked: one player for the other side")
    return args


def _target(text: str) -> Form:
    if text == "unlimited":
        return Form(match_to=None)
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= HIGHEST_TARGET):
        raise argparse.ArgumentTypeError(
            f"{quoted(text)} is no whole number from 1 to {HIGHEST_TARGET}, and not: unlimited"
        )
    return Form(match_to=int(text))


def match_of(args: argparse.Namespace, games: Compendium) -> NewMatch | None:
    """The match that is to begin at once, if any.

    Raises TextError for a game or a player of the machine's that nobody knows, and PlayerError for
    one that is not installed.
    """
    if args.match is None:
        return None
    form = replace(args.to or Form(), terms=terms_of(args))
    if args.players:
        form = replace(form, players=tuple(args.players))
    game = games.find(args.match)
    if args.against:
        contender = game.contender(args.against)
        if lacking := contender.missing():
            raise PlayerError(lacking)
        form = replace(form, machine=MachineSeat(Side(args.machine), contender.name))
    if terms_for(form, game.rules) != form.terms:
        raise UsageError(
            "--clock goes with a number of points to win, --policy responsible with two people"
        )
    return new_match(form, game.rules)


def _open_journal(seed: str | None) -> Opened:
    """Seeded dice keep nothing, so that such a match never counts."""
    if seed is None:
        return open_journal(data_folder())
    return open_unkept(data_folder(), f"its dice are seeded with {quoted(seed)}, for tests")


class _ViewPrinter:
    """Prints a view only if it differs from the previous one."""

    def __init__(self) -> None:
        self._printed: str | None = None

    def __call__(self, view: View) -> None:
        says = write_view(replace(view, us=Us(0), clock=None))
        if says != self._printed:
            self._printed = says
            print(write_view(view), flush=True)


def _open(
    board: Board,
    name: str,
    games: Compendium,
    settings: Settings,
    opened: Opened,
    args: argparse.Namespace,
) -> App:
    """Everything the program runs on, wired together.

    Raises DeviceError without pins, ScreenError without a display.
    """
    queue: SimpleQueue[Event] = SimpleQueue()
    clock = MatchClock(last_time(opened))
    greets = not args.match and is_first_start(settings, opened)
    open_board = partial(_simulated, games, args.emulator) if args.sim else _real
    devices, boards = open_board(board, settings, clock, queue.put, greets=greets)
    if args.seed is not None:
        devices = replace(devices, dice=Dice(random.Random(args.seed)))
    watchers: list[Callable[[View], None]] = [devices.watch] if devices.watch else []
    if args.views:
        watchers.append(_ViewPrinter())
    if watchers:
        devices = replace(devices, watch=partial(_tell, watchers))
    lots = random.SystemRandom() if args.seed is None else random.Random(args.seed)
    coaching = _coaching(games, opened)
    services = Services(
        opened,
        _librarian(board, name, games, opened, coaching, every=args.sim),
        coaching,
        boards,
        MachinePlayers(games.players, call_process, lots),
        _club(
            opened, boards.boards_of if boards else board.games, lambda: queue.put(Tick(clock()))
        ),
        partial(check_up, games),
    )
    services.club.enter(settings.club, resumes=True)
    return App(board, name, games.faces, settings, clock, queue, devices, services)


def check_up(games: Compendium) -> tuple[tuple[str, Fitness], ...]:
    """What `spotter doctor` finds, for the screen."""
    from pi_app.cli.doctor import CheckState, Machine, all_checks, tried  # noqa: PLC0415, for few

    health = {CheckState.OK: Fitness.WELL, CheckState.FAIL: Fitness.ILL}
    found = ((name, tried(check).state) for name, check in all_checks(Machine(), games))
    return tuple((name, health.get(state, Fitness.UNKNOWN)) for name, state in found)


def _club(opened: Opened, playable: Collection[str], wake: Callable[[], None]) -> Club:
    """The club that may be joined; none where no journal is kept."""
    if opened.journal.path == MEMORY:
        return Club()
    membership = Membership(opened.journal, playable.__contains__, wake)
    membership.start()
    return Club(membership)


def _coaching(games: Compendium, opened: Opened) -> Coaching:
    """The coach; its ratings are stored beside the journal."""
    path = opened.journal.path
    coaching = Coaching(games, None if path == MEMORY else path.with_name(RATINGS))
    coaching.start()
    return coaching


def _librarian(
    board: Board,
    name: str,
    games: Compendium,
    opened: Opened,
    coaching: Coaching,
    *,
    every: bool,
) -> Librarian | None:
    """Who reads the kept matches, where there is a journal that keeps them.

    With `every` those of the other boards that travel with Spotter can be gone on with too.
    """
    path = opened.journal.path
    if path == MEMORY:
        return None
    others = frozenset(board_names()) if every else frozenset[str]()

    def playable(start: Start) -> bool:
        return start.board in others or is_playable(start, board, name)

    librarian = Librarian(path, games, playable, analyse=coaching.ask)
    librarian.start()
    return librarian


def _tell(watchers: Iterable[Callable[[View], None]], view: View) -> None:
    for watcher in watchers:
        watcher(view)


def _real(
    board: Board, settings: Settings, clock: MatchClock, put: Put, *, greets: bool
) -> tuple[Devices, BoardCatalog | None]:
    """Open the pins, the scanner if the board has one, the touchscreen and the OLED."""
    source = open_source(board, open_factory("lgpio"), settings, clock, put)
    fullscreen, long_press = settings.screen.fullscreen, timing_of(settings).long_press
    window = Window(
        TOUCHSCREEN,
        fullscreen=fullscreen,
        long_press=long_press,
        rotation=settings.screen.rotation,
    )
    oled = _open_oled(settings, clock, put)
    front = ScreenFront(window, Page.SET_UP if greets else Page.START)
    devices = Devices(source, front, _speaker(settings), oled, Dice(), backlight=Backlight())
    return devices, None


def _boards_of(games: Compendium) -> Mapping[str, Board]:
    """Each game's usual board, by the game's name. Every board is read once."""
    boards = {name: load_board(name, games.rules) for name in set(games.boards.values())}
    return MappingProxyType({game: boards[name] for game, name in games.boards.items()})


def _simulated(
    games: Compendium,
    emulated: bool,
    board: Board,
    settings: Settings,
    clock: MatchClock,
    put: Put,
    *,
    greets: bool,
) -> tuple[Devices, BoardCatalog | None]:
    """One window with the product's screen, a simulated board and the OLED's picture.

    The other boards are at hand too.
    """
    room = SimulatedRoom(
        open_emulated if emulated else open_simulated,
        board,
        clock,
        put,
        timing_of(settings),
        fullscreen=settings.screen.fullscreen,
    )
    devices = Devices(
        room.source,
        ScreenFront(room.window, Page.TOUR if greets else Page.START),
        _speaker(settings),
        room.window,
        Dice(),
        watch=lambda view: room.window.table.follow(clock(), view),
    )
    return devices, BoardCatalog(_boards_of(games), partial(room.fetch, games=games.rules))


def _speaker(settings: Settings) -> Speaker:
    return Speaker(on=settings.sound.on, volume=settings.sound.volume)


def _open_oled(settings: Settings, clock: MatchClock, put: Put) -> Oled | None:
    oled = settings.oled
    if oled.chip == "none":
        return None
    return Oled(lambda: LumaOled(oled.chip, oled.port, oled.address), clock, put)


def is_first_start(settings: Settings, opened: Opened) -> bool:
    """The tour was never seen and no match is stored."""
    if settings.screen.tour_seen:
        return False
    try:
        return not opened.journal.has_matches
    except JournalError:
        return False


def last_time(opened: Opened) -> Us:
    """The clock continues after the last stored event of any unfinished match."""
    journal = opened.journal
    try:
        return max(map(journal.last_us, journal.all_unfinished()), default=Us(0))
    except JournalError:
        # Resuming says what is wrong with it; a new match can begin at any time.
        return Us(0)
