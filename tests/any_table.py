"""Two random players at a board of any game, as events, driven by a seed."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import Any

from known import GAMES, load_board

from pi_app.base.microseconds import Us, ms
from pi_app.export.retold import Kept
from pi_app.games.all import ALL
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.decision import Decision
from pi_app.referee.effects import AskRoll, Keep
from pi_app.referee.events import (
    Button,
    Event,
    Picture,
    Press,
    Rolled,
    RollSource,
    Start,
    Tap,
    Tick,
)
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Checkers, Roll, Side, read_roll
from pi_app.sensing.description import Board
from pi_app.sensing.reading import BoardState

PLAYERS = ("Ann", "Bea")


class AnyTable:
    """Plays a match through a referee of its own; `events` is all that happened."""

    def __init__(
        self, game: str, match_to: int | None, seed: int = 1, **options: bool | int | str
    ) -> None:
        named = {
            key if key.endswith("_s") else key.replace("_", " "): value  # `reserve_s` is a name
            for key, value in options.items()
        }
        self.start = Start(ms(0), game, ALL.boards[game], match_to, PLAYERS, named)
        self.board: Board = load_board(ALL.boards[game])
        self.referee = Referee(self.board, self.start)
        self.events: list[Event] = [self.start]
        self.decided: list[Decision] = []
        self.chance = random.Random(seed)
        self.rolls: list[str] = []
        self._now = 0

    @property
    def game(self) -> AnyGame:
        """The game that is being played."""
        return self.referee.game

    @property
    def view(self) -> View:
        return self.referee.view

    @property
    def kept(self) -> Kept:
        return Kept(self.start, self.decided, GAMES)

    @property
    def position(self) -> Any:
        return self.game.read_position(self.view.position)

    def does(self, event: Event) -> None:
        """One event, and the roll that it may ask for: the next of `rolls`, else by chance."""
        self.events.append(event)
        for effect in self.referee.handle(event):
            if isinstance(effect, Keep):
                self.decided.append(effect.decision)
            if isinstance(effect, AskRoll):
                if effect.rolled:
                    self.does(replace(effect.rolled, us=self.later()))
                    continue
                faces = [self.chance.randint(1, 6) for _ in range(effect.dice)]
                told = self.rolls.pop(0) if self.rolls else ""
                roll = read_roll(told, effect.dice) if told else Roll.of(*faces)
                self.does(Rolled(self.later(), roll, effect.by, RollSource.DEVICE))

    def later(self, time_ms: int = 400) -> Us:
        self._now += time_ms
        return ms(self._now)

    def shows(self, position: Any) -> None:
        """The sensors as this position closes them."""
        self.shows_checkers(self.game.checkers_at(position))

    def shows_checkers(self, checkers: Checkers) -> None:
        self.does(Picture(self.later(), self.board.closed_by(checkers)))

    def presses(self, press: Press = Press.SHORT) -> None:
        self.does(Button(self.later(), press))

    def taps(self, intent: Act, position: str | None = None, points: int | None = None) -> None:
        self.does(Tap(self.later(), intent, position=position, points=points))

    def opens(self, *rolls: str) -> None:
        """Set up the checkers and make the opening rolls; later rolls may follow."""
        self.rolls += rolls
        while self.view.phase in (Phase.SET_UP, Phase.OPENING_THROW):
            self.goes_on()

    def plays(self, text: str) -> None:
        """The play of this text, of the next roll if none is on the table."""
        if self.view.phase is Phase.TO_ROLL:
            self.presses()
        self.plays_to(self.game.after(self.position, self.game.read_play(self.position, text)))

    def plays_to(self, after: Any) -> None:
        """The play to a position, asked about or not; where nothing proves it, Board is right."""
        old, new = (self.game.checkers_at(position) for position in (self.position, after))
        written = self.game.write_position(after)
        self.shows_checkers({spot: _staying(old[spot], new[spot]) for spot in old})
        self.shows(after)
        self.does(Tick(self.later()))
        self.presses()
        for play in self.view.choices if self.view.board is BoardState.CHOOSE else ():
            made = self.game.after(self.position, self.game.read_play(self.position, play))
            if self.game.write_position(made) == written:
                self.does(Tap(self.later(), Act.CHOOSE, play))
                self.presses()
                return
        if self.view.position != written:
            self.taps(Act.CORRECT, position=written)

    def corrects(self, position: str) -> None:
        self.taps(Act.CORRECT, position=position)
        self.shows(self.position)

    def doubles(self, taken: bool) -> None:
        self.taps(Act.DOUBLE)
        self.taps(Act.TAKE if taken else Act.PASS)

    def resigns(self, points: int) -> None:
        self.taps(Act.RESIGN, points=points)
        self.taps(Act.ACCEPT)

    def goes_on(self) -> None:
        """Whatever the players would do next, without cube and resignation."""
        match self.view.phase:
            case Phase.SET_UP:
                self.shows(self.position)
            case Phase.MOVING if self.view.moves_exist:
                roll = read_roll(self.view.roll or "", self.game.dice)
                results = self.game.results(self.position, roll)
                self.plays_to(self.chance.choice(sorted(results, key=self.game.write_position)))
            case _:
                self.presses()


def _staying(old: tuple[Side, ...], new: tuple[Side, ...]) -> tuple[Side, ...]:
    """The checkers that stay when one stack becomes another."""
    return tuple((Counter(old) & Counter(new)).elements())
