"""Players of the tables games with a neural network: one ply, two plies, and weaker ones with rules
of thumb.

One ply: each position after an own play is judged. Two plies: for the best few plays it takes the
mean over the opponent's 21 rolls, each answered by the play that is then judged best. Plays are
weighed without the cube, at a match score by the chance to win the match; the cube is weighed by
Janowski's formulas. All worths are estimates.

A weaker level adds to the network's judgement what rules of thumb say: hit, hold points, above all
at home, leave no blots, leave no checker behind, bear off, run. The weight of each rule is drawn at
random for each position and roll, always the same for the same; the weaker the level, the more all
of them count. Random errors of the worths were not chosen, because then any foolish play may seem
the best.
"""

from __future__ import annotations

import json
import os
import random
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from functools import cache, cached_property, lru_cache
from itertools import accumulate, pairwise
from math import copysign, exp
from operator import itemgetter, mul
from pathlib import Path
from struct import Struct
from typing import Any, NamedTuple, TypeAlias

from pi_app.base.adding import added
from pi_app.base.errors import GivenError
from pi_app.base.values import dataclass
from pi_app.match.score import Agreement, Standing, may_double, worth
from pi_app.players.contract import (
    Answer,
    Chances,
    Contender,
    CubeOpinion,
    Opinion,
    Player,
    RolloutGames,
    RollsOpinion,
    Situation,
    TrialsOpinion,
    Unit,
    ranked,
)
from pi_app.players.judging import Appraisal, RunningWeights, Weights, marks_of, running_marks_of
from pi_app.players.native import CoreError, NativeCore, OpenedCore, cache_folder
from pi_app.rules.contract import AnyGame
from pi_app.rules.tables.fevga import ACROSS
from pi_app.rules.tables.pin import MOTHER_POINTS, PLAKOTO
from pi_app.rules.tables.portes import PORTES
from pi_app.rules.tables.position import (
    ALONG,
    BAR,
    CHECKERS,
    HOME,
    MEN_BITS,
    OFF,
    POINTS,
    Men,
    TablesPosition,
    count,
    numbers,
    one,
)
from pi_app.rules.terms import Outcome, Roll, Side
from pi_app.words.sentences import Sentence

# The network, read from its file, and asked how a game will end.
#
# What it sees are rows of weights that are added up, one hidden layer, and a softmax over the ways
# a game can end; `tests/lab/trainer/README.md` has the layout. A row is one long int, a lane of
# sixteen bits for each hidden unit, so that one addition adds it for all of them; a unit's value
# and the last layer are whole numbers too. So no package for numbers is needed, and the sums are
# the trainer's.

FORMAT = 1
ACTIVATION = 4096
"""The output of a fully active hidden unit."""
LANE, OUT_LANE = 16, 64
STEPS = (1, 2, 3, 4, 5, 7)
"""The numbers of checkers on a point at which a new row of weights is added."""
BAR_STEPS, PIN_STEPS, PRIME_STEPS = 4, 3, 4
SHOT_STEPS = (1, 3, 6, 9, 11, 13, 15, 18, 21, 24, 28, 32)
"""The numbers of hitting rolls, of 36, at which a new row of weights is added."""
WAY_STEPS = 12
"""The most pips that Fevga's first checker still has to go that are told apart."""
DISTANCES = 12
FACES = 6
MOTHER = 24
FAR = BAR - HOME
"""From this number on a checker is on its last six points or on the bar."""
CONTACTS = 4
HITTING, FEW = "backgammon", "hypergammon"
"""The networks of games in which single checkers are hit, and of the one with three checkers a
side."""
PINNING, BLOCKING = "pin", "fevga"
FEATURES: Mapping[str, str] = {PINNING: "tables-1", BLOCKING: "tables-3"}
"""The layout of rows by network, where it is not that of `HITTING_FEATURES`."""
HITTING_FEATURES = "tables-2"

Lanes: TypeAlias = int
"""The weights of all hidden units in one int, one lane each, with signs."""
EndChances: TypeAlias = tuple[float, ...]
"""The chance of each result for the side on roll, from the worst to the best."""

_ONES = int("1" * (BAR + 1), 16)
_POINTS = _ONES >> 4 & (1 << 4 * POINTS) - 1 << 4
_WINDOW = int("1" * HOME, 16)
_DISTANCES = int("1" * DISTANCES, 16)


class NetworkError(GivenError):
    """A file that is no network; says which file and what is wrong with it."""


class Stance(NamedTuple):
    """One side's men as masks by its own numbers, one bit in each digit that counts."""

    men: Men
    """Without pinned checkers."""
    free: int
    """Places that a checker can leave, including the bar."""
    alone: int
    """Single checkers that may be hit or pinned."""
    held: int
    """Points closed to the enemy."""


@dataclass(frozen=True, slots=True)
class SideRows:
    """The rows of one side, added up in advance for everything that is looked up together."""

    men: tuple[tuple[Lanes, ...], ...]
    """By two digits of the men at a time."""
    pinning: tuple[tuple[Lanes, ...], ...] = ()
    primes: tuple[Lanes, ...] = ()
    windows: dict[int, Lanes] | None = None
    shots: dict[int, Lanes] | None = None
    mother_shots: dict[int, Lanes] | None = None
    further: dict[int, Lanes] | None = None
    home: dict[int, Lanes] | None = None
    direct: dict[int, Lanes] | None = None
    way: tuple[Lanes, ...] = ()
    dice: tuple[Lanes, ...] = ()


@dataclass(frozen=True, slots=True)
class HiddenLayer:
    """The weights for one class of positions."""

    bias: Lanes
    sides: tuple[SideRows, SideRows]
    out: tuple[int, ...]
    out_bias: int


class Layers(NamedTuple):
    """The layers. With contact, the first bit of the index counts own checkers behind and the
    second the opponent's: pinned ones in the Pin game, else those in the enemy's home or on the
    bar."""

    contact: tuple[HiddenLayer, ...]
    race: HiddenLayer


