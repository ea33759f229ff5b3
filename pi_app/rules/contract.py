"""The contract of a game: what the match, the tracker and the displays ask of every game."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, cast

from pi_app.base.values import dataclass
from pi_app.rules.naming import WHITE_AND_BLACK, Facing
from pi_app.rules.terms import Broken, Move, Outcome, Roll, Rule, Sheet, Side, Spot, TextError
from pi_app.words.sentences import Said, Sentence
from pi_app.words.texts import quoted

P = TypeVar("P")
M = TypeVar("M")


class Opening(Enum):
    """How the opening roll, one die a player, decides the first turn."""

    DIFFERENCE = "difference"
    """The higher die plays the difference of the two (Nannon)."""

    HIGHER_PLAYS_BOTH = "higher plays both"
    """The higher die plays both numbers; a tie is rolled again (Backgammon)."""

    HIGHER_ROLLS_AFRESH = "higher rolls afresh"
    """The higher die begins with a new roll; a tie is rolled again (Portes, Pin)."""

    NO_THROW = "no throw"
    """There is no opening roll: White begins (Cannon)."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option that players may agree on: its name in files, and its label on the screen.

    `unlimited`: offered only in unlimited play. `needs_cube`: offered only with the cube.
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
"""The options of unlimited play with the cube."""
OF_THE_MATCH = (TIE_TURNS_CUBE, *OF_MONEY)
"""The options that change how a match is scored, not what is legal."""


class Midway(NamedTuple, Generic[P]):
    """Part of a turn: the moves made so far, and the position after them with the mover changed."""

    moves: tuple[Move, ...]
    position: P


class Game(ABC, Generic[P, M]):
    """A game's rules as values and pure functions; `P` is the type of its positions, `M` of its
    plays.

    Positions and plays are immutable and hashable; a position knows its `mover`. A play is
    everything that a side does in one turn. If no move is possible, `plays` returns one play that
    moves nothing, the forfeit. Methods that have a body here suit most games.
    """

    name: str
    """The name on the command line and in files."""
    title: Said
    aim: str = ""
    """What a player must do to win, in a sentence for newcomers."""
    side_names: tuple[Said, Said] = WHITE_AND_BLACK
    dice: int
    """How many dice a turn rolls. A game without dice has one roll, the empty `Roll(())`."""
    opening: Opening
    previous_winner_starts: bool = False
    """Whether the last winner begins the next game without an opening roll. After a tie there is
    one."""
    has_cube: bool = False
    crawford: bool = False
    """Whether a match has the Crawford rule by default."""
    match_length: int
    """The default length of a match, in points."""
    options: tuple[Option, ...] = ()
    """The options of this game besides the cube and the Crawford rule; off by default."""
    agreed: tuple[str, ...] = ()
    """The names of the options that `under` has put in force."""
    sheet: Sheet
    """The game's rules in words."""
    outcome_names: Mapping[str, Said]
    """The name of each result for players, by its name in files."""
    graded: bool = False
    """Whether ratings of its players have names, such as "expert" in Backgammon."""
    fanfare: str | None = None
    """The file name of a result that is celebrated more than others; None if there is none."""
    checkers_a_side: int
    tallest: int = 1
    """How many checkers each side's one tall piece counts as; 1 where all pieces are alike."""

    @property
    @abstractmethod
    def rules(self) -> tuple[Rule, ...]:
        """Every rule that `explain` can name."""

    @property
    @abstractmethod
    def spots(self) -> tuple[Spot, ...]:
        """Every spot of the game, also those off the board."""

    @property
    def facing(self) -> Facing:
        """How the two sides' numbers of a point are related."""
        return Facing.MIRRORED

    def under(self, agreed: Collection[str]) -> Game[P, M]:
        """Return the game with these options; itself if none of them changes a rule."""
        return self

    @abstractmethod
    def start(self, mover: Side) -> P:
        """Return the position at the start of a game."""

    def mover(self, position: P) -> Side:
        side: Side = cast(Any, position).mover
        return side

    def with_mover(self, position: P, mover: Side) -> P:
        return cast(P, replace(cast(Any, position), mover=mover))

    @abstractmethod
    def plays(self, position: P, roll: Roll) -> tuple[M, ...]:
        """Return all legal plays, one for each result; at least one while the game goes on."""

    def results(self, position: P, roll: Roll) -> tuple[P, ...]:
        """Return the positions after all legal plays, in the order of `plays`."""
        return tuple(self.after(position, play) for play in self.plays(position, roll))

    def midways(self, position: P, roll: Roll) -> tuple[Midway[P], ...]:
        """Return every part of a legal play after which some of it is still to do.

        Each position occurs once, whatever the order of the moves. Empty where a turn is one move.
        """
        return ()

    def passes(self, position: P, roll: Roll, move: Move, spot: Spot) -> bool:
        """Whether a checker that moves with several dice of this roll may stop on this spot."""
        return False

    def after(self, position: P, play: M) -> P:
        """Return the position after a legal play, with the mover changed."""
        return self.attempted(position, self.moves(position, play))

    def moves(self, position: P, play: M) -> tuple[Move, ...]:
        """Return the moves that hands make for this play; empty for a forfeit."""
        return cast(tuple[Move, ...], play)

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """Return how the game ended; None while it goes on."""

    @abstractmethod
    def resignations(self, position: P, side: Side) -> Mapping[int, Said]:
        """Return how many points, before the cube, this side may offer to lose, ascending.

        The values are what players call such a loss.
        """

    @abstractmethod
    def explain(self, position: P, roll: Roll, attempt: tuple[Move, ...]) -> Broken | None:
        """Return the rule that this attempt breaks, with a sentence; None for a legal play."""

    @abstractmethod
    def attempted(self, position: P, attempt: tuple[Move, ...]) -> P:
        """Return what stands on the board after an attempt, legal or not, with the mover changed.

        Raises IllegalPlayError if no checker can make these moves, whatever the rules.
        """

    def pips(self, position: P, side: Side) -> int | None:
        return None

    def first_lacks(self, position: P, side: Side) -> int:
        """Return how many pips a side's first checker must still go before others may move."""
        return 0

    @abstractmethod
    def checkers_at(self, position: P) -> Mapping[Spot, tuple[Side, ...]]:
        """Return the checkers' sides on each spot, lowest first. Every spot is a key."""

    def counts(self, position: P) -> tuple[int, ...]:
        """Return the number of checkers on each of `spots`, in that order."""
        checkers = self.checkers_at(position)
        return tuple(len(checkers[spot]) for spot in self.spots)

    def counts_of(self, position: P, side: Side) -> tuple[int, ...]:
        """Return the number of this side's checkers on each of `spots`, in that order."""
        checkers = self.checkers_at(position)
        return tuple(checkers[spot].count(side) for spot in self.spots)

    @abstractmethod
    def hit_to(self, side: Side) -> Spot:
        """Return the spot to which a hit or captured checker of this side goes."""

    @abstractmethod
    def position_of(self, checkers: Mapping[Spot, tuple[Side, ...]], mover: Side) -> P:
        """Return the position with these checkers. Raises PositionError with every reason."""

    @abstractmethod
    def impossible(self, position: P, before: P) -> tuple[str, ...]:
        """Return every reason why `position` cannot arise in a game that stood at `before`."""

    @abstractmethod
    def read_position(self, text: str) -> P:
        """Raises TextError for another form, PositionError for a position that cannot be."""

    @abstractmethod
    def write_position(self, position: P) -> str:
        """Write the text that `read_position` reads."""

    @abstractmethod
    def read_play(self, position: P, text: str) -> M:
        """Read a play, legal or not. Raises TextError."""

    @abstractmethod
    def write_play(self, position: P, play: M) -> str:
        """Write the text that `read_play` reads. For people it has the mover's numbers."""

    @abstractmethod
    def draw(self, position: P) -> str:
        """Draw the position as several lines of text."""


