"""Which changes of contacts are believed, from edges and their times alone.

A sensor has changed once it has been steady long enough.  A raw edge starts the wait anew, so
chatter of any length is one change or none.  Raw is what the contact does, cooked is what the rest
of the program believes.

A reed at the edge of a magnet's field or a loose wire may open and close for hours, slowly enough
to pass for hands.  Such a contact chatters, and is no witness until it has been still for a while.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pi_app.base.microseconds import Us, ms
from pi_app.sensing.description import Sensor


@dataclass(frozen=True, slots=True)
class Touch:
    """A debounced change: the time it became certain, the sensor, and its new state."""

    us: Us
    sensor: Sensor
    closed: bool


class Debouncer:
    """Holds the raw and the debounced states of all sensors, and no clock."""

    def __init__(self, steady: Us) -> None:
        self._steady = steady
        self._cooked: set[Sensor] = set()
        self._waiting: dict[Sensor, tuple[Us, bool]] = {}

    @property
    def closed(self) -> frozenset[Sensor]:
        """The debounced closed sensors."""
        return frozenset(self._cooked)

    @property
    def due(self) -> Us | None:
        """When the next change becomes certain if no edge comes first; None while all is steady."""
        if not self._waiting:
            return None
        return Us(min([since for since, _ in self._waiting.values()]) + self._steady)

    def edge(self, us: Us, sensor: Sensor, closed: bool) -> None:
        """Take a raw edge.

        One that repeats the raw state reveals a lost edge and restarts the wait.
        """
        steady = sensor not in self._waiting
        if steady and closed == (sensor in self._cooked):
            return
        self._waiting[sensor] = (us, closed)

    def picture(self, us: Us, sensors: Iterable[Sensor], closed: frozenset[Sensor]) -> list[Touch]:
        """Take the state of all sensors as steady, except those bouncing now."""
        changes = []
        for sensor in sensors:
            now = sensor in closed
            if sensor in self._waiting:
                if self._waiting[sensor][1] != now:
                    self.edge(us, sensor, now)
            elif now != (sensor in self._cooked):
                self._cook(sensor, now)
                changes.append(Touch(us, sensor, now))
        return changes

    def drop(self, sensor: Sensor) -> None:
        """Stop waiting for a sensor; it keeps its state."""
        self._waiting.pop(sensor, None)

    def advance(self, us: Us) -> list[Touch]:
        """The changes that have become certain, in order."""
        ripe = [
            Touch(Us(since + self._steady), sensor, closed)
            for sensor, (since, closed) in self._waiting.items()
            if since + self._steady <= us
        ]
        changes = []
        for change in sorted(ripe, key=lambda change: change.us):
            del self._waiting[change.sensor]
            if change.closed != (change.sensor in self._cooked):
                self._cook(change.sensor, change.closed)
                changes.append(change)
        return changes

    def _cook(self, sensor: Sensor, closed: bool) -> None:
        if closed:
            self._cooked.add(sensor)
        else:
            self._cooked.discard(sensor)


SLOT = ms(100)
"""Edges are counted by tenths of a second, so that the burst of one touch counts once or twice."""
SLOTS = 30
BUSY = 20
"""With edges in so many of the last SLOTS a contact chatters: no hand is that quick for so long."""
FLOOD = 200
"""Edges in one slot that count as chatter at once; a bouncing reed makes some dozens."""
CALM = ms(3000)
"""Still for so long, a contact is believed again."""
RAW_CALM = ms(1000)
REPORTED_EVERY = ms(1000)
"""A sieve's own patience, and how often it lets a chattering contact through.

Together they are shorter than CALM: who listens behind a sieve never takes a chattering contact
for a calm one.
"""


@dataclass(slots=True)
class _Contact:
    """A contact's last edge, and a bit for each of the last SLOTS that had edges, newest last."""

    closed: bool
    last: Us
    busy: int = 1
    edges: int = 1
    chatters: bool = False

    def edge(self, us: Us, closed: bool) -> None:
        passed = us // SLOT - self.last // SLOT
        self.edges = 1 if passed else self.edges + 1
        self.busy = (self.busy << min(passed, SLOTS) | 1) & (1 << SLOTS) - 1
        self.closed, self.last = closed, us
        self.chatters |= self.edges >= FLOOD or self.busy.bit_count() >= BUSY


class Chatter:
    """Watches raw edges; `calm` is how long a contact must be still to count as calm."""

    def __init__(self, calm: Us = CALM) -> None:
        self._calm = calm
        self._contacts: dict[Sensor, _Contact] = {}
        self._chattering: dict[Sensor, _Contact] = {}

    @property
    def sensors(self) -> frozenset[Sensor]:
        """The sensors that chatter."""
        return frozenset(self._chattering)

    @property
    def due(self) -> Us | None:
        """When the next of them is calm if no edge comes first."""
        if not self._chattering:
            return None
        return Us(min([contact.last for contact in self._chattering.values()]) + self._calm)

    def edge(self, us: Us, sensor: Sensor, closed: bool) -> bool:
        """Take a raw edge. Returns whether the sensor chatters."""
        contact = self._contacts.get(sensor)
        if contact is None:
            contact = self._contacts[sensor] = _Contact(closed, us)
        else:
            contact.edge(us, closed)
        if contact.chatters:
            self._chattering[sensor] = contact
        return contact.chatters

    def correct(self, closed: frozenset[Sensor]) -> None:
        """Take the state of all sensors: an edge may have been lost."""
        for sensor, contact in self._contacts.items():
            contact.closed = sensor in closed

    def calmed(self, us: Us) -> dict[Sensor, bool]:
        """The sensors that have calmed down, and whether they are closed."""
        calm = {
            name: contact.closed
            for name, contact in self._chattering.items()
            if contact.last + self._calm <= us
        }
        for sensor in calm:
            del self._contacts[sensor], self._chattering[sensor]
        return calm


class Sieve:
    """Lets edges through to whoever keeps them, those of a chattering sensor once a second.

    What is dropped decides nothing: a chattering sensor is ignored until it has come to rest, and
    then its state is reported.
    """

    def __init__(self) -> None:
        self._chatter = Chatter(RAW_CALM)
        self._reported: dict[Sensor, tuple[Us, bool]] = {}

    @property
    def due(self) -> Us | None:
        """When `rested` has something to report if no edge comes first."""
        return self._chatter.due

    def lets(self, us: Us, sensor: Sensor, closed: bool) -> bool:
        """Whether to report this edge."""
        chattered = sensor in self._reported
        if not self._chatter.edge(us, sensor, closed):
            return True
        if chattered and us < self._reported[sensor][0] + REPORTED_EVERY:
            return False
        self._reported[sensor] = (us, closed)
        return True

    def rested(self, us: Us) -> dict[Sensor, bool]:
        """The sensors that calmed down in another state than reported, with that state."""
        calmed = self._chatter.calmed(us)
        reported = {sensor: self._reported.pop(sensor)[1] for sensor in calmed}
        return {
            sensor: closed for sensor, closed in calmed.items() if closed is not reported[sensor]
        }
