"""Which changes of contacts are accepted, from edges and their times alone.

A contact has changed once it has been steady for the debounce time. Each raw edge restarts that
wait, so bounce of any length gives one change or none. *Raw* is the contact's state, *cooked* the
debounced one.

A reed at the edge of a magnet's field or a loose wire may open and close for hours, slowly enough
to look like hands. Such a contact chatters, and is ignored until it has been still for a while.
"""

from __future__ import annotations

from collections.abc import Iterable

from pi_app.base.microseconds import Us, ms
from pi_app.base.values import dataclass
from pi_app.sensing.description import Sensor


@dataclass(frozen=True, slots=True)
class Touch:
    """A debounced change: the time it became certain, the sensor, and its new state."""

    us: Us
    sensor: Sensor
    closed: bool


# Why each edge restarts the wait, and the first edge is not reported at once: the first edge of a
# bounce does not say in which state it ends. The wait costs 5 ms, which no hand notices; a change
# that has to be revoked would cost a wrong reading. Why here, from times, and not by gpiozero's
# `bounce_time`: that means something else on every pin factory, and a test can then feed any bounce
# without waiting for it.


class Debouncer:
    """The raw and the debounced state of every sensor. It has no clock."""

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
        """When the next change becomes certain if no edge comes first; None if all is steady."""
        if not self._waiting:
            return None
        return Us(min([since for since, _ in self._waiting.values()]) + self._steady)

    def edge(self, us: Us, sensor: Sensor, closed: bool) -> None:
        """Take a raw edge.

        An edge that repeats the raw state means that one was lost; it restarts the wait.
        """
        steady = sensor not in self._waiting
        if steady and closed == (sensor in self._cooked):
            return
        self._waiting[sensor] = (us, closed)

    def picture(self, us: Us, sensors: Iterable[Sensor], closed: frozenset[Sensor]) -> list[Touch]:
        """Take the state of all sensors as steady, except those that are bouncing now."""
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
        """Stop waiting for a sensor; it keeps its debounced state."""
        self._waiting.pop(sensor, None)

    def advance(self, us: Us) -> list[Touch]:
        """Return the changes that have become certain by now, in order."""
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


# Why rates and not single edges: a hand can open and close a reed as fast as a loose wire does, but
# it cannot keep that up. So a contact chatters once it is busy in 20 of the last slots, not after
# some number of edges. A flood is more than any bounce and needs no second look.
SLOT = ms(100)
"""Edges are counted per tenth of a second, so that the burst of one touch counts once or twice."""
SLOTS = 30
BUSY = 20
"""A contact with edges in this many of the last SLOTS chatters; no hand is that quick
for so long."""
FLOOD = 200
"""This many edges in one slot are chatter at once; a bouncing reed makes some dozens."""
CALM = ms(3000)
"""A contact that has been still this long is used again."""
RAW_CALM = ms(1000)
REPORTED_EVERY = ms(1000)
"""How long a sieve waits for a contact to be calm, and how often it lets an edge of a chattering
one through.

Twice this is less than CALM, so a chattering contact never looks calm to a `Chatter` that gets only
what the sieve lets through.
"""


@dataclass(slots=True)
class _Contact:
    """A contact's last edge, and one bit for each of the last SLOTS, set if it had edges; newest
    last."""

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
    """Finds chattering contacts from raw edges; `calm` is how long one must be still to be calm."""

    def __init__(self, calm: Us = CALM) -> None:
        self._calm = calm
        self._contacts: dict[Sensor, _Contact] = {}
        self._chattering: dict[Sensor, _Contact] = {}

    @property
    def sensors(self) -> frozenset[Sensor]:
        """The sensors that chatter now."""
        return frozenset(self._chattering)

    @property
    def due(self) -> Us | None:
        """When the next of them becomes calm if no edge comes first; None if none chatters."""
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
        """Take the state of all sensors, because an edge may have been lost."""
        for sensor, contact in self._contacts.items():
            contact.closed = sensor in closed

    def calmed(self, us: Us) -> dict[Sensor, bool]:
        """Return the sensors that have become calm, each with whether it is closed."""
        calm = {
            name: contact.closed
            for name, contact in self._chattering.items()
            if contact.last + self._calm <= us
        }
        for sensor in calm:
            del self._contacts[sensor], self._chattering[sensor]
        return calm


class Sieve:
    """Decides which raw edges to report; of a chattering sensor it lets one through every second.

    The edges left out decide nothing, because a chattering sensor is ignored until it rests, and
    then its state is reported.
    """

    def __init__(self) -> None:
        self._chatter = Chatter(RAW_CALM)
        self._reported: dict[Sensor, tuple[Us, bool]] = {}

    @property
    def due(self) -> Us | None:
        """When `rested` next has something to report if no edge comes first."""
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
        """Return the sensors that became calm in another state than last reported, with
        that state."""
        calmed = self._chatter.calmed(us)
        reported = {sensor: self._reported.pop(sensor)[1] for sensor in calmed}
        return {
            sensor: closed for sensor, closed in calmed.items() if closed is not reported[sensor]
        }
