"""Fevga: the same way round, one checker closes a point, and what may not be left."""

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path

import fevga_twin as twin
import pytest
from shares import one_in
from tables_words import explained, plays

from pi_app.rules.contract import Opening
from pi_app.rules.tables.fevga import FEVGA as GAME
from pi_app.rules.tables.position import TablesPosition, count, one
from pi_app.rules.terms import Move, Roll, Side, read_roll
from pi_app.words.sentences import ENGLISH

WHITE, BLACK = Side.WHITE, Side.BLACK
START = "------------o-----------O- w"
ROLLS = [Roll.of(high, low) for high in range(1, 7) for low in range(1, high + 1)]
CASES = Path(__file__).parents[1] / "cases/fevga.jsonl"
TURNS, ATTEMPTS, WHOLE_GAME = 60, 20, 400
LATER = "------------n------a-A--N- w"
"""White's first checker is on its way."""
QUARTER = "----------A-o------AAAA-J- w"
CLOSED_IN = "--AAAAAAo-------------B--- w"
"""Black's fifteen on his own 20, and White on the six points that they meet next."""
SEVEN = {"7/1 5/1", "7/1 6/2"}


def test_it_starts_at_opposite_corners_and_the_last_winner_begins() -> None:
    assert GAME.write_position(GAME.start(WHITE)) == START
    assert [GAME.pips(GAME.start(WHITE), side) for side in Side] == [360, 360]
    assert GAME.opening is Opening.HIGHER_ROLLS_AFRESH
    assert GAME.previous_winner_starts


def test_as_many_results_as_counted_by_others() -> None:
    layer, found = {GAME.start(WHITE)}, []
    for _ in range(3):
        results = [after for p in layer for roll in ROLLS for after in GAME.results(p, roll)]
        layer = set(results)
        found.append((len(results), len(layer)))
    assert found == [(22, 11), (240, 118), (6958, 3799)]


@pytest.mark.parametrize(
    ("text", "roll", "legal"),
    [
        (START, "66", {"24/18"}),
        (START, "44", {"24/16"}),
        (START.replace(" w", " b"), "66", {"12/6"}),
        # The first checker passes, and another leaves in the same turn.
        (START, "55", {"24/9 24/19", "24/4"}),
        ("------------o-----A-----N- w", "66", {"forfeit"}),
        ("-a----AA------------------ w", "55", {"7/2"}),
        # Black goes on past 1 to 24, and bears off from 13.
        ("--a---------n-----------O- b", "53", {"12/7 2/23", "12/9 2/21", "2/18"}),
        ("--------------a---------A- b", "31", {"14/off"}),
        # The six points that shut Black in are opened.
        (CLOSED_IN, "64", {f"22/{n}" for n in ("16 5/1", "16 6/2", "16 7/3", "18 7/1")} | SEVEN),
    ],
)
def test_turns(text: str, roll: str, legal: set[str]) -> None:
    assert plays(GAME, text, roll) == legal


def test_black_goes_past_one_and_reads_his_own_numbers() -> None:
    position = GAME.read_position("--a---------n-----------O- b")
    play = GAME.read_play(position, "2/18")
    written = GAME.write_play(position, play)
    assert (written, ENGLISH.say(written)) == ("2/18", "14/6")
    assert GAME.pips(position, BLACK) == 14 + 14 * 24


@pytest.mark.parametrize(
    ("text", "roll", "attempt", "rule", "reason"),
    [
        (LATER, "64", "24 18", "first-checker", "has not reached Black's start yet"),
        (LATER, "64", "24 20", "first-checker", "24/20: White's first checker"),
        ("-------a---Am--------a--N- w", "32", "24 21", "point-held", "holds 21 with 1 checker"),
        (QUARTER, "11", "24 23, 10 7", "quarter-full", "White may not hold all six points"),
        (CLOSED_IN, "64", "22 12", "shut-in", "White must open one"),
        (CLOSED_IN, "64", "22 16", "shut-in", "White must open one"),
        ("--a---------n-----------O- b", "53", "2 5", "backward", "from 24 to 1"),
    ],
)
def test_the_reason_names_the_rule(
    text: str, roll: str, attempt: str, rule: str, reason: str
) -> None:
    broken = explained(GAME, text, roll, attempt)
    assert broken
    assert broken.rule.identifier == rule
    assert reason in broken.reason


def test_at_home_six_points_in_a_row_are_allowed() -> None:
    # Black's fifteen on 18, his own 6: White's six points, all ahead of them, shut nobody in.
    home = "------------AAAAAAo----AH- w"
    assert explained(GAME, home, "21", "24 23, 24 22") is None


