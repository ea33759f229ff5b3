"""The one value that both displays, the lights and the tests look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from enum import Enum, auto
from functools import cache
from typing import Annotated, Any, TypeAlias, TypeVar, get_args, get_type_hints

from pi_app.base.microseconds import Us, ms
from pi_app.base.values import dataclass
from pi_app.match.acts import Act
from pi_app.match.origin import Problem
from pi_app.match.score import Cube, Score, Standing
from pi_app.match.terms import FRIENDLY, MatchTerms
from pi_app.match.turns import IN_PLAY, GameResult, Phase
from pi_app.referee.events import MachineSeat, MatchId
from pi_app.rules.contract import Opening
from pi_app.rules.naming import Counting, Facing
from pi_app.rules.terms import Both, Die, Move, Outcome, Side, Spot, SpotKind
from pi_app.sensing.description import Sensor
from pi_app.sensing.reading import BoardState
from pi_app.sensing.trust import PossibleFault
from pi_app.words.numbers import decimal


@dataclass(frozen=True, slots=True)
class PutRight:
    """The sensors that should close and those that should open to show the accepted position."""

    fill: tuple[Sensor, ...] = ()
    clear: tuple[Sensor, ...] = ()


@dataclass(frozen=True, slots=True)
class BackTo:
    """Before which turn a takeback leads, "Black's 6-1", and how many plays it takes back."""

    turn: str
    plays: int


@dataclass(frozen=True, slots=True)
class Resignation:
    """An offered resignation: its points, and the name of the loss."""

    points: int
    name: str


@dataclass(frozen=True, slots=True)
class InSeries:
    """A game's place in a series: "2 of 3, round 1"."""

    number: int
    of: int
    round: int

    @staticmethod
    def at(standing: Standing, of: int) -> InSeries:
        rounds, place = divmod(standing.decided, of)
        return InSeries(place + 1, of, rounds + 1)

    @property
    def decided(self) -> int:
        """How many games somebody had won before this one."""
        return (self.round - 1) * self.of + self.number - 1


@dataclass(frozen=True, slots=True)
class Coming:
    """The next game of a series, and who begins it; None if an opening roll decides."""

    title: str
    starter: Side | None


@dataclass(frozen=True, slots=True)
class LastPlay:
    """The play before: whose, as text (empty for a forfeit), its moves, what stood before it, and
    its roll ("3-1"; empty without dice)."""

    side: Side
    play: str
    moves: tuple[Move, ...]
    before: Mapping[Spot, tuple[Side, ...]]
    roll: str = ""


@dataclass(frozen=True, slots=True)
class GameTale:
    """What a game was: its turns, how long it lasted, if known, and the luck of the dice.

    `thrown` are White's and Black's rolls of two dice and the pips on them, doublets twice.
    """

    turns: int
    lasted: Us | None
    thrown: tuple[tuple[int, int], tuple[int, int]]


class TourStep(Enum):
    """What the tour asks for, or a training."""

    SET_UP = auto()
    ROLL = auto()
    PLAY = auto()
    PLAYED = auto()
    """The button confirms the play."""
    WRONG = auto()
    """An illegal move."""
    HANDS = auto()
    """What the match itself says."""
    JUDGED = auto()
    """The exercise was answered, and the button leads to the next."""
    OVER = auto()


@dataclass(frozen=True, slots=True)
class Drilled:
    """A training: `left` exercises are due, this one among them; its answer was `wrong`."""

    left: int
    wrong: bool = False


@dataclass(frozen=True, slots=True)
class Retold:
    """A stored match played through on the board: decision `place` of `count`, from 1, is open.

    `back` and `onward` are the numbers of the decisions before and after it, None at the ends.
    `guesses`: a player guesses some of them; this one was guessed `wrong`. `problem` is where it is
    open.
    """

    match: MatchId
    place: int
    count: int
    back: int | None
    onward: int | None
    problem: Problem
    guesses: bool = False
    wrong: bool = False


class Visibility(Enum):
    """What players see of a field under responsible moves, while nothing may tell what is legal."""

    PUBLIC = auto()
    """All of it."""
    DISCREET = auto()
    """Nothing: it tells which plays are legal, or whether the shown one is."""
    OWN = auto()
    """A value of its own, which `discreetly` makes."""


T = TypeVar("T")
Public: TypeAlias = Annotated[T, Visibility.PUBLIC]
Discreet: TypeAlias = Annotated[T, Visibility.DISCREET]
Own: TypeAlias = Annotated[T, Visibility.OWN]


