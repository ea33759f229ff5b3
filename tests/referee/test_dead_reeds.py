"""Reeds that are dead or doubted: what they miss decides nothing, and Spotter asks."""

from __future__ import annotations

from known import load_board
from scenes import FILES

from pi_app.base.microseconds import ms
from pi_app.match.acts import Act
from pi_app.referee.events import Event, Picture, Rolled, RollSource, SensorEdge, Start, Tap
from pi_app.referee.lines import read_event
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.rules.terms import Roll, Side
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState

HIT = FILES["hit-with-dead-reeds"]
LOOK_ALIKE = {"13/11 13/8", "13/11 6/1*"}
"""On three reeds a point, 13 and 6 having five checkers; the blot on 1 was away for 0.6 s."""


def events() -> list[Event]:
    return [read_event(line) for line in HIT.read_text(encoding="utf-8").splitlines()]


def at_the_end(told: list[Event]) -> View:
    start, *rest = told
    assert isinstance(start, Start)
    referee = Referee(load_board(start.board), start)
    for event in rest:
        referee.handle(event)
    return referee.view


def test_what_reeds_that_were_set_aside_miss_is_not_in_the_air() -> None:
    view = at_the_end(events())
    assert view.board is BoardState.CHOOSE
    assert set(view.choices) == LOOK_ALIKE


def test_what_doubted_reeds_miss_may_be_in_the_air_and_may_not() -> None:
    """The same turn on a board that was said to be right though two reeds miss a checker."""
    start, *before = events()[:-5]
    *turn, _ = events()[-5:]
    closed: set[Sensor] = set()
    for event in before:
        if isinstance(event, SensorEdge):
            (closed.add if event.closed else closed.discard)(event.sensor)
    told = [
        start,
        Picture(ms(1000), frozenset(closed)),
        Tap(ms(1500), Act.CORRECT, position="-a--a-E-C---dEa--c-e----B- w"),
        Rolled(ms(2000), Roll.of(5, 2), Side.WHITE, RollSource.TYPED),
        *turn,
    ]
    view = at_the_end(told)
    assert view.doubted == ("6.1", "13.2")
    assert view.board is BoardState.CHOOSE
    assert set(view.choices) == LOOK_ALIKE
