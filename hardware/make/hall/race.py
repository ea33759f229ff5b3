"""Whether a token jumps over a strip: all flip-flops share a slow clock, but not a threshold."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace

STRIPS = 25
MEGA_V, STRIP_V = 5.0, 3.3
THRESHOLD_V, LEAST_V, MOST_V = 1.5, 0.9, 2.2
"""A flip-flop's threshold at 3.3 V; its data sheet bounds it by 0.8 and 2.0 V (from memory,
unchecked)."""
PORT_OHMS = 25.0
"""The Mega's output, from its data sheet's curves: unchecked."""
WIRE_NS = 0.5
"""What 100 mm of ribbon delay the clock, from strip to strip, in the direction of the token."""
INPUT_PF = (6.0, 20.0)
"""An input, 100 mm of wire and two lands: assumed."""
RESISTOR_SHARE = 0.95
BOARDS, SEED = 1000, 1
RACE_HEAD = ("clock, capacity, scatter", "OUT direct", "1 kΩ", "2.2 kΩ, as built")


@dataclass(frozen=True, slots=True)
class TokenChain:
    """Resistors in ohm, the clock line's capacity in pF, the scatter of thresholds (one standard
    deviation, in mV), and a flip-flop's least delay and its hold time in ns (74LVC1G175 at 3.3 V,
    from memory: unchecked)."""

    clock_ohms: float = 220.0
    out_ohms: float = 2200.0
    clock_pf: float = 250.0
    scatter_mv: float = 100.0
    delay_ns: float = 1.5
    hold_ns: float = 1.0


def jumps(chain: TokenChain, boards: int = BOARDS, seed: int = SEED) -> float:
    """The share of boards on which a strip takes its neighbour's new token one clock too early."""
    chance = random.Random(seed)
    return sum(_jumps(chain, chance) for _ in range(boards)) / boards


def race_rows() -> Iterator[tuple[str, ...]]:
    """The table of the page: boards whose token jumps somewhere, in per cent."""
    for clock_ohms in (270.0, 220.0):
        for clock_pf in (150.0, 250.0):
            for scatter_mv in (30.0, 100.0, 200.0):
                chain = TokenChain(clock_ohms, clock_pf=clock_pf, scatter_mv=scatter_mv)
                shares = (jumps(replace(chain, out_ohms=ohms)) for ohms in (0.0, 1000.0, 2200.0))
                name = f"{clock_ohms:.0f} Ω, {clock_pf:.0f} pF, {scatter_mv:.0f} mV"
                yield name, *(f"{100 * share:.1f} %" for share in shares)


def _jumps(chain: TokenChain, chance: random.Random) -> bool:
    """Whether it happens on one board, with each strip's threshold and input drawn anew."""
    volts = [
        min(MOST_V, max(LEAST_V, chance.gauss(THRESHOLD_V, chain.scatter_mv / 1000)))
        for _ in range(STRIPS)
    ]
    charge_ns = (chain.clock_ohms + PORT_OHMS) * chain.clock_pf / 1000
    clocked = [
        place * WIRE_NS - charge_ns * math.log(1 - threshold / MEGA_V)
        for place, threshold in enumerate(volts)
    ]
    series_kohm = RESISTOR_SHARE * chain.out_ohms / 1000
    for place in range(1, STRIPS):
        slow_ns = -series_kohm * chance.uniform(*INPUT_PF) * math.log(1 - volts[place] / STRIP_V)
        if clocked[place] + chain.hold_ns > clocked[place - 1] + chain.delay_ns + slow_ns:
            return True
    return False
