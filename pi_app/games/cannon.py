"""Cannon's equipment."""

from __future__ import annotations

from pi_app.games.equipment import Equipment
from pi_app.players.cannon.player import CANNON_PLAYERS
from pi_app.rules.cannon import POINT, TOWN_HEIGHT, TOWN_POINTS, Cannon
from pi_app.rules.terms import Side, Spot, SpotKind, Stack
from pi_app.screen.boards.cannon import draw_cannon
from pi_app.screen.face import Editing, Face, following
from pi_app.words.sentences import Sentence


def piece(stack: Stack, spot: Spot, _brush: Side | None) -> Stack:
    """Return the stack after a tap in the editor: empty, a White soldier, a Black one, on a back
    row also its owner's town, and empty again."""
    towns = [(side,) * TOWN_HEIGHT for side in Side if POINT[spot] & TOWN_POINTS[side]]
    return following(((), (Side.WHITE,), (Side.BLACK,), *towns), stack)


CANNON_EQUIPMENT = Equipment(
    Cannon(),
    Face(
        draw_cannon,
        Editing(piece, SpotKind.OFF, Sentence("Tap a point until it matches the board.")),
    ),
    board="cannon-10",
    players=CANNON_PLAYERS,
)
