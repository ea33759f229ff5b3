"""`spotter position GAME TEXT`: a position drawn as text."""

from __future__ import annotations

from pi_app.cli.arguments import Parser
from pi_app.cli.ending import Status
from pi_app.games.equipment import Compendium


def run(argv: list[str], games: Compendium) -> int:
    """Raises PositionError with every reason against the position."""
    parser = Parser("position", "Draw a position from its text.")
    parser.add_game(games.rules)
    parser.add_rest("text", "TEXT", "for instance: 1ww..bb1 w")
    arguments = parser.parse_args(argv)
    if not arguments.text:
        parser.error("a position text is missing")
    game = games.rules[arguments.game]
    print(game.draw(game.read_position(" ".join(arguments.text))))
    return Status.DONE
