"""The score sheet and the events of every game."""

from __future__ import annotations

from pathlib import Path

import pytest
from any_table import AnyTable
from known import GAMES
from shares import some
from small_matches import double_passed_after_a_hit

from pi_app.cli.replay import replay as run_replay
from pi_app.export.sheet import score_sheet
from pi_app.games.all import ALL
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import Rolled, RollSource
from pi_app.referee.lines import write_event, write_view
from pi_app.referee.referee import Referee
from pi_app.rules.terms import Roll, Side, read_roll


def sheet(table: AnyTable) -> list[str]:
    return list(score_sheet(table.kept))


def test_backgammon_with_cube_forfeit_and_crawford() -> None:
    table = double_passed_after_a_hit()
    assert sheet(table)[3:] == [
        "Game 1   Ann 0 – 0 Bea",
        "  Opening roll: Ann 3, Bea 1",
        "    1. Ann 31: 13/10 6/5",
        "    2. Bea 63: 24/15*",
        "    3. Ann 66: forfeit",
        "       Bea doubles to 2",
        "       Ann passes",
        "  Bea wins 1 point, double passed.",
        "  Score: Ann 0 – 1 Bea",
        "",
        "Game 2, Crawford   Ann 0 – 1 Bea",
        "  Opening roll: Ann 2, Bea 2, again",
        "  Opening roll: Ann 5, Bea 1",
        "",
        f"Not finished: moving, {table.view.position}, Ann rolled 51",
    ]


def test_portes_whose_winner_rolls_afresh_and_starts_the_next_game() -> None:
    table = AnyTable("portes", 3)
    table.opens("2", "2", "2", "5", "66")
    table.plays("1/7(2) 12/18(2)")
    table.resigns(2)
    table.presses()
    table.opens("66")
    table.presses()
    assert sheet(table)[3:9] == [
        "Game 1   Ann 0 – 0 Bea",
        "  Opening roll: Ann 2, Bea 2, again",
        "  Opening roll: Ann 2, Bea 5",
        "    1. Bea 66: 24/18(2) 13/7(2)",
        f"       Ann offers to resign: double win, 2 points, after {rolled(table, 5)}",
        "       Bea accepts",
    ]
    assert sheet(table)[9:] == [
        "  Bea wins 2 points by resignation.",
        "  Score: Ann 0 – 2 Bea",
        "",
        "Game 2   Ann 0 – 2 Bea",
        "",
        f"Not finished: moving, {table.view.position}, Bea rolled 66",
    ]


def test_a_takeback_that_was_undone_and_a_roll_shown_before_are_told() -> None:
    table = AnyTable("backgammon", 3)
    table.opens("3", "1")
    table.plays("8/5 6/5")
    table.rolls = ["21"]
    table.presses()
    for intent in (Act.TAKE_BACK, Act.RESTORE, Act.TAKE_BACK):
        table.taps(intent)
        table.shows(table.position)
    table.plays("8/5 6/5")
    table.goes_on()
    told = sheet(table)
    assert [line.strip() for line in told[5:10]] == [
        "1. Ann 31: 8/5 6/5",
        "Undone back to Ann's 31, Bea had rolled 21",
        "Redone",
        "Undone back to Ann's 31, Bea had rolled 21",
        "2. Ann 31: 8/5 6/5",
    ]
    assert told[10].startswith("    3. Bea 21: ")
    assert told[10].endswith("  (rolled before the undo)")


def test_dice_that_were_typed_wrongly_are_told() -> None:
    table = AnyTable("backgammon", 3)
    table.opens("3", "1")
    table.plays("8/5 6/5")
    for roll in ("21", "64"):
        table.does(Rolled(table.later(), read_roll(roll, 2), Side.BLACK, RollSource.TYPED))
        table.taps(Act.CHANGE_DICE)
    table.taps(Act.RESIGN, points=1)
    table.taps(Act.REFUSE)
    told = [line.strip() for line in sheet(table)]
    assert told[6:10] == [
        "Bea's 21 was typed wrongly",
        "Bea's 64 was typed wrongly",
        "Bea offers to resign: single game, 1 point",
        "Ann refuses",
    ]


def rolled(table: AnyTable, number: int) -> Roll:
    """The dice of the n-th roll, from 0."""
    return [event.dice for event in table.events if isinstance(event, Rolled)][number]


