"""How hands handle checkers: scripts that lift, carry, slide, brush, put back and think.

A script is a generator that says how long it waits; between two waits it acts on
the true checkers.  It knows nothing of what the product makes of it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log10
from typing import NamedTuple, TypeAlias, TypeVar

from lab.observability import Held, Trace
from lab.plays import Way
from pi_app.base.microseconds import Us, ms
from pi_app.rules.terms import Side, Spot
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.noise import MOST, Noise, NoiseModel
from pi_app.simulator.reeds import LyingCheckers, Piece, Piled, SimulatedReeds, box

T = TypeVar("T")

Script: TypeAlias = Generator[Us, None, None]

SWAP_MS = 120.0
"""The fastest exchange on a spot, except for FAST."""
REACH_MS = 350.0
"""The fastest release and next lift by one hand."""
WIDE_MM = 15.0
"""A checker that is slid closes the reeds so near to its way."""
NEAR_MM = 45.0
"""Between places nearer than this a checker is pushed rather than carried."""
MOST_PASSED = 4


@dataclass(frozen=True, slots=True)
class Habits:
    """How hands carry checkers, as shares from 0 to 1; noise is in the noise model.

    `think`: a checker is held for seconds. `fast`: it is held as briefly as possible. `gap`: it
    goes to another free place than the first. `outermost`: it is taken from the last place of its
    spot. `speed`: a factor. `skew`: above 1 short times are commoner than long ones.
    """

    think: float = 0.06
    fast: float = 0.25
    gap: float = 0.15
    outermost: float = 0.7
    speed: float = 1.0
    skew: float = 1.0


KEPT = (Noise.BOUNCE, Noise.DEAD, Noise.STUCK, Noise.CHATTER)
"""Noise of parts instead of hands."""


def draw_habits(noise: NoiseModel, rng: random.Random) -> tuple[Habits, NoiseModel]:
    """Random habits: speed, and the rate of each kind of noise.

    Each rate is drawn between a tenth and thirty times of its usual one, but at most one half.
    """
    shares = {
        what: min(rate.share * 10 ** rng.uniform(-1, log10(30)), MOST)
        for what, rate in noise.rates.items()
        if what not in KEPT
    }
    return Habits(speed=2 ** rng.uniform(-1, 1)), noise.but(shares)


class Rest(NamedTuple):
    """The last time a carried checker rested on its way."""

    since: Us
    until: Us


class Hands:
    """A pair of hands over the checkers.

    `trace` holds their acts since the position was last accepted, `drawn` counts each kind of
    noise.
    """

    def __init__(
        self,
        board: Board,
        checkers: LyingCheckers,
        reeds: SimulatedReeds,
        rng: random.Random,
        clock: Callable[[], Us],
        habits: Habits,
        noise: NoiseModel,
    ) -> None:
        self.checkers, self._reeds = checkers, reeds
        self._rng, self._clock, self._habits, self._noise = rng, clock, habits, noise
        self._reed = {reed.name: reed for reed in board.reeds}
        self.trace = Trace()
        self.rest = Rest(Us(0), Us(0))
        self.drawn: Counter[Noise] = Counter()

    def chance(self, share: float) -> bool:
        """True so often."""
        return self._rng.random() < share

    def does(self, share: float) -> bool:
        """True so often; nothing is drawn for what is never done."""
        return bool(share) and self.chance(share)

    def happens(self, what: Noise) -> bool:
        """True as often as the noise model says."""
        happens = self.chance(self._noise.share(what))
        self.drawn[what] += happens
        return happens

    def which(self, *kinds: Noise) -> Noise | None:
        """At most one of some kinds, each as often as the noise model says."""
        drawn = self._rng.random()
        for what in kinds:
            drawn -= self._noise.share(what)
            if drawn < 0:
                self.drawn[what] += 1
                return what
        return None

    def between(self, low: float, high: float) -> Us:
        """A wait of some milliseconds."""
        time = low + (high - low) * self._rng.random() ** self._habits.skew
        return ms(time / self._habits.speed)

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """The same in any order."""
        return self._rng.sample(things, len(things))

    def lift(self, spot: Spot, side: Side | None = None) -> Held:
        """Take a checker of a side, or what came last; of two kinds the taller."""
        found = self.checkers.pieces(spot)
        own = [piece for piece in found if piece.side is side]
        piece = max(own, key=lambda piece: piece.height) if own else found[-1]
        return self.take(spot, piece)

    def take(self, spot: Spot, piece: Piece) -> Held:
        """Take such a piece, mostly from the outermost place it lies on."""
        places = self.checkers.places(spot, piece)
        last = self.chance(self._habits.outermost) if len(places) > 1 else True
        place = places[-1] if last else self._rng.choice(places)
        held = Held(piece, spot, place)
        self.trace.lift(held, felt=self.checkers.lift(self._clock(), spot, piece, place))
        return held

    def drop(self, spot: Spot, held: Held, *, slid: bool = False) -> None:
        """Put a piece down, mostly on the first free place."""
        place = self._free_place(spot)
        self.trace.drop(held, spot, felt=place is not None)
        self.checkers.drop(self._clock(), spot, held.piece, place, slid=slid)

    def nudge(self, sensor: Sensor) -> Script:
        """Rock what lies on a place, or tap the empty place."""
        self._reeds.nudge(self._clock(), sensor)
        yield self.between(60, 200)

    def adjust(self, spot: Spot, meanwhile: Script | None = None) -> Script:
        """J'adoube: lift a checker, own or enemy, and put it back, perhaps on another place.

        `meanwhile` is done with it in the air.
        """
        first = self.checkers.at(spot)[0]
        if len(self.checkers.pieces(spot)) == 1 and not self.checkers.tells_sides:
            self.trace.muddle(first)
        held = self.lift(spot)
        yield from self._hold() if meanwhile is None else meanwhile
        self.drop(spot, held)
        if self.checkers.at(spot)[0] is not first:
            self.checkers.slip_under(spot)
        yield self.between(REACH_MS, 900)

    def shift(self, spot: Spot) -> Script:
        """Slide or lift a checker to another place of its spot, where there is one to go to."""
        lying_on, free = self.checkers.lying_on, self.checkers.free(spot)
        taken = [place for place in self.checkers.places_of(spot) if place in lying_on]
        if not (taken and free):
            return
        origin, target = self._rng.choice(taken), self._rng.choice(free)
        first = self.checkers.pieces(spot)[0]
        piece = lying_on[origin]
        self.trace.slide(spot, spot)
        if self.chance(0.5):
            self.checkers.drop(self._clock(), spot, piece, target, slid=True)
            yield self._passing(10, Noise.PUSH)
            self.checkers.lift(self._clock(), spot, piece, origin, slid=True)
        else:
            self.checkers.lift(self._clock(), spot, piece, origin)
            yield self.between(SWAP_MS, 600)
            self.checkers.drop(self._clock(), spot, piece, target)
        if self.checkers.pieces(spot)[0] != first:
            self.checkers.slip_under(spot)
        yield self.between(REACH_MS, 900)

    def turn(
        self,
        ways: Sequence[Way],
        side: Side,
        victims_to: Mapping[Spot, Spot],
        then: Script | None = None,
        aside: Script | None = None,
    ) -> Script:
        """The ways one after the other.

        `then` is done with a checker in the air, `aside` between two that are set down.

        `victims_to` are the spots with an enemy to be taken away, and where he goes.
        """
        waiting = dict(victims_to)
        left = list(ways)
        while left:
            way = left.pop(0)
            partner = left[0] if left and self._is_plain(way, left[0], waiting) else None
            if partner is not None and then is None and self.happens(Noise.TWO_HANDS):
                yield from self._both(way, left.pop(0), side)
            else:
                yield from self._travel(way, side, waiting, then)
                then = None
            if left:
                yield self.between(REACH_MS, 1200)
                if aside is not None:
                    yield from aside
                    aside = None

    def place_in(self, spot: Spot, held: Held, under: bool) -> None:
        """Put a piece down, perhaps as the one that was there first."""
        self.drop(spot, held)
        if under:
            self.checkers.slip_under(spot)

    def _is_plain(self, first: Way, second: Way, waiting: Mapping[Spot, Spot]) -> bool:
        """Whether two checkers can be taken at once: one stop each, and nobody in the way."""
        met = (*first.met, *second.met)
        return len(met) == 2 and not waiting.keys() & set(met) and first.stops[0] != second.origin

    def _both(self, first: Way, second: Way, side: Side) -> Script:
        """A checker in each hand."""
        one = self.lift(first.origin, side)
        yield self.between(0, 500)
        other = self.lift(second.origin, side)
        yield from self._hold()
        pairs = self.shuffled([(first, one), (second, other)])
        self.drop(pairs[0][0].stops[0], pairs[0][1])
        yield self.between(0, 500)
        self.drop(pairs[1][0].stops[0], pairs[1][1])

    def _travel(
        self, way: Way, side: Side, waiting: dict[Spot, Spot], then: Script | None
    ) -> Script:
        """One checker from its origin over its stops."""
        met = [spot for spot in way.met if spot in waiting]
        plain = not met and then is None and len(way.stops) == 1
        if plain and self._can_push(way, side) and self.happens(Noise.PUSH):
            yield from self._push(way, side)
            return
        victim: Held | None = None
        fast = bool(met) and self.happens(Noise.FAST)
        if not fast and met[:1] == list(way.met[:1]) and self.chance(0.5):
            victim = self.lift(met[0], side.other)
            if self.chance(0.3):
                yield self.between(SWAP_MS, 600)
                self.drop(waiting.pop(met[0]), victim)
                victim = None
            yield self.between(0, 400)
        else:
            yield Us(0)
        held = self.lift(way.origin, side)
        if self.chance(0.5):
            victim = yield from self._clear(way.passed, side, waiting, victim)
        for number, stop in enumerate(way.stops):
            yield from self._carry(held, stop, then)
            then = None
            yield from self._land(held, stop, side, waiting, victim, fast)
            victim = None
            if number + 1 < len(way.stops):
                yield self.between(100, 900)
                held = self.lift(stop, side)
        yield from self._clear(way.passed, side, waiting, victim)

    def _clear(
        self,
        spots: Sequence[Spot],
        side: Side,
        waiting: dict[Spot, Spot],
        victim: Held | None,
    ) -> Generator[Us, None, Held | None]:
        """Take the enemies on spots that the checker only passes; what is in the hand stays."""
        for spot in spots:
            if spot in waiting and not (victim and victim.origin == spot):
                taken = self.lift(spot, side.other)
                yield self.between(SWAP_MS, 900)
                self.drop(waiting.pop(spot), taken)
        return victim

    def _land(
        self,
        held: Held,
        stop: Spot,
        side: Side,
        waiting: dict[Spot, Spot],
        victim: Held | None,
        fast: bool,
    ) -> Script:
        """Set a checker down, and see to the enemy: before, after, or in between."""
        waits = stop in waiting and not victim
        beside = waits and not fast and self.checkers.free(stop) and self.chance(0.35)
        if waits and not beside:
            victim = self.lift(stop, side.other)
            if fast and not self.checkers.tells_sides:
                self.trace.hasty.add(stop)
            yield self._passing(20, Noise.FAST) if fast else self.between(SWAP_MS, 900)
        elif victim:
            yield ms(SWAP_MS)
        self.drop(stop, held, slid=self.happens(Noise.ROCK))
        if beside:
            yield self.between(50, 1200)
            victim = self.lift(stop, side.other)
        if victim:
            yield self.between(SWAP_MS if beside else 50, 1500)
            self.drop(waiting.pop(victim.origin), victim)

    def _hold(self) -> Script:
        """A checker in the air: mostly short, at times for seconds of thought."""
        if self.chance(self._habits.think):
            yield self.between(1500, 6000)
        elif self.chance(self._habits.fast):
            yield self.between(SWAP_MS, 250)
        else:
            yield self.between(250, 1300)

    def _carry(self, held: Held, target: Spot, then: Script | None) -> Script:
        """With the checker in the hand: over other spots, past neighbours, thinking."""
        if self.happens(Noise.SLIDE):
            yield from self._slide(held, target)
        yield from self._hold()
        if self.happens(Noise.BRUSH):
            yield from self._brush()
        if then is not None:
            yield from then

    def _slide(self, held: Held, target: Spot) -> Script:
        """Over the empty places in between; seldom the checker rests on one for a moment."""
        for place in self._passed(held, target):
            length = self._passing(20, Noise.SLIDE)
            if self.happens(Noise.REST):
                length = self._passing(200, Noise.REST)
                self.rest = Rest(self._clock(), Us(self._clock() + length))
            self._reeds.dip(self._clock(), self.checkers.closed_by(held.piece, place), length)
            yield Us(length + self.between(10, 200))

    def _brush(self) -> Script:
        """A sleeve moves a checker off its reed for some milliseconds."""
        closed = sorted(self.checkers.closed)
        for sensor in self._rng.sample(closed, min(2, len(closed))):
            length = self._passing(10, Noise.BRUSH)
            self._reeds.dip(self._clock(), sensor, length)
            yield Us(length + self.between(5, 100))

    def _push(self, way: Way, side: Side) -> Script:
        """Slid to the next spot: its reed may close before the own one opens."""
        piece = replace(self.checkers.pieces(way.origin)[0], side=side)
        (place,) = self.checkers.places(way.origin, piece)
        self.trace.slide(way.origin, way.stops[0])
        free = self.checkers.free(way.stops[0])[0]
        self.checkers.drop(self._clock(), way.stops[0], piece, free, slid=True)
        yield self._passing(10, Noise.PUSH)
        self.checkers.lift(self._clock(), way.origin, piece, place, slid=True)

    def _passing(self, low: float, what: Noise) -> Us:
        """How long it lasts, so that with the bounce at both ends it is not too long."""
        bounces = 2 * self._noise.longest(Noise.BOUNCE)
        return Us(round(self._rng.uniform(ms(low), self._noise.longest(what) - bounces)))

    def _can_push(self, way: Way, side: Side) -> bool:
        """Whether a single checker's way leads to a free place next to its own."""
        pieces, free = self.checkers.pieces(way.origin), self.checkers.free(way.stops[0])
        if not free or len(pieces) != 1 or pieces[0].side is not side:
            return False
        (place,) = self.checkers.places(way.origin, pieces[0])
        return place is not None and _apart(self._at(place), self._at(free[0])) < NEAR_MM

    def _at(self, place: Sensor) -> tuple[float, float]:
        return self._reed[place].at

    def _passed(self, held: Held, target: Spot) -> list[Sensor]:
        """The free places that a slid checker goes over, in their order."""
        free = self.checkers.free(target) or self.checkers.places_of(target)
        if held.place is None or not free:
            return []
        start, end = self._at(held.place), self._at(free[0])
        taken = {*self.checkers.lying_on, held.place, *self.checkers.places_of(target)}
        along = [
            (share, place)
            for place in self._reed
            if place not in taken and (share := _share(start, end, self._at(place))) is not None
        ]
        along.sort()
        first = self._rng.randint(0, max(0, len(along) - MOST_PASSED))
        return [place for _, place in along[first : first + MOST_PASSED]]

    def _free_place(self, spot: Spot) -> Sensor | None:
        free = self.checkers.free(spot)
        if len(free) > 1 and self.chance(self._habits.gap):
            return self._rng.choice(free)
        return free[0] if free else None