@dataclass(frozen=True)
class Network:
    """The network of one game; `points` is the points of each result in training, `shares` how
    often it came.

    `rows` and `weights` are those of each layer, as in the file.
    """

    game: str
    hidden: int
    ends: int
    points: tuple[float, ...]
    shares: tuple[float, ...]
    scale: int
    out_scale: int
    rows: tuple[int, ...]
    weights: bytes

    @property
    def pins(self) -> bool:
        return self.game == PINNING

    @property
    def blocks(self) -> bool:
        return self.game == BLOCKING

    def judge(self, own: Men, opp: Men, own_pinned: Men = 0, opp_pinned: Men = 0) -> EndChances:
        """Return how an unfinished game ends for the side on roll, whose men are `own`."""
        mine, theirs = _stance(own, own_pinned, opp_pinned), _stance(opp, opp_pinned, own_pinned)
        contact, race = self._layers
        last, other_last = _last(mine), _last(theirs)
        if self.blocks:
            mine, theirs = _closing(mine), _closing(theirs)
            meet = max(last, other_last) > ACROSS
        else:
            meet = last + other_last > BAR or bool(own_pinned or opp_pinned)
        if meet:
            if self.pins:
                layer = contact[bool(own_pinned) + 2 * bool(opp_pinned)]
            else:
                layer = contact[(last >= FAR) + 2 * (other_last >= FAR)]
            ours, others = layer.sides
            row = layer.bias + _men(ours, mine) + _men(others, theirs)
            seen = _blocks if self.blocks else _contact
            row += seen(ours, mine, theirs) + seen(others, theirs, mine)
            if opp_pinned:
                row += _pins(ours, own, opp_pinned)
            if own_pinned:
                row += _pins(others, opp, own_pinned)
        else:
            layer = race
            row = layer.bias + _men(layer.sides[0], mine) + _men(layer.sides[1], theirs)
        return self._ends(layer, row)

    @cached_property
    def _layers(self) -> Layers:
        """Built only when Python evaluates the network."""
        sizes = [_size(number, self.hidden, self.ends) for number in self.rows]
        starts = list(accumulate(sizes, initial=0))
        *contact, race = (
            _layer(self.weights[start:end], self, contact=not_last)
            for (start, end), not_last in zip(
                pairwise(starts), [True] * (len(sizes) - 1) + [False], strict=True
            )
        )
        return Layers(
            tuple(contact) if len(contact) == CONTACTS else tuple(contact) * CONTACTS, race
        )

    @cached_property
    def _activations(self) -> tuple[int, ...]:
        half = 1 << LANE - 1
        return tuple(
            int(ACTIVATION / (1 + exp((half - lane) / self.scale)) + 0.5)
            for lane in range(1 << LANE)
        )

    def _ends(self, layer: HiddenLayer, row: Lanes) -> EndChances:
        activations = self._activations
        lanes = _lanes(row, self.hidden, LANE, "H")
        hidden = [activations[lane] for lane in lanes]
        logits = _lanes(sum(map(mul, hidden, layer.out), layer.out_bias), self.ends, OUT_LANE, "Q")
        most, scale = max(logits), ACTIVATION * self.out_scale
        raised = [exp((logit - most) / scale) for logit in logits]
        total = added(raised)
        return tuple([each / total for each in raised])


def _lanes(packed: int, count: int, width: int, code: str) -> tuple[int, ...]:
    """The lanes of a sum, each with half its range added so that none is negative."""
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


def _last(stance: Stance) -> int:
    """The number of the last checker that can move."""
    return stance.free.bit_length() - 1 >> 2


def _closing(stance: Stance) -> Stance:
    """Where one checker closes a point."""
    return stance._replace(alone=0, held=stance.held | stance.alone)


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
    """The rows for walls in front of the enemy's last checker, and for how many rolls hit blots."""
    assert rows.windows is not None
    assert rows.shots is not None
    # Beyond the enemy's last, from the next point on.
    ahead = mine.held >> 4 * (BAR + 2) - (theirs.free.bit_length() + 3 & ~3)
    row = rows.windows[ahead & _WINDOW] + rows.primes[_prime_steps(ahead)]
    left, distances = mine.alone, 0
    while left:
        lowest = left & -left
        distances |= theirs.free >> 4 * (BAR + 1) - lowest.bit_length() + 1
        left ^= lowest
    row += rows.shots[distances & _DISTANCES]
    if rows.further is not None and rows.home is not None and rows.direct is not None:
        row += rows.further[ahead >> 4 * HOME & _WINDOW] + rows.home[mine.held >> 4 & _WINDOW]
        row += rows.direct[distances & _WINDOW]
    if rows.mother_shots is not None and mine.alone & one(MOTHER):
        row += rows.mother_shots[theirs.free >> 4 * (BAR + 1 - MOTHER) & _DISTANCES]
    return row


def _prime_steps(ahead: int) -> int:
    """How far the longest wall is beyond two points, at most `PRIME_STEPS`."""
    wall, steps = ahead & ahead >> 4, 0
    while (wall := wall & ahead >> 4 * (steps + 2)) and steps < PRIME_STEPS:
        steps += 1
    return steps


def _blocks(rows: SideRows, mine: Stance, theirs: Stance) -> Lanes:
    """Walls before the enemy's last checker, the first one's way, and dice that can be played."""
    assert rows.windows is not None
    assert rows.further is not None
    last = _last(theirs)
    met = [ALONG.across[number] for number in numbers(mine.held)]
    ahead = sum(one(last - 1 - number) for number in met if number < last)
    first = 0 if mine.men & 15 else min(numbers(mine.men))
    way = min(max(first - ACROSS, 0), WAY_STEPS)
    row = rows.windows[ahead & _WINDOW] + rows.further[ahead >> 4 * HOME & _WINDOW]
    row += rows.primes[_prime_steps(ahead)] + rows.way[way]
    return row + rows.dice[_movable(mine, theirs, [first] if way else numbers(mine.men))]


def _movable(mine: Stance, theirs: Stance, origins: Sequence[int]) -> int:
    """The dice by which some checker can move, a bit each; limits on the end are ignored."""
    closed = {ALONG.across[number] for number in numbers(theirs.held)}
    last, dice = _last(mine), 0
    for die in range(1, FACES + 1):
        open_ones = any(n > die and n - die not in closed for n in origins)
        if open_ones or (last <= HOME and (die in origins or last < die)):
            dice |= 1 << die - 1
    return dice


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
        wanted = (FORMAT, FEATURES.get(header["game"], HITTING_FEATURES))
        if found != wanted:
            raise NetworkError(f"network {path}: it is of {found}, not {wanted}")
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
    apart, race = [_count(game, True)] * CONTACTS, _count(game, False)
    if not isinstance(rows, list) or rows not in ([*apart, race], [apart[0], race]):
        raise ValueError(f"rows {rows}")
    expected = sum(_size(number, hidden, ends) for number in rows)
    if len(body) != expected:
        raise ValueError(f"{len(body)} bytes of weights, not {expected}")
    return Network(
        game,
        hidden,
        ends,
        _figures(header, "points", ends),
        _figures(header, "shares", ends),
        scale,
        _whole(header, "out_scale"),
        tuple(rows),
        body,
    )


