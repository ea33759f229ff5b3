"""Screens of Backgammon, Portes and the Pin game for `spotter screenshot`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pi_app.cli.acting import Scene, Screen, Table
from pi_app.referee.events import Intent
from pi_app.rules.terms import Side
from pi_app.screen.ui import Page, Ui
from pi_app.settings import Settings

BOARD = "tables-24"
RACE = "-GEB------a-a----a-----ci- w"
"""Three plays of a double 1 look alike here: the stacks are higher than their sensors."""
HITTING = "-AAB--Fa-a-AaC---cbaaabb-A w"
"""White enters from the bar; a 6 and a 1 can hit twice."""
BEARING_OFF = "-DGB----------------b-add- w"
PINNED = "-B--F-B--aBbb--A--a--aae-- w 6,11,12,15"


def _bare(table: Table) -> None:
    """No checker is on the board yet."""
    table.wait()


def _half_set(table: Table) -> None:
    """Some checkers are still to come, and one lies where none belongs."""
    there = table.closed_by(_start(table))
    table.show(*there[: len(there) // 2], *there[len(there) // 2 + 6 :], "7.1")


def _set(table: Table) -> None:
    table.stand(_start(table))


def _one_threw(table: Table) -> None:
    _set(table)
    table.throw(6)


def _first_move(table: Table) -> None:
    """White won the throw: with 6 and 4 in Backgammon, with 6-4 afterwards elsewhere."""
    _one_threw(table)
    table.throw(4)
    if table.referee.view.roll is None:
        table.throw(6, 4)
    table.wait()


def _lifted(table: Table) -> None:
    _first_move(table)
    table.lift("24.2")
    table.wait()


def _played(table: Table) -> None:
    _first_move(table)
    table.carry("24", "18")
    table.carry(
        "24" if table.game.name == "pin" else "13", "20" if table.game.name == "pin" else "9"
    )


def _to_roll(table: Table) -> None:
    _played(table)
    table.press()


def _doubled(table: Table) -> None:
    _to_roll(table)
    table.tap(Intent.DOUBLE)


def _taken(table: Table) -> None:
    _doubled(table)
    table.tap(Intent.TAKE)


def _wrong(table: Table) -> None:
    _first_move(table)
    table.carry("24", "17" if table.game.name == "pin" else "21")


def _knocked(table: Table) -> None:
    _first_move(table)
    there = table.closed_by(_start(table))
    table.show(*there[4:], "3.1", "3.2", "16.1")


def _resigned(table: Table) -> None:
    _first_move(table)
    table.tap(Intent.RESIGN, points=2)


def _middle(table: Table, position: str, *faces: int) -> None:
    """The middle of a game, and a roll."""
    _set(table)
    table.stand(position)
    table.tap(Intent.BOARD_IS_RIGHT, position=position)
    table.throw(*faces)
    table.wait()


def _entering(table: Table) -> None:
    _middle(table, HITTING, 6, 1)
    table.lift("bar.white.1")
    table.wait()


def _hit(table: Table) -> None:
    """Two of Black's are hit on the way."""
    _middle(table, HITTING, 6, 1)
    for origin, target in (("bar.white", "19"), ("13", "12")):
        table.carry(target, "bar.black")
        table.carry(origin, target)


def _bearing_off(table: Table) -> None:
    _middle(table, BEARING_OFF, 3, 2)
    table.carry("3", "off.white")
    table.carry("2", "off.white")


def _choose(table: Table) -> None:
    """The sensors see two checkers less on 3 and one less on 1, whoever went where."""
    _middle(table, RACE, 1, 1)
    before = set(table.closed_by(RACE))
    table.show(*before - {"3.1", "3.2"})
    table.press()


def _sensors_off(table: Table) -> None:
    _first_move(table)
    for sensor in ("13.2", "24.1", "6.5"):
        table.tap(Intent.SENSOR_OFF, sensor=sensor)


def _pinned(table: Table) -> None:
    _middle(table, PINNED, 6, 1)


def _pins(table: Table) -> None:
    """One checker that pinned goes on and pins another, covered at once."""
    _pinned(table)
    table.carry("15", "9")
    table.carry("10", "9")


def _start(table: Table) -> str:
    return table.game.write_position(table.game.start(Side.WHITE))


_ALL: Mapping[str, Scene] = MappingProxyType(
    {
        "bare": _bare,
        "set-up": _half_set,
        "opening-throw": _one_threw,
        "moving": _first_move,
        "in-hand": _lifted,
        "played": _played,
        "to-roll": _to_roll,
        "wrong": _wrong,
        "disturbed": _knocked,
        "sensors-off": _sensors_off,
        "game-over": _resigned,
    }
)
"""What every one of these games has."""

_HITTING: Mapping[str, Scene] = MappingProxyType(
    {"entering": _entering, "hit": _hit, "bearing-off": _bearing_off, "choose": _choose}
)
_OWN: Mapping[str, Mapping[str, Scene]] = MappingProxyType(
    {
        "backgammon": {**_HITTING, "double": _doubled, "cube-taken": _taken},
        "portes": _HITTING,
        "pin": {"pinned": _pinned, "pins": _pins},
    }
)


def _screens(game: str) -> Mapping[str, Screen]:
    scenes = {**_ALL, **_OWN[game]}
    screens = {
        f"{game}-{name}": Screen(scene, game=game, board=BOARD) for name, scene in scenes.items()
    }
    turned = Settings().changed("screen.turned", True)
    return screens | {
        f"{game}-turned": Screen(_played, settings=turned, game=game, board=BOARD),
        f"{game}-thrifty": Screen(_first_move, game=game, board=f"{BOARD}-thrifty"),
        f"{game}-sensors": Screen(_sensors_off, Ui(Page.SENSORS), game=game, board=BOARD),
        f"{game}-editor": Screen(_wrong, Ui(Page.EDITOR), game=game, board=BOARD),
    }


TABLES_SCREENS: Mapping[str, Screen] = MappingProxyType(
    {name: screen for game in _OWN for name, screen in _screens(game).items()}
)
"""Every screen of these games that can be asked for: "backgammon-moving"."""
