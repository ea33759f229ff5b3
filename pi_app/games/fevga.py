"""Fevga's equipment."""

from __future__ import annotations

from functools import partial

from pi_app.games.equipment import Equipment
from pi_app.players.judging import RUNNER_PLAYER
from pi_app.players.tables.player import BLOCKING, contenders
from pi_app.rules.tables.fevga import FEVGA
from pi_app.rules.terms import SpotKind
from pi_app.screen.boards.tables import draw_tables
from pi_app.screen.face import PILE, Editing, Face, pile

FEVGA_EQUIPMENT = Equipment(
    FEVGA,
    Face(
        partial(draw_tables, variant=FEVGA.variant),
        Editing(pile, SpotKind.OFF, PILE, brushes=True),
    ),
    board="tables-24",
    players=(*contenders(BLOCKING), RUNNER_PLAYER),
)