def test_what_is_agreed_is_restricted_besides() -> None:
    four = "---o---AAA--A------A----J- w"
    attempt = "19 11"
    assert explained(GAME, four, "62", attempt) is None
    broken = explained(GAME.under(("four points",)), four, "62", attempt)
    assert broken
    assert broken.reason == "White may hold at most four points of Black's starting quarter"
    barred = "---a--AAAAA-n----A------I- w"
    assert explained(GAME, barred, "51", "17 11") is None
    broken = explained(GAME.under(("open start",)), barred, "51", "17 11")
    assert broken
    assert broken.rule.identifier == "start-barred"
    assert GAME.under(()) is GAME


def walked(seed: int, turns: int = TURNS) -> Iterator[tuple[TablesPosition, Roll]]:
    dice, position = random.Random(seed), GAME.start(WHITE)
    for _ in range(turns):
        roll = dice.choice(ROLLS)
        yield position, roll
        position = dice.choice(GAME.results(position, roll))
        if GAME.outcome(position):
            return


def test_ten_thousand_rolls_of_random_play_have_the_results_of_a_second_derivation() -> None:
    """Every tenth, unless all are asked for."""
    left = 10_000 // one_in(10)
    for seed in range(1000, 2000):
        for position, roll in walked(seed, WHOLE_GAME):
            high, low = roll.dice
            found = set(map(GAME.write_position, GAME.results(position, roll)))
            assert found == twin.results(GAME.write_position(position), (high, low))
            left -= 1
        if left < 0:
            return


def strewn(hand: random.Random, men: int, points: list[int]) -> Counter[int]:
    """So many checkers on some of these points, by a side's own numbers."""
    return Counter(hand.choice(points) for _ in range(men))


def with_a_wall(hand: random.Random) -> tuple[Counter[int], Counter[int]]:
    """Six points in a row, or five of them, before all fifteen enemies on one point."""
    enemies = hand.choice((24, 24, *range(7, 24), 6))
    ahead = [GAME.paths.across[n] for n in range(enemies - 6, enemies) if n > 0]
    held = hand.sample(ahead, min(len(ahead), hand.choice((5, 6, 6))))
    free = [n for n in range(1, 25) if n != GAME.paths.across[enemies]]
    own = Counter(held) + strewn(hand, 15 - len(held) - hand.choice((0, 0, 3)), free)
    return own, Counter({enemies: 15})


def with_a_full_quarter(hand: random.Random) -> tuple[Counter[int], Counter[int]]:
    """Five of the six points of the starting quarter, and somebody past."""
    held = hand.sample(range(19, 25), 5)
    spread = [hand.randint(1, 18), hand.randint(1, 24), hand.choice(held), 7]
    own = Counter(held) + strewn(hand, 9, spread) + Counter([7])
    full = all(own[number] for number in range(19, 25))
    return own - Counter({hand.choice(held): 15} if full else {}), free_of(hand, own)


def with_the_first_checker(hand: random.Random) -> tuple[Counter[int], Counter[int]]:
    """One checker has left the start and is near the enemy's."""
    first = hand.randint(11, 20)
    own = Counter({24: 14, first: 1})
    return own, free_of(hand, own)


def at_the_end(hand: random.Random) -> tuple[Counter[int], Counter[int]]:
    """All at home or nearly, some off, and enemies who close points of that home."""
    own = strewn(hand, hand.randint(2, 12), [*range(1, 7), *range(1, 7), 7])
    return own, free_of(hand, own)


def in_need(hand: random.Random) -> tuple[Counter[int], Counter[int]]:
    """Two or three checkers among many closed points: often only one die can be played."""
    own = strewn(hand, hand.randint(2, 3), list(range(4, 22))) + Counter({1: 5})
    closed = [n for n in range(1, 25) if not own[GAME.paths.across[n]]]
    return own, Counter(hand.sample(closed, min(len(closed), 13)))


def free_of(hand: random.Random, own: Counter[int]) -> Counter[int]:
    """Enemies on points that are free, by their own numbers."""
    free = [n for n in range(1, 25) if not own[GAME.paths.across[n]]]
    return strewn(hand, hand.randint(3, 13), [hand.choice(free) for _ in range(6)])


def placed(own: Counter[int], enemy: Counter[int], mover: Side) -> TablesPosition:
    checkers = {
        GAME.paths.spots[side][number]: (side,) * count
        for side, counts in ((mover, own), (mover.other, enemy))
        for number, count in counts.items()
        if count
    }
    return GAME.position_of(checkers, mover)


