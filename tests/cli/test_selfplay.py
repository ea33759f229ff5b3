"""`spotter selfplay`: its figures, its files and its errors."""

import json
from pathlib import Path

import pytest
from emulated import built

from pi_app.boards import load_board
from pi_app.cli.replay import run as replay
from pi_app.cli.selfplay import BOARDS, run
from pi_app.rules.registry import GAMES
from pi_app.simulator.truth import Truth

SCANNER = str(Path(__file__).parent.parent / "boards" / "nannon-scanner.toml")


def test_the_figures_are_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["--matches", "1", "--match-to", "1", "--folder", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    for name in ("matches", "plays", "wrong plays committed", "illegal attempts", "latency"):
        assert any(line.startswith(name) for line in lines), name
    assert list(tmp_path.iterdir()) == []


def test_the_figures_are_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--matches", "2", "--match-to", "1", "--seed", "7", "--journal", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["matches"], figures["seed"], figures["wrong_plays"]) == (2, "7", 0)
    assert set(figures["latency_us"]) == {"median", "99%", "worst"}


def test_matches_go_through_the_scanners_real_firmware(
    capsys: pytest.CaptureFixture[str],
) -> None:
    built()
    words = ["--emulator", "--board", SCANNER, "--matches", "1", "--match-to", "1", "--json"]
    assert run(words) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["plays"] > 0
    assert figures["wrong_plays"] == 0


def test_a_wrong_play_is_an_error_and_leaves_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(Truth, "may_show", lambda self: frozenset({"something else"}))
    assert run(["--matches", "2", "--match-to", "1", "--folder", str(tmp_path)]) == 1
    assert "see: spotter replay" in capsys.readouterr().err
    assert any(replay([str(file)]) == 0 for file in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--faults", "default,loose=3"], "fault 'loose=3' is not known"),
        (["--faults", "dead=12"], "the board has the sensors"),
        (["--board", "nannon-7"], "nannon-7"),
        (["--emulator"], "'nannon-6' has no scanner to emulate"),
    ],
)
def test_what_makes_no_sense_is_one_line(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line


def test_numbers_are_positive(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        run(["--matches", "0"])
    assert end.value.code == 2
    assert "'0' is no whole number" in capsys.readouterr().err


def test_every_game_has_a_board_that_serves_it() -> None:
    assert BOARDS.keys() == GAMES.keys()
    assert all(game in load_board(name).games for game, name in BOARDS.items())
