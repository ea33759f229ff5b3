"""From lifts and drops to readings: follows the hands from one accepted position to the next.

The hands may lift and drop in any order; nothing here ever locks up.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from dataclasses import replace
from math import log
from typing import Generic, TypeVar

from pi_app.microseconds import ENDLESS, Us, ms
from pi_app.rules.contract import Game
from pi_app.rules.terms import Roll, Side, Spot
from pi_app.sensing.debounce import Touch
from pi_app.sensing.description import Sensor
from pi_app.sensing.evidence import Evidence, Handled
from pi_app.sensing.judge import judge
from pi_app.sensing.legal import Legal
from pi_app.sensing.occupancy import Glimpse, Watch
from pi_app.sensing.packing import Packing
from pi_app.sensing.reading import ALARMS, BoardState, Reading
from pi_app.sensing.situation import Patience, Situation
from pi_app.sensing.verdict import BoardMoment
from pi_app.sensing.witness import SecondWitness

P = TypeVar("P")
M = TypeVar("M")

WEIGHED = ms(900)
"""A play is weighed when it is handed over, and before it could count by itself."""


class Tracker(Generic[P, M]):
    """Follows the hands from one accepted position to the next.

    `off` are the sensors that are not believed, `mute` those of them that tell nothing at all: a
    checker that they miss is not therefore in the air.  `update` must be called after every change
    and at `due`; the answer is `reading`.
    """

    def __init__(self, watch: Watch, game: Game[P, M], times: Patience, position: P) -> None:
        self._watch, self._game, self._times = watch, game, times
        self._packing = Packing(watch, game)
        self._witness = SecondWitness(watch, game)
        self._closed: frozenset[Sensor] = frozenset()
        self._off: frozenset[Sensor] = frozenset()
        self._mute: frozenset[Sensor] = frozenset()
        self._quiet_since = Us(0)
        self._glimpse: Glimpse | None = None
        self._owners: dict[Spot, Side] = {}
        self._accepted = (0,) * len(watch.spots)
        self._closed_at_first = self._closed
        self._insisted = 0
        self._chosen: M | None = None
        self.reading: Reading[M] = Reading(BoardState.RESTING)
        self.expect(position, None)

    def expect(self, position: P, roll: Roll | None, guide: bool = False) -> None:
        """A new accepted position, and the roll if one is on the table.

        With `guide` play has gone back and the board is known to show something else: until it
        fits it is disturbed, and not in somebody's hand.  Where it looks right and shows a checker
        of the other side, the first exchange is the putting back and proves nothing.
        """
        checkers = self._game.checkers_at(position)
        expected = self._watch.expected(checkers)
        owners = {spot: stack[-1] for spot, stack in checkers.items() if stack}
        changed = bool(self._misfit(self._accepted))
        looks_alike = guide and not changed and not self._misfit(expected)
        undone = changed and not self._misfit(expected)
        exchanged = {spot for spot, side in owners.items() if self._owners.get(spot, side) != side}
        self._owed = frozenset(exchanged) if looks_alike else frozenset()
        self._guide = guide
        self._position, self._owners, self._accepted = position, owners, expected
        self._exchanged: frozenset[Spot] = frozenset()
        self._closed_at_first = self._closed
        self._evidence = Evidence(lacking=self._lacking_at_first())
        self._offer(roll)
        self._witness.expect(position, self.legal, self._closed, went_back=guide and not undone)

    def __copy__(self) -> Tracker[P, M]:
        """Another tracker that has seen the same."""
        twin: Tracker[P, M] = object.__new__(type(self))
        vars(twin).update(vars(self))
        twin._witness = copy(self._witness)
        return twin

    def offer_roll(self, roll: Roll | None) -> None:
        """The roll has come, or gone; what the hands have done so far is kept."""
        self._offer(roll)
        self._witness.offer_roll(self.legal)

    def _offer(self, roll: Roll | None) -> None:
        self._roll = roll
        self._insisted, self._chosen = 0, None
        self.legal = Legal(self._packing, self._game, self._position, roll)

    def set_aside(self, off: frozenset[Sensor], mute: frozenset[Sensor] = frozenset()) -> None:
        """These sensors are not believed from now on."""
        self._off, self._mute = off, mute
        left = Counter(self._evidence.lacking) & Counter(self._lacking_at_first())
        self._evidence = replace(self._evidence, lacking=tuple(left.elements()))
        self._insisted, self._chosen = 0, None
        self._glimpse = None
        self._witness.set_aside(off, mute)

    def forget(self, sensor: Sensor) -> None:
        """A sensor has proved unsteady: what was seen on its spot proves nothing."""
        self._evidence = self._evidence.forget(self._watch.spot_of[sensor])
        self._witness.forget(sensor)

    def stir(self, us: Us) -> None:
        """Something may have changed that was not seen: it is quiet from now on only."""
        self._quiet_since = us

    def see(self, change: Touch) -> None:
        """One cooked change of one sensor."""
        sensor = frozenset({change.sensor})
        self._closed = self._closed | sensor if change.closed else self._closed - sensor
        self._glimpse = None
        self._insisted, self._chosen = 0, None
        if change.sensor not in self._off:
            self._quiet_since = change.us
            self._witness.see(change)
            spot = self._watch.spot_of[change.sensor]
            step = Handled(change.us, spot, change.sensor, change.closed)
            self._evidence = self._evidence.add(step, self._times.brush)
            if spot in self._owed and self._evidence.longest_dip(spot) >= self._times.brush:
                self._owed -= {spot}
                self._exchanged |= {spot}
                self._evidence = self._evidence.forget(spot)

    def guide(self) -> None:
        """The players are being led back: until the board fits it is disturbed."""
        self._guide = True

    def insist(self) -> None:
        """The player says that the turn is done: nothing is in the air, and no waiting."""
        self._insisted += 1

    def choose(self, play: M) -> None:
        """The player has named his play."""
        self._chosen = play

    @property
    def closed(self) -> frozenset[Sensor]:
        """The sensors that are closed now."""
        return self._closed

    @property
    def quiet_since(self) -> Us:
        """When the last believed change was."""
        return self._quiet_since

    def due(self, us: Us) -> Us | None:
        """The next time after `us` when quiet alone may change the reading."""
        waits = (self._times.placed, WEIGHED, self._times.grace)
        return min((t for t in (Us(self._quiet_since + w) for w in waits) if t > us), default=None)

    def misfits(self, position: P) -> tuple[Spot, ...]:
        """The spots whose believed sensors contradict a position."""
        expected = self._watch.expected(self._game.checkers_at(position))
        return self._misfit(expected)

    def put_right(self) -> tuple[tuple[Sensor, ...], tuple[Sensor, ...]]:
        """The sensors that should close, and those that should open, to be back where we were."""
        return self._watch.put_right(self._accepted, self._closed, self._off)

    def update(self, us: Us, hurry: bool = False) -> None:
        """Judge the board anew; `hurry` waits for no quiet (a press was made)."""
        quiet = ENDLESS if hurry or self._insisted else Us(us - self._quiet_since)
        was_wrong = self.reading.state in ALARMS
        if not self._insisted and not self._misfit(self._accepted):
            if quiet >= self._times.placed:
                at = Us(self._quiet_since + self._times.placed)
                self._witness.settle(self.seen, at, self._closed, self._guide or was_wrong)
            self._guide = False
            if was_wrong:
                # What has been put right proves nothing any more.
                self._evidence = Evidence()
        if self._chosen is not None:
            now = self._situation()
            self.reading = Reading(
                BoardState.PLAYED, now.opened, now.filled, (self._chosen,), certain=True
            )
        else:
            self.reading = self.opinion(us, hurry)

    def opinion(self, us: Us, hurry: bool = False) -> Reading[M]:
        """What the weighed hypotheses alone would say of the board now."""
        now = self._situation()
        quiet = ENDLESS if hurry or self._insisted else Us(us - self._quiet_since)
        occasion = BoardMoment(
            now.opened,
            now.filled,
            len(now.missing),
            len(now.extra),
            quiet,
            self._insisted,
            self._guide,
        )
        # Not the moment of asking decides, but what was seen and a time that is set.
        waited = us - self._quiet_since
        waits = (self._times.placed, WEIGHED, self._times.grace)
        passed = [time for time in waits if time <= waited]
        at = Us(self._quiet_since + max(passed)) if passed else us
        return self._witness.opinion(occasion, self._roll, self._times, self.seen, at).read()

    def _situation(self) -> Situation[P, M]:
        return Situation(
            self._watch,
            self._game,
            self._times,
            self._position,
            self._roll,
            self.legal,
            self._owners,
            self._accepted,
            self._evidence,
            self.seen,
            self._off,
            self._exchanged,
            self._insisted,
            self._guide,
        )

    def _lacking_at_first(self) -> tuple[Spot, ...]:
        shown = self._watch.glimpse(self._closed_at_first, self._mute)
        return self._watch.lacking(self._accepted, shown)[0]

    def _misfit(self, expected: tuple[int, ...]) -> tuple[Spot, ...]:
        return self._watch.misfits(expected, self.seen)

    @property
    def seen(self) -> Glimpse:
        """What the believed sensors show, read anew only after something has changed."""
        if self._glimpse is None:
            self._glimpse = self._watch.glimpse(self._closed, self._off)
        return self._glimpse
