"""Simulated reeds, their faults, and the checkers that close them.

Magnets come and go, and mock pins bounce as real ones do. A closed reed connects its pin to ground
against the pull-up, so closed is low. Edges are scheduled on an agenda in virtual time.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, Protocol, TypeAlias

from pi_app.base.errors import GivenError
from pi_app.base.microseconds import Us, ms, write_ms
from pi_app.base.values import dataclass
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Checkers, Side, Spot, SpotKind
from pi_app.sensing.description import Board, Cell, Sensor
from pi_app.sensing.noise import PUBLISHED, Noise, NoiseModel
from pi_app.words.texts import quoted


class FaultsError(GivenError, ValueError):
    """The text names no valid faults. The message names the word and the valid ones."""


@dataclass(frozen=True, slots=True)
class Faults:
    """How reeds fail.

    `bounce_ms` and `chatter_ms` are the longest bursts of edges when a checker is put or lifted,
    and when it is slid or rocked. `miss` is the share of placed checkers that a reed does not feel
    until they are nudged; a weak reed misses every third. `linger` is the share of lifted checkers
    whose reed stays closed: for `linger_ms` at most, or until it is nudged or another checker comes
    and goes. Dead reeds never close, stuck ones never open.
    """

    bounce_ms: float = 0.0
    chatter_ms: float = 0.0
    miss: float = 0.0
    linger: float = 0.0
    linger_ms: float = 0.0
    dead: frozenset[Sensor] = frozenset()
    stuck: frozenset[Sensor] = frozenset()
    weak: frozenset[Sensor] = frozenset()

    def miss_rate(self, sensor: Sensor) -> float:
        return max(self.miss, WEAK_MISS) if sensor in self.weak else self.miss

    @property
    def broken(self) -> frozenset[Sensor]:
        return self.dead | self.stuck


WEAK_MISS = 1 / 3
NONE = Faults()


def usual(noise: NoiseModel) -> Faults:
    return Faults(
        bounce_ms=write_ms(noise.longest(Noise.BOUNCE)),
        chatter_ms=write_ms(noise.longest(Noise.ROCK)),
        miss=noise.share(Noise.MISSED_CLOSING),
        linger=noise.share(Noise.MISSED_OPENING),
        linger_ms=write_ms(noise.longest(Noise.MISSED_OPENING)),
    )


DEFAULT = usual(PUBLISHED)

SPEC = (
    "default, none, miss=SHARE, linger=SHARE, bounce=MS, chatter=MS, "
    "dead=SENSOR, stuck=SENSOR, weak=SENSOR, comma-joined"
)


def read_faults(text: str, board: Board, noise: NoiseModel = PUBLISHED) -> Faults:
    """Read "default,dead=4". Raises FaultsError for an unknown word, number or sensor.

    By default reeds are as bad as the noise model says.
    """
    faults = NONE
    for word in text.split(","):
        faults = _worse(faults, word.strip(), board, noise)
    return faults


def _worse(faults: Faults, word: str, board: Board, noise: NoiseModel) -> Faults:
    match word.partition("="):
        case "none", "", _:
            faults = NONE
        case "default", "", _:
            faults = usual(noise)
        case "dead", "=", name:
            faults = replace(faults, dead=faults.dead | _sensor(word, name, board))
        case "stuck", "=", name:
            faults = replace(faults, stuck=faults.stuck | _sensor(word, name, board))
        case "weak", "=", name:
            faults = replace(faults, weak=faults.weak | _sensor(word, name, board))
        case "miss", "=", share:
            faults = replace(faults, miss=_number(word, share, 1.0))
        case "linger", "=", share:
            longest = write_ms(noise.longest(Noise.MISSED_OPENING))
            faults = replace(faults, linger=_number(word, share, 1.0), linger_ms=longest)
        case "bounce", "=", time:
            faults = replace(faults, bounce_ms=_number(word, time, 50.0))
        case "chatter", "=", time:
            faults = replace(faults, chatter_ms=_number(word, time, 500.0))
        case _:
            raise FaultsError(f"fault {quoted(word)} is not known; write: {SPEC}")
    return faults


def _sensor(word: str, value: str, board: Board) -> frozenset[Sensor]:
    if value not in board.sensors:
        raise FaultsError(
            f"fault {quoted(word)}: the board has the sensors {', '.join(board.sensors)}"
        )
    return frozenset({Sensor(value)})


def _number(word: str, value: str, most: float) -> float:
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0 <= number <= most:
        raise FaultsError(f"fault {quoted(word)}: write a number from 0 to {most:g}")
    return number


FINEST = ms(0.1)
"""The least time between two edges of a burst."""
QUICK, LAZY = ms(1.5), ms(6)
"""The longest pause between two edges of a bounce, and of chatter."""
ROCKED = ms(20)
LINGERS = ms(100)
"""The shortest time that a reed stays closed after its checker."""


class Agenda:
    def __init__(self) -> None:
        self._heap: list[tuple[Us, int, Callable[[], None]]] = []
        self._number = count()

    @property
    def due(self) -> Us | None:
        return self._heap[0][0] if self._heap else None

    def at(self, us: Us, action: Callable[[], None]) -> None:
        """Schedule an action. Actions for the same time keep their order."""
        heapq.heappush(self._heap, (us, next(self._number), action))

    def run(self, us: Us) -> None:
        while self._heap and self._heap[0][0] <= us:
            heapq.heappop(self._heap)[2]()


Drive: TypeAlias = Callable[[bool], None]
"""Closes or opens a contact at once."""


DriveCell: TypeAlias = Callable[[Cell, bool], None]
"""Closes or opens the contact of a scanner's cell at once."""


