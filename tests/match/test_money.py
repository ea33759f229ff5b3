"""Unlimited play for points: automatic doubles and beavers."""

from __future__ import annotations

import pytest
from any_table import AnyTable
from known import GAMES, find_game
from test_openings import opened, turns_of

from pi_app.coach.study import moments
from pi_app.export.mat import mat_lines
from pi_app.export.mat_reading import read_mat
from pi_app.export.retold import Kept
from pi_app.match.acts import Act
from pi_app.match.score import Cube, Score
from pi_app.match.turns import Phase, State, Turns, UnknownActError
from pi_app.referee.events import EventError, Press
from pi_app.rules.tables.backgammon import BACKGAMMON
from pi_app.rules.terms import Die, Roll, Side

WHITE, BLACK = Side


def doubled(turns: Turns) -> State:
    """White plays; Black doubles."""
    state = opened(turns, 3, 1)
    state = turns.act(state, Act.PLAY, BACKGAMMON.plays(state.position, Roll.of(3, 1))[0])
    return turns.act(state, Act.DOUBLE)


@pytest.mark.parametrize(
    ("most", "ties", "value"), [(None, 3, 8), (1, 1, 2), (1, 3, 2), (0, 3, 1), (2, 3, 4)]
)
def test_tied_opening_dice_turn_the_cube_as_often_as_agreed(
    most: int | None, ties: int, value: int
) -> None:
    turns = turns_of("backgammon", None, tie_turns_cube=True, most_ties=most)
    state = turns.act(turns.begin(), Act.BOARD_SET)
    for _ in range(2 * ties):
        state = turns.act(state, Act.THROW, Die(4))
    assert state.standing.cube == Cube(value)
    assert turns.may_double(state, WHITE), "it stays in the middle"


def test_by_jacoby_an_automatic_double_makes_no_gammon() -> None:
    turns = turns_of("backgammon", None, tie_turns_cube=True, jacoby=True)
    state = turns.act(turns.begin(), Act.BOARD_SET)
    for die in (4, 4, 3, 1):
        state = turns.act(state, Act.THROW, Die(die))
    assert state.standing.cube == Cube(2)
    assert tuple(turns.resignations(state)) == (1,)


def test_a_beaver_turns_the_cube_again_and_keeps_it() -> None:
    turns = turns_of("backgammon", None, beavers=True)
    state = doubled(turns)
    assert turns.may_beaver(state)
    state = turns.act(state, Act.BEAVER)
    assert (state.phase, state.to_act) == (Phase.DOUBLE_OFFERED, BLACK)
    assert not turns.may_beaver(state), "there are no raccoons"
    taken = turns.act(state, Act.TAKE)
    assert (taken.phase, taken.to_act, taken.standing.cube) == (
        Phase.TO_ROLL,
        BLACK,
        Cube(4, WHITE),
    )
    passed = turns.act(state, Act.PASS)
    assert passed.standing.score == Score(2, 0), "a beaver is passed for what was doubled to"


def test_without_the_agreement_nobody_beavers() -> None:
    turns = turns_of("backgammon", None)
    with pytest.raises(UnknownActError, match="white may not beaver"):
        turns.act(doubled(turns), Act.BEAVER)


def doubled_at_the_table() -> AnyTable:
    """Ben has doubled Ann."""
    table = AnyTable("backgammon", None, beavers=True)
    table.opens("3", "1")
    table.plays("8/5 6/5")
    table.taps(Act.DOUBLE)
    return table


def beavered() -> AnyTable:
    table = doubled_at_the_table()
    assert Act.BEAVER in table.view.offers
    table.taps(Act.BEAVER)
    return table


def test_at_the_table_the_doubler_answers_a_beaver() -> None:
    table = beavered()
    assert (table.view.to_act, table.view.message) == (BLACK, "Ann beavers to\u00a04")
    assert Act.BEAVER not in table.view.offers
    table.taps(Act.TAKE)
    assert table.view.cube == Cube(4, WHITE)
    assert table.view.phase is Phase.TO_ROLL


def test_the_button_takes_at_once_and_once_it_was_held_beavers() -> None:
    table = doubled_at_the_table()
    assert table.view.hint == "Ann: press to take. Hold to beaver, or to pass."
    table.presses()
    assert (table.view.cube, table.view.phase) == (Cube(2, WHITE), Phase.TO_ROLL)
    table = doubled_at_the_table()
    table.presses(Press.LONG)
    assert (table.view.phase, table.view.declining) == (Phase.DOUBLE_OFFERED, True)
    assert table.view.hint.startswith("Ann: press to beaver.")
    table.presses()
    assert (table.view.to_act, table.view.message) == (BLACK, "Ann beavers to\u00a04")
    assert table.view.hint == "Bea: press to take. Hold to pass, and lose 2."
    table.presses(Press.LONG)
    assert table.view.score == Score(2, 0)


def test_held_twice_the_button_passes() -> None:
    table = doubled_at_the_table()
    table.presses(Press.LONG)
    table.presses(Press.LONG)
    assert table.view.score == Score(0, 1)


def test_a_kept_beaver_is_resumed_exported_and_read_again() -> None:
    table = beavered()
    table.taps(Act.TAKE)
    table.goes_on()
    assert [decision.what for decision in table.decided[-4:-1]] == [
        *(Act.DOUBLE, Act.BEAVER, Act.TAKE),
    ]
    kept = Kept(table.start, tuple(table.decided), GAMES)
    lines = list(mat_lines(kept, "2026-03-01T20:15"))
    assert any("Doubles => 2" in line for line in lines)
    assert any("Beavers => 4" in line for line in lines)
    assert not any("Takes" in line for line in lines)
    again = read_mat("\n".join(lines), GAMES).kept
    assert again.start.options["beavers"] is True


def test_the_coach_weighs_the_double_the_beaver_and_its_answer() -> None:
    table = beavered()
    table.taps(Act.TAKE)
    judged = [moment.what for moment in moments(table.kept) if moment.what is not Act.PLAY]
    assert judged == [Act.DOUBLE, Act.BEAVER, Act.TAKE]


@pytest.mark.parametrize("option", ["beavers", "automatic doubles"])
@pytest.mark.parametrize(("match_to", "cube"), [(5, True), (None, False)])
def test_they_are_for_money(option: str, match_to: int | None, cube: bool) -> None:
    with pytest.raises(EventError, match=f"{option} is true; it is for unlimited play"):
        AnyTable("backgammon", match_to, cube=cube, **{option: True})
    assert find_game("portes").options == ()


def test_how_often_ties_count_is_kept_with_the_match() -> None:
    options = {"automatic doubles": True, "most automatic doubles": 2}
    for given, value in ((options, 4), ({"automatic doubles": True}, 2)):
        table = AnyTable("backgammon", None, **given)
        turns = Turns(BACKGAMMON, table.referee.agreement)
        state = turns.act(turns.begin(), Act.BOARD_SET)
        for _ in range(6):
            state = turns.act(state, Act.THROW, Die(4))
        assert state.standing.cube == Cube(value)