@dataclass(frozen=True, slots=True)
class View:
    """Everything there is to show. Each field is marked as `Visibility` says.

    The fields down to `hint` are the lines of `spotter replay`; the others serve the displays.
    `confidence` is the probability of `play`, None if a player confirmed it.
    """

    us: Public[Us]
    phase: Public[Phase]
    to_act: Public[Side]
    game: Public[str]
    position: Public[str]
    roll: Public[str | None]
    board: Own[BoardState]
    play: Discreet[str | None]
    after: Discreet[str | None]
    confidence: Discreet[float | None]
    choices: Discreet[tuple[str, ...]]
    rule: Discreet[str | None]
    reason: Discreet[str | None]
    put_right: Own[PutRight]
    sensors_off: Public[tuple[Sensor, ...]]
    score: Public[Score]
    match_to: Public[int | None]
    cube: Public[Cube]
    message: Own[str]
    hint: Own[str]

    title: Public[str]
    """The game's name for people."""
    opening: Public[Opening]
    """How this game's opening throw decides the first turn."""
    side_names: Public[tuple[str, str]]
    """This game's side names: White and Black, or Light and Dark."""
    players: Public[tuple[str, str]]
    """White's (Light's) name and Black's (Dark's)."""
    standing: Public[Mapping[Spot, tuple[Side, ...]]]
    """The assumed pieces on each spot now, with the hands' changes; every spot is a key."""
    accepted: Public[Mapping[Spot, tuple[Side, ...]]]
    """The pieces of the accepted position; every spot is a key."""
    moves: Discreet[tuple[Move, ...]]
    """The moves of the shown play, of the part that is done, or of the wrong attempt: arrows."""
    fine: Discreet[str | None]
    """The legal part that a wrong attempt began with."""
    choice_moves: Discreet[tuple[tuple[Move, ...], ...]]
    """The moves of each of `choices`: arrows."""
    lifted: Public[tuple[Spot, ...]]
    """Spots a checker is missing from while it is in the hand."""
    targets: Discreet[tuple[Spot, ...]]
    """Legal targets of the lifted checkers or of the town, for lights and rings."""
    fill: Own[tuple[Spot, ...]]
    """Spots to fill, each once for every checker missing there."""
    clear: Own[tuple[Spot, ...]]
    """Spots to clear, each once for every checker too many there."""
    legal: Discreet[tuple[str, ...]]
    """Every legal play of this turn, as text; empty when no roll is on the table."""
    still: Discreet[tuple[str, ...]]
    """The rest of each play that continues the part on the board."""
    ending: Discreet[Outcome | None]
    """The result of the game with the shown play, if it ends."""
    moves_exist: Own[bool]
    """Some legal play moves a checker: the turn is not forfeited."""
    guiding: Public[bool]
    """The players have said that the screen is right and are being led back to it."""
    note: Public[str | None]
    """What was just taken back, briefly."""
    unhit: Public[bool]
    """The takeback undid hits: to the sensors the returned checkers look like the hitters."""
    earlier: Discreet[str | None]
    """The board shows how it stood before this accepted play, which may be taken back."""
    late: Discreet[bool]
    """What lies there is another play of the turn that was just handed over, or a part of one."""
    back_to: Public[BackTo | None]
    """Where a takeback would lead, if there is anything to take back."""
    offers: Own[frozenset[Act]]
    """Which taps would change something now."""
    resignations: Public[Mapping[int, str]]
    """The resignations of the side to act: points before the cube, and the name of each."""
    resignation: Public[Resignation | None]
    """The offer of the opponent of the side to act."""
    dice: Public[int]
    """How many dice the side to act throws now, 0 when it throws none or has shown them before."""
    typed: Public[bool]
    """Players typed the dice on the table: these were seen when they fell."""
    changing: Public[bool]
    """Wrongly entered dice are entered again."""
    awaiting_roll: Public[bool]
    """The dice have been asked for and have not answered."""
    thrown: Public[tuple[tuple[Side, int], ...]]
    """The opening throw so far: who threw what."""
    closed: Public[frozenset[Sensor]]
    """The sensors that are closed now, debounced: the live view."""
    suspects: Public[tuple[Sensor, ...]]
    """Sensors that are probably faulty and could be turned off, the likeliest first."""
    faults: Public[tuple[PossibleFault, ...]]
    """Suspected faults of sensors in use, with probabilities."""
    doubted: Public[tuple[Sensor, ...]]
    """Sensors that were overruled, until they change or prove right, and the suspects."""
    chattering: Public[tuple[Sensor, ...]]
    """Sensors that do not come to rest; they are believed again once they have been still."""
    healed: Public[tuple[Sensor, ...]]
    """Sensors set aside that have been right since, so that they are likelier healthy again."""
    ask_back: Public[tuple[Sensor, ...]]
    """Until the first play of a game, those set aside in an earlier one: are they to stay so?

    A tap on sensor on or sensor off answers; the game goes on meanwhile.
    """
    game_number: Public[int]
    """Counts the games of the match from 1."""
    with_cube: Public[bool]
    """This match is played with a doubling cube."""
    crawford: Public[bool]
    """This is the Crawford game: no doubling."""
    post_crawford: Public[bool]
    """The Crawford game is over: doubling is allowed again."""
    last_result: Public[str | None]
    """The last game's result in one sentence."""
    result: Public[GameResult | None]
    pips: Own[tuple[int, int] | None]
    """White's and Black's pips on the present board; None in games without pip counts."""
    first_lacks: Own[tuple[int, int]] = (0, 0)
    """How many pips White's and Black's first checker must still go before others may move."""
    dice_left: Own[tuple[Die, ...]] = ()
    """The unused dice, a doublet's four times."""
    victims: Discreet[tuple[Spot, ...]] = ()
    """Spots of `lifted` with an opponent's checker, which is hit."""
    barred: Discreet[tuple[Spot, ...]] = ()
    """Those of `lifted` whose checker may not move."""
    part: Discreet[str | None] = None
    """The finished part of a play on the board."""
    onward: Discreet[tuple[Spot, ...]] = ()
    """Targets of the rest of a play whose first part is on the board."""
    stray: Discreet[tuple[Spot, ...]] = ()
    """Illegally placed checkers while another is lifted."""
    last_plays: Public[tuple[LastPlay, ...]] = ()
    """The two plays before this turn, in this game, the latest first."""
    choice_after: Discreet[tuple[Mapping[Spot, tuple[Side, ...]], ...]] = ()
    """The pieces on each spot after each of `choices`."""
    how: Public[str | None] = None
    """What players call the way in which the game ended: "gammon"; None where it has no name."""
    tale: Public[GameTale | None] = None
    """The summary of the finished game."""
    machine: Public[MachineSeat | None] = None
    """The side that the machine has, and its player."""
    thinking: Public[bool] = False
    """The engine's decision that no one else can make."""
    silent: Public[bool] = False
    """The machine does not answer: the players decide for it."""
    chosen: Public[str | None] = None
    """The machine's play in this turn."""
    to_make: Public[tuple[Move, ...]] = ()
    """Its moves until the board shows its play: from where to where a light leads the hand."""

    clock: Public[ClockFace | None] = None
    """Both clocks, in a match with a clock."""
    brief: Discreet[str | None] = None
    """What is wrong in a few words, for a spoken warning; None if `reason` is short enough."""
    terms: Public[MatchTerms] = FRIENDLY
    """The agreed terms besides the game's options."""
    beavered: Public[bool] = False
    """The double on offer is a beaver."""
    declining: Public[bool] = False
    """The player who was doubled held the button: the next press beavers, a second hold passes."""
    caution: Discreet[float | None] = None
    """What the tutor says that the next press or tap costs, in points of a plain game."""
    tour: Public[TourStep | None] = None
    """The step of the tour or of a training; None in a match."""
    exercise: Public[Drilled | Retold | None] = None
    """Only in a training."""
    series: Public[str] = ""
    """The name of the series that the match is played in; empty if it is one game."""
    order: Public[tuple[str, ...]] = ()
    """The names of the games of the series, in turn."""
    in_series: Public[InSeries | None] = None
    """The place of this game in the series."""
    coming: Public[Coming | None] = None
    """After a game of a series, the next one."""
    facing: Public[Facing] = Facing.MIRRORED
    """How the sides number each other's points; the game's name says as much."""

    def at(self, us: Us) -> View:
        """The visible part at a moment: the displayed digits instead of the time."""
        return replace(self, us=Us(0), clock=self.clock and self.clock.at(us))

    def timeless(self) -> View:
        """The view without the time, which no picture shows."""
        return replace(self, us=Us(0))

    def away(self, side: Side) -> int | None:
        """The points that the side needs to win; None if unlimited."""
        return None if self.match_to is None else max(0, self.match_to - self.score[side])

    def side_name(self, side: Side) -> str:
        """A side's name in this game, capitalised."""
        return self.side_names[side is Side.BLACK]

    def player(self, side: Side) -> str:
        """The player's name, or the side's if there is none."""
        return self.players[side is Side.BLACK]

    @property
    def last_play(self) -> LastPlay | None:
        return self.last_plays[0] if self.last_plays else None

    @property
    def counting(self) -> Counting | None:
        """Each side's point numbers; None if all use the board's. In games with pip counts a side
        numbers each point by its pips."""
        if self.pips is None:
            return None
        points = sum(spot.kind is SpotKind.POINT for spot in self.standing)
        mover = self.to_act if self.phase in IN_PLAY else Side.WHITE
        return Counting(points, mover, self.facing)


