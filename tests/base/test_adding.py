"""Worths are the same to the last bit under every Python, though `sum` is not."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import astuple
from hashlib import sha256
from math import fsum
from random import Random

import pytest
from known import find_game
from nannon_scores import solve_unlimited
from nannon_slowly import graph

from pi_app.base.adding import added
from pi_app.players.nannon import exact
from pi_app.players.tables import player as network
from pi_app.players.tables.player import network_path
from pi_app.rules.terms import Roll, Side

SOLVED = "46cebb1fe18f9480"
"""The beginning of the SHA-256 of Nannon's solution, under Python 3.11 on x86-64."""


def corrected(values: Iterable[float], start: float = 0) -> float:
    """`sum` of floats as from Python 3.12 on."""
    found = [start, *values]
    return fsum(found) if any(isinstance(one, float) for one in found) else sum(found)


def test_floats_are_added_one_after_the_other() -> None:
    assert added([0.1] * 10) == 0.9999999999999999
    assert corrected([0.1] * 10) == 1.0
    assert added([1e16, 1.0, 1.0]) == 1e16


@pytest.mark.parametrize("name", ["backgammon", "pin"])
def test_the_chances_of_a_network(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, judge, dice = find_game(name), network.load(network_path(name)), Random(7)
    positions = [game.start(Side.WHITE)]
    for _ in range(40):
        roll = Roll.of(dice.randint(1, 6), dice.randint(1, 6))
        positions.append(dice.choice(list(game.results(positions[-1], roll))))

    def chances() -> list[tuple[float, ...]]:
        return [judge.judge(position.white, position.black) for position in positions]

    here = chances()
    monkeypatch.setattr(network, "sum", corrected, raising=False)
    assert chances() == here
    monkeypatch.setattr(network, "added", corrected)
    assert chances() != here


def test_the_solution_of_nannon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact, "sum", corrected, raising=False)
    solved = json.dumps(astuple(solve_unlimited(graph())))
    assert sha256(solved.encode()).hexdigest().startswith(SOLVED)
