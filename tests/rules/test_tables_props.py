"""Invariants of every position of the tables games, reachable or invented."""

import random
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import pytest

from pi_app.rules.contract import AnyGame
from pi_app.rules.tables.backgammon import BACKGAMMON
from pi_app.rules.tables.pin import PIN_GAME
from pi_app.rules.tables.portes import PORTES
from pi_app.rules.tables.position import (
    AGAINST,
    ALONG,
    BAR,
    BAR_SPOTS,
    CHECKERS,
    OFF,
    POINT_SPOTS,
    Paths,
    TablesPosition,
    above,
    count,
    one,
    pips,
)
from pi_app.rules.terms import Die, Move, PositionError, Roll, Side, Spot, SpotKind

ROLLS = [Roll.of(high, low) for high in range(1, 7) for low in range(1, high + 1)]
POSITIONS = 250


@pytest.mark.parametrize("paths", [AGAINST, ALONG], ids=lambda paths: paths.facing.value)
def test_enemies_are_counted_where_they_stand_across(paths: Paths) -> None:
    for number in range(BAR + 1):
        told = paths.enemies(7 * one(paths.across[number]))
        assert told == "0" * number + "7" + "0" * (BAR - number)
        assert paths.across[paths.across[number]] == number
    for number in range(1, BAR):
        assert paths.spots[Side.BLACK][number] == paths.spots[Side.WHITE][paths.across[number]]


def made_up(dice: random.Random, pins: bool) -> TablesPosition:
    """Fifteen checkers a side placed at random on few points, on the bars if there are any, or at
    home."""
    taken: dict[int, Side] = {}
    men, pinned = dict.fromkeys(Side, 0), dict.fromkeys(Side, 0)
    for side in Side:
        farthest = dice.choice((6, 12, 24, 24))
        free = [n for n in range(1, farthest + 1) if _index(side, n) not in taken] or [1]
        places = dice.choices(free, k=dice.randint(1, 7))
        gone = dice.choice((0, 0, 3, 11))
        bar = 0 if pins else dice.choice((0, 0, 0, 1, 2))
        numbers = [*places, *dice.choices(places, k=CHECKERS)][: CHECKERS - gone - bar]
        men[side] = sum(map(one, numbers)) + bar * one(BAR)
        men[side] += CHECKERS - len(numbers) - bar
        taken |= {_index(side, number): side for number in numbers}
    if pins:
        for index in dice.sample(sorted(taken), k=min(3, len(taken))):
            under = taken[index].other
            number = _index(under, index)
            if count(men[under], OFF) > 0:
                men[under] += one(number) - one(OFF)
                pinned[under] += one(number)
    white, black = Side.WHITE, Side.BLACK
    mover = dice.choice(list(Side))
    return TablesPosition(men[white], men[black], mover, pinned[white], pinned[black])


def _index(side: Side, number: int) -> int:
    return number if side is Side.WHITE else BAR - number


def possible(game: AnyGame, position: TablesPosition) -> bool:
    try:
        return bool(game.read_position(game.write_position(position)) == position)
    except PositionError:
        return False


def nodes(game: AnyGame, seed: int) -> Iterator[tuple[TablesPosition, Roll]]:
    """Made-up positions and rolls, games that are over left out."""
    dice = random.Random(seed)
    found = 0
    while found < POSITIONS:
        position = made_up(dice, pins=game is PIN_GAME)
        if possible(game, position) and not game.outcome(position):
            found += 1
            yield position, dice.choice(ROLLS)


def mirrored(position: TablesPosition) -> TablesPosition:
    """The same board from the other side: each side's numbers become the other's."""
    return TablesPosition(
        position.black,
        position.white,
        position.mover.other,
        position.black_pinned,
        position.white_pinned,
    )


def mirrored_spot(spot: Spot) -> Spot:
    side = next(side for side in Side if spot in AGAINST.numbers[side])
    return AGAINST.spots[side.other][AGAINST.numbers[side][spot]]


@pytest.fixture(scope="module", params=[BACKGAMMON, PORTES, PIN_GAME], ids=lambda game: game.name)
def game(request: pytest.FixtureRequest) -> AnyGame:
    game: AnyGame = request.param
    return game


def test_every_made_up_position_reads_back(game: AnyGame) -> None:
    for position, _ in nodes(game, 1):
        assert game.read_position(game.write_position(position)) == position
        assert game.position_of(game.checkers_at(position), position.mover) == position


def test_turns_conserve_checkers_and_keep_pins_and_bars_sane(game: AnyGame) -> None:
    for position, roll in nodes(game, 2):
        side = position.mover
        for after in game.results(position, roll):
            assert possible(game, after)
            men = Counter(owner for stack in game.checkers_at(after).values() for owner in stack)
            assert men == {Side.WHITE: CHECKERS, Side.BLACK: CHECKERS}
            assert count(after.men(side), BAR) <= count(position.men(side), BAR)
            assert after.pinned(side) == position.pinned(side)
            moved = pips(position.men(side)) - pips(after.men(side))
            assert 0 <= moved <= sum(roll.dice) * (2 if len(set(roll.dice)) == 1 else 1)


