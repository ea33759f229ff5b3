"""`spotter replay`: a conversation through a pipe, and bad files in one clear line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from desk import Desk
from scenes import FILES

from pi_app.__main__ import main
from pi_app.referee.lines import write_event


def a_match() -> list[str]:
    desk = Desk()
    desk.open("5", "3")
    desk.lift("2")
    desk.drop("4")
    desk.press()
    return [write_event(event) for event in desk.events]


def test_every_event_is_answered_with_its_view(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "match.jsonl"
    file.write_text("\n".join(a_match()), encoding="utf-8")
    assert main(["replay", str(file)]) == 0
    views = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [view["ms"] for view in views] == [json.loads(line)["ms"] for line in a_match()]
    assert views[-1]["position"] == "1w..wbb1 b"


@pytest.mark.parametrize("name", FILES)
def test_every_scenario_is_replayed_to_its_end(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = FILES[name].read_text(encoding="utf-8").splitlines()
    assert main(["replay", str(FILES[name])]) == 0
    views = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [view["ms"] for view in views] == [json.loads(line)["ms"] for line in lines]


def test_another_program_can_talk_to_it_line_by_line() -> None:
    command = [sys.executable, "-m", "pi_app", "replay", "-"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as spotter:
        assert spotter.stdin
        assert spotter.stdout
        for line in a_match():
            print(line, file=spotter.stdin, flush=True)
            assert json.loads(spotter.stdout.readline())["ms"] == json.loads(line)["ms"]
        spotter.stdin.close()
    assert spotter.returncode == 0


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (['{"ms": 0, "event": "tick"}'], "line 1: a match begins with the event 'start'"),
        ([a_match()[0], "{}"], "line 2: $.ms is None"),
        ([a_match()[0], "", a_match()[0]], "line 3: start comes once"),
        ([a_match()[0].replace("nannon-6", "oak")], "line 1: oak: no such board; choose "),
        ([a_match()[0].replace('"nannon"', '"chess"')], "'chess'"),
        (
            [a_match()[0], '{"ms": 9, "event": "tick"}', '{"ms": 8, "event": "tick"}'],
            "line 3: ms 8 is before 9",
        ),
    ],
)
def test_a_bad_line_is_named_and_ends_it(
    lines: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    assert main(["replay", str(file)]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_file_that_cannot_be_read_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "/no/such/file"]) == 2
    assert "cannot be read" in capsys.readouterr().err
