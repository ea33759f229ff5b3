"""Attempts of simulated people, and those that no reed can detect."""

from __future__ import annotations

import pytest
from handwork import Handwork
from lab.observability import is_on_the_way, looks_legal
from lab.plays import Mischief, Misplay, chained, done, illegal_moves
from spots import spots

from pi_app.rules.terms import Move, Roll, Side, Spot
from pi_app.sensing.description import Sensor

START = "-b----E-C---eE---c-e----B- w"


def attempt(desk: Handwork, text: str, moves: tuple[Move, ...]) -> Misplay:
    position = desk.game.read_position(text)
    layout = desk.checkers.layout(desk.game.checkers_at(position))
    homes = {side: desk.game.hit_to(side) for side in Side}
    return Misplay(moves, done(layout, moves, desk.game.mover(position), homes))


def move(word: str) -> Move:
    origin, target = word.rstrip("*").split("/")
    return Move(Spot.read(origin), Spot.read(target), hit=word.endswith("*"))


def test_illegal_moves_are_all_there_are() -> None:
    game = Handwork("nannon", "nannon-6", 1).game
    position, roll = game.read_position("1ww..bb1 w"), Roll.of(2)
    moves = illegal_moves(game, position, roll)
    broken = [game.explain(position, roll, (move,)) for move in moves]
    rules = {why.rule.identifier for why in broken if why}
    assert len(broken) == len([why for why in broken if why])
    assert rules >= {"wrong-distance", "not-your-checker", "own-checker", "backward"}


def test_parts_of_a_turn_and_several_dice_with_one_checker_are_not_illegal() -> None:
    game = Handwork("backgammon", "tables-24", 1).game
    moves = illegal_moves(game, game.read_position(START), Roll.of(5, 3))
    found = {(move.origin, move.target) for move in moves}
    assert not found & {spots("13 8"), spots("13 10"), spots("13 5"), spots("24 21")}
    assert found >= {spots("13 9"), spots("12 17"), spots("24 19"), spots("6 off.white")}


@pytest.mark.parametrize("seed", range(5))
def test_half_a_turn_goes_on_wrongly_or_not_at_all(seed: int) -> None:
    desk = Handwork("backgammon", "tables-24", seed)
    desk.set_to(START)
    mischief, position = (
        Mischief(desk.game, desk.checkers, desk.rng),
        desk.game.read_position(START),
    )
    for dice in ((5, 3), (4, 4)):
        for tried in (
            mischief.half_right(position, Roll.of(*dice)),
            mischief.too_little(position, Roll.of(*dice)),
        ):
            assert tried
            assert desk.game.explain(position, Roll.of(*dice), tried.moves)


def test_where_a_turn_is_one_move_there_are_no_halves() -> None:
    desk = Handwork("cannon", "cannon-10", 1)
    position = desk.game.start(Side.WHITE)
    mischief = Mischief(desk.game, desk.checkers, desk.rng)
    assert mischief.half_right(position, Roll(())) is None
    assert mischief.too_little(position, Roll(())) is None
    assert mischief.single(position, Roll(())) is not None


@pytest.mark.parametrize(
    ("text", "die", "tried", "seen"),
    [
        ("1ww..bb1 w", 2, "2/5*", True),
        ("1ww..bb1 w", 2, "2/3", True),
        ("0ww.w.b1 w", 3, "4/home.white", False),  # looks like 4/SAFETY
        ("1ww..bb1 w", 2, "home.white/safety.white", False),
        ("2bb....1 w", 1, "home.white/1*", False),  # forfeited: 1 may have been adjusted
        ("1ww..b.1 w", 3, "home.white/5*", True),
    ],
)
def test_some_attempts_no_reed_can_tell(text: str, die: int, tried: str, seen: bool) -> None:
    desk = Handwork("nannon", "nannon-6", 1)
    position = desk.game.read_position(text)
    assert move(tried) in illegal_moves(desk.game, position, Roll.of(die))
    told = not looks_legal(
        desk.game, position, Roll.of(die), attempt(desk, text, (move(tried),)), desk.checkers
    )
    assert told is seen


@pytest.mark.parametrize(
    ("board", "text", "dice", "tried", "seen"),
    [
        ("tables-24", START, (5, 3), "13/9", True),
        ("tables-24", "-D-A-----------------a---- w", (6, 5), "3/off.white", True),
        ("tables-24", "-F-A-----------------a---- w", (6, 5), "3/off.white", False),  # and 1/off
        ("tables-24", "-G-A-----------------a---- w", (6, 2), "3/1", False),  # as 3/off 1/off
        ("tables-24-thrifty", "-E-A-----------------a---- w", (6, 2), "3/1", False),
        ("tables-24", "-----a-A-B----------ab---- w", (4, 1), "9/5*", True),
        ("tables-24", "-----a-A-B----------ab---- w", (3, 1), "7/5*", True),
    ],
)
def test_hidden_checkers_cannot_be_told(
    board: str, text: str, dice: tuple[int, int], tried: str, seen: bool
) -> None:
    desk = Handwork("backgammon", board, 1)
    position, roll = desk.game.read_position(text), Roll.of(*dice)
    told = not looks_legal(
        desk.game, position, roll, attempt(desk, text, (move(tried),)), desk.checkers
    )
    assert told is seen


def test_an_own_piece_that_an_enemys_replaces_may_have_been_adjusted() -> None:
    desk = Handwork("cannon", "cannon-10", 1)
    rows = ("....O.....", *[".........."] * 3, "..o.......", "..........", *["..x......."] * 3)
    text = f"{'/'.join((*rows, '....X.....'))} D"
    position = desk.game.read_position(text)
    tried = attempt(desk, text, (move("c6/c3*"),))  # as a shot at c6
    assert looks_legal(desk.game, position, Roll(()), tried, desk.checkers)
    tried = attempt(desk, text, (move("c3/c6*"),))
    assert not looks_legal(desk.game, position, Roll(()), tried, desk.checkers)


def test_a_checker_that_hits_and_goes_on_is_one() -> None:
    moves = (move("24/21"), move("13/8*"), move("8/7"))
    assert [(way.origin, way.stops) for way in chained(moves)] == [
        (Spot.read("24"), spots("21")),
        (Spot.read("13"), spots("8 7")),
    ]


@pytest.mark.parametrize(("dice", "legal"), [((4, 3), True), ((2, 2), False)])
def test_a_checker_on_its_bar_may_be_the_begin_of_a_hit(dice: tuple[int, int], legal: bool) -> None:
    desk = Handwork("backgammon", "tables-24-hall", 1)
    text = "-b----E-C---eF---c-e----A- b"
    desk.set_to(text)
    desk.do(desk.hands.turn(chained((move("24/bar.white"),)), Side.WHITE, {}))
    position = desk.game.read_position(text)
    assert is_on_the_way(desk.game, position, Roll.of(*dice), desk.checkers) is legal


def test_where_a_sensor_is_set_aside_a_checker_may_have_left() -> None:
    desk = Handwork("portes", "tables-24-hall", 1)
    desk.set_to(START)
    position, moves = desk.game.read_position(START), (move("6/2"), move("8/6"))
    desk.do(desk.hands.turn(chained(moves), Side.WHITE, {}))
    seen = (desk.game, position, Roll.of(4, 3), desk.checkers)
    assert not is_on_the_way(*seen)
    assert is_on_the_way(*seen, blind={Sensor("6.5.white")})
