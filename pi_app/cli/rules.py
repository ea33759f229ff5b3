"""`spotter rules GAME`: the rules as its sheet numbers them, and the warnings that cite them."""

from __future__ import annotations

from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.games.equipment import Compendium


def run(argv: list[str], games: Compendium) -> int:
    """Print each rule of the sheet with the identifiers and sentences of its warnings."""
    parser = Parser("rules", "Print the rules of a game, each with the warnings that cite it.")
    parser.add_game(games.rules)
    game = games.rules[parser.parse_args(argv).game]
    width = max(len(rule.identifier) for rule in game.rules)
    print(game.sheet.title())
    for number, written in enumerate(game.sheet.rules, start=1):
        print(f"\n{number}. {written()}")
        for rule in game.rules:
            if rule.number == number:
                print(f"   {rule.identifier:<{width}}  {rule.sentence}")
    return Status.DONE
