"""What each spot's sensors have felt since the board last rested as accepted, and what it costs.

The state of all sensors shows most of a turn. It does not show whether the checker on a spot is
still the same one: after a hit the spot looks as before. So each spot keeps a ledger of the
openings and closings that cancelled each other. The cost of a reading depends on the pairs that its
hits need and on the pairs that it leaves unexplained. Spots are independent of each other, and no
checker is followed over time.

Costs are in nats, by the noise table: the likelier, the cheaper.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from math import inf, log
from typing import NamedTuple

from pi_app.base.adding import added
from pi_app.base.microseconds import ENDLESS, Us
from pi_app.base.values import dataclass
from pi_app.rules.terms import Spot
from pi_app.sensing.debounce import Touch
from pi_app.sensing.description import Sensor
from pi_app.sensing.noise import Noise, NoiseModel


class Pair(NamedTuple):
    """An opening and a closing of one spot that cancelled each other, in either order.

    `alone`: no other spot was touched between them, nor before them in this epoch. `inside`:
    another spot differed from the accepted position when the pair began. `shifted`: they came from
    two sensors. `early`: it was felt before the roll. `corrected`: it was felt before or during a
    correction, so it may belong to that instead of a hit.
    """

    lasted: Us
    alone: bool
    inside: bool
    shifted: bool
    early: bool
    corrected: bool = False


Epoch = Mapping[Spot, tuple[Pair, ...]]
"""The pairs of each spot from one rest of the board to the next."""


def pairs_of(touches: Sequence[Touch], spot_of: Mapping[Sensor, Spot], rolled: Us) -> Epoch:
    """Return the pairs that may be an exchange of checkers. Adding a checker and removing it is
    none."""
    by_spot: dict[Spot, list[Touch]] = {}
    for touch in touches:
        by_spot.setdefault(spot_of[touch.sensor], []).append(touch)
    found: dict[Spot, tuple[Pair, ...]] = {}
    for spot, own in by_spot.items():
        others = [felt for other, felt in by_spot.items() if other != spot]
        begun = min((felt[0].us for felt in others), default=ENDLESS)
        pairs = tuple(
            Pair(
                Us(last.us - first.us),
                alone=last.us <= begun,
                inside=any(sum(t.us < first.us for t in felt) % 2 for felt in others),
                shifted=first.sensor != last.sensor,
                early=last.us <= rolled,
            )
            for first, last in _paired(own)
            if first.sensor != last.sensor or not first.closed
        )
        if pairs:
            found[spot] = pairs
    return found


def _paired(touches: Sequence[Touch]) -> Iterator[tuple[Touch, Touch]]:
    """Pair touches that cancel each other: first within a sensor, then within the spot, last in
    first out."""
    left: dict[Sensor, Touch] = {}
    for touch in touches:
        first = left.pop(touch.sensor, None)
        if first is None or first.closed == touch.closed:
            left[touch.sensor] = touch
        else:
            yield first, touch
    waiting: list[Touch] = []
    for touch in sorted(left.values(), key=lambda touch: touch.us):
        if waiting and waiting[-1].closed != touch.closed:
            yield waiting.pop(), touch
        else:
            waiting.append(touch)


class Ledgers:
    """The ledgers of all spots in one turn: the current epoch and the earlier ones."""

    def __init__(self, spot_of: Mapping[Sensor, Spot], most: int) -> None:
        """Keep at most `most` touches of an epoch, and at most that many epochs of a turn."""
        self._spot_of, self._most = spot_of, most
        self.touches: tuple[Touch, ...] = ()
        self.past: tuple[Epoch, ...] = ()
        self._rolled = Us(-1)

    def see(self, touch: Touch) -> None:
        """Take a change of a trusted sensor."""
        self.touches = (*self.touches[1 - self._most :], touch)

    def rolled(self) -> None:
        """The roll has appeared or gone: everything felt so far was before it."""
        self._rolled = self.touches[-1].us if self.touches else Us(-1)
        self.past = tuple(
            {spot: tuple(p._replace(early=True) for p in pairs) for spot, pairs in epoch.items()}
            for epoch in self.past
        )

    def close(self, off: Collection[Sensor]) -> None:
        """The board rests as accepted: begin a new epoch."""
        epoch = self.running(off)
        self.past = (*self.past[1 - self._most :], epoch) if epoch else self.past
        self.touches = ()

    def correct(self, off: Collection[Sensor], exchanged: Collection[Spot]) -> None:
        """An illegal position was corrected: what was felt so far may belong to that.

        On each spot where a checker had to be `exchanged`, one pair did.
        """
        found: dict[Spot, list[Pair]] = {}
        for epoch in (*self.past, self.running(off)):
            for spot, pairs in epoch.items():
                found.setdefault(spot, []).extend(pairs)
        last = {
            spot: (pairs[-1]._replace(inside=False, corrected=True),)
            for spot, pairs in found.items()
            if len(pairs) > (spot in exchanged)
        }
        self.touches, self.past = (), (last,) if last else ()

    def drop(self) -> None:
        """Discard everything felt so far."""
        self.touches, self.past = (), ()

    def forget(self, sensors: Collection[Sensor]) -> None:
        """Discard what these sensors have shown."""
        self.touches = tuple(touch for touch in self.touches if touch.sensor not in sensors)

    def times(
        self, noise: NoiseModel
    ) -> tuple[Mapping[Spot, Us], Mapping[Spot, Us], Mapping[Spot, Us]]:
        """Since when each spot has lacked a checker, and when it last opened and last closed, in
        the running epoch.

        A checker that is there for a moment only passes; one that is gone for a moment was brushed.
        """
        passes, brushed = noise.longest(Noise.REST), noise.longest(Noise.BRUSH)
        counts: dict[Spot, int] = {}
        lacked: dict[Spot, Us] = {}
        opened: dict[Spot, Us] = {}
        closed: dict[Spot, Us] = {}
        for touch in self.touches:
            spot, us = self._spot_of[touch.sensor], touch.us
            counts[spot] = counts.get(spot, 0) + (1 if touch.closed else -1)
            if not touch.closed and counts[spot] == -1:
                left, back = lacked.get(spot, us), closed.get(spot, us)
                lacked[spot] = us if us - back > passes or back - left < brushed else left
            (closed if touch.closed else opened)[spot] = us
        return lacked, opened, closed

    def exchanged(self, off: Collection[Sensor]) -> frozenset[Spot]:
        """The spots at which any epoch has a pair."""
        return frozenset(spot for epoch in (self.running(off), *self.past) for spot in epoch)

    def running(self, off: Collection[Sensor]) -> Epoch:
        """The pairs of the running epoch, without these sensors."""
        believed = [touch for touch in self.touches if touch.sensor not in off]
        return pairs_of(believed, self._spot_of, self._rolled)


class Prices:
    """The costs that follow from the noise table.

    `which`: it was this checker of all. `enemy`: it was this one of the opponent's. `astray`: it
    came to this spot of all.
    """

    def __init__(self, noise: NoiseModel, checkers: int, spots: int) -> None:
        self.noise = noise
        self.of = noise.cost
        self.which, self.enemy = log(2 * checkers), log(checkers)
        self.astray = self.which + log(spots)
        self.unfelt = noise.cost(Noise.MISSED_OPENING)
        """An exchange that no sensor felt: the reed stayed closed after its checker."""

    def needed(self, pair: Pair) -> float:
        """The cost if this pair is a hit."""
        if pair.corrected:
            return self.of(Noise.CORRECTED)
        fast = pair.lasted < self.noise.longest(Noise.BRUSH)
        return self.of(Noise.FAST) if fast else 0.0

    def idle(self, pair: Pair) -> float:
        """The cost if this pair is no hit: the same checker is there again."""
        if pair.corrected:
            return 0.0
        kinds = [Noise.OTHER_HAND, Noise.ADJUST if pair.alone else Noise.ADJUST_BETWEEN]
        kinds += [Noise.SHIFT] if pair.shifted else []
        kinds += [Noise.BRUSH] if pair.lasted < self.noise.longest(Noise.BRUSH) else []
        return min(map(self.of, kinds)) + self.enemy

    def idle_all(self, pairs: Sequence[Pair]) -> float:
        """The cost if no pair of a spot is a hit. Two pairs may be a hit and its undoing."""
        undone = self.of(Noise.CHANGE_OF_MIND) + self.enemy
        brush = self.noise.longest(Noise.BRUSH)
        long = [self.idle(p) for p in pairs if p.lasted >= brush and not p.shifted]
        saved = (max(sum(two) - undone, 0) for two in zip(long[::2], long[1::2], strict=False))
        return added(map(self.idle, pairs)) - added(saved)


class UnseenHit(NamedTuple):
    """A hit after which the sensors of its spot show the same as before.

    `hitter_unseen`: the hitter came from a place without a sensor. Only such a hit leaves the whole
    board as it was, so only it may belong to an earlier epoch.
    """

    spot: Spot
    hitter_unseen: bool


class PairNumber(NamedTuple):
    """A pair by its spot, its epoch (0 is the current one) and its index in the ledger."""

    spot: Spot
    epoch: int
    place: int


class Extra(NamedTuple):
    """The additional cost if this pair is a hit; `early` if it was felt before the roll."""

    cost: float
    early: float
    pair: PairNumber


@dataclass(frozen=True)
class Evidence:
    """The ledgers that count for one turn.

    `untrusted` are the spots whose sensors are ignored. On the spots `to_exchange`, one checker
    must still replace another before play continues.
    """

    prices: Prices
    running: Epoch
    past: tuple[Epoch, ...]
    untrusted: frozenset[Spot]
    to_exchange: frozenset[Spot]

    @cached_property
    def nothing(self) -> float:
        """The cost if nobody was hit."""
        return self.cost(())

    def cost(self, unseen_hits: Sequence[UnseenHit]) -> float:
        """The cost of exactly these hits.

        If a hit was undone and the hitter is still there, hitting again needs no exchange.
        """
        undone = [UnseenHit(spot, hitter_unseen=True) for spot in self.to_exchange]
        if not unseen_hits and not undone:
            return self._idle
        cost = self._exchanging([*unseen_hits, *undone])
        hit_spots = {hit.spot for hit in unseen_hits}
        if not hit_spots & self.to_exchange:
            return cost
        kept = [hit for hit in unseen_hits if hit.spot not in self.to_exchange]
        kept += [hit for hit in undone if hit.spot not in hit_spots]
        again = len(hit_spots & self.to_exchange) * self.prices.of(Noise.CORRECTED)
        return min(cost, self._exchanging(kept) + again)

    def _exchanging(self, wanted: Sequence[UnseenHit]) -> float:
        """The cost of an exchange of checkers for each of these hits."""
        total, used, early = self._idle, set[PairNumber](), 0.0
        for hit in wanted:
            if hit.spot in self.untrusted:
                continue
            # A whole turn is made before its roll: that is paid once, however many it hits.
            free = (
                (extra.cost + max(extra.early - early, 0), extra)
                for extra in self._extras.get(hit, ())
                if extra.pair not in used
            )
            cost, extra = min(free, default=(inf, None))
            if extra and cost < self.prices.unfelt:
                used.add(extra.pair)
                early = max(early, extra.early)
            total += min(cost, self.prices.unfelt)
        return total

    @cached_property
    def _idle(self) -> float:
        epochs = (self.running, *self.past)
        return added(self.prices.idle_all(pairs) for epoch in epochs for pairs in epoch.values())

    @cached_property
    def _extras(self) -> Mapping[UnseenHit, Sequence[Extra]]:
        """The pairs that each hit may have left, if it was felt.

        A hitter from a place without a sensor puts back no other checker meanwhile.
        """
        prices = self.prices
        between = prices.of(Noise.ADJUST_BETWEEN) + prices.which
        found: dict[UnseenHit, list[Extra]] = {}
        for index, epoch in enumerate((self.running, *self.past)):
            for spot, pairs in epoch.items():
                all_idle = prices.idle_all(pairs)
                for number, pair in enumerate(pairs):
                    rest = (*pairs[:number], *pairs[number + 1 :])
                    cost = prices.needed(pair) + prices.idle_all(rest) - all_idle
                    cost += between * (index > 0 and pair.inside)
                    one = PairNumber(spot, index, number)
                    early = prices.of(Noise.BEFORE_ROLL) * pair.early
                    found.setdefault(UnseenHit(spot, hitter_unseen=True), []).append(
                        Extra(cost, early, one)
                    )
                    if index == 0:
                        seen = UnseenHit(spot, hitter_unseen=False)
                        found.setdefault(seen, []).append(Extra(cost, 0.0, one))
        return found
