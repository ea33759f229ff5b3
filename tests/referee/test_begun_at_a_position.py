"""Matches that begin at a position: set up, played, stored, resumed, analysed and exported."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from any_table import AnyTable
from known import FAMILIES, GAMES

from pi_app.coach.study import moments
from pi_app.export.leaves import leaves
from pi_app.export.mat import mat_lines
from pi_app.export.retold import Kept
from pi_app.export.sheet import score_sheet
from pi_app.match.acts import Act
from pi_app.match.origin import Problem, read_origin, read_problem, write_origin
from pi_app.match.score import Agreement, Score
from pi_app.match.turns import OVER, MatchState, Phase, Turns
from pi_app.referee.events import EventError
from pi_app.referee.options import agree
from pi_app.referee.referee import Referee
from pi_app.rules.terms import RulesError, Side
from pi_app.seal.verifying import impossible

TARGET = {"nannon": 5, "cannon": 3}


def states(game: str, seed: int) -> list[MatchState[str]]:
    """The state after each decision of a match by chance."""
    table = AnyTable(game, TARGET.get(game, 7), seed)
    while table.view.phase not in OVER and len(table.decided) < 60:
        if Act.DOUBLE in table.view.offers and len(table.decided) == 12:
            table.taps(Act.DOUBLE)
            table.taps(Act.TAKE)
        table.goes_on()
    return [decision.state for decision in table.decided]


def begun(problem: Problem) -> AnyTable:
    return AnyTable(problem.game, problem.match_to, 1, **problem.agreed)


@pytest.mark.slow
@pytest.mark.parametrize("game", FAMILIES)
def test_each_moment_of_a_match_is_a_text_at_which_another_begins(game: str) -> None:
    for state in states(game, 3)[:40]:
        origin = write_origin(state, GAMES[game])
        if not origin:
            assert state.phase in OVER
            continue
        problem = Problem(game, TARGET.get(game, 7), origin)
        assert read_problem(problem.text, GAMES) == problem
        table = begun(problem)
        assert table.view.phase is Phase.SET_UP
        table.goes_on()
        view = table.view
        assert (view.phase, view.roll) == (state.phase, str(state.roll or "") or None)
        # Of an opening roll the first die is rolled again.
        assert view.to_act is state.to_act or state.thrown
        assert view.position == state.position
        assert (view.score, view.cube) == (state.standing.score, state.standing.cube)
        assert (view.crawford, view.game_number) == (
            state.standing.crawford,
            state.standing.game_number,
        )


@pytest.mark.parametrize("game", FAMILIES)
def test_it_is_resumed_replayed_verified_and_analysed_like_any_other(game: str) -> None:
    moving = [state for state in states(game, 5) if state.phase is Phase.MOVING]
    table = begun(Problem(game, TARGET.get(game, 7), write_origin(moving[4], GAMES[game])))
    for _ in range(8):
        table.goes_on()
    resumed = Referee(table.board, table.start, table.decided)
    assert resumed.view.position == table.view.position
    assert resumed.view.phase is table.view.phase
    assert not list(impossible(table.start, enumerate(table.decided, 1), GAMES))
    told = list(leaves(table.kept))
    assert told[0].state.position == moving[4].position
    assert any(line.startswith("Begins from: ") for line in score_sheet(table.kept))
    assert [moment.what for moment in moments(table.kept)]


def test_a_double_that_was_offered_waits_for_its_answer() -> None:
    table = begun(read_problem("backgammon -b----E-C---eE---c-e----B- w doubled=yes to=5", GAMES))
    table.goes_on()
    assert (table.view.phase, table.view.to_act) == (Phase.DOUBLE_OFFERED, Side.BLACK)
    table.taps(Act.TAKE)
    assert (table.view.cube.value, table.view.cube.owner) == (2, Side.BLACK)
    assert table.view.to_act is Side.WHITE
    assert [moment.what for moment in moments(table.kept)] == [Act.TAKE]


def test_a_beaver_waits_for_its_answer() -> None:
    text = "backgammon -b----E-C---eE---c-e----B- w cube=2 owner=black doubled=beaver with=beavers"
    table = begun(read_problem(text, GAMES))
    table.goes_on()
    assert (table.view.phase, table.view.to_act) == (Phase.DOUBLE_OFFERED, Side.WHITE)
    state = table.decided[-1].state
    assert write_origin(state, GAMES["backgammon"]) in text
    table.taps(Act.TAKE)
    assert (table.view.cube.value, table.view.cube.owner) == (4, Side.BLACK)
    table.presses()
    assert table.view.phase is Phase.MOVING


def test_undo_leads_back_to_the_roll_that_it_began_with() -> None:
    table = begun(read_problem("nannon 1ww..bb1 w roll=3 to=5", GAMES))
    table.goes_on()
    table.goes_on()
    table.taps(Act.TAKE_BACK)
    assert (table.view.phase, table.view.roll) == (Phase.MOVING, "3")


def test_a_mat_file_says_that_it_cannot_say_it() -> None:
    table = begun(read_problem("backgammon -b----E-C---eE---c-e----B- w roll=31 to=5", GAMES))
    table.goes_on()
    table.goes_on()
    with pytest.raises(EventError, match=r"began from a position; this form has no words"):
        list(mat_lines(table.kept, "2026-03-01T20:15"))
    scored = begun(read_problem("backgammon start score=3-2 to=5", GAMES))
    assert any("Ann : 3" in line for line in mat_lines(scored.kept, "2026-03-01T20:15"))


def test_the_next_game_begins_as_usual() -> None:
    table = begun(read_problem("backgammon -b----E-C---eE---c-e----B- w roll=31 to=5", GAMES))
    table.goes_on()
    table.resigns(1)
    table.taps(Act.NEXT_GAME)
    table.goes_on()
    assert table.view.phase is Phase.OPENING_THROW
    assert table.view.game_number == 2


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nannon", "position"),
        ("chess 1ww..bb1 w", "is not known"),
        ("nannon 1ww..bb1 w roll=7", "one digit"),
        ("nannon 1ww..bb1 w roll=33", "one digit"),
        ("nannon 1ww..bb1 w score=5-0 to=5", "the match is over"),
        ("nannon 1ww..bb1 w score=x", "as 3-5"),
        ("nannon 1ww..bb1 w cube=3", "power of two"),
        ("nannon 1ww..bb1 w cube=2 without=cube", "need a match with the cube"),
        ("nannon 1ww..bb1 w owner=red", "white or black"),
        ("nannon 1ww..bb1 w doubled=yes owner=black", "may not double"),
        ("nannon 1ww..bb1 w roll=3 roll=3", "comes twice"),
        ("nannon 1ww..bb1 w to=many", "whole number"),
        ("nannon 1ww..bb1 w with=luck", "is not known"),
        ("nannon start roll=3", "before the opening roll"),
        ("cannon start roll=3", "before the opening roll"),
        ("nannon 0bbb.... w", "nannon|position"),
    ],
)
def test_a_text_that_cannot_be_says_why(text: str, why: str) -> None:
    with pytest.raises((RulesError, EventError), match=why):
        _agreed(text)


def _agreed(text: str) -> None:
    problem = read_problem(text, GAMES)
    start = AnyTable(problem.game, problem.match_to).start
    agree(replace(start, options=problem.agreed), GAMES)


def test_an_option_of_the_agreement_is_in_the_text() -> None:
    problem = Problem("nannon", None, "1ww..bb1 w", {"jacoby": True, "cube": True})
    assert problem.text == "nannon 1ww..bb1 w with=jacoby,cube"
    assert read_problem(problem.text, GAMES) == problem


def test_the_crawford_game_follows_from_the_score() -> None:
    agreement = Agreement(5, cube=True, crawford=True, tie_turns_cube=False)

    def read(text: str) -> Any:
        return read_origin(text, Turns(GAMES["backgammon"], agreement)).standing

    before = "-b----E-C---eE---c-e----B- w"
    assert read(f"{before} score=4-1").crawford
    assert not read(f"{before} score=4-1 crawford=played").crawford
    assert not read(f"{before} score=3-1").crawford
    assert read(before).score == Score()


def test_a_match_without_an_origin_is_as_before() -> None:
    table = AnyTable("nannon", 5)
    assert agree(table.start, GAMES)[1].origin is None
    assert Kept(table.start, (), GAMES).opening().starter is None
