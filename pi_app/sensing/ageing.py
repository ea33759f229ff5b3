"""What time does to a hypothesis: what has lasted for too long was not in passing, and costs."""

from __future__ import annotations

from math import log

from pi_app.microseconds import Us
from pi_app.sensing.noise import Noise, NoiseModel
from pi_app.sensing.states import LONG_AGO, FalseContact, Hypothesis, Owed


def aged(noise: NoiseModel, story: Hypothesis, now: Us) -> Hypothesis:
    """The story, dearer by all that has lasted for too long to be in passing."""
    story = _calmed(noise, story, now)
    old = [lie for lie in story.lies if _is_old(noise, lie, now)]
    overdue = [owed for owed in story.owed if _is_overdue(noise, owed, now)]
    if not (old or overdue):
        return story
    return story._replace(
        cost=story.cost
        + sum(lasting(noise, lie, now) for lie in old)
        + len(overdue) * noise.cost(Noise.MISSED_OPENING),
        lies=tuple(
            lie._replace(paid=True, us=LONG_AGO) if lie in old else lie for lie in story.lies
        ),
        owed=tuple(
            Owed(owed.side, height=owed.height, late=True) if owed in overdue else owed
            for owed in story.owed
        ),
    )


def _calmed(noise: NoiseModel, story: Hypothesis, now: Us) -> Hypothesis:
    """The story without the times of what was done too long ago to be hasty."""
    hasty = now - noise.longest(Noise.BRUSH)
    if any(LONG_AGO < piece.us <= hasty for piece in story.aloft):
        aloft = (p._replace(us=LONG_AGO) if p.us <= hasty else p for p in story.aloft)
        story = story._replace(aloft=tuple(aloft))
    if any(LONG_AGO < us <= hasty for _, _, us in story.laid):
        laid = ((s, side, LONG_AGO if us <= hasty else us) for s, side, us in story.laid)
        story = story._replace(laid=tuple(laid))
    return story


def _is_old(noise: NoiseModel, lie: FalseContact, now: Us) -> bool:
    longest = noise.longest(Noise.REST if lie.closed else Noise.BRUSH)
    return not lie.paid and lie.sensor is not None and now - lie.us >= longest


def _is_overdue(noise: NoiseModel, owed: Owed, now: Us) -> bool:
    """Whether something was pushed and has not left its own place."""
    return owed.pushed and now - owed.us > noise.longest(Noise.PUSH)


def lasting(noise: NoiseModel, lie: FalseContact, now: Us) -> float:
    """What it costs that a contact lies for so long: soon no sleeve explains it."""
    if lie.sensor is None or lie.paid:
        return 0.0
    age = now - lie.us
    if not lie.closed:
        brushed = age < noise.longest(Noise.BRUSH)
        return 0.0 if brushed else noise.cost(Noise.MISSED_CLOSING)
    if age < noise.longest(Noise.SLIDE):
        return 0.0
    left = 1 - age / noise.longest(Noise.REST)
    return noise.cost(Noise.REST) - log(left) if left > 0 else noise.cost(Noise.STUCK)
