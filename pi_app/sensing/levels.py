"""What the levels of Hall sensors tell of checkers that no sensor counts.

A level is the voltage of a place's sensor in steps of the scanner's converter, counted from its
zero: positive above a checker of White, negative above one of Black. Once every place of a spot is
taken, another checker lies on top of one of them and adds some 6 % to its level. A nudge of the
checker below may take as much away. So levels decide no play; they only choose with which play a
question begins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from pi_app.rules.terms import Checkers, Side, Spot, Stack
from pi_app.sensing.description import Sensor

PlaceLevels: TypeAlias = Mapping[Sensor, int]
"""The levels of some places by their names."""
HIGHEST = 1023
"""The most steps of a converter of ten bits: no level is farther from its zero."""

# A checker that comes to lie straight on another adds 6 steps, 5 mm beside its middle 4. Half of a
# step is noise, and a checker below that is nudged by 0.3 mm changes by 1 step on average.
# Computed tables in hardware/decisions/hall.md show what comes of these two.
CAME = 3
"""A level that changes by so many steps shows that a checker came on top or was taken from it."""
CLEAR = 2
"""So many steps less are to be seen where none came and none was taken."""


def changes(
    before: PlaceLevels, now: PlaceLevels, places: Mapping[Spot, Sequence[Sensor]]
) -> Mapping[Spot, int]:
    """Return the largest change of each spot; spots whose levels were not all read are left out."""
    found: dict[Spot, int] = {}
    for spot, names in places.items():
        if names and all(name in before and name in now for name in names):
            found[spot] = max((now[name] - before[name] for name in names), key=abs)
    return found


def above(stack: Stack, places: int) -> int:
    """Count the checkers above the last place of a stack: White's less Black's."""
    return sum(1 if side is Side.WHITE else -1 for side in stack[places:])


def suggested(
    plays: Sequence[tuple[Any, Checkers]],
    accepted: Checkers,
    places: Mapping[Spot, Sequence[Sensor]],
    changed: Mapping[Spot, int],
) -> Any | None:
    """Return the play that alone fits what the levels show, or None.

    Each play comes with the checkers after it. Levels count only where the plays differ in what
    lies above the last place, and only if they were read there. A level that stays proves nothing,
    because a checker that lies astride two others or higher up adds one step: so a play fits only
    if a level changed for it.
    """
    came = [
        {
            spot: above(after.get(spot, ()), len(names)) - above(accepted.get(spot, ()), len(names))
            for spot, names in places.items()
        }
        for _, after in plays
    ]
    told = [spot for spot in places if len({each[spot] for each in came}) > 1]
    if any(spot not in changed for spot in told):
        return None
    fitting = [
        play for (play, _), each in zip(plays, came, strict=True) if _fits(each, changed, told)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _fits(came: Mapping[Spot, int], changed: Mapping[Spot, int], told: Sequence[Spot]) -> bool:
    """Whether levels changed at all spots where checkers came or were taken, and less elsewhere."""
    seen = [changed[spot] if came[spot] > 0 else -changed[spot] for spot in told if came[spot]]
    others = (abs(changed[spot]) for spot in told if not came[spot])
    least = min(seen, default=0)
    return least >= CAME and all(other <= least - CLEAR for other in others)
