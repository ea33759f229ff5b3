"""`spotter export --mat`: what is written, and what cannot be."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from any_table import AnyTable
from gammon_table import BEGAN, GammonMatch
from known import GAMES
from stored import store

from pi_app.__main__ import main
from pi_app.export.mat import mat_lines
from pi_app.export.retold import Kept
from pi_app.journal.opening import FILE
from pi_app.match.acts import Act
from pi_app.referee.events import EventError


def opened(*rolls: str, match_to: int | None = 5) -> GammonMatch:
    """A match with the opening roll White 3, Black 1, followed by these rolls."""
    match = GammonMatch(match_to)
    match.opens("3", "1", *rolls)
    return match


# As it is written


def test_a_match_is_written_in_two_columns() -> None:
    match = opened("64", "66", "51", "11")
    match.plays("8/5 6/5")
    match.plays("1/7 12/16")
    match.plays("24/18*(2) 13/7(2)")
    match.doubles(taken=True)
    match.presses()
    match.resigns(2)
    assert match.lines() == [
        '; [EventDate "2026.03.01"]',
        '; [Variation "Backgammon"]',
        '; [Crawford "On"]',
        "",
        " 5 point match",
        "",
        " Game 1",
        " Ann : 0                         Bea : 0",
        "  1) 31: 8/5 6/5                 64: 24/18 13/9",
        "  2) 66: 24/18 24/18 13/7* 13/7   Doubles => 2",
        "  3)  Takes                      51:",
        "      Wins 4 points  ",
    ]


def test_an_empty_right_column_is_two_blanks() -> None:
    """Else GNU Backgammon 1.07 reads the right column of an earlier line again."""
    match = opened("64")
    match.plays("8/5 6/5")
    match.plays("1/7 12/16")
    match.resigns(1)
    assert [line for line in match.lines() if "8/5" in line or "Wins" in line] == [
        "  1) 31: 8/5 6/5                 64: 24/18 13/9",
        "                                  Wins 1 point  ",
    ]
    match = opened()
    match.doubles_after("8/5 6/5", taken=False)
    match.presses()
    assert match.lines()[-3:] == [
        "  1) 31: 8/5 6/5                  Doubles => 2",
        "  2)  Drops                       ",
        "                                  Wins 1 point  ",
    ]


def test_names_hold_nothing_that_ends_them() -> None:
    match = GammonMatch(None)
    match.start = replace(match.start, players=("Ann: the  first, 1800", "\t"), options={})
    lines = list(mat_lines(Kept(match.start, (), GAMES), BEGAN))
    assert '; [Jacoby "Off"]' in lines
    assert lines[-1] == " Ann the first 1800 : 0          Black : 0"


def test_what_was_taken_back_was_never_played() -> None:
    match = opened("64", "64")
    match.plays("8/5 6/5")
    before = match.lines()
    match.plays("1/7 12/16")
    match.doubles(taken=False)
    assert match.lines()[-1] == "      Wins 1 point  "
    match.takes_back()
    assert match.lines() == [*before[:-1], "  1) 31: 8/5 6/5                 64:"]
    match.plays("1/11")
    assert match.lines()[-1] == "  1) 31: 8/5 6/5                 64: 24/18 18/14"


def test_a_takeback_that_was_undone_leaves_the_file_as_it_was() -> None:
    match = opened("64", "64")
    match.plays("8/5 6/5")
    match.plays("1/7 12/16")
    match.doubles(taken=False)
    before = match.lines()
    for intent in (Act.TAKE_BACK, Act.TAKE_BACK, Act.RESTORE, Act.RESTORE):
        match.taps(intent)
        match.shows(match.position)
    assert match.lines() == before


def test_a_correction_is_an_error_until_it_is_taken_back() -> None:
    match = opened("64")
    match.plays("8/5 6/5")
    right = match.lines()
    match.corrects("-b----D-B---eE--Ac-e----B- b")
    with pytest.raises(EventError, match=r"in game 1 the board was corrected after entry 1; .*mat"):
        match.lines()
    match.takes_back()
    assert match.lines() == [*right[:-1], "  1) 31:                          "]


def test_a_board_corrected_to_a_legal_play_is_that_play() -> None:
    match = opened()
    after = match.game.after(match.position, match.game.read_play(match.position, "24/23 13/10"))
    match.corrects(match.game.write_position(after))
    assert match.lines()[-1] == "  1) 31: 24/23 13/10              "


def test_a_board_corrected_to_what_it_was_says_nothing() -> None:
    match = opened()
    before = match.lines()
    match.corrects(match.view.position)
    assert match.lines() == before


def test_a_roll_that_a_reader_would_take_for_played_is_left_out() -> None:
    match = opened("63", "66")
    match.plays("13/10 6/5")
    match.plays("1/10*")
    match.presses()
    assert match.view.legal == ("forfeit",)
    match.resigns(1)
    assert match.lines()[-2:] == [
        "  1) 31: 13/10 6/5               63: 24/18 18/15*",
        "                                  Wins 1 point  ",
    ]


# The command


def test_an_exported_mat_is_the_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    match = opened("64")
    match.plays("8/5 6/5")
    store(tmp_path / "spotter" / FILE, match)
    assert main(["export", "1", "--mat"]) == 0
    assert capsys.readouterr().out.splitlines() == match.lines()


@pytest.mark.parametrize(
    ("game", "says"),
    [
        ("nannon", "Nannon has no mat; export it without --mat for"),
        (
            "backgammon",
            "in game 1 the board was corrected after entry 0; this form has no words for",
        ),
    ],
)
def test_what_cannot_be_a_mat_is_one_clear_line(
    game: str,
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    table = AnyTable(game, 3)
    table.opens()
    if game == "backgammon":
        table.corrects("-b----E-B---eF---c-e----B- w")
    store(tmp_path / "spotter" / FILE, table)
    assert main(["export", "1", "--mat"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(f"spotter: match 1: {says}")
    assert told.err.count("\n") == 1


def test_one_form_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "1", "--mat", "--events"]) == 2
    assert "not allowed with argument" in capsys.readouterr().err
