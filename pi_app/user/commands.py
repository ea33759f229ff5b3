"""What players ask of the program, besides the referee's events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum, auto
from typing import TypeAlias

from pi_app.base.microseconds import ms
from pi_app.base.values import dataclass
from pi_app.referee.events import Button, MatchId, Rolled, Tap
from pi_app.rules.terms import Side, Spot
from pi_app.speech.answers import Query
from pi_app.user.settings import Value
from pi_app.words.sentences import Sentence


@dataclass(frozen=True, slots=True)
class NewMatch:
    """Begin a match; `match_to` None is unlimited; White (Light) is the first player."""

    game: str
    players: tuple[str, str]
    match_to: int | None
    options: Mapping[str, bool | int | str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rematch:
    """Begin a match like the last one: game, players, length, options and sides."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Resume a match; with None the newest that this board can play."""

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
    FILES = "files"


@dataclass(frozen=True, slots=True)
class Fetch:
    """Fetch something of the stored matches, or the names of the files on a USB stick; five kinds
    are about the match of this number.

    Of the QR codes of its sheet or its steps, `part` is the one wanted, from 0.
    """

    wanted: Wanted
    number: MatchId | None = None
    part: int = 0


@dataclass(frozen=True, slots=True)
class ImportFiles:
    """Store the matches of these files of the USB stick, named as they were fetched."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeleteMatch:
    """Delete an imported match."""

    number: MatchId


@dataclass(frozen=True, slots=True)
class PlayTour:
    """Play the tour, a match that is not stored; with None leave it."""

    match: NewMatch | None = None


@dataclass(frozen=True, slots=True)
class Train:
    """Begin the training of a player, or another exercise of it; with None leave it.

    `position` is the text of a problem to begin with.
    """

    name: str | None = None
    position: str = ""


@dataclass(frozen=True, slots=True)
class Retell:
    """Play a stored match through on the board, from the decision of this number on; with None
    leave it. With `guesses` its winner's decisions are guessed first."""

    match: MatchId | None = None
    decision: int = 0
    guesses: bool = False


@dataclass(frozen=True, slots=True)
class AskHint:
    """Ask the coach for the best play of this turn."""


@dataclass(frozen=True, slots=True)
class RollOut:
    """Begin or continue a rollout, or stop it if not `on`. It compares the plays of the analysed
    decision of this number, or of the hint if that is None."""

    decision: int | None = None
    on: bool = True


@dataclass(frozen=True, slots=True)
class Invite:
    """Invite another board to a match; `side` is played here."""

    match: NewMatch
    board: str
    side: Side


@dataclass(frozen=True, slots=True)
class AnswerFar:
    """Answer yes or no to another board's request: a match, an undo."""

    yes: bool


class ClubWish(Enum):
    """Look which boards of the club are present, join with a card on a USB stick, leave the club,
    withdraw an unanswered invitation, stop waiting for a friend, or close a match whose other board
    has been silent for a day."""

    LOOK = auto()
    JOIN = auto()
    LEAVE = auto()
    WITHDRAW = auto()
    STOP_MEETING = auto()
    CLOSE_MATCH = auto()


@dataclass(frozen=True, slots=True)
class ShowCode:
    """Make a code for a friend far away, and invite whoever has it; no board is named yet. `name`
    is the player's here."""

    invite: Invite
    name: str


@dataclass(frozen=True, slots=True)
class TakeCode:
    """Meet the friend who shows this code; `name` is the player's here."""

    code: str
    name: str


class Phrase(Enum):
    """What one can say to a friend far away. The values go over the wire."""

    HELLO = "hello"
    MOMENT = "moment"
    GOOD_ROLL = "good roll"
    WELL_PLAYED = "well played"
    THANKS = "thanks"
    MUST_GO = "must go"


PHRASES: Mapping[Phrase, Sentence] = {
    Phrase.HELLO: Sentence("Hello"),
    Phrase.MOMENT: Sentence("One moment"),
    Phrase.GOOD_ROLL: Sentence("Good roll"),
    Phrase.WELL_PLAYED: Sentence("Well played"),
    Phrase.THANKS: Sentence("Thanks for the match"),
    Phrase.MUST_GO: Sentence("I have to go; let us finish later"),
}
SAYS = Sentence("{name}: {phrase}")
SAID_FOR = ms(20_000)
"""A phrase is shown for so long."""


@dataclass(frozen=True, slots=True)
class SayFar:
    """Say this to the friend whose match is played, or was the last."""

    phrase: Phrase


@dataclass(frozen=True, slots=True)
class ForgetFriend:
    """Forget a friend, who can then not write to this board any more."""

    board: str


@dataclass(frozen=True, slots=True)
class SayAloud:
    """Say what a player asked for: the answer to a question, or what stands on the point of this
    number."""

    question: Query | int


@dataclass(frozen=True, slots=True)
class ForgetPhones:
    """Let no phone in that was let in before: make new addresses."""


@dataclass(frozen=True, slots=True)
class SayWayIn:
    """Say aloud how a phone becomes a screen, for somebody who does not see the address."""


class Inspect(Enum):
    """Before a match: read the sensors, walk them, skip one, or stop; or check this computer."""

    LOOK = auto()
    WALK = auto()
    SKIP = auto()
    STOP = auto()
    CHECK = auto()


class ComputerWish(Enum):
    """Switch the computer off, restart it, or install the Spotter package on the USB stick."""

    OFF = auto()
    RESTART = auto()
    UPDATE = auto()


@dataclass(frozen=True, slots=True)
class TouchSpot:
    """A guest without a board lifts the checker on this spot, or sets the lifted one down."""

    spot: Spot


@dataclass(frozen=True, slots=True)
class PutBack:
    """A guest puts all checkers back to the accepted position."""


FarWish: TypeAlias = Invite | AnswerFar | ClubWish | ShowCode | TakeCode | SayFar | ForgetFriend
"""What concerns players at other boards."""
Command: TypeAlias = (
    NewMatch
    | Rematch
    | Resume
    | Quit
    | ChangeSetting
    | Fetch
    | ImportFiles
    | DeleteMatch
    | PlayTour
    | Train
    | Retell
    | AskHint
    | RollOut
    | SayAloud
    | FarWish
    | Inspect
    | ForgetPhones
    | SayWayIn
    | ComputerWish
)
Output: TypeAlias = Command | Tap | Button | Rolled | TouchSpot | PutBack
"""Everything that a touch or a key can lead to."""