def test_results_are_what_the_plays_lead_to(game: AnyGame) -> None:
    for position, roll in nodes(game, 3):
        plays = game.plays(position, roll)
        assert len(set(plays)) == len(plays)
        after = [game.after(position, play) for play in plays]
        assert len(set(after)) == len(after)
        assert set(after) == set(game.results(position, roll))


def test_plays_read_back_and_are_agreed_to(game: AnyGame) -> None:
    for position, roll in nodes(game, 4):
        for play in game.plays(position, roll)[:20]:
            assert game.read_play(position, game.write_play(position, play)) == play
            assert game.explain(position, roll, play) is None
            assert game.explain(position, roll, play[::-1]) is None


def test_mirrored_positions_give_mirrored_plays(game: AnyGame) -> None:
    for position, roll in nodes(game, 5):
        plays = game.plays(position, roll)
        expected = {
            tuple(
                Move(mirrored_spot(m.origin), mirrored_spot(m.target), m.hit, m.pins) for m in play
            )
            for play in plays
        }
        assert set(game.plays(mirrored(position), roll)) == expected


def test_backgammon_and_portes_play_alike() -> None:
    for position, roll in nodes(BACKGAMMON, 6):
        assert BACKGAMMON.plays(position, roll) == PORTES.plays(position, roll)
        assert BACKGAMMON.results(position, roll) == PORTES.results(position, roll)
        assert BACKGAMMON.write_position(position) == PORTES.write_position(position)


def test_a_pin_game_without_contact_is_backgammon_without_contact() -> None:
    for position, roll in nodes(BACKGAMMON, 7):
        stacks = BACKGAMMON.checkers_at(position)
        white = [n for n in range(1, 25) if Side.WHITE in stacks[Spot(SpotKind.POINT, n)]]
        black = [n for n in range(1, 25) if Side.BLACK in stacks[Spot(SpotKind.POINT, n)]]
        apart = not white or not black or max(white) < min(black)
        if apart and not any(stacks[spot] for spot in BAR_SPOTS):
            assert set(PIN_GAME.results(position, roll)) == set(BACKGAMMON.results(position, roll))


# --- explain, held against a judge of its own


def by_one_die(position: TablesPosition, die: int) -> list[Move]:
    """Every move of one of the mover's checkers, or of a square where one may arrive, by a die."""
    side = position.mover
    names = AGAINST.spots[side]
    return [Move(names[n], names[max(n - die, OFF)]) for n in range(1, BAR + 1)]


def closed(game: AnyGame, position: TablesPosition, spot: Spot) -> bool:
    """Whether the enemy holds a point against the mover."""
    if spot not in POINT_SPOTS:
        return False
    stack = game.checkers_at(position)[spot]
    enemies = stack.count(position.mover.other)
    return enemies > 1 or (enemies == 1 and len(stack) > 1 and stack[0] is position.mover)


def judged_legal(
    game: AnyGame, position: TablesPosition, roll: Roll, attempt: tuple[Move, ...]
) -> bool:
    """Moves of one die each, made one by one, none on a closed point, to a legal result."""
    standing = position
    for move in attempt:
        number = AGAINST.numbers[position.mover][move.origin]
        free = standing.men(position.mover) - standing.pinned(position.mover)
        if not count(free, number) or closed(game, position, move.target):
            return False
        farther_back = standing.men(position.mover) & above(number)
        if move.target.kind is SpotKind.OFF and farther_back and Die(number) not in roll.dice:
            return False
        standing = game.with_mover(game.attempted(standing, (move,)), position.mover)
    return game.with_mover(standing, position.mover.other) in game.results(position, roll)


def attempts(position: TablesPosition, roll: Roll) -> Iterator[tuple[Move, ...]]:
    """All turns of two moves, the one with the farther checker first, and all of one or none."""
    yield ()
    singles = {die: by_one_die(position, die) for die in set(roll.dice)}
    for moves in singles.values():
        yield from ((move,) for move in moves)
    pairs = (
        combinations(singles[roll.dice[0]] * 2, 2)
        if len(singles) == 1
        else ((a, b) for a in singles[roll.dice[0]] for b in singles[roll.dice[1]])
    )
    number = AGAINST.numbers[position.mover]
    for pair in pairs:
        yield tuple(sorted(pair, key=lambda move: -number[move.origin]))


@pytest.mark.slow
def test_explain_is_none_exactly_for_legal_turns(game: AnyGame) -> None:
    verdicts: Counter[bool] = Counter()
    for position, roll in list(nodes(game, 8))[:40]:
        for attempt in attempts(position, roll):
            broken = game.explain(position, roll, attempt)
            legal = judged_legal(game, position, roll, attempt)
            assert (broken is None) is legal, (
                game.write_position(position),
                str(roll),
                game.write_play(position, attempt),
                broken,
            )
            verdicts[legal] += 1
    assert verdicts[True] > 150
    assert verdicts[False] > 5000


def test_a_part_of_a_turn_is_not_a_turn(game: AnyGame) -> None:
    objections = 0
    for position, roll in nodes(game, 9):
        results = game.results(position, roll)
        for play in game.plays(position, roll)[:5]:
            for left in range(len(play)):
                part = play[:left] + play[left + 1 :]
                if game.explain(position, roll, part):
                    objections += 1
                else:
                    # One die may bear off what two would: then it is the same turn.
                    assert game.attempted(position, part) in results
    assert objections > 500
