"""`tests/lab/run selfplay`: its figures, its files and its errors."""

import json
from pathlib import Path

import pytest
from emulated import built
from lab import selfplay
from lab.__main__ import main as lab
from lab.ground_truth import Truth
from lab.match_by_hands import MatchByHands

from pi_app.__main__ import main
from pi_app.journal.disk import JournalError
from pi_app.journal.store import Journal
from pi_app.referee.events import MatchId

SCANNER = str(Path(__file__).parent.parent / "boards" / "nannon-scanner.toml")


def test_the_figures_are_printed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert lab(["selfplay", "--matches", "1", "--match-to", "1", "--folder", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    for name in ("matches", "plays", "wrong plays committed", "illegal attempts", "latency"):
        assert any(line.startswith(name) for line in lines), name
    assert list(tmp_path.iterdir()) == []


def test_the_figures_are_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert lab(["selfplay", "--matches", "2", "--match-to", "1", "--seed", "7", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert (figures["matches"], figures["seed"], figures["wrong_plays"]) == (2, "7", 0)
    assert set(figures["latency_us"]) == {"median", "99%", "worst"}


def test_worse_noise_is_worse(capsys: pytest.CaptureFixture[str]) -> None:
    tried = []
    for noise in ("0", "1", "5"):
        words = ["--matches", "2", "--match-to", "1", "--noise", noise, "--json"]
        assert lab(["selfplay", *words]) == 0
        figures = json.loads(capsys.readouterr().out)
        tried.append(figures["illegal_attempts"] + figures["noise_drawn"].get("brush", 0))
        assert figures["noise"] == float(noise)
    assert tried[0] == 0 < tried[1] < tried[2]


def test_matches_go_through_the_scanners_real_firmware(
    capsys: pytest.CaptureFixture[str],
) -> None:
    built()
    words = ["--emulator", "--board", SCANNER, "--matches", "1", "--match-to", "1", "--json"]
    assert lab(["selfplay", *words]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["plays"] > 0
    assert figures["wrong_plays"] == 0


def test_a_wrong_play_is_an_error_and_leaves_a_file(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(Truth, "may_show", lambda self: frozenset({"something else"}))
    assert lab(["selfplay", "--matches", "2", "--match-to", "1", "--folder", str(tmp_path)]) == 1
    assert "see: spotter replay" in capsys.readouterr().err
    assert any(main(["replay", str(file)]) == 0 for file in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--faults", "default,loose=3"], "fault 'loose=3' is not known"),
        (["--faults", "dead=12"], "the board has the sensors"),
        (["--board", "nannon-7"], "nannon-7"),
        (["--game", "pin", "--board", "nannon-6"], "pin is not played on it; choose one of: na"),
        (["--matches", "0"], "'0' is no whole number from 1 to 100000"),
        (["--noise", "loud"], "'loud' is no number from 0 to 100"),
        (["--match-to", "²"], "'²' is no whole number from 1 to 999"),
    ],
)
def test_what_makes_no_sense_is_one_line(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert lab(["selfplay", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line


def test_what_cannot_be_done_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    inside = str(tmp_path / "file" / "folder")
    for words, says in (
        (["--emulator"], "'nannon-6' has no scanner to emulate"),
        (["--folder", inside], "Not a directory"),
        (["--journal", inside], "This match is not saved: "),
    ):
        assert lab(["selfplay", *words]) == 1
        said = capsys.readouterr()
        assert says in said.err
        assert (said.err.count("\n"), said.out) == (1, "")


def test_kept_matches_are_there_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    words = ["--matches", "2", "--match-to", "1", "--journal", str(tmp_path / "spotter")]
    assert lab(["selfplay", *words]) == 0
    assert f"2 matches are in {tmp_path / 'spotter'}" in capsys.readouterr().err
    assert main(["matches"]) == 0
    rows = capsys.readouterr().out.splitlines()[1:]
    assert [row.split()[-1] for row in rows] == ["finished", "finished"]


def test_a_disk_that_fills_up_is_told_after_the_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise JournalError("the disk is full; free some space")

    monkeypatch.setattr(Journal, "commit", full)
    monkeypatch.setattr(Journal, "begin", lambda journal, start, time: journal.resume(MatchId(1)))
    assert lab(["selfplay", "--matches", "2", "--match-to", "1", "--journal", str(tmp_path)]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("matches                      1, ")
    assert said.err.splitlines()[-1].endswith("the disk is full; free some space")


def test_an_interrupted_run_prints_its_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played: list[MatchByHands] = []

    class Interrupted(MatchByHands):
        def play(self, most: int | None = None) -> None:
            if played:
                raise KeyboardInterrupt
            played.append(self)
            super().play()

    monkeypatch.setattr(selfplay, "MatchByHands", Interrupted)
    assert lab(["selfplay", "--matches", "9", "--match-to", "1"]) == 130
    said = capsys.readouterr()
    assert said.out.startswith("matches                      1, ")
    assert said.err == ""
