"""Counting words: how many checkers go where, and how many are left."""

from __future__ import annotations

from dataclasses import replace

import pytest
from desk import Desk
from known import find_game, load_board
from scenes import view_in
from spots import spots

from pi_app.match.turns import Phase
from pi_app.referee.lines import write_view
from pi_app.referee.speech import speak
from pi_app.referee.view import View
from pi_app.rules.terms import Side
from pi_app.sensing.reading import BoardState

START = "-b----E-C---eE---c-e----B- w"
STANDING = view_in("backgammon-moving").closed
BACKGAMMON = "Ada: 6 (5), 8 (3), 13 (5) and 24 (2). Ben: 1 (2), 12 (5), 17 (3) and 19 (5)."


def seen(*closed: str, game: str = "backgammon", board: str = "tables-24") -> View:
    """The message once these sensors are closed in the set-up."""
    desk = Desk(game=game, board=board)
    desk.show(*closed)
    return desk.wait(2000)


@pytest.mark.parametrize("board", ["tables-24", "tables-24-thrifty"])
@pytest.mark.parametrize(
    ("game", "hint"),
    [
        ("backgammon", BACKGAMMON),
        ("portes", BACKGAMMON),
        ("pin", "Ada: 24 (15). Ben: 1 (15)."),
    ],
)
def test_the_set_up_is_one_sentence_that_counts(game: str, hint: str, board: str) -> None:
    assert seen(game=game, board=board).hint == hint


def test_what_is_missing_is_counted_as_the_board_fills() -> None:
    view = seen(*STANDING - {"13.4", "13.5", "24.2"})
    assert sorted(view.fill) == [*spots("13 13 24")]
    assert view.hint == "Ada: 13 (2) and 24 (1)."
    assert seen(*STANDING - {"24.2", "6.1"}).hint == "Ada: 6 and 24."


def test_a_stack_above_its_sensors_counts_what_they_cannot_see() -> None:
    board = load_board("tables-24-thrifty")
    view = seen(*STANDING.intersection(board.sensors) - {"13.3"}, board=board.name)
    assert view.fill == spots("13 13 13")
    assert view.hint == "Ada: 13 (3)."


def test_a_checker_too_many_is_taken_off_and_one_that_does_not_belong_is_cleared() -> None:
    view = seen(*STANDING, "8.4", "3.1", "3.2")
    assert view.clear == spots("3 3 8")
    assert view.hint == "Clear 3. Lift 1 off 8."


def test_nannon_is_set_up_without_counts() -> None:
    view = seen("3", game="nannon", board="nannon-6")
    assert view.hint == "Ada: 1 and 2. Ben: 5 and 6. Clear 3."


def test_a_roll_is_said_as_players_write_it() -> None:
    assert view_in("backgammon-moving").message == "Ada to play 6-4"


@pytest.mark.parametrize(
    ("lost", "found", "way"),
    [
        (
            ("13.3", "13.4", "13.5", "1.2"),
            ("3.1", "3.2", "8.4", "16.1"),
            "Clear 3. The rest is marked.",
        ),
        (
            ("13.4", "13.5", "6.5", "1.2", "19.4", "19.5"),
            ("8.4", "8.5", "16.1", "9.1", "10.1", "22.1"),
            "Lift 2 off 8. The rest is marked.",
        ),
    ],
)
def test_a_knocked_board_is_led_back_one_spot_at_a_time(
    lost: tuple[str, ...], found: tuple[str, ...], way: str
) -> None:
    desk = Desk(game="backgammon", board="tables-24")
    desk.show(*STANDING)
    for die in "64":
        desk.press()
        desk.roll(die)
    desk.show(*STANDING - set(lost), *found)
    view = desk.wait(2000)
    assert view.board is BoardState.DISTURBED
    assert view.hint == f"{way} Or tap Accept the board."


def test_legal_plays_are_listed_when_they_are_few_and_there_is_room() -> None:
    plays = ("24/20(2) 13/9(2)", "24/16(2)", "24/16 13/5", "13/9(4)")
    told = replace(view_in("backgammon-moving"), legal=plays)
    assert speak(told)[1] == "Move on the board."
    few = replace(told, legal=plays[:3])
    assert speak(few)[1] == "Legal: 24/20(2) 13/9(2), 24/16(2) or 24/16 13/5."
    noted = replace(few, note="Undone: 24/18 13/9 8/4 6/2 and the rest", unhit=True)
    assert speak(noted)[1] == (
        "Undone: 24/18 13/9 8/4 6/2 and the rest. Put a hit checker back too."
    )


# Pips ---------------------------------------------------------------------------------------


def test_pips_follow_what_stands_on_the_board() -> None:
    assert view_in("backgammon-moving").pips == (167, 167)
    assert view_in("backgammon-played").board is BoardState.PLAYED
    assert view_in("backgammon-played").pips == (157, 167)


def test_where_nobody_counts_pips_there_are_none() -> None:
    assert view_in("nannon-set-up").phase is Phase.SET_UP
    assert view_in("nannon-set-up").pips is None


def test_pips_are_for_displays_and_not_in_the_line_of_a_view() -> None:
    assert "pips" not in write_view(view_in("backgammon-moving"))


@pytest.mark.parametrize(
    ("game", "position", "pips"),
    [
        ("backgammon", START, (167, 167)),
        ("portes", "aA----------------------A- b", (25, 25)),
        ("pin", "-o----------------------O- w -", (360, 360)),
    ],
)
def test_pips_are_what_is_still_to_go(game: str, position: str, pips: tuple[int, int]) -> None:
    rules = find_game(game)
    placed = rules.read_position(position)
    assert (rules.pips(placed, Side.WHITE), rules.pips(placed, Side.BLACK)) == pips
