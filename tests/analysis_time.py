"""The processor time of an analysis with luck, beside GNU Backgammon's own of the same match.

    .venv/bin/python tests/analysis_time.py --seeds 8 9 10

For each seed two of GNU Backgammon's players, one of them weak, play a 5-point match. GNU
Backgammon analyses it, plays by two plies and luck by none; then `spotter analyse` does. Its
engine's process and its start count.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from gnubg import ask_gnubg

from pi_app.words.texts import columns

PATIENCE_S = 1800
PLAYERS = ("gnubg-2", "network-2")
SCRIPT = """
import gnubg, json, os
asked = json.loads(ASKED)
lines = ["set confirm new off", "set automatic roll on", "set automatic game on",
    "set automatic move on", "set automatic bearoff off", "set beavers 0", "set rng mersenne",
    "set seed %d" % asked["seed"], "set analysis luck on", "set analysis luckanalysis plies 0"]
for player, noise in enumerate([0.06, 0.02]):
    lines.append("set player %d gnubg" % player)
    for kind in ("chequer", "cubedecision"):
        lines.append("set player %d %s evaluation plies 0" % (player, kind))
        lines.append("set player %d %s evaluation noise %.3f" % (player, kind, noise))
        lines.append("set player %d %s evaluation deterministic on" % (player, kind))
        lines.append("set analysis %s evaluation plies 2" % kind)
for line in [*lines, "new match 5", "play", "export match mat %s" % asked["mat"]]:
    gnubg.command(line)
before = sum(os.times()[:2])
gnubg.command("analyse match")
with open(ANSWER, "w") as answer:
    json.dump(sum(os.times()[:2]) - before, answer)
"""


def main() -> None:
    """Print a line for each match."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="*", default=(8, 9, 10), metavar="N")
    rows = [("seed", "gnubg's own", *(f"{name}, s, ratio" for name in PLAYERS))]
    for seed in parser.parse_args().seeds:
        with TemporaryDirectory() as folder:
            mat = Path(folder) / "match.mat"
            asked = {"seed": seed, "mat": str(mat)}
            own = float(ask_gnubg(SCRIPT, asked, Path(folder), PATIENCE_S))
            taken = [seconds_of(mat, name) for name in PLAYERS]
        rows.append((f"{seed}", f"{own:.1f} s", *(f"{one:.1f}, {one / own:.2f}" for one in taken)))
    print(columns(rows))


def seconds_of(mat: Path, player: str) -> float:
    words: Sequence[str] = (sys.executable, "-m", "pi_app", "analyse", str(mat), "--player", player)
    # Nothing is known there from an earlier analysis.
    home = {**os.environ, "XDG_DATA_HOME": str(mat.parent)}
    nowhere = subprocess.DEVNULL
    before = os.times()
    subprocess.run(words, check=True, env=home, stdout=nowhere, stderr=nowhere)
    now = os.times()
    spent = now.children_user - before.children_user
    return spent + now.children_system - before.children_system


if __name__ == "__main__":
    main()
