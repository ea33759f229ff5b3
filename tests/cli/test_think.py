"""A player in a process of its own: a line of a question in, a line of an answer out."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pytest

from pi_app.cli.think import main


def answers(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes], *lines: str
) -> tuple[int, list[dict[str, Any]]]:
    monkeypatch.setattr("os.nice", lambda by: by)
    stdin = io.TextIOWrapper(io.BytesIO("\n".join([*lines, ""]).encode()))
    monkeypatch.setattr(sys, "stdin", stdin)
    status = main("nannon", "random")
    return status, [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]


def test_questions_are_answered_one_by_one(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    asked = {"id": 5, "position": "1ww..bb1 w"}
    status, told = answers(
        *(monkeypatch, capsysbinary, json.dumps({**asked, "roll": "3"}), "", json.dumps(asked)),
    )
    assert status == 0
    assert told == [
        {"game": "nannon", "player": "random"},
        {"id": 5, "unit": "score", "exact": False, "plays": [["HOME/3", 0.0], ["1/4", 0.0]]},
        {"id": 5},
    ]


def test_what_is_no_question_is_told_and_the_next_one_answered(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    status, told = answers(
        monkeypatch, capsysbinary, "hello", '{"id": 1, "position": "1ww..bb1 w", "roll": "3"}'
    )
    assert status == 2
    assert "JSON" in told[1]["error"]
    assert told[2]["id"] == 1


def test_what_is_no_text_ends_it_with_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.nice", lambda by: by)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n")))
    assert main("nannon", "random") == 2
    assert capsys.readouterr().err == ("spotter: a line of standard input: it is no UTF-8 text\n")
