"""What every game answers: the one contract the match, the tracker and the displays rely on."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, cast

from pi_app.rules.naming import WHITE_AND_BLACK, Facing
from pi_app.rules.terms import Broken, Move, Outcome, Roll, Rule, Sheet, Side, Spot, TextError
from pi_app.words.sentences import Said, Sentence
from pi_app.words.texts import quoted

P = TypeVar("P")
M = TypeVar("M")


class Opening(Enum):
    """How the opening throw decides the first turn."""

    DIFFERENCE = "difference"
    """The higher die plays the difference (Nannon)."""

    HIGHER_PLAYS_BOTH = "higher plays both"
    """The higher die plays both numbers; a tie is thrown again (Backgammon)."""

    HIGHER_ROLLS_AFRESH = "higher rolls afresh"
    """The higher die begins with a roll of its own; a tie is thrown again (Portes, Pin)."""

    NO_THROW = "no throw"
    """Nobody throws: the mover of the start position, White, begins (Cannon)."""


@dataclass(frozen=True, slots=True)
class Option:
    """What players may agree on: its name as it is kept, and what the screen calls it.

    `unlimited`: only where no target is played to.  `needs_cube`: only with the cube.
    """

    name: str
    label: Sentence
    unlimited: bool = False
    needs_cube: bool = False


TIE_TURNS_CUBE = Option("a tie turns the cube", Sentence("Auto-double"))
JACOBY = Option("jacoby", Sentence("Jacoby rule"), unlimited=True, needs_cube=True)
AUTOMATIC = Option("automatic doubles", TIE_TURNS_CUBE.label, unlimited=True, needs_cube=True)
BEAVERS = Option("beavers", Sentence("Beavers"), unlimited=True, needs_cube=True)
OF_MONEY = (JACOBY, AUTOMATIC, BEAVERS)
"""Those of unlimited play with the cube."""
OF_THE_MATCH = (TIE_TURNS_CUBE, *OF_MONEY)
"""The options that change how a match is scored, not what is legal."""


class Midway(NamedTuple, Generic[P]):
    """Part of a turn: the moves made and the position after them, with the mover changed."""

    moves: tuple[Move, ...]
    position: P


class Game(ABC, Generic[P, M]):
    """A game as values and pure functions; `P` is its position, `M` its play.

    A position and a play are immutable values that can be compared and hashed; a position has its
    `mover`.  A play is everything one turn does.  A forfeited turn is a play too, the only one
    `plays` gives, and it moves nothing.  What has a body here suits most games.
    """

    name: str
    """As it stands on the command line and in files."""
    title: Said
    side_names: tuple[Said, Said] = WHITE_AND_BLACK
    dice: int
    """How many dice one turn throws; with none, every roll is the empty `Roll(())`."""
    opening: Opening
    previous_winner_starts: bool = False
    """Whether later games are begun by the last winner, without a throw; a tie throws anew."""
    has_cube: bool = False
    crawford: bool = False
    """Whether match play has the Crawford rule unless the players agree otherwise."""
    match_length: int
    """How many points a match is played to unless the players agree otherwise."""
    options: tuple[Option, ...] = ()
    """What the players may agree on besides the cube and the Crawford rule; off unless told."""
    sheet: Sheet
    """The game's rules as they are written down."""
    outcome_names: Mapping[str, Said]
    """What players call each way to end, by the name that an outcome has in files."""
    graded: bool = False
    """Whether the ratings of its players have names, as those of Backgammon have."""
    fanfare: str | None = None
    """The outcome by this name is celebrated more than others, if any is."""
    checkers_a_side: int
    tallest: int = 1
    """For how many checkers each side's one tall piece counts; 1 where all are alike."""

    @property
    @abstractmethod
    def rules(self) -> tuple[Rule, ...]:
        """Every rule that `explain` can name."""

    @property
    @abstractmethod
    def spots(self) -> tuple[Spot, ...]:
        """Every place for checkers, including those off the board."""

    @property
    def facing(self) -> Facing:
        """How each side numbers the points that the other side numbers too."""
        return Facing.MIRRORED

    def under(self, agreed: Collection[str]) -> Game[P, M]:
        """The game with these options; itself if they change no rule."""
        return self

    @abstractmethod
    def start(self, mover: Side) -> P:
        """The starting position."""

    def mover(self, position: P) -> Side:
        side: Side = cast(Any, position).mover
        return side

    def with_mover(self, position: P, mover: Side) -> P:
        return cast(P, replace(cast(Any, position), mover=mover))

    @abstractmethod
    def plays(self, position: P, roll: Roll) -> tuple[M, ...]:
        """All legal plays, one for each result; never empty while the game goes on."""

    def results(self, position: P, roll: Roll) -> tuple[P, ...]:
        """The positions after all legal plays, in the order of `plays`."""
        return tuple(self.after(position, play) for play in self.plays(position, roll))

    def midways(self, position: P, roll: Roll) -> tuple[Midway[P], ...]:
        """Everything that is a part of a legal play and leaves some of it to do.

        Each position once, in any order of the moves; none where a turn is one move.
        """
        return ()

    def passes(self, position: P, move: Move, spot: Spot) -> bool:
        """Whether a checker moved with two dice may stop on the spot on its way."""
        return False

    def after(self, position: P, play: M) -> P:
        """The position after a legal play, with the mover changed."""
        return self.attempted(position, self.moves(position, play))

    def moves(self, position: P, play: M) -> tuple[Move, ...]:
        """The play as hands perform it; empty for a forfeit."""
        return cast(tuple[Move, ...], play)

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """How the game ended, or None."""

    @abstractmethod
    def resignations(self, position: P, side: Side) -> Mapping[int, Said]:
        """For how many points, before the cube, the side may give the game up; ascending.

        With each goes what players call a game that is lost so.
        """

    @abstractmethod
    def explain(self, position: P, roll: Roll, attempt: tuple[Move, ...]) -> Broken | None:
        """The rule that `attempt` breaks, or None for a legal play."""

    @abstractmethod
    def attempted(self, position: P, attempt: tuple[Move, ...]) -> P:
        """What stands on the board after an attempt that may be illegal, the mover changed.

        Raises IllegalPlayError when no checker can make these moves at all.
        """

    def pips(self, position: P, side: Side) -> int | None:
        return None

    @abstractmethod
    def checkers_at(self, position: P) -> Mapping[Spot, tuple[Side, ...]]:
        """The checkers' sides on each spot, lowest first; every spot is a key."""

    def counts(self, position: P) -> tuple[int, ...]:
        """The number of checkers on each of `spots`, in that order."""
        checkers = self.checkers_at(position)
        return tuple(len(checkers[spot]) for spot in self.spots)

    def counts_of(self, position: P, side: Side) -> tuple[int, ...]:
        """The number of this side's checkers on each of `spots`, in that order."""
        checkers = self.checkers_at(position)
        return tuple(checkers[spot].count(side) for spot in self.spots)

    @abstractmethod
    def hit_to(self, side: Side) -> Spot:
        """Where a hit or captured checker of this side goes."""

    @abstractmethod
    def position_of(self, checkers: Mapping[Spot, tuple[Side, ...]], mover: Side) -> P:
        """Raises PositionError with every reason."""

    @abstractmethod
    def impossible(self, position: P, before: P) -> tuple[str, ...]:
        """Every reason why no board can show `position` in a game that stood at `before`."""

    @abstractmethod
    def read_position(self, text: str) -> P:
        """Raises TextError or PositionError."""

    @abstractmethod
    def write_position(self, position: P) -> str:
        """The inverse of read_position."""

    @abstractmethod
    def read_play(self, position: P, text: str) -> M:
        """Read a play, legal or not. Raises TextError."""

    @abstractmethod
    def write_play(self, position: P, play: M) -> str:
        """The inverse of read_play; people read it by the mover's numbers."""

    @abstractmethod
    def draw(self, position: P) -> str:
        """A picture of the position in several lines of text."""


AnyGame: TypeAlias = Game[Any, Any]
"""A game whose position and play stay closed to the holder."""


class Games(Mapping[str, AnyGame]):
    """Some games, by their names, in the order in which they are offered.

    `options` are those of every game there is: a start may say of any of them that it is off.
    """

    def __init__(
        self, games: Iterable[AnyGame] = (), options: Iterable[Option] = OF_THE_MATCH
    ) -> None:
        self._games = {game.name: game for game in games}
        own = (option for game in self._games.values() for option in game.options)
        self.options = tuple(dict.fromkeys((*options, *own)))

    def __getitem__(self, name: str) -> AnyGame:
        return self._games[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __len__(self) -> int:
        return len(self._games)

    def __hash__(self) -> int:
        return hash(tuple(self._games))

    @property
    def first(self) -> AnyGame:
        return next(iter(self._games.values()))

    def only(self, names: Iterable[str]) -> Games:
        return Games((self._games[name] for name in names if name in self._games), self.options)

    def find(self, name: str) -> AnyGame:
        """Raises TextError, which lists the names."""
        if name not in self._games:
            raise TextError(f"game {quoted(name)} is not known; choose one of: {', '.join(self)}")
        return self._games[name]
