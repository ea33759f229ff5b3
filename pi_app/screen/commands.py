"""What the screen asks of the program, besides events for the referee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from pi_app.referee.events import Button, MatchId, Rolled, Tap
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
    """Go on with a match that was left; by None, with the newest that this board can play."""

    number: MatchId | None = None


@dataclass(frozen=True, slots=True)
class Quit:
    """End the program."""


@dataclass(frozen=True, slots=True)
class ChangeSetting:
    """A setting, by its name, has a new value."""

    setting: str
    value: Value


Command: TypeAlias = NewMatch | Resume | Quit | ChangeSetting
Output: TypeAlias = Command | Tap | Button | Rolled
"""Whatever a touch or a key leads to."""
