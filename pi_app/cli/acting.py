"""What `spotter screenshot` is played with: a match at a table, and how a screen comes about."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from pi_app.boards import load_board
from pi_app.microseconds import Us, ms
from pi_app.referee.events import (
    Button,
    Event,
    Intent,
    Picture,
    Press,
    Rolled,
    RollSource,
    SensorEdge,
    Start,
    Tap,
    Tick,
)
from pi_app.referee.referee import Referee
from pi_app.rules.registry import find_game
from pi_app.rules.terms import Roll, Spot
from pi_app.screen.edits import begin_edit
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.sensing.description import Sensor
from pi_app.settings import Settings


class Table:
    """A match at a table where nobody is slow: acts follow each other by 400 ms."""

    def __init__(self, game: str = "nannon", board: str = "nannon-6") -> None:
        self.board = load_board(board)
        self.game = find_game(game)
        start = Start(Us(0), game, board, 11, ("Ada", "Ben"))
        self.referee = Referee(self.board, start)
        self._us = 0

    def show(self, *closed: str) -> None:
        """These sensors are closed and all others open."""
        self._tell(Picture(self._later(), frozenset(map(Sensor, closed))))
        self.wait()

    def press(self) -> None:
        """A short press of the die button."""
        self._tell(Button(self._later(), Press.SHORT))

    def throw(self, *faces: int) -> None:
        """A press, and the dice fall."""
        self.press()
        by = self.referee.view.to_act
        self._tell(Rolled(self._later(), Roll.of(*faces), by, RollSource.DEVICE))

    def stand(self, position: str) -> None:
        """All checkers stand on their places as in this position."""
        self.show(*self.closed_by(position))

    def closed_by(self, position: str) -> tuple[str, ...]:
        """The sensors that a position closes."""
        checkers = self.game.checkers_at(self.game.read_position(position))
        return tuple(
            reed.name
            for place in self.board.places
            for reed in place.reeds[: len(checkers.get(place.spot, ()))]
        )

    def move(self, origin: str, *targets: str) -> None:
        """A checker is lifted and, if targets are given, set down on the last of them."""
        self.lift(origin)
        self.wait()
        for target in targets:
            self.drop(target)
            self.wait()

    def carry(self, origin: str, target: str) -> None:
        """The last checker of a spot goes to the first free place of another.

        Above the last sensor of a spot checkers come and go unseen.
        """
        lifted, dropped = self._shut(origin), self._open(target)
        if lifted:
            self.lift(lifted)
        if dropped:
            self.drop(dropped)
        self.wait()

    def lift(self, spot: str) -> None:
        """A sensor opens."""
        self._tell(SensorEdge(self._later(), Sensor(spot), False))

    def drop(self, spot: str) -> None:
        """A sensor closes."""
        self._tell(SensorEdge(self._later(), Sensor(spot), True))

    def chatter(self, sensor: str) -> None:
        """A contact does not come to rest."""
        closed = Sensor(sensor) in self.referee.view.closed
        for _ in range(40):
            closed = not closed
            self._us += ms(60)
            self._tell(SensorEdge(Us(self._us), Sensor(sensor), closed))

    def wait(self) -> None:
        """Long enough for any verdict."""
        self._us += ms(2000)
        self._tell(Tick(self._later()))

    def tap(self, intent: Intent, **fields: str | int) -> None:
        """A touch."""
        sensor = fields.get("sensor")
        position, points = fields.get("position"), fields.get("points")
        self._tell(
            Tap(
                self._later(),
                intent,
                position=str(position) if position else None,
                sensor=Sensor(str(sensor)) if sensor else None,
                points=int(points) if points else None,
            )
        )

    def _shut(self, spot: str) -> str | None:
        view, reeds = self.referee.view, self._reeds(spot)
        if len(view.standing[Spot(spot)]) > len(reeds):
            return None
        return next((name for name in reversed(reeds) if name in view.closed), None)

    def _open(self, spot: str) -> str | None:
        closed = self.referee.view.closed
        return next((name for name in self._reeds(spot) if name not in closed), None)

    def _reeds(self, spot: str) -> tuple[Sensor, ...]:
        return tuple(reed.name for reed in self.board.place(Spot(spot)).reeds)

    def _tell(self, event: Event) -> None:
        self.referee.handle(event)

    def _later(self) -> Us:
        self._us += ms(400)
        return Us(self._us)


Scene: TypeAlias = Callable[[Table], None]
"""Plays a match to the moment wanted."""


@dataclass(frozen=True, slots=True)
class Screen:
    """How a screen comes about; without a scene there is no match yet."""

    scene: Scene | None
    ui: Ui = field(default_factory=lambda: Ui(Page.PLAY))
    settings: Settings = field(default_factory=Settings)
    resumable: str | None = None
    away: tuple[str, ...] = ()
    game: str = "nannon"
    board: str = "nannon-6"


def shown_on(screen: Screen) -> Shown:
    """What a screen shows, its match played to that moment."""
    table = Table(screen.game, screen.board)
    if screen.scene:
        screen.scene(table)
    view = table.referee.view if screen.scene else None
    return Shown(table.board, view, screen.settings, resumable=screen.resumable, away=screen.away)


def ui_on(screen: Screen, shown: Shown) -> Ui:
    """The state of the screen itself; an editor begins with what is shown."""
    if screen.ui.page is Page.EDITOR and shown.view:
        return replace(screen.ui, edit=begin_edit(shown.view, shown.board))
    return screen.ui
