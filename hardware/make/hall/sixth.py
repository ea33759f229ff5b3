"""How often the levels name the point that took a sixth checker: two points are full, and one more
came to lie on top of one of them, which no sensor counts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import TypeAlias

from hardware.make.hall.demands import HallSetup
from hardware.make.magnetics import flux
from pi_app.rules.terms import Checkers, Side, Spot
from pi_app.sensing.description import Sensor
from pi_app.sensing.levels import PlaceLevels, changes, suggested

STEP_MM, FAR_MM = 0.1, 20.0
NOISE_MT = 0.03
"""One standard deviation: 0.17 mT from peak to peak (public notes, unchecked)."""
PLACES = 5
DRAWS, SEED = 500, 11
SIXTH_HEAD = (
    *("checkers below, nudge, on top", "right, other point untouched", "wrong"),
    *("right, both touched", "wrong"),
)
SPOTS = Spot.read("12"), Spot.read("8")
NAMES: Mapping[Spot, tuple[Sensor, ...]] = {
    spot: tuple(Sensor(f"{spot}.{place}") for place in range(PLACES)) for spot in SPOTS
}
Shift: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Scatter:
    """Standard deviations along both axes in mm: of the checkers below beside their places, of a
    nudge of one that is touched, of the sixth beside the one below it. Of `clumsy` movements (a
    share of all) they are three times as large."""

    below: float
    nudge: float
    on_top: float
    clumsy: float = 0.0

    def drawn(self, sigma: float, chance: random.Random) -> Shift:
        wide = 3 if chance.random() < self.clumsy else 1
        return chance.gauss(0.0, wide * sigma), chance.gauss(0.0, wide * sigma)


class LevelModel:
    """Levels of a nominal checker and of a second one on top of it, by how far they lie aside."""

    def __init__(self, found: HallSetup, count_mt: float) -> None:
        self._count_mt = count_mt
        depth = round(max(found.depths), 3)
        self._curves = [
            [
                flux(found.setup.strong, round(n * STEP_MM, 3), round(depth + up, 3))
                for n in range(round(FAR_MM / STEP_MM) + 2)
            ]
            for up in (0.0, found.setup.storey)
        ]

    def level(self, shifts: Sequence[Shift], chance: random.Random) -> int:
        """The converter's steps above zero, for checkers from the lowest up."""
        field = sum(
            self._at(curve, hypot(*shift))
            for curve, shift in zip(self._curves, shifts, strict=False)
        )
        return round((field + chance.gauss(0.0, NOISE_MT)) / self._count_mt)

    def _at(self, curve: Sequence[float], aside: float) -> float:
        steps = min(aside, FAR_MM) / STEP_MM
        low = int(steps)
        return curve[low] + (steps - low) * (curve[low + 1] - curve[low])


def sixth_rows(found: HallSetup, count_mt: float) -> Iterator[tuple[str, ...]]:
    """The table of the page."""
    model = LevelModel(found, count_mt)
    for below, on_top, clumsy in ((1.0, 2.0, 0.0), (2.0, 2.0, 0.0), (2.0, 4.0, 0.1)):
        for nudge in (0.0, 0.1, 0.2, 0.3, 0.5):
            scatter = Scatter(below, nudge, on_top, clumsy)
            told = [outcomes(model, scatter, both_touched=both) for both in (False, True)]
            shares = (one[kind] / one.total() for one in told for kind in ("right", "wrong"))
            more = ", one of ten three times as far" if clumsy else ""
            name = f"{below:g} mm, {nudge:g} mm, {on_top:g} mm{more}"
            yield name, *(f"{100 * share:.1f} %" for share in shares)


def outcomes(
    model: LevelModel,
    scatter: Scatter,
    *,
    both_touched: bool,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Counter[str]:
    """How many suggestions are "right" or "wrong", and how many questions have "none"."""
    chance = random.Random(seed)
    return Counter(_outcome(model, scatter, both_touched, chance) for _ in range(draws))


def _outcome(model: LevelModel, scatter: Scatter, both_touched: bool, chance: random.Random) -> str:
    lying = {name: scatter.drawn(scatter.below, chance) for own in NAMES.values() for name in own}
    before = _read(model, {name: [shift] for name, shift in lying.items()}, chance)
    true, other = SPOTS
    touched = [chance.choice(NAMES[true])]
    touched += [chance.choice(NAMES[other])] if both_touched else []
    for name in touched:
        nudge = scatter.drawn(scatter.nudge, chance)
        lying[name] = (lying[name][0] + nudge[0], lying[name][1] + nudge[1])
    now = {name: [shift] for name, shift in lying.items()}
    under, beside = lying[touched[0]], scatter.drawn(scatter.on_top, chance)
    now[touched[0]].append((under[0] + beside[0], under[1] + beside[1]))
    changed = changes(before, _read(model, now, chance), NAMES)
    full: Checkers = dict.fromkeys(SPOTS, (Side.WHITE,) * PLACES)
    plays = [(spot, {**full, spot: (Side.WHITE,) * (PLACES + 1)}) for spot in SPOTS]
    play = suggested(plays, full, NAMES, changed)
    return "none" if play is None else "right" if play == true else "wrong"


def _read(
    model: LevelModel, lying: Mapping[Sensor, Sequence[Shift]], chance: random.Random
) -> PlaceLevels:
    return {name: model.level(shifts, chance) for name, shifts in lying.items()}
