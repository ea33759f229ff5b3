"""Everything between raw edges and a reading: debouncing, trust in sensors, tracking."""

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
from pi_app.sensing.levels import PlaceLevels
from pi_app.sensing.occupancy import SeenCounts, SensedSpots, SpotSide, spots_of
from pi_app.sensing.reading import Patience, Reading
from pi_app.sensing.tracker import Tracker
from pi_app.sensing.trust import Trust


class Senses:
    """From raw edges to a reading; `trust` decides which sensors are used.

    What has no docstring here is as in `Tracker` and `Trust`.
    """

    def __init__(self, board: Board, game: AnyGame, times: Patience, position: Any) -> None:
        self.sensors = board.sensors
        self.places = tuple(reed.name for reed in board.reeds)
        self._reads_levels = board.tells_sides and board.scanner is not None
        self.trust = Trust(board.sensors)
        self._sensed, self._game, self._times = SensedSpots(board), game, times
        self._debouncer = Debouncer(times.debounce)
        self._chatter = Chatter()
        self._tracker = Tracker(self._sensed, game, times, position)

    @property
    def reading(self) -> Reading:
        return self._tracker.reading

    @property
    def legal(self) -> Legal:
        return self._tracker.legal

    @property
    def closed(self) -> frozenset[Sensor]:
        return self._tracker.closed

    @property
    def quiet_since(self) -> Us:
        return self._tracker.quiet_since

    @property
    def moved_on(self) -> bool:
        return self._tracker.moved_on

    @property
    def bouncing(self) -> bool:
        """Whether a sensor is not steady yet."""
        return self._debouncer.due is not None

    def due(self, us: Us) -> Us | None:
        """The next time after `us` when time alone may change the reading."""
        times = (self._debouncer.due, self._tracker.due(us), self._chatter.due)
        return min((time for time in times if time is not None), default=None)

    # Why chatter is looked for before debouncing: a loose wire that opens and closes faster than
    # the debounce time makes no debounced change at all. Why trust hears of a change before the
    # tracker: a sensor that changes may be used again, and its change must then count. Why a
    # `Sieve` stands in front of all this: what chatters day and night must not fill the journal
    # with touches.

    def edge(self, us: Us, sensor: Sensor, closed: bool) -> bool:
        """Take a raw edge. Return whether its sensor has just become untrusted."""
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
        """Update the reading; with `hurry` at once, without waiting for stillness."""
        self._tracker.update(us, hurry)
        return self._tracker.reading

    def insist(self, us: Us) -> Reading:
        """The player has said that the turn is finished."""
        self._tracker.insist()
        return self.judge(us)

    def press_early(self) -> None:
        """A press may have come before the hand was done."""
        self._tracker.press_early()

    def may_go_on(self, us: Us) -> bool:
        return self._tracker.may_go_on(us)

    def guide(self) -> None:
        self._tracker.guide()

    def ask_next(self) -> None:
        self._tracker.ask_next()

    def choose(self, play: Any) -> None:
        self._tracker.choose(play)

    @property
    def full_spots(self) -> frozenset[Spot]:
        """The spots with a checker on every place, on a board that can read levels: no sensor
        counts another one there."""
        return self._tracker.full_spots if self._reads_levels else frozenset()

    def take_levels(self, levels: PlaceLevels, *, asked: bool) -> None:
        """Take levels that were read before a turn, or while its play is `asked` about."""
        self._tracker.take_levels(levels, asked=asked)

    def play(self, game: AnyGame, position: Any) -> None:
        self._game = game
        self._tracker.play(game, position)

    def expect(self, position: Any, roll: Roll | None, only: Any = None) -> None:
        """Take a new accepted position. A sensor that contradicts it is overruled and doubted.

        `only` is the one play that is already decided, here and below.
        """
        self.compare(position)
        self._tracker.expect(position, roll, only=only)

    def compare(self, position: Any) -> None:
        """Check every sensor against this position, which is on the board."""
        shown = zip(self._sensed.sensors, self.shown(position), strict=True)
        self.trust.compare(shown, self.closed)
        self._believe()

    def await_position(
        self, position: Any, roll: Roll | None, only: Any = None, *, guide: bool = False
    ) -> None:
        """Wait for players to set up this position; no sensor is overruled by it."""
        self._tracker.expect(position, roll, guide, only)

    def resume(
        self, us: Us, off: tuple[Sensor, ...], shown: tuple[Any, Roll | None, Any] | None
    ) -> None:
        """Continue after a break; `shown` is the board's last picture in this game, if any.

        Checkers that differ in the next picture were moved during the break.
        """
        for sensor in off:
            self.set_aside(sensor)
        if shown:
            self.picture(us, frozenset(self.put_right()[0]))
            self.await_position(*shown)

    def offer_roll(self, roll: Roll | None, only: Any = None) -> None:
        self._tracker.offer_roll(roll, only)

    def set_aside(self, sensor: Sensor) -> None:
        self.trust.set_aside(sensor)
        self._believe()

    def bring_back(self, sensor: Sensor) -> None:
        self.trust.bring_back(sensor)
        self._believe()

    @property
    def seen(self) -> SeenCounts:
        return self._tracker.seen

    def shown(self, position: Any) -> tuple[int, ...]:
        """Return how many sensors a position closes, in the order of the counts."""
        return self._sensed.expected(self._game.checkers_at(position))

    def misfits(self, position: Any) -> tuple[Spot, ...]:
        return self._tracker.misfits(position)

    def shows_turn(self, position: Any, roll: Roll) -> bool:
        return self._tracker.shows_turn(position, roll)

    def unexplained(self, checkers: Checkers) -> tuple[tuple[SpotSide, ...], tuple[SpotSide, ...]]:
        """Return what shows fewer and what shows more than these checkers, once per checker."""
        return self._sensed.lacking(self._sensed.expected(checkers), self.seen)

    def too_many(self, checkers: Checkers) -> tuple[Spot, ...]:
        """Return the spots that have shown more than these checkers for a while."""
        expected = self._sensed.expected(checkers)
        return spots_of(self._sensed.lacking(expected, self._tracker.steady)[1])

    def put_right(self) -> tuple[tuple[Sensor, ...], tuple[Sensor, ...]]:
        return self._tracker.put_right()

    def spots_to_correct(self, checkers: Checkers) -> tuple[tuple[Spot, ...], tuple[Spot, ...]]:
        """Return the spots to fill and to clear, by `put_right`, once for each checker.

        If a stack shows less than its sensors could, the checkers above its last place are missing
        too.
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
        self._tracker.set_aside(self.trust.unbelieved)
