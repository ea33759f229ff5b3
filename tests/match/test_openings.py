"""The turns of a match in every game: who starts, what a game is worth, what comes next."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from known import GAMES, find_game

from pi_app.match.acts import Act
from pi_app.match.score import Agreement, Cube, Score
from pi_app.match.turns import MatchState, Phase, Turns
from pi_app.rules.terms import Die, Roll, Side

WHITE, BLACK = Side.WHITE, Side.BLACK
GAMMON = "-------------------o------ b"
"""White has borne everything off; Black, with fifteen checkers outside, nothing."""


def turns_of(name: str, match_to: int | None = 7, **options: bool | int | None) -> Turns:
    game = find_game(name)
    agreed: dict[str, Any] = {
        "cube": game.has_cube,
        "crawford": False,
        "tie_turns_cube": False,
    } | options
    return Turns(game, Agreement(match_to, **agreed))


def opened(turns: Turns, white: int, black: int) -> MatchState[Any]:
    state = turns.act(turns.begin(), Act.BOARD_SET)
    return turns.act(turns.act(state, Act.THROW, Die(white)), Act.THROW, Die(black))


def resigned(turns: Turns, state: MatchState[Any]) -> MatchState[Any]:
    return turns.act(turns.act(state, Act.RESIGN, 1), Act.ACCEPT)


@pytest.mark.parametrize(
    ("name", "phase", "roll"),
    [
        ("nannon", Phase.MOVING, Roll.of(2)),
        ("backgammon", Phase.MOVING, Roll.of(5, 3)),
        ("portes", Phase.TO_ROLL, None),
        ("pin", Phase.TO_ROLL, None),
    ],
)
def test_the_higher_throw_begins_as_the_sheet_says(
    name: str, phase: Phase, roll: Roll | None
) -> None:
    state = opened(turns_of(name), 3, 5)
    assert (state.phase, state.to_act, state.roll) == (phase, BLACK, roll)
    assert find_game(name).mover(state.position) is BLACK


@pytest.mark.parametrize("name", ["nannon", "backgammon", "portes", "pin"])
def test_one_die_a_player_opens_and_then_a_turn_throws_the_game_s(name: str) -> None:
    turns = turns_of(name)
    begun = turns.act(turns.begin(), Act.BOARD_SET)
    assert turns.dice(turns.begin()) == 0
    assert turns.dice(begun) == turns.dice(turns.act(begun, Act.THROW, Die(4))) == 1
    assert turns.dice(replace(begun, phase=Phase.TO_ROLL)) == find_game(name).dice
    assert turns.dice(replace(begun, phase=Phase.MOVING)) == 0


@pytest.mark.parametrize("name", ["nannon", "backgammon", "portes", "pin"])
def test_a_tie_is_thrown_again(name: str) -> None:
    state = opened(turns_of(name), 4, 4)
    assert (state.phase, state.to_act, state.thrown) == (Phase.OPENING_THROW, WHITE, ())


def test_cannon_has_no_throw_and_light_begins() -> None:
    turns = turns_of("cannon")
    state = turns.act(turns.begin(), Act.BOARD_SET)
    assert (state.phase, state.to_act, state.roll) == (Phase.MOVING, WHITE, Roll(()))
    game = find_game("cannon")
    state = turns.act(state, Act.PLAY, game.plays(state.position, Roll(()))[0])
    assert (state.phase, state.to_act, state.roll) == (Phase.MOVING, BLACK, Roll(()))


@pytest.mark.parametrize(
    ("name", "starts_again"),
    [("nannon", False), ("backgammon", False), ("portes", True), ("pin", True)],
)
def test_who_starts_the_next_game(name: str, starts_again: bool) -> None:
    turns = turns_of(name)
    begun = opened(turns, 2, 5)
    if begun.phase is Phase.MOVING:
        begun = turns.act(
            begun, Act.PLAY, find_game(name).plays(begun.position, begun.roll or Roll(()))[0]
        )
    over = resigned(turns, begun)
    assert over.result
    state = turns.act(turns.act(over, Act.NEXT_GAME), Act.BOARD_SET)
    expected = (Phase.TO_ROLL, over.result.winner) if starts_again else (Phase.OPENING_THROW, WHITE)
    assert (state.phase, state.to_act) == expected
    assert find_game(name).mover(state.position) is state.to_act


def test_after_a_tied_game_the_next_is_opened_by_a_throw() -> None:
    turns = turns_of("pin")
    over = resigned(turns, opened(turns, 2, 5))
    assert over.result
    tied = replace(over, result=replace(over.result, winner=None, points=0))
    assert turns.act(turns.act(tied, Act.NEXT_GAME), Act.BOARD_SET).phase is Phase.OPENING_THROW


def test_jacoby_counts_gammons_only_once_the_cube_has_turned() -> None:
    game = find_game("backgammon")
    for jacoby, match_to, cube, points in (
        (True, None, Cube(), 1),
        (True, None, Cube(2, WHITE), 4),
        (True, 7, Cube(), 2),
        (False, None, Cube(), 2),
    ):
        turns = turns_of("backgammon", match_to, jacoby=jacoby)
        state = opened(turns, 5, 3)
        state = replace(state, standing=replace(state.standing, cube=cube))
        won = turns.act(state, Act.CORRECT, game.read_position(GAMMON))
        assert won.standing.score == Score(points, 0), (jacoby, match_to, cube)


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if not game.has_cube])
def test_without_a_cube_nobody_may_double(name: str) -> None:
    turns = turns_of(name)
    assert not turns.may_double(turns.begin(), WHITE)


def test_by_jacoby_a_gammon_is_not_given_up_before_the_cube_has_turned() -> None:
    turns = turns_of("backgammon", None, jacoby=True)
    state = opened(turns, 5, 3)
    assert tuple(turns.resignations(state)) == (1,)
    turned = replace(state, standing=replace(state.standing, cube=Cube(2, WHITE)))
    assert tuple(turns.resignations(turned)) == (1, 2, 3)
