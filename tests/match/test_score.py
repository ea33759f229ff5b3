"""Cube, Crawford, and what a game is worth."""

from __future__ import annotations

import pytest

from pi_app.match import score as scoring
from pi_app.match.score import Agreement, Cube, Score, Standing
from pi_app.rules.terms import Side

WHITE, BLACK = Side.WHITE, Side.BLACK
PLAIN = Agreement(match_to=5, cube=True, crawford=False, tie_turns_cube=False)
CRAWFORD = Agreement(match_to=5, cube=True, crawford=True, tie_turns_cube=False)
TIES = Agreement(match_to=5, cube=True, crawford=False, tie_turns_cube=True)


def standing(white: int = 0, black: int = 0, cube: Cube = Cube()) -> Standing:  # noqa: B008
    return Standing(Score(white, black), cube, 1, crawford=False, crawford_played=False)


@pytest.mark.parametrize(("value", "face"), [(1, 64), (2, 2), (4, 4), (32, 32)])
def test_the_cube_shows_64_until_the_first_double(value: int, face: int) -> None:
    assert Cube(value).face == face


@pytest.mark.parametrize(
    ("cube", "white_may", "black_may"),
    [
        (Cube(1), True, True),
        (Cube(2, WHITE), True, False),
        (Cube(2, BLACK), False, True),
        (Cube(1, None, WHITE), False, False),
    ],
)
def test_only_the_owner_or_anyone_in_the_middle_may_double(
    cube: Cube, white_may: bool, black_may: bool
) -> None:
    now = standing(cube=cube)
    assert scoring.may_double(PLAIN, now, WHITE) is white_may
    assert scoring.may_double(PLAIN, now, BLACK) is black_may


@pytest.mark.parametrize(
    ("match_to", "score", "stake", "may"),
    [
        (1, (0, 0), 1, False),
        (5, (4, 4), 1, False),
        (5, (4, 3), 1, True),
        (5, (3, 3), 2, False),
        (5, (4, 2), 2, True),
        (None, (4, 4), 2, True),
    ],
)
def test_where_the_game_decides_the_match_for_either_nobody_doubles(
    match_to: int | None, score: tuple[int, int], stake: int, may: bool
) -> None:
    agreement = Agreement(match_to, cube=True, crawford=False, tie_turns_cube=False)
    assert scoring.may_double(agreement, standing(*score, Cube(stake)), WHITE) is may


def test_three_doubles_make_a_plain_win_worth_eight() -> None:
    now = standing()
    for side in (WHITE, BLACK, WHITE):
        now = scoring.take(scoring.offer(now, side))
    assert now.cube == Cube(8, BLACK)
    assert scoring.win(now, WHITE, 1).score == Score(8, 0)


def test_a_double_on_offer_does_not_count_when_the_game_is_won() -> None:
    now = scoring.offer(standing(cube=Cube(2, WHITE)), WHITE)
    won = scoring.win(now, WHITE, 1)
    assert (won.score, won.cube.offered) == (Score(2, 0), None)


def test_a_tie_turns_the_cube_only_where_agreed_and_leaves_it_in_the_middle() -> None:
    assert scoring.turn_for_tie(TIES, standing()).cube == Cube(2)
    assert scoring.turn_for_tie(PLAIN, standing()).cube == Cube(1)


def test_crawford_is_the_one_game_after_someone_comes_within_a_point() -> None:
    games = [standing(3, 0)]
    for winner in (WHITE, BLACK, BLACK):
        games.append(scoring.next_game(CRAWFORD, scoring.win(games[-1], winner, 1)))
    assert [game.crawford for game in games] == [False, True, False, False]
    assert not scoring.may_double(CRAWFORD, games[1], BLACK)
    assert scoring.may_double(CRAWFORD, games[2], BLACK)


@pytest.mark.parametrize(("match_to", "crawford"), [(1, True), (2, False), (None, False)])
def test_a_match_to_one_point_is_its_own_crawford_game(
    match_to: int | None, crawford: bool
) -> None:
    agreement = Agreement(match_to, cube=True, crawford=True, tie_turns_cube=False)
    assert scoring.first_game(agreement).crawford is crawford


def test_without_the_option_there_is_no_crawford_game() -> None:
    assert not scoring.next_game(PLAIN, standing(4, 0)).crawford


@pytest.mark.parametrize(("match_to", "over"), [(4, True), (5, False), (None, False)])
def test_a_match_is_won_at_its_target(match_to: int | None, over: bool) -> None:
    agreement = Agreement(match_to, cube=True, crawford=False, tie_turns_cube=False)
    assert scoring.match_won(agreement, standing(4, 0)) is over
