"""Input that a match rejects: past times, unknown sensors, unknown words."""

from __future__ import annotations

from collections.abc import Collection
from typing import TypeVar

from pi_app.microseconds import Us, write_ms
from pi_app.referee.events import (
    Event,
    EventError,
    MachineActs,
    Picture,
    Rolled,
    SensorEdge,
    Start,
    Tap,
)
from pi_app.rules.contract import Game
from pi_app.rules.terms import Move, PositionError, RulesError
from pi_app.sensing.description import Sensor
from pi_app.words.texts import quoted

P = TypeVar("P")
M = TypeVar("M")


def check_event(event: Event, now: Us, sensors: tuple[Sensor, ...]) -> None:
    """Look at an event before it happens, `now` being the time of the last one."""
    if event.us < now:
        raise EventError(f"ms {write_ms(event.us)} is before {write_ms(now)}; time never goes back")
    named: frozenset[Sensor] = frozenset()
    match event:
        case Picture():
            named = event.closed
        case SensorEdge():
            named = frozenset({event.sensor})
        case Tap() if event.sensor is not None:
            named = frozenset({event.sensor})
        case Start():
            raise EventError("start comes once, as the first event")
    for sensor in sorted(named.difference(sensors)):
        known = ", ".join(sensors)
        raise EventError(f"sensor {quoted(sensor)} is not on this board; it has {known}")


def check_dice(game: Game[P, M], rolled: Rolled, wanted: int) -> None:
    """As many dice as are thrown now."""
    if len(rolled.dice.dice) != wanted:
        raise EventError(f"dice '{rolled.dice}' are not {wanted}; {game.title} throws so many")


def choice_of(game: Game[P, M], tap: Tap, choices: tuple[M, ...]) -> M:
    plays = {game.write_play(play): play for play in choices}
    if tap.play not in plays:
        raise EventError(f"play {quoted(tap.play)} is not one of: {', '.join(plays)}")
    return plays[tap.play]


def points_of(allowed: Collection[int], told: Tap | MachineActs) -> int:
    """For how many points a side gives the game up, which may do so for those `allowed`."""
    if told.points is None or told.points not in allowed:
        raise EventError(f"points is {told.points!r}; resign {' or '.join(map(str, allowed))}")
    return told.points


def position_of(
    game: Game[P, M], told: Tap | MachineActs, before: P, attempt: tuple[Move, ...]
) -> P:
    """The position on the board: as given, else by the likeliest attempt."""
    if told.position is None and not attempt:
        raise EventError("position is missing and the sensors do not tell it; write it out")
    try:
        if told.position is not None:
            position = game.read_position(told.position)
        else:
            position = game.attempted(before, attempt)
        if reasons := game.impossible(position, before):
            raise PositionError(game.write_position(position), reasons)
    except RulesError as error:
        raise EventError(str(error)) from None
    return position
