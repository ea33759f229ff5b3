"""What the hands were seen to do since the accepted position: lifts and drops, spot by spot."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from pi_app.rules.terms import Spot

REMEMBERED = 100
"""Steps kept: more than any turn takes, and a reed that chatters all night fills no memory."""


@dataclass(frozen=True, slots=True)
class Step:
    """A checker was lifted from a spot or dropped on it, at `ms`."""

    ms: float
    spot: Spot
    dropped: bool


@dataclass(frozen=True, slots=True)
class Evidence:
    """The steps in their order; they decide between plays that end in the same picture."""

    steps: tuple[Step, ...] = ()

    def add(self, step: Step, brush_ms: float = 0.0) -> Evidence:
        """The evidence with one more step; of very many the oldest are forgotten.

        A checker that was off its spot for less than `brush_ms` was brushed or rocked: it never
        left.
        """
        last = next((s for s in reversed(self.steps) if s.spot == step.spot), None)
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
        """The longest time that the spot was open between a lift and a drop; 0 if there is none.

        A checker that is rocked after its drop opens the spot again, and briefly.
        """
        steps = [step for step in self.steps if step.spot == spot]
        dips = (b.ms - a.ms for a, b in pairwise(steps) if b.dropped and not a.dropped)
        return max(dips, default=0.0)

    def dropped_after_lift(self, target: Spot, origin: Spot, overlap_ms: float) -> bool:
        """Whether the last drop on `target` came after the last lift from `origin`.

        A checker that is slid may reach the next reed up to `overlap_ms` before it leaves its own.
        """
        drop = self._last(target, dropped=True)
        lift = self._last(origin, dropped=False)
        return bool(drop and lift and drop.ms >= lift.ms - overlap_ms)

    def lifted_during_last_drop(self, target: Spot) -> bool:
        """Whether another spot's checker was in the air at the last drop on `target`."""
        drop = self._last(target, dropped=True)
        state = {
            step.spot: step.dropped
            for step in self.steps
            if drop and step.ms <= drop.ms and step.spot != target
        }
        first = {step.spot: step.dropped for step in reversed(self.steps)}
        return any(not dropped and not first[spot] for spot, dropped in state.items())

    def _last(self, spot: Spot, dropped: bool) -> Step | None:
        same = (s for s in reversed(self.steps) if s.spot == spot and s.dropped is dropped)
        return next(same, None)
