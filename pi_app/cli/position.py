"""`spotter position GAME TEXT`: a position drawn as text."""

from __future__ import annotations

import argparse
import sys

from pi_app.rules.registry import GAMES
from pi_app.rules.terms import PositionError


def run(argv: list[str]) -> int:
    """Draw a position, or name every reason against it, one a line; returns the exit status."""
    parser = argparse.ArgumentParser(
        prog="spotter position", description="Draw a position from its text."
    )
    parser.add_argument("game", choices=GAMES, metavar="GAME", help=f"one of: {', '.join(GAMES)}")
    # The remainder takes texts that look like options: backgammon's begin with a dash.
    parser.add_argument(
        "text", nargs=argparse.REMAINDER, metavar="TEXT", help="for instance: 1ww..bb1 w"
    )
    arguments = parser.parse_args(argv)
    if not arguments.text:
        parser.error("a position text is missing")
    game = GAMES[arguments.game]
    try:
        position = game.read_position(" ".join(arguments.text))
    except PositionError as error:
        for reason in error.reasons:
            print(f"position {error.text!r}: {reason}", file=sys.stderr)
        return 2
    print(game.draw(position))
    return 0
