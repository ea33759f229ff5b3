"""Pairings: Swiss, elimination and round robin, and the matching beneath them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, groupby

from pi_app.club.tournament.model import Pairing, System, Tournament, TournamentError

# Pairs among many, of whom not everybody may meet everybody: as many as there can be.
#
# Edmonds' blossom method, by breadth-first search and contraction, as every textbook has it (J.
# Edmonds, Paths, Trees, and Flowers, 1965). A general solver was tried first: the maximum weight
# matching of networkx 3.6 took 11 s for 200 players, and 24 s for 1 000 of whom each might meet
# 24.

NOBODY = -1


def improve(neighbours: Sequence[Sequence[int]], mates: list[int]) -> None:
    """Extend a matching to a maximum one; matched players stay matched, perhaps with others.

    `neighbours` lists each player's possible opponents, in both directions. `mates` is the present
    matching, NOBODY for the unmatched.
    """
    for root in range(len(mates)):
        if mates[root] == NOBODY:
            search = _AlternatingTree(neighbours, mates, root)
            end = search.free_end()
            if end != NOBODY:
                search.exchange(end)


class _AlternatingTree:
    def __init__(self, neighbours: Sequence[Sequence[int]], mates: list[int], root: int) -> None:
        count = len(mates)
        self._neighbours, self._mates, self._root = neighbours, mates, root
        self._parent = [NOBODY] * count
        self._base = list(range(count))
        self._reached = [False] * count
        self._queue = deque([root])
        self._reached[root] = True

    def free_end(self) -> int:
        """The unmatched player at the end of an alternating path; NOBODY if there is none."""
        while self._queue:
            at = self._queue.popleft()
            for to in self._neighbours[at]:
                if self._base[at] == self._base[to] or self._mates[at] == to:
                    continue
                mate = self._mates[to]
                if to == self._root or (mate != NOBODY and self._parent[mate] != NOBODY):
                    self._contract(at, to)
                elif self._parent[to] == NOBODY:
                    self._parent[to] = at
                    if mate == NOBODY:
                        return to
                    self._reach(mate)
        return NOBODY

    def exchange(self, end: int) -> None:
        """Exchange matched and unmatched edges along the path."""
        while end != NOBODY:
            before = self._parent[end]
            after = self._mates[before]
            self._mates[end], self._mates[before] = before, end
            end = after

    def _reach(self, one: int) -> None:
        if not self._reached[one]:
            self._reached[one] = True
            self._queue.append(one)

    def _contract(self, one: int, other: int) -> None:
        """Contract an odd cycle (a blossom) to one node."""
        above = set(self._upward(one))
        base = next(place for place in self._upward(other) if place in above)
        inside = {*self._marked(one, base, other), *self._marked(other, base, one)}
        for each, its in enumerate(self._base):
            if its in inside:
                self._base[each] = base
                self._reach(each)

    def _marked(self, one: int, base: int, child: int) -> Iterator[int]:
        """Yield the nodes of one side of the cycle; their parents are across it from now on."""
        while self._base[one] != base:
            mate = self._mates[one]
            yield self._base[one]
            yield self._base[mate]
            self._parent[one] = child
            child, one = mate, self._parent[mate]

    def _upward(self, one: int) -> Iterator[int]:
        """Yield the nodes up to the root."""
        while True:
            one = self._base[one]
            yield one
            if self._mates[one] == NOBODY:
                return
            one = self._parent[self._mates[one]]


# A Swiss round: equals meet, rematches and second byes are avoided.
#
# Whoever has as many points meets first, the upper half of a group the lower; who finds nobody
# there meets one with the next fewer difference. So the largest difference of a round is the least
# that there can be. Then tables exchange players wherever that makes the differences smaller; of
# few players every way is looked at, because exchanges between two tables may end before the best
# one.

FEW = 16
"""Up to this many players every way to pair them is tried, which takes some milliseconds."""


def pair_swiss(
    order: Sequence[str],
    points: Mapping[str, int],
    met: Iterable[tuple[str, str]],
    byes: Counter[str],
) -> tuple[list[tuple[str, str]], str | None]:
    """Return the pairs of a round, the best first, and the player with the bye.

    `order` are the active players, the strongest first; `byes` is how many each has had.
    """
    ranked = sorted(order, key=lambda name: -points[name])
    before = {frozenset(pair) for pair in met}
    if len(ranked) % 2 == 0:
        return _sorted(_pairs(ranked, points, before), ranked), None
    fewest = min(byes[name] for name in ranked)
    fit = [name for name in reversed(ranked) if byes[name] == fewest]
    best: tuple[int, list[tuple[str, str]], str] | None = None
    for bye in fit:
        pairs = _pairs([name for name in ranked if name != bye], points, before)
        again = sum(frozenset(pair) in before for pair in pairs)
        if best is None or again < best[0]:
            best = (again, pairs, bye)
        if not again:
            break
    _, pairs, bye = best or (0, [], ranked[0])
    return _sorted(pairs, ranked), bye


def _sorted(pairs: list[tuple[str, str]], ranked: Sequence[str]) -> list[tuple[str, str]]:
    """The pairs by their stronger player, who is named first; the best first."""
    rank = {name: place for place, name in enumerate(ranked)}
    ranked_pairs = [sorted(pair, key=rank.__getitem__) for pair in pairs]
    return [
        (first, second) for first, second in sorted(ranked_pairs, key=lambda pair: rank[pair[0]])
    ]


def _pairs(
    ranked: Sequence[str], points: Mapping[str, int], before: set[frozenset[str]]
) -> list[tuple[str, str]]:
    """Pair an even number of players with as few rematches as possible."""
    count = len(ranked)
    scores = [points[name] for name in ranked]
    barred = _barred(ranked, before)
    mates = [NOBODY] * count
    _fold(scores, barred, mates)
    neighbours: list[list[int]] = [[] for _ in ranked]
    for difference in range(max(scores, default=0) - min(scores, default=0) + 1):
        if NOBODY not in mates:
            break
        _add_edges(neighbours, scores, barred, difference)
        improve(neighbours, mates)
    left = [one for one, mate in enumerate(mates) if mate == NOBODY]
    for one, other in zip(left[::2], left[1::2], strict=True):
        mates[one], mates[other] = other, one
    _exchange(scores, barred, mates)
    if count <= FEW:
        best = _best(scores, barred)
        if _measured(best, scores, barred) < _measured(mates, scores, barred):
            mates = best
    return [(ranked[one], ranked[mate]) for one, mate in enumerate(mates) if one < mate]


def _barred(ranked: Sequence[str], before: set[frozenset[str]]) -> list[set[int]]:
    place = {name: number for number, name in enumerate(ranked)}
    barred: list[set[int]] = [set() for _ in ranked]
    for pair in before:
        if len(pair) == 2 and all(name in place for name in pair):
            one, other = (place[name] for name in pair)
            barred[one].add(other)
            barred[other].add(one)
    return barred


def _fold(scores: Sequence[int], barred: Sequence[set[int]], mates: list[int]) -> None:
    """In each group with equal points the upper half meets the lower, in order."""
    for _, grouped in groupby(range(len(scores)), key=scores.__getitem__):
        group = list(grouped)
        half = len(group) // 2
        for place, one in enumerate(group[:half]):
            for other in group[half + place :] + group[half : half + place]:
                if mates[other] == NOBODY and other not in barred[one]:
                    mates[one], mates[other] = other, one
                    break


def _add_edges(
    neighbours: list[list[int]], scores: Sequence[int], barred: Sequence[set[int]], difference: int
) -> None:
    """Allow players to meet whose points differ by this much, too."""
    groups: dict[int, list[int]] = {}
    for one, score in enumerate(scores):
        groups.setdefault(score, []).append(one)
    for one, score in enumerate(scores):
        for other in {*groups.get(score - difference, ()), *groups.get(score + difference, ())}:
            if other != one and other not in barred[one]:
                neighbours[one].append(other)


def _exchange(scores: Sequence[int], barred: Sequence[set[int]], mates: list[int]) -> None:
    """Let two tables exchange players if that lowers the sum of their squared differences."""
    better = True
    while better:
        better = False
        uneven = [one for one, mate in enumerate(mates) if scores[one] > scores[mate]]
        even = [one for one, mate in enumerate(mates) if scores[one] == scores[mate] and one < mate]
        tables = [*combinations(uneven, 2), *((one, other) for one in uneven for other in even)]
        for one, other in tables:
            if _exchanged(scores, barred, mates, one, other):
                better = True


def _exchanged(
    scores: Sequence[int], barred: Sequence[set[int]], mates: list[int], one: int, other: int
) -> bool:
    across, beyond = mates[one], mates[other]
    if other == across:
        return False

    def cost(*pairs: tuple[int, int]) -> tuple[int, int]:
        again = sum(b in barred[a] for a, b in pairs)
        return again, sum((scores[a] - scores[b]) ** 2 for a, b in pairs)

    kept = cost((one, across), (other, beyond))
    for first, second in (((one, other), (across, beyond)), ((one, beyond), (across, other))):
        if cost(first, second) < kept:
            for a, b in (first, second):
                mates[a], mates[b] = b, a
            return True
    return False


def _measured(
    mates: Sequence[int], scores: Sequence[int], barred: Sequence[set[int]]
) -> tuple[int, int, int]:
    """The number of rematches, the largest difference, and the sum of squared differences; less is
    better."""
    pairs = [(one, mate) for one, mate in enumerate(mates) if one < mate]
    apart = [abs(scores[one] - scores[mate]) for one, mate in pairs]
    again = sum(mate in barred[one] for one, mate in pairs)
    return again, max(apart, default=0), sum(each**2 for each in apart)


def _best(scores: Sequence[int], barred: Sequence[set[int]]) -> list[int]:

    @cache
    def best(left: tuple[int, ...]) -> tuple[int, int, tuple[tuple[int, int], ...]]:
        if not left:
            return 0, 0, ()
        one, *others = left
        ways = []
        for place, other in enumerate(others):
            again, squares, pairs = best((*others[:place], *others[place + 1 :]))
            again += other in barred[one]
            squares += (scores[one] - scores[other]) ** 2
            ways.append((again, squares, ((one, other), *pairs)))
        return min(ways)

    mates = [NOBODY] * len(scores)
    for one, other in best(tuple(range(len(scores))))[2]:
        mates[one], mates[other] = other, one
    return mates


# The next round of a tournament, by its system.

FEWEST = 2


def rounds_of(system: System, players: int, wanted: int | None) -> int:
    """The number of rounds; for a Swiss the wanted number, or enough to find one winner."""
    if system is System.ROUND_ROBIN:
        return max(1, players - 1 + players % 2)
    knock_out = max(1, (players - 1).bit_length())
    return (wanted or knock_out) if system is System.SWISS else knock_out


def paired(tournament: Tournament) -> Tournament:
    """Return the tournament with its next round. Raises TournamentError while one is open, and
    after the last."""
    if not tournament.is_complete:
        tables = enumerate(tournament.current, start=1)
        still = [str(number) for number, table in tables if not table.is_done]
        what = f"round {len(tournament.rounds)} is not complete: table {', '.join(still)}"
        raise TournamentError(f"{what}; give the results and confirm them")
    if not tournament.rounds and len(tournament.playing) < FEWEST:
        raise TournamentError("a tournament has two players at least; join adds them")
    total = rounds_of(tournament.system, len(_field(tournament)), tournament.planned or None)
    if len(tournament.rounds) >= total:
        raise TournamentError(f"all {total} rounds are paired; see: spotter tournament show FILE")
    match tournament.system:
        case System.SWISS:
            pairings = _swiss(tournament)
        case System.ELIMINATION:
            pairings = _elimination(tournament)
        case System.ROUND_ROBIN:
            pairings = circle(_field(tournament), len(tournament.rounds), set(tournament.playing))
    return tournament.with_round(pairings)


def _field(tournament: Tournament) -> tuple[str, ...]:
    """The players of the first pairing. Players who left keep their place in the table."""
    if tournament.system is System.SWISS:
        return tournament.names
    if not tournament.rounds:
        return tournament.playing
    first = {name for pairing in tournament.rounds[0] for name in pairing.players}
    return tuple(name for name in tournament.names if name in first)


def points_of(tournament: Tournament) -> Counter[str]:
    """One point for each won match, and for a bye except in a round robin, where
    everybody has one."""
    won = Counter(dict.fromkeys(tournament.names, 0))
    for pairings in tournament.rounds:
        for pairing in pairings:
            winner = pairing.winner
            if winner and not (pairing.is_bye and tournament.system is System.ROUND_ROBIN):
                won[winner] += 1
    return won


def _swiss(tournament: Tournament) -> tuple[Pairing, ...]:
    byes = Counter(
        pairing.first for pairings in tournament.rounds for pairing in pairings if pairing.is_bye
    )
    if not tournament.playing:
        raise TournamentError("nobody is left to play")
    pairs, bye = pair_swiss(tournament.playing, points_of(tournament), tournament.met(), byes)
    tables = tuple(Pairing(first, second) for first, second in pairs)
    return tables if bye is None else (*tables, Pairing(bye, None))


def _elimination(tournament: Tournament) -> tuple[Pairing, ...]:
    """The bracket: the winners of two neighbouring tables meet; the first round is by seeding."""
    if tournament.rounds:
        through = [pairing.winner or "" for pairing in tournament.current]
        pairs = zip(through[::2], through[1::2], strict=True)
        return tuple(Pairing(first, second) for first, second in pairs)
    players = tournament.playing
    places = seeded(1 << (len(players) - 1).bit_length())
    seats = [players[place] if place < len(players) else None for place in places]
    tables = []
    for one, other in zip(seats[::2], seats[1::2], strict=True):
        # Of two seats beside each other one has a player always: the upper half has no bye to give.
        first, second = (one, other) if one is not None else (other, one)
        tables.append(Pairing(first or "", second))
    return tuple(tables)


def seeded(size: int) -> list[int]:
    """The seats of a bracket by seeds from 0; the first two seeds can only meet in the final."""
    seats = [0]
    while len(seats) < size:
        count = 2 * len(seats)
        seats = [seed for one in seats for seed in (one, count - 1 - one)]
    return seats


def circle(field: Sequence[str], number: int, playing: set[str]) -> tuple[Pairing, ...]:
    """Round `number` (from 0) of a round robin: one player stays, the others rotate.

    A player opposite an empty chair, or opposite one who has left, has a bye. Two players who have
    left get no table.
    """
    chairs: list[str | None] = [*field, *([None] if len(field) % 2 else [])]
    first, *others = chairs
    turn = number % len(others) if others else 0
    seats = [first, *others[len(others) - turn :], *others[: len(others) - turn]]
    half = len(seats) // 2
    tables = []
    for one, other in zip(seats[:half], reversed(seats[half:]), strict=True):
        there = [name for name in (one, other) if name is not None and name in playing]
        if there:
            # Whoever stays on his chair has the first move in turn.
            ordered = there[::-1] if number % 2 and len(there) == 2 else there
            tables.append(Pairing(ordered[0], ordered[1] if len(ordered) == 2 else None))
    return tuple(sorted(tables, key=lambda table: table.is_bye))
