"""Whatever becomes the accepted position without a play is one that the game knows."""

from __future__ import annotations

import pytest

from pi_app.boards import load_board
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
from pi_app.referee.lines import EventError
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.rules.terms import Roll
from pi_app.sensing.description import Sensor


class Table:
    """A match of any game; things happen every half second."""

    def __init__(self, game: str, board: str) -> None:
        self.board, self.now_ms = load_board(board), 0
        self.referee = Referee(self.board, Start(self.at(), game, board, 7, ("Ada", "Ben")))
        reeds = ((p.reeds, self.view.accepted.get(p.spot, ())) for p in self.board.places)
        closed = (reed.name for row, stack in reeds for reed in row[: len(stack)])
        self.tell(Picture(self.at(), frozenset(closed)))

    @property
    def view(self) -> View:
        return self.referee.view

    def at(self, after: int = 500) -> Us:
        self.now_ms += after
        return ms(self.now_ms)

    def tell(self, event: Event) -> View:
        self.referee.handle(event)
        return self.view

    def move(self, *edges: str) -> View:
        """Sensors open ("-b7") and close ("+b6"); then it is quiet."""
        for edge in edges:
            self.tell(SensorEdge(self.at(), Sensor(edge[1:]), edge[0] == "+"))
        return self.tell(Tick(self.at(2500)))

    def press(self) -> View:
        return self.tell(Button(self.at(), Press.SHORT))

    def roll(self, *dice: int) -> View:
        return self.tell(Rolled(self.at(), Roll.of(*dice), self.view.to_act, RollSource.DEVICE))

    def correct(self, position: str | None = None) -> View:
        return self.tell(Tap(self.at(), Intent.BOARD_IS_RIGHT, position=position))


def cannon_with_lights_town() -> Table:
    table = Table("cannon", "cannon-10")
    table.move("+e10")
    table.press()
    assert table.view.message == "Dark places the town"
    return table


def test_cannon_is_not_won_by_a_town_that_was_never_placed() -> None:
    table = cannon_with_lights_town()
    table.move("-a4", "+a5")
    before = table.view
    with pytest.raises(EventError, match=r"Dark has no town; .*before Dark has placed it"):
        table.correct()
    assert table.view.position == before.position
    assert table.view.phase is Phase.MOVING


def test_neither_is_it_by_a_position_that_says_so() -> None:
    table = cannon_with_lights_town()
    moved = (
        "....O...../.o.o.o.o.o/.o.o.o.o.o/.o.o.o.o.o/........../x........./..x.x.x.x./x.x.x.x.x."
    )
    with pytest.raises(EventError, match="before Dark has placed it"):
        table.correct(f"{moved}/x.x.x.x.x./.......... L")
    assert table.view.phase is Phase.MOVING


def test_a_soldier_that_moves_before_any_town_is_no_position() -> None:
    table = Table("cannon", "cannon-10")
    table.move("-b7", "+b6")
    with pytest.raises(EventError, match="neither side has a town"):
        table.correct()


def test_a_town_in_the_corner_is_no_position() -> None:
    table = Table("cannon", "cannon-10")
    assert table.move("+j10").hint.startswith("Take it off j10 again.")
    with pytest.raises(EventError, match="Light's town is on j10; it stands on b10 to i10"):
        table.correct()
    assert table.move("-j10", "+i10").message == "Light places the town on i10"


def test_in_the_pin_game_nobody_comes_to_the_bar() -> None:
    table = Table("pin", "tables-24")
    for die in (5, 3):
        table.press()
        table.roll(die)
    table.press()
    table.roll(6, 4)
    table.move("-24.5", "+bar.white.1")
    with pytest.raises(EventError, match="White's bar holds a checker; the Pin game has no bar"):
        table.correct()


def test_what_nothing_explains_needs_a_position() -> None:
    table = Table("nannon", "nannon-6")
    with pytest.raises(EventError, match="the sensors do not tell it"):
        table.correct()
    assert table.correct("1w.w.bb1 b").position == "1w.w.bb1 b"


def test_a_town_that_was_placed_may_have_been_taken() -> None:
    table = cannon_with_lights_town()
    table.move("+e1")
    table.press()
    taken = table.view.position.replace("X", ".").replace("o", ".", 1)
    assert table.correct(taken).last_result == "Ada wins 1 point: town taken"
