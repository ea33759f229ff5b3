"""The network of the tables games: read from its file, and asked how a game will end.

What it sees are rows of weights that are added up, one hidden layer, and a softmax over the ways a
game can end; `trainer/README.md` has the layout.  A row is one long int, a lane of sixteen bits for
each hidden unit, so that one addition adds it for all of them; a unit's value and the last layer
are whole numbers too.  So no package for numbers is needed, and the sums are those of the trainer.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import exp
from operator import mul
from pathlib import Path
from struct import Struct
from typing import NamedTuple, TypeAlias

from pi_app.adding import added
from pi_app.errors import GivenError
from pi_app.rules.tables.position import BAR, CHECKERS, HOME, MEN_BITS, POINTS, Men, numbers, one

FORMAT = 1
FEATURES = "tables-1"
ACTIVATION = 4096
"""The output of a fully active hidden unit."""
LANE, OUT_LANE = 16, 64
STEPS = (1, 2, 3, 4, 5, 7)
"""The counts of checkers that a point's rows begin with."""
BAR_STEPS, PIN_STEPS, PRIME_STEPS = 4, 3, 4
SHOT_STEPS = (1, 3, 6, 9, 11, 13, 15, 18, 21, 24, 28, 32)
"""The numbers of striking rolls, of 36, that a row begins with."""
DISTANCES = 12
FACES = 6
MOTHER = 24
FAR = BAR - HOME
"""From here on a checker is in the enemy's home or on the bar."""
CONTACTS = 4
PINNING = "pin"

Lanes: TypeAlias = int
"""Weights of all hidden units, a lane each, summed with their signs."""
EndChances: TypeAlias = tuple[float, ...]
"""The chance of each way to end for the side on roll, from the worst to the best."""

_ONES = int("1" * (BAR + 1), 16)
_POINTS = _ONES >> 4 & (1 << 4 * POINTS) - 1 << 4
_WINDOW = int("1" * HOME, 16)
_DISTANCES = int("1" * DISTANCES, 16)


class NetworkError(GivenError):
    """A file that holds no network; says which file and what is wrong with it."""


class Stance(NamedTuple):
    """One side's men as masks by its own numbers, a bit in each digit that counts."""

    men: Men
    """Without those that are pinned."""
    free: int
    """Spots that a checker can leave, with the bar."""
    alone: int
    """Checkers that may be struck."""
    held: int
    """Points closed to the enemy."""


@dataclass(frozen=True, slots=True)
class SideRows:
    """The rows of one side, summed beforehand for all that can be looked up at once."""

    men: tuple[tuple[Lanes, ...], ...]
    """By pairs of numbers, two digits of the men."""
    pinning: tuple[tuple[Lanes, ...], ...] = ()
    primes: tuple[Lanes, ...] = ()
    windows: dict[int, Lanes] | None = None
    shots: dict[int, Lanes] | None = None
    mother_shots: dict[int, Lanes] | None = None


@dataclass(frozen=True, slots=True)
class HiddenLayer:
    """The weights of one class of positions."""

    bias: Lanes
    sides: tuple[SideRows, SideRows]
    out: tuple[int, ...]
    out_bias: int


@dataclass(frozen=True, slots=True)
class Network:
    """A network of one game; `points` is what a game of each end came to, `shares` how many did.

    Of the layers with contact the first bit counts own checkers behind and the second the other
    side's: pinned ones in the Pin game, else such in the enemy's home or on the bar.
    """

    game: str
    contact: tuple[HiddenLayer, ...]
    race: HiddenLayer
    hidden: int
    ends: int
    points: tuple[float, ...]
    shares: tuple[float, ...]
    activations: tuple[int, ...]
    out_scale: int

    @property
    def pins(self) -> bool:
        return self.game == PINNING

    def judge(self, own: Men, opp: Men, own_pinned: Men = 0, opp_pinned: Men = 0) -> EndChances:
        """How a game ends that is not over, for the side on roll, whose men are `own`."""
        mine, theirs = _stance(own, own_pinned, opp_pinned), _stance(opp, opp_pinned, own_pinned)
        last, other_last = mine.free.bit_length() - 1 >> 2, theirs.free.bit_length() - 1 >> 2
        if last + other_last > BAR or own_pinned or opp_pinned:
            if self.pins:
                layer = self.contact[bool(own_pinned) + 2 * bool(opp_pinned)]
            else:
                layer = self.contact[(last >= FAR) + 2 * (other_last >= FAR)]
            ours, others = layer.sides
            row = layer.bias + _men(ours, mine) + _men(others, theirs)
            row += _contact(ours, mine, theirs) + _contact(others, theirs, mine)
            if opp_pinned:
                row += _pins(ours, own, opp_pinned)
            if own_pinned:
                row += _pins(others, opp, own_pinned)
        else:
            layer = self.race
            row = layer.bias + _men(layer.sides[0], mine) + _men(layer.sides[1], theirs)
        return self._ends(layer, row)

    def _ends(self, layer: HiddenLayer, row: Lanes) -> EndChances:
        activations = self.activations
        lanes = _lanes(row, self.hidden, LANE, "H")
        hidden = [activations[lane] for lane in lanes]
        logits = _lanes(sum(map(mul, hidden, layer.out), layer.out_bias), self.ends, OUT_LANE, "Q")
        most, scale = max(logits), ACTIVATION * self.out_scale
        raised = [exp((logit - most) / scale) for logit in logits]
        total = added(raised)
        return tuple([each / total for each in raised])


