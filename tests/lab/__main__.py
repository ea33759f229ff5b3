"""`tests/lab/run COMMAND …`: every command of the laboratory."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping

from lab import bench, calibration, handovers, noise, puzzles, selfplay, twins
from pi_app.cli.arguments import nearest
from pi_app.cli.ending import Status, ended, say
from pi_app.games.all import ALL
from pi_app.games.equipment import Compendium
from pi_app.words.texts import quoted

Tool = Callable[[list[str], Compendium], int]

COMMANDS: Mapping[str, tuple[Tool, str]] = {
    "selfplay": (selfplay.run, "let simulated hands play whole matches"),
    "handovers": (handovers.run, "check that every legal play can be handed over"),
    "calibration": (
        calibration.run,
        "merge runs of selfplay: are stated confidences kept?",
    ),
    "noise": (noise.run, "show what hands and reeds do besides plain plays, and how often"),
    "twins": (twins.run, "count plays that no sensor can tell from another one"),
    "bench": (bench.run, "measure latency, drawing, idling and starting"),
    "puzzles": (puzzles.run, "make the puzzles that come with Spotter"),
}
"""Each command and what it does in a few words."""


def main(argv: list[str] | None = None, games: Compendium = ALL) -> int:
    """Run one command and return its exit status."""
    words = sys.argv[1:] if argv is None else argv
    if not words or words[0] in ("-h", "--help", "help"):
        print(usage())
        return Status.DONE
    command, *rest = words
    if command not in COMMANDS:
        meant = nearest(command, COMMANDS)
        say([f"command {quoted(command)} is not known{meant}; see: tests/lab/run help"])
        return Status.GIVEN
    run, _ = COMMANDS[command]
    return ended(lambda: run(rest, games))


def usage() -> str:
    """All commands, one on each line."""
    lines = [f"  {name:<11} {says}" for name, (_, says) in COMMANDS.items()]
    return "\n".join(["tests/lab/run COMMAND [OPTIONS]", *lines])


if __name__ == "__main__":
    sys.exit(main())