@cache
def fields_marked(mark: Visibility) -> frozenset[str]:
    """The names of the view's fields with this mark."""
    hints = get_type_hints(View, include_extras=True)
    return frozenset(name for name, hint in hints.items() if mark in get_args(hint))


NOTHING: Mapping[type, Any] = {tuple: (), bool: False}
"""How a field says nothing, by the type of its value; any other is None."""


def with_nothing_discreet(view: View, **own: Any) -> View:
    """The view without its discreet fields, and with these values for those of their own."""
    names = fields_marked(Visibility.DISCREET)
    hidden: dict[str, Any] = {name: NOTHING.get(type(getattr(view, name))) for name in names}
    return replace(view, **hidden, **own)


@dataclass(frozen=True, slots=True)
class TableDie:
    """A die on the table: whose it is, the sign before it, and whether it has been played."""

    face: int
    side: Side
    sign: str = ""
    used: bool = False


def dice_of(view: View) -> tuple[TableDie, ...]:
    """Return the roll's dice, or before it those of the opening throw.

    In Nannon's opening they are also the two dice whose difference is played.
    """
    throw = tuple(TableDie(face, side) for side, face in view.thrown)
    answering = view.phase is Phase.RESIGNATION_OFFERED
    mover = view.to_act.other if answering else view.to_act
    if not view.roll:
        return throw
    rolled = [int(face) for face in view.roll]
    if len(throw) == 2 and len(rolled) == 1:
        first, second = sorted(throw, key=lambda one: -one.face)
        left_over = TableDie(rolled[0], mover, "=", used=_is_used(view, rolled, 0))
        return first, replace(second, sign="−"), left_over
    opened = sorted(one.face for one in throw) == sorted(rolled)
    sides = {one.face: one.side for one in throw} if opened else {}
    return tuple(
        TableDie(face, sides.get(face, mover), used=_is_used(view, rolled, index))
        for index, face in enumerate(rolled)
    )


