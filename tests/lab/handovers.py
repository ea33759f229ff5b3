"""`tests/lab/run handovers`: can every legal play be handed over, whatever else the hands did?

Each trial stands at a drawn position with a drawn roll.  The hands touch, straighten, err, press
early and make a legal play.  Then the mover hands it over with the button alone.  The checkers are
kept apart from the product, so what it accepts is compared with what truly lies there.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from lab import PROGRAM
from lab.plays import ARRIVED, choose, entering_first, victims_of, ways_of
from pi_app.base.microseconds import Us, ms
from pi_app.boards import board_names, load_board
from pi_app.cli.arguments import Parser, whole
from pi_app.cli.ending import Progress, Status
from pi_app.games.equipment import Compendium
from pi_app.match.acts import Act
from pi_app.referee.events import Button, Event, Picture, Press, SensorEdge, Start, Tap, Tick
from pi_app.referee.lines import write_event
from pi_app.referee.referee import Referee
from pi_app.referee.view import View
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, Side, Spot, SpotKind
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.reading import ALARMS, BoardState
from pi_app.simulator.reeds import LyingCheckers, Piece
from pi_app.words.texts import columns

MOST_POSITIONS = 10_000
MOST_FILES = 5
"""Events of so many failures of a kind on a board are written out."""
TRIES = 4
"""A play is made again and pressed so often before it counts as refused for ever."""
WITHIN = 2
"""Actions within which a play that lies there is to be accepted or asked."""
MOST_DRAWN = 3000
"""Positions drawn in vain, one after the other, before a kind counts as impossible on a board."""
FIT = 3
"""At least one in so many positions has to serve a kind, or it ends early."""
RESTED_MS = 1700
"""Longer than the grace: by then a board at rest has been warned of, or never will be."""
READING_MS = 1200
"""The time to read a question."""


class Answered(Enum):
    """What is counted of the trials of one kind."""

    TRIALS = "positions"
    AT_ONCE = "at once"
    SOON = "2 actions"
    LATER = "later"
    NEVER = "never"
    TAPPED = "by tap"
    ASKED = "asked"
    ASKED_OTHER = "asked other"
    WRONG_AT_REST = "wrong at rest"
    WRONG_AT_PRESS = "at press"
    OTHER_HAND = "other's hand"
    ONE_CHECKER = "one checker"
    TAKEN_EARLY = "taken early"
    WRONG_PLAY = "wrong play"


EXPLAINED = {
    Answered.AT_ONCE: "the first press handed the play over",
    Answered.SOON: "it was accepted or asked within two actions",
    Answered.LATER: f"only once it was made again, in {TRIES} tries",
    Answered.NEVER: "not even then",
    Answered.TAPPED: "asked, but no press answered: only a tap did",
    Answered.ASKED: "Spotter asked",
    Answered.ASKED_OTHER: "a press was answered with a question about other plays only",
    Answered.WRONG_AT_REST: "a warning though nothing illegal lay there",
    Answered.WRONG_AT_PRESS: "a warning at a press though the play lay there",
    Answered.OTHER_HAND: "a warning while the opponent held his own checker",
    Answered.ONE_CHECKER: "“Only one checker” was said though only one had moved",
    Answered.TAKEN_EARLY: "a play counted before it lay there, rightly or wrongly",
    Answered.WRONG_PLAY: "a play counted that was not made",
}
FAILURES = (
    Answered.WRONG_PLAY,
    Answered.NEVER,
    Answered.LATER,
    Answered.WRONG_AT_REST,
    Answered.ONE_CHECKER,
    Answered.TAPPED,
)
"""What must not happen, the worst first."""


class HandLeg(NamedTuple):
    """A checker from one spot to the next, and the spots whose enemy it sends off."""

    origin: Spot
    target: Spot
    hits: tuple[Spot, ...]


class MeantPlay(NamedTuple):
    """A position with a roll and the play that the hands mean to make."""

    position: Any
    roll: Roll
    play: Any


class TrueTable:
    """A board with true checkers, sound reeds without bounce, and the referee that feels them.

    `lawful`: all that lies there, or was just done, is legal or only a touch.  `made`: the play
    lies there complete.  `others`: the opponent has a checker of his in the hand.
    """

    def __init__(self, board: Board, game: AnyGame, case: MeantPlay, rng: random.Random) -> None:
        self.board, self.game, self.case, self.rng = board, game, case, rng
        self.mover: Side = game.mover(case.position)
        self.text = game.write_position(case.position)
        self.counts: Counter[Answered] = Counter()
        self.lawful, self.made, self.others = True, False, False
        self.us, self._pressed, self._felt = Us(0), Us(0), Us(0)
        self._closed: set[Sensor] = set()
        self._begun = False
        roll = f" roll={case.roll}" if case.roll.dice else ""
        options: dict[str, bool | int | str] = {"position": f"{self.text}{roll}"}
        start = Start(Us(0), game.name, board.name, None, ("Ada", "Ben"), options)
        self.lines = [write_event(start)]
        self.referee = Referee(board, start)
        self.seen = self.view
        self.checkers = LyingCheckers(board, game, self)
        self._lay_out()
        self._tell(Picture(ms(1000), frozenset(self._closed)))
        self.wait(1500, 2500)
        self._begun = True

    def _lay_out(self) -> None:
        layout = self.checkers.layout(self.game.checkers_at(self.case.position))
        for spot, pieces in layout.items():
            for piece in pieces:
                self.checkers.lift(self.us, _box_of(self.checkers, piece), piece, None)
                free = self.checkers.free(spot)
                self.checkers.drop(self.us, spot, piece, free[0] if free else None)

    @property
    def view(self) -> View:
        return self.referee.view

    @property
    def events(self) -> tuple[str, ...]:
        """The referee's input as lines; `spotter replay` shows what was seen."""
        return (*self.lines, write_event(Tick(self.us)))

    @property
    def _meant(self) -> str:
        """The position after the play that is made."""
        return self.game.write_position(self.game.after(self.case.position, self.case.play))

    @property
    def accepted(self) -> bool:
        """Whether a play has counted."""
        return self.view.position != self.text

    # What checkers do to reeds

    @property
    def closed(self) -> frozenset[Sensor]:
        return frozenset(self._closed)

    def put(self, _us: Us, sensor: Sensor, *, slid: bool = False) -> None:
        """A checker closes a reed."""
        self._closed.add(sensor)
        self._feel(sensor)

    def take(self, _us: Us, sensor: Sensor, *, slid: bool = False) -> bool:
        """A checker leaves a reed, which feels it."""
        self._closed.remove(sensor)
        self._feel(sensor)
        return True

    def _feel(self, sensor: Sensor) -> None:
        if self._begun:
            self._felt = self.us
            self._tell(SensorEdge(self.us, sensor, sensor in self._closed))

    # Time, and what is seen in it

    def wait(self, low: float, high: float | None = None) -> None:
        """Milliseconds, drawn between two."""
        time = low if high is None else self.rng.uniform(low, high)
        end = Us(self.us + ms(round(time)))
        while (due := self.referee.due) is not None and due < end:
            self.us = max(self.us, due)
            self._tell(Tick(self.us))
        self.us = end
        self._tell(Tick(end))

    def press(self, press: Press = Press.SHORT) -> None:
        self._pressed = self.us
        self._tell(Button(self.us, press))
        self.wait(300, 600)

    def choose(self, text: str) -> None:
        """Tap one of the plays that are asked about."""
        self._tell(Tap(self.us, Act.CHOOSE, text))
        self.wait(300, 600)

    def _tell(self, event: Event) -> None:
        if not isinstance(event, Tick):
            self.lines.append(write_event(event))
        self.us, before = max(self.us, event.us), self.seen
        self.referee.handle(event)
        if isinstance(event, SensorEdge):
            return  # an edge decides nothing before it is debounced
        self.seen = self.view
        if self._begun and before.position == self.text:
            self._judge(self.seen, before.board)

    def _judge(self, view: View, before: BoardState) -> None:
        if view.position != self.text:
            self._judge_play(view)
            return
        if view.board is BoardState.CHOOSE:
            self.counts[Answered.ASKED] = 1
        if view.message.startswith("Only one checker") and self.lawful:
            self.counts[Answered.ONE_CHECKER] = 1
        if view.board in ALARMS and before not in ALARMS and self.lawful:
            pressed = self._pressed > self._felt
            if self.others:
                self.counts[Answered.OTHER_HAND] = 1
            elif not pressed:
                self.counts[Answered.WRONG_AT_REST] = 1
            elif self.made:
                self.counts[Answered.WRONG_AT_PRESS] = 1

    def judge_rest(self) -> None:
        """What is said when the hands have left the board for longer than the grace."""
        if (
            self.us - self._felt >= ms(RESTED_MS)
            and self.view.board in ALARMS
            and not self.accepted
        ):
            self.counts[Answered.WRONG_AT_REST] = 1

    def _judge_play(self, view: View) -> None:
        if not self.made:
            self.counts[Answered.TAKEN_EARLY] = 1
        if view.position != self._meant:
            self.counts[Answered.WRONG_PLAY] = 1

    # What hands do

    def lift(self, spot: Spot, side: Side | None = None) -> tuple[Piece, Sensor | None]:
        """The topmost piece of a spot, or a side's."""
        pieces = self.checkers.pieces(spot)
        own = [piece for piece in pieces if side in (None, piece.side)]
        piece = max(reversed(own), key=lambda piece: piece.height)
        place = self.checkers.places(spot, piece)[-1]
        self.checkers.lift(self.us, spot, piece, place)
        return piece, place

    def drop(self, spot: Spot, piece: Piece) -> None:
        free = self.checkers.free(spot)
        self.checkers.drop(self.us, spot, piece, free[0] if free else None)

    def touch(self, spot: Spot, low: float = 150, high: float = 900) -> None:
        """Lift the topmost checker and put it back where it lay."""
        piece, place = self.lift(spot)
        self.wait(low, high)
        self.checkers.drop(self.us, spot, piece, place)

    def touchable(self, side: Side | None, but: Sequence[Spot] = ()) -> list[Spot]:
        """Where a reed feels the topmost checker, which is this side's."""
        found = []
        for spot in self.game.spots:
            pieces = self.checkers.pieces(spot)
            if spot in but or not pieces or not self.checkers.places_of(spot):
                continue
            if side in (None, pieces[-1].side) and len(pieces) <= len(
                self.checkers.places_of(spot)
            ):
                found.append(spot)
        return found