AnyGame: TypeAlias = Game[Any, Any]
"""A game whose positions and plays the holder only hands on, and never looks into."""


@dataclass(frozen=True)
class Series:
    """What a match is played in: one game again and again, or several in turn."""

    name: str
    title: Said
    games: tuple[AnyGame, ...]
    match_length: int

    @classmethod
    def of(cls, game: AnyGame) -> Series:
        return cls(game.name, game.title, (game,), game.match_length)

    def at(self, decided: int) -> AnyGame:
        """Return the game that follows so many games with a winner."""
        return self.games[decided % len(self.games)]

    def under(self, agreed: Collection[str]) -> Series:
        """Return the same with these options."""
        return replace(self, games=tuple(game.under(agreed) for game in self.games))

    def ordered(self, names: Sequence[str]) -> Series:
        """Return some of the games in this order. Raises TextError for any other name."""
        own = {game.name: game for game in self.games}
        if not names or len(set(names)) < len(names) or not own.keys() >= set(names):
            wanted = f"write some of these, each once: {','.join(own)}"
            raise TextError(f"the order {quoted(','.join(names))} cannot be; {wanted}")
        return replace(self, games=tuple(own[name] for name in names))

    @property
    def first(self) -> AnyGame:
        return self.games[0]

    @property
    def is_mixed(self) -> bool:
        return len(self.games) > 1

    @property
    def side_names(self) -> tuple[Said, Said]:
        return self.first.side_names

    @property
    def dice(self) -> int:
        """The most dice that a turn throws."""
        return max(game.dice for game in self.games)

    @property
    def has_cube(self) -> bool:
        return all(game.has_cube for game in self.games)

    @property
    def crawford(self) -> bool:
        return all(game.crawford for game in self.games)

    @property
    def options(self) -> tuple[Option, ...]:
        return tuple(dict.fromkeys(option for game in self.games for option in game.options))


class Games(Mapping[str, AnyGame]):
    """Games by name, in the order in which they are offered.

    `options` are those of all games: a match's options may say of any of them that it is off.
    `series` are matches of several games; one that needs a game not among these is left out.
    """

    def __init__(
        self,
        games: Iterable[AnyGame] = (),
        options: Iterable[Option] = OF_THE_MATCH,
        series: Iterable[Series] = (),
    ) -> None:
        self._games = {game.name: game for game in games}
        whole = (one for one in series if all(game.name in self._games for game in one.games))
        self.series = tuple(dict.fromkeys(whole))
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
        some = (self._games[name] for name in names if name in self._games)
        return Games(some, self.options, self.series)

    @property
    def matches(self) -> Mapping[str, Series]:
        """Everything that a match can be played in: each game by itself, and the series."""
        own = map(Series.of, self._games.values())
        return {series.name: series for series in (*own, *self.series)}

    def match(self, name: str) -> Series:
        """Return the game or series of this name. Raises TextError, which lists the names."""
        if name not in self.matches:
            there = ", ".join(self.matches)
            raise TextError(f"game {quoted(name)} is not known; choose one of: {there}")
        return self.matches[name]

    def find(self, name: str) -> AnyGame:
        """Return the game with this name. Raises TextError, which lists the names."""
        if name not in self._games:
            raise TextError(f"game {quoted(name)} is not known; choose one of: {', '.join(self)}")
        return self._games[name]
