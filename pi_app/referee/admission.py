"""Which events a match cannot take: of a past time, of sensors the board does not have."""

from __future__ import annotations

from pi_app.board.description import Sensor
from pi_app.microseconds import Us, write_ms
from pi_app.referee.events import Event, Picture, SensorEdge, Start, Tap
from pi_app.referee.lines import EventError
from pi_app.texts import quoted


def check_event(event: Event, now: Us, sensors: tuple[Sensor, ...]) -> None:
    """Raises EventError for an event that cannot be, `now` being the time of the last one."""
    if event.us < now:
        raise EventError(f"ms {write_ms(event.us)} is before {write_ms(now)}; time never goes back")
    named: frozenset[Sensor] = frozenset()
    match event:
        case Picture():
            named = event.closed
        case SensorEdge():
            named = frozenset({event.sensor})
        case Tap() if event.sensor is not None:
            named = frozenset({event.sensor})
        case Start():
            raise EventError("start comes once, as the first event")
    for sensor in sorted(named.difference(sensors)):
        known = ", ".join(sensors)
        raise EventError(f"sensor {quoted(sensor)} is not on this board; it has {known}")
