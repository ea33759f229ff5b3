"""In any tournament nobody sits twice or meets again needlessly, byes are fair, and it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shares import one_in

from pi_app.club.tournament.model import Pairing, Reported, System, Tournament, TournamentError
from pi_app.club.tournament.pairing import pair_swiss, paired, points_of, rounds_of, seeded
from pi_app.club.tournament.standings import standings, winner_of

FIELDS = range(2, 65, one_in(5))
EXAMPLES = 60 // one_in(3)


def field(count: int) -> list[str]:
    return [f"P{number:02}" for number in range(1, count + 1)]


def tournament(system: System, count: int, rounds: int = 0) -> Tournament:
    return Tournament("Open", system, rounds, 7).joined(field(count))


def decided(standing: Tournament, firsts: Iterator[bool]) -> Tournament:
    """The latest round played: whether the first of each table wins."""

    def result(pairing: Pairing) -> Pairing:
        if pairing.is_bye or pairing.second is None:
            return pairing
        first = next(firsts)
        winner = pairing.first if first else pairing.second
        points = (7, 3) if first else (3, 7)
        return replace(pairing, result=Reported(points, winner, confirmed=True))

    played = tuple(map(result, standing.current))
    return replace(standing, rounds=(*standing.rounds[:-1], played))


def wins_of_chance(data: st.DataObject) -> Iterator[bool]:
    while True:
        yield data.draw(st.booleans())


def wins_of_the_stronger(standing: Tournament) -> Iterator[bool]:
    """For every table of the latest round, in order."""
    for pairing in standing.current:
        if pairing.second is not None:
            yield pairing.first < pairing.second


def check_seats(standing: Tournament) -> None:
    for pairings in standing.rounds:
        seated = [name for pairing in pairings for name in pairing.players]
        assert len(seated) == len(set(seated))


def pairs_of(standing: Tournament) -> list[frozenset[str]]:
    return [frozenset(pair) for pair in standing.met()]


@pytest.mark.parametrize("count", FIELDS)
def test_in_a_round_robin_everybody_meets_everybody_once(count: int) -> None:
    standing = tournament(System.ROUND_ROBIN, count)
    for _ in range(rounds_of(System.ROUND_ROBIN, count, None)):
        standing = paired(standing)
        standing = decided(standing, wins_of_the_stronger(standing))
    check_seats(standing)
    met = pairs_of(standing)
    assert len(met) == len(set(met)) == count * (count - 1) // 2
    byes = Counter(p.first for pairings in standing.rounds for p in pairings if p.is_bye)
    assert set(byes.values()) <= {1}
    assert len(byes) == (count if count % 2 else 0)
    assert [line.name for line in standings(standing)] == field(count)
    with pytest.raises(TournamentError, match="rounds are paired"):
        paired(standing)


@pytest.mark.parametrize("count", FIELDS)
@settings(max_examples=5)
@given(data=st.data())
def test_an_elimination_ends_with_one_winner(count: int, data: st.DataObject) -> None:
    standing = tournament(System.ELIMINATION, count)
    out: set[str] = set()
    while winner_of(standing) is None:
        standing = paired(standing)
        assert not out & {name for pairing in standing.current for name in pairing.players}
        standing = decided(standing, wins_of_chance(data))
        out |= {
            pairing.opponent(pairing.winner) or ""
            for pairing in standing.current
            if pairing.winner and not pairing.is_bye
        }
    check_seats(standing)
    assert len(out) == count - 1
    byes = [p for pairings in standing.rounds[1:] for p in pairings if p.is_bye]
    assert byes == []
    assert standings(standing)[0].points == len(standing.rounds)


@pytest.mark.parametrize("count", [2, 3, 5, 8, 13, 16, 31])
def test_who_is_seeded_first_has_the_byes_and_meets_the_second_last(count: int) -> None:
    standing = tournament(System.ELIMINATION, count)
    first = True
    while winner_of(standing) is None:
        standing = paired(standing)
        if first:
            byes = [pairing.first for pairing in standing.current if pairing.is_bye]
            assert sorted(byes) == field(count)[: len(byes)]
            first = False
        standing = decided(standing, wins_of_the_stronger(standing))
    assert set(standing.current[0].players) == set(field(count)[:2])
    assert winner_of(standing) == field(count)[0]


def test_the_seats_of_a_bracket() -> None:
    assert seeded(8) == [0, 7, 3, 4, 1, 6, 2, 5]


@settings(max_examples=EXAMPLES)
@given(count=st.integers(2, 64), rounds=st.integers(1, 9), data=st.data())
def test_a_swiss(count: int, rounds: int, data: st.DataObject) -> None:
    """With fewer rounds than half the players no rematch is ever needed."""
    rounds = max(1, min(rounds, count // 2))
    standing = tournament(System.SWISS, count, rounds)
    for _ in range(rounds):
        standing = paired(standing)
        assert len({n for p in standing.current for n in p.players}) == count
        standing = decided(standing, wins_of_chance(data))
    check_seats(standing)
    met = pairs_of(standing)
    assert len(met) == len(set(met))
    byes = Counter(p.first for pairings in standing.rounds for p in pairings if p.is_bye)
    assert set(byes.values()) <= {1}
    assert sum(points_of(standing).values()) == sum(len(each) for each in standing.rounds)


def ways(names: list[str]) -> Iterator[list[tuple[str, str]]]:
    """Every way in which an even number can be paired."""
    if not names:
        yield []
        return
    first, *rest = names
    for place, other in enumerate(rest):
        for more in ways(rest[:place] + rest[place + 1 :]):
            yield [(first, other), *more]


@settings(max_examples=150 // one_in(3))
@given(
    scores=st.lists(st.integers(0, 4), min_size=2, max_size=8).filter(lambda s: len(s) % 2 == 0),
    data=st.data(),
)
def test_rematches_are_the_fewest_and_the_largest_difference_the_least(
    scores: list[int], data: st.DataObject
) -> None:
    """Beside every way that there is to pair so few."""
    names = field(len(scores))
    points = dict(zip(names, scores, strict=True))
    every = [*combinations(names, 2)]
    met = data.draw(st.lists(st.sampled_from(every), max_size=len(every)))
    pairs, bye = pair_swiss(names, points, met, Counter())
    assert bye is None

    def measured(way: Iterable[tuple[str, str]]) -> tuple[int, int, int]:
        pairs = [*way]
        again = sum(pair in met or pair[::-1] in met for pair in pairs)
        apart = [abs(points[a] - points[b]) for a, b in pairs]
        return again, max(apart), sum(each**2 for each in apart)

    every_way = [*map(measured, ways(names))]
    mine = measured(pairs)
    assert mine[0] == min(every_way)[0]
    if mine[0] == 0:
        assert mine[:2] == min(every_way)[:2]
        assert mine[2] == min(way[2] for way in every_way if way[:2] == mine[:2])


LOCAL_OPTIMUM = (
    {"P01": 3, "P04": 3, "P07": 3, "P00": 2, "P05": 2, "P02": 1, "P03": 1, "P06": 1},
    [
        *(("P00", "P04"), ("P01", "P05"), ("P02", "P06"), ("P03", "P07")),
        *(("P00", "P06"), ("P01", "P07"), ("P02", "P04"), ("P03", "P05")),
        *(("P00", "P07"), ("P01", "P06"), ("P04", "P05"), ("P02", "P03")),
        *(("P07", "P04"), ("P00", "P01"), ("P02", "P05"), ("P06", "P03")),
    ],
)


def test_a_round_that_three_tables_have_to_make_better_together() -> None:
    """Exchanges between two tables alone ended before the best way: found by chance."""
    points, met = LOCAL_OPTIMUM
    names = list(points)
    pairs, _ = pair_swiss(names, points, met, Counter())
    squares = [
        sum((points[a] - points[b]) ** 2 for a, b in way)
        for way in ways(names)
        if not any(pair in met or pair[::-1] in met for pair in way)
    ]
    assert sum((points[a] - points[b]) ** 2 for a, b in pairs) == min(squares)


def line_of(standing: Tournament, name: str) -> tuple[int, int, int, int]:
    line = next(one for one in standings(standing) if one.name == name)
    return line.points, line.median, line.buchholz, line.sonneborn


def test_a_bye_counts_as_an_opponent_of_ones_own_points() -> None:
    """FIDE C.07, by hand: P01 beats both, P02 beats P03, and each has a bye of a point."""
    standing = tournament(System.SWISS, 3, 3)
    while len(standing.rounds) < 3:
        standing = paired(standing)
        standing = decided(standing, wins_of_the_stronger(standing))
    assert line_of(standing, "P01") == (3, 2, 2 + 1 + 3, 2 + 1 + 3)
    assert line_of(standing, "P02") == (2, 2, 3 + 1 + 2, 1 + 2)
    assert line_of(standing, "P03") == (1, 2, 3 + 2 + 1, 1)


def test_who_was_not_there_has_an_opponent_of_his_own_points_too() -> None:
    standing = paired(tournament(System.SWISS, 4, 2))
    standing = decided(standing, wins_of_the_stronger(standing)).left("P01").left("P02")
    standing = paired(standing)
    standing = decided(standing, wins_of_the_stronger(standing))
    assert line_of(standing, "P01") == (1, 1 + 1, 1 + 1, 1), "P03, who won then, and his own"


def test_in_a_round_robin_a_bye_is_nobodys() -> None:
    standing = tournament(System.ROUND_ROBIN, 3)
    while len(standing.rounds) < 3:
        standing = paired(standing)
        standing = decided(standing, wins_of_the_stronger(standing))
    assert line_of(standing, "P01") == (2, 1, 1, 1)


def test_everybody_has_had_a_bye_before_anybody_has_two() -> None:
    standing = tournament(System.SWISS, 3, 9)
    for number in range(1, 7):
        standing = paired(standing)
        standing = decided(standing, wins_of_the_stronger(standing))
        byes = Counter(p.first for pairings in standing.rounds for p in pairings if p.is_bye)
        assert sum(byes.values()) == number
        assert max(byes.values()) - min(byes[name] for name in standing.names) <= 1


def test_who_leaves_is_paired_no_more_and_who_joins_is() -> None:
    standing = paired(tournament(System.SWISS, 6, 4))
    standing = decided(standing, wins_of_the_stronger(standing)).left("p06").joined(["Zoe"])
    standing = paired(standing)
    seated = {name for pairing in standing.current for name in pairing.players}
    assert seated == {*field(5), "Zoe"}


def test_who_leaves_a_round_robin_gives_the_others_byes() -> None:
    standing = paired(tournament(System.ROUND_ROBIN, 4))
    standing = decided(standing, wins_of_the_stronger(standing)).left("P04")
    while len(standing.rounds) < 3:
        standing = paired(standing)
        assert [pairing.is_bye for pairing in standing.current] == [False, True]
        standing = decided(standing, wins_of_the_stronger(standing))
    assert [line.name for line in standings(standing)][:2] == ["P01", "P02"]


def test_a_round_waits_for_every_result() -> None:
    standing = paired(tournament(System.SWISS, 4))
    with pytest.raises(TournamentError, match="round 1 is not complete: table 1, 2"):
        paired(standing)
    reported = standing.with_result(1, Reported((7, 0), standing.current[0].first))
    with pytest.raises(TournamentError, match="table 1, 2; give the results and confirm"):
        paired(reported)
    assert points_of(reported).total() == 0
    assert points_of(reported.confirmed(1)).total() == 1


def test_a_director_pairs_otherwise_until_there_is_a_result() -> None:
    standing = paired(tournament(System.SWISS, 5))
    before = [pairing.players for pairing in standing.current]
    bye = standing.current[-1].first
    other = standing.current[0].second or ""
    changed = standing.swapped(bye, other)
    assert changed.current[-1].first == other
    assert changed.current[0].players == (before[0][0], bye)
    done = changed.with_result(1, Reported((7, 2), bye))
    with pytest.raises(TournamentError, match="has a result in this round"):
        done.swapped(bye, other)
    with pytest.raises(TournamentError, match="is not in this tournament"):
        done.swapped("Nobody", other)
