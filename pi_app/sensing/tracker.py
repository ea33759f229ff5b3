"""From lifts and drops to readings: follow the hands from one accepted position to the next.

Hands may lift and drop in any order; no order can block the tracker.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import copy
from typing import Any

from pi_app.base.microseconds import ENDLESS, Us
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Checkers, Roll, Spot
from pi_app.sensing.debounce import Touch
from pi_app.sensing.decision import BoardMoment, Verdict
from pi_app.sensing.description import Sensor
from pi_app.sensing.ledgers import Epoch, Evidence, Ledgers, Prices
from pi_app.sensing.legal import Legal
from pi_app.sensing.levels import PlaceLevels, changes, suggested
from pi_app.sensing.noise import PUBLISHED
from pi_app.sensing.occupancy import Packing, SeenCounts, SensedSpots, spots_of
from pi_app.sensing.reading import ALARMS, BoardState, Patience, Reading
from pi_app.sensing.readings import Readings


class Tracker:
    """Follows the hands from one accepted position to the next.

    It keeps what the sensors show, their ledgers, and the players' answers. Call `update` after
    every change and at `due`; the result is `reading`.
    """

    def __init__(self, sensed: SensedSpots, game: AnyGame, times: Patience, position: Any) -> None:
        self._sensed, self._times = sensed, times
        self._follow(game)
        self._ledgers = Ledgers(sensed.spot_of, times.thresholds.touches)
        self._to_exchange: frozenset[Spot] = frozenset()
        self._checkers: Checkers = {}
        self._closed: frozenset[Sensor] = frozenset()
        self._steady: frozenset[Sensor] = frozenset()
        self._fresh: dict[Sensor, Us] = {}
        self._off: frozenset[Sensor] = frozenset()
        self._quiet_since = Us(0)
        self._seen: SeenCounts | None = None
        self._felt: tuple[object, ...] = ()
        self._known: Mapping[SeenCounts, Readings] = {}
        self._accepted = (0,) * len(sensed.counted)
        self._closed_at_first: frozenset[Sensor] = frozenset()
        self._insisted = self._passed_over = 0
        self._early = False
        self._waiting = self._touched = False
        self._chosen: Any = None
        self._levels: PlaceLevels | None = None
        self._levels_asked: PlaceLevels | None = None
        self._changed_spots: frozenset[Spot] = frozenset()
        self.reading = Reading(BoardState.RESTING)
        self.expect(position, None)

    def __copy__(self) -> Tracker:
        twin = object.__new__(type(self))
        vars(twin).update(vars(self))
        twin._ledgers = copy(self._ledgers)
        return twin

    def _follow(self, game: AnyGame) -> None:
        self._game, self._packing = game, Packing(self._sensed, game)
        self._prices = Prices(PUBLISHED, game.checkers_a_side, len(game.spots))

    def play(self, game: AnyGame, position: Any) -> None:
        """Follow a game with other rules from this position on."""
        self._follow(game)
        self.expect(position, None)

    def expect(
        self, position: Any, roll: Roll | None, guide: bool = False, only: Any = None
    ) -> None:
        """Take a new accepted position, and the roll if there is one; `only` as in `Legal`.

        With `guide`, an undo has left another position on the board. Until the board matches, that
        is a disturbance and not a checker in somebody's hand.
        """
        before, checkers = self._checkers, self._game.checkers_at(position)
        expected = self._sensed.expected(checkers)
        self._to_exchange = self._lacks_exchange(before, checkers) if guide else frozenset()
        misfits = bool(self._misfit(expected))
        self._guide, self._correcting = guide and misfits, guide and bool(self._to_exchange)
        self._waiting, self._touched = self._guide or self._correcting, False
        self._strayed = misfits
        self._position, self._accepted, self._checkers = position, expected, checkers
        self._closed_at_first = self._closed
        self._ledgers.drop()
        self._levels = None
        self._offer(roll, only)
        self._ledgers.rolled()

    @property
    def _is_untouched(self) -> bool:
        """Whether no hand has moved since an undo."""
        return self._waiting and not self._touched

    @property
    def moved_on(self) -> bool:
        """Whether hands have changed the board since the last accepted position or undo."""
        return bool(self._misfit(self._accepted)) and not self._is_untouched

    def _lacks_exchange(self, before: Checkers, after: Checkers) -> frozenset[Spot]:
        """Return the spots where one checker must still replace another, unfelt so far."""
        if self._sensed.tells_sides:
            return frozenset()
        exchanged = self._ledgers.exchanged(self._off)
        return frozenset(
            spot
            for spot, stack in after.items()
            # A game with a bar may follow one without.
            if stack and stack != before.get(spot) and len(stack) == len(before.get(spot, ()))
            if spot not in exchanged
        )

    def offer_roll(self, roll: Roll | None, only: Any = None) -> None:
        """Take a roll that has appeared, or None if it has gone. What hands did so far is kept."""
        self._offer(roll, only)
        self._ledgers.rolled()

    def _offer(self, roll: Roll | None, only: Any) -> None:
        self._roll = roll
        self._ask_afresh()
        self.legal = Legal(self._packing, self._game, self._position, roll, only)

    def set_aside(self, off: frozenset[Sensor]) -> None:
        """Ignore exactly these sensors from now on."""
        if off == self._off:
            return
        # A sensor back in use shows its present state; the time of its change is unknown.
        back = self._off - off
        self._ledgers.forget(back)
        for sensor in back & (self._closed ^ self._closed_at_first):
            self._ledgers.see(Touch(self._quiet_since, sensor, sensor in self._closed))
        self._off = off
        self._ask_afresh()
        self._seen = None

    def forget(self, sensor: Sensor) -> None:
        """Discard what this sensor has shown, because it proved unsteady."""
        self._ledgers.forget({sensor})

    def count_quiet_from(self, us: Us) -> None:
        """Count stillness from now, because a change may have been missed."""
        self._quiet_since = us

    def see(self, change: Touch) -> None:
        """Take a debounced change."""
        if change.us - self._quiet_since >= self._times.placed:
            self._settle()
        sensor = frozenset({change.sensor})
        self._closed = self._closed | sensor if change.closed else self._closed - sensor
        self._calm(change.us)
        self._fresh = {**self._fresh, change.sensor: change.us}
        self._seen = None
        self._changed_spots |= {self._sensed.spot_of[change.sensor]}
        self._ask_afresh()
        if change.sensor not in self._off:
            self._quiet_since = change.us
            self._touched = True
            self._ledgers.see(change)

    def guide(self) -> None:
        """Players are being led back: the board is disturbed until it matches."""
        self._guide = True

    def _ask_afresh(self) -> None:
        """Forget the players' answers, which were about another board or roll."""
        self._insisted, self._early, self._passed_over, self._chosen = 0, False, 0, None
        self._levels_asked = None

    def insist(self) -> None:
        """The player has said that the turn is finished: wait no longer."""
        self._insisted += 1

    def press_early(self) -> None:
        """A press may have come before the hand was done: the play that lies there is asked."""
        self._insisted, self._early = 1, True

    def ask_next(self) -> None:
        """Ask about the next of several plays."""
        self._passed_over += 1
        self._insisted = max(1, self._insisted)

    def choose(self, play: Any) -> None:
        """The player has chosen this play."""
        self._chosen = play

    @property
    def closed(self) -> frozenset[Sensor]:
        return self._closed

    @property
    def quiet_since(self) -> Us:
        """The time of the last trusted change."""
        return self._quiet_since

    def due(self, us: Us) -> Us | None:
        """The next time after `us` when stillness alone may change the reading."""
        return min((time for time in self._dues if time > us), default=None)

    @property
    def _dues(self) -> tuple[Us, ...]:
        waits, limits = (self._times.placed, self._times.grace), self._times.thresholds
        calm = (Us(us + limits.steady) for us in self._fresh.values())
        lands = (Us(touch.us + limits.lands) for touch in self._ledgers.touches if not touch.closed)
        return (*(Us(self._quiet_since + wait) for wait in waits), *calm, *lands)

    def _calm(self, us: Us) -> None:
        """Mark sensors that have not changed for a while as steady."""
        steady = self._times.thresholds.steady
        calm = {sensor for sensor, since in self._fresh.items() if us - since >= steady}
        if calm:
            self._fresh = {s: since for s, since in self._fresh.items() if s not in calm}
            self._steady = (self._steady - calm) | (self._closed & calm)

    def misfits(self, position: Any) -> tuple[Spot, ...]:
        """Return the spots whose trusted sensors contradict a position."""
        expected = self._sensed.expected(self._game.checkers_at(position))
        return self._misfit(expected)

    def shows_turn(self, position: Any, roll: Roll) -> bool:
        """Whether the sensors fit a play of this turn, or a part of one."""
        low, high = self.seen.bounds
        legal, at_most = Legal(self._packing, self._game, position, roll), self._packing.is_at_most
        return any(
            at_most(low, stage.shown) and at_most(stage.shown, high)
            for stage in legal.stages
            if stage.moves
        )

    def may_go_on(self, us: Us) -> bool:
        """Whether the hand may not be done although a complete play is on the board."""
        readings, steady = self._readings(self.seen), self._readings(self.steady)
        return Verdict(readings, steady, self._moment(us, ENDLESS), self._times).may_go_on

    def put_right(self) -> tuple[tuple[Sensor, ...], tuple[Sensor, ...]]:
        """Return the sensors that must close and those that must open to match the accepted
        position."""
        return self._sensed.put_right(self._accepted, self._closed, self._off)

    def update(self, us: Us, hurry: bool = False) -> None:
        """Update the reading; with `hurry`, after a press, without waiting for stillness."""
        self._calm(us)
        quiet = ENDLESS if hurry or self._insisted else Us(us - self._quiet_since)
        if not self._insisted:
            strayed, self._strayed = self._strayed, bool(self._misfit(self._accepted))
            if not self._strayed and (self._guide or (self._correcting and strayed)):
                self._guide = False
                self._put_right()
            if quiet >= self._times.placed:
                self._settle()
        moment = self._moment(us, quiet)
        if self._chosen is not None:
            self.reading = Reading(
                BoardState.PLAYED, moment.opened, moment.filled, (self._chosen,), certain=True
            )
        else:
            readings = self._readings(self.seen)
            steady = self._readings(self.steady)
            reading = Verdict(readings, steady, moment, self._times).read()
            self.reading = self._likelier_first(reading).asked_after(self._passed_over)
            # On an unmoved board there is nothing to put right.
            self._correcting |= moment.changed and self.reading.state in ALARMS

    @property
    def full_spots(self) -> frozenset[Spot]:
        """The spots with an accepted checker on every place."""
        places = self._sensed.places.items()
        return frozenset(
            spot for spot, count in places if len(self._checkers.get(spot, ())) >= count > 1
        )

    def take_levels(self, levels: PlaceLevels, *, asked: bool) -> None:
        """Take levels that were read before a turn, or while its play is `asked` about. Once a play
        was passed over, the order stays."""
        if not asked:
            self._levels, self._changed_spots = levels, frozenset()
        elif not self._passed_over:
            self._levels_asked = levels

    def _likelier_first(self, reading: Reading) -> Reading:
        """Begin a question with the play that the levels speak for, if they speak for one.

        Where a sensor has changed since the first reading, a checker may lie elsewhere on its
        place: nothing follows from its level.
        """
        if reading.state is not BoardState.CHOOSE or not (self._levels and self._levels_asked):
            return reading
        places = {spot: self._sensed.names[spot] for spot in self.full_spots}
        changed = changes(self._levels, self._levels_asked, places)
        still = {s: change for s, change in changed.items() if s not in self._changed_spots}
        after = {result.play: result.position for result in self.legal.results}
        plays = [(play, self._game.checkers_at(after[play])) for play in reading.plays]
        first = suggested(plays, self._checkers, places, still)
        return reading if first is None else reading.beginning_with(first)

    def _put_right(self) -> None:
        """An illegal position has been corrected: hands may continue at once.

        While a checker must still be exchanged, the correction is not complete.
        """
        exchanged = self._strike_off()
        self._correcting = bool(self._to_exchange)
        if not self._correcting:
            self._ledgers.correct(self._off, exchanged)
            self._closed_at_first = self._closed

    @property
    def steady(self) -> SeenCounts:
        """What the trusted sensors have shown for a while."""
        return self._sensed.seen(self._shown, self._off)

    @property
    def _shown(self) -> frozenset[Sensor]:
        """Return the sensors that have been closed for a while and still are; for the others, the
        state at the start.

        A checker that was moved to another place of its spot counts at its new place.
        """
        unsure = {sensor for sensor in self._closed ^ self._steady if sensor in self._fresh}
        for own in map(set, self._sensed.sensors if unsure else ()):
            if own & unsure and len(own & self._closed) == len(own & self._closed_at_first):
                unsure -= own
        return (self._closed - unsure) | (self._closed_at_first & unsure)

    def _readings(self, seen: SeenCounts) -> Readings:
        """The readings of a picture; cached until something changes."""
        ledgers = self._ledgers
        felt = (
            self.legal,
            ledgers.touches,
            ledgers.past,
            self._off,
            self._closed_at_first,
            self._to_exchange,
        )
        if felt != self._felt:
            self._felt, self._known = felt, {}
        if seen not in self._known:
            readings = Readings(
                self._game,
                self._sensed,
                self._position,
                self._roll,
                self.legal,
                self._evidence,
                seen,
                *ledgers.times(self._prices.noise),
                self._times.thresholds,
            )
            self._known = {**self._known, seen: readings}
        return self._known[seen]

    def _settle(self) -> None:
        """The board rests as accepted: close the epoch of what was felt so far."""
        if not self._ledgers.touches or self._misfit(self._accepted):
            return
        exchanged = self._strike_off()
        if self._correcting:
            self._ledgers.correct(self._off, exchanged)
        else:
            self._ledgers.close(self._off)
        self._correcting = bool(self._to_exchange)
        self._closed_at_first = self._closed

    def _strike_off(self) -> frozenset[Spot]:
        """Strike off the exchanges that the sensors have felt and return their spots."""
        exchanged = self._to_exchange & self._ledgers.exchanged(self._off)
        self._to_exchange -= exchanged
        return exchanged

    @property
    def _evidence(self) -> Evidence:
        """Return the ledgers of the spots where an opponent's checker may be hit unseen."""
        running, past = self._ledgers.running(self._off), self._ledgers.past
        mover = self._game.mover(self._position)
        single = {
            spot
            for spot, stack in self._checkers.items()
            if stack and stack[-1] is not mover
            if len(stack) == 1 or self._game.tallest > 1
            if not self._sensed.tells_sides
        }
        off = {self._sensed.spot_of[sensor] for sensor in self._off}
        at_first = self._sensed.seen(self._closed_at_first, self._off)
        return Evidence(
            self._prices,
            _only(running, single),
            tuple(_only(epoch, single) for epoch in past),
            frozenset((*off, *self._sensed.misfits(self._accepted, at_first))),
            self._to_exchange,
        )

    def _misfit(self, expected: tuple[int, ...]) -> tuple[Spot, ...]:
        return self._sensed.misfits(expected, self.seen)

    def _moment(self, us: Us, quiet: Us) -> BoardMoment:
        missing, extra = self._sensed.lacking(self._accepted, self.seen)
        opened, filled = spots_of(missing), spots_of(extra)
        replaced = len({*opened} & {*filled})
        return BoardMoment(
            opened,
            filled,
            len(missing) - replaced,
            len(extra) - replaced,
            us,
            quiet,
            self._insisted,
            self._early,
            self._guide,
            touched=self._touched,
            waiting=self._is_untouched and not self._insisted,
        )

    @property
    def seen(self) -> SeenCounts:
        """What the trusted sensors show now; cached."""
        if self._seen is None:
            self._seen = self._sensed.seen(self._closed, self._off)
        return self._seen


def _only(epoch: Epoch, spots: Collection[Spot]) -> Epoch:
    return {spot: pairs for spot, pairs in epoch.items() if spot in spots}
