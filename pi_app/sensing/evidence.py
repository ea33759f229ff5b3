"""What the hands were seen to do since the accepted position: lifts and drops, spot by spot."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace
from itertools import pairwise

from pi_app.microseconds import ENDLESS, Us, ms
from pi_app.rules.terms import Spot
from pi_app.sensing.description import Sensor

PASS = ms(300)
"""A checker that is slid over a free place closes it no longer than this."""
REMEMBERED = 100
"""Steps kept: more than any turn takes, and a reed that chatters all night fills no memory."""


@dataclass(frozen=True, slots=True)
class Handled:
    """A checker was lifted from a spot or dropped on it, as one of its sensors saw at `us`."""

    us: Us
    spot: Spot
    sensor: Sensor
    dropped: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """The steps in their order; they decide between plays that end in the same picture.

    `lacking` are the spots that lacked checkers when the position was accepted, once for each.
    """

    steps: tuple[Handled, ...] = ()
    lacking: tuple[Spot, ...] = ()

    def add(self, step: Handled, brush: Us = Us(0)) -> Evidence:
        """The evidence with one more step; of very many the oldest are forgotten.

        A checker that was off its place for less than `brush` was brushed or rocked: it never
        left.
        """
        last = next((s for s in reversed(self.steps) if s.sensor == step.sensor), None)
        if step.dropped and last and not last.dropped and step.us - last.us < brush:
            return replace(self, steps=tuple(s for s in self.steps if s is not last))
        return replace(self, steps=(*self.steps[1 - REMEMBERED :], step))

    def forget(self, spot: Spot) -> Evidence:
        """The evidence without what was seen on one spot."""
        return replace(self, steps=tuple(step for step in self.steps if step.spot != spot))

    def touched(self, spot: Spot) -> bool:
        """Whether anything was seen on the spot."""
        return any(step.spot == spot for step in self.steps)

    def longest_dip(self, spot: Spot) -> Us:
        """The longest time that a checker's place on the spot was open, lifted and dropped, or 0.

        Endless where a checker was lifted for good and one lies on another place of the spot.
        A checker that is rocked after its drop opens the place again, and briefly; one that
        passes over a free place closes it and proves nothing.
        """
        longest = Us(0)
        rests: set[bool] = set()
        for sensor in {step.sensor for step in self.steps if step.spot == spot}:
            steps = [step for step in self.steps if step.sensor == sensor]
            if steps[0].dropped is steps[-1].dropped:
                rests.add(steps[-1].dropped)
            if not steps[0].dropped or spot in self.lacking:
                dips = (Us(b.us - a.us) for a, b in pairwise(steps) if b.dropped and not a.dropped)
                longest = max(longest, *dips, Us(0))
        return ENDLESS if len(rests) == 2 else longest

    def carried(self, target: Spot, origin: Spot, overlap: Us) -> bool:
        """Whether the last drop on `target` may be a checker that is missing from `origin` since.

        A checker that is slid may reach the next reed up to `overlap` before it leaves its
        own; one that is slid over the free place fills it for a moment only.
        """
        drop = self._last_drop(target)
        since: Us | None = None
        filled: Us | None = None
        missing = self.lacking.count(origin)
        for step in (step for step in self.steps if step.spot == origin):
            missing += -1 if step.dropped else 1
            if missing < 1:
                filled = step.us
            elif since is None or (filled and filled >= since and step.us - filled > PASS):
                since = step.us
        return bool(missing > 0 and drop and since is not None and drop.us >= since - overlap)

    def lacked(self, origin: Spot, target: Spot) -> bool:
        """Whether `origin` lacked a checker at the last drop on `target`."""
        steps = [step for step in self._until_drop(target) if step.spot == origin]
        return self.lacking.count(origin) + _net(steps) > 0

    def lifted_during_last_drop(self, target: Spot, victims: Set[Spot]) -> bool:
        """Whether the other spots lacked a checker at the last drop on `target`.

        A hit checker that was lifted from one of `victims` by then is none that is missing.
        """
        others = [step for step in self._until_drop(target) if step.spot != target]
        taken = {step.spot for step in others if not step.dropped} & victims
        lacking = sum(spot != target for spot in self.lacking)
        return lacking + _net(others) - len(taken) > 0

    def _until_drop(self, target: Spot) -> list[Handled]:
        drop = self._last_drop(target)
        return [step for step in self.steps if drop and step.us <= drop.us]

    def _last_drop(self, spot: Spot) -> Handled | None:
        same = (step for step in reversed(self.steps) if step.spot == spot and step.dropped)
        return next(same, None)


def _net(steps: list[Handled]) -> int:
    """How many more checkers were lifted than dropped."""
    return sum(-1 if step.dropped else 1 for step in steps)
