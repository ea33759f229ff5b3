"""Simulated hands: whatever they do on the way, the checkers end where they should."""

from __future__ import annotations

import pytest
from handwork import Handwork
from spots import spots

from pi_app.rules.terms import Roll, Side, Spot
from pi_app.simulator.checkers import Piece
from pi_app.simulator.hands import Habits, Way
from pi_app.simulator.ways import victims_of, ways_of

BACKGAMMON = "-b----E-C---eE---c-e----B- w"
BLOTS = "---a-B-A-E--ab-----cA-c--A w"


def play_all(desk: Handwork, text: str, roll: Roll, most: int) -> None:
    game, position = desk.game, desk.game.read_position(text)
    plays = game.plays(position, roll)
    for play in desk.rng.sample(plays, min(most, len(plays))):
        desk.set_to(text)
        moves = game.moves(position, play)
        ways = ways_of(game, position, roll, moves, desk.rng)
        victims = victims_of(game, position, moves)
        desk.do(desk.hands.turn(ways, game.mover(position), victims))
        assert desk.shows(game.write_position(game.after(position, play))), (play, ways)
        assert desk.hands.holding == 0


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
    assert desk.hands.lifted == desk.hands.dropped == set(spots("5"))


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
