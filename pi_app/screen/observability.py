"""Ignored sensors: why, and how that is marked and said."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum, auto

from pi_app.referee.view import View
from pi_app.screen.canvas import Disc, Line, Point, Shape, broken_ring
from pi_app.screen.theme import FELT_TEXT, PIT
from pi_app.sensing.description import Reed, Sensor
from pi_app.sensing.trust import Health, PossibleFault
from pi_app.words.numbers import per_cent
from pi_app.words.sentences import COMMAS, Listing, Said, Sentence

MOST_NAMED, FAULTS_NAMED = 3, 2

ASK_BACK = Sentence("Sensor {sensor} is off. Use it again?")
HEALED = Sentence("Sensor {sensor} works again: Menu, Sensors")
PERHAPS_FAULTY = Sentence("Maybe faulty: {faults}")
FAULT_OF = Sentence("{sensor} ({fault})")
_FAULT: Mapping[Health, Sentence] = {
    Health.DEAD: Sentence("{likely} dead"),
    Health.STUCK: Sentence("{likely} stuck"),
    Health.UNSTEADY: Sentence("{likely} unsteady"),
}


class Unseen(Enum):
    SET_ASIDE = auto()
    OVERRULED = auto()
    CHATTERING = auto()


WHY: Mapping[Unseen, Sentence] = {
    Unseen.SET_ASIDE: Sentence("turned off"),
    Unseen.OVERRULED: Sentence("ignored"),
    Unseen.CHATTERING: Sentence("chattering"),
}
BLIND: Mapping[Unseen, Sentence] = {
    Unseen.SET_ASIDE: Sentence("Sensor off: {sensors}"),
    Unseen.OVERRULED: Sentence("Sensor ignored: {sensors}"),
    Unseen.CHATTERING: Sentence("Sensor chattering: {sensors}"),
}


def unseen(view: View) -> Mapping[Sensor, Unseen]:
    return {
        **dict.fromkeys(view.doubted, Unseen.OVERRULED),
        **dict.fromkeys(view.chattering, Unseen.CHATTERING),
        **dict.fromkeys(view.sensors_off, Unseen.SET_ASIDE),
    }


def why_unseen(unseen: Mapping[Sensor, Unseen], reed: Reed) -> Unseen | None:
    """Why a place, or one side's checkers on it, cannot be seen; None if they can."""
    return next((unseen[sensor] for sensor in reed.sensors if sensor in unseen), None)


def unseen_words(view: View) -> Iterator[str]:
    """Yield a few words for each reason, and which sensors may work again."""
    sensors, asked = unseen(view), view.ask_back[:1]
    if asked:
        yield ASK_BACK(sensor=asked[0])
    elif view.healed:
        yield HEALED(sensor=view.healed[0])
    for why in Unseen:
        named = (sensor for sensor, reason in sensors.items() if reason is why)
        names = [sensor for sensor in named if sensor not in asked]
        if names:
            yield BLIND[why](sensors=Listing(tuple(names), COMMAS, MOST_NAMED))


def fault_words(fault: PossibleFault) -> Said:
    return _FAULT[fault.health](likely=per_cent(fault.percent / 100))


def faults_words(view: View) -> Iterator[str]:
    if view.faults:
        texts = [FAULT_OF(sensor=fault.sensor, fault=fault_words(fault)) for fault in view.faults]
        yield PERHAPS_FAULTY(faults=Listing(tuple(texts), COMMAS, FAULTS_NAMED))


def mark_unseen(
    centre: Point, radius: int, badge: tuple[Point, int], why: Unseen
) -> tuple[Shape, ...]:
    """Draw a broken ring around a place. `badge` is the centre and radius of a sign for
    the reason."""
    at, r = badge
    width, ring = max(2, r // 4), max(2, radius // 10)
    return (
        *broken_ring(centre, radius + 2 * ring, FELT_TEXT, ring),
        Disc(at, r, PIT, FELT_TEXT, width),
        _sign(at, r * 6 // 10, width, why),
    )


def _sign(at: Point, reach: int, width: int, why: Unseen) -> Shape:
    """Crossed out if off, a zigzag if it chatters, a dot if it contradicted a position."""
    x, y = at
    if why is Unseen.OVERRULED:
        return Disc(at, width, FELT_TEXT)
    if why is Unseen.SET_ASIDE:
        return Line(((x - reach, y + reach), (x + reach, y - reach)), FELT_TEXT, width)
    third = reach * 2 / 3
    steps = ((-1.5, reach), (-0.5, -reach), (0.5, reach), (1.5, -reach))
    return Line(tuple((x + third * step, y + rise) for step, rise in steps), FELT_TEXT, width)