def _apart(one: tuple[float, float], other: tuple[float, float]) -> float:
    return float(((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2) ** 0.5)


def _share(
    start: tuple[float, float], end: tuple[float, float], at: tuple[float, float]
) -> float | None:
    """How far along a straight way a place lies, from 0 to 1; None off the way."""
    (x, y), (dx, dy) = (at[0] - start[0], at[1] - start[1]), (end[0] - start[0], end[1] - start[1])
    length = (dx**2 + dy**2) ** 0.5
    if not length or abs(x * dy - y * dx) / length > WIDE_MM:
        return None
    share = (x * dx + y * dy) / length**2
    return share if 0 < share < 1 else None


def arrange(hands: Hands, wanted: Piled) -> Script:
    """Bring the board to what is wanted."""
    while step := _next_step(hands, wanted):
        origin, piece, target = step
        held = hands.take(origin, piece)
        yield hands.between(SWAP_MS, 800)
        there = hands.checkers.pieces(target)
        under = not _is_part((*there, piece), wanted.get(target, ())) and target in wanted
        hands.place_in(target, held, under)
        yield hands.between(REACH_MS, 500)


def stands(checkers: LyingCheckers, wanted: Piled) -> bool:
    """Whether the checkers lie exactly so; in trays they lie in any order."""
    return not any(_differs(checkers, spot, wanted) for spot in checkers.spots)


def _next_step(hands: Hands, wanted: Piled) -> tuple[Spot, Piece, Spot] | None:
    """A piece that lies wrongly and a free place for it; or its box, to make room."""
    checkers = hands.checkers
    spots = [spot for spot in checkers.spots if _differs(checkers, spot, wanted)]
    wrong = [
        (spot, piece)
        for spot in hands.shuffled(spots)
        for piece in _wrong_on(checkers, spot, wanted.get(spot, ()))
    ]
    targets = hands.shuffled(spots)
    for origin, piece in wrong:
        for target in targets:
            if target != origin and _fits(checkers, target, piece, wanted):
                return origin, piece, target
    return (*wrong[0], box(wrong[0][1].side)) if wrong else None


def _differs(checkers: LyingCheckers, spot: Spot, wanted: Piled) -> bool:
    there, want = checkers.pieces(spot), wanted.get(spot, ())
    if checkers.sensors_of(spot):
        return there != want
    return Counter(there) != Counter(want)


def _wrong_on(checkers: LyingCheckers, spot: Spot, want: tuple[Piece, ...]) -> Iterator[Piece]:
    """Checkers to take away, topmost first."""
    there = checkers.pieces(spot)
    too_many = Counter(there) - Counter(want)
    if not too_many and checkers.sensors_of(spot) and not _is_part(there, want):
        too_many = Counter(there[-1:])
    if len(there) > len(checkers.places_of(spot)) > 0 and too_many:
        yield there[-1]
    else:
        yield from too_many


def _fits(checkers: LyingCheckers, spot: Spot, piece: Piece, wanted: Piled) -> bool:
    """Whether one more such piece belongs there, and nothing that does not."""
    there, want = checkers.pieces(spot), wanted.get(spot, ())
    if not checkers.sensors_of(spot):
        return bool((Counter(want) - Counter(there))[piece])
    return _is_part((*there, piece), want) or _is_part((piece, *there), want)


def _is_part(pieces: tuple[Piece, ...], want: tuple[Piece, ...]) -> bool:
    """Whether the pieces are some of those wanted, in the same order."""
    rest = iter(want)
    return all(piece in rest for piece in pieces)


def in_turn(scripts: Sequence[Script]) -> Script:
    """One after the other."""
    for script in scripts:
        yield from script
