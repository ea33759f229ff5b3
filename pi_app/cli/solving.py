"""`spotter solve`: solve a game on this machine, for its exact player."""

from __future__ import annotations

import os

from pi_app.cli.arguments import Parser, whole
from pi_app.cli.ending import Progress, Status
from pi_app.games.equipment import Compendium
from pi_app.players.hypergammon.solving import solve as solve_hypergammon
from pi_app.players.hypergammon.table import PassesDone, lacking, solution_file

SOLVED = ("hypergammon",)
MOST_CORES = 64


def solve(argv: list[str], _: Compendium) -> int:
    """Ctrl-C stops; the same command continues where it stopped."""
    parser = Parser("solve", "Work out every position of a game, for its exact player.")
    parser.takes("game", "GAME", f"one of: {', '.join(SOLVED)}", choices=SOLVED)
    cores = os.cpu_count() or 1
    says = f"processor cores to use; default all, {cores}"
    parser.takes("--cores", "N", says, whole(1, MOST_CORES), cores)
    parser.flag("--again", "from the beginning, also if a solution is there")
    args = parser.parse_args(argv)
    file = solution_file()
    if file.exists() and not args.again and lacking(file) is None:
        print(f"{args.game} is solved already: {file}")
        return Status.DONE
    with Progress(0, "steps") as progress:
        found = solve_hypergammon(file, args.cores, progress.tell, again=args.again)
    print(_done(args.game, found))
    return Status.DONE


def _done(game: str, found: PassesDone) -> str:
    file = solution_file()
    size = file.stat().st_size // 10**6
    return f"{game} is solved in {found.passes} passes: {file}, {size} MB"
