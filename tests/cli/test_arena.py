"""`spotter arena`: two players meet and their figures are printed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pi_app.__main__ import main


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def test_what_two_players_came_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "pin", "--players", "greedy", "random", "--games", "4"]) == 0
    first, second, third, fourth = capsys.readouterr().out.splitlines()
    assert first == "pin: greedy against random, 4 games, seed 1"
    assert second.startswith("won ")
    assert "with 95 % between" in third
    assert fourth.startswith("points a game ")


def test_as_json_and_the_same_for_the_same_seed(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "nannon", "--players", "random", "random", "--games", "9", "--json"]
    told = []
    for seed in ("a", "a", "b"):
        assert main([*words, "--seed", seed]) == 0
        told.append(json.loads(capsys.readouterr().out))
    assert told[0] == told[1]
    assert told[0] != told[2]
    assert told[0]["won"] + told[0]["lost"] == told[0]["games"] == 9
    assert told[0]["share"]["low"] < told[0]["share"]["mean"] < told[0]["share"]["high"]


def test_matches_have_no_points_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "nannon", "--players", "random", "random", "--games", "3", "--match-to", "2"]
    assert main([*words, "--cube"]) == 0
    out = capsys.readouterr().out
    assert "3 matches" in out
    assert "points a game" not in out


def test_a_player_that_is_not_there_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", "cannon", "--players", "exact", "random"]) == 2
    assert capsys.readouterr().err == (
        "spotter: player 'exact' is not known here; choose one of:"
        " level-6, level-5, level-4, level-3, level-2, level-1, random\n"
    )
