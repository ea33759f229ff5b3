"""Prints what is the same on every processor: counts, worths to the last bit, a solution.

With --short it leaves out the solution, which takes minutes under emulation.
"""

from __future__ import annotations

import json
import sys
from dataclasses import astuple
from hashlib import sha256
from random import Random

from nannon_scores import solve_unlimited

from pi_app.games.all import ALL
from pi_app.players.cannon.player import Limits, open_core
from pi_app.players.nannon.exact import make_graph
from pi_app.players.native import cache_folder
from pi_app.players.tables import player as network
from pi_app.players.tables.player import network_path
from pi_app.rules.cannon import MIDDLE, START, Cannon, actions
from pi_app.rules.terms import Roll, Side

POSITIONS = 60
ENDLESS = 10**9
MILLISECONDS = 10**6


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def networks(name: str, seed: int) -> str:
    """The chances of positions of a game by chance, every float in full."""
    game, judge, dice = ALL.rules.find(name), network.load(network_path(name)), Random(seed)
    position, told = game.start(Side.WHITE), list[str]()
    for _ in range(POSITIONS):
        told += [chance.hex() for chance in judge.judge(position.white, position.black)]
        roll = Roll.of(dice.randint(1, 6), dice.randint(1, 6))
        position = dice.choice(list(game.results(position, roll)))
    return digest(" ".join(told))


def searches() -> list[list[int]]:
    """Of Cannon's core: the counts of results, then the nodes and worths of two searches."""
    core, cannon, found = open_core(cache_folder()), Cannon(), list[list[int]]()
    for text in (START, MIDDLE):
        position = cannon.read_position(text)
        found.append([core.perft(position, depth) for depth in (1, 2, 3)])
        result = core.search(position, actions(position), Limits(3, ENDLESS, MILLISECONDS))
        found.append([result.nodes, *result.worths])
    return found


def solution() -> str:
    return digest(json.dumps(astuple(solve_unlimited(make_graph()))))


def main(*words: str) -> None:
    figures: dict[str, object] = {
        "backgammon": networks("backgammon", 7),
        "pin": networks("pin", 7),
        "cannon": searches(),
    }
    if words != ("--short",):
        figures["nannon"] = solution()
    json.dump(figures, sys.stdout, indent=1)


if __name__ == "__main__":
    main(*sys.argv[1:])
