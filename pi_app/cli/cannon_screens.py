"""Screens of Cannon for `spotter screenshot`, and the new match on boards of other games."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pi_app.cli.acting import Scene, Screen, Table
from pi_app.referee.events import Intent
from pi_app.rules.terms import Side
from pi_app.screen.ui import Form, Page, Ui
from pi_app.settings import Settings

BOARD = "cannon-10"
MIDDLE = (
    "....Oo..../.....o...o/.o.o...oo./..o.o..oo./ox....xo../.xox.x...x/xx..x...xx/..x.xx.x../"
    "........../....X..... L"
)
"""Light's cannon on h8, h7 and h6 can shoot h3; the soldier on c5 can take three enemies."""


def _half_set(table: Table) -> None:
    there = table.closed_by(table.game.write_position(table.game.start(Side.WHITE)))
    table.show(*there[:9], *there[12:], "e5")


def _set(table: Table) -> None:
    table.stand(table.game.write_position(table.game.start(Side.WHITE)))


def _town(table: Table) -> None:
    _set(table)
    table.drop("e10")
    table.wait()


def _towns(table: Table) -> None:
    """Both towns stand; Light is to move."""
    _town(table)
    table.press()
    table.drop("f1")
    table.wait()
    table.press()


def _lifted(table: Table) -> None:
    _towns(table)
    table.move("d7")


def _played(table: Table) -> None:
    _towns(table)
    table.move("d7", "c6")


def _wrong(table: Table) -> None:
    _towns(table)
    table.move("d7", "e7")


def _knocked(table: Table) -> None:
    _towns(table)
    there = table.closed_by(table.referee.view.position)
    table.show(*(set(there) - {"a2", "c2", "b9", "d9"}), "e5", "g6")


def _middle(table: Table) -> None:
    _towns(table)
    table.stand(MIDDLE)
    table.tap(Intent.BOARD_IS_RIGHT, position=MIDDLE)


def _shot(table: Table) -> None:
    _middle(table)
    table.move("h3")


def _captured(table: Table) -> None:
    _middle(table)
    table.lift("c5")
    table.lift("d5")
    table.drop("d5")
    table.wait()


def _choose(table: Table) -> None:
    """A soldier has gone and no enemy was seen to be lifted: which one did it take?"""
    _middle(table)
    table.move("c5")
    table.press()


def _sensors_off(table: Table) -> None:
    _middle(table)
    for sensor in ("c5", "e5"):
        table.tap(Intent.SENSOR_OFF, sensor=sensor)


def _resigned(table: Table) -> None:
    _towns(table)
    table.tap(Intent.RESIGN, points=1)


_SCENES: Mapping[str, Scene] = MappingProxyType(
    {
        "set-up": _half_set,
        "town": _set,
        "town-placed": _town,
        "moving": _towns,
        "in-hand": _lifted,
        "played": _played,
        "shot": _shot,
        "captured": _captured,
        "choose": _choose,
        "wrong": _wrong,
        "disturbed": _knocked,
        "sensors-off": _sensors_off,
        "game-over": _resigned,
    }
)


def _new_match(game: str, board: str) -> Screen:
    return Screen(None, Ui(Page.NEW_MATCH, form=Form(game=game)), game=game, board=board)


CANNON_SCREENS: Mapping[str, Screen] = MappingProxyType(
    {
        **{f"cannon-{n}": Screen(s, game="cannon", board=BOARD) for n, s in _SCENES.items()},
        "cannon-turned": Screen(
            _shot, settings=Settings().changed("screen.turned", True), game="cannon", board=BOARD
        ),
        "cannon-resign": Screen(_middle, Ui(Page.RESIGN), game="cannon", board=BOARD),
        "cannon-sensors": Screen(_sensors_off, Ui(Page.SENSORS), game="cannon", board=BOARD),
        "cannon-editor": Screen(_knocked, Ui(Page.EDITOR), game="cannon", board=BOARD),
        "cannon-new-match": _new_match("cannon", BOARD),
        **{
            f"{game}-new-match": _new_match(game, "tables-24")
            for game in ("backgammon", "portes", "pin")
        },
    }
)
"""Each of these by its name: "cannon-moving"."""
