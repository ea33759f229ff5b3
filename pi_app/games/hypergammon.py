"""Hypergammon's equipment. GNU Backgammon can judge it only with a database of its own."""

from __future__ import annotations

from pi_app.export.ids import Ids
from pi_app.export.match_files import MATCH_FORMS
from pi_app.games.equipment import Equipment
from pi_app.players.hypergammon.exact import EXACT
from pi_app.players.hypergammon.solving import SOLUTION
from pi_app.players.judging import HITTER_PLAYER
from pi_app.players.tables.player import FEW, contenders
from pi_app.rules.tables.hypergammon import HYPERGAMMON
from pi_app.rules.terms import SpotKind
from pi_app.screen.boards.tables import draw_tables
from pi_app.screen.face import PILE, Editing, Face, pile

HYPERGAMMON_EQUIPMENT = Equipment(
    HYPERGAMMON,
    Face(draw_tables, Editing(pile, SpotKind.OFF, PILE, brushes=True)),
    board="tables-24",
    forms=MATCH_FORMS,
    players=(EXACT, *contenders(FEW), HITTER_PLAYER),
    ids=Ids(HYPERGAMMON),
    solution=SOLUTION,
)
