"""All that comes from the sensors: debounced, believed or not, tracked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from pi_app.base.microseconds import Us
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Checkers, Roll, Spot
from pi_app.sensing.debounce import Chatter, Debouncer, Touch
from pi_app.sensing.description import Board, Sensor
from pi_app.sensing.legal import Legal
from pi_app.sensing.occupancy import SeenCounts, SensedSpots, SpotSide, spots_of
from pi_app.sensing.reading import Patience, Reading
from pi_app.sensing.tracker import Tracker
from pi_app.sensing.trust import Trust


class Senses:
    """From raw edges to a reading; `trust` decides which sensors are used."""

    def __init__(self, board: Board, game: AnyGame, times: Patience, position: Any) -> None:
        self.sensors = board.sensors
        self.trust = Trust(board.sensors)
        self._sensed, self._game, self._times = SensedSpots(board), game, times
        self._debouncer = Debouncer(times.debounce)
        self._chatter = Chatter()
        self._tracker = Tracker(self._sensed, game, times, position)

    @property
    def reading(self) -> Reading:
        """The latest reading."""
        return self._tracker.reading

    @property
    def legal(self) -> Legal:
        """The legal plays of the accepted position and the current roll."""
        return self._tracker.legal

    @property
    def closed(self) -> frozenset[Sensor]:
        """The closed sensors, debounced."""
        return self._tracker.closed

    @property
    def quiet_since(self) -> Us:
        """The time of the last trusted change."""
        return self._tracker.quiet_since

    @property
    def moved_on(self) -> bool:
        """Whether hands have changed the board since it was last accepted or play went back."""
        return self._tracker.moved_on

    @property
    def bouncing(self) -> bool:
        """Whether a sensor is not steady yet."""
        return self._debouncer.due is not None

    def due(self, us: Us) -> Us | None:
        """The next time after `us` when time alone may change the reading."""
        times = (self._debouncer.due, self._tracker.due(us), self._chatter.due)
        return min((time for time in times if time is not None), default=None)

    def edge(self, us: Us, sensor: Sensor, closed: bool) -> bool:
        """Take a raw edge. Returns whether its sensor has just become untrusted."""
        if not self._chatter.edge(us, sensor, closed):
            self._debouncer.edge(us, sensor, closed)
        elif sensor not in self.trust.chattering:
            self._debouncer.drop(sensor)
            self._tracker.forget(sensor)
            self._watch_chatter()
            return True
        return False

    def picture(self, us: Us, closed: frozenset[Sensor]) -> None:
        """Take the state of all sensors."""
        self._chatter.correct(closed)
        steady = [sensor for sensor in self.sensors if sensor not in self._chatter.sensors]
        self._look_at(us, steady, closed)

    def advance(self, us: Us) -> None:
        """Process everything certain by `us`."""
        for change in self._debouncer.advance(us):
            self._see(change)
        if calmed := self._chatter.calmed(us):
            self._watch_chatter()
            self._tracker.count_quiet_from(us)
            self._look_at(us, calmed, frozenset(s for s, closed in calmed.items() if closed))

    def judge(self, us: Us, hurry: bool = False) -> Reading:
        """Update the reading; `hurry` does not wait for stillness."""
        self._tracker.update(us, hurry)
        return self._tracker.reading

    def insist(self, us: Us) -> Reading:
        """The player has declared the turn finished."""
        self._tracker.insist()
        return self.judge(us)

    def may_go_on(self, us: Us) -> bool:
        """Whether a press now may come before the hand is done, though a play lies there."""
        return self._tracker.may_go_on(us)

    def guide(self) -> None:
        """The players are being led back to the accepted position."""
        self._tracker.guide()

    def ask_next(self) -> None:
        """Of several plays in question the player wants to be asked about the next."""
        self._tracker.ask_next()

    def choose(self, play: Any) -> None:
        """The player has named the play."""
        self._tracker.choose(play)

    def expect(self, position: Any, roll: Roll | None, only: Any = None) -> None:
        """A new accepted position; a sensor that contradicts it is overruled and doubted.

        `only` is the one play that was decided on, here and below.
        """
        self.compare(position)
        self._tracker.expect(position, roll, only=only)

    def compare(self, position: Any) -> None:
        """The board stands so: check every sensor against it."""
        shown = zip(self._sensed.sensors, self.shown(position), strict=True)
        self.trust.compare(shown, self.closed)
        self._believe()

    def await_position(
        self, position: Any, roll: Roll | None, only: Any = None, *, guide: bool = False
    ) -> None:
        """The players are to set up this position; it overrules no sensor."""
        self._tracker.expect(position, roll, guide, only)

    def resume(
        self, us: Us, off: tuple[Sensor, ...], shown: tuple[Any, Roll | None, Any] | None
    ) -> None:
        """The players return; `shown` is the board's last picture in the current game. Differences
        in the next picture were lifted or set down meanwhile."""
        for sensor in off:
            self.set_aside(sensor)
        if shown:
            self.picture(us, frozenset(self.put_right()[0]))
            self.await_position(*shown)

    def offer_roll(self, roll: Roll | None, only: Any = None) -> None:
        """A roll for the accepted position."""
        self._tracker.offer_roll(roll, only)

    def set_aside(self, sensor: Sensor) -> None:
        """Ignore a sensor until it is brought back."""
        self.trust.set_aside(sensor)
        self._believe()

    def bring_back(self, sensor: Sensor) -> None:
        """Trust a sensor again."""
        self.trust.bring_back(sensor)
        self._believe()

    @property
    def seen(self) -> SeenCounts:
        """What the trusted sensors show."""
        return self._tracker.seen

    def shown(self, position: Any) -> tuple[int, ...]:
        """How many sensors a position closes, in the order of what is counted."""
        return self._sensed.expected(self._game.checkers_at(position))

    def misfits(self, position: Any) -> tuple[Spot, ...]:
        """The spots that contradict a position."""
        return self._tracker.misfits(position)

    def shows_turn(self, position: Any, roll: Roll) -> bool:
        """Whether the sensors fit a play of this turn, or a part of one."""
        return self._tracker.shows_turn(position, roll)

    def unexplained(self, checkers: Checkers) -> tuple[tuple[SpotSide, ...], tuple[SpotSide, ...]]:
        """What shows fewer and more than these checkers, repeated per checker."""
        return self._sensed.lacking(self._sensed.expected(checkers), self.seen)

    def too_many(self, checkers: Checkers) -> tuple[Spot, ...]:
        """The spots that have shown more than these for a while."""
        expected = self._sensed.expected(checkers)
        return spots_of(self._sensed.lacking(expected, self._tracker.steady)[1])

    def put_right(self) -> tuple[tuple[Sensor, ...], tuple[Sensor, ...]]:
        """The sensors to close and those to open."""
        return self._tracker.put_right()

    def spots_amiss(self, checkers: Checkers) -> tuple[tuple[Spot, ...], tuple[Spot, ...]]:
        """The spots to fill and to clear by `put_right`, each once for every checker.

        Of a stack with less than its sensors show, what is above its last place is missing too.
        """
        close, open_ = self._tracker.put_right()
        fill: list[Spot] = []
        for spot, missing in Counter(self._sensed.spot_of[sensor] for sensor in close).items():
            places = self._sensed.places[spot]
            above = max(len(checkers.get(spot, ())) - places, 0) if places > 1 else 0
            fill += [spot] * (missing + above)
        return tuple(fill), tuple(self._sensed.spot_of[sensor] for sensor in open_)

    def _look_at(self, us: Us, sensors: Iterable[Sensor], closed: frozenset[Sensor]) -> None:
        for change in self._debouncer.picture(us, sensors, closed):
            self._see(change)

    def _see(self, change: Touch) -> None:
        if self.trust.changed(change.sensor, change.closed):
            self._believe()
        self._tracker.see(change)

    def _watch_chatter(self) -> None:
        self.trust.chatter(self._chatter.sensors)
        self._believe()

    def _believe(self) -> None:
        self._tracker.set_aside(self.trust.unbelieved, self.trust.mute)