def _size(rows: int, hidden: int, ends: int) -> int:
    """The size of a layer in bytes."""
    return 2 * (rows * hidden + (hidden + 1) * ends)


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


def _count(game: str, contact: bool) -> int:
    side = POINTS * len(STEPS) + CHECKERS
    if contact:
        side += PRIME_STEPS + (1 << HOME)
        if game == PINNING:
            side += POINTS * PIN_STEPS + 2 * len(SHOT_STEPS)
        elif game == BLOCKING:
            side += WAY_STEPS + 2 * (1 << HOME)
        else:
            side += BAR_STEPS + len(SHOT_STEPS) + 3 * (1 << HOME)
    return 1 + 2 * side


def _layer(data: bytes, network: Network, contact: bool) -> HiddenLayer:
    hidden, ends = network.hidden, network.ends
    size = 2 * hidden
    first = len(data) - 2 * (hidden + 1) * ends
    rows = iter([_packed(data[at : at + size], LANE) for at in range(0, first, size)])
    bias = next(rows)
    men = [_men_rows(rows, network, contact) for _ in range(2)]
    sides = [_contact_rows(rows, side, network) if contact else side for side in men]
    out = [
        _packed(_widened(data[at : at + 2 * ends]), OUT_LANE)
        for at in range(first, len(data), 2 * ends)
    ]
    return HiddenLayer(bias, (sides[0], sides[1]), tuple(out[:-1]), ACTIVATION * out[-1])