def _box_of(checkers: LyingCheckers, piece: Piece) -> Spot:
    return next(
        spot
        for spot in checkers.spots
        if spot.kind is SpotKind.BOX and spot.side is piece.side and piece in checkers.pieces(spot)
    )


Doing = Callable[[], None]


class PlayByHand:
    """One play as the hands make it.

    `air` is done with the checker of the leg `at` in the hand, `rest` after that leg, unless it is
    the last; `astray` is where the hitter of that leg is set down first.
    """

    def __init__(
        self,
        table: TrueTable,
        *,
        at: Callable[[Sequence[HandLeg]], int] | None = None,
        air: Doing | None = None,
        rest: Doing | None = None,
        astray: bool = False,
    ) -> None:
        self._table, self._rng = table, table.rng
        game, (position, roll, play) = table.game, table.case
        moves = game.moves(position, play)
        self._victims = dict(victims_of(game, position, moves))
        ways = entering_first(game, position, ways_of(game, position, roll, moves, self._rng))
        self.legs: list[HandLeg] = []
        left = set(self._victims)
        for way in ways:
            passed = tuple(way.passed)
            for origin, target in pairwise((way.origin, *way.stops)):
                hits = tuple(spot for spot in (*passed, target) if spot in left)
                left -= set(hits)
                passed = ()
                self.legs.append(HandLeg(origin, target, hits))
        self._at = at(self.legs) if at else self._rng.randrange(len(self.legs))
        self._air, self._rest, self._astray = air, rest, astray

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Every spot that the play touches."""
        return tuple(spot for leg in self.legs for spot in (leg.origin, leg.target, *leg.hits))

    def make(self) -> None:
        for number, leg in enumerate(self.legs):
            last = number == len(self.legs) - 1
            self._go(leg, here=number == self._at, last=last)
            if not last:
                self._table.wait(250, 900)
            if number == self._at and self._rest is not None and not last:
                self._rest()

    def _go(self, leg: HandLeg, *, here: bool, last: bool) -> None:
        table = self._table
        victims: list[tuple[Spot, Piece]] = []

        def clear() -> None:
            for spot in leg.hits:
                if spot not in {taken for taken, _ in victims}:
                    victims.append((spot, table.lift(spot, table.mover.other)[0]))
                    table.wait(120, 500)

        if leg.hits and self._rng.random() < 0.5:
            clear()
        piece, _ = table.lift(leg.origin, self._side_on(leg.origin))
        table.wait(150, 900)
        if here and self._air is not None:
            self._air()
        if here and self._astray:
            if self._rng.random() < 0.6:
                clear()
            self._go_astray(leg, piece)
        clear()
        table.made = last and not victims
        table.drop(leg.target, piece)
        for spot, victim in victims:
            table.wait(100, 700)
            table.made = last and spot == victims[-1][0]
            table.drop(self._victims[spot], victim)

    def _side_on(self, spot: Spot) -> Side | None:
        """The mover's checker where he has one there; a shot takes the enemy's."""
        there = {piece.side for piece in self._table.checkers.pieces(spot)}
        return self._table.mover if self._table.mover in there else None

    def _go_astray(self, leg: HandLeg, piece: Piece) -> None:
        """Set down where it may not lie, until that is told or nobody says so."""
        table = self._table
        spot = self._rng.choice(wrong_spots(table, leg))
        table.lawful = False
        table.drop(spot, piece)
        table.wait(1800, 3500)
        table.lift(spot, piece.side)
        table.wait(120, 800)
        table.lawful = True


def wrong_spots(table: TrueTable, leg: HandLeg) -> list[Spot]:
    """Empty places with a reed where a checker from there may never land in this turn."""
    game, (position, roll, _) = table.game, table.case
    legal = {
        move.target for play in game.plays(position, roll) for move in game.moves(position, play)
    }
    for part in game.midways(position, roll):
        legal |= {move.target for move in part.moves}
    return [
        spot
        for spot in game.spots
        if table.checkers.places_of(spot)
        and not table.checkers.pieces(spot)
        and spot not in (*legal, leg.origin, *leg.hits)
        and spot.kind in (SpotKind.POINT, SpotKind.CROSSING)
    ]


# Handing over


def hand_over(table: TrueTable) -> None:
    """The mover hands over the play that lies there, with the button alone if that is possible."""
    table.judge_rest()
    for number in range(TRIES):
        if number:
            _make_again(table)
        for press in range(1 if number else WITHIN):
            table.press()
            if table.accepted or _is_asked(table):
                table.counts[_when(table, number, press)] += 1
                _answer(table)
                return
            table.wait(READING_MS, 2 * READING_MS)
            if table.accepted or _is_asked(table):  # the press had waited for the hand
                table.counts[_when(table, number, press + 1)] += 1
                _answer(table)
                return
            if table.view.board is BoardState.CHOOSE:
                table.counts[Answered.ASKED_OTHER] = 1
                break  # nobody presses for yes to another play
    table.counts[Answered.NEVER] += 1


def _when(table: TrueTable, number: int, press: int) -> Answered:
    if number:
        return Answered.LATER
    return Answered.AT_ONCE if table.accepted and not press else Answered.SOON


def _is_asked(table: TrueTable) -> bool:
    text = table.game.write_play(table.case.position, table.case.play)
    return table.view.board is BoardState.CHOOSE and text in table.view.choices


def _answer(table: TrueTable) -> None:
    """Short presses step to the play that is asked about, the last one takes it."""
    text = table.game.write_play(table.case.position, table.case.play)
    if not table.accepted:
        table.wait(READING_MS, 2 * READING_MS)
        choices = table.view.choices
        for _ in range(choices.index(text) if text in choices else 0):
            table.press()
            table.wait(READING_MS)
        if not table.accepted:
            table.press(Press.SHORT if len(choices) == 1 else Press.LONG)
    if not table.accepted:
        table.counts[Answered.TAPPED] += 1
        if _is_asked(table):
            table.choose(text)
            table.press()


def _make_again(table: TrueTable) -> None:
    """Lift a checker that the play has moved and set it down where it lay."""
    game, (position, _, play) = table.game, table.case
    moves = game.moves(position, play)
    hits = [move.target for move in moves if move.hit]
    there = [*hits, *(move.target for move in moves)]
    spots = [s for s in there if table.checkers.places_of(s) and table.checkers.pieces(s)]
    if spots:
        table.touch(spots[0])
    table.wait(RESTED_MS, 2000)


def rest(table: TrueTable) -> None:
    """Mostly the mover looks at the screen for a while; else he presses soon."""
    if table.rng.random() < 0.7:
        table.wait(RESTED_MS, 3000)
    else:
        table.wait(200, 900)


# The kinds


class Habit(NamedTuple):
    """What one kind of trial needs of a position, and what the hands do there.

    `does` returns False where the position does not serve.
    """

    says: str
    wants: Callable[[Board, AnyGame, Any, Roll, random.Random], Any]
    does: Callable[[TrueTable], bool]


def _hidden_hit(board: Board, game: AnyGame, position: Any, roll: Roll, rng: random.Random) -> Any:
    """A play with a hit after which the sensors show what they did before."""
    before = board.closed_by(game.checkers_at(position))
    hits = [
        play
        for play in game.plays(position, roll)
        if _hits(game, position, play)
        and board.closed_by(game.checkers_at(game.after(position, play))) == before
    ]
    return rng.choice(hits) if hits else None


def _any_hit(_: Board, game: AnyGame, position: Any, roll: Roll, rng: random.Random) -> Any:
    hits = [play for play in game.plays(position, roll) if _hits(game, position, play)]
    return rng.choice(hits) if hits else None


def _hits(game: AnyGame, position: Any, play: Any) -> bool:
    return any(move.hit or move.pins for move in game.moves(position, play))


def _bearing_off(_: Board, game: AnyGame, position: Any, roll: Roll, rng: random.Random) -> Any:
    """A play with a checker that arrives; the play does not end the game."""
    plays = [
        play
        for play in game.plays(position, roll)
        if any(move.target.kind in ARRIVED for move in game.moves(position, play))
        and game.outcome(game.after(position, play)) is None
        and game.hit_to(game.mover(position)).kind is not SpotKind.OFF
    ]
    return rng.choice(plays) if plays else None


def _any_play(_: Board, game: AnyGame, position: Any, roll: Roll, rng: random.Random) -> Any:
    """Any play that moves something and does not end the game."""
    plays = [
        play
        for play in game.plays(position, roll)
        if game.moves(position, play) and game.outcome(game.after(position, play)) is None
    ]
    return rng.choice(plays) if plays else None


def _hit_leg(legs: Sequence[HandLeg]) -> int:
    return next((n for n, leg in enumerate(legs) if leg.hits), len(legs) - 1)


def _off_leg(legs: Sequence[HandLeg]) -> int:
    return next(n for n, leg in enumerate(legs) if leg.target.kind in ARRIVED)


def _touch_press(table: TrueTable) -> bool:
    """A checker is touched, the button pressed too early; then the play is made."""
    spots = table.touchable(table.mover) or table.touchable(None)
    if not spots:
        return False
    table.touch(table.rng.choice(spots))
    table.wait(300, 2500)
    table.press()
    table.wait(800, 2500)
    PlayByHand(table).make()
    rest(table)
    hand_over(table)
    return True


def _corrected(table: TrueTable) -> bool:
    making = PlayByHand(table, at=_hit_leg, astray=True)
    if not wrong_spots(table, making.legs[_hit_leg(making.legs)]):
        return False
    making.make()
    rest(table)
    hand_over(table)
    return True


def _hover(table: TrueTable, when: str) -> bool:
    """A checker is touched, once or twice, before, while or after the play is made."""

    def touch(but: Sequence[Spot] = ()) -> None:
        for _ in range(table.rng.choice((1, 1, 2))):
            if spots := table.touchable(None, but):
                table.touch(table.rng.choice(spots))
                table.wait(120, 900)

    if when == "before":
        touch()
        table.wait(150, 2500)
    air = partial(touch, PlayByHand(table).spots) if when == "during" else None
    PlayByHand(table, at=_hit_leg, air=air).make()
    if when == "after":
        table.wait(150, 2500)
        touch()
    rest(table)
    hand_over(table)
    return True


def _straighten(table: TrueTable, when: str) -> bool:
    """Somebody sets another checker straight, once or twice, by a bearing off."""
    side = table.rng.choice((table.mover, table.mover.other, table.mover.other))
    times = table.rng.choice((1, 1, 1, 2))

    def touch() -> None:
        for _ in range(times):
            table.wait(100, 600)
            if spots := table.touchable(side, making.spots):
                table.touch(table.rng.choice(spots))
        table.wait(100, 600)

    making = PlayByHand(table, at=_off_leg, air=touch if when == "during" else None)
    if not table.touchable(side, making.spots):
        return False
    making.make()
    if when == "after":
        table.wait(0, 120)
        touch()
    if when == "before-press":
        table.wait(RESTED_MS, 2500)
        touch()
    table.wait(RESTED_MS, 3000)
    hand_over(table)
    return True


def _press_early(table: TrueTable, *, air: bool) -> bool:
    """A press with a checker in the air, or with half of the turn at rest; then it is finished."""

    def press() -> None:
        table.wait(0 if air else 100, 1500)
        table.press()
        table.wait(0, 1200)

    def halfway(legs: Sequence[HandLeg]) -> int:
        return table.rng.randrange(max(1, len(legs) - (not air)))

    making = PlayByHand(table, at=halfway, air=press if air else None, rest=None if air else press)
    if not air and len(making.legs) < 2:
        return False
    making.make()
    if table.accepted:
        table.counts[Answered.AT_ONCE] += not table.counts[Answered.WRONG_PLAY]
        return True
    rest(table)
    hand_over(table)
    return True


def _opponent_early(table: TrueTable) -> bool:
    """The opponent lifts a checker of his before the play that is shown is handed over."""
    making = PlayByHand(table)
    making.make()
    table.wait(400, 2500)
    spots = table.touchable(table.mover.other, [leg.target for leg in making.legs])
    if not spots:
        return False
    spot = table.rng.choice(spots)
    piece, place = table.lift(spot)
    table.others = True
    table.wait(200, 2500)
    table.press()
    if table.accepted:
        table.counts[Answered.AT_ONCE] += 1
        return True
    table.wait(200, 2500)
    table.checkers.drop(table.us, spot, piece, place)
    table.wait(20)
    table.others = False
    rest(table)
    hand_over(table)
    return True


KINDS = {
    "touch-press-hidden": Habit(
        "a touch, a press, then a hit no sensor shows", _hidden_hit, _touch_press
    ),
    "touch-press": Habit("a touch, a press, then a hit", _any_hit, _touch_press),
    "corrected-hidden": Habit(
        "a hit no sensor shows, first set down wrongly", _hidden_hit, _corrected
    ),
    "corrected": Habit("a hit, first set down wrongly", _any_hit, _corrected),
    **{
        f"hover-{when}": Habit(f"a touch {when} a hit", _any_hit, partial(_hover, when=when))
        for when in ("before", "during", "after")
    },
    **{
        f"off-{when}": Habit(
            f"a checker straightened {when} a bearing off",
            _bearing_off,
            partial(_straighten, when=when),
        )
        for when in ("during", "after", "before-press")
    },
    "air-press": Habit(
        "a press with a checker in the air", _any_play, partial(_press_early, air=True)
    ),
    "half-press": Habit("a press after half a turn", _any_play, partial(_press_early, air=False)),
    "opponent-early": Habit("the opponent's hand before the press", _any_play, _opponent_early),
}


def drawn(board: Board, game: AnyGame, kind: Habit, rng: random.Random) -> Iterator[MeantPlay]:
    """Positions of random games that serve a kind; it ends where the board seems to have none."""
    vain = 0
    while True:
        position = game.start(rng.choice(tuple(Side)))
        while game.outcome(position) is None:
            roll = Roll.of(*(rng.randint(1, 6) for _ in range(game.dice)))
            plays = game.plays(position, roll)
            play = kind.wants(board, game, position, roll, rng)
            if play is not None:
                vain = 0
                yield MeantPlay(position, roll, play)
            vain += 1
            if vain > MOST_DRAWN:
                return
            position = game.after(position, choose(game, position, plays, rng))


class Failure(NamedTuple):
    """What went wrong in one trial, and its events."""

    what: Answered
    events: tuple[str, ...]


class Tried(NamedTuple):
    """What came of all trials of one kind on a board, and the events of those that failed."""

    counts: Counter[Answered]
    failed: tuple[Failure, ...]


def trials(board: Board, game: AnyGame, kind: str, positions: int, seed: str) -> Tried:
    """So many trials; fewer where the board has no such positions."""
    rng = random.Random(f"{seed} {board.name} {game.name} {kind}")
    counts: Counter[Answered] = Counter()
    failed: list[Failure] = []
    for number, case in enumerate(drawn(board, game, KINDS[kind], rng), start=1):
        table = TrueTable(board, game, case, rng)
        if KINDS[kind].does(table):
            counts[Answered.TRIALS] += 1
            counts.update(table.counts)
            if worst := [what for what in FAILURES if table.counts[what]]:
                failed.append(Failure(worst[0], table.events))
        if counts[Answered.TRIALS] >= positions or number >= FIT * (
            counts[Answered.TRIALS] + positions
        ):
            break
    return Tried(counts, tuple(failed))


def run(argv: list[str], games: Compendium) -> int:
    """Print a row a board, game and kind; fails if a play was refused, or a wrong one counted."""
    args = _parser().parse_args(argv)
    chosen = [
        (board, game, kind)
        for board in (load_board(name, games.rules) for name in _given(args.board, board_names()))
        for game in board.games.values()
        for kind in KINDS
        if args.game in (None, game.name) and args.kind in (None, kind)
    ]
    rows: list[tuple[str, ...]] = [("board", "game", "kind", *(what.value for what in Answered))]
    total: Counter[Answered] = Counter()
    with Progress(len(chosen), "kinds") as progress:
        for number, (board, game, kind) in enumerate(chosen):
            progress.tell(number)
            counts, failed = trials(board, game, kind, args.positions, args.seed)
            if counts[Answered.TRIALS]:
                figures = (str(counts[what]) for what in Answered)
                rows.append((board.name, game.name, kind, *figures))
            total.update(counts)
            if args.folder:
                _write(Path(args.folder), f"{board.name}-{game.name}-{kind}", failed)
    print(columns([*rows, ("all", "", "", *(str(total[what]) for what in Answered))]))
    return Status.FAILED if any(total[what] for what in FAILURES) else Status.DONE


def _given(name: str | None, names: Sequence[str]) -> Sequence[str]:
    return names if name is None else (name,)


def _write(folder: Path, name: str, failed: Sequence[Failure]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    worst = sorted(failed, key=lambda failure: FAILURES.index(failure.what))
    for number, (what, events) in enumerate(worst[:MOST_FILES], start=1):
        file = folder / f"{name}-{number}-{what.value.replace(' ', '-')}.jsonl"
        file.write_text("\n".join(events) + "\n", encoding="utf-8")


def _parser() -> Parser:
    rows = [f"{name}: {kind.says}" for name, kind in KINDS.items()]
    columns_ = [f"{what.value}: {says}" for what, says in EXPLAINED.items()]
    parser = Parser(
        "handovers",
        "Check whether every legal play can be handed over, whatever else the hands did.",
        program=PROGRAM,
    )
    parser.epilog = "kinds: " + "; ".join(rows) + ". Columns: " + "; ".join(columns_) + "."
    parser.add_argument("--board", metavar="NAME", help="name or .toml file; all boards")
    parser.add_argument("--game", metavar="NAME", help="all games of the board")
    parser.add_argument("--kind", choices=KINDS, help="all kinds")
    parser.add_argument(
        "--positions", type=whole(1, MOST_POSITIONS), default=120, metavar="N", help="default 120"
    )
    parser.add_argument("--seed", default="1", metavar="S", help="same seed, same positions")
    parser.add_argument("--folder", metavar="DIR", help="where events of failures are written")
    return parser
