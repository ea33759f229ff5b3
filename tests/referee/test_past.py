"""The plays of a game found by their pictures; and what a view costs when a game is long."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from pi_app.board.description import Sensor
from pi_app.board.watch import Glimpse
from pi_app.boards import load_board
from pi_app.match.phases import Phase
from pi_app.microseconds import Us, ms
from pi_app.referee.course import Past
from pi_app.referee.events import Button, Event, Intent, Picture, Press, Rolled, Source, Start, Tap
from pi_app.referee.past import Pasts
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.rules.registry import find_game
from pi_app.rules.terms import Roll

COUNTS = st.tuples(*[st.integers(0, 2)] * 3)
NOTHING: Any = None


@given(st.lists(COUNTS, max_size=12), COUNTS, COUNTS, st.integers(0, 12))
def test_the_latest_that_fits_is_found_whatever_is_not_believed(
    shown: list[tuple[int, ...]], closed: tuple[int, ...], unseen: tuple[int, ...], kept: int
) -> None:
    pasts = Pasts()
    for number, counts in enumerate(shown):
        pasts.add(Past(NOTHING, number), counts)
    for blind in ((0, 0, 0), unseen):
        fitting = [
            number
            for number, counts in enumerate(shown)
            if all(c <= n <= c + u for n, c, u in zip(counts, closed, blind, strict=True))
        ]
        assert pasts.latest(Glimpse(closed, blind)) == max(fitting, default=None)
    pasts.cut(kept)
    assert len(pasts) == min(kept, len(shown))
    left = [number for number in fitting if number < kept]
    assert pasts.latest(Glimpse(closed, unseen)) == max(left, default=None)


class LongGame:
    """A game of Cannon or Backgammon by pictures and presses, as long as it is wanted."""

    def __init__(self, name: str, board: str) -> None:
        self.game, self.board, self.ms = find_game(name), load_board(board), 0
        self.hand = random.Random(3)
        self.referee = Referee(self.board, Start(ms(0), name, board, None, ("Ada", "Ben")))
        self.stand(self.view.accepted)

    @property
    def view(self) -> View:
        return self.referee.view

    def at(self) -> Us:
        self.ms += 3000
        return ms(self.ms)

    def tell(self, event: Event) -> View:
        self.referee.handle(event)
        return self.view

    def stand(self, checkers: Any, *amiss: str) -> View:
        rows = ((place.reeds, checkers.get(place.spot, ())) for place in self.board.places)
        closed = frozenset(reed.name for reeds, stack in rows for reed in reeds[: len(stack)])
        return self.tell(Picture(self.at(), closed ^ frozenset(map(Sensor, amiss))))

    def turn(self) -> None:
        view = self.view
        match view.phase:
            case Phase.OPENING_THROW | Phase.TO_ROLL:
                roll = Roll.of(*(self.hand.randint(1, 6) for _ in range(view.dice)))
                self.tell(Rolled(self.at(), roll, view.to_act, Source.TYPED))
            case Phase.MOVING:
                self.play()
            case _:
                self.tell(Button(self.at(), Press.SHORT))
                self.stand(self.view.accepted)

    def play(self) -> None:
        position = self.game.read_position(self.view.position)
        plays = [self.game.read_play(position, text) for text in self.view.legal]
        going_on = [p for p in plays if not self.game.outcome(self.game.after(position, p))]
        after = self.game.after(position, self.hand.choice(going_on or plays))
        self.stand(self.game.checkers_at(after))
        # What no picture tells is told: the game only has to grow.
        text = self.game.write_position(after)
        if self.view.after == text:
            self.tell(Button(self.at(), Press.SHORT))
        else:
            self.tell(Tap(self.at(), Intent.BOARD_IS_RIGHT, position=text))