def _lanes(packed: int, count: int, width: int, code: str) -> tuple[int, ...]:
    """The lanes of a sum, each with half its range added so that none is below nothing."""
    data = (packed + _biases(count, width)).to_bytes(count * width // 8, "little")
    return Struct(f"<{count}{code}").unpack(data)


def _biases(count: int, width: int) -> int:
    """Half the range in each lane."""
    return ((1 << count * width) - 1) // ((1 << width) - 1) << width - 1


def _stance(men: Men, pinned: Men, enemy_pinned: Men) -> Stance:
    men -= pinned
    several = (men >> 1 | men >> 2 | men >> 3) & _ONES
    some = men & _ONES | several
    held = several & _POINTS
    alone = some & ~several & _POINTS
    if enemy_pinned:
        pinning = sum([one(BAR - number) for number in numbers(enemy_pinned)])
        held |= pinning
        alone &= ~pinning
    return Stance(men, some & ~1, alone, held)


def _men(rows: SideRows, stance: Stance) -> Lanes:
    digits = stance.men.to_bytes(MEN_BITS // 8, "little")
    return sum([table[pair] for table, pair in zip(rows.men, digits, strict=True)])


def _pins(rows: SideRows, men: Men, enemy_pinned: Men) -> Lanes:
    row = 0
    for number in numbers(enemy_pinned):
        mine = BAR - number
        row += rows.pinning[mine][min(men >> 4 * mine & 15, PIN_STEPS)]
    return row


def _contact(rows: SideRows, mine: Stance, theirs: Stance) -> Lanes:
    """Walls before the enemy's last checker, and how many rolls strike what stands alone."""
    assert rows.windows is not None
    assert rows.shots is not None
    # Beyond the enemy's last, from the next point on.
    ahead = mine.held >> 4 * (BAR + 2) - (theirs.free.bit_length() + 3 & ~3)
    row = rows.windows[ahead & _WINDOW]
    wall = ahead & ahead >> 4
    if wall:
        steps = 0
        while (wall := wall & ahead >> 4 * (steps + 2)) and steps < PRIME_STEPS:
            steps += 1
        row += rows.primes[steps]
    left, distances = mine.alone, 0
    while left:
        lowest = left & -left
        distances |= theirs.free >> 4 * (BAR + 1) - lowest.bit_length() + 1
        left ^= lowest
    row += rows.shots[distances & _DISTANCES]
    if rows.mother_shots is not None and mine.alone & one(MOTHER):
        row += rows.mother_shots[theirs.free >> 4 * (BAR + 1 - MOTHER) & _DISTANCES]
    return row


def load(path: Path) -> Network:
    """Raises NetworkError."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NetworkError(f"network {path}: it cannot be read: {error.strerror}") from None
    head, _, body = data.partition(b"\n")
    try:
        header = json.loads(head)
        found = (header["format"], header["features"])
        if found != (FORMAT, FEATURES):
            raise NetworkError(f"network {path}: it is of {found}, not {(FORMAT, FEATURES)}")
        if zlib.crc32(body) != header["crc32"]:
            raise NetworkError(f"network {path}: its checksum is wrong; install Spotter again")
        return _network(header, body)
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise NetworkError(
            f"network {path}: it is damaged ({error}); install Spotter again"
        ) from None


def _network(header: dict[str, object], body: bytes) -> Network:
    hidden, ends, scale = (_whole(header, name) for name in ("hidden", "ends", "scale"))
    game, rows = str(header["game"]), header["rows"]
    pins = game == PINNING
    apart, race = [_count(pins, True)] * CONTACTS, _count(pins, False)
    if not isinstance(rows, list) or rows not in ([*apart, race], [apart[0], race]):
        raise ValueError(f"rows {rows}")
    sizes = [2 * (number * hidden + (hidden + 1) * ends) for number in rows]
    if len(body) != sum(sizes):
        raise ValueError(f"{len(body)} bytes of weights, not {sum(sizes)}")
    starts = list(accumulate(sizes, initial=0))
    *layers, race_layer = (
        _layer(body[start:end], hidden, ends, pins, contact=end < len(body))
        for start, end in pairwise(starts)
    )
    half = 1 << LANE - 1
    return Network(
        game,
        tuple(layers) if len(layers) == CONTACTS else tuple(layers) * CONTACTS,
        race_layer,
        hidden,
        ends,
        _figures(header, "points", ends),
        _figures(header, "shares", ends),
        tuple(
            int(ACTIVATION / (1 + exp((half - lane) / scale)) + 0.5) for lane in range(1 << LANE)
        ),
        _whole(header, "out_scale"),
    )


def _whole(header: dict[str, object], name: str) -> int:
    value = header[name]
    if type(value) is not int or not 0 < value < 1 << 16:
        raise ValueError(f"{name} {value}")
    return value


def _figures(header: dict[str, object], name: str, count: int) -> tuple[float, ...]:
    values = header[name]
    if not isinstance(values, list) or len(values) != count:
        raise ValueError(f"{name} {values}")
    return tuple(float(value) for value in values)


def _count(pins: bool, contact: bool) -> int:
    side = POINTS * len(STEPS) + CHECKERS
    if contact:
        side += PRIME_STEPS + (1 << HOME) + len(SHOT_STEPS)
        side += POINTS * PIN_STEPS + len(SHOT_STEPS) if pins else BAR_STEPS
    return 1 + 2 * side


def _layer(data: bytes, hidden: int, ends: int, pins: bool, contact: bool) -> HiddenLayer:
    size = 2 * hidden
    first = len(data) - 2 * (hidden + 1) * ends
    rows = iter([_packed(data[at : at + size], LANE) for at in range(0, first, size)])
    bias = next(rows)
    men = [_men_rows(rows, pins, contact) for _ in range(2)]
    sides = [_contact_rows(rows, side, pins) if contact else side for side in men]
    out = [
        _packed(_widened(data[at : at + 2 * ends]), OUT_LANE)
        for at in range(first, len(data), 2 * ends)
    ]
    return HiddenLayer(bias, (sides[0], sides[1]), tuple(out[:-1]), ACTIVATION * out[-1])


def _packed(data: bytes, width: int) -> int:
    """Whole numbers with signs as the sum of their lanes."""
    biases = _biases(len(data) * 8 // width, width)
    return (int.from_bytes(data, "little") ^ biases) - biases


def _widened(data: bytes) -> bytes:
    count = len(data) // 2
    return Struct(f"<{count}q").pack(*Struct(f"<{count}h").unpack(data))


def _summed(rows: Iterator[Lanes], count: int) -> tuple[Lanes, ...]:
    """Rows that are on together, up to each of them: none, the first, the first two …"""
    return tuple(accumulate([next(rows) for _ in range(count)], initial=0))


def _stepped(sums: Sequence[Lanes], at: Sequence[int], most: int) -> list[Lanes]:
    """By a count up to the most: the sum of the rows that begin with it or less."""
    return [sums[sum(count >= step for step in at)] for count in range(most + 1)]


def _men_rows(rows: Iterator[Lanes], pins: bool, contact: bool) -> SideRows:
    points = [_stepped(_summed(rows, len(STEPS)), STEPS, CHECKERS) for _ in range(POINTS)]
    off = list(_summed(rows, CHECKERS))
    bar, pinning = [0] * (CHECKERS + 1), list[tuple[Lanes, ...]]()
    if contact and pins:
        pinning = [(), *(_summed(rows, PIN_STEPS) for _ in range(POINTS))]
    elif contact:
        bar = _stepped(_summed(rows, BAR_STEPS), range(1, BAR_STEPS + 1), CHECKERS)
    places = [off, *points, bar]
    men = [
        tuple(low[pair & 15] + high[pair >> 4] for pair in range(256))
        for low, high in zip(places[::2], places[1::2], strict=True)
    ]
    return SideRows(tuple(men), tuple(pinning))


def _contact_rows(rows: Iterator[Lanes], side: SideRows, pins: bool) -> SideRows:
    primes = _summed(rows, PRIME_STEPS)
    windows = {_spread(window): next(rows) for window in range(1 << HOME)}
    shots = _shots()
    tables = []
    for _ in range(1 + pins):
        by_count = _stepped(_summed(rows, len(SHOT_STEPS)), SHOT_STEPS, FACES * FACES)
        tables.append({key: by_count[count] for key, count in shots.items()})
    return SideRows(side.men, side.pinning, primes, windows, *tables)


def _spread(bits: int) -> int:
    """A bit in each digit, as men have them."""
    return int(f"{bits:b}", 16)


def _shots() -> dict[int, int]:
    """The rolls of 36 that reach one of these distances, ignoring blocks."""
    reaches = list[int]()
    for a in range(1, FACES + 1):
        for b in range(1, FACES + 1):
            ways = {a, b, a + b} | ({3 * a, 4 * a} if a == b else set())
            reaches.append(sum(1 << way - 1 for way in ways if way <= DISTANCES))
    return {
        _spread(some): sum(1 for reach in reaches if reach & some) for some in range(1 << DISTANCES)
    }
