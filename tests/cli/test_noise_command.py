"""`tests/lab/run noise`: the table, and worse ones."""

from __future__ import annotations

import pytest
from lab.__main__ import main

from pi_app.sensing.noise import Noise


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, str]:
    """Each kind of noise with the rest of its line."""
    assert main(["noise", *words]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    return {what.value: line for what in Noise for line in lines if line.startswith(what.value)}


def test_every_kind_has_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys)
    assert set(lines) == {what.value for what in Noise}
    assert "15 %" in lines["brush"]
    assert "80 ms" in lines["brush"]
    assert "assumed" in lines["brush"]


def test_a_worse_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "--times", "10")
    assert " 1 % " in lines["missed closing"]
    assert " 50 % " in lines["brush"]


@pytest.mark.parametrize("word", ["-1", "often", "nan", "101"])
def test_a_number_that_makes_no_sense_is_one_line(
    word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["noise", f"--times={word}"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"'{word}' is no number from 0 to 100" in line