def _packed(data: bytes, width: int) -> int:
    """Pack signed integers into lanes."""
    biases = _biases(len(data) * 8 // width, width)
    return (int.from_bytes(data, "little") ^ biases) - biases


def _widened(data: bytes) -> bytes:
    count = len(data) // 2
    return Struct(f"<{count}q").pack(*Struct(f"<{count}h").unpack(data))


def _summed(rows: Iterator[Lanes], count: int) -> tuple[Lanes, ...]:
    """Add up rows that apply together: none, the first, the first two, and so on."""
    return tuple(accumulate([next(rows) for _ in range(count)], initial=0))


def _stepped(sums: Sequence[Lanes], at: Sequence[int], most: int) -> list[Lanes]:
    """For each count up to `most`, the sum of the rows whose step is not above it."""
    return [sums[sum(count >= step for step in at)] for count in range(most + 1)]


def _men_rows(rows: Iterator[Lanes], network: Network, contact: bool) -> SideRows:
    points = [_stepped(_summed(rows, len(STEPS)), STEPS, CHECKERS) for _ in range(POINTS)]
    off = list(_summed(rows, CHECKERS))
    bar, pinning = [0] * (CHECKERS + 1), list[tuple[Lanes, ...]]()
    if contact and network.pins:
        pinning = [(), *(_summed(rows, PIN_STEPS) for _ in range(POINTS))]
    elif contact and not network.blocks:
        bar = _stepped(_summed(rows, BAR_STEPS), range(1, BAR_STEPS + 1), CHECKERS)
    places = [off, *points, bar]
    men = [
        tuple(low[pair & 15] + high[pair >> 4] for pair in range(256))
        for low, high in zip(places[::2], places[1::2], strict=True)
    ]
    return SideRows(tuple(men), tuple(pinning))


def _contact_rows(rows: Iterator[Lanes], side: SideRows, network: Network) -> SideRows:
    primes = _summed(rows, PRIME_STEPS)
    windows = _six(rows)
    if network.blocks:
        further, way = _six(rows), _summed(rows, WAY_STEPS)
        dice = tuple(_six(rows).values())
        return replace(side, primes=primes, windows=windows, further=further, way=way, dice=dice)
    shots = _shots_of(rows)
    if network.pins:
        return SideRows(side.men, side.pinning, primes, windows, shots, _shots_of(rows))
    further, home, direct = (_six(rows) for _ in range(3))
    return SideRows(side.men, side.pinning, primes, windows, shots, None, further, home, direct)


def _shots_of(rows: Iterator[Lanes]) -> dict[int, Lanes]:
    """The rows for shots, by the distances at which a blot is shot at."""
    by_count = _stepped(_summed(rows, len(SHOT_STEPS)), SHOT_STEPS, FACES * FACES)
    return {key: by_count[count] for key, count in _shots().items()}


def _six(rows: Iterator[Lanes]) -> dict[int, Lanes]:
    """One row for each subset of six places."""
    return {_spread(window): next(rows) for window in range(1 << HOME)}


def _spread(bits: int) -> int:
    """Spread bits out to one in each digit, as men have them."""
    return int(f"{bits:b}", 16)


@cache
def _shots() -> dict[int, int]:
    """The number of rolls, of 36, that reach one of these distances, ignoring blocks."""
    reaches = list[int]()
    for a in range(1, FACES + 1):
        for b in range(1, FACES + 1):
            ways = {a, b, a + b} | ({3 * a, 4 * a} if a == b else set())
            reaches.append(sum(1 << way - 1 for way in ways if way <= DISTANCES))
    return {
        _spread(some): sum(1 for reach in reaches if reach & some) for some in range(1 << DISTANCES)
    }


# What each way to end is worth to a side: points, or in a match the chance of winning it.
#
# A worth is counted so that the other side's is the same below nothing: in a match twice the
# chance less one. What a score is worth is computed here, for two sides alike. Without a cube from
# how often games end how, as the network's teacher counted them. With the cube, where nobody is
# one point away, by Janowski's rule of thumb: the leader has 1/2 + 0.85 lead / (the trailer's need
# + 6); in the Crawford game and after it from the ends again, the trailer doubling at once. So
# these are estimates.

MOST_AWAY = 100
"""The most points to go at which the score counts; farther away it plays for points."""

Needs: TypeAlias = tuple[int, int]
"""The points that a side still needs, and those of the other side."""
Met: TypeAlias = Callable[[int, int], float]
"""The chance to win the match for a side by what it needs and what the other side needs."""


@dataclass(frozen=True, slots=True)
class Ways:
    """The results of games, from a side's worst to its best: points before the cube, and how often
    each comes."""

    points: tuple[float, ...]
    shares: tuple[float, ...]

    @property
    def signs(self) -> tuple[int, ...]:
        """-1 for a loss, 1 for a win."""
        count = len(self.points)
        return tuple((2 * way + 1 > count) - (2 * way + 1 < count) for way in range(count))


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stakes of one game, in a match or in unlimited play."""

    unit: Unit
    won: Mapping[Side, Callable[[float], float]]
    """The worth to a side of winning this many points; negative points are losses."""

    def in_unit(self, value: float) -> float:
        return (1 + value) / 2 if self.unit is Unit.MATCH else value


def stakes_of(
    agreement: Agreement, standing: Standing, ways: Ways, cube: int | None = None
) -> Stakes:
    value = cube or standing.cube.value
    target = agreement.match_to
    if target is None or target - standing.score.least > MOST_AWAY:
        turned = value > standing.cube.value
        share = value / standing.cube.value

        def plain(points: float) -> float:
            if turned or abs(points) <= 1:
                return share * points
            sign = 1 if points > 0 else -1
            most = worth(agreement, standing, 2)  # 1 where only a turned cube makes more
            return share * (points if most > 1 else sign)

        return Stakes(Unit.POINTS, dict.fromkeys(Side, plain))
    met = met_of(agreement, standing, ways)

    def won_by(side: Side) -> Callable[[float], float]:
        own, other = (target - standing.score[each] for each in (side, side.other))
        return lambda points: _after(met, (own, other), points * value)

    return Stakes(Unit.MATCH, {side: won_by(side) for side in Side})


def _after(met: Met, away: Needs, points: float) -> float:
    """Return twice the match chance less one, after this many points are won. Mean points are
    rounded."""
    own, other = away
    gained = round(points)
    if gained > 0:
        return 2 * met(own - gained, other) - 1
    return 2 * met(own, other + gained) - 1


def met_of(agreement: Agreement, standing: Standing, ways: Ways) -> Met:
    played = standing.crawford_played or standing.crawford or not agreement.crawford
    return _met(ways, agreement.cube, played, min(agreement.match_to or 1, MOST_AWAY))


@lru_cache(maxsize=16)
def _met(ways: Ways, cube: bool, crawford_played: bool, most: int) -> Met:
    plain = _table(ways, 1, most)
    doubled = _table(ways, 2, most)

    def chance(own: int, other: int) -> float:
        if own <= 0 or other <= 0:
            return 1.0 if own <= 0 else 0.0
        if not cube:
            return plain[own, other]
        if min(own, other) > 1:
            return min(1.0, max(0.0, 0.5 + 0.85 * (other - own) / (max(own, other) + 6)))
        return doubled[own, other] if crawford_played else _on(doubled, ways, own, other, 1)

    return chance


def _on(known: Mapping[Needs, float], ways: Ways, own: int, other: int, stake: int) -> float:
    """The match chance with this game still to play, at this stake. A tie is played again."""
    total = chance = 0.0
    for points, share, sign in zip(ways.points, ways.shares, ways.signs, strict=True):
        if not sign:
            continue
        won = stake * max(1, round(points))
        total += share
        if sign > 0:
            chance += share if won >= own else share * known[own - won, other]
        elif won < other:
            chance += share * known[own, other - won]
    return chance / total


def _table(ways: Ways, stake: int, most: int) -> Mapping[Needs, float]:
    known = dict[Needs, float]()
    for together in range(2, 2 * most + 1):
        for own in range(max(1, together - most), min(most, together - 1) + 1):
            known[own, together - own] = _on(known, ways, own, together - own, stake)
    return known


# The doubling cube, weighed from the chances of how a game ends.
#
# The scheme of Janowski ("Take-Points in Money Games", 1993), as GNU Backgammon has it too: with a
# dead cube a position is worth the mean of what it ends in; with a live one, where every double
# comes at the very last moment, its worth runs straight between the points where somebody doubles
# out; what it is in truth lies two thirds of the way. In a match the same with chances of winning
# it, and a cube that its owner has no use for is dead to him.

LIVE = 0.68
"""The share of a live cube's worth that counts."""
MOST_TURNS = 10
"""The most cube turns that are looked ahead; after them the cube counts as dead."""


class Owner(Enum):
    """The cube's owner, seen from the side on roll."""

    MIDDLE = "middle"
    MINE = "mine"
    THEIRS = "theirs"


@dataclass(frozen=True, slots=True)
class Prospects:
    """One side's chance to win, and the mean worth of its wins and losses.

    `won` and `lost` take the cube's value and give the side's worth, positive and negative.
    `passed` is the worth if the opponent passes at that value, `passing` if this side does.
    `useful`: whether the side gains by turning a cube of this value; `theirs` is the same for the
    opponent.
    """

    chance: float
    won: Callable[[int], float]
    lost: Callable[[int], float]
    passed: Callable[[int], float]
    passing: Callable[[int], float]
    useful: Callable[[int], bool]
    theirs: Callable[[int], bool]

    @property
    def across(self) -> Prospects:
        return Prospects(
            1 - self.chance,
            lambda cube: -self.lost(cube),
            lambda cube: -self.won(cube),
            lambda cube: -self.passing(cube),
            lambda cube: -self.passed(cube),
            self.theirs,
            self.useful,
        )


def take_point(side: Prospects, cube: int, turns: int = 0) -> float:
    """The chance from which on a side takes a double from this value; it then owns the cube."""
    passing, lost = side.passing(cube), side.lost(2 * cube)
    if not side.useful(2 * cube) or turns >= MOST_TURNS:
        best, at = side.won(2 * cube), 1.0
    else:
        best, at = side.passed(2 * cube), 1 - take_point(side.across, 2 * cube, turns + 1)
    return min(1.0, max(0.0, at * (passing - lost) / (best - lost))) if best > lost else 1.0


def worth_of(side: Prospects, cube: int, owner: Owner) -> float:
    """The worth of a game to the side on roll with this cube, without an immediate double."""
    won, lost = side.won(cube), side.lost(cube)
    dead = side.chance * won + (1 - side.chance) * lost
    anchors = [(0.0, lost), (1.0, won)]
    if owner is not Owner.MINE and side.theirs(cube):
        anchors.append((take_point(side, cube), side.passing(cube)))
    if owner is not Owner.THEIRS and side.useful(cube):
        anchors.append((1 - take_point(side.across, cube), side.passed(cube)))
    return LIVE * _between(sorted(anchors), side.chance) + (1 - LIVE) * dead


def _between(anchors: list[tuple[float, float]], chance: float) -> float:
    """Interpolate linearly between these points."""
    for (left, low), (right, high) in pairwise(anchors):
        if chance <= right:
            return low if right == left else low + (high - low) * (chance - left) / (right - left)
    return anchors[-1][1]


ROLLS = tuple(
    (Roll.of(high, low), 1 if high == low else 2)
    for high in range(1, FACES + 1)
    for low in range(1, high + 1)
)
"""Every roll and how many of 36 it is."""
PORTES_MOST = 2.0
DOUBLE_FROM = 40
"""A Pin game of more points counts 2 in Plakoto: then the loser has hardly ever borne off any."""
BACKGAMMON_ENDS = 6
MOST_PIPS = 3 * CHECKERS * POINTS
"""The most points of a Pin game."""
EXAMINED = 8
THUMB = Weights(
    struck=0.2, off=0.06, point=0.05, home_point=0.06, blot=-0.07, pip=-0.004, behind=-0.05
)
"""The worth of each rule of thumb, in single games."""
RUNNING_THUMB = RunningWeights(off=0.06, point=0.05, ahead=0.06, pip=-0.004)
"""The same in Fevga."""
TRUST = 0.5
"""The mean of each rule's random factor, which is up to 1 less or more: mostly for the rule,
sometimes against it."""


RATED = Sentence("PR {least} to {most}")
STRONG, EXPERT = Sentence("Strong"), Sentence("Expert")
TOURNAMENT = "tournament"
TITLES: Mapping[str, tuple[Sentence, int]] = {
    TOURNAMENT: (Sentence("Tournament player"), 5),
    "advanced": (Sentence("Advanced"), 5),
    "club": (Sentence("Club player"), 4),
    "casual": (Sentence("Casual"), 3),
    "beginner": (Sentence("Beginner"), 2),
    "child": (Sentence("Child"), 1),
}
"""What people see of the weaker levels: a title, and bars of strength."""


class WeakerLevel(NamedTuple):
    """A level's name, the weight of its rules of thumb, and the range of its strength: ratings (PR)
    by GNU Backgammon, or wins in 100 games for points against `greedy`. `trust`: see TRUST."""

    name: str
    thumb: float
    least: int
    most: int
    trust: float = TRUST

    def rated(self, network: str) -> str:
        return RATED(least=self.least, most=self.most) if network == HITTING else ""

    def says(self, network: str) -> str:
        measure = "rating (PR)" if network == HITTING else "won of 100 games against greedy"
        return f"the network, misled by rules of thumb; {measure}: {self.least} to {self.most}"


WEAKER = ("advanced", "club", "casual", "beginner", "child")
"""The names of the weaker levels, the last one for children."""


def _levels(*rows: tuple[float, int, int]) -> tuple[WeakerLevel, ...]:
    return tuple(WeakerLevel(name, *row) for name, row in zip(WEAKER, rows, strict=False))


LEVELS: Mapping[str, tuple[WeakerLevel, ...]] = {
    HITTING: (
        WeakerLevel(TOURNAMENT, 0.9, 4, 6),
        *_levels((1.5, 6, 10), (3.5, 12, 18), (7.0, 17, 24), (14.0, 24, 32), (40.0, 31, 42)),
    ),
    FEW: _levels((1.5, 60, 73), (3.5, 57, 68), (7.0, 48, 60), (14.0, 44, 56), (40.0, 39, 51)),
    PINNING: _levels((1.5, 60, 75), (3.0, 58, 73), (4.5, 50, 66), (6.0, 42, 58), (12.0, 28, 43)),
    PLAKOTO.name: _levels(
        (4.0, 69, 85), (7.0, 54, 72), (12.0, 44, 62), (20.0, 33, 51), (50.0, 24, 42)
    ),
    BLOCKING: (
        *_levels((2.0, 80, 93), (7.0, 71, 86), (14.0, 63, 80), (40.0, 36, 54)),
        # Whoever follows these rules beats chance by far, so a child is as often against them.
        WeakerLevel(WEAKER[-1], 60.0, 18, 34, trust=0.0),
    ),
}
"""The weaker levels by network, and those of Plakoto, where a win counts less than in the Pin game.
`tests/levels.py` and `spotter arena` measure them."""


@dataclass(frozen=True, slots=True)
class Strength:
    """A player's strength: `thumb` is the weight of rules of thumb beside the network; `trust`: see
    TRUST."""

    plies: int = 1
    examined: int = EXAMINED
    thumb: float = 0.0
    trust: float = TRUST


@dataclass(frozen=True, slots=True)
class Payoffs:
    """The stake of each side, and the worth of each result to the side on roll."""

    stakes: Stakes
    ends: dict[Side, tuple[float, ...]]


DECLARED = """
void *spotter_tables_open(const char *);
void spotter_tables_close(void *);
void spotter_tables_ends(const void *, const uint8_t *, int32_t, double *);
void spotter_tables_rolls(const void *, const uint8_t *, const double *, const double *, int32_t,
                          double *);
void spotter_tables_answered(const void *, const uint8_t *, const double *, const double *, int32_t,
                             double *);
void spotter_tables_played_on(const void *, const uint8_t *, const double *, const double *,
                              int32_t, const uint8_t *, int32_t, double *);
"""
NATIVE = NativeCore("tables", Path(__file__).parent / "core")
SLOWER = "The network is asked in Python, more slowly, and bears off less exactly: {why}"
ENDS_MAX = 16
MEN_BYTES = MEN_BITS // 8


class TablesCore:
    """A network in C, with exact bearing off. It knows the rules of the network's game."""

    def __init__(self, opened: OpenedCore, path: Path, network: Network) -> None:
        self._ffi, self._library = opened
        self._ends = network.ends
        found = self._library.spotter_tables_open(os.fsencode(path))
        if found == self._ffi.NULL:
            raise CoreError(f"{path}: it cannot be read")
        self._network = self._ffi.gc(found, self._library.spotter_tables_close)

    def judge(self, positions: Sequence[TablesPosition]) -> list[EndChances]:
        """Return how unfinished games end, each for the side on roll."""
        chances = self._ffi.new("double[]", ENDS_MAX * len(positions))
        boards = b"".join(map(_board, positions))
        self._library.spotter_tables_ends(self._network, boards, len(positions), chances)
        starts = range(0, len(chances), ENDS_MAX)
        return [tuple(self._ffi.unpack(chances + start, self._ends)) for start in starts]

    def answered(
        self, position: TablesPosition, worths: Sequence[float], finals: Sequence[float]
    ) -> tuple[float, EndChances]:
        """Return the mean worth for the side on roll and the chances of the other side, over all
        rolls, each played best.

        `worths` is what the ends are worth to the other side. `finals` is what a finished game is
        worth to the side on roll, by points from the most lost to the most won.
        """
        found = self._ffi.new("double[]", ENDS_MAX + 1)
        self._library.spotter_tables_answered(
            self._network, _board(position), list(worths), list(finals), len(finals) // 2, found
        )
        worth, *ends = self._ffi.unpack(found, self._ends + 1)
        return worth, tuple(ends)

    def played_on(
        self,
        position: TablesPosition,
        worths: Sequence[Sequence[float]],
        finals: Sequence[Sequence[float]],
        rolls: Sequence[Roll],
    ) -> tuple[float, EndChances]:
        """Return what a game comes to for the side on roll, whose rolls are the first, third and so
        on, without their luck.

        `worths` and `finals` are as in `answered`, each for the side on roll and for the other.
        """
        found = self._ffi.new("double[]", ENDS_MAX + 1)
        ends = [worth for side in worths for worth in (*side, *(0.0,) * (ENDS_MAX - len(side)))]
        last, most = [final for side in finals for final in side], len(finals[0]) // 2
        dice = bytes(die for roll in rolls for die in sorted(roll.dice, reverse=True)[:2])
        self._library.spotter_tables_played_on(
            self._network, _board(position), ends, last, most, dice, len(rolls), found
        )
        worth, *chances = self._ffi.unpack(found, self._ends + 1)
        return worth, tuple(chances)

    def rolls(
        self, position: TablesPosition, worths: Sequence[float], finals: Sequence[float]
    ) -> Sequence[float]:
        """The worth of each of ROLLS if it is played best. The arguments are as in `answered`."""
        found = self._ffi.new("double[]", (ENDS_MAX + 1) * len(ROLLS))
        self._library.spotter_tables_rolls(
            self._network, _board(position), list(worths), list(finals), len(finals) // 2, found
        )
        numbers: list[float] = self._ffi.unpack(found, len(found))
        return numbers[:: ENDS_MAX + 1]


def _board(position: TablesPosition) -> bytes:
    mover, other = position.mover, position.mover.other
    men = (position.men(mover), position.men(other))
    pinned = (position.pinned(mover), position.pinned(other))
    return b"".join(each.to_bytes(MEN_BYTES, "little") for each in (*men, *pinned))


def open_core(folder: Path, path: Path, network: Network) -> TablesCore:
    """Raises CoreError."""
    return TablesCore(NATIVE.open(folder, DECLARED), path, network)


class Left(NamedTuple):
    """What a play leaves to its mover: its worth, how the game will end, and by how many plies."""

    worth: float
    chances: Chances
    plies: int = 1


class NetworkPlayer(Player):
    """A player of a tables game. Without `core` it computes the same in Python, more slowly."""

    def __init__(
        self, game: AnyGame, network: Network, strength: Strength, core: TablesCore | None = None
    ) -> None:
        self._game, self._network, self._strength = game, network, strength
        self._core = core

    def rate(self, situation: Situation, roll: Roll, made: Any = None) -> Opinion:
        game, position, strength = self._game, situation.position, self._strength
        table = self._table(situation)
        plays, results = game.plays(position, roll), game.results(position, roll)
        left = self._left(table, results)
        if strength.plies > 1 and len(plays) > 1:
            examined = set[int]() if made is None else {results.index(game.after(position, made))}
            left = self._deeper(table, results, left, examined)
        worths = [one.worth for one in left]
        if strength.thumb:
            shifts = self._by_thumb(position, roll, results)
            scale = strength.thumb * self._plain(table.stakes)
            worths = [worth + scale * shift for worth, shift in zip(worths, shifts, strict=True)]
        in_unit = table.stakes.in_unit
        rated = dict(zip(plays, map(in_unit, worths), strict=True))
        chances = {play: one.chances for play, one in zip(plays, left, strict=True)}
        plies = {play: one.plies for play, one in zip(plays, left, strict=True)}
        unit, point = table.stakes.unit, self._point(table.stakes)
        return ranked(unit, False, rated, point, chances, plies)

    def weigh(self, situation: Situation) -> CubeOpinion | None:
        """Weigh the cube; None if the game has none or the mover may not double."""
        standing, side = situation.standing, situation.position.mover
        open_cube = replace(standing, cube=replace(standing.cube, offered=None))
        if not self._game.has_cube or not may_double(situation.agreement, open_cube, side):
            return None
        prospects = self._prospects(situation)
        value = standing.cube.value
        owner = Owner.MIDDLE if standing.cube.owner is None else Owner.MINE
        stakes = self._stakes(situation)
        held, taken, passed = (
            stakes.in_unit(worth_of(prospects, value, owner)),
            stakes.in_unit(worth_of(prospects, 2 * value, Owner.THEIRS)),
            stakes.in_unit(prospects.passed(value)),
        )
        chances = self._chances(*self._judge([situation.position]))
        return CubeOpinion(stakes.unit, False, held, taken, passed, self._point(stakes), chances)

    def foresee(self, situation: Situation, rolls: Sequence[Roll]) -> RollsOpinion:
        searches = self._strength.plies > 1 or self._strength.thumb
        if not self._core or self._game.agreed or searches:
            return super().foresee(situation, rolls)
        table, position = self._table(situation), situation.position
        finals = self._finals(table, position.mover)
        found = self._core.rolls(position, table.ends[position.mover.other], finals)
        worths = dict(zip((roll for roll, _ in ROLLS), found, strict=True))
        unit, in_unit = table.stakes.unit, table.stakes.in_unit
        return RollsOpinion(unit, False, {roll: in_unit(worths[roll]) for roll in rolls})

    def play_on(self, situation: Situation, roll: Roll | None, trials: RolloutGames) -> Answer:
        """Play games on by one ply; None without the core in C, or by options that it does not
        know."""
        if not self._core or self._game.agreed:
            return None
        game, position, table = self._game, situation.position, self._table(situation)
        mover = position.mover
        if trials.play is not None:
            position = game.after(position, trials.play)
        if outcome := game.outcome(position):
            left = self._ended(table, mover, outcome)
            games = [left] * trials.games
        else:
            numbers = range(trials.first, trials.first + trials.games)
            games = [self._played_on(table, position, mover, trials, number) for number in numbers]
        worths = tuple(table.stakes.in_unit(one.worth) for one in games)
        chances = _mean_of([one.chances for one in games])
        unit, point = table.stakes.unit, self._point(table.stakes)
        return TrialsOpinion(unit, worths, chances, point)

    def _played_on(
        self,
        table: Payoffs,
        position: TablesPosition,
        mover: Side,
        trials: RolloutGames,
        number: int,
    ) -> Left:
        """What the game of this number leaves to `mover`, which need not be on roll."""
        assert self._core
        lots = random.Random(f"{trials.seed} {number}")
        rolls = [
            Roll.of(*(lots.randint(1, FACES) for _ in range(self._game.dice)))
            for _ in range(trials.turns)
        ]
        sides = position.mover, position.mover.other
        worths = [table.ends[side] for side in sides]
        finals = [self._finals(table, side) for side in sides]
        worth, ends = self._core.played_on(position, worths, finals, rolls)
        chances = self._chances(ends)
        return Left(worth, chances) if position.mover is mover else Left(-worth, chances.across)

    def _left(self, table: Payoffs, results: Sequence[TablesPosition]) -> list[Left]:
        outcomes = [self._game.outcome(result) for result in results]
        going_on = [r for r, outcome in zip(results, outcomes, strict=True) if outcome is None]
        judged = iter(self._judge(going_on))
        return [
            self._ended(table, result.mover.other, outcome)
            if outcome
            else self._going_on(table, result.mover, next(judged))
            for result, outcome in zip(results, outcomes, strict=True)
        ]

    def _going_on(self, table: Payoffs, mover: Side, ends: EndChances) -> Left:
        return Left(-weighed(ends, table.ends[mover]), self._chances(ends).across)

    def _ended(self, table: Payoffs, side: Side, outcome: Outcome) -> Left:
        points = 0 if outcome.winner is None else outcome.points
        worth = table.stakes.won[side](points if outcome.winner is side else -points)
        sure = tuple(float(number < points) for number in range(self._kinds))
        never = (0.0,) * self._kinds
        ended = Chances(sure, never)
        return Left(worth, ended if outcome.winner is side else ended.across)

    @property
    def _kinds(self) -> int:
        """How many kinds of wins the network tells apart; in the Pin game it estimates points
        instead."""
        return 1 if self._network.pins else len(self._game.outcome_names)

    def _chances(self, ends: EndChances) -> Chances:
        half = len(ends) // 2
        lost, won = accumulate(ends[:half]), accumulate(ends[: -half - 1 : -1])
        return Chances(tuple(won)[::-1][: self._kinds], tuple(lost)[::-1][: self._kinds])

    def _deeper(
        self,
        table: Payoffs,
        results: tuple[TablesPosition, ...],
        left: list[Left],
        wanted: set[int],
    ) -> list[Left]:
        """Judge the best few plays, and those wanted, by two plies. No other play ends
        above them."""
        order = sorted(range(len(results)), key=lambda index: -left[index].worth)
        few = wanted.union(order[: self._strength.examined])
        finals, plies = self._finals(table, results[0].mover), self._strength.plies
        deeper = {
            index: self._answered(table, results[index], finals)._replace(plies=plies)
            for index in few
        }
        least = min(one.worth for one in deeper.values())
        return [
            deeper.get(index, one._replace(worth=min(one.worth, least)))
            for index, one in enumerate(left)
        ]

    def _answered(self, table: Payoffs, result: TablesPosition, finals: Sequence[float]) -> Left:
        """The mean over the opponent's rolls of what his best answer leaves. `finals` is what a
        finished game is worth to him."""
        if self._game.outcome(result) is not None:
            return self._left(table, [result])[0]
        if self._core and not self._game.agreed:  # it knows none of a game's options
            worth, ends = self._core.answered(result, table.ends[result.mover.other], finals)
            return Left(-worth, self._chances(ends))
        best = [
            max(self._left(table, self._game.results(result, roll)), key=itemgetter(0))
            for roll, _ in ROLLS
        ]
        shares = [times / FACES**2 for _, times in ROLLS]
        chances_won, lost = (
            tuple(weighed(shares, each) for each in zip(*kinds, strict=True))
            for kinds in zip(*((one.chances.lost, one.chances.won) for one in best), strict=True)
        )
        return Left(-weighed(shares, (one.worth for one in best)), Chances(chances_won, lost))

    def _finals(self, table: Payoffs, side: Side) -> list[float]:
        """What a finished game is worth to this side, by points from the most lost."""
        won, most = table.stakes.won[side], self._most_points
        return [
            won(copysign(self._counted(abs(points)), points)) for points in range(-most, most + 1)
        ]

    @property
    def _most_points(self) -> int:
        return MOST_PIPS if self._network.pins else BACKGAMMON_ENDS // 2

    def _judge(self, positions: Sequence[TablesPosition]) -> list[EndChances]:
        if self._core:
            return self._core.judge(positions)
        return list(map(self._judge_slowly, positions))

    def _judge_slowly(self, position: TablesPosition) -> EndChances:
        mover, other = position.mover, position.mover.other
        own, opp = position.men(mover), position.men(other)
        ends = self._network.judge(own, opp, position.pinned(mover), position.pinned(other))
        if len(ends) == BACKGAMMON_ENDS and (count(own, OFF) or count(opp, OFF)):
            return _possible(ends, bool(count(own, OFF)), bool(count(opp, OFF)))
        return ends

    def _table(self, situation: Situation) -> Payoffs:
        stakes = self._stakes(situation)
        return Payoffs(
            stakes,
            {
                side: tuple(
                    [
                        won(sign * points)
                        for points, sign in zip(self._ways.points, self._ways.signs, strict=True)
                    ]
                )
                for side, won in stakes.won.items()
            },
        )

    def _stakes(self, situation: Situation, cube: int | None = None) -> Stakes:
        return stakes_of(situation.agreement, situation.standing, self._ways, cube)

    def _by_thumb(
        self, position: TablesPosition, roll: Roll, results: tuple[TablesPosition, ...]
    ) -> list[float]:
        """How much worse than the best each result is by rules of thumb. Wins are recognised."""
        lots = random.Random(f"{self._game.write_position(position)} {roll}")
        thumb = RUNNING_THUMB if self._network.blocks else THUMB
        marks = _misled(thumb, self._strength.trust, lots)
        marked = [marks(result, position.mover) for result in results]
        most = max(marked)
        return [
            0.0 if self._game.outcome(result) else mark - most
            for mark, result in zip(marked, results, strict=True)
        ]

    def _point(self, stakes: Stakes) -> float:
        return self._plain(stakes) / (2 if stakes.unit is Unit.MATCH else 1)

    def _plain(self, stakes: Stakes) -> float:
        """Half of what a single game changes: one for a point, in the Pin game one for its mean."""
        by_pips = self._network.pins and self._game.name != PLAKOTO.name
        plain = self._mean_points if by_pips else 1.0
        won = stakes.won[Side.WHITE]
        return (won(plain) - won(-plain)) / 2

    @cached_property
    def _ways(self) -> Ways:
        points = tuple(map(self._counted, self._network.points))
        return Ways(points, self._network.shares)

    def _counted(self, points: float) -> float:
        """Convert points of the network's game to what the same result counts in this game."""
        if self._game.name == PLAKOTO.name and points:
            return 2.0 if points == MOTHER_POINTS or points > DOUBLE_FROM else 1.0
        return min(points, PORTES_MOST) if self._game.name == PORTES.name else points

    @cached_property
    def _mean_points(self) -> float:
        return weighed(self._ways.points, self._ways.shares)

    def _prospects(self, situation: Situation) -> Prospects:
        side, (ends,) = situation.position.mover, self._judge([situation.position])
        signs, points = self._ways.signs, self._ways.points
        chance = added(end for end, sign in zip(ends, signs, strict=True) if sign > 0)
        known = dict[int, Stakes]()

        def won(cube: int, points: float) -> float:
            if cube not in known:
                known[cube] = self._stakes(situation, cube)
            return known[cube].won[side](points)

        def mean(cube: int, wanted: int, total: float) -> float:
            if not total:
                return won(cube, wanted)
            parts = zip(ends, signs, points, strict=True)
            return added(e * won(cube, s * p) for e, s, p in parts if s == wanted) / total

        def useful(whose: Side, cube: int) -> bool:
            target = situation.agreement.match_to
            return target is None or situation.standing.score[whose] + cube < target

        return Prospects(
            chance,
            won=lambda cube: mean(cube, 1, chance),
            lost=lambda cube: mean(cube, -1, 1 - chance),
            passed=lambda cube: won(cube, 1),
            passing=lambda cube: won(cube, -1),
            useful=lambda cube: useful(side, cube),
            theirs=lambda cube: useful(side.other, cube),
        )


def _mean_of(chances: Sequence[Chances]) -> Chances:
    """The luck that is taken off a few games may take their mean beyond 0 and 1."""
    won, lost = (
        tuple(min(1.0, max(0.0, added(kind) / len(chances))) for kind in zip(*kinds, strict=True))
        for kinds in ([one.won for one in chances], [one.lost for one in chances])
    )
    return Chances(won, lost)


def _misled(thumb: Weights | RunningWeights, trust: float, lots: random.Random) -> Appraisal:
    drawn = [mark * lots.uniform(trust - 1, trust + 1) for mark in thumb]
    if isinstance(thumb, Weights):
        return marks_of(Weights(*drawn))
    return running_marks_of(RunningWeights(*drawn))


def _possible(ends: EndChances, own_off: bool, opp_off: bool) -> EndChances:
    """Set impossible losses to zero: a side that has borne off loses one point at most."""
    lost, won = ends[:3], ends[3:]
    if own_off:
        lost = (0.0, 0.0, added(lost))
    if opp_off:
        won = (added(won), 0.0, 0.0)
    return (*lost, *won)


def weighed(worths: Iterable[float], chances: Iterable[float]) -> float:
    return added(map(mul, worths, chances))


QUICK = "network"
"""The network without a search, which estimates luck for all its levels."""


def network_path(name: str) -> Path:
    return Path(__file__).parent / f"{name}.net"


@cache
def _core_of(name: str) -> TablesCore | None:
    """The network in C; None if it is not available, which is logged once."""
    try:
        return open_core(cache_folder(), network_path(name), load(network_path(name)))
    except CoreError as error:
        print(f"spotter: {SLOWER.format(why=error)}", file=sys.stderr)
        return None


def _slower() -> str | None:
    try:
        NATIVE.open(cache_folder(), DECLARED)
    except CoreError as error:
        return SLOWER.format(why=error)
    return None


def _maker(name: str, strength: Strength) -> Callable[[AnyGame], Player]:
    return lambda game: NetworkPlayer(game, load(network_path(name)), strength, _core_of(name))


def contenders(network: str, levels: str = "") -> tuple[Contender, ...]:
    """The players with this network. `levels` is the key of their weaker levels in LEVELS, usually
    the network's name."""
    return (
        Contender(
            "network-2",
            f"a trained network, two plies: its best {EXAMINED} plays against every answer",
            _maker(network, Strength(plies=2)),
            weaker=_slower,
            title=EXPERT(),
            bars=7,
            rating=RATED(least=1, most=2) if network == HITTING else "",
            quick=QUICK,
        ),
        Contender(
            QUICK,
            "a trained network, one ply",
            _maker(network, Strength()),
            weaker=_slower,
            title=STRONG(),
            bars=6,
            rating=RATED(least=2, most=3) if network == HITTING else "",
            plays_on=True,
        ),
        *(_weaker(network, level) for level in LEVELS[levels or network]),
    )


def _weaker(network: str, level: WeakerLevel) -> Contender:
    title, bars = TITLES[level.name]
    return Contender(
        level.name,
        level.says(network),
        _maker(network, Strength(thumb=level.thumb, trust=level.trust)),
        advises=False,
        weaker=_slower,
        title=title(),
        bars=bars,
        rating=level.rated(network),
        quick=QUICK,
    )
