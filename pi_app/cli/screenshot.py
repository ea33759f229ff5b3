"""`spotter screenshot SCREEN`: any screen, or the OLED's picture, as a PNG file without a display.

What is shown comes from real events: a short match is played to the moment wanted.
"""

from __future__ import annotations

import argparse
import io
import sys
import tempfile
import textwrap
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from pi_app.cli.acting import Screen, Table, shown_on, ui_on
from pi_app.cli.arguments import Parser, whole
from pi_app.cli.cannon_screens import CANNON_SCREENS
from pi_app.cli.ending import Status
from pi_app.cli.tables_screens import TABLES_SCREENS
from pi_app.microseconds import Us
from pi_app.panel.picture import Panel
from pi_app.referee.events import Intent
from pi_app.screen.compose import compose
from pi_app.screen.ui import Field, Page, Typing, Ui
from pi_app.settings import Settings
from pi_app.texts import quoted

SMALLEST, LARGEST = 320, 4096
PANEL = "panel"
SUFFIX, STDOUT = ".png", "-"


def _half_set(table: Table) -> None:
    table.show("1", "3", "5", "6")


def _one_threw(table: Table) -> None:
    table.show("1", "2", "5", "6")
    table.throw(5)


def _moving(table: Table) -> None:
    _one_threw(table)
    table.throw(3)
    table.wait()


def _lifted(table: Table) -> None:
    _moving(table)
    table.move("2")


def _played(table: Table) -> None:
    _moving(table)
    table.move("2", "4")


def _to_roll(table: Table) -> None:
    _played(table)
    table.press()


def _wrong(table: Table) -> None:
    _moving(table)
    table.move("2", "3")


def _knocked(table: Table) -> None:
    _moving(table)
    table.show("3", "4")


def _choose(table: Table) -> None:
    """Two hits look alike when the sensor that tells them apart is set aside; a press asks."""
    _corrected(table, "1.wb.b.1 w", "2", "3", "5")
    table.tap(Intent.SENSOR_OFF, sensor="2")
    table.throw(3)
    for spot in ("3", "5"):
        table.lift(spot)
    for spot in ("3", "5"):
        table.drop(spot)
    table.press()


def _corrected(table: Table, position: str, *closed: str) -> None:
    _to_roll(table)
    table.tap(Intent.BOARD_IS_RIGHT, position=position)
    table.show(*closed)


def _forfeit(table: Table) -> None:
    _corrected(table, "1wwbbb.0 w", "1", "2", "3", "4", "5")
    table.throw(3)


def _doubled(table: Table) -> None:
    _to_roll(table)
    table.tap(Intent.DOUBLE)


def _taken(table: Table) -> None:
    _doubled(table)
    table.tap(Intent.TAKE)


def _resigned(table: Table) -> None:
    _moving(table)
    table.tap(Intent.RESIGN, points=2)


def _won(table: Table) -> None:
    for _ in range(6):
        table.show("1", "2", "5", "6")
        table.throw(5)
        table.throw(3)
        table.tap(Intent.RESIGN, points=2)
        table.tap(Intent.NEXT_GAME)


def _blind(table: Table) -> None:
    """One sensor is set aside, and one chatters."""
    _moving(table)
    table.tap(Intent.SENSOR_OFF, sensor="3")
    table.chatter("4")


def _asked_again(table: Table) -> None:
    """A new game, and a sensor that was set aside in the last."""
    _moving(table)
    table.tap(Intent.SENSOR_OFF, sensor="3")
    table.tap(Intent.RESIGN, points=1)
    table.tap(Intent.NEXT_GAME)


SCREENS: Mapping[str, Screen] = MappingProxyType(
    {
        "start": Screen(None, Ui(Page.START), resumable="Ada 3 – 5 Ben, first to 11"),
        "new-match": Screen(None, Ui(Page.NEW_MATCH)),
        "keyboard": Screen(None, Ui(Page.TYPING, typing=Typing(Field.WHITE, "Ada"))),
        "number": Screen(None, Ui(Page.TYPING, typing=Typing(Field.TARGET, "15"))),
        "set-up": Screen(_half_set),
        "opening-throw": Screen(_one_threw),
        "moving": Screen(_moving),
        "in-hand": Screen(_lifted),
        "played": Screen(_played),
        "to-roll": Screen(_to_roll),
        "typed-dice": Screen(_to_roll, settings=Settings().changed("play.dice", "typed")),
        "wrong": Screen(_wrong),
        "disturbed": Screen(_knocked),
        "choose": Screen(_choose),
        "forfeit": Screen(_forfeit),
        "double": Screen(_doubled),
        "cube-taken": Screen(_taken),
        "game-over": Screen(_resigned),
        "match-over": Screen(_won),
        "blind": Screen(_blind),
        "blind-sensors": Screen(_blind, Ui(Page.SENSORS)),
        "sensor-again": Screen(_asked_again),
        "trouble": Screen(_moving, away=("OLED",)),
        "turned": Screen(_played, settings=Settings().changed("screen.turned", True)),
        "menu": Screen(_to_roll, Ui(Page.MENU)),
        "resign": Screen(_to_roll, Ui(Page.RESIGN)),
        "sensors": Screen(_choose, Ui(Page.SENSORS)),
        "settings": Screen(_moving, Ui(Page.SETTINGS)),
        "editor": Screen(_wrong, Ui(Page.EDITOR)),
        **TABLES_SCREENS,
        **CANNON_SCREENS,
    }
)
"""Every screen that can be asked for, "panel" aside."""


def run(argv: list[str]) -> int:
    """Write the picture."""
    given = _parser().parse_args(argv)
    if given.screen == PANEL:
        data = _panel(SCREENS[given.of])
    else:
        data = _screen(SCREENS[given.screen], given.size)
    if given.output == STDOUT:
        sys.stdout.buffer.write(data)
    else:
        Path(given.output).write_bytes(data)
    return Status.DONE


def _parser() -> Parser:
    names = ", ".join((*SCREENS, PANEL))
    parser = Parser(
        "screenshot",
        "Write a screen, or the OLED's picture (panel), as a PNG file.",
        epilog=textwrap.fill(f"Screens: {names}.", 78, break_on_hyphens=False),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("screen", metavar="SCREEN", choices=(*SCREENS, PANEL), help="see below")
    parser.add_argument(
        "--size", type=_size, default=(800, 480), metavar="WxH", help="in pixels, default 800x480"
    )
    parser.add_argument(
        "--of",
        choices=tuple(SCREENS),
        default="moving",
        metavar="SCREEN",
        help="the moment that the panel shows, default moving",
    )
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        type=_output,
        metavar="FILE",
        help=f"the file, whose name ends in {SUFFIX}, or {STDOUT} for the output",
    )
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


def _screen(screen: Screen, size: tuple[int, int]) -> bytes:
    from pi_app.screen.paint import Fonts, render  # noqa: PLC0415, --help needs no pygame

    shown = shown_on(screen)
    picture = compose(shown, ui_on(screen, shown), size, Fonts().measure, now=Us(0))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"screen{SUFFIX}"
        render(picture.shapes, size, file)
        return file.read_bytes()


def _panel(screen: Screen) -> bytes:
    stream, shown = io.BytesIO(), shown_on(screen)
    Panel().picture(shown.view, shown.away).save(stream, "PNG")
    return stream.getvalue()
