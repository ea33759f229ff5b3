"""What the screen asks of the program, besides events for the referee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeAlias

from pi_app.referee.events import Button, Rolled, Tap


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
    """A setting has a new value; the names are the keys of `ui.SETTINGS`."""

    setting: str
    value: bool | str


Command: TypeAlias = NewMatch | Resume | Quit | ChangeSetting
Output: TypeAlias = Command | Tap | Button | Rolled
"""Whatever a touch or a key leads to."""
