"""The Pin game's equipment."""

from __future__ import annotations

from functools import partial

from pi_app.games.equipment import Equipment
from pi_app.players.judging import PINNER_PLAYER
from pi_app.players.tables.player import contenders
from pi_app.rules.tables.pin import PIN_GAME
from pi_app.rules.terms import Side, Spot, SpotKind, Stack
from pi_app.screen.boards.tables import draw_tables
from pi_app.screen.face import MOST, Editing, Face, pile
from pi_app.words.sentences import Sentence


def pins(stack: Stack, spot: Spot, brush: Side | None) -> Stack:
    """Like `pile`, but a single checker of the other side stays beneath: it is pinned."""
    if brush is not None and stack[:1] == (brush.other,) and set(stack[1:]) <= {brush}:
        return (*stack, brush)[:MOST]
    return pile(stack, spot, brush)


PIN_EQUIPMENT = Equipment(
    PIN_GAME,
    Face(
        partial(draw_tables, variant=PIN_GAME.variant),
        Editing(
            pins,
            SpotKind.OFF,
            Sentence(
                "Pick a checker to add one, or the cross to remove one, then tap a point. A "
                "single enemy is pinned; several change colour."
            ),
            brushes=True,
        ),
    ),
    board="tables-24",
    players=(*contenders("pin"), PINNER_PLAYER),
)
