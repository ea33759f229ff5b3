"""What the hands were seen to do since the accepted position: lifts and drops, spot by spot."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from pi_app.board.description import Sensor
from pi_app.rules.terms import Spot

REMEMBERED = 100
"""Steps kept: more than any turn takes, and a reed that chatters all night fills no memory."""


@dataclass(frozen=True, slots=True)
class Step:
    """A checker was lifted from a spot or dropped on it, as one of its sensors saw at `ms`."""

    ms: float
    spot: Spot
    sensor: Sensor
    dropped: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """The steps in their order; they decide between plays that end in the same picture."""

    steps: tuple[Step, ...] = ()

    def add(self, step: Step, brush_ms: float = 0.0) -> Evidence:
        """The evidence with one more step; of very many the oldest are forgotten.

        A checker that was off its place for less than `brush_ms` was brushed or rocked: it never
        left.
        """
        last = next((s for s in reversed(self.steps) if s.sensor == step.sensor), None)
        if step.dropped and last and not last.dropped and step.ms - last.ms < brush_ms:
            return Evidence(tuple(s for s in self.steps if s is not last))
        return Evidence((*self.steps[1 - REMEMBERED :], step))

    def forget(self, spot: Spot) -> Evidence:
        """The evidence without what was seen on one spot."""
        return Evidence(tuple(step for step in self.steps if step.spot != spot))

    def touched(self, spot: Spot) -> bool:
        """Whether anything was seen on the spot."""
        return any(step.spot == spot for step in self.steps)

    def dip_ms(self, spot: Spot) -> float:
        """The longest time that a place of the spot was open between a lift and a drop, or 0.

        Endless where a checker was lifted for good and one lies on another place of the spot.
        A checker that is rocked after its drop opens the place again, and briefly.
        """
        longest = 0.0
        rests: set[bool] = set()
        for sensor in {step.sensor for step in self.steps if step.spot == spot}:
            steps = [step for step in self.steps if step.sensor == sensor]
            dips = (b.ms - a.ms for a, b in pairwise(steps) if b.dropped and not a.dropped)
            longest = max(longest, *dips, 0.0)
            if steps[0].dropped is steps[-1].dropped:
                rests.add(steps[-1].dropped)
        return float("inf") if len(rests) == 2 else longest

    def carried(self, target: Spot, origin: Spot, overlap_ms: float) -> bool:
        """Whether the last drop on `target` may be a checker that is missing from `origin` since.

        A checker that is slid may reach the next reed up to `overlap_ms` before it leaves its own.
        """
        drop = self._last_drop(target)
        if drop is None:
            return False
        missing, since = 0, None
        for step in self.steps:
            if step.spot != origin:
                continue
            # What came before the accepted position was set is not counted against it.
            missing = max(0, missing - 1) if step.dropped else missing + 1
            if missing < 1:
                since = None
            elif since is None:
                since = step.ms
        return since is not None and drop.ms >= since - overlap_ms

    def lacked(self, origin: Spot, target: Spot) -> bool:
        """Whether `origin` lacked a checker at the last drop on `target`."""
        drop = self._last_drop(target)
        steps = [s for s in self.steps if drop and s.ms <= drop.ms and s.spot == origin]
        return sum(-1 if step.dropped else 1 for step in steps) > 0

    def lifted_during_last_drop(self, target: Spot) -> bool:
        """Whether the other spots lacked a checker at the last drop on `target`."""
        drop = self._last_drop(target)
        others = [s for s in self.steps if drop and s.ms <= drop.ms and s.spot != target]
        return sum(-1 if step.dropped else 1 for step in others) > 0

    def _last_drop(self, spot: Spot) -> Step | None:
        same = (step for step in reversed(self.steps) if step.spot == spot and step.dropped)
        return next(same, None)
