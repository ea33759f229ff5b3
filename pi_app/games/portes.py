"""Portes' equipment."""

from __future__ import annotations

from pi_app.games.equipment import Equipment
from pi_app.players.gnubg.player import GNUBG_PLAYERS
from pi_app.players.judging import HITTER_PLAYER
from pi_app.players.tables.player import HITTING, contenders
from pi_app.rules.tables.portes import PORTES
from pi_app.rules.terms import SpotKind
from pi_app.screen.boards.tables import draw_tables
from pi_app.screen.face import PILE, Editing, Face, pile

PORTES_EQUIPMENT = Equipment(
    PORTES,
    Face(draw_tables, Editing(pile, SpotKind.OFF, PILE, brushes=True)),
    board="tables-24",
    players=(*GNUBG_PLAYERS, *contenders(HITTING), HITTER_PLAYER),
)