@pytest.mark.parametrize(
    "drawn", [with_a_wall, with_a_full_quarter, with_the_first_checker, at_the_end, in_need]
)
def test_near_every_special_rule_the_second_derivation_agrees(
    drawn: Callable[[random.Random], tuple[Counter[int], Counter[int]]],
) -> None:
    hand, bound, off, single = random.Random(f"near {drawn.__name__}"), 0, 0, 0
    for number in range(2000 // one_in(10)):
        own, enemy = drawn(hand)
        position = placed(own, enemy, tuple(Side)[number % 2])
        if GAME.outcome(position):
            continue
        side, text = position.mover, GAME.write_position(position)
        high, low = (roll := hand.choice(ROLLS)).dice
        results = GAME.results(position, roll)
        found = set(map(GAME.write_position, results))
        assert found == twin.results(text, (high, low)), (text, roll)
        bound += found != twin.results(text, (high, low), special=False)
        gone = {GAME.pips(position, side) - GAME.pips(after, side) for after in results}
        off += max(gone) < high + low and any(count(after.men(side), 0) for after in results)
        single += high != low and gone == {high}
    met = off if drawn is at_the_end else single if drawn is in_need else bound
    assert met > 5, "the rules change nothing here"


@pytest.mark.slow
@pytest.mark.parametrize(
    "agreed", [("four points",), ("open start",), ("four points", "open start")]
)
def test_with_options_the_second_derivation_agrees(agreed: tuple[str, ...]) -> None:
    game, hand, bound = GAME.under(agreed), random.Random(str(agreed)), 0
    for met, roll in (node for seed in range(20 // one_in(4)) for node in walked(7000 + seed)):
        position = met
        if hand.random() < 0.5:
            own = strewn(hand, 15, [*range(5, 13), hand.randint(13, 24)])
            enemy = Counter[int]() if own[12] else Counter({24: 2})
            position = placed(own, enemy + free_of(hand, own + Counter([12])), met.mover)
        high, low = roll.dice
        text = GAME.write_position(position)
        found = set(map(GAME.write_position, game.results(position, roll)))
        assert found == twin.results(text, (high, low), agreed), (text, roll)
        bound += found != twin.results(text, (high, low))
    assert bound > 0


def steps_lead_on(position: TablesPosition, roll: Roll, steps: tuple[Move, ...]) -> bool:
    """Whether these moves of one die each can be made in this order."""
    side, number = position.mover, GAME.paths.numbers[position.mover]
    dice = list(roll.dice) if len(set(roll.dice)) > 1 else [roll.dice[0]] * 4
    own, stacks = position.men(side), GAME.checkers_at(position)
    for move in steps:
        origin, target = number[move.origin], number[move.target]
        ahead = [n for n in range(origin) if count(own, n)]
        behind = [n for n in range(origin + 1, 25) if count(own, n)]
        waits = bool(ahead) and min(ahead) > 12
        usable = [d for d in dice if origin - d == target or (not target and d > origin)]
        die = min(usable, default=None)
        stays = not target and bool([n for n in (origin, *behind) if n > 6])
        if not count(own, origin) or waits or die is None or stays:
            return False
        too_high = not target and die > origin and bool(behind)
        if too_high or side.other in stacks[move.target]:
            return False
        dice.remove(die)
        own += one(target) - one(origin)
    return True


def test_explain_agrees_to_legal_turns_alone() -> None:
    hand, legal = random.Random(5), 0
    for position, roll in (node for seed in range(4) for node in walked(seed)):
        side, results = position.mover, GAME.results(position, roll)
        spots, number = GAME.paths.spots[side], GAME.paths.numbers[side]
        own = [spots[n] for n in range(1, 25) if count(position.men(side), n)]
        dice = list(roll.dice) * (1 if len(set(roll.dice)) > 1 else 2)
        for _ in range(ATTEMPTS):
            attempt: list[Move] = []
            for die in hand.sample(dice, hand.randint(1, len(dice))):
                origin = hand.choice([*own, *(m.target for m in attempt if m.target.number)])
                attempt.append(Move(origin, spots[max(number[origin] - die, 0)]))
            orders = permutations(attempt)
            right = any(steps_lead_on(position, roll, order) for order in orders)
            right = right and GAME.attempted(position, tuple(attempt)) in results
            legal += right
            assert (GAME.explain(position, roll, tuple(attempt)) is None) is right
    assert legal > 100


def test_every_case_of_independent_generators_is_answered_with_the_same_positions() -> None:
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    assert len(cases) > 300
    for case in cases:
        position, roll = GAME.read_position(case["position"]), read_roll(case["roll"], 2)
        results = GAME.results(position, roll)
        assert sorted(map(GAME.write_position, results)) == case["after"], case
        assert results == tuple(GAME.after(position, play) for play in GAME.plays(position, roll))
