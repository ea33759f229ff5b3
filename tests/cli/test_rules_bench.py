"""The rules' benchmark: what it reads and what it says; how fast it is belongs to a report."""

from pathlib import Path

import pytest
from lab.bench import CasesError, positions_a_second, read_cases, rules_report, slowest

from pi_app.rules.tables.backgammon import BACKGAMMON as GAME
from pi_app.rules.terms import Roll

START = "-b----E-C---eE---c-e----B- w"
LINE = f'{{"game": "backgammon", "position": "{START}", "roll": "ROLL", "after": []}}\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = [LINE.replace("ROLL", roll) for roll in ("31", "66")]
    (tmp_path / "backgammon.jsonl").write_text("".join(lines), encoding="utf-8")
    return tmp_path


def test_a_case_file_is_read_as_positions_and_rolls(folder: Path) -> None:
    cases = read_cases(GAME, folder / "backgammon.jsonl")
    start = GAME.read_position(START)
    assert cases == [(start, Roll.of(3, 1)), (start, Roll.of(6, 6))]


def test_the_figures_are_of_the_cases(folder: Path) -> None:
    cases = read_cases(GAME, folder / "backgammon.jsonl")
    ms, case = slowest(GAME, cases)
    assert ms > 0
    assert case in cases
    assert positions_a_second(GAME, cases) > 0
    (line,) = rules_report([GAME], folder)
    assert line.startswith("rules of backgammon: ")
    assert START in line


def test_a_missing_file_is_said_and_the_others_are_measured(folder: Path) -> None:
    (folder / "backgammon.jsonl").unlink()
    (line,) = rules_report([GAME], folder)
    assert "backgammon.jsonl cannot be read (No such file or directory)" in line


def test_a_bad_position_is_not_measured(folder: Path) -> None:
    path = folder / "backgammon.jsonl"
    path.write_text(LINE.replace(START, "-b w"), encoding="utf-8")
    with pytest.raises(CasesError, match="line 1: position '-b w'"):
        read_cases(GAME, path)
    good = LINE.replace("ROLL", "31")
    for bad in ("[" * 60_000, "[1]", "{}", "nan", '{"position": 1}'):
        path.write_text(f"{good}{bad}\n", encoding="utf-8")
        with pytest.raises(CasesError, match="line 2: "):
            read_cases(GAME, path)