def _drive_pin(pin: Any, closed: bool) -> None:
    (pin.drive_low if closed else pin.drive_high)()
    pin.clear_states()  # the mock keeps a history of every edge


class Contacts:
    """Bouncing contacts whose edges are scheduled on the agenda."""

    def __init__(
        self, drives: Mapping[str, Drive], agenda: Agenda, bounce: Us, rng: random.Random
    ) -> None:
        self._drives = drives
        self._agenda = agenda
        self._bounce = bounce
        self._rng = rng
        self._bursts = dict.fromkeys(drives, 0)

    def switch(self, us: Us, name: str, closed: bool, longest: Us | None = None) -> None:
        """Schedule a bounce that ends in `closed`; it replaces a pending one."""
        longest = self._bounce if longest is None else longest
        pause = QUICK if longest <= self._bounce else LAZY
        self._bursts[name] += 1
        self._plan(us, name, closed)
        end = us + self._between(0, longest)
        at = us + self._between(FINEST, pause)
        while at < end:
            self._plan(Us(at), name, not closed)
            self._plan(Us(at + self._between(FINEST, pause)), name, closed)
            at += self._between(pause, 2 * pause)

    def dip(self, us: Us, name: str, closed: bool, length: Us) -> None:
        """Leave the state `closed` for a moment, unless another change comes first."""
        self.switch(us, name, not closed)
        burst, end = self._bursts[name], Us(us + length)

        def back() -> None:
            if self._bursts[name] == burst:
                self.switch(end, name, closed)

        self._agenda.at(end, back)

    def drive(self, name: str, closed: bool) -> None:
        self._drives[name](closed)

    def _between(self, low: int, high: int) -> int:
        return round(self._rng.uniform(low, high))

    def _plan(self, us: Us, name: str, closed: bool) -> None:
        burst = self._bursts[name]

        def edge() -> None:
            if self._bursts[name] == burst:
                self.drive(name, closed)

        self._agenda.at(us, edge)


