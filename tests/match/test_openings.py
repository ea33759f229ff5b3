"""The turns of a match in all five games: who starts, what a game is worth, what comes next."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pi_app.match.cube import Cube
from pi_app.match.phases import Act, Phase, knows
from pi_app.match.score import Agreement, Score
from pi_app.match.turns import MatchState, Turns, UnknownActError
from pi_app.rules.registry import GAMES, find_game
from pi_app.rules.terms import Die, Roll, Side

WHITE, BLACK = Side.WHITE, Side.BLACK
GAMMON = "-------------------o------ b"
"""White has borne everything off; Black, with fifteen checkers outside, nothing."""


def turns(name: str, match_to: int | None = 7, **options: bool) -> Turns[Any, Any]:
    game = find_game(name)
    agreed = {"cube": game.has_cube, "crawford": False, "tie_turns_cube": False} | options
    return Turns(game, Agreement(match_to, **agreed))


def opened(acts: Turns[Any, Any], white: int, black: int) -> MatchState[Any]:
    state = acts.board_set(acts.begin())
    return acts.throw(acts.throw(state, Die(white)), Die(black))


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
    state = opened(turns(name), 3, 5)
    assert (state.phase, state.to_act, state.roll) == (phase, BLACK, roll)
    assert find_game(name).mover(state.position) is BLACK


@pytest.mark.parametrize("name", ["nannon", "backgammon", "portes", "pin"])
def test_one_die_a_player_opens_and_then_a_turn_throws_the_game_s(name: str) -> None:
    acts = turns(name)
    begun = acts.board_set(acts.begin())
    assert acts.dice(acts.begin()) == 0
    assert acts.dice(begun) == acts.dice(acts.throw(begun, Die(4))) == 1
    assert acts.dice(replace(begun, phase=Phase.TO_ROLL)) == find_game(name).dice
    assert acts.dice(replace(begun, phase=Phase.MOVING)) == 0


@pytest.mark.parametrize("name", ["nannon", "backgammon", "portes", "pin"])
def test_a_tie_is_thrown_again(name: str) -> None:
    state = opened(turns(name), 4, 4)
    assert (state.phase, state.to_act, state.thrown) == (Phase.OPENING_THROW, WHITE, ())


def test_cannon_has_no_throw_and_light_begins() -> None:
    acts = turns("cannon")
    state = acts.board_set(acts.begin())
    assert (state.phase, state.to_act, state.roll) == (Phase.MOVING, WHITE, Roll(()))
    game = find_game("cannon")
    state = acts.play(state, game.plays(state.position, Roll(()))[0])
    assert (state.phase, state.to_act, state.roll) == (Phase.MOVING, BLACK, Roll(()))


@pytest.mark.parametrize(
    ("name", "starts_again"),
    [("nannon", False), ("backgammon", False), ("portes", True), ("pin", True)],
)
def test_who_starts_the_next_game(name: str, starts_again: bool) -> None:
    acts = turns(name)
    begun = opened(acts, 2, 5)
    if begun.phase is Phase.MOVING:
        begun = acts.play(begun, find_game(name).plays(begun.position, begun.roll or Roll(()))[0])
    over = acts.resign(begun, 1)
    assert over.result
    state = acts.board_set(acts.next_game(over))
    expected = (Phase.TO_ROLL, over.result.winner) if starts_again else (Phase.OPENING_THROW, WHITE)
    assert (state.phase, state.to_act) == expected
    assert find_game(name).mover(state.position) is state.to_act


def test_after_a_tied_game_the_next_is_opened_by_a_throw() -> None:
    acts = turns("pin")
    over = acts.resign(opened(acts, 2, 5), 1)
    assert over.result
    tied = replace(over, result=replace(over.result, winner=None, points=0))
    assert acts.board_set(acts.next_game(tied)).phase is Phase.OPENING_THROW


def test_jacoby_counts_gammons_only_once_the_cube_has_turned() -> None:
    game = find_game("backgammon")
    for jacoby, match_to, cube, points in (
        (True, None, Cube(), 1),
        (True, None, Cube(2, WHITE), 4),
        (True, 7, Cube(), 2),
        (False, None, Cube(), 2),
    ):
        acts = turns("backgammon", match_to, jacoby=jacoby)
        state = opened(acts, 5, 3)
        state = replace(state, standing=replace(state.standing, cube=cube))
        won = acts.correct(state, game.read_position(GAMMON))
        assert won.standing.score == Score(points, 0), (jacoby, match_to, cube)


@pytest.mark.parametrize("name", GAMES)
def test_an_act_that_the_phase_does_not_know_is_refused(name: str) -> None:
    acts = turns(name)
    state = acts.begin()
    for act, do in {
        Act.ROLL: lambda: acts.roll(state, Roll.of(1)),
        Act.TAKE: lambda: acts.take(state),
        Act.PASS: lambda: acts.refuse(state),
        Act.DOUBLE: lambda: acts.double(state),
        Act.RESIGN: lambda: acts.resign(state, 1),
        Act.NEXT_GAME: lambda: acts.next_game(state),
    }.items():
        assert not knows(state.phase, act)
        with pytest.raises(UnknownActError):
            do()


@pytest.mark.parametrize("name", [name for name, game in GAMES.items() if not game.has_cube])
def test_without_a_cube_nobody_may_double(name: str) -> None:
    acts = turns(name)
    assert not acts.may_double(acts.begin(), WHITE)
