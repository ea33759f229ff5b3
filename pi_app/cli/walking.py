"""How a walk test is led: words from the board and the person in, sentences out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from typing import TypeAlias

from pi_app.board.description import Board
from pi_app.board.walk import Ask, Stage, Walk
from pi_app.board.walk_words import ask_words
from pi_app.devices.source import SENSORS, Clock, DeviceError, SensorSource
from pi_app.referee.events import Event, Found, Lost, Ms, Picture, SensorEdge

START_MS = 5000.0
"""A scanner takes two seconds to begin after its port has been opened."""
LOOK_MS = 250.0
"""All contacts are read so often, for an edge can be lost."""

AWAY = "The scanner is away; plug it in again, and the walk goes on"


class Key(Enum):
    """What the person types."""

    SKIP = auto()
    END = auto()


Word: TypeAlias = Event | Key
Take: TypeAlias = Callable[[Ask | None, float], Word | None]
"""The next word; None when so many ms have gone without one.  It is told what is asked."""
Say: TypeAlias = Callable[[str], None]


def lead(board: Board, source: SensorSource, clock: Clock, take: Take, say: Say) -> Walk:
    """Lead a walk over a board until it is over or ended.

    Raises DeviceError if the sensors cannot be read at the start.
    """
    picture = _first_picture(source, clock, take)
    walk = Walk(board, picture.ms, picture.closed)
    said, looked = "", clock()
    while (ask := walk.ask).stage is not Stage.OVER:
        text = ask_words(board, ask)
        if text != said and (ask.sensor or ask.others):
            said = text
            say(text)
        word = take(ask, _patience(walk, source, clock()))
        while word is not None:
            _hear(walk, word, clock(), say)
            word = take(ask, 0)
        now = clock()
        source.advance(now)
        if now - looked >= LOOK_MS:
            looked = now
            with suppress(DeviceError):
                walk.picture(now, source.picture().closed)
        walk.advance(now)
    return walk


def _first_picture(source: SensorSource, clock: Clock, take: Take) -> Picture:
    end = clock() + START_MS
    while True:
        try:
            return source.picture()
        except DeviceError:
            if take(None, LOOK_MS) is Key.END or clock() >= end:
                raise
        source.advance(clock())


def _patience(walk: Walk, source: SensorSource, now: Ms) -> float:
    """How long nothing needs doing, in ms."""
    waits = [due - now for due in (walk.due, source.due) if due is not None]
    return max(0.0, min([LOOK_MS, *waits]))


def _hear(walk: Walk, word: Word, now: Ms, say: Say) -> None:
    match word:
        case Key.SKIP:
            walk.skip(now)
        case Key.END:
            walk.end()
        case SensorEdge(ms=ms, sensor=sensor, closed=closed):
            walk.edge(ms, sensor, closed)
        case Picture(ms=ms, closed=closed):
            walk.picture(ms, closed)
        case Lost(device=device) if device == SENSORS:
            say(AWAY)
        case Found(device=device) if device == SENSORS:
            say(ask_words(walk.board, walk.ask))
