"""What happens to a match, as values.

Every event carries `us`, monotonic microseconds since the match began.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from typing import NewType, TypeAlias

from pi_app.base.errors import GivenError
from pi_app.base.identifiers import FAR_FORM, LINK_FORM
from pi_app.base.microseconds import Us
from pi_app.base.values import dataclass
from pi_app.match.acts import Act
from pi_app.rules.terms import Roll, Side
from pi_app.sensing.description import Sensor

MatchId = NewType("MatchId", int)
"""The number of a stored match in its journal, from 1."""


IMPORTED = "imported"
"""The option of a match that another program told: what identifies it."""
MACHINE, MACHINE_PLAYER = "machine", "machine player"
"""The options that say which side the machine plays, and by which of its players."""


@dataclass(frozen=True, slots=True)
class MachineSeat:
    """The side that the machine plays, and the player that it uses."""

    side: Side
    player: str

    @property
    def options(self) -> Mapping[str, str]:
        """As options of a match's start."""
        return {MACHINE: self.side.value, MACHINE_PLAYER: self.player}


_FAR = re.compile(f"board ({FAR_FORM}) ({LINK_FORM})")


@dataclass(frozen=True, slots=True)
class FarSeat:
    """The side played on another board, that board's name, and the link's identifier."""

    side: Side
    board: str
    link: str

    @property
    def seat(self) -> MachineSeat:
        """As a machine's seat. No player's name begins like this one."""
        return MachineSeat(self.side, f"board {self.board} {self.link}")


def far_seat(seat: MachineSeat | None) -> FarSeat | None:
    """Return the far seat that this seat stands for; None for a player of the machine."""
    found = _FAR.fullmatch(seat.player) if seat else None
    return FarSeat(seat.side, found[1], found[2]) if seat and found else None


class EventError(GivenError, ValueError):
    """An event that cannot be read, or that this match cannot take."""


class Press(Enum):
    """A press of the die button; a short one lasts less than a second."""

    SHORT = "short"
    LONG = "long"


class RollSource(Enum):
    DEVICE = "device"
    TYPED = "typed"


@dataclass(frozen=True, slots=True)
class Start:
    """A new match; always the first event."""

    us: Us
    game: str
    board: str
    match_to: int | None
    players: tuple[str, str]
    options: Mapping[str, bool | int | str] = field(default_factory=dict)

    @property
    def imported(self) -> str:
        """What identifies a match of another program; empty for one played here."""
        return str(self.options.get(IMPORTED, ""))


def far_seat_of(start: Start) -> FarSeat | None:
    """The far seat of a match that is played on two boards, or None."""
    side, player = start.options.get(MACHINE), start.options.get(MACHINE_PLAYER)
    if side not in (Side.WHITE.value, Side.BLACK.value):
        return None
    return far_seat(MachineSeat(Side(side), str(player)))


@dataclass(frozen=True, slots=True)
class Picture:
    """The state of all sensors at once: at the start, after a reconnect, and at intervals."""

    us: Us
    closed: frozenset[Sensor]


@dataclass(frozen=True, slots=True)
class SensorEdge:
    """One raw edge of one sensor, not debounced."""

    us: Us
    sensor: Sensor
    closed: bool


@dataclass(frozen=True, slots=True)
class Button:
    """A press of the die button; `side` if the board has one button for each side."""

    us: Us
    press: Press
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class Rolled:
    """What the dice show, whether rolled by the device or typed."""

    us: Us
    dice: Roll
    by: Side
    source: RollSource


@dataclass(frozen=True, slots=True)
class Tap:
    """A touch on the screen; its intent decides which of the other fields it needs."""

    us: Us
    intent: Act
    play: str | None = None
    position: str | None = None
    sensor: Sensor | None = None
    points: int | None = None


@dataclass(frozen=True, slots=True)
class MachineActs:
    """The machine's decision; `play` as text, if it plays.

    The other board of a linked match uses it too: to resign for `points`, and after an agreement to
    undo `undone` plays or to correct to a `position`.
    """

    us: Us
    by: Side
    does: Act
    play: str | None = None
    points: int | None = None
    undone: int | None = None
    position: str | None = None


@dataclass(frozen=True, slots=True)
class Caution:
    """The tutor's warning before a press or tap that would lose `cost` points of a single game.

    The same press or tap again does it.
    """

    us: Us
    cost: float


@dataclass(frozen=True, slots=True)
class LevelsRead:
    """The levels of Hall sensors by their places, in steps from zero, positive for White's checker.

    Places that the scanner cannot tell yet are left out.
    """

    us: Us
    levels: Mapping[Sensor, int]


@dataclass(frozen=True, slots=True)
class Tick:
    """Only time has passed."""

    us: Us


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """A device went away."""

    us: Us
    device: str


@dataclass(frozen=True, slots=True)
class Found:
    """A device came back."""

    us: Us
    device: str


Event: TypeAlias = (
    Start
    | Picture
    | SensorEdge
    | Button
    | Rolled
    | Tap
    | MachineActs
    | Caution
    | LevelsRead
    | Tick
    | DeviceLost
    | Found
)
