"""Views of the tables games made by hand, and pictures of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from views import make_view

from pi_app.boards import load_board
from pi_app.microseconds import ENDLESS
from pi_app.referee.view import View
from pi_app.rules.registry import find_game
from pi_app.rules.terms import Side, Spot
from pi_app.screen.actions import Action
from pi_app.screen.canvas import Drawing
from pi_app.screen.compose import compose
from pi_app.screen.ui import Page, Shown, Ui
from pi_app.settings import Settings

BOARD = "tables-24"
SIZE = (800, 480)


def measure(text: str, size: int, bold: bool) -> tuple[int, int]:
    """A font with letters of one width."""
    return len(text) * size * 6 // 10, size


def stacks(position: str, game: str = "backgammon") -> dict[Spot, tuple[Side, ...]]:
    """What stands on each spot of a position."""
    rules = find_game(game)
    return dict(rules.checkers_at(rules.read_position(position)))


def tables_view(position: str, game: str = "backgammon", **changes: Any) -> View:
    """White to move a 6-4 in this position, with changes."""
    standing = stacks(position, game)
    given: dict[str, Any] = {
        "game": game,
        "title": find_game(game).title,
        "standing": standing,
        "accepted": standing,
        "roll": "64",
        "legal": ("24/14",),
        "message": "White to play 6-4",
        "hint": "Legal: 24/14.",
        "pips": (167, 167),
        "choice_moves": (),
    }
    return replace(make_view(**given | changes), position=position)


def draw(
    view: View,
    settings: Settings | None = None,
    board: str = BOARD,
    size: tuple[int, int] = SIZE,
) -> Drawing[Action]:
    """The play page of a view."""
    shown = Shown(load_board(board), view, settings or Settings())
    return compose(shown, Ui(Page.PLAY), size, measure, now=ENDLESS)
