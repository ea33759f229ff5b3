"""The places that Spotter does not see: why, how they are marked, and how that is said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum

from pi_app.board.description import Sensor
from pi_app.referee.view import View
from pi_app.screen.shapes import Disc, Line, Point, Shape, broken_ring
from pi_app.screen.theme import FELT_TEXT, INK

MOST_NAMED = 3


class Unseen(Enum):
    """Why a sensor is not believed, as people read it."""

    SET_ASIDE = "set aside"
    OVERRULED = "overruled"
    CHATTERING = "chattering"


def unseen(view: View) -> Mapping[Sensor, Unseen]:
    """The sensors that are not believed now, and why."""
    return {
        **dict.fromkeys(view.doubted, Unseen.OVERRULED),
        **dict.fromkeys(view.chattering, Unseen.CHATTERING),
        **dict.fromkeys(view.sensors_off, Unseen.SET_ASIDE),
    }


def unseen_told(view: View) -> Iterator[str]:
    """A few words for each reason there is."""
    sensors = unseen(view)
    for why in Unseen:
        names = [sensor for sensor, reason in sensors.items() if reason is why]
        if names:
            more = len(names) - MOST_NAMED
            listed = [*names[:MOST_NAMED], *((f"{more} more",) if more > 0 else ())]
            yield f"Blind at {', '.join(listed)} ({why.value})"


def mark_unseen(centre: Point, radius: int, badge: tuple[Point, int]) -> tuple[Shape, ...]:
    """A broken ring around a place, and a struck-out badge: its middle and radius."""
    (x, y), r = badge
    width, reach, ring = max(2, r // 4), r * 6 // 10, max(2, radius // 10)
    return (
        *broken_ring(centre, radius + 2 * ring, FELT_TEXT, ring),
        Disc((x, y), r, INK, FELT_TEXT, width),
        Line(((x - reach, y + reach), (x + reach, y - reach)), FELT_TEXT, width),
    )
