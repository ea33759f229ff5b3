"""`spotter rules GAME`: every rule that a warning can name."""

from __future__ import annotations

from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.rules.registry import GAMES


def run(argv: list[str]) -> int:
    """Print identifier, sentence and source of each rule."""
    parser = Parser("rules", "List the rules of a game that a warning can name.")
    parser.add_argument("game", choices=GAMES, metavar="GAME", help=f"one of: {', '.join(GAMES)}")
    rules = GAMES[parser.parse_args(argv).game].rules
    width = max(len(rule.identifier) for rule in rules)
    for rule in rules:
        print(f"{rule.identifier:<{width}}  {rule.sentence} ({rule.source})")
    return Status.DONE
