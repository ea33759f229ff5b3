"""All that comes from the sensors: debounced, tracked, doubted where it was overruled."""

from __future__ import annotations

from collections import Counter
from typing import Generic, TypeVar

from pi_app.board.debounce import Change, Debouncer
from pi_app.board.description import Board, Sensor
from pi_app.board.legal import Legal
from pi_app.board.reading import Reading
from pi_app.board.situation import Times
from pi_app.board.tracker import Tracker
from pi_app.board.watch import Checkers, Watch
from pi_app.microseconds import Us
from pi_app.rules.contract import Game
from pi_app.rules.terms import Roll, Spot

P = TypeVar("P")
M = TypeVar("M")

SUSPECT = 2
"""A sensor that was overruled so often is worth a word."""


class Hands(Generic[P, M]):
    """The board's side of the referee, from raw edges to a reading.

    A sensor that the players set aside is off until they bring it back.  One that an accepted
    position contradicts is doubted until it next changes; being overruled again and again makes
    it a suspect.
    """

    def __init__(self, board: Board, game: Game[P, M], times: Times, position: P) -> None:
        self.sensors = board.sensors
        self._watch = Watch(board)
        self._debouncer = Debouncer(times.debounce)
        self._tracker: Tracker[P, M] = Tracker(self._watch, game, times, position)
        self._off: frozenset[Sensor] = frozenset()
        self._doubted: frozenset[Sensor] = frozenset()
        self._overruled: Counter[Sensor] = Counter()

    @property
    def reading(self) -> Reading[M]:
        """What the board shows, as last judged."""
        return self._tracker.reading

    @property
    def legal(self) -> Legal[P, M]:
        """The legal plays of the accepted position and the roll on the table."""
        return self._tracker.legal

    @property
    def closed(self) -> frozenset[Sensor]:
        """The sensors that are closed, debounced."""
        return self._tracker.closed

    @property
    def quiet_since(self) -> Us:
        """When the last believed change was."""
        return self._tracker.quiet_since

    @property
    def off(self) -> tuple[Sensor, ...]:
        """The sensors that have been set aside, in the board's order."""
        return tuple(sensor for sensor in self.sensors if sensor in self._off)

    @property
    def suspects(self) -> tuple[Sensor, ...]:
        """The sensors that were overruled often and are not set aside yet."""
        return tuple(
            sensor
            for sensor in self.sensors
            if self._overruled[sensor] >= SUSPECT and sensor not in self._off
        )

    @property
    def bouncing(self) -> bool:
        """Whether a sensor is not steady yet."""
        return self._debouncer.due is not None

    def due(self, us: Us) -> Us | None:
        """The next time after `us` when time alone may change the reading."""
        times = (self._debouncer.due, self._tracker.due(us))
        return min((time for time in times if time is not None), default=None)

    def edge(self, us: Us, sensor: Sensor, closed: bool) -> None:
        """One raw edge."""
        self._debouncer.edge(us, sensor, closed)

    def picture(self, us: Us, closed: frozenset[Sensor]) -> None:
        """The state of all sensors."""
        for change in self._debouncer.picture(us, self.sensors, closed):
            self._see(change)

    def advance(self, us: Us) -> None:
        """What has become certain by now is seen."""
        for change in self._debouncer.advance(us):
            self._see(change)

    def judge(self, us: Us, hurry: bool = False) -> Reading[M]:
        """Read the board anew; `hurry` waits for no quiet."""
        self._tracker.update(us, hurry)
        return self._tracker.reading

    def insist(self, us: Us) -> Reading[M]:
        """The player says that the turn is done."""
        self._tracker.insist()
        return self.judge(us)

    def guide(self) -> None:
        """The players are being led back to the accepted position."""
        self._tracker.guide()

    def choose(self, play: M) -> None:
        """The player has named his play."""
        self._tracker.choose(play)

    def expect(self, position: P, roll: Roll | None) -> None:
        """A new accepted position; a sensor that contradicts it is overruled and doubted."""
        contradicting = self._tracker.contradicting(position)
        self._overruled.update(contradicting)
        self._doubt(self._doubted | contradicting)
        self._tracker.expect(position, roll)

    def await_position(self, position: P, roll: Roll | None, guide: bool = False) -> None:
        """A position the players are to bring the board to; no sensor is overruled by it."""
        self._tracker.expect(position, roll, guide)

    def resume(self, us: Us, off: tuple[Sensor, ...], shown: tuple[P, Roll | None] | None) -> None:
        """The players come back; `shown` is what the board showed last, in a game under way.

        What the next picture shows otherwise has been lifted and set down since.
        """
        self._off = frozenset(off)
        self._doubt(self._doubted)
        if shown:
            self.picture(us, frozenset(self.put_right()[0]))
            self.await_position(*shown)

    def offer_roll(self, roll: Roll | None) -> None:
        """A roll has come for the accepted position."""
        self._tracker.offer_roll(roll)

    def set_aside(self, sensor: Sensor) -> None:
        """Stop believing a sensor until it is brought back."""
        self._off |= {sensor}
        self._doubt(self._doubted)

    def bring_back(self, sensor: Sensor) -> None:
        """Believe a sensor again."""
        self._off -= {sensor}
        self._overruled.pop(sensor, None)
        self._doubt(self._doubted - {sensor})

    def misfits(self, position: P) -> tuple[Spot, ...]:
        """The spots that contradict a position."""
        return self._tracker.misfits(position)

    def put_right(self) -> tuple[tuple[Sensor, ...], tuple[Sensor, ...]]:
        """The sensors that should close, and those that should open."""
        return self._tracker.put_right()

    def spots_amiss(self, checkers: Checkers) -> tuple[tuple[Spot, ...], tuple[Spot, ...]]:
        """The spots to fill and to clear by `put_right`, each once for every checker.

        Of a stack with less than its sensors show, what is above its last sensor is missing too.
        """
        close, open_ = self._tracker.put_right()
        fill: list[Spot] = []
        for spot, missing in Counter(self._watch.spot_of[sensor] for sensor in close).items():
            sensors = len(self._watch.sensors_of[spot])
            above = max(len(checkers.get(spot, ())) - sensors, 0) if sensors > 1 else 0
            fill += [spot] * (missing + above)
        return tuple(fill), tuple(self._watch.spot_of[sensor] for sensor in open_)

    def _see(self, change: Change) -> None:
        if change.sensor in self._doubted:
            self._doubt(self._doubted - {change.sensor})
        self._tracker.see(change)

    def _doubt(self, doubted: frozenset[Sensor] | set[Sensor]) -> None:
        self._doubted = frozenset(doubted)
        self._tracker.set_aside(self._off | self._doubted)
