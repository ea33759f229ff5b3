"""How long every event of whole games takes, from the event to a view that can be drawn."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pi_app.boards import board_names, load_board
from pi_app.devices.dice import Dice
from pi_app.match.phases import Phase
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
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame
from pi_app.rules.registry import find_game
from pi_app.rules.terms import Move, Roll, Side, Spot
from pi_app.sensing.description import Board, Sensor
from pi_app.session import Session

STEP = ms(250)
QUIET = ms(400)
LONG = ms(2000)
"""After so long what is wrong has been said."""
MOST_STEPS = 20
"""So many steps of a match for one turn, or presses after a play, and it does not go on."""


class StuckError(RuntimeError):
    """The match does not go on, whatever the hands do; says where it stands."""


def games_on_boards() -> Iterator[tuple[str, str]]:
    """Every game with every board that serves it, by their names."""
    for board in board_names():
        yield from ((game, board) for game in load_board(board).games)


def event_times(game: str, board: str, turns: int, seed: int = 1) -> list[float]:
    """In ms, the time of each event of so many turns of random play by plain hands.

    Raises StuckError when a match does not go on.
    """
    return _TurnsBench(find_game(game), load_board(board), random.Random(seed)).play(turns)


def wrong_view_costs(
    turns: Iterable[int], cost: Callable[[Callable[[], View]], float], seed: int = 1
) -> list[float]:
    """What it costs to show a wrong board after so many turns of one game, ascending.

    It is a game of Cannon in which nobody takes, so that it lasts.  `cost` calls what it is given.
    """
    rng = random.Random(seed)
    bench = _TurnsBench(find_game("cannon"), load_board("cannon-10"), rng, peaceful=True)
    costs, made = [], 0
    for wanted in turns:
        bench.play(wanted - made)
        made = wanted
        costs.append(bench.show_wrong(cost))
    return costs


class _TurnsBench:
    """Hands without faults, and a stop-watch; `peaceful` ones take nothing while they can."""

    def __init__(
        self, game: AnyGame, board: Board, rng: random.Random, peaceful: bool = False
    ) -> None:
        self._game, self._board, self._rng, self._peaceful = game, board, rng, peaceful
        self._reeds = {p.spot: tuple(r.name for r in p.reeds) for p in board.places}
        self._us = 0
        self._times: list[float] = []
        options: dict[str, bool | int | str] = {"debounce_ms": 0}
        start = Start(Us(0), game.name, board.name, None, ("Ada", "Ben"), options)
        self._session = Session(board, start, None, Dice(), frozenset(Side))

    def play(self, turns: int) -> list[float]:
        """Whole games until so many turns are made."""
        left = turns
        for _ in range(turns * MOST_STEPS):
            if not left:
                return self._times
            view = self._session.view
            match view.phase:
                case Phase.SET_UP:
                    self._send(Picture(Us(self._us), self._closed_at(view.accepted)))
                case Phase.MOVING:
                    left -= 1
                    self._turn()
                case Phase.OPENING_THROW | Phase.TO_ROLL:
                    dice = 1 if view.phase is Phase.OPENING_THROW else self._game.dice
                    faces = (self._rng.randint(1, 6) for _ in range(dice))
                    roll = Roll.of(*faces)
                    self._send(Rolled(Us(self._us), roll, view.to_act, RollSource.TYPED))
                case _:
                    self._send(Button(Us(self._us), Press.SHORT))
            self._us += STEP
        raise self._stuck()

    def show_wrong(self, cost: Callable[[Callable[[], View]], float]) -> float:
        """The cost of a view with two pieces on the board that have come from nowhere."""
        accepted = self._session.view.accepted
        right = self._closed_at(accepted)
        empty = [r[0] for spot, r in self._reeds.items() if r and not accepted.get(spot)]
        self._send(Picture(Us(self._us), right | {*empty[:2]}))
        self._us += LONG

        def show() -> View:
            self._session.advance(Us(self._us))
            return self._session.view

        spent = cost(show)
        self._send(Picture(Us(self._us), right))
        return spent

    def _turn(self) -> None:
        """A random legal play, lifted and dropped checker by checker, and the press."""
        view, game = self._session.view, self._game
        position = game.read_position(view.position)
        quiet = [play for play in view.legal if self._peaceful and "x" not in play]
        play = game.read_play(position, self._rng.choice(quiet or view.legal))
        heights = {spot: len(stack) for spot, stack in game.checkers_at(position).items()}
        for move in game.moves(position, play):
            self._make(move, heights, game.hit_to(game.mover(position).other))
        self._us += QUIET
        self._send(Tick(Us(self._us)))
        after = game.checkers_at(game.after(position, play))
        if self._session.view.closed != self._closed_at(after):
            self._send(Picture(Us(self._us), self._closed_at(after)))
        self._hand_over(view.position, game.write_play(play))

    def _hand_over(self, position: str, play: str) -> None:
        """Press until the play counts; when several look alike, say which it was."""
        for _ in range(MOST_STEPS):
            if self._session.view.position != position:
                return
            if play in self._session.view.choices:
                self._send(Tap(Us(self._us), Intent.CHOOSE, play=play))
            self._send(Button(Us(self._us), Press.SHORT))
            self._us += STEP
        raise self._stuck()

    def _stuck(self) -> StuckError:
        view = self._session.view
        return StuckError(f"stuck in {view.phase.value} at {view.position}: {view.message}")

    def _make(self, move: Move, heights: dict[Spot, int], bar: Spot) -> None:
        self._step(move.origin, heights, -1)
        if move.hit:
            self._step(move.target, heights, -1)
            self._step(bar, heights, 1)
        self._step(move.target, heights, 1)

    def _step(self, spot: Spot, heights: dict[Spot, int], change: int) -> None:
        """One checker goes or comes; what lies above the last sensor is not felt."""
        reeds = self._reeds.get(spot, ())
        before, heights[spot] = heights[spot], heights[spot] + change
        if min(before, len(reeds)) == min(heights[spot], len(reeds)):
            return
        shut = self._session.view.closed
        sensor = next(reed for reed in reeds if (reed in shut) is (change < 0))
        self._us += STEP
        self._send(SensorEdge(Us(self._us), Sensor(sensor), change > 0))

    def _closed_at(self, checkers: Any) -> frozenset[Sensor]:
        return frozenset(
            reed
            for spot, reeds in self._reeds.items()
            for reed in reeds[: len(checkers.get(spot, ()))]
        )

    def _send(self, event: Event) -> None:
        began = time.perf_counter()
        self._session.handle(event)
        self._session.advance(event.us)
        shown = self._session.view
        self._times.append((time.perf_counter() - began) * 1000)
        if shown.us < event.us:
            raise RuntimeError(f"the view is of {shown.us} µs, not of {event.us} µs")