class SimulatedReeds:
    """The reeds and buttons of a board on mock pins, and the reeds on a scanner's cells.

    `agenda` has their future edges. A board without a scanner needs no `drive_cell`. Create it
    after the board's inputs were opened, because opening pulls every pin up.
    """

    def __init__(
        self,
        board: Board,
        factory: Any,
        faults: Faults,
        rng: random.Random,
        drive_cell: DriveCell | None = None,
    ) -> None:
        self._buttons = {f"button {button.pin}": button for button in board.buttons}
        pins = [(name, button.pin) for name, button in self._buttons.items()]
        drives: dict[str, Drive] = {
            name: partial(_drive_pin, factory.pin(pin))
            for name, pin in (*board.pins.items(), *pins)
        }
        if drive_cell is not None:
            drives |= {name: partial(drive_cell, cell) for name, cell in board.cells.items()}
        self._sensors = board.sensors
        self.agenda = Agenda()
        self._contacts = Contacts(drives, self.agenda, ms(faults.bounce_ms), rng)
        self._faults = faults
        self._rng = rng
        self._magnets: set[Sensor] = set()
        self._missed: set[Sensor] = set()
        self._lingering: dict[Sensor, Us] = {}
        for sensor in sorted(faults.stuck):
            self._contacts.drive(sensor, True)

    @property
    def lying(self) -> tuple[Sensor, ...]:
        """The sensors that disagree with the checkers on them, in the board's order."""
        return tuple(s for s in self._sensors if self._contact(s) is not (s in self._magnets))

    @property
    def closed(self) -> frozenset[Sensor]:
        """The sensors whose contact is closed after bouncing."""
        return frozenset(sensor for sensor in self._sensors if self._contact(sensor))

    @property
    def any_lying(self) -> bool:
        if not self._faults.broken:
            return bool(self._missed or self._lingering)
        return bool(self.lying)

    def put(self, us: Us, sensor: Sensor, *, slid: bool = False) -> None:
        before = self._contact(sensor)
        self._magnets.add(sensor)
        self._lingering.pop(sensor, None)
        if self._rng.random() < self._faults.miss_rate(sensor):
            self._missed.add(sensor)
        self._settle(us, sensor, before, slid)

    def take(self, us: Us, sensor: Sensor, *, slid: bool = False) -> bool:
        """Remove the checker. Returns whether the contact opens."""
        before = self._contact(sensor)
        self._magnets.discard(sensor)
        self._missed.discard(sensor)
        if before and self._rng.random() < self._faults.linger:
            self._linger(us, sensor)
        self._settle(us, sensor, before, slid)
        return before is not self._contact(sensor)

    def press(self, us: Us, down: bool, side: Side | None = None) -> None:
        name, *_ = (n for n, b in self._buttons.items() if side is None or b.side in (None, side))
        self._contacts.switch(us, name, down)

    def dip(self, us: Us, sensor: Sensor, length: Us) -> None:
        """Invert the contact briefly, as a passing magnet does."""
        is_free = sensor not in self._missed and sensor not in self._lingering
        if is_free and sensor not in self._faults.broken:
            self._contacts.dip(us, sensor, self._contact(sensor), length)

    def nudge(self, us: Us, sensor: Sensor) -> None:
        """Rock the checker, or tap the empty place: then the reed is right, unless it is dead,
        stuck or, perhaps, weak."""
        before = self._contact(sensor)
        self._lingering.pop(sensor, None)
        if sensor not in self._faults.weak or self._rng.random() < 0.5:
            self._missed.discard(sensor)
        if self._contact(sensor) is not before:
            self._settle(us, sensor, before, slid=True)
        elif before:
            self.dip(us, sensor, Us(round(self._rng.uniform(ms(2), ROCKED))))

    def _contact(self, sensor: Sensor) -> bool:
        if sensor in self._faults.broken:
            return sensor in self._faults.stuck
        there = sensor in self._magnets and sensor not in self._missed
        return there or sensor in self._lingering

    def _linger(self, us: Us, sensor: Sensor) -> None:
        end = Us(us + round(self._rng.uniform(LINGERS, ms(self._faults.linger_ms))))
        self._lingering[sensor] = end

        def let_go() -> None:
            if self._lingering.get(sensor) == end:
                del self._lingering[sensor]
                self._settle(end, sensor, before=True, slid=False)

        self.agenda.at(end, let_go)

    def _settle(self, us: Us, sensor: Sensor, before: bool, slid: bool) -> None:
        contact = self._contact(sensor)
        if contact is not before:
            self._contacts.switch(
                us, sensor, contact, ms(self._faults.chatter_ms) if slid else None
            )


