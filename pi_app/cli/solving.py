"""`spotter solve`: solve a game on this machine, for its exact player."""

from __future__ import annotations

import os

from pi_app.cli.arguments import Parser, whole
from pi_app.cli.ending import Progress, Status
from pi_app.games.equipment import Compendium

MOST_CORES = 64


def solve(argv: list[str], games: Compendium) -> int:
    """Solve a game unless its solution is there. After Ctrl-C the same command continues."""
    solutions = {each.rules.name: each.solution for each in games.games if each.solution}
    parser = Parser("solve", "Work out every position of a game, for its exact player.")
    parser.takes("game", "GAME", f"one of: {', '.join(solutions)}", choices=solutions)
    cores = os.cpu_count() or 1
    says = f"processor cores to use; default all, {cores}"
    parser.takes("--cores", "N", says, whole(1, MOST_CORES), cores)
    parser.flag("--again", "from the beginning, also if a solution is there")
    args = parser.parse_args(argv)
    solution = solutions[args.game]
    file = solution.file()
    if file.exists() and not args.again and solution.lacking(file) is None:
        print(f"{args.game} is solved already: {file}")
        return Status.DONE
    with Progress(0, "steps") as progress:
        passes = solution.make(file, args.cores, progress.tell, args.again)
    size = file.stat().st_size // 10**6
    print(f"{args.game} is solved in {passes} passes: {file}, {size} MB")
    return Status.DONE
