"""What players ask of the program, besides events for the referee."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from types import MappingProxyType
from typing import TypeAlias

from pi_app.referee.events import Button, MatchId, Rolled, Tap
from pi_app.rules.terms import Side
from pi_app.speech.answers import Query
from pi_app.user.settings import Value


@dataclass(frozen=True, slots=True)
class NewMatch:
    """Begin a match; `match_to` None is unlimited, players are White (Light) first."""

    game: str
    players: tuple[str, str]
    match_to: int | None
    options: Mapping[str, bool | int | str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Rematch:
    """Begin the last match anew: the same game, players, length and options, sides as before."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Go on with a match that was left; by None, with the newest that this board can play."""

    number: MatchId | None = None


@dataclass(frozen=True, slots=True)
class Quit:
    """End the program."""


@dataclass(frozen=True, slots=True)
class ChangeSetting:
    setting: str
    value: Value


class Wanted(Enum):
    LIST = "list"
    PLAYERS = "players"
    MATCH = "match"
    STICK = "stick"
    CODE = "code"
    ANALYSIS = "analysis"
    POSITION = "position"


@dataclass(frozen=True, slots=True)
class Fetch:
    """Find something of the kept matches; the last five are of the match of this number.

    Of the codes of its sheet, or of its leaves, `part` is the one that is wanted, from 0.
    """

    wanted: Wanted
    number: MatchId | None = None
    part: int = 0


@dataclass(frozen=True, slots=True)
class PlayTour:
    """Play the tour, a match that is not stored; by None leave it."""

    match: NewMatch | None = None


@dataclass(frozen=True, slots=True)
class Train:
    """Begin the training of a player, or another exercise of it; by None leave it."""

    name: str | None = None


@dataclass(frozen=True, slots=True)
class AskHint:
    """Ask the coach what is best in this turn."""


@dataclass(frozen=True, slots=True)
class Invite:
    """Ask a board far away for a match; `side` is played here."""

    match: NewMatch
    board: str
    side: Side


@dataclass(frozen=True, slots=True)
class AnswerFar:
    """Say yes or no to what another board asks: a match, a takeback."""

    yes: bool


class ClubWish(Enum):
    """Look which boards of the club are there, join by a card on a USB stick, leave the club, or
    take back the invitation that nobody has answered.
    """

    LOOK = auto()
    JOIN = auto()
    LEAVE = auto()
    WITHDRAW = auto()


@dataclass(frozen=True, slots=True)
class SayAloud:
    """Say something that a player has asked for: a question, or a point by its number."""

    question: Query | int


class Inspect(Enum):
    """Before a match: look at the sensors, walk them, go on without one, or stop looking; check
    this computer.
    """

    LOOK = auto()
    WALK = auto()
    SKIP = auto()
    STOP = auto()
    CHECK = auto()


Command: TypeAlias = (
    NewMatch
    | Rematch
    | Resume
    | Quit
    | ChangeSetting
    | Fetch
    | PlayTour
    | Train
    | AskHint
    | SayAloud
    | Invite
    | AnswerFar
    | ClubWish
    | Inspect
)
Output: TypeAlias = Command | Tap | Button | Rolled
"""Whatever a touch or a key leads to."""