@dataclass(frozen=True, slots=True)
class Piece:
    """A checker, or a tall piece that counts as several."""

    side: Side
    height: int = 1


Piled: TypeAlias = Mapping[Spot, tuple[Piece, ...]]


class FeltReeds(Protocol):
    """The reeds that checkers close and open; a checker that is `slid` makes more edges."""

    @property
    def closed(self) -> frozenset[Sensor]:
        """The sensors whose contact is closed."""

    def put(self, us: Us, sensor: Sensor, *, slid: bool = False) -> None:
        """Put a checker on the sensor."""

    def take(self, us: Us, sensor: Sensor, *, slid: bool = False) -> bool:
        """Remove a checker from the sensor. Return whether the contact opens."""


@dataclass(frozen=True, slots=True)
class _Lying:
    """A piece and its place, by its reed's name; None for stacked checkers and on trays."""

    piece: Piece
    place: Sensor | None


def box(side: Side) -> Spot:
    """The place of a side's checkers beside the board before the first game."""
    return Spot(SpotKind.BOX, side=side)


class LyingCheckers:
    """The true checkers on a simulated board, without any rules. A place has its reed's name. Once
    every place of a spot is taken, checkers are stacked."""

    def __init__(self, board: Board, game: AnyGame, reeds: FeltReeds) -> None:
        self._reeds = reeds
        self._tall = game.tallest
        self._places: Mapping[Spot, tuple[Sensor, ...]] = {
            place.spot: tuple(reed.name for reed in place.reeds) for place in board.places
        }
        self._reed = {reed.name: reed for reed in board.reeds}
        self._groups = {
            spot: tuple(zip(*(self._reed[place].sensors for place in places), strict=True))
            for spot, places in self._places.items()
        }
        self.tells_sides = board.tells_sides
        self._lying: dict[Spot, list[_Lying]] = {spot: [] for spot in (*game.spots, *self._places)}
        for side in Side:
            tall = [Piece(side, self._tall)] if self._tall > 1 else []
            flat = [Piece(side)] * (game.checkers_a_side - sum(piece.height for piece in tall))
            self._lying[box(side)] = [_Lying(piece, None) for piece in (*flat, *tall)]

    def at(self, spot: Spot) -> tuple[Side, ...]:
        """The checkers of a spot as games count them, lowest first."""
        return tuple(p.side for p in self.pieces(spot) for _ in range(p.height))

    def pieces(self, spot: Spot) -> tuple[Piece, ...]:
        return tuple(lying.piece for lying in self._lying[spot])

    @property
    def spots(self) -> tuple[Spot, ...]:
        return tuple(self._lying)

    @property
    def closed(self) -> frozenset[Sensor]:
        """The sensors that the checkers close unless they fail."""
        return frozenset(self.closed_by(piece, place) for place, piece in self.lying_on.items())

    @property
    def felt(self) -> frozenset[Sensor]:
        """The sensors that feel a checker or stay closed: all that the program can know."""
        return self._reeds.closed

    def places_of(self, spot: Spot) -> tuple[Sensor, ...]:
        """The places of a spot; none of a tray."""
        return self._places.get(spot, ())

    def sensors_of(self, spot: Spot) -> tuple[Sensor, ...]:
        """The sensors of a spot; none of a tray."""
        return tuple(sensor for group in self.groups(spot) for sensor in group)

    def groups(self, spot: Spot) -> tuple[tuple[Sensor, ...], ...]:
        """The sensors of a spot, one for each place; each side's separately if they tell the sides
        apart."""
        return self._groups.get(spot, ())

    def counts(self, spot: Spot, sides: Sequence[Side]) -> tuple[int, ...]:
        """Return how many sensors of each group of a spot are closed by these pieces, given from
        the lowest on."""
        places = self.places_of(spot)
        if not places:
            return ()
        felt = sides[: len(places)]
        return tuple(map(felt.count, Side)) if self.tells_sides else (len(felt),)

    def closed_by(self, piece: Piece, place: Sensor) -> Sensor:
        """The sensor that this piece closes on a place."""
        return self._reed[place].closed_by(piece.side)

    def free(self, spot: Spot) -> tuple[Sensor, ...]:
        """The empty places of a spot, nearest to the rail first."""
        taken = {lying.place for lying in self._lying[spot]}
        return tuple(place for place in self.places_of(spot) if place not in taken)

    def places(self, spot: Spot, piece: Piece) -> tuple[Sensor | None, ...]:
        """The places from which such a piece can be taken; stacked pieces come first."""
        lie = [lying.place for lying in self._lying[spot] if lying.piece == piece]
        return (None,) if None in lie else tuple(lie)

    @property
    def lying_on(self) -> Mapping[Sensor, Piece]:
        every = (lying for stack in self._lying.values() for lying in stack)
        return {lying.place: lying.piece for lying in every if lying.place}

    def on_top(self, spot: Spot) -> tuple[Piece, ...]:
        return tuple(lying.piece for lying in self._lying[spot] if lying.place is None)

    def layout(self, stacks: Checkers) -> Piled:
        """Convert checkers to pieces. A tall piece that is not on the board is in its box."""
        if self._tall == 1:
            return {spot: tuple(map(Piece, stack)) for spot, stack in stacks.items()}
        found = {
            spot: self._sensed(stack) for spot, stack in stacks.items() if self.places_of(spot)
        }
        standing = {piece for pieces in found.values() for piece in pieces if piece.height > 1}
        for spot in stacks.keys() - found.keys():
            found[spot] = self._boxed(stacks[spot], standing)
        return found

    def lift(
        self, us: Us, spot: Spot, piece: Piece, place: Sensor | None, *, slid: bool = False
    ) -> bool:
        """Take a piece from a place. Return whether a reed felt it. Raises ValueError if there is
        none.

        It is also True for a piece above no reed: on top of others, or on a tray.
        """
        stack = self._lying[spot]
        stack.reverse()
        try:
            stack.remove(_Lying(piece, place))
        finally:
            stack.reverse()
        return place is None or self._reeds.take(us, self.closed_by(piece, place), slid=slid)

    def drop(
        self, us: Us, spot: Spot, piece: Piece, place: Sensor | None, *, slid: bool = False
    ) -> None:
        """Put a piece on a free place, or on top of others."""
        self._lying[spot].append(_Lying(piece, place))
        if place is not None:
            self._reeds.put(us, self.closed_by(piece, place), slid=slid)

    def slip_under(self, spot: Spot) -> None:
        """Move the piece dropped last to the bottom."""
        stack = self._lying[spot]
        stack.insert(0, stack.pop())

    def _sensed(self, stack: tuple[Side, ...]) -> tuple[Piece, ...]:
        if len(stack) == self._tall:
            return (Piece(stack[0], self._tall),)
        return tuple(map(Piece, stack))

    def _boxed(self, stack: tuple[Side, ...], standing: set[Piece]) -> tuple[Piece, ...]:
        tall = [Piece(side, self._tall) for side in dict.fromkeys(stack)]
        waiting = [piece for piece in tall if piece not in standing]
        flat = len(stack) - self._tall * len(waiting)
        return (*(Piece(side) for side in stack[:flat]), *waiting)
