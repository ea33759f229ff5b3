"""How a walk test is led: words from the board and the person in, sentences out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from typing import TypeAlias

from pi_app.devices.source import SENSORS, Clock, DeviceError, SensorSource
from pi_app.microseconds import Us, ms
from pi_app.referee.events import DeviceLost, Event, Found, Picture, SensorEdge
from pi_app.sensing.description import Board
from pi_app.sensing.walk import Ask, Walk, WalkStage
from pi_app.sensing.walk_report import ask_words

START = ms(5000)
"""A scanner takes two seconds to begin after its port has been opened."""
LOOK = ms(250)
"""All contacts are read so often, for an edge can be lost."""

AWAY = "The scanner is away; plug it in again, and the walk goes on"


class WalkWord(Enum):
    """What the person types."""

    SKIP = auto()
    END = auto()


Word: TypeAlias = Event | WalkWord
Take: TypeAlias = Callable[[Ask | None, Us], Word | None]
"""The next word; None when so long has gone without one.  It is told what is asked."""
Say: TypeAlias = Callable[[str], None]


def lead(board: Board, source: SensorSource, clock: Clock, take: Take, say: Say) -> Walk:
    """Lead a walk over a board until it is over or ended.

    Raises DeviceError if the sensors cannot be read at the start.
    """
    picture = _first_picture(source, clock, take)
    walk = Walk(board, picture.us, picture.closed)
    said, looked = "", clock()
    while (ask := walk.ask).stage is not WalkStage.OVER:
        text = ask_words(board, ask)
        if said not in (text, AWAY) and (ask.sensor or ask.others):
            said = text
            say(text)
        word = take(ask, _patience(walk, source, clock()))
        while word is not None:
            match word:
                case DeviceLost(device=device) if device == SENSORS:
                    said = AWAY
                    say(AWAY)
                case Found(device=device) if device == SENSORS and said == AWAY:
                    said = ""
                case _:
                    _hear(walk, word, clock())
            word = take(ask, Us(0))
        now = clock()
        source.advance(now)
        if now - looked >= LOOK:
            looked = now
            with suppress(DeviceError):
                walk.picture(now, source.picture().closed)
        walk.advance(now)
    return walk


def _first_picture(source: SensorSource, clock: Clock, take: Take) -> Picture:
    end = clock() + START
    while True:
        try:
            return source.picture()
        except DeviceError:
            if take(None, LOOK) is WalkWord.END or clock() >= end:
                raise
        source.advance(clock())


def _patience(walk: Walk, source: SensorSource, now: Us) -> Us:
    """How long nothing needs doing."""
    waits = [Us(due - now) for due in (walk.due, source.due) if due is not None]
    return max(Us(0), min([LOOK, *waits]))


def _hear(walk: Walk, word: Word, now: Us) -> None:
    match word:
        case WalkWord.SKIP:
            walk.skip(now)
        case WalkWord.END:
            walk.end()
        case SensorEdge(us=us, sensor=sensor, closed=closed):
            walk.edge(us, sensor, closed)
        case Picture(us=us, closed=closed):
            walk.picture(us, closed)
