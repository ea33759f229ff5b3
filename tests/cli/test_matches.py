from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from known import find_game
from table_talk import NannonTable

from pi_app.__main__ import main
from pi_app.base.microseconds import ms
from pi_app.export.sheet import score_sheet
from pi_app.journal.opening import FILE, open_journal
from pi_app.journal.store import Journal
from pi_app.match.acts import Act
from pi_app.match.turns import Phase
from pi_app.referee.events import DeviceLost, Press, Start, Tap
from pi_app.referee.lines import read_decision, read_event
from pi_app.rules.terms import Side
from pi_app.words.wall_time import local_time


@pytest.fixture
def table() -> NannonTable:
    return NannonTable(3, seed=3)


def sheet(table: NannonTable) -> list[str]:
    return list(score_sheet(table.kept))


def test_a_match_is_told_game_by_game(table: NannonTable) -> None:
    table.plays_until(Phase.MATCH_OVER)
    table.does(DeviceLost(table.later(10), "OLED"))
    lines = sheet(table)
    assert lines[:5] == [
        "Nannon, match to 3",
        "White: Ann   Black: Bea",
        "",
        "Game 1   Ann 0 – 0 Bea",
        "  Opening roll: Ann 2, Bea 5",
    ]
    assert lines[5] == "    1. Bea 3: HOME/4"
    assert "  Opening roll: Ann 2, Bea 2, again" in lines
    assert lines[-2:] == ["", "Ann wins the match 3–0."]
    assert sum("Score:" in line for line in lines) == 3
    assert sum(line.startswith("    1. ") for line in lines) == 3
    assert [line for line in lines if line.startswith("Game")] == [
        "Game 1   Ann 0 – 0 Bea",
        "Game 2   Ann 1 – 0 Bea",
        "Game 3   Ann 2 – 0 Bea",
    ]


def test_the_plays_of_the_sheet_lead_from_the_start_to_the_end_of_each_game(
    table: NannonTable,
) -> None:
    table.plays_until(Phase.MATCH_OVER)
    game = find_game("nannon")
    ended = 0
    position = None
    for line in sheet(table):
        if line.startswith("Game"):
            position = None
        words = line.split()
        if words and words[0].rstrip(".").isdigit():
            mover = {"Ann": Side.WHITE, "Bea": Side.BLACK}[words[1]]
            position = game.start(mover) if position is None else position
            assert game.mover(position) is mover
            position = game.after(position, game.read_play(position, words[3]))
        if "wins 1 point" in line or "wins 2 points" in line:
            ended += 1
            assert position is not None
            assert game.outcome(position) is not None
    assert ended == 3


def test_a_last_play_that_counted_by_itself_is_told(table: NannonTable) -> None:
    while table.view.game_number == 1:
        table.goes_on_without_the_last_press()
    lines = sheet(table)
    second = lines.index("Game 2   Ann 1 – 0 Bea")
    assert lines[second - 4].split()[0] == "14."
    assert lines[second - 3 : second - 1] == ["  Ann wins 1 point.", "  Score: Ann 1 – 0 Bea"]


def test_cube_resignation_and_takeback_are_told(table: NannonTable) -> None:
    table.plays_until(Phase.TO_ROLL)
    doubler = table.view.to_act
    table.presses(Press.LONG)
    table.presses()
    table.presses()
    table.plays_until(Phase.TO_ROLL)
    table.does(Tap(table.later(50), Act.TAKE_BACK))
    table.does(Tap(table.later(50), Act.RESIGN, points=2))
    table.does(Tap(table.later(50), Act.ACCEPT))
    lines = sheet(table)
    names = {Side.WHITE: "Ann", Side.BLACK: "Bea"}
    told = "\n".join(line.strip() for line in lines)
    assert f"{names[doubler]} doubles to 2\n{names[doubler.other]} takes" in told
    assert f"Undone back to {names[doubler]}'s" in told
    assert f"{names[doubler]} offers to resign: NANNON, 4 points, after" in told
    assert f"{names[doubler.other]} accepts" in told
    assert "wins 4 points by resignation." in told


def test_a_passed_double_ends_the_game(table: NannonTable) -> None:
    table.plays_until(Phase.TO_ROLL)
    table.presses(Press.LONG)
    table.presses(Press.LONG)
    lines = sheet(table)
    assert lines[-6].endswith("doubles to 2")
    assert lines[-5].endswith("passes")
    assert lines[-4].endswith("wins 1 point, double passed.")


def test_a_typed_roll_says_so_and_an_unfinished_match_where_it_stands(table: NannonTable) -> None:
    table.shows(table.position)
    table.types(6, Side.WHITE)
    table.types(2, Side.BLACK)
    lines = sheet(table)
    assert lines[4] == "  Opening roll: Ann 6, Bea 2  (typed)"
    assert lines[-1] == f"Not finished: moving, {table.view.position}, Ann rolled 4"


# The commands


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "spotter"


@pytest.fixture
def kept(folder: Path, table: NannonTable) -> NannonTable:
    """A match that is over and one that was just begun."""
    table.plays_until(Phase.MATCH_OVER)
    journal = Journal(folder / FILE)
    journal.begin(table.start, "2026-03-01T20:15")
    for event in table.events[1:]:
        journal.touch(event)
    for decision in table.decided:
        journal.decide(decision)
    journal.commit()
    unlimited = Start(ms(0), "nannon", "nannon-6", None, ("Ännchen", "Bo"))
    journal.begin(unlimited, "2026-03-02T09:00")
    journal.close()
    return table


