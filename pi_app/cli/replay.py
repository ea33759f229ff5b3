"""`spotter replay` and `screenshot`: the views, or a picture, after the events of a file.

No display is needed. A page is opened as a player opens it, by the screen's own actions.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import BinaryIO

from pi_app.base.errors import GivenError
from pi_app.base.files import bounded_lines, open_plain, why
from pi_app.base.microseconds import ENDLESS, Us, read_ms
from pi_app.boards import board_names, load_board
from pi_app.cli.arguments import Parser, UsageError, whole
from pi_app.cli.ending import Status
from pi_app.coach.practice import PuzzleKind, load_puzzles
from pi_app.games.equipment import Compendium
from pi_app.languages import LANGUAGES, load_language
from pi_app.match.terms import PRESETS
from pi_app.panel.picture import Panel
from pi_app.referee.events import (
    DeviceLost,
    Event,
    EventError,
    Found,
    Rolled,
    RollSource,
    Start,
    Tick,
)
from pi_app.referee.lines import read_event, write_view
from pi_app.referee.referee import Referee
from pi_app.rules.contract import Games
from pi_app.rules.terms import Side
from pi_app.screen.actions import (
    Action,
    begin_quiz,
    open_page,
    open_sensors,
    pose,
    set_terms,
    show_rivals,
    show_settings,
    start_edit,
    turn_to,
    type_letters,
    write,
)
from pi_app.screen.compose import compose
from pi_app.screen.pages.first_start import BOARD, CHECK, LANGUAGE, TRIAL, open_step
from pi_app.screen.pages.sheets import MOST_SETTINGS
from pi_app.screen.ui import Page, Shown, TextField, Ui, see, standing
from pi_app.sensing.description import Board
from pi_app.user.settings import ENGRAVED, OWN, SETTINGS, Settings
from pi_app.words.texts import quoted

EVENTS = "JSON lines of events, or - for standard input"


class ReplayError(GivenError):
    """Events that cannot be replayed. The message names file, line and reason."""


def replay(argv: list[str], games: Compendium) -> int:
    says = "Feed the events of FILE to a fresh referee and print the view after each."
    parser = Parser("replay", says)
    parser.takes("file", "FILE", EVENTS)
    for _, referee in replayed(games.rules, parser.parse_args(argv).file):
        print(write_view(referee.view), flush=True)
    return Status.DONE


def replayed(games: Games, name: str, until: Us | None = None) -> Iterator[tuple[Event, Referee]]:
    """Yield each event of a file, or of the input (-), with the referee after it.

    With `until` later events are left out and time passes up to it. Raises ReplayError.
    """
    referee: Referee | None = None
    with nullcontext(sys.stdin.buffer) if name == "-" else _opened(name) as stream:
        lines = bounded_lines(stream)
        for number in count(1):
            try:
                if (line := next(lines, None)) is None:
                    break
                if not line.strip():
                    continue
                event = read_event(line)
                if until is not None and event.us > until:
                    break
                referee = step(games, referee, event)
            except ValueError as error:
                where = "input" if name == "-" else name
                raise ReplayError(f"{where}, line {number}: {why(error)}") from error
            yield event, referee
    if referee and until is not None:
        event = Tick(until)
        yield event, step(games, referee, event)


def _opened(name: str) -> BinaryIO:
    try:
        return open_plain(Path(name))
    except (OSError, ValueError) as error:
        wanted = "give a file of events, a line of JSON each"
        raise ReplayError(f"{quoted(name)} cannot be read: {why(error)}; {wanted}") from None


def step(games: Games, referee: Referee | None, event: Event) -> Referee:
    """The first event creates the referee. Raises EventError or ConfigError."""
    if referee:
        referee.handle(event)
        return referee
    if not isinstance(event, Start):
        raise EventError("a match begins with the event 'start'")
    return Referee(load_board(event.board, games), event)


SMALLEST, LARGEST = 320, 4096
SIZE = (800, 480)
SUFFIX, STDOUT = ".png", "-"
BRIGHT = 100
"""The brightness that pictures show, in per cent."""

PAGES: Mapping[str, tuple[Action, ...]] = {
    "play": (),
    "menu": (open_page(Page.MENU),),
    "ask": (open_page(Page.ASK),),
    "resign": (open_page(Page.RESIGN),),
    "editor": (start_edit(),),
    "start": (open_page(Page.START),),
    "new-match": (open_page(Page.NEW_MATCH),),
    "games": (open_page(Page.GAMES),),
    "handicap": (open_page(Page.HANDICAP),),
    "practice": (open_page(Page.PRACTICE),),
    "puzzle": (begin_quiz(PuzzleKind.OPENING),),
    "pose": (pose(),),
    "opponents": (show_rivals(meets=True),),
    "tournament": (set_terms(PRESETS["club"]), open_page(Page.TOURNAMENT)),
    "keyboard": (write(TextField.WHITE),),
    "number": (write(TextField.TARGET), type_letters("15")),
    "rules": (turn_to(Page.RULES),),
    "tour": (open_page(Page.TOUR),),
    "set-up": (open_step(LANGUAGE),),
    "set-up-board": (open_step(BOARD),),
    "set-up-check": (open_step(CHECK),),
    "set-up-turn": (open_step(TRIAL),),
    "sensors": (open_sensors(),),
    "settings": (open_page(Page.SETTINGS),),
    "more-settings": (open_page(Page.SETTINGS), show_settings(MOST_SETTINGS)),
}
"""Every page that can be drawn, and the actions that open it."""
OF_A_MATCH = ("play", "menu", "ask", "resign", "editor")
BEFORE = tuple(page for page in PAGES if page not in OF_A_MATCH)
"""The pages that also exist before a match."""


def screenshot(argv: list[str], games: Compendium) -> int:
    given = _parser().parse_args(argv)
    _check(given)
    history = replayed(games.rules, given.file, given.ms) if given.file else None
    board = load_board(Settings().board.name, games.rules)
    shown = shown_after(history, games) if history else _shown(board, games)
    screen = replace(
        shown.settings.screen,
        turned=given.turned,
        numbers=ENGRAVED if given.engraved else OWN,
        theme=given.theme,
        text=given.text,
        language=given.language,
    )
    settings = replace(shown.settings, screen=screen)
    shown = replace(shown, settings=settings, language=load_language(given.language))
    data = _oled(shown) if given.oled else _screen(shown, given.page, given.size)
    if given.output == STDOUT:
        sys.stdout.buffer.write(data)
    else:
        Path(given.output).write_bytes(data)
    return Status.DONE


def _parser() -> Parser:
    parser = Parser(
        "screenshot",
        "Draw the screen, or the OLED, after the events of FILE as a PNG file. Sides"
        " with entered rolls keep entering them.",
        epilog=f"Pages that need no events: {', '.join(BEFORE)}.",
    )
    parser.takes("file", "FILE", EVENTS, nargs="?")
    output = f"the file, whose name ends in {SUFFIX}, or {STDOUT} for the output"
    parser.add_argument("-o", "--output", required=True, type=_output, metavar="PNG", help=output)
    parser.takes("--page", "PAGE", ", ".join(PAGES), choices=PAGES)
    parser.takes("--size", "WxH", "in pixels, default 800x480", _size)
    parser.flag("--turned", "from the other side of the board")
    parser.flag("--engraved", "points numbered as engraved")
    parser.takes("--language", None, "default en", default="en", choices=LANGUAGES)
    for name in ("theme", "text"):
        one = SETTINGS[f"screen.{name}"]
        usual = f"{one.values}; default {one.default}"
        parser.takes(f"--{name}", None, usual, default=one.default, choices=one.choices)
    parser.flag("--oled", "what the OLED shows instead")
    parser.takes("--ms", "TIME", "at this time, not at the end", _time)
    return parser


def _output(text: str) -> str:
    if text != STDOUT and Path(text).suffix.lower() != SUFFIX:
        raise argparse.ArgumentTypeError(f"{quoted(text)}: pictures are PNG; end it in {SUFFIX}")
    return text


def _size(text: str) -> tuple[int, int]:
    width, times, height = text.partition("x")
    if not times:
        raise argparse.ArgumentTypeError(f"{quoted(text)} is no size; write it like 800x480")
    side = whole(SMALLEST, LARGEST)
    return side(width), side(height)


def _time(text: str) -> Us:
    try:
        return read_ms(float(text))
    except ValueError:
        reason = f"{quoted(text)} is no time; write milliseconds as in the file"
        raise argparse.ArgumentTypeError(reason) from None


def _check(given: argparse.Namespace) -> None:
    if given.oled and (given.page or given.size):
        raise UsageError("--oled has one picture: leave out --page and --size")
    if given.file or given.oled:
        return
    if given.ms is not None:
        raise UsageError("--ms is a time in a file of events: give the file too")
    if given.page not in BEFORE:
        what = f"--page {given.page} is of a match" if given.page else "there is nothing to draw"
        raise UsageError(f"{what}: give a file of events, or --page {', '.join(BEFORE)}")


def shown_after(history: Iterable[tuple[Event, Referee]], games: Compendium) -> Shown:
    """Everything the screen needs after these events. Raises ReplayError if there are none."""
    board, view = None, None
    away: dict[str, None] = {}
    typing: set[Side] = set()
    for event, referee in history:
        view = referee.view
        match event:
            case Start(board=name):
                board = load_board(name, games.rules)
            case DeviceLost(device=device):
                away[device] = None
            case Found(device=device):
                away.pop(device, None)
            case Rolled(by=side, source=RollSource.TYPED):
                typing.add(side)
    if board is None:
        raise ReplayError("nothing has happened: give a file with events, or a later --ms")
    if view and view.clock:
        # A picture stands still: what the clock shows is what it showed then.
        view = replace(view, clock=view.clock.at(view.us))
    dice = "typed" if len(typing) == len(Side) else next((side.value for side in typing), "device")
    shown, settings = _shown(board, games), Settings().changed("play.dice", dice)
    return replace(shown, view=view, settings=settings, away=tuple(away))


def _shown(board: Board, games: Compendium) -> Shown:
    return Shown(
        board,
        games.faces,
        boards=board_names(),
        brightness=BRIGHT,
        rivals=games.rivals,
        puzzles=load_puzzles(),
        ids=games.ids,
    )


def opened(page: str, shown: Shown) -> tuple[Shown, Ui]:
    """Open a page as a player would. The start page shows a match to resume."""
    ui, view = see(Ui(), shown.view, Us(0)), shown.view
    for action in PAGES[page]:
        ui, _ = action.act(ui, shown, Us(0))
    if view and ui.page is Page.START:
        shown = replace(shown, view=None, resumable=standing(view.players, view.score))
    return shown, ui


def _screen(shown: Shown, page: str | None, given_size: tuple[int, int] | None) -> bytes:
    from pi_app.screen.paint import Fonts, render  # noqa: PLC0415, --help needs no pygame

    shown, ui = opened(page or "play", shown)
    size = given_size or SIZE
    picture = compose(shown, ui, size, Fonts().measure, now=ENDLESS)
    return render(picture.shapes, size, shown.theme)


def _oled(shown: Shown) -> bytes:
    stream = io.BytesIO()
    Panel(shown.spoken).picture(shown.view, shown.away).save(stream, "PNG")
    return stream.getvalue()
