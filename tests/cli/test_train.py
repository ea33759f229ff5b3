"""`spotter train`: exercises from every source, and a training on the simulated board."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest
from any_table import AnyTable

from pi_app.__main__ import main
from pi_app.app.training import SET_UP
from pi_app.coach.training import FILE, Exercise, read_training
from pi_app.journal.opening import open_to_store
from pi_app.match.acts import Act

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    return tmp_path


def exercises(folder: Path, name: str) -> tuple[Exercise, ...]:
    return read_training((folder / "spotter" / FILE).read_text()).players[name]


def test_a_collection_is_trained_at_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    collection = folder / "my positions.txt"
    collection.write_text(
        f"# openings\n\n{XGID} 31 # make the point\n4HPwATDgc/ABMA b 64\n"
        "nannon 1ww..bb1 w roll=6 to=5 # Nannon\n"
    )
    argv = ["train", str(collection), "--name", "Ada", "--sim", "--once", "--views"]
    assert main(argv) == 0
    first, second, third = exercises(folder, "Ada")
    assert first.position == "backgammon -b----E-C---eE---c-e----B- w roll=31 to=5"
    assert first.note == "make the point"
    assert second.position.endswith(" b roll=64")
    assert (third.note, third.cost) == ("Nannon", None)
    view = json.loads(capsys.readouterr().out.splitlines()[0])
    assert (view["phase"], view["roll"], view["message"]) == (
        "set up",
        "31",
        "Set up this position",
    )


def test_the_errors_of_a_mat_file_go_to_its_players(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = folder / "match.mat"
    match.write_text(
        " 1 point match\n\n Game 1\n Ada : 0                    Ben : 0\n"
        "  1) 31: 24/23 24/21           42: 24/20 13/11\n  2) 65: 13/7 13/8\n"
    )
    assert main(["train", str(match)]) == 0
    printed = capsys.readouterr().out
    assert "begins a training" in printed
    assert {one.position.split("roll=")[1][:2] for one in exercises(folder, "Ada")} <= {"31", "65"}
    assert all(one.cost for one in exercises(folder, "Ada"))


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        ((XGID,), "say with --name"),
        (("nowhere.txt", "--name", "Ada"), "give a match's number"),
        (("nannon 1ww..bb1 w roll=9", "--name", "Ada"), "one digit"),
        (("nannon start", "--name", "Ada"), "is no exercise"),
        (("12", "--name", "Ada"), "play a match first"),
    ],
)
def test_what_cannot_be_trained_is_said(
    folder: Path, argv: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", *argv]) in (1, 2)
    assert said in capsys.readouterr().err


def test_a_bad_line_is_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    collection = folder / "bad.txt"
    collection.write_text(f"{XGID} 31\nXGID=nonsense\n")
    assert main(["train", str(collection), "--name", "Ada"]) == 2
    assert "bad.txt, line 2: 'XGID=nonsense'" in capsys.readouterr().err


def test_without_a_name_everybodys_exercises_are_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train"]) == 0
    assert "no exercises yet" in capsys.readouterr().out
    assert main(["train", XGID, "--name", "Ada", "--sim", "--once"]) == 0
    assert main(["train"]) == 0
    assert "Ada: 1 of backgammon" in capsys.readouterr().out


def test_a_match_begins_at_a_position(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--sim", "--once", "--views", "--position", XGID, "--players", "Ada", "Ben"]
    assert main(words) == 0
    view = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (view["game"], view["match_to"], view["phase"]) == ("backgammon", 5, "set up")
    assert main([*words, "--match", "nannon"]) == 2
    assert main([*words, "--to", "7"]) == 2
    assert "the position says" in capsys.readouterr().err


def test_a_bad_source_costs_no_other(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = folder / "bad.mat"
    bad.write_text(" 3 point match\n")
    assert main(["train", str(bad), f"{XGID} 31", "--name", "Ada", "--sim", "--once"]) == 0
    assert "bad.mat: it has no game" in capsys.readouterr().err
    assert len(exercises(folder, "Ada")) == 1


def test_a_text_that_a_program_copied_is_its_position(folder: Path) -> None:
    copied = folder / "copied.txt"
    copied.write_text(f"{XGID} 31\n\nX:Ann   O:Ben\n +13-14-15-16-17-18------19-20-21\n")
    assert main(["train", str(copied), "--name", "Ada", "--sim", "--once"]) == 0
    (only,) = exercises(folder, "Ada")
    assert only.position.endswith("roll=31 to=5")


def test_a_stored_match_begins_on_the_board_at_any_decision(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = AnyTable("backgammon", 3, seed=4)
    while len(table.decided) < 30:
        table.goes_on()
    with closing(open_to_store(folder / "spotter")) as opened:
        opened.journal.add(table.start, "2026-03-01T20:15", table.decided)
    assert main(["retell", "1", "--from", "12", "--sim", "--once", "--views"]) == 0
    view = json.loads(capsys.readouterr().out.splitlines()[0])
    plays = [n for n, one in enumerate(table.decided, start=1) if one.what is Act.PLAY]
    number = next(number for number in plays if number >= 12)
    assert view["position"] == table.decided[number - 2].state.position
    assert (view["roll"], view["message"]) == (str(table.decided[number - 1].dice), SET_UP())
    assert main(["retell", "7", "--sim", "--once"]) == 2
    assert "match 7 is not in" in capsys.readouterr().err