def _is_used(view: View, rolled: list[int], index: int) -> bool:
    """Whether a die is used up; in a doublet each counts twice."""
    left, face = list(view.dice_left), rolled[index]
    if view.phase is not Phase.MOVING:
        return False
    if len(set(rolled)) < len(rolled):
        return len(left) <= 2 * (len(rolled) - 1 - index)
    return face not in left


TENTHS = ms(10_000)
"""Below this tenths of a second are shown."""
LOW = ms(30_000)
"""Below this a side that has to act is short of time."""
SECOND, TENTH = ms(1000), ms(100)


@dataclass(frozen=True, slots=True)
class ClockHand:
    """One side's time left, in overtime or not. While it runs, `falls` is the time of its flag;
    during its delay `left` is constant."""

    left: Us
    overtime: bool = False
    falls: Us | None = None

    def left_at(self, us: Us) -> Us:
        """The time left at a moment of the match."""
        if self.falls is None:
            return self.left
        return Us(max(0, min(self.left, self.falls - us)))


@dataclass(frozen=True, slots=True)
class ClockFace(Both[ClockHand]):
    """Both clocks; the `holder`'s `runs` or stands, with the rest of the `delay`."""

    holder: Side | None = None
    runs: bool = False
    delay: Us = Us(0)

    def delay_at(self, side: Side, us: Us) -> Us:
        """The rest of a side's delay at a moment of the match."""
        if side is not self.holder:
            return Us(0)
        hand = self[side]
        return self.delay if hand.falls is None else Us(max(0, hand.falls - hand.left - us))

    def at(self, us: Us) -> ClockFace:
        """The displayed time at a moment of the match, to the second or tenth."""
        holder = self.holder or Side.WHITE
        white, black = (ClockHand(shown(hand.left_at(us)), hand.overtime) for hand in self)
        delay = Us(-(-self.delay_at(holder, us) // SECOND) * SECOND)
        return replace(self, white=white, black=black, delay=delay)


def shown(left: Us) -> Us:
    """A displayed time: rounded up, so that it shows zero only at zero."""
    step = SECOND if left >= TENTHS else TENTH
    return Us(-(-left // step) * step)


def in_figures(left: Us) -> str:
    """A time in figures: 1:02:05, 2:05, 0:30 or 9.8."""
    left = shown(left)
    if left < TENTHS:
        return decimal(left / SECOND, 1)
    minutes, seconds = divmod(left // SECOND, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
