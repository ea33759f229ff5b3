"""`spotter`: play on the real board; `spotter --sim`: on a simulated one, without hardware."""

from __future__ import annotations

import argparse
import gc
import os
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

from pi_app.app.backlog import Backlog
from pi_app.app.coaching import Coaching
from pi_app.app.computer import OwnComputer
from pi_app.app.librarian import Librarian, is_playable
from pi_app.app.loop import App
from pi_app.app.membership import Club
from pi_app.app.seats import MachinePlayers
from pi_app.app.services import BoardCatalog, Devices, Services
from pi_app.app.speaking import open_voice
from pi_app.base.identifiers import BoardName
from pi_app.base.microseconds import Us
from pi_app.base.threads import Handover
from pi_app.boards import board_names, load_board
from pi_app.cli.arguments import (
    Parser,
    UsageError,
    add_terms,
    open_source,
    terms_of,
    timing_of,
    whole,
)
from pi_app.cli.ending import Status, say, starting
from pi_app.cli.rollback import FAILED, ON_TRIAL, pass_trial
from pi_app.coach.practice import load_puzzles
from pi_app.coach.study import FILE as RATINGS
from pi_app.devices.backlight import Backlight
from pi_app.devices.clock import MatchClock
from pi_app.devices.dice import Dice
from pi_app.devices.gpio import open_factory
from pi_app.devices.oled import LumaOled, Oled
from pi_app.devices.source import Put
from pi_app.export.codes import code_of, in_blocks
from pi_app.games.equipment import Compendium
from pi_app.journal.disk import JournalError
from pi_app.journal.opening import Opened, data_folder, last_time, open_journal, open_unkept
from pi_app.journal.store import MEMORY
from pi_app.match.terms import FRIENDLY
from pi_app.phones.phones import PhoneFront, Phones
from pi_app.players.contract import PlayerError
from pi_app.players.process import call_process
from pi_app.referee.decision import Decision
from pi_app.referee.events import Event, MachineSeat, MatchId, Start, Tick
from pi_app.referee.lines import write_view
from pi_app.referee.view import View
from pi_app.rules.terms import Side
from pi_app.screen.sound import Speaker
from pi_app.screen.ui import Fitness, Page
from pi_app.sensing.description import Board
from pi_app.user.agreement import HIGHEST_TARGET, USUAL, Form, new_match, terms_for, usual_order
from pi_app.user.commands import Invite, NewMatch, Phrase, ShowCode, TakeCode
from pi_app.user.settings import Settings, load_settings
from pi_app.words.sentences import Sentence
from pi_app.words.texts import quoted

if TYPE_CHECKING:
    from pi_app.app.guest import GuestBoards
    from pi_app.screen.front import Front

TOUCHSCREEN = (800, 480)
TRIAL_S = 10.0
WENT_BACK = Sentence(
    "Spotter {version} failed to start, so the version before it runs. To try it again: "
    "spotter rollback --undo"
)


def run(argv: list[str], games: Compendium) -> int:
    args = arguments(argv)
    match = match_of(args, games)
    if match:
        return play(args, games, partial(_begin, match, args))
    return play(args, games, partial(_join, args) if args.join else None)


def play(
    args: argparse.Namespace,
    games: Compendium,
    begin: Callable[[App], None] | None,
    prepare: Callable[[Opened], None] = lambda _: None,
) -> int:
    """Run Spotter until it ends; `prepare` is called once the data folder is locked.

    Without `begin` it starts as it was left: a match with another board resumes.
    """
    with ExitStack() as at_the_end:
        settings = load_settings()
        if args.fullscreen or args.kiosk:
            settings = settings.changed("screen.fullscreen", True)
        if args.no_display or settings.screen.display == "none":
            settings = settings.changed("screen.display", "none").changed("phones.on", True)
        elif args.kiosk:
            from pi_app.screen.paint import prefer_the_console  # noqa: PLC0415, draws with pygame

            prefer_the_console(os.environ)
        name = args.board or settings.board.name
        board = load_board(name, games.rules)
        opened = _rollback_notices(_open_journal(args.seed))
        at_the_end.callback(opened.close)
        prepare(opened)
        with starting():
            app = _open(board, name, games, settings, opened, args, begins=begin is not None)
        at_the_end.callback(app.close)
        if begin:
            begin(app)
        _stand_trial(at_the_end)
        signal.signal(signal.SIGTERM, lambda *_: app.stop())
        # What the start has made stays: to look through it for garbage would stop a turn for long.
        gc.freeze()
        app.step() if args.once else app.run()
    return Status.DONE


