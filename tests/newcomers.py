"""Somebody who plays the tour on a simulated board, and where it can be played."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from known import WITH_OUTSIDE, load_board

from pi_app.app.session import Practice
from pi_app.base.microseconds import Us, ms
from pi_app.boards import board_names
from pi_app.match.acts import Act
from pi_app.referee.events import Button, Picture, Press, SensorEdge, Start, Tap, Tick
from pi_app.referee.view import TourStep, View
from pi_app.rules.terms import Move
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.user.agreement import Form, new_match

PLACES = [(load_board(board), game) for board in board_names() for game in load_board(board).games]

NEED_MORE = {*(Act.CORRECT, Act.CHOOSE, Act.RESIGN, Act.SENSOR_OFF, Act.SENSOR_ON)}
"""Taps that say more than what is wanted."""


@dataclass
class Newcomer:
    """Does what the screen says, or what it should not; counts presses and hand movements."""

    board: Board
    game: str
    presses: int = 0
    moves: int = 0
    now: Us = Us(0)
    closed: frozenset[Sensor] = frozenset()
    steps: list[TourStep] = field(default_factory=list)

    def __post_init__(self) -> None:
        match = new_match(Form(match_to=None), WITH_OUTSIDE.rules.match(self.game))
        start = Start(self.now, match.game, self.board.name, None, match.players, match.options)
        self.practice = Practice(self.board, start)
        self.practice.handle(Picture(self.now, self.closed))

    @property
    def view(self) -> View:
        return self.practice.view

    @property
    def step(self) -> TourStep:
        assert self.view.tour
        return self.view.tour

    def wait(self, time_ms: int) -> None:
        until = self.now + ms(time_ms)
        while (due := self.practice.due) is not None and due < until:
            self._tell(Tick(due))
        self._tell(Tick(Us(until)))

    def press(self, press: Press = Press.SHORT) -> None:
        self.presses += 1
        self.wait(600)
        self._tell(Button(self.now, press))
        self.wait(500)

    def show(self, closed: frozenset[Sensor]) -> None:
        """The hand first lifts, then puts down."""
        for sensor in sorted(self.closed ^ closed, key=lambda one: one not in self.closed):
            self._tell(SensorEdge(self.now, sensor, sensor in closed))
            self.wait(400)
        self.closed = closed

    def set_up(self) -> None:
        self.show(self.board.closed_by(self.view.accepted))
        self.wait(500)

    def make(self, moves: tuple[Move, ...]) -> None:
        stacks = {spot: list(stack) for spot, stack in self.view.accepted.items()}
        for move in moves:
            self.moves += 1
            stacks[move.target].append(stacks[move.origin].pop())
        self.show(self.board.closed_by(stacks))
        self.wait(500)

    def put_back(self) -> None:
        self.moves += 1
        self.show(self.board.closed_by(self.view.accepted))
        self.wait(500)

    def to(self, step: TourStep) -> None:
        """Follow the words to this step."""
        for _ in range(30):
            if self.step is step:
                return
            {
                TourStep.SET_UP: self.set_up,
                TourStep.ROLL: self.press,
                TourStep.PLAY: lambda: self.make(self.view.to_make),
                TourStep.PLAYED: self.press,
                TourStep.WRONG: self.err,
                TourStep.HANDS: self.obey,
            }[self.step]()
        raise AssertionError(f"never at {step}: {self.steps}")

    def obey(self) -> None:
        """What a match asks for: an answer, the board as it was, or, where it is so, the move that
        must be made or a press."""
        as_it_was = self.closed == self.board.closed_by(self.view.accepted)
        if self.view.choices:
            self.tap(Act.CHOOSE, self.view.choices[0])
        elif self.view.board in (BoardState.IN_HAND, *ALARMS) and not as_it_was:
            self.put_back()
        elif self.view.board is BoardState.WRONG and self.view.legal:
            self.make(self._first_legal())
        else:
            self.press()

    def _first_legal(self) -> tuple[Move, ...]:
        game, view = WITH_OUTSIDE.rules[self.game], self.view
        position = game.read_position(view.position)
        return game.moves(position, game.read_play(position, view.legal[0]))

    def play_about(self, chance: random.Random) -> None:
        """Something or other: checkers, the button, what can be tapped."""
        drawn = chance.random()
        if drawn < 0.6:
            self.show(self.closed ^ {chance.choice(self.board.sensors)})
        elif drawn < 0.8:
            self.press(chance.choice([*Press]))
        elif there := sorted(self.view.offers - NEED_MORE, key=lambda intent: intent.value):
            self.tap(chance.choice(there))
        self.wait(chance.choice([100, 1000, 3000]))

    def err(self) -> None:
        self.make(self.view.to_make)
        self.wait(2000)

    def _tell(self, event: Tick | Button | SensorEdge | Tap) -> None:
        self.now = max(self.now, event.us)
        self.practice.handle(event)
        if self.steps[-1:] != [self.step]:
            self.steps.append(self.step)

    def tap(self, intent: Act, play: str | None = None) -> None:
        self._tell(Tap(self.now, intent, play))
        self.wait(500)
