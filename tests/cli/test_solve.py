"""`spotter solve`: a game is solved on this machine, and the exact player is there."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pi_app.__main__ import main
from pi_app.cli import solving
from pi_app.games.all import ALL
from pi_app.games.equipment import Compendium
from pi_app.players.contract import PlayerError, Solution
from pi_app.players.hypergammon.solving import TellSteps, solve
from pi_app.players.hypergammon.table import lacking, solution_file
from pi_app.words.sentences import Said

START = "-aaa------------------AAA- w"


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


def of_one_checker(file: Path, cores: int, tell: TellSteps, again: bool) -> int:
    return solve(file, cores, tell, checkers=1, again=again).passes


def games(make: Callable[..., int], lacks: Callable[[Path], Said | None]) -> Compendium:
    solution = Solution(solution_file, lacks, make)
    return Compendium((replace(ALL.find("hypergammon"), solution=solution),))


SMALL = games(of_one_checker, lacking)


def test_a_solved_game_says_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert solving.solve(["hypergammon", "--cores", "1"], SMALL) == 0
    assert (
        capsys.readouterr().out == f"hypergammon is solved in 10 passes: {solution_file()}, 0 MB\n"
    )


def test_what_is_solved_is_not_solved_again(capsys: pytest.CaptureFixture[str]) -> None:
    solution_file().parent.mkdir(parents=True)
    solution_file().write_bytes(b"solved")
    assert solving.solve(["hypergammon"], games(of_one_checker, lambda _: None)) == 0
    assert capsys.readouterr().out == f"hypergammon is solved already: {solution_file()}\n"


def test_no_room_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=5 * 10**6)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert main(["solve", "hypergammon"]) == 1
    told = capsys.readouterr().err
    assert told.startswith("spotter: ")
    assert told.endswith("365 MB are needed and 5 MB are free; make room\n")


def test_a_solution_is_made_again_and_stays_where_that_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert solving.solve(["hypergammon", "--cores", "1"], SMALL) == 0
    solved = solution_file().read_bytes()
    solution_file().write_bytes(b"damaged")
    usage = shutil.disk_usage(tmp_path)
    with monkeypatch.context() as full:
        full.setattr(shutil, "disk_usage", lambda _: usage._replace(free=0))
        with pytest.raises(PlayerError):
            solving.solve(["hypergammon", "--again"], SMALL)
    assert solution_file().read_bytes() == b"damaged"
    assert solving.solve(["hypergammon", "--again", "--cores", "1"], SMALL) == 0
    assert solution_file().read_bytes() == solved


def test_without_a_solution_the_network_advises(capsys: pytest.CaptureFixture[str]) -> None:
    assert ALL.find("hypergammon").adviser.name == "network-2"
    assert main(["hint", "hypergammon", START, "31", "--player", "exact"]) == 1
    assert "run: spotter solve hypergammon" in capsys.readouterr().err


def test_another_game_is_not_solved(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "portes"]) == 2
    assert "hypergammon" in capsys.readouterr().err
