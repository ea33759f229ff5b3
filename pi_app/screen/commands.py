"""What the screen asks of the program, besides events for the referee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from types import MappingProxyType
from typing import TypeAlias

from pi_app.referee.events import Button, Rolled, Tap
from pi_app.settings import Value


@dataclass(frozen=True, slots=True)
class NewMatch:
    """Begin a match; `match_to` None is unlimited, players are White (Light) first."""

    game: str
    players: tuple[str, str]
    match_to: int | None
    options: Mapping[str, bool | int | str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with the match that was left."""


@dataclass(frozen=True, slots=True)
class Quit:
    """End the program."""


@dataclass(frozen=True, slots=True)
class ChangeSetting:
    """A setting, by its name, has a new value."""

    setting: str
    value: Value


class Inspect(Enum):
    """Before a match: look at the sensors, walk them, go on without one, or stop looking."""

    LOOK = auto()
    WALK = auto()
    SKIP = auto()
    STOP = auto()


Command: TypeAlias = NewMatch | Resume | Quit | ChangeSetting | Inspect
Output: TypeAlias = Command | Tap | Button | Rolled
"""Whatever a touch or a key leads to."""
