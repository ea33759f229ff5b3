"""`tests/lab/run calibration` and the report of `tests/lab/run selfplay`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lab.__main__ import main
from lab.calibration import Calibration

SHORT = ["selfplay", "--matches", "1", "--match-to", "1"]


def kept(file: Path, confidence: float, plays: int, wrong: int) -> str:
    calibration = Calibration()
    for number in range(plays):
        calibration.add(confidence, number >= wrong)
    file.write_text(json.dumps({"seed": "1", "calibration": calibration.as_json()}) + "\n")
    return str(file)


def test_runs_of_selfplay_become_one_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, report = tmp_path / "runs.json", tmp_path / "report.html"
    plays = 0
    with file.open("w") as lines:
        for seed in "ab":
            assert main([*SHORT, "--seed", seed, "--json", "--one-wrong-in", "5000"]) == 0
            line = capsys.readouterr().out
            plays += sum(one["plays"] for one in json.loads(line)["calibration"]["bins"].values())
            lines.write(line)
    assert main(["calibration", str(file), "-o", str(report)]) == 0
    whole = capsys.readouterr().out.splitlines()[-1]
    assert whole.split()[:4] == ["all", "of", "these", str(plays)]
    for seed in "ab":
        told = f"game nannon, board nannon-6, seed {seed}, faults default, noise 1.0, one_wrong_in"
        assert f"{told} 5000, matches 1, turns" in report.read_text()


def test_selfplay_writes_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = tmp_path / "report.html"
    assert main([*SHORT, "--calibration", str(report)]) == 0
    assert "matches 1, turns" in report.read_text()
    assert capsys.readouterr().err == ""


def test_a_report_that_cannot_be_written_is_told_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*SHORT, "--calibration", str(tmp_path / "no" / "report.html")]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "No such file or directory" in said.err


def test_a_confidence_that_lies_is_a_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    honest, lying = kept(tmp_path / "a", 0.99, 1000, 9), kept(tmp_path / "b", 0.9999, 1000, 9)
    assert main(["calibration", honest]) == 0
    assert "CLAIMS TOO MUCH" not in capsys.readouterr().out
    assert main(["calibration", honest, lying]) == 1
    marked = [line for line in capsys.readouterr().out.splitlines() if "CLAIMS TOO MUCH" in line]
    assert [line.split()[0] for line in marked] == ["0.9999"]


def test_a_file_without_counts_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "sheet").write_text("Ada 3\n")
    for name, says in ((tmp_path / "sheet", "not JSON"), (tmp_path / "none", "No such file")):
        assert main(["calibration", str(name)]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert says in line
        assert name.name in line
