"""Backgammon's equipment."""

from __future__ import annotations

from pi_app.export.ids import Ids
from pi_app.export.match_files import MATCH_FORMS
from pi_app.games.equipment import Equipment
from pi_app.players.gnubg.player import GNUBG_PLAYERS
from pi_app.players.judging import HITTER_PLAYER
from pi_app.players.tables.player import HITTING, contenders
from pi_app.rules.tables.backgammon import BACKGAMMON
from pi_app.rules.terms import SpotKind
from pi_app.screen.boards.tables import draw_tables
from pi_app.screen.face import PILE, Editing, Face, pile

BACKGAMMON_EQUIPMENT = Equipment(
    BACKGAMMON,
    Face(draw_tables, Editing(pile, SpotKind.OFF, PILE, brushes=True)),
    board="tables-24",
    forms=MATCH_FORMS,
    players=(*GNUBG_PLAYERS, *contenders(HITTING), HITTER_PLAYER),
    ids=Ids(BACKGAMMON),
)
