"""A desk for scenarios: a referee, true time as an argument, and words for what players do."""

from __future__ import annotations

from known import load_board

from pi_app.base.microseconds import Us, ms
from pi_app.match.acts import Act
from pi_app.referee.effects import AskRoll, Cue, Effect, Keep, Sound
from pi_app.referee.events import (
    Button,
    Event,
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
from pi_app.referee.view import View
from pi_app.rules.terms import Side, read_roll
from pi_app.sensing.description import Sensor

STEP_MS = 250
PRESS_MS = 500
"""The shortest time to a second press that is meant."""


class Desk:
    """Players at a board, by default nannon-6; each action takes 250 ms, a press 500 ms."""

    def __init__(
        self,
        match_to: int | None = 11,
        game: str = "nannon",
        board: str = "nannon-6",
        **options: bool | int | str,
    ) -> None:
        self.now = 0
        units = ("_ms", "_in", "_s")
        named = {k if k.endswith(units) else k.replace("_", " "): v for k, v in options.items()}
        self.events: list[Event] = [Start(ms(0), game, board, match_to, ("Ada", "Ben"), named)]
        self.board = load_board(board)
        self.referee = Referee(self.board, self.events[0])  # type: ignore[arg-type]
        self.effects: list[Effect] = []

    @property
    def view(self) -> View:
        return self.referee.view

    @property
    def asked(self) -> list[Side]:
        """The sides that the last event asked to roll."""
        return [effect.by for effect in self.effects if isinstance(effect, AskRoll)]

    @property
    def cues(self) -> list[Cue]:
        return [effect.cue for effect in self.effects if isinstance(effect, Sound)]

    @property
    def kept(self) -> list[str]:
        return [e.decision.what.value for e in self.effects if isinstance(e, Keep)]

    def send(self, event: Event) -> View:
        self.effects = list(self.referee.handle(event))
        self.events.append(event)
        return self.view

    def at(self, after_ms: int = STEP_MS) -> Us:
        self.now += after_ms
        return ms(self.now)

    def show(self, *closed: str) -> View:
        """All sensors at once."""
        return self.send(Picture(self.at(), frozenset(map(Sensor, closed))))

    def show_accepted(self) -> View:
        """The board stands as the screen says."""
        return self.show(*self.board.closed_by(self.view.accepted))

    def move(self, *edges: str) -> View:
        """Sensors open ("-b7") and close ("+b6"); then it is quiet."""
        for edge in edges:
            self.send(SensorEdge(self.at(), Sensor(edge[1:]), edge[0] == "+"))
        return self.wait(2500)

    def lift(self, *spots: str) -> View:
        for spot in spots:
            self.send(SensorEdge(self.at(), Sensor(spot), False))
        return self.wait(10)

    def drop(self, *spots: str) -> View:
        for spot in spots:
            self.send(SensorEdge(self.at(), Sensor(spot), True))
        return self.wait(10)

    def wait(self, time_ms: int) -> View:
        return self.send(Tick(self.at(time_ms)))

    def press(self, side: Side | None = None) -> View:
        return self.send(Button(self.at(PRESS_MS), Press.SHORT, side))

    def hold(self, side: Side | None = None) -> View:
        return self.send(Button(self.at(PRESS_MS), Press.LONG, side))

    def roll(
        self, dice: str, by: Side | None = None, source: RollSource = RollSource.DEVICE
    ) -> View:
        roll = read_roll(dice, len(dice))
        return self.send(Rolled(self.at(), roll, by or self.view.to_act, source))

    def tap(
        self,
        intent: Act,
        play: str | None = None,
        position: str | None = None,
        sensor: str | None = None,
        points: int | None = None,
    ) -> View:
        named = Sensor(sensor) if sensor else None
        return self.send(Tap(self.at(), intent, play, position, named, points))

    def resign(self, points: int = 1) -> View:
        """The side to act gives the game up, and the other takes it."""
        self.tap(Act.RESIGN, points=points)
        return self.tap(Act.ACCEPT)

    def set_up(self) -> View:
        return self.show("1", "2", "5", "6")

    def open(self, white: str, black: str) -> View:
        """Set up the checkers and make the opening roll."""
        self.set_up()
        for die in (white, black):
            self.press()
            self.roll(die)
        return self.view

    def stand(self, position: str, roll: str | None = None) -> View:
        """This position, its mover to roll or having rolled."""
        closed = [str(spot) for spot, sign in enumerate(position[1:7], start=1) if sign != "."]
        self.tap(Act.CORRECT, position=position)
        self.show(*closed)
        return self.roll(roll) if roll else self.view


def wrong_move() -> Desk:
    """White moved from 2 to 3 with a 2 and was warned."""
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("3")
    desk.wait(1600)
    return desk


def deaf_to_a_drop() -> Desk:
    """White has played 2/4 and 4 has not felt it: the play was asked about and taken."""
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    desk.press()
    desk.press()
    desk.tap(Act.CHOOSE, play="2/4")
    desk.press()
    return desk
