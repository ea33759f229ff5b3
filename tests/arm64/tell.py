"""Writes what is the same on every processor: `tell FOLDER [--short]`.

All in one process, for under emulation most of the time goes into imports.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import redirect_stdout
from dataclasses import astuple
from hashlib import sha256
from io import StringIO
from pathlib import Path
from random import Random

from lab.__main__ import main as lab
from nannon_scores import solve_unlimited

from pi_app.__main__ import main as spotter
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


def figures(*, short: bool) -> str:
    """Counts, worths to the last bit and, unless `short`, a solution, which takes minutes under
    emulation."""
    told: dict[str, object] = {
        "backgammon": networks("backgammon", 7),
        "pin": networks("pin", 7),
        "cannon": searches(),
    }
    if not short:
        told["nannon"] = solution()
    return json.dumps(told, indent=1)


def match(journal: Path) -> str:
    """What is told of a match of simulated hands, which is kept; but no times."""
    text = StringIO()
    with redirect_stdout(text):
        assert (
            lab(["selfplay", "--matches", "1", "--match-to", "1", "--journal", f"{journal}"]) == 0
        )
    return "".join(line for line in text.getvalue().splitlines(True) if "latency" not in line)


def decisions(data: Path) -> str:
    """Those of a journal's first match."""
    os.environ["XDG_DATA_HOME"] = str(data)
    text = StringIO()
    with redirect_stdout(text):
        assert spotter(["export", "1", "--decisions"]) == 0
    return text.getvalue()


def main(told: str, *words: str) -> None:
    """`told/here` has another machine's journal, if there is one."""
    folder = Path(told)
    (folder / "figures").write_text(figures(short=words == ("--short",)))
    (folder / "selfplay").write_text(match(folder / "spotter"))
    (folder / "decisions").write_text(decisions(folder))
    if (here := folder / "here").is_dir():
        (folder / "carried").write_text(decisions(here))


if __name__ == "__main__":
    main(*sys.argv[1:])
