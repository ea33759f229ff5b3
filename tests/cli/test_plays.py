"""`spotter plays`: a line of JSON in, a line of JSON out, whatever comes."""

import io
import json
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pi_app.__main__ import main
from pi_app.cli import rules
from pi_app.games.all import ALL

CASES = Path(__file__).parents[1] / "cases"
SPOTTER = [
    sys.executable,
    "-c",
    "import sys; from pi_app.__main__ import main; sys.exit(main(['plays', 'nannon']))",
]
START = b'{"game": "nannon", "position": "1ww..bb1 w", "roll": "3"}'


class Talk:
    """One run over the given lines: its status and its answers."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *lines: bytes) -> tuple[int, list[dict[str, Any]]]:
        stdin = io.TextIOWrapper(io.BytesIO(b"".join(line + b"\n" for line in lines)))
        self._monkeypatch.setattr(sys, "stdin", stdin)
        status = rules.answer_lines(["nannon"], ALL)
        return status, [json.loads(line) for line in self._capsys.readouterr().out.splitlines()]


@pytest.fixture
def talk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Talk:
    return Talk(monkeypatch, capsys)


def test_a_position_and_a_roll_are_answered_with_every_play(talk: Talk) -> None:
    status, answers = talk(START)
    assert status == 0
    assert answers == [
        {
            "game": "nannon",
            "position": "1ww..bb1 w",
            "roll": "3",
            "after": ["0www.bb1 b", "1.w.wbb1 b"],
            "plays": [
                {"play": "HOME/3", "after": "0www.bb1 b"},
                {"play": "1/4", "after": "1.w.wbb1 b"},
            ],
        }
    ]


def test_a_forfeit_is_one_play(talk: Talk) -> None:
    _, (answer,) = talk(b'{"game": "nannon", "position": "1wwbbb.0 w", "roll": "3"}')
    assert answer["plays"] == [{"play": "forfeit", "after": "1wwbbb.0 b"}]


def test_a_game_that_is_over_has_no_play(talk: Talk) -> None:
    status, (answer,) = talk(b'{"game": "nannon", "position": "0.....b1 b", "roll": "3"}')
    assert (status, answer["after"], answer["plays"]) == (0, [], [])


def test_other_keys_come_back_and_a_wrong_after_is_put_right(talk: Talk) -> None:
    line = {**json.loads(START), "after": ["nonsense"], "note": "où ça?", "weight": 2.5}
    _, (answer,) = talk(json.dumps(line, ensure_ascii=False).encode())
    assert (answer["note"], answer["weight"]) == ("où ça?", 2.5)
    assert answer["after"] == ["0www.bb1 b", "1.w.wbb1 b"]


def test_all_cases_come_back_as_they_are(talk: Talk) -> None:
    lines = (CASES / "nannon.jsonl").read_bytes().splitlines()
    status, answers = talk(*lines)
    assert status == 0
    for line, answer in zip(lines, answers, strict=True):
        assert sorted(play["after"] for play in answer.pop("plays")) == answer["after"]
        assert answer == json.loads(line)


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        (b"ludo", ["not a line of JSON: Expecting value"]),
        (b"\xff\xfe", ["not a line of JSON: 'utf-8' codec can't decode"]),
        (b"[" * 60_000, ["not a line of JSON: "]),
        (
            START.replace(b"{", b'{"x": NaN, '),
            ["a key that would come back is no JSON: "],
        ),
        (
            START.replace(b"{", b'{"x": 1e400, '),
            ["a key that would come back is no JSON: "],
        ),
        (b"[" * 100_000, ["the line is longer than 64 KiB"]),
        (b"1" * 5000, ["not a line of JSON: Exceeds the limit"]),
        (b"[1, 2]", ["[1, 2] is not a JSON object; write"]),
        (b"{}", ["game is missing", "position is missing", "roll is missing"]),
        (
            b'{"game": "nannon", "position": 3, "roll": 4}',
            ["position is 3; it must be a text", "roll is 4; it must be a text"],
        ),
        (START.replace(b"nannon", b"ludo"), ["game 'ludo' is not 'nannon'"]),
        (START.replace(b'"3"', b'"7"'), ["roll '7': write one digit from 1 to 6"]),
        (
            b'{"game": "nannon", "position": "4wx..bb1 w", "roll": "31"}',
            ["White's HOME is '4'", "spot 2 is 'x'", "roll '31': write one digit"],
        ),
        (
            b'{"game": "nannon", "position": "3ww.bbb2 w", "roll": "3"}',
            ["White has 5 checkers", "Black has 5 checkers"],
        ),
    ],
)
def test_a_bad_line_names_every_reason_and_the_next_is_answered(
    talk: Talk, line: bytes, parts: list[str]
) -> None:
    status, (good, bad, also_good) = talk(START, line, START)
    assert status == 2
    assert good == also_good
    assert bad.keys() == {"line", "error", "reasons"}
    assert bad["line"] == 2
    assert len(bad["reasons"]) == len(parts)
    assert all(part in reason for part, reason in zip(parts, bad["reasons"], strict=True))
    assert all(reason in bad["error"] for reason in bad["reasons"])


def test_empty_lines_are_passed_over_but_counted(talk: Talk) -> None:
    status, answers = talk(b"", START, b"  ", b"ludo")
    assert status == 2
    assert [answer.get("line") for answer in answers] == [None, 4]


def test_an_unknown_game_is_one_line_and_status_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plays", "ludo"]) == 2
    assert "invalid choice: 'ludo' (choose from" in capsys.readouterr().err


def test_each_answer_comes_before_the_next_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    with subprocess.Popen(SPOTTER, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as spotter:
        assert spotter.stdin is not None
        assert spotter.stdout is not None
        for _ in range(2):
            spotter.stdin.write(START + b"\n")
            spotter.stdin.flush()
            answered, _, _ = select.select([spotter.stdout], [], [], 60)
            assert answered
            assert json.loads(spotter.stdout.readline())["roll"] == "3"
        spotter.stdin.close()
        assert spotter.wait(timeout=10) == 0


def test_a_reader_who_leaves_is_no_error() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(SPOTTER, stdin=pipe, stdout=pipe, stderr=pipe) as spotter:
        assert spotter.stdout is not None
        spotter.stdout.close()
        _, errors = spotter.communicate(START + b"\n", timeout=10)
    assert errors == b""
    assert spotter.returncode == 0
