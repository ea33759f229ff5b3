"""A Swiss round: equals meet, nobody meets anybody twice while that can be, a bye comes once.

Whoever has as many points meets first, the upper half of a group the lower; who finds nobody there
meets one with the next fewer difference.  So the largest difference of a round is the least that
there can be.  Then tables exchange players wherever that makes the differences smaller; of few
players every way is looked at, because exchanges between two tables may end before the best one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import combinations, groupby

from pi_app.club.tournament.matching import NOBODY, improve

FEW = 16
"""Players of whom every way to pair them is looked at: some milliseconds."""


def pair_swiss(
    order: Sequence[str],
    points: Mapping[str, int],
    met: Iterable[tuple[str, str]],
    byes: Counter[str],
) -> tuple[list[tuple[str, str]], str | None]:
    """The pairs of a round, best first, and who has the bye.

    `order` are those who play, the strongest first; `byes` how many each has had.
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
    """The best first, by their stronger players, who are named first."""
    rank = {name: place for place, name in enumerate(ranked)}
    told = [sorted(pair, key=rank.__getitem__) for pair in pairs]
    return [(first, second) for first, second in sorted(told, key=lambda pair: rank[pair[0]])]


def _pairs(
    ranked: Sequence[str], points: Mapping[str, int], before: set[frozenset[str]]
) -> list[tuple[str, str]]:
    """An even number of players in pairs, with as few who have met before as can be."""
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
    """Whom each has met already."""
    place = {name: number for number, name in enumerate(ranked)}
    barred: list[set[int]] = [set() for _ in ranked]
    for pair in before:
        if len(pair) == 2 and all(name in place for name in pair):
            one, other = (place[name] for name in pair)
            barred[one].add(other)
            barred[other].add(one)
    return barred


def _fold(scores: Sequence[int], barred: Sequence[set[int]], mates: list[int]) -> None:
    """In each group of equals the upper half meets the lower, in their order."""
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
    """Those may meet, too, whose points differ by so much."""
    groups: dict[int, list[int]] = {}
    for one, score in enumerate(scores):
        groups.setdefault(score, []).append(one)
    for one, score in enumerate(scores):
        for other in {*groups.get(score - difference, ()), *groups.get(score + difference, ())}:
            if other != one and other not in barred[one]:
                neighbours[one].append(other)


def _exchange(scores: Sequence[int], barred: Sequence[set[int]], mates: list[int]) -> None:
    """Two tables exchange players where that makes the squares of their differences less."""
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
    """Whether the tables of these two have exchanged players."""
    across, beyond = mates[one], mates[other]
    if other == across:
        return False

    def cost(*pairs: tuple[int, int]) -> tuple[int, int]:
        again = sum(b in barred[a] for a, b in pairs)
        return again, sum((scores[a] - scores[b]) ** 2 for a, b in pairs)

    kept = cost((one, across), (other, beyond))
    for first, second in (
        ((one, other), (across, beyond)),
        ((one, beyond), (across, other)),
    ):
        if cost(first, second) < kept:
            for a, b in (first, second):
                mates[a], mates[b] = b, a
            return True
    return False


def _measured(
    mates: Sequence[int], scores: Sequence[int], barred: Sequence[set[int]]
) -> tuple[int, int, int]:
    """How many meet again, the largest difference, and the squares of all; the less the better."""
    pairs = [(one, mate) for one, mate in enumerate(mates) if one < mate]
    apart = [abs(scores[one] - scores[mate]) for one, mate in pairs]
    again = sum(mate in barred[one] for one, mate in pairs)
    return again, max(apart, default=0), sum(each**2 for each in apart)


def _best(scores: Sequence[int], barred: Sequence[set[int]]) -> list[int]:
    """The pairs of which the fewest meet again, and of those the squares are the least."""

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