def test_matches_are_listed_in_columns(
    kept: NannonTable, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["matches"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "number  date              game    White    Black  to  score  state",
        "1       2026-03-01 20:15  nannon  Ann      Bea    3   3–0    finished",
        "2       2026-03-02 09:00  nannon  Ännchen  Bo     –   0–0    set up",
    ]


def test_players_are_listed_with_their_dice(
    kept: NannonTable, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["matches", "--players"]) == 0
    heads, *rows = (line.split() for line in capsys.readouterr().out.splitlines())
    assert heads[:5] == ["player", "matches", "finished", "won", "points"]
    plays = sum(decision.what is Act.PLAY for decision in kept.decided)
    thrown = [one for one in kept.decided if one.what in (Act.ROLL, Act.THROW)]
    ann, bea, *others = rows
    assert ann[:6] == ["Ann", "1", "1", "1", "3–0", str(plays)]
    assert bea[:6] == ["Bea", "1", "1", "0", "0–3", str(plays)]
    warned = [row[8].split("/") for row in (ann, bea)]
    assert [int(count) for count, _ in warned] == [0, 0]
    assert sum(int(among) for _, among in warned) == plays
    assert int(ann[9]) + int(bea[9]) == len(thrown), "a die a roll"
    assert [row[0] for row in others] == ["Bo", "Ännchen"]


@pytest.mark.parametrize("words", [["matches"], ["matches", "--players"]])
def test_without_a_journal_there_are_no_matches_yet(
    words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    assert capsys.readouterr().out == "No matches yet: the first one begins with `spotter`.\n"
    assert not folder.exists()


def test_a_journal_that_was_deleted_is_not_taken_for_none(
    kept: NannonTable, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / FILE).unlink()
    assert main(["matches"]) == 1
    assert "is missing or empty but had matches up to 2" in capsys.readouterr().err


def test_an_empty_journal_has_no_matches_yet(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Journal(folder / FILE).close()
    assert main(["matches"]) == 0
    assert capsys.readouterr().out == "No matches yet: the first one begins with `spotter`.\n"


@pytest.mark.parametrize(
    ("began", "shown"),
    [
        ("2026-03-01T20:15:00+01:00", "2026-03-02 00:45"),
        ("2026-03-01T20:15", "2026-03-01 20:15"),
        ("0001-01-01T00:00+14:00", "0001-01-01T00:0…"),
        ("then\x1b", "then\\x1b"),
    ],
)
def test_a_match_began_when_the_clock_here_said_so(
    began: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("TZ", "Asia/Kolkata")
        time.tzset()
        assert local_time(began) == shown
    time.tzset()


def test_of_many_matches_a_few_are_named(
    folder: Path, table: NannonTable, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = Journal(folder / FILE)
    for _ in range(30):
        journal.begin(table.start, "2026-03-01T20:15")
    journal.close()
    assert main(["export", "31"]) == 2
    assert capsys.readouterr().err.endswith("there are: 1, 2, 3, 4, 5, 6, 7, 8, 9, …, 30\n")


def a_pipe(file: Path) -> None:
    os.mkfifo(file)


def zeros(file: Path) -> None:
    file.symlink_to("/dev/zero")


@pytest.mark.parametrize("make", [a_pipe, zeros, Path.mkdir])
def test_what_is_no_file_is_no_journal(
    make: Callable[[Path], None], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.mkdir()
    make(folder / FILE)
    for words in (["matches"], ["export", "1"]):
        assert main(words) == 1
        assert "is not a regular file; move it away" in capsys.readouterr().err
    opened = open_journal(folder)
    opened.close()
    assert opened.notices == (
        f"This match is not saved: {folder / FILE} is not a regular file; move it away",
    )


def test_a_folder_that_may_not_be_read_is_one_clear_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def denied(path: Path, **_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr(Path, "stat", denied)
    for words in (["matches"], ["export", "1"]):
        assert main(words) == 1
        assert "Permission denied" in capsys.readouterr().err


def test_exported_events_are_the_match(
    kept: NannonTable, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "1", "--events"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [read_event(line) for line in lines] == kept.events


def test_exported_decisions_are_what_is_kept(
    kept: NannonTable, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "1", "--decisions"]) == 0
    decisions = [read_decision(line) for line in capsys.readouterr().out.splitlines()]
    assert decisions == kept.decided
    assert any(decision.confidence for decision in decisions)


def test_an_export_is_a_score_sheet(kept: NannonTable, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["Match 1, 2026-03-01 20:15", *sheet(kept)]


@pytest.mark.parametrize(
    ("number", "says"),
    [
        ("9", "spotter: match 9 is not in "),
        ("999999999", "spotter: match 999999999 is not in "),
    ],
)
def test_an_unknown_number_is_one_clear_line(
    kept: NannonTable, capsys: pytest.CaptureFixture[str], number: str, says: str
) -> None:
    assert main(["export", number]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith(says)
    assert captured.err.endswith("there are: 1, 2\n")
    assert captured.err.count("\n") == 1
    assert captured.out == ""


def test_no_journal_to_export_from_is_one_clear_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", "1"]) == 1
    assert "no journal yet; play a match first" in capsys.readouterr().err


def test_a_damaged_journal_is_one_clear_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder.mkdir(parents=True)
    (folder / FILE).write_bytes(b"rubbish" * 1000)
    assert main(["matches"]) == 1
    assert "is damaged: file is not a database" in capsys.readouterr().err


def test_a_match_is_told_without_the_board_that_it_was_played_on(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = Journal(folder / FILE)
    journal.begin(Start(ms(0), "nannon", "gone.toml", 3, ("Ann", "Bea")), "then")
    journal.touch(DeviceLost(ms(5), "OLED"))
    journal.commit()
    journal.close()
    assert main(["export", "1"]) == 0
    assert capsys.readouterr().out.endswith("Not finished: set up, 1ww..bb1 w\n")
    assert main(["export", "1", "--events"]) == 0