def test_the_pin_game_by_a_mother_and_by_a_tie() -> None:
    table = AnyTable("pin", None)
    mother, tie = ("------N-------------n-a-A- b -", "-A----M-------------m-a-A- b 1")
    table.rolls += ["2", "5", "21", "21"]
    for position in (mother, tie):
        table.opens()
        table.corrects(position)
        table.plays("20/21 22/24*")
        table.presses()
    assert sheet(table)[3:] == [
        "Game 1   Ann 0 – 0 Bea",
        "  Opening roll: Ann 2, Bea 5",
        f"       The board is right: {mother}",
        "    1. Bea 21: 5/4 3/1*",
        "  Bea wins 2 points: mother.",
        "  Score: Ann 0 – 2 Bea",
        "",
        "Game 2   Ann 0 – 2 Bea",
        f"       The board is right: {tie}",
        "    1. Bea 21: 5/4 3/1*",
        "  Tie: no points.",
        "  Score: Ann 0 – 2 Bea",
        "",
        "Game 3   Ann 0 – 2 Bea",
        "",
        f"Not finished: set up, {table.view.position}",
    ]


def test_the_pin_game_by_pips() -> None:
    table = AnyTable("pin", 5)
    table.opens("5", "2")
    table.corrects("-A---a--------------a----- w -")
    table.rolls.append("21")
    table.plays("1/off")
    assert sheet(table)[6:] == [
        "    1. Ann 21: 1/off",
        "  Ann wins 25 points.",
        "  Score: Ann 25 – 0 Bea",
        "",
        "Ann wins the match 25–0.",
    ]


CANNON = "....O...../{0}/{0}/{1}/{1}/{1}/{0}/....x...../x..o....../....X..... L".format(
    "..........", "....o....."
)


def test_cannon_with_towns_a_shot_and_a_town_taken() -> None:
    table = AnyTable("cannon", 2)
    table.opens()
    table.plays("@e10")
    table.plays("@e1")
    table.corrects(CANNON)
    for play in ("xe3", "a2-a3", "d2xe1"):
        table.plays(play)
    assert sheet(table)[:-2] == [
        "Cannon, match to 2",
        "Light: Ann   Dark: Bea",
        "",
        "Game 1   Ann 0 – 0 Bea",
        "    1. Ann: town at e10",
        "    2. Bea: town at e1",
        f"       The board is right: {CANNON}",
        "    3. Ann: shot at e3",
        "    4. Bea: a2-a3",
        "    5. Ann: d2xe1",
        "  Ann wins 1 point: town taken.",
        "  Score: Ann 1 – 0 Bea",
    ]


def test_a_tie_that_turns_the_cube_is_told() -> None:
    table = AnyTable("nannon", 3, a_tie_turns_the_cube=True)
    table.opens("4", "4", "6", "1")
    assert sheet(table)[4:6] == [
        "  Opening roll: Ann 4, Bea 4, again; the cube turns to 2",
        "  Opening roll: Ann 6, Bea 1",
    ]


def test_a_throw_of_which_one_half_was_typed_says_so() -> None:
    table = AnyTable("nannon", 3)
    table.shows(table.position)
    table.does(Rolled(table.later(), Roll.of(6), Side.WHITE, RollSource.TYPED))
    table.does(Rolled(table.later(), Roll.of(2), Side.BLACK, RollSource.DEVICE))
    assert sheet(table)[4] == "  Opening roll: Ann 6, Bea 2  (typed)"


@pytest.mark.parametrize("game", some([*GAMES], 5))
def test_a_whole_match_of_every_game_is_told_and_replayed(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = AnyTable(game, 1)
    for _ in range(600):
        if table.view.phase is Phase.MATCH_OVER:
            break
        table.goes_on()
    lines = sheet(table)
    assert lines[-1] == f"{table.view.message}."
    assert not [line for line in lines if "None" in line or ": to " in line]
    file = tmp_path / "match.jsonl"
    file.write_text("".join(f"{write_event(event)}\n" for event in table.events), encoding="utf-8")
    referee = Referee(table.board, table.start)
    views = [write_view(referee.view)]
    for event in table.events[1:]:
        referee.handle(event)
        views.append(write_view(referee.view))
    assert run_replay([str(file)], ALL) == 0
    assert capsys.readouterr().out.splitlines() == views
    assert views[-1] == write_view(table.view)