def _rollback_notices(opened: Opened) -> Opened:
    version = os.environ.get(FAILED)
    notices = (WENT_BACK(version=version),) if version else ()
    return replace(opened, notices=(*notices, *opened.notices))


def _stand_trial(at_the_end: ExitStack) -> threading.Timer | None:
    """Start a timer that lets a new version pass its trial after it has run for a while."""
    file = os.environ.get(ON_TRIAL)
    if file is None:
        return None
    timer = threading.Timer(TRIAL_S, pass_trial, (Path(file),))
    timer.daemon = True
    timer.start()
    at_the_end.callback(timer.cancel)
    return timer


def _begin(match: NewMatch, args: argparse.Namespace, app: App) -> None:
    side = Side(args.machine).other
    if args.linked:
        app.obey(Invite(match, args.linked, side))
    elif args.friend:
        name = args.players[side is Side.BLACK] if args.players else ""
        app.obey(ShowCode(Invite(match, "", side), name))
        say(app.alarms)
    else:
        app.begin(match)


def _join(args: argparse.Namespace, app: App) -> None:
    app.obey(TakeCode(args.join, (args.players or ("", ""))[0]))
    say(app.alarms)


def arguments(argv: list[str]) -> argparse.Namespace:
    parser = Parser("", "Play on the real board; with --sim, on a simulated one.")
    add_start(parser)
    parser.takes("--match", "GAME", "begin a match at once, without a touch")
    position = "begin a match at this position: Spotter's own text, an XGID or a GNU Backgammon ID"
    parser.takes("--position", "TEXT", position)
    parser.takes("--order", "GAMES", "with --match of a series: its games in turn, with commas")
    parser.takes("--to", "N", "with --match: points to win, or unlimited", _target, USUAL)
    names = "with --match: the players' names"
    parser.takes("--players", ("WHITE", "BLACK"), names, nargs=2)
    parser.takes("--against", "PLAYER", "with --match: play against this one of Spotter's")
    machine = "with --against and --linked: the side that is not played here, default black"
    sides = [side.value for side in Side]
    parser.takes("--machine", None, machine, default=Side.BLACK.value, choices=sides)
    linked = "with --match: invite this board of the club, or this friend, to it"
    parser.takes("--linked", "BOARD", linked)
    parser.flag("--friend", "with --match: show a code, and invite the friend who has it")
    parser.takes("--join", "CODE", "meet the friend who shows this code, such as '561 a b c'")
    add_terms(parser)
    args = parser.parse_args(argv)
    check_start(parser, args)
    if args.match and args.position:
        parser.error("--match or --position: the position says which game it is")
    seated = args.against or args.linked or args.friend
    named = args.players and not args.join
    agreed = args.to != USUAL or named or args.order or seated or terms_of(args) != FRIENDLY
    if agreed and not (args.match or args.position):
        names = (
            "--to, --order, --players, --clock, --policy, --locked, --dice, --against, --linked "
            "and --friend"
        )
        parser.error(f"{names} go with --match or --position")
    if [args.against, args.linked, args.friend or None].count(None) < 2:
        parser.error("--against, --linked or --friend: one player for the other side")
    if args.join and (args.match or args.position):
        parser.error("--join: your friend chooses the match")
    return args


def add_start(parser: Parser) -> None:
    """Add the options of a start, whatever is played."""
    parser.flag("--sim", "a simulated board, no hardware")
    parser.takes("--board", "NAME", "a board's name or a .toml file")
    emulator = "with --sim: the reeds close in the scanner's real firmware, emulated"
    parser.flag("--emulator", emulator)
    parser.flag("--fullscreen", "fill the display, whatever the settings say")
    parser.flag("--kiosk", "fill the display, which may be a console without a desktop")
    parser.flag("--no-display", "no screen on this computer: phones are the screens")
    parser.flag("--views", "print each view as it changes, as replay does")
    parser.takes("--seed", "S", "for tests: dice that fall alike for the same S; keeps nothing")
    parser.flag("--once", "draw the first picture and quit")


def check_start(parser: Parser, args: argparse.Namespace) -> None:
    if args.emulator and not args.sim:
        parser.error("--emulator goes with --sim")
    if args.no_display and (args.sim or args.kiosk or args.fullscreen):
        parser.error("--no-display: --sim, --kiosk and --fullscreen need a display")


