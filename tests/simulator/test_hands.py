"""Simulated hands: whatever they do on the way, the checkers end where they should."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import permutations
from typing import Any, TypeAlias

import pytest
from handwork import RESTLESS, Handwork
from known import find_game
from lab.hands import Habits
from lab.plays import Way, entering_first, in_disorder, victims_of, ways_of
from spots import spots

from pi_app.base.microseconds import ms
from pi_app.referee.events import SensorEdge
from pi_app.rules.contract import AnyGame
from pi_app.rules.terms import Roll, Side, Spot
from pi_app.sensing.noise import PUBLISHED, Noise
from pi_app.simulator.reeds import Piece

BACKGAMMON = "-b----E-C---eE---c-e----B- w"
BLOTS = "---a-B-A-E--ab-----cA-c--A w"


Ordering: TypeAlias = Callable[[AnyGame, Any, list[Way]], list[Way]]


def play_all(
    desk: Handwork, text: str, roll: Roll, most: int, order: Ordering = entering_first
) -> None:
    game, position = desk.game, desk.game.read_position(text)
    plays = game.plays(position, roll)
    for play in desk.rng.sample(plays, min(most, len(plays))):
        desk.set_to(text)
        moves = game.moves(position, play)
        ways = order(game, position, ways_of(game, position, roll, moves, desk.rng))
        victims = victims_of(game, position, moves)
        desk.do(desk.hands.turn(ways, game.mover(position), victims))
        assert desk.shows(game.write_position(game.after(position, play))), (play, ways)
        assert desk.hands.trace.held == []


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("die", range(1, 7))
def test_every_move_of_one_checker_ends_where_the_rules_say(seed: int, die: int) -> None:
    play_all(Handwork("nannon", "nannon-6", seed), "1w.wb.b1 w", Roll.of(die), 9)


@pytest.mark.parametrize(
    ("game", "board", "text", "dice"),
    [
        ("backgammon", "tables-24", BLOTS, (6, 1)),
        ("backgammon", "tables-24", BLOTS, (3, 3)),
        ("backgammon", "tables-24", BACKGAMMON, (4, 4)),
        ("backgammon", "tables-24-thrifty", BACKGAMMON, (5, 3)),
        ("portes", "tables-24", "-GCC-----------------acbb- w", (6, 1)),
        ("pin", "tables-24", "-a--b-A----C--------a--dA- w -", (2, 1)),
        ("cannon", "cannon-10", "", ()),
    ],
)
def test_whole_turns_end_where_the_rules_say(
    game: str, board: str, text: str, dice: tuple[int, ...]
) -> None:
    desk = Handwork(game, board, 5)
    wanted = text or desk.game.write_position(desk.game.start(Side.WHITE))
    play_all(desk, wanted, Roll.of(*dice), 12)


@pytest.mark.parametrize(
    ("text", "dice"),
    [(BLOTS, (6, 1)), (BLOTS, (3, 3)), (BLOTS, (2, 1))],
)
def test_turns_in_disorder_end_where_the_rules_say(text: str, dice: tuple[int, ...]) -> None:
    desk = Handwork("backgammon", "tables-24", 6)

    def at_random(game: AnyGame, position: Any, ways: list[Way]) -> list[Way]:
        return in_disorder(game, position, ways, desk.rng)

    play_all(desk, text, Roll.of(*dice), 12, at_random)


def test_in_disorder_legs_are_mixed_and_who_was_hit_enters_last() -> None:
    game, rng = find_game("backgammon"), random.Random(1)
    position = game.start(Side.WHITE)
    first = Way(Spot.read("24"), (Spot.read("20"), Spot.read("16")))
    other = Way(Spot.read("13"), (Spot.read("9"), Spot.read("5")))
    enters = Way(Spot.read("bar.white"), (Spot.read("21"),))
    orders = {
        tuple(str(way.origin) for way in in_disorder(game, position, [enters, first, other], rng))
        for _ in range(200)
    }
    assert {order[-1] for order in orders} == {"bar.white"}
    assert {order[:4] for order in orders} == {
        tuple(order)
        for order in permutations(("24", "20", "13", "9"))
        if order.index("24") < order.index("20") and order.index("13") < order.index("9")
    }


def test_a_shifted_checker_lies_on_another_place_of_its_spot() -> None:
    desk = Handwork("backgammon", "tables-24", 2)
    for _ in range(20):
        desk.set_to("-B------------------------ w")
        before = desk.checkers.closed
        desk.do(desk.hands.shift(Spot.read("1")))
        assert desk.shows("-B------------------------ w")
        assert len(desk.checkers.closed - before) == 1
    assert desk.hands.trace.dipped == set(spots("1"))


def test_the_pinned_checker_is_shifted_and_still_the_one_beneath() -> None:
    desk = Handwork("pin", "tables-24", 2)
    text = "--b-A--------------B------ w 2"
    for _ in range(20):
        desk.set_to(text)
        desk.do(desk.hands.shift(Spot.read("2")))
        assert desk.shows(text)


def test_a_fast_exchange_is_over_before_a_sleeve_would_be() -> None:
    always = RESTLESS.but({Noise.FAST: 1.0, Noise.BRUSH: 0.0, Noise.SLIDE: 0.0, Noise.ROCK: 0.0})
    longest = 0
    for seed in range(10):
        desk = Handwork("nannon", "nannon-6", seed, noise=always)
        desk.set_to("2w..b..2 w")
        desk.heard.clear()
        way = Way(Spot.read("home.white"), (Spot.read("4"),))
        desk.do(desk.hands.turn([way], Side.WHITE, {Spot.read("4"): Spot.read("home.black")}))
        times = [edge.us for edge in desk.heard if isinstance(edge, SensorEdge)]
        longest = max(longest, times[-1] - times[0])
        assert desk.shows("1w..w..3 b")
        assert desk.hands.trace.hasty == set(spots("4"))
    assert ms(20) < longest <= PUBLISHED.longest(Noise.FAST)


def test_cannons_pieces_step_capture_shoot_and_lose_their_town() -> None:
    desk = Handwork("cannon", "cannon-10", 2)
    rows = (
        *("....O.....", "..........", "..o.......", "..o.......", "..o......."),
        *("..........", "..x.......", ".o.x......", "..........", "....X....."),
    )
    text = f"{'/'.join(rows)} L"
    play_all(desk, text, Roll(()), 40)


@pytest.mark.parametrize("seed", range(10))
def test_any_board_can_be_brought_to_any_other(seed: int) -> None:
    texts = ("1ww..bb1 w", "0wb.bwb0 w", "3......3 w", "0w.....0 w", "1bw.wb.1 b")
    desk = Handwork("nannon", "nannon-6", seed)
    for text in (*texts, *reversed(texts)):
        desk.set_to(text)


def test_pinned_checkers_come_to_lie_beneath() -> None:
    desk = Handwork("pin", "tables-24", 3)
    points = (
        "--b-A--------------B------",
        "--B-A--------------B------",
        "--b-A-b------------B------",
    )
    for text in (f"{board} w {pinned}" for board in points for pinned in ("2", "19")):
        desk.set_to(text)


def test_an_adjusted_checker_is_back_and_known_to_have_been_lifted() -> None:
    desk = Handwork("nannon", "nannon-6", 3)
    desk.set_to("1ww..bb1 w")
    desk.do(desk.hands.adjust(Spot.read("5")))
    assert desk.shows("1ww..bb1 w")
    assert desk.hands.trace.lifted == desk.hands.trace.dropped == set(spots("5"))


def test_places_fill_from_the_rail_and_the_sixth_checker_lies_on_top() -> None:
    desk = Handwork("backgammon", "tables-24", 1, Habits(gap=0))
    desk.set_to("-F------------------------ w")
    assert desk.checkers.closed == {f"1.{place}" for place in range(1, 6)}
    held = desk.hands.lift(Spot.read("1"))
    assert held.place is None
    assert len(desk.checkers.closed) == 5


def test_gaps_are_left_and_checkers_taken_from_the_middle_of_a_row() -> None:
    desk = Handwork("backgammon", "tables-24", 4, Habits(gap=1, outermost=0))
    rows = set()
    for _ in range(30):
        desk.set_to("-B------------------------ w")
        rows.add(desk.checkers.closed)
        desk.do(desk.hands.adjust(Spot.read("1")))
        rows.add(desk.checkers.closed)
        desk.set_to("--A----------------------- w")
    assert len(rows) > 4


def test_a_town_is_one_piece_that_counts_as_two() -> None:
    desk = Handwork("cannon", "cannon-10", 1)
    desk.set_to(desk.game.write_position(desk.game.start(Side.WHITE)))
    off, target = Spot.read("off.white"), Spot.read("e10")
    assert desk.checkers.pieces(off) == (Piece(Side.WHITE, 2),)
    desk.do(desk.hands.turn([Way(off, (target,))], Side.WHITE, {}))
    assert desk.checkers.at(target) == (Side.WHITE, Side.WHITE)
    assert "e10" in desk.checkers.closed