def _target(text: str) -> int | None:
    if text == "unlimited":
        return None
    return whole(1, HIGHEST_TARGET, otherwise=", and not: unlimited")(text)


def match_of(args: argparse.Namespace, games: Compendium) -> NewMatch | None:
    """The match that the arguments begin, if any.

    Raises TextError for an unknown game or player, and PlayerError for a player that is not
    installed.
    """
    if args.match is None and args.position is None:
        return None
    white, black = args.players or ("", "")
    form = Form((white, black), args.to, terms=terms_of(args))
    if args.position:
        problem = games.problem(args.position)
        if args.to not in (USUAL, problem.match_to):
            raise UsageError("--to: the position says to how many points the match is")
        form = replace(form, match_to=problem.match_to, game=problem.game, position=problem)
    series = games.rules.match(form.game or args.match)
    if args.order:
        form = replace(form, order=usual_order(series.ordered(args.order.split(","))))
    for game in series.games if args.against else ():
        contender = games.find(game.name).contender(args.against)
        if lacking := contender.missing():
            raise PlayerError(lacking)
        form = replace(form, machine=MachineSeat(Side(args.machine), contender.name))
    if terms_for(form, series) != form.terms:
        responsible = "--policy responsible with two people"
        raise UsageError(f"--clock goes with a number of points to win, {responsible}")
    return new_match(form, series)


def _open_journal(seed: str | None) -> Opened:
    """Open the journal. With seeded dice nothing is stored, so that such a match never counts."""
    if seed is None:
        return open_journal(data_folder())
    return open_unkept(data_folder(), f"its dice are seeded with {quoted(seed)}, for tests")


class ViewPrinter:
    """Prints each view that differs from the one before."""

    _printed: str | None = None

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
    *,
    begins: bool,
) -> App:
    queue: SimpleQueue[Event] = SimpleQueue()
    clock = MatchClock(last_time(opened))
    greets = not begins and is_first_start(settings, opened)
    open_board = partial(_simulated, games, args.emulator) if args.sim else _real
    wake = lambda: queue.put(Tick(clock()))  # noqa: E731
    phones = Phones(data_folder(), clock, wake, _say_address)
    devices, boards = open_board(board, settings, clock, queue.put, phones, greets=greets)
    if settings.phones.on:
        phones.let_in(settings.phones.port)
    if args.seed is not None:
        devices = replace(devices, dice=Dice(random.Random(args.seed)))
    if args.views:
        devices = replace(devices, watchers=(*devices.watchers, ViewPrinter()))
    services = _services(board, name, games, opened, boards, args.seed, wake)
    services.start()
    # A match that resumed would replace what begins, and withdraw an invitation.
    services.club.enter(settings.club, settings.friends, resumes=not begins)
    return App(board, name, games.faces, settings, clock, queue, devices, services)


def _services(
    board: Board,
    name: str,
    games: Compendium,
    opened: Opened,
    boards: BoardCatalog | None,
    seed: str | None,
    wake: Callable[[], None],
) -> Services:
    """Without a stored journal there are neither old matches nor a club."""
    kept = None if opened.journal.path == MEMORY else opened.journal
    others = frozenset(board_names()) if boards else frozenset[str]()

    def playable(start: Start) -> bool:
        return start.board in others or is_playable(start, board, name)

    coaching = Coaching(
        games,
        kept.path.with_name(RATINGS) if kept else None,
        backlog=Backlog(kept.path, games) if kept else None,
    )
    lots = random.SystemRandom() if seed is None else random.Random(seed)
    left = Handover(wake)

    def store(start: Start, began: str, decisions: Iterable[Decision]) -> MatchId:
        return left.call(partial(opened.journal.add, start, began, decisions))

    return Services(
        opened,
        Librarian(kept.path, games, playable, analyse=coaching.ask, store=store) if kept else None,
        coaching,
        boards,
        MachinePlayers(games.rivals, call_process, lots),
        Club(
            *(kept, games.rules if boards else board.games, wake),
            guests=partial(open_guests, opened.journal.path.parent, games),
        ),
        partial(check_up, games),
        left,
        load_puzzles(),
        games.ids,
    )


def open_guests(
    folder: Path,
    games: Compendium,
    to_host: Callable[[BoardName, bytes], None],
    to_page: Callable[[BoardName, bytes], bool],
    says: Callable[[BoardName, Phrase], None],
) -> GuestBoards:
    # Whoever has no friend without a board waits for none of this.
    from pi_app.app.guest import GuestBoards  # noqa: PLC0415

    return GuestBoards(folder, games, to_host, to_page, says)


def check_up(games: Compendium) -> tuple[tuple[str, Fitness], ...]:
    """Run the checks of `spotter doctor` for the screen."""
    from pi_app.cli.doctor import CheckState, Machine, all_checks, tried  # noqa: PLC0415, for few

    health = {CheckState.OK: Fitness.WELL, CheckState.FAIL: Fitness.ILL}
    found = ((name, tried(check).state) for name, check in all_checks(Machine(), games))
    return tuple((name, health.get(state, Fitness.UNKNOWN)) for name, state in found)


def _say_address(address: str) -> None:
    """Write how a phone becomes a screen where whoever sees neither screen nor OLED finds it."""
    say([f"phones: {address}"])
    if sys.stderr.isatty():
        print(*in_blocks(code_of(address)), sep="\n", file=sys.stderr)


def _real(
    board: Board, settings: Settings, clock: MatchClock, put: Put, phones: Phones, *, greets: bool
) -> tuple[Devices, BoardCatalog | None]:
    source = open_source(board, open_factory("lgpio"), settings, clock, put)
    begins = Page.SET_UP if greets else Page.START
    shows = settings.screen.display != "none"
    own = _own_screen(settings, begins) if shows else None
    phones.begins = Page.START if shows else begins
    chip, port, address = settings.oled.chip, settings.oled.port, settings.oled.address
    oled = None if chip == "none" else Oled(lambda: LumaOled(chip, port, address), clock, put)
    phones.shows_codes = shows or oled is not None
    speaker = _speaker(settings)
    return Devices(
        source,
        PhoneFront(own, phones),
        speaker,
        oled,
        backlight=Backlight() if shows else None,
        voice=open_voice(settings, speaker),
        phones=phones,
        computer=OwnComputer(lambda: put(Tick(clock()))),
    ), None


def _own_screen(settings: Settings, begins: Page) -> Front:
    # Without a display nothing needs these, and pygame.
    from pi_app.screen.front import ScreenFront  # noqa: PLC0415
    from pi_app.screen.paint import Window  # noqa: PLC0415

    window = Window(
        TOUCHSCREEN,
        fullscreen=settings.screen.fullscreen,
        long_press=timing_of(settings).long_press,
        rotation=settings.screen.rotation,
    )
    return ScreenFront(window, begins)


def _boards_of(games: Compendium) -> Mapping[str, Board]:
    """Each game's usual board, by the game's name. Every board is read once."""
    boards = {name: load_board(name, games.rules) for name in set(games.boards.values())}
    return {game: boards[name] for game, name in games.boards.items()}


def _simulated(
    games: Compendium,
    emulated: bool,
    board: Board,
    settings: Settings,
    clock: MatchClock,
    put: Put,
    phones: Phones,
    *,
    greets: bool,
) -> tuple[Devices, BoardCatalog | None]:
    """One window with the product's screen, a simulated board and the OLED's picture.

    The other boards are at hand too.
    """
    # Only a simulated board needs these, and pygame.
    from pi_app.screen.front import ScreenFront  # noqa: PLC0415
    from pi_app.simulator.emulator import open_emulated  # noqa: PLC0415
    from pi_app.simulator.source import open_simulated  # noqa: PLC0415
    from pi_app.simulator.window import SimulatedRoom  # noqa: PLC0415

    room = SimulatedRoom(
        open_emulated if emulated else open_simulated,
        board,
        clock,
        put,
        timing_of(settings),
        fullscreen=settings.screen.fullscreen,
    )
    front, table = ScreenFront(room.window, Page.TOUR if greets else Page.START), room.window.table
    watchers = (lambda view: table.follow(clock(), view),)
    speaker = _speaker(settings)
    voice = open_voice(settings, speaker)
    devices = Devices(
        room.source,
        PhoneFront(front, phones),
        speaker,
        room.window,
        watchers=watchers,
        voice=voice,
        phones=phones,
    )
    return devices, BoardCatalog(_boards_of(games), partial(room.fetch, games=games.rules))


def _speaker(settings: Settings) -> Speaker:
    lean = settings.screen.display == "none"
    return Speaker(on=settings.sound.on, volume=settings.sound.volume, waits=lean)


def is_first_start(settings: Settings, opened: Opened) -> bool:
    """Whether the tour was never seen and no match is stored."""
    if settings.screen.tour_seen:
        return False
    try:
        return not opened.journal.has_matches
    except JournalError:
        return False
